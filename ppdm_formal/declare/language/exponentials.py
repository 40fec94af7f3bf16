"""exp and ln in models: exp(q) is an exact number, ln(q) a bound or the value of a parameter."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ppdm_formal.declare.arithmetic.exact import is_number, simplify
from ppdm_formal.declare.arithmetic.exponential import Ln, TooManyPowers, common_step
from ppdm_formal.declare.arithmetic.logarithm import added, e_to, ln, scaled
from ppdm_formal.declare.arithmetic.parameter import FreeLn, Parameter
from ppdm_formal.declare.arithmetic.rational_function import fraction_terms
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.language.columns import plain
from ppdm_formal.declare.language.errors import ModelError, Place

if TYPE_CHECKING:
    from ppdm_formal.declare.language.scope import Scope

LN_PLACES = "a logarithm can be a bound, the value of a parameter, or inside exp"


class FinerStep(Exception):
    """A parameter is used in powers of e that need another t = e^(step eps): compile again."""

    def __init__(self, name: str, step: Fraction) -> None:
        super().__init__(name, step)
        self.name, self.step = name, step


def exponential(value: Any, at: Place, scope: Scope) -> Any:
    """e^value, for a rational, a logarithm, or a linear form in free parameters."""
    if type(value) is int:
        value = Fraction(value)
    if hasattr(value, "free_symbols"):
        return _of_parameters(value, at, scope)
    if not isinstance(value, Fraction | Ln):
        raise ModelError(
            f"exp of {'a label' if isinstance(value, str) else value}",
            at,
            "an exponent is a rational number, such as exp(1/2), or ln(3)",
        )
    try:
        return plain(e_to(value))
    except TooManyPowers as problem:
        raise ModelError(str(problem), at) from None


def _of_parameters(form: Any, at: Place, scope: Scope) -> Any:
    """e^(c1 eps1 + ...): whole powers of t1 = e^(step1 eps1), ..."""
    symbols = sorted(form.free_symbols, key=str)
    top, bottom = fraction_terms(form, symbols)
    linear = all(sum(powers) <= 1 for powers, _ in top) and not any(any(p) for p, _ in bottom)
    known = all(s.name in scope.parameters and scope.parameters[s.name].of is None for s in symbols)
    if not linear or not known:
        raise ModelError(
            f"exp of {number_text(form)[:80]}",
            at,
            "an exponent is linear in parameters, such as exp(eps/2) or exp(-eps)",
        )
    whole = bottom[0][1]
    result: Any = Fraction(1)
    for powers, coefficient in top:
        factor = coefficient / whole
        if not any(powers):
            raise ModelError(
                f"exp of {number_text(form)[:80]} has exponentials beside a free parameter",
                at,
                "give the parameter a value: --set NAME=VALUE",
            )
        name = symbols[powers.index(1)].name
        step = scope.steps.get(name, abs(factor))
        if (factor / step).denominator > 1:
            raise FinerStep(name, common_step((step, factor)))
        scope.steps[name] = step
        t = Parameter.exponential(scope.parameters[name], step)
        scope.parameters[t.name] = t
        result = result * t.symbol ** int(factor / step)
    return simplify(result)


def free_exponent(form: Any, at: Place, scope: Scope) -> FreeLn:
    """A positive multiple of a free parameter that is used as exp(eps), as an epsilon."""
    symbols = sorted(form.free_symbols, key=str)
    top, bottom = fraction_terms(form, symbols)
    name = symbols[0].name
    alone = len(symbols) == 1 and [powers for powers, _ in (*top, *bottom)] == [(1,), (0,)]
    factor = top[0][1] / bottom[0][1]
    if not alone or factor <= 0 or name not in scope.steps:
        raise ModelError(
            f"expected an epsilon, found {number_text(form)[:80]}",
            at,
            "a number, ln(3), or a multiple of a free parameter that is used as exp(eps), such as "
            "eps; or give the parameter a value: --set NAME=VALUE",
        )
    step = scope.steps[name]
    if (factor / step).denominator > 1:
        raise FinerStep(name, common_step((step, factor)))
    return FreeLn.multiple(Parameter.exponential(scope.parameters[name], step), factor)


def logarithm(value: Any, at: Place) -> Any:
    """ln(value), for a positive number."""
    if type(value) is int:
        value = Fraction(value)
    if not is_number(value):
        what = "a label" if isinstance(value, str) else value
        raise ModelError(f"ln of {what}: expected a positive number", at)
    try:
        return plain(ln(value))
    except ValueError as problem:
        raise ModelError(str(problem), at) from None


def log_arithmetic(operation: str, first: Any, second: Any, at: Place) -> Any:
    """Sums of logarithms and rationals, and rational multiples of logarithms."""
    a, b = (Fraction(v) if type(v) is int else v for v in (first, second))
    try:
        if all(isinstance(v, Ln | Fraction) for v in (a, b)):
            if operation == "+":
                return plain(added(a, b))
            if operation == "-":
                return plain(added(a, scaled(b, Fraction(-1))))
            if operation == "*" and not (isinstance(a, Ln) and isinstance(b, Ln)):
                factor, exponent = (a, b) if isinstance(b, Ln) else (b, a)
                return plain(scaled(exponent, factor))
            if operation == "/" and isinstance(b, Fraction) and b:
                return plain(scaled(a, 1 / b))
    except ValueError as problem:
        raise ModelError(str(problem), at) from None
    raise ModelError(f"{operation} of a logarithm", at, LN_PLACES)
