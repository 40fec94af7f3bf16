"""Evaluation: every number against brute force on small databases, and on ones that are equal."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.run.errors import DataError
from ppdm_formal.tables.generate import classifiers
from ppdm_formal.tables.generate.bit_rows import BitRows
from ppdm_formal.tables.generate.classifiers import accuracies, cross_validated
from ppdm_formal.tables.generate.disclosure import common_records, rare_in, rare_itemsets
from ppdm_formal.tables.generate.evaluation import baseline, evaluate, ratio_with
from ppdm_formal.tables.generate.itemset_quality import frequent_counts, itemset_quality
from ppdm_formal.tables.generate.krimp import compress
from ppdm_formal.tables.generate.records import RecordColumn, Records

SIZES = (2, 3, 2, 2)


def database(seed, records=60):
    """Four columns that depend on each other; the last is a class."""
    random = np.random.default_rng(seed)
    label = random.integers(0, 2, records)
    noise = random.random((records, 3)) < 0.2
    others = np.stack([label, 2 * label, 1 - label], axis=1)
    codes = np.where(noise, random.integers(0, SIZES[:3], (records, 3)), others)
    codes = np.concatenate([codes, label[:, None]], axis=1).astype(np.int32)
    columns = tuple(
        RecordColumn(f"c{k}", tuple(f"{k}{v}" for v in range(size))) for k, size in enumerate(SIZES)
    )
    return Records(columns, codes, "records")


def sets_of(records):
    data = records.items()
    ends = data.rows.offsets
    return [frozenset(data.rows.items[a:b].tolist()) for a, b in pairwise(ends)]


def all_counts(records):
    found = {}
    for row in sets_of(records):
        for size in range(1, len(row) + 1):
            for one in combinations(sorted(row), size):
                found[one] = found.get(one, 0) + 1
    return found


@pytest.mark.parametrize("share", ["10%", "30%", "90%"])
def test_itemsets_by_brute_force(share):
    first, second = database(1), database(2, 45)
    before, after = all_counts(first), all_counts(second)
    least = Threshold.of(share)
    known = {x for x, count in before.items() if count >= least.least(60)}
    made = {x for x, count in after.items() if count >= least.least(45)}
    rows = first.items().rows
    found = itemset_quality(rows, frequent_counts(rows, least), second.items().rows, least)
    assert (found.original, found.generated) == (len(known), len(made))
    parts = {
        "common": known & made,
        "missed": known - made,
        "invented": made - known,
        "all_original": known,
    }
    for name, some in parts.items():
        part = getattr(found, name)
        real = [x for x in some if x in before]
        gaps = [abs(before[x] / 60 - after.get(x, 0) / 45) / (before[x] / 60) for x in real]
        assert (part.itemsets, part.never) == (len(some), len(some) - len(real))
        assert part.nfd == (pytest.approx(sum(gaps) / len(gaps)) if gaps else None)


def test_common_records_by_brute_force():
    first, second = sets_of(database(3)), sets_of(database(4, 40))
    found = common_records(
        BitRows.of(database(3).items().rows), BitRows.of(database(4, 40).items().rows)
    )
    assert found.generated == sum(row in first for row in second) / 40
    assert found.original == sum(row in second for row in first) / 60
    supports = [first.count(row) for row in set(first) & set(second)]
    assert found.supports == tuple(
        (s, sum(t <= s for t in supports) / len(supports)) for s in sorted(set(supports))
    )


def test_rare_itemsets_have_support_one():
    original, other = database(5, 25), database(6, 25)
    counts, made = all_counts(original), all_counts(other)
    drawn = rare_itemsets(BitRows.of(original.items().rows), 50, np.random.default_rng(0))
    assert len(drawn) > 10
    assert all(counts[tuple(one.tolist())] == 1 for one in drawn)
    found = rare_in(drawn, BitRows.of(other.items().rows))
    held = [tuple(one.tolist()) in made for one in drawn]
    assert found.absent == pytest.approx(1 - sum(held) / len(held))
    assert sum(drawn for _, drawn, _ in found.by_length) == len(drawn)
    assert sum(here for _, _, here in found.by_length) == sum(held)
    same = rare_in(drawn, BitRows.of(original.items().rows))
    assert same.absent == 0


def test_no_rare_itemsets_where_every_record_is_there_twice():
    twice = database(5, 25)
    twice = Records(twice.columns, np.concatenate([twice.codes, twice.codes]), "records")
    assert rare_itemsets(BitRows.of(twice.items().rows), 5, np.random.default_rng(0)) == []


def test_baselines():
    original, random = database(7), np.random.default_rng(1)
    shuffled = baseline("shuffled", original, random)
    for c in range(4):
        assert sorted(shuffled.codes[:, c]) == sorted(original.codes[:, c])
    assert (shuffled.codes != original.codes).any()
    again = baseline("bootstrap", original, random)
    assert set(map(tuple, again.codes.tolist())) <= set(map(tuple, original.codes.tolist()))
    uniform = baseline("uniform", original, random)
    assert [len(set(uniform.codes[:, c].tolist())) for c in range(4)] == list(SIZES)


@pytest.mark.parametrize("missing", [False, True])
def test_classifiers_learn_what_can_be_learned(missing, monkeypatch):
    if missing:  # without scikit-learn there is KRIMP's classifier alone
        monkeypatch.setattr(classifiers, "known", lambda: {"KRIMP": classifiers.by_code_tables})
    train, test = database(8, 300), database(9, 200)
    found = accuracies(train, test, 3)
    assert len(found) == (1 if missing else 3)
    assert all(0.85 < share <= 1 for share in found.values())
    shuffled = accuracies(baseline("shuffled", train, np.random.default_rng(2)), test, 3)
    assert all(share < 0.8 for share in shuffled.values())
    if missing:
        folded = cross_validated(train, 3, 3, np.random.default_rng(0))
        assert folded["KRIMP"] > 0.85


def test_code_tables_guess_the_class_with_the_shortest_code():
    train, test = database(8, 100), database(9, 30)
    lengths = [
        compress(train.take(train.codes[:, 3] == label).items(without=3), 1, "slim").lengths_of(
            test.items(without=3).rows
        )
        for label in (0, 1)
    ]
    guessed = classifiers.by_code_tables(train, test, 3)
    clear = np.abs(lengths[0] - lengths[1]) > 1e-6
    assert clear.sum() > 20
    assert (guessed == (lengths[1] < lengths[0]))[clear].all()


def test_the_same_database_keeps_everything():
    original = database(10)
    found = evaluate(original, original, "20%", "last", folds=2)
    assert list(found.measured) == ["generated", "shuffled", "uniform", "bootstrap"]
    same = found.measured["generated"]
    assert same.itemsets.common.nfd == 0
    assert same.itemsets.missed.itemsets == same.itemsets.invented.itemsets == 0
    assert (same.common.generated, same.common.original) == (1, 1)
    some = same.compression
    assert some.original_by_original == some.generated_by_original
    assert some.generated_by_generated == some.original_by_generated == some.original_by_original
    assert found.target == "c3"
    other = found.measured["shuffled"].compression
    assert other.generated_by_original > some.original_by_original


def test_a_count_is_a_count_of_the_original():
    original = database(10)
    half = original.take(np.arange(0, 60, 2))
    by_count, by_share = (evaluate(original, half, least) for least in (12, "20%"))
    assert by_count.measured["generated"] == by_share.measured["generated"]


def test_a_code_table_of_another_database():
    original, other = database(11).items(), database(12, 40).items()
    table, own = compress(original, 1, "slim"), compress(other, 1, "slim")
    usages = table.usages + 1
    covers = np.concatenate(list(table.covers(other.rows)))
    bits = float((covers * np.log2(usages.sum() / usages)).sum())
    expected = (bits + table.table_bits()) / own.standard_bits()
    assert ratio_with(table, own, other) == pytest.approx(expected)


def test_what_cannot_be_compared():
    one = database(13)
    with pytest.raises(DataError, match="different columns"):
        evaluate(one, Records(one.columns[:3], one.codes[:, :3], "records"))
    with pytest.raises(DataError, match="without records"):
        evaluate(one, one.take(np.zeros(0, dtype=np.int64)))
    with pytest.raises(DataError, match="no column colour"):
        evaluate(one, one, target="colour")
