"""Random small operators and priors, with the odd cases that break measures.

Zero entries, outputs that nothing reaches, one input, one output, equal columns, equal
rows, inputs of prior probability zero.
"""

from __future__ import annotations

from fractions import Fraction

import how_many
from hypothesis import settings
from hypothesis import strategies as st

from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator

MANY = settings(
    max_examples=how_many.cases(150, 600), derandomize=True, deadline=None, database=None
)
FEW = settings(max_examples=how_many.cases(60, 150), derandomize=True, deadline=None, database=None)

ENTRIES = st.one_of(st.sampled_from([0, 0, 1, 1, 2, 3]), st.integers(0, 40))


@st.composite
def distributions(draw, size):
    weights = draw(st.lists(ENTRIES, min_size=size, max_size=size))
    if not any(weights):
        weights[draw(st.integers(0, size - 1))] = 1
    return [Fraction(weight, sum(weights)) for weight in weights]


@st.composite
def matrices(draw, inputs=None, outputs=None):
    n = inputs or draw(st.integers(1, 5))
    m = outputs or draw(st.integers(1, 5))
    rows = [draw(distributions(m)) for _ in range(n)]
    if draw(st.booleans()):
        rows[-1] = rows[0]
    if outputs is None and m < 5 and draw(st.booleans()):
        # Split the last output in two equal ones: duplicate columns.
        rows = [[*row[:-1], row[-1] / 2, row[-1] / 2] for row in rows]
    return rows


@st.composite
def cases(draw):
    """Rows and a prior."""
    rows = draw(matrices())
    return rows, draw(distributions(len(rows)))


def build(rows, prior=None):
    operator = Operator.from_matrix(rows)
    if prior is None:
        return operator
    return operator, Prior.of(operator.inputs, dict(enumerate(prior)))


def members(operator, mask):
    return Property.of(operator.inputs, [x for x in operator.inputs if mask >> x & 1], "Q")
