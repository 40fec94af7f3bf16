"""Seeds: drawing and expanding them, coins for all items without them, and memory."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.result import Result, median_seconds, run
from ppdm_formal.declare.families.select_a_size import select_a_size, select_a_size_law
from ppdm_formal.design.design import design
from ppdm_formal.design.plan_file import write_plan
from ppdm_formal.run.compress.bch import BCH
from ppdm_formal.run.compress.draw import SeedSampler, uniform_seeds
from ppdm_formal.run.compress.expand import columns, packed_rows
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.kernels import Words
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.keystream import Keystream

ITEMS, SIZE, Q = 100_000, 10, 15
DRAWN = 200_000
LOOPED = 50
"""Transactions that galois is given; its time is then scaled to DRAWN."""

EXPANDED = 4096
FEW, MANY = 500_000, 5_000_000
"""Transactions of the two runs whose memory is compared."""


def measure() -> list[Result]:
    """Ratios within this process, and the memory of the command."""
    return [
        coins(),
        drawing(),
        expanding("BCH, 136 bits", BCH(ITEMS, Q, 1, 1)),
        expanding("polynomials, 255 bits", Polynomial(ITEMS, Q, 1, 4)),
        memory(),
    ]


def baskets(count: int, items: int, size: int) -> np.ndarray:
    """Different items in each row."""
    rng = np.random.default_rng(4)
    found = rng.integers(0, items - size + 1, (count, size))
    return np.sort(found, axis=1) + np.arange(size)


def coins() -> Result:
    """Without seeds: a coin for each of 10,000 items, against NumPy's doubles."""
    items, count = 10_000, 2000
    law = select_a_size_law(select_a_size(items, SIZE, "3/10", cutoff=9, gamma=19))
    assert law is not None
    members, bits = baskets(count, items, SIZE), Keystream()
    generator = np.random.default_rng(1)
    ours = median_seconds(lambda: law.held(members, bits), 9)
    theirs = median_seconds(lambda: generator.random((count, items)) < 0.3, 9)
    return Result(
        f"select-a-size, {count:,} x {items:,} exact cryptographic coins at rho = 3/10, against "
        "random((N, n)) < rho",
        f"{ours:.3f} s, {theirs:.3f} s: {theirs / ours:.1f} times faster",
        "at least 8 times",
        theirs >= 8 * ours,
    )


def drawing() -> Result:
    """Seeds of 136 bits for baskets of 10 of 100,000 items, against galois' row_reduce."""
    import galois

    generator = BCH(ITEMS, Q, 1, 1)
    assert generator.seed_bits == 136
    members = baskets(DRAWN, ITEMS, SIZE).astype(np.uint64)
    held = np.random.default_rng(2).random(members.shape) < 0.5
    sampler, bits = SeedSampler(generator), Keystream()
    sampler.draw(held, members, bits)  # compiled, and the table of functionals made
    ours = median_seconds(lambda: sampler.draw(held, members, bits)) / DRAWN
    rows = generator.functionals(members[:LOOPED].ravel()).view(np.uint8)
    wide = np.unpackbits(rows, axis=-1, bitorder="little")[..., :136].reshape(LOOPED, SIZE, 136)
    systems = np.concatenate([wide, held[:LOOPED, :, None]], axis=2)
    field = galois.GF(2)

    def loop() -> None:
        for system in systems:
            field(system).row_reduce(ncols=136)

    theirs = median_seconds(loop, 3) / LOOPED
    return Result(
        "a seed for 10 of 100,000 items (BCH, 136 bits), against a loop over galois row_reduce",
        f"{1e6 * ours:.2f} us, {1e6 * theirs:.0f} us: {theirs / ours:,.0f} times faster",
        "at least 2,000 times",
        theirs >= 2000 * ours,
    )


def expanding(name: str, generator: Generator) -> Result:
    """All items of seeds as bits, a row a seed, against four Russians in NumPy."""
    seeds = uniform_seeds(EXPANDED, generator.seed_bits, Keystream())
    everything = np.arange(ITEMS, dtype=np.uint64)
    functionals = generator.functionals(everything)
    assert (
        packed_rows(generator, seeds[:64]) == four_russians(generator, functionals, seeds[:64])
    ).all()
    ours = median_seconds(lambda: packed_rows(generator, seeds), 3)
    alone = median_seconds(lambda: columns(generator, seeds, everything), 3)
    theirs = median_seconds(lambda: four_russians(generator, functionals, seeds), 3)
    return Result(
        f"{EXPANDED:,} seeds expanded to {ITEMS:,} items ({name}), against NumPy's four Russians",
        f"{ours:.2f} s (columns {alone:.2f} s), {theirs:.2f} s: {theirs / ours:.1f} times faster",
        "at least 3 times",
        theirs >= 3 * ours,
    )


def four_russians(generator: Generator, functionals: Words, seeds: Words) -> Words:
    """Tables of all sums of eight seed bits, for blocks of items; a gather a byte of the seeds."""
    block = 8192
    digits = seeds.view(np.uint8)[:, : -(-generator.seed_bits // 8)]
    whole = np.zeros((len(seeds), -(-len(functionals) // block) * block // 64), dtype=np.uint64)
    for start in range(0, len(functionals), block):
        part = functionals[start : start + block]
        less = np.zeros((len(seeds), block // 64), dtype=np.uint64)
        for bit in range(generator.bits):
            planes = np.unpackbits(part[:, bit].copy().view(np.uint8), axis=1, bitorder="little")
            padded = np.zeros((planes.shape[1], block), dtype=np.uint8)
            padded[:, : len(part)] = planes.T
            lines = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
            total = np.zeros_like(less)
            table = np.zeros((256, block // 64), dtype=np.uint64)
            for group in range(digits.shape[1]):
                for place in range(8):
                    table[1 << place : 2 << place] = table[: 1 << place] ^ lines[8 * group + place]
                total ^= table[digits[:, group]]
            less = less | ~total if generator.numerator >> bit & 1 else less & ~total
        whole[:, start // 64 : (start + block) // 64] = less
    words = whole[:, : -(-len(functionals) // 64)].copy()
    if len(functionals) % 64:
        words[:, -1] &= np.uint64((1 << len(functionals) % 64) - 1)
    return words


def memory() -> Result:
    """Ppdm randomize --compress on 5 million transactions takes the memory of 500,000."""
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.json"
        plan.write_text(write_plan(design([3], MANY, "5%", "50%", 2, 10_000)))
        peaks = {}
        for count in (FEW, MANY):
            source = Path(folder) / "in.dat"
            rows = baskets(100_000, 10_000, 3)
            text = "".join(f"{a} {b} {c}\n" for a, b, c in rows.tolist())
            with source.open("w") as file:
                for _ in range(count // len(rows)):
                    file.write(text)
            target = Path(folder) / "out.seeds"
            command = ["-m", "ppdm_formal.cli", "randomize", str(source), "-o", str(target)]
            peaks[count] = run([sys.executable, *command, "--plan", str(plan), "--compress"])
        few, many = (peaks[count].memory / 2**20 for count in (FEW, MANY))
        size = target.stat().st_size / MANY
    return Result(
        f"ppdm randomize --compress on {MANY:,} transactions, memory against {FEW:,}",
        f"{many:.0f} MB, {few:.0f} MB; {peaks[MANY].seconds:.0f} s, {size:.1f} bytes a transaction",
        "at most 1.25 times",
        many <= 1.25 * few,
    )
