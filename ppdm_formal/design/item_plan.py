"""Item-level plans: cut-and-paste for each size, as a plan that says what it does not promise.

The plan's rho1 and rho2 are what its amplification certifies against all priors: rho2 is the
breach level, rho1 the largest prior that Statement 1 keeps below it, rounded down. It is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from ppdm_formal.declare.arithmetic.decimals import round_to
from ppdm_formal.design.at_hand import AtHand, TooMany
from ppdm_formal.design.design import MARGIN, lowest_supports
from ppdm_formal.design.item_breach import ItemDesign, ItemGoal, item_design
from ppdm_formal.design.plan import Plan, SizePlan, everyone
from ppdm_formal.design.plan_facts import ItemFacts, SizeFacts
from ppdm_formal.design.plan_notes import BrokenBound, item_notes
from ppdm_formal.design.request import Request
from ppdm_formal.design.seed_size import compressed_bits


def item_plan(request: Request, say: Callable[[str], None]) -> Plan:
    """The plan for an item-level breach level under bounds on supports."""
    goal = request.item
    assert goal is not None
    parts, largest, shown = [], Fraction(1), Fraction(0)
    for done, (size, baskets) in enumerate(request.sizes.items()):
        say(f"baskets of {size} items ({done + 1} of {len(request.sizes)})")
        count = baskets if request.alike else request.clients
        mined = range(1, min(request.itemsets, size) + 1)
        found = item_design(size, goal, mined, count, request.bits, request.deadline)
        largest, shown = max(largest, found.amplification), max(shown, found.any_size)
        parts.append(replace(_sized(found, len(mined), count, request.items), baskets=baskets))
    low = certified_prior(largest, goal.level)
    return Plan(
        low,
        goal.level,
        request.items,
        request.itemsets,
        (everyone(tuple(parts)),),
        form="item",
        gamma_used=largest,
        item_breach=goal,
        transactions=max(part.transactions or 0 for part in parts),
        notes=item_notes(goal, largest, low, shown, broken_bounds(goal, request.data)),
    )


def broken_bounds(goal: ItemGoal, data: AtHand | None) -> list[BrokenBound]:
    """The bounds that the baskets at hand, taken together, do not keep.

    If they do, baskets of one size may still break it; where too many itemsets are frequent to be
    counted, nothing is said.
    """
    broken = []
    for items, bound in enumerate(goal.bounds if data is not None and len(data) else (), 1):
        assert data is not None
        try:
            counts = data.frequent(items, math.floor(bound * len(data)) + 1)
        except TooMany:
            continue
        above = [count for itemset, count in counts.items() if len(itemset) == items]
        if above:
            most = Fraction(max(above), len(data))
            broken.append(BrokenBound(items, bound, len(above), most))
    return broken


def certified_prior(amplification: Fraction, level: Fraction) -> Fraction:
    """The largest rho1, to three digits, for which this amplification has no rho1-to-level breach.

    >>> str(certified_prior(Fraction(19), Fraction(1, 2)))
    '499/10000'
    """
    above = amplification / (1 - MARGIN)
    return round_to(level / (level + above * (1 - level)), 3, up=False)


def _sized(found: ItemDesign, mined: int, count: int, items: int | None) -> SizePlan:
    law = found.randomization
    part = replace(SizePlan.spelled(law.size, law), transactions=count)
    lds, lds_worst = lowest_supports(law, range(1, mined + 1), count)
    facts = SizeFacts(
        found.amplification,
        lds,
        None,
        None if items is None else law.expected_size(items),
        None if items is None else compressed_bits(items, part.bits, law.size, mined),
        ItemFacts(
            mined,
            lds_worst,
            found.cutoff,
            {k: round_to(worst.posterior, 6, up=True) for k, worst in enumerate(found.worst, 1)},
            round_to(found.any_size, 6, up=True),
        ),
    )
    return replace(part, facts=facts)
