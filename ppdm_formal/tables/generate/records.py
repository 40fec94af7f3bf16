"""Records: a database of columns, each with its values; transactions are read as records, too.

A value stands for an item, or for none: that an item is missing from a basket, or that a record
has no value. So a database is a table for one purpose and a set of transactions for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.run.errors import DataError

Codes: TypeAlias = npt.NDArray[np.int32]
Kind: TypeAlias = Literal["table", "records", "baskets"]
"""A CSV table; transactions with at most one item of each column; any other transactions."""

MAX_CELLS = 1 << 28
"""Most cells of a database, items being cells where nothing else is known."""

MISSING = ""
"""How a value is written that is none."""


@dataclass(frozen=True)
class RecordColumn:
    """A column: its name, and how each value is written; MISSING is no item."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Records:
    """Record r has value codes[r, c] of column c.

    >>> some = Records.of_transactions(PlainData.of([[1, 3], [2, 4], [1, 4], [2, 3]]))
    >>> [(column.name, column.values) for column in some.columns], some.codes.tolist()
    ([('1-2', ('1', '2')), ('3-4', ('3', '4'))], [[0, 0], [1, 1], [0, 1], [1, 0]])
    """

    columns: tuple[RecordColumn, ...]
    codes: Codes
    kind: Kind
    declared: bool = False
    """Whether columns and values were declared beforehand; else the data themselves show them."""

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of_transactions(
        cls, data: PlainData, declared: Sequence[RecordColumn] | None = None
    ) -> Records:
        """Transactions; without declared columns, those that their items fall into by themselves.

        Declared columns of two values, one of them MISSING, are items of baskets.
        """
        if len(data.rows) * data.rows.count > MAX_CELLS:
            raise DataError(
                f"{len(data.rows):,} transactions of {data.rows.count:,} items are more than "
                f"{MAX_CELLS:,} cells: leave out rare items"
            )
        columns = tuple(found_columns(data) if declared is None else declared)
        return cls(columns, _codes(data, columns), _kind(columns), declared is not None)

    def labels(self) -> tuple[str, ...]:
        """The items of all columns, as they are written."""
        mark = self.kind == "table"
        return tuple(
            f"{column.name}={value}" if mark else value
            for column in self.columns
            for value in column.values
            if value != MISSING
        )

    def items(self, without: int | None = None) -> PlainData:
        """As transactions of the same items in all databases of these columns.

        without: a column whose items are left out.
        """
        parts = []
        first = 0
        for number, column in enumerate(self.columns):
            places = np.full(len(column.values), -1, dtype=np.int64)
            real = [k for k, value in enumerate(column.values) if value != MISSING]
            places[real] = first + np.arange(len(real))
            first += len(real)
            if number != without:
                parts.append(places[self.codes[:, number]])
        table = np.stack(parts, axis=1) if parts else np.zeros((len(self), 0), dtype=np.int64)
        held = table >= 0
        rows = Rows.joined(table[held].astype(np.int32), held.sum(axis=1), first)
        return PlainData(rows, self.labels())

    def take(self, chosen: npt.NDArray[np.integer] | npt.NDArray[np.bool_]) -> Records:
        """Some of the records."""
        return replace(self, codes=self.codes[chosen])

    def column_number(self, name: str) -> int:
        """Which column a name means; `last` is the last one."""
        names = [column.name for column in self.columns]
        if name in names:
            return names.index(name)
        if name == "last":
            return len(names) - 1
        known = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        raise DataError(f"there is no column {name}; there are: {known} (or `last`)")


def _kind(columns: Sequence[RecordColumn]) -> Kind:
    """Baskets where each column is an item that is there or not."""
    alone = all(len(column.values) == 2 and MISSING in column.values for column in columns)
    return "baskets" if alone else "records"


def found_columns(data: PlainData) -> list[RecordColumn]:
    """Neighbouring items that no transaction holds together are values of one column.

    A column ends where every transaction has a value. Where that leaves transactions without
    half of the columns, or most columns with one item, each item is a column of its own.
    """
    rows = data.rows
    held = np.zeros((len(rows), rows.count), dtype=bool)
    owners = np.repeat(np.arange(len(rows)), np.diff(rows.offsets))
    held[owners, rows.items] = True
    blocks: list[list[int]] = []
    taken = np.ones(len(rows), dtype=bool)
    for item in range(rows.count):
        if taken.all() or (taken & held[:, item]).any():
            blocks.append([])
            taken = np.zeros(len(rows), dtype=bool)
        blocks[-1].append(item)
        taken |= held[:, item]
    least = int(np.diff(rows.offsets).min()) if len(rows) else 0
    if 2 * len(blocks) > rows.count or 2 * least < len(blocks):
        return [RecordColumn(label, (MISSING, label)) for label in data.labels]
    found = []
    for block in blocks:
        labels = [data.labels[item] for item in block]
        name = labels[0] if len(labels) == 1 else f"{labels[0]}-{labels[-1]}"
        missing = not held[:, block].any(axis=1).all()
        found.append(RecordColumn(name, (*labels, *([MISSING] if missing else []))))
    return found


def _codes(data: PlainData, columns: Sequence[RecordColumn]) -> Codes:
    where = {
        value: (number, code)
        for number, column in enumerate(columns)
        for code, value in enumerate(column.values)
        if value != MISSING
    }
    codes = np.full((len(data.rows), len(columns)), -1, dtype=np.int32)
    owners = np.repeat(np.arange(len(data.rows)), np.diff(data.rows.offsets))
    unknown = np.array([label not in where for label in data.labels], dtype=bool)
    if unknown.any():
        first = int(owners[np.argmax(unknown[data.rows.items])]) + 1
        raise DataError(
            f"items that are not among the declared ones: {int(unknown.sum()):,}, the first in "
            f"transaction {first}"
        )
    place = np.array([where[label] for label in data.labels], dtype=np.int64).reshape(-1, 2)
    column, code = place[data.rows.items].T
    codes[owners, column] = code
    if np.count_nonzero(codes >= 0) < len(owners):
        raise DataError("a transaction holds two items of one column")
    for number, one in enumerate(columns):
        none = codes[:, number] < 0
        if none.any():
            if MISSING not in one.values:
                row = int(np.argmax(none)) + 1
                raise DataError(
                    f"transaction {row} has no item of column {one.name}; declare an empty value "
                    "there if that may be"
                )
            codes[none, number] = one.values.index(MISSING)
    return codes
