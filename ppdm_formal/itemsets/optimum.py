"""The randomization with the least LDS: Statement 2's form, its vertices, and beyond.

For given transaction size m, gamma and itemset sizes the largest LDS is minimized over
rho and over b in Statement 2's form (a cutoff j*), over all vertices b[j] in {1, gamma},
and over the box 1 <= b[j] <= gamma. The first two are dense scans refined to full floating
precision; the last is a local search, so it gives the best found and proves nothing.

Sending the complement of t' instead of t' turns (rho, b[j]) into (1 - rho, b[m - j]) and
loses nothing: every optimum comes twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.itemsets.lds_scan import lds_grid

Floats: TypeAlias = npt.NDArray[np.float64]

GRID = 1999
"""Values of rho in the first scan."""

MAX_VERTEX_SIZE = 10
"""Transactions up to this size have few enough vertices (2^(m + 1)) to scan."""

_BATCH = 200_000
"""How many parameter pairs are evaluated at a time."""


@dataclass(frozen=True)
class Point:
    """Parameters found: the largest LDS, rho, and b up to a factor (floating point)."""

    lds: float
    insert: float
    ratios: tuple[float, ...]

    @property
    def cutoff(self) -> int | None:
        """j*, where b has Statement 2's form."""
        high = [b > min(self.ratios) for b in self.ratios]
        return high.index(True) - 1 if high == sorted(high) and 0 < sum(high) < len(high) else None

    def mirrored(self) -> Point:
        """The same with complements sent: (1 - rho, b[m - j])."""
        return Point(self.lds, 1 - self.insert, self.ratios[::-1])


def cutoff_forms(size: int, gamma: float) -> Floats:
    """Statement 2's b-ratios, one row a cutoff j* = 0..m-1."""
    j = np.arange(size + 1)
    return np.where(j[None, :] > np.arange(size)[:, None], gamma, 1.0)


def vertex_forms(size: int, gamma: float) -> Floats:
    """All b in {1, gamma}^(m + 1) that are not constant, one of each mirrored pair."""
    if size > MAX_VERTEX_SIZE:
        raise ValueError(f"vertices are scanned up to transactions of {MAX_VERTEX_SIZE} items")
    codes = range(1, 2 ** (size + 1) - 1)
    rows = [[code >> j & 1 for j in range(size + 1)] for code in codes]
    kept = [row for row in rows if row <= row[::-1]]
    return np.where(np.array(kept) == 1, gamma, 1.0)


def best_of_forms(
    forms: Floats, itemsets: Sequence[int], transactions: int, grid: int = GRID
) -> list[Point]:
    """For each row of b-ratios the rho with the least largest LDS, best first.

    A scan over rho, then ever finer scans around the three lowest dips of each row.
    """
    rho = np.arange(1, grid + 1) / (grid + 1)
    scanned = np.concatenate(
        [
            lds_grid(
                block[:, None, :],
                np.broadcast_to(rho, (len(block), grid)),
                itemsets,
                transactions,
            )
            for block in np.array_split(forms, max(1, forms.shape[0] * grid // _BATCH))
        ]
    )
    padded = np.pad(scanned, ((0, 0), (1, 1)), constant_values=np.inf)
    dips = (scanned <= padded[:, :-2]) & (scanned <= padded[:, 2:])
    order = np.argsort(np.where(dips, scanned, np.inf), axis=1)[:, :3]
    rows = np.repeat(forms, order.shape[1], axis=0)
    centre = rho[order].ravel()
    width = 1 / (grid + 1)
    found = np.full(centre.shape, np.inf)
    steps = np.linspace(-1, 1, 41)
    while width > 1e-13:
        tried = np.clip(centre[:, None] + width * steps, 1e-9, 1 - 1e-9)
        values = lds_grid(rows[:, None, :], tried, itemsets, transactions)
        pick = values.argmin(axis=1)
        found = values[np.arange(len(pick)), pick]
        centre = tried[np.arange(len(pick)), pick]
        width /= 15
    points = [
        Point(float(value), float(at), tuple(float(b) for b in row))
        for value, at, row in zip(found, centre, rows, strict=True)
    ]
    return sorted(points, key=lambda point: point.lds)


def best_cutoff(
    size: int, gamma: float, itemsets: Sequence[int], transactions: int, grid: int = GRID
) -> list[Point]:
    """The best rho for each cutoff j* of Statement 2's form, best cutoff first."""
    points = best_of_forms(cutoff_forms(size, gamma), itemsets, transactions, grid)
    best: dict[tuple[float, ...], Point] = {}
    for point in points:
        best.setdefault(point.ratios, point)
    return list(best.values())


def search_box(
    starts: Sequence[Point],
    gamma: float,
    itemsets: Sequence[int],
    transactions: int,
    rounds: int = 60,
    seed: int = 1,
) -> Point:
    """A seeded local search from the given points, over rho and 1 <= b[j] <= gamma."""
    draw = np.random.default_rng(seed)
    best = min(starts, key=lambda point: point.lds)
    for start in starts:
        here, step = start, 0.5
        for _ in range(rounds):
            log_b = np.log(np.array(here.ratios)) + draw.normal(0, step, (300, len(here.ratios)))
            frozen = draw.random(log_b.shape) < 0.5
            log_b = np.where(frozen, np.log(np.array(here.ratios)), log_b)
            b = np.exp(np.clip(log_b, 0, np.log(gamma)))
            logit = np.log(here.insert / (1 - here.insert)) + draw.normal(0, step / 3, 300)
            rho = 1 / (1 + np.exp(-logit))
            values = lds_grid(b, rho, itemsets, transactions)
            pick = int(values.argmin())
            if values[pick] < here.lds:
                here = Point(float(values[pick]), float(rho[pick]), tuple(map(float, b[pick])))
            else:
                step /= 1.5
        best = min(best, here, key=lambda point: point.lds)
    return best


@dataclass(frozen=True)
class Comparison:
    """Statement 2's form against all vertices and against the best found in the box."""

    cutoff: Point
    vertex: Point
    box: Point
    proved: bool

    @property
    def heuristic_is_best(self) -> bool:
        """Whether nothing better than Statement 2's form was found (proved only if `proved`)."""
        return min(self.vertex.lds, self.box.lds) >= self.cutoff.lds * (1 - 1e-6)

    @property
    def label(self) -> str:
        """What is known, in a sentence."""
        if self.proved:
            return "Statement 2's form is optimal: proved"
        if self.heuristic_is_best:
            return "nothing better than Statement 2's form was found (not proved)"
        better = min(self.vertex, self.box, key=lambda point: point.lds)
        gain = 100 * (1 - better.lds / self.cutoff.lds)
        return f"Statement 2's form is not optimal: {gain:.2f}% lower was found"


def compare(
    size: int, gamma: float, itemsets: Sequence[int], transactions: int, grid: int = 399
) -> Comparison:
    """How good Statement 2's form is for the real goal, the largest LDS.

    Proved where only single items are mined: for k = 1 both noises rho(1 - rho)/(F - rho)^2 and
    F(1 - F)/(F - rho)^2 fall as F = nu/m grows above rho, so the largest nu is best, and
    complements cover F < rho.
    """
    cutoff = best_cutoff(size, gamma, itemsets, transactions)[0]
    vertices = best_of_forms(vertex_forms(size, gamma), itemsets, transactions, grid)
    box = search_box([cutoff, *vertices[:6]], gamma, itemsets, transactions)
    proved = {k for k in itemsets if k <= size} == {1}
    return Comparison(cutoff, vertices[0], box, proved)
