"""Growth against the level-wise way and the definition, with each way of growing and no room."""

import numpy as np
import pytest
from engines import engine
from how_many import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from mine_oracle import frequent_itemsets

from ppdm_formal.declare.machine import threads
from ppdm_formal.infer.baskets import frequent as ways
from ppdm_formal.infer.baskets import growth
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.market import Market

pytest.importorskip("numba")

WAYS = {
    "as it comes": {},
    "one thread": {},
    "transactions alone": {"MATRIX": 0},
    "one word": {"MATRIX": 40},
    "no room": {"ROOM": 1},
    "step by step": {"STEPS": 0},
    "few parts": {"PARTS": 1},
}


def same(found, other):
    (first, items), (second, kept) = found, other
    assert (items == kept).all()
    assert first.trie.starts == second.trie.starts
    for name in ("parent", "last", "_keys"):
        assert (getattr(first.trie, name) == getattr(second.trie, name)).all(), name
    assert (first.counts == second.counts).all()


def level_by_level(rows, least, largest=None):
    with engine("numpy"):
        return ways.frequent(rows, least, largest)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_growing_finds_what_the_definition_says(way, monkeypatch):
    for name, value in WAYS[way].items():
        monkeypatch.setattr(growth, name, value)
    for module in (threads, growth):
        monkeypatch.setattr(module, "processors", lambda: 1 if way == "one thread" else 2)

    rows_of = st.lists(st.sets(st.integers(0, 7)), max_size=30)

    @settings(max_examples=cases(40, 500))
    @given(rows_of, st.integers(1, 5), st.none() | st.integers(1, 4))
    def check(transactions, least, largest):
        found, items = ways.frequent(Rows.of(transactions, 8), least, largest)
        sets = {
            tuple(items[row].tolist()): count
            for size in range(1, found.trie.size + 1)
            for row, count in zip(
                found.trie.members(size),
                found.counts[np.asarray(found.trie.nodes(size))].tolist(),
                strict=True,
            )
        }
        assert sets == frequent_itemsets(transactions, least, largest)
        same((found, items), level_by_level(Rows.of(transactions, 8), least, largest))

    check()


@pytest.mark.parametrize("way", WAYS)
def test_columns_of_many_words(way, monkeypatch):
    """3,000 dense rows and a sparse market: both ways of growing, one within the other."""
    for name, value in WAYS[way].items():
        monkeypatch.setattr(growth, name, value)
    table = np.random.default_rng(5).random((3000, 14)) < np.linspace(0.1, 0.9, 14)
    dense = Rows.joined(np.nonzero(table)[1].astype(np.int32), table.sum(axis=1), 14)
    market = Market(3_000, 120, mean_size=6, patterns=25, seed=3).all()
    sparse = Rows.joined(market.items.astype(np.int32), market.sizes, 120)
    for rows, least in ((dense, 60), (sparse, 15)):
        found = ways.frequent(rows, least)
        assert found[0].trie.size >= 5
        same(found, level_by_level(rows, least))


def test_sets_with_too_many_subsets_are_refused_at_once():
    """2^22 - 1 are kept, 2^23 - 1 are not, and 2^1000 take no longer to see."""
    found, _ = ways.frequent(Rows.of([range(40)], 40), 1, 2)
    assert len(found.counts) == 1 + 40 + 780
    for items in (23, 1000):
        with pytest.raises(DataError, match="more than 4,194,304 frequent itemsets"):
            ways.frequent(Rows.of([range(items)] * 70, items), 70)


def test_an_interrupt_ends_growth_between_two_calls(monkeypatch):
    """A thread that is told so leaves its run unfinished."""
    monkeypatch.setattr(growth, "STEPS", 0)
    rows = Rows.of([range(12)] * 3, 12)
    work = growth._Growth(rows, 1, None, 1 << 20, 1 << 20, float)
    work.ended.set()
    work.work()
    assert len(work.counted().counts) == 1
