"""Whether r + c1 ln(b1) + ... + ck ln(bk) vanishes identically, all numbers with exponentials.

Over one t = e^step and after multiplication by a common denominator, r and the c are polynomials
in t. For rational c the sum is ln of a product of powers of rationals, of t and of irreducible
polynomials in t, which is 1 iff all exponents vanish (t is transcendental). For polynomials c each
power of t has a sum of that kind; where all of them vanish, the whole does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real, common_step, spread


def vanishes(rational: Real, terms: Mapping[Any, Real]) -> bool:
    """Whether the sum is 0 for reasons of algebra; terms maps bases above 0 to coefficients."""
    numbers = [rational, *terms, *terms.values()]
    step = common_step(n.step for n in numbers if isinstance(n, ExpNumber))
    columns = _columns([rational, *terms.values()], step)
    factors = [_factored(base, step) for base in terms]
    return all(_is_zero(column[0], column[1:], factors, step) for column in columns)


def _columns(numbers: list[Real], step: Fraction) -> list[list[Fraction]]:
    """The numbers times a common denominator, by powers of t."""
    from flint import fmpz_poly

    parts = [spread(number, step) for number in numbers]
    common = fmpz_poly([1])
    for _, bottom in parts:
        common = common * (bottom / common.gcd(bottom))
    tops = [[int(c) for c in (top * (common / bottom)).coeffs()] for top, bottom in parts]
    return [
        [Fraction(top[k]) if k < len(top) else Fraction(0) for top in tops]
        for k in range(max(map(len, tops), default=0))
    ]


def _factored(base: Real, step: Fraction) -> list[tuple[tuple[int, ...], int]]:
    """Irreducible factors (coefficients; integers as constants) with their exponents."""
    found: list[tuple[tuple[int, ...], int]] = []
    for part, sign in zip(spread(base, step), (1, -1), strict=True):
        content, factors = part.factor()
        found.append(((abs(int(content)),), sign))
        for factor, power in factors:
            coefficients = tuple(int(c) for c in factor.coeffs())
            # One sign for each factor: bases are positive, so that signs cancel.
            if coefficients[-1] < 0:
                coefficients = tuple(-c for c in coefficients)
            found.append((coefficients, sign * int(power)))
    return found


def _is_zero(
    rational: Fraction,
    coefficients: Iterable[Fraction],
    factors: list[list[tuple[tuple[int, ...], int]]],
    step: Fraction,
) -> bool:
    from ppdm_formal.declare.arithmetic.log_sum import is_one

    exponents: dict[tuple[int, ...], Fraction] = {}
    for coefficient, parts in zip(coefficients, factors, strict=True):
        for factor, power in parts:
            exponents[factor] = exponents.get(factor, Fraction(0)) + coefficient * power
    rational += exponents.pop((0, 1), Fraction(0)) * step  # t itself: ln(t) = step
    constants = {Fraction(f[0]): c for f, c in exponents.items() if len(f) == 1}
    others = [c for f, c in exponents.items() if len(f) > 1]
    return rational == 0 and not any(others) and is_one(constants)
