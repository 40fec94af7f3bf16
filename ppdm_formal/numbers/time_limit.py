"""Time limit: a block of pure computation that is interrupted when its seconds are over.

A watching thread raises OutOfTime in the thread that computes, between two steps of Python; what
is computed there must not own anything but memory. It works in every thread, and limits nest.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 10.0**6
"""Longer limits are none."""

_AGAIN = 0.05
"""An interrupt that was swallowed (in a destructor, say) is repeated after so many seconds."""


class OutOfTime(BaseException):
    """The time limit is over. Not an Exception: code in between must not take it for its own."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime inside the block if it takes longer.

    >>> try:
    ...     with time_limit(0.01):
    ...         while True:
    ...             pass
    ... except OutOfTime:
    ...     print("over")
    over
    """
    if seconds >= LONGEST:
        yield
        return
    watch = _Watch(threading.get_ident())
    thread = threading.Thread(target=watch.run, args=(max(0.0, seconds),), daemon=True)
    thread.start()
    try:
        yield
    finally:
        watch.stop(thread)


class _Watch:
    """Interrupts one thread until it is stopped."""

    def __init__(self, target: int) -> None:
        self.target = ctypes.c_ulong(target)
        self.lock = threading.Lock()
        self.stopped = threading.Event()

    def run(self, seconds: float) -> None:
        """Wait, then interrupt again and again."""
        while not self.stopped.wait(seconds):
            with self.lock:
                if self.stopped.is_set():
                    return
                self._raise(ctypes.py_object(OutOfTime))
            seconds = _AGAIN

    def stop(self, thread: threading.Thread) -> None:
        """No interrupt comes after this, also none that was sent and has not arrived."""
        while True:
            try:
                self.stopped.set()
                with self.lock:
                    self._raise(None)
                thread.join()
                return
            except OutOfTime:
                continue

    def _raise(self, what: ctypes.py_object[type[OutOfTime]] | None) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(self.target, what)
