"""Numbers as clients read them: integers in hexadecimal text, which no language rounds or limits.

Weights are integers over one denominator; with exponentials they are polynomials in t = e^step,
lists of such integers, the constant first. Rows are runs of equal weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import Exact, is_rational
from ppdm_formal.declare.arithmetic.exponential import (
    ExpNumber,
    common_step,
    of_polynomials,
    sign_of,
    spread,
)
from ppdm_formal.declare.operators.canonical import value_json
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import CodedMatrix

Runs = list[list[int]]
"""Codes by runs: [code, how many times in a row]."""


def runs(codes: npt.NDArray[np.integer]) -> Runs:
    """Codes as [code, run] pairs.

    >>> runs(np.array([2, 2, 2, 0]))
    [[2, 3], [0, 1]]
    """
    starts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
    lengths = np.diff(np.r_[starts, len(codes)])
    return [[int(code), int(run)] for code, run in zip(codes[starts], lengths, strict=True)]


def values_json(domain: Domain) -> Any:
    """The values in order; a range of integers by its ends."""
    if domain.integers is not None:
        return {"range": [value_json(domain[0]), value_json(domain[-1])]}
    return [value_json(value) for value in domain]


def domain_json(domain: Domain) -> Any:
    """The same as releases have it; all sets of some items, or all pairs, by their numbers."""
    if domain.subsets is not None:
        items, size = domain.subsets
        return {"subsets": {"items": items, "size": size}}
    if domain.pairs is not None:
        return {"pairs": list(domain.pairs)}
    return values_json(domain)


def rows_json(coded: CodedMatrix, inputs: Domain, outputs: Domain) -> dict[str, Any]:
    """A matrix, each distinct row once."""
    step = exponent_step(coded.palette)
    rows, row_of = np.unique(coded.codes, axis=0, return_inverse=True)
    weights = []
    for row in rows:
        pairs = runs(row)
        found = weights_json([coded.palette[code] for code, _ in pairs], step)
        weights.append([[count, weight] for (_, count), weight in zip(pairs, found, strict=True)])
    return {
        "kind": "rows",
        "inputs": values_json(inputs),
        "outputs": values_json(outputs),
        "row_of": [int(row) for row in row_of.ravel()],
        "rows": weights,
        **step_json(step),
    }


def exponent_step(values: Sequence[Exact]) -> Fraction | None:
    """The step of t = e^step in which all values are rational functions; None for rationals."""
    steps = [value.step for value in values if isinstance(value, ExpNumber)]
    return common_step(steps) if steps else None


def step_json(step: Fraction | None) -> dict[str, Any]:
    """The step, where there is one."""
    return {} if step is None else {"step": [hex(step.numerator), hex(step.denominator)]}


def weights_json(values: Sequence[Exact], step: Fraction | None) -> list[Any]:
    """Weights over one denominator: integers, or the coefficients of polynomials in t = e^step."""
    if step is None:
        return integers_json(values)
    from flint import fmpz_poly

    parts = [spread(value, step) for value in values]
    common = fmpz_poly([1])
    for _, bottom in parts:
        common = common * bottom / common.gcd(bottom)
    # Denominators are positive at t, but for their greatest common divisors, which cancel.
    sign = -1 if sign_of(of_polynomials(common, fmpz_poly([1]), step)) < 0 else 1
    found = [top * (common / bottom) for top, bottom in parts]
    return [[hex(sign * int(c)) for c in weight.coeffs()] for weight in found]


def listed_json(values: Sequence[Exact]) -> Any:
    """Weights of one distribution: a list of integers, or with exponentials {weights, step}."""
    step = exponent_step(values)
    weights = weights_json(values, step)
    return weights if step is None else {"weights": weights, **step_json(step)}


def integers_json(values: Sequence[Fraction]) -> list[str]:
    """Probabilities as integers over their common denominator."""
    common = math.lcm(*(value.denominator for value in values))
    return [hex(value.numerator * (common // value.denominator)) for value in values]


def odds_json(probability: Exact) -> Any:
    """A probability as [numerator, denominator]; with exponentials as the weights of both sides."""
    if not is_rational(probability):
        return listed_json((probability, 1 - probability))
    return [hex(probability.numerator), hex(probability.denominator)]
