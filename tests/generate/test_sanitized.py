"""Sanitizing: what each unit pays by enumeration, and supports corrected from all subsets."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.tables.generate.budget import Budget, items_of
from ppdm_formal.tables.generate.records import RecordColumn, Records
from ppdm_formal.tables.generate.sanitized import Sanitized, ShareEstimate, sanitize

COLUMNS = (
    RecordColumn("a", ("1", "2", "3")),
    RecordColumn("b", ("", "4")),
    RecordColumn("c", ("5", "6", "")),
)
EPSILON = Fraction(1, 3)


def column_laws(budget):
    """For each column, the exact probability of each report given each value."""
    for column in COLUMNS:
        size = len(column.values)
        if budget.unit == "cell":
            flip = 1 / (1 + exp_of(budget.cell))
            items = items_of(column)
            law = {}
            for value in range(size):
                for report in product([0, 1], repeat=len(items)):
                    chance = Fraction(1)
                    for item, bit in zip(items, report, strict=True):
                        chance = chance * (1 - flip if bit == (item == value) else flip)
                    law[value, report] = chance
        else:
            e = exp_of(budget.attribute)
            operator = randomized_response(size, e / (e + (size - 1)))
            law = {(x, y): operator.law.keep if x == y else operator.law.other
                   for x in range(size) for y in range(size)}  # fmt: skip
        yield law


def worst(law):
    values = {value for value, _ in law}
    reports = {report for _, report in law}
    return max(law[x, y] / law[z, y] for x in values for z in values for y in reports)


@pytest.mark.parametrize("unit", ["cell", "attribute", "row"])
def test_what_each_unit_pays_is_what_enumeration_finds(unit):
    budget = Budget.of(COLUMNS, EPSILON, unit)
    laws = list(column_laws(budget))
    for law in laws:
        for value in {value for value, _ in law}:
            assert sum((p for (x, _), p in law.items() if x == value), Fraction(0)) == 1
    assert max(map(worst, laws)) == exp_of(budget.attribute)
    whole = Fraction(1)
    for law in laws:  # columns are randomized independently: ratios multiply
        whole = whole * worst(law)
    assert whole == exp_of(budget.record)
    known = {"cell": budget.cell, "attribute": budget.attribute, "row": budget.record}
    assert known[unit] == EPSILON


def test_an_item_alone_pays_the_cell():
    """Given whether an item is there, in any mixture of the column's values that allows it."""
    for unit in ("cell", "attribute"):
        budget = Budget.of(COLUMNS[:1], EPSILON, unit)
        law = next(column_laws(budget))
        if unit == "cell":  # its own bit is the only one that depends on it alone
            shown = [sum(p for (x, y), p in law.items() if x == v and y[0]) for v in range(3)]
        else:
            shown = [law[v, 0] for v in range(3)]
        assert max(shown) / min(shown) == exp_of(budget.cell)


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(-1)])
def test_no_epsilon_of_zero_or_less(epsilon):
    with pytest.raises(ValueError, match="above 0"):
        Budget.of(COLUMNS, epsilon, "cell")


def test_nothing_to_protect():
    with pytest.raises(ValueError, match="nothing to protect"):
        Budget.of([RecordColumn("a", ("1",))], Fraction(1), "row")


@pytest.mark.parametrize("unit", ["cell", "attribute"])
def test_corrected_supports_are_unbiased_over_all_reports(unit):
    """The mean over all reports of a record, each with its chance: whether it had the items."""
    budget = Budget.of(COLUMNS, EPSILON, unit)
    laws = list(column_laws(budget))
    rates = []
    for column, law in zip(COLUMNS, laws, strict=True):
        if unit == "cell":
            flip = float(1 / (1 + exp_of(budget.cell)))
            rates.append((1 - flip, flip))
        else:
            rates.append((float(law[0, 0]), float(law[0, 1])))
        assert len(column.values) in (2, 3)
    for x in product(range(3), range(2), range(3)):
        reports = list(product(*(sorted({y for _, y in law}) for law in laws)))
        chances = [
            float(laws[0][x[0], r[0]] * laws[1][x[1], r[1]] * laws[2][x[2], r[2]]) for r in reports
        ]
        held = []
        for c, column in enumerate(COLUMNS):
            some = [
                report[c] if unit == "cell" else [report[c] == v for v in items_of(column)]
                for report in reports
            ]
            held.append(np.array(some, dtype=bool))
        found = Sanitized(COLUMNS, tuple(held), tuple(rates))
        for v in product(range(3), range(2), range(3)):
            value = np.prod([found.features[c][:, v[c]] for c in range(3)], axis=0)
            assert np.dot(chances, value) == pytest.approx(float(v == x), abs=1e-9)


def reported(found, column, value):
    """Whether an item is reported of each record."""
    return found.held[column][:, items_of(found.columns[column]).index(value)]


def test_products_are_sums_over_all_subsets():
    random = np.random.default_rng(0)
    codes = random.integers(0, (3, 2, 3), (40, 3)).astype(np.int32)
    records = Records(COLUMNS, codes, "records")
    found = sanitize(records, Budget.of(COLUMNS, Fraction(1), "attribute"), Simulation(1))
    items = [(0, 1), (1, 1), (2, 0)]
    expected = 0.0
    for size in range(4):
        for some in combinations(items, size):
            held = [reported(found, c, v) for c, v in some]
            count = np.mean(np.all(held, axis=0)) if some else 1.0
            term = count
            for c, _ in items:
                p, q = found.rates[c]
                term *= (1.0 if c in [d for d, _ in some] else -q) / (p - q)
            expected += term
    assert found.support(items).share == pytest.approx(expected)


@pytest.mark.parametrize("unit", ["cell", "attribute"])
def test_reports_follow_their_law(unit):
    codes = np.tile(np.array([[1, 1, 2]], dtype=np.int32), (20_000, 1))
    budget = Budget.of(COLUMNS, Fraction(1), unit)
    found = sanitize(Records(COLUMNS, codes, "records"), budget, Simulation(7))
    e = math.exp(1)
    for c, v, there in [(0, 1, True), (0, 2, False), (1, 1, True), (2, 0, False)]:
        size = 2 if unit == "cell" else len(COLUMNS[c].values)
        p, q = e / (e + size - 1), 1 / (e + size - 1)
        assert found.rates[c] == pytest.approx((p, q))
        share = reported(found, c, v).mean()
        assert abs(share - (p if there else q)) < 5 * 0.5 / np.sqrt(20_000)
        estimate = found.support([(c, v)])
        assert abs(estimate.share - there) < 5 * estimate.error
    missing = found.support([(2, 2)])  # what is no item has what items leave
    assert abs(missing.share - 1) < 5 * missing.error


def test_a_column_of_one_value_stays():
    columns = (RecordColumn("a", ("1",)), COLUMNS[0])
    codes = np.array([[0, 2], [0, 1]], dtype=np.int32)
    budget = Budget.of(columns, Fraction(2), "row")
    assert budget.attribute == 2  # one column varies
    found = sanitize(Records(columns, codes, "records"), budget, Simulation(1))
    assert found.support([(0, 0)]).share == 1
    assert found.transactions().labels == ("a=1", "a=1", "a=2", "a=3")


def test_an_estimate_is_clear_two_errors_above_nothing():
    assert ShareEstimate(0.21, 0.1).clear(0.1)
    assert not ShareEstimate(0.19, 0.1).clear(0.1)  # one error would be enough for this one
    assert not ShareEstimate(0.2, 0.1).clear(0.1)
    assert not ShareEstimate(0.21, 0.1).clear(0.3)
