"""Time and memory limits of a claim, and solvers shared by threads and processes."""

from __future__ import annotations

import multiprocessing
import threading
import time
from fractions import Fraction

import pytest
import sympy

from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.solver import solver
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators import randomization as operators
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator

CLAIM = BreachClaim(Fraction(1, 10), Fraction(1, 2))
GENEROUS = 30
"""Seconds, for limits of one second on machines that do other things as well."""

EASY = "(set-logic QF_LRA)(declare-const s0 Real)(assert (> s0 {}.0))(check-sat)"


def slow_operator(size: int = 10) -> Operator:
    """p^(x + 1) (1 - p)^(size - x) and the rest on another output: sympy takes minutes."""
    p = Parameter("p", Fraction(0), Fraction(1))
    x = p.symbol
    rows = []
    for k in range(size + 1):
        first = sympy.expand(x ** (k + 1) * (1 - x) ** (size - k))
        rows.append([first, 1 - first])
    return Operator.from_matrix(rows, name="slow", parameters=[p])


def test_simplifying_keeps_the_limit():
    operator = slow_operator()
    prior = Prior.uniform(operator.inputs, "U")
    start = time.monotonic()
    found = certify(operator, BreachClaim(*rho(), under=prior), timeout=1)
    assert time.monotonic() - start < GENEROUS
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == "not decided within 1 s"
    assert found.vacuous is None
    assert found.summary()["vacuous"] is None


def rho() -> tuple[Fraction, Fraction]:
    return CLAIM.rho1, CLAIM.rho2


@pytest.mark.parametrize("step", ["views", "vacuity", "replay"])
def test_every_step_is_within_the_limit(step, monkeypatch):
    def endless(*_args, **_kwargs):
        while True:
            sum(range(100))

    place = {
        "views": "ppdm_formal.declare.claim.BreachClaim.views",
        "vacuity": "ppdm_formal.certify.vacuity.vacuity",
        "replay": "ppdm_formal.certify.decide.replay",
    }
    monkeypatch.setattr(place[step], endless)
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="coin")
    claim = BreachClaim(Fraction(1, 4 if step == "replay" else 10), Fraction(1, 2))
    found = certify(coin, claim, timeout=0.1)
    assert found.verdict is Verdict.UNKNOWN
    assert "not decided within 0.1 s" in found.reason


def test_knowledge_that_would_fill_the_memory_is_refused(monkeypatch):
    """Every pair (y, z) of two operators with all-different entries shows a view of its own."""
    size = 12
    rows = [[Fraction(1 + (x * y) % 7, 1) for y in range(size)] for x in range(size)]
    operator = Operator.from_matrix([[v / sum(row) for v in row] for row in rows], name="R")
    claim = BreachClaim(*rho(), knowing=operator)
    whole = certify(operator, claim)
    assert whole.verdict is not Verdict.UNKNOWN
    held = sum(len(view.classes) for view in whole.views)
    monkeypatch.setattr(operators, "MAX_KNOWING_CLASSES", held - 1)
    found = certify(operator, claim)
    assert found.verdict is Verdict.UNKNOWN
    assert "R with R" in found.reason
    assert "classes of inputs" in found.reason
    assert found.views == ()
    monkeypatch.setattr(operators, "MAX_KNOWING_CLASSES", held)
    assert certify(operator, claim).verdict is whole.verdict


def test_threads_share_a_solver():
    found: dict[int, object] = {}

    def ask(number: int) -> None:
        answer = solver.solver("z3").ask(EASY.format(number), 60)
        found[number] = answer.answer == "sat" and answer.model["s0"] > number

    for _ in range(2):  # the threads that started the solver are gone when the next ones ask
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == dict.fromkeys(range(8), True)
        found.clear()
    assert solver.solver("z3").ask(EASY.format(1), 60).answer == "sat"


def test_a_busy_solver_is_not_waited_for_beyond_the_limit():
    process = solver.SolverProcess("z3")
    with process._turn:
        found = process.ask(EASY.format(1), 0.1)
    assert found.answer == "unknown"
    assert "not free" in found.why
    process.close()


def _asked(number: int) -> bool:
    answer = solver.solver("z3").ask(EASY.format(number), 60)
    found = answer.answer == "sat" and answer.model["s0"] > number
    solver.close_all()
    return found


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_have_solvers_of_their_own(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system does not {method}")
    assert solver.solver("z3").ask(EASY.format(1), 60).answer == "sat"
    own = solver.solver("z3").process_id
    with multiprocessing.get_context(method).Pool(2) as pool:
        asked = pool.map_async(_asked, range(4))
        for number in range(4):
            assert solver.solver("z3").ask(EASY.format(number), 60).model["s0"] > number
        assert asked.get(timeout=120) == [True] * 4
    assert solver.solver("z3").process_id == own
