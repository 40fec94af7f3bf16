"""Shuffled tables: a writer that passes rows on in a uniformly random order, once all are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.cells import Cells
from ppdm_formal.run.shuffle import Column, Rows, Shuffle
from ppdm_formal.run.tables import Block, TableWriter


class ShuffledWriter:
    """See TableWriter: randomized columns as positions, sets as the texts of their cells."""

    def __init__(
        self,
        writer: TableWriter,
        shuffle: Shuffle,
        columns: Mapping[str, Cells],
        texts: Sequence[str],
        say: Callable[[float], None],
    ) -> None:
        self._writer, self._shuffle, self._say = writer, shuffle, say
        self._kinds = {
            name: np.min_scalar_type(cells.domain.size) for name, cells in columns.items()
        }
        self._texts = tuple(texts)

    def write(self, block: Block) -> None:
        """Rows that wait for their place."""
        coded: list[Column] = [block.coded[name].astype(kind) for name, kind in self._kinds.items()]
        self._shuffle.add((*coded, *(_packed(block.kept[name]) for name in self._texts)))

    def finish(self, metadata: Mapping[str, str]) -> None:
        """All rows are written, and then what is left."""
        done = 0
        for rows in self._shuffle.drain():
            self._writer.write(self._block(rows))
            done += len(rows[0])
            self._say(0.5 + done / self._shuffle.rows / 2)
        self._writer.finish(metadata)

    def _block(self, rows: Rows) -> Block:
        coded, texts = {}, {}
        for name, column in zip((*self._kinds, *self._texts), rows, strict=True):
            if isinstance(column, Baskets):
                texts[name] = _unpacked(column)
            else:
                coded[name] = column.astype(np.int64)
        return Block(coded, texts)


def _packed(texts: Sequence[str]) -> Baskets:
    """Texts as baskets of bytes."""
    encoded = [text.encode() for text in texts]
    sizes = np.array([len(text) for text in encoded], dtype=np.int64)
    return Baskets.joined(np.frombuffer(b"".join(encoded), dtype=np.uint8), sizes)


def _unpacked(packed: Baskets) -> list[str]:
    content, ends = packed.items.tobytes(), packed.offsets.tolist()
    return [content[start:end].decode() for start, end in pairwise(ends)]
