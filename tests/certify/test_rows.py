"""Measures that follow inputs from output to output: databases, people and channels by listing."""

import copy
import itertools
import json
import math
import random
from fractions import Fraction
from pathlib import Path

import pytest
from certify_schema import validate

from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.discovery import measure_named
from ppdm_formal.derive.measures.record import Asked, CannotCompute

NEAR = 1e-9
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "certificate.schema.json").read_text())


def shares(rng, size, least=1):
    weights = [rng.randint(least, 6) for _ in range(size)]
    weights[0] += not any(weights)
    return [Fraction(w, sum(weights)) for w in weights]


def database(seed):
    """Two or three people with two or three values each, and a prior."""
    rng = random.Random(seed)
    values = list(itertools.product(range(rng.randint(2, 3)), range(2), range(rng.randint(1, 2))))
    width = rng.randint(2, 3)
    rows = [shares(rng, width, 0) for _ in values]
    operator = Operator.from_matrix(rows, inputs=Domain(values), outputs=Domain(range(width)))
    prior = shares(rng, len(values), 0)
    return (
        rng,
        values,
        rows,
        prior,
        operator,
        Prior.of(operator.inputs, dict(zip(values, prior, strict=True))),
    )


def leaked(i, values, rows, prior):
    """I(U_i; Y) from the joint law, in nats."""
    joint = {}
    for value, row, mass in zip(values, rows, prior, strict=True):
        for y, p in enumerate(row):
            joint[value[i], y] = joint.get((value[i], y), 0) + mass * p
    one, other = {}, {}
    for (u, y), p in joint.items():
        one[u], other[y] = one.get(u, 0) + p, other.get(y, 0) + p
    return sum(float(p) * math.log(p / (one[u] * other[y])) for (u, y), p in joint.items() if p)


def checked(certificate):
    document = json.loads(json.dumps(certificate.to_json()))
    assert check_certificate(document).accepted
    validate(document, SCHEMA)
    other = {"certified": "breached", "breached": "certified"}[document["verdict"]]
    assert not check_certificate(signed(document | {"verdict": other})).accepted
    return document


def signed(document):
    """With digests that fit, as a forger would write them."""
    document = copy.deepcopy(document)
    document["operator"]["views_sha256"] = digest(document["operator"]["views"])
    body = {key: value for key, value in document.items() if key != "sha256"}
    return body | {"sha256": digest(body)}


@pytest.mark.parametrize("seed", range(8))
def test_event_leakage_of_databases(seed):
    _, values, rows, prior, operator, known = database(seed)
    worst = max(leaked(i, values, rows, prior) for i in range(3))
    found = measure_named("event_leakage").measure(Asked(operator, known, "nat")).value
    assert abs(float(found.lo) - worst) < NEAR
    for bound, verdict in (
        (found.hi + Fraction(1, 10**6), "certified"),
        (found.lo - Fraction(1, 10**6), "breached"),
    ):
        claim = BoundClaim("event_leakage", "<=", bound, known, "nat")
        certificate = certify(operator, claim)
        assert certificate.verdict.value == verdict
        checked(certificate)


def information(law, rows):
    mean = [sum(r * row[y] for r, row in zip(law, rows, strict=True)) for y in range(len(rows[0]))]
    return sum(
        float(r * p) * math.log(p / q)
        for r, row in zip(law, rows, strict=True)
        for p, q in zip(row, mean, strict=True)
        if r and p
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_mutual_information_differential_privacy(seed):
    """No prior on one person's value with the others fixed tells more; some come near."""
    rng, values, rows, _, operator, _ = database(seed)
    best = 0.0
    for i in range(3):
        for others in {value[:i] + value[i + 1 :] for value in values}:
            own = [r for v, r in zip(values, rows, strict=True) if v[:i] + v[i + 1 :] == others]
            for law in [shares(rng, len(own), 0) for _ in range(30)]:
                best = max(best, information(law, own))
    found = measure_named("mutual_information_dp").measure(Asked(operator, None, "nat")).value
    assert best <= float(found.hi) + NEAR
    assert best >= 0.8 * float(found.lo) - NEAR
    nearby = max(Fraction(1, 10**6), found.hi / 100)
    for unit, one in (("nat", 1), ("bit", math.log(2))):
        within = Fraction((found.hi + nearby) / Fraction(one))
        beyond = Fraction((found.lo - nearby) / Fraction(one))
        for bound, verdict in ((within, "certified"), (beyond, "breached")):
            claim = BoundClaim("mutual_information_dp", "<=", bound, None, unit)
            certificate = certify(operator, claim)
            assert certificate.verdict.value == verdict
            document = checked(certificate)
        # the same evidence does not show more than it does
        claim_block = document["claim"] | {"bound": str(found.hi.__class__(10))}
        assert not check_certificate(signed(document | {"claim": claim_block})).accepted


@pytest.mark.parametrize("measure", ["event_leakage", "variance_gain", "mutual_information_dp"])
def test_changed_certificates_are_rejected(measure):
    """Every number of views and evidence, one at a time, with fresh digests."""
    coin = Operator.from_matrix([["2/3", "1/3"], ["1/4", "3/4"]])
    prior = Prior.of(coin.inputs, {0: "1/3", 1: "2/3"}, "X")
    record = measure_named(measure)
    unit = "nat" if record.unit == "asked" else None
    under = prior if record.prior else None
    value = record.measure(Asked(coin, under, "nat")).value
    close = value if isinstance(value, Fraction) else value.hi
    claim = BoundClaim(measure, "<=", close * Fraction(1001, 1000), under, unit)
    document = checked(certify(coin, claim))
    places = [
        (view["classes"], i, key)
        for view in document["operator"]["views"]
        for i in range(2)
        for key in view["classes"][i]
        if key in ("likelihood", "prior", "count")
    ]
    places += [(law, i, None) for law in document["evidence"].get("laws", []) for i in range(2)]
    assert len(places) >= 8
    for holder, i, key in places:
        before = holder[i] if key is None else holder[i][key]
        changed = 2 if key == "count" else str(Fraction(before) + Fraction(1, 100))
        if key is None:
            holder[i] = changed
        else:
            holder[i][key] = changed
        assert not check_certificate(signed(document)).accepted
        if key is None:
            holder[i] = before
        else:
            holder[i][key] = before
    assert check_certificate(signed(document)).accepted


def test_what_follows_inputs_is_of_one_report_and_of_numbers():
    words = Operator.from_matrix([["1/2", "1/2"], ["1/4", "3/4"]], inputs=Domain(["a", "b"]))
    uniform = Prior.uniform(words.inputs, "U")
    with pytest.raises(CannotCompute, match="whole numbers"):
        measure_named("variance_gain").measure(Asked(words, uniform))
    found = certify(words, BoundClaim("variance_gain", "<=", 1, uniform))
    assert (found.verdict.value, found.reason) == ("unknown", "its inputs are not whole numbers")
    for measure, prior, unit in (
        ("variance_gain", uniform, None),
        ("mutual_information_dp", None, "nat"),
    ):
        with pytest.raises(ValueError, match="of one report"):
            BoundClaim(measure, "<=", 1, prior, unit, 3)
    large = compile_text("operator R = randomized_response(values: 5000, keep: 1/2)\n").operators[
        "R"
    ]
    told = certify(large, BoundClaim("mutual_information_dp", "<=", 1, None, "nat"))
    assert told.verdict.value == "unknown"
    assert "at most 10,000 are followed" in told.reason
