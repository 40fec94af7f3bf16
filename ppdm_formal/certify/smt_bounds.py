"""Bounds on measures as SMT-LIB 2 questions: "does this view, or do all, break the bound?".

Written from the definitions, independently of the exact deciders: the amplification as two inputs
with their likelihoods, other measures as their formula. Logarithms have no such question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeAlias

from ppdm_formal.certify.finding import BoundWitness
from ppdm_formal.certify.one_sided import NotAsked, Rounding
from ppdm_formal.certify.smt import real
from ppdm_formal.certify.smt_powers import Powers
from ppdm_formal.claim import BoundClaim
from ppdm_formal.measures.delta import by_pair
from ppdm_formal.measures.discovery import measure_named
from ppdm_formal.measures.formula import Term
from ppdm_formal.numbers.exponential import Real
from ppdm_formal.numbers.logarithm import e_to
from ppdm_formal.operator.view import InputClass, View

Write: TypeAlias = Callable[[Real], str]
"""How a number is written."""

Conditions: TypeAlias = Callable[[Write, Write], list[str]]
"""Conditions, from how numbers are written that break a bound by being greater, or less."""


@dataclass(frozen=True)
class BoundQuestion:
    """Can these conditions hold together? Then the bound is broken.

    case: conditions without a symbol that hold only if the others can. one_sided: whether each
    number is known to break the bound by being greater, or by being less.
    """

    conditions: Conditions
    case: Conditions | None
    declared: tuple[str, ...] = ()
    one_sided: bool = True

    @cached_property
    def numbers(self) -> frozenset[Real]:
        """All numbers that it is made of."""
        found: set[Real] = set()

        def met(number: Real) -> str:
            found.add(number)
            return ""

        self.conditions(met, met)
        return frozenset(found)

    def rounded(self, rounding: Rounding) -> str:
        """The question with rationals in place of other numbers."""
        over, under = (lambda v: real(rounding.over(v))), (lambda v: real(rounding.under(v)))
        return _text(self.conditions(over, under), self._declarations)

    def in_powers(self, powers: Powers) -> str:
        """The question with polynomials in place of numbers that are not rational."""
        conditions = self.conditions(powers.text, powers.text)
        return _text(conditions, [*powers.declared, *self._declarations])

    def denied(self, powers: Powers) -> str | None:
        """Can the conditions of the case fail? None where there is no case."""
        if self.case is None:
            return None
        conditions = self.case(powers.text, powers.text)
        return _text([f"(not (and {' '.join(conditions)}))"], powers.declared)

    @property
    def _declarations(self) -> list[str]:
        return [f"(declare-const {name} Real)" for name in self.declared]


def _text(conditions: Sequence[str], declarations: Sequence[str]) -> str:
    lines = ["(set-logic QF_NRA)", *declarations]
    lines += [f"(assert {condition})" for condition in conditions]
    return "\n".join([*lines, "(check-sat)"]) + "\n"


def bound_questions(
    views: Sequence[View], claim: BoundClaim, case: BoundWitness | None = None
) -> Iterator[BoundQuestion]:
    """Questions of which at least one is sat iff the bound is broken; one at a time.

    case: where the one view breaks it, as was found.
    """
    measure = measure_named(claim.measure)
    breaks = ">" if claim.relation == "<=" else ">="
    if measure.of_ratios:
        return (_ratio(view, claim.limit, breaks, case) for view in views if view.reachable)
    if measure.certified == "pairs":
        assert claim.at is not None
        factor = e_to(claim.at)
        return (
            _closed(partial(_exceeds, shown, ends, factor, claim.bound, breaks))
            for shown in by_pair(views).values()
            for ends in ((0, 1), (1, 0))
        )
    if measure.tree is None or measure.tree.has_logarithm:
        raise NotAsked("it knows no logarithms")
    groups: dict[Any, list[View]] = {}
    for place, view in enumerate(_occurring(views)):
        group = place if measure.tree.over == "max" else ("known", view.known)
        groups.setdefault(group, []).append(view)
    added = measure.tree.over != "max"
    return (
        _closed(partial(_formula, shown, measure.tree.of, added, claim.bound, breaks), False)
        for shown in groups.values()
    )


def _closed(conditions: Conditions, one_sided: bool = True) -> BoundQuestion:
    """A question without symbols is its own case."""
    return BoundQuestion(conditions, conditions, one_sided=one_sided)


def _ratio(view: View, limit: Real, breaks: str, case: BoundWitness | None) -> BoundQuestion:
    """Two inputs with likelihoods s0 and s1, s0 > 0 and s0 > limit s1."""
    values: dict[Any, None] = dict.fromkeys(part.likelihood for part in view.classes)

    def conditions(over: Write, under: Write) -> list[str]:
        either = [
            f"(or {' '.join(f'(= {s} {write(v)})' for v in values)})"
            for s, write in (("s0", over), ("s1", under))
        ]
        return [*either, "(> s0 0.0)", f"({breaks} s0 (* {under(limit)} s1))"]

    def of_case(over: Write, under: Write) -> list[str]:
        assert case is not None
        assert case.likely is not None
        assert case.unlikely is not None
        likely, unlikely = (view.classes[k].likelihood for k in (case.likely, case.unlikely))
        above = f"({breaks} {over(likely)} (* {under(limit)} {under(unlikely)}))"
        return [f"(> {over(likely)} 0.0)", above]

    named = case is not None and case.likely is not None and case.unlikely is not None
    return BoundQuestion(conditions, of_case if named else None, ("s0", "s1"))


def _exceeds(
    shown: Sequence[View],
    ends: tuple[int, int],
    factor: Real,
    bound: Real,
    breaks: str,
    over: Write,
    under: Write,
) -> list[str]:
    """What one input's likelihoods exceed `factor` times the other's by, over all outputs."""
    parts = []
    for view in shown:
        likely, unlikely = (view.classes[end].likelihood for end in ends)
        gap = f"(- {over(likely)} (* {under(factor)} {under(unlikely)}))"
        parts.append(f"(* {real(Fraction(view.outputs))} (ite (> {gap} 0.0) {gap} 0.0))")
    return [f"({breaks} (+ 0.0 {' '.join(parts)}) {under(bound)})"]


def _formula(
    shown: Sequence[View],
    term: Term,
    added: bool,
    bound: Real,
    breaks: str,
    write: Write,
    _: Write,
) -> list[str]:
    """The formula of one view; of several, added up by their outputs."""
    texts = [(view.outputs, _Terms(view, write).text(term)) for view in shown]
    if not added:
        return [f"({breaks} {text} {write(bound)})" for _, text in texts]
    parts = [f"(* {real(Fraction(outputs))} {text})" for outputs, text in texts]
    return [f"({breaks} (+ 0.0 {' '.join(parts)}) {write(bound)})"]


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
