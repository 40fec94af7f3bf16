"""Baskets at hand from a file: what a plan is designed for, and predictions are made with.

Errors name lines and quote nothing: the baskets are somebody's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.run.basket_files import MAX_ITEMS, BasketFile, Items, TextReader, open_baskets
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.streams import reading


def read_at_hand(
    path: Path,
    items: Items | None = None,
    column: str | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[AtHand, Items]:
    """The baskets of a file as sets, and all items there are.

    Without a list of items, numbers from 0 to the largest are the items, or else all names that
    occur, in alphabetical order.
    """
    file = BasketFile.named(path)
    known = occurring(file) if items is None else items
    members, sizes = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    done = 0
    with open_baskets(file, known, column) as reader:
        for block in reader.blocks():
            sets = block.baskets.distinct()
            _check(block.baskets, block.places, f"{path}, {reader.place}")
            members.append(sets.items)
            sizes.append(sets.sizes)
            done += len(sets)
            say(f"reading {path.name}: {done:,} baskets")
    if not done:
        raise DataError(f"{path}: there are no baskets")
    every = Baskets.joined(np.concatenate(members), np.concatenate(sizes))
    return AtHand(known.count, every.items, every.offsets), known


def occurring(file: BasketFile) -> Items:
    """The items that a text file names: numbers from 0 to the largest, or names."""
    if file.format == "parquet":
        raise DataError(f"{file.path}: say which items there are with --items")
    names: set[str] = set()
    with reading(file.path, file.compression) as source:
        for _, row in TextReader(source, file.format, Items(1)).rows():
            names.update(cell.strip() for cell in row)
            if len(names) > MAX_ITEMS:
                raise DataError(f"{file.path}: more than {MAX_ITEMS:,} items")
    names.discard("")
    if not names:
        raise DataError(f"{file.path}: there are no items")
    if all(name.isascii() and name.isdigit() and len(name) <= 9 for name in names):
        return Items(max(map(int, names)) + 1)
    return Items(len(names), sorted(names))


def _check(baskets: Baskets, places: Sequence[int], where: str) -> None:
    wrong = np.flatnonzero(baskets.items < 0)
    if wrong.size:
        owner = int(baskets.owners()[wrong[0]])
        raise DataError(f"{where} {places[owner]}: an item that is not among the items")
