"""LineLaw: p[x -> y] = weight(|x - y|) row(x) column(y) on the values 0..k-1 of a line.

weight stays what it is from some distance on (`reach`), and row and column from some depth on,
the depth of a value being its distance to the nearer end. So outputs far enough from both ends
show the same view, however many there are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ppdm_formal.declare.arithmetic.exact import (
    ONE,
    ZERO,
    Exact,
    is_rational,
    is_symbolic,
    simplify,
)
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.law import Integers, Law
from ppdm_formal.declare.operators.matrix import CodedMatrix, Palette, TooLarge, check_cells
from ppdm_formal.declare.operators.pair import CrowdPair, PairClass, crowd_kinds, pair_classes
from ppdm_formal.declare.operators.view import InputClass, InputLabels, View, extreme_view

MAX_WORK = 200_000_000
"""Outputs times inputs that are gone through under a prior where the matrix is too large."""

MAX_CLASSES = 500_000
"""Most classes of inputs that the views of an operator hold together."""

MAX_FORMS = 1000
"""The same where likelihoods are closed forms in free parameters."""

MAX_BITS = 30_000
"""Longest likelihood of an extreme view."""

MAX_CROWD_FAR = 20
"""Largest distance that shows in pairs among a crowd: there are as many as its square."""

MAX_CROWD_KINDS = 5_000
"""Most kinds of outputs of all pairs among a crowd: certificates carry them."""


@dataclass(frozen=True)
class LineLaw(Law):
    """`size` values; subclasses give the three factors and how to draw.

    Where weight(d) = a^d they also give the extreme view, for sizes whose views are too large.
    """

    size: int

    @property
    @abstractmethod
    def reach(self) -> int:
        """weight(d) is the same for all distances d >= reach."""

    @property
    @abstractmethod
    def rows(self) -> int:
        """row(depth) is the same for all depths >= rows - 1."""

    @property
    @abstractmethod
    def columns(self) -> int:
        """column(depth) is the same for all depths >= columns - 1."""

    @abstractmethod
    def likelihood(self, distance: int, row: int, column: int) -> Exact:
        """p[x -> y] from |x - y| and the two depths, each at most the last that counts."""

    def _depths(self, kinds: int) -> Integers:
        """The depth of each value, at most kinds - 1."""
        places = np.arange(self.size)
        return np.minimum(np.minimum(places, self.size - 1 - places), kinds - 1)

    def _distances(self, place: int) -> Integers:
        return np.minimum(np.abs(np.arange(self.size) - place), self.reach)

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """One for each depth of an output that shows something new; with labels, by the matrix.

        Where that is too large, one for each output near an end or near a change of labels.
        """
        if len(labels.meanings) > 1:
            try:
                written = self._written
            except TooLarge:
                return self._labelled(inputs, outputs, labels)
            return written.views(inputs, outputs, labels)
        last = min((self.size - 1) // 2, self._near)
        distances = (min(self.reach, self.size - 1 - column) + 1 for column in range(last + 1))
        most = MAX_FORMS if any(map(is_symbolic, self.values())) else MAX_CLASSES
        if last >= most or sum(distances) > most:
            raise TooLarge(
                f"{self.size:,} values, of which an output shows up to {self.reach + 1:,} "
                "likelihoods: their views are too large to write out"
            )
        palette = Palette()
        found: dict[frozenset[tuple[int, int]], View] = {}
        for column in range(last + 1):
            alike = 2 if column < last else self.size - 2 * last  # all that are as deep or deeper
            view, key = self._view(column, inputs, outputs, labels, palette)
            before = found[key].outputs if key in found else 0
            found[key] = replace(found.get(key, view), outputs=before + alike)
        return list(found.values())

    @property
    def _near(self) -> int:
        """How far from an end outputs show it: in their own factor, or in what is near to them."""
        return max(self.columns - 1, self.reach + self.rows - 1)

    def _labelled(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """Outputs far from the ends with values of one label near them are all alike."""
        places = np.arange(self.size)
        apart = np.minimum(places, self.size - 1 - places) < self._near
        for change in np.flatnonzero(np.diff(labels.labels)).tolist():
            apart[max(0, change + 1 - self.reach) : change + self.reach + 1] = True
            if np.count_nonzero(apart) * self.size > MAX_WORK:
                break
        own = np.flatnonzero(apart)
        # The first output of each stretch of the others stands for all of it.
        edges = np.flatnonzero(np.diff(np.r_[True, apart, True].astype(np.int8)))
        stretches = edges.reshape(-1, 2).tolist()
        if (len(own) + len(stretches)) * self.size > MAX_WORK:
            raise TooLarge(
                f"{self.size:,} values of {len(labels.meanings):,} kinds (by prior and "
                "properties): too many outputs show what no other one does; a claim for all "
                "priors, without `under`, is decided on any number of values, and where it holds "
                "it holds under this prior, too"
            )
        palette = Palette()
        found: dict[frozenset[tuple[int, int]], View] = {}
        for column, alike in [(c, 1) for c in own.tolist()] + [(a, b - a) for a, b in stretches]:
            view, key = self._view(column, inputs, outputs, labels, palette)
            before = found[key].outputs if key in found else 0
            found[key] = replace(found.get(key, view), outputs=before + alike)
        return list(found.values())

    def falling(self, ratio: Exact, inputs: Domain, outputs: Domain) -> View:
        """The extreme view where weight(d) = ratio^d, ratio <= 1: an end, told from the other end.

        A step away from y multiplies p[x -> y] by ratio, and by what row(x) gains: at most 1/ratio,
        since no weight changes by more. So x = y is the likeliest and an end e the least likely,
        and their ratio is row(y)/row(e) / ratio^|e - y|. No row is greater than an end's, from
        which all others are far, and so no ratio greater than that at an end, ratio^(1 - k).
        """
        if (
            ratio not in (ZERO, ONE)
            and is_rational(ratio)
            and (ratio.denominator.bit_length() * self.size > MAX_BITS)
        ):
            raise TooLarge(
                f"{self.size:,} values: how much the ends are told apart, the ratio to the power "
                f"{1 - self.size:,}, is too long to write; as exp(q) it is not"
            )
        return extreme_view(inputs, outputs, ONE, simplify(ratio ** (self.size - 1)))

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The view of one output."""
        return self._view(column, inputs, outputs, labels, Palette())[0]

    def _view(
        self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels, palette: Palette
    ) -> tuple[View, frozenset[tuple[int, int]]]:
        """Inputs by distance, their own depth and their label; and what tells the view apart."""
        depth = min(column, self.size - 1 - column, self.columns - 1)
        kinds = len(labels.meanings)
        keys = (self._distances(column) * self.rows + self._depths(self.rows)) * kinds
        found, first, counts = np.unique(
            keys + labels.labels, return_index=True, return_counts=True
        )
        classes: dict[tuple[int, int], tuple[int, int]] = {}
        for start, key, count in sorted(
            zip(first.tolist(), found.tolist(), counts.tolist(), strict=True)
        ):
            distance, row = divmod(key // kinds, self.rows)
            which = (palette.code(self.cached(distance, row, depth)), key % kinds)
            before, example = classes.get(which, (0, start))
            classes[which] = before + count, example
        shown = (
            InputClass(palette.values[code], count, inputs[example], *labels.meanings[label])
            for (code, label), (count, example) in classes.items()
        )
        told = frozenset((code * kinds + label, n) for (code, label), (n, _) in classes.items())
        return View(tuple(shown), 1, outputs[column]), told

    @cached_property
    def _known(self) -> dict[tuple[int, int, int], Exact]:
        return {}

    def cached(self, distance: int, row: int, column: int) -> Exact:
        """The likelihood, worked out once: most outputs show the same ones."""
        key = (distance, row, column)
        if key not in self._known:
            self._known[key] = self.likelihood(*key)
        return self._known[key]

    def entry(self, row: int, column: int) -> Exact:
        """p[x -> y] by positions."""
        return self.likelihood(*self._kind(row, column))

    def _kind(self, row: int, column: int) -> tuple[int, int, int]:
        """What a likelihood depends on: the distance and both depths, as far as they count."""
        inward, across = (min(place, self.size - 1 - place) for place in (row, column))
        distance = min(abs(row - column), self.reach)
        return distance, min(inward, self.rows - 1), min(across, self.columns - 1)

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """Outputs by their distances to both inputs, and their depth."""
        depths = self._depths(self.columns)
        keys = (self._distances(first) * (self.reach + 1) + self._distances(second)) * self.columns
        found, counts = np.unique(keys + depths, return_counts=True)
        if len(found) > MAX_CLASSES:
            raise TooLarge(f"a pair of inputs shows {len(found):,} pairs of likelihoods")
        one, other = (min(place, self.size - 1 - place, self.rows - 1) for place in (first, second))
        parts = []
        for key, outputs in zip(found.tolist(), counts.tolist(), strict=True):
            distances, depth = divmod(key, self.columns)
            near, far = divmod(distances, self.reach + 1)
            likelihoods = self.cached(near, one, depth), self.cached(far, other, depth)
            parts.append((*likelihoods, outputs))
        return pair_classes(parts)

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """Of a line that is long for its reach: pairs that show the same in some order once.

        What outputs show of a pair and of all inputs changes near the two, and near the ends.
        """
        if self._far > min(MAX_CROWD_FAR, (self.size - 1) // 2):
            return None
        if any(map(is_symbolic, self.values())):
            return None
        found: dict[frozenset[tuple[tuple[Exact, ...], int]], CrowdPair] = {}
        kinds = 0
        for first, second in self.unlike_pairs():
            places = (0, self.size // 2, self.size - 1)
            other = max(places, key=lambda z: min(abs(z - first), abs(z - second)))
            parts = list(self._crowd_parts(first, second, other))
            shown: Counter[tuple[Exact, ...]] = Counter()
            for many, (one, two, least, _) in parts:
                shown[one, two, least] += many
            ways = [((b, a, least), many) for (a, b, least), many in shown.items()]
            if not found.keys() & {frozenset(shown.items()), frozenset(ways)}:
                pair = CrowdPair(first, second, other, crowd_kinds(parts))
                found[frozenset(ways)] = pair
                kinds += len(pair.kinds)
            if kinds > MAX_CROWD_KINDS:
                return None
        return tuple(found.values())

    def _crowd_parts(
        self, first: int, second: int, other: int
    ) -> Iterator[tuple[int, tuple[Exact, ...]]]:
        """How many outputs have which likelihoods, from all inputs at least among them."""
        inputs = (first, second, other)
        for many, column in self._told_apart(inputs, self._near):
            depth = min(column, self.size - 1 - column, self._near)
            one, two, third = (self._at(row, column) for row in inputs)
            yield many, (one, two, self._leasts[depth], third)

    @cached_property
    def _leasts(self) -> tuple[Exact, ...]:
        """The least likelihood of an output, by its depth as far as that shows."""
        return tuple(
            min(self._at(row, column) for _, row in self._told_apart([column], self.rows - 1))
            for column in range(min(self._near, (self.size - 1) // 2) + 1)
        )

    def _told_apart(self, near: Iterable[int], deep: int) -> Iterator[tuple[int, int]]:
        """Values near to some or less deep, one by one; all others together, as (count, one)."""
        apart = {*range(deep), *range(self.size - deep, self.size)}
        for place in near:
            apart |= set(range(max(0, place - self.reach), min(self.size, place + self.reach + 1)))
        yield from ((1, place) for place in sorted(apart))
        rest = next((place for place in range(self.size) if place not in apart), None)
        if rest is not None:
            yield self.size - len(apart), rest

    def _at(self, row: int, column: int) -> Exact:
        """p[x -> y] by positions, kept."""
        return self.cached(*self._kind(row, column))

    @property
    def _far(self) -> int:
        """From this distance on, how far apart two inputs or an end are does not show."""
        return 2 * self.reach + self.rows + self.columns

    def unlike_pairs(self) -> Iterator[tuple[int, int]]:
        """By what is left of a pair, between it and right of it; far is far, sides are alike."""
        far = self._far
        seen = set()
        for first, second in self._some_pairs(far):
            sides = sorted(min(far, side) for side in (first, self.size - 1 - second))
            kind = (*sides, min(far, second - first))
            if kind not in seen:
                seen.add(kind)
                yield first, second

    def _some_pairs(self, far: int) -> Iterator[tuple[int, int]]:
        """Pairs of every kind: two of the three gaps are small, or all that are not are far."""
        last = self.size - 1
        near = range(min(far, last) + 1)
        for left in near:
            for other in near:
                if other and left + other <= last:
                    yield left, left + other
                if left + other < last:
                    yield left, last - other

    def matrix(self) -> CodedMatrix:
        """The matrix written out."""
        check_cells(self.size, self.size)
        palette = Palette()
        codes = np.empty((self.size, self.size), dtype=np.uint32)
        depths = self._depths(self.rows)
        for column in range(self.size):
            keys = self._distances(column) * self.rows + depths
            found, where = np.unique(keys, return_inverse=True)
            across = min(column, self.size - 1 - column, self.columns - 1)
            numbers = [
                palette.code(self.cached(key // self.rows, key % self.rows, across))
                for key in found.tolist()
            ]
            codes[:, column] = np.array(numbers)[where.ravel()]
        return CodedMatrix(codes, palette.values)
