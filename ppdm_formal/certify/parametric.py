"""Claims with free parameters: an exact region for one, a decided answer for several.

The region is found with polynomials' roots and proved on both sides with nonlinear arithmetic:
nowhere in it is the claim violated, and nowhere outside (in the declared range) does it hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ppdm_formal.certify import solver
from ppdm_formal.certify.deciders import decide_numbers
from ppdm_formal.certify.finding import Finding, Question, Trust, Verdict
from ppdm_formal.certify.region import Interval, Region, find_region
from ppdm_formal.certify.region_words import region_words
from ppdm_formal.certify.smt import real
from ppdm_formal.certify.violations import (
    Alternative,
    Inequality,
    TooManyAlternatives,
    violations,
)
from ppdm_formal.claim import Claim
from ppdm_formal.numbers.algebraic import Point, Root
from ppdm_formal.numbers.deadline import NEVER, Deadline
from ppdm_formal.numbers.exact import Exact, substitute, to_sympy
from ppdm_formal.numbers.parameter import Parameter
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.operator.view import View

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
    solvers: Sequence[str] = ("z3",),
) -> Finding:
    """Certified if the claim holds for all values, breached (at one value) if not for all."""
    try:
        alternatives = violations(views, claim)
    except TooManyAlternatives as too_many:
        names = ", ".join(parameter.told.name for parameter in parameters)
        reason = f"{too_many} is not decided with {names} free: give a value with --set"
        return Finding(Verdict.UNKNOWN, reason)
    asker = _Asker(parameters, deadline, solvers)

    def decide_at(values: Mapping[str, Fraction]) -> Finding:
        return decide_numbers([view_at(view, values) for view in views], claim, deadline)

    if len(parameters) == 1:
        return _one_parameter(views, alternatives, parameters[0], decide_at, asker)
    return _several(alternatives, parameters, decide_at, asker)


def _one_parameter(
    views: Sequence[View],
    alternatives: Sequence[Alternative],
    parameter: Parameter,
    decide_at: DecideAt,
    asker: _Asker,
) -> Finding:
    region = find_region(alternatives, parameter)
    for side in _sides(region, alternatives, asker):
        asker.ask(side, "unsat")
    if asker.failure:
        reason = (
            f"found to hold for {region_words(region)}, but that was not proved: {asker.failure}"
        )
        return Finding(Verdict.UNKNOWN, reason, questions=tuple(asker.questions))
    evidence = {"kind": "region", "questions": list(range(len(asker.questions)))}
    found = Finding(
        Verdict.CERTIFIED,
        f"holds exactly for {region_words(region)}",
        evidence,
        region=region,
        questions=tuple(asker.questions),
        trust=asker.trust,
    )
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


def _several(
    alternatives: Sequence[Alternative],
    parameters: Sequence[Parameter],
    decide_at: DecideAt,
    asker: _Asker,
) -> Finding:
    model = asker.ask([_violated(alternatives, asker)])
    asked = tuple(asker.questions)
    if asker.failure:
        return Finding(Verdict.UNKNOWN, asker.failure, questions=asked)
    if model is None:
        evidence = {"kind": "solver", "questions": list(range(len(asked)))}
        reason = "holds for all values of the parameters"
        return Finding(Verdict.CERTIFIED, reason, evidence, questions=asked, trust=asker.trust)
    values = {p.name: model.get(asker.symbols[p.name], p.lower) for p in parameters}
    found = Finding(Verdict.BREACHED, "", {"kind": "witness"}, questions=asked)
    if all(values[p.name] in p for p in parameters):
        return _breached_at(values, decide_at, found)
    return Finding(Verdict.UNKNOWN, "the solver's values are irrational", questions=asked)


def questions_of(
    views: Sequence[View], claim: Claim, parameters: Sequence[Parameter]
) -> tuple[Region | None, list[str]]:
    """The region (of one parameter), and the questions whose answers must be unsat."""
    alternatives = violations(views, claim)
    asker = _Asker(parameters, NEVER, ())
    if len(parameters) > 1:
        return None, [asker.text([_violated(alternatives, asker)])]
    region = find_region(alternatives, parameters[0])
    return region, [asker.text(side) for side in _sides(region, alternatives, asker)]


def _violated(alternatives: Sequence[Alternative], asker: _Asker) -> str:
    return _any_of([_all_of([_inequality(i, asker) for i in a]) for a in alternatives])


def _sides(
    region: Region, alternatives: Sequence[Alternative], asker: _Asker
) -> list[tuple[str, str]]:
    """In the region the claim is violated, and outside it is not: neither is possible."""
    where, violated = _region_text(region), _violated(alternatives, asker)
    inside = [(where, violated)] if region.intervals else []
    outside = [] if region.complete else [(f"(not {where})", f"(not {violated})")]
    return inside + outside


def _breached_at(values: Mapping[str, Fraction], decide_at: DecideAt, found: Finding) -> Finding:
    """The witness at these values of the parameters."""
    at = decide_at(values)
    if at.verdict is not Verdict.BREACHED or at.witness is None:
        reason = f"the inequalities say breached, the exact rule {at.verdict.value}; report this"
        return Finding(Verdict.UNKNOWN, reason, questions=found.questions)
    where = ", ".join(f"{name} = {number_text(value)}" for name, value in values.items())
    reason = f"{found.reason}; breached at {where}" if found.reason else f"breached at {where}"
    witness = replace(at.witness, parameters=dict(values))
    return replace(found, verdict=Verdict.BREACHED, reason=reason, witness=witness)


class _Asker:
    """Puts questions about the declared parameters to each solver and keeps the answers."""

    def __init__(
        self, parameters: Sequence[Parameter], deadline: Deadline, solvers: Sequence[str]
    ) -> None:
        self.parameters, self.deadline, self.solvers = parameters, deadline, solvers
        self.symbols = {p.name: f"s{position}" for position, p in enumerate(parameters)}
        self.questions: list[Question] = []
        self.failure = ""

    @property
    def trust(self) -> Trust:
        """Which solvers must be trusted."""
        return Trust(tuple(dict.fromkeys(question.solver for question in self.questions)))

    def text(self, conditions: Sequence[str]) -> str:
        """The question whether the conditions can hold together for declared parameters."""
        lines = ["(set-logic QF_NRA)"]
        for parameter in self.parameters:
            symbol = self.symbols[parameter.name]
            low = ">=" if parameter.includes_lower else ">"
            high = "<=" if parameter.includes_upper else "<"
            lines += [
                f"(declare-const {symbol} Real)",
                f"(assert ({low} {symbol} {real(parameter.lower)}))",
                f"(assert ({high} {symbol} {real(parameter.upper)}))",
            ]
        lines += [f"(assert {condition})" for condition in conditions] + ["(check-sat)"]
        return "\n".join(lines) + "\n"

    def ask(self, conditions: Sequence[str], expected: str = "") -> Mapping[str, Fraction] | None:
        """The model if the conditions can hold together; failures are remembered."""
        text = self.text(conditions)
        answers = []
        for name in self.solvers:
            answer = solver.solver(name).ask(text, self.deadline.left)
            self.questions.append(Question(text, answer.solver, answer.answer))
            answers.append(answer)
            if answer.answer not in ("sat", "unsat"):
                self.failure = f"{name} gave no answer: {answer.why or answer.answer}"
        if not self.failure:
            found = {answer.answer for answer in answers}
            if len(found) > 1:
                self.failure = f"DISAGREEMENT between {' and '.join(self.solvers)}; report this"
            elif expected and found != {expected}:
                self.failure = "DISAGREEMENT: the solver refutes the region; report this"
        return answers[0].model if answers[0].answer == "sat" else None


def _all_of(conditions: Sequence[str]) -> str:
    return f"(and true {' '.join(conditions)})"


def _any_of(conditions: Sequence[str]) -> str:
    return f"(or false {' '.join(conditions)})"


def _inequality(inequality: Inequality, asker: _Asker) -> str:
    """A quotient has the sign of the product of its two parts."""
    import sympy

    top, bottom = sympy.fraction(sympy.together(inequality.value))
    symbols = [parameter.symbol for parameter in asker.parameters]
    polynomial = sympy.Poly(top * bottom, *symbols, domain="QQ")
    return f"({'>' if inequality.strict else '>='} {_polynomial(polynomial, asker)} 0.0)"


def _polynomial(polynomial: Any, asker: _Asker) -> str:
    names = [asker.symbols[str(symbol)] for symbol in polynomial.gens]
    terms = []
    for powers, coefficient in polynomial.terms():
        factors = [n for n, power in zip(names, powers, strict=True) for _ in range(power)]
        number = real(Fraction(int(coefficient.p), int(coefficient.q)))
        terms.append(f"(* {number} {' '.join(factors)})" if factors else number)
    return f"(+ 0.0 {' '.join(terms)})"


def _region_text(region: Region) -> str:
    return _any_of([_interval_text(interval) for interval in region.intervals])


def _interval_text(interval: Interval) -> str:
    """Between its ends; the parameter is the first symbol."""
    return _all_of(
        [
            _beyond(interval.start, 1, interval.start_included),
            _beyond(interval.end, -1, interval.end_included),
        ]
    )


def _beyond(point: Point, side: int, included: bool) -> str:
    """The first symbol lies above (side 1) or below (side -1) the point, or on it if included."""
    compare = ">" if side == 1 else "<"
    if not isinstance(point, Root):
        return f"({compare}{'=' if included else ''} s0 {real(point)})"
    # Next to its only root the polynomial has the sign of the interval's end on that side.
    near, far = (point.hi, point.lo) if side == 1 else (point.lo, point.hi)
    terms = []
    for power, coefficient in enumerate(reversed(point.polynomial.all_coeffs())):
        number = real(Fraction(int(coefficient.p), int(coefficient.q)))
        terms.append(f"(* {number}{' s0' * power})" if power else number)
    rises = bool(point.polynomial.eval(to_sympy(near)) > 0)
    sign = f"{'>' if rises else '<'}{'=' if included else ''}"
    inner = f"({sign} (+ 0.0 {' '.join(terms)}) 0.0)"
    back = "<" if side == 1 else ">"
    within = f"(and ({compare} s0 {real(far)}) ({back} s0 {real(near)}) {inner})"
    return f"(or ({compare}= s0 {real(near)}) {within})"
