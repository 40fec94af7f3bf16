"""Theorems of breaches: the witness gives a prior and a property, on every operator of its view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.theorem.family import family_given
from ppdm_formal.certify.theorem.stated import (
    Theorem,
    by_soundness,
    direction,
    spelled,
    thresholds,
    view_term,
)
from ppdm_formal.certify.theorem.term import App, Given, in_coq, rational, whole
from ppdm_formal.checker.claim import BoundClaim, BreachClaim
from ppdm_formal.checker.reading import read_number
from ppdm_formal.checker.view import InputClass, View


def breached(document: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> Theorem:
    """A breach that the witness shows: under the claim's prior, of its property, if any."""
    witness = document["witness"]
    view, listed = views[witness["view"]], {row["class"]: row for row in witness["classes"]}
    if not set(listed) <= set(range(len(view.classes))):
        raise ValueError("a class that the view does not have")
    shares = tuple(_share(listed.get(i), part, claim) for i, part in enumerate(view.classes))
    known, own, family = claim.prior is not None, claim.about is not None, claim.family is not None
    named = own or family
    agree = {
        (True, True): "same_prior_and_properties prior props", (True, False): "same_prior prior",
        (False, True): "same_properties props", (False, False): "",
    }[known, named]  # fmt: skip
    given = (" prior" if known else "") + (" props" if named else "")
    chosen = " ".join(([] if known else ["prior"]) + ([] if own else ["S"]))
    way, rhos = direction(claim), thresholds(claim)
    statement = (
        "forall (X : Type) (eqb : X -> X -> bool) (inputs : list X) (l k : X -> Q)"
        f" cl f{given},\n  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs ->\n"
        "  describes seen inputs l k cl f ->\n"
        + (f"  (forall x, In x inputs -> {agree} x (class_of seen cl x)) ->\n" if agree else "")
        + (f"  exists {chosen}, " if chosen else "  ")
        + ("" if known else "is_prior inputs prior /\\\n  ")
        + ("in_family inputs prior props family /\\\n  " if family else "")
        + f"breach {way} inputs (fun x => prior x * k x) l {spelled(rhos)}"
        + (f" (props {claim.about}%nat)" if own else " S")
    )
    seen = Given("seen", "view", view_term(view, claim))
    masses = Given("shares", "list share", shares)
    checks = [App("check_witness", (way, *rhos, seen, masses))]
    checks += [App("check_spread", (seen, masses))] if known else []
    admitted = (family_given(claim),) if family else ()
    checks += [App("check_admitted", (*admitted, seen, masses))] if family else []
    checks += [App("check_is", (claim.about, seen, masses))] if own else []
    name = "witness" + "_known" * known + "_family" * family + "_for" * own + "_sound"
    place = (claim.about,) if own else ()
    arguments = (way, *place, *rhos, *admitted, seen, masses)
    proof = f"exact ({name} {spelled(arguments)} accepted)"
    library = "Broken" if family else "Witness"
    return Theorem(library, (*admitted, seen, masses), tuple(checks), statement, proof)


def ratio_broken(document: Mapping[str, Any], claim: BoundClaim, views: Sequence[View]) -> Theorem:
    """A ratio of likelihoods beyond the bound."""
    witness, bound = document["witness"], rational(claim.limit)
    seen = Given("seen", "view", view_term(views[witness["view"]], claim))
    places = whole(witness["likely"]), whole(witness["unlikely"])
    statement = (
        "forall (X : Type) (inputs : list X) (l k : X -> Q) cl f,\n"
        "  describes seen inputs l k cl f ->\n"
        "  exists x1 x2, In x1 inputs /\\ In x2 inputs /\\ 0 < l x1 /\\\n"
        f"  ~ (0 < l x2 /\\ l x1 / l x2 {claim.relation} {in_coq(bound)})"
    )
    arguments = (seen, *places, bound, claim.relation == "<")
    check, proof = by_soundness("check_ratio_broken", "ratio_broken_sound", arguments)
    return Theorem("Broken", (seen,), (check,), statement, proof)


def _share(row: Mapping[str, Any] | None, part: InputClass, claim: BreachClaim) -> App:
    """How many inputs of a class are in the property, and the masses of these and the others."""
    inside = 0 if row is None else int(row["inside"])
    masses = [Fraction(0), Fraction(0)]
    if claim.prior is not None:
        masses = [inside * part.prior, (part.count - inside) * part.prior]
    elif row is not None:
        masses = [read_number(row["mass_inside"]), read_number(row["mass_outside"])]
    return App("Share", (whole(inside), *map(rational, masses)))
