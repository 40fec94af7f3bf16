"""Discoveries and consistent estimates, against their definitions."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from how_many import cases
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.infer.tables.collected import estimate
from ppdm_formal.infer.tables.report_counts import ReportCounts
from ppdm_formal.infer.undoing.discoveries import discoveries, harmonic, tail
from ppdm_formal.infer.undoing.simplex import nearest_distribution
from ppdm_formal.run.randomize import randomize


def exact_tail(seen, rows, q):
    return sum(comb(rows, i) * q**i * (1 - q) ** (rows - i) for i in range(seen, rows + 1))


chances = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=60)


@given(st.integers(1, 80), st.integers(0, 81), chances)
def test_tails_are_rounded_up_by_a_hair(rows, seen, q):
    exact, found = exact_tail(seen, rows, q), tail(seen, rows, q)
    assert found >= exact
    if seen > rows * q:
        assert found <= float(exact) * (1 + 1e-8)


def test_tails_of_many_reports_against_scipy():
    stats = pytest.importorskip("scipy.stats")
    for rows, q, above in ((10**5, 0.25, 3), (10**6, 0.5, 6), (10**7, 1 / 16, 20)):
        seen = int(rows * q + above * (rows * q * (1 - q)) ** 0.5)
        assert tail(seen, rows, Fraction(q)) == pytest.approx(stats.binom.sf(seen - 1, rows, q))


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=30),
    st.fractions(Fraction(1, 100), Fraction(2, 5), max_denominator=100),
)
def test_the_step_up_rule_by_its_definition(seen, level):
    q, rows, k = Fraction(1, 4), 40, len(seen)
    steps = sum(Fraction(1, i) for i in range(1, k + 1))
    ordered = sorted((exact_tail(s, rows, q), x) for x, s in enumerate(seen))
    last = max(
        (i for i, (p, _) in enumerate(ordered, 1) if p <= i * level / (k * steps)), default=0
    )
    expected = {x for _, x in ordered[:last]}
    found = discoveries(np.array(seen), rows, q, level)
    assert set(found.places.tolist()) == expected
    assert found.least == min((seen[x] for x in expected), default=None)
    assert [seen[x] for x in found.places] == sorted((seen[x] for x in expected), reverse=True)


@given(st.integers(1, 300))
def test_harmonic_numbers(k):
    exact = sum(Fraction(1, i) for i in range(1, k + 1))
    assert exact <= Fraction(harmonic(k)) <= exact * (1 + Fraction(1, 10**12))


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=6))
def test_nearest_distribution_is_nearest(tenths):
    estimates = np.array(tenths) / 10
    found = nearest_distribution(estimates)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    # Optimal iff moving mass from any value that has some to any other does not come nearer.
    slope = found - estimates
    held = found > 1e-12
    assert slope[held].max() <= slope.min() + 1e-9


OPERATORS = [
    unary_encoding(200, epsilon=3),
    subset_selection(200, epsilon=3),
    local_hashing(200, 16, epsilon=3),
]


@pytest.mark.parametrize("operator", OPERATORS, ids=["unary", "subset", "hashed"])
def test_what_nobody_has_is_supported_as_often_as_is_claimed(operator):
    """The null law: Binomial(N, q) for a value that nobody has, by its first two moments."""
    rows, q = 4000, float(operator.law.support().other)
    drawn = randomize(operator, [k % 5 for k in range(rows)], seed=7)
    sent = [operator.report.encoded(one) for one in drawn.values]
    counts = ReportCounts.create(operator).add(sent).counts[5:]
    z = (counts - rows * q) / (rows * q * (1 - q)) ** 0.5
    assert abs(z.mean()) < 4 / len(z) ** 0.5 * 3  # values are not independent of each other
    assert 0.6 < z.std() < 1.5


@pytest.mark.parametrize("operator", OPERATORS, ids=["unary", "subset", "hashed"])
def test_few_of_those_found_are_false(operator):
    false, times = 0.0, cases(4, 40)
    people = [0] * 1500 + [1] * 1000 + [2] * 500 + [k % 50 for k in range(1000)]
    for seed in range(times):
        drawn = randomize(operator, people, seed=seed)
        table = estimate(operator, drawn).tables[0]
        found = table.discovered.places.tolist()
        assert {0, 1} <= set(found)
        false += sum(x >= 50 for x in found) / len(found)
        assert sum(table.consistent) == pytest.approx(1)
        assert min(table.consistent) >= 0
    assert false / times < 0.05 + 0.1 / times**0.5
