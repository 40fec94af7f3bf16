"""Views against naive grouping of columns: priors, properties, background knowledge."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from core_oracle import naive_view, naive_views, shown
from core_strategies import FEW, MANY, SOME, P, Q, distributions, matrices, symbolic_matrices
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.exact import exact
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator


@st.composite
def questions(draw, rows):
    """A prior or none, and up to two properties; with the labels that the oracle wants."""
    n = len(rows)
    prior = draw(st.none() | distributions(n))
    masks = draw(st.lists(st.lists(st.booleans(), min_size=n, max_size=n), max_size=2))
    inputs = Domain(range(n))
    asked = (
        None if prior is None else Prior.of(inputs, dict(enumerate(prior)), "X"),
        [
            Property.of(inputs, [x for x in range(n) if mask[x]], f"Q{k}")
            for k, mask in enumerate(masks)
        ],
    )
    labels = [
        (None if prior is None else prior[x], tuple(mask[x] for mask in masks), None)
        for x in range(n)
    ]
    return asked, labels


def check_view(view, column, labels):
    """The view shows the column: its classes in the order of their first inputs."""
    counts, examples = naive_view(column, labels)
    assert shown(view) == frozenset(counts.items())
    assert len(view.classes) == len(counts)
    kinds = [(part.likelihood, part.prior, part.member, part.knowledge) for part in view.classes]
    assert [part.example for part in view.classes] == [examples[kind] for kind in kinds]
    assert kinds == sorted(kinds, key=examples.get)
    assert view.inputs == len(column)
    assert view.reachable == any(column)


@MANY
@given(matrices(), st.data())
def test_views_are_the_distinct_columns(rows, data):
    (prior, properties), labels = data.draw(questions(rows))
    operator = Operator.from_matrix(rows)
    views = operator.views(prior, properties)
    seen, first = naive_views(rows, labels)
    assert {shown(view): view.outputs for view in views} == dict(seen)
    assert len(views) == len(seen)
    for view in views:
        assert view.output == first[shown(view)]
        check_view(view, [row[view.output] for row in rows], labels)
    assert operator.views(prior, properties) is views


@SOME
@given(matrices(), st.data())
def test_the_view_of_one_output(rows, data):
    (prior, properties), labels = data.draw(questions(rows))
    operator = Operator.from_matrix(rows, outputs=[f"y{k}" for k in range(len(rows[0]))])
    for y in range(len(rows[0])):
        view = operator.view_of(f"y{y}", prior, properties)
        check_view(view, [row[y] for row in rows], labels)
        assert (view.output, view.outputs) == (f"y{y}", 1)


@SOME
@given(st.data())
def test_views_with_background_knowledge(data):
    """One view for each distinct pair (y, z), also where Z lists the inputs in another order."""
    rows = data.draw(matrices(most=4))
    known = data.draw(matrices(inputs=len(rows), outputs=data.draw(st.integers(1, 3))))
    (prior, properties), labels = data.draw(questions(rows))
    order = data.draw(st.permutations(range(len(rows))))
    operator = Operator.from_matrix(rows)
    background = Operator.from_matrix([known[x] for x in order], inputs=order, name="Z")
    expected = Counter()
    for z in range(len(known[0])):
        told = [(p, member, known[x][z]) for x, (p, member, _) in enumerate(labels)]
        seen, _ = naive_views(rows, told)
        expected.update({(z, key): count for key, count in seen.items()})
    views = operator.views(prior, properties, background)
    assert Counter({(view.known, shown(view)): view.outputs for view in views}) == expected
    assert len(views) == len(expected)


def test_knowledge_of_other_inputs_is_refused():
    operator = Operator.from_matrix([[1, 0], [0, 1]])
    other = Operator.from_matrix([[1], [1]], inputs=["a", "b"], name="Z")
    with pytest.raises(ValueError, match=r"Z is on {a, b}, not on 0\.\.1"):
        operator.views(knowing=other)


@FEW
@given(symbolic_matrices(), st.data())
def test_symbolic_views_group_equal_forms(rows, data):
    (prior, properties), labels = data.draw(questions(rows))
    operator = Operator.from_matrix(rows, parameters=[P, Q])
    seen, _ = naive_views([[exact(entry) for entry in row] for row in rows], labels)
    assert {shown(view): view.outputs for view in operator.views(prior, properties)} == dict(seen)


def test_a_prior_in_another_order_refines_the_same():
    operator = Operator.from_matrix(
        [["1/2", "1/2"], [1, 0], ["1/2", "1/2"]], inputs=["a", "b", "c"]
    )
    straight = Prior.of(operator.inputs, {"a": "1/2", "b": "1/4", "c": "1/4"})
    turned = Prior.of(Domain(["c", "a", "b"]), {"a": "1/2", "b": "1/4", "c": "1/4"})
    assert operator.views(straight) == operator.views(turned)
    with pytest.raises(ValueError, match="not on the operator's inputs"):
        operator.views(Prior.uniform(Domain(["a", "b"])))


def test_equal_probabilities_of_a_prior_do_not_split_classes():
    """Parameters that meet at a value leave one class, not two alike."""
    half = Prior(Domain(range(2)), np.array([0, 1]), [P.symbol, 1 - P.symbol], "X", [P])
    operator = Operator.from_matrix([[1], [1]])
    assert len(operator.views(half)[0].classes) == 2
    (only,) = operator.views(half.substitute({"p": Fraction(1, 2)}))[0].classes
    assert (only.count, only.prior) == (2, Fraction(1, 2))


def test_a_property_written_in_another_order_splits_the_same_inputs():
    """Members are told by value: a mask read in the operator's order would split others."""
    operator = Operator.from_matrix([["1/2", "1/2"], ["1/3", "2/3"], ["1/4", "3/4"]], "abc")
    mine, turned = Domain("abc"), Domain("cab")
    for order in (mine, turned):
        member = Property.of(order, ["a"], "is a")
        view = operator.views(properties=[member])[0]
        assert {part.example: part.member for part in view.classes} == {
            "a": (True,),
            "b": (False,),
            "c": (False,),
        }
