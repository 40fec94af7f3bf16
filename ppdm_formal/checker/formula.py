"""Evidence "formula": a measure that the certificate defines itself, evaluated in enclosures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from .certificate import Certificate, Evidence, need_no_more
from .claim import BoundClaim, Claim
from .closed_form import bit_size
from .decision import Decision
from .enclosure import log_bounds
from .exponential import Exponential
from .formula_tree import INFINITY, OVER_CLASSES, Range
from .limits import MAX_FORMULA_BITS, ONE, ZERO
from .reading import read_number, read_position
from .result import Rejected, need
from .view import InputClass, View


class Formula:
    """The value of a formula on one view, enclosed with logarithms of so many bits."""

    def __init__(self, view: View, claim: BoundClaim, bits: int) -> None:
        self.bits, self.unit = bits, claim.unit
        # Inputs that the prior excludes count for nothing.
        self.classes = [c for c in view.classes if c.prior or claim.prior is None]
        self.evidence = view.mass_of(lambda part: part.prior * part.likelihood)

    def value(self, part: Any, at: InputClass | None = None) -> Range:
        """Between which numbers a part of the formula lies, for a class where it is inside one."""
        if part == "evidence":
            return self.evidence, self.evidence
        if part == "value" and at is not None:
            number = Fraction(read_whole(at.example))
            return number, number
        if part in ("likelihood", "prior") and at is not None:
            number = at.likelihood if part == "likelihood" else at.prior
            return number, number
        if type(part) is str:
            return read_number(part), read_number(part)
        name, arguments = part[0], part[1:]
        if name in OVER_CLASSES:
            return self.over_classes(name, arguments[0])
        found = [self.value(argument, at) for argument in arguments]
        if name == "+":
            return sum_of(found)
        if name == "*":
            return product_of(found)
        if name == "-":
            (low, high), (less, more) = found
            return sum_of([(low, high), (-more, -less)])
        if name == "/":
            return quotient(*found)
        low, high = found[0]
        if name == "abs":
            least = ZERO if low < 0 < high else min(abs(low), abs(high))
            return least, max(abs(low), abs(high))
        need(low >= 0, "formula: the logarithm of a negative number")
        return self.log_of(low)[0], self.log_of(high)[1]

    def over_classes(self, name: str, inner: Any) -> Range:
        """A sum over inputs, or a maximum or minimum over them."""
        found = [self.value(inner, part) for part in self.classes]
        if name == "sum":
            return sum_of(times(part.count, r) for part, r in zip(self.classes, found, strict=True))
        pick = max if name == "max" else min
        return pick(low for low, _ in found), pick(high for _, high in found)

    def log_of(self, x: Any) -> Range:
        """The logarithm, to base 2 in bits; exact where it is whole, -infinity at 0."""
        if x == 0 or x == INFINITY:
            return (-INFINITY, -INFINITY) if x == 0 else (INFINITY, INFINITY)
        if type(x) is Exponential:
            return self.in_unit(log_bounds(x, self.bits))
        whole = Fraction(bit_size(x) - 1 if x > 1 else 1 - bit_size(x))
        if x == 1 or (self.unit == "bit" and 2**whole == x):
            return whole, whole
        return self.in_unit(log_bounds(x, self.bits))

    def in_unit(self, bounds: tuple[int, int]) -> Range:
        """A logarithm that lies between these bounds, in the formula's unit."""
        low, high = (Fraction(end, 2**self.bits) for end in bounds)
        if self.unit != "bit":
            return low, high
        two = tuple(Fraction(end, 2**self.bits) for end in log_bounds(Fraction(2), self.bits))
        return quotient((low, high), (two[0], two[1]))


def sum_of(ranges: Iterable[Range]) -> Range:
    """A sum of ranges; the sum of both infinities means nothing. Fractions stay Fractions."""
    listed = list(ranges)
    endless = {end for pair in listed for end in pair if abs(end) == INFINITY}
    need(len(endless) < 2, "formula: infinity minus infinity")

    def total(ends: list[Any]) -> Any:
        return endless.copy().pop() if endless & set(ends) else sum(ends, ZERO)

    return total([low for low, _ in listed]), total([high for _, high in listed])


def times(count: int, value: Range) -> Range:
    """A range so many times."""
    return product_of([(Fraction(count), Fraction(count)), value])


def product_of(ranges: Iterable[Range]) -> Range:
    """A product of ranges; 0 times anything is 0, as in 0 log 0."""

    def multiplied(a: Any, b: Any) -> Any:
        if a == 0 or b == 0:
            return ZERO
        if INFINITY in (abs(a), abs(b)):
            return INFINITY if (a > 0) == (b > 0) else -INFINITY
        return a * b

    low, high = ONE, ONE
    for a, b in ranges:
        corners = [multiplied(x, y) for x in (low, high) for y in (a, b)]
        low, high = min(corners), max(corners)
    return low, high


def quotient(top: Range, bottom: Range) -> Range:
    """A quotient of ranges; a number divided by 0 is infinite, one divided by infinity is 0."""
    if bottom == (0, 0):
        need(top[0] > 0 or top[1] < 0, "formula: 0 divided by 0")
        return (INFINITY, INFINITY) if top[0] > 0 else (-INFINITY, -INFINITY)
    need(bottom[0] > 0 or bottom[1] < 0, "formula: a divisor that may be 0")
    finite = INFINITY not in map(abs, top) or INFINITY not in map(abs, bottom)
    need(finite, "formula: infinity divided by infinity")
    low, high = (ZERO if abs(end) == INFINITY else 1 / end for end in (bottom[1], bottom[0]))
    return product_of([top, (low, high)])


def formula(views: list[View], claim: BoundClaim, witness: dict[str, Any] | None) -> Decision:
    """Evaluate the formula, with ever more digits where it has logarithms."""
    looked = views
    if witness is not None and claim.formula["over"] == "max":
        looked = [views[read_position(witness.get("view"), len(views))]]
    bits = 128
    while bits <= MAX_FORMULA_BITS:
        low, high = formula_value(looked, claim, bits)
        if claim.allows(high, claim.bound) or not claim.allows(low, claim.bound):
            return Decision(not claim.allows(low, claim.bound))
        bits *= 2
    raise Rejected(f"{MAX_FORMULA_BITS} bits do not decide the formula")


def formula_value(views: list[View], claim: BoundClaim, bits: int) -> Range:
    """The measure over the views that are reached; of people the greatest."""
    groups: dict[bytes, list[Range]] = {}
    for view in views:
        if view.mass_of(lambda part: part.prior * part.likelihood) > 0:
            value = Formula(view, claim, bits).value(claim.formula["of"])
            summed = claim.formula["over"] == "sum"
            groups.setdefault(view.known, []).append(
                times(view.outputs, value) if summed else value
            )
    need(groups, "no output is reached")
    found = [one for group in groups.values() for one in group]
    if claim.formula["over"] == "sum":
        found = [sum_of(group) for group in groups.values()]
    return max(low for low, _ in found), max(high for _, high in found)


def read_whole(example: bytes) -> int:
    """An input that is a whole number."""
    need(re.fullmatch(rb"-?[0-9]{1,16}", example), "formula: the value of an input that is none")
    return int(example)


class ByFormula(Evidence):
    """Nothing but the views, and the claim's formula."""

    kind, of = "formula", ("finite",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """Measures that the claim defines, without free parameters."""
        return isinstance(claim, BoundClaim) and claim.formula is not None and not subject.free

    def decide(self, certificate: Certificate) -> Decision:
        """Of all views, or of the witness's."""
        need_no_more(certificate)
        return formula(certificate.subject.views, certificate.claim, certificate.witness)
