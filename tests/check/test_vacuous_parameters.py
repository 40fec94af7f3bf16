"""Free parameters: whether a case can test a claim is derived, and no certificate's word."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from certificate_builder import seal

from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.checker.against_model import remarks
from ppdm_formal.declare.language.compiler import compile_text

WARNER = """
param p in (1/2, 4/5)
param q in {interval}
operator W(x: {{yes, no}}) -> {{yes, no}} {{ [x -> y] = p if y == x | 1 - p otherwise }}
operator Same(x: {{yes, no}}) -> {{yes, no}} {{
    [x -> y] = {same} if y == x | 1 - ({same}) otherwise
}}
prior X on {{yes, no}} {{ yes : {yes}; no : 1 - ({yes}) }}
property affirmative on {{yes, no}} = x == yes
audit {operator} {{ forbid upward breach {claim} under X{rest} }}
"""


def document(
    yes: str = "1/2",
    claim: str = "1/10 -> 2/5",
    rest: str = "",
    interval: str = "(0, 1)",
    operator: str = "W",
    same: str = "3/5",
) -> dict[str, Any]:
    text = WARNER.format(
        yes=yes, claim=claim, rest=rest, interval=interval, operator=operator, same=same
    )
    (audit,) = compile_text(text).audits
    found = certify(audit.operator, audit.claims[0], timeout=30)
    assert found.verdict.value == "certified", found.reason
    return found.to_json()


def lies(built: dict[str, Any]) -> list[dict[str, Any]]:
    """The other word, and points that show nothing."""
    names = [row["name"] for row in built["operator"]["parameters"]]
    other = {**built, "vacuous": not built["vacuous"]}
    told = [
        {**other, "tested": dict.fromkeys(names, value)} for value in ("3/4", "2/3", "5/4", "0")
    ]
    return [other, *told, {**other, "tested": None}, {**other, "tested": {}}]


def test_a_vacuous_claim_cannot_pass_as_one_that_holds():
    built = document()
    assert built["vacuous"] is True
    assert check_certificate(built).vacuous is True
    for lie in lies(built):
        assert not check_certificate(seal(lie)).accepted
    silent = check_certificate(seal({**built, "vacuous": None}))
    assert silent.accepted
    assert silent.vacuous is True
    tested = check_certificate(seal({**built, "tested": {"p": "3/4"}}))
    assert tested.reason == "tested: no case tests the claim there"


def test_a_claim_with_a_case_cannot_be_called_vacuous():
    built = document(yes="1/20", claim="1/10 -> 19/20")
    assert built["vacuous"] is False
    assert built["tested"] is None  # whatever the parameter
    assert check_certificate(built).vacuous is False
    assert not check_certificate(seal({**built, "vacuous": True})).accepted
    assert check_certificate(seal({**built, "vacuous": None})).vacuous is False


@pytest.mark.parametrize(
    ("yes", "interval", "claim", "vacuous", "least"),
    [
        ("q", "(1/5, 1/2)", "1/10 -> 19/20", True, None),
        ("q", "(1/10, 1/2)", "1/10 -> 19/20", True, None),  # the end does not belong
        ("q", "[1/10, 1/2)", "1/10 -> 19/20", False, F(1, 10)),
        ("q", "(1/20, 1/2)", "1/10 -> 19/20", False, None),
        ("q*q + 1/10", "(1/5, 4/5)", "1/10 -> 19/20", True, None),
        ("(q - 1/3)^2 + 1/10", "(0, 1)", "1/10 -> 19/20", False, F(1, 3)),  # at one value only
        ("(1 + q)/(2 + q)", "(1/5, 4/5)", "1/10 -> 19/20", True, None),
    ],
)
def test_a_parameter_of_the_prior(yes, interval, claim, vacuous, least):
    """Of two parameters, too: the operator's p is free in W, and Same has none."""
    built = document(yes, claim, " for affirmative", interval, "Same")
    assert built["vacuous"] is vacuous
    if least is not None:
        assert built["tested"] == {"q": str(least)}
    result = check_certificate(built)
    assert result.accepted, result.reason
    assert result.vacuous is vacuous
    for lie in lies(built):
        assert not check_certificate(seal(lie)).accepted
    if vacuous is False:
        without = {**built, "tested": None}
        assert check_certificate(seal({**without, "vacuous": True})).accepted is False


def test_what_is_not_shown_is_not_taken_for_a_claim_that_holds():
    built = document("(q - 1/3)^2 + 1/10", "1/10 -> 19/20", " for affirmative", "(0, 1)", "Same")
    bare = {**built, "tested": None}
    assert check_certificate(seal(bare)).reason == "whether the claim is vacuous is not shown"
    silent = check_certificate(seal({**bare, "vacuous": None}))
    assert silent.accepted
    assert silent.vacuous is None
    assert "not decided: it may say nothing" in remarks(silent)


def test_two_parameters():
    built = document(
        "1/5 + q/5", "1/10 -> 99/100", " for affirmative", "(0, 1)", "Same", "3/5 + p/10"
    )
    assert [row["name"] for row in built["operator"]["parameters"]] == ["p", "q"]
    assert built["vacuous"] is True
    assert check_certificate(built).vacuous is True
    for lie in lies(built):
        assert not check_certificate(seal(lie)).accepted
    built = document(
        "q/5 + 1/20", "1/10 -> 99/100", " for affirmative", "(0, 1)", "Same", "3/5 + p/10"
    )
    assert built["vacuous"] is False
    assert check_certificate(built).accepted
    assert not check_certificate(seal({**built, "vacuous": True})).accepted
    moved = {**built, "tested": {**built["tested"], "q": "1/2"}}
    assert not check_certificate(seal(moved)).accepted
