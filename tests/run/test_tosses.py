"""Eight coins at a time: the patterns have exactly the probabilities of eight coins."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from draw_oracle import Given, probabilities, rationals

from ppdm_formal.declare.operators import tosses
from ppdm_formal.declare.operators.tosses import COINS, FEW, WIDTH, Tosses, toss
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.simulation import Simulation

HEADS = [Fraction(3, 10), Fraction(1, 2), Fraction(5, 16), Fraction(1, 1000), Fraction(999, 1000),
         Fraction(1, 3), Fraction(12345, 65536), Fraction(1, 10**12)]  # fmt: skip


def pattern_law(heads):
    ones = [bin(pattern).count("1") for pattern in range(256)]
    return [heads**many * (1 - heads) ** (COINS - many) for many in ones]


@pytest.mark.parametrize("heads", HEADS)
def test_all_words_of_16_bits_and_what_they_leave_open_induce_the_law(heads):
    made = Tosses(heads)
    found = [Fraction(int(many), 1 << WIDTH) for many in np.bincount(
        made.table[~made.open], minlength=256)]  # fmt: skip
    for word in np.flatnonzero(made.open).tolist():
        first, rest = made.steps.after(word)
        for outcome, mass in enumerate(probabilities(rationals(rest))):
            found[first + outcome] += mass / (1 << WIDTH)
    assert found == pattern_law(heads)


@pytest.mark.parametrize("heads", HEADS)
def test_words_left_open_are_settled_at_the_cut(heads):
    """Just below the floor of the cut, on it (then what follows decides), and above it."""
    made = Tosses(heads)
    tried = 0
    for word in np.flatnonzero(made.open).tolist():
        first, rest = made.steps.after(word)
        if rest.floors.size != 1:
            continue
        [cut] = rationals(rest)
        floor = int(cut * 2**64)
        left = cut * 2**64 - floor
        assert floor == made._floor[word]
        edge = int(left * 2**64)
        for further, expected in [
            ([floor - 1], 0), ([floor + 1], 1), ([floor, edge - 1], 0), ([floor, edge + 1], 1),
        ]:  # fmt: skip
            if min(further) < 0 or max(further) >= 1 << 64 or (left == 0 and len(further) > 1):
                continue
            given = Given(further, 64)
            settled = made._settled(np.array([word], dtype=np.uint16), given)
            assert settled.tolist() == [first + expected]
            assert not given.left
            tried += 1
    assert tried or heads in (Fraction(1, 2), Fraction(1, 10**12))


def test_a_pattern_is_looked_up_by_sixteen_bits():
    """P = 1/2: all patterns have 256 words each."""
    words = 0x0100_00FF_FFFF_1234
    coins = Tosses(Fraction(1, 2)).coins(32, Given([words], 64))
    assert np.packbits(coins, bitorder="little").tolist() == [0x12, 0xFF, 0, 1]


@pytest.mark.parametrize("heads", HEADS)
@pytest.mark.parametrize("count", [0, 1, FEW - 1, FEW, FEW + 1, 100_003])
def test_as_many_coins_as_wanted_with_the_right_mean(heads, count):
    for bits in (Simulation(3), Keystream()):
        found = toss(heads, count, bits)
        assert found.shape == (count,)
        deviation = float(count * heads * (1 - heads)) ** 0.5
        assert abs(int(found.sum()) - float(count * heads)) <= 7 * deviation + 7 * (count > 0)


def test_coins_that_are_certain():
    assert toss(Fraction(1), 1000, Simulation(1)).all()
    assert not toss(Fraction(0), 1000, Simulation(1)).any()


def test_chunks_and_threads_make_no_difference(monkeypatch):
    whole = toss(Fraction(3, 10), 100_003, Simulation(9))
    monkeypatch.setattr(tosses, "CHUNK", 1000)
    assert (toss(Fraction(3, 10), 100_003, Simulation(9)) == whole).all()


def test_neighbouring_coins_are_independent():
    """All 256 patterns of a million draws, by chi-square; 255 degrees, 7 deviations above."""
    heads = Fraction(3, 10)
    drawn = np.packbits(Tosses(heads).coins(8_000_000, Simulation(5)))
    seen = np.bincount(drawn, minlength=256)
    expected = np.array([float(p) for p in pattern_law(heads)]) * 1_000_000
    assert ((seen - expected) ** 2 / expected).sum() < 255 + 7 * (2 * 255) ** 0.5
