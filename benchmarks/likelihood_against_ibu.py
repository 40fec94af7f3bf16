"""Maximum likelihood for R3 (EGS03 Example 1): 1,001 cells, 10^6 answers, against multi-freq-ldpy.

Its IBU is EM on output frequencies with the dense matrix, compiled by numba, 10,000 steps or until
a step moves less than 10^-12. Ours is timed twice: until it reaches the log-likelihood at which
IBU ends, and until it is proved to be within 10^-6 of the optimum, which IBU does not reach.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.result import Result, median_seconds
from ppdm_formal.declare.language.compiler import load
from ppdm_formal.declare.machine.files import example_path
from ppdm_formal.infer.undoing.likelihood import fit
from ppdm_formal.infer.undoing.operator_channel import channel, doubles

ANSWERS, STEPS, SMALLEST = 10**6, 10_000, 1e-12


def measure() -> list[Result]:
    """Time both on the same counts."""
    try:
        from multi_freq_ldpy.estimators.Histogram_estimator import IBU
    except ImportError:
        missing = "multi-freq-ldpy is not installed"
        return [Result("maximum likelihood for R3 against IBU", missing, "", False)]
    model = example_path("example1")
    assert model is not None
    operator = load(model).operator("R3")
    size = operator.inputs.size
    numbers = np.arange(size)
    truth = np.exp(-0.5 * ((numbers - 300) / 60) ** 2) + 3 * ((numbers >= 700) & (numbers < 720))
    truth /= truth.sum()
    matrix = doubles(operator.matrix())  # symmetric, as IBU takes it
    law = truth @ matrix
    counts = np.random.default_rng(9).multinomial(ANSWERS, law / law.sum()).astype(np.float64)

    IBU(size, matrix, counts / ANSWERS, 2, SMALLEST, "max_abs")  # compiles it
    start = time.perf_counter()
    theirs = IBU(size, matrix, counts / ANSWERS, STEPS, SMALLEST, "max_abs")
    slow = time.perf_counter() - start
    reached = float(counts @ np.log(theirs @ matrix))

    line = channel([operator])
    same = fit(line, counts, enough=reached)
    assert same.log_likelihood >= reached
    quick = median_seconds(lambda: fit(line, counts, enough=reached))
    start = time.perf_counter()
    best = fit(line, counts)
    whole = time.perf_counter() - start
    return [
        Result(
            "R3, 1,001 cells, 10^6 answers: EM to the log-likelihood of multi-freq-ldpy's IBU",
            f"{slow / quick:.0f} times faster ({quick:.2f} s; IBU {slow:.1f} s)",
            "at least 20 times",
            slow >= 20 * quick,
        ),
        Result(
            "the same, until within 10^-6 of the optimum",
            f"{slow / whole:.1f} times faster ({whole:.2f} s), "
            f"{best.log_likelihood - reached:.1f} above IBU in log-likelihood",
            "not slower, and likelier",
            whole <= slow and best.log_likelihood > reached and best.gap <= 1e-6,
        ),
    ]
