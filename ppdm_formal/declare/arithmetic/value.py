"""The value of a measure: exact (a rational or a closed form), enclosed, or infinite."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import Exact, is_number
from ppdm_formal.declare.arithmetic.spelling import form_text, number_text


class Infinity(Enum):
    """Above every number; its text is "infinity".

    >>> INFINITY > 10**9, str(INFINITY)
    (True, 'infinity')
    """

    INFINITY = "infinity"

    def __str__(self) -> str:
        return "infinity"

    def __gt__(self, other: object) -> bool:
        return not isinstance(other, Infinity)

    def __ge__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return False

    def __le__(self, other: object) -> bool:
        return isinstance(other, Infinity)


INFINITY = Infinity.INFINITY

Measured: TypeAlias = Exact | Enclosure | Infinity


def value_text(value: Measured) -> str:
    """The value as reports write it: 250, p/(1 - p), 1.27115..., infinity."""
    if isinstance(value, Infinity | Enclosure):
        return str(value)
    return number_text(value) if is_number(value) else form_text(value)


def value_json(value: Measured) -> str | dict[str, str]:
    """The value as JSON holds it: text, or the two ends of an enclosure."""
    return value.to_json() if isinstance(value, Enclosure) else value_text(value)
