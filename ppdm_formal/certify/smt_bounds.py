"""Bounds on measures as SMT-LIB 2 questions: "does this view, or do all, break the bound?".

Written from the definitions, independently of the exact deciders: the amplification as two inputs
with their likelihoods, other measures as their formula. Logarithms have no such question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.smt import real
from ppdm_formal.claim import BoundClaim
from ppdm_formal.measures.delta import by_pair
from ppdm_formal.measures.discovery import measure_named
from ppdm_formal.measures.formula import Term
from ppdm_formal.numbers.exact import is_rational
from ppdm_formal.numbers.logarithm import e_to
from ppdm_formal.operator.view import InputClass, View


class NotAsked(ValueError):
    """Why there is no question for a solver."""


def bound_questions(views: Sequence[View], claim: BoundClaim) -> Iterator[str]:
    """Questions of which at least one is sat iff the bound is broken; one at a time."""
    measure = measure_named(claim.measure)
    breaks = ">" if claim.relation == "<=" else ">="
    if measure.of_ratios:
        if not is_rational(claim.limit):
            raise NotAsked("it does not know the numbers e^q exactly")
        return (_ratio(view, claim.limit, breaks) for view in views if view.reachable)
    if measure.certified == "pairs":
        assert claim.at is not None
        factor = e_to(claim.at)
        if not is_rational(factor):
            raise NotAsked("it does not know the numbers e^q exactly")
        return (
            _exceeds(shown, ends, factor, claim.bound, breaks)
            for shown in by_pair(views).values()
            for ends in ((0, 1), (1, 0))
        )
    if measure.tree is None or measure.tree.has_logarithm:
        raise NotAsked("it knows no logarithms")
    terms = [(view, _Terms(view).text(measure.tree.of)) for view in _occurring(views)]
    if measure.tree.over == "max":
        return (_question([f"({breaks} {term} {real(claim.bound)})"]) for _, term in terms)
    groups: dict[Any, list[str]] = {}
    for view, term in terms:
        added = f"(* {real(Fraction(view.outputs))} {term})"
        groups.setdefault(view.known, []).append(added)
    return (
        _question([f"({breaks} (+ 0.0 {' '.join(added)}) {real(claim.bound)})"])
        for added in groups.values()
    )


def _question(conditions: Sequence[str], declared: Sequence[str] = ()) -> str:
    lines = ["(set-logic QF_NRA)", *(f"(declare-const {name} Real)" for name in declared)]
    lines += [f"(assert {condition})" for condition in conditions]
    return "\n".join([*lines, "(check-sat)"]) + "\n"


def _ratio(view: View, limit: Fraction, breaks: str) -> str:
    """Two inputs with likelihoods s0 and s1, s0 > 0 and s0 > limit s1."""
    values = dict.fromkeys(part.likelihood for part in view.classes)
    either = [f"(or {' '.join(f'(= {s} {real(v)})' for v in values)})" for s in ("s0", "s1")]
    beyond = f"({breaks} s0 (* {real(limit)} s1))"
    return _question([*either, "(> s0 0.0)", beyond], ("s0", "s1"))


def _exceeds(
    shown: Sequence[View], ends: tuple[int, int], factor: Fraction, bound: Fraction, breaks: str
) -> str:
    """What one input's likelihoods exceed `factor` times the other's by, over all outputs."""
    parts = []
    for view in shown:
        likely, unlikely = (view.classes[end].likelihood for end in ends)
        gap = f"(- {real(likely)} (* {real(factor)} {real(unlikely)}))"
        parts.append(f"(* {real(Fraction(view.outputs))} (ite (> {gap} 0.0) {gap} 0.0))")
    return _question([f"({breaks} (+ 0.0 {' '.join(parts)}) {real(bound)})"])


def _occurring(views: Sequence[View]) -> list[View]:
    def occurs(view: View) -> bool:
        seen: Any = (part.likelihood for part in view.classes if part.prior != 0)
        return any(likelihood != 0 for likelihood in seen)

    return [view for view in views if occurs(view)]


class _Terms:
    """The terms of a formula on one view, as text."""

    def __init__(self, view: View) -> None:
        self.classes = [part for part in view.classes if part.prior != 0]
        self.evidence = " ".join(
            f"(* {real(Fraction(p.count))} {real(p.prior)} {real(p.likelihood)})"
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
            return real(Fraction(part.example) if term == "value" else named[term])  # type: ignore[arg-type]
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
