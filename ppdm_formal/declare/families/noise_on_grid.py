"""Noise on a grid: x plus noise, rounded to steps and kept in a window, as a family.

Its arguments are domains and a noise: models write it as `x + noise`, rounded to a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from ppdm_formal.declare.arithmetic.exact import exact, is_rational, parse_number
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.grid import Grid
from ppdm_formal.declare.families.grid_law import CLAMPED, TRUNCATED, GridLaw, Window, check_points
from ppdm_formal.declare.noises.by_place import parse_noise
from ppdm_formal.declare.noises.noise import Noise
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.randomization import Operator

NoiseText: TypeAlias = str
"""A noise as models write it: laplace(5/2)."""

_ROUNDED_FIRST = "truncated"
"""What another law was called, which rounded first: its ends had whole steps, half of them outside
of the window, and could tell more than was certified of the noise as it is."""


def noise_on(inputs: Grid, outputs: Grid, noise: Noise, *, truncated: bool) -> GridLaw:
    """The law of noise between two grids of the same step."""
    shift = outputs.first - inputs.first
    return GridLaw(noise, inputs.step, inputs.size, outputs.size, shift, truncated)


def noise_on_grid(
    inputs: Domain,
    outputs: Domain,
    noise: NoiseText,
    step: object,
    window: Window,
    bits: int | None = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Noise between two grids; models write it as x + noise, rounded to a step.

    bits: to which the distribution of normal noise is rounded, where that is to be checked.

    >>> line = Domain(range(4))
    >>> str(noise_on_grid(line, line, "uniform(-1, 1)", 1, "clamped").probability(0, 1))
    '1/4'
    """
    if window == _ROUNDED_FIRST:
        raise ValueError(
            "written by a version that rounded before it truncated, which is another law than the "
            "one that models mean: randomize the values again with this version, or read the "
            "release with the one that wrote it"
        )
    if window not in (CLAMPED, TRUNCATED):
        raise ValueError(f"the window is neither {CLAMPED} nor {TRUNCATED}")
    size = exact(step)
    if not is_rational(size) or size <= 0:
        raise ValueError("a step is above 0")
    check_points(inputs.size, outputs.size)
    grids = [grid_of(domain, size) for domain in (inputs, outputs)]
    law = noise_on(grids[0], grids[1], parse_noise(noise), truncated=window == TRUNCATED)
    if bits is not None and law.rounded_to != bits:
        raise ValueError("the distribution is rounded to other bits than it says")
    return Operator(grids[0], grids[1], law, name, parameters)


def grid_of(domain: Domain, step: Fraction) -> Grid:
    """The grid whose values these are."""
    ends = [parse_number(str(domain[place])) for place in (0, -1)]
    if ends[0] <= ends[1] and (ends[1] - ends[0]) / step == domain.size - 1:
        found = Grid(ends[0], ends[1], step)
        if found == domain:
            return found
    raise ValueError("the values are no grid of this step")
