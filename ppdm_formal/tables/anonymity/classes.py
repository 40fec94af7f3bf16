"""Classes: rows of a table that agree on its quasi-identifiers, and the sensitive values there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ppdm_formal.run.csv_table import as_texts
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.tables import TableFile, open_table

Integers = npt.NDArray[np.int64]

MAX_ROWS = 1 << 30
"""Products of two counts must fit 63 bits."""


@dataclass(frozen=True)
class CodedColumn:
    """A column as codes of its distinct texts."""

    codes: Integers
    texts: tuple[str, ...]


@dataclass(frozen=True)
class CodedTable:
    """The columns that are asked about, and the line or row of the file that each row stands in."""

    columns: dict[str, CodedColumn]
    places: Integers
    place: str

    @classmethod
    def read(cls, path: Path, names: Sequence[str], delimiter: str = ",") -> CodedTable:
        """From CSV or Parquet; blanks around a cell do not count, and an empty cell is a value."""
        seen: dict[str, dict[str, int]] = {name: {} for name in names}
        codes: dict[str, list[Integers]] = {name: [] for name in names}
        places: list[Integers] = []
        with open_table(TableFile.named(path, delimiter), {}, names) as reader:
            for block in reader.blocks():
                places.append(np.array(block.places, dtype=np.int64))
                for name in names:
                    known = seen[name]
                    found = [
                        known.setdefault(cell.strip(), len(known))
                        for cell in as_texts(block.kept[name])
                    ]
                    codes[name].append(np.array(found, dtype=np.int64))
            place = reader.place
        if not places or not sum(map(len, places)):
            raise DataError(f"{path}: the table has no rows")
        if sum(map(len, places)) > MAX_ROWS:
            raise DataError(f"{path}: more than {MAX_ROWS:,} rows")
        columns = {
            name: CodedColumn(np.concatenate(codes[name]), tuple(seen[name])) for name in names
        }
        return cls(columns, np.concatenate(places), place)

    def classes(self, quasi: Sequence[str]) -> Classes:
        """Rows grouped by their values in these columns; one class where there is none."""
        groups = np.zeros(len(self.places), dtype=np.int64)
        for name in quasi:
            column = self.columns[name]
            mixed = groups * len(column.texts) + column.codes
            _, groups = np.unique(mixed, return_inverse=True)
        _, first = np.unique(groups, return_index=True)
        return Classes(groups, np.bincount(groups), self.places[first])


@dataclass(frozen=True)
class Classes:
    """For each row its class; for each class its size, and where its first row stands."""

    groups: Integers
    sizes: Integers
    places: Integers

    @cached_property
    def smallest(self) -> int:
        """The number of a smallest class."""
        return int(np.argmin(self.sizes))

    def sensitive(self, column: CodedColumn) -> ValueCounts:
        """How often each sensitive value occurs in each class."""
        width = len(column.texts)
        pairs, counts = np.unique(self.groups * width + column.codes, return_counts=True)
        totals = np.bincount(column.codes, minlength=width)
        return ValueCounts(pairs // width, pairs % width, counts, self.sizes, totals)


@dataclass(frozen=True)
class ValueCounts:
    """Value values[i] occurs counts[i] > 0 times in class classes[i], rising in both."""

    classes: Integers
    values: Integers
    counts: Integers
    sizes: Integers
    totals: Integers

    @property
    def rows(self) -> int:
        """All rows of the table."""
        return int(self.sizes.sum())

    @cached_property
    def distinct(self) -> Integers:
        """How many different values each class holds."""
        return np.bincount(self.classes, minlength=len(self.sizes))

    def patterns(self) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
        """Each different list of (value, count) once, with the first class that has it."""
        starts = np.concatenate([[0], np.cumsum(self.distinct)])
        values, counts = self.values.tolist(), self.counts.tolist()
        seen = set()
        for number in range(len(self.sizes)):
            here = slice(int(starts[number]), int(starts[number + 1]))
            pattern = tuple(zip(values[here], counts[here], strict=True))
            if pattern not in seen:
                seen.add(pattern)
                yield number, pattern
