"""Confirmation: a verdict that was decided exactly, put to z3 as well.

z3 gets an encoding of its own (smt.py, smt_bounds.py, parametric_smt.py), in a warm process and a
small share of the time. It can only take a verdict away: where it disagrees the verdict is
unknown, and where it has no answer the reason is kept. Certificates do not rest on it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import (
    BoundWitness,
    BreachWitness,
    Confirmation,
    Finding,
    Verdict,
)
from ppdm_formal.certify.one_sided import NotAsked
from ppdm_formal.certify.settling import Ask, NoAnswer, is_breached, is_broken
from ppdm_formal.certify.solver import solver
from ppdm_formal.certify.solver.by_solver import chosen_for_every_property
from ppdm_formal.certify.solver.smt_powers import too_high
from ppdm_formal.certify.violations import TooManyAlternatives, violations
from ppdm_formal.declare.arithmetic.exponential import TooManyPowers
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.derive.measures.discovery import measure_named

SOLVER = "z3"
SHARE, WHOLE = 1 / 60, 1 / 10
"""Of the time limit: for each claim, and for all claims of an audit together."""


class Confirmer:
    """Asks about one certificate after the other, within one budget."""

    def __init__(self, timeout: float) -> None:
        self.each, self.left = timeout * SHARE, timeout * WHOLE
        self.process = solver.solver(SOLVER)

    def start(self) -> None:
        """Begin to load the solver; nothing waits for it yet."""
        if solver.installed(SOLVER):
            self.process.start()

    def confirmed(self, certificate: Certificate) -> Certificate:
        """The certificate with what z3 says of its verdict; unknown where it says otherwise."""
        finding = certificate.finding
        if finding.verdict is Verdict.UNKNOWN or not finding.trust.exact or finding.questions:
            return certificate  # nothing to confirm, or solvers were asked already
        if certificate.claim.of_crowd:
            return certificate  # sums over a crowd are nothing that a solver of this kind decides
        begun = time.monotonic()
        try:
            said = self._asked(certificate)
        finally:
            self.left -= time.monotonic() - begun
        if said.disagrees:
            reason = (
                f"DISAGREEMENT: {said.solver} says otherwise than the exact decision "
                f"({finding.verdict.value}); please report this"
            )
            vacuous, views = finding.vacuous, finding.views
            finding = Finding(Verdict.UNKNOWN, reason, vacuous=vacuous, views=views)
        return replace(certificate, finding=replace(finding, confirmation=said))

    def _asked(self, certificate: Certificate) -> Confirmation:
        if not solver.installed(SOLVER):
            return Confirmation("", f"{SOLVER} is not installed")
        if self.left <= 0:
            return Confirmation("", "its share of the time limit was used up")
        if not self.process.ready(self.left):
            return Confirmation("", "it did not start in time")
        deadline = Deadline.after(min(self.each, self.left))

        def ask(text: str) -> bool:
            deadline.check()
            answer = self.process.ask(text, deadline.left)
            if answer.answer == "unknown":
                raise NoAnswer(answer.why or "it did not say why")
            return answer.answer == "sat"

        try:
            disagrees = deadline.enforce(lambda: _disagrees(certificate, ask, deadline))
        except (NotAsked, NoAnswer) as why:
            return Confirmation("", str(why))
        except TooManyPowers:
            return Confirmation("", str(too_high()))
        except DeadlinePassed:
            return Confirmation("", f"no answer within {deadline.limit:.2g} s")
        return Confirmation(self.process.label, "", disagrees)


def _disagrees(certificate: Certificate, ask: Ask, deadline: Deadline) -> bool:
    """Whether the solver says otherwise; NotAsked where it says nothing."""
    claim, breached = certificate.claim, certificate.verdict.fails
    parameters = claim.parameters(certificate.operator)
    if certificate.operator.within is not None:
        raise NotAsked("it is not asked about matrices that are known up to rounding")
    if certificate.region is not None or (parameters and not breached):
        return any(map(ask, _about_parameters(certificate, parameters, deadline)))
    views, witness = certificate.views, certificate.witness
    if witness is not None and certificate.instance is not None:
        views, claim = (certificate.instance,), claim.given(witness.parameters or {})
    elif witness is not None and _alone(claim):
        views = (views[witness.view],)
    seen = claim.seen(views)
    if isinstance(claim, BoundClaim):
        found = witness if isinstance(witness, BoundWitness) else None
        return is_broken(seen, claim, ask, breached, found) != breached
    if not breached and chosen_for_every_property(seen, claim):
        raise NotAsked("it is not asked about all sets of so many values")
    case = witness if isinstance(witness, BreachWitness) else None
    if case is not None:
        claim = replace(claim, direction=case.direction)
    return is_breached(seen, claim, ask, breached, case) != breached


def _alone(claim: Claim) -> bool:
    """Whether one view by itself breaks the claim."""
    if isinstance(claim, BreachClaim):
        return True
    measure = measure_named(claim.measure)
    return measure.tree is not None and measure.tree.over == "max"


def _about_parameters(
    certificate: Certificate, parameters: Sequence[Parameter], deadline: Deadline
) -> list[str]:
    """That the claim is broken nowhere; with a region, nowhere in it and everywhere outside."""
    from ppdm_formal.certify.parametric import questions_of_region
    from ppdm_formal.certify.solver.parametric_smt import Asker
    from ppdm_formal.certify.solver.ratio_smt import ratio_questions

    claim, views, region = certificate.claim, certificate.views, certificate.region
    try:
        if isinstance(claim, BoundClaim):
            violations((), claim)  # of amplification, or not asked
        elif claim.under is not None:
            return questions_of_region(views, claim, parameters, region, deadline)
        return ratio_questions(views, claim, region, Asker(parameters, deadline, ()))
    except TooManyAlternatives as too_many:
        raise NotAsked(f"{too_many} is too much to ask") from None
