"""Claims about crowds: decided as brute force has it (crowds_by_hand.py), and what theorems say."""

import itertools
import random
from collections import Counter
from fractions import Fraction as F

import pytest
from crowds_by_hand import Crowds, case, distribution, drawn, histogram
from how_many import cases

from ppdm_formal import BoundClaim, BreachClaim, Operator, Prior, Property
from ppdm_formal.certify import certify
from ppdm_formal.declare.arithmetic.logarithm import ln
from ppdm_formal.declare.operators.crowd import MAX_CLIENTS, Crowd
from ppdm_formal.declare.operators.prior import Constraint, PriorFamily

WARNER = [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]


def operator_of(matrix):
    return Operator.from_matrix(matrix, name="R")


def delta(matrix, factor, limit, crowd, relation="<="):
    claim = BoundClaim("delta", relation, limit, at=ln(F(factor)), crowd=crowd)
    return certify(operator_of(matrix), claim).verdict.value


def prior_of(operator, shares, name="P"):
    return Prior.of(operator.inputs, dict(zip(operator.inputs, shares, strict=True)), name)


def test_what_is_decided_is_true():
    chance, counts = random.Random(4), Counter()
    for _ in range(cases(6, 30)):
        case(chance, counts)
    assert counts["certified"] > 4
    assert counts["T5"] > 20


def test_delta_does_not_rise_with_more_clients():
    chance = random.Random(2)
    for _ in range(cases(5, 30)):
        matrix = [distribution(chance, 3) for _ in range(2)]
        factor = chance.choice([F(1), F(3, 2), F(3)])
        values = [Crowds.of(matrix, n).delta(factor) for n in (1, 2, 3, 4)]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("others", [None, [F(1, 2), F(1, 2)], [F(1), F(0)]])
def test_from_how_many_clients_on_is_close_to_the_truth(others):
    """The fewest that are found hold; and where the others' law is known, one fewer do not."""
    operator = operator_of(WARNER)
    limit = F(1, 12)
    strangers = None if others is None else prior_of(operator, others)
    claim = BoundClaim("delta", "<=", limit, at=ln(F(2)), crowd=Crowd(40, others=strangers))
    found = certify(operator, claim)
    assert found.verdict.value == "certified"
    fewest = found.to_json()["thresholds"]["clients_from"]
    assert 1 < fewest <= 9
    assert Crowds.of(WARNER, fewest, others).delta(F(2)) <= limit
    if others is not None:
        assert Crowds.of(WARNER, fewest - 1, others).delta(F(2)) > limit


def test_one_client_is_alone():
    """Of one report delta is that of one report."""
    for matrix in (WARNER, [[F(1), F(0)], [F(1, 3), F(2, 3)]], [[F(1, 2), F(1, 2)]] * 2):
        for factor in (1, 2, 3):
            local = max(
                sum(max(F(0), p - factor * q) for p, q in zip(one, two, strict=True))
                for one in matrix
                for two in matrix
            )
            assert Crowds.of(matrix, 1).delta(F(factor)) == local
            assert delta(matrix, factor, local + F(1, 100), Crowd(1)) == "certified"
            if local:
                assert delta(matrix, factor, local * F(99, 100), Crowd(1)) == "breached"


def test_colluding_and_missing_are_not_counted():
    plain = Crowd(4)
    apart = Crowd(9, colluding=2, missing=3)
    assert plain.counted == apart.counted == 4
    value = Crowds.of(WARNER, 4, [F(1), F(0)]).delta(F(1))
    for limit, verdict in ((value * F(11, 10), "certified"), (value * F(9, 10), "breached")):
        for crowd in (plain, apart):
            strangers = prior_of(operator_of(WARNER), [F(1), F(0)])
            crowd = Crowd(crowd.clients, "shuffling", crowd.colluding, crowd.missing, strangers)
            assert delta(WARNER, 1, limit, crowd) == verdict


def test_a_ratio_that_is_met_exactly():
    """Amplification 3: nothing exceeds e^ln(3) times anything, among however many."""
    for many in (1, 2, 1000, MAX_CLIENTS):
        assert delta(WARNER, 3, F(0), Crowd(many)) == "certified"
    for many in (1, 2, 5):
        assert delta(WARNER, F(299, 100), F(0), Crowd(many)) == "breached"


def test_delta_is_never_below_0():
    """Not even where all values are answered alike."""
    for matrix in (WARNER, [[F(1, 2), F(1, 2)]] * 2):
        for many in (1, 3, 50):
            claim = BoundClaim("delta", "<", F(0), at=ln(F(3)), crowd=Crowd(many))
            found = certify(operator_of(matrix), claim)
            assert found.verdict.value == "unknown"
            assert found.reason.startswith("delta is never below 0")


def test_reports_that_only_one_value_sends_are_recognized():
    """However many others there are: with what the first sends nobody else."""
    matrix = [[F(1, 4), F(3, 4)], [F(0), F(1)]]
    for many in (1, 2, 5, 500):
        assert delta(matrix, 2, F(24, 100), Crowd(many)) == "breached"
    assert Crowds.of(matrix, 4).delta(F(2)) >= F(1, 4)
    everyone = prior_of(operator_of(matrix), [F(1), F(0)])
    assert delta(matrix, 2, F(1, 10), Crowd(500, others=everyone)) == "certified"


def test_without_an_exception_a_crowd_changes_nothing():
    """T1, by brute force: the same breaches among a crowd as of one report."""
    chance, broken = random.Random(5), Counter()
    for _ in range(cases(12, 60)):
        matrix, _, others, _ = drawn(chance)
        if len(matrix) > 3 or len(matrix[0]) > 3:
            continue
        crowds = Crowds.of(matrix, 3, others)
        rho1, rho2 = chance.choice([(F(1, 4), F(1, 2)), (F(1, 3), F(2, 3)), (F(1, 10), F(1, 2))])
        prior = distribution(chance, len(matrix))
        sets = list(itertools.product((False, True), repeat=len(matrix)))
        happens = [
            crowds.breach(prior, list(chosen), rho1, rho2, way)
            for chosen in sets
            for way in ("upward", "downward")
        ]
        truth = any(happens)
        operator = operator_of(matrix)
        strangers = None if others is None else prior_of(operator, others, "S")
        for crowd in (None, Crowd(3, others=strangers)):
            claim = BreachClaim(rho1, rho2, "both", prior_of(operator, prior), crowd=crowd)
            assert certify(operator, claim).verdict.value == ("breached" if truth else "certified")
        broken[truth] += 1
    assert min(broken[True], broken[False]) > 0


def test_amplification_among_a_crowd_is_that_of_one_report():
    for limit, verdict in ((F(3), "certified"), (F(29, 10), "breached")):
        claim = BoundClaim("amplification", "<=", limit, crowd=Crowd(1000))
        assert certify(operator_of(WARNER), claim).verdict.value == verdict


def test_one_property_under_one_prior():
    operator = operator_of(WARNER)
    prior = prior_of(operator, [F(1, 4), F(3, 4)])
    first = Property.of(operator.inputs, [0], "first")
    crowds = Crowds.of(WARNER, 3)
    value = crowds.breach([F(1, 4), F(3, 4)], [True, False], F(1, 4), F(2, 5), "upward")
    claim = BreachClaim(
        F(1, 4), F(2, 5), "upward", prior, first, crowd=Crowd(3), exception=value * F(9, 10)
    )
    assert certify(operator, claim).verdict.value == "breached"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((0,), "expected 1 to"),
        ((MAX_CLIENTS + 1,), "expected 1 to"),
        ((True,), "whole numbers"),
        ((3.0,), "whole numbers"),
        ((5, "shuffling", -1), "below 0"),
        ((5, "shuffling", 0, -2), "below 0"),
        ((5, "shuffling", 3, 2), "no report is left"),
        ((5, "shuffling", 5), "no report is left"),
    ],
)
def test_crowds_that_cannot_be(given, said):
    with pytest.raises(ValueError, match=said):
        Crowd(*given)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (lambda: BreachClaim(F(1, 4), F(1, 2), exception=F(1, 10)), "needs the crowd"),
        (lambda: BreachClaim(F(1, 4), F(1, 2), crowd=Crowd(5), exception=F(0)), "above 0"),
        (lambda: BreachClaim(F(1, 4), F(1, 2), crowd=Crowd(5), exception=F(1)), "below 1"),
        (lambda: BreachClaim(F(1, 4), F(1, 2), crowd=Crowd(5, "summing")), "except"),
        (lambda: BreachClaim(F(1, 4), F(1, 2), crowd=Crowd(5), reports=2), "one report"),
        (lambda: BoundClaim("delta", "<=", F(1, 9), at=F(1), crowd=Crowd(5), reports=2), "one"),
        (lambda: BoundClaim("vulnerability", "<=", F(1, 9), crowd=Crowd(5)), "."),
        (lambda: BoundClaim("epsilon", "<=", F(1), crowd=Crowd(5, "summing")), "delta"),
    ],
)
def test_claims_that_cannot_be(claim, said):
    with pytest.raises(ValueError, match=said):
        claim()


def test_priors_on_other_values_are_refused():
    elsewhere = Prior.of(operator_of([[F(1)]] * 3).inputs, {0: F(1), 1: F(0), 2: F(0)}, "S")
    with pytest.raises(ValueError, match="S is on"):
        delta(WARNER, 2, F(1, 10), Crowd(5, others=elsewhere))


def test_others_from_a_family_of_priors():
    """Against all priors of it that are extreme, each of the others having its own."""
    chance, told = random.Random(8), Counter()
    for _ in range(cases(12, 60)):
        matrix = [[p / 2 + F(1, 6) for p in distribution(chance, 3)] for _ in range(3)]
        operator, clients = operator_of(matrix), chance.randint(2, 4)
        low = chance.choice([F(1, 5), F(1, 3), F(1, 2)])
        q = Property.of(operator.inputs, [0], "q")
        relation = chance.choice(["<=", ">=", "=="])
        family = PriorFamily((Constraint(((F(1), q),), relation, low),))
        heads = {"<=": [F(0), low], ">=": [low, F(1)], "==": [low]}[relation]
        ends = {(h, *rest) for h in heads for rest in ((1 - h, F(0)), (F(0), 1 - h))}
        laws = [
            [
                sum(u * p for u, p in zip(end, column, strict=True))
                for column in zip(*matrix, strict=True)
            ]
            for end in ends
        ]
        known = itertools.combinations_with_replacement(laws, clients - 1)
        seen = [[histogram([row, *rest]) for row in matrix] for rest in known]
        factor = chance.choice([F(1), F(3, 2)])
        value = Crowds(matrix, clients, seen).delta(factor)
        for limit in (value * F(9, 10), value * F(99, 100), value, value * F(3, 2)):
            claim = BoundClaim(
                "delta", "<=", limit, at=ln(factor), crowd=Crowd(clients, others=family)
            )
            found = certify(operator, claim)
            assert "DISAGREEMENT" not in found.reason
            verdict = found.verdict.value
            told[verdict] += 1
            assert verdict != ("certified" if value > limit else "breached")
    assert min(told["certified"], told["breached"]) > 3


def test_a_family_without_a_prior_is_bad_input():
    operator = operator_of(WARNER)
    q = Property.of(operator.inputs, [0], "q")
    family = PriorFamily((Constraint(((F(1), q),), ">", F(1)),))
    claim = BoundClaim("delta", "<=", F(1, 10), at=F(1), crowd=Crowd(9, others=family))
    with pytest.raises(ValueError, match="no prior satisfies"):
        certify(operator, claim)
