"""Functionals of all items of a generator, made once where they are not too many to keep."""

from __future__ import annotations

import threading

import numpy as np

from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.kernels import Words

TABLE_BYTES = 1 << 28
"""What all tables together may take."""

_tables: dict[Generator, Words] = {}
_lock = threading.Lock()


def kept_table(generator: Generator, replacing: bool) -> Words | None:
    """[item, bit, word] for all items; None where there is no room for it.

    replacing: whether older tables make room. Sizes that come again and again, block by block,
    must not, or each would push out the next.
    """
    with _lock:
        found = _tables.get(generator)
        if found is not None:
            return found
        size = generator.items * 8 * generator.bits * generator.words
        if size > TABLE_BYTES:
            return None
        while sum(one.nbytes for one in _tables.values()) + size > TABLE_BYTES:
            if not replacing:
                return None
            _tables.pop(next(iter(_tables)))
        made = generator.functionals(np.arange(generator.items, dtype=np.uint64))
        made.flags.writeable = False
        _tables[generator] = made
        return made
