"""Priors, properties and families of priors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from core_strategies import SOME, P, distributions, p
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property


@SOME
@given(st.data())
def test_mass_and_alignment(data):
    n = data.draw(st.integers(1, 6))
    probabilities = data.draw(distributions(n))
    mask = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    order = data.draw(st.permutations(range(n)))
    straight, turned = Domain(range(n)), Domain(order)
    prior = Prior.of(straight, dict(enumerate(probabilities)), "X")
    chosen = Property.of(straight, [x for x in range(n) if mask[x]], "Q")
    expected = sum((probabilities[x] for x in range(n) if mask[x]), Fraction(0))
    for one in (prior, prior.aligned(turned)):
        assert [one.probability(x) for x in range(n)] == probabilities
        assert one.mass() == 1
        for other in (chosen, chosen.aligned(turned)):
            assert set(other.members) == {x for x in range(n) if mask[x]}
            assert [x in other for x in range(n)] == mask
            assert one.mass(other) == expected
            assert one.mass(other.complement()) == 1 - expected
    assert prior.aligned(turned).aligned(straight) == prior
    assert chosen.aligned(turned).aligned(straight) == chosen
    assert prior.aligned(straight) is prior


@SOME
@given(st.integers(1, 6), st.data())
def test_a_prior_is_its_probabilities(n, data):
    """However its codes and palette are laid out, with values unused or listed twice."""
    probabilities = data.draw(distributions(n))
    domain = Domain(range(n))
    order = data.draw(st.permutations(range(n + 1)))
    palette = [[*probabilities, Fraction(7, 3)][k] for k in order]
    codes = np.array([order.index(x) for x in range(n)])
    first, second = Prior(domain, codes, palette), Prior.of(domain, dict(enumerate(probabilities)))
    assert first == second
    assert hash(first) == hash(second)
    assert len(set(first.palette)) == len(first.palette) == len(set(probabilities))
    other = data.draw(distributions(n))
    assert (Prior.of(domain, dict(enumerate(other))) == first) == (other == probabilities)


def test_uniform_and_unlisted():
    assert Prior.uniform(Domain(range(10**6))).probability(77) == Fraction(1, 10**6)
    one = Prior.of(Domain("abc"), {"b": 1})
    assert [one.probability(x) for x in "abc"] == [0, 1, 0]


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"a": "1/2"}, "sum to 1/2, not to 1"),
        ({"a": "3/2", "b": "-1/2"}, "the probability 3/2 of a is not between"),
        ({"a": "2/3", "b": "2/3"}, "sum to 4/3"),
        ({"c": 1}, "c is not in"),
        ({"a": p, "b": 1 - p}, "undeclared"),
    ],
)
def test_bad_priors_are_refused(given_, message):
    with pytest.raises(ValueError, match=message):
        Prior.of(Domain("ab"), given_)


def test_floats_are_refused():
    with pytest.raises(TypeError, match="floats"):
        Prior.of(Domain("ab"), {"a": 0.5, "b": 0.5})


def test_symbolic_priors():
    prior = Prior(Domain("ab"), np.array([0, 1]), [p, 1 - p], "X", [P])
    assert prior.parameters == (P,)
    assert prior.mass(Property.of(prior.domain, ["a"])) == p
    fixed = prior.substitute({"p": Fraction(1, 3)})
    assert fixed == Prior.of(prior.domain, {"a": "1/3", "b": "2/3"}, "X")
    assert fixed.parameters == ()
    with pytest.raises(ValueError, match="sum to 2\\*p"):
        Prior(Domain("ab"), np.array([0, 0]), [p], "X", [P])


def test_wrong_shapes_and_domains_are_refused():
    domain = Domain("ab")
    with pytest.raises(ValueError, match="one probability for each"):
        Prior(domain, np.array([0]), [Fraction(1)])
    with pytest.raises(ValueError, match="one truth value for each"):
        Property(domain, np.array([True]))
    with pytest.raises(
        ValueError, match=r"the property Q is on {a, b}, not on the operator's inputs 0..1"
    ):
        Property.of(domain, ["a"], "Q").aligned(Domain(range(2)))


def test_properties():
    domain = Domain(range(10))
    even = Property.where(domain, lambda x: x % 2 == 0, "even")
    assert even.members == [0, 2, 4, 6, 8]
    assert even == Property.of(domain, [8, 6, 4, 2, 0], "even")
    assert even != Property.of(domain, [8], "even")
    assert even != "even"
    assert even.complement().name == "not even"
    assert 11 not in even
    assert True not in even
    with pytest.raises(ValueError, match="read-only"):
        even.mask[0] = False


def test_families_of_priors_read_as_they_are_written():
    domain = Domain(range(10))
    zero, far = Property.of(domain, [0], "zero"), Property.of(domain, [8, 9], "far")
    family = PriorFamily(
        (
            Constraint(((Fraction(1), zero),), "<=", Fraction(1, 50)),
            Constraint(((Fraction(2), far), (Fraction(-1), zero)), ">=", Fraction(1, 3)),
            Constraint(((Fraction(-1, 2), zero), (Fraction(-3), far)), "==", Fraction(0)),
        )
    )
    assert str(family) == (
        "{ mass(zero) <= 1/50; 2 * mass(far) - mass(zero) >= 1/3; "
        "-1/2 * mass(zero) - 3 * mass(far) == 0 }"
    )
    assert family.properties == (zero, far)
    assert str(Constraint((), "<", Fraction(1))) == "0 < 1"
