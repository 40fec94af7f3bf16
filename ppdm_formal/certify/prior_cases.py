"""One prior along one free parameter: Definition 1 for each choice of a property, as polynomials.

A view's masses and likelihoods are brought over one denominator each, so that what a choice of
inputs adds up to is a sum of whole multiples of polynomials, however many choices there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from ppdm_formal.certify.violations import MAX_ALTERNATIVES, TooManyAlternatives, chosen_counts
from ppdm_formal.declare.arithmetic.line import Line, LineForm
from ppdm_formal.declare.arithmetic.line_polynomial import Polynomial, degree, key
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.view import View

Case: TypeAlias = tuple[tuple[LineForm, bool], ...]
"""Closed forms that are above 0 (where the flag is set), or at least 0."""


def prior_cases(views: Sequence[View], claim: BreachClaim, line: Line) -> list[Case]:
    """All ways to violate the claim, each once, constant conditions settled."""
    kept: dict[Any, Case] = {}
    for view in views:
        line.deadline.check()
        for case in _of_view(view, claim, line):
            left = _settled(case, line)
            if left is not None:
                name = tuple((key(form.top), key(form.bottom), strict) for form, strict in left)
                kept[name] = left
        if len(kept) > MAX_ALTERNATIVES:
            raise TooManyAlternatives("a claim with so many cases")
    return list(kept.values())


def _of_view(view: View, claim: BreachClaim, line: Line) -> Iterator[Case]:
    held = [line.form(part.held) for part in view.classes]
    likelihoods = (line.form(part.likelihood) for part in view.classes)
    seen = [mass.times(chance) for mass, chance in zip(held, likelihoods, strict=True)]
    masses, joints = _Sums(held, line), _Sums(seen, line)
    counts = [part.count for part in view.classes]
    mass, joint = masses.of(counts), joints.of(counts)
    rho1, rho2 = line.form(claim.rho1), line.form(claim.rho2)
    reached = (joint, True)
    for chosen in chosen_counts(view, claim):
        before, after = masses.of(chosen), joints.of(chosen)
        if claim.direction != "downward":
            start = mass.times(rho1).minus(before)
            yield reached, (start, False), (after.minus(joint.times(rho2)), False)
        if claim.direction != "upward":
            start = before.minus(mass.times(rho2))
            yield reached, (start, False), (joint.times(rho1).minus(after), False)


class _Sums:
    """Whole multiples of closed forms, added up over one denominator."""

    def __init__(self, forms: Sequence[LineForm], line: Line) -> None:
        self.ring = line.ring
        self.bottom: Polynomial = forms[0].bottom
        for form in forms[1:]:
            if form.bottom != self.bottom:
                self.bottom = self.bottom * (form.bottom / self.bottom.gcd(form.bottom))
        self.tops = [form.top * (self.bottom / form.bottom) for form in forms]
        self.nothing = self.bottom * 0

    def of(self, counts: Iterable[int]) -> LineForm:
        """The sum of so many of each."""
        found = self.nothing
        for top, count in zip(self.tops, counts, strict=True):
            if count:
                found = found + count * top
        return LineForm(found, self.bottom, self.ring)


def _settled(case: Case, line: Line) -> Case | None:
    """Without its constant conditions; None where one of them is false."""
    left = []
    for form, strict in case:
        if degree(form.top) > 0 or degree(form.bottom) > 0:
            left.append((form, strict))
            continue
        anywhere = line.parameter.lower
        sign = line.ring.sign(form.top, anywhere) * line.ring.sign(form.bottom, anywhere)
        if sign < strict:
            return None
    return tuple(left)
