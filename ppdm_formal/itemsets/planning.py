"""Planning: from a request to a plan, by the form that is asked for.

Each form gives the groups or sizes of a plan; what is said of every plan (its counts, what its
pooled estimates will see, what its sizes reveal) is added here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from ppdm_formal.itemsets.at_hand import AtHand
from ppdm_formal.itemsets.best_notes import best_notes, ranges
from ppdm_formal.itemsets.compared import compared, comparison_notes
from ppdm_formal.itemsets.cut import remaining
from ppdm_formal.itemsets.design import decimals, design, lowest_supports
from ppdm_formal.itemsets.forecast import noise_of, pools
from ppdm_formal.itemsets.grouped_plan import lifted_plan
from ppdm_formal.itemsets.hidden_sizes import chosen_size, searched_with, used_gamma, ways
from ppdm_formal.itemsets.item_plan import item_plan
from ppdm_formal.itemsets.mirrored import mirrored, sends_most
from ppdm_formal.itemsets.plan import Plan, entries_of, law_json
from ppdm_formal.itemsets.pool_choice import Options, best_for_pool
from ppdm_formal.itemsets.request import Request
from ppdm_formal.itemsets.two_phase_plan import continued, continued_notes, two_phase_plan
from ppdm_formal.numbers.deadline import Deadline
from ppdm_formal.numbers.spelling import number_text

BEST_SECONDS = 90.0
"""The most that the best forms of all public sizes and their evidence take."""

Say: TypeAlias = Callable[[str], None]
Form: TypeAlias = Callable[[Request, Say], dict[str, Any]]


def plan_for(request: Request, say: Say = lambda _: None) -> dict[str, Any]:
    """The plan (ppdm-plan/1) of the form that is asked for."""
    form = FORMS[request.form] if request.item is None else item_plan
    content = form(request, say)
    content["clients"] = request.clients
    content["histogram"] = {str(m): count for m, count in sorted(request.histogram.items())}
    say("what it will see")
    content["pooled"] = _pooled(content, request.histogram)
    content["over_all_sizes"] = _over_all_sizes(content, request)
    # Plans of groups say by themselves what hiding costs, or nothing: the figures are of items.
    flat = "groups" not in content
    content["hiding"] = None
    if flat and _time_for_more(request, content):
        content["hiding"] = _hiding(request, say)
    # A plan against item-level breaches answers another question than the other forms.
    if request.item is None and _time_for_more(request, content):
        say("other forms, for comparison")
        content["compared"] = compared(content, request)
        content["notes"] += comparison_notes(content["compared"], request)
    _say_shown(content, request.data)
    return content


def _say_shown(content: dict[str, Any], data: AtHand | None) -> None:
    """What a plan shows of baskets at hand: no breach level covers it, and it says so."""
    status = "public" if data is None else "not protected"
    content["shown"] = [{"what": "the number of baskets and their sizes", "status": status}]
    if data is not None:
        content["shown"].append({"what": "figures from baskets at hand", "status": status})
        content["notes"].append(
            "Designed from baskets at hand: how many there are of each size, how many items, and "
            "figures from them stand in this plan as they are. No breach level covers those "
            "baskets; --histogram takes sizes that are public."
        )


def _time_for_more(request: Request, content: dict[str, Any]) -> bool:
    """Whether there is time left to compare; a plan is not lost for want of it."""
    if request.deadline.left >= request.deadline.limit / 3:  # without a limit both are infinite
        return True
    note = "Not compared with other ways, for want of time (--timeout)."
    if note not in content["notes"]:
        content["notes"].append(note)
    return False


def continue_for(
    content: Mapping[str, Any],
    chosen: Sequence[int],
    supports: Sequence[float] | None,
    data: AtHand | None,
) -> dict[str, Any]:
    """A plan whose second phase waits for items, with these items."""
    found = continued(content, chosen, supports, data)
    histogram = {int(size): int(count) for size, count in content["histogram"].items()}
    found["pooled"] = _pooled(found, histogram)
    found["notes"] = continued_notes(found)
    before = list(found.get("shown", ()))
    _say_shown(found, data)
    if data is None and before:
        found["shown"] = before
    return found


def _flat(request: Request, say: Say) -> dict[str, Any]:
    """All clients report items: a randomization for each size, or for the one that hides all."""
    if request.hidden is not None:
        say("the size to cut to")
        most = chosen_size(request)
        say(f"baskets of up to {most} items")
        limit = Deadline.after(request.deadline.left / 2)
        content = _designed(request, most, request.clients, limit)
        content["notes"] += _best_notes(request, content)
        return {**content, "items": request.items, "hidden": request.hidden}
    parts = []
    limit = Deadline.after(min(request.deadline.left / 2, BEST_SECONDS))
    for done, (size, count) in enumerate(request.sizes.items()):
        say(f"baskets of {size} items ({done + 1} of {len(request.sizes)})")
        parts.append(_designed(request, size, count, limit.part(1 / (len(request.sizes) - done))))
    if request.form == "best" and not request.alike:
        parts = _pooled_best(request, parts, limit)
    whole = parts[-1]
    whole["itemsets"] = request.itemsets
    whole["sizes"] = [entry for part in parts for entry in part["sizes"]]
    whole["notes"] = list(dict.fromkeys(note for part in parts for note in part["notes"]))
    whole["notes"] += _best_notes(request, whole)
    return whole


def _pooled_best(
    request: Request, parts: Sequence[dict[str, Any]], limit: Deadline
) -> list[dict[str, Any]]:
    """Each size in its best form or in the paper's, whichever serves the pooled estimates."""
    paper = replace(request, form="paper")
    others = [_designed(paper, size, count, limit) for size, count in request.sizes.items()]
    options = []
    pairs = list(zip(parts, others, strict=True))
    for pair, count in zip(pairs, request.sizes.values(), strict=True):
        noises = [_noise(Plan.of(content), request.itemsets) for content in pair]
        options.append(Options(count, noises))
    chosen = best_for_pool(options, request.clients)
    return [pair[option] for pair, option in zip(pairs, chosen, strict=True)]


def _noise(plan: Plan, itemsets: int) -> dict[int, tuple[float, float]]:
    """v_0 and v_k of the one size of a plan; infinite where supports cannot be estimated."""
    group = plan.only
    (part,) = group.sizes
    found = {k: noise_of(group, part, k) for k in range(1, min(itemsets, part.size) + 1)}
    return {
        k: (math.inf, math.inf) if noise is None else (float(noise[0]), float(noise[1]))
        for k, noise in found.items()
    }


def _best_notes(request: Request, content: Mapping[str, Any]) -> list[str]:
    if request.form != "best":
        return []
    best = [entry for entry in content["sizes"] if entry["form"] == "best"]
    rest = [entry["size"] for entry in content["sizes"] if entry["form"] != "best"]
    said = best_notes(best) if best else []
    if rest:
        which = ranges([entry["size"] for entry in best])
        said = [f"Sizes {which}: {note[:1].lower()}{note[1:]}" for note in said]
        said.append(
            f"Sizes {ranges(rest)} take the paper's form: what is best for these sizes alone, to "
            f"see itemsets of {request.itemsets} items, costs the pool more in smaller ones."
        )
    return said


def _designed(request: Request, size: int, baskets: int, limit: Deadline) -> dict[str, Any]:
    """The plan of one size; where sizes are hidden, on the items and the dummies.

    limit: until when evidence for the best form is sought.
    """
    items = request.items
    if items is not None and request.hidden is not None:
        items += size
    mined = min(request.itemsets, size)
    many = baskets if request.alike else request.clients
    # In a pool of many sizes the supports that one of them sees alone do not matter.
    pooled = request.hidden is None and not request.alike
    assumed = searched_with(size, used_gamma(request), mined, many) if pooled else many
    content = design(
        [size],
        assumed,
        request.rho1,
        request.rho2,
        mined,
        items,
        request.bits,
        request.paper,
        "best" if request.form == "best" else "paper",
        limit,
    )
    (entry,) = content["sizes"]
    entry["baskets"] = baskets
    found = Plan.of(content).only.at(size).randomization
    if sends_most(found) and not request.paper:
        entry["complement_of"] = {"insert": entry["insert"], "cutoff": entry["cutoff"]}
        found = mirrored(found)
        del entry["keep" if "keep" in entry else "balance"]
        entry |= {"insert": number_text(found.insert), "cutoff": None, **law_json(found)}
        if items is not None:
            entry["expected_size"] = number_text(found.expected_size(items))
    if assumed != many:
        entry["searched_with"] = assumed
        entry["transactions"] = content["transactions"] = many
        entry |= decimals(range(1, mined + 1), lowest_supports(found, range(1, mined + 1), many))
        content["notes"] = []
    return content


def _lifted(request: Request, say: Say) -> dict[str, Any]:
    """Every client reports sets of one size."""
    say("forms for sets of items")
    return lifted_plan(request)


def _two_phase(request: Request, say: Say) -> dict[str, Any]:
    """Some clients report items, the others sets of those that are found frequent."""
    say("shares of two phases")
    return two_phase_plan(request)


FORMS: Mapping[str, Form] = {
    "best": _flat,
    "paper": _flat,
    "lifted": _lifted,
    "two-phase": _two_phase,
}
"""Each form of plan by its name on the command line."""


def _pooled(content: dict[str, Any], histogram: Mapping[int, int]) -> list[dict[str, Any]]:
    """For each group and k: the pooled LDS, and what remains of supports where baskets are cut."""
    found = []
    for pool in pools(Plan.of(content)):
        cut = None
        longest = pool.group.sizes[-1].size
        if pool.group.phase == 1 and longest < max(histogram):
            kept = remaining(histogram, longest, pool.itemset)
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


def _hiding(request: Request, say: Say) -> list[dict[str, Any]] | None:
    """What public, padded and cut sizes see, compared; not where there is no real histogram."""
    if len(request.histogram) == 1 or (request.alike and request.hidden is None):
        return None
    if request.item is not None:  # compared by amplification, which such a plan does not bound
        return None
    say("what hiding sizes would cost")
    return [
        {
            "sizes": way.sizes,
            "size": way.size,
            "lds": {str(k): None if s is None else repr(s) for k, s in way.lds.items()},
            "needed": {str(k): None if s is None else repr(s) for k, s in way.needed.items()},
        }
        for way in ways(request)
    ]


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
