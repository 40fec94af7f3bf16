"""Lemmas: terms against sympy, questions with generated symbols, answers replayed exactly."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.certify import Verdict
from ppdm_formal.certify.solver import solver
from ppdm_formal.certify.solver.solver import SolverAnswer
from ppdm_formal.certify.statement import Lemma, Outcome, prove_all, reals, refute, replay_breach
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed

x, y = reals("x y")
SOON = 30.0

fractions = st.fractions(min_value=-5, max_value=5, max_denominator=12)


@st.composite
def terms(draw, depth=3):
    """A term beside the same expression in sympy."""
    if depth == 0 or draw(st.booleans()):
        if draw(st.booleans()):
            value = draw(fractions)
            return x * 0 + value, sympy.Rational(value.numerator, value.denominator)
        name, variable = draw(st.sampled_from([("x", x), ("y", y)]))
        return variable, sympy.Symbol(name)
    (one, first), (two, second) = draw(terms(depth - 1)), draw(terms(depth - 1))
    return draw(
        st.sampled_from(
            [(one + two, first + second), (one - two, first - second), (one * two, first * second)]
        )
    )


@given(terms(), fractions, fractions)
def test_terms_are_what_sympy_makes_of_them(pair, at_x, at_y):
    term, expression = pair
    values = {"x": at_x, "y": at_y}
    expected = expression.subs(
        {n: sympy.Rational(v.numerator, v.denominator) for n, v in values.items()}
    )
    assert term.at(values) == Fraction(int(expected.p), int(expected.q))
    assert (term <= 1).at(values) == bool(expected <= 1)
    assert (term > 1).at(values) == bool(expected > 1)
    assert (~(term == 0) | (term < 2)).at(values) == bool(expected != 0 or expected < 2)


@given(fractions)
def test_constants_are_spelled_exactly(value):
    """z3 reads the spelling back as the same number."""
    outcome = prove_all(
        [Lemma("reads back", (x == value,), x * 12 == value * 12)], Deadline.after(SOON)
    )
    assert outcome.kind == "proved"


def test_symbols_are_generated():
    """No name reaches the solver, whatever it is."""
    (odd,) = reals("|)(exit)")
    question = Lemma("odd", (odd > 0,), odd + x > x).question
    assert "exit" not in question.replace("check-sat", "")
    assert question.count("declare-const s") == 2
    assert prove_all([Lemma("odd", (odd > 0,), odd + x > x)], Deadline.after(SOON)).kind == "proved"


def test_a_false_lemma_is_refuted_with_a_counterexample():
    lemma = Lemma("squares", (x >= 0,), x * x >= x)
    outcome = prove_all([lemma], Deadline.after(SOON))
    assert outcome.kind == "refuted"
    assert 0 < Fraction(outcome.counterexample["x"]) < 1
    assert lemma.refuted_by({"x": Fraction(outcome.counterexample["x"])})
    assert not lemma.refuted_by({"x": Fraction(2)})
    assert not lemma.refuted_by({"x": Fraction(-1, 2)})


class Recorded:
    """A solver that answers as told and notes the limits that it was given."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.limits = []

    def ask(self, text, timeout):
        self.limits.append(timeout)
        return self.answers.pop(0)


@pytest.mark.parametrize(
    "model", [{}, {"s0": Fraction(2)}, {"s0": Fraction(-1)}], ids=["empty", "true", "outside"]
)
def test_a_model_that_refutes_nothing_is_unknown(monkeypatch, model):
    """A solver that is wrong, or whose root is irrational and left out, does not refute."""
    monkeypatch.setattr(solver, "solver", lambda _: Recorded(SolverAnswer("sat", "liar", model)))
    outcome = prove_all([Lemma("squares", (x >= 0,), x * x >= x)], Deadline.after(SOON))
    assert outcome.kind == "unknown"
    assert "no counterexample" in outcome.detail


def test_lemmas_share_the_time_limit(monkeypatch):
    clock = itertools.count(0, 10)
    fake = Recorded(*[SolverAnswer("unsat", "z3")] * 3)
    monkeypatch.setattr(solver, "solver", lambda _: fake)
    monkeypatch.setattr(
        "ppdm_formal.declare.machine.deadline.time.monotonic", lambda: float(next(clock))
    )
    monkeypatch.setattr(solver, "installed", lambda _: False)
    prove_all([Lemma(n, (x >= 0,), x >= 0) for n in "abc"], Deadline.after(1000))
    assert fake.limits == sorted(fake.limits, reverse=True)
    assert len(set(fake.limits)) == 3


def answers(monkeypatch, **given):
    monkeypatch.setattr(solver, "solver", lambda name: Recorded(given[name]))
    monkeypatch.setattr(solver, "installed", lambda name: name in given)
    return prove_all([Lemma("squares", (x >= 0,), x * x >= x)], Deadline.after(SOON))


def test_what_two_solvers_prove_names_both(monkeypatch):
    both = answers(
        monkeypatch, z3=SolverAnswer("unsat", "z3 1"), cvc5=SolverAnswer("unsat", "cvc5 2")
    )
    assert (both.kind, both.means) == ("proved", ("two solvers",))
    assert "z3 1 and cvc5 2" in both.trust
    one = answers(monkeypatch, z3=SolverAnswer("unsat", "z3 1"))
    assert (one.kind, one.means) == ("proved", ("solver",))
    other = answers(
        monkeypatch, z3=SolverAnswer("unknown", "z3 1"), cvc5=SolverAnswer("unsat", "cvc5 2")
    )
    assert (other.kind, other.means) == ("proved", ("solver",))
    assert "z3" not in other.trust


def test_solvers_that_disagree_decide_nothing(monkeypatch):
    model = {"s0": Fraction(1, 2)}
    found = answers(
        monkeypatch, z3=SolverAnswer("unsat", "z3"), cvc5=SolverAnswer("sat", "cvc5", model)
    )
    assert found.kind == "unknown"
    assert "cvc5" in found.detail
    found = answers(
        monkeypatch, z3=SolverAnswer("unknown", "z3"), cvc5=SolverAnswer("sat", "cvc5", model)
    )
    assert found.kind == "refuted"
    assert found.counterexample == {"x": "1/2"}


def test_no_lemma_is_asked_once_the_time_is_over(monkeypatch):
    fake = Recorded()
    monkeypatch.setattr(solver, "solver", lambda _: fake)
    with pytest.raises(DeadlinePassed):
        prove_all([Lemma("any", (), x * x >= 0)], Deadline.after(0))
    assert fake.limits == []


def test_a_replay_that_fails_leaves_it_unknown():
    lemma = Lemma("squares", (x >= 0,), x * x >= x)
    refused = refute(lemma, Deadline.after(SOON), lambda *_: Outcome("unknown", "not so"))
    assert refused.kind == "unknown"
    assert refused.counterexample is None
    assert refute(lemma, Deadline.after(SOON)).kind == "refuted"
    true = Lemma("fourth powers", (x >= 1,), x * x >= x)
    assert refute(true, Deadline.after(SOON)).kind == "proved"


def test_breaches_are_replayed_by_the_certifier():
    rows = [["9/10", "1/10"], ["1/10", "9/10"]]
    claim = BreachClaim(Fraction(1, 10), Fraction(1, 2), "upward")
    deadline = Deadline.after(SOON)
    assert replay_breach(rows, claim, Verdict.BREACHED, deadline, output=0).kind == "refuted"
    assert replay_breach(rows, claim, Verdict.BREACHED, deadline, output=1).kind == "unknown"
    assert replay_breach(rows, claim, Verdict.CERTIFIED, deadline).kind == "unknown"


def test_formulas_have_no_truth_value():
    with pytest.raises(TypeError, match="do not chain"):
        bool(0 < x < 1)
    with pytest.raises(TypeError, match="no truth value"):
        bool(x)
    with pytest.raises(TypeError, match="may be zero"):
        x / y
    with pytest.raises(TypeError, match="float"):
        x + 0.5
    with pytest.raises(TypeError, match="bool"):
        x + True
