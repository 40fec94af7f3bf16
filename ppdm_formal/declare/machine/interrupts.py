"""Interrupts: Ctrl-C and requests to end, made to wait or to unwind, so that files stay whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ppdm_formal.declare.machine.overrun import never_within

_HANGUP = [signal.SIGHUP] if hasattr(signal, "SIGHUP") else []


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C, requests to end and the ends of time limits wait until the block is done."""
    with never_within(), _without_signals():
        yield


@contextmanager
def _without_signals() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are handled in the main thread only
        return
    waiting: list[tuple[int, FrameType | None]] = []
    numbers = [signal.SIGINT, signal.SIGTERM, *_HANGUP]
    before = {number: signal.getsignal(number) for number in numbers}
    caught = [number for number, handler in before.items() if callable(handler)]
    for number in caught:
        signal.signal(number, lambda *what: waiting.append(what))
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, before[number])
        for late, frame in waiting[:1]:
            handler = before[signal.Signals(late)]
            if callable(handler):
                handler(late, frame)


@contextmanager
def ended_cleanly() -> Iterator[None]:
    """A request to end (SIGTERM, a closed terminal) unwinds like Ctrl-C, so that files go away."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [signal.SIGTERM, *_HANGUP]
    before = {
        number: signal.signal(number, _end)
        for number in numbers
        if signal.getsignal(number) is signal.SIG_DFL
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
