"""Sampled: closed forms at many points at once, in floats: for guesses, which are then proved."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ppdm_formal.declare.arithmetic.constant_symbol import constants
from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.rational_function import Terms, fraction_terms

Table: TypeAlias = NDArray[np.float64]

MAX_POINTS = 729
"""How many points are looked at: nine along each of three parameters."""

SHARES = [Fraction(n, 1000) for n in (1, 50, 150, 300, 500, 700, 850, 950, 999)]
"""Where along a range points lie, close to its ends among them."""


def sample_points(parameters: Sequence[Parameter]) -> list[tuple[Fraction, ...]]:
    """Points of the ranges: the same places along each, fewer where there are many ranges."""
    shares = SHARES
    while len(shares) > 3 and len(shares) ** len(parameters) > MAX_POINTS:
        shares = [*shares[:1], *shares[2:-2:2], *shares[-1:]] if len(shares) > 5 else shares[::2]
    axes = []
    for parameter in parameters:
        low, width = parameter.lower, parameter.upper - parameter.lower
        places = [low, *(low + width * share for share in shares), parameter.upper]
        axes.append([place for place in places if place in parameter])
    return list(itertools.islice(itertools.product(*axes), 4 * MAX_POINTS))


def sampled(
    values: Sequence[Exact], parameters: Sequence[Parameter], points: Sequence[Sequence[Fraction]]
) -> Table:
    """A row for each closed form, a column for each point; nan where floats do not reach."""
    powers_of_e: dict[Any, Fraction] = {}
    for value in filter(is_symbolic, values):
        powers_of_e |= constants(value)
    symbols = [*(parameter.symbol for parameter in parameters), *powers_of_e]
    fixed = [math.exp(step) for step in powers_of_e.values()]
    places = np.array([[*map(float, point), *fixed] for point in points]).reshape(len(points), -1)
    rows: list[Any] = []
    with np.errstate(all="ignore"):
        for value in values:
            if is_symbolic(value):
                top, bottom = (_evaluated(t, places) for t in fraction_terms(value, symbols))
                rows.append(top / bottom)
            else:
                rows.append(np.full(len(points), _float(value)))
    return np.array(rows)


def wins(table: Table) -> list[int]:
    """At how many points each row is the greatest."""
    return [int(n) for n in np.bincount(np.argmax(table, axis=0), minlength=len(table))]


def never_below(one: Table, two: Table) -> bool:
    """Whether no sample speaks against one row being at least another; rounding is forgiven."""
    with np.errstate(all="ignore"):
        return not np.any(one < two - 1e-9 * (np.abs(one) + np.abs(two)))


def clearest(table: Table) -> tuple[int, float]:
    """The point at which the least of the rows is greatest, and how great."""
    least = np.nan_to_num(table.min(axis=0), nan=-np.inf)
    place = int(least.argmax())
    return place, float(least[place])


def _evaluated(terms: Terms, places: Table) -> Any:
    powers = np.array([powers for powers, _ in terms])
    coefficients = np.array([_float(coefficient) for _, coefficient in terms])
    monomials = np.prod(places[:, None, :] ** powers[None, :, :], axis=2)
    return monomials @ coefficients


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("nan")
