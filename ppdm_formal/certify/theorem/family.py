"""Theorems under a family of priors: evidence "farkas", multipliers in Motzkin's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.theorem.stated import (
    OPERATOR,
    WEIGHTS,
    Theorem,
    direction,
    spelled,
    thresholds,
    views_given,
)
from ppdm_formal.certify.theorem.term import App, Given, In, Name, Pair, rational, whole
from ppdm_formal.checker.claim import BreachClaim, Constraint
from ppdm_formal.checker.reading import read_number
from ppdm_formal.checker.view import View

TURNS = {"<=": (-1, "Ge"), "<": (-1, "Gt"), ">=": (1, "Ge"), ">": (1, "Gt"), "==": (1, "Eq")}


def farkas(document: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> Theorem:
    """No breach under any prior of the family."""
    given, way, evidence = views_given(views, claim), direction(claim), document["evidence"]
    family, rhos = family_given(claim), thresholds(claim)
    none = [App("Leaf", ((),))] * len(views)
    sides = [
        [_cases(tree) for tree in evidence[side]] if side in evidence else none
        for side in ("upward", "downward")
    ]
    pairs = tuple(Pair(up, down) for up, down in zip(*sides, strict=True))
    trees = Given("trees", "list (tree * tree)", pairs)
    about = Name("None") if claim.about is None else App("Some", (In("nat", claim.about),))
    which = "forall y : Y,\n" if claim.about is not None else "forall (S : X -> bool) (y : Y),\n"
    own = "S" if claim.about is None else f"(props {claim.about}%nat)"
    statement = (
        f"{OPERATOR} (props : nat -> X -> bool),\n"
        "  described views inputs p k (same_properties props) ->\n"
        "  forall prior, is_prior inputs prior -> in_family inputs prior props family ->\n"
        f"  {which}  ~ breach {way} {WEIGHTS} {spelled(rhos)} {own}"
    )
    arguments = (way, about, family, *rhos, given, trees)
    names = "X Y inputs p k props D prior P F" + (" S" if claim.about is None else "")
    last = "I" if claim.about is None else f"{own} (fun _ _ => eq_refl)"
    sound = f"family_sound {spelled(arguments)} accepted"
    proof = f"exact (fun {names} =>\n  {sound}\n  {names} {last})"
    check = App("check_family", arguments)
    return Theorem("Family", (given, family, trees), (check,), statement, proof)


def family_given(claim: BreachClaim) -> Given:
    """The definition of the family: its constraints."""
    return Given("family", "list constraint", tuple(map(_constraint, claim.family or ())))


def _constraint(row: Constraint) -> App:
    terms = tuple(Pair(rational(factor), In("nat", place)) for factor, place in row.terms)
    turn, relation = TURNS[row.relation]
    return App("Con", (terms, Fraction(turn), Name(relation), rational(row.bound)))


def _cases(tree: Any) -> App:
    """Multipliers, or the two cases of a class of one input."""
    if isinstance(tree, list):
        return App("Leaf", (tuple(rational(read_number(entry)) for entry in tree),))
    arguments = (whole(tree["class"]), _cases(tree["inside"]), _cases(tree["outside"]))
    return App("Split", arguments)
