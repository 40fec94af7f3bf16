"""Mining a release of a million made-up baskets: coverage of intervals, what is found and missed.

Baskets of 3 to 8 of 1,000 items, through the plan that ppdm design makes for them at rho1 = 5%,
rho2 = 50%, sent as seeds and mined from these. PPDM_TRANSACTIONS=5000000 makes it five million.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.result import Result, run
from ppdm_formal.infer.baskets.compare import compared
from ppdm_formal.infer.baskets.counting import Candidates, counts_of
from ppdm_formal.infer.baskets.levels import Levels
from ppdm_formal.infer.baskets.packed import chunks
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.randomized import mine_release
from ppdm_formal.infer.baskets.release_counts import ReleaseCounts
from ppdm_formal.run.market import Market
from ppdm_formal.run.release import Release

TRANSACTIONS = int(os.environ.get("PPDM_TRANSACTIONS", "1000000"))
ITEMS = 1000
NEAR = 4
"""Standard errors from the threshold that still count as near."""


def measure() -> list[Result]:
    """Coverage over all items and pairs, then the itemsets found."""
    with tempfile.TemporaryDirectory() as folder:
        baskets, plan, out = (Path(folder, name) for name in ("m.dat", "plan.json", "r.seeds"))
        market = Market(
            TRANSACTIONS, ITEMS, 5, pattern_size=3, patterns=300, smallest=3, largest=8, seed=1
        )
        market.write(baskets)
        command = [sys.executable, "-m", "ppdm_formal.cli"]
        rho = ["--rho1", "5%", "--rho2", "50%"]
        asked = ["--items", str(ITEMS), *rho, "--itemsets", "2", "-o", str(plan)]
        run([*command, "design", "--data", str(baskets), *asked])
        asked = ["-o", str(out), "--plan", str(plan), "--compress", "--simulate", "1"]
        run([*command, "randomize", str(baskets), *asked])
        release, truth = Release.read(out), PlainData.read(baskets)
        return [*_coverage(release, truth), *_found(release, truth)]


def _coverage(release: Release, truth: PlainData) -> list[Result]:
    """95% intervals for the baskets collected, of every item and every pair of items."""
    start = time.perf_counter()
    levels = Levels(ReleaseCounts([release]))
    items = levels.items()
    levels.start(items)
    first, second = np.triu_indices(ITEMS, 1)
    pairs = levels.candidates(1 + first.astype(np.int64), second.astype(np.int32))
    taken = time.perf_counter() - start
    labels = np.array([int(label) for label in truth.labels])
    known = truth.rows
    single = np.zeros(ITEMS)
    single[labels] = known.item_counts() / len(known)
    place = np.full(ITEMS, -1)
    place[labels] = np.arange(len(labels))
    there = (place[first] >= 0) & (place[second] >= 0)
    sets = np.stack([place[first[there]], place[second[there]]], axis=1).astype(np.int32)
    double = np.zeros(len(first))
    double[there] = sum(counts_of(part, Candidates.of(sets)) for part in chunks(known)) / len(known)
    results = []
    for name, level, true in (("items", items, single), ("pairs", pairs, double)):
        inside = (level.ends[:, 0] <= true) & (true <= level.ends[:, 1])
        share = float(inside.mean())
        # Items are few: their coverage is itself an estimate, with this error.
        error = float(np.sqrt(0.95 * 0.05 / len(inside))) if name == "items" else 0.0
        results.append(
            Result(
                f"{TRANSACTIONS:,} baskets as seeds: coverage of 95% intervals, all {name}",
                f"{share:.2%} of {len(inside):,}"
                + (f"; all estimated in {taken:.0f} s" if name == "pairs" else ""),
                "94% to 96%" + (" (± 2 errors)" if error else ""),
                0.94 - 2 * error <= share <= 0.96 + 2 * error,
            )
        )
    return results


def _found(release: Release, truth: PlainData) -> list[Result]:
    """At twice the support that is visible: what is found, missed and invented."""
    first = mine_release(release, "50%", max_size=1)
    visible = first.seen[0].visible
    assert visible is not None
    results = []
    for times in (1, 2):
        start = time.perf_counter()
        found = mine_release(release, f"{times * visible:.6f}", max_size=2)
        taken = time.perf_counter() - start
        against = compared(found, truth)
        least = float(found.min_support.share(found.transactions))
        reach = NEAR * max(seen.visible or 0 for seen in found.seen) / 4
        wrong = [
            float(value)
            for part in against.sizes
            for value in (part.largest_dropped, part.smallest_invented)
            if value is not None
        ]
        away = max((abs(value - least) for value in wrong), default=0.0)
        numbers = "; ".join(
            f"{part.size}: {part.frequent} frequent, {part.false_drops} dropped, "
            f"{part.false_positives} invented"
            for part in against.sizes
        )
        results.append(
            Result(
                f"least support {least:.2%}, {times} times what is visible of items",
                f"{numbers}; the farthest {away:.2%} away; {taken:.0f} s",
                f"within {NEAR} standard errors, {reach:.2%}",
                away <= reach,
            )
        )
    return results
