"""Uniform replacement (Evf02 section 4): each item of t stays, or a new item takes its place.

Each item stays with probability `keep`; the r items that do not are replaced by r distinct
items outside t, drawn uniformly. Transactions keep their size, and with j = |t ∩ t'|

    p[t -> t'] = keep^j (1 - keep)^(m - j) / C(n - m, m - j)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, exact, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.arithmetic.signs import not_probability
from ppdm_formal.declare.families.overlap import OverlapLaw
from ppdm_formal.declare.families.select_a_size import check_sizes
from ppdm_formal.declare.operators.alike import Support
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Spelled
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.shipped import odds_json


@dataclass(frozen=True)
class ReplaceItems(OverlapLaw):
    """The law; one view, since all outputs have the size of the input."""

    keep: Exact

    def spelled(self) -> Spelled:
        """By how likely an item stays."""
        return Spelled("replace_items", {"keep": self.keep})

    @property
    def output_sizes(self) -> range:
        """Sizes do not change."""
        return range(self.size, self.size + 1)

    def likelihood(self, width: int, overlap: int) -> Exact:
        """keep^j (1 - keep)^(m - j) / C(n - m, m - j)."""
        replaced = self.size - overlap
        chosen = self.keep**overlap * (1 - self.keep) ** replaced
        return simplify(chosen / math.comb(self.items - self.size, replaced))

    def ratio(self, width: int, overlap: int) -> Exact:
        """The probability itself: it is never too small to write."""
        return self.likelihood(width, overlap)

    def support(self) -> Support:
        """An item stays, or is one of those that replace others."""
        outside = max(1, self.items - self.size)
        other = simplify((1 - self.keep) * self.size / outside)
        return Support(self.keep, other, (self.items, self.size))

    def mass(self) -> Exact:
        """(keep + (1 - keep))^m: C(n - m, r) outputs share one outcome of the coins."""
        return simplify((self.keep + (1 - self.keep)) ** self.size)

    @property
    def relative(self) -> bool:
        """Views always hold the probabilities."""
        return False

    def values(self) -> Sequence[Exact]:
        """The probability to stay."""
        return (self.keep,)

    def draw_members(self, members: Integers, bits: Bits) -> tuple[Integers, Integers]:
        """A coin for every item; new items by Floyd's sampling among those outside t."""
        count = len(members)
        stay = bits.coins(Steps.heads(self.keep, bits.width), members.size).reshape(members.shape)
        replaced = self.size - stay.sum(axis=1)
        outside = self.items - self.size
        new = np.full((count, self.size), -1, dtype=np.int64)
        for step in range(int(replaced.max(initial=0))):
            rows = np.flatnonzero(replaced > step)
            top = outside - replaced[rows] + step
            drawn = bits.below(top + 1)
            again = (new[rows, :step] == drawn[:, None]).any(axis=1)
            new[rows, step] = np.where(again, top, drawn)
        for place in range(self.size):  # from ranks among the items outside t to the items
            new += new >= members[:, place : place + 1]
        found = members.copy()
        found[~stay] = new[np.arange(self.size) < replaced[:, None]]
        return np.sort(found, axis=1).ravel(), np.arange(count + 1) * self.size

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """A coin for every item of t."""
        parts = {"size": self.size, "keep": odds_json(self.keep)}
        return {"kind": "replacement", "items": self.items, **parts}

    def map(self, change: Callable[[Exact], Exact]) -> ReplaceItems:
        """The same law with parameters given values."""
        return ReplaceItems(self.items, self.size, change(self.keep))


def replace_items(
    items: int,
    size: int,
    keep: object,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Keep each item with probability `keep`, replace the others by new ones.

    >>> str(replace_items(10, 2, "1/5").probability(frozenset({0, 1}), frozenset({1, 2})))
    '1/50'
    """
    check_sizes(items, size)
    kept = exact(keep)
    wrong = not_probability(kept, parameters)
    if wrong:
        raise ValueError(f"keep = {said(kept)} {wrong}")
    if items < 2 * size:
        raise ValueError(
            f"replacing all {size} items by new ones needs at least {2 * size} items, not {items}"
        )
    law = ReplaceItems(items, size, kept)
    return Operator(law.inputs(), law.outputs(), law, name, parameters)
