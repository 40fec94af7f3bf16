"""Theorems of delta, evidence "pairs": p[x1 -> T] <= e^epsilon p[x2 -> T] + delta, all sets T."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.theorem.enclosed import enclosures
from ppdm_formal.certify.theorem.stated import Theorem, by_soundness
from ppdm_formal.certify.theorem.term import App, Given, In, NotCovered, in_coq, rational, whole
from ppdm_formal.checker.claim import BoundClaim
from ppdm_formal.checker.exponential import Exponential
from ppdm_formal.checker.pairs import excess
from ppdm_formal.checker.view import View
from ppdm_formal.checker.views import by_known

OPERATOR = (
    "forall (X Y : Type) (inputs : list X) (outputs : list Y) (p : X -> Y -> Q),\n"
    "  described_pairs pairs inputs outputs p ->\n"
    "  forall x1 x2, In x1 inputs -> In x2 inputs -> x1 <> x2 ->\n  forall T : Y -> bool,\n  "
)
ONE_PAIR = (
    "forall (Y : Type) (outputs : list Y) (l1 l2 : Y -> Q) cl,\n"
    "  describes_pair seen outputs l1 l2 cl ->\n  exists T : Y -> bool,\n  ~ ("
)


def delta(document: Mapping[str, Any], claim: BoundClaim, views: Sequence[View]) -> Theorem:
    """Every pair of inputs keeps delta, in both orders; or the witness's pair does not."""
    if any(len(view.classes) != 2 for view in views):
        raise ValueError("a view that is none of a pair")
    if document["verdict"] == "certified":
        shown = list(by_known(list(views)).values())
        given = Given("pairs", "list pair", tuple(_kinds(pair, 0, 1) for pair in shown))
        return _stated(document, claim, given, [(p, a, 1 - a) for p in shown for a in (0, 1)], "")
    witness = document["witness"]
    likely, unlikely = whole(witness["likely"]), whole(witness["unlikely"])
    if {likely, unlikely} != {0, 1}:
        raise ValueError("a witness that is no pair")
    pair = by_known(list(views))[views[witness["view"]].known]
    given = Given("seen", "pair", _kinds(pair, likely, unlikely))
    return _stated(document, claim, given, [(pair, likely, unlikely)], "_broken")


def _kinds(pair: Sequence[View], one: int, two: int) -> tuple[App, ...]:
    """The kinds of outputs of a pair: how many, and the likelihood from either input."""
    return tuple(
        App(
            "Kind",
            (whole(view.outputs), *(rational(view.classes[i].likelihood) for i in (one, two))),
        )
        for view in pair
    )


def _stated(
    document: Mapping[str, Any],
    claim: BoundClaim,
    given: Given,
    orders: Sequence[tuple[list[View], int, int]],
    broken: str,
) -> Theorem:
    """The theorem over the rationals, or over the reals if e^epsilon is none."""
    strict, bound = claim.relation == "<", rational(claim.bound)
    name = f"pair{broken}" if broken else "pairs"
    masses = ("l1", "l2") if broken else ("(p x1)", "(p x2)")
    one, two = (f"sum (on T {mass}) outputs" for mass in masses)
    real = isinstance(claim.factor, Exponential)
    if real:
        epsilon = _epsilon(document["claim"]["at"])
        low, high = _enclosed(epsilon, claim, orders, bool(broken))
        scale = math.lcm(low.denominator, high.denominator)
        ends = (int(low * scale), int(high * scale), scale)
        numbers = (epsilon.numerator, epsilon.denominator, *ends)
        factor: tuple[object, ...] = tuple(In("Z", whole(x)) for x in numbers)
        said = (
            f"Q2R ({one}) {claim.relation} exp ({epsilon.numerator}/{epsilon.denominator})"
            f" * Q2R ({two}) + Q2R {in_coq(bound)}"
        )
        name += "_exp"
    else:
        factor = (rational(claim.factor),)
        said = f"{one} {claim.relation} {in_coq(factor[0])} * {two} + {in_coq(bound)}"
    statement = f"{ONE_PAIR}{said})" if broken else f"{OPERATOR}{said}"
    arguments = (given, *factor, bound, strict)
    check, proof = by_soundness(f"check_{name}", f"{name}_sound", arguments)
    library = "PairsExp" if real else "Pairs"
    return Theorem(library, (given,), (check,), statement, proof, real)


def _epsilon(written: str) -> Fraction:
    if written.startswith("ln("):
        raise NotCovered("logarithms of numbers with exponentials")
    return Fraction(written)


def _enclosed(
    epsilon: Fraction,
    claim: BoundClaim,
    orders: Sequence[tuple[list[View], int, int]],
    broken: bool,
) -> tuple[Fraction, Fraction]:
    """Numbers around e^epsilon: by the lower one delta is kept, or by the upper one it is not."""
    for low, high in enclosures(epsilon):
        factor = high if broken else low
        kept = all(claim.allows(excess(*order, factor), claim.bound) for order in orders)
        if kept != broken:
            return low, high
    raise NotCovered("numbers with exponentials that decide by a hair")
