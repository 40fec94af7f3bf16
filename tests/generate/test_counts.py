"""Counts: safe priors against all databases listed; private counts against all coins listed."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.tables.generate.exact_counts import rows_ratio, safe_counts, safe_priors
from ppdm_formal.tables.generate.private_count import private_count, truth_chance

HALF = Fraction(1, 2)


def dependence_at(counts, prior, known=()):
    """The largest ratio between belief before and after, all databases listed, some rows known."""
    n, m = sum(counts), len(counts)
    weight = {}
    for rest in itertools.product(range(m), repeat=n - len(known)):
        rows = (*known, *rest)
        if all(rows.count(v) == counts[v] for v in range(m)):
            chance = math.prod(prior[v] for v in rest)
            weight[rest[-1]] = weight.get(rest[-1], 0) + chance
    total = sum(weight.values())
    if not total:
        return None
    worst = Fraction(1)
    for v, q in enumerate(prior):
        after = weight.get(v, 0) / total
        if q and not after:
            return math.inf
        if q:
            worst = max(worst, after / q, q / after)
    return worst


def cases(seed, many):
    rng = random.Random(seed)
    for _ in range(many):
        m = rng.choice([2, 2, 3])
        n = rng.randint(2, 6)
        cuts = sorted(rng.randint(0, n) for _ in range(m - 1))
        counts = [b - a for a, b in itertools.pairwise([0, *cuts, n])]
        weights = [rng.randint(1, 6) for _ in range(m)]
        yield counts, [Fraction(w, sum(weights)) for w in weights], Fraction(rng.randint(1, 6), 3)


def test_safe_priors_are_those_of_all_databases():
    seen = set()
    for counts, prior, epsilon in cases(1, 120):
        region = safe_priors(counts, epsilon)
        worst = dependence_at(counts, prior)
        safe = worst != math.inf and worst <= exp_of(epsilon)
        assert region.holds(prior) == safe
        seen.add((safe, len(counts)))
    assert seen == {(True, 2), (False, 2), (True, 3), (False, 3)}


def test_ends_of_the_region_are_met():
    """On the ends the ratio is e^epsilon, for two values; a little beyond, it is more."""
    region = safe_priors([2, 3], Fraction(1, 2))
    for end, sign in zip(region.ends[0], (1, -1), strict=True):
        near = Fraction(round(end * 10**9), 10**9)
        inside, outside = (near + sign * side * Fraction(1, 10**6) for side in (1, -1))
        assert region.holds([inside, 1 - inside])
        assert not region.holds([outside, 1 - outside])
        assert dependence_at([2, 3], [outside, 1 - outside]) > exp_of(Fraction(1, 2))


def test_known_rows_are_those_of_all_databases():
    seen = set()
    for counts, prior, epsilon in cases(2, 60):
        found = safe_priors(counts, epsilon).known_rows(prior)
        n, m = sum(counts), len(counts)
        most = None
        for k in range(n):
            worst = [
                dependence_at(counts, prior, known)
                for known in itertools.combinations_with_replacement(range(m), k)
            ]
            if any(w is not None and (w == math.inf or w > exp_of(epsilon)) for w in worst):
                break
            most = k
        assert found == most
        seen.add(found)
    assert {None, 0, 1} <= seen


def test_rows_that_differ_against_all_databases():
    rng = random.Random(9)
    infinite = 0
    for _ in range(60):
        n = rng.randint(1, 6)
        priors = [Fraction(rng.randint(0, 5), 5) for _ in range(n)]
        weights = {}
        for bits in itertools.product((0, 1), repeat=n):
            chance = math.prod(q if b else 1 - q for q, b in zip(priors, bits, strict=True))
            weights.setdefault(sum(bits), []).append((bits, chance))
        for y, some in weights.items():
            total = sum(chance for _, chance in some)
            if not total:
                with pytest.raises(ValueError, match="cannot occur"):
                    rows_ratio(priors, y)
                continue
            worst = Fraction(1)
            for i, q in enumerate(priors):
                for value, before in ((1, q), (0, 1 - q)):
                    after = sum(chance for bits, chance in some if bits[i] == value) / total
                    if 0 < before < 1:
                        apart = max(after / before, before / after) if after else math.inf
                        worst = max(worst, apart)
            found = rows_ratio(priors, y)[0]
            infinite += worst == math.inf
            assert str(found) == str(worst).replace("inf", "infinity")
    assert infinite
    for many in ([], [Fraction(2)], [HALF] * 501):
        with pytest.raises(ValueError, match="are needed"):
            rows_ratio(many, 0)


@pytest.mark.parametrize(
    ("n", "q", "epsilon"), [(6, "1/2", "1"), (7, "1/5", "1/2"), (5, "1/9", "3"), (3, "1/9", "1/9")]
)
def test_safe_counts_one_by_one(n, q, epsilon):
    share, limit = Fraction(q), Fraction(epsilon)
    safe = [y for y in range(n + 1) if safe_priors([y, n - y], limit).holds([share, 1 - share])]
    found = safe_counts(n, share, limit)
    if not safe:
        assert found is None
        return
    assert (found.low, found.high) == (safe[0], safe[-1])
    assert safe == list(range(found.low, found.high + 1))
    inside = sum(math.comb(n, y) * share**y * (1 - share) ** (n - y) for y in safe)
    assert found.outside == 1 - inside


@pytest.mark.parametrize(
    ("counts", "epsilon"), [([5], 1), ([0, 0], 1), ([-1, 3], 1), ([2, 3], 0), ([2, 3], -1)]
)
def test_what_are_no_counts(counts, epsilon):
    with pytest.raises(ValueError, match=r"are needed|above 0"):
        safe_priors(counts, Fraction(epsilon))


def test_private_counts_are_unbiased_over_all_coins():
    """Every outcome of three coins: the mean of the estimate is the share, its variance as said."""
    rows, epsilon = Rows.of([[0, 1], [1], [0, 1, 2]], 3), Fraction(1)
    p = float(truth_chance(epsilon))
    mean = square = 0.0
    for truthful in itertools.product((True, False), repeat=3):

        class Fixed(Simulation):
            def coins(self, steps, count, truthful=truthful):
                assert steps.cut(0).floor(60) == math.floor(truth_chance(epsilon) * (1 << 60))
                return np.array(truthful)

        found = private_count(rows, [0, 1], ("a", "b"), epsilon, Fixed(0))
        chance = math.prod(p if one else 1 - p for one in truthful)
        mean += chance * found.share
        square += chance * found.share**2
    assert mean == pytest.approx(2 / 3)
    assert square - mean**2 == pytest.approx(found.error**2)


@pytest.mark.parametrize("items", [[0], [0, 1], [1, 0, 1], [0, 0], [2, 2, 0, 2]])
def test_an_itemset_may_name_an_item_twice(items):
    """With coins that all tell the truth: as many rows as hold the set."""
    rows = [[0, 1], [1], [0, 1, 2], [], [0, 2]]

    class Truthful(Simulation):
        def coins(self, steps, count):
            return np.ones(count, dtype=bool)

    found = private_count(Rows.of(rows, 3), items, (), Fraction(1), Truthful(0))
    assert found.yes == sum(set(items) <= set(row) for row in rows)


def test_private_counts_of_many_rows():
    rows = Rows.of([[0], [0, 1], [1]] * 5000, 2)
    found = private_count(rows, [0], ("a",), Fraction(1), Simulation(2))
    assert abs(found.share - 2 / 3) < 4 * found.error
    assert found.interval[0] < 2 / 3 < found.interval[1]
    assert found.to_json()["truth_probability"] == "exp(1)/(1 + exp(1))"
    with pytest.raises(ValueError, match="above 0"):
        private_count(rows, [0], ("a",), Fraction(0), Simulation(2))


@pytest.mark.parametrize("epsilon", ["1", "30", "1/100000000000000000000", "1e-100"])
def test_shares_and_errors_of_small_and_large_epsilon(epsilon):
    """Against 100-digit arithmetic; p is 1/2 or 1 in floating point at the ends."""
    import decimal

    eps = parse_number(epsilon)
    rows = Rows.of([[0], [0], [0], []], 1)
    with decimal.localcontext(prec=300):
        grown = (decimal.Decimal(eps.numerator) / eps.denominator).exp()
        p = grown / (1 + grown)
        for seed in range(4):
            found = private_count(rows, [0], ("a",), eps, Simulation(seed))
            share = (decimal.Decimal(found.yes) / 4 + p - 1) / (2 * p - 1)
            error = (p * (1 - p) / 4).sqrt() / (2 * p - 1)
            assert found.share == pytest.approx(float(share), rel=1e-14)
            assert found.error == pytest.approx(float(error), rel=1e-14)
            low, high = found.interval
            assert 0 <= low <= max(0, min(1, found.share)) <= high <= 1
            assert low < high


def test_an_epsilon_below_all_use_is_refused():
    rows = Rows.of([[0]], 1)
    with pytest.raises(ValueError, match="say nothing of the rows"):
        private_count(rows, [0], ("a",), Fraction(1, 10**101), Simulation(1))
