"""A solver's word: its questions are tied to the claim, and points on both sides are tried."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest
from certificate_builder import as_file, seal
from test_against_model import audited, check, read, written
from test_handwritten import HALF, change, warner_region, warner_region_by_solver

from ppdm_formal import BoundClaim, BreachClaim, Operator, Parameter, Prior
from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate

FREE = """
# Where p = q the amplification is 2 exactly: no boxes show that it is nowhere more.
param p in (0, 1)
param q in (0, 1)
operator Touch(x: {yes, no}) -> {yes, no} {
    matrix {
        yes : (1/2) (1/2)
        no  : (1/4 + (p - q)^2/8) (3/4 - (p - q)^2/8)
    }
}
audit Touch { require amplification <= 2 }
"""


@pytest.fixture(scope="module")
def free(tmp_path_factory):
    return audited(tmp_path_factory.mktemp("free"), FREE)


def copied(folder: Path, path: Path, change_texts: Any) -> Path:
    """A certificate whose questions are other texts, with digests to match."""
    document = read(path)
    for entry in document["smt"]:
        text = change_texts((path.parent / entry["file"]).read_text())
        (folder / entry["file"]).write_text(text)
        entry["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return written(folder, document, path.name)


def test_the_questions_are_those_of_the_claim(tmp_path, free, capsys):
    model, paths = free
    others = {
        "same": lambda text: text,
        "false": lambda _: "(assert false)\n(check-sat)\n",
        "added": lambda text: text.replace("(check-sat)", "(assert false)\n(check-sat)"),
        "empty": lambda _: "",
        "spaces": lambda text: text.replace(" ", "  "),
    }
    forged = []
    for name, other in others.items():
        (tmp_path / name).mkdir()
        forged += [copied(tmp_path / name, path, other) for path in paths]
    options = ("--model", model, "--allow-solver-trusted")
    code, lines = check(capsys, *forged, *options)
    assert code == 4
    assert len(lines) == 5
    assert ": accepted: " in lines[0]
    for line in lines[1:]:
        assert "the solver was asked other questions than the claim's" in line
    code, lines = check(capsys, *paths, "--allow-solver-trusted")
    assert code == 0  # but it says what was not compared
    assert all("not compared with the claim" in line for line in lines)
    assert check(capsys, *paths, "--model", model)[0] == 3


def regions(folder: Path, document: dict[str, Any]) -> list[dict[str, Any]]:
    """The certificate with other regions, texts to match."""
    found = []
    near = str(F(9, 10) - F(1, 10**28))
    for end, included in (("8/9", False), ("8/9", True), ("3/4", False), (near, False)):
        other = json.loads(json.dumps(document))
        other["region"]["holds"][0] |= {"to": end, "to_included": included}
        other["region"]["text"] = f"p {'<=' if included else '<'} {end}"
        found.append(other)
    other = json.loads(json.dumps(document))
    hole = {"from": "1/2", "from_included": False, "to": "3/5", "to_included": True}
    last = {"from": "2/3", "from_included": False, "to": "9/10", "to_included": False}
    other["region"] |= {"holds": [hole, last], "text": "p <= 3/5 or 2/3 < p < 9/10"}
    return [*found, other]


def test_the_region_is_that_of_the_claim(tmp_path):
    """Alone it is found out by points at the ends, on both sides of them, and in between."""
    for other in regions(tmp_path, warner_region_by_solver()):
        result = check_certificate(seal(other), allow_solver_trusted=True)
        assert result.status == "rejected", other["region"]
        assert "the claim holds at p = " in result.reason
    for other in regions(tmp_path, warner_region()):
        ends = {end for row in other["region"]["holds"] for end in (row["from"], row["to"])}
        for cuts in (["9/10"], sorted({"9/10"} | ends - {"1/2"}, key=F)):
            other["evidence"]["cuts"] = cuts
            assert check_certificate(seal(other)).status == "rejected", other["region"]


def test_too_large_a_region_with_a_witness_elsewhere():
    """The region takes in p = 9/10, where the claim fails; its witness lies at 19/20."""
    built = warner_region_by_solver()
    built["region"]["holds"][0] |= {"to": "91/100"}
    built["region"]["text"] = "p < 91/100"
    instance = built["witness"]["instance"]
    instance["classes"][0]["likelihood"] = "19/20"
    instance["classes"][1]["likelihood"] = "1/20"
    built["witness"] |= {"parameters": {"p": "19/20"}, "after": "19/28"}
    result = check_certificate(seal(built), allow_solver_trusted=True)
    assert "the claim fails at p = " in result.reason


def test_a_region_that_holds_everywhere_though_the_claim_fails():
    built = warner_region_by_solver()
    built["region"] |= {
        "holds": [{"from": "1/2", "from_included": False, "to": "1", "to_included": False}],
        "text": "every p in (1/2, 1)",
    }
    built |= {"verdict": "certified", "witness": None}
    result = check_certificate(seal(built), allow_solver_trusted=True)
    assert "the claim fails at p = " in result.reason
    built["evidence"]["kind"] = "solver"
    built["region"] = None
    result = check_certificate(seal(built), allow_solver_trusted=True)
    assert "the evidence of such a claim is region or witness" in result.reason


def test_irrational_ends_are_compared_exactly():
    p = Parameter("p", F(0), F(1), True, True)
    rows = [[p.symbol**2, 1 - p.symbol**2], [1 - p.symbol**2, p.symbol**2]]
    operator = Operator.from_matrix(rows, name="W", parameters=[p])
    built = certify(operator, BreachClaim(F(1, 10), HALF)).to_json()
    assert "a root of" in built["region"]["text"]
    good = check_certificate(as_file(built))
    assert good.accepted
    (row,) = built["region"]["holds"]
    for key, end in (("from", "1/2"), ("to", "3/4")):
        changed = change(built, f"region.holds.0.{key}", end)
        assert not check_certificate(changed, allow_solver_trusted=True).accepted
    # another polynomial, with a root close by
    other = json.loads(json.dumps(built))
    other["region"]["holds"][0]["to"]["polynomial"][0] = str(
        F(row["to"]["polynomial"][0]) * (1 + F(1, 10**6))
    )
    assert not check_certificate(seal(other), allow_solver_trusted=True).accepted


def test_genuine_regions_of_every_form_are_accepted():
    p = Parameter("p", F(0), F(1), True, True)
    s = p.symbol
    rows = [[s / 2, 1 - s / 2], [F(1, 2), F(1, 2)], [1 - s / 2, s / 2]]
    operator = Operator.from_matrix(rows, name="W", parameters=[p])
    prior = Prior.of(operator.inputs, {0: F(1, 2), 1: F(1, 4), 2: F(1, 4)}, "X")
    claims = [BoundClaim("amplification", "<=", F(3)), BoundClaim("amplification", "<", F(100))]
    for direction in ("both", "upward", "downward"):
        claims += [
            BreachClaim(F(1, 4), HALF, direction),
            BreachClaim(F(1, 4), HALF, direction, prior),
        ]
    for claim in claims:
        found = certify(operator, claim)
        built = found.to_json()
        assert built["evidence"]["kind"] == "region"
        result = check_certificate(as_file(built))
        assert result.accepted, (claim, result.reason, built["region"]["text"])


def test_a_lie_about_one_prior_is_found_out():
    """Every property of a small view is tried, whatever a solver is said to have said."""
    from test_mutations import genuine

    tried = 0
    for built in genuine():
        if built["verdict"] != "breached" or built["evidence"]["kind"] != "knapsack":
            continue
        question = {"file": "q", "sha256": "0" * 64, "solver": "z3 5", "answer": "unsat"}
        lie = {
            **built, "verdict": "certified", "witness": None, "thresholds": None,
            "evidence": {"kind": "solver", "questions": [0]}, "smt": [question],
            "trust": "solver-trusted (z3 5)",
        }  # fmt: skip
        result = check_certificate(seal(lie), allow_solver_trusted=True)
        assert result.reason == "the claim is broken, whatever a solver says"
        tried += 1
    assert tried >= 2
