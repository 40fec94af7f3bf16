"""A solver that is killed, hangs, runs out of memory or does not know: unknown, and no trace."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from ppdm_formal.certify import EXACTLY, SolverMissing, Verdict, certify
from ppdm_formal.certify.solver import by_solver, solver
from ppdm_formal.certify.solver.solver import SolverProcess
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.randomization import Operator

P, Q = (Parameter(name, Fraction(0), Fraction(1)) for name in "pq")
LEAST = Fraction(1, 4) + (P.symbol - Q.symbol) ** 2 / 8
# Where p = q the amplification is 2 exactly: no boxes show that it is nowhere more.
TOUCH = Operator.from_matrix([["1/2", "1/2"], [LEAST, 1 - LEAST]], name="T", parameters=[P, Q])
AT_MOST_2 = BoundClaim("amplification", "<=", Fraction(2))
CLAIM = BreachClaim(Fraction(1, 10), Fraction(1, 2))
COIN = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="coin")
WORKER = Path(solver.__file__).with_name("solver_worker.py")

GREETS = 'import sys, time, os, signal; print(\'{"version": "0"}\', flush=True); input(); '
BROKEN = {
    "is killed": GREETS + "os.kill(os.getpid(), signal.SIGKILL)",
    "never answers": GREETS + "time.sleep(100_000)",
    "answers unknown": GREETS
    + 'print(\'{"answer": "unknown", "why": "incomplete"}\', flush=True); input()',
    "answers nonsense": GREETS + "print('[]', flush=True); input()",
    "answers without a verdict": GREETS + "print('{}', flush=True); input()",
    "does not start": "raise SystemExit(1)",
    "is out of memory": GREETS + "bytearray(1 << 60)",
}


def alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def broken(request, monkeypatch):
    """Solvers whose process misbehaves; their processes are noted."""
    started = []

    class Noted(SolverProcess):
        def _start(self):
            try:
                super()._start()
            finally:
                started.append(self.process_id)

    command = [sys.executable, "-c", BROKEN[request.param]]
    processes = {name: Noted(name, command) for name in ("z3", "cvc5")}
    monkeypatch.setattr(solver, "_warm", processes)
    yield started
    for process in processes.values():
        process.close()
    assert started
    assert not any(alive(process_id) for process_id in started if process_id is not None)


@pytest.mark.parametrize("broken", BROKEN, indirect=True)
def test_no_answer_is_unknown_and_writes_nothing(broken, tmp_path):
    found = certify(TOUCH, AT_MOST_2, timeout=3)
    assert found.verdict is Verdict.UNKNOWN
    assert "z3 gave no answer" in found.reason
    assert found.write(tmp_path / "certificates", "W") is None
    assert not (tmp_path / "certificates").exists()
    assert found.trust is None


@pytest.mark.parametrize("broken", BROKEN, indirect=True)
def test_a_failed_cross_check_is_unknown(broken, monkeypatch):
    monkeypatch.setattr(solver, "installed", lambda name: True)
    found = certify(COIN, CLAIM, timeout=0.5, cross_check=True)
    assert found.verdict is Verdict.UNKNOWN
    assert "cross-check failed" in found.reason


@pytest.mark.parametrize("broken", ["is killed", "never answers"], indirect=True)
def test_exact_deciders_need_no_solver(broken):
    assert certify(COIN, CLAIM).verdict is Verdict.CERTIFIED
    assert broken == []
    broken.append(None)


def test_a_hanging_solver_is_ended_in_time():
    process = SolverProcess("z3", [sys.executable, "-c", BROKEN["never answers"]])
    assert process.ask("(check-sat)", 0.3).answer == "unknown"
    assert process.process_id is None


def test_a_solver_that_does_not_even_listen_is_ended_in_time():
    silent = BROKEN["never answers"].replace("input(); ", "")
    process = SolverProcess("z3", [sys.executable, "-c", silent])
    assert process.ask("(check-sat)" * 10**6, 0.3).answer == "unknown"
    assert process.process_id is None


def test_real_z3_is_ended_while_it_works():
    # Integer factoring by nonlinear arithmetic: not answered within the time that it is given.
    product = (10**40 + 121) * (10**40 + 139)
    text = (
        "(set-logic QF_NIA)(declare-const s0 Int)(declare-const s1 Int)"
        f"(assert (and (> s0 1) (> s1 1) (= (* s0 s1) {product})))(check-sat)"
    )
    process = SolverProcess("z3")
    assert process.ask("(set-logic QF_LRA)(check-sat)", 60).answer == "sat"
    running = process.process_id
    found = process.ask(text, 0.5)
    assert found.answer == "unknown"
    assert "no answer within 0.5 s" in found.why
    assert not alive(running)
    # It starts again when it is asked again.
    assert process.ask("(set-logic QF_LRA)(check-sat)", 60).answer == "sat"
    process.close()


def test_real_z3_out_of_memory_is_unknown():
    memory = 700 << 20
    process = SolverProcess("z3", [sys.executable, "-P", str(WORKER), "z3", str(memory)])
    assert process.ask("(set-logic QF_LRA)(check-sat)", 60).answer == "sat"
    lines = [f"(declare-const s{i} Real)(assert (> s{i} {i}.0))" for i in range(400_000)]
    found = process.ask("(set-logic QF_LRA)" + "".join(lines) + "(check-sat)", 120)
    process.close()
    assert found.answer == "unknown"
    assert found.why


def test_the_worker_ends_when_its_input_closes():
    process = SolverProcess("z3")
    process.ask("(set-logic QF_LRA)(check-sat)", 60)
    child = process._process
    child.stdin.close()
    assert child.wait(timeout=30) == 0
    process.close()


def test_disagreement_is_unknown_and_loud(monkeypatch):
    genuine = by_solver.decide_by_solver

    def contrary(views, claim, timeout, name="z3"):
        found = genuine(views, claim, timeout, "z3")
        return replace(found, verdict=Verdict.BREACHED) if name == "cvc5" else found

    monkeypatch.setattr(by_solver, "decide_by_solver", contrary)
    monkeypatch.setattr(solver, "installed", lambda name: True)
    found = certify(COIN, CLAIM, cross_check=True)
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason.startswith("DISAGREEMENT: cvc5 says breached")


def test_a_missing_solver_is_bad_usage(monkeypatch):
    monkeypatch.setattr(solver, "installed", lambda name: name == "z3")
    with pytest.raises(SolverMissing, match="cvc5 is not installed"):
        certify(COIN, CLAIM, cross_check=True)


def test_cross_check_asks_both_and_keeps_the_texts(tmp_path):
    if not solver.installed("cvc5"):
        pytest.skip("cvc5 is not installed (the extra `solvers`)")
    found = certify(COIN, CLAIM, cross_check=True)
    assert found.verdict is Verdict.CERTIFIED
    assert found.trust == EXACTLY
    assert {"z3", "cvc5"} <= set(found.versions)
    path = found.write(tmp_path, "coin")
    texts = sorted(tmp_path.glob("coin.*.smt2"))
    assert len(texts) == len(found.smt) == len(found.to_json()["smt"])
    assert path.name == "coin.json"
    assert all("(check-sat)" in text.read_text() for text in texts)
