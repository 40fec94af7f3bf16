"""k-anonymity of a sample: delta against all samples of small tables listed."""

import math
from fractions import Fraction
from itertools import product

import pytest

from ppdm_formal.tables.anonymity.sampled import sampled_anonymity


def law_of_shown(rows, k, beta):
    """How many of so many equal rows are shown, all samples listed."""
    law = {}
    for kept in product((0, 1), repeat=rows):
        shown = sum(kept) if sum(kept) >= k else 0
        chance = math.prod(beta if bit else 1 - beta for bit in kept)
        law[shown] = law.get(shown, 0) + chance
    return law


def delta_by_listing(k, beta, epsilon, most):
    """The largest excess over neighbours with up to so many equal rows, in both directions."""
    grown, worst = math.exp(epsilon), (0.0, 0)
    for rows in range(1, most + 1):
        more, less = law_of_shown(rows, k, beta), law_of_shown(rows - 1, k, beta)
        for one, other in ((more, less), (less, more)):
            excess = sum(
                max(0.0, float(p) - grown * float(other.get(j, 0))) for j, p in one.items()
            )
            worst = max(worst, (excess, rows))
    return worst


@pytest.mark.parametrize(
    ("k", "beta", "epsilon"),
    [(1, "1/4", "1/2"), (2, "1/3", "1"), (3, "1/2", "1"), (3, "1/2", "2"), (5, "1/5", "1/2")],
)
def test_delta_is_that_of_all_samples(k, beta, epsilon):
    found = sampled_anonymity(k, Fraction(beta), Fraction(epsilon))
    wanted, alike = delta_by_listing(k, Fraction(beta), float(Fraction(epsilon)), 11)
    assert float(found.delta.lo) == pytest.approx(wanted, rel=1e-9)
    assert found.alike == alike
    assert found.delta.width < Fraction(1, 10**40)


def test_delta_falls_with_k_and_is_below_the_papers_bound():
    """Li, Qardaji and Su bound it by the largest P[Bin(n, beta) > gamma n]."""
    beta, epsilon = Fraction(1, 10), Fraction(1)
    deltas = [float(sampled_anonymity(k, beta, epsilon).delta.hi) for k in (5, 10, 20)]
    assert deltas == sorted(deltas, reverse=True)
    gamma = 1 - 0.9 / math.e
    for k, delta in zip((5, 10, 20), deltas, strict=True):
        bounds = [
            sum(
                math.comb(n, j) * 0.1**j * 0.9 ** (n - j)
                for j in range(max(k, math.floor(gamma * n) + 1), n + 1)
            )
            for n in range(k, 120)
        ]
        assert 0 < delta <= max(bounds) * (1 + 1e-9)


@pytest.mark.parametrize(
    ("k", "beta", "epsilon", "says"),
    [
        (2, "0", "1", "between 0 and 1"),
        (2, "1", "1", "between 0 and 1"),
        (2, "1/2", "0", "above 0"),
        (2, "1/2", "1/2", "at least -ln"),
        (0, "1/2", "1", "between 1 and"),
        (1001, "1/2", "1", "between 1 and"),
    ],
)
def test_what_is_refused(k, beta, epsilon, says):
    with pytest.raises(ValueError, match=says):
        sampled_anonymity(k, Fraction(beta), Fraction(epsilon))
