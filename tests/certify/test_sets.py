"""Claims on outputs that are sets, decided on the dominating ones: against all views, and in large.

A limit of 0 on views makes small operators take the way of large ones; the same law written out as
a matrix is decided on all its views.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from certify_schema import validate

import ppdm_formal.declare.families.single_values as single_values
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.finding import InconsistentConstraints
from ppdm_formal.certify.subjects.finite import rebuilt_of
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.event_dependence import event_dependence
from ppdm_formal.derive.measures.posterior import posterior, worst_posterior

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "certificate.schema.json").read_text())
MILLION = 10**6


def written_out(operator):
    """The same law as a matrix: nothing of the family is left."""
    rows = [[operator.probability(x, y) for y in operator.outputs] for x in operator.inputs]
    return Operator.from_matrix(rows, operator.inputs, list(operator.outputs), operator.name)


def some_family(rng, values):
    if rng.random() < 0.5:
        keep, flip = (Fraction(rng.randint(1, 9), 10) for _ in range(2))
        return unary_encoding(values, keep=keep, flip=flip, name="U")
    gamma = Fraction(rng.randint(1, 20), 5)  # below 1: a set is likelier for what it lacks
    return subset_selection(values, gamma=gamma, chosen=rng.randint(1, values - 1), name="U")


def some_case(rng):
    """An operator, and whatever a claim about it may name."""
    values = rng.randint(2, 6)
    operator = some_family(rng, values)
    weights = [rng.choice([0, 1, 1, 2, 5]) for _ in range(values)]
    weights[0] += not sum(weights)
    shares = {x: Fraction(weight, sum(weights)) for x, weight in enumerate(weights)}
    prior = Prior.of(operator.inputs, shares, "X")
    q, other = (
        Property.of(operator.inputs, [x for x in range(values) if rng.random() < 0.5], name)
        for name in ("q", "other")
    )
    bound = Constraint(
        ((Fraction(1), other),),
        rng.choice(["<=", ">=", "<", "=="]),
        Fraction(rng.randint(1, 9), 10),
    )
    told = [Fraction(rng.choice([0, 1, 1, 2]), 3) for _ in range(values)]
    knowing = Operator.from_matrix(
        [[share, 1 - share] for share in told], range(values), ["a", "b"], "Z"
    )
    low, high = sorted(rng.sample(range(1, 20), 2))
    claim = BreachClaim(
        Fraction(low, 20),
        Fraction(high, 20),
        rng.choice(["both", "upward", "downward"]),
        rng.choice([prior, prior, PriorFamily((bound,)), None]),
        rng.choice([None, q]),
        knowing if rng.random() < 0.3 else None,
    )
    return operator, claim, prior, (q, other), knowing


def test_small_operators_are_decided_as_on_all_views(monkeypatch):
    rng, chosen = random.Random(13), 0
    monkeypatch.setattr(single_values, "MAX_KINDS", 0)
    for _ in range(60):
        operator, claim, prior, properties, knowing = some_case(rng)
        try:
            whole = certify(written_out(operator), claim)
        except InconsistentConstraints:
            with pytest.raises(InconsistentConstraints):
                certify(operator, claim)
            continue
        found = certify(operator, claim)
        chosen += any(view.chosen is not None for view in found.views)
        assert (found.verdict, found.vacuous) == (whole.verdict, whole.vacuous), str(claim)
        assert found.thresholds == whole.thresholds, str(claim)
        document = found.to_json()
        validate(document, SCHEMA)
        named = {one.name: one for one in properties}
        derived = rebuilt_of(document, {"X": prior}, named, {"U": operator, "Z": knowing})
        result = check_certificate(document, views=derived.operator, claim=derived.claim)
        assert result.accepted, (result.reason, str(claim))
    assert chosen > 40


def test_posteriors_of_small_operators_are_those_of_all_views(monkeypatch):
    rng = random.Random(14)
    monkeypatch.setattr(single_values, "MAX_KINDS", 0)
    for _ in range(40):
        operator, _, prior, (q, _), _ = some_case(rng)
        plain = written_out(operator)
        for direction in ("upward", "downward"):
            mine, whole = (worst_posterior(one, prior, q, direction) for one in (operator, plain))
            assert mine.after == whole.after
            assert (
                mine.after
                == posterior(plain, prior, q, operator.law.sets.outputs().as_set(mine.output)).after
            )
        for under in (prior, None):
            assert event_dependence(operator, q, under).ratio == (
                event_dependence(plain, q, under).ratio
            )


def uniform(operator):
    return Prior.uniform(operator.inputs, "X")


@pytest.mark.parametrize(
    ("operator", "reached"),
    [
        # The best property is the set itself: 333,333 values, gamma times as likely.
        (
            unary_encoding(MILLION, gamma=3, name="U"),
            Fraction(3 * 333_333, 2 * 333_333 + MILLION),
        ),
        (unary_encoding(MILLION, "3/4", name="U"), Fraction(9 * 333_333, 8 * 333_333 + MILLION)),
        (
            unary_encoding(MILLION, epsilon=1, name="U"),
            333_333 * e_to(Fraction(1)) / (666_667 + 333_333 * e_to(Fraction(1))),
        ),
        # Sets have 250,000 values: all of them and 83,333 others.
        (
            subset_selection(MILLION, gamma=3, name="U"),
            Fraction(3 * 250_000 + 83_333, 2 * 250_000 + MILLION),
        ),
    ],
)
def test_a_million_equally_likely_values(operator, reached):
    claim = BreachClaim("1/3", "9/10", "upward", uniform(operator))
    found = certify(operator, claim)
    assert found.verdict is Verdict.CERTIFIED
    assert found.thresholds.rho2_above == reached
    assert check_certificate(found.to_json()).accepted
    broken = certify(operator, BreachClaim("1/3", "2/5", "upward", uniform(operator)))
    assert broken.verdict is Verdict.BREACHED
    assert check_certificate(broken.to_json()).accepted


def test_a_million_values_of_a_few_kinds_for_a_property():
    """One value holds a tenth, the property a hundredth of the rest with it; in numbers by hand."""
    operator = subset_selection(MILLION, gamma=3, name="U")
    rest = Fraction(9, 10) / (MILLION - 1)
    prior = Prior(operator.inputs, (np.arange(MILLION) > 0) * 1, [Fraction(1, 10), rest], "X")
    low = Property(operator.inputs, np.arange(MILLION) < 10_000, "low")
    before = Fraction(1, 10) + 9_999 * rest
    # All of low and 240,000 others are in the likeliest set; none and 250,000 in the other.
    most = 3 * before / (1 + 2 * (before + 240_000 * rest))
    least = before / (1 + 2 * 250_000 * rest)
    assert worst_posterior(operator, prior, low).after == most
    assert worst_posterior(operator, prior, low, "downward").after == least
    found = certify(operator, BreachClaim("3/20", "1/4", under=prior, about=low))
    assert (found.verdict, found.thresholds.rho2_above) == (Verdict.CERTIFIED, most)
    assert check_certificate(found.to_json()).accepted
    family = PriorFamily((Constraint(((Fraction(1), low),), "<=", Fraction(1, 20)),))
    for rho2, verdict in (("1/7", Verdict.CERTIFIED), ("1/8", Verdict.BREACHED)):
        found = certify(operator, BreachClaim("1/10", rho2, "upward", family, low))
        assert found.verdict is verdict  # 1/20 becomes 3/22, between the two
        assert check_certificate(found.to_json()).accepted


def test_what_needs_all_views_is_unknown_and_says_why():
    operator = unary_encoding(MILLION, gamma=3, name="U")
    for claim in (
        BoundClaim("vulnerability", "<=", "1/10", uniform(operator)),
        BoundClaim("mutual_information", "<=", 1, uniform(operator), "bit"),
    ):
        found = certify(operator, claim)
        assert found.verdict is Verdict.UNKNOWN
        assert "needs them all" in found.reason
    found = certify(operator, BreachClaim("1/10", "1/2", under=uniform(operator), reports=2))
    assert found.verdict is Verdict.UNKNOWN
    certain = unary_encoding(MILLION, keep=1, flip="1/4", name="U")  # a likelihood of 0
    found = certify(certain, BreachClaim("1/10", "1/2", under=uniform(certain)))
    assert found.verdict is Verdict.UNKNOWN
