"""Exact posteriors, amplification and information of R3 (EGS03 Example 1), against qif.

qif (libqif) computes on dense matrices of rationals or doubles. The operator, the matrices and
the prior are built beforehand on both sides, and the operator is a new one in each repetition,
so that no view is remembered.
"""

from __future__ import annotations

import statistics
import time
from fractions import Fraction

import numpy as np

from benchmarks.result import Result, median_seconds
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.derive.measures.information import information
from ppdm_formal.derive.measures.posterior import class_posteriors

SIZE, REACH, REPETITIONS = 1001, 100, 7
NEAR = Fraction(1, 2 * (2 * REACH + 1)) + Fraction(1, 2 * SIZE)
FAR = Fraction(1, 2 * SIZE)


def near_codes() -> np.ndarray:
    """0 where |y - x| mod SIZE is at most REACH, else 1."""
    numbers = np.arange(SIZE)
    distance = (numbers[None, :] - numbers[:, None]) % SIZE
    return ((distance > REACH) & (distance < SIZE - REACH)).astype(np.uint8)


def measure() -> list[Result]:
    """Time both; their posteriors of output 0 must be equal to the last digit."""
    try:
        import qif
    except ImportError:
        missing = "qif is not installed (pip install qif)"
        return [Result("exact audit of R3 against qif", missing, "", False)]
    domain, codes = Domain(range(SIZE)), near_codes()
    prior = Prior(
        domain, (np.arange(SIZE) > 0).astype(np.int64), [Fraction(1, 100), Fraction(99, 100_000)]
    )

    taken = []
    for _ in range(REPETITIONS):
        operator = Operator.from_codes(domain, domain, CodedMatrix(codes, [NEAR, FAR]))
        start = time.perf_counter()
        amplification(operator)
        posteriors = [class_posteriors(view) for view in operator.views(prior)]
        information(operator, prior)
        taken.append(time.perf_counter() - start)
    ours = statistics.median(taken)

    rational = np.array([NEAR, FAR], dtype=object)[codes]
    rational_prior = np.array([prior.probability(x) for x in domain], dtype=object)
    start = time.perf_counter()
    theirs = qif.channel.posteriors(rational, rational_prior)
    exact_seconds = time.perf_counter() - start

    shown = {(part.inputs.prior, part.inputs.likelihood): part.each for part in posteriors[0]}
    ours_at_0 = [shown[prior.probability(x), operator.probability(x, 0)] for x in domain]
    assert ours_at_0 == list(theirs[:, 0]), "the posteriors of output 0 differ"

    doubles, double_prior = rational.astype(float), rational_prior.astype(float)

    def in_doubles() -> None:
        qif.channel.posteriors(doubles, double_prior)
        qif.measure.shannon.add_leakage(double_prior, doubles)

    double_seconds = median_seconds(in_doubles, REPETITIONS)
    said = f"{ours * 1000:.0f} ms"
    return [
        Result(
            "R3, 1001 values: exact posteriors, amplification and I, I_w, J_w, "
            "against qif's rational posteriors alone",
            f"{exact_seconds / ours:.0f} times faster ({said}; qif {exact_seconds:.1f} s)",
            "at least 20 times",
            exact_seconds >= 20 * ours,
        ),
        Result(
            "the same, against qif's posteriors and mutual information in doubles",
            f"{ours / double_seconds:.2f} of its time ({said}; qif {double_seconds * 1000:.0f} ms)",
            "at most 3 times it",
            ours <= 3 * double_seconds,
        ),
    ]
