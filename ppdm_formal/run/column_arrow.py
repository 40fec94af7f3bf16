"""Columns of pyarrow: arrays, and chunked arrays, whose chunks stay."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow
from pyarrow import types

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.column import (
    ArrayColumn,
    Column,
    Positions,
    listed_positions,
    outside,
    recoded,
    values_at,
)
from ppdm_formal.run.errors import DataError


class ArrowColumn(Column):
    """Integers, texts, dictionaries of them; list columns of items' numbers."""

    def __init__(self, values: Any) -> None:
        self.kind = values.type
        chunked = isinstance(values, pyarrow.ChunkedArray)
        self.lengths = [len(chunk) for chunk in values.chunks] if chunked else None
        if values.null_count:
            raise outside(values.is_null().to_pylist().index(True))
        self.values = values.combine_chunks() if chunked else values
        if isinstance(self.values, pyarrow.ChunkedArray):  # where one array would be too long
            raise DataError("the column is too long for one array: randomize its chunks")

    def positions(self, domain: Domain) -> Positions:
        """See Column."""
        values = self.values
        if types.is_integer(self.kind) or types.is_floating(self.kind):
            return ArrayColumn(values.to_numpy(zero_copy_only=False)).positions(domain)
        if types.is_string(self.kind) or types.is_large_string(self.kind):
            values = values.dictionary_encode()
        if types.is_dictionary(values.type):
            codes = values.indices.to_numpy(zero_copy_only=False)
            return recoded(codes, values.dictionary.to_pylist(), domain)
        return listed_positions(values.to_pylist(), domain)

    def baskets(self) -> Baskets:
        """See Column."""
        lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
        if not any(is_kind(self.kind) for is_kind in lists):
            raise DataError("sets of items are taken from a list column")
        items = self.values.flatten()
        if not types.is_integer(items.type) or items.null_count:
            raise DataError("the sets hold something else than items' numbers")
        sizes = self.values.value_lengths().to_numpy(zero_copy_only=False)
        numbers = items.to_numpy(zero_copy_only=False).astype(np.int64)
        return Baskets.joined(numbers, sizes.astype(np.int64))

    def of_positions(self, positions: Positions, domain: Domain) -> Any:
        """See Column."""
        if types.is_dictionary(self.kind):
            names = pyarrow.array(values_at(np.arange(domain.size), domain))
            codes = pyarrow.array(positions, pyarrow.int32())
            return self._chunked(pyarrow.DictionaryArray.from_arrays(codes, names))
        like = self.kind.to_pandas_dtype() if types.is_integer(self.kind) else np.int64
        found = pyarrow.array(values_at(positions, domain, like))
        large = types.is_string(found.type) and types.is_large_string(self.kind)
        return self._chunked(found.cast(self.kind) if large else found)

    def of_baskets(self, baskets: Baskets, size: int | None) -> Any:
        """See Column."""
        return self._lists(baskets, self.kind.value_type, types.is_large_list(self.kind))

    def of_sets(self, sets: Baskets) -> Any:
        """See Column."""
        return self._lists(sets, pyarrow.int64(), False)

    def of_pairs(self, pairs: Any) -> Any:
        """See Column."""
        both = Baskets.joined(pairs.ravel(), np.full(len(pairs), 2, dtype=np.int64))
        return self._lists(both, pyarrow.int64(), False)

    def _lists(self, baskets: Baskets, kind: Any, large: bool) -> Any:
        fits = int(baskets.items.max(initial=0)) <= np.iinfo(kind.to_pandas_dtype()).max
        items = pyarrow.array(baskets.items).cast(kind if fits else pyarrow.int64())
        large = large or baskets.items.size >= 1 << 31
        array = pyarrow.LargeListArray if large else pyarrow.ListArray
        offsets = pyarrow.array(baskets.offsets, pyarrow.int64() if large else pyarrow.int32())
        return self._chunked(array.from_arrays(offsets, items))

    def _chunked(self, whole: Any) -> Any:
        if self.lengths is None:
            return whole
        ends = itertools.accumulate(self.lengths, initial=0)
        parts = [whole.slice(start, end - start) for start, end in itertools.pairwise(ends)]
        return pyarrow.chunked_array(parts, whole.type)
