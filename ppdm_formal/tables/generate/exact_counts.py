"""Exact counts: for which priors releasing how many rows hold each value is safe (Dor18 3.1).

Rows are independent and alike, P[X_i = v] = q[v]. Given the counts y all arrangements are equally
likely, so that P[X_i = v | y] = y[v]/n whatever q is: X_i and the release y are epsilon-dependent
there exactly if

    e^-epsilon y[v]/n <= q[v] <= e^epsilon y[v]/n     for every value v.

This is the exact region of priors (Theorems 5 and 6 give conditions that are sufficient, where they
can hold at all: docs/findings.md). Who knows k of the rows sees the counts of the other n - k, and
the worst such rows are all of one value, or none of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ppdm_formal.declare.arithmetic.exponential import Real, exp_of
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity, value_json
from ppdm_formal.declare.result import Result

MAX_ROWS = 10**12


@dataclass(frozen=True)
class SafePriors:
    """Between which probabilities of each value the release of these counts is safe, ends included.

    A value that nobody has is safe only where its probability was 0.

    >>> region = safe_priors([1, 3], Fraction(1))
    >>> [(str(low), str(high)) for low, high in region.ends]
    [('1/(4*exp(1))', 'exp(1)/4'), ('(4 - exp(1))/4', '(-1 + 4*exp(1))/(4*exp(1))')]
    """

    counts: tuple[int, ...]
    epsilon: Fraction
    ends: tuple[tuple[Real, Real], ...]

    @property
    def rows(self) -> int:
        """How many rows there are: n."""
        return sum(self.counts)

    def holds(self, prior: Sequence[Fraction]) -> bool:
        """Whether the release is safe under a prior."""
        return all(low <= q <= high for q, (low, high) in zip(prior, self.ends, strict=True))

    def known_rows(self, prior: Sequence[Fraction]) -> int | None:
        """How many rows an attacker may know, whichever they are; None where none is too many."""
        if not _safe_knowing(self, prior, 0):
            return None
        low, high = 0, self.rows - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if _safe_knowing(self, prior, middle) else (low, middle - 1)
        return low


def safe_priors(counts: Sequence[int], epsilon: Fraction) -> SafePriors:
    """The region; ValueError for what are no counts."""
    rows = sum(counts)
    if len(counts) < 2 or any(count < 0 for count in counts) or not 0 < rows <= MAX_ROWS:
        raise ValueError(f"counts of two values or more, 1 to {MAX_ROWS:,} rows in all, are needed")
    if epsilon <= 0:
        raise ValueError("epsilon must be above 0")
    grown = exp_of(epsilon)
    shares = [Fraction(count, rows) for count in counts]
    box = [(share / grown, share * grown) for share in shares]
    least, most = (sum((ends[side] for ends in box), Fraction(0)) for side in (0, 1))
    # Probabilities sum to 1: what the others leave at least, and at most.
    ends = tuple((max(low, 1 - (most - high)), min(high, 1 - (least - low))) for low, high in box)
    return SafePriors(tuple(counts), epsilon, ends)


def _safe_knowing(region: SafePriors, prior: Sequence[Fraction], known: int) -> bool:
    """Whether the others' counts are safe, whichever rows are known; the fewer, the safer."""
    left, grown = region.rows - known, exp_of(region.epsilon)
    for q, count in zip(prior, region.counts, strict=True):
        fewest, most = max(0, count - known), min(count, left)
        if q > Fraction(fewest, left) * grown or q < Fraction(most, left) / grown:
            return False
    return True


def rows_ratio(priors: Sequence[Fraction], count: int) -> tuple[Real | Infinity, int]:
    """e^epsilon of a count where rows differ, P[X_i = 1] = priors[i]; and the worst row.

    P[X_i = 1 | y] / P[X_i = 1] = P[others make y - 1] / P[y], and likewise for 0; the law of
    the others is that of all, divided by row i's factor 1 - q + q z. Rows that are certain say
    nothing. ValueError where the count cannot occur.

    >>> half = Fraction(1, 2)
    >>> str(rows_ratio([half, half, half], 1)[0])
    '3/2'
    """
    if not 0 < len(priors) <= MAX_DIFFERENT or any(not 0 <= q <= 1 for q in priors):
        raise ValueError(f"1 to {MAX_DIFFERENT} rows, with probabilities from 0 to 1, are needed")
    law = [Fraction(1)]
    for q in priors:
        law = [
            (law[k] * (1 - q) if k < len(law) else Fraction(0)) + (law[k - 1] * q if k else 0)
            for k in range(len(law) + 1)
        ]
    if not 0 <= count < len(law) or not law[count]:
        raise ValueError("this count cannot occur")
    worst: tuple[Real | Infinity, int] = (Fraction(1), 0)
    for row, q in enumerate(priors):
        if 0 < q < 1:
            others = _without(law, q, count)
            for chance in others:
                ratio = chance / law[count]
                apart = INFINITY if not ratio else max(ratio, 1 / ratio)
                if apart > worst[0]:
                    worst = (apart, row)
    return worst


MAX_DIFFERENT = 500


def _without(law: list[Fraction], q: Fraction, count: int) -> tuple[Fraction, Fraction]:
    """P[all others make count - 1], P[they make count], by dividing the law by 1 - q + q z."""
    before, here = Fraction(0), Fraction(0)
    for k in range(count + 1):
        before, here = here, (law[k] - q * here) / (1 - q)
    return before, here


@dataclass(frozen=True)
class SafeCounts:
    """Which counts of one value are safe under P[X_i = 1] = q, and how likely others are."""

    low: int
    high: int
    outside: Fraction
    """P[Y < low or Y > high]; refusing to release then tells something as well."""


MAX_LISTED = 20_000


def safe_counts(rows: int, q: Fraction, epsilon: Fraction) -> SafeCounts | None:
    """The counts y = low..high whose release is safe; None where none is.

    >>> safe_counts(10, Fraction(1, 2), Fraction(1))
    SafeCounts(low=2, high=8, outside=Fraction(11, 512))
    """
    if not 0 < q < 1 or epsilon <= 0 or not 0 < rows <= MAX_LISTED:
        raise ValueError(f"0 < q < 1, epsilon above 0, and 1 to {MAX_LISTED:,} rows are needed")
    grown = exp_of(epsilon)
    low = max(math.ceil(rows * q / grown), math.ceil(rows * (1 - (1 - q) * grown)))
    high = min(math.floor(rows * q * grown), math.floor(rows * (1 - (1 - q) / grown)))
    if low > high:
        return None
    top, bottom = q.numerator, q.denominator
    inside = 0
    for y in range(low, high + 1):
        inside += math.comb(rows, y) * top**y * (bottom - top) ** (rows - y)
    return SafeCounts(low, high, 1 - Fraction(inside, bottom**rows))


@dataclass(frozen=True)
class ExactCounts(Result):
    """Counts to be released exactly: where that is safe, and whether it is under a prior."""

    shown_in: ClassVar[str] = "counts"
    region: SafePriors
    prior: tuple[Fraction, ...] | None
    counts: SafeCounts | None
    """Which counts of the first of two values are safe under the prior, where they are listed."""

    @property
    def safe(self) -> bool | None:
        """Whether the release is safe under the prior; None without one."""
        return None if self.prior is None else self.region.holds(self.prior)

    @property
    def exit_code(self) -> int:
        """1 where it is not."""
        return 1 if self.safe is False else 0

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-count/1."""
        region, prior, safe = self.region, self.prior, self.counts
        return {
            "format": "ppdm-count/1",
            "counts": list(region.counts),
            "epsilon": number_text(region.epsilon),
            "safe_priors": [
                {"low": number_text(low), "high": number_text(high)} for low, high in region.ends
            ],
            "assumed": "rows independent and alike",
            "prior": None if prior is None else [number_text(q) for q in prior],
            "safe": self.safe,
            "known_rows": None if prior is None else region.known_rows(prior),
            "safe_counts": None
            if safe is None
            else {"low": safe.low, "high": safe.high, "outside": number_text(safe.outside)},
        }


@dataclass(frozen=True)
class RowCounts(Result):
    """An exact count of rows that differ: how much it tells of the row it tells most of."""

    shown_in: ClassVar[str] = "counts"
    counts: tuple[int, ...]
    epsilon: Fraction
    ratio: Real | Infinity
    row: int
    """That row, from 0 on."""

    @property
    def safe(self) -> bool:
        """Whether it tells no more than epsilon allows."""
        return not self.ratio > exp_of(self.epsilon)

    @property
    def exit_code(self) -> int:
        """1 where it tells more."""
        return 0 if self.safe else 1

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-count/1."""
        return {
            "format": "ppdm-count/1",
            "counts": list(self.counts),
            "epsilon": number_text(self.epsilon),
            "assumed": "rows independent",
            "ratio": value_json(self.ratio),
            "worst_row": self.row + 1,
            "safe": self.safe,
        }
