"""A certificate as a theorem for Coq: what `ppdm theorem` writes, on the library in proofs/coq.

The statement speaks of every operator that the certificate's views describe; its proof is a
computation by a checker that is proved sound (docs/verified.md). What is written proves itself:
nothing here need be trusted but that the statement is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.check import (
    BoundClaim,
    BreachClaim,
    InputClass,
    View,
    read_bound_claim,
    read_breach_claim,
    read_number,
    read_view,
    whole_shares,
)

MAX_DIGITS = 4000
OPERATOR = "forall (X Y : Type) (inputs : list X) (p k : X -> Y -> Q)"
WEIGHTS = "inputs (fun x => prior x * k x y) (fun x => p x y)"
RELATIONS = {
    "<=": "(-1) Ge",
    "<": "(-1) Gt",
    ">=": "1 Ge",
    ">": "1 Gt",
    "==": "1 Eq",
}


class NotCovered(Exception):
    """No theorem is written for certificates of this kind."""


def theorem_text(document: Mapping[str, Any]) -> str:
    """The file: data, the computation, and a theorem that a person can read."""
    if document["operator"]["parameters"]:
        raise NotCovered("free parameters")
    raw = document["claim"]
    claim: BoundClaim | BreachClaim = (
        read_bound_claim(raw) if raw.get("kind") == "bound" else read_breach_claim(raw)
    )
    if claim.reports > 1:
        raise NotCovered("several reports")
    rows = document["operator"]["views"]
    views = [read_view(row, f"views[{i}]", claim, read_number) for i, row in enumerate(rows)]
    if isinstance(claim, BoundClaim):
        parts = _amplification(document, claim, views)
    elif document["verdict"] == "breached":
        parts = _breached(document, claim, views)
    else:
        kind = document["evidence"]["kind"]
        if kind not in CERTIFIED:
            raise NotCovered(f"evidence of the kind {comment(str(kind))}")
        parts = CERTIFIED[kind](document, claim, views)
    holds = "the claim holds" if document["verdict"] == "certified" else "the claim is broken"
    head = (
        f"(* {comment(document['operator']['name'])}: {comment(claim.text)}: {holds}.\n"
        f"   Certificate {comment(document['sha256'])}.\n"
        "   p x y: the probability of output y on input x; k x y: that of what the server knows\n"
        "   besides (1 where it knows nothing). A class of a view: likelihood, inputs, k, prior,\n"
        f"   properties{_named(claim)}. *)\n"
        "From Coq Require Import QArith NArith ZArith List Bool.\n"
        "From PPDM Require Import Sums Definitions Views AllPriors"
    )
    return f"{head}{parts}Print Assumptions certificate.\n"


def comment(text: str) -> str:
    """Text that can stand in a comment of Coq: nothing there ends it or begins a string."""
    shown = re.sub(r"[^A-Za-z0-9_ .,;:(){}<>=+*/-]", "?", text)[:500]
    return shown.replace("*", " * ")


def _named(claim: BoundClaim | BreachClaim) -> str:
    names = [f"{i} = {comment(name)}" for i, name in enumerate(claim.properties)]
    return f" ({', '.join(names)})" if names else ""


# Data


def number(value: Any) -> str:
    """A rational number; anything else is not covered."""
    if not isinstance(value, int | Fraction):
        raise NotCovered("numbers with exponentials")
    exact = Fraction(value)
    if max(abs(exact.numerator), exact.denominator) >= 10**MAX_DIGITS:
        raise NotCovered(f"numbers of more than {MAX_DIGITS} digits")
    if exact.denominator == 1 and exact >= 0:
        return str(exact.numerator)
    return f"({exact.numerator}#{exact.denominator})"


def _list(rows: Iterable[str], between: str = "; ") -> str:
    return f"[{between.join(rows)}]"


def _class(part: InputClass, claim: BoundClaim | BreachClaim) -> str:
    prior = part.prior if claim.prior is not None else Fraction(0)
    flags = _list("true" if flag else "false" for flag in part.member)
    values = (part.likelihood, part.count, part.knowledge, prior)
    return f"Cls {' '.join(number(value) for value in values)} {flags}"


def _view(view: View, claim: BoundClaim | BreachClaim) -> str:
    return _list((_class(part, claim) for part in view.classes), ";\n   ")


def _views(views: Sequence[View], claim: BoundClaim | BreachClaim) -> str:
    return _define("views : list view", _list((_view(view, claim) for view in views), ";\n  "))


def _define(what: str, value: str) -> str:
    return f"Definition {what} :=\n  {value}.\n\n"


def _opening(module: str = "") -> str:
    return f"{module}.\nImport ListNotations.\nOpen Scope Q_scope.\n\n"


def _proved(check: str, statement: str, proof: str) -> str:
    """The computation, and the theorem that follows from it."""
    return (
        f"Lemma accepted : {check} = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        f"Theorem certificate :\n  {statement}.\nProof. exact ({proof}). Qed.\n\n"
    )


def _direction(claim: BreachClaim) -> str:
    return "Both" if len(claim.directions) > 1 else claim.directions[0].capitalize()


def _thresholds(claim: BreachClaim) -> str:
    return f"{number(claim.rho1)} {number(claim.rho2)}"


# Kinds of evidence


def _amplification(document: Mapping[str, Any], claim: BoundClaim, views: Sequence[View]) -> str:
    if claim.measure != "amplification" or document["verdict"] != "certified":
        raise NotCovered(f"bounds on {comment(claim.measure)} that are {document['verdict']}")
    strict = "true" if claim.relation == "<" else "false"
    arguments = f"views {number(claim.bound)} {strict}"
    statement = (
        f"{OPERATOR},\n  described views inputs p k anything ->\n"
        "  forall y x1 x2, In x1 inputs -> In x2 inputs -> 0 < p x1 y ->\n"
        f"  0 < p x2 y /\\ p x1 y / p x2 y {claim.relation} {number(claim.bound)}"
    )
    check = f"check_amplification {arguments}"
    proof = f"amplification_sound {arguments} accepted"
    return _opening() + _views(views, claim) + _proved(check, statement, proof)


def _ratio(_: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> str:
    rhos, way = _thresholds(claim), _direction(claim)
    if claim.about is None:
        statement = (
            f"{OPERATOR},\n  described views inputs p k anything ->\n"
            "  forall prior, is_prior inputs prior ->\n"
            f"  forall (S : X -> bool) (y : Y),\n  ~ breach {way} {WEIGHTS} {rhos} S"
        )
        check = f"check_all_priors views {rhos}"
        proof = f"all_priors_sound views {rhos} accepted {way}"
    else:
        statement = (
            f"{OPERATOR} (props : nat -> X -> bool),\n"
            "  described views inputs p k (same_properties props) ->\n"
            "  forall prior, is_prior inputs prior ->\n"
            f"  forall y : Y,\n  ~ breach {way} {WEIGHTS} {rhos} (props {claim.about}%nat)"
        )
        check = f"check_all_priors_for {way} {claim.about} views {rhos}"
        proof = f"all_priors_for_sound {way} {claim.about} views {rhos} accepted"
    return _opening() + _views(views, claim) + _proved(check, statement, proof)


def _arithmetic(_: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> str:
    way = _direction(claim)
    arguments = f"{way} {claim.about} views {_thresholds(claim)}"
    statement = (
        f"{OPERATOR} (prior : X -> Q) (props : nat -> X -> bool),\n"
        "  described views inputs p k (same_prior_and_properties prior props) ->\n"
        "  is_prior inputs prior ->\n  forall y : Y,\n"
        f"  ~ breach {way} {WEIGHTS} {_thresholds(claim)} (props {claim.about}%nat)"
    )
    check, proof = f"check_one_property {arguments}", f"one_property_sound {arguments} accepted"
    return _opening(" OneProperty") + _views(views, claim) + _proved(check, statement, proof)


def _knapsack(document: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> str:
    way = _direction(claim)
    evidence = [_shares(document["evidence"], i, view) for i, view in enumerate(views)]
    arguments = f"{way} views evidence_of_views {_thresholds(claim)}"
    statement = (
        f"{OPERATOR} (prior : X -> Q),\n"
        "  described views inputs p k (same_prior prior) -> is_prior inputs prior ->\n"
        f"  forall (S : X -> bool) (y : Y),\n  ~ breach {way} {WEIGHTS} {_thresholds(claim)} S"
    )
    check, proof = f"check_known_prior {arguments}", f"known_prior_sound {arguments} accepted"
    data = _define("evidence_of_views : list evidence", _list(evidence, ";\n  "))
    return _opening(" KnownPrior") + _views(views, claim) + data + _proved(check, statement, proof)


def _in_before(part: InputClass) -> Fraction:
    return part.knowledge * part.prior


def _in_after(part: InputClass) -> Fraction:
    return part.knowledge * part.prior * part.likelihood


def _shares(evidence: Mapping[str, Any], place: int, view: View) -> str:
    """Whole shares in before and after with their factors, and the tree of each direction."""
    said, totals = [], []
    for weight in (_in_before, _in_after):
        shares = whole_shares(view, weight)
        pairs = zip(shares.units, view.classes, strict=True)
        factor = next((weight(part) / unit for unit, part in pairs if unit), Fraction(1))
        said.append(f"{number(factor)} {_list(number(unit) for unit in shares.units)}%Z")
        totals.append(Fraction(shares.total))
    for direction, scale in (("upward", totals[::-1]), ("downward", totals)):
        trees = evidence[direction]["rho2_above"]["trees"] if direction in evidence else None
        tree = None if trees is None else trees[place]
        said.append("Over" if tree is None else _branches(tree, scale[0] / scale[1]))
    return f"Evidence {' '.join(said)}"


def _branches(tree: Any, scale: Fraction) -> str:
    """A branch tree; a multiplier is rescaled to whole shares."""
    if tree == "over":
        return "Over"
    if isinstance(tree, str):
        multiplier = Fraction(read_number(tree)) * scale
        return f"(Leaf {multiplier.numerator} {multiplier.denominator})"
    below, above = _branches(tree["below"], scale), _branches(tree["above"], scale)
    return f"(Branch {tree['class']} {number(int(tree['at']))} {below} {above})"


def _farkas(document: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> str:
    way, evidence = _direction(claim), document["evidence"]
    family = []
    for row in claim.family or ():
        terms = _list(f"({number(factor)}, {place}%nat)" for factor, place in row.terms)
        family.append(f"Con {terms} {RELATIONS[row.relation]} {number(row.bound)}")
    none = ["(Leaf [])"] * len(views)
    sides = [
        [_cases(tree) for tree in evidence[side]] if side in evidence else none
        for side in ("upward", "downward")
    ]
    trees = [f"({up}, {down})" for up, down in zip(*sides, strict=True)]
    about = "None" if claim.about is None else f"(Some {claim.about}%nat)"
    rhos = _thresholds(claim)
    which = "forall y : Y,\n" if claim.about is not None else "forall (S : X -> bool) (y : Y),\n"
    own = "S" if claim.about is None else f"(props {claim.about}%nat)"
    statement = (
        f"{OPERATOR} (props : nat -> X -> bool),\n"
        "  described views inputs p k (same_properties props) ->\n"
        "  forall prior, is_prior inputs prior -> in_family inputs prior props family ->\n"
        f"  {which}  ~ breach {way} {WEIGHTS} {rhos} {own}"
    )
    arguments = f"{way} {about} family {rhos} views trees"
    given = "X Y inputs p k props D prior P F" + (" S" if claim.about is None else "")
    last = "I" if claim.about is None else f"{own} (fun _ _ => eq_refl)"
    proof = f"fun {given} =>\n  family_sound {arguments} accepted\n  {given} {last}"
    data = _define("family : list constraint", _list(family, ";\n   "))
    data += _define("trees : list (tree * tree)", _list(trees, ";\n   "))
    check = f"check_family {arguments}"
    return _opening(" Family") + _views(views, claim) + data + _proved(check, statement, proof)


def _cases(tree: Any) -> str:
    """Multipliers, or the two cases of a class of one input."""
    if isinstance(tree, list):
        return f"(Leaf {_list(number(read_number(entry)) for entry in tree)})"
    return f"(Split {tree['class']} {_cases(tree['inside'])} {_cases(tree['outside'])})"


def _breached(document: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> str:
    """A breach that the witness shows: under the claim's prior, of its property, if any."""
    if claim.family is not None:
        raise NotCovered("breaches under a family of priors")
    witness = document["witness"]
    view, listed = views[witness["view"]], {row["class"]: row for row in witness["classes"]}
    shares = [_share(listed.get(i), part, claim) for i, part in enumerate(view.classes)]
    known, own = claim.prior is not None, claim.about is not None
    agree = {
        (True, True): "same_prior_and_properties prior props", (True, False): "same_prior prior",
        (False, True): "same_properties props", (False, False): "",
    }[known, own]  # fmt: skip
    given = (" prior" if known else "") + (" props" if own else "")
    chosen = " ".join(([] if known else ["prior"]) + ([] if own else ["S"]))
    rhos, place = _thresholds(claim), f" {claim.about}" if own else ""
    statement = (
        "forall (X : Type) (eqb : X -> X -> bool) (inputs : list X) (l k : X -> Q)"
        f" cl f{given},\n  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs ->\n"
        "  describes seen inputs l k cl f ->\n"
        + (f"  (forall x, In x inputs -> {agree} x (class_of seen cl x)) ->\n" if agree else "")
        + (f"  exists {chosen}, " if chosen else "  ")
        + ("" if known else "is_prior inputs prior /\\\n  ")
        + f"breach {_direction(claim)} inputs (fun x => prior x * k x) l {rhos}"
        + (f" (props{place}%nat)" if own else " S")
    )
    data = _define("seen : view", _view(view, claim))
    data += _define("shares : list share", _list(shares, ";\n   "))
    check = f"check_witness {_direction(claim)} {rhos} seen shares"
    check += " && check_spread seen shares" if known else ""
    check += f" && check_is{place} seen shares" if own else ""
    name = "witness" + ("_known" if known else "") + ("_for" if own else "") + "_sound"
    proof = f"{name} {_direction(claim)}{place} {rhos} seen shares accepted"
    return _opening(" Witness") + data + _proved(f"({check})", statement, proof)


def _share(row: Mapping[str, Any] | None, part: InputClass, claim: BreachClaim) -> str:
    """How many inputs of a class are in the property, and the masses of these and the others."""
    inside = 0 if row is None else int(row["inside"])
    masses = [Fraction(0), Fraction(0)]
    if claim.prior is not None:
        masses = [inside * part.prior, (part.count - inside) * part.prior]
    elif row is not None:
        masses = [read_number(row["mass_inside"]), read_number(row["mass_outside"])]
    return f"Share {' '.join(number(value) for value in (inside, *masses))}"


CERTIFIED: dict[str, Callable[[Mapping[str, Any], BreachClaim, Sequence[View]], str]] = {
    "ratio": _ratio,
    "arithmetic": _arithmetic,
    "knapsack": _knapsack,
    "farkas": _farkas,
}
