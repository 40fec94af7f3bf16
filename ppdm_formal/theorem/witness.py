"""Theorems of breaches: the witness gives a prior and a property, on every operator of its view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.check import BreachClaim, InputClass, View, read_number
from ppdm_formal.theorem.stated import Theorem, direction, spelled, thresholds, view_term
from ppdm_formal.theorem.term import App, Given, NotCovered, rational, whole


def breached(document: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> Theorem:
    """A breach that the witness shows: under the claim's prior, of its property, if any."""
    if claim.family is not None:
        raise NotCovered("breaches under a family of priors")
    witness = document["witness"]
    view, listed = views[witness["view"]], {row["class"]: row for row in witness["classes"]}
    if not set(listed) <= set(range(len(view.classes))):
        raise ValueError("a class that the view does not have")
    shares = tuple(_share(listed.get(i), part, claim) for i, part in enumerate(view.classes))
    known, own = claim.prior is not None, claim.about is not None
    agree = {
        (True, True): "same_prior_and_properties prior props", (True, False): "same_prior prior",
        (False, True): "same_properties props", (False, False): "",
    }[known, own]  # fmt: skip
    given = (" prior" if known else "") + (" props" if own else "")
    chosen = " ".join(([] if known else ["prior"]) + ([] if own else ["S"]))
    way, rhos = direction(claim), thresholds(claim)
    statement = (
        "forall (X : Type) (eqb : X -> X -> bool) (inputs : list X) (l k : X -> Q)"
        f" cl f{given},\n  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs ->\n"
        "  describes seen inputs l k cl f ->\n"
        + (f"  (forall x, In x inputs -> {agree} x (class_of seen cl x)) ->\n" if agree else "")
        + (f"  exists {chosen}, " if chosen else "  ")
        + ("" if known else "is_prior inputs prior /\\\n  ")
        + f"breach {way} inputs (fun x => prior x * k x) l {spelled(rhos)}"
        + (f" (props {claim.about}%nat)" if own else " S")
    )
    seen = Given("seen", "view", view_term(view, claim))
    masses = Given("shares", "list share", shares)
    checks = [App("check_witness", (way, *rhos, seen, masses))]
    checks += [App("check_spread", (seen, masses))] if known else []
    checks += [App("check_is", (claim.about, seen, masses))] if own else []
    name = "witness" + ("_known" if known else "") + ("_for" if own else "") + "_sound"
    place = (claim.about,) if own else ()
    proof = f"exact ({name} {spelled((way, *place, *rhos, seen, masses))} accepted)"
    return Theorem("Witness", (seen, masses), tuple(checks), statement, proof)


def _share(row: Mapping[str, Any] | None, part: InputClass, claim: BreachClaim) -> App:
    """How many inputs of a class are in the property, and the masses of these and the others."""
    inside = 0 if row is None else int(row["inside"])
    masses = [Fraction(0), Fraction(0)]
    if claim.prior is not None:
        masses = [inside * part.prior, (part.count - inside) * part.prior]
    elif row is not None:
        masses = [read_number(row["mass_inside"]), read_number(row["mass_outside"])]
    return App("Share", (whole(inside), *map(rational, masses)))
