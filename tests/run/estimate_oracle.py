"""Estimation from the definitions alone: elimination in Fractions, all collections enumerated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from hypothesis import settings
from hypothesis import strategies as st

SOME = settings(max_examples=60, derandomize=True, deadline=None, database=None)
FEW = settings(max_examples=20, derandomize=True, deadline=None, database=None)

Rows = list[list[Fraction]]


@st.composite
def laws(draw, inputs=(1, 4), outputs=(1, 5)):
    """Rational rows; zeros, equal rows, dependent rows and outputs never reached all occur."""
    n, m = draw(st.integers(*inputs)), draw(st.integers(*outputs))
    rows: Rows = []
    for _ in range(n):
        if len(rows) >= 2 and draw(st.integers(0, 5)) == 0:
            rows.append([(a + b) / 2 for a, b in zip(rows[0], rows[1], strict=True)])
            continue
        weights = draw(st.lists(st.integers(0, 6), min_size=m, max_size=m))
        if not any(weights):
            weights[draw(st.integers(0, m - 1))] = 1
        rows.append([Fraction(w, sum(weights)) for w in weights])
    return rows


@st.composite
def masses(draw, size, least=0):
    weights = draw(st.lists(st.integers(least, 5), min_size=size, max_size=size))
    if not any(weights):
        weights[0] = 1
    return [Fraction(w, sum(weights)) for w in weights]


def rank(rows: Sequence[Sequence[Fraction]]) -> int:
    """By elimination."""
    left = [list(row) for row in rows]
    found = 0
    for column in range(len(left[0]) if left else 0):
        pivot = next((r for r in range(found, len(left)) if left[r][column]), None)
        if pivot is None:
            continue
        left[found], left[pivot] = left[pivot], left[found]
        for r in range(found + 1, len(left)):
            factor = left[r][column] / left[found][column]
            left[r] = [a - factor * b for a, b in zip(left[r], left[found], strict=True)]
        found += 1
    return found


def outputs(rows: Rows, pi: Sequence[Fraction]) -> list[Fraction]:
    """Their probabilities."""
    return [sum((p * row[y] for p, row in zip(pi, rows, strict=True)), Fraction(0))
            for y in range(len(rows[0]))]  # fmt: skip


def collections(law: Sequence[Fraction], size: int) -> Iterator[tuple[Fraction, list[int]]]:
    """Every sequence of so many outputs, with its probability, as counts."""
    for answers in product(range(len(law)), repeat=size):
        probability = Fraction(1)
        for y in answers:
            probability *= law[y]
        if probability:
            yield probability, [answers.count(y) for y in range(len(law))]
