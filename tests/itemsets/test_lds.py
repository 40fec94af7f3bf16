"""Lowest discoverable supports: the defining equation, its limit, and the paper's number."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.families.select_a_size import Randomization, optimal_keep
from ppdm_formal.design.lds import (
    LowestSupport,
    Rest,
    alone,
    independent,
    lds_grid,
    lowest_discoverable_support,
    lowest_support_of,
    worst,
)
from ppdm_formal.design.recovery import Recovery

F = Fraction
RHO = F(131, 256)
PAPER = Randomization(5, RHO, optimal_keep(5, RHO, 4, F(19)))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_root_is_four_deviations_from_zero(k):
    recovery = Recovery.of(PAPER, k)
    n = 5_000_000
    root = lowest_discoverable_support(recovery, n)
    below = F(root.scaled(15), 10**15)
    for s, enough in ((below, False), (below + F(1, 10**15), True)):
        supports = [1 - s, *[F(0)] * (k - 1), s]
        assert (s**2 >= 16 * recovery.variance(supports, n)) is enough


def test_the_papers_half_percent():
    found = [
        float(lowest_discoverable_support(Recovery.of(PAPER, k), 5_000_000)) for k in (1, 2, 3)
    ]
    assert max(found) == pytest.approx(0.004956, abs=1e-6)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_inverse_square_root_of_n_in_the_limit(k):
    recovery = Recovery.of(PAPER, k)
    limit = 4 * math.sqrt(recovery.noise[0])
    gaps = []
    for n in (10**6, 10**10, 10**14):
        scaled = float(lowest_discoverable_support(recovery, n)) * math.sqrt(n)
        gaps.append(abs(scaled / limit - 1))
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 1e-5


def test_other_assumptions():
    recovery = Recovery.of(PAPER, 3)
    n = 5_000_000
    paper = lowest_discoverable_support(recovery, n, alone(3))
    rare = lowest_discoverable_support(recovery, n, independent(3, F(0)))
    common = lowest_discoverable_support(recovery, n, independent(3, F(1, 10)))
    most = lowest_discoverable_support(recovery, n, worst(3))
    assert paper == rare == lowest_discoverable_support(recovery, n)
    assert float(common) <= float(most)
    assert float(paper) <= float(most)
    assert max(recovery.noise[:3]) * F(16, n) == most.offset
    five = lowest_discoverable_support(recovery, n, deviations=5)
    assert float(five) > float(paper)
    with pytest.raises(ValueError, match=r"shares of l = 0\.\.2"):
        lowest_discoverable_support(recovery, n, Rest("wrong", (F(1, 2), F(1, 4))))
    with pytest.raises(ValueError, match="not in"):
        independent(2, F(1))
    with pytest.raises(ValueError, match="at least one"):
        lowest_discoverable_support(recovery, 0)


def test_too_few_transactions_discover_nothing():
    recovery = Recovery.of(PAPER, 3)
    assert not lowest_discoverable_support(recovery, 50).discoverable
    assert lowest_discoverable_support(recovery, 5_000_000).discoverable


def test_decimals_of_a_known_root():
    golden = LowestSupport(F(1), F(1))
    assert golden.decimal(20) == "1.61803398874989484820"
    assert LowestSupport(F(-1, 3), F(2, 9)).decimal(6) == "0.333333"
    # Roots that are decimals themselves: s^2 = s (s - 1/4) + s/4.
    for s in (F(1, 8), F(3, 10**6), F(7, 1)):
        for slope in (s - F(1, 4), F(0), F(-1, 3), F(-(10**9))):
            root = LowestSupport(slope, s * s - slope * s)
            for digits in (6, 12):
                assert root.scaled(digits) == s * 10**digits
    just_below = LowestSupport(F(0), F(1, 64) - F(1, 10**60))
    assert just_below.scaled(6) == 124_999


def test_the_scan_agrees_with_the_exact_values():
    rng = np.random.default_rng(2)
    for m in (2, 4, 6):
        ratios = rng.integers(1, 20, m + 1)
        rho = F(int(rng.integers(5, 95)), 100)
        default = [math.comb(m, j) * rho**j * (1 - rho) ** (m - j) for j in range(m + 1)]
        weights = [int(b) * d for b, d in zip(ratios, default, strict=True)]
        r = Randomization(m, rho, tuple(w / sum(weights) for w in weights))
        at = np.array([float(rho)])
        mined = [k for k in (1, 2, 3) if k <= m]
        best = max(float(lowest_discoverable_support(Recovery.of(r, k), 1_000_000)) for k in mined)
        scan = lds_grid(ratios[None].astype(float), at, (1, 2, 3), 1_000_000)[0]
        assert scan == pytest.approx(best, rel=1e-9)


def test_the_scan_calls_singular_parameters_infinite():
    ratios = np.array([[1.0, 1, 19, 19, 19, 19]])
    assert lds_grid(ratios, np.array([0.25]), (2,), 1000)[0] == np.inf
    assert np.isfinite(lds_grid(ratios, np.array([0.25]), (1,), 1000)[0])


def test_the_scan_does_not_cancel_where_nothing_is_discoverable():
    """A few transactions and huge noise: the root is just below 1, and must not become 0."""
    rho, m, k = F(7, 8), 12, 12
    r = Randomization(m, rho, optimal_keep(m, rho, m - 1, F(19)))
    exact = float(lowest_discoverable_support(Recovery.of(r, k), 1))
    ratios = np.array([1.0] * m + [19.0])
    assert lds_grid(ratios, np.array(float(rho)), [k], 1) == pytest.approx(exact, rel=1e-9)


def test_noise_says_which_other_transactions_matter_most():
    """With rho small and items mostly kept, one item of a pair doubles the noise and more."""
    rho = F(1, 20)
    few = Recovery.of(Randomization(5, rho, optimal_keep(5, rho, 1, F(19))), 2)
    assert few.noisiest == 1
    assert few.noise[1] > 2 * few.noise[0]
    n = 1_000_000
    assert lowest_support_of(few.noise, n, worst(2)).offset == 16 * few.noise[1] / n
    assert lowest_support_of(few.noise, n) == lowest_discoverable_support(few, n)
