"""Growth: all frequent itemsets depth first, by compiled kernels, in a thread a processor.

Memory, past the transactions themselves: 12 bytes an occurrence of a frequent item; 18 bytes a set
found, and 28 in the trie; a thread 36 bytes an item; matrices of bits of at most the memory given,
by all threads; and shortened transactions, of a thread up to 12 bytes an occurrence for each size
of the set it is at, at most 22 (each is shorter than the one before, and mostly by far).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from threading import Event

import numpy as np

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.declare.machine.threads import in_threads, processors
from ppdm_formal.infer.baskets import growth_kernels, kernels
from ppdm_formal.infer.baskets.growth_kernels import (
    DEEP,
    DONE,
    FIELDS,
    FULL,
    LARGEST,
    NARROW,
    NEED_COLUMNS,
    NEED_IDS,
    NEED_PLACES,
    NEED_TEXT,
    STATES,
    Data,
    Out,
    Room,
    Whole,
)  # fmt: skip
from ppdm_formal.infer.baskets.kernels import Counts, Numbers
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.infer.baskets.trie import Counted, Trie

MATRIX = 1 << 19
"""Words of the largest matrix of bits: it stays in a processor's own cache, or nearly so."""

STEPS = 1 << 24
"""Steps of one call of the kernel: some tens of milliseconds, so that Ctrl-C is heard."""

ROOM = 1 << 16
"""Entries that each array of a thread has at first; twice as many whenever they are too few."""

PARTS = 16
"""Runs of first items for each processor, of which a thread takes the next when it has done one."""


class TooManyError(Exception):
    """There are more sets than may be kept."""


def grown(
    rows: Rows,
    least: int,
    largest: int | None,
    most: int,
    memory: int,
    share: Callable[[float], object] = float,
) -> Counted:
    """All sets of at most `largest` items in at least `least` >= 1 of the rows, items included.

    Every item is held so often. TooManyError where the sets are more than `most`, at most 2^22.
    """
    growth = _Growth(rows, least, largest, most, memory, share)
    threads = processors()
    in_threads(lambda _: growth.work(), range(threads), growth.ended.set)
    return growth.counted()


class _Growth:
    """The sets that start with each item, by threads that take run after run of items."""

    def __init__(
        self,
        rows: Rows,
        least: int,
        largest: int | None,
        most: int,
        memory: int,
        share: Callable[[float], object],
    ) -> None:
        self.ended = Event()
        self._rows = rows
        self._most = most
        self._share = share
        self._number = np.int32 if len(rows) < 1 << 31 else np.int64
        self._counts = rows.item_counts()
        self._firsts = np.concatenate([[0], np.cumsum(self._counts)]).astype(np.int64)
        written = len(rows.items) + len(rows)
        ended = np.empty(written, dtype=np.int32)
        places: Whole = np.empty(len(rows.items), dtype=np.int32 if written < 1 << 31 else np.int64)
        lay_out = _machine(kernels.lay_out)
        lay_out(rows.items, rows.offsets, self._firsts[:-1].copy(), ended, places)
        places += 1
        words = min(MATRIX, memory // (8 * LARGEST * processors()))
        size = rows.count + 1 if largest is None else largest
        self._data = Data(ended, places, least, size, words)
        runs = min(rows.count, 1 if processors() == 1 else PARTS * processors())
        self._cuts = np.linspace(0, rows.count, runs + 1).astype(int).tolist()
        self._waiting = iter(range(runs))
        self._found: list[list[Out]] = [[] for _ in range(runs)]
        self._written = 0

    def work(self) -> None:
        """Take the next run of items, as long as there is one."""
        room = self._room()
        try:
            for run in self._waiting:
                room = self._follow(run, room)
                self._share(self._cuts[run + 1] / self._rows.count)
        except BaseException:
            self.ended.set()
            raise

    def _room(self) -> Room:
        items = self._rows.count
        ids = np.empty(items + ROOM, dtype=np.int32)
        counts = np.empty(len(ids), dtype=self._number)
        begins, ends = (np.empty(len(ids), dtype=np.int64) for _ in range(2))
        ids[:items] = np.arange(items)
        counts[:items] = self._counts
        begins[:items], ends[:items] = self._firsts[:-1], self._firsts[1:]
        return Room(
            np.zeros(STATES, dtype=np.int64),
            np.zeros((LARGEST + 1, FIELDS), dtype=np.int64),
            ids,
            counts,
            begins,
            ends,
            np.empty(ROOM, dtype=self._data.places.dtype),
            np.empty(ROOM, dtype=np.int32),
            np.empty(ROOM, dtype=np.uint64),
            np.zeros(items, dtype=self._number),
            np.full(items, -1, dtype=np.int32),
            np.empty(items + 1, dtype=np.int32),
        )

    def _follow(self, run: int, room: Room) -> Room:
        """All sets whose first item is of the run; back comes the room, which may be larger."""
        grow = _machine(growth_kernels.grow)
        room.state[:] = 0
        first, end = self._cuts[run], self._cuts[run + 1]
        room.frames[0] = [first, end - first, 0, 0, 0, self._rows.count, 0, 0, 0]
        out, filled, reason = self._out(), 0, FULL
        while reason != DONE and not self.ended.is_set():
            rest = Out._make(part[filled:] for part in out)
            reason, written = grow(self._data, room, rest, STEPS)
            filled += written
            self._written += written  # about right: threads may count over each other
            if reason == DEEP or self._written > self._most + PARTS * ROOM:
                raise TooManyError
            if reason == NARROW:
                room = _larger(room)
            if reason in (FULL, DONE):
                self._found[run].append(Out._make(part[:filled].copy() for part in out))
                filled = 0
        return room

    def _out(self) -> Out:
        return Out(
            np.empty(ROOM, dtype=np.int32),
            np.empty(ROOM, dtype=self._number),
            np.empty(ROOM, dtype=np.int8),
        )

    def counted(self) -> Counted:
        """What was found, size by size."""
        empty = Out._make(part[:0] for part in self._out())
        parts = zip(empty, *chain.from_iterable(self._found), strict=True)
        found = Out._make(np.concatenate(part) for part in parts)
        number = len(found.items)
        if number > self._most:
            raise TooManyError
        starts = np.concatenate([[0, 1], np.bincount(found.sizes)[1:]]).cumsum()
        parents = np.empty(number + 1, dtype=np.int64)
        last: Numbers = np.zeros(number + 1, dtype=np.int32)
        counts: Counts = np.empty(number + 1, dtype=np.int64)
        parents[0], counts[0] = -1, len(self._rows)
        free = np.append(1, starts[1:])  # the root is written
        _machine(growth_kernels.by_size)(found, free, parents, last, counts)
        return Counted(Trie.of(self._rows.count, parents, last, starts.tolist()), counts)


def _larger(room: Room) -> Room:
    """The same with twice the room where more is needed."""

    def wide(part: Whole, need: int) -> Whole:
        if len(part) >= need:
            return part
        wider = np.empty(max(int(need), 2 * len(part)), dtype=part.dtype)
        wider[: len(part)] = part
        return wider

    need = room.state
    beside: dict[str, Whole] = {
        name: wide(getattr(room, name), need[NEED_IDS])
        for name in ("ids", "counts", "begins", "ends")
    }
    return room._replace(
        **beside,
        places=wide(room.places, need[NEED_PLACES]),
        text=wide(room.text, need[NEED_TEXT]),
        columns=wide(room.columns, need[NEED_COLUMNS]),
    )


def _machine(function: Callable[..., object]) -> Callable[..., tuple[int, int]]:
    kernel = compiled(function)
    if kernel is None:
        raise RuntimeError("sets are grown where numba is installed alone")
    return kernel
