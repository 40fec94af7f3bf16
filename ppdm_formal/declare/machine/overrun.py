"""Overruns: work that knows nothing of time limits, ended by an exception in its own thread.

Pure Python (sympy above all) cannot be asked to stop, and a process of its own would have to be
handed everything. A second thread waits; once the time is up it has the interpreter raise an
exception in the working thread, at its next step, and again until the work is left, since
somewhere inside it may be swallowed. A call that waits for the system (a pipe that nobody writes
to) is woken by a signal; a single long call into compiled code ends first.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from ppdm_formal.declare.machine.begin import begin

Result = TypeVar("Result")

AGAIN = 0.2
"""Seconds until an exception that was swallowed is raised again."""


_WAKING = getattr(signal, "SIGURG", None)
"""Wakes a call that waits: nobody else uses it, and a process without a handler ignores it."""

_gate = threading.RLock()


@contextmanager
def never_within() -> Iterator[None]:
    """No work is ended within this block, which must be short: it must not be left half done."""
    with _gate:
        time.sleep(0)  # one that is on its way comes here, before the block
        yield


class Overrun(BaseException):
    """Raised inside work whose time is up; no `except Exception` stops it."""


def ended_after(seconds: float, work: Callable[[], Result], late: Exception) -> Result:
    """The work's result; `late` is raised where it takes longer.

    MemoryError where there is none for the thread that waits.
    """
    watch = _Watch()
    _wakeable()
    try:
        try:
            begin(lambda: watch.wait(seconds))
            return work()
        finally:
            watch.stop()
    except watch.own:
        watch.stop()  # the exception may have come on the way there
        raise late from None


class _Watch:
    """The second thread's side: which thread it watches, and its own exception."""

    def __init__(self) -> None:
        # A class of its own: work within work is ended by its own limit, not by another's.
        self.own: type[Overrun] = type("Overrun", (Overrun,), {})
        self.thread = threading.get_ident()
        self.lock = threading.Lock()
        self.done = False
        self.raised = False
        self.asleep = threading.Lock()
        self.asleep.acquire()

    def wait(self, seconds: float) -> None:
        """Wait, then raise until the work is done."""
        if self.asleep.acquire(timeout=min(seconds, threading.TIMEOUT_MAX)):
            return
        _keep_quiet()
        while True:
            with _gate, self.lock:
                if self.done:
                    return
                self.raised = True
                _raise_in(self.thread, self.own)
                if _WAKING and self.thread == threading.main_thread().ident:
                    signal.pthread_kill(self.thread, _WAKING)
            self.asleep.acquire(timeout=AGAIN)

    def stop(self) -> None:
        """No exception after this, not even one that is on its way."""
        while not self.done:
            try:
                with self.lock:
                    self.done = True
            except self.own:
                continue
        if self.raised:
            self._taken()
        if self.asleep.locked():
            self.asleep.release()

    def _taken(self) -> None:
        """Raise it once more and take it here: it replaces the one that may be on its way.

        Taking back what was asked for is no way out: the interpreter would go on looking for it at
        every step, which is slow, and under a profiler or a debugger never ends.
        """
        try:
            while True:
                _raise_in(self.thread, self.own)
                time.sleep(0)
        except self.own:
            self.raised = False


def _wakeable() -> None:
    """Calls of the main thread that wait can be woken from now on."""
    main = threading.current_thread() is threading.main_thread()
    if _WAKING and main and signal.getsignal(_WAKING) in (signal.SIG_DFL, signal.SIG_IGN):
        signal.signal(_WAKING, _woken)


def _woken(*_: object) -> None:
    """Running this is enough: the exception that was asked for is raised on the way."""


def _raise_in(thread: int, exception: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(exception))


class _Quiet:
    """A hook for exceptions that cannot be raised: says nothing of overruns, which come again.

    One may arrive where Python can only report it: in a finalizer, in a callback of the collector.
    """

    def __init__(self, otherwise: Callable[[Any], object]) -> None:
        self.otherwise = otherwise

    def __call__(self, unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, Overrun):
            self.otherwise(unraisable)


def _keep_quiet() -> None:
    if not isinstance(sys.unraisablehook, _Quiet):
        sys.unraisablehook = _Quiet(sys.unraisablehook)
