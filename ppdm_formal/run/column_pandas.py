"""Columns of pandas: Series, whose index and name stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.column import (
    ArrayColumn,
    Column,
    Positions,
    frozen,
    listed_baskets,
    recoded,
    values_at,
)


class SeriesColumn(Column):
    """Numbers, texts, categories, objects."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def positions(self, domain: Domain) -> Positions:
        """See Column."""
        if self.values.dtype.name == "category":
            kinds = self.values.cat
            return recoded(kinds.codes.to_numpy(), kinds.categories.tolist(), domain)
        return ArrayColumn(np.asarray(self.values)).positions(domain)

    def baskets(self) -> Baskets:
        """See Column."""
        return listed_baskets(self.values.tolist())

    def of_positions(self, positions: Positions, domain: Domain) -> Any:
        """See Column."""
        kind = self.values.dtype
        if kind.name == "category":
            kinds: Any = list(domain)
            return self._series(pandas.Categorical.from_codes(positions, kinds))
        numbers = isinstance(kind, np.dtype) and kind.kind in "iu"
        found = values_at(positions, domain, kind if numbers else np.int64)
        texts = found.dtype.kind == "U" and pandas.api.types.is_string_dtype(kind)
        return self._series(found.astype(object) if texts else found, kind if texts else None)

    def of_baskets(self, baskets: Baskets, size: int | None) -> Any:
        """See Column."""
        sets = all(isinstance(value, set | frozenset) for value in self.values)
        found = np.empty(len(baskets), dtype=object)
        for place, items in enumerate(baskets.lists()):
            found[place] = frozenset(items) if sets else items
        return self._series(found)

    def of_sets(self, sets: Baskets) -> Any:
        """See Column."""
        return self._series(frozen(sets))

    def of_pairs(self, pairs: Any) -> Any:
        """See Column."""
        found = np.empty(len(pairs), dtype=object)
        for place, pair in enumerate(pairs.tolist()):
            found[place] = tuple(pair)
        return self._series(found)

    def _series(self, values: Any, kind: Any = None) -> Any:
        return pandas.Series(values, index=self.values.index, name=self.values.name, dtype=kind)
