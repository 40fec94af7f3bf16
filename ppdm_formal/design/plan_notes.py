"""What is said of a plan in sentences, made from what is known of it; nothing reads them again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from ppdm_formal.declare.arithmetic.decimals import decimal_text
from ppdm_formal.declare.arithmetic.people import bound_percent, percent
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.design.item_breach import ItemGoal
from ppdm_formal.design.plan import Plan, SizePlan, sets_name
from ppdm_formal.design.plan_facts import (
    BestFacts,
    FormFacts,
    FormSeen,
    MissedItem,
    ProjectedForecast,
)

LISTED = 6
"""Up to so many sizes each has its own figure."""

WORTH = 0.0005
"""Gains below this share are none to speak of."""

LATE = "Not compared with other ways, for want of time (--timeout)."

AT_HAND = (
    "Designed from baskets at hand: how many there are of each size, how many items, and "
    "figures from them stand in this plan as they are. No breach level covers those "
    "baskets; --histogram takes sizes that are public."
)


def search_notes(plan: Plan) -> list[str]:
    """On gamma as in the paper, and on sizes that have too few transactions.

    Sizes whose search assumed more transactions are for a pool: what they see alone is not said.
    """
    found = [
        (part, part.facts.lds, part.facts.searched)
        for part in plan.only.sizes
        if part.facts is not None and isinstance(part.facts.searched, FormFacts)
    ]
    alone = [(p, lds, searched) for p, lds, searched in found if searched.searched_with is None]
    notes = []
    if plan.paper and alone:
        notes.append(
            f"gamma = {number_text(plan.gamma)} is reached with equality, as in the paper's "
            f"figures: an exact {number_text(plan.rho1)}-to-{number_text(plan.rho2)} breach exists "
            "(a two-point prior)."
        )
    for part, lds, searched in alone:
        few = f"{part.transactions} transactions of {part.size} items are too few"
        lost = [str(k) for k, support in lds.items() if support is None]
        if lost:
            notes.append(
                f"{few}: no support of itemsets of {', '.join(lost)} items is discoverable."
            )
        if searched.itemsets < len(lds) > len(lost):
            notes.append(
                f"{few} to find itemsets of more than {searched.itemsets} items as well as the "
                "smaller ones, whatever the parameters: these are the best for the smaller."
            )
    return notes


def best_notes(plan: Plan) -> list[str]:
    """What the best form gains on the paper's, and how far it may be from the optimum."""
    best = {part.size: facts for part in plan.only.sizes if (facts := _best(part)) is not None}
    rest = [part.size for part in plan.only.sizes if part.size not in best]
    said = gain_notes(best) if best else []
    if rest:
        which = ranges(list(best))
        said = [f"Sizes {which}: {note[:1].lower()}{note[1:]}" for note in said]
        said.append(
            f"Sizes {ranges(rest)} take the paper's form: what is best for these sizes alone, to "
            f"see itemsets of {plan.itemsets} items, costs the pool more in smaller ones."
        )
    return said


def gain_notes(best: Mapping[int, BestFacts]) -> list[str]:
    """By how much the best forms of sizes are better, and what is proved of them."""
    return [_gained(best), *_proved(best)]


def _best(part: SizePlan) -> BestFacts | None:
    searched = None if part.facts is None else part.facts.searched
    return searched.best if isinstance(searched, FormFacts) else None


def _gained(best: Mapping[int, BestFacts]) -> str:
    """By which share the largest LDS is below that of the paper's form."""
    gains = {size: 1 - facts.largest / facts.paper_form.largest for size, facts in best.items()}
    better = {size: gain for size, gain in gains.items() if gain > WORTH}
    if not better:
        return "Best form: no size gains on the paper's (Statement 2's form)."
    if len(better) <= LISTED:
        listed = ", ".join(f"{gain:.1%} for size {size}" for size, gain in better.items())
    else:
        most = max(better, key=lambda size: better[size])
        listed = f"up to {better[most]:.1%} (size {most}) for sizes {ranges(list(better))}"
    rest = sorted(set(gains) - set(better))
    same = f"; nothing for {'size' if len(rest) == 1 else 'sizes'} {ranges(rest)}" if rest else ""
    return f"Best form: the largest LDS is lower than in the paper's form by {listed}{same}."


def _proved(best: Mapping[int, BestFacts]) -> list[str]:
    gaps = {size: facts.gap for size, facts in best.items() if facts.evidence == "proved"}
    found = [size for size in best if size not in gaps]
    said = []
    if gaps:
        which = "" if not found else f" for sizes {ranges(list(gaps))}"
        said.append(
            "Proved: with the same gamma no select-a-size of any rho and p[j] has a largest LDS "
            f"that is lower by more than {max(gaps.values()):.2%}{which}."
        )
    if found:
        said.append(
            f"Not proved, only the best found in the time: sizes {ranges(found)} (--timeout)."
        )
    return said


def ranges(sizes: Sequence[int]) -> str:
    """Sizes in order, runs as first..last.

    >>> ranges([1, 2, 3, 5, 8, 9])
    '1..3, 5, 8..9'
    """
    runs = [
        [size for _, size in run]
        for _, run in groupby(enumerate(sizes), key=lambda place: place[1] - place[0])
    ]
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


@dataclass(frozen=True)
class BrokenBound:
    """A bound on the supports of itemsets of so many items: how many break it, up to where."""

    items: int
    bound: Fraction
    above: int
    most: Fraction


def item_notes(
    goal: ItemGoal,
    amplification: Fraction,
    low: Fraction,
    shown: Fraction,
    broken: Sequence[BrokenBound],
) -> tuple[str, ...]:
    """What an item-level plan promises and what not; low: the prior from which on it does."""
    known = ", ".join(percent(bound) for bound in goal.bounds)
    level, most = percent(goal.level), f"{math.ceil(amplification):,}"
    return (
        "Item-level breaches: no item of an itemset that is seen in a report, of up to as many "
        f"items as the basket has, becomes as likely as {level}, where itemsets of 1, 2, ... items "
        f"have supports of at most {known} among baskets of one size (the last for all larger).",
        f"This is not certified against all priors: the amplification is up to {most}, so for any "
        f"prior only what is less likely than {decimal_text(low * 100)}% stays below {level}. A "
        "plan made with --rho1 and --rho2 promises that from rho1 on.",
        "Who looks at more items than a basket holds, up to whole reports, may find an item up to "
        f"{bound_percent(shown, up=True)} likely within the same bounds.",
        *(
            f"THE BASKETS AT HAND BREAK A BOUND: {one.above:,} of their itemsets of {one.items} "
            f"item{'s' * (one.items > 1)} have more support than {percent(one.bound)}, up to "
            f"{percent(one.most)}. The promise about item-level breaches is void for them."
            for one in broken
        ),
    )


def comparison_notes(found: Sequence[FormSeen], form: str, cut: bool) -> list[str]:
    """Which form is best, and by how much, in a sentence for all sizes or for each."""
    what = "largest LDS before cutting" if cut else "largest LDS"
    notes = []
    for size in dict.fromkeys(one.size for one in found):
        of_size = [one for one in found if one.size == size]
        notes.append(_comparison(of_size, size, form, what))
    return [note for note in notes if note]


def _comparison(found: Sequence[FormSeen], size: int | None, form: str, what: str) -> str:
    seen = {one.form: one.largest for one in found if one.largest is not None}
    where = "" if size is None else f"Size {size}: "
    if not seen or len(found) == 1:
        return ""
    best = min(seen, key=lambda name: seen[name])
    if best == form:
        others = ", ".join(f"{name} {_support(s)}" for name, s in seen.items() if name != form)
        this = f"{where}this" if where else "This"
        return f"{this} form is the best: its {what} is {_support(seen[form])}" + (
            f" ({others})." if others else "."
        )
    if form not in seen:
        return (
            f"{where}--form {best} is the best: its {what} is {_support(seen[best])}; this plan "
            "does not discover all sizes of itemsets."
        )
    lower = percent(Fraction(1 - seen[best] / seen[form]), 0)
    return (
        f"{where}--form {best} is the best: its {what} is {_support(seen[best])}, "
        f"{lower} lower than the {_support(seen[form])} of this plan."
    )


def _support(value: float) -> str:
    return percent(Fraction(value), 2 if value > 0.01 else 4)


def two_phase_notes(plan: Plan) -> list[str]:
    """What is predicted of two phases."""
    predicted = plan.two_phase
    assert predicted is not None
    chosen, cut = predicted.chosen, predicted.missed[0].between is not None
    expected = "" if chosen is None else f" (about {chosen:.0f} are expected)"
    missed = ", ".join(_missed(one) for one in predicted.missed if one.possible)
    notes = [
        f"Phase one: {_percent(float(plan.groups[0].share))} of the clients report items"
        + (", those of long baskets a random part. " if cut else ". ")
        + f"Choose those whose estimates are at least {_percent(predicted.threshold)}"
        f"{expected} and continue the plan with them. An item of no support gets in with chance "
        f"{_percent(predicted.let_in)}.",
        f"Phase one misses an item that has a support of {missed}{_kept(predicted.missed[0])}."
        if missed
        else "Phase one has too few clients to find any item.",
    ]
    planned, *others = map(_projected, predicted.projected)
    return [*notes, planned, *(f"For comparison: {o[0].lower()}{o[1:]}" for o in others)]


def _missed(one: MissedItem) -> str:
    """A support, and with which chance an item that has it is missed."""
    said = f"{_percent(one.support)} with chance {_percent(one.chance)}"
    if one.between is None:
        return said
    low, high = map(_percent, one.between)
    return f"{said} (from {low} to {high})"


def _kept(one: MissedItem) -> str:
    """What remains of supports like the one where an item is missed every second time, or so."""
    if one.remains is None:
        return ""
    kept = one.remains
    return (
        f": of a support like {_percent(one.support)} {_percent(kept.least)} to "
        f"{_percent(kept.most)} remains in the baskets at hand where long ones are cut, "
        f"{_percent(kept.mean)} on average"
    )


def _projected(found: ProjectedForecast) -> str:
    seen = " and ".join(
        f"{'none' if support is None else _percent(support)} for {sets_name(k)}"
        for k, support in found.lds.items()
    )
    if not found.hidden:
        return (
            "Phase two with public projected sizes: the number of chosen items in a basket is "
            f"shown as it is (it reveals, say, that none is there). LDS {seen}."
        )
    kept = ", ".join(f"{_percent(part)} for {sets_name(k)}" for k, part in found.remains.items())
    return (
        f"Phase two with hidden projected sizes: every basket is padded or cut to {found.most} "
        f"chosen items. LDS {seen}. Cutting makes estimates too small: of a support that is spread "
        f"evenly over baskets, {kept} remains (taken into account in the LDS)."
    )


def continued_note(plan: Plan) -> str:
    """What is said of a plan that goes on: the items it has, and what they let be seen."""
    assert plan.two_phase is not None
    assert plan.two_phase.continued is not None
    second = {group.name for group in plan.groups if group.phase == 2}
    seen = [
        f"{sets_name(pool.itemset)} "
        + ("no support" if pool.lds is None else _percent(float(pool.lds)))
        for pool in plan.pooled or ()
        if pool.group in second and pool.itemset > 1
    ]
    how = "hidden" if plan.groups[-1].hidden else "public"
    return (
        f"Phase two: baskets are projected onto {plan.two_phase.continued.items} "
        f"items; projected sizes are {how}. LDS: {', '.join(seen)}. The clients of phase one "
        "must not report again."
    )


def _percent(value: float) -> str:
    return percent(Fraction(value), 2)
