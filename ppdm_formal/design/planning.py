"""Planning: from a request to a plan, by the form that is asked for.

Each form gives the groups or sizes of a plan; what is said of every plan (its counts, what its
pooled estimates will see, what its sizes reveal, what other forms would see) is added here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeAlias

from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.design.cut import remaining
from ppdm_formal.design.design import design, lowest_supports, mirrored, sends_most
from ppdm_formal.design.forecast import SizeOptions, best_for_pool, noise_of, pooled_forecasts
from ppdm_formal.design.grouped_plan import checked_gamma, lifted_plan, reported_sizes
from ppdm_formal.design.hidden_sizes import (
    MAX_TRIED,
    chosen_size,
    one_size,
    public_sizes,
    searched_with,
    used_gamma,
    ways,
)
from ppdm_formal.design.item_plan import item_plan
from ppdm_formal.design.lifted import lifted_design
from ppdm_formal.design.plan import Plan, SizePlan, everyone
from ppdm_formal.design.plan_facts import Complemented, FormFacts, FormSeen, Way
from ppdm_formal.design.plan_notes import (
    AT_HAND,
    LATE,
    best_notes,
    comparison_notes,
    continued_note,
    search_notes,
)
from ppdm_formal.design.request import Request
from ppdm_formal.design.two_phase_plan import continued, designed_for, two_phase_plan

BEST_SECONDS = 90.0
"""The most that the best forms of all public sizes and their evidence take."""

Say: TypeAlias = Callable[[str], None]
Form: TypeAlias = Callable[[Request, Say], Plan]


def plan_for(request: Request, say: Say = lambda _: None) -> Plan:
    """The plan of the form that is asked for."""
    form = FORMS[request.form] if request.item is None else item_plan
    plan = form(request, say)
    histogram = dict(sorted(request.histogram.items()))
    plan = replace(plan, clients=request.clients, histogram=histogram)
    say("what it will see")
    plan = replace(plan, pooled=pooled_forecasts(plan), at_hand=request.data is not None)
    late = False
    # Plans of groups say by themselves what hiding costs, or nothing: the figures are of items.
    if plan.alike:
        late = not _time_for_more(request)
        plan = plan if late else replace(plan, hiding=_hiding(request, say))
    # A plan against item-level breaches answers another question than the other forms.
    if request.item is None:
        late = late or not _time_for_more(request)
        if not late:
            say("other forms, for comparison")
            plan = replace(plan, compared=compared(plan, request))
    notes = [*plan.notes]
    if plan.compared is not None:
        cut = not request.alike and max(reported_sizes(request)) < request.largest
        notes += comparison_notes(plan.compared, request.form, cut)
    notes += [LATE] * late + [AT_HAND] * (request.data is not None)
    return replace(plan, notes=tuple(notes))


def _time_for_more(request: Request) -> bool:
    """Whether there is time left to compare; a plan is not lost for want of it."""
    # Without a limit both are infinite.
    return request.deadline.left >= request.deadline.limit / 3


def continue_for(
    plan: Plan, chosen: Sequence[int], supports: Sequence[float] | None, data: AtHand | None
) -> Plan:
    """A plan whose second phase waits for items, with these items."""
    found = continued(plan, chosen, supports, data)
    found = replace(found, pooled=pooled_forecasts(found))
    said = (continued_note(found), *([AT_HAND] * (data is not None)))
    return replace(found, notes=said, at_hand=data is not None or bool(plan.at_hand))


def _flat(request: Request, say: Say) -> Plan:
    """All clients report items: a randomization for each size, or for the one that hides all."""
    if request.hidden is not None:
        say("the size to cut to")
        most = chosen_size(request)
        say(f"baskets of up to {most} items")
        limit = Deadline.after(request.deadline.left / 2)
        plan = _designed(request, most, request.clients, limit)
        hidden = everyone(plan.only.sizes, request.hidden)
        return _with_notes(request, replace(plan, items=request.items, groups=(hidden,)))
    parts = []
    limit = Deadline.after(min(request.deadline.left / 2, BEST_SECONDS))
    for done, (size, count) in enumerate(request.sizes.items()):
        say(f"baskets of {size} items ({done + 1} of {len(request.sizes)})")
        parts.append(_designed(request, size, count, limit.part(1 / (len(request.sizes) - done))))
    if request.form == "best" and not request.alike:
        parts = _pooled_best(request, parts, limit)
    every = everyone(tuple(size for part in parts for size in part.only.sizes))
    whole = replace(parts[-1], itemsets=request.itemsets, groups=(every,))
    return _with_notes(request, whole)


def _with_notes(request: Request, plan: Plan) -> Plan:
    best = best_notes(plan) if request.form == "best" else []
    return replace(plan, notes=(*search_notes(plan), *best))


def _pooled_best(request: Request, parts: Sequence[Plan], limit: Deadline) -> list[Plan]:
    """Each size in its best form or in the paper's, whichever serves the pooled estimates."""
    paper = replace(request, form="paper")
    others = [_designed(paper, size, count, limit) for size, count in request.sizes.items()]
    options = []
    pairs = list(zip(parts, others, strict=True))
    for pair, count in zip(pairs, request.sizes.values(), strict=True):
        options.append(SizeOptions(count, [_noise(plan, request.itemsets) for plan in pair]))
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


def _designed(request: Request, size: int, baskets: int, limit: Deadline) -> Plan:
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
    plan = design(
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
    part = plan.only.at(size)
    if sends_most(part.randomization) and not request.paper:
        part = _complement(part, items)
    if assumed != many:
        part = _seen_by(part, many, range(1, mined + 1))
    part = replace(part, baskets=baskets)
    return replace(plan, transactions=many, groups=(everyone((part,)),))


def _complement(part: SizePlan, items: int | None) -> SizePlan:
    """What sends the complement, and says of what."""
    law, facts = mirrored(part.randomization), part.facts
    assert facts is not None
    assert isinstance(facts.searched, FormFacts)
    original = Complemented(part.randomization.insert, facts.cutoff)
    facts = replace(
        facts,
        cutoff=None,
        expected_size=None if items is None else law.expected_size(items),
        searched=replace(facts.searched, complement_of=original),
    )
    spelled = SizePlan.spelled(part.size, law)
    return replace(part, randomization=law, ratios=spelled.ratios, facts=facts)


def _seen_by(part: SizePlan, many: int, mined: Sequence[int]) -> SizePlan:
    """What so many transactions see, where the search assumed others."""
    facts = part.facts
    assert facts is not None
    assert isinstance(facts.searched, FormFacts)
    lds, lds_worst = lowest_supports(part.randomization, mined, many)
    searched = replace(facts.searched, lds_worst=lds_worst, searched_with=part.transactions)
    return replace(part, transactions=many, facts=replace(facts, lds=lds, searched=searched))


def _lifted(request: Request, say: Say) -> Plan:
    """Every client reports sets of one size."""
    say("forms for sets of items")
    return lifted_plan(request)


def _two_phase(request: Request, say: Say) -> Plan:
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


def _hiding(request: Request, say: Say) -> tuple[Way, ...] | None:
    """What public, padded and cut sizes see, compared; not where there is no real histogram."""
    if len(request.histogram) == 1 or (request.alike and request.hidden is None):
        return None
    if request.item is not None:  # compared by amplification, which such a plan does not bound
        return None
    say("what hiding sizes would cost")
    return tuple(ways(request))


_STRICTNESS = (2.5,)  # one threshold is enough to compare


def compared(plan: Plan, request: Request) -> tuple[FormSeen, ...]:
    """For each form the largest LDS, or why there is none.

    With --sizes for each size, unless groups of clients have their shares for all sizes together.
    """
    if not request.alike or not plan.alike:
        own = FormSeen(None, request.form, _own(plan, request))
        return own, *_others(None, request)
    found = []
    for part in plan.only.sizes:
        alone = replace(
            request,
            histogram={part.size: part.baskets or 0},
            itemsets=min(request.itemsets, part.size),
        )
        seen = {} if part.facts is None else part.facts.lds
        found.append(FormSeen(part.size, request.form, _largest(list(seen.values()))))
        found += _others(part.size, alone)
    return tuple(found)


def _own(plan: Plan, request: Request) -> float | None:
    """What the plan itself sees; of two phases the sets that the second reports, as designed."""
    if plan.two_phase is None:
        return _before_cutting(request, {pool.itemset: pool.lds for pool in plan.pooled or ()})
    figures = plan.two_phase.projected[0]
    return _largest([*figures.lds.values(), figures.largest])


def _before_cutting(request: Request, seen: Mapping[int, Decimal | float | None]) -> float | None:
    """The largest support that must be there before long baskets are cut, spread evenly."""
    longest = max(reported_sizes(request))
    kept = {k: float(remaining(request.histogram, longest, k).evenly) for k in seen}
    known = {k: None if lds is None else float(lds) / kept[k] for k, lds in seen.items()}
    return _largest([None if lds is None or lds > 1 else lds for lds in known.values()])


def _largest(seen: Sequence[Decimal | float | None]) -> float | None:
    """Over all k; None where one is not discoverable."""
    known = [float(lds) for lds in seen if lds is not None]
    return max(known) if known and len(known) == len(seen) else None


def _others(size: int | None, request: Request) -> list[FormSeen]:
    """Of forms for items the paper's stands for both: --form best says how far it is from that."""
    found = []
    for form, largest in (
        ("paper", _seen_in_the_papers_form),
        ("lifted", _seen_lifted),
        ("two-phase", _seen_in_two_phases),
    ):
        of_items = form == "paper" and request.form in ("best", "paper")
        if of_items or form == request.form:
            continue
        if form == "two-phase" and (request.data is None or request.itemsets < 2):
            continue
        try:
            found.append(FormSeen(size, form, largest(request)))
        except ValueError as why:
            found.append(FormSeen(size, form, None, str(why)))
    return found


def _seen_in_the_papers_form(request: Request) -> float | None:
    if request.hidden is not None:
        way = one_size(request, chosen_size(request))
    elif max(request.sizes) <= MAX_TRIED:
        way = public_sizes(request)
    else:
        raise ValueError(f"not tried for baskets of more than {MAX_TRIED} items")
    return _largest(list(way.needed.values()))


def _seen_lifted(request: Request) -> float | None:
    design = lifted_design(
        reported_sizes(request), checked_gamma(request), request.itemsets, request.bits
    )
    seen = {
        group.itemset: float(lds) if group.noise.discoverable(lds) else None
        for group, lds in zip(design.groups, design.lds, strict=True)
    }
    return _before_cutting(request, seen)


def _seen_in_two_phases(request: Request) -> float | None:
    design = designed_for(request, request.hidden is not None, _STRICTNESS)
    return design.largest if all(design.discoverable.values()) else None
