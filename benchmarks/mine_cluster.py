"""Mining with dask: a million baskets by two workers against this process, one of them killed.

All items and all pairs of 500 items, from seeds in Parquet: the local engine, two workers of a
local cluster, and the same with a worker killed while pairs are counted; all must find the same
numbers. Then what a processor does in a second, by the processor's own clock, from which
docs/scale.md reckons what clusters would do. PPDM_TRANSACTIONS sets how many baskets there are.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.result import Result, run
from ppdm_formal.declare.machine.threads import one_thread
from ppdm_formal.infer.baskets.counting import Candidates
from ppdm_formal.infer.baskets.dask_engine import DaskEngine
from ppdm_formal.infer.baskets.engine import LocalEngine, counted_in, held_in, packed_in
from ppdm_formal.infer.baskets.kernels import Counts
from ppdm_formal.infer.baskets.release_counts import ReleaseCounts
from ppdm_formal.run.cluster import cluster
from ppdm_formal.run.market import Market
from ppdm_formal.run.release import Release

TRANSACTIONS = int(os.environ.get("PPDM_TRANSACTIONS", "1000000"))
ITEMS = 500
REPETITIONS = 4
"""Runs of which the quickest counts: others may use the machine."""


def measure() -> Iterator[Result]:
    """The engines side by side, then the rates."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        yield Result("mining with dask", "distributed is not installed", "", False)
        return
    with tempfile.TemporaryDirectory() as folder:
        seeds, lists = _releases(Path(folder))
        yield from _engines(seeds)
        yield _rates(seeds, lists)


def _releases(folder: Path) -> tuple[Release, Release]:
    """As seeds, and a tenth of them as lists."""
    baskets, plan = folder / "m.dat", folder / "plan.json"
    asked = ["--sizes", "5", "--transactions", str(TRANSACTIONS), "--items", str(ITEMS)]
    levels = ["--rho1", "5%", "--rho2", "50%", "--itemsets", "2", "--form", "paper"]
    command = [sys.executable, "-m", "ppdm_formal.cli"]
    run([*command, "design", *asked, *levels, "-o", str(plan)])
    found = []
    for name, many, more in (
        ("seeds.parquet", TRANSACTIONS, ["--compress"]),
        ("lists.parquet", TRANSACTIONS // 10, []),
    ):
        Market(many, ITEMS, 5, smallest=5, largest=5, seed=1).write(baskets)
        out = str(folder / name)
        asked = ["-o", out, "--plan", str(plan), "--simulate", "1", *more]
        run([*command, "randomize", str(baskets), *asked])
        found.append(Release.read(out))
    return found[0], found[1]


def _pairs() -> Candidates:
    first, second = np.triu_indices(ITEMS, 1)
    return Candidates.of(np.stack([first, second], axis=1).astype(np.int32))


def _all_counted(counter: ReleaseCounts) -> tuple[float, list[Counts]]:
    start = time.perf_counter()
    found = counter.singles()
    counter.choose(np.arange(ITEMS))
    found += counter.count(_pairs())
    return time.perf_counter() - start, found


def _engines(release: Release) -> Iterator[Result]:
    warm = ReleaseCounts([release], engine=_few(LocalEngine))
    _all_counted(warm)
    own = time.process_time()
    local, truth = min(
        (_all_counted(ReleaseCounts([release], memory=1 << 30)) for _ in range(REPETITIONS)),
        key=lambda timed: timed[0],
    )
    own = (time.process_time() - own) / REPETITIONS
    start = time.perf_counter()
    with cluster(None) as client:
        few = _few(DaskEngine)  # as the local engine, workers have their kernels at hand
        _all_counted(ReleaseCounts([release], engine=lambda layout: few(layout, client)))
        ready = time.perf_counter() - start
        times, used = [], []
        for make in (*[DaskEngine] * REPETITIONS, Deadly):
            counter = ReleaseCounts(
                [release], engine=lambda layout, make=make: make(layout, client)
            )
            before = _processor_time(client)
            taken, found = _all_counted(counter)
            if make is DaskEngine:
                used.append(_processor_time(client) - before)
            if not all(map(np.array_equal, found, truth)):
                raise AssertionError("the dask engine counts otherwise")
            times.append(taken)
    best, killed = min(times[:-1]), times[-1]
    what = f"{TRANSACTIONS:,} transactions, all items and pairs of {ITEMS}: the same numbers"
    yield Result(
        f"{what} by {os.cpu_count()} dask workers as locally",
        f"{best:.1f} s against {local:.1f} s: {best / local:.2f} times "
        f"(of all processors {np.mean(used):.1f} s against {own:.1f} s; workers are ready after "
        f"{ready:.1f} s)",
        "within 2 times",
        best <= 2 * local,
    )
    yield Result(
        f"{what}, a worker killed while pairs are counted", f"{killed:.1f} s", "the same", True
    )


def _processor_time(client: Any) -> float:
    """What this process and the workers have used of their processors."""
    return time.process_time() + sum(client.run(time.process_time).values())


def _few(engine: Any) -> Any:
    """An engine that counts two chunks only: kernels are compiled."""

    class Few(engine):  # type: ignore[misc]
        def held(self, lifted: int, numbers: Any, chunks: Any) -> Any:
            return super().held(lifted, numbers, chunks[:2])

        def count(self, candidates: Any, chunks: Any) -> Any:
            return super().count(candidates, chunks[:2])

    return Few


class Deadly(DaskEngine):
    """After the first chunk of pairs, a worker is killed."""

    def count(self, candidates: Candidates, chunks: Sequence[int]) -> Any:
        """See Engine."""
        victim = next(iter(self._client.run(os.getpid).values()))
        for place, found in enumerate(super().count(candidates, chunks)):
            if place == 0:
                os.kill(victim, signal.SIGKILL)
            yield found


def _rates(seeds: Release, lists: Release) -> Result:
    """What one processor does, in a second of its own time."""
    said = []
    every = np.arange(ITEMS)
    with one_thread():
        for name, release in (("seeds", seeds), ("lists", lists)):
            layout = ReleaseCounts([release]).layout
            rows = layout.chunks[0].last
            seconds = []
            for work in (
                lambda pieces: held_in(pieces, [every]),
                lambda pieces: list(packed_in(pieces, [every])),
            ):
                [(_, pieces)] = layout.reports([0])
                start = time.process_time()
                columns = work(pieces)
                seconds.append(time.process_time() - start)
            first, second = (rows / taken for taken in seconds)
            said.append(f"{name}: items {first:,.0f}/s, columns {second:,.0f}/s")
        start = time.process_time()
        counted_in(columns, _pairs())
        words = len(_pairs()) * -(-rows // 64)
        said.append(f"pairs {words / (time.process_time() - start) / 1e9:.2f} billion words/s")
    return Result(
        f"one processor, {ITEMS} items: transactions read, and words of 64 counted",
        "; ".join(said),
        "",
        True,
    )
