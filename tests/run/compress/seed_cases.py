"""Generators small enough to enumerate, and what a seed holds, from the definition alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from draw_oracle import Path

from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.polynomial import Polynomial


@dataclass(frozen=True)
class Scattered(Generator):
    """Every item's bits are seed bits of its own, mixed by an invertible matrix: q = n."""

    name: ClassVar[str] = "scattered"

    @property
    def seed_bits(self):
        return self.items * self.bits

    def functionals(self, items):
        k = self.seed_bits
        matrix = [(1 << row) | (0b1011 << row + 1) for row in range(k)]  # unit upper triangle
        found = np.zeros((len(items), self.bits, self.words), dtype=np.uint64)
        for place, item in enumerate(items.tolist()):
            for bit in range(self.bits):
                whole = matrix[item * self.bits + bit] & ((1 << k) - 1)
                for word in range(self.words):
                    found[place, bit, word] = whole >> 64 * word & (1 << 64) - 1
        return found


SMALL = [
    Polynomial(4, 3, 1, 1),
    Polynomial(4, 3, 3, 2),
    Polynomial(3, 1, 3, 3),
    Scattered(4, 4, 1, 1),
    Scattered(3, 3, 3, 2),
]
LARGE = [
    Polynomial(100_000, 15, 1, 4),
    Polynomial(1000, 12, 1, 1),
    Polynomial(5000, 5, 40_001, 16),
    Polynomial(1 << 40, 4, 3, 2),
    Scattered(70, 70, 1, 2),
]


def held_by(generator, seeds):
    """All items of each seed: v_i < a with v_i read off bit by bit. seeds: integers."""
    rows = generator.functionals(np.arange(generator.items, dtype=np.uint64))
    found = []
    for seed in seeds:
        values = [
            sum(
                (sum(int(w) << 64 * n for n, w in enumerate(row)) & seed).bit_count() % 2 << bit
                for bit, row in enumerate(item)
            )
            for item in rows
        ]
        found.append(frozenset(i for i, v in enumerate(values) if v < generator.numerator))
    return found


def as_integers(seeds):
    return [sum(int(word) << 64 * place for place, word in enumerate(seed)) for seed in seeds]


def as_words(integers, words):
    whole = [[seed >> 64 * place & (1 << 64) - 1 for place in range(words)] for seed in integers]
    return np.array(whole, dtype=np.uint64).reshape(-1, words)


class Enumerated(Path):
    """Elementary draws and short random words, all answered from a list of outcomes."""

    width = 3

    def words(self, count):
        each = [Fraction(1, 1 << self.width)] * (1 << self.width)
        return np.array([self.one(each) for _ in range(count)], dtype=np.uint64)

    def choose(self, steps, count):
        return self.settle(steps, np.zeros(count, dtype=np.uint64))
