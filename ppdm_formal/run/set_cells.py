"""Cells that hold sets: {3, 17} for reports that are sets of the values 0..n-1, never listed.

Written and read as Cells does with sets that can be listed (members in the order of their texts
when written, in any order when read), but in time of the members: 2^n sets need no number each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.families.subsets import Subsets
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.cells import plain_integer
from ppdm_formal.run.errors import DataError

MAX_SET_VALUES = 20_000
"""Most values of which a cell can hold a set: all of them are 128,890 characters, and readers of
CSV give up at 131,072."""

COINS_AT_ONCE = 1 << 24
"""Rows times values that are drawn and written at a time."""

_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_PLAIN = re.compile(r"\{ *(?:\d{1,9}(?:, *\d{1,9})*)? *\}", re.ASCII)


def sets_reported(operator: Operator) -> Subsets | None:
    """The outputs, where single values come in and sets of values go out."""
    law, outputs = operator.law, operator.outputs
    if law.gives_sets and not law.takes_sets and isinstance(outputs, Subsets):
        return outputs
    return None


class SetCells:
    """The cells of one column, whose values are sets.

    >>> some = SetCells(Subsets(12))
    >>> some.texts(Baskets.of([[2, 10], []]))
    ['{10, 2}', '{}']
    >>> some.sets(["{2,10}", "{}", "{12}", ""]).lists()
    [[2, 10], [], [-1], [-1]]
    """

    def __init__(self, domain: Subsets) -> None:
        self.domain = domain
        if domain.items > MAX_SET_VALUES:
            raise DataError(
                f"the operator's reports are sets of {domain.items:,} values; a cell of a table "
                f"holds one of at most {MAX_SET_VALUES:,}; single values are randomized in Python "
                "by randomize() and by ppdm client"
            )

    @property
    def rows_at_once(self) -> int:
        """So many rows are drawn and written at a time, so that memory is bounded."""
        return max(1, COINS_AT_ONCE // max(1, self.domain.items))

    @cached_property
    def _in_order(self) -> list[str]:
        return sorted(map(str, range(self.domain.items)))

    @cached_property
    def _ranks(self) -> npt.NDArray[np.int64]:
        ranks = np.empty(self.domain.items, dtype=np.int64)
        ranks[[int(text) for text in self._in_order]] = np.arange(self.domain.items)
        return ranks

    def texts(self, sets: Baskets) -> list[str]:
        """The sets as cells hold them."""
        ranked = Baskets(self._ranks[sets.items], sets.offsets).distinct()
        names = self._in_order
        return ["{" + ", ".join([names[rank] for rank in row]) + "}" for row in ranked.lists()]

    def sets(self, cells: Iterable[str]) -> Baskets:
        """The sets that cells name; where one names none, the item -1 stands alone."""
        return checked_sets(self.domain, Baskets.of(map(_members, cells)))


def checked_sets(domain: Subsets, sets: Baskets) -> Baskets:
    """The sets with members in rising order; -1 alone where one is not in the domain."""
    whole = sets.distinct()
    wrong = np.zeros(len(whole), dtype=bool)
    wrong[whole.owners()[(whole.items < 0) | (whole.items >= domain.items)]] = True
    if domain.members is not None:
        wrong |= whole.sizes != domain.members
    if not wrong.any():
        return whole
    kept = Baskets.joined(
        whole.items[~np.repeat(wrong, whole.sizes)], np.where(wrong, 0, whole.sizes)
    )
    items = np.insert(kept.items, kept.offsets[:-1][wrong], -1)
    return Baskets.joined(items, np.where(wrong, 1, kept.sizes))


def _members(cell: str) -> Sequence[int]:
    """The members that a cell lists; -1 where it is no set of whole numbers."""
    bare = cell.strip()
    if _PLAIN.fullmatch(bare):
        inside = bare[1:-1].strip()
        return [int(member) for member in inside.split(",")] if inside else []
    if not (bare.startswith("{") and bare.endswith("}")):
        return [-1]
    members = [plain_integer(member.strip()) for member in bare[1:-1].split(",")]
    return [int(member) if _NUMBER.fullmatch(member) else -1 for member in members]
