"""Statement: what a paper asserts, in our words, and how it is decided here.

A statement is decided into an outcome (outcome.py). Beside it stand false neighbours, a hypothesis
dropped or a constant moved, which must be refuted, so that no proof passes vacuously. The file
says which outcome it expects: a statement that is recorded as refuted or corrected is as it
should be; any other outcome than the one recorded is not, better ones included.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ppdm_formal.certify.statement.outcome import Kind, Outcome
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.result import Result


@dataclass(frozen=True)
class Definition:
    """A paper's definition, on which statements rest."""

    name: str
    paper: str
    title: str
    text: str
    section: str = ""
    formulas: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Neighbour:
    """A statement nearby that is false, and how it is refuted."""

    text: str
    decide: Callable[[Deadline], Outcome]


@dataclass(frozen=True)
class Statement:
    """A paper's statement: its name here, where it stands, what it says under which hypotheses.

    title: as the paper calls it; section: where it is printed; formulas: in LaTeX; uses: names
    of statements and definitions that it rests on; expected: the outcome on record.
    """

    name: str
    paper: str
    title: str
    text: str
    hypotheses: tuple[str, ...]
    decide: Callable[[Deadline], Outcome]
    neighbours: tuple[Neighbour, ...]
    section: str = ""
    formulas: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    expected: Kind = "proved"


@dataclass(frozen=True)
class DecidedStatement:
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
        return "unknown" if self.outcome.kind == "unknown" or not self._sound else "holds"

    @property
    def as_expected(self) -> bool:
        """Whether the outcome is the one on record, and every neighbour is refuted."""
        return self.outcome.kind == self.statement.expected and self._sound

    @property
    def exit_code(self) -> int:
        """0 as expected; 3 where something stays unknown; 1 for any other outcome."""
        if self.as_expected:
            return 0
        undecided = [self.outcome, *self.neighbours]
        return 3 if any(outcome.kind == "unknown" for outcome in undecided) else 1

    @property
    def _sound(self) -> bool:
        return all(outcome.kind == "refuted" for outcome in self.neighbours)

    def to_json(self) -> dict[str, Any]:
        """For `ppdm prove --json`."""
        statement = self.statement
        return {
            "name": statement.name,
            "paper": statement.paper,
            "section": statement.section or None,
            "title": statement.title,
            "text": statement.text,
            "formulas": list(statement.formulas),
            "hypotheses": list(statement.hypotheses),
            "uses": list(statement.uses),
            "verdict": self.verdict,
            "expected": statement.expected,
            "as_expected": self.as_expected,
            "outcome": self.outcome.to_json(),
            "neighbours": [
                {"text": neighbour.text, "outcome": outcome.to_json()}
                for neighbour, outcome in zip(statement.neighbours, self.neighbours, strict=True)
            ],
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class Proofs(Result):
    """Statements that were decided together."""

    shown_in: ClassVar[str] = "proofs"
    decided: tuple[DecidedStatement, ...]

    @property
    def exit_code(self) -> int:
        """0 where every outcome is as its file expects; else 1, or 3 where it stays unknown."""
        codes = {found.exit_code for found in self.decided}
        return next((code for code in (1, 3) if code in codes), 0)

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-proofs/1."""
        statements = [one.to_json() for one in self.decided]
        return {"format": "ppdm-proofs/1", "statements": statements}


def decide(statement: Statement, timeout: float = 60) -> DecidedStatement:
    """Decide a statement and its neighbours, all within one time limit (in seconds)."""
    start = time.monotonic()
    deadline = Deadline.after(timeout)
    outcome = _within(deadline, statement.decide)
    neighbours = tuple(_within(deadline, other.decide) for other in statement.neighbours)
    return DecidedStatement(statement, outcome, neighbours, time.monotonic() - start)


def _within(deadline: Deadline, decide: Callable[[Deadline], Outcome]) -> Outcome:
    try:
        deadline.check()
        return deadline.enforce(lambda: decide(deadline))
    except DeadlinePassed as late:
        return Outcome("unknown", str(late))
    except Exception as broken:  # a check that breaks has decided nothing
        return Outcome("unknown", f"the check broke: {type(broken).__name__}: {broken}")
