"""ValueSets: outputs that are sets of values, and the few of them that show most.

Up to a factor of the output y alone, p[x -> y] is `held` for x in y and `lacking` for any other x,
and every set of `least` to `most` values is an output (unary encoding, subset selection). Under a
prior there is a view for each way to hold so many values of each kind: too many to list on a
million values. What a question needs are the views that dominate all others; which they are, and
why, is in docs/decisions/0011-views-of-sets.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import ONE, Exact
from ppdm_formal.declare.operators.domain import Domain, Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.view import ChosenSet, InputClass, InputLabels, View

MAX_SHAPES = 50_000
"""Most ways to hold none, one or several values of each kind that are gone through."""

Counts = tuple[int, ...]
"""How many values of each kind."""

Shape = tuple[tuple[int, int], ...]
"""Of each kind: how many values a set holds and how many it lacks, 2 for two or more."""


@dataclass(frozen=True)
class SetOdds:
    """How likely a set is that holds x, and one that lacks it, up to a factor; and its sizes.

    Where `coin` is given, the factor is that of a coin for every value.
    """

    held: Exact
    lacking: Exact
    least: int
    most: int
    coin: Exact | None
    write: Callable[[frozenset[int]], Value]


@dataclass(frozen=True, eq=False)
class ValueKind:
    """Values that a question does not tell apart, by their positions."""

    places: npt.NDArray[np.int64]
    prior: Exact | None
    member: tuple[bool, ...]
    knowledge: Exact | None

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.places)

    @property
    def weight(self) -> Any:
        """P[x, z] of one of them."""
        known = ONE if self.knowledge is None else self.knowledge
        return known if self.prior is None else self.prior * known


@dataclass(frozen=True, eq=False)
class ValueSets:
    """The outputs of an operator on so many values of each kind, with what is known besides."""

    odds: SetOdds
    kinds: tuple[ValueKind, ...]
    inputs: Domain
    known: Value | None = None

    @classmethod
    def of(
        cls, odds: SetOdds, inputs: Domain, labels: InputLabels, known: Value | None = None
    ) -> ValueSets:
        """Values by their labels, in the order of the labels."""
        kinds = (
            ValueKind(np.flatnonzero(labels.labels == label), *meaning)
            for label, meaning in enumerate(labels.meanings)
        )
        return cls(odds, tuple(kinds), inputs, known)

    @property
    def counts(self) -> Counts:
        """How many values there are of each kind."""
        return tuple(kind.count for kind in self.kinds)

    def admits(self, held: Sequence[int]) -> bool:
        """Whether some output holds so many values of each kind."""
        fits = len(held) == len(self.kinds) and all(
            0 <= some <= all_of_it for some, all_of_it in zip(held, self.counts, strict=True)
        )
        return fits and self.odds.least <= sum(held) <= self.odds.most

    def view(self, held: Counts) -> View:
        """The view of the output that holds the first values of each kind.

        Of each kind a class of the values held and a class of the others, where there are some.
        """
        assert self.admits(held), "no output holds so many"
        classes = []
        for kind, some in zip(self.kinds, held, strict=True):
            for likelihood, places in (
                (self.odds.held, kind.places[:some]),
                (self.odds.lacking, kind.places[some:]),
            ):
                if len(places):
                    example = self.inputs[int(places[0])]
                    about = (kind.prior, kind.member, kind.knowledge)
                    classes.append(InputClass(likelihood, len(places), example, *about))
        chosen = [kind.places[:some] for kind, some in zip(self.kinds, held, strict=True)]
        output = self.odds.write(frozenset(np.concatenate(chosen).tolist()))
        return View(tuple(classes), 1, output, self.known, ChosenSet(self, held))

    def smallest(self) -> Counts:
        """A set of the least size."""
        found = self._within_sizes([(0, count) for count in self.counts])
        assert found is not None, "sizes of sets are those of values"
        return found

    def extremes(self, property: int) -> tuple[Counts, ...]:
        """Where the property is likeliest, and where it is least likely, by one prior."""
        return tuple(dict.fromkeys(self.extreme(property, upward) for upward in (True, False)))

    def extreme(self, property: int, upward: bool) -> Counts:
        """The set at which the property is likeliest (or least likely), by one prior."""
        inside = [kind.member[property] == upward for kind in self.kinds]
        if self.odds.held >= self.odds.lacking:
            return self._favouring(inside, self.odds.least, self.odds.most)
        whole = sum(self.counts)  # it is what a set lacks that is likely
        lacking = self._favouring(inside, whole - self.odds.most, whole - self.odds.least)
        return tuple(n - some for n, some in zip(self.counts, lacking, strict=True))

    def _favouring(self, inside: Sequence[bool], least: int, most: int) -> Counts:
        """All values inside; where they are too many the heaviest, too few the lightest others."""
        own = sum(kind.count for kind, inner in zip(self.kinds, inside, strict=True) if inner)
        rank = sorted(range(len(self.kinds)), key=lambda k: self.kinds[k].weight)
        within = [k for k in reversed(rank) if inside[k]]
        without = [k for k in rank if not inside[k]]
        room, found = min(max(own, least), most), [0] * len(self.kinds)
        for k in (*within, *without):
            found[k] = min(room, self.kinds[k].count)
            room -= found[k]
        return tuple(found)

    def shapes(self) -> list[Counts]:
        """Sets such that any other one holds and lacks no more values of any kind than one of them.

        Two values count as many: what a prior may do on a class of two it may do on a larger one.
        """
        options = [_options(count) for count in self.counts]
        if math.prod(map(len, options)) > MAX_SHAPES:
            raise TooLarge(f"values of {len(options)} kinds: sets hold them in too many ways")
        possible: dict[Shape, Counts] = {}
        for choice in itertools.product(*options):
            held = self._within_sizes([(low, high) for _, low, high in choice])
            if held is not None:
                possible[tuple(shape for shape, _, _ in choice)] = held
        return [
            held
            for shape, held in possible.items()
            if not any(other != shape and covers(other, shape) for other in possible)
        ]

    def _within_sizes(self, ranges: Sequence[tuple[int, int]]) -> Counts | None:
        """Numbers within these ranges whose sum is the size of an output."""
        found = [low for low, _ in ranges]
        for k, (low, high) in enumerate(ranges):
            found[k] += max(0, min(high - low, self.odds.least - sum(found)))
        return tuple(found) if self.admits(found) else None


def covers(large: Shape, small: Shape) -> bool:
    """Whether one set holds and lacks as many values of each kind as another, and more."""
    return all(a >= c and b >= d for (a, b), (c, d) in zip(large, small, strict=True))


def _options(count: int) -> list[tuple[tuple[int, int], int, int]]:
    """The shapes that a kind of so many values can have, and how many are held in each."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for held in sorted({n for n in (0, 1, 2, count - 2, count - 1, count) if 0 <= n <= count}):
        shape = (min(held, 2), min(count - held, 2))
        found[shape] = (found.get(shape, (held, held))[0], held)
    return [(shape, low, high) for shape, (low, high) in found.items()]


def groups_of(views: Sequence[View]) -> Iterator[ValueSets]:
    """The sets that views are chosen from, each once: one for everything that may be known."""
    chosen = (view.chosen for view in views)
    found = {id(one.sets): one.sets for one in chosen if one is not None}
    yield from found.values()
