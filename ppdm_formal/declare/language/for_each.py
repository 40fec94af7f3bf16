"""[element for i in SET]: every world once for each value of i, and its elements gathered again.

The element is evaluated once, in all worlds and for all values of the index together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.columns import (
    Coded,
    Column,
    Index,
    check_worlds,
    coded,
    join,
    settle,
    take,
)
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.operators.matrix import pair_codes

if TYPE_CHECKING:
    from ppdm_formal.declare.language.evaluate import Evaluator, Worlds

MAX_LENGTH = 10_000
"""Most elements of one list."""

Part = TypeVar("Part")


@dataclass(frozen=True)
class Spread:
    """Worlds, each repeated for every value of an index: whose they are, and which value it is."""

    worlds: Worlds
    owner: Index
    position: Index


def spread_index(node: s.ForEach, worlds: Worlds, evaluator: Evaluator) -> Spread:
    """The worlds for every value of the node's index."""
    evaluator.check_index(node, worlds.variables)
    sets = coded(evaluator.set_evaluator.listed_sets(node.over, worlds), worlds.size)
    lengths = np.array([len(members) for members in sets.values], dtype=np.int64)
    if not lengths.all():
        raise ModelError(
            "no element: the index has no values", node.over.at, "expected a set with members"
        )
    if lengths.max() > MAX_LENGTH:
        raise ModelError(
            f"a list of {lengths.max():,} elements; at most {MAX_LENGTH:,}", node.over.at
        )
    counts = lengths[sets.codes]
    total = int(counts.sum())
    check_worlds(total)
    owner = np.repeat(np.arange(worlds.size), counts)
    position = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    members = join([(members.column(), len(members)) for members in sets.values])
    starts = (np.cumsum(lengths) - lengths)[sets.codes]
    index = take(members, starts[owner] + position)
    repeated = worlds.some(owner)
    return Spread(type(worlds)(total, {**repeated.variables, node.index: index}), owner, position)


def by_position(positions: Index) -> list[Index]:
    """For each position in turn, where it stands."""
    ends = np.cumsum(np.bincount(positions))
    return np.split(np.argsort(positions, kind="stable"), ends[:-1])


def gathered(column: Column, spread: Spread, size: int) -> Column:
    """The elements of each world, in the index's order, as a Python tuple."""
    source = coded(column, spread.owner.size)
    rows, kinds = np.zeros(size, dtype=np.int64), 1
    for where in by_position(spread.position):
        element = np.full(size, len(source.values))  # a code of its own where there is none
        element[spread.owner[where]] = source.codes[where]
        rows, found, _ = pair_codes(rows, kinds, element, len(source.values) + 1)
        kinds = found.size
    examples = np.zeros(kinds, dtype=np.int64)
    examples[rows] = np.arange(size)
    starts = np.searchsorted(spread.owner, np.arange(size + 1))
    cells = [source.codes[starts[world] : starts[world + 1]] for world in examples]
    return settle(Coded(rows, [tuple(source.values[k] for k in row) for row in cells]))


def halves(parts: list[Part], combine: Callable[[Part, Part], Part]) -> Part:
    """Neighbours combined, then neighbours of these, until one is left."""
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        rest = parts[-1:] if len(parts) % 2 else []
        parts = [combine(first, second) for first, second in pairs] + rest
    return parts[0]


def concatenated(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    """One tuple after the other."""
    return first + second
