"""Which decider answers which claim; witnesses are replayed here before anything is reported."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from ppdm_formal.certify.canonical import claim_parameters, claim_views
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BreachWitness, Finding, Verdict
from ppdm_formal.certify.witness import replay
from ppdm_formal.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.numbers.deadline import Deadline
from ppdm_formal.numbers.parameter import Parameter
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Prior, PriorFamily
from ppdm_formal.operator.view import View


def decide(
    operator: Operator,
    claim: Claim,
    timeout: float,
    cross_check: bool,
    provenance: Mapping[str, Any] | None,
) -> Certificate:
    """Find, cross-check, replay."""
    if cross_check:
        from ppdm_formal.certify.by_solver import require

        require("z3", "cvc5")
    views = claim_views(operator, claim)
    parameters = claim_parameters(operator, claim)
    if parameters:
        from ppdm_formal.certify.parametric import decide_parametric

        solvers = ("z3", "cvc5") if cross_check else ("z3",)

        def decide_at(known: tuple[View, ...]) -> Finding:
            return decide_numbers(known, claim, timeout)

        finding = decide_parametric(views, claim, parameters, decide_at, timeout, solvers)
    else:
        finding = decide_numbers(views, claim, timeout)
        if cross_check and isinstance(claim, BreachClaim):
            from ppdm_formal.certify.by_solver import cross_checked

            finding = cross_checked(finding, views, claim, timeout)
    finding = with_vacuity(finding, views, claim, parameters, Deadline.after(timeout))
    return _replayed(operator, claim, views, finding, provenance)


def with_vacuity(
    finding: Finding,
    views: tuple[View, ...],
    claim: Claim,
    parameters: Sequence[Parameter],
    deadline: Deadline,
) -> Finding:
    """The finding with the fact whether any case can test the claim; a breach is a case."""
    if isinstance(claim, BoundClaim) or finding.verdict is Verdict.BREACHED:
        return finding
    from ppdm_formal.certify.vacuity import no_case_words, vacuity

    vacuous, why = vacuity(views, claim, parameters, deadline)
    reason = finding.reason
    if why is not None and finding.verdict is Verdict.CERTIFIED:
        reason = no_case_words(claim, why)
    return dataclasses.replace(finding, reason=reason, vacuous=vacuous, no_case=why)


def decide_numbers(views: tuple[View, ...], claim: Claim, timeout: float) -> Finding:
    """Decide a claim on views without free parameters."""
    if isinstance(claim, BreachClaim):
        return decide_breach(views, claim, timeout)
    from ppdm_formal.certify.bound import decide_bound

    return decide_bound(views, claim, Deadline.after(timeout))


def decide_breach(views: tuple[View, ...], claim: BreachClaim, timeout: float) -> Finding:
    """The exact decider of the claim's form; z3 where it does not finish."""
    if claim.under is None:
        from ppdm_formal.certify.ratio import decide_all_priors

        return decide_all_priors(views, claim)
    if isinstance(claim.under, Prior) and claim.about is not None:
        from ppdm_formal.certify.arithmetic import decide_one_property

        return decide_one_property(views, claim)
    if isinstance(claim.under, PriorFamily):
        from ppdm_formal.certify.family import decide_family

        finding = decide_family(views, claim, timeout)
    else:
        from ppdm_formal.certify.known_prior import decide_every_property

        finding = decide_every_property(views, claim, timeout)
    if finding.verdict is not Verdict.UNKNOWN:
        return finding
    from ppdm_formal.certify.by_solver import decide_by_solver

    second = decide_by_solver(views, claim, timeout)
    if second.verdict is not Verdict.UNKNOWN:
        return second
    return dataclasses.replace(second, reason=f"{finding.reason}; {second.reason}")


def _replayed(
    operator: Operator,
    claim: Claim,
    views: tuple[View, ...],
    finding: Finding,
    provenance: Mapping[str, Any] | None,
) -> Certificate:
    """The certificate, after its witness was recomputed from the definitions."""
    concrete = instance = None
    witness = finding.witness
    if witness is not None and witness.parameters:
        from ppdm_formal.certify.parametric import view_at

        instance = view_at(views[witness.view], witness.parameters)
    if isinstance(claim, BreachClaim) and isinstance(witness, BreachWitness):
        concrete = replay(operator, claim, views[witness.view], witness, instance)
    return Certificate(operator, claim, views, finding, concrete, instance, provenance)
