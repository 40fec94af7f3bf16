"""Random small exact operators, rational and symbolic, with the odd cases."""

from __future__ import annotations

from fractions import Fraction

import sympy
from how_many import cases
from hypothesis import settings
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.parameter import Parameter

MANY = settings(max_examples=cases(80, 200), derandomize=True, deadline=None, database=None)
SOME = settings(max_examples=60, derandomize=True, deadline=None, database=None)
FEW = settings(max_examples=15, derandomize=True, deadline=None, database=None)

p, q = (sympy.Symbol(name, real=True) for name in "pq")
P = Parameter("p", Fraction(0), Fraction(1))
Q = Parameter("q", Fraction(0), Fraction(1), includes_upper=True)

WEIGHTS = st.one_of(st.sampled_from([0, 0, 1, 1, 2]), st.integers(0, 9))
INSIDE = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)

# Closed forms that lie in [0, 1] wherever p and q do.
COINS = (p, 1 - p, p**2, p / (1 + p), 1 / (1 + p), p * (1 - p), p * q, (p + q) / 2, 1 / (2 + p * q))


@st.composite
def distributions(draw, size):
    weights = draw(st.lists(WEIGHTS, min_size=size, max_size=size))
    if not any(weights):
        weights[draw(st.integers(0, size - 1))] = 1
    return [Fraction(weight, sum(weights)) for weight in weights]


@st.composite
def matrices(draw, inputs=None, outputs=None, most=5):
    """Rational rows, with zeros, unreachable outputs, equal rows and equal columns."""
    n = inputs or draw(st.integers(1, most))
    m = outputs or draw(st.integers(1, most))
    rows = [draw(distributions(m)) for _ in range(n)]
    if draw(st.booleans()):
        rows[-1] = rows[0]
    if outputs is None and draw(st.booleans()):
        rows = [[*row[:-1], row[-1] / 2, row[-1] / 2] for row in rows]
    return rows


@st.composite
def symbolic_matrices(draw, inputs=None, outputs=None):
    """Rows c*a + (1 - c)*b with rational distributions a, b and a closed form c."""
    n = inputs or draw(st.integers(1, 3))
    m = outputs or draw(st.integers(1, 3))
    rows = []
    for _ in range(n):
        coin = draw(st.sampled_from(COINS))
        first, second = draw(distributions(m)), draw(distributions(m))
        rows.append([coin * a + (1 - coin) * b for a, b in zip(first, second, strict=True)])
    return rows


def at(rows, values):
    """A symbolic matrix at a point, by sympy's own substitution."""
    chosen = {
        sympy.Symbol(name, real=True): sympy.Rational(v.numerator, v.denominator)
        for name, v in values.items()
    }
    return [[fraction(sympy.sympify(entry).subs(chosen)) for entry in row] for row in rows]


def fraction(value):
    """A sympy number as a Fraction."""
    return Fraction(int(value.p), int(value.q))


def entries(operator):
    """The operator's matrix, read entry by entry."""
    return [[operator.probability(x, y) for y in operator.outputs] for x in operator.inputs]
