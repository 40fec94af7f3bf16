"""After summing columns of independent bits, in floating point: bounds and events, no proofs.

What is found here (parts of the others, ratios, scores) is what the checker proves anew in integers
(checker/crowd_columns.py). docs/shuffling.md has the theorems, T7 and T8.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.derive.measures.summed_bits import (
    MOST_CLIENTS,
    SHARES,
    Floats,
    binomial,
    convolved,
    parted,
    with_bit,
)

_RATIOS = 6.0
"""Ratios R^k in a standard deviation of what one column tells."""

Others: TypeAlias = Literal["first", "second", "third"]
COLUMN_OTHERS: tuple[Others, ...] = ("first", "second", "third")


def exceeding(p: Floats, q: Floats, factors: Floats) -> Floats:
    """Sum of max(0, p - g q) for each of the rising factors."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(q > 0, p / q, math.inf)
    order = np.argsort(ratios, kind="stable")
    tops = np.append(np.cumsum(p[order][::-1])[::-1], 0.0)
    bottoms = np.append(np.cumsum(q[order][::-1])[::-1], 0.0)
    at = np.searchsorted(ratios[order], factors, side="right")
    return np.asarray(np.maximum(tops[at] - factors * bottoms[at], 0))


@dataclass(frozen=True)
class ColumnProof:
    """Parts, c of R = 1 + 1/c, and up to which power."""

    parts: tuple[int, ...]
    steps: int
    reach: int


@dataclass(frozen=True)
class Columns:
    """Two inputs that differ in columns: chances of a 1, and how many each of them holds alone."""

    hi: float
    lo: float
    ahead: int
    behind: int

    @classmethod
    def of(cls, held: float, lacking: float, ahead: int, behind: int) -> Columns:
        """The other way round where lacking makes a 1 likelier."""
        if held < lacking:
            held, lacking = 1 - held, 1 - lacking
        return cls(held, lacking, ahead, behind)

    # -- one report ------------------------------------------------------------------------------

    @property
    def largest_ratio(self) -> float:
        """How much likelier the first makes a report than the second, at most."""
        return math.exp(self.epsilon) if self.epsilon < 700 else math.inf

    @cached_property
    def epsilon(self) -> float:
        """The logarithm of that."""
        if self.hi == self.lo:
            return 0.0
        if (self.ahead and self.lo == 0) or (self.behind and self.hi == 1):
            return math.inf
        gained = self.ahead * math.log(self.hi / self.lo) if self.ahead else 0.0
        return gained + (
            self.behind * math.log((1 - self.lo) / (1 - self.hi)) if self.behind else 0.0
        )

    @cached_property
    def _alone(self) -> tuple[Floats, Floats]:
        first = [binomial_all(self.ahead, self.hi), binomial_all(self.behind, self.lo)]
        second = [binomial_all(self.ahead, self.lo), binomial_all(self.behind, self.hi)]
        return np.outer(*first).ravel(), np.outer(*second).ravel()

    def alone(self, factor: float) -> float:
        """Delta at a factor of one report that nothing hides."""
        p, q = self._alone
        return float(np.maximum(p - factor * q, 0).sum())

    # -- from above ------------------------------------------------------------------------------

    def quick(self, clients: int, factor: float) -> float:
        """Nearly no more than any bound: others of a few kinds, each told apart by nobody."""
        return self._at(clients, 0.0, factor)

    def bound(self, clients: int, factor: float, limit: float) -> float:
        """A bound; the finer one is tried where it may bring it below the limit."""
        found = self.alone(factor)
        for share in SHARES:
            found = min(found, self._at(clients, share, factor))
            if found <= limit or self.quick(clients, factor) > limit:
                break
        return found

    def most(self, clients: int, factor: float, *, fine: bool) -> float:
        """A bound for tables."""
        return self._at(clients, SHARES[1 if fine else 0], factor)

    def attained(self, clients: int, factor: float, inside: bool) -> float:
        """What the best event shows; none is sought inside a breach alone."""
        found = (self.event(clients, factor, others) for others in COLUMN_OTHERS)
        return max((event.value for event in found if event is not None), default=0.0)

    def proof(self, clients: int, factor: float, limit: float) -> ColumnProof | None:
        """What the checker needs for a bound that is low enough."""
        for share in SHARES:
            law = column_law(self, clients, share)
            if law is not None and law.delta(factor) <= limit:
                return law.proof
        return None

    def _at(self, clients: int, share: float, factor: float) -> float:
        law = column_law(self, clients, share)
        return 1.0 if law is None else law.delta(factor)

    # -- from below ------------------------------------------------------------------------------

    def event(self, clients: int, factor: float, others: Others) -> ColumnEvent | None:
        """The best of the events that so much more is added up ahead than behind."""
        if clients > MOST_CLIENTS:
            return None
        ahead, behind = (
            self.hi if others == "first" else self.lo,
            self.hi if others == "second" else self.lo,
        )
        start, law = binomial(self.ahead * (clients - 1), ahead)
        less_start, less = binomial(self.behind * (clients - 1), behind)
        low = start - less_start - len(less) + 1
        law = convolved(law, less[::-1])
        first = np.convolve(
            binomial_all(self.ahead, self.hi), binomial_all(self.behind, self.lo)[::-1]
        )
        second = np.convolve(
            binomial_all(self.ahead, self.lo), binomial_all(self.behind, self.hi)[::-1]
        )
        p, q = convolved(law, first), convolved(law, second)
        values = np.cumsum(p[::-1])[::-1] - factor * np.cumsum(q[::-1])[::-1]
        best = int(np.argmax(values))
        if values[best] <= 0:
            return None
        return ColumnEvent(float(values[best]), best + low - self.behind, others)

    @property
    def swapped(self) -> Columns:
        """The second against the first."""
        return Columns(self.hi, self.lo, self.behind, self.ahead)


@dataclass(frozen=True)
class ColumnEvent:
    """What is added up ahead, less what is behind, reaches a cut; whose value all others have."""

    value: float
    cut: int
    others: Others


@lru_cache(maxsize=4096)
def binomial_all(trials: int, chance: float) -> Floats:
    """All of them, for few bits."""
    found = np.ones(1)
    for _ in range(trials):
        found = np.convolve(found, [1 - chance, chance])
    return found


@dataclass(frozen=True)
class ColumnLaw:
    """Chances of ratios of all columns together, by their logarithms, and of one without end."""

    chances: Floats
    logs: Floats
    endless: float
    proof: ColumnProof

    def delta(self, factor: float) -> float:
        """E[max(0, 1 - g/ratio)]."""
        parts = self.chances * np.maximum(
            0, 1 - np.exp(np.minimum(700, math.log(factor) - self.logs))
        )
        return max(1e-300, float(parts.sum()) + self.endless)


@lru_cache(maxsize=512)
def column_law(columns: Columns, clients: int, share: float) -> ColumnLaw | None:
    """Of others told apart by parts; share 0: of a few numbers of them, which bounds nothing."""
    hi, lo = columns.hi, columns.lo
    if clients > MOST_CLIENTS or hi == lo:
        return None
    noise = (clients - 1) * min(hi * (1 - hi), lo * (1 - lo)) * (1 - share) + 0.25
    deviation = (hi - lo) / math.sqrt(noise)
    c = max(2, min(10**6, math.ceil(_RATIOS / deviation)))
    many = columns.ahead + columns.behind
    largest = min(50.0, columns.epsilon)
    ends = parted(clients, hi, lo, share) if share else ()
    if ends is None:
        return None
    held = sorted({0, (clients - 1) // 2, clients - 1})
    apart = [(some, clients - 1 - some) for some in held]
    if ends:
        apart = [(start, clients - end) for start, end in itertools.pairwise(ends)]
    found = None
    width = 10 * deviation + 2 * deviation**2
    for _ in range(4):  # until what is beyond the largest ratio is little
        reach = max(1, math.ceil(min(width, largest * 1.01) * (c + 1)))
        if many * (2 * reach + 1) > 30_000:
            return found
        found = _law(columns, apart, c, reach)
        if width >= largest or found.endless < 1e-3 * found.delta(1 + deviation * 4):
            break
        width *= 1.6
    assert found is not None
    return ColumnLaw(found.chances, found.logs, found.endless, ColumnProof(ends, c, reach))


def _law(columns: Columns, apart: Sequence[tuple[int, int]], c: int, reach: int) -> ColumnLaw:
    hi, lo = columns.hi, columns.lo
    powers = np.exp(np.arange(-reach, reach + 1) * math.log1p(1 / c))
    corners = np.zeros((2, len(powers)))
    for held, lacking in apart:
        others = convolved(binomial(held, hi)[1], binomial(lacking, lo)[1])
        holds, lacks = with_bit(others, hi), with_bit(others, lo)
        for row, (p, q) in enumerate(((holds, lacks), (lacks, holds))):
            corners[row] = np.maximum(corners[row], exceeding(p, q, powers))
    laws, endless = [], 0.0
    for m, many in zip(corners, (columns.ahead, columns.behind), strict=True):
        m = np.minimum(m, 1.0)
        shifted = np.append(m - m[-1], 0.0)
        inner = c * (shifted[2:] - 2 * shifted[1:-1] + shifted[:-2]) - (
            shifted[1:-1] - shifted[:-2]
        )
        chances = np.concatenate([[c * (m[1] - m[0]) + 1 - m[0]], inner])
        laws.append(repeated(np.maximum(chances, 0), many))
        endless += many * float(m[-1])
    whole = convolved(*laws)
    many = columns.ahead + columns.behind
    logs = (np.arange(len(whole)) - many * reach) * math.log1p(1 / c)
    return ColumnLaw(np.asarray(whole), np.asarray(logs, float), endless, ColumnProof((), c, reach))


def repeated(law: Floats, times: int) -> Floats:
    """The sum of so many."""
    result: npt.NDArray[np.float64] = np.ones(1)
    while times:
        if times & 1:
            result = convolved(result, law)
        times >>= 1
        if times:
            law = convolved(law, law)
    return result
