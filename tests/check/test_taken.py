"""What a file says of its own operator is said to be its word, whatever the kind of certificate."""

from __future__ import annotations

import json
from fractions import Fraction as F
from typing import Any

import pytest
from certificate_builder import as_file, bound, certificate, seal, views_of
from test_handwritten import BUILDERS, HALF, WARNER

from ppdm_formal import BoundClaim
from ppdm_formal.certify import certify
from ppdm_formal.certify.audit.audit import all_measures
from ppdm_formal.checker import check_certificate, remarks
from ppdm_formal.checker.claim import KNOWN_MEASURES
from ppdm_formal.checker.measures import FORMULAS, OTHER_NAMES
from ppdm_formal.cli import run
from ppdm_formal.declare.families.exponential_mechanism import exponential_mechanism
from ppdm_formal.declare.language.compiler import compile_text

pytestmark = pytest.mark.usefixtures("one_checker")

SENTENCE = "the numbers of this operator are taken from the file"


def extreme() -> dict[str, Any]:
    """That of 2,000 values no output tells anything; one tells them apart by e in truth."""
    told = certify(exponential_mechanism(2000, epsilon=2), BoundClaim("epsilon", "<=", 1)).to_json()
    for part in told["operator"]["views"][0]["classes"]:
        part["likelihood"] = "1"
    told["claim"] |= {"bound": "1/100", "text": "require epsilon <= 1/100"}
    return told


FOUR = """
domain V = 0..3
operator R(x: V) -> V { return x }
audit R { %s }
"""


def asked(claim: str) -> dict[str, Any]:
    """The certificate of a claim about the identity on four values, broken of course."""
    model = compile_text(FOUR % claim)
    (request,) = model.audits
    return certify(request.operator, request.claims[0]).to_json()


def one_pair() -> dict[str, Any]:
    """Of several pairs of inputs, the one that is alike; four values are told apart in truth."""
    told = asked("require delta(1) <= 1/10")
    classes = [{"count": 1, "example": x, "likelihood": "1/4"} for x in (0, 1)]
    told["operator"]["views"] = [{"classes": classes, "outputs": 4, "output": 0, "known": 0}]
    return told | {"verdict": "certified", "witness": None, "evidence": {"kind": "pairs"}}


def one_channel() -> dict[str, Any]:
    """Of all values the two that are alike, as if there were no others to tell apart."""
    told = asked("require mutual_information_dp <= 1/10 nat")
    classes = [{"count": 1, "example": x, "likelihood": "1/4"} for x in (0, 1)]
    told["operator"]["views"] = [{"classes": classes, "outputs": 4, "output": 0, "known": 0}]
    evidence = {"kind": "capacity", "laws": [["1/4"]]}
    return told | {"verdict": "certified", "witness": None, "evidence": evidence}


def own_measure() -> dict[str, Any]:
    """A measure by another name, which is always 0."""
    claim = bound("loss", "<=", F(1, 100), None, "nat")
    claim["formula"] = {"over": "max", "of": "0"}
    return certificate(views_of(WARNER, None), claim, "certified", {"kind": "formula"}, None)


@pytest.mark.parametrize("build", [*BUILDERS, extreme, one_pair, one_channel, own_measure])
def test_all_kinds_in_the_same_words(build):
    document = seal(build())
    found = check_certificate(document)
    assert found.accepted, found.reason
    assert found.taken == SENTENCE
    assert remarks(found).startswith(f"; {SENTENCE}")
    assert found.sha256 == document["sha256"]
    operator, claim = document["operator"], document["claim"]
    assert check_certificate(document, views=operator).taken == SENTENCE
    assert check_certificate(document, claim=claim).taken == SENTENCE
    assert check_certificate(document, views=operator, claim=claim).taken == ""


def test_a_theorem_is_never_said_to_cover_numbers_of_the_file(tmp_path, capsys):
    path = tmp_path / "forged.json"
    path.write_bytes(as_file(seal(one_pair())))
    for arguments in ((), ("--json", str(tmp_path / "out.json"))):
        assert run(["check", str(path), *arguments]) == 0
        said = capsys.readouterr().out
        assert SENTENCE in said
        assert "a theorem covers it" not in said
        assert "a theorem leads from these numbers to the verdict (" in said
    (row,) = json.loads((tmp_path / "out.json").read_text())["certificates"]
    assert row["taken_from_file"] == SENTENCE


def test_with_the_model_such_evidence_is_rejected(tmp_path, capsys):
    model = tmp_path / "m.ppdm"
    model.write_text(FOUR % "require delta(1) <= 1/10")
    run(["audit", str(model), "--certificates", str(tmp_path / "c"), "--no-solver"])
    genuine = json.loads((tmp_path / "c" / "R-1.json").read_bytes())
    assert genuine["verdict"] == "breached"
    path = tmp_path / "forged.json"
    path.write_bytes(as_file(seal(one_pair() | {"model": genuine["model"]})))
    assert run(["check", str(path)]) == 0
    assert run(["check", str(path), "--model", str(model)]) == 4
    assert "the views are not those of the model" in capsys.readouterr().out


def test_a_known_name_has_its_own_formula():
    prior = [HALF, HALF]
    for measure in (*FORMULAS, *OTHER_NAMES, *KNOWN_MEASURES):
        claim = bound(measure, "<=", F(1, 100), "X", None)
        claim["formula"] = {"over": "max", "of": "0"}
        document = certificate(views_of(WARNER, prior), claim, "certified", {"kind": "formula"})
        assert not check_certificate(seal(document)).accepted, measure


def test_every_measure_of_the_package_is_known_to_the_checker():
    for measure in all_measures():
        compute = getattr(measure, "compute", None)
        names = {measure.name, *([] if compute is None else [compute.__module__.split(".")[-1]])}
        assert names <= {*FORMULAS, *OTHER_NAMES, *KNOWN_MEASURES}, measure.name
        if measure.certified == "formula" and measure.tree is not None:
            assert FORMULAS[measure.name] == measure.tree.to_json()
    found = {m.name for m in all_measures() if m.certified == "formula" and m.tree is not None}
    assert found == set(FORMULAS)
