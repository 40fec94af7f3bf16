"""Exact numbers: rationals read from text, exponentials, and closed forms in declared parameters.

An exact number is a `fractions.Fraction`, an `ExpNumber` (a rational function of e^(1/d), with
the arithmetic and the order of a number), or a sympy expression where a free parameter occurs.
Floats are refused: 0.1 in binary is not 1/10, so numbers come in as text, integers, Fractions or
sympy objects. sympy is imported only once a symbolic value appears, which keeps work with
numbers fast to start.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real, sum_of

if TYPE_CHECKING:
    import sympy

    # sympy has no types: whatever is no Fraction here is checked when it runs, ExpNumbers too.
    Exact: TypeAlias = Fraction | sympy.Expr
else:
    Exact: TypeAlias = Any

ZERO = Fraction(0)
ONE = Fraction(1)

_NUMBERS = (Fraction, ExpNumber)

MAX_DIGITS = 1000
"""Longest number accepted from text; longer ones are mistakes or attacks."""

_NUMBER = re.compile(
    r"(?P<sign>[-+]?)(?P<whole>\d+)"
    r"(?:/(?P<denominator>\d+)|(?:\.(?P<decimals>\d+))?(?:[eE](?P<exponent>[-+]?\d+))?)"
    r"(?P<percent>%?)",
    re.ASCII,
)


def parse_number(text: str) -> Fraction:
    """Read 3, -2, 0.05, 1/20, 5% or 5e-2 as the exact rational that it spells.

    >>> parse_number("0.05") == parse_number("1/20") == parse_number("5%") == parse_number("5e-2")
    True
    """
    return Fraction(*ratio_of(text))


def ratio_of(text: str) -> tuple[int, int]:
    """The same as two integers, whose common factors nobody has looked for.

    >>> ratio_of("5%"), ratio_of("-1.50"), ratio_of("2/4")
    ((5, 100), (-150, 100), (2, 4))
    """
    stripped = text.strip()
    if len(stripped) > MAX_DIGITS:
        raise ValueError(f"a number of {len(stripped)} characters; at most {MAX_DIGITS} are read")
    match = _NUMBER.fullmatch(stripped)
    if match is None:
        raise ValueError(f"{text!r} is not a number such as 3, 0.05, 1/20, 5% or 5e-2")
    sign, whole, denominator, decimals, power, percent = match.groups()
    top, below = int(whole + (decimals or "")), 10 ** len(decimals or "")
    if denominator is not None:
        below = int(denominator)
        if below == 0:
            raise ValueError(f"{text!r} divides by zero")
    if percent:
        below *= 100
    if power:
        exponent = int(power)
        if abs(exponent) > MAX_DIGITS:
            raise ValueError(f"a power of ten beyond {MAX_DIGITS:,}")
        top *= 10 ** max(exponent, 0)
        below *= 10 ** max(-exponent, 0)
    return -top if sign == "-" else top, below


def exact(value: object) -> Exact:
    """Turn a value from the Python API into an exact number, or refuse it.

    >>> exact("30%")
    Fraction(3, 10)
    >>> exact(0.3)
    Traceback (most recent call last):
    ...
    TypeError: floats are not exact: write the number as text ("0.3") or as a Fraction
    """
    if isinstance(value, _NUMBERS):
        return value
    if isinstance(value, bool):
        raise TypeError("a truth value is not a number")
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, str):
        return parse_number(value)
    if isinstance(value, float):
        raise TypeError(
            f'floats are not exact: write the number as text ("{value}") or as a Fraction'
        )
    if hasattr(value, "__index__"):  # NumPy integers
        return Fraction(value.__index__())
    if type(value).__module__.startswith("sympy."):
        return _rational_function(value)
    raise TypeError(f"cannot read a {type(value).__name__} as an exact number")


def _rational_function(value: Any) -> Exact:
    """A sympy object in canonical form, its symbols known by their names alone."""
    import sympy

    if not isinstance(value, sympy.Expr):
        raise TypeError(f"cannot read a sympy {type(value).__name__} as an exact number")
    form = simplify(
        value.xreplace({s: sympy.Symbol(s.name, real=True) for s in value.free_symbols})
    )
    if not is_symbolic(form):
        return form
    from ppdm_formal.declare.arithmetic import rational_function

    try:
        rational_function.read(form, tuple(sorted(form.free_symbols, key=str)))
    except rational_function.NotRational:
        raise TypeError(f"{form} is not a fraction of polynomials in parameters") from None
    return form


def is_symbolic(value: Exact) -> TypeGuard[Any]:
    """Whether the number depends on a free parameter."""
    return not isinstance(value, _NUMBERS)


def is_rational(value: object) -> TypeGuard[Fraction]:
    """Whether the number is a rational: what integers are computed with."""
    return isinstance(value, Fraction)


def is_number(value: object) -> TypeGuard[Any]:
    """Whether it is one number: a rational, or one with exponentials."""
    return isinstance(value, _NUMBERS)


def simplify(value: Any) -> Exact:
    """The canonical form num/den of a rational function; a number where no parameter is left."""
    if isinstance(value, _NUMBERS):
        return value
    import sympy

    if value.has(sympy.Float):
        raise TypeError("floats are not exact: build the expression from integers and Rationals")
    if value.is_Rational:
        return to_fraction(value)
    if value.has(sympy.zoo, sympy.oo, -sympy.oo, sympy.nan):
        raise ZeroDivisionError("division by zero")
    from ppdm_formal.declare.arithmetic import rational_function

    try:
        return _settled(rational_function.simplified(value))
    except rational_function.NotRational:
        reduced = sympy.cancel(sympy.together(value))
        return to_fraction(reduced) if reduced.is_Rational else reduced


def _settled(form: Any) -> Exact:
    """The form with its exponentials as powers of one; a number where nothing else is in it."""
    if isinstance(form, Fraction):
        return form
    from ppdm_formal.declare.arithmetic.constant_symbol import settled

    return settled(form)


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def computed(one: Exact, sign: str, two: Exact) -> Exact:
    """One + two, one - two, one * two or one / two, in canonical form.

    >>> computed(Fraction(1), "/", Fraction(3))
    Fraction(1, 3)
    """
    if not (is_symbolic(one) or is_symbolic(two)):
        return _OPERATIONS[sign](one, two)
    from ppdm_formal.declare.arithmetic import rational_function

    left, right = to_sympy(one), to_sympy(two)
    try:
        return _settled(rational_function.combined(sign, left, right))
    except rational_function.NotRational:
        return simplify(_OPERATIONS[sign](left, right))


def to_fraction(value: Any) -> Fraction:
    """A rational of sympy or FLINT as a Fraction."""
    return Fraction(int(value.p), int(value.q))


def to_flint(value: Fraction) -> Any:
    """The same rational as FLINT's fmpq."""
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


def to_sympy(value: Exact) -> sympy.Expr:
    """The same number as a sympy object."""
    import sympy

    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return value._sympy_() if isinstance(value, ExpNumber) else value


def substitute(value: Exact, values: Mapping[str, Real]) -> Exact:
    """Give parameters (by name) their values."""
    if not is_symbolic(value):
        return value
    chosen = {s: to_sympy(values[s.name]) for s in value.free_symbols if s.name in values}
    if not chosen:
        return value
    if len(chosen) == len(value.free_symbols) and all(map(is_rational, values.values())):
        from ppdm_formal.declare.arithmetic import rational_function

        with suppress(rational_function.NotRational):
            return rational_function.evaluated(value, values)  # type: ignore[arg-type]
    return simplify(value.xreplace(chosen))


def total(values: Iterable[tuple[int, Exact]]) -> Exact:
    """The exact sum of count * value."""
    rational: dict[int, int] = {}
    symbolic: list[Any] = []
    others: list[tuple[int, ExpNumber]] = []
    for count, value in values:
        if isinstance(value, ExpNumber):
            others.append((count, value))
        elif isinstance(value, Fraction):
            rational[value.denominator] = (
                rational.get(value.denominator, 0) + count * value.numerator
            )
        else:
            symbolic.append(count * value)
    common = math.lcm(*rational) if rational else 1
    plain = Fraction(sum(top * (common // bottom) for bottom, top in rational.items()), common)
    plain += sum_of(others)
    if not symbolic:
        return plain
    import sympy

    return simplify(sympy.Add(to_sympy(plain), *symbolic))
