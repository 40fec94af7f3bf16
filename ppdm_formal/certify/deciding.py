"""What decides a claim along one free parameter: cases, and orders of likelihoods.

A claim is violated iff in some case all inequalities hold. Under all priors (and for bounds on
amplification) the most and the least likely class of a view at a sample stand for all classes,
as far as none overtakes them: that they do not is part of what decides. Delta adds up the outputs
at which one input of a pair exceeds the other at the sample, as far as they stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.prior_cases import Case, prior_cases
from ppdm_formal.certify.violations import (
    Alternative,
    TooManyAlternatives,
    possible_sides,
    violations,
    weights,
)
from ppdm_formal.declare.arithmetic.constant_symbol import constants
from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, common_step, sign_of
from ppdm_formal.declare.arithmetic.line import Line, LineForm
from ppdm_formal.declare.arithmetic.line_polynomial import Polynomial, Ring, degree
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.measures.delta import by_pair

MAX_DEGREE = 200
"""Greatest degree of a likelihood of several reports."""


@dataclass(frozen=True)
class Deciding:
    """Violated iff in some case all holds; `others` must keep their signs as well."""

    cases: Sequence[Case]
    others: Sequence[Polynomial] = ()

    def polynomials(self) -> Iterator[Polynomial]:
        """All that must not change sign between two neighbouring cuts."""
        for case in self.cases:
            for form, _ in case:
                yield form.top
                yield form.bottom
        yield from self.others

    def violated(self, sign: Callable[[LineForm], int]) -> bool:
        """Whether the claim is violated where closed forms have these signs."""
        return any(all(sign(form) >= strict for form, strict in case) for case in self.cases)


Problem = Callable[[Fraction], Deciding]
"""What decides in the neighbourhood of a value of the parameter."""


def fixed(alternatives: Sequence[Alternative], line: Line) -> Problem:
    """The same inequalities everywhere."""
    found = Deciding([tuple((line.form(i.value), i.strict) for i in a) for a in alternatives])
    return lambda at: found


def line_of(views: Sequence[View], claim: Claim, parameter: Parameter, deadline: Deadline) -> Line:
    """The parameter's line, with the exponentials of the views and of the claim in its ring."""
    given: list[Exact] = (
        [claim.limit] if isinstance(claim, BoundClaim) else [claim.rho1, claim.rho2]
    )
    if isinstance(claim, BoundClaim) and claim.at is not None:
        given.append(e_to(claim.at))
    numbers = {n for view in views for part in view.classes for n in (part.likelihood, part.prior)}
    numbers |= {part.known for view in views for part in view.classes}
    found = {q for number in (*given, *numbers) for q in _exponents(number)}
    if not found:
        return Line(parameter, deadline, exactly=True)
    # So that t^n = e^q has the root e^(q/n) for the powers n that bounds are met with.
    found |= {q * parameter.step / claim.reports for q in found}
    found |= {q for end in parameter.ends for q in _exponents(end)}
    return Line(parameter, deadline, Ring(common_step(found)), exactly=True)


def _exponents(number: Exact | None) -> Iterator[Fraction]:
    """The powers of e that a number or closed form is made of."""
    if isinstance(number, ExpNumber):
        yield from (q for part in number.terms() for q, _ in part if q)
    elif number is not None and is_symbolic(number):
        yield from constants(number).values()


def problem(views: Sequence[View], claim: Claim, line: Line) -> Problem:
    """What decides a claim on views with one free parameter, probabilities that stay so included.

    TooManyAlternatives where the claim has too many cases, or is not of inequalities.
    """
    valid = list(_probabilities(views, line))
    if isinstance(claim, BreachClaim) and claim.under is not None:
        if not isinstance(claim.under, Prior):
            raise TooManyAlternatives("a family of priors")
        found = Deciding(prior_cases(views, claim, line), valid)
        return lambda at: found
    columns: Sequence[_Column | _Pair]
    if isinstance(claim, BoundClaim) and claim.at is not None:
        if claim.reports > 1:
            raise TooManyAlternatives("delta of several reports")
        columns = [_Pair(shown, claim, line) for shown in by_pair(views).values()]
    else:
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


def _probabilities(views: Sequence[View], line: Line) -> Iterator[Polynomial]:
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
        more, less, self.strict = weights(claim)
        self.more, self.less = line.form(more), line.form(less)
        self.reports = claim.reports
        self.gains: dict[tuple[int, int], Polynomial] = {}

    def decide(self, x: Fraction, cases: list[Case], others: list[Polynomial]) -> None:
        """Who is the most and the least likely here, and that they stay so."""
        values = [form.at(x) for form in self.forms]
        for inside, outside in self.sides:
            most = max(inside, key=values.__getitem__)
            least = min(outside, key=values.__getitem__)
            seen, unseen = (self.forms[place].raised(self.reports) for place in (most, least))
            over = seen.times(self.more).minus(unseen.times(self.less))
            cases.append(((self.forms[most], True), (over, self.strict)))
            others += [self.gain(most, place) for place in inside]
            others += [self.gain(place, least) for place in outside]

    def gain(self, one: int, two: int) -> Polynomial:
        """What one class has more of likelihood than another, up to its denominator."""
        if (one, two) not in self.gains:
            self.gains[one, two] = self.forms[one].minus(self.forms[two]).top
        return self.gains[one, two]

    @property
    def degree(self) -> int:
        """The greatest degree of a likelihood."""
        return max(max(degree(form.top), degree(form.bottom)) for form in self.forms)


class _Pair:
    """Two inputs whose likelihoods are compared output by output: what one exceeds the other by."""

    degree = 0  # delta is of one report

    def __init__(self, shown: Sequence[View], claim: BoundClaim, line: Line) -> None:
        assert claim.at is not None
        factor = line.form(e_to(claim.at))
        self.bound, self.strict = line.form(claim.bound), claim.relation == "<="
        self.nothing = line.form(Fraction(0))
        both = [[line.form(part.likelihood) for part in view.classes] for view in shown]
        self.gaps = [
            [forms[likely].minus(forms[1 - likely].times(factor)) for forms in both]
            for likely in (0, 1)
        ]
        self.outputs = [line.form(Fraction(view.outputs)) for view in shown]

    def decide(self, x: Fraction, cases: list[Case], others: list[Polynomial]) -> None:
        """The outputs at which one exceeds the other here, and that they stay these."""
        for gaps in self.gaps:
            total = self.nothing
            for gap, outputs in zip(gaps, self.outputs, strict=True):
                others += [gap.top, gap.bottom]
                if sign_of(gap.at(x)) > 0:
                    total = total.plus(gap.times(outputs))
            cases.append(((total.minus(self.bound), self.strict),))
