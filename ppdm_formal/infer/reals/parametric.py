"""Parametric families: f_X in a family, from z = x + noise, by the general EM (Evf02 section 2).

The expected log-likelihood of x given z is taken on a fine grid of points t with weight
f(t; Theta) step: expected counts c[t] = f(t) step sum over s of n[s] p[t -> s] / m[s]. The M-step
is then the family's own likelihood fit to points t that occur c[t] times, so that no iteration
lowers the likelihood on the grid. Standard errors: the curvature of the log-likelihood at its end.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.noises.named import Normal
from ppdm_formal.infer.undoing.channel import Channel, Floats

_LEAST_SHARE = 1e-9
"""A component of a mixture never gets less weight, and no spread below a step of the grid."""

MOST_COMPONENTS = 10


class FamilyLaw(ABC):
    """A family of densities: how it begins, its density, its fit to weighted points."""

    names: tuple[str, ...]
    logs: tuple[bool, ...]
    """Which parameters are positive: their curvature is taken along their logarithm."""

    @abstractmethod
    def begin(self, points: Floats, weights: Floats) -> Floats:
        """Parameters to begin with, from a rough idea of where x is."""

    @abstractmethod
    def density(self, points: Floats, parameters: Floats) -> Floats:
        """f(t; Theta)."""

    @abstractmethod
    def below(self, points: Floats, parameters: Floats) -> Floats:
        """P[X <= t]."""

    @abstractmethod
    def fitted(self, points: Floats, weights: Floats, parameters: Floats) -> Floats:
        """The parameters under which the points are likeliest, or likelier than before."""


@dataclass(frozen=True)
class NormalMixture(FamilyLaw):
    """A mixture of normals; one component is the normal family."""

    components: int

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        """share, mean and sd of each component."""
        if self.components == 1:
            return ("mean", "sd")
        return tuple(
            f"{name} {k}" for name in ("share", "mean", "sd") for k in range(1, self.components + 1)
        )

    @property
    def logs(self) -> tuple[bool, ...]:  # type: ignore[override]
        """Spreads."""
        return tuple(name.startswith("sd") for name in self.names)

    def split(self, parameters: Floats) -> tuple[Floats, Floats, Floats]:
        """Shares, means and spreads."""
        if self.components == 1:
            return np.ones(1), parameters[:1], parameters[1:]
        shares, means, spreads = np.split(parameters, 3)
        return shares, means, spreads

    def joined(self, shares: Floats, means: Floats, spreads: Floats) -> Floats:
        """One array of parameters, components in the order of their means."""
        order = np.argsort(means, kind="stable")
        parts = [] if self.components == 1 else [shares[order]]
        return np.concatenate([*parts, means[order], spreads[order]])

    def begin(self, points: Floats, weights: Floats) -> Floats:
        """Components at equal quantiles of the rough idea."""
        k = self.components
        mean, sd = _moments(points, weights)
        running = np.cumsum(weights) / weights.sum()
        wanted = (np.arange(k) + 0.5) / k
        means = points[np.minimum(np.searchsorted(running, wanted), len(points) - 1)]
        means = means if k > 1 else np.array([mean])
        return self.joined(np.full(k, 1 / k), means, np.full(k, sd / k))

    def _parts(self, points: Floats, parameters: Floats) -> Floats:
        shares, means, spreads = self.split(parameters)
        t = (points[None, :] - means[:, None]) / spreads[:, None]
        scale = shares / (spreads * math.sqrt(2 * math.pi))
        return np.asarray(scale[:, None] * np.exp(-(t**2) / 2))

    def density(self, points: Floats, parameters: Floats) -> Floats:
        """The weighted sum of the components."""
        return np.asarray(self._parts(points, parameters).sum(axis=0))

    def below(self, points: Floats, parameters: Floats) -> Floats:
        """The weighted sum of their distribution functions."""
        standard = Normal(Fraction(1))
        parts = zip(*self.split(parameters), strict=True)
        return np.asarray(sum(w * standard.cdf((points - m) / s) for w, m, s in parts))

    def fitted(self, points: Floats, weights: Floats, parameters: Floats) -> Floats:
        """One step of the mixture's own EM: weighted means and spreads of its components."""
        parts = self._parts(points, parameters)
        whole = parts.sum(axis=0)
        owned = weights * parts / np.where(whole > 0, whole, 1.0)
        sizes = np.maximum(owned.sum(axis=1), _LEAST_SHARE * weights.sum())
        means = owned @ points / sizes
        squares = (owned * (points[None, :] - means[:, None]) ** 2).sum(axis=1) / sizes
        least = float(points[1] - points[0])
        return self.joined(sizes / sizes.sum(), means, np.sqrt(np.maximum(squares, least**2)))


@dataclass(frozen=True)
class Exponential(FamilyLaw):
    """f = e^(-x / mean) / mean for x >= 0."""

    names = ("mean",)
    logs = (True,)

    def begin(self, points: Floats, weights: Floats) -> Floats:
        """The weighted mean: it is also the fit."""
        return np.array([max(_moments(points, weights)[0], float(points[1] - points[0]))])

    def density(self, points: Floats, parameters: Floats) -> Floats:
        """As defined."""
        mean = parameters[0]
        return np.where(points >= 0, np.exp(-np.maximum(points, 0.0) / mean) / mean, 0.0)

    def below(self, points: Floats, parameters: Floats) -> Floats:
        """1 - e^(-x / mean)."""
        return np.asarray(-np.expm1(-np.maximum(points, 0.0) / parameters[0]))

    def fitted(self, points: Floats, weights: Floats, parameters: Floats) -> Floats:
        """The weighted mean."""
        return self.begin(points, weights)


def family_law(text: str) -> FamilyLaw:
    """normal, exponential, or normals:K.

    >>> family_law("normals:2").names
    ('share 1', 'share 2', 'mean 1', 'mean 2', 'sd 1', 'sd 2')
    """
    name, sign, number = text.strip().partition(":")
    if name == "normals" and sign and number.isascii() and number.isdigit():
        if not 1 <= int(number) <= MOST_COMPONENTS:
            raise ValueError(f"a mixture has from 1 to {MOST_COMPONENTS} components, not {number}")
        return NormalMixture(int(number))
    if text.strip() == "normal":
        return NormalMixture(1)
    if text.strip() == "exponential":
        return Exponential()
    raise ValueError(f"{text!r} is no family; there are: normal, normals:K, exponential")


def _moments(points: Floats, weights: Floats) -> tuple[float, float]:
    mean = float(weights @ points / weights.sum())
    return mean, math.sqrt(float(weights @ (points - mean) ** 2 / weights.sum()))


@dataclass(frozen=True)
class Climb:
    """Where the general EM ended: parameters, log-likelihoods on the way."""

    parameters: Floats
    climbed: tuple[float, ...]
    met: bool


def climb(
    law: FamilyLaw, points: Floats, channel: Channel, counts: Floats, gain: float, most: int
) -> Climb:
    """Iterate until the log-likelihood gains less than `gain` nats in an iteration."""
    step = float(points[1] - points[0])
    seen = counts > 0
    rough = channel.back(counts / np.maximum(channel.forward(np.ones(len(points))), 1e-300))
    parameters = law.begin(points, rough)
    climbed: list[float] = []
    while True:
        masses = law.density(points, parameters) * step
        outputs = channel.forward(masses)
        if float(outputs[seen].min()) <= 0:
            raise ValueError("some values are impossible in this family")
        climbed.append(float(counts[seen] @ np.log(outputs[seen])))
        met = len(climbed) > 1 and climbed[-1] - climbed[-2] < gain
        if met or len(climbed) > most:
            return Climb(parameters, tuple(climbed), met)
        ratio = np.where(seen, counts / np.where(seen, outputs, 1.0), 0.0)
        parameters = law.fitted(points, masses * channel.back(ratio), parameters)


def parameter_covariance(
    law: FamilyLaw, points: Floats, channel: Channel, counts: Floats, at: Floats
) -> Floats | None:
    """The inverse of the curvature of the log-likelihood, by central differences."""
    step = float(points[1] - points[0])
    seen = counts > 0
    free = np.arange(len(at))
    shares = [k for k, name in enumerate(law.names) if name.startswith("share")]
    if shares:
        free = np.delete(free, shares[-1])  # it is 1 less the others
    logs = np.array(law.logs)
    size = np.where(logs, np.abs(at), 1.0)
    sd = _moments(points, np.maximum(law.density(points, at), 1e-300))[1]
    apart = np.array([1e-3 if log or k in shares else 1e-3 * sd for k, log in enumerate(logs)])

    def value(move: Floats) -> float:
        there = np.where(logs, at * np.exp(np.where(logs, move, 0.0)), at + move)
        if shares:
            there[shares[-1]] = 1 - there[shares[:-1]].sum()
        outputs = channel.forward(law.density(points, there) * step)[seen]
        return float(counts[seen] @ np.log(np.maximum(outputs, 1e-300)))

    curved = np.zeros((len(free), len(free)))
    for a, i in enumerate(free):
        for b, j in enumerate(free[: a + 1]):
            moves = np.zeros((4, len(at)))
            for row, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
                moves[row, i] += x * apart[i]
                moves[row, j] += y * apart[j]
            high, left, right, low = (value(move) for move in moves)
            curved[a, b] = curved[b, a] = -(high - left - right + low) / (4 * apart[i] * apart[j])
    try:
        inside = np.linalg.inv(curved)
    except np.linalg.LinAlgError:
        return None
    if not (np.isfinite(inside).all() and (np.linalg.eigvalsh(curved) > 0).all()):
        return None
    full = np.zeros((len(at), len(at)))
    full[np.ix_(free, free)] = inside * size[free] * size[free][:, None]
    if shares:
        last = shares[-1]
        row = -full[shares[:-1]].sum(axis=0)
        full[last] = row
        full[:, last] = row
        full[last, last] = full[np.ix_(shares[:-1], shares[:-1])].sum()
    return full
