"""CodedMatrix: the two ways to group columns, in blocks or whole, agree with naive grouping."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from core_oracle import multiply
from core_strategies import MANY, SOME, matrices
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.operators import matrix
from ppdm_formal.declare.operators.matrix import (
    CodedMatrix,
    TooLarge,
    check_cells,
    combine,
    pair_codes,
)

SIZES = st.integers(1, 7)


@st.composite
def coded_arrays(draw):
    rows, columns, values = draw(SIZES), draw(SIZES), draw(st.integers(1, 6))
    cells = draw(
        st.lists(st.integers(0, values - 1), min_size=rows * columns, max_size=rows * columns)
    )
    labels = draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))
    return np.array(cells).reshape(rows, columns), values, np.array(labels, dtype=np.int64)


def grouped(coded, labels):
    """The groups in plain terms: first column -> columns alike, histogram, first rows."""
    return {
        group.representative: (
            group.columns,
            Counter(
                {
                    (int(a), coded.palette[int(b)]): int(c)
                    for a, b, c in zip(group.labels, group.codes, group.counts, strict=True)
                }
            ),
            {
                (int(a), coded.palette[int(b)]): int(e)
                for a, b, e in zip(group.labels, group.codes, group.examples, strict=True)
            },
        )
        for group in coded.column_groups(labels, 3)
    }


def naive_groups(cells, palette, labels):
    found = {}
    for column in cells.T:
        kinds = [(int(label), palette[code]) for label, code in zip(labels, column, strict=True)]
        found.setdefault(frozenset(Counter(kinds).items()), []).append(kinds)
    firsts = [
        [(int(label), palette[code]) for label, code in zip(labels, column, strict=True)]
        for column in cells.T
    ]
    return {
        firsts.index(alike[0]): (
            len(alike),
            Counter(alike[0]),
            {kind: alike[0].index(kind) for kind in alike[0]},
        )
        for alike in found.values()
    }


@pytest.mark.parametrize("keys", [0, 4096], ids=["by sorting", "by histogram"])
@pytest.mark.parametrize("cells", [1, 10, 4_000_000])
@MANY
@given(coded_arrays())
def test_column_groups_are_those_of_naive_grouping(keys, cells, case):
    codes, values, labels = case
    palette = [Fraction(k, values) for k in range(values)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matrix, "_HISTOGRAM_KEYS", keys)
        patch.setattr(matrix, "_BLOCK_CELLS", cells)
        coded = CodedMatrix(codes, palette)
        assert [
            [coded.entry(i, j) for j in range(codes.shape[1])] for i in range(codes.shape[0])
        ] == [[palette[code] for code in row] for row in codes]
        assert grouped(coded, labels) == naive_groups(codes, palette, labels)
        same = CodedMatrix(values - 1 - codes, palette[::-1])
        assert coded == same
        assert hash(coded) == hash(same)


@MANY
@given(coded_arrays())
def test_row_sums(case):
    codes, values, _ = case
    palette = [Fraction(k, values) for k in range(values)]
    sums = [sum(palette[code] for code in row) for row in codes]
    assert dict(CodedMatrix(codes, palette).row_sums()) == {
        sums.index(value): value for value in sums
    }


def test_the_palette_is_canonical():
    coded = CodedMatrix(np.array([[3, 1], [1, 3]]), [Fraction(k) for k in (9, 2, 8, 5)])
    assert coded.palette == (5, 2)
    assert coded.codes.tolist() == [[0, 1], [1, 0]]
    assert coded.codes.dtype == np.uint8
    with pytest.raises(ValueError, match="read-only"):
        coded.codes[0, 0] = 1
    twice = CodedMatrix(np.array([[0, 1]]), [Fraction(1, 2), Fraction(1, 2)])
    assert (twice.palette, twice.codes.tolist()) == ((Fraction(1, 2),), [[0, 0]])


@pytest.mark.parametrize(
    ("distinct", "kind"),
    [(256, np.uint8), (257, np.uint16), (65_536, np.uint16), (65_537, np.uint32)],
)
def test_codes_stay_narrow_and_right(distinct, kind):
    """A palette past 256 and past 65,536 values takes wider codes, and loses none."""
    rng = np.random.default_rng(distinct)
    columns = 7
    rows = -(-distinct // columns)
    cells = np.arange(rows * columns) % distinct
    rng.shuffle(cells)
    codes = cells.reshape(rows, columns)
    palette = [Fraction(k, distinct) for k in range(distinct)]
    coded = CodedMatrix(codes, palette)
    assert coded.codes.dtype == kind
    assert all(
        coded.entry(i, j) == palette[codes[i, j]]
        for i in range(0, rows, 997)
        for j in range(columns)
    )
    assert coded.entry(rows - 1, columns - 1) == palette[codes[-1, -1]]
    sums = dict(coded.row_sums())
    assert sums[0] == Fraction(int(codes[0].sum()), distinct)
    assert set(sums.values()) == {Fraction(int(top), distinct) for top in codes.sum(axis=1)}
    groups = coded.column_groups(np.zeros(rows, dtype=np.int64), 1)
    assert len(groups) == len({tuple(np.sort(column)) for column in codes.T})
    assert coded.map(lambda value: 1 - value).entry(2, 3) == 1 - palette[codes[2, 3]]
    assert coded.map(lambda _: Fraction(1)).codes.dtype == np.uint8


@SOME
@given(st.data())
def test_the_product_is_the_matrix_product(data):
    first = data.draw(matrices(outputs=3))
    second = data.draw(matrices(inputs=3))
    found = CodedMatrix.from_rows(first).times(CodedMatrix.from_rows(second))
    assert found == CodedMatrix.from_rows(multiply(first, second))


@SOME
@given(coded_arrays(), st.sampled_from([3, 50_000]))
def test_combining_codes(case, spread):
    """Few keys are numbered by a table, many by sorting; both combine elementwise."""
    codes, values, _ = case
    firsts = range(values * spread)
    wide = codes * spread + spread // 2
    other = codes[::-1]
    numbers, left, right = pair_codes(wide, len(firsts), other, values)
    assert (left[numbers] == wide).all()
    assert (right[numbers] == other).all()
    assert len({*zip(left.tolist(), right.tolist(), strict=True)}) == len(left)
    sums, palette = combine(
        wide, firsts, other, [Fraction(k, 2) for k in range(values)], lambda a, b: a + b
    )
    assert len(set(palette)) == len(palette)
    assert [palette[code] for code in sums.ravel()] == [
        a + Fraction(int(b), 2) for a, b in zip(wide.ravel().tolist(), other.ravel(), strict=True)
    ]


def test_matrices_too_large_are_refused_before_they_are_built():
    check_cells(10_001, 10_001)
    with pytest.raises(TooLarge, match="1,000,000 x 1,000,000 entries"):
        check_cells(10**6, 10**6)
    with pytest.raises(TooLarge, match=r"2\^100000"):
        check_cells(1, 2**100_000)
