"""The families' samplers, which write out no matrix, induce exactly the families' laws."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from draw_oracle import Given, induced
from family_cases import rational

from ppdm_formal.declare.families import overlap
from ppdm_formal.declare.families.replace_items import replace_items
from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.declare.language.families import model_families
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.simulation import Simulation

NAMES = model_families()
LARGER = [
    select_a_size(5, 3, "1/2", keep=["1/10", 0, "2/5", "1/2"]),
    replace_items(6, 3, "3/4"),
]


def test_positions_beyond_64_bits_are_refused():
    """C(67, 33) lies between 2^63 and 2^64, C(66, 33) below both."""
    first = np.array([0])
    with pytest.raises(TooLarge, match="too many to number"):
        replace_items(67, 33, "3/4").law.draw(first, Simulation(1))
    assert replace_items(66, 33, "3/4").law.draw(first, Simulation(1)).dtype == np.int64


def check_sampler(operator, rows):
    matrix = operator.matrix()
    for row in rows:
        law = induced(lambda bits, row=row: int(operator.law.draw(np.array([row]), bits)[0]))
        exact = {y: matrix.entry(row, y) for y in range(operator.outputs.size)}
        assert law == {y: p for y, p in exact.items() if p}


@pytest.mark.parametrize("name", NAMES)
def test_the_sampler_is_the_operator(name):
    """Closed ends among them, where some outputs are never drawn."""
    found = rational(name)
    tested = [operator for operator in found if operator.outputs.size <= 8][::2]
    tested += [operator for operator in found if operator.outputs.size == 16][::11]
    assert len(tested) >= 4
    tested = tested[:: -(-len(tested) // 20)]  # of families with very many cases, some
    for operator in tested:
        check_sampler(operator, [operator.inputs.size - 1])


@pytest.mark.parametrize("operator", LARGER)
def test_larger_choices(operator):
    check_sampler(operator, [operator.inputs.size // 2])


def test_transactions_that_are_not_inputs_are_refused_without_naming_items():
    law = select_a_size(6, 2, "1/3", cutoff=1, gamma=19).law
    for items, offsets, says in [
        ([0, 1, 2], [0, 2, 3], "transaction 1 does not have 2 items"),
        ([0, 1, 3, 6], [0, 2, 4], r"transaction 1 is not a set of items among 0\.\.5"),
        ([-1, 1], [0, 2], "transaction 0 is not a set"),
        ([4, 4], [0, 2], "transaction 0 is not a set"),
    ]:
        with pytest.raises(ValueError, match=says):
            law.draw_sets(np.array(items), np.array(offsets), Given([], 64))


def test_blocks_give_one_result(monkeypatch):
    """With blocks of two transactions, what stays in place is still there, in order."""
    monkeypatch.setattr(overlap, "BLOCK_ITEMS", 12)
    transactions = np.array([[0, 5], [3, 1], [2, 4], [5, 4], [0, 1]])
    offsets = np.arange(6) * 2
    for law in (select_a_size(6, 2, 0, keep=[0, 0, 1]).law, replace_items(6, 2, 1).law):
        items, ends = law.draw_sets(transactions.ravel(), offsets, Simulation(1))
        assert items.reshape(-1, 2).tolist() == np.sort(transactions).tolist()
        assert ends.tolist() == offsets.tolist()
    everything = select_a_size(6, 2, 1, keep=[0, 0, 1]).law
    items, ends = everything.draw_sets(transactions.ravel(), offsets, Simulation(1))
    assert items.tolist() == list(range(6)) * 5
    assert ends.tolist() == [0, 6, 12, 18, 24, 30]
    none = everything.draw_sets(
        np.empty(0, dtype=np.int64), np.zeros(1, dtype=np.int64), Simulation(1)
    )
    assert [part.tolist() for part in none] == [[], [0]]


def test_a_hundred_thousand_items():
    n, m, count = 10**5, 10, 40
    law = select_a_size(n, m, "1/3", keep=[0] * m + [1]).law
    chosen = np.concatenate([np.arange(m) * 9_999 + k for k in range(count)])
    offsets = np.arange(count + 1) * m
    items, ends = law.draw_sets(chosen, offsets, Keystream())
    sets = np.split(items, ends[1:-1])
    for k, found in enumerate(sets):
        assert (np.diff(found) > 0).all()
        assert found[0] >= 0
        assert found[-1] < n
        assert np.isin(chosen[k * m : k * m + m], found).all()
    others, expected = len(items) - count * m, count * (n - m) / 3
    assert abs(others - expected) < 7 * (count * n * 2 / 9) ** 0.5
    moved, _ = replace_items(n, m, "1/2").law.draw_sets(chosen, offsets, Keystream())
    stayed = sum(
        np.isin(a, b).sum()
        for a, b in zip(np.split(chosen, count), np.split(moved, count), strict=True)
    )
    assert abs(stayed - count * m / 2) < 7 * (count * m / 4) ** 0.5


def test_coins_of_a_byte_go_on_where_it_leaves_them_open():
    """1/3 is 85, 85, 85, ... in bytes."""
    lanes = Given(
        [0x5555_5555_5555_5555, 0x54_56_55_00_FF_55_54_56, 0x00_00_00_00_00_00_54_56], 64
    ).lanes(8)
    heads = lanes.coins(Steps.heads(Fraction(1, 3), 8), 8).tolist()
    # The second word, lowest byte first: 56 54 55 FF 00 55 56 54; the third decides the two 55s.
    assert heads == [False, True, False, False, True, True, False, True]


def test_a_fraction_of_256_takes_one_byte_a_coin():
    lanes = Given([0x03_02_01_00_FF_80_7F_02], 64).lanes(8)
    heads = lanes.coins(Steps.heads(Fraction(2, 256), 8), 8).tolist()
    assert heads == [False, False, False, False, True, True, False, False]


def test_which_items_stay_is_drawn_without_coins_for_the_others():
    """p[j] / C(m, j) for each j-subset, and nothing is asked of the items outside t."""
    keep = [Fraction(1, 10), Fraction(0), Fraction(2, 5), Fraction(1, 2)]
    law = select_a_size(10**9, 3, "1/3", keep=keep).law
    found = induced(lambda bits: tuple(law.stays(1, bits)[0].tolist()))
    assert found == {
        stay: keep[sum(stay)] / math.comb(3, sum(stay))
        for stay in itertools.product([False, True], repeat=3)
        if keep[sum(stay)]
    }
