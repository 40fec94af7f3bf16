"""What decides a claim along one free parameter: cases, and orders of likelihoods.

A claim is violated iff in some case all inequalities hold. Under all priors (and for bounds on
amplification) the most and the least likely class of a view at a sample stand for all classes,
as far as none overtakes them: that they do not is part of what decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpz_poly

from ppdm_formal.certify.violations import (
    Alternative,
    TooManyAlternatives,
    possible_sides,
    violations,
    weights,
)
from ppdm_formal.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.numbers.exact import Exact
from ppdm_formal.numbers.line import Form, Line
from ppdm_formal.operator.view import View

MAX_DEGREE = 200
"""Greatest degree of a likelihood of several reports."""

Case = tuple[tuple[Form, bool], ...]
"""Closed forms that are above 0 (where the flag is set), or at least 0."""


@dataclass(frozen=True)
class Deciding:
    """Violated iff in some case all holds; `others` must keep their signs as well."""

    cases: Sequence[Case]
    others: Sequence[fmpz_poly] = ()

    def polynomials(self) -> Iterator[fmpz_poly]:
        """All that must not change sign between two neighbouring cuts."""
        for case in self.cases:
            for form, _ in case:
                yield form.top
                yield form.bottom
        yield from self.others

    def violated(self, sign: Callable[[Form], int]) -> bool:
        """Whether the claim is violated where closed forms have these signs."""
        return any(all(sign(form) >= strict for form, strict in case) for case in self.cases)


Problem = Callable[[Fraction], Deciding]
"""What decides in the neighbourhood of a value of the parameter."""


def fixed(alternatives: Sequence[Alternative], line: Line) -> Problem:
    """The same inequalities everywhere."""
    found = Deciding([tuple((line.form(i.value), i.strict) for i in a) for a in alternatives])
    return lambda at: found


def problem(views: Sequence[View], claim: Claim, line: Line) -> Problem:
    """What decides a claim on views with one free parameter, probabilities that stay so included.

    TooManyAlternatives where the claim has too many cases, or is not of inequalities.
    """
    valid = list(_probabilities(views, line))
    if isinstance(claim, BreachClaim) and claim.under is not None:
        cases = fixed(violations(views, claim), line)(Fraction(0)).cases
        found = Deciding(cases, valid)
        return lambda at: found
    if isinstance(claim, BoundClaim):
        violations((), claim)  # of amplification, or not decided
    columns = [_Column(view, claim, line) for view in views]
    if claim.reports > 1 and claim.reports * max(c.degree for c in columns) > MAX_DEGREE:
        raise TooManyAlternatives("a claim about so many reports")

    def at(x: Fraction) -> Deciding:
        cases: list[Case] = []
        others = list(valid)
        for column in columns:
            column.decide(x, cases, others)
        return Deciding(cases, others)

    return at


def _probabilities(views: Sequence[View], line: Line) -> Iterator[fmpz_poly]:
    """What makes numbers of the views probabilities, and defined."""
    met: set[Exact] = set()
    for view in views:
        for part in view.classes:
            for number in (part.likelihood, part.prior, part.known):
                if number is None or isinstance(number, Fraction) or number in met:
                    continue
                met.add(number)
                form = line.form(number)
                yield form.top
                yield form.bottom
                if not (view.relative and number is part.likelihood):
                    yield form.bottom - form.top


class _Column:
    """A view whose likelihoods are compared."""

    def __init__(self, view: View, claim: Claim, line: Line) -> None:
        self.forms = [line.form(part.likelihood) for part in view.classes]
        self.sides = list(possible_sides(view, claim))
        self.more, self.less, self.strict = weights(claim)
        self.reports = claim.reports
        self.gains: dict[tuple[int, int], Any] = {}

    def decide(self, x: Fraction, cases: list[Case], others: list[fmpz_poly]) -> None:
        """Who is the most and the least likely here, and that they stay so."""
        values = [form.at(x) for form in self.forms]
        for inside, outside in self.sides:
            most = max(inside, key=values.__getitem__)
            least = min(outside, key=values.__getitem__)
            mine = self.more.numerator * self.less.denominator
            theirs = self.less.numerator * self.more.denominator
            seen, unseen = (self.forms[place].raised(self.reports) for place in (most, least))
            over = seen.minus(unseen, mine, theirs)
            cases.append(((self.forms[most], True), (over, self.strict)))
            others += [self.gain(most, place) for place in inside]
            others += [self.gain(place, least) for place in outside]

    def gain(self, one: int, two: int) -> fmpz_poly:
        """What one class has more of likelihood than another, up to its denominator."""
        if (one, two) not in self.gains:
            self.gains[one, two] = self.forms[one].minus(self.forms[two]).top
        return self.gains[one, two]

    @property
    def degree(self) -> int:
        """The greatest degree of a likelihood."""
        return max(int(max(f.top.degree(), f.bottom.degree())) for f in self.forms)
