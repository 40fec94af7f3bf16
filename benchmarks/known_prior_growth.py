"""A known-prior claim as |V_X| grows: classes of a view against one Boolean an input."""

from __future__ import annotations

import time
from fractions import Fraction

from benchmarks.result import Result
from ppdm_formal import BreachClaim, Domain, Operator, Prior
from ppdm_formal.certify import EXACTLY, certify
from ppdm_formal.certify.solver.solver import SolverProcess

CLAIM = (Fraction(1, 7), Fraction(1, 2))
LIMIT = 20.0
"""Seconds after which an encoding is said to have stopped answering."""


def example(size: int) -> tuple[Operator, Prior]:
    """R3 of EGS03 Example 1 on 0..size-1, and a prior like the example's."""
    reach = max(1, size // 10)
    near = Fraction(1, 2 * (2 * reach + 1)) + Fraction(1, 2 * size)

    def p(x: int, y: int) -> Fraction:
        distance = min((x - y) % size, (y - x) % size)
        return near if distance <= reach else Fraction(1, 2 * size)

    domain = Domain(range(size))
    rest = Fraction(99, 100) / (size - 1)
    prior = Prior.of(domain, {x: Fraction(1, 100) if x == 0 else rest for x in domain}, "X")
    return Operator.from_function(range(size), range(size), p), prior


def one_boolean_an_input(operator: Operator, prior: Prior) -> str:
    """The naive question: which inputs have the property, on output 0."""
    weights = [prior.probability(x) for x in operator.inputs]
    likely = [w * operator.probability(x, 0) for w, x in zip(weights, operator.inputs, strict=True)]

    def real(value: Fraction) -> str:
        return f"(/ {value.numerator}.0 {value.denominator}.0)"

    def chosen(values: list[Fraction]) -> str:
        return "(+ " + " ".join(f"(ite s{i} {real(v)} 0.0)" for i, v in enumerate(values)) + ")"

    lines = ["(set-logic QF_LRA)"]
    lines += [f"(declare-const s{i} Bool)" for i in range(operator.inputs.size)]
    lines.append(f"(assert (<= {chosen(weights)} {real(CLAIM[0])}))")
    lines.append(f"(assert (>= {chosen(likely)} {real(CLAIM[1] * sum(likely))}))")
    return "\n".join([*lines, "(check-sat)"]) + "\n"


def measure() -> list[Result]:
    """Seconds of both ways at each size, until the naive one stops."""
    results = []
    solver = SolverProcess("z3")
    stopped = False
    for size in (8, 16, 24, 32, 48, 101, 301, 1001):
        operator, prior = example(size)
        start = time.perf_counter()
        certificate = certify(operator, BreachClaim(*CLAIM, "upward", prior))
        ours = time.perf_counter() - start
        naive = "not asked (stopped before)"
        if not stopped:
            start = time.perf_counter()
            answer = solver.ask(one_boolean_an_input(operator, prior), LIMIT).answer
            naive = f"{answer} after {time.perf_counter() - start:.2f} s"
            stopped = answer == "unknown"
        results.append(
            Result(
                f"known prior, {size} inputs",
                f"{certificate.verdict.value} in {ours:.2f} s; one Boolean an input: {naive}",
                "exact, within a second",
                ours < 1 and certificate.trust == EXACTLY,
            )
        )
    solver.close()
    return results
