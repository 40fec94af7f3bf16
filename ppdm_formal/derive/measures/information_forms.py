"""Closed forms of the information measures: sums of logarithms of rational functions.

In bits every form is divided by log(2). They hold where no likelihood vanishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppdm_formal.declare.arithmetic.enclosure import Unit
from ppdm_formal.declare.arithmetic.exact import Exact, simplify, to_sympy, total
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity
from ppdm_formal.derive.measures.shift import Shift, Shifts


def mutual(moved: Shifts, unit: Unit) -> Exact:
    """I(X; Y) = sum over y, x of P[X = x] L log(L / P)."""
    terms = []
    for shift in moved.items:
        mass = _mass(moved, shift)
        for weight, likelihood in _terms(moved, shift):
            joint = simplify(shift.view.outputs * weight * likelihood)
            terms.append(to_sympy(joint) * _log(likelihood / mass))
    return _sum(terms, unit)


def divergence(moved: Shifts, shift: Shift, unit: Unit) -> Exact:
    """KL(p_{X|Y=y} || p_X) = sum over x of (P[X = x] L / P) log(L / P)."""
    mass = _mass(moved, shift)
    return _sum(
        [
            to_sympy(simplify(weight * likelihood / mass)) * _log(likelihood / mass)
            for weight, likelihood in _terms(moved, shift)
        ],
        unit,
    )


def inverse_divergence(moved: Shifts, shift: Shift, unit: Unit) -> Exact | Infinity:
    """KL(p_X || p_{X|Y=y}) = sum over x of P[X = x] log(P / L)."""
    if shift.excluded is not None:
        return INFINITY
    mass = _mass(moved, shift)
    return _sum(
        [to_sympy(weight) * _log(mass / likelihood) for weight, likelihood in _terms(moved, shift)],
        unit,
    )


def maximum(forms: Sequence[Exact]) -> Exact:
    """The only form, or a sympy Max that is not evaluated."""
    import sympy

    return forms[0] if len(forms) == 1 else sympy.Max(*map(to_sympy, forms), evaluate=False)


def _terms(moved: Shifts, shift: Shift) -> list[tuple[Exact, Exact]]:
    return [(weight, moved.likelihoods[number]) for weight, number in shift.terms]


def _mass(moved: Shifts, shift: Shift) -> Exact:
    return total((1, simplify(weight * value)) for weight, value in _terms(moved, shift))


def _log(value: Exact) -> Any:
    import sympy

    return sympy.log(to_sympy(simplify(value)))


def _sum(terms: Sequence[Any], unit: Unit) -> Exact:
    """The sum as one expression; a Fraction where no parameter and no logarithm is left."""
    import sympy

    added = sympy.Add(*terms)
    if added.is_Rational:
        return simplify(added)
    return added / sympy.log(2) if unit == "bit" else added
