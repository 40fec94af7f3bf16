"""Forms compared: whatever form a plan has, it names the same best one, by the same numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from written_plans import written_plan

from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.design.cut import remaining
from ppdm_formal.design.lifted import lifted_design
from ppdm_formal.design.paper_form import best_paper_form
from ppdm_formal.design.request import Request

F = Fraction
N = 5_000_000
GAMMA = F(19) * (1 - F(1, 10**6))


def forms_of(content):
    assert {one["size"] for one in content["compared"]} == {None}
    return {one["form"]: float(one["largest"]) for one in content["compared"]}


@pytest.mark.parametrize(("size", "best"), [(3, "paper"), (5, "lifted"), (10, "lifted")])
def test_a_lifted_plan_says_whether_it_gains(size, best):
    """Nothing at m = 3, most for long baskets."""
    asked = Request(F(1, 20), F(1, 2), {size: N}, 3, 100, "lifted", alike=True)
    content = written_plan(asked)
    found = forms_of(content)
    assert found["lifted"] == pytest.approx(lifted_design({size: N}, GAMMA, 3).largest, rel=1e-5)
    paper = best_paper_form(size, GAMMA, range(1, 4), N).chosen.lds
    assert found["paper"] == pytest.approx(paper, rel=1e-9)
    assert min(found, key=found.get) == best
    (note,) = content["notes"]
    assert ("This form is the best" if best == "lifted" else "--form paper is the best") in note


@pytest.mark.parametrize("hidden", [None, "cut"])
def test_every_form_names_the_same_best_one(hidden):
    """Also where baskets are cut: what must be there before is compared, not what remains."""
    drawn = np.random.default_rng(1)
    rows = drawn.random((2000, 40)) < 0.4 / (1 + np.arange(40))
    data = AtHand.of(40, [np.flatnonzero(row).tolist() for row in rows])
    sizes = {size: 400 * count for size, count in data.histogram.items()}
    found, cut = {}, []
    for form in ("paper", "lifted", "two-phase"):
        asked = Request(F(1, 20), F(1, 2), sizes, 2, 40, form, hidden=hidden, longest=3, data=data)
        content = written_plan(asked)
        found[form] = forms_of(content)
        cut += [note for note in content["notes"] if "before cutting" in note]
        if form != "two-phase":
            kept = {k: float(remaining(sizes, 3, k).evenly) for k in (1, 2)}
            needed = [float(p["lds"]) / kept[p["itemset"]] for p in content["pooled"]]
            assert found[form][form] == pytest.approx(max(needed), rel=1e-4)
    assert len(cut) == 3
    for one in found.values():
        for form, largest in one.items():
            # two phases are compared with one threshold, and their plan has the best of several
            assert largest == pytest.approx(found[form][form], rel=0.1 if "two" in form else 1e-4)
    assert {"lifted", "two-phase"} < set(found["paper"])
    assert set(found["lifted"]) == set(found["two-phase"]) == {"paper", "lifted", "two-phase"}
