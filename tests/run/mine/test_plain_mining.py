"""Mining plain transactions against the definition, on both engines and all ways of counting."""

from fractions import Fraction

import numpy as np
import pytest
from engines import ENGINES, engine
from hypothesis import given
from hypothesis import strategies as st
from mine_oracle import association_rules, frequent_itemsets

from ppdm_formal.infer.baskets import frequent as ways
from ppdm_formal.infer.baskets import rules as ruling
from ppdm_formal.infer.baskets.plain import mine_plain
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.market import Market

TRANSACTIONS = st.lists(st.lists(st.integers(0, 8), max_size=6), min_size=1, max_size=25)


def counted(found):
    return {tuple(map(int, one.items)): one.count for one in found.itemsets()}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("by_occurrences", [True, False])
def test_every_frequent_itemset_and_no_other(name, by_occurrences):
    @given(TRANSACTIONS, st.integers(1, 5), st.none() | st.integers(1, 4))
    def check(transactions, least, largest):
        found = mine_plain(transactions, least, max_size=largest)
        assert counted(found) == frequent_itemsets(transactions, least, largest)
        assert [*counted(found)] == sorted(counted(found), key=lambda one: (len(one), one))
        assert found.sizes() == [
            sum(len(one) == size for one in counted(found))
            for size in range(1, max(map(len, counted(found)), default=0) + 1)
        ]

    with engine(name), pytest.MonkeyPatch.context() as patch:
        patch.setattr(ways, "by_occurrences", lambda _: by_occurrences)
        check()


@given(TRANSACTIONS, st.integers(1, 4), st.fractions(0, 1, max_denominator=6))
def test_every_rule_and_no_other(transactions, least, confidence):
    found = mine_plain(transactions, least, confidence)
    rules = [
        (tuple(map(int, r.antecedent.items)), tuple(map(int, r.consequent.items)))
        for r in found.rules()
    ]
    truth = association_rules(transactions, least, confidence)
    assert set(rules) == set(truth)
    assert len(rules) == len(truth)
    for sides, rule in zip(rules, found.rules(), strict=True):
        assert (rule.count, rule.confidence, rule.lift) == truth[sides]
    order = [(-rule.confidence, -rule.count) for rule in found.rules()]
    assert order == sorted(order)
    assert [*found.rules(2)] == [*found.rules()][:2]


@pytest.mark.parametrize("name", ENGINES)
def test_all_ways_agree_on_a_market(name, monkeypatch):
    """Chunks of transactions, pieces of candidates, and little room for pairs change nothing."""
    market = Market(20_000, 150, mean_size=6, patterns=25, seed=3).all()
    rows = Rows.joined(market.items.astype(np.int32), market.sizes, 150)
    assert ways.by_occurrences(rows)
    first, items = ways.frequent(rows, 300)
    assert first.trie.size >= 4
    monkeypatch.setattr(ways, "AT_ONCE", 1000)
    with engine(name):
        again, _ = ways.frequent(rows, 300, memory=1)
        monkeypatch.setattr(ways, "by_occurrences", lambda _: False)
        others, kept = ways.frequent(rows, 300, memory=1 << 20)
    for found in (again, others):
        assert found.trie.starts == first.trie.starts
        assert (found.trie.parent == first.trie.parent).all()
        assert (found.trie.last == first.trie.last).all()
        assert (found.counts == first.counts).all()
    assert (kept == items).all()
    table = np.zeros((20_000, 150), dtype=bool)
    table[market.owners(), market.items] = True
    for size in range(1, first.trie.size + 1):
        nodes = np.asarray(first.trie.nodes(size))
        for row, count in zip(first.trie.members(size), first.counts[nodes], strict=True):
            assert table[:, items[row]].all(axis=1).sum() == count


def test_dense_rows_are_counted_in_columns():
    table = np.random.default_rng(1).random((4000, 30)) < 0.5
    rows = Rows.joined(np.nonzero(table)[1].astype(np.int32), table.sum(axis=1), 30)
    assert not ways.by_occurrences(rows)
    found, _ = ways.frequent(rows, 1, largest=2)
    pairs = table.T.astype(int) @ table
    members = found.trie.members(2)
    assert (found.counts[found.trie.starts[2] :] == pairs[members[:, 0], members[:, 1]]).all()


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("by_occurrences", [True, False])
def test_too_many_itemsets_are_refused(name, by_occurrences, monkeypatch):
    monkeypatch.setattr(ways, "MAX_ITEMSETS", 50)
    monkeypatch.setattr(ways, "by_occurrences", lambda _: by_occurrences)
    with engine(name):
        assert len(mine_plain([range(5)], 1)) == 31
        with pytest.raises(DataError, match="more than 50 frequent itemsets"):
            mine_plain([range(40)], 1)
        with pytest.raises(DataError, match="more than 50 frequent itemsets"):
            mine_plain([range(60)], 1)


def test_too_many_rules_are_refused(monkeypatch):
    monkeypatch.setattr(ruling, "MAX_RULES", 100)
    assert len([*mine_plain([range(4)], 1, 0).rules()]) == 50
    with pytest.raises(DataError, match="more than 100 rules"):
        mine_plain([range(5)], 1, 0)
    monkeypatch.setattr(ruling, "MAX_SUBSETS", 100)
    with pytest.raises(DataError, match="too many subsets"):
        mine_plain([range(5)], 1, 1)
    monkeypatch.setattr(ruling, "MAX_SUBSETS", 1000)
    monkeypatch.setattr(ruling, "MAX_RULES", 1000)
    monkeypatch.setattr(ruling, "AT_ONCE", 4)
    assert len([*mine_plain([range(5)], 1, 0).rules()]) == 180


@pytest.mark.parametrize(
    ("given", "transactions", "least"),
    [
        ("0.5%", 1000, 5),
        ("0.5%", 1001, 6),
        ("1/3", 10, 4),
        ("0.30", 10, 3),
        ("7", 3, 7),
        (" 7 ", 3, 7),
        ("100%", 9, 9),
        ("1", 9, 1),
        ("1.0", 9, 9),
        ("0.000001%", 5, 1),
        (4, 9, 4),
        (Fraction(1, 2), 9, 5),
    ],
)
def test_least_supports_are_shares_or_counts(given, transactions, least):
    assert Threshold.of(given).least(transactions) == least


@pytest.mark.parametrize("given", ["0", "0%", "-1", "-5%", "1.5", "150%", "50.0", "x", "", 0, -3])
def test_other_least_supports_are_refused(given):
    with pytest.raises(ValueError, match=r"\w"):
        Threshold.of(given)


@pytest.mark.parametrize("given", [0.5, True, None])
def test_least_supports_are_never_floats(given):
    with pytest.raises(TypeError, match="least support"):
        Threshold.of(given)


@pytest.mark.parametrize(
    ("confidence", "error"), [("2", ValueError), (0.5, TypeError), (-1, ValueError)]
)
def test_bad_confidences(confidence, error):
    with pytest.raises(error, match="least confidence"):
        mine_plain([[1]], 1, confidence)


def test_sizes_start_at_one():
    with pytest.raises(ValueError, match="at least one item"):
        mine_plain([[1]], 1, max_size=0)


def test_huge_fractions_are_compared_exactly():
    above = Fraction(1, 2) + Fraction(1, 10**40)
    assert len([*mine_plain([["a", "b"], ["a"]], 1, Fraction(1, 2)).rules()]) == 2
    assert len([*mine_plain([["a", "b"], ["a"]], 1, above).rules()]) == 1


def test_nothing_frequent():
    found = mine_plain([["a"], []], 2, "50%")
    assert (len(found), found.sizes(), [*found.rules()]) == (0, [], [])
    assert found.most_frequent(3) == []
    assert found.to_pandas().columns.tolist() == ["support", "itemsets"]
    assert len(found.rules_to_pandas()) == 0


def test_the_most_frequent_ones():
    found = mine_plain([["a", "b", "c"], ["a", "c"], ["b", "c"], ["c"]], 1)
    assert [(one.items, one.count) for one in found.most_frequent(3)] == [
        (("a", "c"), 2), (("b", "c"), 2), (("a", "b"), 1),
    ]  # fmt: skip
    assert [one.items for one in mine_plain([["a"], ["a"], ["b"]], 1).most_frequent(9)] == [
        ("a",), ("b",),
    ]  # fmt: skip


def test_frames_have_the_columns_of_mlxtend():
    found = mine_plain([["milk", "bread"], ["milk"], ["bread", "milk"], ["tea"]], "25%", "60%")
    sets = found.to_pandas()
    assert sets.columns.tolist() == ["support", "itemsets"]
    assert dict(zip(sets["itemsets"], sets["support"], strict=True)) == {
        frozenset({"milk"}): 0.75,
        frozenset({"bread"}): 0.5,
        frozenset({"tea"}): 0.25,
        frozenset({"milk", "bread"}): 0.5,
    }
    rules = found.rules_to_pandas()
    assert rules.columns.tolist() == [
        "antecedents", "consequents", "antecedent support", "consequent support", "support",
        "confidence", "lift",
    ]  # fmt: skip
    assert rules.iloc[0].tolist() == [
        frozenset({"bread"}), frozenset({"milk"}), 0.5, 0.75, 0.5, 1.0, 4 / 3,
    ]  # fmt: skip
    assert len(rules) == 2
