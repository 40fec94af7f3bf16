"""Outline: shares, sizes and forms of a plan in rounds, from basket sizes and the goal alone.

What a published plan says must not come from baskets at hand but for their sizes. So supports are
assumed to fall as 1/rank (Zipf), which the mean size and the number of items then fix:

    s_i = min(1/2, mean / (i H_n)),    H_n = 1 + 1/2 + ... + 1/n

The aim is the support of the last item (or pair) that is to be found, or the least that is asked
for. Of what a group reports on, the size to cut to has the least error at the aim.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from ppdm_formal.design.plan import gamma_bound
from ppdm_formal.design.rounds.asked import RoundsAsked
from ppdm_formal.design.rounds.guess import FEWEST, SCATTER, TOGETHER, imagined, promising
from ppdm_formal.design.rounds.lengths import CLASSES, SIZES, Floats, Lengths, classes_up_to
from ppdm_formal.design.rounds.noise import Noise, best_noise
from ppdm_formal.design.rounds.plan import Form, Goal, RoundGroup, RoundsPlan, Shuffled

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


Hider: TypeAlias = Callable[[Form, int, int, int], Fraction | None]
"""The largest gamma that a crowd of reports hides: of a form without one, on so many values, of
which so many are held, among so many clients; None where it hides none."""

CROWD_SIZES = (1, 2, 4, 8, 16)
"""Sizes that are tried behind a shuffler, where each takes seconds to decide."""


@dataclass(frozen=True)
class Request:
    """What a plan in rounds is asked for; hider: with a shuffler, how much it hides."""

    rho1: Fraction
    rho2: Fraction
    histogram: Mapping[int, int]
    items: int
    goal: Goal
    shuffled: Shuffled | None = None
    hider: Hider | None = field(default=None, compare=False)

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


def hidden_among(expected: float) -> int:
    """How many clients a group has at least, where so many are expected: six deviations fewer."""
    return max(1, math.floor(expected - 6 * math.sqrt(expected)))


def shuffled_way(
    hider: Hider, lengths: Lengths, values: int, aim: float, clients: float, exact: bool = False
) -> Way | None:
    """The same behind a shuffler, by reports of one value with the gamma that it hides.

    exact: there are so many clients at least; else so many are expected.
    """
    among = round(clients) if exact else hidden_among(clients)
    found = []
    for size in CROWD_SIZES:
        if size > values:
            break
        form = Form("fixed_size", {"chosen": 1, "cutoff": 0})
        gamma = hider(form, values + size, size, among)
        if gamma is not None:
            noise = best_noise("one", values, size, gamma, aim)
            found.append(Way(size, noise, lengths.cut(size).error(noise.variance, aim, clients)))
    return min(found, key=lambda way: way.error) if found else None


def way_for(
    request: Request, kind: str, lengths: Lengths, values: int, aim: float, clients: float
) -> Way:
    """The best way of a request; ValueError where the crowd is too small to hide anything."""
    if request.hider is None:
        return best_way(kind, lengths, values, request.gamma, aim, clients)
    found = shuffled_way(request.hider, lengths, values, aim, clients)
    if found is None:
        raise ValueError(f"about {round(clients):,} reports are too few for a shuffler to hide one")
    return found


@dataclass(frozen=True)
class Outline:
    """The ways of the rounds and their shares; pairs: None where only items are asked."""

    request: Request
    shares: tuple[Fraction, ...]
    items: Way
    pairs: Way | None
    answered: float = 0.0
    """How many clients are expected to report on pairs, of whom a shuffler hides each."""

    @property
    def asks(self) -> bool:
        """Whether a pair that is aimed at would be known better than it is guessed."""
        return self.pairs is not None and self.pairs.error < SCATTER * self.request.pair_aim

    def way_again(self, lengths: Lengths, values: int, clients: float) -> Way:
        """The best way for so many pairs of which so many are held, by so many clients.

        Behind a shuffler with the gammas of as many pairs as were outlined, which are known.
        """
        request, aim = self.request, self.request.pair_aim
        if request.hider is None:
            return best_way("any", lengths, values, request.gamma, aim, clients)
        return way_for(request, "one", lengths, request.asked_pairs, aim, self.answered)


def outlined(request: Request, kind: str = "any") -> Outline:
    """The outline of a request."""
    gamma, clients = request.gamma, request.clients
    shares: tuple[Fraction, ...] = (Fraction(1),)
    if request.goal.find != "items":
        shares = EARLY if gamma < 50 else LATE
    asked = float(shares[0] * (1 - OF_ITEMS)) * clients
    items = way_for(request, kind, request.lengths, request.items, request.item_aim, asked)
    if len(shares) == 1:
        return Outline(request, shares, items, None)
    rng = np.random.default_rng(1)
    pairs = promising(
        request.supports, np.zeros(request.items), request.asked_items, request.asked_pairs
    )
    held = imagined(request.lengths, request.supports, pairs, rng)
    answered = float((shares[1] + shares[2]) * (1 - OF_PAIRS)) * clients
    if request.hider is not None:  # reports are shuffled by rounds
        answered /= 2
    many = len(pairs) if request.hider is None else request.asked_pairs
    way = way_for(request, kind, held, many, request.pair_aim, answered)
    return Outline(request, shares, items, way, answered)


def plan_of_outline(outline: Outline, at_hand: bool) -> RoundsPlan:
    """The plan: later rounds wait for what earlier ones tell."""
    request = outline.request
    first, *later = outline.shares
    lengths = RoundsAsked("lengths", None, CLASSES)
    way = outline.items
    groups = [
        _group(request, "lengths", first * OF_ITEMS, 1, lengths),
        _group(request, "items", first * (1 - OF_ITEMS), 1, RoundsAsked("items"), way),
    ]
    for number, share in enumerate(later, start=2):
        assert outline.pairs is not None
        name, many = ("pairs" if number == 2 else "pairs in doubt"), request.asked_pairs
        lengths = RoundsAsked("lengths", None, classes_up_to(many))
        waiting = _group(request, f"{name}, lengths", share * OF_PAIRS, number, lengths)
        groups.append(replace(waiting, asked=None, values=len(lengths.least or ())))
        # The list that is asked is filled in later; so many pairs stand for it.
        some = RoundsAsked("itemsets", tuple((0, k) for k in range(1, many + 1)))
        waiting = _group(request, name, share * (1 - OF_PAIRS), number, some, outline.pairs)
        groups.append(replace(waiting, asked=None, values=many))
    return RoundsPlan(
        request.rho1,
        request.rho2,
        request.items,
        tuple(groups),
        request.goal,
        request.clients,
        dict(sorted(request.histogram.items())),
        at_hand,
        shuffled=request.shuffled,
    )


def _group(
    request: Request,
    name: str,
    share: Fraction,
    phase: int,
    asked: RoundsAsked,
    way: Way | None = None,
) -> RoundGroup:
    """A group; of lengths where no way is given. Behind a shuffler it says among how many."""
    among = hidden_among(float(share) * request.clients) if request.hider is not None else None
    if way is not None:
        form, size = way.noise.form, way.size
    else:
        gamma = lengths_gamma(request.gamma, asked, request.hider, among)
        form, size = lengths_form(asked, gamma), 1
    return RoundGroup(name, share, phase, asked.kind, size, form, asked, among=among)


def lengths_gamma(
    gamma: Fraction, asked: RoundsAsked, hider: Hider | None, among: int | None
) -> Fraction:
    """The gamma of reports of lengths; ValueError where a crowd is too small to hide one."""
    if hider is None or among is None:
        return gamma
    form = Form("fixed_size", {"chosen": 1, "cutoff": 0})
    found = hider(form, len(asked.least or ()), 1, among)
    if found is None:
        raise ValueError(f"{among:,} reports of lengths are too few for a shuffler to hide one")
    return found


def lengths_form(asked: RoundsAsked, gamma: Fraction) -> Form:
    """Subset selection among the classes: there is one length, and no dummy."""
    many = len(asked.least or ())
    if gamma > 2 * many:  # k-ary response
        return Form("fixed_size", {"chosen": 1, "gamma": gamma, "cutoff": 0})
    best: tuple[float, int] = (float("inf"), 1)
    for chosen in range(1, max(2, many // 2 + 1)):
        held = float(gamma) * chosen / (float(gamma) * chosen + many - chosen)
        other = (chosen - held) / (many - 1)
        noise = Noise(Form("fixed_size", {}), held, other).variance(1 / many)
        best = min(best, (noise, chosen))
    return Form("fixed_size", {"chosen": best[1], "gamma": gamma, "cutoff": 0})
