"""Curves for pictures, in floats: the densities of x and z, and beliefs given z."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_formal.declare.noises.named import Floats
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.derive.reals.rough import likelihood, masses

_POINTS = 240
_CELLS = 400


@dataclass(frozen=True)
class Curves:
    """Values at the same places z: of the density of x there, and of z."""

    places: list[float]
    of_x: list[float]
    of_z: list[float]


def densities(operator: ContinuousOperator, density: Density) -> Curves:
    """Both densities, as far as outputs go."""
    xs, prior = _cells(density)
    zs, shown = _likelihood(operator, xs)
    of_x = np.interp(zs, xs, prior / (xs[1] - xs[0]), left=0, right=0)
    return Curves(zs.tolist(), of_x.tolist(), (prior @ shown).tolist())


def beliefs(
    operator: ContinuousOperator, density: Density, property: RealProperty
) -> tuple[float, list[tuple[float, float]]]:
    """The probability of a property beforehand, and pairs (z, its probability given z)."""
    xs, prior = _cells(density)
    inside = np.zeros(xs.size, dtype=bool)
    for lo, hi in property.intervals:
        inside |= (xs > float(lo)) & (xs < float(hi))
    zs, shown = _likelihood(operator, xs)
    whole, part = prior @ shown, (prior * inside) @ shown
    known = whole > 0
    pairs = zip(zs[known].tolist(), (part[known] / whole[known]).tolist(), strict=True)
    return float((prior * inside).sum()), list(pairs)


def _cells(density: Density) -> tuple[Floats, Floats]:
    """Middles of narrow cells, and their probabilities; a picture decides nothing."""
    edges = np.linspace(float(density.domain.lo), float(density.domain.hi), _CELLS + 1)
    return (edges[1:] + edges[:-1]) / 2, masses(density, edges)


def _likelihood(operator: ContinuousOperator, xs: Floats) -> tuple[Floats, Floats]:
    """Outputs between the ends, or as far as a few deviations beyond; p(z|x) a row an x."""
    low, high = operator.outputs
    far = 4 * operator.noise.sd
    start = float(operator.inputs.lo) - far if low is None else float(low)
    end = float(operator.inputs.hi) + far if high is None else float(high)
    inset = (end - start) / (4 * _POINTS)
    zs = np.linspace(start + inset, end - inset, _POINTS)
    return zs, likelihood(operator, xs, zs)
