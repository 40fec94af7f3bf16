"""Lemma: hypotheses imply a conclusion, for all reals; put to solvers, their answers replayed.

z3 is asked first. What it does not refute is put to cvc5 as well, where that is installed: two
solvers that share no code. A counterexample counts once it is replayed exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.statement.outcome import EXACT, Means, Outcome
from ppdm_formal.certify.statement.term import RealFormula
from ppdm_formal.declare.machine.deadline import Deadline

Replay = Callable[[Mapping[str, Fraction], Deadline], Outcome]
"""Makes a counterexample concrete and judges it by other means than the solver's."""


@dataclass(frozen=True)
class Lemma:
    """For all reals: the hypotheses together imply the conclusion."""

    name: str
    hypotheses: tuple[RealFormula, ...]
    conclusion: RealFormula

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


FIRST, SECOND = "z3", "cvc5"
"""The solver that is asked, and the one that confirms it, or answers where it cannot."""


@dataclass(frozen=True)
class LemmaAnswer:
    """unsat (proved), sat (with a counterexample, replayed) or unknown (with the reason)."""

    answer: str
    solvers: tuple[str, ...]
    values: Mapping[str, Fraction]
    why: str

    @property
    def means(self) -> Means:
        """Whether one solver or two proved it."""
        return "two solvers" if len(self.solvers) > 1 else "solver"

    @property
    def trust(self) -> str:
        """What must be trusted."""
        return f"solver-trusted ({' and '.join(self.solvers)})"


def ask(lemma: Lemma, deadline: Deadline) -> LemmaAnswer:
    """Put a lemma to the solvers; a counterexample that arithmetic does not confirm is unknown.

    Solvers that contradict each other decide nothing; one without an answer is not counted.
    """
    from ppdm_formal.certify.solver.solver import installed, solver

    proved: list[str] = []
    why = ""
    for name in (FIRST, SECOND):
        if name == SECOND and not installed(SECOND):
            break
        deadline.check()
        # The second may only confirm: it gets half of what is left.
        left = deadline.left if name == FIRST else deadline.part(0.5).left
        found = solver(name).ask(lemma.question, left)
        if found.answer == "sat":
            values = lemma.values(found.model)
            if proved or not lemma.refuted_by(values):
                return LemmaAnswer(
                    "unknown", (), {}, f"{found.solver}: no counterexample after all"
                )
            return LemmaAnswer("sat", (found.solver,), values, "")
        if found.answer == "unsat":
            proved.append(found.solver)
        else:
            why = why or found.why or f"{found.solver} has no answer"
    return LemmaAnswer("unsat" if proved else "unknown", tuple(proved), {}, why)


def prove_all(lemmas: Sequence[Lemma], deadline: Deadline, scope: str = "") -> Outcome:
    """Proved if solvers prove every lemma; refuted by a counterexample to one."""
    proofs = []
    for lemma in lemmas:
        found = ask(lemma, deadline)
        if found.answer == "sat":
            return _refuted(lemma, found)
        if found.answer != "unsat":
            return Outcome("unknown", f"{lemma.name}: {found.why or found.answer}")
        proofs.append(found)
    weakest = min(proofs, key=lambda proof: len(proof.solvers))
    names = ", ".join(lemma.name for lemma in lemmas)
    detail = f"{len(lemmas)} lemmas: {names}" if len(lemmas) > 1 else names
    return Outcome("proved", detail, scope, (weakest.means,), trust=weakest.trust)


def refute(lemma: Lemma, deadline: Deadline, replay: Replay | None = None) -> Outcome:
    """Look for a counterexample; it counts once replayed, exactly and by `replay` if given."""
    found = ask(lemma, deadline)
    if found.answer == "unsat":
        detail = f"{lemma.name} holds"
        return Outcome("proved", detail, means=(found.means,), trust=found.trust)
    if found.answer != "sat":
        return Outcome("unknown", f"{lemma.name}: {found.why or found.answer}")
    if replay is None:
        return _refuted(lemma, found)
    judged = replay(found.values, deadline)
    return Outcome(
        judged.kind,
        f"{lemma.name}: {judged.detail}",
        means=("exact arithmetic",),
        counterexample=_shown(found.values) if judged.kind == "refuted" else None,
        trust=judged.trust,
    )


def _refuted(lemma: Lemma, found: LemmaAnswer) -> Outcome:
    return Outcome(
        "refuted",
        f"{lemma.name} fails",
        means=("exact arithmetic",),
        counterexample=_shown(found.values),
        trust=EXACT,
    )


def _shown(values: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}
