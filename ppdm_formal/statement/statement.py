"""Statement: what a paper asserts, in our words, and how it is decided here.

A statement is decided into an outcome: proved (for every size), checked up to a size, refuted
(with a counterexample) or corrected; or unknown. Beside it stand false neighbours, a hypothesis
dropped or a constant moved, which must be refuted, so that no proof passes vacuously.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ppdm_formal.numbers.deadline import Deadline, DeadlinePassed
from ppdm_formal.statement.outcome import Outcome


@dataclass(frozen=True)
class Neighbour:
    """A statement nearby that is false, and how it is refuted."""

    text: str
    decide: Callable[[Deadline], Outcome]


@dataclass(frozen=True)
class Statement:
    """A paper's statement: its name here, where it stands, what it says under which hypotheses."""

    name: str
    paper: str
    title: str
    text: str
    hypotheses: tuple[str, ...]
    decide: Callable[[Deadline], Outcome]
    neighbours: tuple[Neighbour, ...]


@dataclass(frozen=True)
class Decided:
    """A statement with its outcome and those of its neighbours."""

    statement: Statement
    outcome: Outcome
    neighbours: tuple[Outcome, ...]
    seconds: float

    @property
    def verdict(self) -> Literal["holds", "refuted", "unknown"]:
        """It holds if it is decided so and every neighbour is refuted."""
        if self.outcome.kind == "refuted":
            return "refuted"
        sound = all(outcome.kind == "refuted" for outcome in self.neighbours)
        if self.outcome.kind in ("proved", "checked", "corrected") and sound:
            return "holds"
        return "unknown"

    def to_json(self) -> dict[str, Any]:
        """For `ppdm prove --json`."""
        statement = self.statement
        return {
            "name": statement.name,
            "paper": statement.paper,
            "title": statement.title,
            "text": statement.text,
            "hypotheses": list(statement.hypotheses),
            "verdict": self.verdict,
            "outcome": self.outcome.to_json(),
            "neighbours": [
                {"text": neighbour.text, "outcome": outcome.to_json()}
                for neighbour, outcome in zip(statement.neighbours, self.neighbours, strict=True)
            ],
        }


def decide(statement: Statement, timeout: float = 60) -> Decided:
    """Decide a statement and its neighbours, all within one time limit (in seconds)."""
    start = time.monotonic()
    deadline = Deadline.after(timeout)
    outcome = _within(deadline, statement.decide)
    neighbours = tuple(_within(deadline, other.decide) for other in statement.neighbours)
    return Decided(statement, outcome, neighbours, time.monotonic() - start)


def _within(deadline: Deadline, decide: Callable[[Deadline], Outcome]) -> Outcome:
    try:
        deadline.check()
        return decide(deadline)
    except DeadlinePassed as late:
        return Outcome("unknown", str(late))
