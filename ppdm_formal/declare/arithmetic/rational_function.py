"""Rational functions of parameters: num/den over the integers, in lowest terms, through FLINT.

The rest of the package holds closed forms of sympy. They are read into FLINT's polynomials to be
added, multiplied and cancelled, and written back in the form that sympy's own cancel gives:
numerator and denominator expanded and coprime, the leading coefficient below positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from typing import Any, TypeAlias

from flint import Ordering, fmpq, fmpz_mpoly_ctx

Symbols: TypeAlias = tuple[Any, ...]

_KEPT = 4096
_known: dict[tuple[Any, Symbols], Quotient] = {}
"""Quotients of closed forms that were read or written before."""


class NotRational(ValueError):
    """The expression has more in it than numbers, symbols, sums, products and whole powers."""


@dataclass(frozen=True)
class Quotient:
    """top/bottom, polynomials over the integers; bottom is not 0."""

    top: Any
    bottom: Any

    def __add__(self, other: Quotient) -> Quotient:
        if self.bottom == other.bottom:
            return Quotient(self.top + other.top, self.bottom)
        common = self.bottom.gcd(other.bottom)
        mine, theirs = self.bottom / common, other.bottom / common
        return Quotient(self.top * theirs + other.top * mine, self.bottom * theirs)

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(self.top * other.top, self.bottom * other.bottom)

    def __pow__(self, exponent: int) -> Quotient:
        if exponent >= 0:
            return Quotient(self.top**exponent, self.bottom**exponent)
        if not self.top:
            raise ZeroDivisionError("division by zero")
        return Quotient(self.bottom**-exponent, self.top**-exponent)

    def reduced(self) -> Quotient:
        """In lowest terms, with a positive leading coefficient below."""
        common = self.top.gcd(self.bottom)
        if self.bottom.leading_coefficient() < 0:
            common = -common
        return Quotient(self.top / common, self.bottom / common)


def simplified(value: Any) -> Any:
    """A closed form in lowest terms; a Fraction where no symbol is left."""
    symbols = _symbols(value)
    return write(read(value, symbols), symbols)


def evaluated(value: Any, values: Mapping[str, Fraction]) -> Fraction:
    """A closed form at a point, all its symbols given their values by name."""
    symbols = _symbols(value)
    point = [fmpq(*values[symbol.name].as_integer_ratio()) for symbol in symbols]
    lowest = read(value, symbols).reduced()
    below = _at(lowest.bottom, point)
    if below == 0:
        raise ZeroDivisionError("division by zero")
    found = _at(lowest.top, point) / below
    return Fraction(int(found.p), int(found.q))


Terms: TypeAlias = list[tuple[tuple[int, ...], Fraction]]
"""The powers of the symbols and the coefficient of each term of a polynomial."""


def fraction_terms(value: Any, symbols: Sequence[Any]) -> tuple[Terms, Terms]:
    """Numerator and denominator in lowest terms."""
    lowest = read(value, tuple(symbols)).reduced()
    return terms(lowest.top), terms(lowest.bottom)


def total_degrees(value: Any) -> tuple[int, int]:
    """The total degrees of numerator and denominator of a form in lowest terms."""
    found = read(value, _symbols(value))
    return tuple(
        max((sum(map(int, powers)) for powers in part.monoms()), default=0)
        for part in (found.top, found.bottom)
    )  # type: ignore[return-value]


def odd_factors(value: Any, symbols: Sequence[Any]) -> tuple[Fraction, list[Terms]]:
    """A constant, and the factors above and below that occur to an odd power: what a sign needs."""
    lowest = read(value, tuple(symbols)).reduced()
    constant, kept = Fraction(1), []
    for part in (lowest.top, lowest.bottom):
        number, factors = part.factor()
        constant *= int(number)
        kept += [terms(factor) for factor, power in factors if power % 2]
    return constant, kept


Factors: TypeAlias = tuple[Any, list[tuple[Any, int]]]
"""A constant, and irreducible factors with their powers."""


def factored(value: Any) -> tuple[Factors, Factors]:
    """Numerator and denominator in lowest terms, in factors."""
    import sympy

    symbols = _symbols(value)
    lowest = read(value, symbols).reduced()
    found = []
    for part in (lowest.top, lowest.bottom):
        constant, factors = part.factor()
        own = [(_polynomial(factor, symbols), int(power)) for factor, power in factors]
        found.append((sympy.Integer(int(constant)), own))
    return found[0], found[1]


def terms(polynomial: Any) -> Terms:
    """The terms of a polynomial of FLINT."""
    return [
        (tuple(int(power) for power in powers), Fraction(int(coefficient)))
        for powers, coefficient in polynomial.terms()
    ]


def _symbols(value: Any) -> Symbols:
    """Its free symbols, in sympy's order of generators."""
    found = symbols_of(value)
    return _ordered(found) if found else ()


@lru_cache(_KEPT)
def _ordered(symbols: frozenset[Any]) -> Symbols:
    import sympy

    return tuple(sympy.Poly(sympy.Add(*symbols)).gens)


@lru_cache(_KEPT)
def symbols_of(value: Any) -> frozenset[Any]:
    """The symbols of a closed form, looked for once."""
    return frozenset(value.free_symbols)


def read(value: Any, symbols: Symbols) -> Quotient:
    """A closed form as a quotient (perhaps not in lowest terms); NotRational where it is none."""
    found = _known.get((value, symbols))
    return _keep(value, symbols, _read(value, symbols)) if found is None else found


def _keep(value: Any, symbols: Symbols, found: Quotient) -> Quotient:
    if len(_known) >= _KEPT:
        _known.clear()
    return _known.setdefault((value, symbols), found)


def _read(value: Any, symbols: Symbols) -> Quotient:
    constant = _context(len(symbols)).constant
    if value.is_Rational:
        return Quotient(constant(int(value.p)), constant(int(value.q)))
    if value.is_Symbol:
        return Quotient(_context(len(symbols)).gen(symbols.index(value)), constant(1))
    if value.is_Add:
        return _sum(value.args, symbols)
    if value.is_Mul:
        result = Quotient(constant(1), constant(1))
        for part in value.args:
            result *= read(part, symbols) if part.is_Add else _read(part, symbols)
        return result
    if value.is_Pow and value.exp.is_Integer:
        return read(value.base, symbols).reduced() ** int(value.exp)
    raise NotRational


def _sum(parts: Sequence[Any], symbols: Symbols) -> Quotient:
    """The sum of terms, most of which are a number times powers of symbols."""
    places = {symbol: place for place, symbol in enumerate(symbols)}
    terms: dict[tuple[int, ...], Fraction] = {}
    others = []
    for part in parts:
        term = _monomial_of(part, places)
        if term is None:
            others.append(read(part, symbols))
        else:
            terms[term[0]] = terms.get(term[0], Fraction(0)) + term[1]
    below = lcm(*(number.denominator for number in terms.values()))
    whole = {powers: int(number * below) for powers, number in terms.items() if number}
    context = _context(len(symbols))
    first = Quotient(context.from_dict(whole), context.constant(below))
    return total([first, *others], symbols) if others else first


def _monomial_of(part: Any, places: Mapping[Any, int]) -> tuple[tuple[int, ...], Fraction] | None:
    """The powers and the coefficient of a term; None where it is not of that kind."""
    powers, number = [0] * len(places), Fraction(1)
    for factor in part.args if part.is_Mul else (part,):
        if factor.is_Rational:
            number *= Fraction(int(factor.p), int(factor.q))
        elif factor in places:
            powers[places[factor]] += 1
        elif factor.is_Pow and factor.base in places and factor.exp.is_Integer and factor.exp > 0:
            powers[places[factor.base]] += int(factor.exp)
        else:
            return None
    return tuple(powers), number


def combined(sign: str, one: Any, two: Any) -> Any:
    """One + two, one - two, one * two or one / two in lowest terms; a Fraction without symbols."""
    symbols = _ordered(symbols_of(one) | symbols_of(two))
    left, right = read(one, symbols), read(two, symbols)
    if sign in "+-":
        right = Quotient(-right.top, right.bottom) if sign == "-" else right
        return write(left + right, symbols)
    return write(left * (right**-1 if sign == "/" else right), symbols)


def total(values: Iterable[Quotient], symbols: Symbols) -> Quotient:
    """The sum."""
    constant = _context(len(symbols)).constant
    result = Quotient(constant(0), constant(1))
    for value in values:
        result += value
    return result


def write(value: Quotient, symbols: Symbols) -> Any:
    """A quotient in lowest terms as a closed form, or as a Fraction where no symbol is left."""
    lowest = value.reduced()
    if lowest.top.is_constant() and lowest.bottom.is_constant():
        return Fraction(_number(lowest.top), _number(lowest.bottom))
    form = _polynomial(lowest.top, symbols) / _polynomial(lowest.bottom, symbols)
    _keep(form, symbols, lowest)
    return form


def _polynomial(polynomial: Any, symbols: Symbols) -> Any:
    import sympy

    terms = ((int(c), _monomial(symbols, tuple(map(int, p)))) for p, c in polynomial.terms())
    return sympy.Add(*(_times(number, monomial) for number, monomial in terms))


@lru_cache(_KEPT)
def _monomial(symbols: Symbols, powers: tuple[int, ...]) -> Any:
    import sympy

    parts = (symbol**power for symbol, power in zip(symbols, powers, strict=True) if power)
    return sympy.Mul(*parts)


def _times(number: int, monomial: Any) -> Any:
    """A whole number times a product of powers, as sympy itself would write it."""
    import sympy

    if number == 1:
        return monomial
    if monomial is sympy.S.One:
        return sympy.Integer(number)
    parts = monomial.args if monomial.is_Mul else (monomial,)
    return sympy.Mul._from_args((sympy.Integer(number), *parts), True)


def _at(polynomial: Any, point: Sequence[Any]) -> Any:
    result = fmpq(0)
    for powers, coefficient in polynomial.terms():
        term = fmpq(coefficient)
        for value, power in zip(point, powers, strict=True):
            if power:
                term *= value ** int(power)
        result += term
    return result


def _number(polynomial: Any) -> int:
    return int(polynomial.leading_coefficient()) if polynomial else 0


@cache
def _context(count: int) -> Any:
    return fmpz_mpoly_ctx.get([f"s{k}" for k in range(count)], Ordering.lex)
