"""Plans in the best form: what an entry says, and what is said of gains and evidence."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from written_plans import written_design, written_plan

from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.plan_facts import BestFacts, OtherForm
from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.design.plan_notes import gain_notes
from ppdm_formal.design.request import Request

F = Fraction
PLENTY = Deadline.after(10**6)


def test_an_entry_says_how_good_it_is():
    (entry,) = written_design([3], 5_000_000, "5%", "50%", 3, items=1000)["sizes"]
    assert entry["form"] == "best"
    assert entry["evidence"] == "proved"
    largest = max(float(s) for s in entry["lds"].values())
    assert float(entry["largest"]) == pytest.approx(largest, rel=1e-9)
    assert 0.995 * largest < float(entry["lower_bound"]) < largest
    assert float(entry["gap"]) == pytest.approx(1 - float(entry["lower_bound"]) / largest)
    assert entry["cutoff"] is None
    assert entry["paper_form"]["cutoff"] == 1
    assert float(entry["paper_form"]["largest"]) > 1.003 * largest
    assert F(entry["insert"]).denominator == 2 ** entry["bits"] <= 2**16
    assert F(entry["amplification"]) < 19
    rho, keep = F(entry["insert"]), [F(p) for p in entry["keep"]]
    b = [p / (math.comb(3, j) * rho**j * (1 - rho) ** (3 - j)) for j, p in enumerate(keep)]
    assert max(b) / min(b) == F(entry["amplification"])


def test_the_papers_form_says_nothing_of_the_optimum():
    (entry,) = written_design([3], 5_000_000, "5%", "50%", 3, form="paper")["sizes"]
    assert entry["form"] == "paper"
    assert entry["cutoff"] == 1
    assert "lower_bound" not in entry
    assert "paper_form" not in entry


def test_more_is_discoverable_than_in_the_papers_form():
    few = 309
    (paper,) = written_design([3], few, "25%", "50%", 2, form="paper")["sizes"]
    (best,) = written_design([3], few, "25%", "50%", 2)["sizes"]
    assert paper["itemsets"] == 1
    assert best["itemsets"] == 2
    assert all(best["lds"].values())


def test_nothing_is_discoverable_with_five_transactions():
    plan = written_design([3], 5, "5%", "50%", 2)
    (entry,) = plan["sizes"]
    assert set(entry["lds"].values()) == {None}
    assert "too few" in plan["notes"][0]


def request(**more):
    asked = {"rho1": F(1, 20), "rho2": F(1, 2), "histogram": {2: 5_000_000, 3: 5_000_000}}
    return Request(
        **{**asked, "itemsets": 3, "form": "best", "alike": True, "deadline": PLENTY, **more}
    )


def test_a_plan_prints_its_gain_and_its_evidence():
    plan = written_plan(request())
    gained, proved = plan["notes"][:2]
    assert gained == (
        "Best form: the largest LDS is lower than in the paper's form by 0.3% for size 3; "
        "nothing for size 2."
    )
    assert proved.startswith("Proved: with the same gamma no select-a-size")
    assert "more than 0.1" in proved
    assert plan_of(plan).groups[0].sizes[1].size == 3


def test_hidden_sizes_have_the_best_form_as_well():
    sizes = {1: 10**6, 3: 10**6}
    plan = written_plan(request(histogram=sizes, hidden="pad", items=50, alike=False))
    (entry,) = plan["sizes"]
    assert entry["form"] == "best"
    assert any("Proved" in note for note in plan["notes"])


def test_without_time_a_plan_says_that_nothing_is_proved():
    plan = written_plan(request(deadline=Deadline.after(0)))
    assert {entry["evidence"] for entry in plan["sizes"]} == {"best found"}
    assert plan["notes"][1] == (
        "Not proved, only the best found in the time: sizes 2..3 (--timeout)."
    )


def facts_of(gain, gap):
    evidence = "proved" if gap else "best found"
    return BestFacts(1 - gain, 0.0, gap or 1.0, evidence, OtherForm(F(1, 2), 0, 1.0))


def test_notes_on_many_sizes():
    sizes = {m: facts_of(m / 100 if m != 7 else 0, 0.002 if m < 9 else None) for m in range(1, 12)}
    assert gain_notes(sizes) == [
        "Best form: the largest LDS is lower than in the paper's form by up to 11.0% (size 11) for "
        "sizes 1..6, 8..11; nothing for size 7.",
        "Proved: with the same gamma no select-a-size of any rho and p[j] has a largest LDS that "
        "is lower by more than 0.20% for sizes 1..8.",
        "Not proved, only the best found in the time: sizes 9..11 (--timeout).",
    ]
    assert gain_notes({4: facts_of(0.0001, 0.001)})[0] == (
        "Best form: no size gains on the paper's (Statement 2's form)."
    )
