"""Operators are equal by exact law, however they are written."""

from __future__ import annotations

from core_strategies import FEW, SOME, P, Q, matrices, p, symbolic_matrices
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.randomization import Operator


def law(rows):
    """The law as a set of facts that orders do not change."""
    return {(x, y, entry) for x, row in enumerate(rows) for y, entry in enumerate(row) if entry}


@SOME
@given(st.data())
def test_orders_and_unreachable_outputs_do_not_matter(data):
    rows = data.draw(matrices())
    xs = data.draw(st.permutations(range(len(rows))))
    ys = data.draw(st.permutations(range(len(rows[0]))))
    turned = [[*(rows[x][y] for y in ys), 0] for x in xs]
    first = Operator.from_matrix(rows)
    second = Operator.from_matrix(turned, inputs=xs, outputs=[*ys, "never"])
    assert first == second
    assert second == first
    assert hash(first) == hash(second)


@SOME
@given(matrices(inputs=2, outputs=2), matrices(inputs=2, outputs=2))
def test_equal_exactly_where_every_probability_is(first, second):
    assert (Operator.from_matrix(first) == Operator.from_matrix(second)) == (
        law(first) == law(second)
    )


@FEW
@given(symbolic_matrices(), st.permutations(range(3)))
def test_symbolic_laws(rows, order):
    order = [x for x in order if x < len(rows)]
    expanded = [
        [(entry * (1 + p) + 0).expand() / (1 + p) if entry != 0 else 0 for entry in rows[x]]
        for x in order
    ]
    first = Operator.from_matrix(rows, parameters=[P, Q])
    assert first == Operator.from_matrix(expanded, inputs=order, parameters=[P, Q])


def test_different_laws_differ():
    warner = Operator.from_matrix([[p, 1 - p], [1 - p, p]], parameters=[P])
    assert warner != Operator.from_matrix([[1 - p, p], [p, 1 - p]], parameters=[P])
    assert warner == Operator.from_matrix([[1 - p, p], [p, 1 - p]], outputs=[1, 0], parameters=[P])
    assert warner != Operator.from_matrix(
        [[p, 1 - p], [1 - p, p]], inputs=["a", "b"], parameters=[P]
    )
    assert Operator.from_matrix([[1]]) != Operator.from_matrix([[1], [1]])
    assert Operator.from_matrix([[1]]) != [[1]]
    assert Operator.from_matrix([[1]]) != Operator.from_matrix([[1]], outputs=["other"])


def test_a_family_equals_its_matrix_and_a_large_one_itself():
    family = randomized_response(3, "1/2")
    assert family == Operator.from_matrix(
        [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    )
    assert randomized_response(10**6, "1/2") == randomized_response(10**6, "50%", name="other")
