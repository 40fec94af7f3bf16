"""Shuffled tables: a writer that passes rows on in a uniformly random order, once all are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ppdm_formal.run.cells import Cells
from ppdm_formal.run.shuffle import Column, Rows, Shuffle
from ppdm_formal.run.tables import Block, TableWriter


class ShuffledWriter:
    """See TableWriter: randomized columns as positions, or as packed reports."""

    def __init__(
        self,
        writer: TableWriter,
        shuffle: Shuffle,
        columns: Mapping[str, Cells],
        packed: Sequence[str],
        say: Callable[[float], None],
    ) -> None:
        self._writer, self._shuffle, self._say = writer, shuffle, say
        self._kinds = {
            name: np.min_scalar_type(cells.domain.size) for name, cells in columns.items()
        }
        self._packed = tuple(packed)

    def write(self, block: Block) -> None:
        """Rows that wait for their place."""
        coded: list[Column] = [block.coded[name].astype(kind) for name, kind in self._kinds.items()]
        self._shuffle.add((*coded, *(block.packed[name] for name in self._packed)))

    def finish(self, metadata: Mapping[str, str]) -> None:
        """All rows are written, and then what is left."""
        done = 0
        for rows in self._shuffle.drain():
            self._writer.write(self._block(rows))
            done += len(rows[0])
            self._say(0.5 + done / self._shuffle.rows / 2)
        self._writer.finish(metadata)

    def _block(self, rows: Rows) -> Block:
        coded, packed = {}, {}
        for name, column in zip((*self._kinds, *self._packed), rows, strict=True):
            assert isinstance(column, np.ndarray)
            if name in self._kinds:
                coded[name] = column.astype(np.int64)
            else:
                packed[name] = column
        return Block(coded, packed=packed)
