"""Do 95% intervals cover 95%? 1,000 collections of 10,000 people each from columns of adult.

Each collection draws people anew from the column and randomizes them. Needs PPDM_DATA, the folder
with adult-numeric.csv.xz; without it a skewed made-up column takes its place and says so.
"""

from __future__ import annotations

import csv
import lzma
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from benchmarks.result import Result
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.tables import RandomizedColumn, table
from ppdm_formal.infer.undoing.counts import Counts
from ppdm_formal.infer.undoing.operator_channel import along, doubles

COLLECTIONS = int(os.environ.get("PPDM_COLLECTIONS", "1000"))
PEOPLE, LEVEL = 10_000, Fraction(95, 100)


@dataclass(frozen=True)
class Case:
    """Operators on columns, and where people stand in them."""

    name: str
    operators: Sequence[Operator]
    people: Sequence[np.ndarray]


def k_ary(values: int, epsilon: float) -> Operator:
    """Randomized response with about this epsilon."""
    odds = Fraction(round(math.exp(epsilon) * 1000), 1000)
    return randomized_response(values, odds / (odds + values - 1))


def unary(values: int) -> Operator:
    """RAPPOR's one-time reports: each bit of the unary encoding kept with probability 3/4."""

    def p(x: int, y: int) -> Fraction:
        same = sum((y >> place & 1) == (place == x) for place in range(values))
        return Fraction(3**same, 4**values)

    return Operator.from_function(range(values), range(2**values), p)


def cases() -> Iterator[Case]:
    """Columns of adult, from very noisy to hardly noisy, alone and in pairs."""
    folder = os.environ.get("PPDM_DATA")
    if folder is None:
        yield Case("made-up column, k-ary", [k_ary(16, 3)], [np.repeat(range(16), range(1, 17))])
        return
    with lzma.open(Path(folder) / "adult-numeric.csv.xz", "rt") as file:
        rows = list(csv.DictReader(file))

    def column(name: str) -> np.ndarray:
        return np.array([int(row[name]) for row in rows])

    education, income = column("education_num") - 1, column("income_gt_50k")
    age, hours = column("age") - 17, column("hours_per_week") - 1
    ages, weeks = np.minimum(age // 8, 7), np.minimum(hours // 12, 7)
    bits = unary(8)
    yield Case("education, k-ary, eps 1", [k_ary(16, 1)], [education])
    yield Case("education, k-ary, eps 3", [k_ary(16, 3)], [education])
    yield Case("education, k-ary, eps 8", [k_ary(16, 8)], [education])
    yield Case("age, k-ary, eps 3", [k_ary(74, 3)], [age])
    yield Case("hours, k-ary, eps 5", [k_ary(99, 5)], [hours])
    yield Case("income, k-ary, eps 1/2", [k_ary(2, 0.5)], [income])
    yield Case("age in 8 classes, unary", [bits], [ages])
    yield Case("hours in 8 classes, unary", [bits], [weeks])
    yield Case("education x income, k-ary", [k_ary(16, 3), k_ary(2, 2)], [education, income])
    yield Case("age x hours, k-ary", [k_ary(8, 3), k_ary(8, 3)], [ages, weeks])
    yield Case("age unary x income", [bits, k_ary(2, 2)], [ages, income])


def measure() -> list[Result]:
    """Pooled coverage of each case and method; mean errors against their sampling error."""
    found: list[Result] = []
    for case in cases():
        found += covered(case)
    return found


def covered(case: Case) -> list[Result]:
    """Collect, estimate by both methods, and count."""
    columns = [RandomizedColumn(str(k), operator) for k, operator in enumerate(case.operators)]
    shape = [operator.inputs.size for operator in case.operators]
    places = np.ravel_multi_index(tuple(case.people), tuple(shape))
    truth = np.bincount(places, minlength=math.prod(shape)) / len(places)
    # People drawn anew with their coins: outputs are a multinomial sample of this law.
    law = along(truth.reshape(shape), [doubles(o.matrix()) for o in case.operators])
    law /= law.sum()
    draw = np.random.default_rng(2026)
    collected: dict[str, list[np.ndarray]] = {"unbiased": [], "mle": []}
    for _ in range(COLLECTIONS):
        counts = Counts.of_array(draw.multinomial(PEOPLE, law.ravel()).reshape(law.shape))
        for method, kept in collected.items():
            cells = table(columns, counts, method, LEVEL).estimated
            kept.append(
                np.array([(c.estimate, c.se, c.low, c.high, c.low_all, c.high_all) for c in cells])
            )
    results = []
    for method, kept in collected.items():
        estimate, se, low, high, low_all, high_all = np.moveaxis(np.array(kept), 2, 0)
        inside = (low <= truth) & (truth <= high)
        large = truth > 4 * se.mean(axis=0)
        shares = f"all {inside.mean():.2%}"
        if method == "mle":
            above = inside[:, large].mean() if large.any() else 0.95
            below = inside[:, ~large].mean() if not large.all() else 0.95
            shares = f"above 4 se {above:.2%} ({large.sum()} cells), others {below:.2%}"
            met = 0.94 <= above <= 0.96 and below >= 0.94
        else:
            error = (estimate - truth).mean(axis=0)
            scaled = error / (estimate.std(axis=0, ddof=1) / COLLECTIONS**0.5)
            shares += f"; mean error / its se: rms {np.sqrt((scaled**2).mean()):.2f}"
            met = 0.94 <= inside.mean() <= 0.96 and np.abs(scaled).max() < 4.5
        together = ((low_all <= truth) & (truth <= high_all)).all(axis=1).mean()
        shares += f"; all cells at once {together:.1%}"
        target = "94% to 96%" + (" above 4 se, else at least 94%" if method == "mle" else "")
        question = f"{case.name}: {method}, 95% intervals"
        results.append(Result(question, shares, target, bool(met)))
    return results
