"""Parts: a record in parts (cells, attributes, rows), each sent through a sanitizer of its own.

The sanitizers toss independent coins. among: how dependent the parts themselves may be, X_i and
all the others epsilon-dependent (Dor18 Definition 1); None where they are taken to be independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from ppdm_formal.declare.arithmetic.logarithm import Exponent
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.randomization import Operator


@dataclass(frozen=True)
class SanitizedPart:
    """A part and the operator that it is sent through."""

    name: str
    operator: Operator


@dataclass(frozen=True)
class PartsClaim:
    """What a record costs, or one of its parts (every one where none is named), within a bound.

    A part comes as near to its least bound as one likes without meeting it, so that < says no more
    than <= there, and is refused.
    """

    of: Literal["record", "dependence"]
    part: str | None
    relation: Literal["<", "<="]
    bound: Exponent

    def __post_init__(self) -> None:
        if self.of == "dependence" and self.relation != "<=":
            raise ValueError("dependence for all priors is bounded by <=")
        if self.of == "record" and self.part is not None:
            raise ValueError("a record's cost is not that of a part")

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
    subject: ClassVar[str] = "parts"
    """The file of certify/subjects that decides what is claimed of it."""

    def other(self, position: int) -> int | None:
        """Another part that this one can depend on: both have more than one value; None: none."""
        varied = [i for i, part in enumerate(self.parts) if part.operator.inputs.size > 1]
        if position not in varied:
            return None
        return next((i for i in varied if i != position), None)

    def rests_on(self, claim: PartsClaim) -> list[int]:
        """The parts whose sanitizers decide a claim; ValueError for a part that is not here."""
        named = [i for i, part in enumerate(self.parts) if claim.part in (None, part.name)]
        if not named:
            raise ValueError(f"{self.name} has no part {claim.part}")
        return named

    @property
    def shared(self) -> Exponent:
        """The dependence among the parts that is given; 0 where they are independent."""
        return Fraction(0) if self.among is None else self.among
