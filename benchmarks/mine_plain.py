"""Plain mining against pyfim's fastest miner: five public data sets at three supports each.

Times are processor seconds. Ours is one thread from a file to arrays of itemsets; pyfim's miners
take lists of Python objects and give tuples, and are timed without reading the file. All itemsets
and counts are compared. pyfim leaves out single items that all transactions hold.
"""

from __future__ import annotations

import gc
import lzma
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.result import Result
from ppdm_formal.declare.machine.threads import one_thread, processors
from ppdm_formal.infer.baskets.mined import Mined
from ppdm_formal.infer.baskets.plain import mine_plain

MINERS = ("fpgrowth", "eclat", "sam", "relim", "apriori")
DATA = {
    "retail.dat.xz": (100, 20, 6),
    "T10I4D100K.dat.xz": (500, 20, 7),
    "letRecog.D106.N20000.C26.num.xz": (2000, 400, 135),
    "adult.D97.N48842.C2.num.xz": (10_000, 1000, 250),
    "penDigits.D89.N10992.C10.num.xz": (1100, 350, 80),
}
"""The lowest count gives about a million itemsets."""

FIRST = """
import sys, time
from ppdm_formal.infer.baskets.plain import mine_plain
before = time.process_time()
mine_plain(sys.argv[1], int(sys.argv[2]))
print(time.process_time() - before)
"""


def measure() -> list[Result]:
    """Every data set at every support; what compiling the kernels for the first time costs."""
    try:
        import fim  # noqa: F401
    except ImportError:
        missing = "pyfim is not installed (pip install pyfim)"
        return [Result("plain mining against pyfim", missing, "", False)]
    folder = os.environ.get("PPDM_DATA")
    if not folder:
        missing = "PPDM_DATA names no folder with real data"
        return [Result("plain mining against pyfim", missing, "", False)]
    mine_plain([[1, 2], [1, 2]], 1)
    found = []
    with tempfile.TemporaryDirectory() as work:
        for name, counts in DATA.items():
            file = Path(work, name.split(".")[0] + ".dat")
            file.write_bytes(lzma.decompress(Path(folder, name).read_bytes()))
            with file.open() as lines:
                rows = [line.split() for line in lines]
            found += [_one(file, rows, least) for least in counts]
        found.append(_first_time(file, DATA[name][-1], Path(work, "cache")))
    return found


def _one(file: Path, rows: list[list[str]], least: int) -> Result:
    mined = mine_plain(file, least)
    peers = {}
    for miner in MINERS:
        peers[miner], theirs = _seconds(lambda m=miner: _theirs(m, rows, least))  # type: ignore[misc]
        if miner == MINERS[0]:
            _compare(mined, theirs)
        del theirs
    best = min(peers, key=peers.__getitem__)
    peer = min(peers[best], *(_seconds(lambda: _theirs(best, rows, least))[0] for _ in range(2)))
    alone, both = (min(_seconds(way)[0] for _ in range(3)) for way in _ways(file, least))
    return Result(
        f"{file.stem}, held {least:,} times: {len(mined):,} itemsets, against pyfim's {best}",
        f"{alone:.3f} s in one thread, {both:.3f} s in {processors()}, against {peer:.3f} s: "
        f"{alone / peer:.2f} times",
        "within 1.5 times",
        alone <= 1.5 * peer,
        f"plain mining, {file.stem}, {least}",
        alone / peer,
    )


def _ways(file: Path, least: int) -> list[Callable[[], Mined]]:
    def alone() -> Mined:
        with one_thread():
            return mine_plain(file, least)

    return [alone, lambda: mine_plain(file, least)]


def _theirs(miner: str, rows: list[list[str]], least: int) -> list[Any]:
    import fim

    found: list[Any] = getattr(fim, miner)(rows, target="s", supp=-least, report="a")
    return found


def _seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def _compare(mined: Mined, theirs: list[Any]) -> None:
    """All sets and counts, size by size."""
    labels = np.array([int(label) for label in mined.labels])
    trie = mined.counted.trie
    for size in range(1, max(trie.size, *(len(items) for items, _ in theirs)) + 1):
        nodes = np.asarray(trie.nodes(size) if size <= trie.size else [], dtype=np.int64)
        ours = np.column_stack([labels[trie.members(size, nodes)], mined.counted.counts[nodes]])
        if size == 1:
            ours = ours[ours[:, 1] < mined.transactions]
        some = [(*sorted(map(int, items)), count) for items, count in theirs if len(items) == size]
        other = np.array(sorted(some), dtype=np.int64).reshape(-1, size + 1)
        if not np.array_equal(ours, other):
            raise AssertionError(f"pyfim finds other itemsets of {size} items")


def _first_time(file: Path, least: int, cache: Path) -> Result:
    """In a new process that finds no compiled kernels, and in one that finds them."""
    import numba

    taken = [
        float(
            subprocess.run(
                [sys.executable, "-c", FIRST, str(file), str(least)],
                env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
                capture_output=True,
                check=True,
            ).stdout
        )
        for _ in range(2)
    ]
    return Result(
        f"{file.stem}, held {least:,} times, in a new process that has no compiled kernels",
        f"{taken[0]:.2f} s, with all compiled by numba {numba.__version__}; {taken[1]:.2f} s later",
        "",
        True,
    )
