"""Beliefs before and after an output: P[Q | z] and P[Q | y, z] from the masses of classes."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.operators.view import InputClass

Masses = Iterable[tuple[InputClass, Any, Any]]
"""For each class the prior's mass on its inputs with the property, and on the others."""


def beliefs(masses: Masses) -> tuple[Fraction, Fraction] | None:
    """Before and after; None where (y, z) has probability 0."""
    before_inside = before = after_inside = after = Fraction(0)
    for part, inside, outside in masses:
        known = part.known
        seen = known * part.likelihood
        before_inside += known * inside
        before += known * (inside + outside)
        after_inside += seen * inside
        after += seen * (inside + outside)
    return None if after == 0 else (before_inside / before, after_inside / after)
