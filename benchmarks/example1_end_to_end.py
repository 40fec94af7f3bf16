"""`ppdm audit models/example1.ppdm --json FILE`, against importing sympy, z3 and numpy alone."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.result import Result, run

MODEL = Path(__file__).parent.parent / "models" / "example1.ppdm"
REPETITIONS = 5


def measure() -> list[Result]:
    """Medians of runs that alternate, each in a new process."""
    audits, imports = [], []
    with tempfile.TemporaryDirectory() as folder:
        report = str(Path(folder) / "audit.json")
        audit = [sys.executable, "-m", "ppdm_formal.cli", "audit", str(MODEL), "--json", report]
        for _ in range(REPETITIONS):
            imports.append(run([sys.executable, "-c", "import sympy, z3, numpy"]).seconds)
            audits.append(run(audit, 1).seconds)  # two of the three operators breach
    ours, bare = statistics.median(audits), statistics.median(imports)
    return [
        Result(
            "audit of Example 1 (three operators, nine claims, JSON) end to end",
            f"{ours / bare:.1f} times the imports ({ours:.2f} s; imports {bare:.2f} s)",
            "at most twice",
            ours <= 2 * bare,
        )
    ]
