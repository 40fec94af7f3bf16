"""A hash function's number and a bucket as a report: two whole numbers.

The functions are the universal family of Carter and Wegman (1979) on 0..p-1, p a prime:

    H[a, b](x) = ((a x + b) mod p) mod g,    a = 1..p-1,    b = 0..p-1,    number (a - 1) p + b

For any two different values, ax + b and ax' + b are two different numbers, each such pair once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.report import Batch, Integers, NotAReport, Report, Truths

_PAIR = re.compile(r"\s*\(\s*(\d{1,18})\s*,\s*(\d{1,9})\s*\)\s*", re.ASCII)

_BLOCK = 1 << 22
"""Values that are hashed at a time where nothing is compiled."""


@dataclass(frozen=True)
class Functions:
    """The family: values 0..k-1, the prime p >= k, and g buckets.

    >>> ten = Functions(10, 11, 4)
    >>> ten.count, str(ten.collision), ten.bucket(0, 3)
    (110, '2/11', 3)
    """

    values: int
    prime: int
    buckets: int

    @property
    def count(self) -> int:
        """P (p - 1)."""
        return self.prime * (self.prime - 1)

    @property
    def collision(self) -> Fraction:
        """How likely two different values fall in one bucket: exactly, and at most 1/g.

        Of the p (p - 1) pairs of different numbers below p, those that are equal modulo g: r
        buckets hold c + 1 numbers and g - r hold c, where p = c g + r.
        """
        c, r = divmod(self.prime, self.buckets)
        return Fraction((c + 1) * c * r + c * (c - 1) * (self.buckets - r), self.count)

    def bucket(self, number: int, value: int) -> int:
        """The bucket that function `number` puts a value in."""
        a, b = divmod(number, self.prime)
        return ((a + 1) * value + b) % self.prime % self.buckets

    def hashed(self, numbers: Integers, values: Integers) -> Integers:
        """The same for arrays."""
        a, b = np.divmod(numbers, self.prime)
        return ((a + 1) * values + b) % self.prime % self.buckets


@dataclass(frozen=True)
class HashedReport(Report):
    """All pairs of a function of the family and a bucket.

    >>> ten = HashedReport(Functions(10, 11, 4))
    >>> ten.texts(ten.of_json([[109, 3]])), ten.width
    (['(109, 3)'], 12)
    """

    functions: Functions
    kind: ClassVar[str] = "hashed"

    def to_json(self) -> dict[str, Any]:
        """The family of functions."""
        return {"kind": self.kind, **vars(self.functions)}

    @property
    def _says(self) -> str:
        return (
            f"not a hash function's number 0 to {self.functions.count - 1:,} "
            f"and a bucket 0 to {self.functions.buckets - 1:,}"
        )

    @property
    def width(self) -> int:
        """Eight bytes and four."""
        return 12

    def encoded(self, value: Value) -> Any:
        """The two numbers."""
        return self.of_values([value])[0].tolist()

    def of_json(self, sent: Sequence[object]) -> Batch:
        """Lists of two numbers."""
        rows = np.zeros((len(sent), 2), dtype=np.int64)
        for place, one in enumerate(sent):
            if not isinstance(one, list) or len(one) != 2 or not all(type(n) is int for n in one):
                raise NotAReport(place, self._says)
            if not (0 <= one[0] < self.functions.count and 0 <= one[1] < self.functions.buckets):
                raise NotAReport(place, self._says)
            rows[place] = one
        return rows

    def texts(self, batch: Batch) -> list[str]:
        """As tuples are written: (109, 3)."""
        return [f"({number}, {bucket})" for number, bucket in batch.tolist()]

    def of_texts(self, cells: Sequence[str]) -> Batch:
        """From tuples."""
        found = [_PAIR.fullmatch(cell) for cell in cells]
        return self.of_json([None if one is None else [int(one[1]), int(one[2])] for one in found])

    def values(self, batch: Batch) -> list[Value]:
        """Tuples."""
        return [(number, bucket) for number, bucket in batch.tolist()]

    def of_values(self, outputs: Sequence[Value]) -> Batch:
        """From tuples."""
        return self.of_json([list(one) if isinstance(one, tuple) else None for one in outputs])

    def check(self, batch: Batch) -> None:
        """Both in their ranges."""
        if batch.ndim != 2 or batch.shape[1] != 2:
            raise NotAReport(0, self._says)
        limits = np.array([self.functions.count, self.functions.buckets])
        wrong = ((batch < 0) | (batch >= limits)).any(axis=1)
        if wrong.any():
            raise NotAReport(int(np.argmax(wrong)), self._says)

    @property
    def outputs(self) -> int:
        """Functions times buckets."""
        return self.functions.count * self.functions.buckets

    def positions(self, batch: Batch) -> Integers:
        """By function, then by bucket."""
        if self.outputs >= 1 << 62:
            raise TooLarge("pairs of a function and a bucket are too many to number")
        return batch[:, 0] * self.functions.buckets + batch[:, 1]

    @property
    def supported(self) -> int:
        """The values that are hashed."""
        return self.functions.values

    def supports(self, batch: Batch) -> Truths:
        """The values in the bucket."""
        held = self.functions.hashed(batch[:, :1], np.arange(self.functions.values))
        return np.asarray(held == batch[:, 1:])

    def add_supports(self, batch: Batch, counts: Integers) -> None:
        """How many reports' functions put each value in the report's bucket.

        Of each report the numbers v = bucket, bucket + g, ... below p are gone through, and the
        values x with ax + b = v: p/g steps, not k.
        """
        shape = self.functions
        kernel = compiled(_add_supports)
        if kernel is not None:
            kernel(batch, shape.prime, shape.buckets, counts)
            return
        values = np.arange(shape.values)
        step = max(1, _BLOCK // shape.values)
        for start in range(0, len(batch), step):
            some = batch[start : start + step]
            held = shape.hashed(some[:, :1], values) == some[:, 1:]
            counts += held.sum(axis=0)


def _add_supports(batch: Batch, prime: int, buckets: int, counts: Integers) -> None:
    """See HashedReport.add_supports; a^-1 by Euclid, then x grows by g / a modulo p."""
    values = counts.shape[0]
    for row in range(batch.shape[0]):
        number, bucket = batch[row, 0], batch[row, 1]
        a, b = number // prime + 1, number % prime
        old, rest, before, inverse = prime, a, 0, 1
        while rest != 1:
            times = old // rest
            old, rest = rest, old - times * rest
            before, inverse = inverse, before - times * inverse
        inverse %= prime
        many = (prime - bucket + buckets - 1) // buckets if bucket < prime else 0
        x = (bucket - b) % prime * inverse % prime
        step = buckets % prime * inverse % prime
        for _ in range(many):
            if x < values:
                counts[x] += 1
            x += step
            if x >= prime:
                x -= prime
