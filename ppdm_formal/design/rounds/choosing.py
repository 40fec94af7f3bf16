"""Choosing: what each way of asking would find, whether pairs can be told, and what would do.

Pairs can be told where asking finds more of them than guessing from items alone does: on baskets
at hand, by more than two standard errors of repeated trials; without them, where the error of a
pair that is aimed at is below SCATTER of it, which is how far guesses are off.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.declare.families.select_a_size import Randomization, optimal_keep
from ppdm_formal.declare.result import Result
from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.rounds.file import rounds_content
from ppdm_formal.design.rounds.noise import select_a_sizes
from ppdm_formal.design.rounds.outline import (
    OF_ITEMS,
    Outline,
    RoundsRequest,
    best_way,
    outlined,
    plan_of_outline,
)
from ppdm_formal.design.rounds.plan import RoundsPlan
from ppdm_formal.design.rounds.trial import Trial, TrialFound

Say = Callable[[str], None]

GAMMAS = (49, 99, 199, 399, 999, 1999, 9999)
"""Levels that are tried where the one asked for does not do."""

IN_ROUNDS = "items, then pairs, then pairs in doubt"
GUESSED = "items alone; pairs guessed"
SAMPLED = "items by pad-and-sample; pairs guessed"
WHOLE = "whole baskets by select-a-size, as one report"
LIFTED = "all pairs of a basket, as sets of two"


@dataclass(frozen=True)
class EnoughClients:
    """What would do: so many baskets at this level, or this rho2 with so many baskets; or None."""

    baskets: int | None
    rho2: Fraction | None


@dataclass(frozen=True)
class RoundsChoice(Result):
    """A plan in rounds, or why there is none; what is of the baskets at hand is for the terminal.

    error: of a pair (or item) with the support that is aimed at; aim: that support.
    """

    shown_in: ClassVar[str] = "rounds"

    plan: RoundsPlan
    told: bool
    aim: float
    error: float
    found: tuple[TrialFound, ...]
    enough: EnoughClients | None
    anyway: bool = False
    continued: bool = False
    result: Any = field(default=None, compare=False)

    @property
    def exit_code(self) -> int:
        """0: something can be told; 3: nothing can, and nothing is promised."""
        return 0 if self.told or self.anyway else 3

    @classmethod
    def of_plan(cls, plan: RoundsPlan) -> RoundsChoice:
        """A plan that was continued: what it can tell was chosen before."""
        return cls(plan, True, 0.0, 0.0, (), None, continued=True)

    def to_json(self) -> dict[str, Any]:
        """The plan."""
        return rounds_content(self.plan)


def chosen(request: RoundsRequest, data: AtHand | None, say: Say = lambda _: None) -> RoundsChoice:
    """The plan that finds most, or that there is none."""
    say("shares, sizes and forms")
    outline = outlined(request)
    plan = plan_of_outline(outline, data is not None)
    aim = request.item_aim if outline.pairs is None else request.pair_aim
    error = outline.items.error if outline.pairs is None else outline.pairs.error
    if data is None:
        told = _items_told(outline) if outline.pairs is None else outline.asks
        found: tuple[TrialFound, ...] = ()
    else:
        say("what each way finds on the baskets at hand")
        trial = Trial(data, request.top)
        found = tried(outline, trial, say)
        told = _told(outline, trial, found)
    enough = None if told else _enough(request, say)
    return RoundsChoice(plan, told, aim, error, found, enough)


def tried(outline: Outline, trial: Trial, say: Say) -> tuple[TrialFound, ...]:
    """What every way of asking finds."""
    request = outline.request
    clients = request.clients * float(1 - OF_ITEMS)
    aims = (request.lengths, request.items, request.gamma, request.item_aim, clients)
    found = []
    if outline.pairs is not None:
        say(IN_ROUNDS)
        found.append(trial.run(IN_ROUNDS, True, partial(trial.in_rounds, outline)))
    if request.hider is not None:
        run = partial(trial.guessed, outline.items.size, outline.items.noise, outline)
        return (*found, trial.run(GUESSED, False, run))
    for name, kind in ((GUESSED, "any"), (SAMPLED, "sample")):
        say(name)
        way = best_way(kind, *aims)
        run = partial(trial.guessed, way.size, way.noise, outline)
        found.append(trial.run(name, False, run))
    if outline.pairs is not None:
        for name, noise in ((WHOLE, whole_noise(request)), (LIFTED, lifted_noise(request))):
            say(name)
            run = partial(trial.whole_baskets, *noise, outline)
            found.append(trial.run(name, True, run))
    return tuple(found)


def whole_noise(request: RoundsRequest) -> tuple[float, float]:
    """Standard error of a pair from whole baskets of up to L items, and what cutting leaves."""
    best = (math.inf, 1.0)
    for size in range(2, 9):
        left = _left(request, size)
        for noise in select_a_sizes(size, request.gamma):
            arguments = noise.form.arguments
            insert, cutoff = Fraction(arguments["insert"]), int(arguments["cutoff"])
            if insert < Fraction(1, 100):
                continue
            keep = optimal_keep(size, insert, cutoff, request.gamma)
            law = moments(Randomization(size, insert, keep), 2)
            if not law.recoverable(2):
                continue
            own = math.sqrt(float(law.noise(2)[0]) / request.clients)
            if own / left < best[0] / best[1]:
                best = (own, left)
    return best


def lifted_noise(request: RoundsRequest) -> tuple[float, float]:
    """The same where the pairs of a basket are the values."""
    best = (math.inf, 1.0)
    for size in range(2, 7):
        held = math.comb(size, 2)
        left = _left(request, size)
        way = min(
            math.sqrt(noise.variance(0.0) / request.clients)
            for noise in select_a_sizes(held, request.gamma)
        )
        if way / left < best[0] / best[1]:
            best = (way, left)
    return best


def _left(request: RoundsRequest, size: int) -> float:
    """What cutting to so many items leaves of a pair's support, spread as pairs of baskets are."""
    pairs = sum(n * s * (s - 1) for s, n in request.histogram.items())
    if not pairs:
        return 1.0
    kept = sum(n * min(s, size) * (min(s, size) - 1) for s, n in request.histogram.items())
    return max(kept / pairs, 1e-9)


def _told(outline: Outline, trial: Trial, found: tuple[TrialFound, ...]) -> bool:
    """Whether the goal can be reached: see the head of this file."""
    if outline.pairs is None:
        return found[0].items >= max(1.0, len(trial.best_items) / 5)
    rounds = found[0]
    guess = next(one for one in found if one.way == GUESSED)
    # Pairs by their supports, or else links: who asks for rules wants links.
    places = (2,) if outline.request.goal.find == "rules" else (1, 2)
    return rounds.pairs >= 1 and any(_gained(rounds, guess, place) for place in places)


def _gained(rounds: TrialFound, guess: TrialFound, place: int) -> bool:
    gain = np.array([a[place] - b[place] for a, b in zip(rounds.each, guess.each, strict=True)])
    spread = float(gain.std(ddof=1)) / math.sqrt(len(gain))
    return bool(gain.mean() > 2 * spread)


def _items_told(outline: Outline) -> bool:
    return outline.items.error < outline.request.item_aim / 2


def _enough(request: RoundsRequest, say: Say) -> EnoughClients:
    """How many baskets, or which rho2, would make the error at the aim small enough."""
    say("what would do")
    request = replace(request, hider=None, shuffled=None)

    def good(changed: RoundsRequest) -> bool:
        found = outlined(changed)
        return _items_told(found) if found.pairs is None else found.asks

    def times(many: int) -> RoundsRequest:
        return replace(request, histogram={s: n * many for s, n in request.histogram.items()})

    many = next((2**k for k in range(1, 14) if good(times(2**k))), None)
    baskets = None if many is None else request.clients * many
    for gamma in GAMMAS:
        rho2 = gamma * request.rho1 / (1 - request.rho1 + gamma * request.rho1)
        if rho2 > request.rho2 and good(replace(request, rho2=rho2)):
            return EnoughClients(baskets, rho2)
    return EnoughClients(baskets, None)
