"""Rounded 6 x 6 matrices: 10,000 matrices within each, against the verdicts for all of them."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

from benchmarks.result import Result

DIGITS = (2, 3, 4, 5, 6)
SAMPLES = 10_000


def measure() -> list[Result]:
    """One matrix for each number of digits, claims of every kind, against their definitions."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "certify"))
    tests = import_module("test_rounded_matrices")
    counts: Counter[object] = Counter()
    start = time.perf_counter()
    contradicted = ""
    for digits in DIGITS:
        rng = random.Random(digits)
        try:
            tests.examined(rng, 6, digits, rng.choice((20, 60, 95)), SAMPLES, counts)
        except AssertionError as wrong:
            contradicted = f"CONTRADICTED at {digits} digits: {wrong}; "
    kinds: Counter[str] = Counter()
    for (verdict, _), many in counts.items():  # type: ignore[misc]
        kinds[verdict.value] += many
    found = ", ".join(f"{many} {kind}" for kind, many in sorted(kinds.items()))
    seconds = time.perf_counter() - start
    return [
        Result(
            f"rounded 6 x 6 matrices, {SAMPLES:,} samples within each",
            f"{contradicted}{found}; {seconds:.0f} s",
            "no contradiction",
            not contradicted,
        )
    ]
