"""Simulation: words from a seeded generator, for experiments and tests that must repeat.

Whoever knows the seed knows every draw: it must never randomize a real client's data. What is
drawn is compared with the same cuts by the same code as cryptographic words are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.draw import Bits

Values = TypeVar("Values")


class Simulation(Bits):
    """Words of NumPy's PCG64, the same for the same seed.

    >>> Simulation(7).words(3).tolist() == Simulation(7).words(3).tolist()
    True
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._generator = np.random.PCG64(seed)

    def words(self, count: int) -> npt.NDArray[np.unsignedinteger]:
        """The next words of the stream."""
        return np.asarray(self._generator.random_raw(count), dtype=np.uint64)


@dataclass(frozen=True)
class Simulated(Generic[Values]):
    """Values drawn with a seed, which is part of the result so that nobody takes it for private."""

    values: Values
    seed: int
