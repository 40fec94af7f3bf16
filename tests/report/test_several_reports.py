"""What reports say of 1, 10 and 100 reports, and of claims about several."""

from __future__ import annotations

from fractions import Fraction as F

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.terminal import console, print_document

MODEL = """
operator Coin(x: {a, b}) -> {a, b} { [x -> y] = 3/5 if x == y | 2/5 otherwise }
operator Sure(x: {a, b}) -> {a, b} { return x }
param p in (1/2, 1)
operator Free(x: {a, b}) -> {a, b} { [x -> y] = p if x == y | 1 - p otherwise }
prior X on {a, b} { a : 1/10; b : 9/10 }
property is_a on {a, b} = x == a
audit Coin {
    forbid breach 1/10 -> 1/2
    forbid upward breach 1/10 -> 1/2 after 6 reports
    forbid upward breach 1/10 -> 4/5 under X for is_a after 10 reports
    require amplification <= 12 after 6 reports
}
audit Sure, Free { prior X }
"""


def test_every_format_says_it(capsys):
    result = audit(compile_text(MODEL))
    coin, sure, free = result.to_json()["operators"]
    assert [one["reports"] for one in coin["after_reports"]] == [1, 10, 100]
    assert [F(one["amplification"]) for one in coin["after_reports"]] == [
        F(3, 2) ** n for n in (1, 10, 100)
    ]
    hundred = coin["after_reports"][2]["epsilon"]
    assert F(hundred["lo"]) <= F("40.5465108108164381978") <= F(hundred["hi"])  # 100 ln(3/2)
    assert [one["amplification"] for one in sure["after_reports"]] == ["infinity"] * 3
    assert [one["amplification"] for one in free["after_reports"]] == [
        "p/(1 - p)",
        "(p/(1 - p))^10",
        "(p/(1 - p))^100",
    ]
    claims = [one["claim"].get("reports") for one in coin["certificates"]]
    assert claims == [None, 6, 10, 6]
    print_document(result.document(brief=True), console())
    shown = " ".join(capsys.readouterr().out.split())
    page = document_html(result.document())
    for text in (shown, page):
        assert "holds for up to 5 reports of one true value, no more" in text  # 1.5^5 < 9 < 1.5^6
        assert "at most 86.5" in text  # 1/10 after 10 reports: 3^10/(3^10 + 9 2^10)
        assert "output a, 6 times" in text
        assert "a, 10 times takes the property is_a" in text
        assert "the amplification is ~11.39 (729/64) after 6 reports" in text
    assert "Seeing 6 reports of one true value must not raise" in page


FREE = """
param eps in (0, 5)
prior X on {a, b} { a : 1/7; b : 6/7 }
operator Half(x: {a, b}) -> {a, b} {
    [x -> y] = exp(eps/2)/(1 + exp(eps/2)) if x == y | 1/(1 + exp(eps/2)) otherwise
}
operator Twice(x: {a, b}) -> {a, b}^2 { return [Half(x) for i in 1..2] }
audit Half, Twice { prior X; require epsilon < ln(3); forbid breach 1/10 -> 1/2 after 4 reports }
"""


def test_a_free_eps_is_told_in_the_words_of_its_users(capsys):
    result = audit(compile_text(FREE))
    _, twice = result.to_json()["operators"]
    assert twice["amplification"]["value"] == "exp(eps)"
    assert [one["amplification"] for one in twice["after_reports"]] == [
        "exp(eps)",
        "exp(10*eps)",
        "exp(100*eps)",
    ]
    print_document(result.document(brief=True), console())
    shown = " ".join(capsys.readouterr().out.split())
    assert "Half 10 exp(5*eps) 5*eps depends on eps" in shown
    assert "eps < 1.09861... = ln(3) (exp(eps) < 3)" in shown
    assert "(exp(2*eps) < 3)" in shown
    assert "at eps = 1.38629... (exp(eps/2) = 2)" in shown
    assert "long closed forms (--json, --html)" in shown
