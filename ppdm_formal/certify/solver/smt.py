"""SMT-LIB 2 questions: "is there a breach on this view?", with generated symbols only.

Free priors: real masses of each class, inside and outside the property. A known prior: an
integer a class, how many of its inputs have the property. The definitions are written out as
they stand, independently of the exact deciders. Numbers with e^q are rounded (one_sided.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ppdm_formal.certify.beliefs import beliefs
from ppdm_formal.certify.finding import BreachWitness, WitnessPart
from ppdm_formal.certify.one_sided import AS_THEY_ARE, Rounding
from ppdm_formal.certify.solver.smt_text import SmtQuestion, Symbol
from ppdm_formal.declare.arithmetic.decimals import digits_of
from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.operators.view import View

Rounded: TypeAlias = Callable[[Real], Fraction]
"""How a number is rounded."""


@dataclass(frozen=True)
class Encoded:
    """A question, and what its symbols stand for: (class, inside the property)."""

    block: SmtQuestion
    view: int
    direction: str
    symbols: Mapping[str, tuple[int, bool]]

    @property
    def text(self) -> str:
        """The question by itself."""
        return self.block.text


def real(value: Fraction) -> str:
    """A rational literal."""
    size = f"{digits_of(abs(value.numerator))}.0"
    if value.denominator != 1:
        size = f"(/ {size} {digits_of(value.denominator)}.0)"
    return f"(- {size})" if value < 0 else size


def integer(value: int) -> str:
    """An integer literal."""
    return f"(- {digits_of(-value)})" if value < 0 else digits_of(value)


def sum_of(terms: Sequence[tuple[Fraction, str]]) -> str:
    """Sum of coefficient * symbol, over the reals."""
    shown = [f"(* {real(factor)} {name})" for factor, name in terms if factor]
    return f"(+ 0.0 {' '.join(shown)})" if shown else "0.0"


def questions(views: Sequence[View], claim: BreachClaim) -> list[Encoded]:
    """One question for each view and direction; the claim holds iff all are unsat."""
    return [question(views, claim, *place) for place in places(views, claim)]


def places(views: Sequence[View], claim: BreachClaim) -> Iterator[tuple[int, str]]:
    """The views and directions of which there is a question."""
    for direction in ("upward", "downward"):
        if claim.direction in ("both", direction):
            for position, view in enumerate(views):
                if view.reachable:
                    yield position, direction


def question(
    views: Sequence[View],
    claim: BreachClaim,
    position: int,
    direction: str,
    rounds: Rounding = AS_THEY_ARE,
) -> Encoded:
    """The question whether there is a breach on this view, in this direction."""
    encode = _known_prior if isinstance(claim.under, Prior) else _free_prior
    return encode(position, views[position], claim, direction, rounds)


def _free_prior(
    position: int, view: View, claim: BreachClaim, direction: str, rounds: Rounding
) -> Encoded:
    """Masses u and w of each class; a single input is in the property or not."""
    names: dict[tuple[int, bool], str] = {}
    symbols: list[Symbol] = []
    conditions: list[str] = []
    single = []
    for index, part in enumerate(view.classes):
        sides = (True, False) if claim.about is None else (part.member[0],)
        for side in sides:
            name = names[index, side] = f"s{len(names)}"
            symbols.append(Symbol(name, f"(>= {name} 0.0)"))
        if len(sides) == 2 and part.count == 1:
            single.append((names[index, True], names[index, False]))
    if isinstance(claim.under, PriorFamily):
        conditions += [f"(or (= {u} 0.0) (= {w} 0.0))" for u, w in single]
        conditions += _constraints(view, claim, names)
    conditions.append(f"(= {sum_of([(Fraction(1), name) for name in names.values()])} 1.0)")

    def mass(seen: bool, inside_only: bool, rounded: Rounded) -> str:
        terms = []
        for (index, side), name in names.items():
            part = view.classes[index]
            weight = part.known
            if seen:
                weight *= part.likelihood
            if side or not inside_only:
                terms.append((rounded(weight), name))
        return sum_of(terms)

    for seen, share, relation in forbidden(claim, direction):
        left, right = _helping(relation, rounds)
        inside, whole = mass(seen, True, left), mass(seen, False, right)
        conditions.append(f"({relation} {inside} (* {real(right(share))} {whole}))")
    conditions.append(f"(> {mass(True, False, rounds.over)} 0.0)")
    block = SmtQuestion("QF_LRA", tuple(symbols), tuple(conditions))
    return Encoded(block, position, direction, {name: place for place, name in names.items()})


def forbidden(claim: BreachClaim, direction: str) -> tuple[tuple[bool, Real, str], ...]:
    """Before and after the output is seen: the share of the property, and how it compares."""
    if direction == "upward":
        return (False, claim.rho1, "<="), (True, claim.rho2, ">=")
    return (False, claim.rho2, ">="), (True, claim.rho1, "<=")


def _helping(relation: str, rounds: Rounding) -> tuple[Rounded, Rounded]:
    """How numbers on the left and on the right are rounded, none of them negative."""
    return (rounds.over, rounds.under) if relation == ">=" else (rounds.under, rounds.over)


def _constraints(
    view: View, claim: BreachClaim, names: Mapping[tuple[int, bool], str]
) -> list[str]:
    assert isinstance(claim.under, PriorFamily)
    properties = claim.properties
    found = []
    for constraint in claim.under.constraints:
        terms = []
        for factor, property in constraint.terms:
            place = properties.index(property)
            for (index, _), name in names.items():
                if view.classes[index].member[place]:
                    terms.append((factor, name))
        relation = "=" if constraint.relation == "==" else constraint.relation
        found.append(f"({relation} {sum_of(terms)} {real(constraint.bound)})")
    return found


def _known_prior(
    position: int, view: View, claim: BreachClaim, direction: str, rounds: Rounding
) -> Encoded:
    """How many inputs of each class are in the property, all weights scaled to integers."""
    held = [part.held for part in view.classes]
    shown = [h * part.likelihood for h, part in zip(held, view.classes, strict=True)]
    names = [f"s{index}" for index in range(len(view.classes))]
    symbols: list[Symbol] = []
    conditions: list[str] = []
    for name, part in zip(names, view.classes, strict=True):
        low, high = 0, part.count
        if claim.about is not None:
            low = high = part.count if part.member[0] else 0
        symbols.append(Symbol(name, f"(<= {low} {name} {high})", "Int"))
    for seen, share, relation in forbidden(claim, direction):
        left, right = _helping(relation, rounds)
        weights = shown if seen else held
        factors, whole, bound = (
            [left(w) for w in weights],
            [right(w) for w in weights],
            right(share),
        )
        common = math.lcm(*(w.denominator for w in (*factors, *whole)))
        total = sum(int(w * common) * c.count for w, c in zip(whole, view.classes, strict=True))
        terms = " ".join(
            f"(* {integer(int(w * common) * bound.denominator)} {name})"
            for w, name in zip(factors, names, strict=True)
        )
        conditions.append(f"({relation} (+ 0 {terms}) {integer(total * bound.numerator)})")
    if all(s == 0 for s in shown):
        conditions.append("false")
    block = SmtQuestion("QF_LIA", tuple(symbols), tuple(conditions))
    meanings = {name: (index, True) for index, name in enumerate(names)}
    return Encoded(block, position, direction, meanings)


def witness_of(
    encoded: Encoded, view: View, claim: BreachClaim, model: Mapping[str, Fraction]
) -> BreachWitness:
    """The model as a witness. Where a class of one input is torn (free priors), its mass goes
    to the likeliest class inside and the least likely outside, which only helps the breach.
    """
    masses = {place: model.get(name, Fraction(0)) for name, place in encoded.symbols.items()}
    upward = encoded.direction == "upward"
    if claim.under is None and claim.about is None:
        masses = _untorn(view, masses, upward)
    parts = []
    sums = []
    for index, group in enumerate(view.classes):
        if group.prior is not None:
            inside = int(masses[index, True])
            part = WitnessPart(index, inside)
            held, rest = inside * group.prior, (group.count - inside) * group.prior
        else:
            held, rest = (masses.get((index, side), Fraction(0)) for side in (True, False))
            inside = 1 if held else 0
            if claim.about is not None:
                inside = group.count if group.member[0] else 0
            part = WitnessPart(index, inside, held, rest)
        if part.inside or part.mass_outside:
            parts.append(part)
        sums.append((group, held, rest))
    changes = beliefs(sums)
    assert changes is not None, "the question requires that the output is reached"
    word: Literal["upward", "downward"] = "upward" if upward else "downward"
    return BreachWitness(word, encoded.view, tuple(parts), *changes)


def _untorn(
    view: View, masses: Mapping[tuple[int, bool], Fraction], upward: bool
) -> dict[tuple[int, bool], Fraction]:
    """All mass of each side (as P[. | z]) on one class: the best for the breach."""
    possible = [i for i, part in enumerate(view.classes) if part.known > 0]
    likely, unlikely = view.extremes(possible, possible)
    known = [part.known for part in view.classes]
    moved = {}
    for side in (True, False):
        place = likely if side == upward else unlikely
        amount = sum((known[i] * m for (i, s), m in masses.items() if s == side), Fraction(0))
        moved[place, side] = amount / known[place]
    total = sum(moved.values())
    return {place: mass / total for place, mass in moved.items()}
