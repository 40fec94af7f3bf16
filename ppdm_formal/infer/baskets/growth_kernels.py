"""Kernels of growth: frequent itemsets depth first, each from the transactions that hold it.

A set grows by items larger than its last. What it may grow by is kept in one of two ways, and the
cheaper one is taken:

- shortened transactions, and where each item stands in them: each occurrence of an item delivers
  to what comes after it (as LCM does), sum over transactions of C(|t|, 2) steps for the next size;
- columns of bits, one an item: C(F, 2) W / 8 steps for F items and W words, and the same matrix
  serves all larger sets.

Sets are written as they are met, so in lexicographic order: those of one size need no sorting.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.compiled import part_of_kernels
from ppdm_formal.infer.baskets.kernels import Counts, Numbers, Words

DONE, WORKED, FULL, NARROW, DEEP = range(5)
"""Why `grow` returns: all is done; to be called again, so that Ctrl-C is heard, because `Out` is
full, or because `Room` is too small; a set is so large that its subsets are too many."""

FIRST, NUMBER, NEXT, WIDTH, BASE, TOP, PLACES, TEXT, COLUMNS, FIELDS = range(10)
"""Of a frame, the sets that extend one set by an item each: where they begin in `ids`, how many
they are, which comes next; words of a column (0: transactions), where the columns begin; and from
where on `ids`, `places`, `text` and `columns` are free."""

DEPTH, NEED_IDS, NEED_PLACES, NEED_TEXT, NEED_COLUMNS, STATES = range(6)

LARGEST = 22
"""Items of the largest set that is followed: it has 2^22 subsets."""

_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_ONES = np.uint64(0x0101010101010101)
_0, _1, _2, _4, _56 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


Whole: TypeAlias = npt.NDArray[Any]
"""Whole numbers of 32 bits, or of 64 where there are 2^31 of what they count."""


class Data(NamedTuple):
    """Transactions as rising items, -1 after each; places[firsts[i] : firsts[i + 1]]: after item i.

    least: the least count; largest: items of the largest sets; most_words: of a matrix of bits.
    """

    rows: Numbers
    places: Whole
    least: int
    largest: int
    most_words: int


class Room(NamedTuple):
    """Where `grow` keeps the sets it is at; what it left there is found at the next call."""

    state: Counts
    frames: Counts
    ids: Numbers
    """Items by which sets grow; beside it the count of each grown set, and its places."""
    counts: Whole
    begins: Counts
    ends: Counts
    places: Whole
    text: Numbers
    columns: Words
    seen: Whole
    """For each item 0, between deliveries."""
    slots: Numbers
    """For each item -1, likewise."""
    touched: Numbers


class Out(NamedTuple):
    """The sets found, each by its last item, its count and its size, after what it grew from."""

    items: Numbers
    counts: Whole
    sizes: npt.NDArray[np.int8]


@part_of_kernels
def _delivered(
    rows: Numbers, places: Whole, begin: int, end: int, seen: Whole, touched: Numbers
) -> tuple[int, int]:
    """Count in `seen` what follows each place; how many items are `touched`, and of all steps."""
    found = steps = 0
    for place in range(begin, end):
        at = places[place]
        item = rows[at]
        while item >= 0:
            before = seen[item]
            touched[found] = item
            found += int(before == 0)
            seen[item] = before + 1
            steps += 1
            at += 1
            item = rows[at]
    return found, steps


@part_of_kernels
def _listed(room: Room, least: int, touched: int, top: int) -> None:
    """The touched items that are seen often enough, rising, from `top` on; their slots 0, 1, ..."""
    at = top
    if touched * 8 > room.seen.shape[0]:
        for item in range(room.seen.shape[0]):
            if room.seen[item] >= least:
                room.ids[at] = item
                at += 1
    else:
        for some in range(touched):
            item = room.touched[some]
            if room.seen[item] >= least:
                room.ids[at] = item
                at += 1
        room.ids[top:at].sort()
    for slot in range(at - top):
        item = room.ids[top + slot]
        room.counts[top + slot] = room.seen[item]
        room.begins[top + slot] = 0
        room.ends[top + slot] = 0
        room.slots[item] = slot


@part_of_kernels
def _shortened(
    rows: Numbers, places: Whole, begin: int, end: int, room: Room, start: int
) -> tuple[int, int, int]:
    """Write the rests of transactions to `text`, as slots, where two or more items are left.

    Back come the end of the text, how many transactions, and how many pairs they hold.
    """
    to, count, pairs = start, 0, 0
    for place in range(begin, end):
        own = to
        at = places[place]
        item = rows[at]
        while item >= 0:
            slot = room.slots[item]
            room.text[to] = slot
            to += int(slot >= 0)
            at += 1
            item = rows[at]
        size = to - own
        if size > 1:
            room.text[to] = -1
            to += 1
            count += 1
            pairs += size * (size - 1) // 2
        else:
            to = own
    return to, count, pairs


@part_of_kernels
def _packed(text: Numbers, begin: int, end: int, columns: Words, base: int, width: int) -> None:
    """Set the bits of transactions in columns, by slot."""
    row = 0
    for at in range(begin, end):
        slot = text[at]
        if slot < 0:
            row += 1
        else:
            columns[base + slot * width + (row >> 6)] |= _1 << np.uint64(row & 63)


@part_of_kernels
def _placed(room: Room, begin: int, end: int, top: int, items: int, free: int) -> None:
    """Slots of the text become items again; list after which places each has some to grow by."""
    for slot in range(items):
        room.begins[top + slot] = free
        room.ends[top + slot] = free
        free += room.counts[top + slot]
    for at in range(begin, end):
        slot = room.text[at]
        if slot >= 0:
            room.text[at] = room.ids[top + slot]
            if room.text[at + 1] >= 0:
                room.places[room.ends[top + slot]] = at + 1
                room.ends[top + slot] += 1


@part_of_kernels
def _crossed(
    columns: Words,
    ids: Numbers,
    counts: Whole,
    least: int,
    first: int,
    slot: int,
    number: int,
    width: int,
    base: int,
    free: int,
    top: int,
) -> int:
    """The columns after one of them, within it, that still have `least` bits; how many they are."""
    found = 0
    if width == 1:
        own = columns[base + slot]
        for other in range(slot + 1, number):
            x = columns[base + other] & own
            columns[free + found] = x
            ids[top + found] = ids[first + other]
            x = x - ((x >> _1) & _PAIRS)
            x = (x & _FOURS) + ((x >> _2) & _FOURS)
            x = (x + (x >> _4)) & _BYTES
            held = np.int64((x * _ONES) >> _56)
            counts[top + found] = held
            found += int(held >= least)
        return found
    mine = columns[base + slot * width : base + (slot + 1) * width]
    for other in range(slot + 1, number):
        column = columns[base + other * width : base + (other + 1) * width]
        both = columns[free + found * width : free + (found + 1) * width]
        total = _0
        for word in range(width):  # LLVM makes vector code of this count of bits
            x = column[word] & mine[word]
            both[word] = x
            x = x - ((x >> _1) & _PAIRS)
            x = (x & _FOURS) + ((x >> _2) & _FOURS)
            x = (x + (x >> _4)) & _BYTES
            total += (x * _ONES) >> _56
        held = np.int64(total)
        ids[top + found] = ids[first + other]
        counts[top + found] = held
        found += int(held >= least)
    return found


DELIVERY = 8
"""Words of columns that cost as much as one delivery: measured, and 4 or 16 do about as well.
Eight more words stand for what a column costs by itself."""


@part_of_kernels
def _by_transactions(
    data: Data, room: Room, top_level: bool, frame: Counts, deeper: Counts
) -> tuple[int, int]:
    """The same from transactions; which of the two ways is taken from here on is chosen."""
    state, top = room.state, frame[TOP]
    own = frame[FIRST] + frame[NEXT]
    begin, end = room.begins[own], room.ends[own]
    if end - begin < data.least:
        return 0, 1
    rows = data.rows if top_level else room.text
    places = data.places if top_level else room.places
    touched, steps = _delivered(rows, places, begin, end, room.seen, room.touched)
    found = held = 0
    for some in range(touched):
        count = room.seen[room.touched[some]]
        if count >= data.least:
            found += 1
            held += count
    state[NEED_IDS] = top + found
    state[NEED_PLACES] = frame[PLACES] + held
    state[NEED_TEXT] = frame[TEXT] + held + end - begin + 1
    enough = (
        state[NEED_IDS] <= room.ids.shape[0]
        and state[NEED_PLACES] <= room.places.shape[0]
        and state[NEED_TEXT] <= room.text.shape[0]
    )
    if enough:
        _listed(room, data.least, touched, top)
    for some in range(touched):
        room.seen[room.touched[some]] = 0
    if not enough:
        return -1, steps
    deeper[WIDTH], deeper[BASE] = 0, 0
    deeper[PLACES], deeper[TEXT], deeper[COLUMNS] = frame[PLACES], frame[TEXT], frame[COLUMNS]
    if found > 1:
        start, base = frame[TEXT], frame[COLUMNS]
        stop, count, pairs = _shortened(rows, places, begin, end, room, start)
        width = (count + 63) // 64
        words = found * width
        steps += steps + stop - start
        cheaper = found * (found - 1) // 2 * (width + 8) < DELIVERY * pairs
        if count < data.least:
            pass  # none of them grows any further
        elif not cheaper or words > data.most_words:
            _placed(room, start, stop, top, found, frame[PLACES])
            deeper[PLACES], deeper[TEXT] = frame[PLACES] + held, stop
        elif base + words > room.columns.shape[0]:
            state[NEED_COLUMNS] = base + words
            enough = False
        else:
            room.columns[base : base + words] = _0
            _packed(room.text, start, stop, room.columns, base, width)
            deeper[WIDTH], deeper[BASE], deeper[COLUMNS] = width, base, base + words
            steps += words
    for some in range(found):
        room.slots[room.ids[top + some]] = -1
    return (found if enough else -1), steps


def grow(data: Data, room: Room, out: Out, steps: int) -> tuple[int, int]:
    """Go on with the frames until one of the reasons above; how many sets were written to `out`."""
    state = room.state
    depth = state[DEPTH]
    written = worked = 0
    while depth >= 0:
        frame, deeper = room.frames[depth], room.frames[depth + 1]
        if frame[NEXT] == frame[NUMBER]:
            depth -= 1
            continue
        state[DEPTH] = depth
        if worked > steps:
            return WORKED, written
        if written == out.items.shape[0]:
            return FULL, written
        if depth + 1 == data.largest:
            found, some = 0, 1
        elif frame[WIDTH] > 0:
            top, free, width = frame[TOP], frame[COLUMNS], frame[WIDTH]
            more = frame[NUMBER] - frame[NEXT] - 1
            if top + more > room.ids.shape[0] or free + more * width > room.columns.shape[0]:
                state[NEED_IDS], state[NEED_COLUMNS] = top + more, free + more * width
                return NARROW, written
            found = _crossed(
                room.columns, room.ids, room.counts, data.least, frame[FIRST], frame[NEXT],
                frame[NUMBER], width, frame[BASE], free, top,
            )  # fmt: skip
            deeper[WIDTH], deeper[BASE], deeper[COLUMNS] = width, free, free + found * width
            some = 2 + more * (width // 8 + 1)
        else:
            found, some = _by_transactions(data, room, depth == 0, frame, deeper)
        worked += some
        if found < 0:
            return NARROW, written
        own = frame[FIRST] + frame[NEXT]
        out.items[written] = room.ids[own]
        out.counts[written] = room.counts[own]
        out.sizes[written] = depth + 1
        written += 1
        frame[NEXT] += 1
        if found > 0:
            if depth + 1 == LARGEST:
                return DEEP, written
            depth += 1
            deeper[FIRST], deeper[NUMBER], deeper[NEXT] = frame[TOP], found, 0
            deeper[TOP] = frame[TOP] + found
    state[DEPTH] = depth
    return DONE, written


def by_size(found: Out, free: Counts, parents: Counts, last: Numbers, counts: Counts) -> None:
    """Put sets where those of their size go on (`free`), in their order, with their parents."""
    for number in range(found.items.shape[0]):
        size = found.sizes[number]
        to = free[size]
        free[size] = to + 1
        parents[to] = free[size - 1] - 1
        last[to] = found.items[number]
        counts[to] = found.counts[number]
