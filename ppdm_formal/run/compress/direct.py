"""Direct: every item has b bits of its own, where q is so near to n that nothing is shorter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ppdm_formal.run.compress.field import Words
from ppdm_formal.run.compress.generator import Generator


@dataclass(frozen=True)
class Direct(Generator):
    """Item i has bits b i, ..., b i + b - 1 of the seed; all items are independent."""

    name: ClassVar[str] = "direct"

    def functionals(self, items: Words) -> Words:
        """Unit vectors."""
        first = self._checked(items).astype(np.int64) * self.bits
        places = first[:, None] + np.arange(self.bits)
        found = np.zeros((*places.shape, self.words), dtype=np.uint64)
        rows, bits = np.indices(places.shape)
        found[rows, bits, places // 64] = np.uint64(1) << (places % 64).astype(np.uint64)
        return found
