"""Expansion: columns, rows and lists hold what v_i < a says of each seed and item."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from seed_cases import LARGE, SMALL, as_integers, as_words, held_by

from ppdm_formal.run.compress import expand, kernels
from ppdm_formal.run.compress.draw import uniform_seeds
from ppdm_formal.run.compress.expand import baskets, columns, holds, packed_rows
from ppdm_formal.run.compress.generator import values
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.simulation import Simulation

EITHER = pytest.mark.parametrize("compiled", [True, False])


@pytest.fixture
def chosen(compiled, monkeypatch):
    """With compiled code, or with NumPy alone."""
    if not compiled:
        monkeypatch.setattr(kernels, "compiled", lambda function: None)


@EITHER
@pytest.mark.usefixtures("chosen")
@pytest.mark.parametrize("generator", SMALL, ids=str)
def test_all_seeds_hold_what_the_definition_says(generator):
    count = 1 << generator.seed_bits
    expected = held_by(generator, range(count))
    seeds = as_words(range(count), generator.words)
    items = np.arange(generator.items, dtype=np.uint64)
    table = holds(generator, seeds, items)
    assert [frozenset(np.flatnonzero(row).tolist()) for row in table] == expected
    lists = [set(row) for part in baskets(generator, seeds) for row in part.lists()]
    assert lists == expected
    # Definition 5, property 1: each item is held by a share rho of all seeds.
    assert (table.sum(axis=0) == count * generator.insert).all()


@EITHER
@pytest.mark.usefixtures("chosen")
@pytest.mark.parametrize("generator", LARGE, ids=str)
@pytest.mark.parametrize("rows", [1, 64, 4095, 4097])
def test_columns_of_chosen_items(generator, rows):
    seeds = uniform_seeds(rows, generator.seed_bits, Simulation(rows))
    last = generator.items - 1
    items = np.array([0, 1, last, last // 2, 63, last], dtype=np.uint64)  # in any order, also twice
    found = columns(generator, seeds, items)
    assert found.shape == (6, -(-rows // 64))
    bits = np.unpackbits(found.view(np.uint8), axis=1, bitorder="little")
    assert not bits[:, rows:].any()
    assert ((values(generator, seeds, items) < generator.numerator) == bits[:, :rows].T).all()


@EITHER
@pytest.mark.usefixtures("chosen")
@pytest.mark.parametrize("items", [1, 64, 65, 4100])
@pytest.mark.parametrize("rows", [1, 64, 700])
def test_rows_are_columns_turned(items, rows):
    generator = Polynomial(items, min(items, 3), 5, 3)
    seeds = uniform_seeds(rows, generator.seed_bits, Simulation(items))
    table = holds(generator, seeds, np.arange(items, dtype=np.uint64))
    found = packed_rows(generator, seeds)
    assert found.shape == (rows, -(-items // 64))
    bits = np.unpackbits(found.view(np.uint8), axis=1, bitorder="little")
    assert (bits[:, :items] == table).all()
    assert not bits[:, items:].any()


@given(st.integers(1, 200), st.integers(1, 5), st.integers(1, 16), st.data())
def test_numpy_and_compiled_code_agree_with_the_definition(items, q, bits, data):
    generator = Polynomial(items, min(q, items), data.draw(st.integers(1, 2**bits - 1)), bits)
    seed = data.draw(st.integers(0, (1 << generator.seed_bits) - 1))
    seeds = as_words([seed], generator.words)
    assert as_integers(seeds) == [seed]
    everything = np.arange(items, dtype=np.uint64)
    [row] = holds(generator, seeds, everything)
    assert [set(np.flatnonzero(row).tolist())] == held_by(generator, [seed])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "compiled", lambda function: None)
        assert (holds(generator, seeds, everything)[0] == row).all()


def test_shares_of_threads_make_no_difference(monkeypatch):
    generator = Polynomial(3000, 4, 5, 3)
    seeds = uniform_seeds(5000, generator.seed_bits, Simulation(1))
    items = np.arange(0, 3000, 7, dtype=np.uint64)
    whole = columns(generator, seeds, items)
    monkeypatch.setattr(expand, "SHARE", 100)
    monkeypatch.setattr(expand, "processors", lambda: 9)
    assert (columns(generator, seeds, items) == whole).all()


def test_blocks_of_lists_are_all_transactions(monkeypatch):
    generator = Polynomial(100, 4, 1, 2)
    seeds = uniform_seeds(50, generator.seed_bits, Simulation(1))
    whole = [row for part in baskets(generator, seeds) for row in part.lists()]
    monkeypatch.setattr(expand, "BLOCK_BITS", 700)
    parts = list(baskets(generator, seeds))
    assert [len(part) for part in parts] == [7] * 7 + [1]
    assert [row for part in parts for row in part.lists()] == whole


@EITHER
@pytest.mark.usefixtures("chosen")
def test_nothing_gives_nothing_and_items_beyond_are_refused():
    generator = Polynomial(100, 4, 1, 2)
    none = np.empty((0, generator.words), dtype=np.uint64)
    one = np.zeros((1, generator.words), dtype=np.uint64)
    assert columns(generator, none, np.arange(3, dtype=np.uint64)).shape == (3, 0)
    assert columns(generator, one, np.empty(0, dtype=np.uint64)).shape == (0, 1)
    assert list(baskets(generator, none)) == []
    with pytest.raises(ValueError, match="not among"):
        columns(generator, one, np.array([100], dtype=np.uint64))
    assert holds(generator, one, np.arange(100, dtype=np.uint64)).all()  # v = 0 is below every a
