"""Parameter: a free number in an interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ppdm_formal.numbers.exact import Exact, exact, is_number, is_symbolic
from ppdm_formal.numbers.exponential import Ln, exp_of
from ppdm_formal.numbers.spelling import number_text

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Parameter:
    """A real number between lower and upper; the flags say whether the ends belong."""

    name: str
    lower: Fraction
    upper: Fraction
    includes_lower: bool = False
    includes_upper: bool = False
    default: Fraction | None = None

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
        return f"{left}{number_text(self.lower)}, {number_text(self.upper)}{right}"

    @property
    def symbol(self) -> sympy.Symbol:
        """The sympy symbol that stands for it."""
        import sympy

        return sympy.Symbol(self.name, real=True)

    def __contains__(self, value: object) -> bool:
        if isinstance(value, Ln):
            return exp_of(self.lower) < value.of < exp_of(self.upper)
        if not is_number(value):
            return False
        above = value > self.lower or (self.includes_lower and value == self.lower)
        below = value < self.upper or (self.includes_upper and value == self.upper)
        return above and below

    def __str__(self) -> str:
        return f"{self.name} in {self.interval}"


def free_parameters(values: Iterable[Exact], declared: Sequence[Parameter]) -> list[Parameter]:
    """The declared parameters that really occur in the values."""
    names: set[str] = set()
    for value in values:
        if is_symbolic(value):
            names.update(symbol.name for symbol in value.free_symbols)
    return [parameter for parameter in declared if parameter.name in names]
