"""Shares of clients: exact fractions that sum to 1, with the least largest LDS."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.design.item_form import best_item_form
from ppdm_formal.design.lds import LowestSupport, lowest_discoverable_support
from ppdm_formal.design.lifted import group_lds
from ppdm_formal.design.recovery import Recovery
from ppdm_formal.design.shares import PooledNoise, best_split, dyadic_shares, rounded_up

F = Fraction


def split(noises, transactions, bits=None):
    def largest(shares):
        return max(map(float, group_lds(noises, shares, transactions)))

    return best_split([noise.clients for noise in noises], largest, transactions, bits)


def test_one_size_is_the_lds_of_its_recovery():
    form = best_item_form(5, F(19))
    noise = PooledNoise.over({5: 7}, 1, lambda m: (form.noise_absent, form.noise_held))
    known = lowest_discoverable_support(Recovery.of(form.randomization(), 1), 1000)
    assert float(noise.lds(F(1000))) == pytest.approx(float(known), rel=1e-15)


def test_small_baskets_hold_no_set_for_certain():
    noise = PooledNoise.over({1: 1, 4: 3}, 2, lambda m: (F(2), F(5)))
    assert (noise.absent, noise.held, noise.reach) == (F(3, 2), F(15, 4), F(3, 4))
    found = noise.lds(F(10_000))
    s = float(found)
    # Baskets of 4 hold the set with s / (3/4), which makes s in all.
    variance = 0.75 * ((s / 0.75) * 5 + (1 - s / 0.75) * 2) / 10_000
    assert s == pytest.approx(4 * math.sqrt(variance), rel=1e-12)
    assert noise.clients(s) == pytest.approx(10_000, rel=1e-9)


def test_a_support_beyond_what_baskets_can_hold_is_not_discoverable():
    noise = PooledNoise.over({1: 9, 4: 1}, 2, lambda m: (F(2), F(5)))
    assert not noise.discoverable(noise.lds(F(100)))
    assert noise.discoverable(noise.lds(F(10_000)))


NOISES = st.builds(
    lambda a, more: PooledNoise(F(a, 100), F(a + more, 100), F(1)),
    st.integers(1, 5000),
    st.integers(0, 20_000),
)


@given(st.lists(NOISES, min_size=1, max_size=5), st.integers(10**4, 10**8))
def test_real_shares_have_a_closed_form(noises, transactions):
    """s^2 = 16/N (sum of (H - A) s + sum of A): all groups reach the same s."""
    factor = F(16, transactions)
    root = LowestSupport(
        factor * sum(n.held - n.absent for n in noises), factor * sum(n.absent for n in noises)
    )
    assert split(noises, transactions).ideal == pytest.approx(float(root), rel=1e-9)


def lds(noise, clients):
    slope, offset = (
        16 / clients * float(noise.held - noise.absent),
        16 / clients * float(noise.absent),
    )
    return (slope + math.sqrt(slope**2 + 4 * offset)) / 2


@settings(max_examples=40)
@given(st.lists(NOISES, min_size=2, max_size=3), st.integers(2, 5))
def test_no_other_shares_over_the_same_power_are_better(noises, bits):
    """Against all shares over 2^b."""
    n, whole = 10**6, 1 << bits
    shares = dyadic_shares([noise.clients for noise in noises], n, bits)
    assert sum(shares) == 1
    first = range(1, whole)
    every = (
        [(a, whole - a) for a in first]
        if len(noises) == 2
        else [(a, b, whole - a - b) for a in first for b in range(1, whole - a)]
    )
    best = min(
        max(lds(noise, n * top / whole) for noise, top in zip(noises, tops, strict=True))
        for tops in every
    )
    found = max(lds(noise, n * float(s)) for noise, s in zip(noises, shares, strict=True))
    assert found == pytest.approx(best, rel=1e-9)


@given(st.lists(NOISES, min_size=1, max_size=9), st.integers(4, 20), st.integers(1, 10**9))
def test_shares_sum_to_one_and_none_is_empty(noises, bits, transactions):
    shares = dyadic_shares([noise.clients for noise in noises], transactions, bits)
    assert sum(shares) == 1
    assert min(shares) > 0
    assert all((1 << bits) % share.denominator == 0 for share in shares)


@given(st.fractions(0, 1000))
def test_rounding_goes_up(value):
    assert value <= rounded_up(value) < value + F(1, 2**64)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: best_split([], lambda shares: 0.0, 5), "no groups"),
        (lambda: dyadic_shares([lambda s: 1 / s] * 3, 100, 1), "do not fit"),
        (lambda: PooledNoise.over({1: 5}, 2, lambda m: (F(1), F(1))), "no basket holds 2"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(ValueError, match=said):
        call()
