"""Theorems under one prior: evidence "arithmetic" (one property) and "knapsack" (every one)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.theorem.stated import (
    OPERATOR,
    WEIGHTS,
    Theorem,
    by_soundness,
    direction,
    spelled,
    thresholds,
    views_given,
)
from ppdm_formal.certify.theorem.term import App, Given, In, Name, rational, whole
from ppdm_formal.checker.claim import BreachClaim
from ppdm_formal.checker.knapsack import whole_shares
from ppdm_formal.checker.reading import read_number
from ppdm_formal.checker.view import InputClass, View


def arithmetic(_: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> Theorem:
    """No breach of one property: before and after are computed."""
    given, rhos, way = views_given(views, claim), thresholds(claim), direction(claim)
    statement = (
        f"{OPERATOR} (prior : X -> Q) (props : nat -> X -> bool),\n"
        "  described views inputs p k (same_prior_and_properties prior props) ->\n"
        "  is_prior inputs prior ->\n  forall y : Y,\n"
        f"  ~ breach {way} {WEIGHTS} {spelled(rhos)} (props {claim.about}%nat)"
    )
    arguments = (way, claim.about, given, *rhos)
    check, proof = by_soundness("check_one_property", "one_property_sound", arguments)
    return Theorem("OneProperty", (given,), (check,), statement, proof)


def knapsack(document: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> Theorem:
    """No breach of any property, by branch trees."""
    given, rhos, way = views_given(views, claim), thresholds(claim), direction(claim)
    sides = [_trees(document["evidence"].get(side), len(views)) for side in ("upward", "downward")]
    pairs = zip(views, *sides, strict=True)
    evidence = tuple(_shares(view, upward, downward) for view, upward, downward in pairs)
    trees = Given("evidence_of_views", "list evidence", evidence)
    statement = (
        f"{OPERATOR} (prior : X -> Q),\n"
        "  described views inputs p k (same_prior prior) -> is_prior inputs prior ->\n"
        f"  forall (S : X -> bool) (y : Y),\n  ~ breach {way} {WEIGHTS} {spelled(rhos)} S"
    )
    arguments = (way, given, trees, *rhos)
    check, proof = by_soundness("check_known_prior", "known_prior_sound", arguments)
    return Theorem("KnownPrior", (given, trees), (check,), statement, proof)


def _in_before(part: InputClass) -> Fraction:
    return rational(part.knowledge) * rational(part.prior)


def _in_after(part: InputClass) -> Fraction:
    return _in_before(part) * rational(part.likelihood)


def _trees(side: Any, views: int) -> list[Any]:
    """The tree of each view for a direction: those that bound rho2; none if it is not claimed."""
    return [None] * views if side is None else list(side["rho2_above"]["trees"])


def _shares(view: View, upward: Any, downward: Any) -> App:
    """Whole shares in before and after with their factors, and the tree of each direction."""
    said: list[Any] = []
    totals = []
    for weight in (_in_before, _in_after):
        shares = whole_shares(view, weight)
        pairs = zip(shares.units, view.classes, strict=True)
        factor = next((weight(part) / unit for unit, part in pairs if unit), Fraction(1))
        said += [rational(factor), In("Z", tuple(whole(unit) for unit in shares.units))]
        totals.append(Fraction(shares.total))
    for tree, scale in ((upward, totals[::-1]), (downward, totals)):
        said.append(Name("Over") if tree is None else _branches(tree, scale[0] / scale[1]))
    return App("Evidence", tuple(said))


def _branches(tree: Any, scale: Fraction) -> Any:
    """A branch tree; a multiplier is rescaled to whole shares."""
    if tree == "over":
        return Name("Over")
    if isinstance(tree, str):
        multiplier = rational(read_number(tree)) * scale
        return App("Leaf", (whole(multiplier.numerator), whole(multiplier.denominator)))
    below, above = _branches(tree["below"], scale), _branches(tree["above"], scale)
    return App("Branch", (whole(tree["class"]), whole(int(tree["at"])), below, above))
