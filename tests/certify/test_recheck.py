"""Audits and the checker: each certificate is checked before its verdict is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ppdm_formal.checker as checker
from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.finding import Trust
from ppdm_formal.checker import CheckResult, check_certificate
from ppdm_formal.declare.language.compiler import compile_text

FINITE = """
operator R(x: 0..1) -> 0..1 { [x -> y] = 3/4 if x == y | 1/4 otherwise }
audit R { require amplification <= 3; require amplification < 3 }
"""
REAL = """
domain D = reals 0..10
operator R(x: D) -> reals { return x + laplace(5) }
audit R { require epsilon <= 2; require epsilon < 2 }
"""
PARTS = """
operator R(x: 0..1) -> 0..1 { [x -> y] = 3/4 if x == y | 1/4 otherwise }
parts Two { first : R; second : R; require record <= ln(9); require record < ln(9) }
"""


@pytest.mark.parametrize("text", [FINITE, REAL, PARTS], ids=["finite", "real", "parts"])
def test_every_kind_is_put_to_the_checker(text, monkeypatch):
    asked = []

    def counted(document, **options):
        asked.append(document)
        return check_certificate(document, **options)

    monkeypatch.setattr(checker, "check_certificate", counted)
    found = audit(compile_text(text))
    decided = [c for c in found.certificates if c.verdict.value != "unknown"]
    assert [c.verdict.value for c in decided] == ["certified", "breached"]
    assert asked == [c.to_json() for c in decided]
    assert all(str(c.trust) == "re-checked exactly" for c in decided)


@pytest.mark.parametrize("text", [FINITE, REAL, PARTS], ids=["finite", "real", "parts"])
def test_a_rejected_certificate_leaves_no_verdict(text, monkeypatch, tmp_path):
    answer = CheckResult("rejected", "the views do not say so")
    monkeypatch.setattr(checker, "check_certificate", lambda *_, **__: answer)
    found = audit(compile_text(text))
    assert found.exit_code == 3
    for certificate in found.certificates:
        assert certificate.verdict.value == "unknown"
        assert certificate.trust is None
        assert "DISAGREEMENT" in certificate.reason
        assert "the views do not say so" in certificate.reason
        assert certificate.witness is None
        assert certificate.write(tmp_path, "R-1") is None


def test_another_verdict_of_the_checker_is_a_disagreement(monkeypatch):
    answer = CheckResult("accepted", "re-checked exactly", verdict="breached")
    monkeypatch.setattr(checker, "check_certificate", lambda *_, **__: answer)
    first, second = audit(compile_text(FINITE)).certificates
    assert first.verdict.value == "unknown"
    assert "it derives breached" in first.reason
    assert second.verdict.value == "breached"


@pytest.mark.parametrize("text", [FINITE, REAL, PARTS], ids=["finite", "real", "parts"])
def test_what_took_too_long_is_not_called_re_checked(text, monkeypatch):
    late = CheckResult("unknown", "not verified within 10 seconds")
    with monkeypatch.context() as patched:
        patched.setattr(checker, "check_certificate", lambda *_, **__: late)
        found = audit(compile_text(text))
    for certificate in found.certificates:
        assert certificate.verdict.value != "unknown"
        assert str(certificate.trust) == "not re-checked within 30 s"
        assert certificate.summary()["trust"] == "not re-checked within 30 s"
        document = certificate.to_json()  # what its evidence is worth is unchanged
        assert document["trust"] == "re-checked exactly"
        assert check_certificate(document).accepted


def test_trust_in_words():
    solver = Trust(("z3 4",))
    assert str(solver) == solver.earned == "solver-trusted (z3 4)"
    late = replace(solver, unchecked="not re-checked within 3 s")
    assert str(late) == "not re-checked within 3 s, solver-trusted (z3 4)"
