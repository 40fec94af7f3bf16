"""Generator: a (Seed, n, q, rho)-pseudorandom generator (EGS03 Definition 5), linear over GF(2).

Seeds are the strings of k bits, rho = a/2^b. An item i has b linear functionals of the seed; they
are the bits of a number v_i, lowest first, and i is in tau(seed) iff v_i < a. Any q items' b q
functionals are linearly independent, so for a uniform seed the v_i of any q items are
independent and uniform on 0..2^b - 1, which gives both properties of Definition 5.

Functionals of all items of a generator, made once where they are not too many to keep.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.design.seed_size import MAX_BITS, MAX_STRENGTH, SIZES
from ppdm_formal.run.compress.field import Field, Words

MAX_ITEMS = 1 << 64
"""Items are numbered in 64 bits."""


@dataclass(frozen=True)
class Generator(ABC):
    """q-wise independent choices among items 0..n - 1, each with probability a/2^b."""

    items: int
    q: int
    numerator: int
    bits: int

    name: ClassVar[str]

    def __post_init__(self) -> None:
        if not 1 <= self.items <= MAX_ITEMS:
            raise ValueError(f"a generator has from 1 to 2^64 items, not {self.items}")
        if not 1 <= self.bits <= MAX_BITS or not 0 < self.numerator < 1 << self.bits:
            raise ValueError(
                f"{self.numerator}/2^{self.bits}: rho must be a/2^b between 0 and 1, "
                f"b from 1 to {MAX_BITS}"
            )
        if not 1 <= self.q <= min(self.items, MAX_STRENGTH):
            raise ValueError(
                f"{self.q} of {self.items} items: q must be from 1 to the number of items, "
                f"and at most {MAX_STRENGTH}"
            )
        assert self.seed_bits > 0  # refuses what does not exist

    @cached_property
    def seed_bits(self) -> int:
        """How many bits a seed has, k."""
        found = SIZES[self.name](self.items, self.bits, self.q)
        if found is None:
            raise ValueError(f"no {self.name} generator has {self.items} items and q = {self.q}")
        return found

    @abstractmethod
    def functionals(self, items: Words) -> Words:
        """[item, bit of v, word]: the functionals as rows of bits.

        Bit j of the seed is bit j % 64 of word j // 64.
        """

    @property
    def insert(self) -> Fraction:
        """The probability of an item, rho = a/2^b."""
        return Fraction(self.numerator, 1 << self.bits)

    @property
    def words(self) -> int:
        """How many words a seed takes."""
        return -(-self.seed_bits // 64)

    def parameters(self) -> dict[str, Any]:
        """What a kind of generator has beside n, q, a and b: its field, if any."""
        return {}

    def to_json(self) -> dict[str, Any]:
        """The generator as files and clients need it."""
        return {
            "name": self.name,
            "items": self.items,
            "q": self.q,
            "numerator": self.numerator,
            "bits": self.bits,
            "seed_bits": self.seed_bits,
            **self.parameters(),
        }

    def _checked(self, items: Words) -> Words:
        """The items' numbers, all below n."""
        found = np.asarray(items, dtype=np.uint64)
        if found.ndim != 1:
            raise ValueError("the items of a generator are a list of numbers")
        if found.size and int(found.max()) >= self.items:
            raise ValueError(f"item {int(found.max())} is not one of 0..{self.items - 1}")
        return found


@dataclass(frozen=True)
class FieldGenerator(Generator):
    """A generator whose items are points of GF(2^r)."""

    @property
    @abstractmethod
    def degree(self) -> int:
        """The field's degree r."""

    @cached_property
    def field(self) -> Field:
        """GF(2^r)."""
        return Field(self.degree)

    def parameters(self) -> dict[str, Any]:
        """The field."""
        return {"degree": self.degree, "modulus": self.field.modulus}


def place(rows: Words, start: int, values: Words, width: int) -> None:
    """Add `values`, of `width` bits, to rows of words from bit `start` on.

    >>> rows = np.zeros((1, 2), dtype=np.uint64)
    >>> place(rows, 62, np.array([7], dtype=np.uint64), 3)
    >>> [int(word) for word in rows[0]]
    [13835058055282163712, 1]
    """
    word, shift = divmod(start, 64)
    rows[:, word] ^= values << np.uint64(shift)
    if shift + width > 64:
        rows[:, word + 1] ^= values >> np.uint64(64 - shift)


def parities(rows: Words, seeds: Words) -> Words:
    """The bits <row, seed> over GF(2), broadcast over all but the last axis (words)."""
    found: Words = np.bitwise_xor.reduce(rows & seeds, axis=-1)
    for shift in (32, 16, 8, 4, 2, 1):
        found = found ^ (found >> np.uint64(shift))
    return found & np.uint64(1)


def values(generator: Generator, seeds: Words, items: Words) -> Words:
    """v[seed, item], plainly from the definition; seeds: [seed, word]."""
    rows = generator.functionals(items)
    found = np.zeros((len(seeds), len(rows)), dtype=np.uint64)
    for bit in range(generator.bits):
        found |= parities(rows[None, :, bit], seeds[:, None]) << np.uint64(bit)
    return found


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
