"""Claims with free parameters: an exact region for one, a decided answer for several.

For one parameter the region follows from the roots of the polynomials that decide. For several, a
breach is looked for at many points; that there is none is shown on boxes, and only where that does
not succeed is a solver asked, and trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ppdm_formal.certify.boxes import certified_on_boxes
from ppdm_formal.certify.deciders import decide_numbers
from ppdm_formal.certify.deciding import line_of, problem
from ppdm_formal.certify.dominance import DominantClasses, covers
from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.certify.region import Region, find_region, point_json
from ppdm_formal.certify.region_words import region_words
from ppdm_formal.certify.solver.parametric_smt import Asker, sides_of_region, violated_text
from ppdm_formal.certify.violations import Alternative, TooManyAlternatives, violations
from ppdm_formal.declare.arithmetic.constant_symbol import constants
from ppdm_formal.declare.arithmetic.exact import ONE, Exact, substitute
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.sampled import clearest, sample_points, sampled
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.machine.deadline import NEVER, Deadline, DeadlinePassed
from ppdm_formal.declare.operators.view import View

ROUNDING = 1e-12
"""How far below 0 a float may be that stands for 0."""

DecideAt = Callable[[Mapping[str, Fraction]], Finding]
"""Decides the claim at values of the parameters."""


def view_at(view: View, values: Mapping[str, Fraction]) -> View:
    """The view with parameters given values; its classes stay as they are."""

    def at(value: Exact | None) -> Exact | None:
        return None if value is None else substitute(value, values)

    classes = tuple(
        replace(
            part,
            likelihood=substitute(part.likelihood, values),
            prior=at(part.prior),
            knowledge=at(part.knowledge),
        )
        for part in view.classes
    )
    return replace(view, classes=classes)


def decide_parametric(
    views: Sequence[View],
    claim: Claim,
    parameters: Sequence[Parameter],
    deadline: Deadline,
    cross_check: bool = False,
) -> Finding:
    """Certified if the claim holds for all values, breached (at one value) if not for all.

    The views are the claim's own: of one report where ratios decide, whatever the reports.
    """

    def decide_at(values: Mapping[str, Fraction]) -> Finding:
        at = claim.seen([view_at(view, values) for view in views])
        return decide_numbers(at, claim.given(values), deadline)

    solvers = ("z3", "cvc5") if cross_check else ("z3",)
    try:
        if len(parameters) > 1:
            return _several(
                views, claim, parameters, decide_at, Asker(parameters, deadline, solvers)
            )
        found = _one_parameter(views, claim, parameters[0], decide_at, deadline)
        if cross_check and found.region is not None:
            return _asked_too(found, views, claim, Asker(parameters, deadline, solvers))
        return found
    except TooManyAlternatives as too_many:
        names = ", ".join(parameter.told.name for parameter in parameters)
        reason = f"{too_many} is not decided with {names} free: give a value with --set"
        return Finding(Verdict.UNKNOWN, reason)


def _one_parameter(
    views: Sequence[View],
    claim: Claim,
    parameter: Parameter,
    decide_at: DecideAt,
    deadline: Deadline,
) -> Finding:
    line = line_of(views, claim, parameter, deadline)
    region, cuts = find_region(problem(views, claim, line), line)
    evidence = {"kind": "region", "cuts": [point_json(cut) for cut in cuts]}
    reason = f"holds exactly for {region_words(region)}"
    found = Finding(Verdict.CERTIFIED, reason, evidence, region=region)
    if region.complete:
        return found
    if not region.violated:
        reason = f"holds exactly for {region_words(region)}; it fails at irrational values only"
        return replace(found, verdict=Verdict.UNKNOWN, reason=reason)
    violated = tuple(value for value in region.violated if value in parameter)
    if not violated:
        reason = f"holds for {region_words(region)}; it fails at the ends of the range only"
        return replace(found, verdict=Verdict.UNKNOWN, reason=reason)
    if any(view.relative for view in views):  # at an end their common factor may vanish
        inner = [value for value in violated if parameter.lower < value < parameter.upper]
        violated = (*inner, *violated)
    return _breached_at({parameter.name: violated[0]}, decide_at, found)


def _asked_too(found: Finding, views: Sequence[View], claim: Claim, asker: Asker) -> Finding:
    """The region again, put to solvers: anything but their agreement is unknown."""
    assert found.region is not None
    try:
        alternatives = _alternatives(views, claim, asker.parameters, asker.deadline)
    except TooManyAlternatives as too_many:
        reason = f"{found.reason}, but {too_many} with a free parameter is not put to solvers"
        return Finding(Verdict.UNKNOWN, reason)
    for side in sides_of_region(found.region, alternatives, asker):
        asker.ask(side, "unsat")
    questions = tuple(asker.questions)
    if asker.failure:
        reason = f"{found.reason}, but the cross-check failed: {asker.failure}"
        return Finding(Verdict.UNKNOWN, reason, questions=questions)
    return replace(found, questions=questions)


def _several(
    views: Sequence[View],
    claim: Claim,
    parameters: Sequence[Parameter],
    decide_at: DecideAt,
    asker: Asker,
) -> Finding:
    standing = covers(views, claim, parameters, asker.deadline)
    breach = Finding(Verdict.BREACHED, "", {"kind": "witness"})
    broken = violations(views, claim, standing)
    values = _worst_sample(broken, parameters)
    if values is not None:
        found = _breached_at(values, decide_at, breach)
        if found.verdict is Verdict.BREACHED:
            return found
    if any(constants(part.value) for alternative in broken for part in alternative):
        reason = "powers of e are not decided beside several free parameters: say epsilon as ln(q)"
        return Finding(Verdict.UNKNOWN, f"{reason}, or give values with --set")
    reason = "no values of the parameters break it"
    evidence = _on_boxes(views, claim, parameters, standing, asker.deadline)
    cross_check = len(asker.solvers) > 1
    if evidence is not None and not cross_check:
        return Finding(Verdict.CERTIFIED, reason, evidence)
    alternatives = _alternatives(views, claim, parameters, asker.deadline)
    model = asker.ask([violated_text(alternatives, asker)])
    asked = tuple(asker.questions)
    if asker.failure:
        return Finding(Verdict.UNKNOWN, asker.failure, questions=asked)
    if model is None and evidence is not None:
        return Finding(Verdict.CERTIFIED, reason, evidence, questions=asked)
    if model is None:
        evidence = {"kind": "solver", "questions": list(range(len(asked)))}
        return Finding(Verdict.CERTIFIED, reason, evidence, questions=asked, trust=asker.trust)
    values = {p.name: model.get(asker.symbols[p.name], p.lower) for p in parameters}
    if all(values[p.name] in p for p in parameters):
        return _breached_at(values, decide_at, replace(breach, questions=asked))
    return Finding(Verdict.UNKNOWN, "the solver's values are irrational", questions=asked)


def _on_boxes(
    views: Sequence[View],
    claim: Claim,
    parameters: Sequence[Parameter],
    standing: Sequence[DominantClasses],
    deadline: Deadline,
) -> dict[str, object] | None:
    """Evidence on boxes, if half the time that is left finds it."""
    if claim.by_counts:
        return None
    try:
        return certified_on_boxes(views, claim, parameters, standing, deadline.part(0.5))
    except DeadlinePassed:
        return None


def _worst_sample(
    alternatives: Sequence[Alternative], parameters: Sequence[Parameter]
) -> dict[str, Fraction] | None:
    """Where samples in floats say that the claim is violated (or nearly), and most clearly so."""
    points = sample_points(parameters)
    best, where = -ROUNDING, None
    for alternative in alternatives:
        values = [part.value for part in alternative] or [ONE]
        place, least = clearest(sampled(values, parameters, points))
        if least > best:
            best, where = least, points[place]
    if where is None:
        return None
    return {parameter.name: x for parameter, x in zip(parameters, where, strict=True)}


def questions_of_region(
    views: Sequence[View],
    claim: Claim,
    parameters: Sequence[Parameter],
    region: Region | None,
    deadline: Deadline,
) -> list[str]:
    """Questions that are all unsat iff the claim holds in the region (or anywhere) alone."""
    alternatives = _alternatives(views, claim, parameters, deadline)
    asker = Asker(parameters, deadline, ())
    if region is None:
        return [asker.text([violated_text(alternatives, asker)])]
    return [asker.text(side) for side in sides_of_region(region, alternatives, asker)]


def questions_of(
    views: Sequence[View], claim: Claim, parameters: Sequence[Parameter]
) -> tuple[Region | None, list[str]]:
    """The questions whose answers must be unsat where a solver is trusted.

    With one parameter the region, too: older certificates rest on a solver there.
    """
    region = None
    if len(parameters) == 1:
        line = line_of(views, claim, parameters[0], NEVER)
        region, _ = find_region(problem(views, claim, line), line)
    return region, questions_of_region(views, claim, parameters, region, NEVER)


def _alternatives(
    views: Sequence[View], claim: Claim, parameters: Sequence[Parameter], deadline: Deadline
) -> list[Alternative]:
    """All ways to violate the claim; where they are too many, by those that stand for others."""
    try:
        return violations(views, claim)
    except TooManyAlternatives:
        return violations(views, claim, covers(views, claim, parameters, deadline))


def _breached_at(values: Mapping[str, Fraction], decide_at: DecideAt, found: Finding) -> Finding:
    """The witness at these values of the parameters."""
    at = decide_at(values)
    if at.verdict is not Verdict.BREACHED or at.witness is None:
        reason = f"the inequalities say breached, the exact rule {at.verdict.value}; report this"
        return Finding(Verdict.UNKNOWN, reason, questions=found.questions)
    where = ", ".join(f"{name} = {number_text(value)}" for name, value in values.items())
    reason = f"{found.reason}; breached at {where}" if found.reason else f"breached at {where}"
    witness = replace(at.witness, parameters=dict(values))
    somewhere = found.region is not None and found.region.intervals
    verdict = Verdict.PARTLY if somewhere else Verdict.BREACHED
    return replace(found, verdict=verdict, reason=reason, witness=witness)
