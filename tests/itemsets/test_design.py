"""Plans: the numbers of the issue, refusals in a sentence, files that are read back."""

from __future__ import annotations

import functools
import json
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_plans import written_design

from ppdm_formal.declare.families.select_a_size import from_balance, select_a_size
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.design.design import (
    MARGIN,
    amplification_of,
    gamma_bound,
)
from ppdm_formal.design.lds import lowest_discoverable_support
from ppdm_formal.design.paper_form import best_paper_form
from ppdm_formal.design.plan_file import plan_content, plan_of, read_plan
from ppdm_formal.design.recovery import Recovery

F = Fraction
written_paper = functools.partial(written_design, form="paper")  # the best form: test_best_plan.py


@pytest.fixture(scope="module")
def plan():
    return written_paper(range(1, 11), 5_000_000, "5%", "50%", 3, items=10_000)


def test_the_papers_setting():
    plan = written_paper([5], 5_000_000, "5%", "50%", 3, paper=True)
    assert (plan["format"], plan["rho1"], plan["rho2"]) == ("ppdm-plan/1", "1/20", "1/2")
    assert plan["gamma"] == plan["gamma_used"] == "19"
    (entry,) = plan["sizes"]
    assert entry["cutoff"] == 4
    assert entry["amplification"] == "19"
    assert float(F(entry["insert"])) == pytest.approx(0.511, abs=0.001)
    assert max(float(s) for s in entry["lds"].values()) == pytest.approx(0.004956, abs=1e-6)
    assert "breach exists" in plan["notes"][0]


def test_every_entry_is_what_it_says(plan):
    assert plan["gamma"] == "19"
    assert F(plan["gamma_used"]) == 19 * (1 - MARGIN)
    assert plan["notes"] == []
    assert [entry["size"] for entry in plan["sizes"]] == list(range(1, 11))
    for entry in plan["sizes"]:
        m, rho = entry["size"], F(entry["insert"])
        assert rho.denominator == 2 ** entry["bits"]
        keep = [F(p) for p in entry["keep"]]
        assert sum(keep) == 1
        b = [p / (math.comb(m, j) * rho**j * (1 - rho) ** (m - j)) for j, p in enumerate(keep)]
        assert max(b) / min(b) == F(entry["amplification"]) == F(plan["gamma_used"]) < 19
        assert b[entry["cutoff"]] < b[entry["cutoff"] + 1]
        assert set(entry["lds"]) == {str(k) for k in (1, 2, 3) if k <= m}
        randomization = plan_of(plan).only.at(m).randomization
        for k, s in entry["lds"].items():
            exact = lowest_discoverable_support(Recovery.of(randomization, int(k)), 5_000_000)
            assert exact.decimal() == s
        largest = max(float(s) for s in entry["lds"].values())
        assert largest <= float(entry["best_real"]["lds"]) * (1 + 1.1e-4)
        expected = sum(j * p for j, p in enumerate(keep)) + (10_000 - m) * rho
        assert F(entry["expected_size"]) == expected


def test_largest_lds_grows_with_the_size(plan):
    largest = [max(float(s) for s in entry["lds"].values()) for entry in plan["sizes"]]
    assert largest == sorted(largest)


def test_bits():
    one = written_paper([5], 5_000_000, "5%", "50%", 3, bits=1, paper=True, items=1000)["sizes"][0]
    assert one["insert"] == "1/2"
    # One bit costs a quarter of a percent of the LDS and saves most of the transmission.
    assert float(one["lds"]["3"]) == pytest.approx(0.0049674, abs=1e-7)
    asked = {"bits": 16, "paper": True, "items": 1000}
    (many,) = written_paper([5], 5_000_000, "5%", "50%", 3, **asked)["sizes"]
    assert float(many["lds"]["3"]) < float(one["lds"]["3"])
    assert (one["compressed_bits"], many["compressed_bits"]) == (40, 16 * 8)


def test_sizes_may_have_their_own_counts():
    plan = written_paper([1, 2], {1: 1_000_000, 2: 10_000}, "5%", "50%", 2)
    assert plan["transactions"] == 1_010_000
    assert [entry["transactions"] for entry in plan["sizes"]] == [1_000_000, 10_000]


def test_few_items_bound_the_amplification_actually_reached():
    full = written_paper([3], 1000, "5%", "50%", 1, items=3)["sizes"][0]
    assert full["amplification"] == "1"  # a single possible transaction
    some = written_paper([3], 1000, "5%", "50%", 1, items=4)["sizes"][0]
    assert F(some["amplification"]) == 19 * (1 - MARGIN)


def test_too_few_transactions_are_explained():
    plan = written_paper([5], 10, "5%", "50%", 3)
    assert plan["sizes"][0]["lds"] == {"1": None, "2": None, "3": None}
    (note,) = plan["notes"]
    assert "too few: no support of itemsets of 1, 2, 3 items is discoverable" in note
    some = written_paper([5], 40, "5%", "50%", 3)
    assert float(some["sizes"][0]["lds"]["1"]) < 1
    assert "no support of itemsets of 2, 3 items is discoverable" in some["notes"][0]
    assert "best for the smaller" in some["notes"][1]


BAD = [
    ({"rho1": "50%", "rho2": "5%"}, "0 < rho1 < rho2 < 1"),
    ({"rho1": "50%", "rho2": "50%"}, "0 < rho1 < rho2 < 1"),
    ({"sizes": [0]}, "sizes of at least 1"),
    ({"sizes": []}, "sizes of at least 1"),
    ({"sizes": [2], "itemsets": 3}, "fit in no transaction: the largest size is 2"),
    ({"itemsets": 0}, "at least 1"),
    ({"items": 4}, "need more than 4 items"),
    ({"bits": 0}, "1 to 30 bits"),
    ({"bits": 31}, "1 to 30 bits"),
    ({"sizes": [5, 1001]}, "transactions of 1001 items: sizes go up to 1000"),
    ({"sizes": [30], "itemsets": 21}, "itemsets of 21 items: they go up to 20"),
    ({"transactions": 0}, "at least one"),
    ({"transactions": {3: 5}}, "5 items is not given"),
    ({"rho1": "0.4999999", "rho2": "0.5"}, "too close"),
    ({"sizes": [3], "bits": 1, "itemsets": 3, "rho1": "49%"}, None),
]


@pytest.mark.parametrize(("change", "says"), BAD)
def test_bad_requests_are_refused_in_a_sentence(change, says):
    request = {
        "sizes": [5],
        "transactions": 1000,
        "rho1": "5%",
        "rho2": "50%",
        "itemsets": 3,
    } | change
    if says is None:
        assert written_paper(**request)["sizes"]
        return
    with pytest.raises(ValueError, match=says):
        written_paper(**request)


def test_floats_are_refused():
    with pytest.raises(TypeError, match="floats are not exact"):
        written_paper([5], 1000, 0.05, 0.5, 3)


def test_plans_are_read_back(plan):
    again = read_plan(json.dumps(plan))
    assert plan_content(again) == plan
    operator = again.only.operator(5, 1000)
    assert {part.likelihood for view in operator.views() for part in view.classes} != set()
    with pytest.raises(ValueError, match="no transactions of 11 items"):
        plan_of(plan).only.at(11)


WRONG_FILES = [
    ("{", "not JSON"),
    ("[]", "not a plan"),
    ('{"format": "ppdm-plan/2"}', "not a plan"),
    ('{"format": "ppdm-plan/1", "sizes": []}', "no transaction sizes"),
    ('{"format": "ppdm-plan/1", "sizes": [{}]}', "has no transaction size"),
    ('{"format": "ppdm-plan/1", "sizes": [{"size": 1}]}', "lacks insert"),
]


@pytest.mark.parametrize(("source", "says"), WRONG_FILES)
def test_other_files_are_refused(source, says):
    with pytest.raises(ValueError, match=says):
        read_plan(source)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"insert": "3/2"}, "strictly between"),
        ({"insert": 0.5}, "lacks insert"),
        ({"keep": ["1/2", "1/4"]}, "sum to 3/4"),
        ({"keep": [0.5, 0.5]}, "numbers as text"),
        ({"keep": ["1"]}, r"need p\[0\.\.1\]"),
    ],
)
def test_tampered_plans_are_refused(plan, change, says):
    one = {**plan, "sizes": [{**plan["sizes"][0], **change}]}
    with pytest.raises(ValueError, match=says):
        read_plan(json.dumps(one))


def test_gamma_is_statement_1s_bound():
    assert gamma_bound(F(1, 20), F(1, 2)) == 19
    assert gamma_bound(F(1, 7), F(1, 2)) == 6
    assert gamma_bound(F(1, 4), F(3, 4)) == 9


def test_seven_itemsets_of_ten_items():
    """Refused once, because a determinant was small: rho = 5/8, j* = 9 gives at most 7.6%."""
    (entry,) = written_paper([10], 5_000_000, "5%", "50%", 7)["sizes"]
    assert entry["cutoff"] == 9
    assert F(entry["insert"]) == F(39, 64)
    assert max(map(float, entry["lds"].values())) == pytest.approx(0.074917, abs=1e-6)
    (five,) = written_paper([10], 5_000_000, "5%", "50%", 7, bits=3)["sizes"]
    assert F(five["insert"]) == F(5, 8)
    assert max(map(float, five["lds"].values())) < 0.076


def test_itemsets_that_no_parameters_make_discoverable_are_left_out():
    plan = written_paper([20], 5_000_000, "5%", "50%", 20)
    (entry,) = plan["sizes"]
    aimed = entry["itemsets"]
    assert 3 < aimed < 20
    assert len(entry["lds"]) == 20
    assert max(float(entry["lds"][str(k)]) for k in range(1, aimed + 1)) <= 1
    assert f"too few to find itemsets of more than {aimed} items" in plan["notes"][-1]
    # One size more, and nothing is left to see: the largest LDS passes 1.
    more = best_paper_form(20, F(19) * (1 - MARGIN), range(1, aimed + 2), 5_000_000)
    assert more.real.lds > 1


@pytest.mark.parametrize("size", [220, 1000])
def test_long_transactions_have_plans(size):
    plan = written_paper([size], 5_000_000, "5%", "50%", 1)
    (entry,) = plan["sizes"]
    assert "keep" not in entry
    again = plan_of(plan).only.at(size).randomization
    assert (
        lowest_discoverable_support(Recovery.of(again, 1), 5_000_000).decimal()
        == (entry["lds"]["1"])
    )
    assert F(entry["amplification"]) == 19 * (1 - MARGIN)


def test_worst_transactions_are_said(plan):
    for entry in plan["sizes"]:
        for k, s in entry["lds"].items():
            assert float(entry["lds_worst"][k]) >= float(s)
    three = plan["sizes"][2]  # rho is small there: one item of two makes most noise
    assert float(three["lds_worst"]["3"]) > 1.2 * float(three["lds"]["3"])


@given(
    st.lists(st.fractions(F(1), F(9), max_denominator=4), min_size=2, max_size=5),
    st.integers(0, 6),
)
@settings(derandomize=True, deadline=None, max_examples=60)
def test_amplification_is_that_of_the_operator(ratios, more):
    size = len(ratios) - 1
    rho = F(1, 3)
    operator = select_a_size(size + more, size, rho, keep=from_balance(ratios, rho))
    assert amplification_of(ratios, size + more) == amplification(operator).value
    assert amplification_of(ratios) == max(ratios) / min(ratios)
