"""Plans of two phases: written with phase two pending, then continued with the items found."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ppdm_formal.itemsets.at_hand import AtHand
from ppdm_formal.itemsets.cut import Kept, item_shares, remaining
from ppdm_formal.itemsets.grouped_plan import (
    SETS,
    Placed,
    checked_gamma,
    group_json,
    group_name,
    grouped_content,
    plain_json,
    reported_sizes,
)
from ppdm_formal.itemsets.item_form import best_item_form
from ppdm_formal.itemsets.lifted import LiftedGroup, LiftedSize, lifted_group
from ppdm_formal.itemsets.plain_group import LONGEST, PlainGroup, plain_group
from ppdm_formal.itemsets.plan import Plan
from ppdm_formal.itemsets.projected import (
    chances,
    expected_sizes,
    independent_sizes,
    whole_counts,
)
from ppdm_formal.itemsets.request import Request
from ppdm_formal.itemsets.two_phase import (
    STRICTNESS,
    Projection,
    TwoPhaseDesign,
    most_projected,
    reported,
    two_phase_design,
)
from ppdm_formal.numbers.people import percent

LARGEST_CUT = 60
"""The largest size that is tried for cutting the baskets of phase one."""

STATED = (Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2))
"""For so many times the largest LDS a plan says with which chance an item is missed."""


def two_phase_plan(request: Request) -> dict[str, Any]:
    """The plan of two phases, the second pending, with what is predicted of it."""
    request = first_cut(request)
    histogram = reported_sizes(request)
    hidden = request.hidden is not None
    found = designed_for(request, hidden)
    other = _if_there_is(lambda: designed_for(request, not hidden, [found.screen.strictness]))
    content = grouped_content(request, _groups(request, found, histogram), [])
    predicted = _predicted(found, request)
    shown = {"hidden" if one.hidden else "public": _figures(one) for one in (found, other) if one}
    content["two_phase"] = {**predicted, "projected": shown}
    content["notes"] = _notes(found, other, content["two_phase"])
    return content


def designed_for(
    request: Request, hidden: bool, strictness: Sequence[float] = STRICTNESS
) -> TwoPhaseDesign:
    """The design that a request asks for, with projected sizes public or hidden."""
    request = first_cut(request)
    sizes = reported_sizes(request)
    return two_phase_design(
        sizes,
        _projection(request),
        checked_gamma(request),
        request.itemsets,
        hidden,
        request.bits,
        request.missed,
        strictness,
        None if request.data is None else Kept.of(request.data, max(sizes)),
    )


def first_cut(request: Request) -> Request:
    """The request with the size that phase one cuts to, where that is to be chosen.

    A basket of M items has noise v_0, and the part of an item's support that remains grows with
    M: the least v_0 / part^2 lets the lowest supports be found.
    """
    if request.hidden != "cut" or request.longest is not None:
        return request
    gamma = checked_gamma(request)

    def cost(size: int) -> Fraction:
        kept = remaining(request.histogram, size, 1).evenly
        return best_item_form(size, gamma, 0.0, request.bits).noise_absent / kept**2

    # A plan for K-itemsets has baskets that can hold them.
    sizes = range(request.itemsets, min(request.largest, LARGEST_CUT) + 1)
    return replace(request, longest=min(sizes, key=cost))


def _if_there_is(design: Callable[[], TwoPhaseDesign]) -> TwoPhaseDesign | None:
    """The figures of the other treatment of sizes are for comparison: there may be none."""
    try:
        return design()
    except ValueError:
        return None


def _projection(request: Request) -> Projection:
    """Projected sizes from the data at hand, whose items are chosen after cutting."""
    data = request.data
    if data is None:
        raise ValueError(
            "two phases are planned from baskets at hand, which say how many of the items that are "
            "found frequent a basket holds: give --data"
        )
    shares = item_shares(data, max(reported_sizes(request)))
    return lambda chosen: expected_sizes(data, chances(data, chosen, shares))


def _groups(
    request: Request, found: TwoPhaseDesign, histogram: Mapping[int, int]
) -> list[dict[str, Any]]:
    first = Placed(found.shares[0], items=request.items, hidden=request.hidden)
    sizes = reported(found.projected, found.most, found.hidden)
    groups = [group_json(found.items, histogram, first)]
    for group, share in zip(found.groups, found.shares[1:], strict=True):
        placed = Placed(share, phase=2, hidden="cut" if found.hidden else None)
        if isinstance(group, PlainGroup):
            groups.append(plain_json(group, sizes, request.itemsets, placed))
        elif found.hidden:
            groups.append(group_json(group, sizes, placed))
        else:
            groups.append(group_json(_with_all_sizes(group, found.most), sizes, placed))
    return groups


def _with_all_sizes(group: LiftedGroup, most: int) -> LiftedGroup:
    """Forms also for sizes that are not expected: a client may have any."""
    known = {part.size: part for part in group.sizes}
    gamma = group.sizes[0].form.gamma
    return replace(
        group,
        sizes=tuple(
            known.get(size)
            or LiftedSize(size, best_item_form(math.comb(size, group.itemset), gamma))
            for size in range(group.itemset, most + 1)
        ),
    )


def _predicted(found: TwoPhaseDesign, request: Request) -> dict[str, Any]:
    """What is said of phase one, as numbers."""
    screen = found.screen
    chosen = None
    if request.data is not None:
        shares = item_shares(request.data, max(reported_sizes(request)))
        chosen = float(chances(request.data, screen.chosen, shares).sum())
    stated = [(float(times) * found.largest) for times in STATED]
    return {
        "threshold": repr(screen.threshold),
        "strictness": repr(screen.strictness),
        "let_in": repr(screen.let_in),
        "chosen": None if chosen is None else repr(chosen),
        "missed": [_missed_json(found, support) for support in stated],
        "items_lds": found.item_lds.decimal(),
        "sizes": {str(size): count for size, count in sorted(found.projected.items())},
    }


def _missed_json(found: TwoPhaseDesign, support: float) -> dict[str, Any]:
    """The chance that an item of a support is missed, and what remains of the support."""
    value: dict[str, Any] = {"support": repr(support)}
    chance, kept = found.missed_at(support), found.kept.around(support)
    value["chance"] = repr(chance.mean)
    if not found.kept.whole:
        value["between"] = [repr(chance.least), repr(chance.most)]
        value["remains"] = {name: repr(share) for name, share in vars(kept).items()}
    return value


def _figures(found: TwoPhaseDesign) -> dict[str, Any]:
    """The LDS of each k where projected sizes are public, or hidden."""
    return {
        "most": found.most,
        "share": str(sum(found.shares[1:])),
        "largest": repr(found.largest),
        "reports": "items" if found.groups[0].lifted == 1 else "sets",
        "lds": {
            str(k): repr(support) if found.discoverable[k] else None
            for k, support in found.supports.items()
        },
        "remains": {str(k): repr(float(kept)) for k, kept in found.remains.items()},
    }


def _notes(
    found: TwoPhaseDesign, other: TwoPhaseDesign | None, predicted: Mapping[str, Any]
) -> list[str]:
    """The same in sentences."""
    chosen = predicted["chosen"]
    expected = "" if chosen is None else f" (about {float(chosen):.0f} are expected)"
    missed = ", ".join(map(_missed_words, (m for m in predicted["missed"] if _possible(m))))
    notes = [
        f"Phase one: {_percent(float(found.shares[0]))} of the clients report items"
        + (", those of long baskets a random part. " if not found.kept.whole else ". ")
        + f"Choose those whose estimates are at least {_percent(found.screen.threshold)}"
        f"{expected} and continue the plan with them. An item of no support gets in with chance "
        f"{_percent(found.screen.let_in)}.",
        f"Phase one misses an item that has a support of {missed}"
        f"{_kept_words(predicted['missed'][0])}."
        if missed
        else "Phase one has too few clients to find any item.",
        _sizes_note(found),
    ]
    if other is not None:
        notes.append("For comparison: " + _sizes_note(other)[0].lower() + _sizes_note(other)[1:])
    return notes


def _possible(one: Mapping[str, Any]) -> bool:
    return float(one["support"]) <= 1


def _missed_words(one: Mapping[str, Any]) -> str:
    """A support, and with which chance an item that has it is missed."""
    said = f"{_percent(float(one['support']))} with chance {_percent(float(one['chance']))}"
    if "between" not in one:
        return said
    low, high = (_percent(float(end)) for end in one["between"])
    return f"{said} (from {low} to {high})"


def _kept_words(one: Mapping[str, Any]) -> str:
    """What remains of supports like the one where an item is missed every second time, or so."""
    if "remains" not in one:
        return ""
    least, mean, most = (_percent(float(one["remains"][key])) for key in ("least", "mean", "most"))
    return (
        f": of a support like {_percent(float(one['support']))} {least} to {most} remains in the "
        f"baskets at hand where long ones are cut, {mean} on average"
    )


def _sizes_note(found: TwoPhaseDesign) -> str:
    seen = " and ".join(
        f"{_percent(support) if found.discoverable[k] else 'none'} for {group_name(k)}"
        for k, support in found.supports.items()
    )
    if not found.hidden:
        return (
            "Phase two with public projected sizes: the number of chosen items in a basket is "
            f"shown as it is (it reveals, say, that none is there). LDS {seen}."
        )
    kept = ", ".join(
        f"{_percent(float(part))} for {group_name(k)}" for k, part in found.remains.items()
    )
    return (
        f"Phase two with hidden projected sizes: every basket is padded or cut to {found.most} "
        f"chosen items. LDS {seen}. Cutting makes estimates too small: of a support that is spread "
        f"evenly over baskets, {kept} remains (taken into account in the LDS)."
    )


def _percent(value: float) -> str:
    return percent(Fraction(value), 2)


def continued(
    content: Mapping[str, Any],
    chosen: Sequence[int],
    supports: Sequence[float] | None = None,
    data: AtHand | None = None,
) -> dict[str, Any]:
    """The plan with phase two filled in: projected onto the items that phase one found.

    Shares stay as they are, for the clients of phase one have reported. Projected sizes come from
    baskets at hand, or from the items' supports as if items were independent, or else stay as
    they were predicted; they decide only what is expected, and how forms are tuned.
    """
    plan = Plan.of(content)
    if any(key not in content for key in ("two_phase", "histogram", "gamma_used")):
        raise ValueError("this plan was not designed for two phases")
    pending = [group for group in plan.groups if group.pending]
    if not pending:
        raise ValueError("this plan has no second phase that waits for items")
    items = sorted(set(chosen))
    if plan.items is None or not items or items[0] < 0 or items[-1] >= plan.items:
        raise ValueError(f"the chosen items are not among the plan's {plan.items} items")
    # A public size of all chosen items is a basket that everybody knows.
    least = plan.itemsets + (1 if any(group.hidden is None for group in pending) else 0)
    if len(items) < least:
        raise ValueError(
            f"{len(items)} items were chosen: to report sets of {plan.itemsets} of them at least "
            f"{least} are needed; lower the threshold"
        )
    clients, before = _predictions(content, plan)
    if data is not None:
        counted = data.projected(items).histogram
        expected = {size: float(count) for size, count in counted.items()}
    elif supports is not None:
        expected = independent_sizes(supports, clients)
    else:
        expected = before
    projected = whole_counts(expected, clients)
    groups = [
        _continued_group(entry, items, projected, content)
        if entry["phase"] == 2 and entry["chosen"] is None
        else entry
        for entry in content["groups"]
    ]
    result = {**content, "groups": groups}
    result["two_phase"] = {
        **content["two_phase"],
        "continued": {
            "items": len(items),
            "sizes": {str(size): count for size, count in sorted(projected.items())},
        },
    }
    return result


def _predictions(content: Mapping[str, Any], plan: Plan) -> tuple[int, dict[int, float]]:
    """How many clients there are, and the projected sizes that were predicted; all is checked."""
    try:
        clients = int(plan.clients or content["transactions"])
        sizes = {int(size): float(n) for size, n in content["two_phase"]["sizes"].items()}
        basket = max(int(size) for size in content["histogram"])
        support = float(content["two_phase"]["missed"][0]["support"])
        gamma = Fraction(content["gamma_used"])
        fits = basket >= plan.itemsets and support > 0 and gamma > 1 and clients > 0
        if not fits or not sizes or min(sizes) < 0 or not 0 < sum(sizes.values()) < math.inf:
            raise ValueError
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise ValueError("what the plan predicts of its second phase is damaged") from None
    return clients, sizes


def continued_notes(content: Mapping[str, Any]) -> list[str]:
    """What is said of a plan that goes on: the items it has, and what they let be seen."""
    seen = [
        f"{group_name(pool['itemset'])} "
        + ("no support" if pool["lds"] is None else _percent(float(pool["lds"])))
        for pool in content["pooled"]
        if pool["group"] in (group_name(pool["itemset"]), SETS) and pool["itemset"] > 1
    ]
    how = "hidden" if content["groups"][-1]["hidden"] else "public"
    return [
        f"Phase two: baskets are projected onto {content['two_phase']['continued']['items']} "
        f"items; projected sizes are {how}. LDS: {', '.join(seen)}. The clients of phase one "
        "must not report again."
    ]


def _continued_group(
    entry: Mapping[str, Any],
    items: Sequence[int],
    projected: Mapping[int, int],
    content: Mapping[str, Any],
) -> dict[str, Any]:
    itemset, share = int(entry["lifted"]), Fraction(entry["share"])
    gamma = Fraction(content["gamma_used"])
    hidden = entry["hidden"]
    basket = max(int(size) for size in content["histogram"])
    if hidden is None:
        longest = LONGEST if itemset == 1 else most_projected(int(content["itemsets"]))
        most = min(longest, len(items) - 1, basket)
    else:
        most = int(entry["sizes"][0]["size"])
    sizes = reported(projected, most, hidden is not None)
    placed = Placed(share, 2, len(items), tuple(items), hidden)
    if itemset == 1:
        mined = int(content["itemsets"])
        if max(sizes) < mined:  # none is expected, yet one may come
            sizes = {**sizes, most: 1}
        shown = most if hidden is None else None
        return plain_json(plain_group(sizes, gamma, mined, most=shown), sizes, mined, placed)
    if max(sizes) < itemset:
        sizes = {**sizes, most: 1}
    support = float(content["two_phase"]["missed"][0]["support"])
    group = lifted_group(sizes, gamma, itemset, min(0.5, support))
    if hidden is None:
        group = _with_all_sizes(group, most)
    return group_json(group, sizes, placed)
