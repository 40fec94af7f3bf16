"""Formula: a measure's value as a small tree over the classes of its views.

    Formula: the largest (over reachable views) or the sum (over reachable outputs) of a term
    Term:    a number | "likelihood" | "prior" (of a class) | "evidence" (P[Y = y], of a view)
             "value" (of a class that is one input, which is a whole number)
             ("sum" | "max" | "min", Term)      over the classes of a view; a sum counts every input
             ("+" | "*", Term, ...)  ("-" | "/", Term, Term)  ("abs" | "log", Term)

Classes of prior probability 0 are left out where there is a prior, and so are views that cannot
occur. A logarithm is in the claim's unit: to base 2 in bits, natural otherwise. 0 log 0 is 0, and
a positive number divided by 0 is infinite.

Where inputs are to be followed from output to output the formula says so by `each`: "input" takes
views that tell every input apart, "person" those of each person's value in a database, and is then
the largest over people (declare/operators/channel.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

Term: TypeAlias = "int | Fraction | str | tuple[Any, ...]"

NAMES = ("likelihood", "prior", "evidence", "value")
OVER_CLASSES = ("sum", "max", "min")
OPERANDS = {"+": None, "*": None, "-": 2, "/": 2, "abs": 1, "log": 1}
"""How many operands an operation takes; None: one or more."""


@dataclass(frozen=True)
class Formula:
    """The largest value of a term over views, or its sum over outputs."""

    over: Literal["max", "sum"]
    of: Term
    each: Literal["", "input", "person"] = ""

    def __post_init__(self) -> None:
        _check(self.of, inside=False)
        if mentions(self.of, "value") and self.each != "input":
            raise ValueError("values are those of inputs that are told apart: each input")

    def to_json(self) -> dict[str, Any]:
        """As a certificate holds it: lists, and numbers as text."""
        each = {"each": self.each} if self.each else {}
        return {"over": self.over, "of": _json(self.of), **each}

    @property
    def needs_prior(self) -> bool:
        """Whether it speaks of a prior."""
        if self.each == "person":  # one person's likelihoods are means over the others
            return True
        return mentions(self.of, "prior") or mentions(self.of, "evidence")

    @property
    def has_logarithm(self) -> bool:
        """Whether its value has a unit."""
        return mentions(self.of, "log")

    @property
    def scale_free(self) -> bool:
        """Whether likelihoods known up to a factor, and not how many, are enough.

        So for a largest value of terms of degree 0 in the likelihoods, without sums.
        """
        counts = mentions(self.of, "sum") or mentions(self.of, "evidence")
        return self.over == "max" and not counts and _degree(self.of) == 0


def _check(term: Term, *, inside: bool) -> None:
    if isinstance(term, str):
        if term not in NAMES:
            raise ValueError(f"{term!r} is not one of {', '.join(NAMES)}")
        if term != "evidence" and not inside:
            raise ValueError(f"{term} is of a class: it stands within a sum, max or min")
        return
    if not isinstance(term, tuple):
        if isinstance(term, bool) or not isinstance(term, int | Fraction):
            raise TypeError(f"{term!r} is not an exact number")
        return
    operation, *operands = term
    if operation in OVER_CLASSES:
        if inside or len(operands) != 1:
            raise ValueError(f"{operation} over classes takes one term, and none within another")
        _check(operands[0], inside=True)
        return
    wanted = OPERANDS.get(operation, 0)
    if wanted == 0 or not operands or (wanted is not None and len(operands) != wanted):
        raise ValueError(f"{operation!r} with {len(operands)} operands is no operation")
    for operand in operands:
        _check(operand, inside=inside)


def _json(term: Term) -> Any:
    if isinstance(term, tuple):
        return [term[0], *map(_json, term[1:])]
    return term if isinstance(term, str) else str(Fraction(term))


def mentions(term: Term, name: str) -> bool:
    """Whether a name stands somewhere in a term."""
    if isinstance(term, tuple):
        return any(mentions(part, name) for part in term)
    return term == name


def _degree(term: Term) -> int | None:
    """The power of a common factor of the likelihoods; None where there is none."""
    if not isinstance(term, tuple):
        return 1 if term in ("likelihood", "evidence") else 0
    degrees = [_degree(part) for part in term[1:]]
    if any(degree is None for degree in degrees):
        return None
    if term[0] == "*":
        return sum(degree for degree in degrees if degree is not None)
    first, rest = degrees[0], degrees[1:]
    if term[0] == "/" and first is not None and rest[0] is not None:
        return first - rest[0]
    if any(degree != first for degree in rest) or (term[0] == "log" and first != 0):
        return None
    return first
