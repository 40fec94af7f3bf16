"""The search for the least largest LDS over rho and all b: floating point, proves nothing.

First every b in {1, gamma} with at most K switches along j, at many x = rho/(1 - rho); at an
optimum b[j] is gamma where a polynomial of degree at most K in j is above a level, so only few
b[j] are in between. Then steps of linear programs: M e_k^2 is at least its tangent
2 M e0 e_k - M e0^2, which makes the conditions for an s linear, and whatever satisfies them good.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.itemsets.krawtchouk import Floats
from ppdm_formal.itemsets.optimum_landscape import Landscape, averages
from ppdm_formal.itemsets.optimum_program import solve
from ppdm_formal.numbers.deadline import NEVER, Deadline

Integers: TypeAlias = npt.NDArray[np.int64]

GRID = 120
"""Values of x in the scan."""

MAX_PATTERNS = 1500
"""How many patterns of b are scanned, with 1 first and with gamma first."""

CELLS = 10_000
"""How many of them, at how many x, are looked at together."""

DENSE = 20
"""Up to this j every place is tried for a switch."""

BASINS = 6
"""How many regions of x are searched to the end, at most: those that are ..."""

PROMISING = 1.3
"""... within this factor of the best."""


@dataclass(frozen=True)
class Found:
    """A point that was found: s, x and b."""

    support: float
    x: float
    ratios: Floats


@lru_cache(maxsize=4)
def patterns(size: int, switches: int) -> Integers:
    """Where b[j] switches between 1 and gamma, a row each: as many rows as there is room for.

    Rows with fewer switches end in m + 1. In long transactions not every j gets a switch; with
    rho up to 1/2 the small ones matter most.
    """
    places = sorted({*range(1, min(size, DENSE) + 1), *range(1, size + 1, size // DENSE + 1)})
    width = min(switches, size)
    rows = itertools.chain.from_iterable(
        itertools.combinations(places, count) for count in range(1, width + 1)
    )
    kept = list(itertools.islice(rows, MAX_PATTERNS))
    return np.array([[*row, *[size + 1] * (width - len(row))] for row in kept])


def scan(land: Landscape, x: Floats, keep: int = 3) -> tuple[Floats, Floats]:
    """For each x the best few patterns: x repeated, and their b."""
    at = patterns(land.size, land.top)
    signs = np.where(np.arange(at.shape[1]) % 2, 1.0, -1.0)
    highs = (np.arange(land.size + 1) >= at[:, :, None]).sum(axis=1) % 2 == 1
    xs, kept = [], []
    for part in np.array_split(x, max(1, len(x) * len(at) // CELLS)):
        shares = land.shares(part)[:, None, :]
        terms = np.concatenate([shares, shares * land.means(part)], axis=1)
        # Sums over j from each place on: a pattern's sum is an alternating sum of those.
        tails = np.zeros((*terms.shape[:2], land.size + 2))
        tails[..., :-1] = np.cumsum(terms[..., ::-1], axis=-1)[..., ::-1]
        high = -(tails[..., at] * signs).sum(axis=-1)
        low = tails[..., :1] - high
        both = np.concatenate([land.gamma * high + low, land.gamma * low + high], axis=-1)
        moments = np.moveaxis(both[:, 1:] / both[:, :1], 1, -1)
        values = land.supports(moments, part[:, None])
        best = np.argsort(values, axis=1, kind="stable")[:, :keep]
        raised = highs[best % len(at)] ^ (best >= len(at))[..., None]
        xs.append(np.repeat(part, best.shape[1]))
        kept.append(np.where(raised, land.gamma, 1.0).reshape(-1, land.size + 1))
    return np.concatenate(xs), np.concatenate(kept)


def improve(land: Landscape, x: Floats, ratios: Floats, rounds: int) -> tuple[Floats, Floats]:
    """At each x a better b, by linear programs at the s that was reached: s and b."""
    shares, means = land.shares(x), land.means(x)
    burdens = np.einsum("bki,bij->bkj", land.burden(x), means)
    at = averages(means, shares * ratios)
    value = best = land.supports(at, x)
    found = ratios
    for _ in range(rounds):
        s = np.minimum(value, 1e6)[:, None]
        factor = land.factor(s)
        held = factor * at**2 + 1
        goals = (2 * factor * at)[:, :, None] * means - held[:, :, None] - s[:, :, None] * burdens
        goals = (goals / held[:, :, None])[:, land.mined]
        now = np.clip(solve(goals, shares, land.gamma).ratios, 1.0, land.gamma)
        at = averages(means, shares * now)
        value = land.supports(at, x)
        better = value < best
        if not (value < best * (1 - 1e-12)).any():
            break
        best = np.where(better, value, best)
        found = np.where(better[:, None], now, found)
    return best, found


def best_at(land: Landscape, x: Floats) -> list[Found]:
    """The best b that is found at each of the x, with more care where it is promising."""
    repeated, ratios = scan(land, x)
    support, ratios = improve(land, repeated, ratios, 2)
    good = support <= PROMISING * support.min()
    support[good], ratios[good] = improve(land, repeated[good], ratios[good], 8)
    best: dict[float, Found] = {}
    for each in map(Found, support.tolist(), repeated.tolist(), ratios):
        if each.x not in best or each.support < best[each.x].support:
            best[each.x] = each
    return [best[each] for each in x.tolist()]


def search(land: Landscape, least: float, deadline: Deadline = NEVER) -> list[Found]:
    """The best x in [least, 1] and b of the most promising regions, best first.

    Where there is no time, they are not followed to the end.
    """
    grid = np.exp(np.linspace(np.log(least), 0, GRID))
    first = best_at(land, grid)
    values = np.pad([each.support for each in first], 1, constant_values=np.inf)
    dips = (values[1:-1] <= values[:-2]) & (values[1:-1] <= values[2:])
    basins = sorted((first[i] for i in np.flatnonzero(dips)), key=lambda each: each.support)
    width = float(np.log(grid[1] / grid[0]))
    found = [
        basin if deadline.passed and i else refined(land, basin, width)
        for i, basin in enumerate(basins[:BASINS])
        if basin.support <= PROMISING * basins[0].support
    ]
    return sorted(found, key=lambda each: each.support)


def refined(land: Landscape, start: Found, width: float) -> Found:
    """The best near a point: ever closer x on both sides of it."""
    best, steps = start, np.linspace(-1, 1, 9)
    while width > 1e-6:
        tried = np.minimum(best.x * np.exp(width * steps), 1.0)
        values, rows = improve(land, tried, np.repeat(best.ratios[None], len(steps), axis=0), 12)
        pick = int(values.argmin())
        if values[pick] < best.support:
            best = Found(float(values[pick]), float(tried[pick]), rows[pick])
        width /= 3
    return best


def near(land: Landscape, starts: Sequence[Found], x: Floats) -> list[Found]:
    """The best that is found at each of the x, starting from b that are good elsewhere."""
    rows = np.array([start.ratios for start in starts])
    repeated, ratios = np.repeat(x, len(rows)), np.tile(rows, (len(x), 1))
    support, ratios = improve(land, repeated, ratios, 12)
    return [Found(*each) for each in zip(support.tolist(), repeated.tolist(), ratios, strict=True)]
