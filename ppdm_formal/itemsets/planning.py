"""Planning: from a request to a plan, by the form that is asked for.

Each form gives the groups or sizes of a plan; what is said of every plan (its counts, what its
pooled estimates will see, what its sizes reveal) is added here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ppdm_formal.itemsets.cut import remaining
from ppdm_formal.itemsets.design import design
from ppdm_formal.itemsets.forecast import pools
from ppdm_formal.itemsets.grouped_plan import lifted_plan
from ppdm_formal.itemsets.hidden_sizes import chosen_size
from ppdm_formal.itemsets.plan import Plan, entries_of
from ppdm_formal.itemsets.request import Request
from ppdm_formal.numbers.spelling import number_text

Say: TypeAlias = Callable[[str], None]
Form: TypeAlias = Callable[[Request, Say], dict[str, Any]]


def plan_for(request: Request, say: Say = lambda _: None) -> dict[str, Any]:
    """The plan (ppdm-plan/1) of the form that is asked for."""
    content = FORMS[request.form](request, say)
    content["clients"] = request.clients
    content["histogram"] = {str(m): count for m, count in sorted(request.histogram.items())}
    say("what it will see")
    content["pooled"] = _pooled(content, request)
    content["over_all_sizes"] = _over_all_sizes(content, request)
    return content


def _flat(request: Request, say: Say) -> dict[str, Any]:
    """All clients report items: a randomization for each size, or for the one that hides all."""
    if request.hidden is not None:
        most = chosen_size(request)
        say(f"baskets of up to {most} items")
        content = _designed(request, most, request.clients)
        entry = content["sizes"][0]
        entry["baskets"] = request.clients
        return {**content, "items": request.items, "hidden": request.hidden}
    parts = []
    for done, (size, count) in enumerate(request.sizes.items()):
        say(f"baskets of {size} items ({done + 1} of {len(request.sizes)})")
        parts.append(_designed(request, size, count if request.alike else request.clients))
        parts[-1]["sizes"][0]["baskets"] = count
    whole = parts[-1]
    whole["itemsets"] = request.itemsets
    whole["sizes"] = [entry for part in parts for entry in part["sizes"]]
    whole["notes"] = list(dict.fromkeys(note for part in parts for note in part["notes"]))
    return whole


def _designed(request: Request, size: int, transactions: int) -> dict[str, Any]:
    """The plan of one size; where sizes are hidden, on the items and the dummies."""
    items = request.items
    if items is not None and request.hidden is not None:
        items += size
    return design(
        [size],
        transactions,
        request.rho1,
        request.rho2,
        min(request.itemsets, size),
        items,
        request.bits,
        request.paper,
    )


def _lifted(request: Request, say: Say) -> dict[str, Any]:
    """Every client reports sets of one size."""
    say("forms for sets of items")
    return lifted_plan(request)


FORMS: Mapping[str, Form] = {
    "paper": _flat,
    "lifted": _lifted,
}
"""Each form of plan by its name on the command line."""


def _pooled(content: dict[str, Any], request: Request) -> list[dict[str, Any]]:
    """For each group and k: the pooled LDS, and what remains of supports where baskets are cut."""
    found = []
    for pool in pools(Plan.of(content)):
        cut = None
        longest = pool.group.sizes[-1].size
        if pool.group.phase == 1 and longest < request.largest:
            kept = remaining(request.histogram, longest, pool.itemset)
            cut = {"evenly": number_text(kept.evenly), "least": number_text(kept.least)}
        found.append(
            {
                "group": pool.group.name,
                "itemset": pool.itemset,
                "clients": number_text(pool.clients),
                "deviation": repr(pool.deviation),
                "lds": pool.lowest.decimal() if pool.discoverable else None,
                "remains": cut,
            }
        )
    return found


def _over_all_sizes(content: dict[str, Any], request: Request) -> list[dict[str, Any]]:
    """The amplification over all baskets of a group: infinite where several sizes are public."""
    found = []
    for group in Plan.of(content).groups:
        entries = entries_of(content, group.name)
        several = len(group.sizes) > 1 or 0 in request.histogram
        infinite = group.hidden is None and several
        found.append(
            {
                "group": group.name,
                "sizes": "public" if group.hidden is None else group.hidden,
                "amplification": "infinity" if infinite else entries[0]["amplification"],
            }
        )
    return found
