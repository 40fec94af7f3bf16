"""Columns of bits, and counts of itemsets from them, against the definition."""

from itertools import combinations

import numpy as np
import pytest
from engines import ENGINES, engine
from hypothesis import given
from hypothesis import strategies as st
from mine_oracle import count

from ppdm_formal.infer.baskets import counting, packed
from ppdm_formal.infer.baskets.counting import Candidates, counts_of, ones
from ppdm_formal.infer.baskets.levels import partial_counts
from ppdm_formal.infer.baskets.packed import BLOCK, WORDS, Packed, chunks
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.infer.baskets.trie import Counted, Trie

TRANSACTIONS = st.lists(st.lists(st.integers(0, 6), max_size=7), max_size=30)


def random_rows(seed, transactions, items, share):
    table = np.random.default_rng(seed).random((transactions, items)) < share
    return table, Rows.joined(np.nonzero(table)[1].astype(np.int32), table.sum(axis=1), items)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("transactions", [1, 63, 64, 65, BLOCK, BLOCK + 1, 2 * BLOCK + 777])
def test_every_bit_is_its_transaction(name, transactions):
    table, rows = random_rows(transactions, transactions, 5, 0.4)
    with engine(name):
        found = Packed.of(rows)
    assert found.transactions == transactions
    assert found.blocks.shape == (-(-transactions // BLOCK), 5, WORDS)
    columns = found.blocks.transpose(1, 0, 2).reshape(5, -1)
    bits = np.unpackbits(columns.view(np.uint8), axis=1, bitorder="little")
    assert (bits[:, :transactions] == table.T).all()
    assert not bits[:, transactions:].any()


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_counts_over_several_blocks_and_chunks(name, size, monkeypatch):
    table, rows = random_rows(size, 2 * BLOCK + 100, 7, 0.5)
    sets = np.array(list(combinations(range(7), size)), dtype=np.int32)
    truth = [int(table[:, row].all(axis=1).sum()) for row in sets]
    monkeypatch.setattr(counting, "CALL_WORDS", 1)
    monkeypatch.setattr(counting, "_NUMPY_AT_ONCE", 1)
    monkeypatch.setattr(packed, "_NUMPY_AT_ONCE", 1)
    with engine(name):
        assert counts_of(Packed.of(rows), Candidates.of(sets)).tolist() == truth
        parts = list(chunks(rows, memory=1))
        assert [part.transactions for part in parts] == [BLOCK, BLOCK, 100]
        total = sum(counts_of(part, Candidates.of(sets)) for part in parts)
        assert total.tolist() == truth


def test_chunks_keep_to_the_memory_given():
    _, rows = random_rows(1, 5 * BLOCK, 3, 0.1)
    block = 3 * WORDS * 8
    for memory, blocks in ((0, 1), (block, 1), (2 * block, 2), (3 * block - 1, 2), (9 * block, 5)):
        sizes = [part.blocks.nbytes for part in chunks(rows, memory)]
        assert max(sizes) == blocks * block <= max(memory, block)
        assert sum(sizes) == 5 * block


@pytest.mark.parametrize("name", ENGINES)
def test_candidates_may_come_in_any_order_and_repeat(name):
    table, rows = random_rows(3, 500, 6, 0.5)
    sets = np.array([[4, 5, 1], [0, 1, 2], [0, 1, 2], [4, 5, 0]], dtype=np.int32)
    with engine(name):
        found = counts_of(Packed.of(rows), Candidates.of(sets))
    assert found.tolist() == [int(table[:, row].all(axis=1).sum()) for row in sets]
    none = Candidates.of(np.zeros((0, 2), dtype=np.int32))
    assert counts_of(Packed.of(rows), none).tolist() == []


def test_bits_of_words_without_new_numpy(monkeypatch):
    words = np.random.default_rng(5).integers(0, 2**64, 500, dtype=np.uint64)
    truth = [int(word).bit_count() for word in words]
    assert ones(words).tolist() == truth
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    assert ones(words).tolist() == truth


@given(TRANSACTIONS)
def test_partial_counts_are_those_of_the_definition(transactions):
    trie = Trie(7)
    counts = [len(transactions)]
    for size in range(1, 5):
        sets = list(combinations(range(7), size))
        parents = trie.find(np.array([one[:-1] for one in sets]).reshape(len(sets), -1))
        trie.grow(parents, np.array([one[-1] for one in sets]))
        counts += [count(transactions, one) for one in sets]
    counted = Counted(trie, np.array(counts))
    for size in range(1, 5):
        nodes = np.asarray(trie.nodes(size))
        found = partial_counts(counted, size, nodes)
        for itemset, row in zip(trie.members(size).tolist(), found.tolist(), strict=True):
            held = [len(set(itemset) & set(one)) for one in transactions]
            assert row == [held.count(most) for most in range(size + 1)]


def test_partial_counts_need_every_subset():
    trie = Trie(3)
    trie.grow(np.zeros(2, dtype=np.int64), np.array([0, 1]))
    trie.grow(np.array([1, 1]), np.array([1, 2]))
    with pytest.raises(ValueError, match="was not counted"):
        partial_counts(Counted(trie, np.ones(5, dtype=np.int64)), 2, np.array([4]))


def test_partial_counts_of_many_sets_at_a_time(monkeypatch):
    from ppdm_formal.infer.baskets import levels

    _, rows = random_rows(8, 300, 6, 0.4)
    trie = Trie(6)
    trie.grow(np.zeros(6, dtype=np.int64), np.arange(6))
    pairs = np.array(list(combinations(range(6), 2)), dtype=np.int32)
    trie.grow(1 + pairs[:, 0].astype(np.int64), pairs[:, 1])
    sums = counts_of(Packed.of(rows), Candidates.of(pairs))
    counted = Counted(trie, np.concatenate([[300], rows.item_counts(), sums]))
    nodes = np.asarray(trie.nodes(2))
    whole = partial_counts(counted, 2, nodes)
    monkeypatch.setattr(levels, "AT_ONCE", 8)
    assert (partial_counts(counted, 2, nodes) == whole).all()
    assert (whole.sum(axis=1) == 300).all()
    assert partial_counts(counted, 2, nodes[:0]).shape == (0, 3)
