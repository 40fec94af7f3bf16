"""Survey: all generators for given transactions, their seeds' bits, and how few there can be."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.result import Result
from ppdm_formal.design.seed_size import (
    SIZES,
    level_bound_bits,
    paper_bits,
    rao_bits,
    uncompressed_bits,
)
from ppdm_formal.run.compress.chooser import generators
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.guarantee import Guarantee, guarantee
from ppdm_formal.run.compress.independence import Checked, check_independence

TRIED, STEPS = 200, 4_000_000
"""Sets of q items on which the shortest generator is tried, and row operations that may take."""


@dataclass(frozen=True)
class Survey(Result):
    """Generators, the shortest first, with the numbers to hold them against."""

    shown_in: ClassVar[str] = "seeds"

    size: int
    itemsets: int
    generators: tuple[Generator, ...]
    guarantee: Guarantee
    checked: Checked

    @property
    def best(self) -> Generator:
        """The one with the shortest seeds."""
        return self.generators[0]

    @property
    def paper_bits(self) -> int:
        """Bits of the paper's seeds."""
        return paper_bits(self.best.items, self.best.bits, self.best.q)

    @property
    def bound_bits(self) -> int:
        """Rao's bound for Definition 5 as it stands."""
        return rao_bits(self.best.items, self.best.q)

    @property
    def level_bound_bits(self) -> int:
        """The bound where b-bit numbers are independent, as in all generators here."""
        return level_bound_bits(self.best.items, self.best.bits, self.best.q)

    @property
    def uncompressed_bits(self) -> int:
        """The entropy of a transaction all of whose items are inserted alike, rounded down."""
        return uncompressed_bits(self.best.items, self.best.insert)

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-seeds/1."""
        best = self.best
        by_name = {one.name: one.seed_bits for one in self.generators}
        return {
            "format": "ppdm-seeds/1",
            "items": best.items,
            "size": self.size,
            "itemsets": self.itemsets,
            "insert": number_text(best.insert),
            "q": best.q,
            "generators": [
                {"name": name, "bits": by_name[name]} for name in SIZES if name in by_name
            ],
            "best": best.name,
            "best_bits": best.seed_bits,
            "generator": best.to_json(),
            "paper_bits": self.paper_bits,
            "bound_bits": self.bound_bits,
            "level_bound_bits": self.level_bound_bits,
            "uncompressed_bits": self.uncompressed_bits,
            "plain_bits": best.items,
            "guarantee": self.guarantee.to_json(),
            "checked": {"sets": self.checked.sets, "all": self.checked.all},
        }


def survey(items: int, size: int, itemsets: int, insert: Fraction) -> Survey:
    """For transactions of m of n items and itemsets of up to s; the shortest generator is tried."""
    found = generators(items, size, itemsets, insert)
    kept = guarantee(found[0], size, min(itemsets, items))
    checked = check_independence(found[0], min(TRIED, STEPS // (found[0].bits * found[0].q) ** 2))
    if not checked.holds:
        raise AssertionError(f"{found[0]} has dependent items: {checked.dependent}")
    return Survey(size, itemsets, tuple(found), kept, checked)
