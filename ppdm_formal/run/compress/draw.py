"""Seeds drawn for transactions: exactly uniform among those that keep what is to be kept.

The values of a transaction's m items are drawn first: below a for an item that is to be in the
report, at least a for one that is not, uniformly. They fix b m independent linear equations over
GF(2). A uniform seed is then moved to a solution by a linear map that moves the same number of
seeds to each solution, so the result is uniform among them (EGS03 section 5, step 3).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.threads import in_threads, processors
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.run.compress import kernels
from ppdm_formal.run.compress.generator import Generator, kept_table
from ppdm_formal.run.compress.kernels import Words

BLOCK_BYTES = 1 << 25
"""What the equations of a block of transactions may take."""


class SeedSampler:
    """Draws seeds of one generator."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self._looked_up = 0

    def draw(
        self, held: npt.NDArray[np.bool_], members: npt.NDArray[np.uint64], bits: Bits
    ) -> Words:
        """A seed for each row: of its items, exactly those where `held` says so are in the report.

        members: the items of each transaction, all different.
        """
        generator = self.generator
        if members.shape != held.shape or members.ndim != 2:
            raise ValueError("which items stay is not said for each item")
        if members.shape[1] > generator.q:
            raise ValueError(
                f"transactions of {members.shape[1]} items, and the generator is "
                f"{generator.q}-wise independent"
            )
        words = generator.words
        found = np.empty((len(members), words), dtype=np.uint64)
        step = max(64, BLOCK_BYTES // (8 * (words + 1) * generator.bits * max(1, members.shape[1])))
        for start in range(0, len(members), step):
            rows = slice(start, start + step)
            found[rows] = self._block(held[rows], members[rows], bits)
        return found

    def _block(
        self, held: npt.NDArray[np.bool_], members: npt.NDArray[np.uint64], bits: Bits
    ) -> Words:
        values = drawn_values(held, self.generator.numerator, self.generator.bits, bits)
        seeds = uniform_seeds(len(held), self.generator.seed_bits, bits)
        functionals, places = self._functionals(members)
        wrong = _solve(functionals, places, values, seeds)
        if wrong >= 0:
            raise ValueError(f"transaction {wrong} of a block has an item twice, or none at all")
        return seeds

    def _functionals(self, members: npt.NDArray[np.uint64]) -> tuple[Words, npt.NDArray[np.int64]]:
        """Functionals of items, and where those of each member are among them."""
        generator = self.generator
        if members.size and int(members.max()) >= generator.items:
            raise ValueError(f"an item is not among 0..{generator.items - 1}")
        self._looked_up += members.size
        if self._looked_up >= generator.items:
            table = kept_table(generator, replacing=False)
            if table is not None:
                return table, members.astype(np.int64)
        different, places = np.unique(members, return_inverse=True)
        return generator.functionals(different), places.reshape(members.shape).astype(np.int64)


def draw_seeds(
    generator: Generator,
    held: npt.NDArray[np.bool_],
    members: npt.NDArray[np.uint64],
    bits: Bits,
) -> Words:
    """Seeds for some transactions; see SeedSampler, which is for many blocks of them."""
    return SeedSampler(generator).draw(held, members, bits)


def drawn_values(
    held: npt.NDArray[np.bool_], numerator: int, width: int, bits: Bits
) -> npt.NDArray[np.uint32]:
    """Uniform in 0..a-1 where the item is held, in a..2^b-1 where it is not."""
    below = np.where(held, numerator, (1 << width) - numerator).astype(np.int64)
    start = np.where(held, 0, numerator).astype(np.uint32)
    if below.size == 0 or below.max() == 1:  # rho = 1/2: nothing is left to draw
        return start
    drawn = bits.lanes(32).below(below.ravel())
    return start + drawn.astype(np.uint32).reshape(held.shape)


def uniform_seeds(count: int, seed_bits: int, bits: Bits) -> Words:
    """Seeds of so many uniform bits, the others zero."""
    words = -(-seed_bits // 64)
    found = np.zeros((count, words), dtype=np.uint64)
    if bits.width == 64:
        found[:] = bits.words(count * words).reshape(count, words)
    else:  # shorter words, of tests, fill up 64 bits
        pieces = -(-seed_bits // bits.width)
        drawn = bits.words(count * pieces).reshape(count, pieces).astype(object)
        whole = sum(drawn[:, k] << (k * bits.width) for k in range(pieces))
        for word in range(words):
            found[:, word] = np.asarray((whole >> 64 * word) & 0xFFFF_FFFF_FFFF_FFFF, np.uint64)
    if seed_bits % 64:
        found[:, -1] &= np.uint64((1 << seed_bits % 64) - 1)
    return found


def _solve(
    functionals: Words,
    places: npt.NDArray[np.int64],
    values: npt.NDArray[np.uint32],
    seeds: Words,
) -> int:
    """In place; -1, or a row whose equations depend on each other."""
    kernel = kernels.compiled(kernels.solve)
    if kernel is None:
        return solve_by_numpy(functionals, places, values, seeds)
    step = max(256, -(-len(places) // processors()))
    starts = range(0, len(places), step)
    wrong = []

    def part(start: int) -> None:
        rows = slice(start, start + step)
        found = kernel(functionals, places[rows], values[rows], seeds[rows])
        if found >= 0:
            wrong.append(start + int(found))

    in_threads(part, starts)
    return min(wrong, default=-1)


def solve_by_numpy(
    functionals: Words,
    places: npt.NDArray[np.int64],
    values: npt.NDArray[np.uint32],
    seeds: Words,
) -> int:
    """The same steps as kernels.solve, each for all rows at once."""
    count, items = places.shape
    bits = functionals.shape[1]
    rows = np.arange(count)
    matrix = functionals[places].reshape(count, items * bits, -1)
    shifts = np.arange(bits, dtype=np.uint32)
    wanted = ((values[:, :, None] >> shifts) & np.uint32(1)).astype(bool).reshape(count, -1)
    where = np.empty((items * bits, count), dtype=np.int64)
    pivot = np.empty((items * bits, count), dtype=np.uint64)
    for this in range(items * bits):
        equation = matrix[:, this]
        filled = equation != 0
        if not filled.any(axis=1).all():
            return int(np.argmin(filled.any(axis=1)))
        where[this] = np.argmax(filled, axis=1)
        first = equation[rows, where[this]]
        pivot[this] = first & (~first + np.uint64(1))
        later = matrix[:, this + 1 :]
        there = (later[rows, :, where[this]] & pivot[this][:, None]) != 0
        later ^= np.where(there[:, :, None], equation[:, None, :], np.uint64(0))
        wanted[:, this + 1 :] ^= there & wanted[:, this : this + 1]
    for this in reversed(range(items * bits)):
        total = np.bitwise_xor.reduce(matrix[:, this] & seeds, axis=1)
        for shift in (32, 16, 8, 4, 2, 1):
            total ^= total >> np.uint64(shift)
        flip = (total & np.uint64(1)).astype(bool) != wanted[:, this]
        seeds[rows[flip], where[this][flip]] ^= pivot[this][flip]
    return -1
