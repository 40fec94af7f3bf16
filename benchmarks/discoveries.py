"""By hand: which of very many values are found from hashed reports, and how many are false.

    python -m benchmarks.discoveries [--values 100000] [--people 500000] [--epsilon 4] [--times 20]
    python -m benchmarks.discoveries --rappor 1 --times 5    # filters of 128 bits in 64 cohorts

People have values 0, 1, ... with shares that fall as 1/(place + 1)^1.1, of the first --had values;
nobody has the others. Told are: how many of the 20 most frequent were found, how many were found in
all, and the share of those that nobody has.
"""

from __future__ import annotations

import argparse
import math
import time
from fractions import Fraction

import numpy as np

from benchmarks.result import Result
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.rappor import rappor, reported
from ppdm_formal.infer.tables.report_counts import ReportCounts
from ppdm_formal.infer.undoing.bloom import found_texts
from ppdm_formal.infer.undoing.cohorts import Cohorts
from ppdm_formal.infer.undoing.discoveries import discoveries
from ppdm_formal.infer.undoing.near_law import rounded_number
from ppdm_formal.run.simulation import Simulation

TOP = 20
COHORTS = Cohorts(64, 128, 2)


def collected(values: int, people: int, epsilon: int, had: int, seed: int):
    """One simulated collection: which values are found at a false-discovery rate of 5%."""
    operator = local_hashing(values, round(math.exp(epsilon)) + 1, epsilon=epsilon)
    shares = 1 / np.arange(1, had + 1) ** 1.1
    rows = np.random.default_rng(seed).choice(had, size=people, p=shares / shares.sum())
    bits, counts = Simulation(seed), ReportCounts.create(operator)
    counts = ReportCounts.of_batches(
        counts,
        (
            operator.law.draw_batch(part, bits)
            for part in np.array_split(rows, people // 50_000 + 1)
        ),
    )
    other = rounded_number(operator.law.support().other)
    return discoveries(counts.counts, counts.rows, other, Fraction(1, 20))


def filtered(table, people: int, had: int, seed: int):
    """The same with RAPPOR's filters: two of 128 bits, f = 1/4, the permanent noise alone."""
    operator, f = rappor(COHORTS.bits, COHORTS.hashes, Fraction(1, 4)), Fraction(1, 4)
    other, own = map(float, reported(f, Fraction(0), Fraction(1)))
    draw, bits = np.random.default_rng(seed), Simulation(seed)
    shares = 1 / np.arange(1, had + 1) ** 1.1
    rows = draw.choice(had, size=people, p=shares / shares.sum())
    which = draw.integers(COHORTS.cohorts, size=people)
    counts = np.zeros((COHORTS.cohorts, COHORTS.bits), dtype=np.int64)
    for cohort in range(COHORTS.cohorts):
        filters = table[rows[which == cohort], cohort]
        offsets = np.arange(len(filters) + 1) * COHORTS.hashes
        items, _ = operator.law.draw_sets(filters.ravel(), offsets, bits)
        counts[cohort] = np.bincount(items, minlength=COHORTS.bits)
    sizes = np.bincount(which, minlength=COHORTS.cohorts)
    return found_texts(table, counts, sizes, own, other, Fraction(1, 20))


def campaign(values: int, people: int, epsilon: int, had: int, times: int, rappor: int = 0):
    """Many of them: top values found, all found, the mean share of false ones."""
    top, found, false = [], [], []
    table = COHORTS.table([f"text {k}" for k in range(values)]) if rappor else None
    for seed in range(times):
        if table is None:
            places = collected(values, people, epsilon, had, seed).places
        else:
            places = filtered(table, people, had, seed).places
        top.append(int((places < TOP).sum()))
        found.append(len(places))
        false.append(float((places >= had).mean()) if len(places) else 0.0)
    return top, found, false


def measure() -> list[Result]:
    """A small one."""
    top, found, false = campaign(100_000, 200_000, 4, 1000, 2)
    return [
        Result(
            "hashed reports on 100,000 values, 200,000 people, epsilon 4: top 20 found",
            f"{min(top)} of {TOP}, {min(found)} in all, {np.mean(false):.1%} false",
            "20, at most 5% false on average",
            min(top) == TOP,
        )
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    given = {
        "values": 100_000,
        "people": 500_000,
        "epsilon": 4,
        "had": 1000,
        "times": 20,
        "rappor": 0,
    }
    for name, value in given.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    asked = parser.parse_args()
    start = time.process_time()
    top, found, false = campaign(**vars(asked))
    each = (time.process_time() - start) / asked.times
    print(f"top {TOP} found: {min(top)} to {max(top)}; found in all: {min(found)} to {max(found)}")
    print(f"false on average: {np.mean(false):.2%}; {each:.1f} processor seconds each")


if __name__ == "__main__":
    main()
