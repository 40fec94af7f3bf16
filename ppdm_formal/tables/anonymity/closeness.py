"""t-closeness (Li, Li, Venkatasubramanian 2007): how far a class is from the whole table.

Earth mover's distance between p (a class) and q (the table). Where all values are equally far
apart, 1/2 sum of |p - q|; where they are ordered, 1/(m - 1) sum of |running sums of p - q|.
Ratio: the largest of p/q and q/p over values (Domingo-Ferrer, Soria-Comas 2015), infinite where a
class lacks a value; its stochastic form compares the laws of R(value) instead, for an operator R
that sensitive values went through, and is at most R's amplification.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.tables.anonymity.classes import ValueCounts

_BLOCK = 1 << 22


@dataclass(frozen=True)
class Farthest:
    """The largest distance, and the class that has it."""

    distance: Any
    """A Fraction, an ExpNumber, or infinity."""
    at: int


def equal_distance(counts: ValueCounts) -> Farthest:
    """1/2 sum of |p - q|: what the class has more than the table, in all."""
    rows = counts.rows
    more = np.maximum(
        counts.counts * rows - counts.totals[counts.values] * counts.sizes[counts.classes], 0
    )
    tops = np.zeros(len(counts.sizes), dtype=np.int64)
    np.add.at(tops, counts.classes, more)
    return _largest(tops.tolist(), (counts.sizes * rows).tolist())


def ordered_distance(counts: ValueCounts, order: list[int]) -> Farthest:
    """The values in order[0], order[1], ...: each step between neighbours costs 1/(m - 1)."""
    many, rows = len(order), counts.rows
    if many == 1:
        return Farthest(Fraction(0), 0)
    rank = np.empty(many, dtype=np.int64)
    rank[order] = np.arange(many)
    below = np.cumsum(counts.totals[order])
    tops: list[int] = []
    step = max(1, _BLOCK // many)
    for first in range(0, len(counts.sizes), step):
        sizes = counts.sizes[first : first + step]
        here = (counts.classes >= first) & (counts.classes < first + step)
        table = np.zeros((len(sizes), many), dtype=np.int64)
        table[counts.classes[here] - first, rank[counts.values[here]]] = counts.counts[here]
        gaps = np.abs(np.cumsum(table, axis=1) * rows - below * sizes[:, None])
        tops += [sum(row) for row in gaps.tolist()]
    return _largest(tops, [(many - 1) * size * rows for size in counts.sizes.tolist()])


def ratio_distance(counts: ValueCounts) -> Farthest:
    """max(p/q, q/p) over all values of the table."""
    lacking = np.flatnonzero(counts.distinct < len(counts.totals))
    if lacking.size:
        return Farthest(INFINITY, int(lacking[0]))
    tops = (counts.counts * counts.rows).tolist()
    bottoms = (counts.totals[counts.values] * counts.sizes[counts.classes]).tolist()
    found = _largest([*tops, *bottoms], [*bottoms, *tops])
    return Farthest(found.distance, int(counts.classes[found.at % len(tops)]))


def stochastic_distance(counts: ValueCounts, rows: list[list[Real]]) -> Farthest:
    """The same of R(value), where rows[v] is the law of R on the value v.

    >>> from ppdm_formal.tables.anonymity.classes import Classes, CodedColumn
    >>> two = Classes(np.array([0, 0, 1, 1]), np.array([2, 2]), np.array([1, 3]))
    >>> counts = two.sensitive(CodedColumn(np.array([0, 0, 1, 1]), ("a", "b")))
    >>> coin = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    >>> str(stochastic_distance(counts, coin).distance)
    '2'
    """
    whole = _mixed([(v, int(c)) for v, c in enumerate(counts.totals.tolist()) if c], rows)
    best: Any = Fraction(1)
    where = 0
    for number, pattern in counts.patterns():
        for inside, outside in zip(_mixed(pattern, rows), whole, strict=True):
            if outside == 0:
                continue
            if inside == 0:
                return Farthest(INFINITY, number)
            ratio = max(inside / outside, outside / inside)
            if ratio > best:
                best, where = ratio, number
    return Farthest(best, where)


def _mixed(pattern: Any, rows: list[list[Real]]) -> list[Any]:
    """The mean law of the values of a class."""
    size = sum(count for _, count in pattern)
    return [
        sum((count * rows[value][y] for value, count in pattern), Fraction(0)) / size
        for y in range(len(rows[0]))
    ]


def _largest(tops: list[int], bottoms: list[int]) -> Farthest:
    """The largest fraction, exactly; only one of each bottom can be it."""
    best: dict[int, int] = {}
    for place, (top, bottom) in enumerate(zip(tops, bottoms, strict=True)):
        if bottom not in best or top > tops[best[bottom]]:
            best[bottom] = place
    ratio, place = max((Fraction(tops[at], bottom), -at) for bottom, at in best.items())
    return Farthest(ratio, -place)
