"""Sets of d values as reports: rising numbers in JSON, {2, 10} in cells, packed in Parquet.

Packed, a set is its n bits or its d numbers in rising order, whichever takes fewer bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.report import (
    MAX_OUTPUTS,
    Batch,
    Integers,
    NotAReport,
    Report,
    Truths,
)
from ppdm_formal.declare.operators.report_bits import BitsReport

_SET = re.compile(r"\s*\{\s*(?:\d{1,9}\s*(?:,\s*\d{1,9}\s*)*)?\}\s*", re.ASCII)


@dataclass(frozen=True)
class SetReport(Report):
    """All sets of `chosen` of n values.

    >>> pairs = SetReport(1000, 2)
    >>> pairs.width, pairs.of_json([[2, 999]]).tolist(), pairs.texts(pairs.of_json([[2, 999]]))
    (4, [[2, 999]], ['{2, 999}'])
    >>> half = SetReport(1000, 500)
    >>> half.width
    125
    """

    items: int
    chosen: int
    kind: ClassVar[str] = "set"

    def to_json(self) -> dict[str, Any]:
        """How many of how many values."""
        return {"kind": self.kind, "items": self.items, "chosen": self.chosen}

    @property
    def number(self) -> np.dtype[Any]:
        """The type of a number of the list: 1, 2 or 4 bytes."""
        return np.min_scalar_type(max(0, self.items - 1))

    @property
    def as_bits(self) -> bool:
        """Whether bits are shorter than numbers."""
        return -(-self.items // 8) <= self.chosen * self.number.itemsize

    @cached_property
    def _bits(self) -> BitsReport:
        return BitsReport(self.items, self.chosen, self.chosen)

    @property
    def width(self) -> int:
        """Of the shorter form."""
        return self._bits.width if self.as_bits else self.chosen * self.number.itemsize

    @property
    def _says(self) -> str:
        return f"not {self.chosen:,} different whole numbers of 0 to {self.items - 1:,}"

    def encoded(self, value: Value) -> Any:
        """The members in rising order."""
        return self.members(self.of_values([value]))[0].tolist()

    def of_json(self, sent: Sequence[object]) -> Batch:
        """Lists of members in any order."""
        rows = np.empty((len(sent), self.chosen), dtype=np.int64)
        for place, one in enumerate(sent):
            if not isinstance(one, list) or len(one) != self.chosen:
                raise NotAReport(place, self._says)
            if not all(type(item) is int and 0 <= item < self.items for item in one):
                raise NotAReport(place, self._says)
            rows[place] = one
        return self.of_members(rows)

    def of_members(self, rows: Integers) -> Batch:
        """Tables with a set a row, members in any order."""
        rows = np.sort(rows, axis=1)
        wrong = (np.diff(rows, axis=1) == 0).any(axis=1)
        if self.chosen:
            wrong |= (rows[:, 0] < 0) | (rows[:, -1] >= self.items)
        if wrong.any():
            raise NotAReport(int(np.argmax(wrong)), self._says)
        if not self.as_bits:
            return rows.astype(self.number)
        found = np.zeros((len(rows), self._bits.width), dtype=np.uint8)
        places = np.arange(len(rows))[:, None]
        np.bitwise_or.at(found, (places, rows >> 3), (1 << (rows & 7)).astype(np.uint8))
        return found

    def of_bits(self, rows: Batch) -> Batch:
        """Rows of bits, so many of them set as there should be."""
        return rows if self.as_bits else self._members(rows).astype(self.number)

    def members(self, batch: Batch) -> Integers:
        """A row of rising members each."""
        return self._members(batch) if self.as_bits else batch.astype(np.int64)

    def _members(self, rows: Batch) -> Integers:
        _, found = np.nonzero(self._bits.unpacked(rows))
        return found.reshape(len(rows), self.chosen)

    def texts(self, batch: Batch) -> list[str]:
        """Members in the order of their texts, as sets are written everywhere."""
        rows = self.members(batch).tolist()
        return ["{" + ", ".join(sorted(map(str, row))) + "}" for row in rows]

    def of_texts(self, cells: Sequence[str]) -> Batch:
        """Members in any order."""
        sent: list[object] = []
        for place, cell in enumerate(cells):
            if not _SET.fullmatch(cell):
                raise NotAReport(place, self._says)
            inside = cell.strip()[1:-1].strip()
            sent.append([int(one) for one in inside.split(",")] if inside else [])
        return self.of_json(sent)

    def values(self, batch: Batch) -> list[Value]:
        """Frozensets."""
        return [frozenset(row) for row in self.members(batch).tolist()]

    def of_values(self, outputs: Sequence[Value]) -> Batch:
        """From frozensets."""
        return self.of_json([sorted(x) if isinstance(x, frozenset) else None for x in outputs])

    def check(self, batch: Batch) -> None:
        """Bits of the right number, or numbers that rise."""
        if self.as_bits:
            self._bits.check(batch)
            return
        if batch.shape[1:] != (self.chosen,) or batch.dtype != self.number:
            raise NotAReport(0, self._says)
        wrong = (batch[:, 1:] <= batch[:, :-1]).any(axis=1)
        if self.chosen:
            wrong |= batch[:, -1] >= self.items
        if wrong.any():
            raise NotAReport(int(np.argmax(wrong)), self._says)

    @cached_property
    def outputs(self) -> int:
        """C(n, d), or more than are ever numbered."""
        few = min(self.chosen, self.items - self.chosen)
        return math.comb(self.items, few) if few <= 64 else 1 << 64

    @property
    def by_output(self) -> bool:
        """Where they are few."""
        return self.outputs <= MAX_OUTPUTS

    def positions(self, batch: Batch) -> Integers:
        """In lexicographic order: C(n, d) - 1 less the number of the mirrored set."""
        mirrored = self.items - 1 - self.members(batch)
        found = np.full(len(batch), self.outputs - 1, dtype=np.int64)
        for place in range(self.chosen):
            count = self.chosen - place
            ways = np.array([math.comb(n, count) for n in range(self.items)], dtype=np.int64)
            found -= ways[mirrored[:, place]]
        return found

    @property
    def supported(self) -> int:
        """The values."""
        return self.items

    def supports(self, batch: Batch) -> Truths:
        """The members."""
        if self.as_bits:
            return self._bits.supports(batch)
        found = np.zeros((len(batch), self.items), dtype=np.bool_)
        np.put_along_axis(found, batch.astype(np.int64), True, axis=1)
        return found

    def add_supports(self, batch: Batch, counts: Integers) -> None:
        """How many sets hold each value."""
        if self.as_bits:
            self._bits.add_supports(batch, counts)
        else:
            counts += np.bincount(batch.ravel(), minlength=self.items)
