"""Outputs that are sets, all of them listed: what a certificate states of them as plain views."""

from __future__ import annotations

import itertools
from typing import Any


def view_of(sets: dict[str, Any], group: dict[str, Any], held: list[int]) -> dict[str, Any]:
    """A set that holds so many values of each kind, class by class; empty ones are left out."""
    classes = []
    for place, (kind, some) in enumerate(zip(group["kinds"], held, strict=True)):
        for side, many in (("held", some), ("lacking", int(kind["count"]) - some)):
            if many:
                example = f"{place} {side}"
                classes.append(
                    {**kind, "count": many, "likelihood": sets[side], "example": example}
                )
    return {"classes": classes, "outputs": 1} | {k: group[k] for k in ("known",) if k in group}


def sets_as_views(certificate: dict[str, Any]) -> dict[str, Any] | None:
    """The same certificate with a view for every set; None where it speaks of no such sets."""
    described = certificate["operator"]
    sets, inputs = described["sets"], int(described["inputs"])
    least, most = int(sets["least"]), int(sets["most"])
    sizes = [sum(int(kind["count"]) for kind in group["kinds"]) for group in sets["groups"]]
    if set(sizes) != {inputs} or not 0 <= least <= most <= inputs:
        return None
    if len({repr(group.get("known")) for group in sets["groups"]}) != len(sets["groups"]):
        return None
    views = []
    for listed in described["views"]:  # first those that a witness may speak of, in their order
        held = [int(n) for n in listed["held"]]
        if not least <= sum(held) <= most:
            return None
        group = sets["groups"][listed["group"]]
        if any(not 0 <= n <= int(k["count"]) for n, k in zip(held, group["kinds"], strict=True)):
            return None
        views.append(view_of(sets, group, held) | {"output": listed["output"]})
    for place, group in enumerate(sets["groups"]):
        ranges = [range(int(kind["count"]) + 1) for kind in group["kinds"]]
        for held in itertools.product(*ranges):
            if least <= sum(held) <= most:
                output = {"tuple": [place, *held]}
                views.append(view_of(sets, group, list(held)) | {"output": output})
    plain = {"kind": "finite", "likelihoods": "relative", "parameters": []}
    operator = {**described, **plain, "views": views}
    del operator["sets"]
    return {**certificate, "operator": operator}
