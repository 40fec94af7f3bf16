"""Packed: transactions as columns of bits, one column an item, in blocks that fit the cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.declare.machine.threads import in_threads
from ppdm_formal.infer.baskets import kernels
from ppdm_formal.infer.baskets.kernels import Counts, Numbers, Words
from ppdm_formal.infer.baskets.rows import Rows

WORDS = 128
"""Words of a column in a block: with 500 items a block is 500 KB."""

BLOCK = 64 * WORDS
"""Transactions of a block."""

MEMORY = 1 << 28
"""Bytes that columns may take at a time; past it, chunks of transactions take turns."""

_NUMPY_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class Packed:
    """blocks[b, c, w]: bit i is set where transaction (b WORDS + w) 64 + i holds item c.

    The last block is filled up with transactions that hold nothing.

    >>> few = Packed.of(Rows.of([[0], [1], [0, 1]], 2))
    >>> few.transactions, few.blocks[0, :, 0].tolist()
    (3, [5, 6])
    """

    blocks: Words
    transactions: int

    @classmethod
    def of(cls, rows: Rows, first: int = 0, most: int | None = None) -> Packed:
        """Transactions first, first + 1, ...: all that follow, or the most given."""
        held = len(rows) - first if most is None else min(most, len(rows) - first)
        offsets = rows.offsets[: first + held + 1]
        blocks = np.zeros((-(-held // BLOCK), rows.count, WORDS), dtype=np.uint64)
        kernel = compiled(kernels.pack)
        if kernel is None:
            for block in range(len(blocks)):
                _pack_block(rows.items, offsets, first + block * BLOCK, blocks[block])
        else:

            def fill(block: int) -> None:
                kernel(rows.items, offsets, first + block * BLOCK, blocks[block])

            in_threads(fill, range(len(blocks)))
        return cls(blocks, held)

    @property
    def items(self) -> int:
        """How many columns there are."""
        return int(self.blocks.shape[1])


def chunks(rows: Rows, memory: int = MEMORY) -> Iterator[Packed]:
    """All transactions, in parts whose columns take at most the memory given, or one block."""
    block_bytes = rows.count * WORDS * 8
    most = max(1, memory // max(1, block_bytes)) * BLOCK
    for first in range(0, len(rows), most):
        yield Packed.of(rows, first, most)


def _pack_block(items: Numbers, offsets: Counts, first: int, block: Words) -> None:
    """The twin of the kernel: through a table of bytes, some columns at a time."""
    ends = offsets[first : first + BLOCK + 1]
    owners = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    inside = items[ends[0] : ends[-1]]
    step = max(1, _NUMPY_AT_ONCE // BLOCK)
    for start in range(0, len(block), step):
        some = (inside >= start) & (inside < start + step)
        table = np.zeros((min(step, len(block) - start), BLOCK), dtype=np.uint8)
        table[inside[some] - start, owners[some]] = 1
        packed = np.packbits(table, axis=1, bitorder="little")
        block[start : start + step] = packed.view("<u8")
