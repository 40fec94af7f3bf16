"""Polynomials along a line: in t alone, or in t and E = e^step; the same few verbs for both.

E is transcendental, so that it is as good as a variable wherever only equality counts (factors,
divisibility), and a number wherever a sign does: a polynomial in E that is not 0 has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, zip_longest
from math import lcm
from typing import Any, TypeAlias

from flint import Ordering, fmpq, fmpz_mpoly_ctx, fmpz_poly

from ppdm_formal.declare.arithmetic.constant_symbol import constants
from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic
from ppdm_formal.declare.arithmetic.exponential import Real, of_polynomials, polynomial_sign, spread
from ppdm_formal.declare.arithmetic.rational_function import read

Polynomial: TypeAlias = Any
"""FLINT's: fmpz_poly in t, or fmpz_mpoly in t and E."""

_BOTH = fmpz_mpoly_ctx.get(["t", "E"], Ordering.lex)


@dataclass(frozen=True)
class Ring:
    """The polynomials in t, and in E = e^step where there is a step."""

    step: Fraction | None = None

    def parts(self, value: Exact, symbol: Any) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator of a number, or of a closed form in the symbol."""
        if is_symbolic(value):
            found = constants(value)
            quotient = read(value, (symbol, *found))
            steps = tuple(found.values())
            return self._of_terms(quotient.top, steps), self._of_terms(quotient.bottom, steps)
        if self.step is None:
            return fmpz_poly([value.numerator]), fmpz_poly([value.denominator])
        top, bottom = spread(value, self.step)
        return tuple(
            _BOTH.from_dict({(0, k): c for k, c in enumerate(part.coeffs()) if c})
            for part in (top, bottom)
        )

    def _of_terms(self, polynomial: Any, steps: Sequence[Fraction]) -> Polynomial:
        terms: dict[tuple[int, int], int] = {}
        for (power, *others), c in polynomial.terms():
            e = sum(int(k) * self._power(q) for k, q in zip(others, steps, strict=True) if k)
            terms[int(power), e] = terms.get((int(power), e), 0) + int(c)
        if self.step is not None:
            return _BOTH.from_dict(terms)
        dense = [0] * (1 + max((power for power, _ in terms), default=-1))
        for (power, _), c in terms.items():
            dense[power] = c
        return fmpz_poly(dense)

    def _power(self, exponent: Fraction) -> int:
        """Which power of E it is the exponent of e of."""
        assert self.step is not None, "exponentials in a ring that has none"
        return int(exponent / self.step)

    # -- values and signs -------------------------------------------------------------------------

    def value(self, polynomial: Polynomial, x: Fraction) -> Real:
        """The value at a rational t."""
        powers, below = _at(polynomial, x)
        if self.step is None:
            return Fraction(int(powers[0]), below)
        return of_polynomials(fmpz_poly(powers), fmpz_poly([below]), self.step)

    def sign(self, polynomial: Polynomial, x: Fraction) -> int:
        """The sign at a rational t."""
        return self._sign(_at(polynomial, x)[0])

    def _sign(self, powers: Sequence[Any]) -> int:
        """The sign of the sum of c E^k."""
        if self.step is None or not any(powers[1:]):
            return int(powers[0] > 0) - int(powers[0] < 0)
        return polynomial_sign(fmpz_poly(list(powers)), self.step)

    def coefficients(self, polynomial: Polynomial) -> tuple[Real, ...]:
        """The coefficients of 1, t, t^2, ..., divided by the last one."""
        rows = [list(map(int, part.coeffs())) for part in slices(polynomial)]
        whole = [
            Fraction(row[0])
            if self.step is None
            else of_polynomials(fmpz_poly(list(row)), fmpz_poly([1]), self.step)
            for row in zip_longest(*rows, fillvalue=0)
        ]
        return tuple(c / whole[-1] for c in whole)

    def bernstein_signs(self, polynomial: Polynomial, low: Fraction, high: Fraction) -> list[int]:
        """The signs of its coefficients in the Bernstein basis on an interval.

        (1 + t)^d p((high + low t)/(1 + t)) has these coefficients, each times a binomial one, the
        last one first.
        """
        size = degree(polynomial)
        scale = lcm(low.denominator, high.denominator)
        start, width = int(low * scale), int((high - low) * scale)
        rows = []
        for part in slices(polynomial):
            whole = fmpz_poly([c * scale ** (size - k) for k, c in enumerate(part.coeffs())])
            shifted = whole(fmpz_poly([start, width])).coeffs()
            padded = [0] * (size + 1 - len(shifted)) + shifted[::-1]
            turned = fmpz_poly(padded)(fmpz_poly([1, 1])).coeffs()
            rows.append(turned + [0] * (size + 1 - len(turned)))
        return [self._sign(powers) for powers in zip(*rows, strict=True)][::-1]

    def isolated(
        self, polynomial: Polynomial, low: Fraction, high: Fraction
    ) -> list[tuple[Fraction, Fraction]]:
        """Intervals with one root each, of an irreducible polynomial without rational roots.

        By Descartes' rule in the Bernstein basis: no change of sign, no root; one change, one root.
        """
        found = []
        waiting = [(low, high)]
        while waiting:
            left, right = waiting.pop()
            signs = [sign for sign in self.bernstein_signs(polynomial, left, right) if sign]
            changes = sum(a != b for a, b in pairwise(signs))
            if changes == 1:
                found.append((left, right))
            elif changes:
                middle = (left + right) / 2
                waiting += [(middle, right), (left, middle)]
        return found


RATIONAL = Ring()
"""Polynomials over the integers."""


def _at(polynomial: Polynomial, x: Fraction) -> tuple[list[Any], int]:
    """The coefficients of powers of E at a rational t, whole numbers over one denominator."""
    where = fmpq(x.numerator, x.denominator)
    values = [fmpq(part(where)) for part in slices(polynomial)]
    below = lcm(*(int(value.q) for value in values))
    return [value.p * (below // int(value.q)) for value in values], below


def slices(polynomial: Polynomial) -> list[fmpz_poly]:
    """The polynomials in t that stand before 1, E, E^2, ..., at least one."""
    if isinstance(polynomial, fmpz_poly):
        return [polynomial]
    rows: dict[int, dict[int, int]] = {0: {}}
    for (power, e), c in polynomial.terms():
        rows.setdefault(int(e), {})[int(power)] = int(c)
    return [
        fmpz_poly([row.get(k, 0) for k in range(1 + max(row, default=-1))])
        for row in (rows.get(e, {}) for e in range(max(rows) + 1))
    ]


def degree(polynomial: Polynomial) -> int:
    """Its degree in t; -1 for 0."""
    if isinstance(polynomial, fmpz_poly):
        return int(polynomial.degree())
    return int(polynomial.degrees()[0]) if polynomial else -1


def key(polynomial: Polynomial) -> tuple[Any, ...]:
    """What tells it from other polynomials."""
    if isinstance(polynomial, fmpz_poly):
        return tuple(map(int, polynomial.coeffs()))
    return tuple((tuple(map(int, powers)), int(c)) for powers, c in polynomial.terms())
