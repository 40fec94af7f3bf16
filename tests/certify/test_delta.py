"""Delta of (epsilon, delta): against all subsets of outputs, exactly, and through the checker."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain, combinations, permutations

import pytest

from ppdm_formal.certify import certify
from ppdm_formal.certify.canonical import digest
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.logarithm import ln
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.families import duchi_mean, local_hashing, single_values
from ppdm_formal.declare.families.flip import flip
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.delta import delta, pair_views

E = exp_of(Fraction(1))
EPSILONS = [Fraction(0), Fraction(1, 2), Fraction(1), ln(Fraction(3)), ln(Fraction(7, 5))]


def sealed(document):
    """The document with the digest that belongs to it."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    return {**rest, "sha256": digest(rest)}


def brute_force(operator, factor):
    """The most that a set of outputs is likelier from one input than factor times from another."""
    inputs, outputs = list(operator.inputs), list(operator.outputs)
    subsets = list(chain(*(combinations(outputs, k) for k in range(len(outputs) + 1))))
    best = Fraction(0)
    for one, other in permutations(inputs, 2):
        for chosen in subsets:
            p, q = (
                sum((operator.probability(x, y) for y in chosen), Fraction(0)) for x in (one, other)
            )
            best = max(best, p - factor * q)
    return best


def random_operator(dice, inputs, outputs, exponentials):
    rows = []
    for _ in range(inputs):
        weights = [Fraction(dice.randint(0, 5)) for _ in range(outputs)]
        if exponentials:
            weights = [w * exp_of(Fraction(dice.randint(0, 2), 2)) for w in weights]
        weights[dice.randrange(outputs)] += 1
        rows.append([weight / sum(weights, Fraction(0)) for weight in weights])
    return Operator.from_matrix(rows)


@pytest.mark.parametrize("exponentials", [False, True])
def test_delta_is_the_most_over_all_subsets_of_outputs(exponentials):
    dice = random.Random(31 + exponentials)
    for _ in range(12):
        operator = random_operator(dice, 3, 4, exponentials)
        for epsilon in EPSILONS:
            factor = exp_of(epsilon) if isinstance(epsilon, Fraction) else epsilon.of
            found = delta(operator, epsilon)
            assert found.value == brute_force(operator, factor)
            if found.value:
                alone = Operator.from_matrix(
                    [
                        [operator.probability(x, y) for y in operator.outputs]
                        for x in (found.likely, found.unlikely)
                    ]
                )
                assert brute_force(alone, factor) == found.value


def test_claims_are_decided_where_they_are_met_exactly():
    dice = random.Random(5)
    for _ in range(6):
        operator = random_operator(dice, 3, 3, True)
        value = delta(operator, Fraction(1)).value
        for bound, relation, verdict in [
            (value, "<=", "certified"),
            (value, "<", "breached"),
            (value - Fraction(1, 10**50), "<=", "breached"),
            (value + Fraction(1, 10**50), "<", "certified"),
        ]:
            claim = BoundClaim("delta", relation, bound, at=Fraction(1))
            found = certify(operator, claim)
            assert found.verdict.value == verdict
            document = found.to_json()
            assert check_certificate(document).accepted
            turned = {"certified": "breached", "breached": "certified"}[verdict]
            assert not check_certificate(document | {"verdict": turned}).accepted


def test_a_certificate_with_other_likelihoods_is_rejected():
    operator = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    document = certify(operator, BoundClaim("delta", "<=", "1/5", at=Fraction(1))).to_json()
    assert check_certificate(document).accepted
    for changed in ("1/2", "exp(1)/4", "3/8"):
        from copy import deepcopy

        other = deepcopy(document)
        other["operator"]["views"][0]["classes"][0]["likelihood"] = changed
        assert not check_certificate(other).accepted


@pytest.mark.parametrize(
    "operator",
    [
        randomized_response(5, E / (E + 4)),
        flip(items=4, size=2, stay="3/4"),
        select_a_size(items=5, size=2, insert="1/3", keep=["1/4", "1/4", "1/2"]),
    ],
    ids=["randomized_response", "flip", "select_a_size"],
)
def test_families_give_their_pairs_in_closed_form(operator):
    written = Operator.from_codes(operator.inputs, operator.outputs, operator.matrix())
    for epsilon in EPSILONS:
        assert delta(operator, epsilon).value == delta(written, epsilon).value


def test_a_family_of_a_million_values_has_one_pair():
    operator = randomized_response(10**6, E / (E + 10**6 - 1))
    found = certify(operator, BoundClaim("delta", "<=", "1/1000000", at=Fraction(1, 2)))
    assert found.verdict.value == "breached"
    assert check_certificate(found.to_json()).accepted


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("delta <= 1/2", "delta is written delta(EPSILON)"),
        ("delta(X) <= 1/2", "unknown name X"),
        ("delta(-1) <= 1/2", "an epsilon from 0 to 1,000"),
        ("delta(1e9) <= 1/2", "an epsilon from 0 to 1,000"),
        ("epsilon <= 1e9", "bounded by at most 1,000"),
        ("delta(exp(1)) <= 1/2", "expected a rational number"),
        ("epsilon(1) <= 1/2", "epsilon is written epsilon"),
        ("epsilon <= exp(1)", "expected a rational number"),
        ("amplification <= ln(3)", "expected a number"),
        ("delta(1) <= 1/2 after 3 reports", "of one report"),
    ],
)
def test_what_is_refused(claim, message):
    with pytest.raises(ModelError) as refused:
        compile_text(
            f"operator R = randomized_response(values: 3, keep: 1/2)\naudit R {{ require {claim} }}"
        )
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "family",
    [
        "unary_encoding(values: 3, keep: 2/3, flip: 1/5)",
        "unary_encoding(values: 3, epsilon: 1)",
        "unary_encoding(values: 3, keep: 1, flip: 0)",
        "local_hashing(values: 2, buckets: 3, gamma: 4)",
        "subset_selection(values: 3, epsilon: 1, chosen: 2)",
        "subset_selection(values: 3, gamma: 3, chosen: 3)",
    ],
)
def test_outputs_that_are_added_up_leave_delta_as_it_is(family, monkeypatch):
    operator = compile_text(f"operator R = {family}").operator("R")
    listed = [delta(operator, epsilon).value for epsilon in EPSILONS]
    assert listed[1] == brute_force(operator, exp_of(EPSILONS[1]))
    monkeypatch.setattr(single_values, "MAX_PAIR_ITEMS", 1)
    monkeypatch.setattr(local_hashing, "MAX_PAIR_VALUES", 1)
    assert [delta(operator, epsilon).value for epsilon in EPSILONS] == listed


@pytest.mark.parametrize(
    "family",
    [
        "unary_encoding(values: 1000000, epsilon: 1)",
        "local_hashing(values: 1000000, buckets: 4, epsilon: 1)",
        "subset_selection(values: 1000000, epsilon: 1)",
        "subset_selection(values: 10000, gamma: exp(eps), chosen: 2000)",
    ],
)
def test_delta_on_very_many_values_is_certified_and_checked(family):
    text = f"param eps in (0, 5)\noperator R = {family}"
    operator = compile_text(text).operator("R")
    certificate = certify(operator, BoundClaim("delta", "<=", Fraction(1, 8), at=Fraction(1, 2)))
    assert certificate.verdict.value == ("partly" if operator.parameters else "breached")
    document = certificate.to_json()
    assert check_certificate(document).status == "accepted"
    assert len(str(document["operator"]["views"])) < 2_000
    for change in ({"likelihoods": "probabilities"}, {"likelihoods": "relative"}):
        changed = {**document, "operator": {**document["operator"], **change}}
        assert check_certificate(sealed(changed)).status == "rejected"


def test_of_a_mean_on_many_values_the_ends_have_the_greatest_delta(monkeypatch):
    few = compile_text("operator R = duchi_mean(values: 6, epsilon: 1)").operator("R")
    listed = [delta(few, epsilon) for epsilon in EPSILONS]
    assert listed[1].value == brute_force(few, exp_of(EPSILONS[1]))
    monkeypatch.setattr(duchi_mean, "MAX_PAIRED", 5)
    assert [delta(few, epsilon).value for epsilon in EPSILONS] == [one.value for one in listed]
    assert len(pair_views(few)) == 2
    many = compile_text("operator R = duchi_mean(values: 1000000, epsilon: 1)").operator("R")
    certificate = certify(many, BoundClaim("delta", "<=", Fraction(1, 5), at=Fraction(1, 2)))
    assert certificate.verdict.value == "breached"
    assert check_certificate(certificate.to_json()).status == "accepted"


def test_only_pairs_are_added_up():
    operator = compile_text("operator R = unary_encoding(values: 100, gamma: 3)").operator("R")
    document = certify(operator, BoundClaim("amplification", "<=", 3)).to_json()
    changed = {**document, "operator": {**document["operator"], "likelihoods": "summed"}}
    assert "pairs only" in check_certificate(sealed(changed)).reason
