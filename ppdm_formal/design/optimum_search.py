"""The search for the least largest LDS over rho and all b: floating point, proves nothing.

First every b in {1, gamma} with at most K switches along j, at many x = rho/(1 - rho); at an
optimum b[j] is gamma where a polynomial of degree at most K in j is above a level, so only few
b[j] are in between. Then steps of linear programs: M e_k^2 is at least its tangent
2 M e0 e_k - M e0^2, which makes the conditions for an s linear, and whatever satisfies them good.

`Landscape` holds shares d[j], means e_k and LDS at many x. x = rho/(1 - rho) and e_k = lambda_k /
(rho (1 - rho))^(k/2), so that k-itemsets have an LDS of s or less iff M e_k^2 >= 1 + s sum over i
= 1..k of C(k, i) tilt^i e_i, with M = s^2 N/16 + s and tilt = (1 - x)/sqrt(x) (in
optimum_evidence.py the same stands in exact numbers).

`solve` takes many small linear programs at once: each asks for 1 <= b[j] <= gamma with the
greatest t such that every goal r has

    sum over j of d[j] b[j] h[r][j] >= t.

At the end weights w >= 0 of sum 1 say why t is no greater: the sum over r of w[r] h[r] has it as
its greatest value over all b. It is a search: what it finds is checked exactly elsewhere.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.design.krawtchouk import Floats, default_grid, krawtchouk_grid
from ppdm_formal.design.lds import DEVIATIONS, largest_lds


@dataclass(frozen=True)
class Landscape:
    """Transactions of m items, gamma, the itemset sizes that are mined, and N."""

    size: int
    gamma: float
    itemsets: tuple[int, ...]
    transactions: int

    @property
    def top(self) -> int:
        """K, the largest itemset."""
        return self.itemsets[-1]

    @cached_property
    def _choose(self) -> Floats:
        """[k - 1, i - 1]: C(k, i)."""
        each = range(1, self.top + 1)
        return np.array([[math.comb(k, i) for i in each] for k in each], dtype=np.float64)

    @cached_property
    def mined(self) -> npt.NDArray[np.bool_]:
        """Which k = 1..K are mined."""
        return np.array([k in self.itemsets for k in range(1, self.top + 1)])

    def shares(self, x: Floats) -> Floats:
        """d[j] for each x, summing to 1."""
        return default_grid(self.size, x / (1 + x))

    def means(self, x: Floats) -> Floats:
        """e_k(j) for each x, whose mean over p[j] is e_k: [..., k - 1, j]."""
        found = krawtchouk_grid(self.size, self.top, x / (1 + x))[0]
        return np.asarray(np.swapaxes(found[..., 1:], -1, -2))

    def burden(self, x: Floats) -> Floats:
        """C(k, i) tilt^i for each x: what s e_i adds to the right hand side of k."""
        tilt = (1 - x) / np.sqrt(x)
        i = np.arange(1, self.top + 1)
        return np.asarray(self._choose * tilt[..., None, None] ** i)

    def moments(self, ratios: Floats, x: Floats) -> Floats:
        """e_1, ..., e_K for each row of b and its x."""
        return averages(self.means(x), ratios * self.shares(x))

    def supports(self, moments: Floats, x: Floats) -> Floats:
        """The largest LDS for each row of e_1, ..., e_K and its x."""
        whole = np.concatenate([np.ones((*moments.shape[:-1], 1)), moments], axis=-1)
        return largest_lds(whole, x / (1 + x), self.itemsets, self.transactions)

    def factor(self, support: Floats) -> Floats:
        """M = s^2 N/16 + s."""
        return np.asarray(support**2 * self.transactions / DEVIATIONS**2 + support)


def averages(means: Floats, weights: Floats) -> Floats:
    """The means of e_k(j) over j, for weights up to a factor."""
    whole = weights.sum(axis=-1, keepdims=True)
    return np.asarray(np.einsum("...kj,...j->...k", means, weights) / whole)


_TINY = 1e-11
"""Gains and pivots below this count as nothing."""


@dataclass(frozen=True)
class Solved:
    """One row a program: t, the weights of its goals, and b."""

    value: Floats
    weights: Floats
    ratios: Floats


def solve(goals: Floats, shares: Floats, gamma: float) -> Solved:
    """Maximize the least goal: goals[i, r, j], shares d[i, j].

    >>> one = solve(np.array([[[-1.0, 1.0], [3.0, -1.0]]]), np.array([[0.5, 0.5]]), 3.0)
    >>> one.value, one.weights, one.ratios
    (array([0.75]), array([[0.75, 0.25]]), array([[1.5, 3. ]]))
    """
    rows, width = goals.shape[1:]
    gains = goals * shares[:, None, :]
    start = gains.sum(axis=2)
    gains = gains * (gamma - 1)
    # t is free and stays basic: the row of the goal that is least at b = 1 becomes the objective.
    tableau = _Tableaus.start(gains, start)
    for _ in range(40 * (rows + 2)):
        if not tableau.step():
            break
    upper = tableau.values()[:, :width]
    weights = np.maximum(-tableau.reduced[:, width:], 0.0)
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    return Solved(tableau.objective, weights, 1 + (gamma - 1) * upper)


@dataclass
class _Tableaus:
    """Dictionaries of all programs: columns u[0..m] in [0, 1], then a slack >= 0 a goal."""

    cells: Floats  # programs x (goals - 1) x columns
    basic: Floats  # values of the basic variables
    basis: npt.NDArray[np.int64]
    reduced: Floats  # gain of each column
    raised: npt.NDArray[np.bool_]  # nonbasic at the upper end
    objective: Floats
    width: int
    live: npt.NDArray[np.int64]

    @classmethod
    def start(cls, gains: Floats, start: Floats) -> _Tableaus:
        """All u at 0; t is the least goal, whose slack is nonbasic."""
        count, rows, width = gains.shape
        each = np.arange(count)
        least = start.argmin(axis=1)
        listed = [[r for r in range(rows) if r != one] for one in range(rows)]
        others = np.array(listed, dtype=np.int64).reshape(rows, rows - 1)[least]
        cells = np.zeros((count, rows - 1, width + rows))
        cells[:, :, :width] = gains[each, least][:, None, :] - gains[each[:, None], others]
        place = np.arange(rows - 1)
        cells[each[:, None], place, width + others] = 1
        cells[each[:, None], place, (width + least)[:, None]] = -1
        reduced = np.zeros((count, width + rows))
        reduced[:, :width] = gains[each, least]
        reduced[each, width + least] = -1
        low = start[each, least]
        return cls(
            cells,
            start[each[:, None], others] - low[:, None],
            width + others,
            reduced,
            np.zeros((count, width + rows), dtype=bool),
            low.copy(),
            width,
            each,
        )

    def step(self) -> bool:
        """One pivot or one flip in every program that can still gain; whether there was any."""
        gain = np.where(self.raised[self.live], -self.reduced[self.live], self.reduced[self.live])
        entering = gain.argmax(axis=1)
        going = gain[np.arange(len(gain)), entering] > _TINY
        self.live = self.live[going]
        if not len(self.live):
            return False
        live, entering = self.live, entering[going]
        sign = np.where(self.raised[live, entering], -1.0, 1.0)
        column = np.take_along_axis(self.cells[live], entering[:, None, None], axis=2)[:, :, 0]
        column = column * sign[:, None]
        basic, bounded = self.basic[live], self.basis[live] < self.width
        with np.errstate(divide="ignore", invalid="ignore"):
            down = np.where(column > _TINY, np.maximum(basic, 0) / column, np.inf)
            up = np.where((column < -_TINY) & bounded, np.maximum(1 - basic, 0) / -column, np.inf)
        limit = np.minimum(down, up)
        flip = np.where(entering < self.width, 1.0, np.inf)
        if limit.shape[1]:
            leaving = limit.argmin(axis=1)
            length = limit[np.arange(len(live)), leaving]
        else:
            leaving = np.zeros(len(live), dtype=np.int64)
            length = np.full(len(live), np.inf)
        flips = flip <= length
        length = np.where(flips, flip, length)
        length = np.where(np.isfinite(length), length, 0.0)
        self.objective[live] += sign * length * self.reduced[live, entering]
        self.basic[live] = basic - column * length[:, None]
        flipped = live[flips]
        self.raised[flipped, entering[flips]] ^= True
        self._pivot(
            live[~flips],
            entering[~flips],
            leaving[~flips],
            length[~flips],
            up[~flips],
            sign[~flips],
        )
        return True

    def _pivot(self, at: Any, entering: Any, leaving: Any, length: Any, up: Any, sign: Any) -> None:
        if not len(at):
            return
        each = np.arange(len(at))
        left = self.basis[at, leaving]
        self.raised[at, left] = up[each, leaving] <= length
        value = np.where(self.raised[at, entering], 1.0, 0.0) + sign * length
        self.raised[at, entering] = False
        self.basis[at, leaving] = entering
        self.basic[at, leaving] = value
        cells = self.cells[at]
        pivot = cells[each, leaving] / cells[each, leaving, entering][:, None]
        factor = np.take_along_axis(cells, entering[:, None, None], axis=2)
        cells = cells - factor * pivot[:, None, :]
        cells[each, leaving] = pivot
        self.cells[at] = cells
        self.reduced[at] -= self.reduced[at, entering][:, None] * pivot

    def values(self) -> Floats:
        """All variables."""
        found = self.raised.astype(np.float64)
        np.put_along_axis(found, self.basis, self.basic, axis=1)
        return found


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
