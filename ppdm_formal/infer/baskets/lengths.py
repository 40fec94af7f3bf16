"""Lengths: how many candidates clients hold, told by a few of them, and the undoing of cuts.

A client that holds s > L candidates reports a random L of them, so that of the support of a
candidate only the share E[min(1, L / s)] over those who hold it remains. With the law of s, and

    P[a client holds the candidate, given s] = 1 - exp(-c s)

(a candidate is held more often where more is held), c follows from the kept support, and from c
the support. How candidates differ in this is not known: the undoing is trusted to UNEVEN of what
it adds, and intervals are wider by that much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ppdm_formal.infer.baskets.rounds import Integers
from ppdm_formal.run.estimated_supports import Floats

UNEVEN = 0.3
"""The standard error of what undoing a cut adds, as a share of it."""

_RATES = np.concatenate([[0.0], np.geomspace(1e-7, 60, 600)])


@dataclass(frozen=True)
class Lengths:
    """A law of the number of candidates held: classes by their middle, and the share of each."""

    middles: Floats
    shares: Floats

    def __post_init__(self) -> None:
        if len(self.middles) != len(self.shares) or (self.shares < 0).any():
            raise ValueError("every class of lengths has a share")
        if not np.isclose(self.shares.sum(), 1):
            raise ValueError("shares of lengths add up to 1")

    @classmethod
    def of(cls, lengths: Integers) -> Lengths:
        """The law of lengths that are known.

        >>> Lengths.of(np.array([1, 1, 2, 5])).shares.tolist()
        [0.0, 0.5, 0.25, 0.0, 0.0, 0.25]
        """
        counts = np.bincount(lengths)
        return cls(np.arange(len(counts), dtype=float), counts / counts.sum())

    @classmethod
    def told(
        cls, counts: Integers, people: int, hit: float, miss: float, edges: Integers
    ) -> Lengths:
        """The law from reports: counts of each class, class i being edges[i] <= s < edges[i + 1].

        The last edge ends the last class. Each class is told by its count and, where that says
        little, by the lognormal and negative binomial laws that all counts together make likely.
        It is then the nearest law whose density first rises, then falls (a length of 0, if it is a
        class of its own, stands apart).
        """
        raw = (counts / people - miss) / (hit - miss)
        widths = np.diff(edges).astype(float)
        middles = edges[:-1] + (widths - 1) / 2
        apart = bool(edges[0] == 0 and widths[0] == 1)
        smooth = _smooth(counts, people, hit, miss, edges, apart)
        noise = (miss * (1 - miss) + smooth * (hit - miss)) / (people * (hit - miss) ** 2)
        spread = (SHAPED * smooth) ** 2 + 1e-6
        mixed = (raw * spread + smooth * noise) / (spread + noise)
        return cls(middles, unimodal(mixed, widths, apart))


SHAPED = 0.3
"""How far shares of classes are from the shapes that fit best, relatively."""


def _smooth(
    counts: Integers, people: int, hit: float, miss: float, edges: Integers, apart: bool
) -> Floats:
    """The mean of lognormal and negative binomial laws, each as likely as the counts make it."""
    first = 1 if apart else 0
    none = (counts[0] / people - miss) / (hit - miss) if apart else 0.0
    none = min(max(none, 0.0), 0.999)
    laws = (1 - none) * _shapes(tuple(edges[first:].tolist()))
    chance = miss + (hit - miss) * laws
    seen = counts[first:]
    fit = (seen * np.log(chance) + (people - seen) * np.log1p(-chance)).sum(axis=1)
    weight = np.exp(fit - fit.max())
    return np.concatenate([np.full(first, none), weight @ laws / weight.sum()])


@lru_cache(maxsize=8)
def _shapes(edges: tuple[int, ...]) -> Floats:
    """Laws of classes of lengths from the first edge on: a row each."""
    first, last = edges[0], edges[-1]
    k = np.arange(last - first, dtype=float)
    rows = []
    for middle in np.linspace(-0.5, 4.5, 41).tolist():
        for spread in np.linspace(0.2, 1.6, 22).tolist():
            ends = [(math.log(max(e - 0.5, 1e-9)) - middle) / spread for e in edges]
            mass = np.diff([0.5 * math.erfc(-z / math.sqrt(2)) for z in ends])
            rows.append(mass)
    starts = np.array(edges[:-1]) - first
    for mean in (np.geomspace(1.05, 60, 40) - 1).tolist():
        for shape in np.geomspace(0.2, 30, 16).tolist():
            step = (k[1:] - 1 + shape) / k[1:] * (mean / (shape + mean))
            rows.append(np.add.reduceat(np.concatenate([[1.0], np.cumprod(step)]), starts))
    found = np.array([row for row in rows if row.sum() > 1e-9])
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def unimodal(raw: Floats, widths: Floats, apart: bool = False) -> Floats:
    """The law nearest to `raw` whose density (per width) rises, then falls; class 0 may be apart.

    >>> unimodal(np.array([0.1, 0.5, 0.6, -0.2]), np.ones(4)).round(3).tolist()
    [0.083, 0.417, 0.5, 0.0]
    """
    first = 1 if apart else 0
    best, found = np.inf, np.ones(len(raw))
    for mode in range(first, len(raw)):
        rising = _falling(raw[first:mode][::-1], widths[first:mode][::-1])[::-1]
        falling = _falling(raw[mode:], widths[mode:])
        law = np.concatenate([np.maximum(raw[:first], 0), rising, falling])
        away = float(((law - raw) ** 2).sum())
        if away < best:
            best, found = away, law
    return found / found.sum() if found.sum() > 0 else np.full(len(raw), 1 / len(raw))


def _falling(raw: Floats, widths: Floats) -> Floats:
    """The nearest raw = widths x with x falling and at least 0 (pool adjacent violators)."""
    blocks: list[list[float]] = []
    for value, square in zip((raw * widths).tolist(), (widths**2).tolist(), strict=True):
        blocks.append([value, square, 1])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] < blocks[-1][0] * blocks[-2][1]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    level = [max(a / b, 0.0) for a, b, many in blocks for _ in range(int(many))]
    return np.asarray(widths * np.array(level))


@dataclass(frozen=True)
class Uncut:
    """From supports of what a cut kept to supports, by a law of lengths."""

    whole: Floats
    kept: Floats

    @classmethod
    def of(cls, lengths: Lengths, cut: int) -> Uncut:
        """For reports of at most `cut` candidates."""
        holds = 1 - np.exp(-np.outer(_RATES, lengths.middles))
        stays = np.minimum(1, cut / np.maximum(lengths.middles, 1))
        return cls(holds @ lengths.shares, holds @ (lengths.shares * stays))

    def support(self, kept: Floats) -> Floats:
        """The support of which a cut keeps that; of negative ones by the slope at 0."""
        first = self._slope(0)
        inner = np.interp(kept, self.kept, self.whole)
        beyond = self.whole[-1] + (kept - self.kept[-1])
        return np.where(kept <= 0, kept * first, np.where(kept > self.kept[-1], beyond, inner))

    def slope(self, kept: Floats) -> Floats:
        """D support / d kept, by which standard errors grow."""
        place = np.clip(np.searchsorted(self.kept, kept), 1, len(self.kept) - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            rise = np.diff(self.whole) / np.diff(self.kept)
        rise = np.where(np.isfinite(rise), rise, 1.0)
        return np.where(kept > self.kept[-1], 1.0, rise[place - 1])

    def remains(self, support: Floats) -> Floats:
        """What the cut keeps of supports."""
        return np.interp(support, self.whole, self.kept)

    def doubt(self, kept: Floats) -> Floats:
        """The standard error of the undoing itself."""
        return UNEVEN * np.abs(self.support(kept) - kept)

    def _slope(self, place: int) -> float:
        step = self.kept[place + 1] - self.kept[place]
        return float((self.whole[place + 1] - self.whole[place]) / step) if step > 0 else 1.0
