"""Reports of continuous operators: page one, priors, certificates and how to check them."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from page_reader import assert_harmless

from ppdm_formal.certify import certify
from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.operators.parts import Parts, PartsClaim, SanitizedPart
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.markdown import document_markdown

MODEL = """
domain Age = reals 0..100
prior Known on Age { uniform(18, 30) : 7/10; normal(60, 12) : 3/10 }
property retired on Age = x >= 65 or x < 18
operator Noisy(x: Age) -> reals { return x + normal(50) }
audit Noisy {
    prior Known
    property retired
    forbid breach 1/10 -> 1/2
    forbid breach 1/4 -> 99/100 under Known for retired
}
"""


@pytest.fixture(scope="module")
def result():
    return audit(compile_text(MODEL))


def test_page_one_lists_the_claims_and_what_the_noise_hides(result):
    page = document_html(result.document())
    first = page[page.index('id="summary"') : page.index('id="answers"')]
    assert re.findall(r'href="#(claim-\d)"', first) == ["claim-1", "claim-2"]
    assert page.count('id="claim-1"') == page.count('id="claim-2"') == 1
    text = assert_harmless(page).text
    for words in (
        "Noisy: 95% of the noise lies in an interval of length 195.996...",
        "some outputs tell inputs apart without bound",
        "of the privacy is lost under Known",
        "7/10 evenly between 18 and 30; 3/10 normally about 60 with standard deviation 12",
        "true of x between 0 and 18, or between 65 and 100",
        "No certificates were written in this run",
        "python -I check.py CERTIFICATE",
    ):
        assert words in text, words
    assert "No claim was made" not in text


def test_markdown_lists_them_too(result):
    text = document_markdown(result.document())
    assert text.count("forbid breach 1/10 -&gt; 1/2") >= 2 or text.count("1/10 -> 1/2") >= 2
    assert "What the noise hides" in text


def test_tables_and_words_in_python_count_them(result):
    assert list(result.to_pandas()["verdict"]) == ["breached", "breached"]
    assert "2 breached" in repr(result)


def test_certificates_of_every_kind_are_shown_alone_and_while_undecided(result):
    """A certificate is one type: it has a page by itself, also where nothing was proved."""
    decided, *_ = result.certificates
    assert "Fails: all outputs above z" in assert_harmless(decided._repr_html_()).text
    late = Finding(Verdict.UNKNOWN, "not decided within 1 s", vacuous=None)
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="Coin")
    record = Parts("Two", (SanitizedPart("a", coin), SanitizedPart("b", coin)))
    whole = certify(record, PartsClaim("record", None, "<=", Fraction(3)))
    kinds = (decided, whole, certify(coin, BreachClaim("1/10", "1/2")))
    assert [one.operator_json["kind"] for one in kinds] == ["additive", "parts", "finite"]
    assert "the whole record costs 2.19722..., within the limit of 3" in whole._repr_html_()
    for one in kinds:
        text = assert_harmless(replace(one, finding=late)._repr_html_()).text
        assert "Not decided: not decided within 1 s." in text
        assert "Nothing was proved either way." in text
