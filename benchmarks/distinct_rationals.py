"""A 300 x 300 matrix of all-different rationals with five-digit denominators, from CSV.

Each row draws its entries over 60 denominators; the last entry of a row is what is missing to
1, a rational of some hundred digits.
"""

from __future__ import annotations

import random
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

from benchmarks.result import IMPORTS, Result, run

SIZE, DENOMINATORS, TARGET = 300, 60, 20

MODEL = """
domain Value = 0..299
prior U on Value = uniform
prior X on Value { 0 : 1/2; 1..299 : 1/598 each }
property first on Value = x < 10
operator Table(x: Value) -> Value = csv("table.csv")
audit Table {
    prior U, X
    property first
    given 0
    forbid breach 1/20 -> 1/2
}
"""


def rows(seed: int = 1) -> list[list[Fraction]]:
    """The matrix; no two entries are equal."""
    drawn = random.Random(seed)
    seen: set[Fraction] = set()
    found = []
    for _ in range(SIZE):
        denominators = drawn.sample(range(10_000, 100_000), DENOMINATORS)
        row: list[Fraction] = []
        while len(row) < SIZE - 1:
            bottom = drawn.choice(denominators)
            entry = Fraction(drawn.randint(1, bottom // 450), bottom)
            if entry not in seen:
                seen.add(entry)
                row.append(entry)
        row.append(1 - sum(row))
        seen.add(row[-1])
        found.append(row)
    assert len(seen) == SIZE * SIZE
    return found


def measure() -> list[Result]:
    """Time of the whole command: amplification, posteriors, information, one claim."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [",".join(["", *map(str, range(SIZE))])]
        lines += [",".join([str(x), *map(str, row)]) for x, row in enumerate(rows())]
        Path(folder, "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        model = Path(folder, "table.ppdm")
        model.write_text(MODEL, encoding="utf-8")
        imports = run(IMPORTS)
        done = run([sys.executable, "-m", "ppdm_formal.cli", "audit", str(model)], 0, 1)
    return [
        Result(
            f"{SIZE} x {SIZE} different rationals from CSV, two priors, one claim",
            f"{done.seconds:.1f} s ({done.processor:.1f} s of processors), "
            f"{done.memory / 2**20:.0f} MiB",
            f"under {TARGET} s",
            done.seconds < TARGET,
            "300 x 300 rationals",
            done.processor / imports.processor,
        )
    ]
