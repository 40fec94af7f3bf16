"""Grid: a continuous operator whose inputs and outputs are rounded to steps, as a discrete one.

x is rounded to the nearest multiple of the step, noise is added, the sum is clamped or truncated to
the window, and what lies in it is rounded the same way (ties upward; grid_law.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from ppdm_formal.numbers.decimals import decimal_text
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.numeric.continuous.additive import ContinuousOperator
from ppdm_formal.numeric.continuous.density import Density, Flat
from ppdm_formal.numeric.continuous.grid_law import GridLaw, check_points
from ppdm_formal.numeric.continuous.reals import common
from ppdm_formal.numeric.noise import Noise
from ppdm_formal.operator.domain import Domain, Numeral, Value
from ppdm_formal.operator.matrix import Palette
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Prior, Property


class Grid(Domain):
    """The multiples of a step from one end to the other, whole numbers where all of them are.

    >>> list(Grid(Fraction(0), Fraction(1), Fraction(1, 4)))
    ['0', '0.25', '0.5', '0.75', '1']
    """

    def __init__(self, lo: Fraction, hi: Fraction, step: Fraction, name: str = "") -> None:
        for end in (lo, hi):
            if (end / step).denominator != 1:
                raise ValueError(
                    f"{number_text(end)} is not a multiple of the step {number_text(step)}"
                )
        self.step = step
        self.first, self.last = int(lo / step), int(hi / step)
        points = range(self.first, self.last + 1)
        values: Any = points
        if step != 1:
            values = [_value(place * step, step) for place in points]
        super().__init__(values, name)

    def point(self, position: int) -> Fraction:
        """The number at a position."""
        return (self.first + position) * self.step

    def nearest(self, number: Fraction) -> int | None:
        """The position that a number is rounded to, ties upward; None outside of the ends."""
        if not self.first * self.step <= number <= self.last * self.step:
            return None
        return math.floor(number / self.step + Fraction(1, 2)) - self.first


def _value(number: Fraction, step: Fraction) -> Value:
    if step.denominator == 1:
        return int(number)
    return Numeral(_decimal(number))


def _decimal(number: Fraction) -> str:
    """0.25 where it ends, otherwise 1/3."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return decimal_text(number) if rest == 1 else number_text(number)


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


def noise_on(inputs: Grid, outputs: Grid, noise: Noise, *, truncated: bool) -> GridLaw:
    """The law of noise between two grids of the same step."""
    shift = outputs.first - inputs.first
    return GridLaw(noise, inputs.step, inputs.size, outputs.size, shift, truncated)


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
