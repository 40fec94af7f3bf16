"""OverlapLaw: p[t -> t'] that depends on |t'| and j = |t ∩ t'| alone.

All item-invariant operators on transactions of one size are of this kind. An output t'
of size m' shows C(m', j) C(n - m', m - j) inputs with overlap j, so its view follows from
binomial coefficients, and all outputs of one size show the same.
"""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, is_symbolic
from ppdm_formal.declare.families.crowd_overlap import counted_pairs
from ppdm_formal.declare.families.subsets import Subsets, ways
from ppdm_formal.declare.operators.alike import Support, Take
from ppdm_formal.declare.operators.domain import Domain, Value
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Law, Spelled, check_rows
from ppdm_formal.declare.operators.matrix import CodedMatrix, Palette, TooLarge, check_cells
from ppdm_formal.declare.operators.pair import CrowdPair, PairClass, pair_classes
from ppdm_formal.declare.operators.report import Batch, Report
from ppdm_formal.declare.operators.report_bits import BitsReport
from ppdm_formal.declare.operators.report_set import SetReport
from ppdm_formal.declare.operators.shipped import rows_json, values_json
from ppdm_formal.declare.operators.view import InputClass, InputLabels, View, ViewKind

EXACT_ITEMS = 64
"""Up to so many items views carry the probabilities themselves, above only their ratios."""

BLOCK_ITEMS = 1 << 24
"""How many coins are tossed at a time."""

MAX_TABLE = 1 << 16
"""Up to so many inputs their items are kept in a table, for draws."""

MAX_PAIR_TERMS = 1_000_000
"""Most kinds of outputs that are told apart for a pair of inputs."""

MAX_ENTRY_ITEMS = 20_000
"""Past so many items a single p[t -> t'] is a fraction of too many digits to be of use."""


class NotATransaction(ValueError):
    """What is to be randomized is not an input; the message names its place and no item."""


@dataclass(frozen=True)
class OverlapLaw(Law):
    """Transactions of `size` of `items` items; subclasses give the probabilities."""

    items: int
    size: int
    takes_sets: ClassVar[bool] = True
    gives_sets: ClassVar[bool] = True

    @property
    @abstractmethod
    def output_sizes(self) -> range:
        """The sizes that randomized transactions can have."""

    @abstractmethod
    def likelihood(self, width: int, overlap: int) -> Exact:
        """p[t -> t'] for |t'| = width and |t ∩ t'| = overlap."""

    @abstractmethod
    def ratio(self, width: int, overlap: int) -> Exact:
        """p[t -> t'] up to a factor that depends on t' alone, and is positive wherever it matters.

        Where a parameter may make every p[t -> t'] zero, the ratios become zero with them.
        """

    @abstractmethod
    def support(self) -> Support:
        """How likely an item of t is in t', and an item that is not: one item at a time."""

    def by_size(self, take: Take) -> list[tuple[int, Any, Any]]:
        """Of one item: the sizes of t' with the chances that it holds the item and that not."""
        n = self.items - 1
        return [
            (
                width,
                math.comb(n, width - 1) * take(self.likelihood(width, 1)) if width else take(ZERO),
                math.comb(n, width) * take(self.likelihood(width, 0)) if width <= n else take(ZERO),
            )
            for width in self.output_sizes
        ]

    @abstractmethod
    def map(self, change: Callable[[Exact], Exact]) -> OverlapLaw:
        """The same law with parameters given values."""

    def spelled_alone(self) -> Spelled | None:
        """Of transactions of one item: the spelling as a law on the values (SingleValues)."""
        return None

    def client_alone(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """Of transactions of one item: what a client of single values needs; its rows."""
        return rows_json(self.matrix(), inputs, outputs)

    @property
    def coin(self) -> Exact | None:
        """How likely an item that is not in t comes in, where each does by itself."""
        return None

    @property
    def impossible(self) -> bool:
        """Whether some outputs may be impossible: ratios are then no numbers above 0 for all."""
        return False

    @abstractmethod
    def draw_members(self, members: Integers, bits: Bits) -> tuple[Integers, Integers]:
        """Randomize transactions, one a row with rising items, into items and offsets."""

    def draw_packed(self, members: Integers, bits: Bits) -> Batch:
        """The same, into reports as `report` packs them."""
        items, offsets = self.draw_members(members, bits)
        sets = [frozenset(part.tolist()) for part in np.split(items, offsets[1:-1])]
        return self.report(self.outputs()).of_values(sets[: len(members)])

    def draw_batch(self, rows: Integers, bits: Bits) -> Batch:
        """Inputs by their positions, block by block."""
        inputs = self.inputs()
        check_rows(rows, inputs.size)
        if inputs.size <= MAX_TABLE:
            return self.draw_packed(self._table[rows], bits)
        different, where = np.unique(rows, return_inverse=True)
        sets = np.array([sorted(inputs[row]) for row in different.tolist()], dtype=np.int64)
        return self.draw_packed(sets.reshape(-1, self.size)[where.ravel()], bits)

    @cached_property
    def _table(self) -> Integers:
        """The items of each input, rising, in the order of the inputs."""
        chosen = itertools.combinations(range(self.items), self.size)
        return np.array([*chosen], dtype=np.int64).reshape(-1, self.size)

    def draw_sets(
        self, items: Integers, offsets: Integers, bits: Bits
    ) -> tuple[Integers, Integers]:
        """See Law; NotATransaction where one is no input."""
        members = self._members(items, offsets)
        block = max(1, BLOCK_ITEMS // max(1, self.items))
        drawn = [
            self.draw_members(members[start : start + block], bits)
            for start in range(0, len(members), block)
        ]
        starts = np.cumsum([0, *(len(part) for part, _ in drawn)])
        return (
            np.concatenate([np.empty(0, dtype=np.int64), *(part for part, _ in drawn)]),
            np.concatenate(
                [[0], *(ends[1:] + start for (_, ends), start in zip(drawn, starts, strict=False))]
            ).astype(np.int64),
        )

    def _members(self, items: Integers, offsets: Integers) -> Integers:
        """The transactions as rows with rising items; NotATransaction where one is none."""
        if (np.diff(offsets) != self.size).any():
            wrong = int(np.flatnonzero(np.diff(offsets) != self.size)[0])
            raise NotATransaction(f"transaction {wrong} does not have {self.size} items")
        rows = np.sort(items[offsets[0] : offsets[-1]].reshape(-1, self.size), axis=1)
        bad = (rows[:, 0] < 0) | (rows[:, -1] >= self.items) | (np.diff(rows) == 0).any(axis=1)
        if bad.any():
            wrong = int(np.flatnonzero(bad)[0])
            raise NotATransaction(
                f"transaction {wrong} is not a set of items among 0..{self.items - 1}"
            )
        return rows.astype(np.int64)

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """The same by positions, for domains small enough to number."""
        inputs, outputs = self.inputs(), self.outputs()
        if max(inputs.size, outputs.size) >= 1 << 63:
            raise TooLarge(f"{outputs} are too many to number; draw_sets takes the items")
        check_rows(rows, inputs.size)
        different, where = np.unique(rows, return_inverse=True)
        sets = np.array([sorted(inputs[row]) for row in different.tolist()], dtype=np.int64)
        items = sets.reshape(-1, self.size)[where].ravel()
        items, offsets = self.draw_sets(items, np.arange(rows.size + 1) * self.size, bits)
        return np.array(
            [
                outputs.index(frozenset(items[start:end].tolist()))
                for start, end in itertools.pairwise(offsets.tolist())
            ],
            dtype=np.int64,
        )

    def report(self, outputs: Domain) -> Report:
        """Bits, or a set where all outputs have one size."""
        sizes = self.output_sizes
        if len(sizes) == 1:
            return SetReport(self.items, sizes.start)
        return BitsReport(self.items, *self.sizes_given)

    @property
    def sizes_given(self) -> tuple[int, int]:
        """The least and the greatest size of an output that some input gives."""
        return self.output_sizes.start, self.output_sizes.stop - 1

    def overlaps(self, width: int) -> range:
        """The overlaps that an output of that size can have with a transaction."""
        return range(max(0, self.size + width - self.items), min(self.size, width) + 1)

    def shape(self, width: int) -> Hashable:
        """Outputs of sizes with the same shape have the same ratios.

        It must not change between sizes m + 1 and n - m - 1.
        """
        return self.overlaps(width)

    @property
    def relative(self) -> bool:
        """Whether views give ratios: the probabilities are too small, or symbolic."""
        return self.items > EXACT_ITEMS or any(map(is_symbolic, self.values()))

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """One view a size of the output; relative ones a range of overlaps."""
        if len(labels.meanings) > 1 or labels.meanings[0] != (None, (), None):
            return self._written.views(inputs, outputs, labels)
        found: dict[Any, View] = {}
        for widths in self._groups():
            width = widths.start
            output = self._first(outputs, width)
            view = self._view(width, output, range(width), range(width, self.items))
            alike = self._count(widths)
            shown = (frozenset((part.likelihood, part.count) for part in view.classes),)
            key = (width,) if self.relative else shown
            before = found[key].outputs if key in found else 0
            found[key] = replace(found.get(key, view), outputs=before + alike)
        return list(found.values())

    def _count(self, widths: range) -> int:
        """How many sets have one of these sizes; for most sizes, 2^n less the few others."""
        if 2 * len(widths) <= self.items + 1:
            return sum(ways(self.items, width) for width in widths)
        others = [*range(widths.start), *range(widths.stop, self.items + 1)]
        return (1 << self.items) - sum(ways(self.items, width) for width in others)

    def _groups(self) -> list[range]:
        """Sizes of outputs, together where views differ by a factor and by counts alone."""
        sizes = self.output_sizes
        if not self.relative:
            return [range(width, width + 1) for width in sizes]
        groups: list[range] = []
        low, high = self.size + 1, self.items - self.size - 1
        few = low >= high or len(sizes) <= 2
        ends = sizes if few else [*range(low + 1), *range(high, self.items + 1)]
        for width in (width for width in ends if width in sizes):
            if groups and self.shape(groups[-1].start) == self.shape(width):
                groups[-1] = range(groups[-1].start, width + 1)
            else:
                groups.append(range(width, width + 1))
        return groups

    def _first(self, outputs: Domain, width: int) -> Value:
        return outputs.first(width) if isinstance(outputs, Subsets) else frozenset(range(width))

    def _view(
        self, width: int, output: Value, inside: Iterable[int], outside: Iterable[int]
    ) -> View:
        """The view of an output, from its first items and the first items that it lacks."""
        within = sorted(itertools.islice(inside, self.size))
        without = sorted(itertools.islice(outside, self.size))
        shown = self.ratio if self.relative else self.likelihood
        counts: dict[Exact, int] = {}
        examples: dict[Exact, list[int]] = {}
        for overlap in self.overlaps(width):
            value = shown(width, overlap)
            many = math.comb(width, overlap) * math.comb(self.items - width, self.size - overlap)
            counts[value] = counts.get(value, 0) + many
            example = sorted(within[:overlap] + without[: self.size - overlap])
            examples[value] = min(example, examples.get(value, example))
        classes = [
            InputClass(value, counts[value], frozenset(example))
            for value, example in sorted(examples.items(), key=lambda pair: pair[1])
        ]
        return View(
            tuple(classes),
            1,
            output,
            kind=ViewKind.RELATIVE if self.relative else ViewKind.PROBABILITIES,
        )

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The view of one output."""
        if len(labels.meanings) > 1 or labels.meanings[0] != (None, (), None):
            return self._written.view_of(column, inputs, outputs, labels)
        output = outputs[column]
        outside = (item for item in range(self.items) if item not in output)
        return self._view(len(output), output, sorted(output), outside)

    def told_apart(self) -> tuple[Exact, Exact]:
        """How likely outputs hold x1 and lack x2, for x1 and for x2, where t is one item.

        They share one ratio of likelihoods; those that hold both or neither tell nothing.
        """
        raise TooLarge(f"pairs of inputs on {self.items} items are not added up")

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """Outputs by how many items they share with both, with each alone, and with neither."""
        one, other = self.inputs()[first], self.inputs()[second]
        both = len(one & other)
        alone = self.size - both
        neither = self.items - 2 * self.size + both
        if (both + 1) * (alone + 1) ** 2 * (neither + 1) > MAX_PAIR_TERMS:
            raise TooLarge(f"a pair of inputs on {self.items} items shows too much to write out")
        counts: dict[tuple[int, int, int], int] = {}
        for a in range(both + 1):
            for b, c in itertools.product(range(alone + 1), repeat=2):
                ways = math.comb(both, a) * math.comb(alone, b) * math.comb(alone, c)
                for rest in range(neither + 1):
                    shape = (a + b + c + rest, a + b, a + c)
                    counts[shape] = counts.get(shape, 0) + ways * math.comb(neither, rest)
        return pair_classes(
            (self.likelihood(width, with_one), self.likelihood(width, with_other), outputs)
            for (width, with_one, with_other), outputs in counts.items()
            if width in self.output_sizes
        )

    def unlike_pairs(self) -> Iterator[tuple[int, int]]:
        """One pair for each number of items that two transactions can share."""
        inputs = self.inputs()
        for apart in range(1, min(self.size, self.items - self.size) + 1):
            yield 0, inputs.index(frozenset(range(apart, self.size + apart)))

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """One for each number of items that two transactions can share, by counting outputs."""
        return None if any(map(is_symbolic, self.values())) else counted_pairs(self)

    def entry(self, row: int, column: int) -> Exact:
        """p[t -> t'] by positions."""
        if self.items > MAX_ENTRY_ITEMS:
            raise TooLarge(
                f"p[t -> t'] on {self.items} items has too many digits; views hold the ratios"
            )
        before = Subsets(self.items, self.size)[row]
        after = self.outputs()[column]
        return self.likelihood(len(after), len(before & after))

    def outputs(self) -> Subsets:
        """All randomized transactions."""
        sizes = self.output_sizes
        return Subsets(self.items, sizes.start if len(sizes) == 1 else None)

    def inputs(self) -> Subsets:
        """All transactions."""
        return Subsets(self.items, self.size)

    def matrix(self) -> CodedMatrix:
        """The matrix written out, for few items."""
        inputs, outputs = self.inputs(), self.outputs()
        check_cells(inputs.size, outputs.size)
        rows, columns = inputs.incidence(), outputs.incidence()
        palette = Palette()
        numbers = np.zeros((self.items + 1, self.size + 1), dtype=np.int64)
        for width in self.output_sizes:
            for overlap in self.overlaps(width):
                numbers[width, overlap] = palette.code(self.likelihood(width, overlap))
        return CodedMatrix(numbers[columns.sum(axis=1)[None, :], rows @ columns.T], palette.values)


def single_json(inputs: Domain, law: dict[str, Any]) -> dict[str, Any]:
    """A client's law on transactions of one item, as one on the values themselves."""
    return {"kind": "single", "inputs": values_json(inputs), "law": law}
