"""Assignment: which group of a plan a client belongs to; by a coin or its identifier.

It never depends on the client's basket, so every group is a random sample of all clients, and
which group a client is in says nothing about it. By identifier, u = SHA-256(key:identifier) /
2^256 takes the place of the coin: the same client always falls in the same group. With two
phases this is needed: a client that takes part in both would report twice.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

import numpy as np

from ppdm_formal.declare.operators.cut import Steps, weights
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.run.baskets import Integers
from ppdm_formal.run.released_baskets import GroupBy

DIGEST_BITS = 256


@dataclass(frozen=True)
class Assignment:
    """Shares of the groups, in order, and what a client's group depends on.

    key: text that is hashed before the identifier, so that plans assign independently.

    >>> split = Assignment((Fraction(1, 3), Fraction(2, 3)), "identifier", "a plan")
    >>> split.of_identifiers(["ann", "amy", "bob", "amy"]).tolist()
    [1, 0, 1, 0]
    """

    shares: tuple[Fraction, ...]
    by: GroupBy
    key: str = ""

    def __post_init__(self) -> None:
        if sum(self.shares) != 1 or min(self.shares) <= 0:
            raise ValueError("the shares of the groups are positive and sum to 1")

    def drawn(self, count: int, bits: Bits) -> Integers:
        """The groups of so many clients, by exact coins."""
        if len(self.shares) == 1:
            return np.zeros(count, dtype=np.int64)
        return bits.choose(Steps.of_weights(*weights(self.shares), bits.width), count)

    def of_identifiers(self, identifiers: Iterable[object]) -> Integers:
        """The groups of clients with these identifiers (their text is hashed)."""
        found = [bisect_right(self.cuts, hashed(self.key, str(one))) for one in identifiers]
        return np.array(found, dtype=np.int64)

    @cached_property
    def cuts(self) -> Sequence[int]:
        """The least hash of each group but the first: sums of shares, times 2^256, rounded up."""
        ends = list(accumulate(self.shares))[:-1]
        return [math.ceil(end * (1 << DIGEST_BITS)) for end in ends]


def hashed(key: str, identifier: str) -> int:
    """The identifier's number, 0 <= number < 2^256."""
    digest = hashlib.sha256(f"{key}:{identifier}".encode()).digest()
    return int.from_bytes(digest, "big")
