"""`ppdm audit models/example1.ppdm --json FILE`, against importing sympy, z3 and numpy alone."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.result import Result, Run, run

MODEL = Path(__file__).parent.parent / "models" / "example1.ppdm"
REPETITIONS = 5


def measure() -> list[Result]:
    """Medians of runs that alternate, each in a new process, after one of each that is not timed.

    Python keeps the package's bytecode, as it does where the package is installed: compiling its
    source anew at every start would be compared with packages for which that was done.
    """
    env = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    audits: list[Run] = []
    imports: list[Run] = []
    with tempfile.TemporaryDirectory() as folder:
        report = str(Path(folder) / "audit.json")
        audit = [sys.executable, "-m", "ppdm_formal.cli", "audit", str(MODEL), "--json", report]
        for _ in range(1 + REPETITIONS):
            bare = [sys.executable, "-c", "import sympy, z3, numpy"]
            imports.append(run(bare, env=env))
            audits.append(run(audit, 1, env=env))  # two of the three operators breach
    found = []
    for unit in ("seconds", "processor"):
        ours, theirs = (
            statistics.median(getattr(one, unit) for one in runs[1:]) for runs in (audits, imports)
        )
        waited = "end to end" if unit == "seconds" else "in processor seconds, the solver's too"
        found.append(
            Result(
                f"audit of Example 1 (three operators, nine claims, JSON) {waited}",
                f"{ours / theirs:.2f} times the imports ({ours:.2f} s; imports {theirs:.2f} s)",
                "at most 1.4 times",
                ours <= 1.4 * theirs,
                f"example 1, {unit}",
                ours / theirs,
            )
        )
    return found
