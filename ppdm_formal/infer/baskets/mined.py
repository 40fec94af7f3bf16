"""Mined: frequent itemsets and rules of plain transactions, with exact counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.declare.result import Result
from ppdm_formal.infer.baskets.rules import RuleNodes
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.infer.baskets.trie import Counted, Nodes

Items = tuple[str, ...]


@dataclass(frozen=True)
class Itemset:
    """Items, and how many of all transactions hold them."""

    items: Items
    count: int
    transactions: int

    @property
    def support(self) -> Fraction:
        """The share of transactions that hold all of the items."""
        return Fraction(self.count, self.transactions)


@dataclass(frozen=True)
class AssociationRule:
    """Transactions that hold the antecedent often hold the consequent as well."""

    antecedent: Itemset
    consequent: Itemset
    count: int
    """How many transactions hold both."""

    @property
    def support(self) -> Fraction:
        """The share of transactions that hold both."""
        return Fraction(self.count, self.antecedent.transactions)

    @property
    def confidence(self) -> Fraction:
        """The share of those with the antecedent that hold the consequent."""
        return Fraction(self.count, self.antecedent.count)

    @property
    def lift(self) -> Fraction:
        """The confidence over the support of the consequent."""
        return self.confidence / self.consequent.support


@dataclass(frozen=True)
class Mined(Result):
    """What was found in plain transactions; every number is exact.

    Itemsets stand by size, in the order of their items; rules from the surest on.
    """

    shown_in: ClassVar[str] = "mined"

    transactions: int
    labels: Items
    """How the items of the trie are written."""
    counted: Counted
    min_support: Threshold
    max_size: int | None
    min_confidence: Fraction | None
    rule_nodes: RuleNodes | None
    """None where rules were not asked for."""
    files: tuple[str, ...] = ()
    """The names of the files that were mined."""

    @property
    def least(self) -> int:
        """The least count of a frequent itemset."""
        return self.min_support.least(self.transactions)

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-mine/1."""
        from ppdm_formal.infer.baskets.mine_files import mined_json

        return mined_json(self)

    def json_text(self) -> Iterator[str]:
        """Piece by piece: there may be millions of itemsets."""
        from ppdm_formal.infer.baskets.mine_files import mined_text

        return mined_text(self)

    def __len__(self) -> int:
        return len(self.counted.trie) - 1

    def sizes(self) -> list[int]:
        """How many itemsets of 1, 2, ... items there are."""
        return np.diff(self.counted.trie.starts).tolist()[1:]

    def itemsets(self, size: int | None = None) -> Iterator[Itemset]:
        """All frequent itemsets, or those of one size."""
        trie = self.counted.trie
        for one in range(1, trie.size + 1) if size is None else [size]:
            nodes = np.asarray(trie.nodes(one), dtype=np.int64)
            yield from self._itemsets(one, nodes)

    def _itemsets(self, size: int, nodes: Nodes) -> Iterator[Itemset]:
        members = self.counted.trie.members(size, nodes).tolist()
        for row, count in zip(members, self.counted.counts[nodes].tolist(), strict=True):
            yield Itemset(tuple(self.labels[item] for item in row), count, self.transactions)

    def most_frequent(self, most: int) -> list[Itemset]:
        """The itemsets of two or more items that most transactions hold; items if there are none.

        Those of equal counts stand as they do in `itemsets`.
        """
        trie, counts = self.counted.trie, self.counted.counts
        start = trie.starts[2] if trie.size > 1 else 1
        order = start + np.argsort(-counts[start:], kind="stable")[:most]
        known = self._known(np.sort(order))
        return [known[node] for node in order.tolist()]

    def rules(self, most: int | None = None) -> Iterator[AssociationRule]:
        """All rules, or the first of them."""
        if self.rule_nodes is None:
            return
        found = self.rule_nodes
        some = slice(most)
        counts = self.counted.counts[found.whole[some]].tolist()
        sides = (found.antecedent[some], found.consequent[some])
        known = self._known(np.unique(np.concatenate(sides)))
        rows = zip(*(side.tolist() for side in sides), counts, strict=True)
        for antecedent, consequent, count in rows:
            yield AssociationRule(known[antecedent], known[consequent], count)

    def _known(self, nodes: Nodes) -> dict[int, Itemset]:
        found: dict[int, Itemset] = {}
        trie = self.counted.trie
        for size in range(1, trie.size + 1):
            all_of_size = trie.nodes(size)
            some = nodes[(nodes >= all_of_size.start) & (nodes < all_of_size.stop)]
            found |= zip(some.tolist(), self._itemsets(size, some), strict=True)
        return found

    def to_pandas(self) -> Any:
        """Itemsets as a frame with mlxtend's columns: support, itemsets.

        mlxtend's association_rules takes it with num_itemsets=transactions.
        """
        import pandas as pd

        sets = list(self.itemsets())
        return pd.DataFrame(
            {
                "support": [one.count / self.transactions for one in sets],
                "itemsets": pd.Series([frozenset(one.items) for one in sets], dtype=object),
            }
        )

    def rules_to_pandas(self) -> Any:
        """Rules as a frame with mlxtend's columns."""
        import pandas as pd

        rules = list(self.rules())
        first, second = [r.antecedent for r in rules], [r.consequent for r in rules]
        return pd.DataFrame(
            {
                "antecedents": pd.Series([frozenset(a.items) for a in first], dtype=object),
                "consequents": pd.Series([frozenset(b.items) for b in second], dtype=object),
                "antecedent support": [float(one.support) for one in first],
                "consequent support": [float(one.support) for one in second],
                "support": [float(rule.support) for rule in rules],
                "confidence": [float(rule.confidence) for rule in rules],
                "lift": [float(rule.lift) for rule in rules],
            }
        )
