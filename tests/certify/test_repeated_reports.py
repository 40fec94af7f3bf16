"""Claims after N reports against the N-fold product of the operator, written out by brute force."""

from __future__ import annotations

import itertools
import json
import math
import random
from fractions import Fraction as F
from pathlib import Path

import certify_oracle as oracle
import pytest
from certify_schema import validate

from ppdm_formal import BoundClaim, BreachClaim, Operator, Prior, Property
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.subjects.finite import rebuilt_of
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Constraint, PriorFamily
from ppdm_formal.declare.operators.repeated import MAX_MULTISETS, MAX_REPORTS
from ppdm_formal.derive.measures.after_reports import AfterReports, most_reports
from ppdm_formal.derive.measures.amplification import amplification

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "certificate.schema.json").read_text())


def random_rows(rng, inputs, outputs):
    rows = []
    for _ in range(inputs):
        tops = [rng.choice((0, 1, 1, 2, 3, 5)) for _ in range(outputs)]
        tops[rng.randrange(outputs)] += 1
        rows.append([F(top, sum(tops)) for top in tops])
    return rows


def written_out(rows, reports):
    """The product: a column for each sequence of outputs."""
    sequences = list(itertools.product(range(len(rows[0])), repeat=reports))
    return [[math.prod(row[y] for y in sequence) for sequence in sequences] for row in rows]


def named(rows, prefix=""):
    inputs = [f"x{k}" for k in range(len(rows))]
    return Operator.from_matrix(rows, inputs, [f"{prefix}y{k}" for k in range(len(rows[0]))], "R")


def prior_of(domain, masses):
    return Prior.of(domain, dict(zip(domain, masses, strict=True)), "X")


def checked(certificate):
    """Accepted by the checker, and not once anything about the reports is changed."""
    document = json.loads(json.dumps(certificate.to_json()))
    validate(document, SCHEMA)
    assert check_certificate(document).accepted, check_certificate(document)
    many = document["claim"]["reports"]
    text = document["claim"]["text"].replace(f"after {many} reports", f"after {many + 1} reports")
    claim = document["claim"] | {"reports": many + 1, "text": text}
    again = check_certificate(sealed(document | {"claim": claim}))
    # under all priors the views are those of one report, and what is infinite stays so
    assert not again.accepted or not certificate.claim.by_counts
    return document


def sealed(document):
    """With its digests, so that it is not their fault if it is rejected."""
    operator = document["operator"]
    operator = operator | {"views_sha256": digest(operator["views"])}
    body = {
        key: value for key, value in (document | {"operator": operator}).items() if key != "sha256"
    }
    return body | {"sha256": digest(body)}


@pytest.mark.parametrize("seed", range(14))
def test_against_the_product_written_out(seed):
    rng = random.Random(seed)
    rows = random_rows(rng, rng.choice((2, 3)), rng.choice((2, 3)))
    reports = rng.choice((2, 3, 4))
    product = written_out(rows, reports)
    operator = named(rows)
    names = list(operator.inputs)
    rho1, rho2 = rng.choice(((F(1, 10), F(1, 2)), (F(1, 5), F(9, 10)), (F(1, 3), F(4, 5))))
    direction = rng.choice(("both", "upward", "downward"))
    tops = [rng.choice((0, 1, 2, 7)) + (k == 0) for k in range(len(rows))]
    masses = [F(top, sum(tops)) for top in tops]
    prior = prior_of(operator.inputs, masses)
    about = Property.of(operator.inputs, ["x0"], "first")
    know = random_rows(rng, len(rows), 2)
    knowing = Operator.from_matrix(know, names, ["a", "b"], "Z")
    verdicts = set()
    for under, property, z in itertools.product((None, prior), (None, about), (None, knowing)):
        claim = BreachClaim(rho1, rho2, direction, under, property, z, reports)
        found = certify(operator, claim)
        table = None if z is None else know
        mask = None if property is None else 1
        if under is None:
            truth = oracle.all_priors_breached(product, table, mask, direction, rho1, rho2)
            limits = oracle.all_priors_thresholds(product, table, mask, direction, rho1, rho2)
        else:
            changes = list(oracle.known_prior_changes(product, masses, table, mask))
            truth = any(oracle.breached(direction, rho1, rho2, *one) for one in changes)
            limits = oracle.known_prior_thresholds(changes, direction, rho1, rho2)
        assert found.verdict is (Verdict.BREACHED if truth else Verdict.CERTIFIED), str(claim)
        assert (found.thresholds.rho2_above, found.thresholds.rho1_below) == limits
        checked(found)
        verdicts.add(found.verdict)
    written = named(product)
    for bound in (F(3), F(40)):
        after = certify(operator, BoundClaim("amplification", "<=", bound, reports=reports))
        assert after.verdict is certify(written, BoundClaim("amplification", "<=", bound)).verdict
        checked(after)
    for measure, unit in (("worst_case_information", "bit"), ("total_variation", None)):
        claim = BoundClaim(measure, "<=", F(1, 2), prior, unit, reports)
        one = BoundClaim(measure, "<=", F(1, 2), prior_of(operator.inputs, masses), unit)
        assert certify(operator, claim).verdict is certify(written, one).verdict
        checked(certify(operator, claim))


@pytest.mark.parametrize("seed", range(6))
def test_a_family_of_priors_against_the_product(seed):
    rng = random.Random(100 + seed)
    rows = random_rows(rng, 3, 2)
    operator, product = named(rows), named(written_out(rows, 3))
    rare = Property.of(operator.inputs, ["x0"], "rare")
    family = PriorFamily((Constraint(((F(1), rare),), "<=", F(1, 20)),))
    for about in (None, rare):
        found = certify(operator, BreachClaim(F(1, 10), F(1, 2), "both", family, about, None, 3))
        truth = certify(product, BreachClaim(F(1, 10), F(1, 2), "both", family, about))
        assert found.verdict is truth.verdict
        checked(found)


def test_a_free_parameter():
    text = (
        "param p in (1/2, 1)\noperator W(x: {0, 1}) -> {0, 1} { [x -> y] = p if x == y | 1 - p }\n"
    )
    model = compile_text(text + "audit W { forbid breach 1/10 -> 1/2 after 2 reports }")
    (claim,) = model.audits[0].claims
    found = certify(model.operator("W"), claim)
    assert found.region.text == "p < 3/4"  # (p/(1 - p))^2 < 9
    document = json.loads(json.dumps(found.to_json()))
    assert check_certificate(document, allow_solver_trusted=True).accepted
    anew = rebuilt_of(document, {}, {}, model.operators)
    assert json.loads(json.dumps(anew.claim)) == document["claim"]


def test_a_hundred_reports_of_a_coin():
    """Warner with 3/4 under a known prior: the posterior after k of 100 has a closed form."""
    operator = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], ["a", "b"], ["a", "b"])
    prior = prior_of(operator.inputs, [F(1, 1000), F(999, 1000)])
    about = Property.of(operator.inputs, ["a"], "is_a")
    found = certify(operator, BreachClaim(F(1, 10), F(9, 10), "upward", prior, about, None, 100))
    best = F(3**100) / (3**100 + 999)
    assert found.thresholds.rho2_above == best
    assert len(found.views) == 101
    assert sum(view.outputs for view in found.views) == 2**100
    checked(found)


def test_forged_views_are_rejected():
    operator = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], ["a", "b"], ["a", "b"], "R")
    prior = prior_of(operator.inputs, [F(1, 10), F(9, 10)])
    document = checked(certify(operator, BreachClaim(F(1, 10), F(1, 2), under=prior, reports=3)))
    claim = document["claim"]
    single = document["operator"]["one_report"]
    other = json.loads(json.dumps(single).replace('"3/4"', '"4/5"').replace('"1/4"', '"1/5"'))
    for change, why in (
        ({"one_report": single * 2}, "another knowledge"),
        ({"one_report": other}, "not that of its output"),
        ({"outputs": 4}, "outputs"),
    ):
        forged = sealed(document | {"operator": document["operator"] | change})
        assert why in check_certificate(forged).reason
    without = {k: v for k, v in document["operator"].items() if k != "one_report"}
    assert "one_report" in check_certificate(sealed(document | {"operator": without})).reason
    # the views of one report, with the claim that speaks of three
    one = certify(operator, BreachClaim(F(1, 10), F(1, 2), under=prior))
    one = json.loads(json.dumps(one.to_json()))
    for block in (one["operator"], one["operator"] | {"one_report": single}):
        assert not check_certificate(sealed(one | {"claim": claim, "operator": block})).accepted
    swapped = json.loads(json.dumps(document["operator"]))
    first, second = swapped["views"][0], swapped["views"][1]
    first["output"], second["output"] = second["output"], first["output"]
    assert "its output" in check_certificate(sealed(document | {"operator": swapped})).reason


@pytest.mark.parametrize("reports", [0, -1, MAX_REPORTS + 1, F(5, 2), True])
def test_numbers_of_reports_that_are_none(reports):
    with pytest.raises(ValueError, match="report"):
        BreachClaim(F(1, 10), F(1, 2), reports=reports)


def test_too_many_ways_and_too_long_numbers_are_unknown_with_the_reason():
    rows = [[F(1 + (x == y), 9) for y in range(8)] for x in range(8)]
    prior = Prior.uniform(Domain(range(8)), "U")
    operator = Operator.from_matrix(rows)
    found = certify(operator, BreachClaim(F(1, 10), F(1, 2), under=prior, reports=30))
    assert found.verdict is Verdict.UNKNOWN
    assert f"{MAX_MULTISETS:,}" in found.reason
    found = certify(operator, BreachClaim(F(1, 10), F(1, 2), reports=MAX_REPORTS))
    assert found.verdict is Verdict.UNKNOWN
    assert "bits" in found.reason
    assert certify(operator, BreachClaim(F(1, 10), F(1, 2), reports=4)).verdict is Verdict.BREACHED
    assert certify(operator, BreachClaim(F(1, 10), F(1, 2), reports=3)).verdict is Verdict.CERTIFIED


KEPT = """
domain Bit = {0, 1}
operator Permanent(x: Bit) -> Bit { with 1/2 { return uniform(Bit) } else { return x } }
operator Fresh(x: Bit) -> Bit {
    kept ~ Permanent(x)
    if kept == 1 { return bernoulli(3/4) } else { return bernoulli(1/2) }
}
operator Ten(x: Bit) -> 0..10 {
    kept ~ Permanent(x)
    if kept == 1 { return binomial(10, 3/4) } else { return binomial(10, 1/2) }
}
"""


def test_noise_that_is_kept_is_worth_one_report_of_it():
    model = compile_text(KEPT)
    kept = {0: F(1, 4), 1: F(3, 4)}  # that a 1 is kept

    def chance(x, ones):
        return sum(
            share * math.comb(10, ones) * q**ones * (1 - q) ** (10 - ones)
            for share, q in ((kept[x], F(3, 4)), (1 - kept[x], F(1, 2)))
        )

    ratios = [chance(x, n) / chance(1 - x, n) for x in (0, 1) for n in range(11)]
    assert amplification(model.operator("Ten")).value == max(ratios) < 3
    fresh = AfterReports(10, amplification(model.operator("Fresh")))
    assert fresh.gain == F(7, 5) ** 10
    assert fresh.text == f"{7**10}/{5**10}"
    assert fresh.reached(F(1, 10)) == F(7**10, 7**10 + 9 * 5**10)
    most = most_reports(F(7, 5), F(1, 10), F(1, 2))
    claims = [BreachClaim(F(1, 10), F(1, 2), reports=n) for n in (most, most + 1)]
    verdicts = [certify(model.operator("Fresh"), claim).verdict for claim in claims]
    assert (most, verdicts) == (6, [Verdict.CERTIFIED, Verdict.BREACHED])


def exponential_rows():
    """e^1 times as likely where x = y; the same with e^(1/2) and 1 + e^(1/2), all by hand."""
    e, root = exp_of(F(1)), exp_of(F(1, 2))
    yield [[(e if x == y else F(1)) / (e + 2) for y in range(3)] for x in range(3)]
    yield [[root / (root + 1), 1 / (root + 1)], [1 / (root + 2), (root + 1) / (root + 2)]]


@pytest.mark.parametrize("rows", list(exponential_rows()))
@pytest.mark.parametrize("reports", [2, 3])
def test_powers_of_e_under_a_prior_and_a_family(rows, reports):
    """Thresholds from every sequence and property, in floats; families by the product."""
    operator, product = named(rows), written_out(rows, reports)
    masses = [F(k + 1, sum(range(1, len(rows) + 1))) for k in range(len(rows))]
    prior = prior_of(operator.inputs, masses)
    best = 0.0
    for column in zip(*product, strict=True):
        whole = sum(m * float(p) for m, p in zip(masses, column, strict=True))
        for members in itertools.product((0, 1), repeat=len(rows)):
            before = sum(m for m, inside in zip(masses, members, strict=True) if inside)
            if 0 < before <= F(1, 3):
                picked = zip(masses, column, members, strict=True)
                best = max(best, sum(m * float(p) for m, p, inside in picked if inside) / whole)
    for limit, verdict in ((best + 0.001, Verdict.CERTIFIED), (best - 0.001, Verdict.BREACHED)):
        rho2 = F(round(limit * 10**6), 10**6)
        found = certify(operator, BreachClaim(F(1, 3), rho2, "upward", prior, reports=reports))
        assert found.verdict is verdict
        checked(found)
    assert float(found.thresholds.rho2_above) == pytest.approx(best, rel=1e-12)
    rare = Property.of(operator.inputs, ["x0"], "rare")
    family = PriorFamily((Constraint(((F(1), rare),), "<=", F(1, 20)),))
    for about, limit in itertools.product((None, rare), (F(1, 5), F(2, 5), F(4, 5))):
        claim = BreachClaim(F(1, 10), limit, "upward", family, about, None, reports)
        truth = certify(named(product), BreachClaim(F(1, 10), limit, "upward", family, about))
        assert certify(operator, claim).verdict is truth.verdict
    checked(certify(operator, claim))


def test_powers_of_e_that_grow_too_long_are_unknown_with_the_reason():
    rows = next(exponential_rows())
    prior = Prior.uniform(Domain(["x0", "x1", "x2"]), "U")
    many = certify(named(rows), BreachClaim(F(1, 10), F(1, 2), under=prior, reports=190))
    assert many.verdict is Verdict.UNKNOWN
    claim = BoundClaim("epsilon", "<=", F(7), reports=900_000)
    assert "bits" in certify(named(rows), claim).reason
