"""Item-level plans: cut-and-paste for each size, as a plan that says what it does not promise.

The plan's rho1 and rho2 are what its amplification certifies against all priors: rho2 is the
breach level, rho1 the largest prior that Statement 1 keeps below it, rounded down. It is small.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ppdm_formal.itemsets.at_hand import AtHand, TooMany
from ppdm_formal.itemsets.design import MARGIN, gamma_bound, lowest_supports
from ppdm_formal.itemsets.item_design import ItemDesign, ItemGoal, item_design
from ppdm_formal.itemsets.plan import FORMAT, law_json
from ppdm_formal.itemsets.request import Request
from ppdm_formal.itemsets.seed_size import compressed_bits
from ppdm_formal.numbers.decimals import decimal_text, round_to
from ppdm_formal.numbers.people import bound_percent, percent
from ppdm_formal.numbers.spelling import number_text


def item_plan(request: Request, say: Callable[[str], None]) -> dict[str, Any]:
    """The plan (ppdm-plan/1) for an item-level breach level under bounds on supports."""
    goal = request.item
    assert goal is not None
    entries, largest, shown = [], Fraction(1), Fraction(0)
    for done, (size, baskets) in enumerate(request.sizes.items()):
        say(f"baskets of {size} items ({done + 1} of {len(request.sizes)})")
        count = baskets if request.alike else request.clients
        mined = range(1, min(request.itemsets, size) + 1)
        found = item_design(size, goal, mined, count, request.bits, request.deadline)
        largest, shown = max(largest, found.amplification), max(shown, found.any_size)
        entries.append({**_entry(found, len(mined), count, request.items), "baskets": baskets})
    low = certified_prior(largest, goal.level)
    return {
        "format": FORMAT,
        "form": "item",
        "rho1": number_text(low),
        "rho2": number_text(goal.level),
        "gamma": number_text(gamma_bound(low, goal.level)),
        "gamma_used": number_text(largest),
        "paper": False,
        "item_breach": {
            "level": number_text(goal.level),
            "bounds": [number_text(bound) for bound in goal.bounds],
        },
        "transactions": max(entry["transactions"] for entry in entries),
        "items": request.items,
        "itemsets": request.itemsets,
        "deviations": 4,
        "assumption": "s_k = s, s_0 = 1 - s; all transactions of one size",
        "sizes": entries,
        "notes": [*_notes(goal, largest, low, shown), *broken_bounds(goal, request.data)],
    }


def broken_bounds(goal: ItemGoal, data: AtHand | None) -> list[str]:
    """A remark for each bound that the baskets at hand, taken together, do not keep.

    If they do, baskets of one size may still break it; where too many itemsets are frequent to be
    counted, nothing is said.
    """
    said = []
    for items, bound in enumerate(goal.bounds if data is not None and len(data) else (), 1):
        assert data is not None
        try:
            counts = data.frequent(items, math.floor(bound * len(data)) + 1)
        except TooMany:
            continue
        above = [count for itemset, count in counts.items() if len(itemset) == items]
        if above:
            most = percent(Fraction(max(above), len(data)))
            said.append(
                f"THE BASKETS AT HAND BREAK A BOUND: {len(above):,} of their itemsets of {items} "
                f"item{'s' * (items > 1)} have more support than {percent(bound)}, up to {most}. "
                "The promise about item-level breaches is void for them."
            )
    return said


def certified_prior(amplification: Fraction, level: Fraction) -> Fraction:
    """The largest rho1, to three digits, for which this amplification has no rho1-to-level breach.

    >>> str(certified_prior(Fraction(19), Fraction(1, 2)))
    '499/10000'
    """
    above = amplification / (1 - MARGIN)
    return round_to(level / (level + above * (1 - level)), 3, up=False)


def _entry(found: ItemDesign, mined: int, count: int, items: int | None) -> dict[str, Any]:
    law = found.randomization
    bits = law.insert.denominator.bit_length() - 1
    return {
        "size": law.size,
        "transactions": count,
        "itemsets": mined,
        "insert": number_text(law.insert),
        "bits": bits,
        "cutoff": None,
        "cut_and_paste": found.cutoff,
        **law_json(law),
        "amplification": number_text(found.amplification),
        "item_posteriors": {
            str(k): decimal_text(round_to(worst.posterior, 6, up=True))
            for k, worst in enumerate(found.worst, 1)
        },
        "item_posterior_any_size": decimal_text(round_to(found.any_size, 6, up=True)),
        **{
            key: {str(k): support.shown for k, support in part.items()}
            for key, part in lowest_supports(law, range(1, mined + 1), count).items()
        },
        "cheaper": [],
        "expected_size": None if items is None else number_text(law.expected_size(items)),
        "compressed_bits": None if items is None else compressed_bits(items, bits, law.size, mined),
    }


def _notes(goal: ItemGoal, amplification: Fraction, low: Fraction, shown: Fraction) -> list[str]:
    known = ", ".join(percent(bound) for bound in goal.bounds)
    level, most = percent(goal.level), f"{math.ceil(amplification):,}"
    return [
        "Item-level breaches: no item of an itemset that is seen in a report, of up to as many "
        f"items as the basket has, becomes as likely as {level}, where itemsets of 1, 2, ... items "
        f"have supports of at most {known} among baskets of one size (the last for all larger).",
        f"This is not certified against all priors: the amplification is up to {most}, so for any "
        f"prior only what is less likely than {decimal_text(low * 100)}% stays below {level}. A "
        "plan made with --rho1 and --rho2 promises that from rho1 on.",
        "Who looks at more items than a basket holds, up to whole reports, may find an item up to "
        f"{bound_percent(shown, up=True)} likely within the same bounds.",
    ]
