"""Noise on a grid as a release describes it: noise, step and window, by which it is built again.

Inputs and outputs are listed beside it, as for every operator.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.numbers.exact import parse_number
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.numeric.continuous.grid import Grid, noise_on
from ppdm_formal.numeric.continuous.grid_law import GridLaw, check_points
from ppdm_formal.numeric.noise import parse_noise
from ppdm_formal.operator.domain import Domain
from ppdm_formal.operator.operator import Operator
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.json_parts import fields

NAME = "noise_on_grid"

_WINDOWS = {"clamped": False, "truncated, then rounded": True}

_ROUNDED_FIRST = "truncated"
"""What another law was called, which rounded first: its ends had whole steps, half of them outside
of the window, and could tell more than was certified of the noise as it is."""


def grid_json(law: GridLaw) -> Mapping[str, Any]:
    """The arguments; for normal noise also to how many bits its distribution is rounded."""
    window = next(name for name, truncated in _WINDOWS.items() if truncated == law.truncated)
    found = {"noise": str(law.noise), "step": number_text(law.step), "window": window}
    return found | ({} if law.rounded_to is None else {"bits": law.rounded_to})


def grid_of(arguments: object, inputs: Domain, outputs: Domain, name: str) -> Operator:
    """The operator that grid_json described, between these values."""
    rounded = isinstance(arguments, dict) and "bits" in arguments
    given = fields(arguments, NAME, "noise", "step", "window", *(["bits"] if rounded else []))
    texts = [given["noise"], given["step"]]
    if not all(isinstance(text, str) and len(text) <= 1000 for text in texts):
        raise ReleaseError(f"{NAME}: noise and step are texts")
    if given["window"] == _ROUNDED_FIRST:
        raise ReleaseError(
            f"{NAME}: written by a version that rounded before it truncated, which is another law "
            "than the one that models mean: randomize the values again with this version, or read "
            "the release with the one that wrote it"
        )
    if not isinstance(given["window"], str) or given["window"] not in _WINDOWS:
        raise ReleaseError(f"{NAME}: the window is neither clamped nor truncated, then rounded")
    step = parse_number(given["step"])
    if step <= 0:
        raise ReleaseError(f"{NAME}: a step is above 0")
    check_points(inputs.size, outputs.size)
    grids = [_grid(domain, step) for domain in (inputs, outputs)]
    noise, truncated = parse_noise(given["noise"]), _WINDOWS[given["window"]]
    law = noise_on(grids[0], grids[1], noise, truncated=truncated)
    if law.rounded_to != given.get("bits"):
        raise ReleaseError(f"{NAME}: the distribution is rounded to other bits than it says")
    return Operator(grids[0], grids[1], law, name)


def _grid(domain: Domain, step: Fraction) -> Grid:
    """The grid whose values these are."""
    ends = [parse_number(str(domain[place])) for place in (0, -1)]
    if not ends[0] <= ends[1] or (ends[1] - ends[0]) / step != domain.size - 1:
        raise ReleaseError(f"{NAME}: the values are no grid of this step")
    found = Grid(ends[0], ends[1], step)
    if found != domain:
        raise ReleaseError(f"{NAME}: the values are no grid of this step")
    return found
