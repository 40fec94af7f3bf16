"""Decide a claim about a finite operator: find, cross-check, replay the witness, say if vacuous."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ppdm_formal.certify.deciders import decide_numbers
from ppdm_formal.certify.finding import BreachWitness, Finding, Verdict
from ppdm_formal.certify.witness import replay
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import View


def decide(
    operator: Operator,
    claim: Claim,
    views: tuple[View, ...],
    deadline: Deadline,
    cross_check: bool,
) -> Finding:
    """What is found of a claim about an operator on a finite set, on what all reports show."""
    if claim.of_crowd:
        from ppdm_formal.certify.crowd import decide_crowd

        return decide_crowd(operator, claim, deadline)
    parameters = claim.parameters(operator)
    if isinstance(claim, BreachClaim) and claim.knowing and claim.knowing.within:
        reason = f"{claim.knowing.name} is not known exactly, but up to rounding: normalize it"
        return Finding(Verdict.UNKNOWN, reason, vacuous=None)
    if operator.within is not None:
        from ppdm_formal.certify.rounded import decide_rounded

        finding = decide_rounded(operator, claim, deadline)
        finding = with_vacuity(finding, views, claim, parameters, deadline)
        return _replayed(operator, claim, views, finding)
    seen = claim.seen(views)
    if parameters:
        from ppdm_formal.certify.parametric import decide_parametric

        finding = decide_parametric(views, claim, parameters, deadline, cross_check)
        finding = _confirmed_at_ends(finding, operator, claim, views, deadline)
    else:
        finding = decide_numbers(seen, claim, deadline)
        if finding.views:
            views = seen = finding.views
        if cross_check and isinstance(claim, BreachClaim):
            from ppdm_formal.certify.solver.by_solver import cross_checked

            finding = cross_checked(finding, seen, claim, deadline)
    finding = with_vacuity(finding, seen, claim, parameters, deadline)
    return _replayed(operator, claim, views, finding)


def _confirmed_at_ends(
    finding: Finding,
    operator: Operator,
    claim: Claim,
    views: tuple[View, ...],
    deadline: Deadline,
) -> Finding:
    """A region of relative views, confirmed at the ends that belong to the parameter's range.

    Their common factor may vanish there; the operator itself, given that value, is asked.
    """
    region = finding.region
    if region is None or not any(view.relative for view in views):
        return finding
    parameter = region.parameter
    for end in (parameter.lower, parameter.upper):
        if end not in parameter:
            continue
        at = operator.substitute({parameter.name: end})
        given = claim.given({parameter.name: end})
        found = decide_numbers(claim.seen(claim.views(at)), given, deadline)
        if (found.verdict is Verdict.CERTIFIED) != (end in region):
            reason = (
                f"at {parameter.name} = {end} the operator is of another form, and there the claim "
                f"is {found.verdict.value}: leave {end} out of the range, or give it with --set"
            )
            return Finding(Verdict.UNKNOWN, reason, questions=finding.questions)
    return finding


def with_vacuity(
    finding: Finding,
    views: tuple[View, ...],
    claim: Claim,
    parameters: Sequence[Parameter],
    deadline: Deadline,
) -> Finding:
    """The finding with the fact whether any case can test the claim; a breach is a case."""
    if isinstance(claim, BoundClaim) or finding.verdict.fails:
        return finding
    from ppdm_formal.certify.speaks import speaks, untested
    from ppdm_formal.certify.vacuity import no_case_words, vacuity

    vacuous, why, at = vacuity(views, claim, parameters, deadline)
    finding = dataclasses.replace(finding, vacuous=vacuous, no_case=why, tested=at)
    if finding.verdict is not Verdict.CERTIFIED:
        return finding
    if vacuous is None:  # never shown as a claim that holds
        reason = f"{finding.reason}, but whether any case can test the claim was not decided"
        return Finding(Verdict.UNKNOWN, reason, vacuous=None, questions=finding.questions)
    if why is not None:
        finding = dataclasses.replace(finding, reason=no_case_words(claim, why))
    try:
        if parameters:
            return finding
        if vacuous:
            return dataclasses.replace(finding, speaks=speaks(views, claim, deadline))
        return dataclasses.replace(finding, untested=untested(views, claim, deadline))
    except DeadlinePassed:  # the verdict stands without it
        return finding


def _replayed(
    operator: Operator, claim: Claim, views: tuple[View, ...], finding: Finding
) -> Finding:
    """The finding, after its witness was recomputed from the definitions."""
    concrete = instance = None
    witness = finding.witness
    if witness is not None and witness.parameters:
        from ppdm_formal.certify.parametric import view_at

        instance = view_at(views[witness.view], witness.parameters)
    if isinstance(claim, BreachClaim) and isinstance(witness, BreachWitness):
        concrete = replay(operator, claim, views[witness.view], witness, instance)
    return dataclasses.replace(finding, views=views, concrete=concrete, instance=instance)
