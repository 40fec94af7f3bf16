"""Budget: the epsilon of a cell, of an attribute and of a whole record, stated together.

A cell is one item, there or not; an attribute is the value of one column; a record is all of it.
Whatever unit the sanitizer is set for, the others follow exactly: parts that are randomized
independently add up (Dor18 Theorem 3; sequential composition), and the value of a column of which
every item is flipped by itself is two items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ppdm_formal.tables.generate.records import MISSING, RecordColumn

Unit: TypeAlias = Literal["cell", "attribute", "row"]


@dataclass(frozen=True)
class Budget:
    """What each part costs at most, in nats."""

    unit: Unit
    cell: Fraction
    attribute: Fraction
    record: Fraction

    @classmethod
    def of(cls, columns: Sequence[RecordColumn], epsilon: Fraction, unit: Unit) -> Budget:
        """The budget of records of these columns with epsilon for the unit.

        >>> pair = [RecordColumn("a", ("1", "2", "3")), RecordColumn("b", ("", "4"))]
        >>> some = Budget.of(pair, Fraction(1, 2), "cell")
        >>> str(some.attribute), str(some.record)
        ('1', '3/2')
        >>> str(Budget.of(pair, Fraction(1), "row").attribute)
        '1/2'
        >>> str(Budget.of(pair, Fraction(1), "attribute").record)
        '2'
        """
        if epsilon <= 0:
            raise ValueError(
                "epsilon must be above 0: at 0 nothing of the data would be left, and below there "
                "is no such thing"
            )
        varying = [column for column in columns if len(column.values) > 1]
        if not varying:
            raise ValueError("every column has one value only: there is nothing to protect")
        if unit == "cell":
            costs = [epsilon * min(2, len(items_of(column))) for column in varying]
            return cls(unit, epsilon, max(costs), sum(costs, Fraction(0)))
        each = epsilon / len(varying) if unit == "row" else epsilon
        return cls(unit, each, each, each * len(varying))


def items_of(column: RecordColumn) -> list[int]:
    """The values of a column that are items."""
    return [k for k, value in enumerate(column.values) if value != MISSING]
