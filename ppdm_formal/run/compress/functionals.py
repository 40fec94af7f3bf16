"""Functionals of all items of a generator, made once where they are not too many to keep."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.kernels import Words

TABLE_BYTES = 1 << 28
"""Largest table that is kept."""

KEPT = 4
"""Tables that are kept: the parts of a file come one after the other."""


def has_table(generator: Generator) -> bool:
    """Whether the functionals of all items are few enough to keep."""
    return generator.items * 8 * generator.bits * generator.words <= TABLE_BYTES


@lru_cache(maxsize=KEPT)
def table(generator: Generator) -> Words:
    """[item, bit, word] for all items; see has_table."""
    found = generator.functionals(np.arange(generator.items, dtype=np.uint64))
    found.flags.writeable = False
    return found


def functionals_from(generator: Generator, first: int, end: int) -> Words:
    """[item, bit, word] for the items first..end - 1."""
    if has_table(generator):
        return table(generator)[first:end]
    return generator.functionals(np.arange(first, end, dtype=np.uint64))
