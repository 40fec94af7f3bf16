"""Mining: dense pairs and sparse itemsets against pyfim, and all pairs against the popcount peak.

pyfim's miners take lists of Python objects, and reading a file into such lists is part of mining
it. The engine takes arrays, and packing them into columns of bits is part of counting. Kernels are
compiled before anything is timed.
"""

from __future__ import annotations

import gc
import lzma
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.result import Result, median_seconds, run
from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.declare.machine.threads import in_threads, processors
from ppdm_formal.infer.baskets.counting import Candidates, counts_of
from ppdm_formal.infer.baskets.packed import BLOCK, WORDS, Packed
from ppdm_formal.infer.baskets.plain import mine_plain
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.run.market import Market

ITEMS = 500
DENSE = 200_000
MILLION = 1_000_000
MINERS = ("apriori", "eclat", "fpgrowth", "relim", "sam")
PEAK_WORDS, PEAK_ROUNDS = 512, 40_000
MIB = 1 << 20


def measure() -> list[Result]:
    """A sparse file, dense pairs, and the peak."""
    try:
        import fim  # noqa: F401
    except ImportError:
        missing = "pyfim is not installed (pip install pyfim)"
        return [Result("mining against pyfim", missing, "", False)]
    # What this process uses would count for the command that it starts: that comes first.
    return [*_sparse(), _dense(), _peak()]


def _pairs() -> Candidates:
    first, second = np.triu_indices(ITEMS, 1)
    return Candidates.of(np.stack([first, second], axis=1).astype(np.int32))


def _dense() -> Result:
    """All pairs of 500 items, each present with probability 0.3."""
    import fim

    held = np.random.default_rng(1).random((DENSE, ITEMS), dtype=np.float32) < 0.3
    rows = Rows.joined(np.nonzero(held)[1].astype(np.int32), held.sum(axis=1), ITEMS)
    names = list(range(ITEMS))  # the lists share their numbers
    lists = [[names[item] for item in np.flatnonzero(row)] for row in held]
    del held
    candidates = _pairs()
    counts = counts_of(Packed.of(rows), candidates)
    ours = median_seconds(lambda: counts_of(Packed.of(rows), candidates))
    start = time.perf_counter()
    found = fim.apriori(lists, target="s", supp=1, zmin=2, zmax=2, report="a")
    theirs = time.perf_counter() - start
    known = {tuple(sorted(items)): count for items, count in found}
    pairs = zip(*np.triu_indices(ITEMS, 1), counts.tolist(), strict=True)
    if known != {(int(a), int(b)): count for a, b, count in pairs}:
        raise AssertionError("pyfim counts otherwise")
    return Result(
        f"{DENSE:,} transactions, {ITEMS} items at 0.3: all pairs, against pyfim's apriori",
        f"{ours:.3f} s, packing included, against {theirs:.2f} s: {theirs / ours:.0f} times faster",
        "8 times faster",
        theirs >= 8 * ours,
    )


def _and_ones(a: np.ndarray, b: np.ndarray, rounds: int) -> int:
    """The bits of a & b counted again and again: the peak that counting can reach."""
    total = np.uint64(0)
    for _ in range(rounds):
        for word in range(a.shape[0]):
            x = a[word] & b[word]
            x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
            x = (x & np.uint64(0x3333333333333333)) + (
                (x >> np.uint64(2)) & np.uint64(0x3333333333333333)
            )
            x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
            total += (x * np.uint64(0x0101010101010101)) >> np.uint64(56)
        a[0] ^= total  # or one round would do for all
    return total


def _peak() -> Result:
    """All pairs of 500 items in a million transactions, against words that stay in the cache."""
    draw = np.random.default_rng(2)
    kernel = compiled(_and_ones)
    if kernel is None:
        raise RuntimeError("the benchmark of mining needs numba")
    shape = (processors(), 2, PEAK_WORDS)
    some = draw.integers(0, 1 << 63, shape, dtype=np.uint64)
    blocks = draw.integers(0, 1 << 63, (-(-MILLION // BLOCK), ITEMS, WORDS), dtype=np.uint64)
    packed, candidates = Packed(blocks, MILLION), _pairs()

    def at_peak() -> None:
        in_threads(lambda part: kernel(*some[part], PEAK_ROUNDS), range(processors()))

    peak = processors() * PEAK_WORDS * PEAK_ROUNDS / min(_seconds(at_peak) for _ in range(4))
    taken = min(_seconds(lambda: counts_of(packed, candidates)) for _ in range(3))
    rate = len(candidates) * blocks.shape[0] * WORDS / taken
    return Result(
        f"{MILLION:,} transactions, all pairs of {ITEMS} items, against the popcount peak",
        f"{taken:.2f} s, {rate / 1e9:.1f} of {peak / 1e9:.1f} billion words/s "
        f"({peak / rate:.2f} times), {blocks.nbytes / MIB:.0f} MiB of columns",
        "within 2 times",
        peak <= 2 * rate,
    )


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _sparse() -> list[Result]:
    """T10I4D100K at 0.5%, from the file to itemsets; a made-up market where it is not there."""
    import fim

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sparse.dat")
        known = Path(os.environ.get("PPDM_DATA", folder), "T10I4D100K.dat.xz")
        if known.exists():
            file.write_bytes(lzma.decompress(known.read_bytes()))
        else:
            Market(100_000, 1000, seed=1).write(file)
        name = "T10I4D100K" if known.exists() else "a market like T10I4D100K"

        def theirs(miner: str) -> list[object]:
            with file.open() as lines:
                read = [line.split() for line in lines]
            return getattr(fim, miner)(read, target="s", supp=0.5, report="a")

        def ours() -> list[tuple[tuple[str, ...], int]]:
            return [(one.items, one.count) for one in mine_plain(file, "0.5%").itemsets()]

        truth = {tuple(sorted(items)): count for items, count in theirs("eclat")}  # type: ignore[misc]
        if {tuple(sorted(items)): count for items, count in ours()} != truth:
            raise AssertionError("pyfim finds other itemsets")
        gc.collect()
        taken = median_seconds(ours)
        peers = {miner: median_seconds(lambda m=miner: theirs(m), 3) for miner in MINERS}  # type: ignore[misc]
        best = min(peers, key=peers.__getitem__)
        whole = run(
            [sys.executable, "-m", "ppdm_formal.cli", "mine", str(file), "--plain",
             "--min-support", "0.5%", "--json", str(Path(folder, "out.json"))]
        )  # fmt: skip
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        Result(
            f"{name} at 0.5%, file to {len(truth):,} itemsets, against pyfim's miners",
            f"{taken:.3f} s against {peers[best]:.3f} s ({best}): {taken / peers[best]:.2f} times",
            "within 1.5 times",
            taken <= 1.5 * peers[best],
        ),
        Result(
            "the same as a command, with its start (compiled kernels at hand)",
            f"{whole.seconds:.1f} s, {whole.memory / MIB:.0f} MiB; this benchmark {own:.0f} MiB",
            "under 512 MiB",
            whole.memory < 512 * MIB,
        ),
    ]
