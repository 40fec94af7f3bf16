"""Many small linear programs at once, in floating point: the best b for the worst of a few goals.

Each program asks for 1 <= b[j] <= gamma with the greatest t such that every goal r has

    sum over j of d[j] b[j] h[r][j] >= t.

At the end weights w >= 0 of sum 1 say why t is no greater: the sum over r of w[r] h[r] has it as
its greatest value over all b. It is a search: what it finds is checked exactly elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.itemsets.krawtchouk import Floats

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
