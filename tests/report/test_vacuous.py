"""A claim that no case can test is never shown as plainly safe, in any format."""

import io
import re
from fractions import Fraction

import pytest
from page_reader import assert_harmless
from rich.console import Console

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.audit.comparison import Comparison
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.markdown import document_markdown
from ppdm_formal.report.formats.terminal import print_document

MODEL = """
domain A = {{yes, no}}
prior V on A {{ yes : 3/5; no : 2/5 }}
prior W on A {{ yes : 1; no : 0 }}
property guilty on A = x == yes
operator R(x: A) -> A {{ [x -> y] = 9/10 if y == x | 1/10 otherwise }}
audit R {{ {claims} }}
"""
REASONS = {
    "forbid upward breach 1/20 -> 1/4 under V for guilty": (
        "no belief in the property guilty is above 0% and at most 5% (1/20)"
    ),
    "forbid downward breach 7/10 -> 1/10 under V": (
        "no belief in any property is at least 70% (7/10) and below 100%"
    ),
    "forbid breach 1/5 -> 19/20 under V": (
        "no belief in any property is above 0% and at most 20% (1/5), or at least 95% (19/20) and "
        "below 100%"
    ),
    "forbid breach 1/20 -> 1/4 under W": "the belief in any property is certain, 0% or 100%",
}


def audited(*claims):
    return audit(compile_text(MODEL.format(claims="\n".join(claims))))


def terminal(result):
    stream = io.StringIO()
    print_document(
        result.document(brief=True), Console(file=stream, width=120, force_terminal=False)
    )
    return " ".join(stream.getvalue().split())


@pytest.mark.parametrize("claim", REASONS)
def test_every_format_says_why(claim):
    result = audited(claim)
    [certificate] = result.operators[0].certificates
    assert certificate.vacuous is True
    page = document_html(result.document())
    assert re.findall(r'<p class="outcome (\w+)">', page) == ["vacuous"]
    badges = re.findall(r'<span class="badge (\w+)">([^<]*)<', page)
    assert badges == [("vacuous", "Says nothing")] * 2  # in the summary, and with the claim
    compared = document_html(Comparison((result,)).document())
    shown = [
        assert_harmless(page).text,
        document_markdown(result.document()),
        terminal(result),
        assert_harmless(compared).text,
        result._repr_html_(),
        certificate._repr_html_(),
    ]
    for text in shown:
        assert "says nothing" in text.lower()
        assert REASONS[claim] in text
        for comfortable in ("Yes, it keeps", "every claim holds", "The claim holds.", "Holds:"):
            assert comfortable not in text
    assert "Not shown: nothing that was claimed can be tested." in shown[0]


@pytest.mark.parametrize("claim", REASONS)
def test_the_reason_is_true(claim):
    """Against the beliefs themselves: every property of two inputs, or the claim's own."""
    prior = {"V": [Fraction(3, 5), Fraction(2, 5)], "W": [Fraction(1), Fraction(0)]}
    masses = prior[re.search(r"under (\w)", claim).group(1)]
    beliefs = [masses[0]] if "guilty" in claim else [0, *masses, 1]
    first, second = map(Fraction, re.findall(r"\d+/\d+", claim))
    low, high = min(first, second), max(first, second)
    can_rise = any(0 < belief <= low for belief in beliefs)
    can_fall = any(high <= belief < 1 for belief in beliefs)
    assert not (can_rise and "downward" not in claim)
    assert not (can_fall and "upward" not in claim)
    if "certain" in REASONS[claim]:
        assert set(beliefs) <= {0, 1}


def test_beside_a_claim_that_says_something():
    claims = ["forbid breach 1/20 -> 99/100 under V", "forbid breach 2/5 -> 19/20 under V"]
    result = audited(*claims)
    assert [c.vacuous for c in result.operators[0].certificates] == [True, False]
    text = assert_harmless(document_html(result.document())).text
    assert "Of 2 claims: 1 says nothing, 1 holds." in text
    assert "Yes, it keeps what was claimed:" in text
    assert "No case tests claim 1, which says nothing" in text
    assert "from 2/5" not in text
