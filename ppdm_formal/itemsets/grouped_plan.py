"""Plans with groups as JSON: lifted designs written as the groups of a plan (docs/plans.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.families.select_a_size import Randomization, cutoff_ratios
from ppdm_formal.itemsets.design import amplification_of, gamma_bound, lowest_support
from ppdm_formal.itemsets.hidden_sizes import chosen_size, used_gamma
from ppdm_formal.itemsets.item_form import ItemForm
from ppdm_formal.itemsets.lds import DEVIATIONS
from ppdm_formal.itemsets.lifted import LiftedGroup, lifted_design
from ppdm_formal.itemsets.plain_group import PlainGroup, PlainSize
from ppdm_formal.itemsets.plan import FORMAT, Hidden, balance_json
from ppdm_formal.itemsets.request import Request
from ppdm_formal.itemsets.seed_size import compressed_bits
from ppdm_formal.itemsets.shares import PooledNoise
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.operator.cut import drawable

ASSUMPTION = "s_k = s, s_0 = 1 - s; the support is spread evenly over all baskets that can hold it"

NAMES = {1: "items", 2: "pairs", 3: "triples"}
"""What groups are called; sets of more items by their number."""


SETS = "sets"
"""A group of the second phase that reports items, from which sets of all sizes are estimated."""


def group_name(itemset: int) -> str:
    """items, pairs, triples, sets of 4, ..."""
    return NAMES.get(itemset, f"sets of {itemset}")


@dataclass(frozen=True)
class Placed:
    """Where a group of sets stands in a plan: its share, phase, items, and what hides sizes."""

    share: Fraction
    phase: int = 1
    items: int | None = None
    chosen: Sequence[int] | None = None
    hidden: Hidden | None = None

    def dummies(self, size: int) -> int:
        """How many dummy items there are besides."""
        return size if self.hidden else 0


def grouped_content(
    request: Request, groups: Sequence[dict[str, Any]], notes: Sequence[str]
) -> dict[str, Any]:
    """A plan of groups."""
    return {
        "format": FORMAT,
        "form": request.form,
        "rho1": number_text(request.rho1),
        "rho2": number_text(request.rho2),
        "gamma": number_text(gamma_bound(request.rho1, request.rho2)),
        "gamma_used": number_text(checked_gamma(request)),
        "paper": request.paper,
        "transactions": request.clients,
        "items": request.items,
        "itemsets": request.itemsets,
        "deviations": DEVIATIONS,
        "assumption": ASSUMPTION,
        "groups": list(groups),
        "notes": list(notes),
    }


def checked_gamma(request: Request) -> Fraction:
    """The amplification that a plan may have, if anything can be learnt with it."""
    used = used_gamma(request)
    if used <= 1:
        raise ValueError(
            f"an amplification of {number_text(used)} leaves nothing to learn: "
            "rho1 and rho2 are too close"
        )
    return used


def group_json(group: LiftedGroup, histogram: Mapping[int, int], placed: Placed) -> dict[str, Any]:
    """A group of clients that report sets of k items; its sizes as other plans have them."""
    return {
        **_head(group_name(group.itemset), group.itemset, placed),
        "sizes": [
            _entry(part.size, group.itemset, part.form, histogram.get(part.size, 0), placed)
            for part in group.sizes
        ],
    }


def plain_json(
    group: PlainGroup, histogram: Mapping[int, int], itemsets: int, placed: Placed
) -> dict[str, Any]:
    """A group of clients that report items, of which sets of 2..K items are estimated."""
    return {
        **_head(SETS, 1, placed),
        "sizes": [
            _plain_entry(part, histogram.get(part.size, 0), min(itemsets, part.size), placed)
            for part in group.sizes
        ],
    }


def _plain_entry(part: PlainSize, count: int, largest: int, placed: Placed) -> dict[str, Any]:
    law, reporting = part.randomization, round(placed.share * count)
    insert = drawable(law.insert)
    bits = insert.denominator.bit_length() - 1
    lengths: dict[str, Any] = {"expected_size": None, "compressed_bits": None}
    if placed.items is not None:
        universe = placed.items + placed.dummies(part.size)
        lengths = {
            "expected_size": f"{float(drawable(law.expected_size(universe))):.2f}",
            "compressed_bits": compressed_bits(universe, bits, part.size, largest),
        }
    return {
        "size": part.size,
        "baskets": reporting,
        "transactions": reporting,
        "insert": number_text(insert),
        "bits": bits,
        "cutoff": None,
        "balance": balance_json(part.ratios),
        "amplification": number_text(amplification_of(part.ratios)),
        "lds": {str(k): _alone(law, k, reporting) for k in range(2, largest + 1)},
        **lengths,
    }


def _alone(randomization: Randomization, itemset: int, reporting: int) -> str | None:
    """The LDS from the baskets of one size alone."""
    if not reporting:
        return None
    found = lowest_support(randomization, itemset, reporting)
    return found.decimal() if found.discoverable else None


def _head(name: str, lifted: int, placed: Placed) -> dict[str, Any]:
    return {
        "name": name,
        "share": number_text(placed.share),
        "lifted": lifted,
        "phase": placed.phase,
        "chosen": None if placed.chosen is None else list(placed.chosen),
        "hidden": placed.hidden,
    }


def _entry(size: int, itemset: int, form: ItemForm, count: int, placed: Placed) -> dict[str, Any]:
    reporting = round(placed.share * count)
    lds = None
    if reporting:
        found = PooledNoise(form.noise_absent, form.noise_held, Fraction(1)).lds(
            Fraction(reporting)
        )
        lds = found.decimal() if found.discoverable else None
    return {
        "size": size,
        "baskets": reporting,
        "transactions": reporting,
        "insert": number_text(form.insert),
        "bits": form.insert.denominator.bit_length() - 1,
        "cutoff": form.cutoff,
        "balance": balance_json(cutoff_ratios(form.present, form.cutoff, form.gamma)),
        "amplification": number_text(form.gamma),
        "lds": {str(itemset): lds},
        **_lengths(size, itemset, form, placed),
    }


def _lengths(size: int, itemset: int, form: ItemForm, placed: Placed) -> dict[str, Any]:
    """How many sets a report names on average, and how many bits its seed has."""
    if placed.items is None:
        return {"expected_size": None, "compressed_bits": None}
    universe = math.comb(placed.items + placed.dummies(size), itemset)
    mean = form.present * float(form.stay) + (universe - form.present) * float(form.insert)
    bits = form.insert.denominator.bit_length() - 1
    return {
        "expected_size": f"{mean:.2f}",
        "compressed_bits": compressed_bits(universe, bits, form.present, 1),
    }


def lifted_plan(request: Request) -> dict[str, Any]:
    """Every client reports sets of one k = 1..K: the plan of lifted select-a-size."""
    histogram = reported_sizes(request)
    found = lifted_design(histogram, checked_gamma(request), request.itemsets, request.bits)
    groups = [
        group_json(group, histogram, Placed(share, items=request.items, hidden=request.hidden))
        for group, share in zip(found.groups, found.shares, strict=True)
    ]
    return grouped_content(request, groups, [])


def reported_sizes(request: Request) -> dict[int, int]:
    """How many clients report with each size: the one that hides all, or their own, also 0."""
    if request.hidden is not None:
        return {chosen_size(request): request.clients}
    empty = request.histogram.get(0, 0)
    return {**({0: empty} if empty else {}), **request.sizes}
