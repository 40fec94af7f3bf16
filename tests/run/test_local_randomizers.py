"""Local randomizers run: in Python on any container, in tables, described and read again."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas
import pyarrow
import pytest
from family_cases import rational

from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.exponential_mechanism import exponential_mechanism
from ppdm_formal.declare.families.hadamard_response import hadamard_response
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.rappor import rappor
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.truncated_geometric import truncated_geometric
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.language.families import model_families
from ppdm_formal.infer.tables.collected import estimate
from ppdm_formal.run.described import operator_json, operator_of
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.randomize import randomize
from ppdm_formal.run.simulation import Simulation

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", model_families())
def test_every_family_is_described_and_read_again(name):
    for operator in rational(name)[::7]:
        written = json.loads(json.dumps(operator_json(operator)))
        assert operator_of(written) == operator


def as_documented(written):
    spec = importlib.util.spec_from_file_location(
        "certify_schema", ROOT / "tests/certify/certify_schema.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    schema = json.loads((ROOT / "docs/release.schema.json").read_text(encoding="utf-8"))
    module.validate(written, schema["$defs"]["operator"], schema)


def test_large_ones_are_described_by_few_numbers():
    for operator in (
        unary_encoding(10**6, "3/4", "1/4"),
        subset_selection(10**4, 3),
        local_hashing(10**6, 4, gamma=3),
        hadamard_response(10**6, 3),
        rappor(128, 2, "1/2", "1/2", "3/4"),
        truncated_geometric(10**6, "1/3"),
        duchi_mean(10**6, 3),
        exponential_mechanism(10**6, [4, 2, 1]),
    ):
        written = operator_json(operator)
        assert len(json.dumps(written)) < 600
        as_documented(written)
        assert operator_of(written).law == operator.law


def changed(operator, **arguments):
    """A description with other arguments, and the digest that belongs to it."""
    from ppdm_formal.declare.operators.canonical import digest

    written = json.loads(json.dumps(operator_json(operator)))
    written["law"]["arguments"].update(arguments)
    inside = {key: written[key] for key in ("inputs", "outputs", "law")}
    return {**written, "sha256": digest(inside)}


@pytest.mark.parametrize(
    ("operator", "arguments", "says"),
    [
        (unary_encoding(4, "3/4"), {"keep": "5/4"}, "keep = 5/4 is not between"),
        (unary_encoding(4, "3/4"), {"other": "1"}, "unary_encoding"),
        (unary_encoding(4, "3/4"), {"keep": "6/8"}, "not spelled as unary_encoding spells it"),
        (subset_selection(6, 3, 2), {"chosen": True}, "chosen is not an integer"),
        (subset_selection(6, 3, 2), {"chosen": 7}, "sets of 7 values"),
        (subset_selection(6, 3, 2), {"chosen": 3}, "other outputs"),
        (exponential_mechanism(4, [2, 1]), {"weights": "1"}, "not a list"),
        (exponential_mechanism(4, [2, 1]), {"weights": ["0"]}, "weight 0"),
        (exponential_mechanism(4, [2, 1]), {"weights": ["1"] * 10_001}, "not a list"),
    ],
)
def test_descriptions_that_are_wrong_are_refused(operator, arguments, says):
    with pytest.raises(ReleaseError, match=says):
        operator_of(changed(operator, **arguments))


def test_spellings_of_earlier_versions_are_read():
    """By weights where there is a decay, and under a name of its own on very many values."""
    from ppdm_formal.declare.operators.canonical import digest

    few, many = exponential_mechanism(4, decay="1/2"), exponential_mechanism(2000, decay="1/2")
    for operator, name, arguments in (
        (few, "exponential_mechanism", {"weights": ["1", "1/2", "1/4", "1/8"]}),
        (many, "exponential_decay", {"decay": "1/2"}),
    ):
        written = operator_json(operator)
        written["law"] = {"kind": "family", "name": name, "arguments": arguments}
        written["sha256"] = digest({key: written[key] for key in ("inputs", "outputs", "law")})
        found = operator_of(written)
        assert found.probability(0, 3) == operator.probability(0, 3)
        as_documented(written)


def test_sets_come_back_in_the_container_that_was_given():
    operator = unary_encoding(100, 1, 0)  # certainly the value alone
    values = [3, 99, 0]
    alone = [frozenset({value}) for value in values]
    assert randomize(operator, values) == alone
    assert randomize(operator, tuple(values)) == tuple(alone)
    assert randomize(operator, np.array(values)).tolist() == alone
    series = pandas.Series(values, index=[7, 8, 9], name="v")
    found = randomize(operator, series)
    assert found.tolist() == alone
    assert found.index.tolist() == [7, 8, 9]
    assert randomize(operator, pyarrow.array(values)).to_pylist() == [[3], [99], [0]]
    with pytest.raises(DataError, match="value number 1"):
        randomize(operator, [3, 100])


def test_a_million_values_are_randomized():
    found = randomize(unary_encoding(10**6, 1, "1/100000"), [5, 999_999], seed=1).values
    assert 5 in found[0]
    assert 999_999 in found[1]
    assert 0 < len(found[0]) < 60
    subsets = randomize(subset_selection(10**4, 3), [17] * 40, seed=2).values
    assert {len(found) for found in subsets} == {2500}
    assert 5 <= sum(17 in found for found in subsets) <= 35  # 20 expected
    rows = np.full(20_000, 999_999)
    drawn = hadamard_response(10**6, 3).law.draw(rows, Simulation(3))
    even = sum((1_000_000 & y).bit_count() % 2 == 0 for y in drawn.tolist())
    assert abs(even - 15_000) < 7 * 62
    near = exponential_mechanism(10**6, [10**6, 10**5, 1]).law.draw(rows[:2000], Simulation(4))
    assert Counter((999_999 - near).tolist())[0] > 600
    walked = truncated_geometric(10**6, "9/10").law.draw(rows[:2000], Simulation(5))
    # At the end: no noise or upward, (1 - a)/(1 + a) + a/(1 + a) = 10/19.
    assert abs((walked == 999_999).sum() - 2000 * 10 / 19) < 7 * 23


def test_exponentials_are_drawn_and_described():
    """Frequencies of 20,000 draws, within seven standard deviations; exact draws: test_draw.py."""
    for operator in (
        unary_encoding(3, epsilon=1),
        subset_selection(4, epsilon=1),
        hadamard_response(3, epsilon=1),
        truncated_geometric(4, epsilon="1/2"),
        duchi_mean(3, epsilon=1),
        exponential_mechanism(4, epsilon=2),
    ):
        assert operator_of(json.loads(json.dumps(operator_json(operator)))) == operator
        drawn = operator.law.draw(np.full(20_000, 1), Simulation(9))
        for y, count in enumerate(np.bincount(drawn, minlength=operator.outputs.size).tolist()):
            p = float(operator.law.entry(1, y))
            assert abs(count - 20_000 * p) <= 7 * (20_000 * p * (1 - p)) ** 0.5


def test_distributions_are_estimated_from_answers():
    """Where the matrix is small enough; unbiased, within seven standard errors."""
    truth = [0] * 4000 + [3] * 2000 + [5] * 2000
    for operator in (
        unary_encoding(6, gamma=9),
        subset_selection(6, 9, 2),
        hadamard_response(6, 9),
        truncated_geometric(6, "1/3"),
        exponential_mechanism(6, [9, 3, 1]),
    ):
        answers = randomize(operator, truth, seed=11)
        cells = estimate(operator, answers).tables[0].estimated
        for cell in cells:
            share = truth.count(cell.value[0]) / len(truth)
            assert abs(cell.estimate - share) < 7 * cell.se
