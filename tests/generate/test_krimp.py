"""KRIMP and SLIM against their definitions, on small databases; every cover decodes."""

import numpy as np
import pytest
from krimp_oracle import Oracle

from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.run.errors import DataError
from ppdm_formal.tables.generate import code_search, krimp_kernels
from ppdm_formal.tables.generate.krimp import compress


def databases():
    """Rows with patterns in them, of 4 to 7 items; the last has 70, two words of bits."""
    random = np.random.default_rng(16)
    for items, rows in [(4, 9), (5, 14), (6, 12), (6, 25), (7, 18), (7, 30)]:
        patterns = random.random((4, items)) < 0.6
        chosen = patterns[random.integers(0, 4, rows)] ^ (random.random((rows, items)) < 0.12)
        yield [np.flatnonzero(row).tolist() or [0] for row in chosen]
    yield [[i, i + 64, 3, 67] for i in (1, 2, 1, 2, 1)] + [[64, 3, 67], [3, 64]]


DATABASES = list(databases())


def found_sets(table):
    return [frozenset(int(table.labels[i]) for i in one.items) for one in table.elements]


@pytest.mark.parametrize("number", range(len(DATABASES)))
@pytest.mark.parametrize(
    ("algorithm", "prune", "least"),
    [
        ("krimp", False, 1),
        ("krimp", True, 1),
        ("krimp", True, 3),
        ("slim", True, 1),
        ("slim", True, 2),
    ],
)
def test_tables_are_those_of_the_definitions(number, algorithm, prune, least):
    database = DATABASES[number]
    oracle = Oracle(database)
    table = compress(PlainData.of(database), least, algorithm, prune=prune)
    expected = oracle.slim(least) if algorithm == "slim" else oracle.krimp(least, prune)
    assert found_sets(table) == oracle.cover_order(expected)
    usages = oracle.usages(expected)
    assert [one.usage for one in table.elements] == [usages[x] for x in found_sets(table)]
    assert [one.support for one in table.elements] == list(map(oracle.support, found_sets(table)))
    assert table.bits() == pytest.approx(oracle.bits(expected))
    assert table.bits() == table.data_bits() + table.table_bits()
    assert table.standard_bits() == pytest.approx(oracle.bits(oracle.singles()))


def test_something_is_chosen_and_pruned():
    """The cases above are no empty ones."""
    plain = [compress(PlainData.of(d)) for d in DATABASES]
    pruned = [compress(PlainData.of(d), prune=True) for d in DATABASES]
    assert sum(len(table.chosen()) for table in plain) > 10
    assert sum(len(a.elements) > len(b.elements) for a, b in zip(plain, pruned, strict=True)) >= 2
    slim = [compress(PlainData.of(d), algorithm="slim") for d in DATABASES]
    assert sum(len(table.chosen()) for table in slim) > 10


@pytest.mark.parametrize("algorithm", ["krimp", "slim"])
def test_covers_decode_and_usages_are_theirs(algorithm):
    for database in DATABASES:
        data = PlainData.of(database)
        table = compress(data, 1, algorithm)
        covers = np.concatenate(list(table.covers(data.rows)))
        assert covers.sum(axis=0).tolist() == [one.usage for one in table.elements]
        for row, cover in zip(database, covers, strict=True):
            parts = [table.elements[e].items for e in np.flatnonzero(cover)]
            decoded = sorted(int(table.labels[item]) for part in parts for item in part)
            assert decoded == sorted(set(row))  # each item once: parts do not overlap


def test_without_numba_the_same(monkeypatch):
    expected = [compress(PlainData.of(d), 1, "slim") for d in DATABASES[:2]]
    pruned = [compress(PlainData.of(d), prune=True) for d in DATABASES[:2]]
    monkeypatch.setattr(code_search, "compiled", lambda _: None)
    assert [compress(PlainData.of(d), 1, "slim") for d in DATABASES[:2]] == expected
    assert [compress(PlainData.of(d), prune=True) for d in DATABASES[:2]] == pruned


def test_every_transaction_has_a_code_even_if_it_was_never_seen():
    table = compress(PlainData.of([["a", "b"]] * 9 + [["a"], ["c"]]))
    seen = table.lengths_of(PlainData.of([["a", "b"], ["a"], ["c"]]).rows)
    assert np.isfinite(seen).all()
    assert seen[0] < seen[1] < 10
    usages = table.usages + 1  # {a, b}: 9, a: 1, c: 1, b: 0
    assert seen[0] == pytest.approx(np.log2(usages.sum() / 10))


def test_growing_tables(monkeypatch):
    """More elements, and more of them a row, than there is room for at first."""
    monkeypatch.setattr(code_search, "_FIRST", 1)
    for database in DATABASES[4:6]:
        oracle = Oracle(database)
        table = compress(PlainData.of(database))
        assert found_sets(table) == oracle.cover_order(oracle.krimp())


@pytest.mark.parametrize("rows", [[], [[], []]])
def test_nothing_to_compress(rows):
    with pytest.raises(DataError, match="no items"):
        compress(PlainData.of(rows))


def test_too_many_items(monkeypatch):
    monkeypatch.setattr(code_search, "MAX_ITEMS", 2)
    with pytest.raises(DataError, match=r"3 items; at most 2 are compressed"):
        compress(PlainData.of([[1, 2, 3]]))


def test_too_many_bits(monkeypatch):
    monkeypatch.setattr(code_search, "MAX_BITS", 5)
    with pytest.raises(DataError, match=r"2 transactions of 3 items are too many"):
        compress(PlainData.of([[1, 2, 3], [1]]))


def test_lowest_bits_have_their_places():
    with np.errstate(over="ignore"):
        for bit in range(64):
            word = np.uint64(1) << np.uint64(bit)
            place = (word * krimp_kernels._SEQUENCE) >> np.uint64(58)
            assert krimp_kernels._PLACE[place] == bit


def test_too_many_candidates_are_refused_with_a_support_that_will_do(monkeypatch):
    monkeypatch.setattr("ppdm_formal.infer.baskets.frequent.MAX_ITEMSETS", 50)
    data = PlainData.of([[str(i) for i in range(10)]] + [["0", "1"]] * 9)
    with pytest.raises(DataError) as caught:
        compress(data)
    assert "there are 3 at --min-support 20%" in str(caught.value)
    assert "--algorithm slim" in str(caught.value)
    assert compress(data, "20%").elements
    assert compress(data, algorithm="slim").elements
