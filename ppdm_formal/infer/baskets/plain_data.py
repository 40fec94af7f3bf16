"""Plain data: transactions of a file or of Python, whose items are found there.

Found names: items that are not listed anywhere, numbered as they turn up in a file.

An item's code is its number where it spells one below 10^9 (7, 007 and 7.0 are one item), and
otherwise NAMED or below, by the order in which names turn up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.infer.baskets.fimi import CodedBlock, fimi_blocks
from ppdm_formal.infer.baskets.kernels import Numbers
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.run.basket_files import MAX_ITEMS, BasketFile, Items, open_baskets
from ppdm_formal.run.cells import EMPTY, Cells, Positions, plain_integer
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.streams import reading

NAMED = -100
"""The code of the first name; codes between it and 0 stand for no item (see cells.py)."""

_LARGEST = 10**9


class FoundNames(dict[str, int]):
    """The code of each cell met.

    >>> found = FoundNames()
    >>> found.codes(["milk", "007", " milk", "7.0", "-7", ""]).tolist()
    [-100, 7, -100, 7, -101, -2]
    >>> found.label(-100), found.label(7), found.label(-101)
    ('milk', '7', '-7')
    """

    def __init__(self) -> None:
        super().__init__()
        self._labels: list[str] = []
        self._places: dict[str, int] = {}

    def codes(self, cells: Iterable[str]) -> Numbers:
        """A code for each cell, EMPTY for one without text."""
        return np.fromiter(map(self.__getitem__, cells), dtype=np.int32)

    def __missing__(self, cell: str) -> int:
        label = plain_integer(cell.strip())
        if not label:
            code = EMPTY
        elif label.isdecimal() and label.isascii() and int(label) < _LARGEST:
            code = int(label)
        else:
            code = NAMED - self._place(label)
        if len(self) < MAX_ITEMS:
            self[cell] = code
        return code

    def _place(self, label: str) -> int:
        if label not in self._places:
            if len(self._labels) == MAX_ITEMS:
                raise DataError(f"more than {MAX_ITEMS:,} items")
            self._places[label] = len(self._labels)
            self._labels.append(label)
        return self._places[label]

    def label(self, code: int) -> str:
        """How an item is written."""
        return str(code) if code >= 0 else self._labels[NAMED - code]


class ItemsAsMet(Items):
    """In place of a list of items: whatever a cell names is an item; positions are codes."""

    def __init__(self, names: FoundNames) -> None:
        self.cells = _FoundCells(names)

    def check_for(self, file: BasketFile) -> None:
        """Nothing is known of the names beforehand."""


class _FoundCells(Cells):
    whole_numbers = False  # numbers are read as the text that they are written as

    def __init__(self, names: FoundNames) -> None:
        self.domain = Domain(["items"])
        self._names = names

    def positions(self, cells: Iterable[str]) -> Positions:
        return self._names.codes(cells).astype(np.int64)


def in_order(labels: Sequence[str]) -> list[int]:
    """The order in which items are listed: whole numbers by size, then names as text.

    >>> in_order(["b", "10", "9", "a", "-1"])
    [4, 2, 1, 3, 0]
    """

    def key(place: int) -> tuple[int, int, str]:
        label = labels[place]
        digits = label.removeprefix("-")
        whole = digits.isdecimal() and digits.isascii()
        return (0, int(label), "") if whole else (1, 0, label)

    return sorted(range(len(labels)), key=key)


MAX_TABLE = 1 << 24
"""Codes between the smallest and the largest up to which a table of all codes is used."""


@dataclass(frozen=True)
class PlainData:
    """Transactions, and how each item is written.

    >>> data = PlainData.of([["milk", "bread"], ["milk", 7]])
    >>> data.labels, data.rows.items.tolist()
    (('7', 'bread', 'milk'), [1, 2, 0, 2])
    """

    rows: Rows
    labels: tuple[str, ...]

    @classmethod
    def read(
        cls,
        paths: Path | Sequence[Path],
        column: str | None = None,
        share: Callable[[float], object] = float,
    ) -> PlainData:
        """A file, or several one after the other; `column` names the list column of Parquet.

        FIMI .dat, baskets in .csv, lists in .parquet. Repeated items of a transaction count once;
        empty cells are no items. share: is told which share of each file has been read.
        """
        names = FoundNames()
        files = [paths] if isinstance(paths, Path) else list(paths)
        return cls._gathered(_all_blocks(files, names, column, share), names)

    @classmethod
    def of(cls, transactions: Iterable[Iterable[str | int]]) -> PlainData:
        """From lists of names or numbers."""
        names = FoundNames()
        rows = [list(map(str, row)) for row in transactions]
        codes = names.codes(cell for row in rows for cell in row)
        sizes = np.array([len(row) for row in rows], dtype=np.int64)
        return cls._gathered(iter([CodedBlock(codes, sizes)]), names)

    @classmethod
    def _gathered(cls, blocks: Iterator[CodedBlock], names: FoundNames) -> PlainData:
        kept = [_items_alone(block) for block in blocks]
        codes = _distinct([block.codes for block in kept])
        if len(codes) > MAX_ITEMS:
            raise DataError(f"{len(codes):,} items; at most {MAX_ITEMS:,} are mined")
        labels = [names.label(code) for code in codes.tolist()]
        order = in_order(labels) if len(codes) and codes[0] < 0 else list(range(len(codes)))
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        items = np.empty(sum(len(block.codes) for block in kept), dtype=np.int32)
        sizes = np.concatenate([np.zeros(0, dtype=np.int64), *(block.sizes for block in kept)])
        at = 0
        for number, block in enumerate(kept):
            items[at : at + len(block.codes)] = _ranked(block.codes, codes, rank)
            at += len(block.codes)
            kept[number] = CodedBlock(block.codes[:0], block.sizes[:0])  # its memory is free
        return cls(Rows.joined(items, sizes, len(codes)), tuple(labels[place] for place in order))


def _all_blocks(
    paths: Sequence[Path],
    names: FoundNames,
    column: str | None,
    share: Callable[[float], object],
) -> Iterator[CodedBlock]:
    for path in paths:
        rows = 0
        for block in _blocks(path, names, column, share):
            rows += len(block.sizes)
            yield block
        if not rows:
            raise DataError(f"{path}: no transactions")


def _blocks(
    path: Path, names: FoundNames, column: str | None, share: Callable[[float], object]
) -> Iterator[CodedBlock]:
    file = BasketFile.named(path)
    if file.format == "fimi" and column is None:
        with reading(path, file.compression) as source:
            for coded in fimi_blocks(source, names):
                yield coded
                share(source.share())
        return
    with open_baskets(file, ItemsAsMet(names), column) as reader:
        for block in reader.blocks():
            yield CodedBlock(block.baskets.items.astype(np.int32), block.baskets.sizes)
            share(reader.share())


def _items_alone(block: CodedBlock) -> CodedBlock:
    """Without what is no item."""
    none = (block.codes < 0) & (block.codes > NAMED)
    if not none.any():
        return block
    owners = np.repeat(np.arange(len(block.sizes)), block.sizes)
    sizes = np.bincount(owners[~none], minlength=len(block.sizes))
    return CodedBlock(block.codes[~none], sizes.astype(np.int64))


def _distinct(blocks: list[Numbers]) -> Numbers:
    """All codes that occur, rising."""
    some = [block for block in blocks if len(block)]
    if not some:
        return np.zeros(0, dtype=np.int32)
    low, high = min(int(b.min()) for b in some), max(int(b.max()) for b in some)
    if high - low >= MAX_TABLE:
        return np.unique(np.concatenate([np.unique(block) for block in some]))
    seen = np.zeros(high - low + 1, dtype=bool)
    for block in some:
        seen[block - low] = True
    return (np.flatnonzero(seen) + low).astype(np.int32)


def _ranked(codes: Numbers, known: Numbers, rank: Numbers) -> npt.NDArray[np.int32]:
    """The item of each code."""
    if not len(codes):
        return codes
    low, high = int(known[0]), int(known[-1])
    if high - low >= MAX_TABLE:
        return rank[np.searchsorted(known, codes)]
    table = np.zeros(high - low + 1, dtype=np.int32)
    table[known - low] = rank
    return table[codes - low]
