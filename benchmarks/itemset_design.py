"""Plans in the paper's form for transactions of 1 to 100 items, and the three figures of EGS03."""

from __future__ import annotations

import resource
import sys
import time

from benchmarks.result import Result
from ppdm_formal.certify.statement.loader import load_module
from ppdm_formal.design.design import design


def measure() -> list[Result]:
    """Each once; memory is that of the whole process."""
    start = time.perf_counter()
    plan = design(range(1, 101), 5_000_000, "5%", "50%", 3, items=100_000, form="paper")
    planned = time.perf_counter() - start
    start = time.perf_counter()
    egs03 = load_module("egs03", "figures")
    figures = [egs03.figure1(), egs03.figure2(), egs03.figure3()]
    drawn = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
    return [
        Result(
            f"design of {len(plan.only.sizes)} sizes, the paper's form",
            f"{planned:.1f} s",
            "under 60 s",
            planned < 60,
        ),
        Result(f"{len(figures)} figures of EGS03", f"{drawn:.1f} s", "under 60 s", drawn < 60),
        Result("memory", f"{memory:.0f} MiB", "under 1 GiB", memory < 1024),
    ]
