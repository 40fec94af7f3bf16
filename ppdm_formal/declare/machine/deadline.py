"""Deadline: one time limit that all steps of a piece of work share."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ppdm_formal.declare.machine.overrun import ended_after

Result = TypeVar("Result")

GRACE = 0.5
"""Seconds that work which looks at the deadline itself has to end in order."""


class DeadlinePassed(TimeoutError):
    """The work did not end within its time limit."""


@dataclass(frozen=True)
class Deadline:
    """A point in time; `limit` is how many seconds there were."""

    limit: float
    ends: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """The deadline so many seconds from now."""
        return cls(seconds, time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left, at least 0."""
        return max(0.0, self.ends - time.monotonic())

    @property
    def passed(self) -> bool:
        """Whether no time is left."""
        return self.left == 0

    def check(self) -> None:
        """Raise DeadlinePassed where no time is left."""
        if self.passed:
            raise DeadlinePassed(f"not finished within {self.limit:g} s")

    def part(self, share: float) -> Deadline:
        """An earlier deadline: so much of the time that is left."""
        return self if self.ends == math.inf else Deadline.after(self.left * share)

    def enforce(self, work: Callable[[], Result]) -> Result:
        """The work's result; DeadlinePassed if it is not there a moment after the deadline.

        Work that looks at the deadline itself ends first, and in better order.
        """
        if self.ends == math.inf:
            return work()
        late = DeadlinePassed(f"not finished within {self.limit:g} s")
        return ended_after(self.left + GRACE, work, late)


NEVER = Deadline(math.inf, math.inf)
"""Work without a limit."""
