"""then, mixture, product and substitute against plain matrix algebra, rational and symbolic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from core_oracle import multiply, tensor
from core_strategies import (
    COINS,
    FEW,
    INSIDE,
    SOME,
    P,
    Q,
    at,
    distributions,
    entries,
    matrices,
    p,
    symbolic_matrices,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.operators.randomization import NotStochastic, Operator

POINTS = st.fixed_dictionaries({"p": INSIDE, "q": INSIDE})


def symbolic(rows, **more):
    return Operator.from_matrix(rows, parameters=[P, Q], **more)


def values_of(operator, point):
    """The operator's matrix at a point, through substitute."""
    return entries(operator.substitute({x.name: point[x.name] for x in operator.parameters}))


@SOME
@given(st.data())
def test_then_is_the_matrix_product(data):
    first, second = data.draw(matrices(outputs=3)), data.draw(matrices(inputs=3))
    order = data.draw(st.permutations(range(3)))
    after = Operator.from_matrix([second[y] for y in order], inputs=order)
    found = Operator.from_matrix(first).then(after)
    assert entries(found) == multiply(first, second)
    assert found.outputs == after.outputs


@SOME
@given(st.data())
def test_a_mixture_is_the_weighted_sum(data):
    """Parts may list inputs in another order, and have other outputs."""
    first, second = (
        data.draw(matrices(inputs=3, outputs=2)),
        data.draw(matrices(inputs=3, outputs=3)),
    )
    weights = data.draw(distributions(2))
    order = data.draw(st.permutations(range(3)))
    other = Operator.from_matrix([second[x] for x in order], inputs=order, outputs=["c", "b", "d"])
    found = Operator.mixture(
        [(weights[0], Operator.from_matrix(first, outputs=["a", "b"])), (weights[1], other)]
    )
    assert list(found.outputs) == ["a", "b", "c", "d"]
    for x in range(3):
        a, b, c, d = (found.probability(x, y) for y in "abcd")
        assert a == weights[0] * first[x][0]
        assert b == weights[0] * first[x][1] + weights[1] * second[x][1]
        assert (c, d) == (weights[1] * second[x][0], weights[1] * second[x][2])


@SOME
@given(matrices(most=3), matrices(most=3))
def test_a_product_has_independent_coins(first, second):
    found = Operator.from_matrix(first).product(Operator.from_matrix(second))
    assert entries(found) == tensor(first, second)
    assert list(found.inputs) == [(a, b) for a in range(len(first)) for b in range(len(second))]


@settings(FEW, max_examples=8)
@given(symbolic_matrices(outputs=2), symbolic_matrices(inputs=2), st.sampled_from(COINS), POINTS)
def test_symbolic_algebra_commutes_with_substitution(first, second, coin, point):
    left, right = symbolic(first), symbolic(second)
    a, b = at(first, point), at(second, point)
    assert values_of(left, point) == a
    assert values_of(left.then(right), point) == multiply(a, b)
    assert values_of(left.product(right), point) == tensor(a, b)
    turned = symbolic([row[::-1] for row in first])
    mixed = Operator.mixture([(coin, left), (1 - coin, turned)], parameters=[P, Q])
    ((weight,),) = at([[coin]], point)
    assert values_of(mixed, point) == [
        [weight * x + (1 - weight) * y for x, y in zip(row, row[::-1], strict=True)] for row in a
    ]


def test_rational_and_symbolic_parts_mix():
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    warner = symbolic([[p, 1 - p], [1 - p, p]])
    both = coin.then(warner)
    assert both == warner.then(coin)
    assert both.substitute({"p": "3/4"}) == coin.then(coin)
    assert [x.name for x in both.parameters] == ["p"]


@FEW
@given(symbolic_matrices(), POINTS)
def test_parameters_are_set_one_by_one_or_together(rows, point):
    operator = symbolic(rows)
    names = [x.name for x in operator.parameters]
    assert set(names) <= {"p", "q"}
    together = operator.substitute({name: point[name] for name in names})
    one_by_one = operator
    for name in reversed(names):
        if name in {x.name for x in one_by_one.parameters}:
            one_by_one = one_by_one.substitute({name: str(point[name])})
    assert together == one_by_one
    assert together.parameters == ()
    assert len(together.views()) <= len(operator.views())


def test_values_outside_the_interval_are_refused():
    warner = symbolic([[p, 1 - p], [1 - p, p]], name="Warner")
    for value in ("0", 1, "3/2", -1):
        with pytest.raises(ValueError, match=r"outside \(0, 1\)"):
            warner.substitute({"p": value})
    with pytest.raises(ValueError, match="Warner has no free parameter r"):
        warner.substitute({"r": "1/2"})
    with pytest.raises(TypeError, match="floats"):
        warner.substitute({"p": 0.5})
    closed = Parameter("p", 0, 1, includes_lower=True, includes_upper=True)
    ends = Operator.from_matrix([[p, 1 - p], [1 - p, p]], parameters=[closed])
    assert entries(ends.substitute({"p": 1})) == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("rows", "more", "message"),
    [
        (
            [["1/2", "1/2"], ["1/2", "1/3"]],
            {"inputs": ["a", "b"]},
            "the row of b sums to 5/6, not to 1",
        ),
        ([["3/2", "-1/2"]], {}, r"p\[0 -> 0\] = 3/2 is not between 0 and 1"),
        (
            [[1, 0], ["-1/2", "3/2"]],
            {"outputs": ["u", "v"]},
            r"p\[1 -> v\] = 3/2 is not between 0 and 1",
        ),
        (
            [[p, 1 - 2 * p]],
            {"parameters": [Parameter("p", 0, Fraction(1, 2))]},
            "sums to 1 - p, not to 1",
        ),
        ([[p, 1 - p]], {}, "undeclared parameters: p"),
        (
            [[2 * p, 1 - 2 * p]],
            {"parameters": [P]},
            r"p\[0 -> 0\] = 2\*p is not between 0 and 1 at p = ",
        ),
        ([[p, 1 - p]], {"parameters": [Parameter("p", -1, 1)]}, "is not between 0 and 1 at p = -"),
    ],
)
def test_rows_that_are_not_distributions_are_named(rows, more, message):
    with pytest.raises(NotStochastic, match=message) as caught:
        Operator.from_matrix(rows, **more)
    assert caught.value.row in list(more.get("inputs", range(len(rows))))


@pytest.mark.parametrize("rows", [[], [[]], [[1], [1, 0]]])
def test_ragged_and_empty_matrices_are_refused(rows):
    with pytest.raises(ValueError, match="at least one row"):
        Operator.from_matrix(rows)


def test_shapes_and_functions():
    with pytest.raises(ValueError, match="a row for each input"):
        Operator.from_matrix([[1]], inputs=["a", "b"])
    found = Operator.from_function("ab", "ab", lambda x, y: "3/4" if x == y else Fraction(1, 4))
    assert entries(found) == [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    with pytest.raises(ValueError, match="elsewhere is not in"):
        found.probability("a", "elsewhere")
    with pytest.raises(ValueError, match="is not in"):
        found.probability("c", "a")
    with pytest.raises(TypeError, match="floats"):
        Operator.from_function("ab", "ab", lambda x, y: 0.5)
    with pytest.raises(TypeError, match="is a float"):
        Operator.from_matrix([[0.5, 0.5]])


def test_what_does_not_fit_together_is_refused():
    small = Operator.from_matrix([["1/2", "1/2"]])
    one = Operator.from_matrix([[1]], name="One")
    with pytest.raises(ValueError, match="One does not take every output"):
        small.then(one)
    with pytest.raises(ValueError, match="the same inputs"):
        Operator.mixture([("1/2", one), ("1/2", Operator.from_matrix([[1], [1]]))])
    with pytest.raises(ValueError, match="sum to 5/6"):
        Operator.mixture([("1/2", one), ("1/3", one)])
    with pytest.raises(ValueError, match="the weight 2 of a mixture is not between 0 and 1"):
        Operator.mixture([(2, one), (-1, one)])
    with pytest.raises(ValueError, match="undeclared"):
        Operator.mixture([(p, one), (1 - p, one)])
    with pytest.raises(ValueError, match="at least one part"):
        Operator.mixture([])
    narrow = Operator.from_matrix([[p, 1 - p]], parameters=[Parameter("p", Fraction(1, 2), 1)])
    with pytest.raises(ValueError, match="p has two different intervals"):
        narrow.product(symbolic([[p, 1 - p]]))
