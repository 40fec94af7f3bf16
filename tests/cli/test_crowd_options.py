"""Options that say among how many clients a breach is forbidden: which fit together."""

from __future__ import annotations

import json
from fractions import Fraction as F

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.cli import run
from ppdm_formal.commands import audit, check, client, randomize
from ppdm_formal.commands._claims import claim_options, forbid_options
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.crowd import Crowd

pytestmark = pytest.mark.usefixtures("one_checker")

FORBID = ["--forbid", "1/20:1/2"]
RARELY = [*FORBID, "--except-with", "1e-6"]


@click.command()
@forbid_options("Claims.")
def claims_of(forbid):
    """A command that says its claims."""
    click.echo("\n".join(map(str, forbid)))


def said(*options):
    done = CliRunner().invoke(claims_of, options)
    assert done.exit_code == 0, done.output
    return done.output.splitlines()


CLAIM = "forbid breach 1/20 -> 1/2"
MADE = [
    ([], [""]),
    (FORBID, [CLAIM]),
    ([*FORBID, "--shuffled", "1000"], [f"{CLAIM} after shuffling 1000"]),
    (
        [*RARELY, "--shuffled", "1e3"],
        [f"{CLAIM} except with probability 1/1000000 after shuffling 1000"],
    ),
    (
        [*RARELY, "--forbid", "10%:1/2", "--summed", "9", "--colluding", "2", "--missing", "3"],
        [
            f"{one} except with probability 1/1000000 after summing 9 colluding 2 at most 3 missing"
            for one in (CLAIM, "forbid breach 1/10 -> 1/2")
        ],
    ),
]


@pytest.mark.parametrize(("options", "claims"), MADE)
def test_claims_among_a_crowd(options, claims):
    assert said(*options) == claims


REFUSED = [
    (["--shuffled", "1000"], "add --forbid R1:R2"),
    (["--except-with", "1e-6", "--missing", "3"], "--except-with, --missing: for claims made here"),
    (RARELY, "Add --shuffled N or --summed N"),
    ([*FORBID, "--colluding", "3"], "Add --shuffled N or --summed N"),
    ([*FORBID, "--missing", "0"], "Add --shuffled N or --summed N"),
    ([*FORBID, "--summed", "9"], "such as --except-with 1e-6"),
    ([*RARELY, "--summed", "9", "--shuffled", "9"], "exclude each other"),
    ([*RARELY, "--shuffled", "0"], "expected a whole number from 1 on"),
    ([*RARELY, "--shuffled", "-5"], "expected a whole number from 1 on"),
    ([*RARELY, "--shuffled", "5/2"], "expected a whole number from 1 on"),
    ([*RARELY, "--shuffled", "many"], "Invalid value for '--shuffled'"),
    ([*RARELY, "--shuffled", "1e13"], "1 to 1,000,000,000,000 clients"),
    ([*RARELY, "--shuffled", "9", "--colluding", "-1"], "expected a whole number from 0 on"),
    ([*RARELY, "--shuffled", "9", "--colluding", "9"], "no report is left"),
    ([*RARELY, "--shuffled", "9", "--colluding", "4", "--missing", "5"], "no report is left"),
    ([*FORBID, "--shuffled", "9", "--except-with", "0"], "above 0 and below 1"),
    ([*FORBID, "--shuffled", "9", "--except-with", "1"], "above 0 and below 1"),
    ([*RARELY, "--shufled", "9"], "--shuffled"),
]


@pytest.mark.parametrize(("options", "why"), REFUSED)
def test_what_does_not_fit_together_is_bad_usage(options, why, capsys):
    assert run(["audit", "--example", "warner", *options]) == 2
    assert why in capsys.readouterr().err


def test_every_command_that_forbids_takes_a_crowd():
    for module in (audit, check, client, randomize):
        names = {name for option in module.command.params for name in option.opts}
        assert {"--forbid", "--except-with", "--shuffled", "--summed"} <= names, module.__name__
        assert {"--colluding", "--missing"} <= names, module.__name__


@pytest.mark.parametrize(
    "crowd", [Crowd(9), Crowd(1000, "summing", 7, 0), Crowd(10**12, "shuffling", 0, 5), None]
)
def test_options_of_claims_make_the_claims(crowd):
    exception = None if crowd is None else F(1, 10**6)
    made = [
        BreachClaim(low, F(1, 2), crowd=crowd, exception=exception) for low in (F(1, 9), F(1, 4))
    ]
    assert said(*claim_options(made).split()) == list(map(str, made))


def test_a_claim_made_here_is_local_without_an_exception(tmp_path, capsys):
    """Some histogram leaves no doubt which report was whose: no crowd changes the verdict."""
    path = tmp_path / "m.csv"
    path.write_text("0.6,0.4\n0.4,0.6\n")
    for limits, code in (("2/5:1/2", 1), ("1/20:1/2", 0)):
        alone = run(["audit", str(path), "--forbid", limits, "--no-solver"])
        hidden = run(["audit", str(path), "--forbid", limits, "--shuffled", "9", "--no-solver"])
        assert (alone, hidden) == (code, code)


def test_noise_on_real_numbers_is_not_decided_among_a_crowd(tmp_path, capsys):
    path = tmp_path / "noise.ppdm"
    path.write_text(
        "domain Age = reals 0..100\noperator R(x: Age) -> reals { return x + laplace(9) }\n"
    )
    asked = ["audit", str(path), *RARELY, "--shuffled", "1000", "--no-solver"]
    assert run(asked) == 3
    told = " ".join(capsys.readouterr().out.split())
    assert "after shuffling is for operators on finite sets: round to a grid" in told


def test_a_folder_says_how_its_claims_among_a_crowd_are_checked(tmp_path, capsys):
    path, folder = tmp_path / "m.csv", tmp_path / "c"
    path.write_text("0.6,0.4\n0.4,0.6\n")
    crowd = [*FORBID, "--except-with", "1/1000000", "--shuffled", "90"]
    crowd += ["--colluding", "7", "--missing", "5"]
    assert run(["audit", str(path), *crowd, "--no-solver", "--certificates", str(folder)]) == 0
    again = ["check", str(folder), "--model", str(path)]
    assert f"--model model/m.csv {' '.join(crowd)}\n" in (folder / "README.txt").read_text()
    assert run([*again, *crowd]) == 0
    crowd[crowd.index("90")] = "91"
    assert run([*again, *crowd]) == 4
    assert "after shuffling 91 colluding 7 at most 5 missing" in capsys.readouterr().out


# -- plans: reports of other sizes and groups do not look alike ------------------------------------


@given(st.integers(1, 10**6), st.integers(0, 50), st.integers(0, 50), st.fractions(0, 1))
def test_a_part_of_a_crowd_hides_no_more_than_there_are(clients, colluding, missing, share):
    """Brute force: who tells or is lost may all be of the part, and one client is there always."""
    crowd = Crowd(clients + colluding + missing, "shuffling", colluding, missing)
    part = crowd.part(share)
    alike = sum(1 for _ in range(int(crowd.clients * share)))
    assert part.counted == max(1, alike - colluding - missing)
    assert part.counted <= crowd.counted
    assert (part.colluding, part.missing) == (colluding, missing)


def plan(folder, *given):
    """A plan for baskets of two and three items."""
    path = folder / "plan.json"
    asked = ["--items", "40", "--itemsets", "2", "--rho1", "5%", "--rho2", "50%"]
    assert run(["design", *given, *asked, "-o", str(path)]) == 0
    return path


def sizes(folder):
    path = folder / "sizes.csv"
    path.write_text("2,3000\n3,1000\n")
    return ["--histogram", str(path)]


HERE = ["--forbid", "1/50:1/2", "--except-with", "1/1000000", "--shuffled", "4000"]


def test_reports_of_public_sizes_hide_among_those_of_their_size(tmp_path, capsys):
    path, folder = plan(tmp_path, *sizes(tmp_path), "--form", "paper"), tmp_path / "c"
    capsys.readouterr()
    assert run(["audit", str(path), *HERE, "--no-solver", "--certificates", str(folder)]) == 0
    found = [json.loads(one.read_text()) for one in sorted(folder.glob("size-*.json"))]
    crowds = [one["claim"]["crowd"]["clients"] for one in found if one["claim"].get("crowd")]
    assert crowds == [3000, 1000]
    assert f"--model model/plan.json {' '.join(HERE)}\n" in (folder / "README.txt").read_text()
    capsys.readouterr()
    assert run(["check", str(folder), "--model", str(path), *HERE]) == 0
    out = capsys.readouterr().out
    assert "4 claims: 4 hold" in out
    # Those of a size are a known share of all: other counts are other claims.
    assert run(["check", str(folder), "--model", str(path), *HERE[:-1], "4004"]) == 4


def test_reports_say_of_how_many_clients_some_look_alike(tmp_path):
    path = plan(tmp_path, *sizes(tmp_path), "--form", "paper")
    page = tmp_path / "report.md"
    assert run(["audit", str(path), *HERE, "--no-solver", "--markdown", str(page)]) == 0
    told = " ".join(page.read_text().split())
    assert "Of 4,000 clients it counts those whose reports look alike: as the plan" in told


def test_hidden_sizes_hide_among_all(tmp_path, capsys):
    path = plan(tmp_path, *sizes(tmp_path), "--hide-sizes", "pad")
    folder = tmp_path / "c"
    assert run(["audit", str(path), *HERE, "--no-solver", "--certificates", str(folder)]) == 0
    (found,) = [
        one["claim"]["crowd"]["clients"]
        for one in map(json.loads, (path.read_text() for path in folder.glob("up-*.json")))
        if one["claim"].get("crowd")
    ]
    assert found == 4000


def test_a_plan_that_says_no_counts_says_what_is_missing(tmp_path, capsys):
    path = plan(tmp_path, *sizes(tmp_path), "--form", "paper")
    document = json.loads(path.read_text())
    bare = tmp_path / "bare.json"
    kept = ("format", "items", "rho1", "rho2", "sizes", "groups")
    document = {key: value for key, value in document.items() if key in kept}
    for part in document["sizes"]:
        part.pop("transactions", None)
        part.pop("baskets", None)
    bare.write_text(json.dumps(document))
    capsys.readouterr()
    assert run(["audit", str(bare), *FORBID, "--no-solver"]) == 0
    assert run(["audit", str(bare), *HERE, "--no-solver"]) == 2
    assert "does not say how many clients send which" in capsys.readouterr().err


# -- plans whose promise is among a crowd ----------------------------------------------------------


def among(folder, **changes):
    """A hidden-size plan of rho 1/50 that promises among its 4,000 clients."""
    path = plan(folder, *sizes(folder), "--hide-sizes", "pad")
    document = json.loads(path.read_text())
    document |= {"rho1": "1/10", "rho2": "3/5"}
    said = {"how": "shuffling", "clients": 4000, "except": "1/1000000"} | changes
    document["among"] = {key: value for key, value in said.items() if value is not None}
    path.write_text(json.dumps(document))
    return path


def test_a_plan_that_promises_among_a_crowd_is_audited_so_and_runs_shuffled(tmp_path, capsys):
    path, folder = among(tmp_path), tmp_path / "c"
    assert run(["audit", str(path), "--no-solver", "--certificates", str(folder)]) == 0
    assert run(["check", str(folder), "--model", str(path)]) == 0
    assert "1 claim: 1 holds" in capsys.readouterr().out
    data, out = tmp_path / "in.dat", tmp_path / "out.dat"
    data.write_text("1 2\n" * 3000 + "1 2 3\n" * 1000)
    given = ["randomize", str(data), "--plan", str(path), "-o", str(out)]
    assert run(given) == 2
    assert "among shuffled reports: add --shuffle" in capsys.readouterr().err
    assert run([*given, "--shuffle"]) == 0
    told = capsys.readouterr().out
    assert "except with probability 1/1000000 after shuffling 4000" in told
    assert "It rests on this: the shuffler hides who sent what" in told
    assert json.loads((tmp_path / "out.dat.release.json").read_text())["shuffled"]["least"] == 4000


def test_fewer_reports_than_the_promise_takes_are_told_to_break_it(tmp_path, capsys):
    path = among(tmp_path)
    document = json.loads(path.read_text())
    document |= {"rho1": "1/20", "rho2": "1/4"}  # which one report alone does not keep
    document["among"]["except"] = "1/100000000"
    path.write_text(json.dumps(document))
    data = tmp_path / "in.dat"
    data.write_text("1 2\n" * 20)
    given = ["randomize", str(data), "--plan", str(path), "--shuffle"]
    assert run([*given, "-o", str(tmp_path / "out.dat")]) == 0
    told = capsys.readouterr().out
    assert "NOT KEPT: 20 reports hide one, and it is shown from " in told


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"clients": 0}, "expected 1 to"),
        ({"clients": -5}, "below 0"),
        ({"clients": "many"}, "whole numbers"),
        ({"clients": 10, "colluding": 10}, "no report is left"),
        ({"except": "1"}, "a probability above 0 and below 1"),
        ({"except": None}, "says how, clients and except"),
        ({"how": "whispering"}, "how is shuffling or summing"),
    ],
)
def test_promises_among_no_crowd_are_bad_input(tmp_path, capsys, changes, said):
    path = among(tmp_path, **changes)
    assert run(["audit", str(path), "--no-solver"]) == 2
    assert said in capsys.readouterr().err
