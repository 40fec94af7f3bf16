"""Exact linear programs: against vertices in the plane, and by their own multipliers."""

import itertools
from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.simplex import Best, Impossible, Unbounded, maximize

ONE = F(1)


def test_no_greatest_value():
    with pytest.raises(Unbounded):
        maximize([ONE], [([ONE], ONE, ">=")])


@given(
    st.lists(st.integers(-5, 5), min_size=2, max_size=2),
    st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.integers(-3, 9)), max_size=4),
)
@settings(derandomize=True, deadline=None, max_examples=300)
def test_equals_vertex_enumeration_in_the_plane(goal, rows):
    rows = [*rows, (1, 0, 10), (0, 1, 10)]
    lines = [*rows, (-1, 0, 0), (0, -1, 0)]
    values = []
    for (a, b, c), (d, e, f) in itertools.combinations(lines, 2):
        det = a * e - b * d
        if det:
            x, y = F(c * e - b * f, det), F(a * f - c * d, det)
            if all(p * x + q * y <= r for p, q, r in lines):
                values.append(goal[0] * x + goal[1] * y)
    program = [([-F(a), -F(b)], F(c), ">=") for a, b, c in rows]
    found = maximize([F(g) for g in goal], program)
    combined = [
        sum((m * row[0][k] for m, row in zip(found.multipliers, program, strict=True)), F(0))
        for k in range(2)
    ]
    constant = sum((m * row[1] for m, row in zip(found.multipliers, program, strict=True)), F(0))
    assert all(m >= 0 for m in found.multipliers)
    if not values:
        assert isinstance(found, Impossible)
        assert max(combined) <= 0
        assert constant < 0
        return
    assert isinstance(found, Best)
    assert found.value == max(values)
    assert sum(g * x for g, x in zip(goal, found.point, strict=True)) == found.value
    # The multipliers bound the goal from above: goal + combination <= 0 in each variable.
    assert all(g + c <= 0 for g, c in zip(goal, combined, strict=True))
    assert constant == found.value
