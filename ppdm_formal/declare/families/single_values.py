"""SingleValues: a law on transactions of one item, as a law on the values 0..k-1 themselves.

Input x stands for {x}, and an output is a set of values y. All that p[x -> y] depends on is |y|
and whether x is in y, so that outputs show one view for each size, and under a prior one for
each way to have so many values of each kind (prior probability, properties) in y.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic, simplify
from ppdm_formal.declare.families.crowd_overlap import counted_pairs
from ppdm_formal.declare.families.overlap import MAX_ENTRY_ITEMS, OverlapLaw
from ppdm_formal.declare.families.subsets import Subsets
from ppdm_formal.declare.operators.alike import Ratio, Support, Take, ratios_by_size
from ppdm_formal.declare.operators.domain import ALL_BUT, Domain, Value, show_value
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Law, Spelled, check_rows
from ppdm_formal.declare.operators.matrix import CodedMatrix, TooLarge
from ppdm_formal.declare.operators.pair import CrowdColumns, CrowdPair, PairClass
from ppdm_formal.declare.operators.report import Batch, Report
from ppdm_formal.declare.operators.sets import SetOdds
from ppdm_formal.declare.operators.view import InputClass, InputLabels, View, ViewKind

MAX_KINDS = 20_000
"""Most kinds of outputs that are told apart under a prior."""

MAX_KIND_ITEMS = 10_000_000
"""Most kinds times values: each kind has probabilities with as many digits as there are values."""


MAX_COUNTED = 16
"""Up to so many values what pairs show among a crowd is counted, sets of all or no values apart."""

MAX_SIZES = 20_000
"""Most sizes of reports that are compared."""

MAX_PAIR_ITEMS = 50
"""On more values what a pair of them shows is added up: likelihoods have as many digits."""


@dataclass(frozen=True)
class SingleValues(Law):
    """The law of `sets`, a law on transactions of one item, whose positions are the values."""

    sets: OverlapLaw
    gives_sets: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.sets.size != 1:
            raise ValueError("single values are transactions of one item")

    def spelled(self) -> Spelled | None:
        """As the sets say of themselves."""
        return self.sets.spelled_alone()

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """Without labels as the sets show them, otherwise by how many of each label are in y."""
        if _plain(labels):
            views = self.sets.views(self.sets.inputs(), outputs, labels)
            return [_renamed(view, inputs) for view in views]
        members = [np.flatnonzero(labels.labels == k) for k in range(len(labels.meanings))]
        sizes = [len(part) for part in members]
        self._check_kinds(sizes)
        found: dict[frozenset[InputClass], View] = {}
        for held in self._kinds(sizes):
            inside = [part[:many] for part, many in zip(members, held, strict=True)]
            output = frozenset(int(x) for part in inside for x in part)
            view = self._view(output, members, held, inputs, labels)
            alike = math.prod(map(math.comb, sizes, held))
            key = frozenset(replace(part, example=0) for part in view.classes)
            before = found[key].outputs if key in found else 0
            found[key] = replace(found.get(key, view), outputs=before + alike)
        return list(found.values())

    def set_odds(self) -> SetOdds | None:
        """What a set that holds x and one that lacks it have as likelihoods, up to a factor.

        None where that is not a number above 0 for every set of these sizes.
        """
        sizes = self.sets.output_sizes
        if any(map(is_symbolic, self.sets.values())) or self.sets.impossible:
            return None
        lacking, held = (self.sets.ratio(max(1, sizes.start), overlap) for overlap in (0, 1))
        if sizes.start == self.sets.items or lacking <= 0 or held <= 0:
            return None
        return SetOdds(held, lacking, sizes.start, sizes.stop - 1, self.sets.coin, self._shown)

    def _shown(self, chosen: frozenset[int]) -> Value:
        """A set, or what it leaves out where it is nearly full."""
        if len(chosen) <= max(64, self.sets.items // 2):
            return chosen
        return (ALL_BUT, frozenset(range(self.sets.items)) - chosen)

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The view of one output."""
        return self.view_of_output(outputs[column], inputs, outputs, labels)

    def view_of_output(
        self, output: Value, inputs: Domain, outputs: Domain, labels: InputLabels
    ) -> View:
        """The view of one output, as the set that it is."""
        if _plain(labels):
            column = outputs.index(output)
            plain = self.sets.view_of(column, self.sets.inputs(), outputs, labels)
            return _renamed(plain, inputs)
        chosen = outputs.as_set(output) if isinstance(outputs, Subsets) else output
        if output not in outputs or not isinstance(chosen, frozenset):
            raise ValueError(f"{show_value(output)} is not in {outputs}")
        held_by = np.isin(np.arange(self.sets.items), sorted(chosen))
        members, held = [], []
        for k in range(len(labels.meanings)):
            alike = labels.labels == k
            members.append(np.r_[np.flatnonzero(alike & held_by), np.flatnonzero(alike & ~held_by)])
            held.append(int((alike & held_by).sum()))
        return self._view(output, members, held, inputs, labels)

    def _view(
        self,
        output: Value,
        members: Sequence[Integers],
        held: Sequence[int],
        inputs: Domain,
        labels: InputLabels,
    ) -> View:
        """The view of an output that holds the first held[k] of the members of label k."""
        width = sum(held)
        relative = self.sets.items > MAX_ENTRY_ITEMS
        shown_as = self.sets.ratio if relative else self.sets.likelihood
        classes: dict[tuple[Exact, int], tuple[int, int]] = {}
        for label, (part, inside) in enumerate(zip(members, held, strict=True)):
            for overlap, some in ((1, part[:inside]), (0, part[inside:])):
                if len(some):
                    key = (shown_as(width, overlap), label)
                    count, first = classes.get(key, (0, int(some[0])))
                    classes[key] = count + len(some), min(first, int(some[0]))
        shown = [
            InputClass(likelihood, count, inputs[first], *labels.meanings[label])
            for (likelihood, label), (count, first) in sorted(
                classes.items(), key=lambda item: item[1][1]
            )
        ]
        kind = ViewKind.RELATIVE if relative else ViewKind.PROBABILITIES
        return View(tuple(shown), 1, output, kind=kind)

    def _kinds(self, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """How many inputs of each label an output can hold, for all sizes of outputs."""
        widths = self.sets.output_sizes
        most = max(range(len(sizes)), key=sizes.__getitem__)
        others = [range(size + 1) for k, size in enumerate(sizes) if k != most]
        for some in itertools.product(*others):
            for width in widths:
                rest = width - sum(some)
                if 0 <= rest <= sizes[most]:
                    yield (*some[:most], rest, *some[most:])

    def _check_kinds(self, sizes: Sequence[int]) -> None:
        """Refuse before anything is listed."""
        kinds = math.prod(size + 1 for size in sizes) // (max(sizes) + 1)
        kinds *= min(len(self.sets.output_sizes), max(sizes) + 1)
        items = self.sets.items
        if kinds > MAX_KINDS or kinds * items > MAX_KIND_ITEMS or items > MAX_ENTRY_ITEMS:
            counted = "1 kind" if len(sizes) == 1 else f"{len(sizes):,} kinds"
            raise TooLarge(
                f"{items:,} values of {counted} (by prior and properties): outputs "
                f"would show up to {kinds:,} views, with probabilities too long to write out "
                f"(at most {MAX_ENTRY_ITEMS:,} values, {MAX_KINDS:,} views, and {MAX_KIND_ITEMS:,} "
                "for views times values), and this question needs them all; breaches by one report "
                "are decided on any number of values, under a prior or for all, where no parameter "
                "is free"
            )

    def entry(self, row: int, column: int) -> Exact:
        """p[x -> y] by positions."""
        return self.sets.entry(row, column)

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """As the sets."""
        return self.sets.pair(first, second)

    def summed_pair(self) -> tuple[tuple[Exact, Exact], ...] | None:
        """Sets that hold the first value alone, the second alone, or both or neither."""
        if self.sets.items <= MAX_PAIR_ITEMS:
            return None
        own, other = self.sets.told_apart()
        rest = simplify(1 - own - other)
        return (own, other), (other, own), (rest, rest)

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """By whether sets hold the two values and a third one, to which any three are like.

        Sets of all values, or of none, can be no likelier from others: few values count these
        apart, which would take numbers with as many digits as there are values.
        """
        if any(map(is_symbolic, self.values())):
            return None
        few = self.sets.items <= MAX_COUNTED
        return counted_pairs(self.sets) if few else self.sets.crowd_pairs()

    def crowd_columns(self) -> CrowdColumns | None:
        """As the sets: a value is the set of it alone."""
        return self.sets.crowd_columns()

    def unlike_pairs(self) -> Iterable[tuple[int, int]]:
        """Any two values are like any others."""
        return [(0, 1)] if self.sets.items > 1 else []

    def support(self) -> Support:
        """A report supports the values that it holds."""
        return replace(self.sets.support(), sets=None)

    def supported_odds(self) -> Exact | None:
        """Held or not, if sizes do not matter."""
        sizes = [size for size in self.sets.output_sizes if 0 < size < self.sets.items]
        if not sizes or len(sizes) > MAX_SIZES:
            return None
        apart = [(self.sets.ratio(size, 1), self.sets.ratio(size, 0)) for size in sizes]
        if any(without == 0 for _, without in apart):
            return None
        found = {simplify(held / without) for held, without in apart}
        return found.pop() if len(found) == 1 else None

    def ratios(self, take: Take) -> Sequence[Ratio]:
        """By the size of the report, and whether it holds x."""
        return ratios_by_size(self.sets.items, self.sets.by_size(take))

    def mass(self) -> Exact:
        """As the sets."""
        return self.sets.mass()

    def values(self) -> Sequence[Exact]:
        """As the sets."""
        return self.sets.values()

    def matrix(self) -> CodedMatrix:
        """The matrix written out, for few values."""
        return self.sets.matrix()

    def map(self, change: Callable[[Exact], Exact]) -> SingleValues:
        """The same law with parameters given values."""
        return SingleValues(self.sets.map(change))

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """By positions, for outputs few enough to number."""
        return self.sets.draw(rows, bits)

    def draw_batch(self, rows: Integers, bits: Bits) -> Batch:
        """Packed, as the sets say."""
        check_rows(rows, self.sets.items)
        return self.sets.draw_packed(rows[:, None], bits)

    def draw_reports(self, rows: Integers, bits: Bits) -> tuple[Integers, Integers]:
        """For each value a set: number i is items[offsets[i] : offsets[i + 1]]."""
        check_rows(rows, self.sets.items)
        return self.sets.draw_sets(rows, np.arange(rows.size + 1), bits)

    def report(self, outputs: Domain) -> Report:
        """As the sets."""
        return self.sets.report(outputs)

    def gives_size(self, width: int) -> bool:
        """Whether some value gives sets of that size."""
        return any(self.sets.ratio(width, overlap) != 0 for overlap in self.sets.overlaps(width))

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """A value as a transaction of one item."""
        return self.sets.client_alone(inputs, outputs)


def _plain(labels: InputLabels) -> bool:
    return len(labels.meanings) == 1 and labels.meanings[0] == (None, (), None)


def _renamed(view: View, inputs: Domain) -> View:
    """Examples by the values that their items stand for."""
    classes = (replace(part, example=inputs[_only(part.example)]) for part in view.classes)
    return replace(view, classes=tuple(classes))


def _only(item: Value) -> int:
    """The item of a transaction of one."""
    assert isinstance(item, frozenset)
    (found,) = item
    assert isinstance(found, int)
    return found
