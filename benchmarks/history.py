"""History: the ratios of runs, kept in history.csv, and which of them grew since the last run.

Each row is the number of a run, what was compared, and how many times its peer it took. Ratios of
one machine's run say more than seconds; nothing else of the machine is kept.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from benchmarks.result import Result

FILE = Path(__file__).with_name("history.csv")
GROWN = 1.25
"""A ratio that is so many times the last one got slower; less is what runs differ by."""


def record(results: Sequence[Result], file: Path = FILE) -> list[str]:
    """Add the ratios of a run to the file; back come sentences about those that grew."""
    before = _rows(file)
    last = {name: ratio for _, name, ratio in before}
    run = 1 + max((number for number, _, _ in before), default=0)
    now = [(one.name, one.ratio) for one in results if one.ratio is not None]
    fresh = not before
    with file.open("a", encoding="utf-8", newline="") as text:
        rows = csv.writer(text, lineterminator="\n")
        if fresh:
            rows.writerow(["run", "name", "ratio"])
        rows.writerows([run, name, f"{ratio:.3g}"] for name, ratio in now)
    return [
        f"slower: {name}, {ratio:.3g} times its peer, {last[name]:.3g} in the last run"
        for name, ratio in now
        if name in last and ratio > GROWN * last[name]
    ]


def _rows(file: Path) -> list[tuple[int, str, float]]:
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as text:
        return [(int(run), name, float(ratio)) for run, name, ratio in list(csv.reader(text))[1:]]
