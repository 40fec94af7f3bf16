"""Parameter: a free number in an interval; or t = e^(step eps) where eps is used as exp(eps).

Closed forms in exp(eps) are rational functions of t, a parameter like any other. Its ends are
rationals just outside of e^(step low) and e^(step high), which are irrational; whether a number
belongs to it is decided by those themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ppdm_formal.declare.arithmetic.decimals import round_to
from ppdm_formal.declare.arithmetic.exact import Exact, exact, is_number, is_symbolic
from ppdm_formal.declare.arithmetic.exponential import Ln, Real, exp_of
from ppdm_formal.declare.arithmetic.spelling import exp_text, number_text

if TYPE_CHECKING:
    import sympy

_END_DIGITS = 15
"""Digits of the rational ends of an exponential's range."""


@dataclass(frozen=True)
class Parameter:
    """A real number between lower and upper; the flags say whether the ends belong."""

    name: str
    lower: Fraction
    upper: Fraction
    includes_lower: bool = False
    includes_upper: bool = False
    default: Fraction | None = None
    of: Parameter | None = None
    step: Fraction = Fraction(1)

    @classmethod
    def exponential(cls, of: Parameter, step: Fraction) -> Parameter:
        """T = e^(step of), with rational ends around those of its range."""
        ends = [exp_of(step * end) for end in (of.lower, of.upper)]
        low, high = (
            end if isinstance(end, Fraction) else round_to(end, _END_DIGITS, up=up)
            for end, up in zip(ends, (False, True), strict=True)
        )
        name = exp_text(step, of.name)
        return cls(name, low, high, of.includes_lower, of.includes_upper, None, of, step)

    @property
    def told(self) -> Parameter:
        """What people know it by: eps where it stands for exp(eps)."""
        return self if self.of is None else self.of

    def __post_init__(self) -> None:
        for end in ("lower", "upper", "default"):
            if getattr(self, end) is not None:
                object.__setattr__(self, end, exact(getattr(self, end)))
        if self.lower >= self.upper:
            raise ValueError(f"the interval {self.interval} of {self.name} is empty")
        if self.default is not None and self.default not in self:
            value = number_text(self.default)
            raise ValueError(f"{self.name} = {value} is outside {self.interval}")

    @property
    def interval(self) -> str:
        """As it is written: (1/2, 1]."""
        left = "[" if self.includes_lower else "("
        right = "]" if self.includes_upper else ")"
        low, high = map(number_text, self.ends)
        return f"{left}{low}, {high}{right}"

    @property
    def symbol(self) -> sympy.Symbol:
        """The sympy symbol that stands for it."""
        import sympy

        return sympy.Symbol(self.name, real=True)

    @property
    def ends(self) -> tuple[Real, Real]:
        """Where its range ends, exactly."""
        if self.of is None:
            return self.lower, self.upper
        return exp_of(self.step * self.of.lower), exp_of(self.step * self.of.upper)

    def __contains__(self, value: object) -> bool:
        if isinstance(value, Ln):
            return exp_of(self.lower) < value.of < exp_of(self.upper)
        if not is_number(value):
            return False
        lower, upper = self.ends
        above = value > lower or (self.includes_lower and value == lower)
        below = value < upper or (self.includes_upper and value == upper)
        return bool(above and below)

    def __str__(self) -> str:
        return f"{self.name} in {self.interval}"


@dataclass(frozen=True)
class FreeLn(Ln):
    """factor * eps, where t = e^(step eps) is free: an epsilon whose e^ is a power of t."""

    parameter: Parameter
    factor: Fraction

    @classmethod
    def multiple(cls, parameter: Parameter, factor: Fraction) -> FreeLn:
        """So many times the eps of a parameter t; ValueError where that is no power of t."""
        power = factor / parameter.step
        if parameter.of is None or power <= 0 or power.denominator > 1:
            raise ValueError(f"e^({number_text(factor)} eps) is no power of {parameter.name}")
        return cls(parameter.symbol ** int(power), parameter, factor)

    @property
    def text(self) -> str:
        """Its one spelling: eps, 2*eps, 3*eps/2."""
        return exp_text(self.factor, self.parameter.told.name)[4:-1]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it depends on."""
        return (self.parameter,)


def exponent_text(form: object, parameters: Iterable[Parameter], times: int = 1) -> str | None:
    """So many times the logarithm of a power of t = e^(step eps): 2*eps; None for other forms.

    >>> eps = Parameter("eps", Fraction(0), Fraction(1))
    >>> t = Parameter.exponential(eps, Fraction(1, 6))
    >>> exponent_text(t.symbol**4, [t]), exponent_text(t.symbol**4, [t], 3), exponent_text(2, [t])
    ('2*eps/3', '2*eps', None)
    """
    if not hasattr(form, "as_base_exp"):
        return None
    base, power = form.as_base_exp()
    for parameter in parameters:
        if parameter.of is not None and base == parameter.symbol and power.is_Integer:
            return exp_text(times * int(power) * parameter.step, parameter.told.name)[4:-1]
    return None


def power_text(form: object, parameters: Iterable[Parameter]) -> str | None:
    """The same power of e as people write it: exp(2*eps/3)."""
    found = exponent_text(form, parameters)
    return None if found is None else f"exp({found})"


def free_parameters(values: Iterable[Exact], declared: Sequence[Parameter]) -> list[Parameter]:
    """The declared parameters that really occur in the values."""
    from ppdm_formal.declare.arithmetic.rational_function import (
        symbols_of,  # FLINT, where there are forms
    )

    names: set[str] = set()
    for value in values:
        if is_symbolic(value):
            names.update(symbol.name for symbol in symbols_of(value))
    return [parameter for parameter in declared if parameter.name in names]
