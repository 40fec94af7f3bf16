"""Ten million rows shuffled in less than 1 GiB; a million places, before and after."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.randomize_parquet import GIB, MAKE, MODEL
from benchmarks.result import Result, run
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.shuffle import Shuffle

ROWS = 10_000_000
PLACES = 1_000_000

BASKETS = """
import sys
import numpy as np
draw = np.random.default_rng(1)
with open(sys.argv[1], "w") as file:
    for _ in range(int(sys.argv[2]) // 100_000):
        rows = draw.integers(0, 20, (100_000, 2)).tolist()
        file.write("".join(f"{a} {(a + 1 + b % 19) % 20}\\n" for a, b in rows))
"""


def measure() -> list[Result]:
    """Tables to CSV and Parquet, baskets to seeds and lists; then a million places."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.ppdm").write_text(MODEL)
        run([sys.executable, "-c", MAKE, str(folder / "in.parquet"), str(ROWS)])
        run([sys.executable, "-c", BASKETS, str(folder / "in.dat"), str(ROWS)])
        levels = [
            "--rho1",
            "5%",
            "--rho2",
            "50%",
            "--transactions",
            str(ROWS),
            "--items",
            "20",
            "--itemsets",
            "2",
        ]
        _ppdm("design", "--sizes", "2", *levels, "-o", str(folder / "plan.json"))
        model = ["--model", str(folder / "model.ppdm"), "--operator", "K=value"]
        plan = ["--plan", str(folder / "plan.json")]
        cases = [
            ("in.parquet", "out.csv", model),
            ("in.parquet", "out.parquet", model),
            ("in.dat", "lists.dat", plan),
            ("in.dat", "out.seeds", [*plan, "--compress"]),
        ]
        results = [_memory(folder, *case) for case in cases]
    return [*results, _places()]


def _ppdm(*arguments: str) -> tuple[float, int]:
    done = run([sys.executable, "-m", "ppdm_formal.cli", *arguments])
    return done.seconds, done.memory


def _memory(folder: Path, source: str, target: str, asked: list[str]) -> Result:
    files = [str(folder / source), "-o", str(folder / target)]
    seconds, memory = _ppdm("randomize", *files, *asked, "--shuffle")
    (folder / target).unlink()
    return Result(
        f"{ROWS:,} rows of {source} shuffled to {target}",
        f"{ROWS / seconds:,.0f} rows/s, {memory / GIB:.2f} GiB",
        "under 1 GiB",
        memory < GIB,
    )


def _places() -> Result:
    """The correlation between places before and after, through buckets, in standard errors."""
    with tempfile.TemporaryDirectory() as folder, Shuffle(Keystream(), Path(folder)) as mixed:
        for part in np.array_split(np.arange(PLACES), 20):
            # columns so wide that they do not fit in memory at once
            mixed.add((part, np.zeros((len(part), 256), dtype=np.uint8)))
        out = np.concatenate([rows[0] for rows in mixed.drain()])
    found = float(np.corrcoef(np.arange(PLACES), out)[0, 1]) * PLACES**0.5
    stay = int(np.count_nonzero(out == np.arange(PLACES)))
    return Result(
        f"{PLACES:,} rows: are places before and after correlated?",
        f"{found:+.2f} standard errors; {stay} rows stay in place (1 expected)",
        "within 4, at most 8",
        abs(found) < 4 and stay <= 8 and np.array_equal(np.sort(out), np.arange(PLACES)),
    )
