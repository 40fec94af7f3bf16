"""Claims with free parameters as questions to solvers, in nonlinear arithmetic.

One question: is the claim violated somewhere? Where a region is known, two: is it violated inside
the region, and does it hold outside it, in the declared range? Neither may be possible. Solvers do
not know e: a symbol between two rationals stands for E = e^step, and what is impossible for all of
its values is so for E.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.finding import Question, Trust
from ppdm_formal.certify.region import Interval, Region
from ppdm_formal.certify.solver import solver
from ppdm_formal.certify.solver.smt import real
from ppdm_formal.certify.violations import Alternative, Inequality
from ppdm_formal.declare.arithmetic.algebraic import Point, Root
from ppdm_formal.declare.arithmetic.constant_symbol import constants
from ppdm_formal.declare.arithmetic.enclosure import real_enclosure
from ppdm_formal.declare.arithmetic.exact import Exact
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real, common_step, exp_of, spread
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.rational_function import Terms
from ppdm_formal.declare.machine.deadline import Deadline

_E_DIGITS = 60
"""Digits of the rationals around E."""


def violated_text(alternatives: Sequence[Alternative], asker: Asker) -> str:
    """In some alternative all inequalities hold."""
    asker.step = asker.step or step_of(None, [i.value for a in alternatives for i in a])
    return any_of([all_of([_inequality(i, asker) for i in a]) for a in alternatives])


def sides_of_region(
    region: Region, alternatives: Sequence[Alternative], asker: Asker
) -> list[tuple[str, str]]:
    """In the region the claim is violated, and outside it is not: neither is possible."""
    asker.step = step_of(region, [i.value for a in alternatives for i in a])
    where, violated = region_text(region, asker.step), violated_text(alternatives, asker)
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
        self.step: Fraction | None = None
        self.questions: list[Question] = []
        self.failure = ""

    @property
    def known_step(self) -> Fraction:
        """The step of e, where there are exponentials."""
        assert self.step is not None
        return self.step

    @property
    def trust(self) -> Trust:
        """Which solvers must be trusted."""
        return Trust(tuple(dict.fromkeys(question.solver for question in self.questions)))

    def text(self, conditions: Sequence[str], others: Sequence[str] = ()) -> str:
        """The question whether the conditions can hold together for declared parameters.

        others: symbols of the conditions that stand for any numbers.
        """
        lines = ["(set-logic QF_NRA)", *(f"(declare-const {name} Real)" for name in others)]
        if self.step is not None:
            around = real_enclosure(exp_of(self.step), _E_DIGITS)
            lines += [
                "(declare-const e Real)",
                f"(assert (> e {real(around.lo)}))",
                f"(assert (< e {real(around.hi)}))",
            ]
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


def all_of(conditions: Sequence[str]) -> str:
    """The conjunction."""
    return f"(and true {' '.join(conditions)})"


def any_of(conditions: Sequence[str]) -> str:
    """The disjunction."""
    return f"(or false {' '.join(conditions)})"


def _inequality(inequality: Inequality, asker: Asker) -> str:
    """A quotient has the sign of the product of its two parts."""
    import sympy

    top, bottom = sympy.fraction(sympy.together(inequality.value))
    powers = constants(inequality.value)
    symbols = [*(parameter.symbol for parameter in asker.parameters), *powers]
    polynomial = sympy.Poly(top * bottom, *symbols, domain="QQ")
    terms = [(own, Fraction(int(c.p), int(c.q))) for own, c in polynomial.terms()]
    shown = polynomial_text(terms, symbols, powers, asker)
    return f"({'>' if inequality.strict else '>='} {shown} 0.0)"


def polynomial_text(
    polynomial: Terms, symbols: Sequence[Any], constants: Mapping[Any, Fraction], asker: Asker
) -> str:
    """A polynomial in the parameters, and in the constants that are powers of e."""
    names = [
        ([asker.symbols[str(symbol)]] if symbol not in constants else ["e"])
        * (int(constants[symbol] / asker.known_step) if symbol in constants else 1)
        for symbol in symbols
    ]
    terms = []
    for powers, coefficient in polynomial:
        factors = [n for own, power in zip(names, powers, strict=True) for n in own * power]
        number = real(coefficient)
        terms.append(f"(* {number} {' '.join(factors)})" if factors else number)
    return f"(+ 0.0 {' '.join(terms)})"


def step_of(region: Region | None, values: Iterable[Exact]) -> Fraction | None:
    """The step of which all exponents of e are multiples; None where there are none."""
    found = {q for value in values for q in constants(value).values()}
    for interval in () if region is None else region.intervals:
        for point in (interval.start, interval.end):
            if isinstance(point, Root):
                found |= {c.step for c in point.coefficients if isinstance(c, ExpNumber)}
    return common_step(found) if found else None


def region_text(region: Region, step: Fraction | None) -> str:
    """Where the parameter lies in the region."""
    return any_of([_interval_text(interval, region, step) for interval in region.intervals])


def _interval_text(interval: Interval, region: Region, step: Fraction | None) -> str:
    """Between its ends, but for powers of e that end the range; the parameter is s0."""
    conditions = []
    if not (isinstance(interval.start, Root) and region.from_start(interval)):
        conditions.append(_beyond(interval.start, 1, interval.start_included, step))
    if not (isinstance(interval.end, Root) and region.to_end(interval)):
        conditions.append(_beyond(interval.end, -1, interval.end_included, step))
    return all_of(conditions)


def _real(number: Real, step: Fraction | None) -> str:
    """A number, its exponentials as powers of e^step."""
    if isinstance(number, Fraction):
        return real(number)
    assert step is not None
    parts = []
    for part in spread(number, step):
        terms = (f"(* {real(Fraction(int(c)))}{' e' * k} 1.0)" for k, c in enumerate(part.coeffs()))
        parts.append(f"(+ 0.0 {' '.join(terms)})")
    return f"(/ {parts[0]} {parts[1]})"


def _beyond(point: Point, side: int, included: bool, step: Fraction | None) -> str:
    """The first symbol lies above (side 1) or below (side -1) the point, or on it if included."""
    compare = ">" if side == 1 else "<"
    if not isinstance(point, Root):
        return f"({compare}{'=' if included else ''} s0 {real(point)})"
    # Next to its only root the polynomial has the sign of the interval's end on that side.
    near, far = (point.hi, point.lo) if side == 1 else (point.lo, point.hi)
    terms = []
    for power, coefficient in enumerate(point.coefficients):
        number = _real(coefficient, step)
        terms.append(f"(* {number}{' s0' * power})" if power else number)
    rises = point.sign(near) > 0
    sign = f"{'>' if rises else '<'}{'=' if included else ''}"
    inner = f"({sign} (+ 0.0 {' '.join(terms)}) 0.0)"
    back = "<" if side == 1 else ">"
    within = f"(and ({compare} s0 {real(far)}) ({back} s0 {real(near)}) {inner})"
    return f"(or ({compare}= s0 {real(near)}) {within})"
