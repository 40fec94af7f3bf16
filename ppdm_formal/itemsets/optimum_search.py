"""The search for the least largest LDS over rho and all b: floating point, proves nothing.

First every b in {1, gamma} with at most K switches on a grid of x = rho/(1 - rho); at an optimum
b[j] is gamma where a polynomial of degree at most K in j is above a level, so only few b[j] are
in between. Then steps of linear programs: at the s that b reaches, M e_k^2 is at least its
tangent 2 M e0 e_k - M e0^2, which makes the conditions linear and keeps to what is feasible.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ppdm_formal.itemsets.optimum_landscape import Landscape
from ppdm_formal.itemsets.optimum_program import Floats, solve

GRID = 120
"""Values of x in the scan."""

MAX_PATTERNS = 3000
"""How many patterns of b are scanned."""


@dataclass(frozen=True)
class Found:
    """The best that was found: s, x, and b."""

    support: float
    x: float
    ratios: Floats


def patterns(size: int, switches: int) -> np.ndarray:
    """Which b[j] are gamma: all with few switches along j, as many as there is room for."""
    rows: list[np.ndarray] = []
    j = np.arange(size + 1)
    for count in range(1, min(switches, size) + 1):
        for at in itertools.combinations(range(1, size + 1), count):
            high = (j[:, None] >= np.array(at)).sum(axis=1) % 2 == 1
            rows += [high, ~high]
            if len(rows) >= MAX_PATTERNS:
                return np.array(rows)
    return np.array(rows)


def scan(land: Landscape, x: Floats, keep: int = 4) -> tuple[Floats, Floats]:
    """For each x the best few patterns: x repeated, and their b."""
    high = patterns(land.size, land.top)
    forms = np.where(high, land.gamma, 1.0)
    xs, kept = [], []
    for each in x:
        here = np.array([each])
        weights = forms * land.shares(here)
        moments = weights @ land.means(here)[0].T / weights.sum(axis=1, keepdims=True)
        values = land.supports(moments, land.burden(here)[0])
        best = np.argsort(values)[:keep]
        xs.append(np.full(len(best), each))
        kept.append(forms[best])
    return np.concatenate(xs), np.concatenate(kept)


def improve(land: Landscape, x: Floats, ratios: Floats, rounds: int) -> tuple[Floats, Floats]:
    """At each x a better b, by linear programs at the s that was reached: s and b."""
    shares, means, burden = land.shares(x), land.means(x), land.burden(x)
    unit = land.mined
    best, found = land.supports(land.moments(ratios, x), burden), ratios
    now = ratios
    for _ in range(rounds):
        at = land.moments(now, x)
        s = np.minimum(land.supports(at, burden), 1e6)[:, None]
        factor = land.factor(s)
        slope = 2 * factor * at
        goals = slope[:, :, None] * means - s[:, :, None] * np.einsum("bki,bij->bkj", burden, means)
        goals -= (factor * at**2 + 1)[:, :, None]
        goals = goals[:, unit]
        goals /= np.maximum((factor * at**2 + 1)[:, unit], 1e-12)[:, :, None]
        now = np.clip(solve(goals, shares, land.gamma).ratios, 1.0, land.gamma)
        value = land.supports(land.moments(now, x), burden)
        better = value < best
        if not (value < best * (1 - 1e-12)).any():
            break
        best = np.where(better, value, best)
        found = np.where(better[:, None], now, found)
    return best, found


def search(land: Landscape, least: float) -> Found:
    """The best x in [least, 1] and b."""
    grid = np.exp(np.linspace(np.log(least), 0, GRID))
    x, ratios = scan(land, grid)
    support, ratios = improve(land, x, ratios, 3)
    order = np.argsort(support)[:40]
    support, ratios = improve(land, x[order], ratios[order], 20)
    x = x[order]
    best = _best(support, x, ratios)
    width = np.log(grid[1] / grid[0])
    # The best few basins, each refined by ever closer points.
    starts = list(dict.fromkeys(np.round(np.log(x[np.argsort(support)]) / width).astype(int)))[:6]
    centres = [
        (x[i], ratios[i])
        for start in starts
        for i in [int(np.argsort(support)[0])]
        if start is not None
    ][:0] or [
        (x[i], ratios[i])
        for i in (
            min(
                (i for i in range(len(x)) if round(float(np.log(x[i]) / width)) == start),
                key=lambda i: support[i],
            )
            for start in starts
        )
    ]
    for centre, row in centres:
        step = width
        for _ in range(8):
            tried = np.minimum(np.exp(np.log(centre) + step * np.linspace(-1, 1, 9)), 1.0)
            values, rows = improve(land, tried, np.repeat(row[None], len(tried), axis=0), 12)
            pick = int(values.argmin())
            centre, row = tried[pick], rows[pick]
            best = min(best, _best(values, tried, rows), key=lambda one: one.support)
            step /= 3
    return best


def _best(support: Floats, x: Floats, ratios: Floats) -> Found:
    pick = int(support.argmin())
    return Found(float(support[pick]), float(x[pick]), ratios[pick])
