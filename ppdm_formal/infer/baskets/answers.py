"""Answers: what all rounds together say of each set, with cuts undone and standard errors.

Each round's supports are of what its cut kept. With the lengths that clients told (lengths.py) the
cut is undone; noise grows by the slope of the undoing, and the undoing itself is in doubt. Rounds
that asked about the same set are combined by least variance at support 0 (rounds.py); noise adds as
that of different clients does, doubt as what all rounds share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_formal.infer.baskets.lengths import Lengths, Uncut
from ppdm_formal.infer.baskets.rounds import Integers, Round
from ppdm_formal.run.estimated_supports import Floats, quantile


@dataclass(frozen=True)
class Answers:
    """Sets (rows of items, rising) with raw estimates.

    kept: supports of what cuts left. support: the same with cuts undone. noise: its standard error
    for these clients, of coins and of who was asked; population: for a larger one they are a sample
    of; doubt: what undoing cuts adds. at: the noise where the support is one that is asked about.
    """

    sets: Integers
    kept: Floats
    support: Floats
    noise: Floats
    population: Floats
    doubt: Floats
    at: Floats
    people: int

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def errors(self) -> Floats:
        """Standard errors, doubt included."""
        return np.hypot(self.noise, self.doubt)

    @property
    def errors_at(self) -> Floats:
        """The same if the support were the one that is asked about."""
        return np.hypot(self.at, self.doubt)

    def intervals(self, level: float = 0.95) -> Floats:
        """Around the raw supports, a row each."""
        half = quantile(level) * self.errors
        return np.stack([self.support - half, self.support + half], axis=1)


def answers(
    rounds: Sequence[Round], lengths: Sequence[Lengths | None], clients: int, asked: float
) -> Answers:
    """Of rounds about sets of one size; lengths: of each round, None where nothing was cut.

    asked: the support at which `at` is told.
    """
    every = np.unique(np.concatenate([one.candidates for one in rounds]), axis=0)
    many = len(every)
    weight, kept, support, noise, population, doubt, at = np.zeros((7, many))
    for one, law in zip(rounds, lengths, strict=True):
        place = _places(every, one.candidates)
        told = one.kept(clients)
        whole, slope, unsure, there = _undone(one, told.estimates, law, asked)
        own = 1 / (told.variance.zero * _at_zero(one, law) ** 2)
        weight[place] += own
        kept[place] += own * told.estimates
        support[place] += own * whole
        noise[place] += (own * slope * told.deviations()) ** 2
        population[place] += (own * slope * told.deviations(about="population")) ** 2
        doubt[place] += own * unsure
        at[place] += (own * there[1] * told.deviations(np.full(len(place), there[0]))) ** 2
    return Answers(
        every,
        kept / weight,
        support / weight,
        np.sqrt(noise) / weight,
        np.sqrt(population) / weight,
        doubt / weight,
        np.sqrt(at) / weight,
        sum(one.people for one in rounds),
    )


def _places(every: Integers, some: Integers) -> Integers:
    known = {tuple(row): place for place, row in enumerate(every.tolist())}
    return np.array([known[tuple(row)] for row in some.tolist()], dtype=np.int64)


def _at_zero(one: Round, law: Lengths | None) -> float:
    if law is None or one.cut is None:
        return 1.0
    return float(Uncut.of(law, one.cut).slope(np.zeros(1))[0])


def _undone(
    one: Round, kept: Floats, law: Lengths | None, asked: float
) -> tuple[Floats, Floats, Floats, tuple[float, float]]:
    """Supports, slopes and doubt; and what is kept of the support asked about, with its slope."""
    if law is None or one.cut is None:
        return kept, np.ones(len(kept)), np.zeros(len(kept)), (asked, 1.0)
    undo = Uncut.of(law, one.cut)
    left = undo.remains(np.array([asked]))
    inside = np.maximum(kept, 0)
    there = float(left[0]), float(undo.slope(left)[0])
    return undo.support(kept), undo.slope(inside), undo.doubt(inside), there
