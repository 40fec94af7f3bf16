"""Decide a breach claim by solvers alone: all questions unsat, or a model that is replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ppdm_formal.certify.finding import BreachWitness, Finding, Question, Trust, Verdict
from ppdm_formal.certify.one_sided import NotAsked
from ppdm_formal.certify.settling import NoAnswer, is_breached
from ppdm_formal.certify.solver import solver
from ppdm_formal.certify.solver.smt import questions, witness_of
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.view import View, has_exponentials


class SolverMissing(ValueError):
    """A solver that was asked for is not installed."""


def decide_by_solver(
    views: Sequence[View], claim: BreachClaim, deadline: Deadline, name: str = "z3"
) -> Finding:
    """Ask one solver about every view and direction, until one has a breach."""
    if chosen_for_every_property(views, claim):
        return Finding(Verdict.UNKNOWN, f"{name} is not asked about all sets of so many values")
    if has_exponentials(views):
        return Finding(Verdict.UNKNOWN, f"{name} does not know the numbers e^q exactly")
    process = solver.solver(name)
    asked: list[Question] = []
    for encoded in questions(views, claim):
        answer = process.ask(encoded.text, deadline.left)
        asked.append(Question(encoded.text, answer.solver, answer.answer))
        if answer.answer == "sat":
            witness = witness_of(encoded, views[encoded.view], claim, answer.model)
            change = f"from {number_text(witness.before)} to {number_text(witness.after)}"
            reason = f"{answer.solver} found a property that goes {change}"
            evidence = {"kind": "witness"}
            return Finding(Verdict.BREACHED, reason, evidence, witness, questions=tuple(asked))
        if answer.answer != "unsat":
            reason = f"{name} gave no answer: {answer.why or answer.answer}"
            return Finding(Verdict.UNKNOWN, reason, questions=tuple(asked))
    return Finding(
        Verdict.CERTIFIED,
        f"{process.label} finds no breach on any view",
        {"kind": "solver", "questions": list(range(len(asked)))},
        questions=tuple(asked),
        trust=Trust((process.label,)),
    )


def chosen_for_every_property(views: Sequence[View], claim: BreachClaim) -> bool:
    """Whether views are some of many, so that no property on them is one on all."""
    known = isinstance(claim.under, Prior) and claim.about is None
    return known and any(view.chosen is not None for view in views)


def _second(
    finding: Finding, views: Sequence[View], claim: BreachClaim, deadline: Deadline, name: str
) -> Finding:
    """What one solver says of a finding; where there are numbers e^q, of its own case."""
    numbers = (claim.rho1, claim.rho2)
    if not has_exponentials(views) and all(isinstance(n, Fraction) for n in numbers):
        return decide_by_solver(views, claim, deadline, name)
    if chosen_for_every_property(views, claim):
        return Finding(Verdict.UNKNOWN, f"{name} is not asked about all sets of so many values")
    asked: list[Question] = []

    def ask(text: str) -> bool:
        answer = solver.solver(name).ask(text, deadline.left)
        asked.append(Question(text, answer.solver, answer.answer))
        if answer.answer not in ("sat", "unsat"):
            raise NoAnswer(f"{name} gave no answer: {answer.why or answer.answer}")
        return answer.answer == "sat"

    case = finding.witness if isinstance(finding.witness, BreachWitness) else None
    if case is not None:
        views, claim = (views[case.view],), replace(claim, direction=case.direction)
    try:
        breached = is_breached(views, claim, ask, finding.verdict is Verdict.BREACHED, case)
    except NoAnswer as why:
        return Finding(Verdict.UNKNOWN, str(why), questions=tuple(asked))
    except NotAsked as why:
        return Finding(Verdict.UNKNOWN, f"{name}: {why}", questions=tuple(asked))
    verdict = Verdict.BREACHED if breached else Verdict.CERTIFIED
    return Finding(verdict, f"{name} finds it so", questions=tuple(asked))


def cross_checked(
    finding: Finding, views: Sequence[View], claim: BreachClaim, deadline: Deadline
) -> Finding:
    """Ask z3 and cvc5 as well; anything but agreement is unknown."""
    if finding.verdict is Verdict.UNKNOWN:
        return finding
    everything = finding.questions
    for name, share in (("z3", 0.5), ("cvc5", 1)):
        second = _second(finding, views, claim, deadline.part(share), name)
        everything += second.questions
        if second.verdict is Verdict.UNKNOWN:
            reason = f"cross-check failed: {second.reason}"
            return Finding(Verdict.UNKNOWN, reason, questions=everything)
        if second.verdict is not finding.verdict:
            reason = (
                f"DISAGREEMENT: {name} says {second.verdict.value}, "
                f"but it was found {finding.verdict.value}; please report this"
            )
            return Finding(Verdict.UNKNOWN, reason, questions=everything)
    return replace(finding, questions=everything)


def require(*names: str) -> None:
    """Refuse to go on without these solvers."""
    for name in names:
        if not solver.installed(name):
            raise SolverMissing(f"{name} is not installed (pip install 'ppdm_formal[solvers]')")
