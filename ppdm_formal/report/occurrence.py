"""How often a breach happens: the probability of an output that breaches.

An output breaches a claim if what it shows (its view) does: for some prior and property that the
claim admits. Under a prior that is a sum over views; over all inputs it is

    max over x of  sum of p[x -> y] over the outputs y that breach
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.knapsack import Amounts, Effort, Knapsack, maximize
from ppdm_formal.claim import BoundClaim, BreachClaim
from ppdm_formal.measures.information import output_information
from ppdm_formal.measures.posterior import joint_mass
from ppdm_formal.numbers.enclosure import Enclosure, log_of
from ppdm_formal.numbers.exact import ONE, ZERO
from ppdm_formal.operator.domain import Value
from ppdm_formal.operator.matrix import CodedMatrix, TooLarge
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Prior, PriorFamily, Property
from ppdm_formal.operator.view import InputClass, View

MAX_OUTPUTS = 1200
"""Operators with more outputs get a bound instead of the exact maximum over inputs."""

Test = Callable[[View], bool | None]
"""Whether a view breaches; None where that was not found out."""


@dataclass(frozen=True)
class Share:
    """A probability between two numbers (equal where it is exact), under a named prior."""

    prior: str
    least: Fraction
    most: Fraction


@dataclass(frozen=True)
class Occurrence:
    """How often an output breaches: under each prior, and at most over all inputs.

    exposed: an input whose reports breach that often, where it is known.
    """

    under: tuple[Share, ...]
    over_inputs: Fraction | None
    exact: bool
    every_output: bool
    exposed: Value | None = None


def occurrence(certificate: Certificate, priors: Sequence[Prior]) -> Occurrence | None:
    """For a breached claim; None for claims under families or with background knowledge."""
    claim, witness = certificate.claim, certificate.witness
    operator = certificate.operator
    if witness is None or any(view.relative for view in certificate.views):
        return None
    own: Prior | None = None
    properties: tuple[Property, ...] = ()
    if isinstance(claim, BreachClaim):
        if isinstance(claim.under, PriorFamily) or claim.knowing is not None:
            return None
        own = claim.under
        properties = () if claim.about is None else (claim.about,)
    else:
        own = claim.prior
    values = dict(witness.parameters or {})
    if values:
        operator = operator.substitute({p.name: values[p.name] for p in operator.parameters})
        own = None if own is None else own.substitute(values)
        priors = [prior.substitute(values) for prior in priors]
    test = _remembered(_test(operator, claim, own))
    asked = [own] if own is not None else [p for p in priors if not p.parameters]
    shares = tuple(_share(operator, prior, properties, test) for prior in asked)
    views = [view for view in operator.views(own, properties) if view.reachable]
    if own is not None:
        views = [view for view in views if joint_mass(view.classes)]
    every = all(test(view) is True for view in views)
    if every:
        return Occurrence(shares, ONE, True, True)
    most, exact, exposed = _over_inputs(operator, own, properties, views, test)
    return Occurrence(shares, most, exact, False, exposed)


def _share(operator: Operator, prior: Prior, properties: Sequence[Property], test: Test) -> Share:
    least = most = ZERO
    for view in operator.views(prior, properties):
        breaches = test(view) if view.reachable else False
        mass = view.outputs * joint_mass(view.classes)
        least += mass if breaches else 0
        most += mass if breaches is not False else 0
    return Share(prior.name, least, most)


def _over_inputs(
    operator: Operator,
    prior: Prior | None,
    properties: Sequence[Property],
    views: Sequence[View],
    test: Test,
) -> tuple[Fraction | None, bool, Value | None]:
    breaching = [view for view in views if test(view) is not False]
    exact = all(test(view) is not None for view in breaching)
    if all(view.outputs == 1 for view in breaching):
        columns = [operator.outputs.index(view.output) for view in breaching]
    elif operator.outputs.size <= MAX_OUTPUTS:
        columns = [
            column
            for column, output in enumerate(operator.outputs)
            if _breaches(operator.view_of(output, prior, properties), prior, test)
        ]
    else:
        bound = sum(
            (v.outputs * max(part.likelihood for part in v.classes) for v in breaching), ZERO
        )
        return min(ONE, bound), False, None
    try:
        coded = operator.matrix()
    except TooLarge:
        return None, False, None
    chosen: Any = coded.codes[:, columns]
    sums = [(value, row) for row, value in CodedMatrix(chosen, coded.palette).row_sums()]
    most, row = max(sums, key=lambda pair: pair[0])
    return most, exact, operator.inputs[row]


def _breaches(view: View, prior: Prior | None, test: Test) -> bool:
    if not view.reachable or (prior is not None and not joint_mass(view.classes)):
        return False
    return test(view) is not False


def _remembered(test: Test) -> Test:
    """Views that differ in their examples alone are tested once."""
    known: dict[Any, bool | None] = {}

    def remembered(view: View) -> bool | None:
        key = frozenset((p.likelihood, p.count, p.prior, p.member) for p in view.classes)
        if key not in known:
            known[key] = test(view)
        return known[key]

    return remembered


def _test(operator: Operator, claim: BreachClaim | BoundClaim, prior: Prior | None) -> Test:
    if isinstance(claim, BoundClaim):
        return _bound_test(operator, claim, prior)
    if prior is None:
        return lambda view: _ratio_breaches(view, claim)
    if claim.about is not None:
        return lambda view: _property_breaches(view, claim)
    return lambda view: _some_property_breaches(view, claim)


def _bound_test(operator: Operator, claim: BoundClaim, prior: Prior | None) -> Test:
    if claim.measure == "amplification":

        def exceeds(view: View) -> bool:
            most = max(part.likelihood for part in view.classes)
            least = min(part.likelihood for part in view.classes)
            limit = claim.bound * least
            return bool(most > limit or (claim.relation == "<" and most == limit))

        return exceeds
    assert prior is not None
    if claim.measure == "dependence":

        def depends(view: View) -> bool | None:
            possible = [part for part in view.classes if part.prior]
            mass = joint_mass(possible)
            ratios = [part.likelihood / mass for part in possible]
            if not all(ratios):
                return True
            held = log_of(max(max(r, 1 / r) for r in ratios)).holds(claim.relation, claim.bound)
            return None if held is None else not held

        return depends
    informed = {
        found.output: found.divergence
        for found in output_information(operator, prior, claim.unit or "bit")
    }

    def informs(view: View) -> bool | None:
        value = informed.get(view.output)
        if value is None:
            return None
        if not isinstance(value, Enclosure):
            return True
        held = value.holds(claim.relation, claim.bound)
        return None if held is None else not held

    return informs


def _ratio_breaches(view: View, claim: BreachClaim) -> bool:
    """Statement 1 and its converse, for every property or for the claim's own."""
    for direction in ("upward", "downward"):
        if claim.direction not in ("both", direction):
            continue
        inside: Sequence[InputClass] = view.classes
        outside: Sequence[InputClass] = view.classes
        if claim.about is not None:
            members = [part for part in view.classes if part.member[0]]
            others = [part for part in view.classes if not part.member[0]]
            inside, outside = (members, others) if direction == "upward" else (others, members)
        if not inside or not outside:
            continue
        most = max(part.likelihood for part in inside)
        least = min(part.likelihood for part in outside)
        if most and claim.rho1 * (1 - claim.rho2) * most >= (claim.rho2 * (1 - claim.rho1) * least):
            return True
    return False


def _property_breaches(view: View, claim: BreachClaim) -> bool:
    members = [part for part in view.classes if part.member[0]]
    before = sum((part.count * (part.prior or ZERO) for part in members), ZERO)
    after = joint_mass(members) / joint_mass(view.classes)
    upward = before <= claim.rho1 and after >= claim.rho2
    downward = before >= claim.rho2 and after <= claim.rho1
    return (upward and claim.direction != "downward") or (downward and claim.direction != "upward")


def _some_property_breaches(view: View, claim: BreachClaim) -> bool | None:
    """The knapsack of one view, in both of its forms."""
    mass = joint_mass(view.classes)
    if not mass:
        return False
    counts = tuple(part.count for part in view.classes)
    before = Amounts.of([part.prior or ZERO for part in view.classes])
    after = Amounts.of([(part.prior or ZERO) * part.likelihood / mass for part in view.classes])
    answers: list[bool | None] = []
    for direction, values, weights in (("upward", after, before), ("downward", before, after)):
        if claim.direction not in ("both", direction):
            continue
        effort = Effort(claim.rho2, ample=1000, hard=20_000)
        found = maximize([Knapsack(values, weights, counts, claim.rho1)], effort)
        if found.at_least >= claim.rho2:
            return True
        answers.append(False if found.at_most < claim.rho2 else None)
    return None if None in answers else False
