"""Discoveries: values that somebody has, among very many, with a bound on how many are false.

Where nobody has a value x, each of the N reports supports it with probability q, independently of
the others: the number of these is Binomial(N, q), exactly. So P[Binomial(N, q) >= seen] is a
p-value, and the step-up rule of Benjamini and Yekutieli (2001),

    take the i least p-values, i the largest with p_(i) <= i level / (k (1 + 1/2 + ... + 1/k)),

keeps the expected share of false ones among those taken at most `level`, whatever the dependence
between values: one report speaks for many of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, ctx, fmpq

from ppdm_formal.infer.undoing.channel import Floats
from ppdm_formal.infer.undoing.counts import Integers

_BITS = 128

_TERMS = 20_000
"""Terms of a tail that are added up one by one."""

_ROUNDING = 1e-9
"""More than the rounding of so many products and sums."""


@dataclass(frozen=True)
class Discoveries:
    """Which values were found, in falling order of their counts; from which count on."""

    places: Integers
    p_values: tuple[float, ...]
    level: Fraction
    least: int | None

    @property
    def among(self) -> str:
        """What is promised."""
        return "Benjamini and Yekutieli (2001), whatever the dependence"


def tail(seen: int, rows: int, chance: Fraction) -> float:
    """P[Binomial(rows, chance) >= seen], not below it; 1 where seen is not above the mean.

    The terms fall from the first one on, each by (N - i)/(i + 1) q/(1 - q), a ratio that falls
    as well: those that are left are less than a geometric series.

    >>> round(tail(3, 3, Fraction(1, 2)), 6), round(tail(300, 1000, Fraction(1, 4)), 9)
    (0.125, 0.00019359)
    """
    if seen > rows:
        return 0.0
    if seen <= rows * chance or chance <= 0:
        return 1.0 if seen <= rows * chance else 0.0
    odds = float(chance / (1 - chance)) if chance < 1 else float("inf")
    places = np.arange(seen, min(rows, seen + _TERMS), dtype=np.float64)
    falls = (rows - places) / (places + 1) * odds
    terms = np.concatenate([[1.0], np.cumprod(falls)])
    left = terms[-1] * falls[-1] / (1 - falls[-1]) if seen + _TERMS < rows else 0.0
    return min(_first(seen, rows, chance) * float(terms.sum() + left) * (1 + _ROUNDING), 1.0)


def _first(seen: int, rows: int, chance: Fraction) -> float:
    """C(N, s) q^s (1 - q)^(N - s), rounded up."""
    before = ctx.prec
    ctx.prec = _BITS
    try:
        q = arb(fmpq(chance.numerator, chance.denominator))
        ways = arb(rows + 1).lgamma() - arb(seen + 1).lgamma() - arb(rows - seen + 1).lgamma()
        rest = (1 - q).log() * (rows - seen) if rows > seen else arb(0)
        return float((ways + q.log() * seen + rest).exp().upper())
    finally:
        ctx.prec = before


def discoveries(seen: Integers, rows: int, chance: Fraction, level: Fraction) -> Discoveries:
    """From how many reports support each value, of all those that could be found."""
    values = len(seen)
    limit = float(level) / (values * harmonic(values))
    counts, times = np.unique(seen, return_counts=True)
    taken, least = 0, None
    chances: dict[int, float] = {}
    for count, many in zip(counts[::-1].tolist(), times[::-1].tolist(), strict=True):
        chances[count] = tail(count, rows, chance)
        taken += many
        if chances[count] <= taken * limit:
            least = count
        elif chances[count] > float(level):
            break  # p <= i level / (k H) <= level for all that may still be taken
    if least is None:
        return Discoveries(np.empty(0, dtype=np.int64), (), level, None)
    found = np.flatnonzero(seen >= least)
    order = found[np.argsort(-seen[found], kind="stable")]
    return Discoveries(order, tuple(chances[int(seen[x])] for x in order), level, least)


def taken(p_values: Floats, level: Fraction) -> Integers:
    """The places that the step-up rule takes, from p-values of all that could be found.

    >>> taken(np.array([0.5, 0.001, 0.9]), Fraction(1, 20)).tolist()
    [1]
    """
    order = np.argsort(p_values, kind="stable")
    limit = float(level) / (len(order) * harmonic(len(order)))
    good = np.flatnonzero(p_values[order] <= limit * np.arange(1, len(order) + 1))
    return order[: good[-1] + 1] if len(good) else order[:0]


def harmonic(values: int) -> float:
    """1 + 1/2 + ... + 1/values, rounded up.

    >>> round(harmonic(3), 12)
    1.833333333333
    """
    before = ctx.prec
    ctx.prec = _BITS
    try:
        total = arb(values + 1).digamma() + arb.const_euler()
        return float(np.nextafter(float(total.upper()), np.inf))
    finally:
        ctx.prec = before
