"""Claims with free parameters as questions to solvers, in nonlinear arithmetic.

One question: is the claim violated somewhere? Where a region is known, two: is it violated inside
the region, and does it hold outside it, in the declared range? Neither may be possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify import solver
from ppdm_formal.certify.finding import Question, Trust
from ppdm_formal.certify.region import Interval, Region
from ppdm_formal.certify.smt import real
from ppdm_formal.certify.violations import Alternative, Inequality, TooManyAlternatives
from ppdm_formal.numbers.algebraic import Point, Root
from ppdm_formal.numbers.constant_symbol import constants
from ppdm_formal.numbers.deadline import Deadline
from ppdm_formal.numbers.exact import is_rational
from ppdm_formal.numbers.parameter import Parameter


def violated_text(alternatives: Sequence[Alternative], asker: Asker) -> str:
    """In some alternative all inequalities hold."""
    return _any_of([_all_of([_inequality(i, asker) for i in a]) for a in alternatives])


def sides_of_region(
    region: Region, alternatives: Sequence[Alternative], asker: Asker
) -> list[tuple[str, str]]:
    """In the region the claim is violated, and outside it is not: neither is possible."""
    where, violated = _region_text(region), violated_text(alternatives, asker)
    inside = [(where, violated)] if region.intervals else []
    outside = [] if region.complete else [(f"(not {where})", f"(not {violated})")]
    return inside + outside


class Asker:
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


def _inequality(inequality: Inequality, asker: Asker) -> str:
    """A quotient has the sign of the product of its two parts."""
    import sympy

    if constants(inequality.value):
        raise TooManyAlternatives("a claim with exponentials")
    top, bottom = sympy.fraction(sympy.together(inequality.value))
    symbols = [parameter.symbol for parameter in asker.parameters]
    polynomial = sympy.Poly(top * bottom, *symbols, domain="QQ")
    return f"({'>' if inequality.strict else '>='} {_polynomial(polynomial, asker)} 0.0)"


def _polynomial(polynomial: Any, asker: Asker) -> str:
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
    for power, coefficient in enumerate(point.coefficients):
        if not is_rational(coefficient):
            raise TooManyAlternatives("a region with exponentials")
        number = real(coefficient)
        terms.append(f"(* {number}{' s0' * power})" if power else number)
    rises = point.sign(near) > 0
    sign = f"{'>' if rises else '<'}{'=' if included else ''}"
    inner = f"({sign} (+ 0.0 {' '.join(terms)}) 0.0)"
    back = "<" if side == 1 else ">"
    within = f"(and ({compare} s0 {real(far)}) ({back} s0 {real(near)}) {inner})"
    return f"(or ({compare}= s0 {real(near)}) {within})"
