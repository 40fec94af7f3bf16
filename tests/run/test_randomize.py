"""ppdm_formal.randomize: what goes in comes out in the same kind, and nothing bad is quoted."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import ppdm_formal
from ppdm_formal import Domain, Operator, Parameter, randomize
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.replace_items import replace_items
from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.simulation import Simulated

F = Fraction
TURN = Operator.from_function(
    range(10, 14), range(100, 104), lambda x, y: int(y == 113 - x + 0 * y)
)
NAMES = Operator.from_function(["no", "yes"], ["N", "Y"], lambda x, y: int(x[0].upper() == y))
PAIRS, MIXED = Domain([(0, "a"), (1, "b")]), Domain([frozenset({1}), (2, 3)])
TUPLES = Operator.from_function(PAIRS, MIXED, lambda x, y: int((x[0] == 0) == (y == (2, 3))))
KEEP_ALL = select_a_size(5, 2, 0, keep=[0, 0, 1])
REPLACE = replace_items(4, 2, 0)


def test_integers_in_every_container():
    values, expected = [10, 13, 10, 11], [103, 100, 103, 102]
    assert randomize(TURN, values) == expected
    assert randomize(TURN, tuple(values)) == tuple(expected)
    assert randomize(TURN, iter(values)) == expected
    assert randomize(TURN, [np.int32(v) for v in values]) == expected
    assert randomize(TURN, []) == []
    for kind in (np.int8, np.uint16, np.int64, np.uint64):
        found = randomize(TURN, np.array(values, dtype=kind))
        assert (found.dtype, found.tolist()) == (np.dtype(kind), expected)
    found = randomize(TURN, np.array(values, dtype=float))
    assert (found.dtype, found.tolist()) == (np.dtype(np.int64), expected)
    series = pd.Series(values, index=list("wxyz"), name="age", dtype="int16")
    pd.testing.assert_series_equal(
        randomize(TURN, series), pd.Series(expected, index=list("wxyz"), name="age", dtype="int16")
    )
    nullable = randomize(TURN, pd.Series(values, dtype="Int64"))
    assert nullable.tolist() == expected
    for kind in (pa.int16(), pa.uint8(), pa.int64()):
        assert randomize(TURN, pa.array(values, kind)) == pa.array(expected, kind)
    assert randomize(TURN, pa.array(values, pa.float64())) == pa.array(expected)
    chunked = pa.chunked_array([[10, 13], [], [10, 11]], pa.int32())
    found = randomize(TURN, chunked)
    assert found == pa.chunked_array([[103, 100], [], [103, 102]], pa.int32())
    assert [len(chunk) for chunk in found.chunks] == [2, 0, 2]
    assert randomize(TURN, pa.array(values)[1:3]) == pa.array(expected[1:3])


def test_outputs_that_a_small_type_does_not_hold():
    far = Operator.from_function(range(2), [0, 70_000], lambda x, y: int(y == 70_000 * x))
    found = randomize(far, np.array([0, 1], dtype=np.int8))
    assert (found.dtype, found.tolist()) == (np.dtype(np.int64), [0, 70_000])
    assert randomize(far, pa.array([1], pa.int8())) == pa.array([70_000])
    huge = Operator.from_function(range(2), [0, 2**80], lambda x, y: int(y == 2**80 * x))
    assert randomize(huge, np.array([1])).tolist() == [2**80]


def test_texts_in_every_container():
    values, expected = ["no", "yes", "no"], ["N", "Y", "N"]
    assert randomize(NAMES, values) == expected
    assert randomize(NAMES, np.array(values)).tolist() == expected
    assert randomize(NAMES, np.array(values, dtype=object)).tolist() == expected
    for kind in (object, "string", "str"):
        found = randomize(NAMES, pd.Series(values, dtype=kind, name="a"))
        pd.testing.assert_series_equal(found, pd.Series(expected, dtype=kind, name="a"))
    found = randomize(NAMES, pd.Series(values, dtype="category"))
    assert found.tolist() == expected
    assert found.dtype.name == "category"
    assert randomize(NAMES, pa.array(values)) == pa.array(expected)
    assert randomize(NAMES, pa.array(values, pa.large_string())) == pa.array(
        expected, pa.large_string()
    )
    found = randomize(NAMES, pa.array(values).dictionary_encode())
    assert found.to_pylist() == expected
    assert pa.types.is_dictionary(found.type)
    found = randomize(NAMES, pa.chunked_array([values, values]).dictionary_encode())
    assert found.to_pylist() == expected * 2


def test_tuples_and_sets_as_values():
    assert randomize(TUPLES, [(0, "a"), (1, "b")]) == [(2, 3), frozenset({1})]
    objects = np.empty(2, dtype=object)
    objects[:] = [(1, "b"), (0, "a")]
    assert list(randomize(TUPLES, objects)) == [frozenset({1}), (2, 3)]
    assert randomize(TUPLES, pd.Series([(1, "b")], index=[7]))[7] == frozenset({1})


def test_sets_of_items():
    sets = [{0, 3}, {4, 1}]
    assert randomize(KEEP_ALL, sets) == [frozenset({0, 3}), frozenset({1, 4})]
    assert randomize(KEEP_ALL, [[3, 0], [4, 1]]) == [[0, 3], [1, 4]]
    assert randomize(KEEP_ALL, []) == []
    found = randomize(KEEP_ALL, np.array([[3, 0], [4, 1]]))
    assert [part.tolist() for part in found] == [[0, 3], [1, 4]]
    found = randomize(REPLACE, np.array([[3, 0], [1, 3]], dtype=np.int32))
    assert (found.dtype, found.tolist()) == (np.dtype(np.int32), [[1, 2], [0, 2]])
    series = pd.Series([[3, 0], [4, 1]], index=[5, 6], name="basket")
    found = randomize(KEEP_ALL, series)
    assert (found.tolist(), found.index.tolist(), found.name) == (
        [[0, 3], [1, 4]],
        [5, 6],
        "basket",
    )
    for kind in (pa.list_(pa.int32()), pa.large_list(pa.int64()), pa.list_(pa.uint8(), 2)):
        found = randomize(KEEP_ALL, pa.array([[3, 0], [4, 1]], kind))
        assert found.to_pylist() == [[0, 3], [1, 4]]
        assert found.type.value_type == kind.value_type
    chunked = pa.chunked_array([[[3, 0]], [[4, 1], [2, 3]]])
    found = randomize(KEEP_ALL, chunked)
    assert [chunk.to_pylist() for chunk in found.chunks] == [[[0, 3]], [[1, 4], [2, 3]]]
    sliced = pa.array([[3, 0], [4, 1], [2, 3]])[1:]
    assert randomize(KEEP_ALL, sliced).to_pylist() == [[1, 4], [2, 3]]
    sizes = Operator.from_function(KEEP_ALL.outputs, range(6), lambda t, y: int(len(t) == y))
    assert randomize(KEEP_ALL.then(sizes), sets) == [2, 2]


SECRET = 987654321
BAD = [
    (TURN, [10, SECRET], "value number 1"),
    (TURN, [10, "987654321"], "value number 1"),
    (TURN, [10, 10.5], "value number 1"),
    (TURN, [10, None], "value number 1"),
    (TURN, [True], "value number 0"),
    (TURN, np.array([10, 11, SECRET]), "value number 2"),
    (TURN, np.array([10.0, np.nan]), "value number 1"),
    (TURN, np.array([True, False]), "value number 0"),
    (TURN, np.array([[10, 11]]), "value number 0"),
    (TURN, pd.Series([10, None]), "value number 1"),
    (TURN, pd.Series([10, None], dtype="Int64"), "value number 1"),
    (TURN, pd.Series(["10"]), "value number 0"),
    (NAMES, pd.Series(["no", None], dtype="category"), "value number 1"),
    (NAMES, pd.Series(["no", "987654321"], dtype="category"), "value number 1"),
    (NAMES, pd.Series(["no", pd.NA], dtype="string"), "value number 1"),
    (NAMES, [["no"]], "value number 0"),
    (NAMES, [{"no": 1}], "value number 0"),
    (NAMES, [b"no"], "value number 0"),
    (TURN, pa.array([10, None]), "value number 1"),
    (TURN, pa.chunked_array([[10], [None]], pa.int64()), "value number 1"),
    (TURN, pa.array([10, SECRET]), "value number 1"),
    (NAMES, pa.array(["no", "987654321"]), "value number 1"),
    (NAMES, "no", "a column is a list"),
    (NAMES, 3, "a column is a list"),
    (KEEP_ALL, [{0, SECRET}], "transaction 0 is not a set"),
    (KEEP_ALL, [{0, 1}, {0, 1, 2}], "transaction 1 does not have 2 items"),
    (KEEP_ALL, [[0, 0]], "transaction 0 is not a set"),
    (KEEP_ALL, [[0, -1]], "value number 0"),
    (KEEP_ALL, [[0, "987654321"]], "value number 0"),
    (KEEP_ALL, [[0, 2**70]], "value number 0"),
    (KEEP_ALL, [5], "value number 0"),
    (KEEP_ALL, np.array([[0, -1]]), "transaction 0 is not a set"),
    (KEEP_ALL, pa.array([[0, None]]), "items' numbers"),
    (KEEP_ALL, pa.array([["a", "b"]]), "items' numbers"),
    (KEEP_ALL, pa.array([0, 1]), "list column"),
    (KEEP_ALL, pa.array([[0, 1], None]), "value number 1"),
]


@pytest.mark.parametrize(("operator", "values", "says"), BAD, ids=range(len(BAD)))
def test_what_is_outside_is_refused_and_not_shown(operator, values, says):
    with pytest.raises(DataError, match=says) as caught:
        randomize(operator, values)
    error = caught.value
    while error is not None:
        assert str(SECRET) not in f"{error!s} {error!r}"
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def test_parameters_need_values():
    p = Parameter("p", F(0), F(1))
    free = randomized_response(3, p.symbol, parameters=[p])
    with pytest.raises(ValueError, match="free parameters first: p"):
        randomize(free, [0])
    assert randomize(free.substitute({"p": "1/2"}), [0])[0] in (0, 1, 2)


def test_a_seed_repeats_and_says_so():
    half = randomized_response(4, "1/2")
    values = list(range(4)) * 25
    first, second = randomize(half, values, seed=5), randomize(half, values, seed=5)
    assert isinstance(first, Simulated)
    assert first == second
    assert first.seed == 5
    assert first.values != randomize(half, values, seed=6).values
    assert randomize(half, values) != randomize(half, values)  # 1 in 2^200 or so


def test_the_public_name():
    assert ppdm_formal.randomize is randomize
    assert "randomize" in dir(ppdm_formal)
