"""Exponentials among closed forms: a reserved symbol stands for e^step beside parameters.

sympy's polynomials take the symbol for a variable. That is exact: e^step is transcendental, so it
satisfies no more equations than a variable does. Its order is that of its value.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from flint import fmpz_poly

from ppdm_formal.declare.arithmetic.exponential import ExpNumber, common_step, of_polynomials

_steps: dict[str, Fraction] = {}


def constant(step: Fraction) -> Any:
    """The symbol of e^step."""
    import sympy

    name = f"exp({step})"
    _steps[name] = step
    return sympy.Symbol(name, real=True)


def constants(form: Any) -> dict[Any, Fraction]:
    """The symbols of exponentials in a form, with their steps."""
    from ppdm_formal.declare.arithmetic.rational_function import symbols_of

    return {s: _steps[s.name] for s in symbols_of(form) if s.name in _steps} if _steps else {}


def as_form(number: ExpNumber) -> Any:
    """The number as a form in its symbol."""
    import sympy

    t = constant(number.step)
    top, bottom = (
        sympy.Add(*(sympy.Integer(int(c)) * t**k for k, c in enumerate(part.coeffs()) if c))
        for part in (number.top, number.bottom)
    )
    return top / bottom


def settled(form: Any) -> Any:
    """A form in lowest terms with one symbol at most, of the greatest step; or a number.

    >>> settled(constant(Fraction(1, 2)) ** 2 + constant(Fraction(1)))
    ExpNumber(2*exp(1))
    """
    from ppdm_formal.declare.arithmetic.rational_function import fraction_terms, simplified

    found = constants(form)
    if not found:
        return form
    step = common_step(found.values())
    if len(found) > 1:
        t = constant(step)
        form = simplified(form.xreplace({s: t ** int(q / step) for s, q in found.items()}))
        found = constants(form) if hasattr(form, "free_symbols") else {}
        if not found:
            return form
    (t,) = found
    if len(form.free_symbols) == 1:
        parts = []
        for terms in fraction_terms(form, [t]):
            coefficients = [0] * (1 + max((powers[0] for powers, _ in terms), default=0))
            for powers, coefficient in terms:
                coefficients[powers[0]] = int(coefficient)
            parts.append(fmpz_poly(coefficients))
        return of_polynomials(parts[0], parts[1], step)
    symbols = [t, *sorted(form.free_symbols - {t}, key=str)]
    thin = math.gcd(*(p[0] for terms in fraction_terms(form, symbols) for p, _ in terms))
    if thin <= 1:
        return form
    import sympy

    return simplified(form.xreplace({t: constant(step * thin) ** sympy.Rational(1, thin)}))
