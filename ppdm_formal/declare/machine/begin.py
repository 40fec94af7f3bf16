"""Begin: work in a thread of its own, or a MemoryError where there is no memory for a thread.

threading.Thread.start waits until the new thread says that it runs. One that dies before, since the
system gives it no memory for its first step, never says so, and the start waits for ever.
"""

from __future__ import annotations

import _thread
from collections.abc import Callable

LONGEST = 20.0
"""Seconds in which a thread begins, also on a machine that is busy."""


def begin(work: Callable[[], object]) -> None:
    """Do the work in a new thread, which nobody waits for; returns once it has begun."""
    begun = _thread.allocate_lock()
    begun.acquire()

    def whole() -> None:
        begun.release()
        work()

    try:
        _thread.start_new_thread(whole, ())
    except RuntimeError:  # no memory for its stack; the system does not say what is missing
        raise MemoryError("no memory for another thread") from None
    if not begun.acquire(timeout=LONGEST):
        raise MemoryError("no memory for another thread")
