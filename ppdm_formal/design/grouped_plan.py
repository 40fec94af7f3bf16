"""Plans with groups: lifted designs as the groups of a plan (docs/plans.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.select_a_size import Randomization, cutoff_ratios
from ppdm_formal.declare.operators.cut import drawable
from ppdm_formal.design.design import amplification_of, lowest_support
from ppdm_formal.design.hidden_sizes import chosen_size, used_gamma
from ppdm_formal.design.item_form import ItemForm
from ppdm_formal.design.lifted import LiftedGroup, PlainGroup, PlainSize, lifted_design
from ppdm_formal.design.plan import Group, Hidden, Plan, SizePlan, sets_name
from ppdm_formal.design.plan_facts import SizeFacts
from ppdm_formal.design.request import Request
from ppdm_formal.design.seed_size import compressed_bits
from ppdm_formal.design.shares import PooledNoise

SETS = "sets"
"""A group of the second phase that reports items, from which sets of all sizes are estimated."""


@dataclass(frozen=True)
class Placed:
    """Where a group of sets stands in a plan: its share, phase, items, and what hides sizes."""

    share: Fraction
    phase: int = 1
    items: int | None = None
    chosen: tuple[int, ...] | None = None
    hidden: Hidden | None = None

    def universe(self, size: int) -> int | None:
        """How many items baskets of a size are drawn from, dummies included."""
        return None if self.items is None else self.items + (size if self.hidden else 0)

    def group(self, name: str, lifted: int, sizes: Sequence[SizePlan]) -> Group:
        """The group there that reports sets of so many items."""
        return Group(name, self.share, lifted, self.phase, self.chosen, self.hidden, tuple(sizes))


def plan_of_groups(request: Request, groups: Sequence[Group]) -> Plan:
    """A plan of groups."""
    return Plan(
        request.rho1,
        request.rho2,
        request.items,
        request.itemsets,
        tuple(groups),
        form=request.form,
        gamma_used=checked_gamma(request),
        paper=request.paper,
        transactions=request.clients,
    )


def checked_gamma(request: Request) -> Fraction:
    """The amplification that a plan may have, if anything can be learnt with it."""
    used = used_gamma(request)
    if used <= 1:
        raise ValueError(
            f"an amplification of {number_text(used)} leaves nothing to learn: "
            "rho1 and rho2 are too close"
        )
    return used


def group_of_sets(group: LiftedGroup, histogram: Mapping[int, int], placed: Placed) -> Group:
    """A group of clients that report sets of k items; its sizes as other plans have them."""
    sizes = [
        _sized(part.size, group.itemset, part.form, histogram.get(part.size, 0), placed)
        for part in group.sizes
    ]
    return placed.group(sets_name(group.itemset), group.itemset, sizes)


def group_of_items(
    group: PlainGroup, histogram: Mapping[int, int], itemsets: int, placed: Placed
) -> Group:
    """A group of clients that report items, of which sets of 2..K items are estimated."""
    sizes = [
        _plain_sized(part, histogram.get(part.size, 0), min(itemsets, part.size), placed)
        for part in group.sizes
    ]
    return placed.group(SETS, 1, sizes)


def _plain_sized(part: PlainSize, count: int, largest: int, placed: Placed) -> SizePlan:
    law, reporting = part.randomization, round(placed.share * count)
    found = SizePlan.by_ratios(part.size, drawable(law.insert), part.ratios)
    expected, bits = None, None
    universe = placed.universe(part.size)
    if universe is not None:
        expected = _mean_size(float(drawable(law.expected_size(universe))))
        bits = compressed_bits(universe, found.bits, part.size, largest)
    facts = SizeFacts(
        amplification_of(part.ratios),
        {k: _alone(law, k, reporting) for k in range(2, largest + 1)},
        None,
        expected,
        bits,
    )
    return replace(found, baskets=reporting, transactions=reporting, facts=facts)


def _mean_size(value: float) -> Decimal:
    return Decimal(value).quantize(Decimal("0.01"))


def _alone(randomization: Randomization, itemset: int, reporting: int) -> Decimal | None:
    """The LDS from the baskets of one size alone."""
    return lowest_support(randomization, itemset, reporting).shown if reporting else None


def _sized(size: int, itemset: int, form: ItemForm, count: int, placed: Placed) -> SizePlan:
    reporting = round(placed.share * count)
    lds = None
    if reporting:
        noise = PooledNoise(form.noise_absent, form.noise_held, Fraction(1))
        lds = noise.lds(Fraction(reporting)).shown
    ratios = cutoff_ratios(form.present, form.cutoff, form.gamma)
    found = SizePlan.by_ratios(size, form.insert, ratios)
    expected, bits = None, None
    items = placed.universe(size)
    if items is not None:
        universe = math.comb(items, itemset)
        absent = (universe - form.present) * float(form.insert)
        expected = _mean_size(form.present * float(form.stay) + absent)
        bits = compressed_bits(universe, found.bits, form.present, 1)
    facts = SizeFacts(form.gamma, {itemset: lds}, form.cutoff, expected, bits)
    return replace(found, baskets=reporting, transactions=reporting, facts=facts)


def lifted_plan(request: Request) -> Plan:
    """Every client reports sets of one k = 1..K: the plan of lifted select-a-size."""
    histogram = reported_sizes(request)
    found = lifted_design(histogram, checked_gamma(request), request.itemsets, request.bits)
    groups = [
        group_of_sets(group, histogram, Placed(share, items=request.items, hidden=request.hidden))
        for group, share in zip(found.groups, found.shares, strict=True)
    ]
    return plan_of_groups(request, groups)


def reported_sizes(request: Request) -> dict[int, int]:
    """How many clients report with each size: the one that hides all, or their own, also 0."""
    if request.hidden is not None:
        return {chosen_size(request): request.clients}
    empty = request.histogram.get(0, 0)
    return {**({0: empty} if empty else {}), **request.sizes}
