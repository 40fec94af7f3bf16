"""Circulant matrices: p[x -> y] = p[y - x mod k], whose inverse is circulant as well.

d with p * d = 1 (convolution mod k) comes from a Fourier transform in floats, is refined by Newton
steps in balls, and is then proved: if r = p * d - 1 has sum |r| = c < 1, the inverse is within
max |d| c / (1 - c) of d in every place. Floats are a start, and decide nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, arb_poly, ctx, fmpz_poly

from ppdm_formal.declare.arithmetic.exact import is_rational, to_flint
from ppdm_formal.declare.operators.matrix import CodedMatrix

BLOCK = 512
"""So many rows are compared at a time."""

MAX_REFINED = 6
"""Newton steps: each doubles the digits."""


def circulant(matrix: CodedMatrix) -> list[Fraction] | None:
    """The first row of a circulant matrix of rationals; None for any other matrix."""
    inputs, outputs = matrix.shape
    if inputs != outputs or not all(map(is_rational, matrix.palette)):
        return None
    codes = matrix.codes
    if (codes[1:, 0] != codes[:-1, -1]).any():
        return None
    for start in range(0, inputs - 1, BLOCK):
        end = min(start + BLOCK, inputs - 1)
        if (codes[start + 1 : end + 1, 1:] != codes[start:end, :-1]).any():
            return None
    return [matrix.palette[code] for code in codes[0].tolist()]


def rank(row: Sequence[Fraction]) -> int:
    """How many eigenvalues are not zero: k less the degree of gcd(p(z), z^k - 1)."""
    common = math.lcm(*(value.denominator for value in row))
    whole = fmpz_poly([int(value * common) for value in row])
    shared = whole.gcd(fmpz_poly([-1] + [0] * (len(row) - 1) + [1]))
    return len(row) - int(shared.degree())


def inverse_row(row: Sequence[Fraction]) -> list[Any]:
    """The inverse's first row in balls, at the precision in force; ZeroDivisionError if none."""
    size = len(row)
    spectrum = np.fft.fft(np.array([float(value) for value in row]))
    with np.errstate(all="ignore"):
        start = np.fft.ifft(1 / spectrum).real
    if not np.isfinite(start).all():
        raise ZeroDivisionError
    forward = arb_poly([arb(to_flint(value)) for value in row])
    found = arb_poly(start.tolist())
    for _ in range(MAX_REFINED):
        wrong = _less_one(_wrapped(forward * found, size))
        if _sum(wrong) < arb(2) ** (-(3 * ctx.prec) // 4):
            break
        found = _middle(found - arb_poly(_wrapped(found * arb_poly(wrong), size)))
    wrong = _less_one(_wrapped(forward * found, size))
    error = _sum(wrong)
    if not error < 1:
        raise ZeroDivisionError
    places = _places(found, size)
    largest = places[0].abs_upper()
    for place in places[1:]:
        largest = largest.max(place.abs_upper())
    around = arb(0, (largest * error / (1 - error)).abs_upper())
    return [place + around for place in places]


def convolved(one: Sequence[Any], other: Sequence[Any]) -> list[Any]:
    """The cyclic convolution of two rows of balls."""
    return _wrapped(arb_poly(list(one)) * arb_poly(list(other)), len(one))


def _places(polynomial: arb_poly, size: int) -> list[Any]:
    return [polynomial[place] for place in range(size)]


def _wrapped(product: arb_poly, size: int) -> list[Any]:
    """A product of two rows, with z^k = 1."""
    return [product[place] + product[place + size] for place in range(size)]


def _less_one(places: list[Any]) -> list[Any]:
    return [places[0] - 1, *places[1:]]


def _sum(places: Sequence[Any]) -> Any:
    return sum((place.abs_upper() for place in places), start=arb(0))


def _middle(polynomial: arb_poly) -> arb_poly:
    return arb_poly([polynomial[place].mid() for place in range(polynomial.length())])
