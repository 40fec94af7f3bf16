"""Continuing: the next round of a plan, from what the round before it told; no basket is looked at.

After the first round the lengths that some clients told undo what cutting took from the items'
supports; pairs are guessed from these, and how many of them baskets hold is imagined. After the
second, what pairs were found to be is drawn towards the guess, and those in doubt are asked again.
What is learned goes into the plan: it comes from randomized reports alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ppdm_formal.design.rounds.asked import RoundsAsked
from ppdm_formal.design.rounds.guess import (
    corrected_aim,
    imagined,
    in_doubt,
    products,
    promising,
    shrunk,
)
from ppdm_formal.design.rounds.lengths import Floats, Lengths, classes_up_to
from ppdm_formal.design.rounds.outline import (
    ASKED_ITEMS,
    ASKED_PAIRS,
    BELOW,
    Hider,
    Way,
    best_way,
    lengths_form,
    lengths_gamma,
    shuffled_way,
)
from ppdm_formal.design.rounds.plan import RoundGroup, RoundsPlan

FEWEST = 12
"""So many pairs are asked again, also where fewer are in doubt: the clients are there."""

DRAWS = 20_000
"""How many baskets are imagined."""


@dataclass(frozen=True)
class Answer:
    """What one group told: of each value an estimate, which no cut is undone in, and its noise.

    held, other: how likely a report holds a value of its client, and any other one.
    """

    asked: RoundsAsked
    estimates: Floats
    people: int
    held: float
    other: float
    cut: int

    def errors(self, level: Floats) -> Floats:
        """Standard errors of values with these supports."""
        a, b, s = self.held, self.other, np.clip(level, 0, 1)
        spread = s * a * (1 - a) + (1 - s) * b * (1 - b)
        return np.asarray(np.sqrt(spread / max(1, self.people)) / (a - b))


@dataclass(frozen=True)
class Learned:
    """Supports of values before cutting, with their errors, and the law of lengths."""

    supports: Floats
    errors: Floats
    lengths: Lengths


def learned(answers: Sequence[Answer]) -> Learned:
    """What a round tells of its values."""
    (values,) = [one for one in answers if one.asked.kind != "lengths"]
    (own,) = [one for one in answers if one.asked.kind == "lengths"]
    lengths = Lengths.told(own.estimates, own.asked.least or ())
    cut = lengths.cut(values.cut)
    supports = cut.whole(values.estimates)
    errors = values.errors(values.estimates)
    slope = np.array([cut.slope(max(float(s), 1e-5)) for s in supports])
    return Learned(supports, errors * slope, lengths)


def continued_rounds(
    plan: RoundsPlan, number: int, answers: Sequence[Answer], hider: Hider | None = None
) -> RoundsPlan:
    """The plan with the round after `number` filled in; ValueError where there is none to fill."""
    waiting = [group for group in plan.of_round(number + 1) if group.pending]
    if number + 1 > plan.rounds or not waiting:
        raise ValueError(
            f"this plan has no round {number + 1} that waits for what round {number} told"
        )
    found = learned(answers)
    rng = np.random.default_rng(1)
    if number == 1:
        pairs, said, lengths, aim = _from_items(plan, found, rng)
    else:
        pairs, said, lengths, aim = _in_doubt(plan, found, answers, rng)
    if not len(pairs):
        raise ValueError(f"round {number} leaves no pairs that are worth asking about")
    if (hider is None) != (plan.shuffled is None):
        raise ValueError("how much a shuffler hides is asked of plans with one, and of no others")
    gamma = plan.gamma * (1 - BELOW)
    sets = tuple(tuple(map(int, pair)) for pair in pairs)
    clients = float(sum((group.share for group in waiting), Fraction(0))) * (plan.clients or 10_000)
    found_way: Way | None
    if hider is None:
        found_way = best_way("any", lengths, len(sets), gamma, aim, clients)
    else:
        among = min(group.among or 1 for group in waiting if group.kind != "lengths")
        found_way = shuffled_way(hider, lengths, len(sets), aim, among, exact=True)
    if found_way is None:
        raise ValueError("the reports of this round are too few for a shuffler to hide one")
    way = found_way
    groups = tuple(
        _filled(group, sets, way, gamma, hider) if group in waiting else group
        for group in plan.groups
    )
    return replace(plan, groups=groups, learned=said)


def _filled(
    group: RoundGroup,
    sets: tuple[tuple[int, ...], ...],
    way: Way,
    gamma: Fraction,
    hider: Hider | None,
) -> RoundGroup:
    if group.kind == "lengths":
        asked = RoundsAsked("lengths", sets, classes_up_to(len(sets)))
        form = lengths_form(asked, lengths_gamma(gamma, asked, hider, group.among))
        return replace(group, asked=asked, form=form, values=None)
    asked = RoundsAsked("itemsets", sets)
    return replace(group, asked=asked, form=way.noise.form, size=way.size, values=None)


def _from_items(
    plan: RoundsPlan, found: Learned, rng: np.random.Generator
) -> tuple[Any, dict[str, Any], Lengths, float]:
    """Pairs guessed from items, with their guesses; lengths: how many of them baskets hold."""
    top = plan.goal.top or 50
    items, most = max(ASKED_ITEMS, 2 * int(top**0.5)), max(ASKED_PAIRS, 4 * top)
    pairs = promising(found.supports, found.errors, items, most)
    guess = products(found.supports, pairs)
    aim = corrected_aim(found.supports, found.errors, items, top, rng)
    if plan.goal.least is not None:
        aim = float(plan.goal.least)
    held = imagined(found.lengths, np.clip(found.supports, 0, 1), pairs, rng, DRAWS)
    said = {
        "round": 1,
        "aim": repr(aim),
        "pairs": pairs.tolist(),
        "guess": [repr(float(one)) for one in guess],
    }
    return pairs, said, held, aim


def _in_doubt(
    plan: RoundsPlan, found: Learned, answers: Sequence[Answer], rng: np.random.Generator
) -> tuple[Any, dict[str, Any], Lengths, float]:
    """Pairs of which it is not clear whether they are among those to be found."""
    before = plan.learned or {}
    (values,) = [one for one in answers if one.asked.kind == "itemsets"]
    try:
        guessed = {
            tuple(p): float(g) for p, g in zip(before["pairs"], before["guess"], strict=True)
        }
        guess = np.array([guessed[one] for one in values.asked.sets or ()])
        aim = float(before["aim"])
    except (KeyError, TypeError, ValueError):
        raise ValueError(
            "what the plan says of the round before is missing, or is damaged"
        ) from None
    after, variance = shrunk(found.supports, np.maximum(found.errors, 1e-12) ** 2, guess)
    pairs = np.array(values.asked.sets, dtype=np.int64)
    top = plan.goal.top or _many(plan, after)
    doubt = in_doubt(after, variance, top, rng, min(len(pairs), FEWEST))
    chosen = pairs[doubt]
    share = len(doubt) / max(1, len(pairs))
    # As many of these as of all that were asked, in proportion.
    sizes: dict[int, float] = {}
    for size, part in zip(found.lengths.sizes, found.lengths.shares, strict=True):
        some = round(float(size) * share)
        sizes[some] = sizes.get(some, 0.0) + float(part)
    said = {
        "round": 2,
        "aim": repr(aim),
        "pairs": pairs.tolist(),
        "guess": [repr(float(one)) for one in guess],
        "found": [repr(float(one)) for one in after],
    }
    return chosen, said, Lengths.of(sizes), aim


def _many(plan: RoundsPlan, supports: Floats) -> int:
    assert plan.goal.least is not None
    return max(1, int((supports >= float(plan.goal.least)).sum()))
