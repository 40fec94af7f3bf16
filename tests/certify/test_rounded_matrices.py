"""Claims about rounded matrices: no matrix within contradicts them, and both of two are real."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction as F
from pathlib import Path

import pytest
from certify_schema import validate
from rounded_cases import claims, printed, sampled

from ppdm_formal import BoundClaim, BreachClaim, Operator, Prior, Property, estimate, randomize
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.logarithm import Ln, e_to
from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Constraint, PriorFamily
from ppdm_formal.declare.operators.within import Within
from ppdm_formal.derive.measures.amplification import amplification

SAMPLES = 25
SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "certificate.schema.json").read_text())


def rows_of(operator):
    return [[operator.probability(x, y) for y in operator.outputs] for x in operator.inputs]


def document_of(certificate):
    document = json.loads(json.dumps(certificate.to_json()))
    validate(document, SCHEMA)
    return document


def sealed(document):
    body = {key: value for key, value in document.items() if key != "sha256"}
    return body | {"sha256": digest(body)}


def examined(rng, size, digits, spread, samples, counts):
    """One matrix, all claims, so many samples; the two matrices of an unknown are replayed."""
    rows = printed(rng, size, digits, spread)
    operator = Operator.from_matrix(rows, rounded=digits)
    middle = amplification(operator).value
    asked = claims(rng, operator, middle if isinstance(middle, F) else F(9))
    found = [certify(operator, one.claim) for one in asked]
    half = F(1, 2 * 10**digits)
    for one, certificate in zip(asked, found, strict=True):
        counts[certificate.verdict, certificate.finding.between is not None] += 1
        if certificate.verdict is not Verdict.UNKNOWN:
            result = check_certificate(document_of(certificate))
            assert result.accepted, (str(one.claim), result.reason)
            continue
        between = certificate.finding.between
        assert between.holds is not None, str(one.claim)
        for exact, verdict in (
            (between.holds, Verdict.CERTIFIED),
            (between.breaks, Verdict.BREACHED),
        ):
            real = rows_of(exact)
            assert all(sum(row) == 1 and min(row) >= 0 for row in real)
            assert all(
                abs(p - shown) <= half
                for row, line in zip(real, rows, strict=True)
                for p, shown in zip(row, line, strict=True)
            )
            assert certify(exact, one.claim).verdict is verdict
            if one.breaks is not None:
                assert one.breaks(real) == (verdict is Verdict.BREACHED)
    for _ in range(samples):
        one_matrix = sampled(rng, rows, digits)
        assert operator.within.holds(one_matrix)
        for one, certificate in zip(asked, found, strict=True):
            if certificate.verdict is Verdict.UNKNOWN or one.breaks is None:
                continue
            assert one.breaks(one_matrix) == (certificate.verdict is Verdict.BREACHED), str(
                one.claim
            )


def test_verdicts_are_never_contradicted():
    counts = Counter()
    for seed in range(24):
        rng = random.Random(seed)
        size = 6 if seed % 2 else rng.choice((2, 3, 4))
        examined(rng, size, rng.choice((2, 3, 4, 5, 6)), rng.choice((20, 60, 95)), SAMPLES, counts)
    assert counts[Verdict.CERTIFIED, False] >= 10
    assert counts[Verdict.BREACHED, False] >= 5
    assert counts[Verdict.UNKNOWN, True] >= 10


def test_a_family_is_confirmed_by_the_ordinary_decider():
    """Certified families hold of samples, breached ones fail on each."""
    seen = set()
    for seed in range(8):
        rng = random.Random(seed)
        rows = printed(rng, 3, 2, 60)
        operator = Operator.from_matrix(rows, rounded=2)
        claim = claims(rng, operator, F(rng.randint(2, 5)))[-1].claim
        found = certify(operator, claim)
        seen.add(found.verdict)
        for _ in range(6):
            exact = Operator.from_matrix(sampled(rng, rows, 2))
            if found.verdict is not Verdict.UNKNOWN:
                assert certify(exact, claim).verdict is found.verdict
    assert Verdict.CERTIFIED in seen


def test_the_intervals_are_as_narrow_as_rows_allow():
    rng = random.Random(3)
    for _ in range(20):
        rows = printed(rng, 3, 1, 95)
        within = Within.rounded(rows, 1)
        for i in range(3):
            for j in range(3):
                for end in (within.least[i][j], within.most[i][j]):
                    matrix = within.with_cells(within.near(rows), {(i, j): end})
                    assert within.holds(matrix)
                    assert matrix[i][j] == end
        for _ in range(20):
            one = sampled(rng, rows, 1)
            assert within.holds(one)
            costs = {(i, j): F(rng.randint(-5, 5)) for i in range(3) for j in range(3)}
            assert within.lowest(costs) <= sum(c * one[i][j] for (i, j), c in costs.items())


def test_every_matrix_breaks_though_no_single_breach_is_in_all():
    """Two entries below 9/25 and one up to 27/100 cannot sum to 1; each alone is possible."""
    other = (F(3, 10), F(3, 10), F(2, 5))
    within = Within.of(
        [(F(3, 10), F(3, 10), F(1, 10)), other], [(F(1, 2), F(1, 2), F(27, 100)), other]
    )
    operator = Operator.from_matrix(within.near(within.least), outputs=["a", "b", "c"], name="R")
    operator.within = within
    about = Property.of(operator.inputs, [0], "first")
    found = certify(operator, BreachClaim(F(1, 4), F(2, 7), "upward", about=about))  # ratio 6/5
    assert found.verdict is Verdict.BREACHED
    document = document_of(found)
    assert len(document["evidence"]["cuts"]) == 2
    assert check_certificate(document).accepted
    for weights in (["1"], ["1", "0"], ["-1", "-1"], ["1", "1000"]):
        forged = document | {"evidence": document["evidence"] | {"weights": weights}}
        assert not check_certificate(sealed(forged)).accepted
    alone = {"kind": "rounded", "cuts": document["evidence"]["cuts"][:1], "weights": ["1"]}
    assert not check_certificate(sealed(document | {"evidence": alone})).accepted
    # one matrix keeps the claim once c may be as large as 28/100
    wider = Within.of(
        [(F(3, 10), F(3, 10), F(1, 10)), other], [(F(1, 2), F(1, 2), F(29, 100)), other]
    )
    operator.within = wider
    found = certify(operator, BreachClaim(F(1, 4), F(2, 7), "upward", about=about))
    assert found.verdict is Verdict.UNKNOWN
    assert found.finding.between.holds.probability(0, "c") > F(28, 100)


def coin(digits=2):
    return Operator.from_matrix(
        [["0.33", "0.67"], ["0.67", "0.33"]], "ab", "ab", "R", rounded=digits
    )


def all_claims(operator):
    prior = Prior.of(operator.inputs, {"a": "1/4", "b": "3/4"}, "X")
    about = Property.of(operator.inputs, ["a"], "is_a")
    z = Operator.from_matrix([["1/2", "1/2"], ["1/3", "2/3"]], "ab", "uv", "Z")
    family = PriorFamily((Constraint(((F(1), about),), "<=", F(1, 5)),))
    return [
        BoundClaim("amplification", "<=", F(21, 10)),
        BoundClaim("amplification", "<=", F(19, 10)),
        BoundClaim("amplification", "<", F(19, 10), reports=3),
        BoundClaim("epsilon", "<=", F(3, 4)),
        BoundClaim("epsilon", "<=", F(1, 2)),
        BoundClaim("epsilon", "<=", Ln(F(21, 10))),
        BoundClaim("amplification", "<=", e_to(F(1, 2))),
        BoundClaim("epsilon", "<", F(4), reports=5),
        BreachClaim(F(1, 4), F(1, 2)),
        BreachClaim(F(1, 4), F(3, 8), "upward", None, about),
        BreachClaim(F(1, 4), F(1, 2), under=prior),
        BreachClaim(F(1, 4), F(3, 8), under=prior),
        BreachClaim(F(1, 4), F(3, 8), "upward", prior, about),
        BreachClaim(F(1, 3), F(3, 5), "both", prior, about, z),
        BreachClaim(F(1, 4), F(1, 2), "both", family),
        BreachClaim(F(1, 10), F(1, 8), "both", family, about, z),
        BreachClaim(F(1, 4), F(4, 5), "both", None, None, z, 2),
    ]


def test_changed_certificates_are_rejected():
    operator = coin()
    verdicts = Counter()
    for claim in all_claims(operator):
        found = certify(operator, claim)
        verdicts[found.verdict] += 1
        assert found.verdict is not Verdict.UNKNOWN, str(claim)
        document = document_of(found)
        assert check_certificate(document).accepted, (
            str(claim),
            check_certificate(document).reason,
        )
        turned = {"certified": "breached", "breached": "certified"}[document["verdict"]]
        witness = {"column": 0, "output": "a"} if turned == "breached" else None
        lies = [document | {"verdict": turned, "witness": witness}]
        wide = json.loads(json.dumps(document))  # intervals that hold much else
        for row in wide["operator"]["rows"]:
            row |= {"least": ["1/100"] * 2, "most": ["99/100"] * 2}
        lies.append(wide)
        if document["verdict"] == "breached":
            lies.append(document | {"evidence": {"kind": "rounded"}})
        short = json.loads(json.dumps(document))
        short["operator"]["rows"][0]["most"] = ["1/10", "1/10"]  # cannot sum to 1
        lies.append(short)
        for lie in lies:
            assert not check_certificate(sealed(lie)).accepted, str(claim)
    assert min(verdicts.values()) >= 5


def test_what_is_not_decided_says_why():
    operator = coin()
    prior = Prior.uniform(Domain("ab"), "U")
    for claim, why in (
        (BoundClaim("worst_case_information", "<=", F(1), prior, "bit"), "not decided for all"),
        (BreachClaim(F(1, 4), F(1, 2), under=prior, reports=2), "all priors only"),
        (BreachClaim(F(1, 4), F(1, 2), knowing=coin()), "not known exactly"),
    ):
        found = certify(operator, claim)
        assert found.verdict is Verdict.UNKNOWN
        assert why in found.reason


def test_rounded_knowledge_is_never_taken_for_one_of_its_matrices():
    answers = Operator.from_matrix([["3/5", "2/5"], ["2/5", "3/5"]], "ab", "ab")
    for under in (None, Prior.uniform(Domain("ab"), "U")):
        claim = BreachClaim(F(1, 4), F(3, 4), under=under, knowing=coin())
        found = certify(answers, claim)
        assert found.verdict is Verdict.UNKNOWN
        assert "not known exactly" in found.reason


def test_a_rounded_matrix_is_not_run():
    with pytest.raises(ValueError, match="but not run"):
        randomize(coin(), ["a"])
    with pytest.raises(ValueError, match="but not run"):
        estimate(coin(), ["a", "b"])


@pytest.mark.parametrize("combine", ["then", "product", "mixture"])
def test_a_rounded_matrix_is_not_combined(combine):
    one = coin()
    with pytest.raises(ValueError, match="within rounding only"):
        {
            "then": lambda: one.then(one),
            "product": lambda: one.product(one),
            "mixture": lambda: Operator.mixture([("1/2", one), ("1/2", one)]),
        }[combine]()
    assert one != Operator.from_matrix(rows_of(one), "ab", "ab")
