"""Outline: shares, sizes and forms of a plan in rounds, from basket sizes and the goal alone.

What a published plan says must not come from baskets at hand but for their sizes. So supports are
assumed to fall as 1/rank (Zipf), which the mean size and the number of items then fix:

    s_i = min(1/2, mean / (i H_n)),    H_n = 1 + 1/2 + ... + 1/n

The aim is the support of the last item (or pair) that is to be found, or the least that is asked
for. Of what a group reports on, the size to cut to has the least error at the aim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_formal.design.plan import gamma_bound
from ppdm_formal.design.rounds.asked import RoundsAsked
from ppdm_formal.design.rounds.guess import FEWEST, SCATTER, TOGETHER, imagined, promising
from ppdm_formal.design.rounds.lengths import CLASSES, SIZES, Floats, Lengths, classes_up_to
from ppdm_formal.design.rounds.noise import Noise, best_noise
from ppdm_formal.design.rounds.plan import Form, Goal, RoundGroup, RoundsPlan

BELOW = Fraction(1, 10**6)
"""Gamma is used but for this share: at Statement 1's bound itself breaches are possible."""

ASKED_ITEMS = 60
"""Pairs are made of so many items, or more where more are to be found."""

ASKED_PAIRS = 200
"""So many are asked about first, or four for each that is to be found."""

EARLY = (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5))
LATE = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
"""Shares of clients for items, pairs, and pairs in doubt: where gamma is below 50, and above."""

OF_ITEMS = Fraction(3, 50)
OF_PAIRS = Fraction(2, 25)
"""Which part of a round reports lengths alone."""


@dataclass(frozen=True)
class Request:
    """What a plan in rounds is asked for."""

    rho1: Fraction
    rho2: Fraction
    histogram: Mapping[int, int]
    items: int
    goal: Goal

    @property
    def clients(self) -> int:
        """How many baskets there are."""
        return sum(self.histogram.values())

    @property
    def gamma(self) -> Fraction:
        """The amplification of each report."""
        return gamma_bound(self.rho1, self.rho2) * (1 - BELOW)

    @property
    def lengths(self) -> Lengths:
        """The law of basket sizes."""
        return Lengths.of(dict(self.histogram))

    @property
    def top(self) -> int:
        """How many are to be found; as many as Zipf's law has, where a support is asked for."""
        if self.goal.top is not None:
            return self.goal.top
        assert self.goal.least is not None
        return max(1, int((self.supports >= float(self.goal.least)).sum()))

    @property
    def supports(self) -> Floats:
        """Supports of items by rank, as they are assumed."""
        ranks = np.arange(1, self.items + 1)
        return np.asarray(np.minimum(0.5, self.lengths.mean / (ranks * (1 / ranks).sum())))

    @property
    def item_aim(self) -> float:
        """The support of the last item that is to be found."""
        if self.goal.least is not None:
            return float(self.goal.least)
        return float(self.supports[min(self.top, self.items) - 1])

    @property
    def pair_aim(self) -> float:
        """The support of the last pair."""
        if self.goal.least is not None:
            return float(self.goal.least)
        best = self.supports[: max(FEWEST, min(300, self.items))]
        first, second = np.triu_indices(len(best), 1)
        guess = -np.sort(-TOGETHER * best[first] * best[second])
        return float(guess[min(self.top, len(guess)) - 1])

    @property
    def asked_items(self) -> int:
        """Of how many items pairs are made."""
        return max(ASKED_ITEMS, 2 * int(self.top**0.5))

    @property
    def asked_pairs(self) -> int:
        """About how many pairs clients are asked."""
        return max(ASKED_PAIRS, 4 * self.top)


@dataclass(frozen=True)
class Way:
    """What a group reports on: up to `size` values, with this noise; error: at the aim."""

    size: int
    noise: Noise
    error: float


def best_way(
    kind: str, lengths: Lengths, values: int, gamma: Fraction, aim: float, clients: float
) -> Way:
    """The size to cut to, and the form, with the least error at the aim."""
    found = []
    for size in SIZES:
        if size > values:
            break
        noise = best_noise(kind, values, size, gamma, round(aim, 6))
        found.append(Way(size, noise, lengths.cut(size).error(noise.variance, aim, clients)))
    return min(found, key=lambda way: way.error)


@dataclass(frozen=True)
class Outline:
    """The ways of the rounds and their shares; pairs: None where only items are asked."""

    request: Request
    shares: tuple[Fraction, ...]
    items: Way
    pairs: Way | None

    @property
    def asks(self) -> bool:
        """Whether a pair that is aimed at would be known better than it is guessed."""
        return self.pairs is not None and self.pairs.error < SCATTER * self.request.pair_aim


def outlined(request: Request, kind: str = "any") -> Outline:
    """The outline of a request."""
    gamma, clients = request.gamma, request.clients
    shares: tuple[Fraction, ...] = (Fraction(1),)
    if request.goal.find != "items":
        shares = EARLY if gamma < 50 else LATE
    asked = float(shares[0] * (1 - OF_ITEMS)) * clients
    items = best_way(kind, request.lengths, request.items, gamma, request.item_aim, asked)
    if len(shares) == 1:
        return Outline(request, shares, items, None)
    rng = np.random.default_rng(1)
    pairs = promising(
        request.supports, np.zeros(request.items), request.asked_items, request.asked_pairs
    )
    held = imagined(request.lengths, request.supports, pairs, rng)
    answered = float((shares[1] + shares[2]) * (1 - OF_PAIRS)) * clients
    way = best_way(kind, held, len(pairs), gamma, request.pair_aim, answered)
    return Outline(request, shares, items, way)


def plan_of_outline(outline: Outline, at_hand: bool) -> RoundsPlan:
    """The plan: later rounds wait for what earlier ones tell."""
    request = outline.request
    first, *later = outline.shares
    groups = [
        lengths_group(
            "lengths", first * OF_ITEMS, 1, RoundsAsked("lengths", None, CLASSES), request
        ),
        RoundGroup(
            "items",
            first * (1 - OF_ITEMS),
            1,
            "items",
            outline.items.size,
            outline.items.noise.form,
            RoundsAsked("items"),
        ),
    ]
    way = outline.pairs
    for number, share in enumerate(later, start=2):
        assert way is not None
        name = "pairs" if number == 2 else "pairs in doubt"
        lengths = RoundsAsked("lengths", None, classes_up_to(request.asked_pairs))
        waiting = lengths_group(f"{name}, lengths", share * OF_PAIRS, number, lengths, request)
        groups.append(_pending(waiting, len(lengths.least or ())))
        form, values = way.noise.form, request.asked_pairs
        share *= 1 - OF_PAIRS
        groups.append(RoundGroup(name, share, number, "itemsets", way.size, form, None, values))
    return RoundsPlan(
        request.rho1,
        request.rho2,
        request.items,
        tuple(groups),
        request.goal,
        request.clients,
        dict(sorted(request.histogram.items())),
        at_hand,
    )


def _pending(group: RoundGroup, values: int) -> RoundGroup:
    return RoundGroup(group.name, group.share, group.phase, group.kind, 1, group.form, None, values)


def lengths_group(
    name: str, share: Fraction, phase: int, asked: RoundsAsked, request: Request | Fraction
) -> RoundGroup:
    """Clients that report the class of how many values they hold."""
    gamma = request if isinstance(request, Fraction) else request.gamma
    return RoundGroup(name, share, phase, "lengths", 1, lengths_form(asked, gamma), asked)


def lengths_form(asked: RoundsAsked, gamma: Fraction) -> Form:
    """Subset selection among the classes: there is one length, and no dummy."""
    many = len(asked.least or ())
    best: tuple[float, int] = (float("inf"), 1)
    for chosen in range(1, max(2, many // 2 + 1)):
        held = float(gamma) * chosen / (float(gamma) * chosen + many - chosen)
        other = (chosen - held) / (many - 1)
        noise = Noise(Form("fixed_size", {}), held, other).variance(1 / many)
        best = min(best, (noise, chosen))
    return Form("fixed_size", {"chosen": best[1], "gamma": gamma, "cutoff": 0})
