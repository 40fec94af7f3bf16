"""Sanitized: records whose parts were randomized one by one, and supports corrected for that.

Each part goes through exact randomized response: an item flips with probability 1/(1 + e^eps), or
the value of a column of k values stays with probability e^eps/(e^eps + k - 1). With p and q the
probabilities that an item is reported where it is and where it is not, (y - q)/(p - q) has the
mean 1 or 0 as the item is there or not; products over items of different columns, whose coins are
independent, have the mean 1 where all are there. Written out, such a product is a sum over all
subsets of the items (Dor18 section 3.3, for one).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.tables.generate.budget import Budget, items_of
from ppdm_formal.tables.generate.krimp_kernels import Floats
from ppdm_formal.tables.generate.records import RecordColumn, Records

Item = tuple[int, int]
"""A column and one of its values."""


@dataclass(frozen=True)
class ShareEstimate:
    """A share of records, with its standard error."""

    share: float
    error: float

    def clear(self, least: float) -> bool:
        """Whether it is at least so large, and two standard errors above nothing."""
        return self.share >= least and self.share > 2 * self.error


@dataclass(frozen=True)
class Sanitized:
    """held[c][r, i]: whether item i of column c is reported of record r.

    Items only: that a record has none of them is what they leave, and no report of its own.
    rates[c]: the probabilities p and q, for estimates; (1, 0) where nothing was randomized.
    """

    columns: tuple[RecordColumn, ...]
    held: tuple[npt.NDArray[np.bool_], ...]
    rates: tuple[tuple[float, float], ...]

    def __len__(self) -> int:
        return len(self.held[0])

    @cached_property
    def features(self) -> tuple[Floats, ...]:
        """features[c][r, v]: has the mean 1 where record r has value v of column c, else 0.

        What is no item has what the items of the column leave.
        """
        found = []
        for column, held, (p, q) in zip(self.columns, self.held, self.rates, strict=True):
            real = (held.astype(np.float64) - q) / (p - q)
            some = np.repeat(1 - real.sum(axis=1, keepdims=True), len(column.values), axis=1)
            some[:, items_of(column)] = real
            found.append(some)
        return tuple(found)

    def support(self, items: Sequence[Item]) -> ShareEstimate:
        """The share of records that had all of the items, which are of different columns."""
        product = np.ones(len(self))
        for column, value in items:
            product = product * self.features[column][:, value]
        return ShareEstimate(float(product.mean()), float(product.std() / np.sqrt(len(self))))

    def items(self) -> list[Item]:
        """All items, in order."""
        return [(c, v) for c, column in enumerate(self.columns) for v in items_of(column)]

    def transactions(self) -> PlainData:
        """The reports as they are, as transactions of all items."""
        table = np.concatenate(self.held, axis=1)
        rows = Rows.joined(np.nonzero(table)[1].astype(np.int32), table.sum(axis=1), table.shape[1])
        labels = tuple(
            f"{self.columns[c].name}={self.columns[c].values[v]}" for c, v in self.items()
        )
        return PlainData(rows, labels)


def as_they_are(records: Records) -> Sanitized:
    """Records that nobody randomized: what a method gives without noise, and without protection."""
    held = tuple(
        records.codes[:, [number]] == np.array(items_of(column), dtype=np.int32)
        for number, column in enumerate(records.columns)
    )
    return Sanitized(records.columns, held, ((1.0, 0.0),) * len(held))


def sanitize(records: Records, budget: Budget, bits: Bits) -> Sanitized:
    """Every part of every record through exact randomized response."""
    held, rates = [], []
    for number, column in enumerate(records.columns):
        size, items = len(column.values), np.array(items_of(column), dtype=np.int32)
        true = records.codes[:, [number]] == items
        if size == 1:
            held.append(true)
            rates.append((1.0, 0.0))
        elif budget.unit == "cell":
            e = exp_of(budget.cell)
            flip = Fraction(1) / (1 + e)
            flips = bits.coins(Steps.heads(flip, bits.width), true.size).reshape(true.shape)
            held.append(true ^ flips)
            rates.append((float(1 - flip), float(flip)))
        else:
            e = exp_of(budget.attribute)
            keep = e / (e + (size - 1))
            drawn = randomized_response(size, keep).law.draw(
                records.codes[:, number].astype(np.int64), bits
            )
            held.append(np.asarray(drawn)[:, None] == items)
            rates.append((float(keep), float((1 - keep) / (size - 1))))
    return Sanitized(records.columns, tuple(held), tuple(rates))
