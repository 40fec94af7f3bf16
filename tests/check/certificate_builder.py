"""Certificates by hand, from docs/certificate.md alone: views of matrices, claims, digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction as F
from typing import Any


def canonical(thing: object) -> bytes:
    return json.dumps(thing, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def as_file(certificate: object) -> bytes:
    return canonical(certificate) + b"\n"


def digest(thing: object) -> str:
    return hashlib.sha256(canonical(thing)).hexdigest()


def seal(certificate: dict[str, Any]) -> dict[str, Any]:
    """The same certificate with every digest computed anew."""
    found = json.loads(json.dumps(certificate))
    if isinstance(found.get("operator"), dict) and "views" in found["operator"]:
        found["operator"]["views_sha256"] = digest(found["operator"]["views"])
    found.pop("sha256", None)
    found["sha256"] = digest(found)
    return found


def views_of(
    matrix: Sequence[Sequence[F]],
    prior: Sequence[F] | None = None,
    members: Sequence[Sequence[bool]] = (),
    knowledge: Sequence[Sequence[F]] | None = None,
) -> list[dict[str, Any]]:
    """The views of a matrix; members: for each property, who has it; knowledge: Z's matrix."""
    views: dict[bytes, dict[str, Any]] = {}
    known = range(len(knowledge[0])) if knowledge else [None]
    for z in known:
        for y in range(len(matrix[0])):
            classes: dict[bytes, dict[str, Any]] = {}
            for x, row in enumerate(matrix):
                part: dict[str, Any] = {"likelihood": str(row[y])}
                if prior is not None:
                    part["prior"] = str(prior[x])
                if members:
                    part["member"] = [bool(member[x]) for member in members]
                if knowledge is not None:
                    part["knowledge"] = str(knowledge[x][z])
                entry = classes.setdefault(canonical(part), {**part, "count": 0, "example": x})
                entry["count"] += 1
            alike = canonical(
                [z, sorted(({**c, "example": 0} for c in classes.values()), key=canonical)]
            )
            view = {"classes": list(classes.values()), "outputs": 0, "output": y}
            if z is not None:
                view["known"] = z
            views.setdefault(alike, view)["outputs"] += 1
    return list(views.values())


def breach(
    rho1: F,
    rho2: F,
    direction: str = "both",
    under: Any = "all priors",
    properties: Sequence[str] = (),
    about: int | None = None,
    knowing: str | None = None,
) -> dict[str, Any]:
    """A breach claim with its text."""
    text = "forbid " + ("" if direction == "both" else direction + " ")
    text += "breach " + (f"{rho2} -> {rho1}" if direction == "downward" else f"{rho1} -> {rho2}")
    if isinstance(under, dict) and "prior" in under:
        text += f" under {under['prior']}"
    elif isinstance(under, dict):
        rows = []
        for row in under["constraints"]:
            sums = ""
            for factor, i in row["terms"]:
                size = F(factor)
                sums += (" - " if size < 0 else " + ") if sums else ("-" if size < 0 else "")
                sums += "" if abs(size) == 1 else f"{abs(size)} * "
                sums += f"mass({properties[i]})"
            rows.append(f"{sums or '0'} {row['relation']} {row['bound']}")
        text += " under { " + "; ".join(rows) + " }"
    text += f" knowing {knowing}" if knowing else ""
    text += f" for {properties[about]}" if about is not None else ""
    return {
        "kind": "breach", "text": text, "direction": direction, "rho1": str(rho1),
        "rho2": str(rho2), "under": under, "properties": list(properties), "for": about,
        "knowing": knowing,
    }  # fmt: skip


def bound(
    measure: str, relation: str, limit: F | str, prior: str | None = None, unit: str | None = None
) -> dict[str, Any]:
    """A bound claim with its text."""
    of = f"({prior})" if prior else ""
    text = f"require {measure}{of} {relation} {limit}" + (f" {unit}" if unit else "")
    return {
        "kind": "bound", "text": text, "measure": measure, "relation": relation,
        "bound": str(limit), "prior": prior, "unit": unit, "properties": [],
    }  # fmt: skip


def certificate(
    views: list[dict[str, Any]],
    claim: dict[str, Any],
    verdict: str,
    evidence: dict[str, Any],
    witness: Any = None,
    thresholds: Any = None,
    **changes: Any,
) -> dict[str, Any]:
    """A sealed certificate of an operator given by its views."""
    first = [view for view in views if view.get("known") == views[0].get("known")]
    operator = {
        "kind": "finite", "name": "R", "inputs": sum(c["count"] for c in views[0]["classes"]),
        "outputs": sum(view["outputs"] for view in first), "likelihoods": "probabilities",
        "parameters": [], "views": views,
    }  # fmt: skip
    found = {
        "format": "ppdm-certificate/2", "claim": claim, "model": None, "operator": operator,
        "verdict": verdict, "vacuous": None, "tested": None,
        "trust": "re-checked exactly", "reason": "so it is",
        "evidence": evidence, "witness": witness, "thresholds": thresholds, "region": None,
        "smt": [], "versions": {"ppdm_formal": "0", "python": "3"},
    }  # fmt: skip
    operator.update(changes.pop("operator", {}))
    found.update(changes)
    return seal(found)
