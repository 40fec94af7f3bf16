"""Maximum likelihood: the distribution under which the collected outputs are likeliest.

L(pi) = sum of n[y] log m[y], m = pi P. With g[x] = sum of n[y] p[x -> y] / m[y], one step of EM is
pi[x] <- pi[x] g[x] / N. SQUAREM (Varadhan and Roland 2008) extrapolates pairs of such steps, and is
taken only where L does not fall. What is left is done by Newton steps on
-L(pi) + N sum(pi) with a barrier against pi < 0 (whose minimum has sum 1 by itself). Randomized
response has its optimum in closed form.

How far from the optimum, whatever the way there: by Jensen's inequality
L(any) - L(pi) <= N log(max g / N).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ppdm_formal.infer.undoing.channel import Channel, Floats, KnownOptimum

GAP = 1e-6
"""The search stops once the log-likelihood is within this of the optimum."""

_ROUNDING = 2.0**-48
"""How far rounding may have moved g / N; the bound that is stated includes it."""

NEWTON_CELLS = 2000
"""Newton steps solve a linear system of this size at most."""

_MOST, _NEWTON = 10_000, 100
"""SQUAREM cycles at most where Newton steps do not serve; Newton steps at most."""


@dataclass(frozen=True)
class Fit:
    """The masses found, their log-likelihood, and how far below the optimum it can be at most."""

    masses: Floats
    outputs: Floats
    log_likelihood: float
    gap: float
    steps: int


class LikelihoodSearch:
    """The likelihood of some counts, and steps upwards."""

    def __init__(self, channel: Channel, counts: Floats) -> None:
        self.channel = channel
        self.counts = counts
        self.seen = counts > 0
        self.observed = counts[self.seen]
        self.rows = float(counts.sum())
        self.steps = 0

    def at(self, masses: Floats) -> tuple[float, Floats, Floats]:
        """L, g and m; L is -inf where an output that occurs has no mass."""
        self.steps += 1
        outputs = self.channel.forward(masses)
        shown = outputs[self.seen]
        if shown.min() <= 0:
            return -math.inf, np.zeros(masses.shape), outputs
        ratio = np.zeros(self.counts.shape)
        ratio[self.seen] = self.observed / shown
        return float(self.observed @ np.log(shown)), self.channel.back(ratio), outputs

    def gap(self, gradient: Floats) -> float:
        """N log(max g / N)."""
        return max(0.0, self.rows * math.log(max(float(gradient.max()) / self.rows, 1.0)))


def fit(
    channel: Channel,
    counts: Floats,
    gap: float = GAP,
    enough: float = math.inf,
    newton: bool = True,
    most: int = _MOST,
) -> Fit:
    """Climb from the uniform distribution until the bound on what is left is at most `gap`.

    enough: a log-likelihood at which to stop early. newton: whether Newton steps may finish it;
    else there are at most `most` cycles of EM.
    """
    search = LikelihoodSearch(channel, counts)
    size = math.prod(channel.inputs)
    masses = np.full(channel.inputs, 1.0 / size)
    known = channel.likeliest(counts) if isinstance(channel, KnownOptimum) else None
    masses = masses if known is None else known
    small = newton and size <= NEWTON_CELLS
    # Newton steps take longer the more cells there are: so much more is left to EM before them.
    cycles = 20 + size // 3 if small else most
    masses = _squarem(search, masses, gap, cycles, enough)
    value, gradient, outputs = search.at(masses)
    if small and search.gap(gradient) > gap and value < enough:
        masses = _newton(search, masses, gap)
        value, gradient, outputs = search.at(masses)
    reached = search.gap(gradient) + _ROUNDING * search.rows
    return Fit(masses, outputs, value, reached, search.steps)


def _squarem(
    search: LikelihoodSearch, masses: Floats, gap: float, cycles: int, enough: float
) -> Floats:
    value, gradient, _ = search.at(masses)
    for _ in range(cycles):
        if search.gap(gradient) <= gap or value >= enough:
            break
        masses = extrapolated(search, masses, value, gradient)
        value, gradient, _ = search.at(masses)
    return masses


def extrapolated(
    search: LikelihoodSearch, masses: Floats, value: float, gradient: Floats
) -> Floats:
    """One cycle of SQUAREM from masses of this value and gradient: the value does not fall."""
    first = masses * gradient / search.rows
    second = first * search.at(first)[1] / search.rows
    change = first - masses
    bend = second - first - change
    turn = float(np.vdot(bend, bend))
    length = math.sqrt(float(np.vdot(change, change)) / turn) if turn > 0 else 1.0
    while length > 1.0:
        far = masses + 2 * length * change + length * length * bend
        # Not below a part of EM's own step: a mass at 0 would stay there for good.
        far = np.maximum(far, second * 1e-3)
        far /= far.sum()
        found, slope, _ = search.at(far)
        if found >= value:
            return np.asarray(far * slope / search.rows)
        length = (length + 1) / 2 if length > 1.5 else 1.0
    return second


def _newton(search: LikelihoodSearch, masses: Floats, gap: float) -> Floats:
    """Primal-dual interior point; returns the best masses met, rescaled to sum 1."""
    shape, rows, size = masses.shape, search.rows, masses.size
    best, left = masses, search.gap(search.at(masses)[1])
    primal = np.maximum(masses.ravel(), 1e-3 / size * min(1.0, left))
    primal = primal / primal.sum()
    value, gradient, outputs = search.at(primal.reshape(shape))
    dual = np.maximum(rows - gradient.ravel(), left / size / primal.max())
    for _ in range(_NEWTON):
        scaled = primal / primal.sum()
        here = search.gap(search.at(scaled.reshape(shape))[1])
        if here < left:
            best, left = scaled.reshape(shape), here
        if left <= gap:
            break
        weights = np.zeros(search.counts.shape)
        weights[search.seen] = search.observed / outputs[search.seen] ** 2
        curvature = search.channel.information(weights)
        curvature[np.diag_indices(size)] += dual / primal
        target = 0.1 * float(primal @ dual) / size
        downhill = gradient.ravel() - rows + target / primal
        try:
            step = np.linalg.solve(curvature, downhill)
        except np.linalg.LinAlgError:
            break
        dual_step = (target - dual * step) / primal - dual
        reach = 0.995 * min(_reach(primal, step), _reach(dual, dual_step))
        primal = primal + reach * step
        dual = dual + reach * dual_step
        value, gradient, outputs = search.at(primal.reshape(shape))
        if not math.isfinite(value):
            break
    return best


def _reach(point: Floats, step: Floats) -> float:
    """How far along a step everything stays positive, at most 1."""
    down = step < 0
    limit = float((-point[down] / step[down]).min()) if down.any() else math.inf
    return min(1 / 0.995, limit)
