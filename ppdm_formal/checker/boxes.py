"""Evidence "boxes": several parameters, exactly.

What would break the claim is shown to fail on boxes, by coefficients: on a box scaled to
0 <= t <= 1 a polynomial is a mean of its coefficients in the Bernstein basis,
C(d, i) t^i (1 - t)^(d - i) along each axis, with weights that are all positive inside the box. On
a face of the box it is one of the coefficients of that face.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from .certificate import Certificate
from .claim import BreachClaim, Claim
from .clock import tick
from .closed_form import Terms, evaluate
from .conditions import (
    FormClass,
    broken_if,
    probabilities,
    read_forms,
    shifts_of_prior,
    sides,
    value_at,
    with_symbols,
)
from .interval import Interval, is_rational, outer
from .limits import MAX_DEPTH, MAX_TABLE, ZERO
from .reading import Fields, read_list, read_position
from .result import need
from .solver_word import breached_at
from .views import read_views


@dataclass(frozen=True)
class Table:
    """The coefficients of a polynomial on a box, times a positive number; the last axis runs."""

    shape: tuple[int, ...]
    entries: list[int]

    def halved(self, axis: int, upper: bool) -> Table:
        """On the lower or upper half of the box (de Casteljau)."""
        entries = list(self.entries)
        for line in lines(self.shape, axis):
            values = entries[line][::-1] if upper else entries[line]
            half = []
            while values:
                half.append(values[0] << (len(values) - 1))
                values = [a + b for a, b in pairwise(values)]
            entries[line] = half[::-1] if upper else half
        return Table(self.shape, entries)

    def face(self, sides_of: Sequence[int | None]) -> list[int]:
        """The entries of a face: 0 or -1 for an end of an axis, None for all of it."""
        places = [0]
        for size, side in zip(self.shape, sides_of, strict=True):
            kept = range(size) if side is None else [side % size]
            places = [place * size + i for place in places for i in kept]
        return [self.entries[place] for place in places]


def table(polynomial: Terms, box: Sequence[Interval]) -> Table:
    """The coefficients on a box, from those of the powers, one axis after the other."""
    need(is_rational([*polynomial.values()]), "exponentials beside several free parameters")
    shape = tuple(1 + max((p[i] for p in polynomial), default=0) for i in range(len(box)))
    need(math.prod(shape) <= MAX_TABLE, "a polynomial of too many coefficients")
    common = math.lcm(*(c.denominator for c in polynomial.values()))
    entries = [int(common * polynomial.get(p, ZERO)) for p in product(*map(range, shape))]
    for axis, interval in enumerate(box):
        low, high, degree = interval.low.low, interval.high.low, shape[axis] - 1
        scale = math.lcm(low.denominator, high.denominator)
        start, width = int(low * scale), int((high - low) * scale)
        whole = math.lcm(*(math.comb(degree, k) for k in range(degree + 1)))
        for line in lines(shape, axis):
            old = entries[line]
            # With x = (start + width t)/scale, in powers of t; then in the Bernstein basis.
            powers = [
                width**k
                * sum(
                    math.comb(j, k) * start ** (j - k) * scale ** (degree - j) * old[j]
                    for j in range(k, degree + 1)
                )
                for k in range(degree + 1)
            ]
            entries[line] = [
                sum(
                    math.comb(i, k) * (whole // math.comb(degree, k)) * powers[k]
                    for k in range(i + 1)
                )
                for i in range(degree + 1)
            ]
    return Table(shape, entries)


def lines(shape: Sequence[int], axis: int) -> Iterator[slice]:
    """The places of entries that lie behind each other along an axis."""
    stride = math.prod(shape[axis + 1 :])
    span = stride * shape[axis]
    for start in range(0, math.prod(shape), span):
        for first in range(start, start + stride):
            tick()
            yield slice(first, first + span - stride + 1, stride)


Wrong = list[tuple[Table, bool]]  # something wrong: all are above 0 (flag), or at least 0


def refuted(wrong: Wrong, box: Sequence[tuple[bool, bool]]) -> bool:
    """Whether it cannot be anywhere on a box, whose lower and upper ends belong to it or not.

    The points of a box are those of its faces, each without its own border: on each of them one
    of the conditions must fail.
    """

    def fails(entries: list[int], strict: bool) -> bool:
        return max(entries) <= 0 and (strict or min(entries) < 0)

    if any(max(part.entries) < (1 if strict else 0) for part, strict in wrong):
        return True
    axes = [[None] + [0] * low + [-1] * high for low, high in box]
    return all(
        any(fails(part.face(face), strict) for part, strict in wrong) for face in product(*axes)
    )


def replay_boxes(
    tree: Any, wrongs: list[Wrong], box: tuple[tuple[bool, bool], ...], depth: int = 0
) -> None:
    """Nothing is wrong on the box: it shows at once, or on both halves."""
    need(depth <= MAX_DEPTH, "boxes split too often")
    left = [wrong for wrong in wrongs if not refuted(wrong, box)]
    if tree is None:
        need(not left, "the coefficients on a box do not show the claim")
        return
    fields = Fields(tree, "boxes", "axis below above")
    axis = fields.position("axis", len(box))
    low, high = box[axis]
    for key, upper, ends in (("below", False, (low, True)), ("above", True, (True, high))):
        half = [[(part.halved(axis, upper), strict) for part, strict in wrong] for wrong in left]
        replay_boxes(tree[key], half, (*box[:axis], ends, *box[axis + 1 :]), depth + 1)


def verify_boxes(certificate: Certificate) -> None:
    """The claim holds for all parameters."""
    claim, described = certificate.claim, certificate.described
    fields = Fields(certificate.evidence, "evidence", "kind above below boxes")
    need(not claim.by_counts, "several reports under a prior are not checked on boxes")
    box = [outer(interval) for interval in described.parameters.values()]
    names = list(described.parameters)
    point = {n: (i.low.low + i.high.low) / 2 for n, i in zip(names, box, strict=True)}
    views = read_views(described, claim, functools.partial(evaluate, point=point))
    good = breached_at(views, claim.given(point)) is False
    need(good, "the claim fails in the middle of the ranges")
    forms = read_forms(described, claim)
    claim = with_symbols(claim, described)
    numbers = list(probabilities(forms, described.relative))
    above, below = (read_covers(fields.list(key), forms, claim) for key in ("above", "below"))
    cases = [[(-number, True)] for number in numbers]  # a probability below 0
    if isinstance(claim, BreachClaim) and claim.prior is not None:
        cases += [case for form in forms for case in shifts_of_prior(form, claim)]
    else:
        for form, over, under in zip(forms, above, below, strict=True):
            cases += [
                [(low.likelihood - form[place].likelihood, True)]
                for low, place in zip(form, over, strict=True)
            ]
            cases += [
                [(form[place].likelihood - high.likelihood, True)]
                for high, place in zip(form, under, strict=True)
            ]
            for inside, outside in sides(form, claim):
                pairs = product({over[i] for i in inside}, {under[i] for i in outside})
                cases += [broken_if(form[i], form[j], claim) for i, j in pairs]

    tables: dict[Any, Table] = {}

    def signed(polynomial: Terms, sign: int) -> Table:
        turned = {powers: sign * c for powers, c in polynomial.items()}
        key = frozenset(turned.items())
        if key not in tables:
            tables[key] = table(turned, box)
        return tables[key]

    wrongs: dict[Any, Wrong] = {}
    bottoms = {frozenset(form.bottom.items()): form.bottom for case in cases for form, _ in case}
    for bottom in bottoms.values():
        if len(bottom) > 1 or any(max(bottom)):  # not 1: a bottom that is 0 somewhere
            wrong = [(signed(bottom, -1 if value_at(bottom, point) > 0 else 1), False)]
            wrongs[tuple((id(part), strict) for part, strict in wrong)] = wrong
    for case in cases:
        if any(strict and not form.top for form, strict in case):
            continue  # 0 is not above 0
        wrong = [
            (signed(form.top, 1 if value_at(form.bottom, point) > 0 else -1), strict)
            for form, strict in case
        ]
        wrongs[tuple((id(part), strict) for part, strict in wrong)] = wrong
    ends = tuple((interval.low_in, interval.high_in) for interval in box)
    replay_boxes(certificate.evidence["boxes"], list(wrongs.values()), ends)


def read_covers(rows: list[Any], forms: list[list[FormClass]], claim: Claim) -> list[list[int]]:
    """For each class of each view the one that is as likely (or as unlikely), on its side."""
    if isinstance(claim, BreachClaim) and claim.prior is not None:
        need(not rows, "under one prior no class stands for another")
        return []
    found = []
    for row, view in zip(read_list(rows, len(forms)), forms, strict=True):
        places = [read_position(place, len(view)) for place in read_list(row, len(view))]
        for part, place in zip(view, places, strict=True):
            other = view[place]
            about = claim.about if isinstance(claim, BreachClaim) else None
            same = about is None or part.member[about] == other.member[about]
            known = bool(other.knowledge.top) or part is other
            need(same and known, "a class stands for one that it cannot stand for")
        found.append(places)
    return found
