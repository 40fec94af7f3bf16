"""Grid: a continuous operator whose inputs and outputs are rounded to steps, as a discrete one.

x is rounded to the nearest multiple of the step, then noise is added, and the sum is rounded the
same way (ties upward) and clamped or truncated to the window:

    p[x -> y] = F(y + step/2 - x) - F(y - step/2 - x)        clamped: the ends take what lies beyond
    truncated: divided by F(hi + step/2 - x) - F(lo - step/2 - x)

For uniform, triangular and Laplace noise these are exact numbers. For normal noise they are not:
the law is declared to be the one whose distribution is rounded to a multiple of 2^-bits, with
enough bits for 64 in the least likely output (docs/decisions/0009-continuous-operators.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ppdm_formal.numbers.decimals import decimal_text
from ppdm_formal.numbers.enclosure import ball_of, enclose
from ppdm_formal.numbers.exponential import sign_of
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.numeric.continuous.additive import ContinuousOperator
from ppdm_formal.numeric.continuous.density import Density, Flat
from ppdm_formal.numeric.continuous.reals import common
from ppdm_formal.operator.domain import Domain, Value
from ppdm_formal.operator.matrix import CodedMatrix, Palette, TooLarge, check_cells
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Prior, Property

MAX_EXACT = 4_000_000
"""Entries of a law with exponentials that are computed; a coarser grid has fewer."""

_OWN_BITS = 64
"""Bits of the least likely output, where a law is rounded."""


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
    return _decimal(number)


def _decimal(number: Fraction) -> str:
    """0.25 where it ends, otherwise 1/3."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return decimal_text(number) if rest == 1 else number_text(number)


@dataclass(frozen=True)
class _Cuts:
    """P[x + noise < border] for each border between cells, by how far it lies above x."""

    operator: ContinuousOperator
    step: Fraction

    def distance(self, place: int) -> Fraction:
        """Half a step above `place` steps."""
        return (place + Fraction(1, 2)) * self.step

    def exact(self, place: int) -> Any:
        """The distribution there, exactly; None where it is no such number."""
        return self.operator.noise.exact_cdf(self.distance(place))

    def rounded(self, bits: int) -> Callable[[int], Fraction]:
        """The distribution rounded to the nearest multiple of 2^-bits."""

        def at(place: int) -> Fraction:
            v = self.distance(place)
            digits = bits // 3 + 10
            while True:
                found = enclose(lambda: self.operator.noise.ball_cdf(ball_of(v)), digits)
                ends = found.lo * 2**bits, found.hi * 2**bits
                low, high = (math.floor(end + Fraction(1, 2)) for end in ends)
                if low == high:
                    return Fraction(low, 2**bits)
                digits *= 2

        return at

    def bits(self, farthest: int) -> int:
        """Enough for the least likely cell, which is the farthest on either side."""
        far = self.distance(farthest)
        tail = self.operator.noise.ball_cdf
        least = enclose(lambda: tail(ball_of(self.step - far)) - tail(ball_of(-far)), nonzero=True)
        return _OWN_BITS + math.floor(1 / least.lo).bit_length()


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
    check_cells(int(operator.inputs.width / step) + 1, int((hi - lo) / step) + 1)
    inputs = Grid(operator.inputs.lo, operator.inputs.hi, step, operator.inputs.name)
    outputs = Grid(lo, hi, step)
    cuts = _Cuts(operator, step)
    reach = (outputs.first - inputs.last - 1, outputs.last - inputs.first + 1)
    exact = cuts.exact(0) is not None
    below: Callable[[int], Any]
    if exact:
        if not isinstance(cuts.exact(0), Fraction) and inputs.size * outputs.size > MAX_EXACT:
            raise TooLarge(
                f"{inputs.size:,} x {outputs.size:,} numbers with exponentials; at most "
                f"{MAX_EXACT:,} are computed: round to a larger step"
            )
        below = cuts.exact
    else:
        bits = cuts.bits(max(-reach[0], reach[1]))
        if bits > 20_000:
            raise TooLarge(f"the least likely output needs {bits:,} bits: narrow the window")
        below = cuts.rounded(bits)
    known = {place: below(place) for place in range(reach[0], reach[1] + 1)}
    kind = "clamped" if window is None else window.kind
    coded = _coded(inputs, outputs, known, kind)
    return Operator.from_codes(inputs, outputs, coded, operator.name, source=operator.source)


def _coded(inputs: Grid, outputs: Grid, known: dict[int, Any], kind: str) -> CodedMatrix:
    """Rows from the distribution at the borders of cells."""
    palette = Palette()
    shift = outputs.first - inputs.first
    codes = np.zeros((inputs.size, outputs.size), dtype=np.int64)
    cells: dict[int, int] = {}
    one = Fraction(1)
    for row in range(inputs.size):
        places = range(shift - row, shift - row + outputs.size)  # y - x in steps, for each y
        if kind == "truncated":
            whole = known[places[-1]] - known[places[0] - 1]
            if sign_of(whole) == 0:
                raise ValueError(f"from x = {inputs[row]} no output lies in the window")
            row_codes = [palette.code((known[p] - known[p - 1]) / whole) for p in places]
        else:
            for p in places:
                if p not in cells:
                    cells[p] = palette.code(known[p] - known[p - 1])
            row_codes = [cells[p] for p in places]
            row_codes[0] = palette.code(known[places[0]])
            row_codes[-1] = palette.code(one - known[places[-1] - 1])
        codes[row] = row_codes
    return CodedMatrix(codes, palette.values)


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
