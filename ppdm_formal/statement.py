"""Statement: what a paper asserts, in our words, and how it is decided here.

A statement is decided into an outcome: proved (for every size), checked up to a size, refuted
(with a counterexample) or corrected; or unknown. Beside it stand false neighbours, a hypothesis
dropped or a constant moved, which must be refuted, so that no proof passes vacuously. Statements
live in proofs/<paper>/*.py, each file with a tuple STATEMENTS, and are found by their place.
"""

from __future__ import annotations

import importlib.util
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ppdm_formal.files import shipped

Kind: TypeAlias = Literal["proved", "checked", "refuted", "corrected", "unknown"]


@dataclass(frozen=True)
class Outcome:
    """How a statement fared, and one sentence about it.

    up_to: the size up to which it was checked; counterexample: what refutes it; trust: what
    must be trusted ("re-checked exactly", or solvers).
    """

    kind: Kind
    detail: str
    up_to: str = ""
    counterexample: Mapping[str, str] | None = None
    trust: str = ""


@dataclass(frozen=True)
class Neighbour:
    """A statement nearby that is false, and how it is refuted."""

    text: str
    decide: Callable[[float], Outcome]


@dataclass(frozen=True)
class Statement:
    """A paper's statement: its name here, where it stands, what it says under which hypotheses.

    decide is given the seconds that it may take.
    """

    name: str
    paper: str
    title: str
    text: str
    hypotheses: tuple[str, ...]
    decide: Callable[[float], Outcome]
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
            "outcome": _outcome_json(self.outcome),
            "neighbours": [
                {"text": neighbour.text, "outcome": _outcome_json(outcome)}
                for neighbour, outcome in zip(statement.neighbours, self.neighbours, strict=True)
            ],
        }


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    counterexample = outcome.counterexample
    return {
        "kind": outcome.kind,
        "detail": outcome.detail,
        "up_to": outcome.up_to or None,
        "counterexample": None if counterexample is None else dict(counterexample),
        "trust": outcome.trust or None,
    }


def decide(statement: Statement, timeout: float = 60) -> Decided:
    """Decide a statement and its neighbours."""
    start = time.monotonic()
    outcome = statement.decide(timeout)
    neighbours = tuple(neighbour.decide(timeout) for neighbour in statement.neighbours)
    return Decided(statement, outcome, neighbours, time.monotonic() - start)


@dataclass(frozen=True)
class Lemma:
    """For all reals: the hypotheses imply the conclusion. SMT-LIB 2 terms in the variables."""

    name: str
    variables: str
    hypotheses: tuple[str, ...]
    conclusion: str

    @property
    def question(self) -> str:
        """The SMT-LIB 2 text: unsat means proved, a model is a counterexample."""
        lines = ["(set-logic QF_NRA)"]
        lines += [f"(declare-const {variable} Real)" for variable in self.variables.split()]
        lines += [f"(assert {hypothesis})" for hypothesis in self.hypotheses]
        lines += [f"(assert (not {self.conclusion}))", "(check-sat)"]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class LemmaAnswer:
    """unsat (proved), sat (with a counterexample) or unknown (with the reason)."""

    answer: str
    solver: str
    model: Mapping[str, Fraction]
    why: str


def ask(lemma: Lemma, timeout: float) -> LemmaAnswer:
    """Put a lemma to z3."""
    from ppdm_formal.certify.solver import solver

    found = solver("z3").ask(lemma.question, timeout)
    return LemmaAnswer(found.answer, found.solver, found.model, found.why)


def prove_all(lemmas: Sequence[Lemma], timeout: float) -> Outcome:
    """Proved if z3 proves every lemma; refuted by a counterexample to one."""
    label = ""
    for lemma in lemmas:
        found = ask(lemma, timeout)
        label = found.solver
        if found.answer == "sat":
            model = {name: str(value) for name, value in found.model.items()}
            return Outcome("refuted", f"{lemma.name} fails", counterexample=model)
        if found.answer != "unsat":
            return Outcome("unknown", f"{lemma.name}: {found.why or found.answer}")
    names = ", ".join(lemma.name for lemma in lemmas)
    return Outcome("proved", f"{len(lemmas)} lemmas: {names}", trust=f"solver-trusted ({label})")


def load_statements(directory: Path | None = None) -> list[Statement]:
    """All statements of proofs/<paper>/*.py, in the order of papers, files and numbers."""
    root = directory or shipped("proofs")
    found: list[Statement] = []
    for path in sorted(root.glob("*/*.py"), key=_natural):
        name = "ppdm_proofs_" + re.sub(r"\W", "_", f"{path.parent.name}_{path.stem}")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found += module.STATEMENTS
    return found


def _natural(path: Path) -> list[Any]:
    """statement_10 after statement_9."""
    pieces = re.split(r"(\d+)", f"{path.parent.name}/{path.stem}")
    return [int(piece) if piece.isdigit() else piece for piece in pieces]
