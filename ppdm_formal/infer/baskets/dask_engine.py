"""The dask engine: chunks counted by the workers of a cluster, with dask.distributed.

Every task is a pure function of files and of arguments that the scheduler keeps, so that whatever
a worker held when it died is made again by another. Nothing but whole numbers comes back, and
their sums are those of the local engine.
"""

from __future__ import annotations

import logging
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any

import ppdm_formal
from ppdm_formal.declare.machine.threads import one_thread, processors
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
from ppdm_formal.run.errors import DataError

CONNECT_SECONDS = 30
"""How long to wait for a scheduler, and for a first worker."""

STARTS = 2
"""How often a cluster here is started, before it is given up."""

KEPT_SHARE = 0.3
"""Share of the workers' memory that kept columns may take."""


SETTINGS = {
    "distributed.admin.large-graph-warning-threshold": "1GB",
    "distributed.worker.profile.enabled": False,
    # Arrays come and go: handing their memory back each time would double the workers' time.
    "distributed.nanny.pre-spawn-environ": {
        "MALLOC_TRIM_THRESHOLD_": 1 << 28,
        "MALLOC_MMAP_THRESHOLD_": 1 << 26,
    },
}
"""How dask is set up for a cluster that is started here, and for this process."""


class ClusterError(DataError):
    """A cluster that is not there, not fit for this, or lost."""


@contextmanager
def cluster(address: str | None) -> Iterator[Any]:
    """A client of the scheduler at the address, or of a cluster of this machine's processors.

    The latter listens on this machine alone, with certificates of its own: nobody else can give
    it work. Its workers leave Ctrl-C to this process.
    """
    try:
        import dask
        import distributed
    except ImportError:
        raise ClusterError(
            "the dask engine needs the package distributed: pip install 'ppdm_formal[cluster]'"
        ) from None
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(SETTINGS))
        if address is None:
            client = stack.enter_context(_started(distributed))
        else:
            client = stack.enter_context(_connected(distributed, address))
        yield client


@contextmanager
def _started(distributed: Any) -> Iterator[Any]:
    """A client of a cluster here; one that a worker dies in while it starts is started again."""
    for left in reversed(range(STARTS)):
        with ExitStack() as stack:
            folder = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="ppdm-", ignore_cleanup_errors=True)
            )
            try:
                local = distributed.LocalCluster(
                    n_workers=processors(),
                    threads_per_worker=1,
                    dashboard_address=None,
                    security=True,
                    silence_logs=logging.CRITICAL,
                    local_directory=folder,
                )
                client = stack.enter_context(distributed.Client(stack.enter_context(local)))
                client.register_plugin(_quiet(distributed), name="ppdm-quiet")
            except (RuntimeError, OSError, TimeoutError) as problem:  # closed comms are OSErrors
                if left:
                    continue
                raise ClusterError(
                    f"a worker died while it started, {STARTS} times ({problem}): there may be too "
                    "little memory for one process a processor; --engine local needs no workers"
                ) from None
            yield client
            return


def _connected(distributed: Any, address: str) -> Any:
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError, TypeError) as problem:
        raise ClusterError(f"no scheduler at {address}: {problem}") from None
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError:
        client.close()
        raise ClusterError(f"the scheduler at {address} has no workers") from None
    return client


def _quiet(distributed: Any) -> Any:
    class Quiet(distributed.WorkerPlugin):  # type: ignore[misc]
        """Ctrl-C on a terminal reaches workers too: the process that started them decides."""

        def setup(self, worker: Any) -> None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    return Quiet()


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
        yield from self._results(
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
        yield from self._results(tasks)

    def _results(self, tasks: dict[Any, int]) -> Iterator[tuple[int, PartCounts]]:
        """What the tasks found, as they end; a task that ended is forgotten."""
        import distributed

        done = distributed.as_completed(tasks, with_results=True)
        try:
            for task, found in done:
                yield tasks.pop(task), found
                task.release()
        except distributed.KilledWorker:
            raise ClusterError(
                "several workers died over the same part of the data, one after the other: they "
                "may have too little memory"
            ) from None
        except (distributed.client.CancelledError, distributed.client.CommClosedError):
            raise ClusterError("the cluster was lost while it counted") from None
        except ImportError as problem:
            raise ClusterError(f"the workers lack what counting needs: {problem}") from None
        finally:
            done.clear()

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
