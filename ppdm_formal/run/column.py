"""Column: values in the container that a user hands in, read as positions or sets and given back.

One class a container, each with the same five verbs: lists and NumPy arrays here, pandas and
pyarrow beside. Packages that the user did not import are not imported here either.
"""

from __future__ import annotations

import itertools
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.cells import MAX_VALUES, Cells
from ppdm_formal.run.errors import DataError

Positions = npt.NDArray[np.int64]


class Column(ABC):
    """Values of one operator's domain, in some container."""

    @abstractmethod
    def positions(self, domain: Domain) -> Positions:
        """Where each value stands in the domain; DataError where one does not."""

    @abstractmethod
    def baskets(self) -> Baskets:
        """The values as sets of items; DataError where one is none."""

    @abstractmethod
    def of_positions(self, positions: Positions, domain: Domain) -> Any:
        """The values at these positions, in a container of the same kind."""

    @abstractmethod
    def of_baskets(self, baskets: Baskets, size: int | None) -> Any:
        """These sets, in a container of the same kind; `size` where all have the same by law."""

    @abstractmethod
    def of_sets(self, sets: Baskets) -> Any:
        """For each single value a set, in a container of the same kind."""

    @abstractmethod
    def of_pairs(self, pairs: Positions) -> Any:
        """For each value two numbers, in a container of the same kind."""


def column_of(values: Any) -> Column:
    """The column in what a user handed in."""
    pandas, pyarrow = sys.modules.get("pandas"), sys.modules.get("pyarrow")
    if pandas is not None and isinstance(values, pandas.Series):
        from ppdm_formal.run.column_pandas import SeriesColumn

        return SeriesColumn(values)
    if pyarrow is not None and isinstance(values, pyarrow.Array | pyarrow.ChunkedArray):
        from ppdm_formal.run.column_arrow import ArrowColumn

        return ArrowColumn(values)
    if isinstance(values, np.ndarray):
        return ArrayColumn(values)
    if isinstance(values, str | bytes | dict) or not isinstance(values, Iterable):
        raise DataError("a column is a list, a NumPy array, a pandas Series or a pyarrow array")
    return ListColumn(values)


class ListColumn(Column):
    """Lists; tuples come back as tuples, any other iterable as a list."""

    def __init__(self, values: Iterable[Any]) -> None:
        self.kind = tuple if isinstance(values, tuple) else list
        self.values = list(values)
        self.sets = all(isinstance(value, set | frozenset) for value in self.values)

    def positions(self, domain: Domain) -> Positions:
        """See Column."""
        return listed_positions(self.values, domain)

    def baskets(self) -> Baskets:
        """See Column."""
        return listed_baskets(self.values)

    def of_positions(self, positions: Positions, domain: Domain) -> Any:
        """See Column."""
        return self.kind(domain[position] for position in positions.tolist())

    def of_baskets(self, baskets: Baskets, size: int | None) -> Any:
        """See Column."""
        sets = baskets.lists()
        return self.kind(map(frozenset, sets) if self.sets else sets)

    def of_sets(self, sets: Baskets) -> Any:
        """See Column."""
        return self.kind(map(frozenset, sets.lists()))

    def of_pairs(self, pairs: Positions) -> Any:
        """See Column."""
        return self.kind(map(tuple, pairs.tolist()))


class ArrayColumn(Column):
    """NumPy arrays; sets are the rows of a table, or objects."""

    def __init__(self, values: npt.NDArray[Any]) -> None:
        self.values = values

    def positions(self, domain: Domain) -> Positions:
        """See Column."""
        numbers = self.values.ndim == 1 and self.values.dtype.kind in "iuf"
        if numbers and domain.size <= MAX_VALUES and _whole_numbers(domain):
            return inside(Cells(domain).positions_of_numbers(self.values))
        return listed_positions(self.values.tolist(), domain)

    def baskets(self) -> Baskets:
        """See Column."""
        if self.values.ndim == 2 and self.values.dtype.kind in "iu":
            rows, size = self.values.shape
            sizes = np.full(rows, size, dtype=np.int64)
            return Baskets.joined(self.values.ravel().astype(np.int64), sizes)
        return listed_baskets(self.values.tolist())

    def of_positions(self, positions: Positions, domain: Domain) -> Any:
        """See Column."""
        return values_at(positions, domain, self.values.dtype)

    def of_baskets(self, baskets: Baskets, size: int | None) -> Any:
        """See Column."""
        if self.values.ndim == 2 and size is not None:
            return baskets.items.reshape(len(baskets), size).astype(self.values.dtype)
        found = np.empty(len(baskets), dtype=object)
        for place, (start, end) in enumerate(itertools.pairwise(baskets.offsets.tolist())):
            found[place] = baskets.items[start:end]
        return found

    def of_sets(self, sets: Baskets) -> Any:
        """See Column."""
        return frozen(sets)

    def of_pairs(self, pairs: Positions) -> Any:
        """See Column: a table of two columns."""
        return pairs


def frozen(sets: Baskets) -> npt.NDArray[Any]:
    """Sets as objects of an array."""
    found = np.empty(len(sets), dtype=object)
    for place, items in enumerate(sets.lists()):
        found[place] = frozenset(items)
    return found


def outside(place: int) -> DataError:
    """What is said of a value that the operator does not take; the value is not shown."""
    return DataError(f"value number {place} (counted from 0) is not one that the operator takes")


def inside(positions: Positions) -> Positions:
    """The positions, none of them negative."""
    if positions.size and positions.min() < 0:
        raise outside(int(np.argmax(positions < 0)))
    return positions


def recoded(codes: npt.NDArray[Any], values: Sequence[Any], domain: Domain) -> Positions:
    """Positions of values that are given by their numbers in a list; negative ones have none."""
    places = np.array([_position(value, domain) for value in values] + [-1], dtype=np.int64)
    return inside(places[codes])


def listed_positions(values: Sequence[Any], domain: Domain) -> Positions:
    """Where each value stands."""
    found = (_position(value, domain) for value in values)
    return inside(np.fromiter(found, dtype=np.int64, count=len(values)))


def _position(value: Any, domain: Domain) -> int:
    plain = _plain(value)
    return domain.index(plain) if plain in domain else -1


def _plain(value: Any) -> Any:
    """The value as domains hold it: Python's own numbers and texts, tuples, frozensets."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, list | tuple):
        return tuple(map(_plain, value))
    if isinstance(value, set | frozenset):
        return frozenset(map(_plain, value))
    return value if isinstance(value, int | str) else None


def listed_baskets(values: Sequence[Any]) -> Baskets:
    """Sets that are given one by one."""
    sets = [_items_of(value, place) for place, value in enumerate(values)]
    numbers = [item for items in sets for item in items]
    sizes = np.array([len(items) for items in sets], dtype=np.int64)
    return Baskets.joined(np.array(numbers, dtype=np.int64), sizes)


def _items_of(value: Any, place: int) -> list[int]:
    if not isinstance(value, list | tuple | set | frozenset | np.ndarray):
        raise outside(place)
    items = [_plain(item) for item in value]
    if not all(type(item) is int and 0 <= item < 1 << 62 for item in items):
        raise outside(place)
    return items


def _whole_numbers(domain: Domain) -> bool:
    return domain.integers is not None or all(type(value) is int for value in domain)


def values_at(positions: Positions, domain: Domain, like: Any = np.int64) -> npt.NDArray[Any]:
    """Values by position: integers (of the type given, where it holds all), texts, or objects."""
    if _whole_numbers(domain):
        integers = domain.integers
        ends: Any = (integers[0], integers[-1]) if integers else (min(domain), max(domain))
        for kind in (np.dtype(like), np.dtype(np.int64)):
            if kind.kind in "iu" and np.iinfo(kind).min <= ends[0] <= ends[1] <= np.iinfo(kind).max:
                found = positions + ends[0] if integers else np.array(list(domain))[positions]
                return np.asarray(found.astype(kind))
    if all(type(value) is str for value in domain):
        return np.array(list(domain))[positions]
    objects = np.empty(domain.size, dtype=object)
    objects[:] = list(domain)
    return objects[positions]
