"""Anonymity: everything that was found of a table, and whether it is as anonymous as was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import value_json
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.result import Result
from ppdm_formal.run.cells import Cells
from ppdm_formal.run.errors import DataError
from ppdm_formal.tables.anonymity.classes import CodedColumn, CodedTable
from ppdm_formal.tables.anonymity.closeness import (
    Farthest,
    equal_distance,
    ordered_distance,
    ratio_distance,
    stochastic_distance,
)
from ppdm_formal.tables.anonymity.diversity import Diversity, diversity
from ppdm_formal.tables.anonymity.sampled import SampledAnonymity


@dataclass(frozen=True)
class Sensitive:
    """What the classes say of one sensitive column; `places` are those of the worst classes."""

    name: str
    values: int
    diversity: Diversity
    distance: str
    """equal or ordered."""
    closeness: Farthest
    ratio: Farthest
    stochastic: Farthest | None
    operator: Operator | None
    places: Sequence[int]
    """Of each class, the line or row of its first member."""

    def to_json(self) -> dict[str, Any]:
        """Part of ppdm-anonymity/1."""
        varied = self.diversity
        return {
            "column": self.name,
            "values": self.values,
            "l_diversity": {
                "distinct": {"l": varied.distinct, "at": self._at(varied.distinct_class)},
                "entropy": {
                    "l": varied.entropy_l,
                    "entropy_nat": varied.entropy.to_json(),
                    "at": self._at(varied.entropy_class),
                },
                "recursive": [
                    {"l": ell, "c_above": number_text(ratio), "at": self._at(number)}
                    for ell, ratio, number in varied.ratios
                ],
            },
            "t_closeness": {"distance": self.distance, **self._json(self.closeness)},
            "ratio_closeness": self._json(self.ratio),
            "stochastic_closeness": None
            if self.stochastic is None or self.operator is None
            else {"operator": self.operator.name, **self._json(self.stochastic)},
        }

    def _json(self, found: Farthest) -> dict[str, Any]:
        return {"t": value_json(found.distance), "at": self._at(found.at)}

    def _at(self, number: int) -> int:
        return int(self.places[number])


@dataclass(frozen=True)
class Required:
    """What a table is required to have: at least k and l, at most t."""

    k: int | None = None
    ell: int | None = None
    t: Fraction | None = None


@dataclass(frozen=True)
class Anonymity(Result):
    """What was found of a table."""

    shown_in: ClassVar[str] = "anonymity"

    rows: int
    classes: int
    quasi: tuple[str, ...]
    k: int
    k_place: int
    place: str
    """What places count: line or row."""
    sensitive: tuple[Sensitive, ...]
    sampled: SampledAnonymity | None
    asked: Required
    others_known: bool = False

    @property
    def failed(self) -> tuple[str, ...]:
        """Which of the requirements do not hold: k, l:COLUMN, t:COLUMN."""
        asked = self.asked
        found = ["k"] if asked.k is not None and self.k < asked.k else []
        for one in self.sensitive:
            if asked.ell is not None and one.diversity.distinct < asked.ell:
                found.append(f"l:{one.name}")
            if asked.t is not None and one.closeness.distance > asked.t:
                found.append(f"t:{one.name}")
        return tuple(found)

    @property
    def exit_code(self) -> int:
        """1 where something that was asked for does not hold."""
        return 1 if self.failed else 0

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-anonymity/1: exact numbers as text; places are lines or rows of the file."""
        sampled = self.sampled
        return {
            "format": "ppdm-anonymity/1",
            "rows": self.rows,
            "classes": self.classes,
            "quasi": list(self.quasi),
            "others_known": self.others_known,
            "place": self.place,
            "k_anonymity": {"k": self.k, "at": self.k_place},
            "sampled_k_anonymity": None
            if sampled is None
            else {
                "k": sampled.k,
                "rate": number_text(sampled.beta),
                "epsilon": number_text(sampled.epsilon),
                "delta": sampled.delta.to_json(),
                "rows_alike": sampled.alike,
            },
            "sensitive": [one.to_json() for one in self.sensitive],
            "failed": list(self.failed),
        }


def anonymity(
    table: CodedTable,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    *,
    ordered: Sequence[str] = (),
    others_known: bool = False,
    operator: Operator | None = None,
    sampled: SampledAnonymity | None = None,
    asked: Required | None = None,
) -> Anonymity:
    """Measure a table; others_known: who attacks one sensitive column knows the other ones."""
    classes = table.classes(quasi)
    found = []
    for name in sensitive:
        grouped = classes
        if others_known:
            grouped = table.classes([*quasi, *(other for other in sensitive if other != name)])
        column = table.columns[name]
        counts = grouped.sensitive(column)
        is_ordered = name in ordered
        found.append(
            Sensitive(
                name,
                len(column.texts),
                diversity(counts),
                "ordered" if is_ordered else "equal",
                ordered_distance(counts, _order(name, column))
                if is_ordered
                else equal_distance(counts),
                ratio_distance(counts),
                stochastic_distance(counts, _laws(name, column, operator)) if operator else None,
                operator,
                grouped.places.tolist(),
            )
        )
    return Anonymity(
        len(table.places),
        len(classes.sizes),
        tuple(quasi),
        int(classes.sizes[classes.smallest]),
        int(classes.places[classes.smallest]),
        table.place,
        tuple(found),
        sampled,
        asked or Required(),
        others_known,
    )


def _order(name: str, column: CodedColumn) -> list[int]:
    """Values of a column of numbers, rising."""
    try:
        numbers = [parse_number(text) for text in column.texts]
    except ValueError:
        raise DataError(f"column {name}: ordered, but not every cell is a number") from None
    if len(set(numbers)) < len(numbers):
        raise DataError(f"column {name}: one number is written in two ways")
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def _laws(name: str, column: CodedColumn, operator: Operator) -> list[list[Any]]:
    """The operator's law on each value of the column."""
    if operator.parameters:
        raise DataError(
            f"operator {operator.name} has free parameters: give them values with --set"
        )
    places = Cells(operator.inputs).positions(list(column.texts))
    if (places < 0).any():
        raise DataError(f"column {name}: some cells name no input of operator {operator.name}")
    matrix = operator.matrix()
    return [[matrix.palette[int(code)] for code in matrix.codes[place]] for place in places]
