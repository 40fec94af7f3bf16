"""Evidence "region": one parameter, exactly.

Between two neighbouring cuts no polynomial that decides the claim has a root (Sturm), so that one
number between them speaks for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .certificate import Certificate, Evidence
from .claim import BoundClaim, BreachClaim, Claim
from .clock import tick
from .closed_form import Quotient, Terms
from .conditions import (
    Condition,
    FormClass,
    broken_if,
    by_polynomials,
    exceeding,
    probabilities,
    read_forms,
    shifts_of_prior,
    sides,
    with_symbols,
)
from .decision import Decision
from .exponential import e_to
from .interval import (
    End,
    Region,
    bracket,
    is_rational,
    polynomial_at,
    rational_between,
    read_end,
    roots_between,
    sign_changes,
    trimmed,
)
from .limits import MAX_HALVINGS, MAX_INTERVALS, ONE, ZERO
from .reading import Fields
from .result import need
from .solver_word import breached_at, try_points
from .spelling import spell
from .view import View


def verify_region(certificate: Certificate, region: Region) -> None:
    """The claim holds in the region and nowhere else."""
    claim, subject = certificate.claim, certificate.subject
    described = subject.described
    evidence = Fields(certificate.evidence, "evidence", "kind cuts")
    cuts = [read_end(raw) for raw in evidence.list("cuts")]
    marks = [region.declared.low, *cuts, region.declared.high]
    need(len(cuts) <= MAX_INTERVALS, "region: too many cuts")
    good = all(one.high < two.low for one, two in pairwise(marks))
    need(good, "region: cuts in disorder")
    ends = {end for part in region.holds for end in (part.low, part.high)}
    need(ends <= set(marks), "region: an end that is no cut")
    forms = read_forms(described, claim)
    symbolic = with_symbols(claim, described)
    if claim.by_counts:
        # At a transcendental number closed forms are equal only if they are so everywhere: the
        # views are those of so many reports for every value.
        low, high = region.declared.low.low, region.declared.high.low
        subject.at({region.parameter: low + (high - low) * e_to(ONE) / 3})
    numbers = list(probabilities(forms, described.relative))
    numbers += [Quotient(number.bottom, {(0,): ONE}) for number in numbers]

    def decided(x: Fraction) -> tuple[bool, list[View]]:
        views = subject.at({region.parameter: x})
        found = breached_at(views, claim.given({region.parameter: x}))
        need(found is not None, "such a claim is not decided with free parameters")
        said = region.contains(x)
        where = f"{region.parameter} = {spell(x)[:60]}"
        need(found != said, f"the claim {'fails' if found else 'holds'} at {where}")
        return bool(found), views

    for left, right in pairwise(marks):
        sample = rational_between(left.high, right.low)
        need(left.high < sample < right.low, "region: cuts too close to each other")
        _, views = decided(sample)
        cases, order = decisive(forms, views, symbolic, claim.given({region.parameter: sample}))
        conditions = [form for case in cases for form, _ in case]
        for polynomial in distinct([*conditions, *order, *numbers]):
            where = f"between {end_text(left)} and {end_text(right)}"
            need(rootless(polynomial, left, right), f"what decides may change {where}")
        if right.polynomial:
            broken = broken_at(right, cases, forms)
            need(broken != region.contains_end(right), f"the region is wrong at {end_text(right)}")
    for mark in marks:
        if not mark.polynomial and region.declared.holds(mark.low):
            decided(mark.low)


def decisive(
    forms: list[list[FormClass]], views: list[View], claim: Claim, at: Claim
) -> tuple[list[list[Condition]], list[Quotient]]:
    """The ways to break the claim, and what else must keep its sign between two cuts.

    Under all priors the classes that are the most and the least likely on views of numbers
    stand for all, as long as none overtakes them. `at`: the claim where these views are.
    """
    if isinstance(claim, BoundClaim) and isinstance(at, BoundClaim) and claim.factor is not None:
        return exceeding(forms, views, claim, at)
    if isinstance(claim, BreachClaim) and claim.prior is not None:
        shifts = (case for form in forms for case in shifts_of_prior(form, claim))
        return [case for case in shifts if not any(never(*condition) for condition in case)], []
    cases, order = [], []
    for form, view in zip(forms, views, strict=True):
        for inside, outside in sides(form, claim):
            if inside and outside:
                most = max(inside, key=lambda place: view.classes[place].likelihood)
                least = min(outside, key=lambda place: view.classes[place].likelihood)
                cases.append(broken_if(form[most], form[least], claim))
                order += [form[most].likelihood - form[place].likelihood for place in inside]
                order += [form[place].likelihood - form[least].likelihood for place in outside]
    return cases, order


def never(form: Quotient, strict: bool) -> bool:
    """Whether a condition fails for all parameters, because its closed form is a number."""
    if any(map(sum, (*form.top, *form.bottom))):
        return False
    value = sum(form.top.values(), ZERO)  # the bottom is 1
    return value < 0 or (strict and value == 0)


def dense(polynomial: Terms) -> list[Fraction]:
    """The coefficients of a polynomial in one parameter, the constant first."""
    size = max(polynomial)[0] + 1 if polynomial else 0
    return [polynomial.get((i,), ZERO) for i in range(size)]


def distinct(forms: Iterable[Quotient]) -> Iterable[list[Fraction]]:
    """The polynomials above that are not 0, each once (up to a factor)."""
    tops = [dense(form.top) for form in forms if form.top]
    return {tuple(c / top[-1] for c in top): top for top in tops}.values()


def rootless(polynomial: Sequence[Fraction], left: End, right: End) -> bool:
    """Whether it has no root between two ends; roots at the ends are divided out."""
    found = list(polynomial)
    for end in (left, right):
        factor = end.polynomial or (-end.low, ONE)
        if is_rational(found) and not is_rational(factor):
            continue  # a transcendental number is no root
        while len(quotient_and_rest := without_factor(found, factor)) == 1:
            (found,) = quotient_and_rest
    return one_sign(found, bracket(left.low)[0], bracket(right.high)[1])


def without_factor(polynomial: list[Fraction], factor: Sequence[Fraction]) -> list[list[Fraction]]:
    """The quotient by a factor; where a remainder is left, that as well."""
    rest, shown = list(polynomial), trimmed(factor)
    quotient: list[Fraction] = []
    while len(rest) >= len(shown):
        tick()
        quotient.append(rest[-1] / shown[-1])
        shift_by = len(rest) - len(shown)
        for i, c in enumerate(shown):
            rest[shift_by + i] -= quotient[-1] * c
        rest.pop()
    return [quotient[::-1]] if quotient and not any(rest) else [quotient[::-1], rest]


def one_sign(polynomial: Sequence[Fraction], low: Fraction, high: Fraction) -> bool:
    """Whether a polynomial has no root from low to high, these included."""
    if len(polynomial) == 1:
        return True
    if low == high:
        return polynomial_at(polynomial, low) != 0
    if polynomial_at(polynomial, low) * polynomial_at(polynomial, high) <= 0:
        return False
    if is_rational(polynomial):
        return roots_between(polynomial, low, high) == 0
    waiting = [(low, high)]
    for _ in range(MAX_HALVINGS):
        if not waiting:
            return True
        left, right = waiting.pop()
        if sign_changes(polynomial, left, right):
            middle = (left + right) / 2
            if polynomial_at(polynomial, middle) * polynomial_at(polynomial, low) <= 0:
                return False
            waiting += [(left, middle), (middle, right)]
    return False


def broken_at(end: End, cases: list[list[Condition]], forms: list[list[FormClass]]) -> bool:
    """Whether the claim fails at an irrational end, by what decides it next to it."""

    def sign(polynomial: Terms) -> int:
        found = dense(polynomial)
        if not found or len(without_factor(found, end.polynomial)) == 1:
            return 0
        need(one_sign(found, end.low, end.high), f"not decided at {end_text(end)}")
        return 1 if polynomial_at(found, end.low) > 0 else -1

    for part in (part for view in forms for part in view):
        for number in (part.likelihood, part.prior, part.knowledge):
            need(sign(number.bottom), f"a closed form divides by 0 at {end_text(end)}")
        good = not part.knowledge.top or sign(part.knowledge.top)
        need(good, f"what is known changes at {end_text(end)}")
    return any(
        all(sign(form.top) * sign(form.bottom) >= strict for form, strict in case) for case in cases
    )


def end_text(end: End) -> str:
    """An end, for people."""
    return spell(end.low)[:60] if not end.polynomial else f"{float(end.low):.6g}..."


class ByRegion(Evidence):
    """Cuts between which nothing changes; of a solver's word, its questions."""

    kind, of, regional, trusting = "region", ("finite",), True, True

    def suits(self, subject: Any, claim: Claim) -> bool:
        """One free parameter."""
        return subject.free == 1 and by_polynomials(claim, 1)

    def decide(self, certificate: Certificate) -> Decision:
        """Where the claim holds, which is everywhere, somewhere or nowhere."""
        region = certificate.subject.region(certificate)
        if certificate.questions:
            points = [{region.parameter: x} for x in region.samples()]
            try_points(certificate, points, region)
        else:
            verify_region(certificate, region)
        return Decision(not region.complete, partly=bool(region.holds))
