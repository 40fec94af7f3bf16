"""Plans with groups: what is designed is what the file says, and what the forecast predicts."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest
from written_plans import written_plan

from ppdm_formal.cli import run
from ppdm_formal.design.forecast import pools
from ppdm_formal.design.grouped_plan import lifted_plan
from ppdm_formal.design.lifted import lifted_design
from ppdm_formal.design.plan import sets_name
from ppdm_formal.design.plan_file import plan_of, read_plan
from ppdm_formal.design.planning import plan_for
from ppdm_formal.design.request import Request

F = Fraction
SIZES = {0: 50, 1: 400, 2: 900, 4: 700, 7: 30}


def request(**more):
    given = {"rho1": F(1, 20), "rho2": F(1, 2), "histogram": SIZES, "itemsets": 3, "items": 40}
    return Request(**{**given, "form": "lifted", **more})


def test_the_file_holds_the_design():
    plan = plan_for(request())
    known = lifted_design(SIZES, F(19) * (1 - F(1, 10**6)), 3)
    assert [group.name for group in plan.groups] == ["items", "pairs", "triples"]
    assert tuple(group.share for group in plan.groups) == known.shares
    for group, designed in zip(plan.groups, known.groups, strict=True):
        assert group.lifted == designed.itemset
        assert [part.size for part in group.sizes] == [m for m in SIZES if m >= group.lifted]
        for part, form in zip(group.sizes, designed.sizes, strict=True):
            assert part.randomization == form.form.randomization()
            assert part.randomization.size == math.comb(part.size, group.lifted)


def test_the_forecast_is_the_designs():
    """Two independent sums over sizes, up to clients rounded to whole ones."""
    content = written_plan(request(histogram={k: 1000 * n for k, n in SIZES.items()}))
    known = lifted_design({k: 1000 * n for k, n in SIZES.items()}, F(content["gamma_used"]), 3)
    found = [pool for pool in pools(plan_of(content)) if pool.itemset == pool.group.lifted]
    assert [pool.itemset for pool in found] == [1, 2, 3]
    for pool, lds in zip(found, known.lds, strict=True):
        assert float(pool.lowest) == pytest.approx(float(lds), rel=1e-5)
    pooled = [p for p in content["pooled"] if p["group"] == sets_name(p["itemset"])]
    for one, lds in zip(pooled, known.lds, strict=True):
        assert float(one["lds"]) == pytest.approx(float(lds), rel=1e-5)


def test_hidden_sizes_have_dummies():
    plan = lifted_plan(request(hidden="pad"))
    for group in plan.groups:
        assert (group.hidden, [part.size for part in group.sizes]) == ("pad", [7])
        assert group.universe(40) == math.comb(47, group.lifted)
    cut = lifted_plan(request(hidden="cut", longest=4))
    assert {part.size for group in cut.groups for part in group.sizes} == {4}


def test_longest_and_names():
    plan = lifted_plan(request(longest=4))
    assert [part.size for part in plan.groups[2].sizes] == [4]
    assert [sets_name(k) for k in (1, 2, 3, 4)] == ["items", "pairs", "triples", "sets of 4"]


def test_from_the_command_line(tmp_path, capsys):
    """Every operator of every group is certified, and the file is read back as it was."""
    target = tmp_path / "plan.json"
    asked = "design --sizes 5 --transactions 100000 --rho1 5% --rho2 50% --items 30 --form lifted"
    folder = tmp_path / "certificates"
    assert run([*asked.split(), "-o", str(target), "--certificates", str(folder)]) == 0
    assert "triples" in capsys.readouterr().out
    content = json.loads(target.read_text())
    verdicts = [e["certificate"]["verdict"] for g in content["groups"] for e in g["sizes"]]
    assert verdicts == ["certified"] * 3
    assert len(list(folder.glob("*.json"))) == 3
    plan = read_plan(target.read_text())
    assert sum(group.share for group in plan.groups) == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("--sizes 76 --transactions 1000 --itemsets 3", "70300 sets of 3 items"),
        ("--sizes 2 --transactions 1000 --itemsets 3", "fit in no transaction"),
        ("--sizes 4 --transactions 2 --itemsets 3", "too few for 3 groups"),
    ],
)
def test_bad_requests_are_explained(more, said, capsys):
    assert run(f"design --rho1 5% --rho2 50% --form lifted {more}".split()) == 2
    assert said in " ".join(capsys.readouterr().err.split())
