"""Plans of two phases: written with phase two pending, then continued with the items found."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ppdm_formal.design.at_hand import (
    AtHand,
    chances,
    expected_sizes,
    independent_sizes,
    whole_counts,
)
from ppdm_formal.design.cut import KeptShares, item_shares, remaining
from ppdm_formal.design.grouped_plan import (
    Placed,
    checked_gamma,
    group_of_items,
    group_of_sets,
    plan_of_groups,
    reported_sizes,
)
from ppdm_formal.design.item_form import best_item_form
from ppdm_formal.design.lifted import (
    LONGEST,
    LiftedGroup,
    LiftedSize,
    PlainGroup,
    lifted_group,
    plain_group,
)
from ppdm_formal.design.plan import Group, Plan
from ppdm_formal.design.plan_facts import (
    Continued,
    MissedItem,
    ProjectedForecast,
    TwoPhaseForecast,
)
from ppdm_formal.design.plan_notes import two_phase_notes
from ppdm_formal.design.request import Request
from ppdm_formal.design.two_phase import (
    STRICTNESS,
    Projection,
    TwoPhaseDesign,
    most_projected,
    reported,
    two_phase_design,
)

LARGEST_CUT = 60
"""The largest size that is tried for cutting the baskets of phase one."""

STATED = (Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2))
"""For so many times the largest LDS a plan says with which chance an item is missed."""


def two_phase_plan(request: Request) -> Plan:
    """The plan of two phases, the second pending, with what is predicted of it."""
    request = first_cut(request)
    histogram = reported_sizes(request)
    hidden = request.hidden is not None
    found = designed_for(request, hidden)
    other = _if_there_is(lambda: designed_for(request, not hidden, [found.screen.strictness]))
    plan = plan_of_groups(request, _groups(request, found, histogram))
    plan = replace(plan, two_phase=_predicted(found, other, request))
    return replace(plan, notes=tuple(two_phase_notes(plan)))


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
        None if request.data is None else KeptShares.of(request.data, max(sizes)),
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


def _groups(request: Request, found: TwoPhaseDesign, histogram: Mapping[int, int]) -> list[Group]:
    first = Placed(found.shares[0], items=request.items, hidden=request.hidden)
    sizes = reported(found.projected, found.most, found.hidden)
    groups = [group_of_sets(found.items, histogram, first)]
    for group, share in zip(found.groups, found.shares[1:], strict=True):
        placed = Placed(share, phase=2, hidden="cut" if found.hidden else None)
        if isinstance(group, PlainGroup):
            groups.append(group_of_items(group, sizes, request.itemsets, placed))
        elif found.hidden:
            groups.append(group_of_sets(group, sizes, placed))
        else:
            groups.append(group_of_sets(_with_all_sizes(group, found.most), sizes, placed))
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


def _predicted(
    found: TwoPhaseDesign, other: TwoPhaseDesign | None, request: Request
) -> TwoPhaseForecast:
    """What is said of both phases; of the second also with sizes treated the other way."""
    screen = found.screen
    chosen = None
    if request.data is not None:
        shares = item_shares(request.data, max(reported_sizes(request)))
        chosen = float(chances(request.data, screen.chosen, shares).sum())
    return TwoPhaseForecast(
        screen.threshold,
        screen.strictness,
        screen.let_in,
        chosen,
        tuple(_missed(found, float(times) * found.largest) for times in STATED),
        found.item_lds.rounded(),
        dict(sorted(found.projected.items())),
        tuple(_figures(one) for one in (found, other) if one is not None),
    )


def _missed(found: TwoPhaseDesign, support: float) -> MissedItem:
    """The chance that an item of a support is missed, and what remains of the support."""
    chance = found.missed_at(support)
    if found.kept.whole:
        return MissedItem(support, chance.mean)
    between = (chance.least, chance.most)
    return MissedItem(support, chance.mean, between, found.kept.around(support))


def _figures(found: TwoPhaseDesign) -> ProjectedForecast:
    """The LDS of each k where projected sizes are public, or hidden."""
    return ProjectedForecast(
        found.hidden,
        found.most,
        sum(found.shares[1:], Fraction(0)),
        found.largest,
        "items" if found.groups[0].lifted == 1 else "sets",
        {k: support if found.discoverable[k] else None for k, support in found.supports.items()},
        {k: float(kept) for k, kept in found.remains.items()},
    )


def continued(
    plan: Plan,
    chosen: Sequence[int],
    supports: Sequence[float] | None = None,
    data: AtHand | None = None,
) -> Plan:
    """The plan with phase two filled in: projected onto the items that phase one found.

    Shares stay as they are, for the clients of phase one have reported. Projected sizes come from
    baskets at hand, or from the items' supports as if items were independent, or else stay as
    they were predicted; they decide only what is expected, and how forms are tuned.
    """
    if plan.two_phase is None and all(group.phase == 1 for group in plan.groups):
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
    known = _known(plan)
    if data is not None:
        counted = data.projected(items).histogram
        expected = {size: float(count) for size, count in counted.items()}
    elif supports is not None:
        expected = independent_sizes(supports, known.clients)
    else:
        expected = {size: float(count) for size, count in known.predicted.sizes.items()}
    projected = whole_counts(expected, known.clients)
    groups = [
        _continued_group(plan, group, items, projected, known) if group.pending else group
        for group in plan.groups
    ]
    done = Continued(len(items), dict(sorted(projected.items())))
    return replace(plan, groups=tuple(groups), two_phase=replace(known.predicted, continued=done))


@dataclass(frozen=True)
class _Known:
    """What the second phase is filled in with; largest: the largest basket."""

    clients: int
    largest: int
    gamma: Fraction
    predicted: TwoPhaseForecast


def _known(plan: Plan) -> _Known:
    """What a plan predicts; it comes from a file, and is checked."""
    clients, largest = plan.clients or plan.transactions, max(plan.histogram or {0: 0})
    gamma, predicted = plan.gamma_used, plan.two_phase
    if (
        clients
        and gamma is not None
        and gamma > 1
        and largest >= plan.itemsets
        and predicted is not None
        and predicted.missed
        and predicted.missed[0].support > 0
        and sum(predicted.sizes.values())
    ):
        return _Known(clients, largest, gamma, predicted)
    raise ValueError("what the plan predicts of its second phase is missing, or is damaged")


def _continued_group(
    plan: Plan, group: Group, items: Sequence[int], projected: Mapping[int, int], known: _Known
) -> Group:
    hidden, itemset, gamma = group.hidden, group.lifted, known.gamma
    if hidden is None:
        longest = LONGEST if itemset == 1 else most_projected(plan.itemsets)
        most = min(longest, len(items) - 1, known.largest)
    else:
        most = group.sizes[0].size
    sizes = reported(projected, most, hidden is not None)
    placed = Placed(group.share, 2, len(items), tuple(items), hidden)
    if itemset == 1:
        if max(sizes) < plan.itemsets:  # none is expected, yet one may come
            sizes = {**sizes, most: 1}
        shown = most if hidden is None else None
        plain = plain_group(sizes, gamma, plan.itemsets, most=shown)
        return group_of_items(plain, sizes, plan.itemsets, placed)
    if max(sizes) < itemset:
        sizes = {**sizes, most: 1}
    support = min(0.5, known.predicted.missed[0].support)
    lifted = lifted_group(sizes, gamma, itemset, support)
    if hidden is None:
        lifted = _with_all_sizes(lifted, most)
    return group_of_sets(lifted, sizes, placed)
