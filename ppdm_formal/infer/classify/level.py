"""Privacy levels: the noise whose 95% interval is p% of an attribute's range (Evf02 section 2)."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.declare.noises.named import Noise, noise_laws

CONFIDENCE = Fraction(95, 100)

_DIGITS = 10**9


def noise_at(kind: str, span: Fraction | int, privacy: Fraction) -> Noise:
    """Noise around 0; its scale is rounded to nine decimals of the range.

    >>> print(noise_at("uniform", 19, Fraction(1)))
    uniform(-10, 10)
    """
    if privacy <= 0 or span <= 0:
        raise ValueError("a privacy level and a range are above 0")
    law = noise_laws()[kind]
    length = law.around_zero(Fraction(1)).shortest(CONFIDENCE)
    unit = Fraction(round((length.lo + length.hi) / 2 * _DIGITS), _DIGITS)
    return law.around_zero(privacy * span / unit)
