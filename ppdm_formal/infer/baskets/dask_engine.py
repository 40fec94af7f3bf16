"""The dask engine: chunks counted by the workers of a cluster, with dask.distributed.

Every task is a pure function of files and of arguments that the scheduler keeps, so that whatever
a worker held when it died is made again by another. Nothing but whole numbers comes back, and
their sums are those of the local engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import ppdm_formal
from ppdm_formal.declare.machine.threads import one_thread
from ppdm_formal.infer.baskets.chunks import Layout, in_parquet
from ppdm_formal.infer.baskets.counting import Candidates
from ppdm_formal.infer.baskets.engine import (
    Columns,
    PartCounts,
    column_bytes,
    counted_in,
    held_in,
    packed_in,
)
from ppdm_formal.infer.baskets.kernels import Counts
from ppdm_formal.infer.baskets.packed import MEMORY
from ppdm_formal.run.cluster import ClusterError, results

KEPT_SHARE = 0.3
"""Share of the workers' memory that kept columns may take."""


class DaskEngine:
    """See Engine: one task a chunk; columns are kept by the workers where they fit."""

    def __init__(self, layout: Layout, client: Any) -> None:
        for release in layout.files:
            if not in_parquet(release):
                raise ClusterError(
                    f"{release.path}: the dask engine reads Parquet, whose parts can be read one "
                    "by one: randomize to a file named .parquet"
                )
        self._layout = layout
        self._client = client
        self._names = count()
        self._shared = self._submit(same, (layout, ppdm_formal.__version__))
        self._numbers: Any = None
        self._columns: dict[int, Any] | None = None

    def _submit(self, function: Any, *arguments: Any) -> Any:
        """A task with a name of its own; the scheduler keeps what it needs to run it again."""
        key = f"ppdm-{function.__name__}-{id(self):x}-{next(self._names)}"
        return self._client.submit(function, *arguments, key=key, pure=False)

    def held(
        self, lifted: int, numbers: Sequence[Counts], chunks: Sequence[int]
    ) -> Iterator[tuple[int, PartCounts]]:
        """See Engine."""
        asked = self._submit(same, list(numbers))
        yield from results(
            {self._submit(held_task, self._shared, c, lifted, asked): c for c in chunks}
        )

    def choose(self, numbers: Sequence[Counts]) -> None:
        """See Engine."""
        self._numbers = self._submit(same, list(numbers))
        width = max(map(len, numbers), default=0)
        fits = column_bytes(self._layout, width) <= KEPT_SHARE * self._memory()
        self._columns = {} if fits else None

    def _memory(self) -> float:
        """What the workers have together; those without a limit count as much as this process."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return sum(worker.get("memory_limit") or MEMORY / KEPT_SHARE for worker in workers)

    def count(
        self, candidates: Candidates, chunks: Sequence[int]
    ) -> Iterator[tuple[int, PartCounts]]:
        """See Engine."""
        asked = self._submit(same, candidates)
        tasks = {}
        for chunk in chunks:
            if self._columns is None:
                task = self._submit(pack_and_count, self._shared, chunk, self._numbers, asked)
            else:
                if chunk not in self._columns:
                    self._columns[chunk] = self._submit(pack, self._shared, chunk, self._numbers)
                task = self._submit(count_task, self._columns[chunk], asked)
            tasks[task] = chunk
        yield from results(tasks)

    def close(self) -> None:
        """See Engine."""
        self._columns = self._numbers = self._shared = None


def same(value: Any) -> Any:
    """A value as the result of a task: workers hand it on, and it can be made again."""
    return value


Shared = tuple[Layout, str]


def _layout(shared: Shared, chunk: int) -> Layout:
    layout, version = shared
    if version != ppdm_formal.__version__:
        raise ClusterError(
            f"a worker has ppdm_formal {ppdm_formal.__version__}, and this is {version}"
        )
    layout.check_file(layout.chunks[chunk].file)
    return layout


def held_task(shared: Shared, chunk: int, lifted: int, numbers: Sequence[Counts]) -> PartCounts:
    """On a worker: see held_in."""
    with one_thread():
        [(_, pieces)] = _layout(shared, chunk).reports([chunk], lifted)
        return held_in(pieces, numbers)


def pack(shared: Shared, chunk: int, numbers: Sequence[Counts]) -> Columns:
    """On a worker: see packed_in."""
    with one_thread():
        [(_, pieces)] = _layout(shared, chunk).reports([chunk])
        return list(packed_in(pieces, numbers))


def count_task(columns: Columns, candidates: Candidates) -> PartCounts:
    """On a worker: see counted_in."""
    with one_thread():
        return counted_in(columns, candidates)


def pack_and_count(
    shared: Shared, chunk: int, numbers: Sequence[Counts], candidates: Candidates
) -> PartCounts:
    """On a worker, where columns are not kept."""
    with one_thread():
        [(_, pieces)] = _layout(shared, chunk).reports([chunk])
        return counted_in(packed_in(pieces, numbers), candidates)
