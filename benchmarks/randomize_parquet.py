"""A Parquet table of 5 million rows through k-ary randomized response, in less than 1 GiB."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.result import Result, run

ROWS = 5_000_000
GIB = 1 << 30

MODEL = """
domain Value = 0..9
operator K = randomized_response(values: 10, keep: 1/2)
audit K { forbid breach 1/20 -> 1/2 }
"""

# In a process of its own: what this one uses would count for the command that it starts.
MAKE = """
import sys
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
draw = np.random.default_rng(1)
rows = int(sys.argv[2])
pq.write_table(
    pa.table({"id": np.arange(rows), "value": draw.integers(0, 10, rows)}), sys.argv[1]
)
"""


def measure() -> list[Result]:
    """Parquet to Parquet, and to CSV for comparison."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        source, model = Path(folder, "in.parquet"), Path(folder, "model.ppdm")
        model.write_text(MODEL)
        run([sys.executable, "-c", MAKE, str(source), str(ROWS)])
        for name in ("out.parquet", "out.csv"):
            command = [
                sys.executable, "-m", "ppdm_formal.cli", "randomize", str(source),
                "-o", str(Path(folder, name)), "--model", str(model), "--operator", "K=value",
            ]  # fmt: skip
            done = run(command)
            results.append(
                Result(
                    f"{ROWS:,} rows of Parquet randomized to {name.partition('.')[2]}",
                    f"{ROWS / done.seconds:,.0f} rows/s, {done.memory / GIB:.2f} GiB",
                    "under 1 GiB",
                    done.memory < GIB,
                )
            )
    return results
