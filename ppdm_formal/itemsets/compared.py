"""Compared: what other forms of plan would see, beside a plan of one form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ppdm_formal.itemsets.cut import remaining
from ppdm_formal.itemsets.grouped_plan import checked_gamma, reported_sizes
from ppdm_formal.itemsets.hidden_sizes import MAX_TRIED, chosen_size, one_size, public_sizes
from ppdm_formal.itemsets.lifted import lifted_design
from ppdm_formal.itemsets.request import Request
from ppdm_formal.itemsets.two_phase_plan import designed_for
from ppdm_formal.numbers.people import percent

_STRICTNESS = (2.5,)  # one threshold is enough to compare


def compared(content: Mapping[str, Any], request: Request) -> list[dict[str, Any]]:
    """For each form the largest LDS, or why there is none.

    {"size": null or m, "form": ..., "largest": ... or null, "why": null or ...}. With --sizes for
    each size, unless groups of clients have their shares for all sizes together.
    """
    if not request.alike or "groups" in content:
        return [_entry(None, request.form, _own(content, request)), *_others(None, request)]
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


def _own(content: Mapping[str, Any], request: Request) -> float | None:
    """What the plan itself sees; of two phases the sets that the second reports, as designed."""
    if "two_phase" not in content:
        seen = {pool["itemset"]: pool["lds"] for pool in content["pooled"]}
        return _before_cutting(request, seen)
    figures = content["two_phase"]["projected"]["public" if request.hidden is None else "hidden"]
    return _largest([*figures["lds"].values(), figures["largest"]])


def _before_cutting(request: Request, seen: Mapping[int, str | float | None]) -> float | None:
    """The largest support that must be there before long baskets are cut, spread evenly."""
    longest = max(reported_sizes(request))
    kept = {k: float(remaining(request.histogram, longest, k).evenly) for k in seen}
    known = {k: None if lds is None else float(lds) / kept[k] for k, lds in seen.items()}
    return _largest([None if lds is None or lds > 1 else lds for lds in known.values()])


def _largest(seen: Sequence[str | float | None]) -> float | None:
    """Over all k; None where one is not discoverable."""
    known = [float(lds) for lds in seen if lds is not None]
    return max(known) if known and len(known) == len(seen) else None


def _others(size: int | None, request: Request) -> list[dict[str, Any]]:
    """Of forms for items the paper's stands for both: --form best says how far it is from that."""
    found = []
    for form, design in (("paper", _paper), ("lifted", _lifted), ("two-phase", _two_phase)):
        of_items = form == "paper" and request.form in ("best", "paper")
        if of_items or form == request.form:
            continue
        if form == "two-phase" and (request.data is None or request.itemsets < 2):
            continue
        try:
            found.append(_entry(size, form, design(request)))
        except ValueError as why:
            found.append(_entry(size, form, None, str(why)))
    return found


def _paper(request: Request) -> float | None:
    if request.hidden is not None:
        way = one_size(request, chosen_size(request))
    elif max(request.sizes) <= MAX_TRIED:
        way = public_sizes(request)
    else:
        raise ValueError(f"not tried for baskets of more than {MAX_TRIED} items")
    return _largest(list(way.needed.values()))


def _lifted(request: Request) -> float | None:
    design = lifted_design(
        reported_sizes(request), checked_gamma(request), request.itemsets, request.bits
    )
    seen = {
        group.itemset: float(lds) if group.noise.discoverable(lds) else None
        for group, lds in zip(design.groups, design.lds, strict=True)
    }
    return _before_cutting(request, seen)


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
    cut = not request.alike and max(reported_sizes(request)) < request.largest
    what = "largest LDS before cutting" if cut else "largest LDS"
    notes = []
    for size in dict.fromkeys(one["size"] for one in found):
        of_size = [one for one in found if one["size"] == size]
        notes.append(_sentence(of_size, size, request.form, what))
    return [note for note in notes if note]


def _sentence(found: list[dict[str, Any]], size: int | None, form: str, what: str) -> str:
    seen = {one["form"]: float(one["largest"]) for one in found if one["largest"] is not None}
    where = "" if size is None else f"Size {size}: "
    if not seen or len(found) == 1:
        return ""
    best = min(seen, key=lambda name: seen[name])
    if best == form:
        others = ", ".join(f"{name} {_percent(s)}" for name, s in seen.items() if name != form)
        this = f"{where}this" if where else "This"
        return f"{this} form is the best: its {what} is {_percent(seen[form])}" + (
            f" ({others})." if others else "."
        )
    if form not in seen:
        return (
            f"{where}--form {best} is the best: its {what} is {_percent(seen[best])}; this plan "
            "does not discover all sizes of itemsets."
        )
    lower = 1 - seen[best] / seen[form]
    return (
        f"{where}--form {best} is the best: its {what} is {_percent(seen[best])}, "
        f"{_percent(lower, 0)} lower than the {_percent(seen[form])} of this plan."
    )


def _percent(value: float, digits: int | None = None) -> str:
    return percent(Fraction(value), (2 if value > 0.01 else 4) if digits is None else digits)
