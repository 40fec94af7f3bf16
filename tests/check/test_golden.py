"""The evidence of an earlier version is still accepted, also against its model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppdm_formal.checker import check_certificate
from ppdm_formal.cli import run

pytestmark = pytest.mark.usefixtures("one_checker")

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*.json"))
DOCUMENTS = [json.loads(path.read_bytes()) for path in FILES]
VACUOUS = "forbid upward breach 1/100 -> 1/2 under X"


def test_there_is_one_of_each_kind():
    found = {(document["evidence"]["kind"], document["verdict"]) for document in DOCUMENTS}
    both = {(kind, verdict) for kind in ("ratio", "arithmetic", "knapsack", "enclosure")
            for verdict in ("certified", "breached")}  # fmt: skip
    assert found == both | {
        ("region", "certified"),
        ("region", "partly"),
        ("farkas", "certified"),
        ("witness", "breached"),
        ("solver", "certified"),
    }


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_it_is_accepted(path):
    result = check_certificate(path.read_bytes(), directory=path.parent, allow_solver_trusted=True)
    assert result.status == "accepted", result.reason
    assert result.vacuous == (result.claim == VACUOUS)
    assert result.untied == (result.reason != "re-checked exactly")


def test_they_are_accepted_against_their_model(capsys):
    model = GOLDEN / "golden.ppdm"
    options = ["--model", str(model), "--allow-solver-trusted"]
    assert run(["check", *map(str, FILES), *options]) == 1  # some are breaches
    options.append("--allow-breached")
    assert run(["check", *map(str, FILES), *options]) == 3  # one says nothing
    capsys.readouterr()
    options.append("--allow-vacuous")
    assert run(["check", *map(str, FILES), *options]) == 0
    shown = capsys.readouterr().out
    assert shown.count(": accepted: ") == len(FILES)
    assert shown.count("verified, but says nothing") == 1
    assert "not compared" not in shown
