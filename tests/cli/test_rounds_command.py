"""Plans in rounds end to end: designed, run in three rounds, told, audited, checked; and a no."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from fractions import Fraction as F

import numpy as np
import pytest

from ppdm_formal.cli import run
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import Release
from ppdm_formal.run.told import told

LINKED = ((0, 1), (2, 3), (4, 5))


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """30 items; three pairs of them nearly always go together."""
    chance = random.Random(3)
    lines = []
    for _ in range(12_000):
        basket = {item for item in range(6, 30) if chance.random() < 0.06}
        for a, b in LINKED:
            if chance.random() < 0.3:
                basket |= {a, b} if chance.random() < 0.8 else {chance.choice((a, b))}
        lines.append(" ".join(map(str, sorted(basket))))
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.dat").write_text("\n".join(line or "29" for line in lines) + "\n")
    return folder


LEVEL = ["--rho1", "5%", "--rho2", "90%", "--top", "3"]


def designed(shop):
    plan = shop / "plan.json"
    if not plan.exists():
        assert run(["design", "--data", str(shop / "shop.dat"), *LEVEL, "-o", str(plan)]) == 0
    return plan


def randomized(shop, plan, number):
    target = shop / f"round{number}.dat"
    asked = ["--plan", str(plan), "--phase", str(number), "--group-by", "place", "--simulate", "1"]
    assert run(["randomize", str(shop / "shop.dat"), *asked, "-o", str(target)]) == 0
    return target


@pytest.fixture(scope="module")
def rounds(shop):
    """The plans and releases of all three rounds."""
    plans, releases = [designed(shop)], []
    for number in (1, 2, 3):
        releases.append(randomized(shop, plans[-1], number))
        if number < 3:
            plans.append(shop / f"plan{number + 1}.json")
            given = ["--continue", str(plans[-2]), str(releases[-1])]
            assert run(["design", *given, "-o", str(plans[-1])]) == 0
    return plans, releases


def baskets(shop):
    return [set(map(int, line.split())) for line in (shop / "shop.dat").read_text().splitlines()]


def test_true_pairs_are_found(shop, rounds):
    every = told([Release.read(path) for path in rounds[1]])
    pairs = [one for one in every if one.asked.kind == "itemsets"]
    known = baskets(shop)
    assert set(LINKED) <= set(pairs[0].asked.sets)
    for one in pairs:
        for row, share in zip(one.candidates.tolist(), one.estimates, strict=True):
            true = sum(set(row) <= basket for basket in known) / len(known)
            # Cut to `cut` of the pairs: what remains is at most the support.
            assert share < true + 6 * one.deviations(true)
    first = dict(zip(pairs[0].asked.sets, pairs[0].estimates, strict=True))
    assert set(sorted(first, key=first.get)[-3:]) == set(LINKED)


def test_each_client_takes_part_in_one_round(shop, rounds):
    every = [Release.read(path) for path in rounds[1]]
    assert sum(one.tally.rows_out for one in every) == len(baskets(shop))
    assert all(one.tally.rows_in == len(baskets(shop)) for one in every)
    found = told(every)
    assert len({one.clients for one in found}) == 1
    assert [one.round for one in found] == [1, 1, 2, 2, 3, 3]
    with pytest.raises(ReleaseError, match="again"):
        told([every[0], every[0]])


def test_reports_hold_values_as_often_as_is_said(shop, rounds):
    """Items of baskets that are never cut: hit and miss against the true supports."""
    (one,) = [o for o in told(Release.read(rounds[1][0])) if o.asked.kind == "items"]
    known = baskets(shop)
    weights = [min(1.0, one.cut / len(b)) for b in known]
    for item in range(30):
        kept = sum(w for w, b in zip(weights, known, strict=True) if item in b) / len(known)
        sampling = np.sqrt(kept * (1 - kept) / one.people)
        assert abs(one.estimates[item] - kept) < 6 * np.hypot(one.deviations(kept), sampling)


def test_every_later_command_can_do_it(shop, rounds, capsys):
    for number, plan in enumerate(rounds[0], start=1):
        folder = shop / f"certificates{number}"
        assert run(["audit", str(plan), "--certificates", str(folder)]) == 0
        assert run(["check", str(folder), "--model", str(plan)]) == 0
        assert "6 claims: 6 hold" in capsys.readouterr().out
        client = shop / f"client{number}.py"
        written = ["--plan", str(plan), "--phase", str(number), "--language", "python"]
        assert run(["client", *written, "-o", str(client)]) == 0
        done = subprocess.run([sys.executable, client], capture_output=True, text=True, check=True)
        assert "self-test passed" in done.stdout


def test_a_round_that_waits_is_not_run(shop, rounds, capsys):
    plan = designed(shop)
    asked = ["--plan", str(plan), "--group-by", "place", "-o", str(shop / "none.dat")]
    assert run(["randomize", str(shop / "shop.dat"), *asked, "--phase", "2"]) == 2
    assert "round 2 of the plan is pending" in capsys.readouterr().err
    assert run(["randomize", str(shop / "shop.dat"), *asked]) == 2
    assert "say which with --phase" in capsys.readouterr().err
    assert run(["design", "--continue", str(plan), str(rounds[1][1]), "--top", "3"]) == 2
    assert "--top is decided by the plan" in capsys.readouterr().err


def test_another_plan_is_not_continued(shop, rounds, tmp_path, capsys):
    content = json.loads(designed(shop).read_text())
    content["groups"][1]["name"] = "other"
    other = tmp_path / "other.json"
    other.write_text(json.dumps(content))
    assert run(["design", "--continue", str(other), str(rounds[1][0])]) == 2
    assert "not a release of this plan" in capsys.readouterr().err


def test_where_nothing_can_be_told_design_says_no(tmp_path, capsys):
    chance = random.Random(1)
    data, plan = tmp_path / "small.dat", tmp_path / "plan.json"
    lines = (" ".join(map(str, chance.sample(range(200), 4))) for _ in range(400))
    data.write_text("\n".join(lines) + "\n")
    asked = ["design", "--data", str(data), "--rho1", "5%", "--rho2", "50%", "-o", str(plan)]
    assert run(asked) == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "Nothing can be told at this level" in said
    assert "this would do" in said
    assert "Wrote" not in said
    assert not plan.exists()
    assert run([*asked, "--anyway"]) == 0
    assert plan.exists()


def test_a_histogram_is_enough(tmp_path):
    sizes, plan = tmp_path / "sizes.csv", tmp_path / "plan.json"
    sizes.write_text("1,500000\n3,400000\n6,100000\n")
    given = ["--histogram", str(sizes), "--items", "50", "--rho1", "5%", "--rho2", "50%"]
    assert run(["design", *given, "--find", "items", "--top", "10", "-o", str(plan)]) == 0
    content = json.loads(plan.read_text())
    assert {group["round"] for group in content["groups"]} == {1}
    assert content["shown"][0]["status"] == "public"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--find", "pairs"], "either --data or --histogram"),
        (["--find", "pairs", "--itemsets", "2"], "--itemsets is not for plans in rounds"),
        (["--form", "best", "--top", "5", "--sizes", "1..3"], "--top is for plans in rounds"),
        (["--form", "best", "--anyway", "--sizes", "1..3"], "--anyway is for plans in rounds"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, says, capsys):
    assert run(["design", "--rho1", "5%", "--rho2", "50%", *options]) == 2
    assert says in capsys.readouterr().err


def test_behind_a_shuffler_a_crowd_is_claimed_and_needed(tmp_path, capsys):
    chance = random.Random(2)
    data, plan = tmp_path / "shop.dat", tmp_path / "plan.json"
    rows = [chance.choice(["0", "1", "2", "0 1", "0 3"]) for _ in range(3000)]
    data.write_text("\n".join(rows) + "\n")
    asked = [
        "--rho1",
        "5%",
        "--rho2",
        "50%",
        "--find",
        "items",
        "--top",
        "3",
        "--trust",
        "shuffler",
    ]
    assert run(["design", "--data", str(data), *asked, "-o", str(plan)]) == 0
    content = json.loads(plan.read_text())
    assert content["shuffled"] == "1/1000000"
    assert all(50 < group["among"] < 3000 * 0.95 for group in content["groups"])
    gammas = [F(group["law"]["arguments"]["gamma"]) for group in content["groups"]]
    assert max(gammas) > 19  # more than without a shuffler
    folder = tmp_path / "certificates"
    assert run(["audit", str(plan), "--certificates", str(folder)]) == 0
    assert run(["check", str(folder), "--model", str(plan)]) == 0
    given = ["--plan", str(plan), "--simulate", "1", "-o", str(tmp_path / "out.dat")]
    capsys.readouterr()
    assert run(["randomize", str(data), *given]) == 2
    assert "randomize with --shuffle" in capsys.readouterr().err
    assert run(["randomize", str(data), *given, "--shuffle"]) == 0
    assert "except with probability 1/1000000 after shuffling" in capsys.readouterr().out
    data.write_text("\n".join(rows[:2000]) + "\n")
    (tmp_path / "out.dat").unlink()
    assert run(["randomize", str(data), *given, "--shuffle"]) == 2
    assert "design the plan for fewer baskets" in capsys.readouterr().err
    assert not (tmp_path / "out.dat").exists()
