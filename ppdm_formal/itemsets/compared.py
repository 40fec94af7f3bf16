"""Compared: what other forms of plan would see, beside a plan of one form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from ppdm_formal.itemsets.cut import remaining
from ppdm_formal.itemsets.grouped_plan import checked_gamma, reported_sizes
from ppdm_formal.itemsets.hidden_sizes import MAX_TRIED, chosen_size, one_size, public_sizes
from ppdm_formal.itemsets.lifted import lifted_design
from ppdm_formal.itemsets.plan import Plan
from ppdm_formal.itemsets.plan_facts import FormSeen
from ppdm_formal.itemsets.request import Request
from ppdm_formal.itemsets.two_phase_plan import designed_for

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
    for form, design in (("paper", _paper), ("lifted", _lifted), ("two-phase", _two_phase)):
        of_items = form == "paper" and request.form in ("best", "paper")
        if of_items or form == request.form:
            continue
        if form == "two-phase" and (request.data is None or request.itemsets < 2):
            continue
        try:
            found.append(FormSeen(size, form, design(request)))
        except ValueError as why:
            found.append(FormSeen(size, form, None, str(why)))
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
