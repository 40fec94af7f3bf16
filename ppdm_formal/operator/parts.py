"""Parts: a record in parts (cells, attributes, rows), each sent through a sanitizer of its own.

The sanitizers toss independent coins. among: how dependent the parts themselves may be, X_i and
all the others epsilon-dependent (Dor18 Definition 1); None where they are taken to be independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ppdm_formal.numbers.logarithm import Exponent
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.operator.operator import Operator


@dataclass(frozen=True)
class SanitizedPart:
    """A part and the operator that it is sent through."""

    name: str
    operator: Operator


@dataclass(frozen=True)
class PartsClaim:
    """What a record costs, or one of its parts (every one where none is named), within a bound."""

    of: Literal["record", "dependence"]
    part: str | None
    relation: Literal["<", "<="]
    bound: Exponent

    def __str__(self) -> str:
        """As it is written in a model."""
        of = f"{self.of}({self.part})" if self.part is not None else self.of
        return f"require {of} {self.relation} {number_text(self.bound)}"


@dataclass(frozen=True)
class Parts:
    """A record of named parts, and what is claimed of it."""

    name: str
    parts: tuple[SanitizedPart, ...]
    among: Exponent | None = None
    claims: tuple[PartsClaim, ...] = ()
