"""Grid: a continuous operator whose inputs and outputs are rounded to steps, as a discrete one.

x is rounded to the nearest multiple of the step, noise is added, the sum is clamped or truncated to
the window, and what lies in it is rounded the same way (ties upward; declare/families/grid_law.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.grid import Grid
from ppdm_formal.declare.families.grid_law import check_points
from ppdm_formal.declare.families.noise_on_grid import noise_on
from ppdm_formal.declare.operators.matrix import Palette
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density, Flat
from ppdm_formal.declare.reals.reals import common


def on_grid(operator: ContinuousOperator, step: Fraction) -> Operator:
    """The discrete operator; its inputs and outputs are grids."""
    if step <= 0:
        raise ValueError(f"rounded to {number_text(step)}: a step is above 0")
    window = operator.window
    if window is None:
        least, most = operator.outputs
        if least is None or most is None:
            raise ValueError("outputs without end: say clamped to LO..HI or truncated to LO..HI")
        lo, hi = _outward(least, step, up=False), _outward(most, step, up=True)
    else:
        lo, hi = window.lo, window.hi
    check_points(int(operator.inputs.width / step) + 1, int((hi - lo) / step) + 1)
    inputs = Grid(operator.inputs.lo, operator.inputs.hi, step, operator.inputs.name)
    outputs = Grid(lo, hi, step)
    truncated = window is not None and window.kind == "truncated"
    law = noise_on(inputs, outputs, operator.noise, truncated=truncated)
    return Operator(inputs, outputs, law, operator.name, source=operator.source)


def _outward(end: Fraction, step: Fraction, *, up: bool) -> Fraction:
    """The nearest multiple beyond an end."""
    return (math.ceil(end / step) if up else math.floor(end / step)) * step


def prior_on(grid: Grid, density: Density) -> Prior:
    """The law of x rounded to the grid, where x has a density that is constant on pieces."""
    palette = Palette()
    codes = np.zeros(grid.size, dtype=np.int64)
    half = grid.step / 2
    flats = [part for part in density.components if isinstance(part, Flat)]
    if len(flats) < len(density.components):
        raise ValueError(
            f"{density.name} holds a normal law, whose probabilities on a grid are no exact numbers"
        )
    for place in range(grid.size):
        cell = [(grid.point(place) - half, grid.point(place) + half)]
        mass = sum(
            (part.height * (b - a) for part in flats for a, b in common(cell, [part.support])),
            Fraction(0),
        )
        codes[place] = palette.code(mass)
    return Prior(grid, codes, palette.values, density.name)


def property_on(grid: Grid, holds: Callable[[Fraction], bool], name: str) -> Property:
    """The values of a grid for which a condition holds."""
    inside = [holds(grid.point(place)) for place in range(grid.size)]
    return Property(grid, np.array(inside, dtype=bool), name)
