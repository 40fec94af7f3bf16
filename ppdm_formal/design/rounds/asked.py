"""Asked: what a group of clients is asked: all items, the itemsets of a list, or how many it holds.

Values are numbered 0, 1, ...: items as they are, itemsets by their places in the list, lengths by
classes, class c from least[c] values on. A client holds some of the values; of lengths one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Kind: TypeAlias = Literal["items", "itemsets", "lengths"]
KINDS: tuple[Kind, ...] = ("items", "itemsets", "lengths")

MAX_SETS = 100_000
"""Most itemsets that clients are asked about."""

MAX_MEMBERS = 20
"""Most items of one of them."""

Sets: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class RoundsAsked:
    """kind "lengths" counts the items of a basket, or with `sets` how many of these it holds."""

    kind: Kind
    sets: Sets | None = None
    least: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if (self.kind == "lengths") != (self.least is not None):
            raise ValueError("lengths, and they alone, are asked by classes")
        if (self.kind == "items" and self.sets is not None) or (
            self.kind == "itemsets" and not self.sets
        ):
            raise ValueError("itemsets are asked by a list, items are not")

    def values(self, items: int) -> int:
        """How many values there are.

        >>> RoundsAsked("itemsets", ((0, 1), (0, 2), (1, 2))).values(10)
        3
        """
        if self.least is not None:
            return len(self.least)
        return items if self.sets is None else len(self.sets)

    def check(self, items: int) -> None:
        """Refuse itemsets of other items."""
        if any(one[-1] >= items for one in self.sets or ()):
            raise ValueError(f"an itemset that is asked has an item outside 0..{items - 1}")

    def held(self, members: npt.NDArray[np.int64], offsets: npt.NDArray[np.int64]) -> Any:
        """(values, sizes) of baskets that hold the itemsets of the list; see Baskets.joined."""
        assert self.sets is not None
        owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        used = np.array(sorted({item for one in self.sets for item in one}), dtype=np.int64)
        where = np.minimum(np.searchsorted(used, members), len(used) - 1)
        mine = used[where] == members
        table = np.zeros((len(used), len(offsets) - 1), dtype=bool)
        table[where[mine], owners[mine]] = True
        places = {int(item): place for place, item in enumerate(used)}
        found = [
            np.flatnonzero(np.logical_and.reduce([table[places[item]] for item in one]))
            for one in self.sets
        ]
        who = np.concatenate(found)
        values = np.repeat(np.arange(len(self.sets)), [len(one) for one in found])
        order = np.argsort(who, kind="stable")  # values rise within each basket
        sizes = np.bincount(who, minlength=len(offsets) - 1).astype(np.int64)
        return values[order].astype(np.int64), sizes

    def classes(self, lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The class of each length."""
        assert self.least is not None
        found = np.searchsorted(np.array(self.least), lengths, side="right") - 1
        return np.asarray(found, dtype=np.int64)

    def to_json(self) -> dict[str, Any]:
        """As plans, releases and clients hold it."""
        return {
            "kind": self.kind,
            "sets": None if self.sets is None else [list(one) for one in self.sets],
            "least": None if self.least is None else list(self.least),
        }

    @classmethod
    def of(cls, written: object) -> RoundsAsked:
        """What to_json wrote; ValueError where it is something else."""
        if not isinstance(written, dict) or set(written) != {"kind", "sets", "least"}:
            raise ValueError("what a group is asked has the keys kind, sets and least")
        if written["kind"] not in KINDS:
            raise ValueError("a group is asked items, itemsets or lengths")
        least = None if written["least"] is None else _rising(written["least"], "classes")
        if least is not None and (least[0] != 0 or not 2 <= len(least) <= 1000):
            raise ValueError("there are 2 to 1000 classes of lengths, the first from 0 on")
        return cls(written["kind"], _sets_of(written["sets"]), least)


def _sets_of(written: object) -> Sets | None:
    if written is None:
        return None
    if not isinstance(written, list) or not 1 <= len(written) <= MAX_SETS:
        raise ValueError(f"from 1 to {MAX_SETS:,} itemsets are asked")
    sets = tuple(_rising(one, "the items of an itemset") for one in written)
    if len(set(sets)) < len(sets) or max(map(len, sets)) > MAX_MEMBERS:
        raise ValueError(f"an itemset is asked twice, or has more than {MAX_MEMBERS} items")
    return sets


def _rising(written: object, what: str) -> tuple[int, ...]:
    if not isinstance(written, Sequence) or isinstance(written, str) or not written:
        raise ValueError(f"{what} are a list")
    found = tuple(written)
    if any(type(one) is not int or not 0 <= one < 1 << 31 for one in found):
        raise ValueError(f"{what} are whole numbers from 0 on")
    if any(a >= b for a, b in pairwise(found)):
        raise ValueError(f"{what} do not rise")
    return found
