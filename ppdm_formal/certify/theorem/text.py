"""A theorem as text: the file that Coq verifies, and the line that the extracted checker reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ppdm_formal.certify.theorem import theorem_of
from ppdm_formal.certify.theorem.stated import Theorem
from ppdm_formal.certify.theorem.term import App, in_coq, in_plain
from ppdm_formal.checker.claim import read_bound_claim, read_breach_claim

RATIONALS: tuple[str, ...] = ("OverRationals", "Sums", "Views", "AllPriors")
NEEDS = {"Broken": ("Family", "Witness")}
ASKED = "Print Assumptions certificate."
ASKED_REALS = "(* Print Assumptions certificate. names the axioms of Coq's real numbers. *)"
REALS = ("OverReals", "Bernstein", "Regions", "Exponential")


def theorem_text(document: Mapping[str, Any]) -> str:
    """The file: data, the computation, and a theorem that a person can read."""
    theorem = theorem_of(document)
    coq, library, scope = "QArith NArith ZArith List Bool", RATIONALS, "Q_scope"
    if theorem.real:
        coq, library, scope = "Reals ZArith NArith Lra List Bool", REALS, "R_scope"
    if theorem.library == "PairsExp":  # rational likelihoods, but a real e^epsilon
        coq, library = f"QArith Qreals {coq}", ("OverRationals", "Exponential", "Pairs")
    needed = dict.fromkeys([*library, *NEEDS.get(theorem.library, ()), theorem.library])
    defined = (
        f"Definition {given.name} : {given.type} :=\n  {in_coq(given.term)}.\n\n"
        for given in theorem.data
    )
    return (
        f"(* {_words(document, theorem)} *)\n"
        f"From Coq Require Import {coq}.\n"
        f"From PPDM Require Import {' '.join(needed)}.\n"
        f"Import ListNotations.\nOpen Scope {scope}.\n\n"
        f"{''.join(defined)}Lemma accepted : {_computed(theorem)} = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        f"Theorem certificate :\n  {theorem.statement}.\nProof. {theorem.proof}. Qed.\n\n"
        f"{ASKED_REALS if theorem.real else ASKED}\n"
    )


def plain_line(document: Mapping[str, Any]) -> str:
    """What the extracted checker is asked: the computation, its data written out."""
    return in_plain(App("all", theorem_of(document).checks)) + "\n"


def _computed(theorem: Theorem) -> str:
    said = " && ".join(in_coq(check, False) for check in theorem.checks)
    return f"({said})" if len(theorem.checks) > 1 else said


def _words(document: Mapping[str, Any], theorem: Theorem) -> str:
    """The claim in words, for people."""
    raw = document["claim"]
    claim = read_bound_claim(raw) if raw.get("kind") == "bound" else read_breach_claim(raw)
    holds = "the claim holds" if document["verdict"] == "certified" else "the claim is broken"
    if (document.get("region") or {}).get("holds") and document["verdict"] != "certified":
        holds = f"the claim holds exactly for {comment(document['region']['text'])}"
    names = ", ".join(f"{i} = {comment(name)}" for i, name in enumerate(claim.properties))
    named = f" ({names})" if names else ""
    head = (
        f"{comment(document['operator']['name'])}: {comment(claim.text)}: {holds}.\n"
        f"   Certificate {comment(document['sha256'])}.\n"
    )
    if claim.reports > 1:
        head += f"   What is seen are {claim.reports} reports of one input, each drawn anew.\n"
    if theorem.library.startswith("Pairs"):
        return head + (
            "   A pair of inputs: its kinds of outputs, each with how many there are and their\n"
            "   probability on either input; T is any set of outputs."
        )
    if theorem.real:
        return head + (
            "   A class of a view: its likelihood as a polynomial in t (the constant first), up\n"
            "   to a factor of the view, and its inputs. What safe_at, broken_at and bounded_at\n"
            "   mean is in Regions.v."
        )
    return head + (
        "   p x y: the probability of output y on input x; k x y: that of what the server knows\n"
        "   besides (1 where it knows nothing). A class of a view: likelihood, inputs, k, prior,\n"
        f"   properties{named}."
    )


def comment(text: str) -> str:
    """Text that can stand in a comment of Coq: nothing there ends it or begins a string."""
    shown = re.sub(r"[^A-Za-z0-9_ .,;:(){}<>=+*/-]", "?", text)[:500]
    return shown.replace("*", " * ")
