"""Search: a code table under construction, and what one more or one less itemset makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.infer.baskets.kernels import Counts, Words
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.run.errors import DataError
from ppdm_formal.tables.generate import krimp_kernels as kernels
from ppdm_formal.tables.generate.bit_rows import BitRows, items_of_bits
from ppdm_formal.tables.generate.code_table import CodeTable, Element, code_lengths
from ppdm_formal.tables.generate.krimp_kernels import LEAST_GAIN, Floats, State

MAX_ITEMS = 1 << 12
"""Most items of a database that is compressed: every row is a set of that many bits."""

MAX_BITS = 1 << 32
"""Most bits of all transactions together: half a gigabyte, and the same again by columns."""

_FIRST = 16


class Search:
    """The standard code table of a database at first; elements are added and removed."""

    def __init__(self, data: PlainData) -> None:
        if not len(data.rows) or not len(data.rows.items):
            raise DataError("there are no items in these transactions: nothing to compress")
        if data.rows.count > MAX_ITEMS:
            raise DataError(
                f"{data.rows.count:,} items; at most {MAX_ITEMS:,} are compressed: leave out rare "
                "ones"
            )
        if data.rows.count * len(data.rows) > MAX_BITS:
            raise DataError(
                f"{len(data.rows):,} transactions of {data.rows.count:,} items are too many to "
                "compress at once: leave out rare items"
            )
        rows = BitRows.of(data.rows)
        counts, items = rows.item_counts(), rows.items
        words = rows.words.shape[1]
        room = items + _FIRST
        bits = np.zeros((room, words), dtype=np.uint64)
        for item in range(items):
            bits[item, item // 64] = np.uint64(1) << np.uint64(item % 64)
        self.labels = data.labels
        self.transactions = len(data.rows)
        self.items = items
        self.lengths = code_lengths(counts)
        self.total, self.used = int(counts.sum()), int(np.count_nonzero(counts))
        self.present: dict[tuple[int, ...], int] = {}
        """The elements of two or more items: the number of each, by its bits."""
        self._free = list(range(room - 1, items - 1, -1))
        self.state = State(
            rows=rows.words,
            weights=rows.weights,
            columns=rows.columns(),
            bits=bits,
            sizes=_grown(np.ones(items, dtype=np.int64), room),
            supports=_grown(counts, room),
            standard=_grown(np.where(counts > 0, self.lengths, 0.0), room),
            usage=_grown(counts, room),
            held=np.zeros((len(rows.words), _FIRST), dtype=np.int32),
            many=np.zeros(len(rows.words), dtype=np.int64),
            change=np.zeros(room, dtype=np.int64),
            marked=np.zeros(room, dtype=bool),
            touched=np.zeros(room, dtype=np.int32),
        )

    def spot(self) -> int:
        """A free number for an element."""
        if not self._free:
            state = self.state
            old = len(state.usage)
            room = 2 * old
            grown = {
                name: _grown(getattr(state, name), room)
                for name in ("bits", "sizes", "supports", "standard", "usage", "change", "marked")
            }
            self.state = state._replace(**grown, touched=np.zeros(room, dtype=np.int32))
            self._free = list(range(room - 1, old - 1, -1))
        return self._free[-1]

    def put(self, words: Words) -> int:
        """An itemset at the free spot, not yet part of the table; back comes its support."""
        spot, items = self.spot(), items_of_bits(words)
        state = self.state
        state.bits[spot] = words
        state.sizes[spot] = len(items)
        state.standard[spot] = self.lengths[items].sum()
        state.supports[spot] = run(kernels.support, state, spot)
        return int(state.supports[spot])

    def tries(self, element: int, *, adding: bool) -> tuple[int, float]:
        """How many usages an element changes, and by how many bits L grows; it stays noted."""
        touched, grown = run(kernels.tried, self.state, element, adding, self.total, self.used)
        return int(touched), float(grown)

    def next_gain(
        self, candidates: Words, sizes: Counts, supports: Counts, standard: Floats, start: int
    ) -> tuple[int, int]:
        """The first candidate from `start` on that makes L smaller, and how many usages change."""
        spot, state = self.spot(), self.state
        given = (candidates, sizes, supports, standard, start, spot, self.total, self.used)
        number, touched, _ = run(kernels.next_gain, state, *given)
        return int(number), int(touched)

    def accept(self, element: int, touched: int, *, adding: bool) -> list[int]:
        """Make the changes noted; back come the elements whose usage became less."""
        state = self.state
        some = state.touched[:touched]
        now = state.usage[some] + state.change[some]
        less = some[(state.change[some] < 0) & (some >= self.items)].tolist()
        self.total += int(state.change[some].sum())
        self.used += int(np.count_nonzero(now)) - int(np.count_nonzero(state.usage[some]))
        if adding and int(state.many.max()) == state.held.shape[1]:
            held = np.zeros((len(state.held), 2 * state.held.shape[1]), dtype=np.int32)
            held[:, : state.held.shape[1]] = state.held
            self.state = state = state._replace(held=held)
        run(kernels.settle, state, element, adding, touched)
        key = tuple(state.bits[element].tolist())
        if adding:
            assert self._free.pop() == element
            self.present[key] = element
        else:
            del self.present[key]
            self._free.append(element)
        return [one for one in less if one != element]

    def discard(self, touched: int) -> None:
        """Drop the changes noted."""
        run(kernels.discard, self.state, touched)

    def prune(self, suspects: list[int]) -> None:
        """Remove elements that were used less of late, where L becomes smaller without them.

        The least used first (of those the last in cover order); unused ones always go.
        """
        waiting = set(suspects)
        while waiting:
            usage = self.state.usage
            least = min(usage[one] for one in waiting)
            some = [one for one in waiting if usage[one] == least]
            one = max(some, key=self.cover_key)
            waiting.remove(one)
            touched, grown = self.tries(one, adding=False)
            if least == 0 or grown < -LEAST_GAIN:
                waiting.update(self.accept(one, touched, adding=False))
            else:
                self.discard(touched)

    def cover_key(self, element: int) -> tuple[int, int, list[int]]:
        """By which elements stand in cover order."""
        state = self.state
        items = items_of_bits(state.bits[element])
        return -int(state.sizes[element]), -int(state.supports[element]), items

    def table(self) -> CodeTable:
        """The code table as it is now."""
        state = self.state
        known = sorted([*self.present.values(), *range(self.items)], key=self.cover_key)
        elements = tuple(
            Element(
                tuple(items_of_bits(state.bits[one])),
                int(state.supports[one]),
                int(state.usage[one]),
            )
            for one in known
        )
        return CodeTable(self.labels, elements, self.transactions)


def _grown(some: Any, room: int) -> Any:
    found = np.zeros((room, *some.shape[1:]), dtype=some.dtype)
    found[: len(some)] = some
    return found


def run(function: Any, *given: Any) -> Any:
    """A kernel, compiled where numba is there."""
    with np.errstate(over="ignore"):
        return (compiled(function) or function)(*given)
