"""Moments of scores, and the mean squared errors that follow from them.

An unbiased decoder gives output y the score D[y, x] for cell x, and the mean score of N reports
estimates pi[x]. With S[x', x] = sum over y of p[x' -> y] D[y, x]^2, N times the mean squared error
is

    e[x](pi) = sum over x' of pi[x'] S[x', x] - pi[x]^2

for people drawn from pi. (For people who are given, without the part pi[x](1 - pi[x]) that their
drawing adds, it is what papers call the variance of the protocol.) Numbers here are exact, closed
forms, or balls of python-flint; the formulas are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from flint import arb

from ppdm_formal.declare.arithmetic.enclosure import DIGITS, Enclosure, enclose_all
from ppdm_formal.declare.arithmetic.exact import is_symbolic, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.signs import sign_over
from ppdm_formal.declare.arithmetic.value import INFINITY, Measured
from ppdm_formal.declare.operators.alike import Ratio, Support

SHARE = Fraction(1, 10)
"""The share whose error is told: that of a value which one person in ten has."""

Number = Any
"""A Fraction, an ExpNumber, a sympy expression or a ball; all with the same arithmetic."""


@dataclass(frozen=True)
class CellsAlike:
    """So many cells x with the same mass pi[x] and the same moments.

    own: S[x, x]. most: the largest S[x', x] of other x'. seen: the mean of S[x', x] under pi.
    """

    count: int
    mass: Number
    own: Number
    most: Number
    seen: Number


@dataclass(frozen=True)
class MomentSums:
    """All cells, and for so many true inputs x' each the sum of S[x', x] over the cells."""

    cells: tuple[CellsAlike, ...]
    rows: tuple[tuple[int, Number], ...]


@dataclass(frozen=True)
class Errors:
    """N times mean squared errors; None where a closed form has no one shape.

    share: of a cell with SHARE of all people, the others being wherever it is worst. cell_worst:
    of any cell under any distribution. cell: the worst cell under the distribution asked about;
    total: all cells under it; total_worst: under the worst distribution. plain: `total` without
    randomization. factor: total / plain, how many times as many people are needed.
    """

    share: Measured | None
    cell_worst: Measured | None
    cell: Measured | None
    total: Measured
    total_worst: Measured | None
    plain: Measured
    factor: Measured


UNKNOWABLE = Errors(*(INFINITY,) * 5, plain=INFINITY, factor=INFINITY)
"""Where some cell cannot be estimated at all."""


def supported(support: Support, take: Any) -> tuple[Number, Number]:
    """S[x, x] and S[x', x] of the decoder ([y supports x] - q) / (p - q)."""
    p, q = take(support.own), take(support.other)
    apart = square(p - q)
    return (p * square(1 - q) + (1 - p) * square(q)) / apart, q * (1 - q) / apart


def weighed(size: int, ratios: Sequence[Ratio]) -> tuple[Number, Number] | None:
    """The same of the decoder 1/k + (r - 1)/theta, the one of least variance for alike inputs.

    r = p[x -> y] / m(y), and theta makes it unbiased: P W P^T = theta (I - J/k) + J. None where
    the ratios are all 1, so that outputs say nothing.
    """
    first = sum((part.chance * part.ratio for part in ratios), start=0 * ratios[0].chance)
    second = sum((part.chance * square(part.ratio) for part in ratios), start=0 * ratios[0].chance)
    gain = first - 1
    if not isinstance(gain, arb) and simplify(gain) == 0:
        return None
    theta = size * gain / (size - 1)
    own = (1 + 2 * size * gain / theta) / size**2 + (second - 2 * first + 1) / square(theta)
    mean = (1 + size * (size - 1) / theta) / size**2
    return own, (size * mean - own) / (size - 1)


def alike_moments(
    own: Number, other: Number, masses: Iterable[tuple[int, Number]], size: int
) -> MomentSums:
    """Every cell has the same two moments; the masses are those of the distribution."""
    cells = tuple(
        CellsAlike(count, mass, own, other, other + mass * (own - other)) for count, mass in masses
    )
    return MomentSums(cells, ((size, own + (size - 1) * other),))


def peak(own: Number, most: Number, parameters: Sequence[Parameter] = ()) -> Number:
    """The largest t own + (1 - t) most - t^2, t in [0, 1]: the cell's worst error."""
    t = _within((own - most) / 2, parameters)
    return most + t * (own - most) - square(t)


def worst_total(rows: Sequence[tuple[int, Number]]) -> Number:
    """The largest sum over x of pi[x] s[x] - pi[x]^2: the least over c of c + sum (s - c)+^2 / 4.

    The distribution that attains it has pi[x] = (s[x] - c)+ / 2. In balls c comes from midpoints,
    and the value lies between what that distribution reaches and what c bounds.
    """
    if len(rows) == 1:
        count, s = rows[0]
        return s - 1 / (count * _one(s))
    balls = any(isinstance(s, arb) for _, s in rows)
    middle = [(n, arb(s.mid()) if balls else s) for n, s in rows]
    level, many, added = None, 0, 0 * middle[0][1]
    for count, s in sorted(middle, key=lambda row: row[1].mid() if balls else row[1], reverse=True):
        if level is not None and not s > level:
            break
        many, added = many + count, added + count * s
        level = (added - 2) / many
    bound = (
        level
        + sum((n * square(_larger([s - level, 0 * s])) for n, s in rows), start=0 * rows[0][1]) / 4
    )
    if not balls:
        return bound
    shares = [_larger([s - level, 0 * s]) / 2 for _, s in middle]
    whole = sum((n * share for (n, _), share in zip(middle, shares, strict=True)), start=arb(0))
    reached = sum(
        (n * (share / whole * s - square(share / whole)))
        for (n, s), share in zip(rows, shares, strict=True)
    )
    return reached.union(bound)


def errors(moments: MomentSums, parameters: Sequence[Parameter] = ()) -> list[Number | None]:
    """What Errors holds, in its order, in the numbers of the moments."""
    cells = moments.cells
    one = _one(cells[0].own)
    f = SHARE.numerator * one / SHARE.denominator
    total = sum((c.count * (c.seen - square(c.mass)) for c in cells), start=0 * one)
    plain = sum((c.count * c.mass * (1 - c.mass) for c in cells), start=0 * one)
    pairs = list({(id(c.own), id(c.most)): (c.own, c.most) for c in cells}.values())
    return [
        _attempt(lambda: _larger([f * own + (1 - f) * most - square(f) for own, most in pairs])),
        _attempt(lambda: _larger([peak(own, most, parameters) for own, most in pairs])),
        _attempt(lambda: _larger([c.seen - square(c.mass) for c in cells])),
        total,
        _attempt(lambda: worst_total(moments.rows)),
        plain,
    ]


def told(numbers: Sequence[Number | None]) -> Errors:
    """Exact numbers as Errors, with the factor."""
    found = [None if number is None else simplify(number) for number in numbers]
    share, cell_worst, cell, total, total_worst, plain = found
    assert total is not None
    assert plain is not None
    if plain == 0:  # one value has all the mass
        factor: Measured = Fraction(1) if total == 0 else INFINITY
    else:
        factor = simplify(total / plain)
    return Errors(share, cell_worst, cell, total, total_worst, plain, factor)


def enclosed(
    evaluate: Callable[[], tuple[MomentSums, Sequence[Any]]], point: bool, digits: int = DIGITS
) -> tuple[Errors, tuple[Enclosure, ...]]:
    """The errors of moments in balls, and further balls, at growing precision.

    point: one value has all the mass, so that plain answers make no error.
    """

    def numbers() -> list[Any]:
        moments, further = evaluate()
        found: list[Any] = errors(moments)
        return [*found, found[0] if point else found[3] / found[5], *further]

    *found, factor = (all_of := enclose_all(numbers, digits))[:7]
    known: list[Measured] = [*found, INFINITY if point else factor]
    return Errors(*known), all_of[7:]


class _Open(Exception):
    """The sign of a closed form changes along a parameter."""


def _attempt(compute: Any) -> Number | None:
    try:
        return compute()
    except _Open:
        return None


def square(value: Number) -> Number:
    """Also of balls that hold zero, of which FLINT takes no powers."""
    return value * value


def _one(like: Number) -> Number:
    return arb(1) if isinstance(like, arb) else Fraction(1)


def _larger(values: Sequence[Number]) -> Number:
    distinct = list(dict.fromkeys(values)) if not isinstance(values[0], arb) else list(values)
    if len(distinct) == 1:
        return distinct[0]
    if isinstance(distinct[0], arb):
        return reduce(lambda a, b: a.max(b), distinct)
    if any(is_symbolic(value) for value in distinct):
        raise _Open
    return max(distinct)


def _within(t: Number, parameters: Sequence[Parameter]) -> Number:
    """The nearest number of [0, 1]."""
    if isinstance(t, arb):
        return t.max(0).min(1)
    t = simplify(t)
    if not is_symbolic(t):
        return min(max(t, Fraction(0)), Fraction(1))
    below, above = (sign_over(simplify(value), parameters) for value in (t, t - 1))
    if below in (0, -1):
        return Fraction(0)
    if above in (0, 1):
        return Fraction(1)
    if (below, above) != (1, -1):
        raise _Open
    return t
