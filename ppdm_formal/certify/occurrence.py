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

from ppdm_formal.certify.all_priors import decide_all_priors
from ppdm_formal.certify.bound import within
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import Verdict
from ppdm_formal.certify.knapsack import Effort, Knapsack, maximize
from ppdm_formal.certify.known_prior import shares_of
from ppdm_formal.certify.one_property import decide_one_property
from ppdm_formal.declare.arithmetic.exact import ONE, ZERO
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.machine.deadline import NEVER
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.matrix import CodedMatrix, TooLarge
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.measures.discovery import measure_named
from ppdm_formal.derive.measures.formula_value import view_values
from ppdm_formal.derive.measures.posterior import joint_mass

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
    if witness is None or any(view.relative for view in certificate.views) or claim.reports > 1:
        return None
    if operator.within is not None:
        return None
    own: Prior | None = None
    properties: tuple[Property, ...] = ()
    if isinstance(claim, BreachClaim):
        if not isinstance(claim.under, Prior | None) or claim.knowing is not None:
            return None
        own = claim.under
        properties = () if claim.about is None else claim.properties[:1]
    else:
        tree = measure_named(claim.measure).tree
        if tree is None or tree.over == "sum":  # no single output breaks the bound on a sum
            return None
        own = claim.prior
    values = dict(witness.parameters or {})
    if values:
        operator = operator.substitute({p.name: values[p.name] for p in operator.parameters})
        own = None if own is None else own.substitute(values)
        priors = [prior.substitute(values) for prior in priors]
    test = _remembered(_test(claim.given(values), own))
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


def _test(claim: BreachClaim | BoundClaim, prior: Prior | None) -> Test:
    if isinstance(claim, BoundClaim):
        return lambda view: not _within(view, claim)
    if prior is not None and claim.about is None:
        return lambda view: _some_property_breaches(view, claim)
    decide = decide_all_priors if prior is None else decide_one_property
    return lambda view: decide([view], claim, NEVER).verdict is Verdict.BREACHED


def _within(view: View, claim: BoundClaim) -> bool:
    """Whether the measure is within its bound on this view alone."""
    measure = measure_named(claim.measure)
    if measure.of_ratios:
        gain = view.amplification
        if gain is None:
            return False
        return gain <= claim.limit if claim.relation == "<=" else gain < claim.limit
    tree = measure.tree
    assert tree is not None
    return all(within(one.value, claim) for one in view_values(tree, [view], claim.unit or "nat"))


def _some_property_breaches(view: View, claim: BreachClaim) -> bool | None:
    """The knapsack of one view, in both of its forms."""
    shares = shares_of(view)
    if shares is None:
        return False
    before, after, counts = shares
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
