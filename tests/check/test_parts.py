"""Certificates of records in parts: genuine ones pass, and of changed ones only what is true.

That is worked out here from the document alone.
"""

import copy
import json
import math
import random
from fractions import Fraction

import pytest

from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.logarithm import ln
from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.declare.operators.parts import Parts, PartsClaim, SanitizedPart
from ppdm_formal.declare.operators.randomization import Operator

COIN = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="C")
THREE = Operator.from_matrix([["1/2", "1/2"], ["1/3", "2/3"], ["1/5", "4/5"]], name="T")
SURE = Operator.from_matrix([["1"]], name="S")
RECORD = Parts(
    "D",
    (SanitizedPart("a", COIN), SanitizedPart("b", THREE), SanitizedPart("c", SURE)),
    ln(Fraction(6, 5)),
)
CLAIMS = [
    PartsClaim("record", None, "<=", ln(Fraction(15, 2))),
    PartsClaim("record", None, "<", ln(Fraction(15, 2))),
    PartsClaim("record", None, "<=", Fraction(1)),
    PartsClaim("dependence", "a", "<=", ln(Fraction(18, 5))),
    PartsClaim("dependence", "a", "<=", Fraction(1)),
    PartsClaim("dependence", "b", "<=", ln(Fraction(29, 10))),
    PartsClaim("dependence", None, "<=", Fraction(4, 3)),
    PartsClaim("dependence", "c", "<=", Fraction(0)),
]


def signed(document):
    document = copy.deepcopy(document)
    for part in document["operator"]["parts"]:
        if isinstance(part["operator"], dict):
            part["operator"]["views_sha256"] = digest(part["operator"]["views"])
    body = {key: value for key, value in document.items() if key != "sha256"}
    return body | {"sha256": digest(body)}


def e_to(text):
    """e^ of an epsilon, in floats."""
    if text.startswith("ln("):
        return float(Fraction(text[3:-1]))
    return math.exp(Fraction(text))


def truth(document):
    """Whether the claim holds of the record that a document describes, with its margin."""
    record, claim = document["operator"], document["claim"]
    limit = e_to(claim["bound"])
    among = 1.0 if record["dependence"] is None else e_to(record["dependence"])
    ratios = []
    for part in record["parts"]:
        found = 1.0
        for view in part["operator"]["views"] if part["operator"] else []:
            numbers = [Fraction(c["likelihood"]) for c in view["classes"]]
            if max(numbers):
                found = max(found, float(max(numbers) / min(numbers)) if min(numbers) else 1e300)
        ratios.append(found)
    if claim["of"] == "record":
        value = 1.0
        for ratio in ratios:
            value *= ratio
    else:
        varied = [part["inputs"] > 1 for part in record["parts"]]
        value = max(
            ratio * (among if varied[i] and sum(varied) > 1 else 1)
            for i, ratio in enumerate(ratios)
            if claim["part"] in (None, record["parts"][i]["name"])
        )
    return value, limit


def leaves(thing, path=()):
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield from leaves(value, (*path, key))
    elif isinstance(thing, list):
        for i, value in enumerate(thing):
            yield from leaves(value, (*path, i))
    else:
        yield path


def changed(document, path, value):
    document = copy.deepcopy(document)
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return document


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_genuine_ones_pass_and_nothing_false_does(claim):
    found = certify(RECORD, claim)
    document = json.loads(json.dumps(found.to_json()))
    result = check_certificate(document)
    assert result.accepted, result.reason
    assert result.where.startswith("however" if claim.of == "record" else "under")
    value, limit = truth(document)
    assert (found.verdict.value == "certified") == (value <= limit) or claim.relation == "<"
    rng = random.Random(str(claim))
    places = [
        path for path in leaves(document) if path[0] in ("claim", "operator", "witness", "verdict")
    ]
    tried = accepted = 0
    for path in places:
        for _ in range(2):
            new = rng.choice(
                ["1/2", "3/4", "0", "2", "ln(3)", "certified", "breached", "a", 0, 1, 2, 3, None]
            )
            other = signed(changed(document, path, new))
            if other == document:
                continue
            tried += 1
            result = check_certificate(other)
            if result.accepted:
                accepted += 1
                value, limit = truth(other)
                holds = (
                    value < limit
                    if other["claim"]["relation"] == "<"
                    else value <= limit * (1 + 1e-12)
                )
                assert holds == (other["verdict"] == "certified"), (path, new)
    assert tried > 30
    assert accepted < tried / 3


def test_what_a_law_must_keep():
    """The witness's law: positive, summing to 1, no more dependent than is given, far enough."""
    document = certify(RECORD, PartsClaim("dependence", "a", "<=", ln(Fraction(7, 2)))).to_json()
    assert check_certificate(document).accepted
    witness = document["witness"]
    assert len(witness["law"][0]) == 2
    t = Fraction(1, 100)
    for first in (t * t * Fraction(13, 10), t * t, Fraction(0)):
        law = [[first, t - first], [t - first, 1 - 2 * t + first]]
        after = first * 3 / (first * 3 + (t - first))
        forged = witness | {
            "law": [[str(cell) for cell in row] for row in law],
            "before": str(t),
            "after": str(after),
        }
        assert not check_certificate(signed(document | {"witness": forged})).accepted
    for key, value in (("other", None), ("part", 1)):
        assert not check_certificate(
            signed(document | {"witness": witness | {key: value}})
        ).accepted
