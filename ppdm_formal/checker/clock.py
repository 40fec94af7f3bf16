"""Clock: how long one check may take, asked wherever a certificate can make work long.

`ppdm check` ends a process that overruns; whoever calls the checker from Python has this alone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class OutOfTime(Exception):
    """The time of a check is over: nothing is known of the certificate."""


_END: ContextVar[float] = ContextVar("end of the check", default=math.inf)


def tick() -> None:
    """Go on, if there is time left."""
    if time.monotonic() > _END.get():
        raise OutOfTime


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Seconds for what is done inside; none more than there were before."""
    before = _END.set(min(_END.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _END.reset(before)
