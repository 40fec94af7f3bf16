"""Real baskets as seeds: sizes of files beside those without seeds, and supports beside supports.

Needs PPDM_DATA, the folder with retail.dat.xz and msnbc990928.seq.xz; without it nothing is run.
"""

from __future__ import annotations

import io
import lzma
import os
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

from benchmarks.result import Result
from ppdm_formal.cli import run
from ppdm_formal.design.design import design
from ppdm_formal.design.plan_file import write_plan
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.group_reports import Policy
from ppdm_formal.run.release import Release
from ppdm_formal.run.simulated_supports import Collection
from ppdm_formal.run.supports import supports

LONGEST = 10
ASKED = 100
"""The most frequent items, whose supports are compared."""

WRITTEN = 1000
"""Baskets that are also written out as items, to see how large they become."""


def measure() -> list[Result]:
    """Both data sets; none without the folder."""
    folder = os.environ.get("PPDM_DATA")
    if not folder:
        print("PPDM_DATA is not set: no real baskets")
        return []
    with lzma.open(Path(folder) / "retail.dat.xz", "rt") as file:
        retail = [sorted({int(item) for item in line.split()}) for line in file]
    with lzma.open(Path(folder) / "msnbc990928.seq.xz", "rt") as file:
        lines = [line.split() for line in list(file)[7:]]
    pages = [sorted({int(page) - 1 for page in line}) for line in lines if line]
    return [*measured("retail", retail, 16_470), *measured("msnbc", pages, 17)]


def measured(name: str, rows: list[list[int]], items: int) -> list[Result]:
    """A round trip: seeds written, read, and asked for supports."""
    longest = min(LONGEST, max(map(len, rows)))
    planned = design(range(1, longest + 1), len(rows) // longest, "5%", "50%", 2, items, bits=4)
    baskets = Baskets.of(rows)
    counts = np.bincount(baskets.items, minlength=items)
    asked = np.argsort(-counts, kind="stable")[:ASKED].reshape(-1, 1)
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.json"
        plan.write_text(write_plan(planned))
        seeds = randomized(Path(folder), plan, rows, "out.seeds", "--compress")
        parquet = randomized(Path(folder), plan, rows, "seeds.parquet", "--compress")
        release = Release.read(seeds)
        found = supports(release, asked.tolist())
        small = rows[:: max(1, len(rows) // WRITTEN)]
        plain = randomized(Path(folder), plan, small, "out.parquet")
        each = [
            path.stat().st_size / many
            for path, many in ((seeds, len(rows)), (parquet, len(rows)), (plain, len(small)))
        ]
        bits = [part.generator.seed_bits * part.rows for _, part in release.transactions.parts()]
    policy = Policy("error", "sample", None)
    [coins] = Collection(baskets, items, 7, policy).supports(planned, None, [asked])
    error = np.sqrt(found.population**2 + coins.population**2)
    apart = np.abs(found.estimates - coins.estimates) / error
    return [
        Result(
            f"{name}, {len(rows):,} baskets among {items:,} items: bytes a basket",
            f"{each[0]:.1f} as seeds ({sum(bits) / len(rows) / 8:.1f} of them seed), {each[1]:.1f} "
            f"in Parquet; without seeds {each[2]:,.1f} in Parquet",
            "fewer than without, for many items",
            each[0] < each[2] or items < 100,
        ),
        Result(
            f"{name}: supports of the {len(asked)} most frequent items, seeds against coins",
            f"apart by {apart.max():.1f} standard errors at most, {np.sqrt(np.mean(apart**2)):.2f} "
            "in the root mean square",
            "at most 5, and 1.5",
            bool(apart.max() <= 5 and np.mean(apart**2) <= 1.5**2),
        ),
    ]


def randomized(folder: Path, plan: Path, rows: list[list[int]], name: str, *more: str) -> Path:
    """What ppdm randomize makes of baskets."""
    source, target = folder / "in.dat", folder / name
    source.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    given = ["--plan", str(plan), "--longer", "sample", "--simulate", "3", *more]
    with redirect_stdout(io.StringIO()):
        code = run(["randomize", str(source), "-o", str(target), *given])
    if code:
        raise RuntimeError(f"ppdm randomize failed for {name}")
    return target
