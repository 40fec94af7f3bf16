"""Trees over perturbed records: the benchmark, association, splits, pruning, accuracies."""

from __future__ import annotations

import json
import math
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.utils.estimator_checks import check_estimator

from ppdm_formal.cli import run
from ppdm_formal.declare.noises.named import noise_laws, parse_noise
from ppdm_formal.infer.classify.association import Reconstructed, associated, coded
from ppdm_formal.infer.classify.classifier import PerturbedTreeClassifier
from ppdm_formal.infer.classify.experiment import accuracies, synthetic_task, table_task
from ppdm_formal.infer.classify.level import noise_at
from ppdm_formal.infer.classify.synthetic import ATTRIBUTES, FUNCTIONS, labels, people
from ppdm_formal.infer.classify.tree import best_split, complexity, grow, prune
from ppdm_formal.infer.reals.bins import NoFit
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.stopping import Rule


def class_a(function, person):
    """The functions again, one person at a time."""
    salary, commission, age, elevel, _, _, hvalue, hyears, loan = person
    band = 0 if age < 40 else 1 if age < 60 else 2
    if function == "F1":
        return band != 1
    if function == "F2":
        low, high = [(50, 100), (75, 125), (25, 75)][band]
        return low <= salary <= high
    if function == "F3":
        rules = [
            {0: (25, 75), 1: (25, 75), 2: (50, 100), 3: (50, 100)},
            {1: (50, 100), 2: (50, 100), 3: (50, 100), 4: (75, 125)},
            {1: (25, 75), 2: (50, 100), 3: (50, 100), 4: (50, 100)},
        ][band]
        low, high = rules.get(int(elevel), (1, 0))
        return low <= salary <= high
    income = 0.67 * (salary + commission) - 0.2 * loan - 10
    if function == "F5":
        income += 0.2 * 0.1 * hvalue * max(hyears - 20, 0)
    return income > 0


def test_the_functions_of_the_benchmark():
    records = people(3000, np.random.default_rng(1))
    for function in FUNCTIONS:
        ours = labels(function, records)
        assert ours.tolist() == [class_a(function, person) for person in records.tolist()]
        assert 0.2 < ours.mean() < 0.8


def test_the_people_of_the_benchmark():
    records = people(20_000, np.random.default_rng(2))
    for k, attribute in enumerate(ATTRIBUTES):
        assert attribute.lo <= records[:, k].min() < records[:, k].max() <= attribute.hi
        cells = attribute.cells()
        assert 5 <= cells.count <= 60
        if attribute.whole:
            assert len(np.unique(records[:, k])) == cells.count
            assert set(coded(records[:, k], cells)) == set(range(cells.count))
    salary, commission = records[:, 0], records[:, 1]
    assert (commission[salary >= 75] == 0).all()
    assert (commission[salary < 75] >= 10).all()
    houses = records[:, 6] / (records[:, 5] + 1) / 100
    assert houses.min() >= 0.5
    assert houses.max() <= 1.5
    assert houses.mean() == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("kind", list(noise_laws()))
def test_a_privacy_level_is_the_95_percent_interval(kind):
    noise = noise_at(kind, 60, Fraction(1, 2))
    half = 15.0
    assert float(noise.cdf(half) - noise.cdf(-half)) == pytest.approx(0.95, abs=1e-6)
    drawn = noise.drawn(20_000, np.random.default_rng(5))
    assert stats.kstest(drawn, noise.cdf).pvalue > 1e-3
    with pytest.raises(ValueError, match="above 0"):
        noise_at(kind, 60, Fraction(0))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=30),
    st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(lambda m: sum(m) > 0.1),
)
def test_association_keeps_the_order_and_the_distribution(values, masses):
    order = np.empty(len(values), dtype=np.int64)
    order[np.argsort(values, kind="stable")] = np.arange(len(values))
    shares = np.array(masses) / sum(masses)
    cells = associated(order, shares)
    by_value = cells[np.argsort(order)]
    assert (np.diff(by_value) >= 0).all()
    counts = np.bincount(cells, minlength=len(masses))
    assert (np.abs(counts - shares * len(values)) <= 1 + 1e-9).all()


def test_reconstructed_attributes():
    random = np.random.default_rng(3)
    x = random.uniform(0, 10, 4000)
    noise, cells = parse_noise("uniform(-5, 5)"), Partition.parse("0:10:20")
    z = x + random.uniform(-5, 5, 4000)
    attribute = Reconstructed(z, noise, cells, Rule())
    low = np.flatnonzero(x < 5)
    masses = attribute.masses(low)
    assert masses[:10].sum() > 0.9
    codes = attribute.codes(low)
    assert (np.diff(codes[np.argsort(z[low], kind="stable")]) >= 0).all()
    with pytest.raises(NoFit, match="cannot be"):
        Reconstructed(z + 100, noise, cells, Rule())


def gini_by_hand(codes, classes, least):
    """The least weighted gini index over all attributes and edges, in fractions."""

    def impurity(part):
        n = len(part)
        return n - sum(Fraction(part.count(c)) ** 2 for c in set(part)) / n

    best = {}
    for k in range(len(codes[0])):
        for edge in range(1, 6):
            left = [c for row, c in zip(codes, classes, strict=True) if row[k] < edge]
            right = [c for row, c in zip(codes, classes, strict=True) if row[k] >= edge]
            if len(left) >= least and len(right) >= least:
                best[k, edge] = impurity(left) + impurity(right)
    return best, impurity(classes)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=25
    ),
    st.integers(1, 3),
)
def test_the_best_split_has_the_least_gini_index(rows, least):
    codes = [row[:2] for row in rows]
    classes = [row[2] for row in rows]
    possible, before = gini_by_hand(codes, classes, least)
    found = best_split(np.array(codes), np.array(classes), 3, (6, 4), least)
    if not possible or min(possible.values()) >= before:
        assert found is None
    else:
        assert found in possible
        assert possible[found] == min(possible.values())


def test_complexity_is_a_code_length():
    # two classes: n H + 1/2 log2(n/2) + log2(pi)
    assert complexity(np.array([3.0, 5.0])) == pytest.approx(
        3 * math.log2(8 / 3) + 5 * math.log2(8 / 5) + 0.5 * math.log2(4) + math.log2(math.pi)
    )
    assert complexity(np.zeros(2)) == 0


def test_pruning_leaves_what_is_there():
    random = np.random.default_rng(4)
    codes = random.integers(0, 10, (2000, 3))
    noise = random.integers(0, 2, 2000)
    tree = grow(codes, noise, 2, (10, 10, 10), least=1, deepest=20)
    assert tree.leaves > 100
    prune(tree)
    assert tree.leaves == 1
    assert tree.depth == 0
    real = ((codes[:, 0] < 4) ^ (codes[:, 1] < 5)).astype(np.int64)
    tree = grow(codes, real, 2, (10, 10, 10), least=1, deepest=20)
    prune(tree)
    ends = tree.leaves_of(codes)
    assert all(len(set(real[ends == end])) == 1 for end in set(ends))
    # walking each record by itself leads to the same leaf
    for row, end in zip(codes[:50], ends, strict=False):
        at = 0
        while tree.nodes[at].left >= 0:
            node = tree.nodes[at]
            at = node.left if row[node.attribute] < node.below else node.right
        assert at == end


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_accepts_it():
    found = check_estimator(PerturbedTreeClassifier(), on_skip=None, on_fail=None)
    assert len(found) > 40
    failed = [one["check_name"] for one in found if one["status"] == "failed"]
    assert failed == []


def test_reconstruction_is_what_makes_trees_useful():
    """At 100% privacy, uniform noise: what perturbed values hide, ByClass and Local find."""
    tasks = [synthetic_task("F1", 6000, 2000, 1)]
    strategies = ("original", "randomized", "global", "byclass", "local")
    found = accuracies(tasks, ["uniform"], [Fraction(1)], strategies, 1)
    share = {one.strategy: one.share for one in found}
    assert share["original"] > 0.995
    assert share["byclass"] > 0.93
    assert share["local"] > 0.9
    assert share["randomized"] < 0.8
    assert tasks[0].majority == pytest.approx(2 / 3, abs=0.03)


def test_without_noise_all_strategies_are_the_same_tree():
    task = synthetic_task("F2", 1500, 500, 3)
    cells = [column.cells for column in task.columns]
    shares = {
        PerturbedTreeClassifier(None, cells, strategy)
        .fit(task.train, task.train_classes)
        .score(task.test, task.test_classes)
        for strategy in ("original", "randomized", "global", "byclass", "local")
    }
    assert len(shares) == 1
    assert shares.pop() > 0.95


def test_values_far_outside_go_to_the_nearest_cell():
    cells = Partition.parse("0:10:5")
    assert coded(np.array([-1e300, -1, 0, 3, 10, 11, 1e300]), cells).tolist() == [
        0, 0, 0, 1, 4, 4, 4,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="not a number"):
        coded(np.array([1, np.nan]), cells)


def test_what_the_classifier_refuses():
    X, y = np.random.default_rng(0).uniform(0, 1, (60, 2)), np.arange(60) % 2
    for changed, said in (
        ({"noise": ["uniform(-1, 1)"]}, "1 noise laws for 2"),
        ({"noise": ["uniform(-1, 1)", None]}, "column 0 was perturbed"),
        ({"cells": ["0:1:5"]}, "1 cells for 2"),
        ({"strategy": "best"}, "strategy"),
        ({"max_depth": 0}, "max_depth"),
        ({"noise": ["normal(-1)", None], "cells": ["0:1:5", None]}, "above 0"),
    ):
        with pytest.raises(ValueError, match=said):
            PerturbedTreeClassifier(**changed).fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        PerturbedTreeClassifier().fit(np.where(X > 0.9, np.nan, X), y)
    with pytest.raises(NoFit, match="cannot be"):
        PerturbedTreeClassifier(["uniform(-1, 1)", None], ["50:60:5", None]).fit(X, y)


def test_the_command(tmp_path, capfd):
    out, page = tmp_path / "a.json", tmp_path / "a.html"
    words = ["classify", "--functions", "F1", "--privacy", "50%,100%", "--train", "2000"]
    words += ["--test", "500", "--strategies", "original,byclass", "--noise", "uniform"]
    assert run([*words, "--json", str(out), "--html", str(page)]) == 0
    shown = capfd.readouterr().out
    assert "ByClass" in shown
    found = json.loads(out.read_text())
    assert found["format"] == "ppdm-accuracy/1"
    trained = [(one["strategy"], one["privacy"]) for one in found["accuracies"]]
    assert trained == [("original", None), ("byclass", "1/2"), ("byclass", "1")]
    assert float(found["accuracies"][0]["accuracy"]) > 0.99
    assert "Accuracy of trees" in page.read_text()
    assert page.read_text().count("<svg") == 1


def test_the_command_on_a_table(tmp_path, capfd):
    random = np.random.default_rng(1)
    path = tmp_path / "t.csv"
    rows = [(x, k, "yes" if x > 0.5 else "no") for x, k in random.random((400, 2))]
    path.write_text("x,k,c\n" + "".join(f"{x},{k},{c}\n" for x, k, c in rows))
    words = ["classify", str(path), "--privacy", "50%", "--noise", "normal"]
    words += ["--strategies", "original,randomized"]
    assert run([*words, "--label", "c", "--columns", "x,k"]) == 0
    assert "t.csv" in capfd.readouterr().out
    for more, said in (
        (["--label", "c"], "--columns"),
        (["--label", "c", "--columns", "x,x"], "twice"),
        (["--label", "q", "--columns", "x"], "no column named q"),
        (["--label", "x", "--columns", "c"], "line 2, column c"),
    ):
        assert run([*words, *more]) == 2
        assert said in capfd.readouterr().err
    for more in (["--privacy", "0"], ["--functions", "F9"], ["--noise", "x"], ["--label", "c"]):
        assert run(["classify", *more]) == 2
        capfd.readouterr()
    for classes, said in ((["a"] * 40, "one class"), (["a", "b"], "too few")):
        with pytest.raises(ValueError, match=said):
            table_task("t", {"x": np.arange(len(classes)) * 1.0}, classes, 100, 100, 1)


DATA = os.environ.get("PPDM_DATA")


@pytest.mark.skipif(not DATA, reason="PPDM_DATA names no folder with real data")
def test_adult(capfd):
    path = Path(str(DATA), "adult-numeric.csv.xz")
    if not path.exists():
        pytest.skip("adult-numeric.csv.xz is not in PPDM_DATA")
    columns = "age,education_num,capital_gain,capital_loss,hours_per_week"
    words = ["classify", str(path), "--label", "income_gt_50k", "--columns", columns]
    words += ["--privacy", "25%", "--noise", "uniform", "--train", "10000", "--json", "-"]
    assert run([*words, "--strategies", "original,byclass"]) == 0
    found = json.loads(capfd.readouterr().out)
    original, byclass = (float(one["accuracy"]) for one in found["accuracies"])
    assert original > byclass > float(found["tasks"][0]["majority"])
