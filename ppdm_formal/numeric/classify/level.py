"""Privacy levels: the noise whose 95% interval is p% of an attribute's range (Evf02 section 2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from ppdm_formal.numeric.noise import Laplace, Noise, Normal, Triangular, Uniform

Kind = Literal["uniform", "normal", "laplace", "triangular"]
KINDS: tuple[Kind, ...] = ("uniform", "normal", "laplace", "triangular")

CONFIDENCE = Fraction(95, 100)

_DIGITS = 10**9


def noise_at(kind: Kind, span: Fraction | int, privacy: Fraction) -> Noise:
    """Noise around 0; its scale is rounded to nine decimals of the range.

    >>> print(noise_at("uniform", 19, Fraction(1)))
    uniform(-10, 10)
    """
    if privacy <= 0 or span <= 0:
        raise ValueError("a privacy level and a range are above 0")
    wanted = privacy * span
    unit: Noise
    if kind == "uniform":
        half = wanted / (2 * CONFIDENCE)
        return Uniform(-half, half)
    if kind == "triangular":
        unit = Triangular(Fraction(-1), Fraction(1))
    else:
        unit = Normal(Fraction(1)) if kind == "normal" else Laplace(Fraction(1))
    length = unit.shortest(CONFIDENCE)
    scale = wanted / Fraction(round((length.lo + length.hi) / 2 * _DIGITS), _DIGITS)
    if kind == "triangular":
        return Triangular(-scale, scale)
    return Normal(scale) if kind == "normal" else Laplace(scale)
