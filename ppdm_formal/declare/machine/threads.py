"""Threads for work that holds no lock of Python: NumPy on large arrays, and compiled kernels."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar

_alone: ContextVar[bool] = ContextVar("alone", default=False)


def in_threads(
    call: Callable[[int], object], parts: Iterable[int], stop: Callable[[], object] = bool
) -> None:
    """Call for each part, as many at once as there are processors; the first error ends it.

    stop: called at an error or interrupt, to tell calls that have begun.
    """
    waiting = list(parts)
    workers = min(len(waiting), processors())
    if workers < 2:
        for part in waiting:
            call(part)
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            for _ in pool.map(call, waiting):
                pass
        except BaseException:  # also an interrupt: what has not begun is not begun
            stop()
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def one_thread() -> Iterator[None]:
    """What runs inside has this thread alone: others of the process do the like elsewhere."""
    before = _alone.set(True)
    try:
        yield
    finally:
        _alone.reset(before)


def processors() -> int:
    """How many processors this process may use; 1 where this thread is to work alone."""
    if _alone.get():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
