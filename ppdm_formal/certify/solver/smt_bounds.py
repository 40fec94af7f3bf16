"""Bounds on measures as SMT-LIB 2 questions: "does this view, or do all, break the bound?".

Written from the definitions, independently of the exact deciders: the amplification as two inputs
with their likelihoods, other measures as their formula. Logarithms have no such question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, TypeAlias

from ppdm_formal.certify.finding import BoundWitness
from ppdm_formal.certify.one_sided import AS_THEY_ARE, NotAsked, Rounding
from ppdm_formal.certify.solver.smt import real
from ppdm_formal.certify.solver.smt_powers import Powers, product
from ppdm_formal.certify.solver.smt_ratio import RatioQuestion
from ppdm_formal.certify.solver.smt_text import SmtQuestion
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.operators.view import InputClass, View
from ppdm_formal.derive.measures.delta import by_pair
from ppdm_formal.derive.measures.discovery import measure_named
from ppdm_formal.derive.measures.formula import Term

Write: TypeAlias = Callable[[Real], str]
"""How a number is written."""

Condition: TypeAlias = Callable[[Write, Write], str]
"""A condition, from how numbers are written that break a bound by being greater, or less."""


class BoundQuestion(Protocol):
    """Whether a bound is broken, as a question; with numbers e^q, as several."""

    @property
    def rational(self) -> bool:
        """Whether there are no numbers e^q."""

    def block(self) -> SmtQuestion:
        """The question in rationals: sat iff the bound is broken."""

    def keeping(self, digits: int) -> Iterator[list[SmtQuestion]]:
        """Ways to show that the bound is kept: all questions of one are unsat."""

    def breaking(self, digits: int) -> Iterator[tuple[SmtQuestion, bool]]:
        """Ways to show that the bound is broken: a question is sat, or else unsat."""


@dataclass(frozen=True)
class GroundCondition:
    """A condition without symbols: it holds iff the bound is broken.

    one_sided: whether each number is known to break the bound by being greater, or by being less.
    """

    condition: Condition
    one_sided: bool

    @property
    def numbers(self) -> set[Real]:
        """All numbers that it is made of."""
        found: set[Real] = set()

        def met(number: Real) -> str:
            found.add(number)
            return ""

        self.condition(met, met)
        return found

    @property
    def rational(self) -> bool:
        """Whether there are no numbers e^q."""
        return not any(isinstance(number, ExpNumber) for number in self.numbers)

    def block(self, rounding: Rounding = AS_THEY_ARE) -> SmtQuestion:
        """The question in rationals."""
        over, under = (lambda v: real(rounding.over(v))), (lambda v: real(rounding.under(v)))
        return SmtQuestion("QF_NRA", (), (self.condition(over, under),))

    def keeping(self, digits: int) -> Iterator[list[SmtQuestion]]:
        """Not even with help is it broken; for no value of e."""
        if self.one_sided:
            yield [self.block(Rounding(True, digits))]
        powers = Powers(self.numbers, digits)
        yield [powers.block_with_d([self.condition(powers.text, powers.text)])]

    def breaking(self, digits: int) -> Iterator[tuple[SmtQuestion, bool]]:
        """It is broken in spite of hindrance; for no value of e is it not."""
        if self.one_sided:
            yield self.block(Rounding(False, digits)), True
        powers = Powers(self.numbers, digits)
        denied = f"(not {self.condition(powers.text, powers.text)})"
        yield powers.block_with_d([denied]), False


def bound_questions(
    views: Sequence[View], claim: BoundClaim, case: BoundWitness | None = None
) -> Iterator[BoundQuestion]:
    """Questions of which at least one is sat iff the bound is broken; one at a time.

    case: where the one view breaks it, as was found.
    """
    measure = measure_named(claim.measure)
    breaks = ">" if claim.relation == "<=" else ">="
    if measure.of_ratios:
        return (RatioQuestion(v, claim.limit, breaks, case) for v in views if v.reachable)
    if measure.certified == "pairs":
        assert claim.at is not None
        factor = e_to(claim.at)
        return (
            GroundCondition(partial(_exceeds, shown, ends, factor, claim.bound, breaks), True)
            for shown in by_pair(views).values()
            for ends in ((0, 1), (1, 0))
        )
    if measure.tree is None or measure.tree.has_logarithm:
        raise NotAsked("it knows no logarithms")
    term, added = measure.tree.of, measure.tree.over != "max"
    groups: dict[Any, list[View]] = {}
    for place, view in enumerate(_occurring(views)):
        groups.setdefault(view.known if added else place, []).append(view)
    return (
        GroundCondition(partial(_term, shown, term, added, claim.bound, breaks), False)
        for shown in groups.values()
    )


def _exceeds(
    shown: Sequence[View],
    ends: tuple[int, int],
    factor: Real,
    bound: Real,
    breaks: str,
    over: Write,
    under: Write,
) -> str:
    """What one input's likelihoods exceed `factor` times the other's by, over all outputs."""
    parts = []
    for view in shown:
        likely, unlikely = (view.classes[end].likelihood for end in ends)
        gap = f"(- {over(likely)} {under(product(factor, unlikely))})"
        parts.append(f"(* {real(Fraction(view.outputs))} (ite (> {gap} 0.0) {gap} 0.0))")
    return f"({breaks} (+ 0.0 {' '.join(parts)}) {under(bound)})"


def _term(
    shown: Sequence[View],
    term: Term,
    added: bool,
    bound: Real,
    breaks: str,
    write: Write,
    _: Write,
) -> str:
    """The formula of one view; of several, added up by their outputs."""
    texts = [(view.outputs, _Terms(view, write).text(term)) for view in shown]
    if not added:
        return f"({breaks} {texts[0][1]} {write(bound)})"
    parts = [f"(* {real(Fraction(outputs))} {text})" for outputs, text in texts]
    return f"({breaks} (+ 0.0 {' '.join(parts)}) {write(bound)})"


def _occurring(views: Sequence[View]) -> list[View]:
    def occurs(view: View) -> bool:
        seen: Any = (part.likelihood for part in view.classes if part.prior != 0)
        return any(likelihood != 0 for likelihood in seen)

    return [view for view in views if occurs(view)]


class _Terms:
    """The terms of a formula on one view, as text."""

    def __init__(self, view: View, write: Write) -> None:
        self.write = write
        self.classes = [part for part in view.classes if part.prior != 0]
        self.evidence = " ".join(
            f"(* {real(Fraction(p.count))} {write(p.prior)} {write(p.likelihood)})"
            for p in self.classes
            if p.prior is not None
        )

    def text(self, term: Term, part: InputClass | None = None) -> str:
        if not isinstance(term, tuple):
            if not isinstance(term, str):
                return real(Fraction(term))
            if term == "evidence":
                return f"(+ 0.0 {self.evidence})"
            assert part is not None
            named: dict[str, Any] = {"likelihood": part.likelihood, "prior": part.prior}
            if term == "value":
                return real(Fraction(part.example))  # type: ignore[arg-type]
            return self.write(named[term])
        operation, *operands = term
        if operation in ("sum", "max", "min"):
            each = [(c.count, self.text(operands[0], c)) for c in self.classes]
            if operation == "sum":
                terms = (f"(* {real(Fraction(many))} {one})" for many, one in each)
                return f"(+ 0.0 {' '.join(terms)})"
            order = ">=" if operation == "max" else "<="
            found = each[0][1]
            for _, one in each[1:]:
                found = f"(let ((a {found}) (b {one})) (ite ({order} a b) a b))"
            return found
        inner = [self.text(one, part) for one in operands]
        if operation == "abs":
            return f"(let ((a {inner[0]})) (ite (>= a 0.0) a (- a)))"
        if operation == "/" and operands[1] != "evidence":
            raise NotAsked("it does not know what a quotient by 0 is")
        return f"({operation} {' '.join(inner)})"
