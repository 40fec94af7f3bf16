"""Request: what a plan is designed for, and how basket sizes are read from text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.design.item_breach import ItemGoal
from ppdm_formal.design.plan import MAX_SIZE, Hidden

MAX_CLIENTS = 10**12


@dataclass(frozen=True)
class Request:
    """How much privacy, for which baskets, and which itemsets are to be found.

    histogram: how many baskets there are of each size (also of size 0). alike: whether it only
    says that there are so many of each size, as in the paper's figures, and is no real
    distribution. paper: gamma with equality. hidden: whether sizes are hidden, and how.
    longest: longer baskets give a random part of so many items; with "cut", None where that is
    to be chosen. data: baskets at hand. missed: with two phases, the chance that the first misses
    an item whose support is the largest LDS of the second. item: an item-level breach level with
    bounds on supports instead of rho1 and rho2, which are both the level then.
    """

    rho1: Fraction
    rho2: Fraction
    histogram: Mapping[int, int]
    itemsets: int
    items: int | None = None
    form: str = "paper"
    bits: int | None = None
    paper: bool = False
    alike: bool = False
    hidden: Hidden | None = None
    longest: int | None = None
    data: AtHand | None = None
    missed: Fraction = Fraction(1, 2)
    item: ItemGoal | None = None
    deadline: Deadline = field(default_factory=lambda: Deadline.after(60.0))

    def __post_init__(self) -> None:
        if not self.histogram or any(
            size < 0 or count < 1 for size, count in self.histogram.items()
        ):
            raise ValueError("a plan needs baskets: sizes from 0 on, at least one basket of each")
        if self.clients > MAX_CLIENTS:
            raise ValueError(f"{self.clients:,} baskets: at most {MAX_CLIENTS:,} are planned for")
        if self.largest < 1:
            raise ValueError("all baskets are empty: there is nothing to report")
        most = min(self.largest, self.longest or self.largest)
        if most > MAX_SIZE and self.hidden != "cut":
            raise ValueError(
                f"baskets of {most:,} items: plans take up to {MAX_SIZE:,}; --longest M lets "
                "longer ones report a random part"
            )
        if self.items is not None and self.items < self.largest:
            raise ValueError(
                f"there are baskets of {self.largest:,} items, and of {self.items:,} items in all"
            )
        if most < self.itemsets:
            raise ValueError(
                f"itemsets of {self.itemsets} items fit in no transaction: the largest size is "
                f"{most}"
            )
        if self.hidden == "pad" and self.longest is not None and self.longest < self.largest:
            raise ValueError(
                f"padding takes baskets up to the largest, of {self.largest} items: cut, or name "
                "at least that"
            )

        if self.item is not None and (self.hidden is not None or self.paper):
            raise ValueError(
                "an item-level plan has no bound on amplification to reach, and its bounds on "
                "supports are about baskets of one size: sizes stay public"
            )

    @property
    def clients(self) -> int:
        """How many baskets there are in all."""
        return sum(self.histogram.values())

    @property
    def largest(self) -> int:
        """The largest size of a basket."""
        return max(self.histogram)

    @property
    def sizes(self) -> dict[int, int]:
        """How many baskets are reported with each size, after the longest are cut."""
        found: Counter[int] = Counter()
        for size, count in sorted(self.histogram.items()):
            if size >= 1:
                found[size if self.longest is None else min(size, self.longest)] += count
        return dict(found)


MAX_BASKET = 1_000_000
"""Sizes above are taken for a mistake."""

MAX_COUNT = 10**12

_LINE = re.compile(r"\s*\"?([0-9]{1,7})\"?\s*(?:[,;:]|\s)\s*\"?([0-9]{1,13})\"?\s*")
_HEAD = re.compile(r"\s*\"?[A-Za-z_ ]+\"?\s*[,;:\t ]\s*\"?[A-Za-z_ ]+\"?\s*")


def read_histogram(source: str) -> dict[int, int]:
    """How many baskets there are of each size; sizes with none are left out.

    The first line may name the columns; empty lines and those that start with # say nothing.

    >>> read_histogram(chr(10).join(["size,count", "1,30", "2,12"]))
    {1: 30, 2: 12}
    """
    found: dict[int, int] = {}
    first = True
    for number, line in enumerate(source.lstrip("\ufeff").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None and first and _HEAD.fullmatch(line):
            first = False
            continue
        first = False
        if match is None:
            raise ValueError(f"line {number}: not a size and a count, such as 3,1200")
        size, count = map(int, match.groups())
        if size > MAX_BASKET or count > MAX_COUNT:
            raise ValueError(
                f"line {number}: sizes go up to {MAX_BASKET:,} and counts up to {MAX_COUNT:,}"
            )
        if size in found:
            raise ValueError(f"line {number}: size {size} again")
        found[size] = count
    found = {size: count for size, count in sorted(found.items()) if count}
    if not found:
        raise ValueError("the histogram has no baskets")
    return found
