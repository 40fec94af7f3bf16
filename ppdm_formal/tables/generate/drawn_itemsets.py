"""Drawn itemsets: what the exponential mechanism gave out, and what that costs whom.

One draw is e^(epsilon/4 * 1) in a weight and as much in the sum of weights when a row is replaced,
since a support moves by at most 1: epsilon/2 for a row (Dor18 Theorem 7 claims epsilon), and
epsilon/4 where a row is added or left out. Draws add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.result import Result
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.run.basket_files import Items
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.shown import ShownAsIs
from ppdm_formal.tables.generate.itemset_mechanism import ItemsetMechanism

ASSUMPTIONS = (
    "a person has one row; who has several pays for each",
    "rows are independent of each other: what one says of another is not hidden",
)


@dataclass(frozen=True)
class DrawnItemsets(Result):
    """The itemsets in the order drawn, and how; no support is part of it."""

    shown_in: ClassVar[str] = "drawn_itemsets"

    itemsets: tuple[tuple[str, ...], ...]
    epsilon: Fraction
    theta: int
    transactions: int
    items: int
    declared: bool
    """Whether the items were declared; else those of the file were taken."""
    seed: int | None

    @property
    def shown(self) -> tuple[ShownAsIs, ...]:
        """What the draws show besides what epsilon is of."""
        items = "the items there are"
        if self.declared:
            return ShownAsIs("the number of rows", True), ShownAsIs(f"{items}, as declared,", True)
        taken = ShownAsIs(f"{items}, which were taken from the rows", False)
        return ShownAsIs("the number of rows", True), taken

    @property
    def cost(self) -> Fraction:
        """What all draws cost a row that is replaced by another."""
        return len(self.itemsets) * self.epsilon / 2

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-itemsets/1."""
        return {
            "format": "ppdm-itemsets/1",
            "itemsets": [list(one) for one in self.itemsets],
            "law": {
                "epsilon": number_text(self.epsilon),
                "min_count": self.theta,
                "weight": "exp(epsilon/4 * min(min_count, support))",
            },
            "transactions": self.transactions,
            "items": {"count": self.items, "declared": self.declared},
            "cost": {
                "unit": "row",
                "replaced": {"each": number_text(self.epsilon / 2), "all": number_text(self.cost)},
                "added": {"each": number_text(self.epsilon / 4), "all": number_text(self.cost / 2)},
                "paper_claims_each": number_text(self.epsilon),
                "assumptions": list(ASSUMPTIONS),
                "shown": [one.to_json() for one in self.shown],
            },
            "randomness": "cryptographic"
            if self.seed is None
            else f"simulated with seed {self.seed}: protects nobody",
        }


def draw_itemsets(
    data: PlainData,
    epsilon: Fraction,
    threshold: Threshold,
    count: int,
    bits: Bits,
    *,
    items: Items | None = None,
    unprotected_domain: bool = False,
    seed: int | None = None,
) -> DrawnItemsets:
    """Draw from the transactions of a file; ValueError where that cannot be done.

    items: all there are, declared; without them unprotected_domain says that those of the
    transactions are taken, which no epsilon covers.
    """
    if items is None and not unprotected_domain:
        raise ValueError(
            "which items there are has to be declared: --items N for 0..N-1, or a file with a name "
            "a line. --unprotected-domain takes those that occur, which no epsilon covers"
        )
    if items is not None and unprotected_domain:
        raise ValueError("--items declares what --unprotected-domain would take from the data")
    rows, labels = (data.rows, data.labels) if items is None else declared_rows(data, items)
    theta = threshold.least(len(rows))
    mechanism = ItemsetMechanism.of(rows, epsilon, theta)
    found = tuple(tuple(labels[i] for i in one) for one in mechanism.draw(count, bits))
    return DrawnItemsets(found, epsilon, theta, len(rows), len(labels), items is not None, seed)


def declared_rows(data: PlainData, items: Items) -> tuple[Rows, tuple[str, ...]]:
    """The same transactions over the items that are declared; a DataError where others occur."""
    positions = items.cells.positions(list(data.labels))
    if (positions < 0).any():
        raise DataError(
            f"{int((positions < 0).sum())} of the {len(data.labels):,} items in the transactions "
            f"are not among the {items.count:,} declared ones"
        )
    labels = items.names or tuple(map(str, range(items.count)))
    sizes = data.rows.offsets[1:] - data.rows.offsets[:-1]
    return Rows.joined(positions[data.rows.items].astype("int32"), sizes, items.count), labels
