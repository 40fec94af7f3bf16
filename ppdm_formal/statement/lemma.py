"""Lemma: hypotheses imply a conclusion, for all reals; put to a solver, its answers replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.numbers.deadline import Deadline
from ppdm_formal.statement.outcome import Outcome
from ppdm_formal.statement.term import Formula

Replay = Callable[[Mapping[str, Fraction], Deadline], Outcome]
"""Makes a counterexample concrete and judges it by other means than the solver's."""


@dataclass(frozen=True)
class Lemma:
    """For all reals: the hypotheses together imply the conclusion."""

    name: str
    hypotheses: tuple[Formula, ...]
    conclusion: Formula

    @property
    def variables(self) -> tuple[str, ...]:
        """All names, in the order of their first occurrence."""
        parts = (*self.hypotheses, self.conclusion)
        return tuple({name: None for part in parts for name in part.variables()})

    @property
    def question(self) -> str:
        """The SMT-LIB 2 text: unsat means proved, a model is a counterexample."""
        symbols = self._symbols
        lines = ["(set-logic QF_NRA)"]
        lines += [f"(declare-const {symbol} Real)" for symbol in symbols.values()]
        lines += [f"(assert {part.smt(symbols)})" for part in (*self.hypotheses, ~self.conclusion)]
        return "\n".join([*lines, "(check-sat)"]) + "\n"

    @property
    def _symbols(self) -> dict[str, str]:
        return {name: f"s{position}" for position, name in enumerate(self.variables)}

    def values(self, model: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """A solver's model by the lemma's own names; what it leaves open is 0."""
        return {name: model.get(symbol, Fraction(0)) for name, symbol in self._symbols.items()}

    def refuted_by(self, values: Mapping[str, Fraction]) -> bool:
        """Whether these values satisfy every hypothesis and not the conclusion, exactly."""
        return all(part.at(values) for part in self.hypotheses) and not self.conclusion.at(values)


@dataclass(frozen=True)
class LemmaAnswer:
    """unsat (proved), sat (with a counterexample, replayed) or unknown (with the reason)."""

    answer: str
    solver: str
    values: Mapping[str, Fraction]
    why: str


def ask(lemma: Lemma, deadline: Deadline) -> LemmaAnswer:
    """Put a lemma to z3; a counterexample that exact arithmetic does not confirm is unknown."""
    from ppdm_formal.certify.solver import solver

    deadline.check()
    found = solver("z3").ask(lemma.question, deadline.left)
    values = lemma.values(found.model) if found.answer == "sat" else {}
    if found.answer == "sat" and not lemma.refuted_by(values):
        return LemmaAnswer("unknown", found.solver, {}, "the solver's model is no counterexample")
    return LemmaAnswer(found.answer, found.solver, values, found.why)


def prove_all(lemmas: Sequence[Lemma], deadline: Deadline) -> Outcome:
    """Proved if z3 proves every lemma; refuted by a counterexample to one."""
    label = ""
    for lemma in lemmas:
        found = ask(lemma, deadline)
        label = found.solver
        if found.answer == "sat":
            return _refuted(lemma, found)
        if found.answer != "unsat":
            return Outcome("unknown", f"{lemma.name}: {found.why or found.answer}")
    names = ", ".join(lemma.name for lemma in lemmas)
    return Outcome("proved", f"{len(lemmas)} lemmas: {names}", trust=f"solver-trusted ({label})")


def refute(lemma: Lemma, deadline: Deadline, replay: Replay | None = None) -> Outcome:
    """Look for a counterexample; it counts once replayed, exactly and by `replay` if given."""
    found = ask(lemma, deadline)
    if found.answer == "unsat":
        return Outcome("proved", f"{lemma.name} holds", trust=f"solver-trusted ({found.solver})")
    if found.answer != "sat":
        return Outcome("unknown", f"{lemma.name}: {found.why or found.answer}")
    if replay is None:
        return _refuted(lemma, found)
    judged = replay(found.values, deadline)
    return Outcome(
        judged.kind,
        f"{lemma.name}: {judged.detail}",
        counterexample=_shown(found.values) if judged.kind == "refuted" else None,
        trust=judged.trust,
    )


def _refuted(lemma: Lemma, found: LemmaAnswer) -> Outcome:
    return Outcome(
        "refuted",
        f"{lemma.name} fails",
        counterexample=_shown(found.values),
        trust="re-checked exactly",
    )


def _shown(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}
