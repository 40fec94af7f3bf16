"""Tables of crowds against all histograms enumerated, the others having any values."""

from __future__ import annotations

import math
from fractions import Fraction as F

import pytest

from ppdm_formal.certify.crowd_table import CrowdShown, crowd_tables, decades
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.machine.deadline import NEVER
from ppdm_formal.declare.operators.crowd import Crowd
from ppdm_formal.declare.operators.randomization import Operator

KEEP = F(3, 4)
COIN = Operator.from_matrix([[KEEP, 1 - KEEP], [1 - KEEP, KEEP]], name="Coin")


def _ones(chances):
    """The law of how many of independent coins are 1, from the definition."""
    law = [F(1)]
    for p in chances:
        longer = [F(0)] * (len(law) + 1)
        for k, mass in enumerate(law):
            longer[k] += mass * (1 - p)
            longer[k + 1] += mass * p
        law = longer
    return law


def _laws(clients):
    """For each number of others with value 1: the law of the histogram, given each own value."""
    for ones in range(clients):
        others = [KEEP] * ones + [1 - KEEP] * (clients - 1 - ones)
        yield _ones([1 - KEEP, *others]), _ones([KEEP, *others])


def _delta(clients, factor):
    return max(
        sum(max(0.0, float(p) - factor * float(q)) for p, q in zip(one, two, strict=True))
        for pair in _laws(clients)
        for one, two in (pair, pair[::-1])
    )


def _breach(clients, gain):
    """Two values, known others: where the odds grow by the gain or more."""
    return max(
        sum(p for p, q in zip(one, two, strict=True) if p and p >= gain * q)
        for pair in _laws(clients)
        for one, two in (pair, pair[::-1])
    )


@pytest.mark.parametrize("clients", [1, 2, 5, 17, 40])
def test_delta_lies_within(clients):
    claim = BoundClaim("delta", "<=", F(1, 1000), at=F(0), crowd=Crowd(clients))
    shown = CrowdShown.of(COIN, claim, NEVER)
    for epsilon in (0.0, 0.2, 0.5, 0.9, 1.2):
        factor = math.exp(epsilon)
        truth = _delta(clients, factor)
        assert shown.delta_most(clients, factor) >= truth * (1 - 1e-9) - 1e-15
        assert (shown.delta_least(clients, factor, every=True) or 0) <= truth * (1 + 1e-9) + 1e-15


@pytest.mark.parametrize("clients", [1, 5, 17, 40])
def test_chances_of_a_breach_lie_within(clients):
    claim = BreachClaim(F(1, 2), F(3, 5), crowd=Crowd(clients), exception=F(1, 1000))
    span = CrowdShown.of(COIN, claim, NEVER).asked(clients)
    truth = float(_breach(clients, F(3, 2)))
    assert span.least <= truth * (1 + 1e-9)
    assert truth <= span.most * (1 + 1e-9)
    assert span.least > 0


@pytest.mark.parametrize("clients", [1, 5, 40])
def test_epsilon_lies_within(clients):
    claim = BoundClaim("delta", "<=", F(1, 1000), at=F(0), crowd=Crowd(clients))
    span = CrowdShown.of(COIN, claim, NEVER).epsilon_at(clients, 0.01)
    assert _delta(clients, math.exp(span.most)) <= 0.01 * (1 + 1e-9)
    if span.least:
        assert _delta(clients, math.exp(span.least)) >= 0.01 * (1 - 1e-9)
    assert span.least >= 0.5 * span.most


def test_a_value_that_is_recognized_has_no_epsilon():
    tells = Operator.from_matrix([["1/2", "1/2", "0"], ["1/2", "0", "1/2"]], name="Tells")
    claim = BoundClaim("delta", "<=", F(1, 1000), at=F(0), crowd=Crowd(100))
    span = CrowdShown.of(tells, claim, NEVER).epsilon_at(100, 1e-6)
    assert span.most == math.inf
    assert span.least >= 50


def test_rows_are_decades_and_what_claims_name():
    class Stated:
        def __init__(self, claim):
            self.claim = claim

    claims = [
        BoundClaim("delta", "<=", F(1, 1000), at=F(1, 2), crowd=Crowd(30, colluding=4)),
        BoundClaim("delta", "<", F(1, 10), at=F(1, 2), crowd=Crowd(12)),
        BoundClaim("delta", "<=", F(1, 10), at=F(1, 2)),
    ]
    [table] = crowd_tables(COIN, [Stated(claim) for claim in claims], NEVER)
    assert [row.clients for row in table.rows] == [1, 10, 12, 26, 100, 1000]
    assert [positions for _, positions in table.questions] == [(0, 1)]
    assert table.epsilon == pytest.approx(math.log(3))
    assert decades(10**6)[-1] == 10**7
