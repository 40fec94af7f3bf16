"""Deadline: one time limit that all steps of a piece of work share."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass


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


NEVER = Deadline(math.inf, math.inf)
"""Work without a limit."""
