"""The trie of itemsets: found again, subsets, and Apriori's candidates."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.infer.baskets import trie as tries
from ppdm_formal.infer.baskets.trie import Trie


def trie_of(items, sets):
    """The trie of a family of sets that is closed under subsets."""
    trie = Trie(items)
    for size in range(1, max(map(len, sets), default=0) + 1):
        own = sorted(one for one in sets if len(one) == size)
        parents = trie.find(np.array([one[:-1] for one in own]).reshape(len(own), size - 1))
        trie.grow(parents, np.array([one[-1] for one in own]))
    return trie


FAMILIES = st.lists(st.sets(st.integers(0, 6), min_size=1, max_size=4), max_size=8).map(
    lambda sets: {
        part
        for one in sets
        for size in range(1, len(one) + 1)
        for part in combinations(sorted(one), size)
    }
)


@given(FAMILIES, st.integers(1, 40))
def test_sets_are_found_and_candidates_are_apriori(family, piece):
    trie = trie_of(7, family)
    assert len(trie) == 1 + len(family)
    for size in range(1, trie.size + 1):
        everything = np.array(list(combinations(range(7), size)))
        found = trie.find(everything)
        assert {tuple(row) for row in everything[found >= 0].tolist()} == {
            one for one in family if len(one) == size
        }
        there = found[found >= 0]
        assert trie.members(size, there).tolist() == everything[found >= 0].tolist()
        for row, nodes in zip(trie.members(size).tolist(), trie.subsets(size, there), strict=True):
            for mask, node in enumerate(nodes.tolist()):
                part = [item for place, item in enumerate(row) if mask >> place & 1]
                assert trie.find(np.array([part], dtype=np.int64)).tolist() == [node]
    size = trie.size + 1
    wanted = {
        one
        for one in combinations(range(7), size)
        if size > 1 and all(part in family for part in combinations(one, size - 1))
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tries, "PIECE", piece)
        made = [
            (*row, item)
            for parents, last in trie.candidates()
            for row, item in zip(
                trie.members(size - 1, parents).tolist(), last.tolist(), strict=True
            )
        ]
    if size > 1:
        assert made == sorted(wanted)


def test_one_item_has_no_child_of_a_missing_node():
    """With one item the root's key must not be that of "none"."""
    trie = Trie(1)
    trie.grow(np.array([0]), np.array([0]))
    assert trie.child(np.array([-1, 0, 1]), np.array([0, 0, 0])).tolist() == [-1, 1, -1]
