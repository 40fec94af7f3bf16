"""What reports say of claims about crowds: words, tables, JSON, and a whole page."""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache

import pytest

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.markdown import document_markdown
from ppdm_formal.report.formats.terminal import console, print_document

DECLARED = """
prior Even on {yes, no} = uniform
property agrees on {yes, no} = x == yes
operator Coin(x: {yes, no}) -> {yes, no} { [x -> y] = 3/4 if x == y | 1/4 otherwise }
"""

THREE = f"""{DECLARED}
audit Coin {{
    require delta(1/2) <= 1e-3 after shuffling 100
    require delta(1/10) <= 1e-3 after shuffling 100
    forbid breach 1/2 -> 5/8 except with probability 1e-4 after shuffling 100
}}
"""

OTHERS = f"""{DECLARED}
audit Coin {{
    forbid breach 1/2 -> 7/10 except with probability 1/100 after shuffling 40
    forbid breach 1/2 -> 3/5 except with probability 1e-4 after shuffling 20 colluding 2 at most 1 missing
    forbid upward breach 1/2 -> 3/5 under Even for agrees except with probability 1/20 after shuffling 20 others under Even
    forbid breach 1/3 -> 2/3 after shuffling 100
    require amplification <= 2 after shuffling 100
    require delta(1/5) <= 1e-3 after summing 20
    forbid breach 1/3 -> 2/3
}}
"""  # noqa: E501


@cache
def _result(model):
    return audit(compile_text(model), confirm=False)


def _shown(model, capsys):
    print_document(_result(model).document(brief=True), console())
    return " ".join(capsys.readouterr().out.split())


@cache
def _page(model):
    return document_html(_result(model).document()).replace("&#39;", "'").replace("&gt;", ">")


RESTS = "It rests on this: the shuffler hides who sent what"


def test_the_page_of_three_claims_holds_fails_and_is_not_decided(capsys):
    result = _result(THREE)
    assert [one.verdict.value for one in result.certificates] == [
        "certified",
        "breached",
        "unknown",
    ]
    least = [one.finding.clients_from for one in result.certificates]
    for text in (_shown(THREE, capsys), _page(THREE), document_markdown(result.document())):
        assert (
            f"delta at epsilon = 1/2 is at most 1 in 1,000, and it holds from {least[0]:,}" in text
        )
        assert "Fails: where all others have the value " in text
        assert "is likelier if the client has " in text
        assert "by more than 1 in 1,000 (at least about 0.01" in text
        assert f"It holds from {least[1]:,} clients on." in text
        assert "Not decided: the chance of a breach is between " in text
        assert text.count(RESTS) >= 3  # beside each verdict
    page = _page(THREE)
    assert "If the reports of 100 clients are shuffled, the chance of anything that" in page
    assert 'id="shuffled"' in page
    assert "Delta against epsilon, Coin after shuffling 100" in page
    assert "Bounds computed in floating point; the claims' own are certified." in page
    assert "Claims 1, 2, 3: It rests on this" in page  # on page one, and where trust is spoken of
    assert "output" not in page.partition('id="verdicts"')[2].partition('id="measures"')[0]


def test_json_has_the_crowd_the_clients_and_what_is_assumed():
    [coin] = _result(THREE).to_json()["operators"]
    holds, fails, unknown = coin["certificates"]
    crowd = {"how": "shuffling", "clients": 100, "colluding": 0, "missing": 0, "others": None}
    for one in (holds, fails, unknown):
        assert one["claim"]["crowd"] == crowd
        assert one["assumption"].startswith("it rests on this: the shuffler")
    assert holds["thresholds"].keys() == fails["thresholds"].keys() == {"clients_from"}
    assert unknown["thresholds"] is None
    event = fails["witness"]
    assert {event["likely"], event["unlikely"]} == {"yes", "no"}
    assert event["all_others"] in ("yes", "no")
    assert float(event["at_least"]) > 1e-3
    [table] = coin["crowds"]
    assert [row["clients"] for row in table["rows"]] == [1, 10, 100, 1000]
    assert [one["positions"] for one in table["rows"][0]["claims"]] == [[0], [1], [2]]
    breaches = _result(OTHERS).to_json()["operators"][0]["certificates"]
    assert [one["claim"].get("except") for one in breaches[:3]] == ["1/100", "1/10000", "1/20"]
    assert breaches[3]["assumption"] is None  # one report alone decides it
    assert "assumption" not in breaches[6]


def test_json_of_a_table_encloses_what_is_computed_by_hand():
    [coin] = _result(THREE).to_json()["operators"]
    alone = coin["crowds"][0]["rows"][0]
    for key, value in (("epsilon", 1.0986122886), ("delta", 3 / 4 - 1.6487212707 / 4)):
        span = alone["epsilon"] if key == "epsilon" else alone["claims"][0]
        assert float(span["at_least"]) <= value <= float(span["at_most"])


def test_words_of_breaches_and_of_strangers_data(capsys):
    certificates = _result(OTHERS).certificates
    verdicts = [one.verdict.value for one in certificates]
    assert verdicts[:2] == ["certified", "breached"]
    text, page = _shown(OTHERS, capsys), _page(OTHERS)
    for shown in (text, page):
        assert "Holds: the chance of such a breach is at most 1 in 100, and it holds from " in shown
        assert "take a server that holds yes for 50% (1/2) likely, and no otherwise. When" in shown
        assert "rises to 60% (3/5) or more with a probability above 1 in 10,000" in shown
        assert "CAUTION: this rests on strangers' data." in shown
        assert "Shuffling does not change this: some histogram leaves no doubt" in shown
        assert "each of 17 clients draws one report" in shown
        assert "the servers that add hide who sent what" in shown
    assert (
        "If the reports of 20 clients are shuffled, of whom 2 tell the server what they sent, and "
        "up to 1 of them gets lost, the server comes to believe with 60% (3/5) or more in any "
        "property that it believed with 50% (1/2) or less before, with probability at most 1 in "
        "10,000, given that it is true of the client, or the reverse; whatever it believed before, "
        "whatever values the others have, which it may know."
    ) in page
    assert "This is claimed where the reports of 100 clients are shuffled." in page
    assert "whose prior belief is Even, if the others' values are independent draws from" in page


def test_claims_of_a_crowd_are_no_points_of_the_frontier_of_one_report():
    page = _page(OTHERS)
    frontier = page.partition("Breach frontier, all priors")[2].partition("</figure>")[0]
    assert "claim 7: 1/3 -> 2/3" in frontier
    assert "claim 1:" not in frontier
    assert "claim 2:" not in frontier


def test_claims_of_a_crowd_bear_no_several_reports(capsys):
    said = _shown(OTHERS, capsys)
    assert "Claim 7 (forbid breach 1/3 -> 2/3) holds for one report of one true value" in said
    assert "Claim 1 (" not in said
    assert "Claim 4 (" not in said


@pytest.mark.parametrize("model", [THREE, OTHERS])
def test_certificates_alone_are_shown(model, capsys):
    for certificate in _result(model).certificates:
        print_document(certificate.document(), console())
        said = " ".join(capsys.readouterr().out.split())
        assert str(certificate.claim) in said
        claim = certificate.claim
        assert ("It rests on this: " in said) == claim.of_crowd
        assert ("does not change this" in said) == (claim.crowd is not None and not claim.of_crowd)


def test_models_without_crowds_have_no_such_section(capsys):
    plain = f"{DECLARED}audit Coin {{ forbid breach 1/3 -> 2/3; require delta(1/2) <= 1/2 }}"
    result = audit(compile_text(plain), confirm=False)
    assert "crowds" not in result.to_json()["operators"][0]
    page = document_html(result.document())
    assert "shuffl" not in page
    assert F(result.certificates[0].thresholds.rho2_above) == F(3, 5)


VACUOUS = f"""{DECLARED}
prior Sure on {{yes, no}} {{ yes : 1; no : 0 }}
audit Coin {{
    forbid upward breach 1/4 -> 9/10 under Even for agrees except with probability 1/9 after shuffling 9
    forbid breach 1/4 -> 9/10 under Even except with probability 1/9 after shuffling 9
    forbid breach 1/4 -> 9/10 under Sure for agrees except with probability 1/9 after shuffling 9
    forbid upward breach 1/2 -> 9/10 under Even for agrees except with probability 1/9 after shuffling 9
}}
"""  # noqa: E501


def test_claims_that_no_case_tests_say_nothing(capsys):
    found = _result(VACUOUS).certificates
    assert [one.verdict.value for one in found] == ["certified"] * 4
    assert [one.says_nothing for one in found] == [True, True, True, False]
    said = _shown(VACUOUS, capsys)
    assert "Says nothing: beforehand no belief in the property agrees is above 0% and" in said
    assert "Says nothing: beforehand the belief in the property agrees is certain" in said
