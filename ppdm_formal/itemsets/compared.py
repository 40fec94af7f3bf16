"""Compared: what other forms of plan would see, beside a plan in which all clients report items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ppdm_formal.itemsets.grouped_plan import checked_gamma, reported_sizes
from ppdm_formal.itemsets.lifted import lifted_design
from ppdm_formal.itemsets.request import Request
from ppdm_formal.itemsets.two_phase_plan import designed_for
from ppdm_formal.numbers.people import percent

_STRICTNESS = (2.5,)  # one threshold is enough to compare


def compared(content: Mapping[str, Any], request: Request) -> list[dict[str, Any]]:
    """For each form the largest LDS, or why there is none; with --sizes, for each size.

    {"size": null or m, "form": ..., "largest": ... or null, "why": null or ...}
    """
    if not request.alike:
        seen = [pool["lds"] for pool in content["pooled"]]
        return [
            _entry(None, request.form, _largest(seen)),
            *_others(None, request),
        ]
    found = []
    for entry in content["sizes"]:
        alone = replace(
            request,
            histogram={entry["size"]: entry["baskets"]},
            itemsets=min(request.itemsets, entry["size"]),
        )
        found.append(_entry(entry["size"], request.form, _largest(list(entry["lds"].values()))))
        found += _others(entry["size"], alone)
    return found


def _largest(seen: list[str | None]) -> float | None:
    """Over all k; None where one is not discoverable."""
    known = [float(lds) for lds in seen if lds is not None]
    return max(known) if known and len(known) == len(seen) else None


def _others(size: int | None, request: Request) -> list[dict[str, Any]]:
    found = []
    for form, design in (("lifted", _lifted), ("two-phase", _two_phase)):
        if form == "two-phase" and (request.data is None or request.itemsets < 2):
            continue
        try:
            found.append(_entry(size, form, design(request)))
        except ValueError as why:
            found.append(_entry(size, form, None, str(why)))
    return found


def _lifted(request: Request) -> float | None:
    design = lifted_design(
        reported_sizes(request), checked_gamma(request), request.itemsets, request.bits
    )
    seen = zip(design.groups, design.lds, strict=True)
    return design.largest if all(g.noise.discoverable(lds) for g, lds in seen) else None


def _two_phase(request: Request) -> float | None:
    design = designed_for(request, request.hidden is not None, _STRICTNESS)
    return design.largest if all(design.discoverable.values()) else None


def _entry(
    size: int | None, form: str, largest: float | None, why: str | None = None
) -> dict[str, Any]:
    shown = None if largest is None else repr(largest)
    return {"size": size, "form": form, "largest": shown, "why": why}


def comparison_notes(found: list[dict[str, Any]], request: Request) -> list[str]:
    """Which form is best, and by how much, in a sentence for all sizes or for each."""
    notes = []
    for size in dict.fromkeys(one["size"] for one in found):
        of_size = [one for one in found if one["size"] == size]
        notes.append(_sentence(of_size, size, request.form))
    return [note for note in notes if note]


def _sentence(found: list[dict[str, Any]], size: int | None, form: str) -> str:
    seen = {one["form"]: float(one["largest"]) for one in found if one["largest"] is not None}
    where = "" if size is None else f"Size {size}: "
    if not seen or len(found) == 1:
        return ""
    best = min(seen, key=lambda name: seen[name])
    if best == form:
        others = ", ".join(f"{name} {_percent(s)}" for name, s in seen.items() if name != form)
        return f"{where}this form is the best: its largest LDS is {_percent(seen[form])}" + (
            f" ({others})." if others else "."
        )
    if form not in seen:
        return (
            f"{where}--form {best} is the best: its largest LDS is {_percent(seen[best])}; this "
            "plan does not discover all sizes of itemsets."
        )
    lower = 1 - seen[best] / seen[form]
    return (
        f"{where}--form {best} is the best: its largest LDS is {_percent(seen[best])}, "
        f"{_percent(lower, 0)} lower than the {_percent(seen[form])} of this plan."
    )


def _percent(value: float, digits: int | None = None) -> str:
    return percent(Fraction(value), (2 if value > 0.01 else 4) if digits is None else digits)
