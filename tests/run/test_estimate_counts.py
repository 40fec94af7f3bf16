"""Counts and their sums, axis by axis, against NumPy's own sums over everything."""

from __future__ import annotations

import numpy as np
import pytest
from estimate_oracle import FEW
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.infer.undoing.counts import Counts


@FEW
@given(st.data())
def test_sums_of_products(data):
    columns = data.draw(st.integers(1, 3))
    shape = [data.draw(st.integers(1, 4)) for _ in range(columns)]
    draw = np.random.default_rng(data.draw(st.integers(0, 1000)))
    full = draw.integers(0, 3, shape)
    counts = Counts.of_array(full)
    assert counts.rows == full.sum()
    assert np.array_equal(counts.dense(), full)
    tables = [draw.normal(size=(size, data.draw(st.integers(1, 3)))) for size in shape]
    letters = "abc"[:columns]
    pattern = ",".join([letters, *(f"{small}{small.upper()}" for small in letters)])
    wanted = np.einsum(f"{pattern}->{letters.upper()}", full, *tables)
    assert np.allclose(counts.sums(tables), wanted)
    for axis in range(columns):
        others = tuple(k for k in range(columns) if k != axis)
        assert np.array_equal(counts.marginal([axis]).dense(), full.sum(axis=others))


@pytest.mark.parametrize("shape", [(3, 4), (2**40, 2**40)])
def test_answers_are_counted_however_many_outputs_there_are(shape):
    answers = [np.array([0, 2, 0, 2, 1]), np.array([3, 1, 3, 1, 0])]
    counts = Counts.of_answers(shape, answers)
    assert counts.rows == 5
    assert dict(zip(map(tuple, counts.positions.tolist()), counts.times.tolist(), strict=True)) == {
        (0, 3): 2, (2, 1): 2, (1, 0): 1,
    }  # fmt: skip
    tables = [np.eye(3), np.eye(4)]
    assert counts.sums(tables)[0, 3] == 2


@FEW
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=30), st.integers(1, 5))
def test_blocks_counted_apart_are_counted_together(rows, step):
    whole = np.array(rows, dtype=np.int64).reshape(-1, 2)
    parts = [
        Counts.of_answers((4, 3), list(whole[start : start + step].T))
        for start in range(0, len(rows), step)
    ]
    merged = Counts.merged((4, 3), parts)
    wanted = np.zeros((4, 3))
    np.add.at(wanted, tuple(whole.T), 1)
    assert np.array_equal(merged.dense(), wanted)


def test_counts_must_be_counts():
    with pytest.raises(TypeError):
        Counts.of_array([0.5, 1.0])
    with pytest.raises(ValueError, match="negative"):
        Counts.of_array([3, -1])
