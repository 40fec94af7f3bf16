"""Parameter: a free number in an interval, and exact decisions about closed forms over it.

For one parameter everything is decided exactly, by isolating the real roots of
polynomials. For several, a sign is decided where Bernstein coefficients on ever smaller
boxes decide it, and otherwise left open (None), never guessed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ppdm_formal.numbers.bernstein import sign_on_box
from ppdm_formal.numbers.exact import Exact, exact, is_symbolic, substitute, to_fraction, to_sympy
from ppdm_formal.numbers.spelling import number_text

if TYPE_CHECKING:
    import sympy

GRID_POINTS = 1000
"""How many points a search over several parameters tries."""


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
        if not isinstance(value, Fraction):
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


def roots_inside(value: Exact, parameter: Parameter) -> list[Any]:
    """The zeros of a rational function of one parameter, strictly inside its interval, sorted.

    Each is a sympy number, exact: a Rational, a radical or a root of an integer polynomial.
    """
    import sympy

    if not is_symbolic(value):
        return []
    numerator = sympy.Poly(sympy.numer(sympy.together(value)), parameter.symbol)
    if numerator.degree() < 1:
        return []
    low, high = to_sympy(parameter.lower), to_sympy(parameter.upper)
    return [root for root in dict.fromkeys(sympy.real_roots(numerator)) if low < root < high]


def rational_between(low: Any, high: Any) -> Fraction:
    """A simple rational strictly between two sympy numbers."""
    import sympy

    scale = 1
    while True:
        top = sympy.floor(low * scale) + 1
        candidate = sympy.Rational(top, scale)
        if low < candidate < high:
            return to_fraction(candidate)
        scale *= 2


def sample_cells(
    breakpoints: Sequence[Any], parameter: Parameter
) -> list[tuple[Any, Any, Fraction]]:
    """The open cells between sorted breakpoints, each with a rational sample inside."""
    ends = [to_sympy(parameter.lower), *breakpoints, to_sympy(parameter.upper)]
    return [(low, high, rational_between(low, high)) for low, high in itertools.pairwise(ends)]


def sign_over(value: Exact, parameters: Sequence[Parameter]) -> int | None:
    """The sign that a closed form keeps over the whole (open) region, or None.

    1 and -1 mean that it never is of the other sign (it may touch zero), 0 that it is zero
    throughout; None that it changes sign, or that this was not decided.
    """
    if not is_symbolic(value):
        return (value > 0) - (value < 0)
    free = free_parameters([value], parameters)
    if len(free) == 1:
        signs = {
            _sign(substitute(value, {free[0].name: sample}))
            for _, _, sample in sample_cells(_breaks(value, free[0]), free[0])
        }
        return signs.pop() if len(signs) == 1 else None
    return _box_sign(value, free)


def violation(value: Exact, parameters: Sequence[Parameter]) -> dict[str, Fraction] | None:
    """Parameter values at which a closed form is negative, if any is found.

    For one parameter the search is complete (closed ends included); for several it tries a
    grid, and `sign_over` says whether nonnegativity is proved.
    """
    if not is_symbolic(value):
        return {} if value < 0 else None
    free = free_parameters([value], parameters)
    points: Iterable[tuple[Fraction, ...]]
    if len(free) == 1:
        only = free[0]
        inside = [sample for _, _, sample in sample_cells(_breaks(value, only), only)]
        points = [(point,) for point in (*inside, only.lower, only.upper) if point in only]
    elif value.is_polynomial() and sign_over(value, free) in (0, 1):
        return None
    else:
        points = _grid(free)
    top, bottom = _fraction_terms(value, [parameter.symbol for parameter in free])
    for point in points:
        above, below = _evaluate(top, point), _evaluate(bottom, point)
        if below == 0 or above * below < 0:
            return {parameter.name: v for parameter, v in zip(free, point, strict=True)}
    return None


def _grid(parameters: Sequence[Parameter]) -> Iterable[tuple[Fraction, ...]]:
    """Evenly spread points of the region, closed ends among them."""
    steps = 8
    while steps > 2 and (steps + 1) ** len(parameters) > GRID_POINTS:
        steps -= 2
    shares = [Fraction(step, steps) for step in range(steps + 1)]
    axes = [
        [v for share in shares if (v := p.lower + (p.upper - p.lower) * share) in p]
        for p in parameters
    ]
    return itertools.islice(itertools.product(*axes), GRID_POINTS)


def _terms(polynomial: Any, symbols: Sequence[Any]) -> list[tuple[Sequence[int], Fraction]]:
    """The powers and the coefficient of each term."""
    import sympy

    found = sympy.Poly(polynomial, *symbols).terms()
    return [(powers, to_fraction(c)) for powers, c in found]


def _fraction_terms(value: Exact, symbols: Sequence[Any]) -> list[Any]:
    import sympy

    return [_terms(part, symbols) for part in sympy.fraction(sympy.cancel(sympy.together(value)))]


def _evaluate(terms: Any, point: Sequence[Fraction]) -> Fraction:
    total = Fraction(0)
    for powers, coefficient in terms:
        for number, power in zip(point, powers, strict=True):
            if power:
                coefficient *= number**power
        total += coefficient
    return total


def not_probability(value: Exact, parameters: Sequence[Parameter]) -> str:
    """Why a value is not in [0, 1] throughout the parameters' region; "" where it is."""
    if not is_symbolic(value):
        return "" if 0 <= value <= 1 else "is not between 0 and 1"
    undeclared = {s.name for s in value.free_symbols} - {p.name for p in parameters}
    if undeclared:
        return f"has undeclared parameters: {', '.join(sorted(undeclared))}"
    for bound in (value, 1 - value):
        point = violation(bound, parameters)
        if point is not None:
            where = ", ".join(f"{name} = {number_text(number)}" for name, number in point.items())
            return f"is not between 0 and 1 at {where}"
        if sign_over(bound, parameters) not in (0, 1):
            return "could not be shown to lie between 0 and 1 in the parameters' ranges"
    return ""


def _breaks(value: Exact, parameter: Parameter) -> list[Any]:
    """Zeros and poles inside the interval."""
    import sympy

    top, bottom = sympy.fraction(sympy.together(value))
    found = {*roots_inside(top, parameter), *roots_inside(bottom, parameter)}
    return sorted(found)


def _sign(value: Exact) -> int:
    return int(value > 0) - int(value < 0)


def _box_sign(value: Exact, parameters: Sequence[Parameter]) -> int | None:
    """The product of the signs of the factors of numerator and denominator."""
    import sympy

    symbols = [parameter.symbol for parameter in parameters]
    box = [(parameter.lower, parameter.upper) for parameter in parameters]
    signs = set()
    for part in sympy.fraction(sympy.together(value)):
        factors = sympy.factor_list(part, *symbols)
        part_sign: int | None = _sign(to_fraction(factors[0]))
        for factor, power in factors[1]:
            if power % 2 == 0:
                continue
            factor_sign = sign_on_box(_terms(factor, symbols), box)
            if factor_sign is None or part_sign is None:
                part_sign = None
                break
            part_sign *= factor_sign
        signs.add(part_sign)
        if part_sign is None:
            return None
    return 1 if len(signs) == 1 else -1
