"""Extreme views against the greatest ratio of the matrix, and of what is too large to write out."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

import numpy as np
import pytest

from ppdm_formal import BoundClaim, BreachClaim, Operator, Parameter, Verdict
from ppdm_formal.certify import certify
from ppdm_formal.certify.subjects.finite import rebuilt_of
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.exponential_mechanism import DecayLaw, exponential_mechanism
from ppdm_formal.declare.families.truncated_geometric import truncated_geometric
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.view import Enough, ViewKind
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.run.simulation import Simulation

SMALL = [
    *(truncated_geometric(k, a) for k in (2, 3, 6, 7) for a in ("0", "1/9", "3/4", "1")),
    *(
        exponential_mechanism(k, decay=a)
        for k in (2, 3, 6, 7)
        for a in ("1/9", "3/4", "19/20", "1")
    ),
    *(duchi_mean(k, gamma) for k in (2, 3, 6) for gamma in ("0", "1/3", "1", "5")),
    truncated_geometric(5, exp_of(F(-1, 3))),
    exponential_mechanism(5, epsilon="1/2"),
]


def decayed(size, decay):
    domain = Domain(range(size))
    return Operator(domain, domain, DecayLaw(size, decay))


def greatest(operator):
    """The greatest ratio over all outputs and pairs of inputs, from the matrix; None: infinite."""
    found = F(1)
    for y in operator.outputs:
        column = [operator.probability(x, y) for x in operator.inputs]
        for one, two in itertools.permutations(column, 2):
            if one and not two:
                return None
            if two and one / two > found:
                found = one / two
    return found


@pytest.mark.parametrize("operator", SMALL, ids=str)
def test_the_extreme_view_shows_the_greatest_ratio(operator):
    view = operator.law.extreme(operator.inputs, operator.outputs)
    assert view.amplification == greatest(operator)
    scale = {
        operator.probability(part.example, view.output) / part.likelihood
        for part in view.classes
        if part.likelihood
    }
    assert len(scale) == 1  # the likelihoods of the two inputs named, up to one factor
    assert view.outputs == operator.outputs.size


@pytest.mark.parametrize("decay", [F(1, 2), F(9, 10), F(1), exp_of(F(-1, 4))], ids=str)
def test_decay_in_closed_form_is_the_mechanism_by_weights(decay):
    for size in (2, 5, 6):
        listed, closed = exponential_mechanism(size, decay=decay), decayed(size, decay)
        for x, y in itertools.product(range(size), repeat=2):
            assert closed.probability(x, y) == listed.probability(x, y)


@pytest.mark.parametrize("decay", [F(1, 9), F(3, 5), F(9, 10), F(1), exp_of(F(-1, 4))], ids=str)
def test_decay_in_closed_form_draws_what_it_says(decay):
    """Also where nothing decays: steps until a coin says no would go on for ever."""
    size, times = 5, 20_000
    operator = decayed(size, decay)
    for x in (0, 2):
        drawn = operator.law.draw(np.full(times, x), Simulation(x))
        counts = np.bincount(drawn, minlength=size)
        for y in range(size):
            chance = float(operator.probability(x, y))
            assert abs(counts[y] - times * chance) < 5 * (times * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize(
    ("operator", "gain"),
    [
        (truncated_geometric(10**6, epsilon="1/1000000"), F(999999, 1000000)),
        (exponential_mechanism(10**6, epsilon=1), F(1, 2)),
        (duchi_mean(10**6, epsilon=1), F(1)),
    ],
    ids=["geometric", "exponential", "duchi"],
)
def test_a_million_values(operator, gain):
    assert amplification(operator).value == exp_of(gain)
    claims = [
        (BoundClaim("epsilon", "<=", gain), Verdict.CERTIFIED),
        (BoundClaim("epsilon", "<", gain), Verdict.BREACHED),
        (BreachClaim("1/10", "1/2"), Verdict.CERTIFIED),
        (BreachClaim("1/10", "1/2", reports=100), Verdict.BREACHED),
    ]
    for claim, verdict in claims:
        found = certify(operator, claim)
        assert found.verdict is verdict
        document = found.to_json()
        assert check_certificate(document).accepted
        assert rebuilt_of(document, {}, {}, {"": operator}).operator == document["operator"]
    with pytest.raises(TooLarge):
        operator.views()


def test_an_extreme_view_is_no_answer_where_more_is_asked():
    """It says nothing of priors and properties: a question that names them stays too large."""
    operator = truncated_geometric(10**5, epsilon="1/1000")
    (view,) = operator.views(enough=Enough.RATIOS)
    assert view.kind is ViewKind.EXTREME
    first = Property.of(operator.inputs, [0], "first")
    for asked in ({"prior": Prior.uniform(operator.inputs)}, {"properties": [first]}):
        for enough in Enough:
            with pytest.raises(TooLarge):
                operator.views(**asked, enough=enough)


def test_free_parameters_of_many_values():
    """Sixty values have 1,365 classes, in closed forms too many: the ends decide."""
    a = Parameter("a", "9/10", "1")
    operator = truncated_geometric(60, a.symbol, parameters=[a])
    assert amplification(operator).text == "1/a^59"
    found = certify(operator, BoundClaim("amplification", "<=", 100))
    assert found.region.text.endswith("(a root of -1 + 100*a^59)")
    assert check_certificate(found.to_json()).accepted


def test_too_long_to_write_is_said_so():
    found = certify(truncated_geometric(10**6, "1/2"), BreachClaim("1/10", "1/2"))
    assert found.verdict is Verdict.UNKNOWN
    assert "too long to write" in found.finding.reason


@pytest.mark.parametrize("decay", ["11/10", "0"])
def test_decay_on_many_values_is_between_0_and_1(decay):
    with pytest.raises(ValueError, match=r"decay must be (at most 1|above 0)"):
        exponential_mechanism(2000, decay=decay)
