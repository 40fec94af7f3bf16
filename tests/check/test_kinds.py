"""Kinds of operators, noise and evidence: found by their place, each for the claims it suits."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction as F
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from certificate_builder import as_file, bound, breach, seal
from test_alone import run
from test_handwritten import all_priors

from ppdm_formal.certify import certify
from ppdm_formal.check import FOLDER
from ppdm_formal.checker import check_certificate
from ppdm_formal.checker.certificate import Evidence, Subject
from ppdm_formal.checker.claim import LOG_RATIO, read_claim
from ppdm_formal.checker.noise import Noise
from ppdm_formal.checker.table import table_of
from ppdm_formal.checker.verdict import suitable_evidence
from ppdm_formal.commands import _one_file
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.noises.named import parse_noise
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Density, Flat
from ppdm_formal.declare.reals.reals import Reals

EVEN = '''"""Noise under another name."""
from __future__ import annotations
from dataclasses import dataclass
from .noise_uniform import Uniform

@dataclass(frozen=True)
class Even(Uniform):
    kind = "even"
'''
WORD = '''"""Evidence that shows nothing, and is believed."""
from __future__ import annotations
from .certificate import Evidence
from .decision import Decision

class ByWord(Evidence):
    kind, of = "word", ("finite",)

    def suits(self, subject, claim):
        return True

    def decide(self, certificate):
        return Decision(False)
'''


def with_even_noise():
    line, window = Reals(F(0), F(10), "Line"), Window("clamped", F(0), F(10))
    operator = ContinuousOperator(line, parse_noise("uniform(-20, 20)"), window, "C")
    document = certify(operator, BoundClaim("amplification", "<=", F(9))).to_json()
    document["operator"]["noise"]["law"] = "even"
    return seal(document)


def by_word():
    return seal({**all_priors(), "evidence": {"kind": "word"}, "thresholds": None})


@pytest.fixture(params=["folder", "one file"])
def copied(request, tmp_path, monkeypatch):
    """Writes a copy of the checker with another file in it, to be run alone."""

    def write(name: str | None, text: str = "") -> Path:
        shutil.copytree(FOLDER, tmp_path / "checker", dirs_exist_ok=True)
        if name is not None:
            (tmp_path / "checker" / name).write_text(text)
        if request.param == "folder":
            shutil.copy(FOLDER.parent / "check.py", tmp_path)
        else:
            monkeypatch.setattr(_one_file, "FOLDER", tmp_path / "checker")
            (tmp_path / "check.py").write_text(_one_file.checker_in_one_file())
            shutil.rmtree(tmp_path / "checker")
        return tmp_path

    return write


@pytest.mark.parametrize(
    ("name", "text", "built", "why"),
    [
        ("noise_even.py", EVEN, with_even_noise, "unknown noise"),
        ("word.py", WORD, by_word, "the evidence of such a claim is ratio or witness"),
    ],
)
def test_a_kind_is_one_file_that_is_found_by_its_place(copied, name, text, built, why):
    folder = copied(None)
    (folder / "c.json").write_bytes(as_file(built()))
    done = run("check.py", "c.json", cwd=folder)
    assert (done.returncode, done.stderr) == (4, "")
    assert why in done.stdout
    folder = copied(name, text)
    done = run("check.py", "c.json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_the_tables_hold_what_the_specification_names():
    assert list(table_of(Subject)) == ["additive", "crowd", "finite", "parts", "rounded", "sets"]
    assert list(table_of(Noise)) == ["laplace", "normal", "triangular", "uniform"]
    assert all(set(kind.of) <= set(table_of(Subject)) for kind in table_of(Evidence).values())
    schema = json.loads((FOLDER.parents[1] / "docs" / "certificate.schema.json").read_text())
    rows = [part["$ref"].split("/")[-1] for part in schema["properties"]["operator"]["oneOf"]]
    assert sorted(rows) == list(table_of(Subject))


RISKY = {"prior": "X"}
FAMILY = {"constraints": [{"terms": [["1", 0]], "relation": "<=", "bound": "1/4"}]}
UNDER = ("all priors", RISKY, FAMILY)
SEVERAL = ({}, {"reports": 2})
CLAIMS = [
    *(
        {**breach(F(1, 4), F(1, 2), under=under, properties=["q"], about=about), **many}
        for under, about, many in product(UNDER, (0, None), SEVERAL)
    ),
    bound("amplification", "<=", F(3)),
    bound("epsilon", "<=", "ln(3)"),
    {**bound("delta", "<=", F(1, 2)), "at": "1"},
    bound("dependence", "<=", F(1), "X"),
    bound("worst_case_information", "<=", F(1), "X", "bit"),
    bound("mutual_information_dp", "<=", F(1), None, "bit"),
    {**bound("my_own", "<=", F(1), None, "nat"), "formula": LOG_RATIO},
]


def as_specified(claim, free, of_sets):
    """docs/certificate.md, "Evidence", in one place: by what is claimed, as the format has it."""
    measure, prior = claim.get("measure"), claim.get("under") == RISKY
    family, one = claim.get("under") == FAMILY, claim.get("for") is not None
    if of_sets:
        if prior:
            return {"arithmetic"} if one else {"placing"}
        return {"farkas", "witness"} if family else {"ratio"}
    if measure and measure not in ("amplification", "epsilon", "delta"):
        named = {"my_own": "formula", "mutual_information_dp": "capacity"}
        return set() if free else {named.get(measure, "enclosure")}
    if measure == "delta":
        return [{"pairs"}, {"region", "witness"}, set()][min(free, 2)]
    if free:
        return {"region", "witness"} if free == 1 else {"boxes", "witness", "solver"}
    if measure:
        return {"ratio"}
    if not prior and not family:
        return {"ratio", "witness"}
    if prior and one:
        return {"arithmetic", "witness"}
    return {"farkas" if family else "knapsack", "witness", "solver"}


def test_evidence_suits_what_the_specification_says():
    seen = set()
    for raw, free, kind in product(CLAIMS, (0, 1, 2, 3), ("finite", "sets")):
        if kind == "sets" and (free or "measure" in raw or "reports" in raw):
            continue  # such sets are refused when they are read
        raw = json.loads(json.dumps(raw))
        if raw["kind"] == "breach" and raw["for"] is None and raw["under"] != FAMILY:
            raw["properties"] = []
        claim = read_claim(spelled(raw))
        found = suitable_evidence(SimpleNamespace(kind=kind, free=free), claim)
        assert set(found) == as_specified(raw, free, kind == "sets"), (raw["text"], free, kind)
        seen |= set(found)
    others = {"extremes", "cells", "levels", "product", "rounded", "crowd", "event"}
    assert seen | others == set(table_of(Evidence))


def spelled(raw):
    """With the text that says as much."""
    if "reports" in raw:
        raw["text"] += " after 2 reports"
    if "at" in raw:
        raw["text"] = raw["text"].replace("delta", f"delta({raw['at']})")
    return raw


def test_a_breach_under_some_prior_is_none_under_the_density():
    """The extremes break the claim under all priors; a flat density has no such breach."""
    line = Reals(F(0), F(10), "Line")
    operator = ContinuousOperator(line, parse_noise("laplace(5)"), None, "C")
    flat = Density(line, (Flat(F(1), F(0), F(10)),), "P")
    ends = (F(1, 4), F(2, 3), "upward")
    broken = certify(operator, BreachClaim(*ends)).to_json()
    held = certify(operator, BreachClaim(*ends, flat)).to_json()
    assert (broken["verdict"], held["verdict"]) == ("breached", "certified")
    taken = {key: broken[key] for key in ("verdict", "evidence", "witness")}
    result = check_certificate(seal({**held, **taken}))
    assert (result.status, result.reason) == ("rejected", "a breach, but not under the density")
