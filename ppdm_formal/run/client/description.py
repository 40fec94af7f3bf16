"""What a client needs of an operator: its exact law in integers, small enough to ship.

Weights are integers over one denominator a row, in hexadecimal text, which no JSON reader rounds
and no language limits; with exponentials they are polynomials in t = e^step, lists of such
integers, the constant first. Rows are runs of equal weights; families are told by few numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from ppdm_formal.families.duchi_mean import RoundedSign
from ppdm_formal.families.exponential_mechanism import ExponentialLaw
from ppdm_formal.families.hadamard_response import HadamardLaw
from ppdm_formal.families.overlap import OverlapLaw
from ppdm_formal.families.randomized_response import KeepOrReplace
from ppdm_formal.families.replace_items import ReplaceItems
from ppdm_formal.families.select_a_size import SelectASize
from ppdm_formal.families.single_values import SingleValues
from ppdm_formal.families.subset_selection import ChosenSubset
from ppdm_formal.families.truncated_geometric import GeometricLaw
from ppdm_formal.numbers.exact import Exact, is_rational
from ppdm_formal.numbers.exponential import (
    ExpNumber,
    common_step,
    of_polynomials,
    sign_of,
    spread,
)
from ppdm_formal.numeric.continuous.grid import Grid
from ppdm_formal.numeric.continuous.grid_law import GridLaw
from ppdm_formal.numeric.noise import Laplace
from ppdm_formal.operator.operator import Operator
from ppdm_formal.run.assignment import Assignment
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.terms import generator_terms
from ppdm_formal.run.described import domain_json, runs
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.group_reports import silent_below
from ppdm_formal.run.plan_groups import PlanRun

Part = TypeVar("Part")


def client_law(operator: Operator) -> dict[str, Any]:
    """The law of an operator as clients read it."""
    if operator.parameters:
        names = ", ".join(parameter.name for parameter in operator.parameters)
        raise DataError(f"{operator.name}: a client needs a value for {names} (--set NAME=VALUE)")
    law = operator.law
    if isinstance(law, KeepOrReplace):
        values = (law.keep, law.other)
        step = exponent_step(values)
        keep, other = _weights(values, step)
        inputs = domain_json(operator.inputs)
        found = {"kind": "diagonal", "inputs": inputs, "keep": keep, "other": other}
        return found | _step_json(step)
    if isinstance(law, OverlapLaw):
        return _sets_law(law)
    inputs = domain_json(operator.inputs)
    if isinstance(law, SingleValues):
        return {"kind": "single", "inputs": inputs, "law": _sets_law(law.sets)}
    if isinstance(law, HadamardLaw):
        even = _odds(law.even * (law.columns // 2))
        return {"kind": "hadamard", "inputs": inputs, "order": law.order, "even": even}
    if isinstance(law, GeometricLaw):
        noise = {"still": _odds(law.still), "ratio": _odds(law.ratio)}
        return {"kind": "geometric", "inputs": inputs, **noise}
    if isinstance(law, RoundedSign):
        return {"kind": "sign", "inputs": inputs, "true": _odds(law.true)}
    if isinstance(law, ExponentialLaw):
        step = exponent_step(law.weights)
        weights = _weights(law.weights, step)
        return {"kind": "distance", "inputs": inputs, "weights": weights, **_step_json(step)}
    if isinstance(law, GridLaw) and isinstance(operator.inputs, Grid):
        return _noise_law(operator, law, operator.inputs)
    return _rows_law(operator)


def _noise_law(operator: Operator, law: GridLaw, grid: Grid) -> dict[str, Any]:
    """Noise on a grid: the distribution at the borders of outputs, listed or by its formula."""
    found: dict[str, Any] = {
        "kind": "noise",
        "grid": {"first": grid.first, "last": grid.last, **_step_json(grid.step)},
        "outputs": domain_json(operator.outputs),
        "shift": law.shift,
        "truncated": law.truncated,
    }
    if isinstance(law.noise, Laplace):
        half = law.step / (2 * law.noise.scale)
        return found | {"exponent": [hex(half.numerator), hex(half.denominator)]}
    borders = [law.at(halves) for halves in law.halves]
    whole = math.lcm(*(number.denominator for number in borders))
    below = [hex(int(number * whole)) for number in borders]
    start = {"start": law.halves[0], "stride": law.halves.step}
    return found | {**start, "whole": hex(whole), "below": below}


def _sets_law(law: OverlapLaw) -> dict[str, Any]:
    """A law on transactions of one size."""
    if isinstance(law, SelectASize):
        return sizes_law(law.items, {law.size: law})
    if isinstance(law, ReplaceItems):
        parts = {"size": law.size, "keep": _odds(law.keep)}
        return {"kind": "replacement", "items": law.items, **parts}
    if isinstance(law, ChosenSubset):
        parts = {"chosen": law.chosen, "holding": _odds(law.holding)}
        return {"kind": "chosen", "items": law.items, **parts}
    raise DataError(f"clients do not draw from a {type(law).__name__}")


def sizes_law(items: int, laws: Mapping[int, SelectASize]) -> dict[str, Any]:
    """Select-a-size with parameters of its own for each transaction size."""
    return {"kind": "sizes", "items": items, "sizes": _by_size(laws)}


def _by_size(
    laws: Mapping[int, SelectASize], generators: Mapping[int, Generator] | None = None
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for size, law in laws.items():
        found[str(size)] = {"keep": _listed(law.keep), "insert": _odds(law.insert)}
        if generators is not None:
            found[str(size)]["generator"] = generator_terms(generators[size])
    return found


MAX_NUMBER = 1 << 53
"""Numbers of sets are below it in clients: JavaScript adds them up as doubles."""


def check_numbers(universes: Mapping[str, int]) -> None:
    """Refuse groups whose sets have numbers that a client of any language cannot hold."""
    for name, universe in universes.items():
        if universe > MAX_NUMBER:
            raise DataError(f"group {name} reports among {universe:,} sets; clients count to 2^53")


def groups_law(
    items: int,
    run: PlanRun,
    laws: Mapping[tuple[str, int], SelectASize],
    key: str,
    generators: Mapping[tuple[str, int], Generator] | None = None,
) -> dict[str, Any]:
    """What clients of a plan's groups report; those of the other phase report nothing.

    laws: by the name of a group and the size of baskets. key: what identifiers are hashed with.
    generators: of the seeds that are sent, where such are.
    """
    active = {group.name: place for place, group in enumerate(run.active)}
    shares = tuple(group.share for group in run.groups)
    released = run.released(lambda group: [])
    groups = []
    for group in run.groups:
        if group.name not in active:
            groups.append({"name": group.name, "active": False})
            continue
        groups.append(
            {
                "name": group.name,
                "active": True,
                "lifted": group.lifted,
                "chosen": None if group.chosen is None else list(group.chosen),
                "hidden": group.hidden,
                "silent_below": silent_below(released[active[group.name]]),
                "sizes": _by_size(
                    _of(laws, group.name),
                    None if generators is None else _of(generators, group.name),
                ),
            }
        )
    return {
        "kind": "groups",
        "items": items,
        "phases": run.phase is not None,
        "shares": _integers(shares),
        "cuts": [hex(cut) for cut in Assignment(shares, "identifier", key).cuts],
        "key": key,
        "groups": groups,
    }


def _of(parts: Mapping[tuple[str, int], Part], group: str) -> dict[int, Part]:
    """The parts of one group by size."""
    return {size: part for (name, size), part in parts.items() if name == group}


def _rows_law(operator: Operator) -> dict[str, Any]:
    """Each distinct row once."""
    coded = operator.matrix()
    step = exponent_step(coded.palette)
    rows, row_of = np.unique(coded.codes, axis=0, return_inverse=True)
    weights = []
    for row in rows:
        pairs = runs(row)
        found = _weights([coded.palette[code] for code, _ in pairs], step)
        weights.append([[count, weight] for (_, count), weight in zip(pairs, found, strict=True)])
    return {
        "kind": "rows",
        "inputs": domain_json(operator.inputs),
        "outputs": domain_json(operator.outputs),
        "row_of": [int(row) for row in row_of.ravel()],
        "rows": weights,
        **_step_json(step),
    }


def exponent_step(values: Sequence[Exact]) -> Fraction | None:
    """The step of t = e^step in which all values are rational functions; None for rationals."""
    steps = [value.step for value in values if isinstance(value, ExpNumber)]
    return common_step(steps) if steps else None


def _step_json(step: Fraction | None) -> dict[str, Any]:
    return {} if step is None else {"step": [hex(step.numerator), hex(step.denominator)]}


def _weights(values: Sequence[Exact], step: Fraction | None) -> list[Any]:
    """Weights over one denominator: integers, or the coefficients of polynomials in t = e^step."""
    if step is None:
        return _integers(values)
    from flint import fmpz_poly

    parts = [spread(value, step) for value in values]
    common = fmpz_poly([1])
    for _, bottom in parts:
        common = common * bottom / common.gcd(bottom)
    # Denominators are positive at t, but for their greatest common divisors, which cancel.
    sign = -1 if sign_of(of_polynomials(common, fmpz_poly([1]), step)) < 0 else 1
    found = [top * (common / bottom) for top, bottom in parts]
    return [[hex(sign * int(c)) for c in weight.coeffs()] for weight in found]


def _listed(values: Sequence[Exact]) -> Any:
    """Weights of one distribution: a list of integers, or with exponentials {weights, step}."""
    step = exponent_step(values)
    weights = _weights(values, step)
    return weights if step is None else {"weights": weights, **_step_json(step)}


def _integers(values: Sequence[Fraction]) -> list[str]:
    """Probabilities as integers over their common denominator."""
    common = math.lcm(*(value.denominator for value in values))
    return [hex(value.numerator * (common // value.denominator)) for value in values]


def _odds(probability: Exact) -> Any:
    """A probability as [numerator, denominator]; with exponentials as the weights of both sides."""
    if not is_rational(probability):
        return _listed((probability, 1 - probability))
    return [hex(probability.numerator), hex(probability.denominator)]
