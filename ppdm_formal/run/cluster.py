"""Cluster: a client of a dask.distributed scheduler, or of a cluster that is started here."""

from __future__ import annotations

import logging
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from ppdm_formal.declare.machine.threads import processors
from ppdm_formal.run.errors import DataError

Key = TypeVar("Key")

CONNECT_SECONDS = 30
"""How long to wait for a scheduler, and for a first worker."""

STARTS = 2
"""How often a cluster here is started, before it is given up."""

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


def results(tasks: dict[Any, Key]) -> Iterator[tuple[Key, Any]]:
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
