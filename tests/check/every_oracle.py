"""One oracle for certificates of every kind: whether what one says is true of what it describes.

It shares no code with the checker, nor with what makes certificates.
"""

from __future__ import annotations

from typing import Any

import definition_oracle
from capacity_oracle import capacity_true
from continuous_oracle import continuous_true
from crowd_oracle import crowd_true
from parts_oracle import parts_true
from reports_oracle import views_are_sequences
from rounded_oracle import rounded_true
from sets_oracle import sets_as_views

MOST_CLASSES = 6
"""Of relative views that are judged: every set of them is tried."""


def is_true(certificate: dict[str, Any]) -> bool | None:
    """True, false, or None where it is not decided."""
    claim, described = certificate["claim"], certificate["operator"]
    if described["kind"] == "additive":
        return continuous_true(certificate)
    if described["kind"] == "parts":
        return parts_true(certificate)
    if described["kind"] == "rounded":
        return rounded_true(certificate)
    if described["kind"] == "crowd":
        return crowd_true(certificate)
    if described["kind"] == "sets":
        listed = sets_as_views(certificate)
        return listed is not None and definition_oracle.is_true(listed)
    if described["likelihoods"] in ("relative", "extreme") and not described["parameters"]:
        listed = few(described)
        if listed is not None and listed["inputs"] > MOST_CLASSES:
            return None
        if listed is None or claim.get("prior") or claim.get("knowing") or claim["properties"]:
            return False
        return definition_oracle.is_true({**certificate, "operator": listed}, described["views"])
    if claim.get("measure") == definition_oracle.CAPACITY:
        return capacity_true(certificate)
    several = definition_oracle.by_counts(claim) and not described["parameters"]
    if several and not views_are_sequences(certificate):
        return False
    return definition_oracle.is_true(certificate)


def few(described: dict[str, Any]) -> dict[str, Any] | None:
    """One input a class (two where there is one class): under all priors no more are needed.

    A breach is one of two inputs, and two of one class are told apart by nothing.
    """
    whole, views = int(described["inputs"]), []
    for view in described["views"]:
        counts = [int(part["count"]) for part in view["classes"]]
        extreme = described["likelihoods"] == "extreme"
        if min(counts) < 1 or (sum(counts) > whole if extreme else sum(counts) != whole):
            return None
        one = 1 if len(counts) > 1 else min(counts[0], 2)
        views.append({**view, "classes": [{**part, "count": one} for part in view["classes"]]})
    if described["likelihoods"] == "extreme" and len(views) != 1:
        return None
    most = max(sum(part["count"] for part in view["classes"]) for view in views)
    return {**described, "views": views, "inputs": most, "likelihoods": "extreme"}


def judged(certificate: dict[str, Any]) -> bool | None:
    """The same; what cannot be understood says nothing that is true."""
    try:
        return is_true(certificate)
    except (KeyError, ValueError, IndexError, TypeError, ArithmeticError, AttributeError):
        return False
