"""Found names: items that are not listed anywhere, numbered as they turn up in a file.

An item's code is its number where it spells one below 10^9 (7, 007 and 7.0 are one item), and
otherwise NAMED or below, by the order in which names turn up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ppdm_formal.operator.domain import Domain
from ppdm_formal.run.basket_files import MAX_ITEMS, BasketFile, Items
from ppdm_formal.run.cells import EMPTY, Cells, Positions, plain_integer
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.mine.kernels import Numbers

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
