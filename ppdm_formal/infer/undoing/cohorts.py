"""Cohorts of Bloom filters: which bits a text sets, by hash functions that a cohort shares.

RAPPOR (Erlingsson, Pihur, Korolova 2014): each client belongs to one of C cohorts, at random, and
sets h of m bits for its text, by the hash functions of its cohort. Here function j of cohort c puts
a text at

    the first 8 bytes of SHA-256("c/j/" text), as a number, modulo m,

and the first h different places count, j = 0, 1, ... So each filter has h bits, as the operator
`rappor` takes it. Cohort and functions are public; what is randomized is the filter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_formal.infer.undoing.counts import Integers


@dataclass(frozen=True)
class Cohorts:
    """C cohorts with filters of m bits, h of which are set.

    >>> some = Cohorts(2, 16, 2)
    >>> some.filter(0, "yes"), some.filter(1, "yes")
    ([7, 13], [10, 15])
    """

    cohorts: int
    bits: int
    hashes: int

    def __post_init__(self) -> None:
        if not (self.cohorts >= 1 and 1 <= self.hashes < self.bits):
            raise ValueError("cohorts set at least one bit of a filter, and not all")

    def filter(self, cohort: int, text: str) -> list[int]:
        """The bits that are set, in order: what a client of `rappor` takes."""
        found: set[int] = set()
        function = 0
        while len(found) < self.hashes:
            named = f"{cohort}/{function}/{text}".encode()
            found.add(int.from_bytes(hashlib.sha256(named).digest()[:8], "big") % self.bits)
            function += 1
        return sorted(found)

    def table(self, texts: Sequence[str]) -> Integers:
        """The filters of many texts in all cohorts: text, cohort, bit."""
        found = [[self.filter(c, text) for c in range(self.cohorts)] for text in texts]
        return np.array(found, dtype=np.int64).reshape(len(texts), self.cohorts, self.hashes)
