"""The verdict "partly": a claim holds for some values of a free parameter, and is said to."""

from __future__ import annotations

import json
from typing import Any

import pytest
from certificate_builder import seal

from ppdm_formal.certify import certify
from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.checker import check_certificate
from ppdm_formal.cli import run
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.report.words.standing import badge, shade

pytestmark = pytest.mark.usefixtures("one_checker")

WARNER = """
param p in (1/2, 1)
operator W(x: {{yes, no}}) -> {{yes, no}} {{ [x -> y] = p if y == x | 1 - p otherwise }}
audit W {{ {claim} }}
"""


def document(claim: str) -> dict[str, Any]:
    (found,) = compile_text(WARNER.format(claim=claim)).audits
    return certify(found.operator, found.claims[0]).to_json()


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("require amplification < 9", "partly"),
        ("forbid breach 1/10 -> 1/2", "partly"),
        ("require amplification <= 1", "breached"),  # for every p
        ("forbid breach 1/10 -> 1/2 after 2 reports", "partly"),
        ("require delta(1) <= 1", "certified"),
        ("require delta(1) <= 1/10", "partly"),
    ],
)
def test_each_region_has_one_verdict(claim, verdict):
    built = document(claim)
    assert built["verdict"] == verdict
    result = check_certificate(built)
    assert result.accepted, result.reason
    assert result.verdict == verdict
    for other in {"certified", "breached", "partly"} - {verdict}:
        lie = check_certificate(seal({**built, "verdict": other}))
        assert not lie.accepted


def test_a_region_moved_with_the_verdict_is_rejected():
    built = document("require amplification < 9")
    region = built["region"]
    nowhere = {**region, "holds": [], "text": "no p in (1/2, 1)"}
    everywhere = {
        **region,
        "holds": [{"from": "1/2", "from_included": False, "to": "1", "to_included": False}],
        "text": "every p in (1/2, 1)",
    }
    wider = {**region, "holds": [{**region["holds"][0], "to": "19/20"}], "text": "p < 19/20"}
    for other, verdict in ((nowhere, "breached"), (nowhere, "partly"), (wider, "partly")):
        assert not check_certificate(seal({**built, "region": other, "verdict": verdict})).accepted
    for witness in (None, built["witness"]):
        for cuts in (built["evidence"]["cuts"], []):
            lie = {
                **built,
                "region": everywhere,
                "verdict": "certified",
                "witness": witness,
                "evidence": {"kind": "region", "cuts": cuts},
            }
            assert not check_certificate(seal(lie)).accepted


def test_nothing_else_is_partly():
    matrix = "operator R(x: 0..1) -> 0..1 { [x -> y] = 3/4 if x == y | 1/4 otherwise }\n"
    (found,) = compile_text(matrix + "audit R { require amplification < 2 }").audits
    built = certify(found.operator, found.claims[0]).to_json()
    assert built["verdict"] == "breached"
    region = document("require amplification < 9")["region"]
    for other in ({"verdict": "partly"}, {"verdict": "partly", "region": region}):
        assert not check_certificate(seal({**built, **other})).accepted


def test_it_is_said_everywhere(tmp_path, capsys):
    model = tmp_path / "warner.ppdm"
    model.write_text(WARNER.format(claim="forbid breach 1/10 -> 1/2"))
    page, folder = tmp_path / "page.html", tmp_path / "certificates"
    assert run(["audit", str(model), "--html", str(page), "--certificates", str(folder)]) == 1
    shown = capsys.readouterr().out
    assert "partly       W: forbid breach 1/10 -> 1/2" in shown
    assert "breached     W" not in shown
    assert "Holds for p &lt; 9/10 only" in page.read_text(encoding="utf-8")
    run(["check", str(folder)])
    assert "holds exactly for p < 9/10 (declared (1/2, 1))" in capsys.readouterr().out
    assert run(["audit", str(model), "--json", "-"]) == 1
    (told,) = json.loads(capsys.readouterr().out)["operators"][0]["certificates"]
    assert (told["verdict"], told["region"]["text"]) == ("partly", "p < 9/10")
    found = audit(compile_text(model.read_text()))
    assert found.exit_code == 1
    (certificate,) = found.certificates
    assert (shade(certificate), badge(certificate)) == ("partly", "Holds for p < 9/10 only")
    assert certificate.verdict.fails
