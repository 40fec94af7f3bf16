"""The generator: trees, marginals, groups, and what is refused."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.enclosure import log_of
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.tables.generate import code_tree as trees
from ppdm_formal.tables.generate.budget import Budget
from ppdm_formal.tables.generate.code_tree import (
    CodeTree,
    candidates,
    code_tree,
    generate_from,
    sanitized_krimp,
)
from ppdm_formal.tables.generate.evaluation import baseline
from ppdm_formal.tables.generate.generator import (
    GenerationRequest,
    check,
    costs,
    generate,
    permutation,
)
from ppdm_formal.tables.generate.itemset_quality import frequent_counts, itemset_quality
from ppdm_formal.tables.generate.marginal_model import chosen_tree, draw
from ppdm_formal.tables.generate.marginals import (
    Marginal,
    Marginals,
    central_marginals,
    central_noise,
    epsilon_of,
    largest_rho,
    local_marginals,
)
from ppdm_formal.tables.generate.promises import assumptions
from ppdm_formal.tables.generate.records import RecordColumn, Records
from ppdm_formal.tables.generate.sanitized import sanitize

SIZES = (2, 3, 2, 3)
COLUMNS = tuple(
    RecordColumn(f"c{k}", tuple(f"{k}{v}" for v in range(size))) for k, size in enumerate(SIZES)
)
CERTAIN = Fraction(400)
"""An epsilon at which nothing is changed."""


def database(records=600, seed=0):
    """A chain: each column tells most of the next one."""
    random = np.random.default_rng(seed)
    codes = np.zeros((records, 4), dtype=np.int32)
    codes[:, 0] = random.random(records) < 0.3
    for c in range(1, 4):
        same = random.random(records) < 0.8
        other = random.integers(0, SIZES[c], records)
        codes[:, c] = np.where(same, np.minimum(codes[:, c - 1], SIZES[c] - 1), other)
    return Records(COLUMNS, codes, "records", declared=True)


def share(records, items):
    return np.all([records.codes[:, c] == v for c, v in items], axis=0).mean()


def test_trees_hold_true_supports_where_nothing_is_randomized():
    records = database()
    budget = Budget.of(COLUMNS, CERTAIN, "attribute")
    sanitized = sanitize(records, budget, Simulation(1))
    some = candidates(sanitized, 0.1)
    every = [
        path
        for size in (2, 3, 4)
        for cs in combinations(range(4), size)
        for path in np.ndindex(*(SIZES[c] for c in cs))
        for path in [tuple(zip(cs, path, strict=True))]
        if share(records, path) >= 0.1
    ]
    assert sorted(some) == sorted(every)
    chosen = sanitized_krimp(sanitized, some)
    assert 0 < len(chosen) < len(some)
    tree = code_tree(sanitized, 0.1)
    assert len(tree.nodes) > 3
    for path, chance in tree.nodes.items():
        assert chance == pytest.approx(share(records, path), abs=1e-9)
        assert len(path) == 2 or path[:-1] in tree.nodes
        assert [c for c, _ in path] == sorted({c for c, _ in path})
    for c, values in enumerate(tree.values):
        assert values == pytest.approx([share(records, [(c, v)]) for v in range(SIZES[c])])


def test_generated_records_keep_what_trees_hold():
    records = database(2000)
    sanitized = sanitize(records, Budget.of(COLUMNS, CERTAIN, "cell"), Simulation(1))
    tree = code_tree(sanitized, 0.1)
    codes = generate_from(tree, 4, 20_000, np.random.default_rng(3))
    assert codes.min() >= 0
    assert all(codes[:, c].max() < SIZES[c] for c in range(4))
    made = Records(COLUMNS, codes, "records")
    first, second = ((0, 0),), ((1, 0),)
    both = share(records, first + second)
    apart = share(records, first) * share(records, second)
    assert abs(share(made, first + second) - both) < abs(apart - both)
    assert share(made, first) == pytest.approx(share(records, first), abs=0.02)


def test_proposals_are_taken_with_their_probability():
    """Two columns, one path {a, b}: P[b given a] = r/2 + (1 - r/2) P[b], with r = P[a, b]/P[a]."""
    tree = CodeTree((np.array([0.4, 0.6]), np.array([0.3, 0.7])), {((0, 0), (1, 0)): 0.2})
    codes = generate_from(tree, 2, 40_000, np.random.default_rng(3))
    first = codes[:, 0] == 0
    given = np.mean(codes[first, 1] == 0)
    assert np.mean(first) == pytest.approx(0.4, abs=0.015)
    assert given == pytest.approx(0.25 + 0.75 * 0.3, abs=0.015)
    assert np.mean(codes[~first, 1] == 0) == pytest.approx(0.3, abs=0.015)


def test_a_tree_without_paths_draws_columns_by_themselves():
    records = database(3000)
    tree = code_tree(sanitize(records, Budget.of(COLUMNS, CERTAIN, "cell"), Simulation(1)), 0.99)
    assert tree.nodes == {}
    codes = generate_from(tree, 4, 20_000, np.random.default_rng(3))
    both = np.mean((codes[:, 0] == 0) & (codes[:, 1] == 0))
    assert both == pytest.approx(tree.values[0][0] * tree.values[1][0], abs=0.02)


def test_marginals_without_noise_are_counts():
    records = database(300)
    sanitized = sanitize(records, Budget.of(COLUMNS, CERTAIN, "attribute"), Simulation(1))
    found = local_marginals(sanitized)
    noisy = central_marginals(records, central_noise(4, CERTAIN * 100, None, "row"), Simulation(1))
    for some in (found, noisy):
        assert len(some.pairs) == 6
        for one in some.single + some.pairs:
            expected = np.zeros([SIZES[c] for c in one.columns])
            for row in records.codes:
                expected[tuple(row[list(one.columns)])] += 1
            assert one.counts == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("delta", [None, Fraction(1, 1000)])
def test_every_count_gets_its_noise(delta):
    """Over thousands of cells: the frequencies of what was added are those of the law."""
    columns = (
        RecordColumn("a", tuple(map(str, range(90)))),
        RecordColumn("b", tuple(map(str, range(90)))),
    )
    codes = np.random.default_rng(0).integers(0, 90, (500, 2)).astype(np.int32)
    noise = central_noise(2, Fraction(3), delta, "row")
    found = central_marginals(Records(columns, codes, "records"), noise, Simulation(9))
    true = np.zeros((90, 90))
    np.add.at(true, (codes[:, 0], codes[:, 1]), 1)
    ones = np.bincount(codes[:, 0], minlength=90)
    added = np.concatenate(
        [(found.pairs[0].counts - true).reshape(-1), found.single[0].counts - ones]
    )
    size = np.arange(-60, 61)
    weights = np.exp(-float(3 / 6) * np.abs(size))  # a record has two counts in three tables
    if delta is not None:
        rho = (np.sqrt(np.log(1000) + 3) - np.sqrt(np.log(1000))) ** 2
        weights = np.exp(-(size**2) * rho / (2 * 3))
    law = weights / weights.sum()
    for z in range(-3, 4):
        chance = law[z + 60]
        error = np.sqrt(chance * (1 - chance) / len(added))
        assert abs(np.mean(added == z) - chance) < 5 * error
    assert np.mean(np.abs(found.single[1].counts - np.bincount(codes[:, 1], minlength=90))) > 0.2


def test_how_many_counts_a_unit_changes():
    """By brute force over all pairs of records, one attribute apart or any number of them."""
    noise_row = central_noise(3, Fraction(1), None, "row")
    noise_one = central_noise(3, Fraction(1), None, "attribute")
    cells = list(np.ndindex(2, 2, 2))
    tables = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]

    def change(x, y):
        return sum(2 * any(x[c] != y[c] for c in table) for table in tables)

    assert max(change(x, y) for x in cells for y in cells) == 2 * noise_row.tables
    near = [(x, y) for x in cells for y in cells if sum(map(lambda a, b: a != b, x, y)) == 1]
    assert max(change(x, y) for x, y in near) == 2 * noise_one.tables
    assert noise_row.rate == Fraction(1, 2 * 6)
    assert noise_one.rate == Fraction(1, 2 * 3)


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(9)])
def test_concentrated_privacy_is_never_rounded_in_our_favour(epsilon):
    delta = Fraction(1, 10**6)
    rho = largest_rho(epsilon, delta)
    low = log_of(1 / delta).lo
    assert rho < epsilon
    assert 4 * rho * low <= (epsilon - rho) ** 2  # rho + 2 sqrt(rho ln(1/delta)) <= epsilon
    more = rho * (1 + Fraction(1, 10**6))
    assert 4 * more * low > (epsilon - more) ** 2  # and hardly more would do
    assert epsilon <= epsilon_of(rho, delta) + Fraction(1, 10**5)
    assert 4 * rho * low <= (epsilon_of(rho, delta) - rho) ** 2
    noise = central_noise(4, epsilon, delta, "row")
    assert noise.variance == 10 / rho  # ten tables, each changed by two counts


def test_what_units_cost_with_a_curator():
    data = database(10)
    plain, _ = costs(data, GenerationRequest("marginals", Fraction(1), "row", "central"))
    assert (plain.record, plain.attribute) == (1, Fraction(4, 10))
    other, _ = costs(data, GenerationRequest("marginals", Fraction(1), "attribute", "central"))
    assert (other.record, other.attribute) == (Fraction(10, 4), 1)
    delta = Fraction(1, 10**6)
    gauss, _ = costs(data, GenerationRequest("marginals", Fraction(1), "row", "central", delta))
    assert gauss.record == 1
    assert Fraction(4, 10) < gauss.attribute < 1  # concentrated costs add up in squares
    with pytest.raises(ValueError, match="not a cell"):
        costs(data, GenerationRequest("marginals", Fraction(1), "cell", "central"))


def test_the_tree_of_a_chain_is_the_chain():
    records = database(5000)
    exact = central_marginals(records, central_noise(4, CERTAIN * 100, None, "row"), Simulation(1))
    assert sorted(chosen_tree(exact)) == [(0, 1), (1, 2), (2, 3)]
    shuffled = baseline("shuffled", records, np.random.default_rng(0))
    noisy = local_marginals(
        sanitize(shuffled, Budget.of(COLUMNS, Fraction(2), "attribute"), Simulation(2))
    )
    assert chosen_tree(noisy) == []


def test_records_are_drawn_from_the_model_of_a_tree():
    joint = np.array([[0.1, 0.2, 0.1], [0.3, 0.0, 0.3]])
    single = [joint.sum(axis=1), joint.sum(axis=0), np.array([0.25, 0.75])]
    codes = draw(single, {(0, 1): joint}, 40_000, np.random.default_rng(0))
    for a, b in np.ndindex(2, 3):
        found = np.mean((codes[:, 0] == a) & (codes[:, 1] == b))
        assert found == pytest.approx(joint[a, b], abs=0.015)
    assert np.mean(codes[:, 2]) == pytest.approx(0.75, abs=0.015)


def test_marginals_beat_shuffled_columns():
    """The whole way through mbi, once, with a curator."""
    pytest.importorskip("mbi", reason="mbi is not installed")
    records = database(1500)
    request = GenerationRequest("marginals", Fraction(2), "row", "central", seed=4)
    made = generate(records, request)
    assert (made.budget.record, made.noise.rate) == (2, Fraction(2, 20))
    rows, least = records.items().rows, Threshold.of("10%")
    known = frequent_counts(rows, least)

    def nfd(other):
        return itemset_quality(rows, known, other.items().rows, least).all_original.nfd

    shuffled = nfd(baseline("shuffled", records, np.random.default_rng(0)))
    assert nfd(made.records) < shuffled / 2


def test_classes_are_generated_by_themselves():
    records = database(400)
    request = GenerationRequest("code-tree", CERTAIN, "attribute", target="c3", seed=1)
    made = generate(records, request)
    assert made.target == "c3"
    assert made.budget.record == 3 * CERTAIN  # of the other three columns
    counts = [
        np.bincount(some.codes[:, 3], minlength=3).tolist() for some in (records, made.records)
    ]
    assert counts[0] == counts[1]
    assert (records.codes[:, 3] != made.records.codes[:, 3]).any()  # in another order


def test_that_a_tree_was_cut_is_known(monkeypatch):
    request = GenerationRequest("code-tree", CERTAIN, "attribute", seed=1)
    assert not generate(database(), request).cut
    monkeypatch.setattr(trees, "MAX_UNIONS", 2)
    made = generate(database(), request)
    assert made.cut
    assert any("costs likeness" in words for words in assumptions(made))


def test_groups_keep_exact_counts():
    records = database(300)
    made = generate(records, GenerationRequest("groups", None, groups=(("c0", "c2"),), seed=3))
    assert made.groups == (("c0", "c2"), ("c1",), ("c3",))
    assert made.budget is None
    for group in ([0, 2], [1], [3]):
        before, after = (
            sorted(map(tuple, some.codes[:, group].tolist())) for some in (records, made.records)
        )
        assert before == after
    assert (records.codes != made.records.codes).any()
    with pytest.raises(DataError, match="two groups"):
        generate(records, GenerationRequest("groups", None, groups=(("c0", "c1"), ("c1",))))


def test_permutations_are_uniform():
    bits = Simulation(5)
    seen = [tuple(permutation(3, bits).tolist()) for _ in range(6000)]
    assert all(850 < seen.count(one) < 1150 for one in set(seen))
    assert len(set(seen)) == 6


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (GenerationRequest("code-tree", None), "an epsilon is needed"),
        (GenerationRequest("code-tree", Fraction(0)), "above 0"),
        (GenerationRequest("marginals", Fraction(-1)), "above 0"),
        (GenerationRequest("code-tree", Fraction(1), trust="central"), "code trees are local"),
        (
            GenerationRequest("marginals", Fraction(1), delta=Fraction(1, 10)),
            "delta is for Gaussian",
        ),
        (GenerationRequest("groups", Fraction(1)), "no epsilon"),
        (GenerationRequest("marginals", Fraction(1), groups=(("a",),)), "for the method groups"),
    ],
)
def test_what_does_not_go_together(request_, words):
    with pytest.raises(ValueError, match=words):
        check(request_)


def test_bad_deltas_and_no_records():
    with pytest.raises(ValueError, match="delta is a probability"):
        central_noise(3, Fraction(1), Fraction(1), "row")
    with pytest.raises(DataError, match="no records"):
        generate(
            database().take(np.zeros(0, dtype=int)), GenerationRequest("code-tree", Fraction(1))
        )


def test_without_a_seed_nothing_repeats():
    records = database(200)
    request = GenerationRequest("code-tree", Fraction(1), "row")
    assert (
        generate(records, request).records.codes != generate(records, request).records.codes
    ).any()


def test_a_pair_with_noise_alone_is_not_taken_for_dependence():
    random = np.random.default_rng(1)
    single = tuple(Marginal((c,), np.array([50.0, 50.0]), 5.0) for c in range(2))
    scores = [
        chosen_tree(
            Marginals(
                100,
                (2, 2),
                single,
                (Marginal((0, 1), 25 + 5 * random.standard_normal((2, 2)), 5.0),),
            )
        )
        for _ in range(200)
    ]
    assert sum(map(len, scores)) < 20
