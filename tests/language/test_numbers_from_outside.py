"""Matrices as they come from elsewhere: exponents, missing labels, rows that miss 1."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from ppdm_formal import Operator
from ppdm_formal.declare.language.compiler import load, load_csv
from ppdm_formal.declare.language.csv_matrix import parse_csv
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.operators.outside import MatrixReading
from ppdm_formal.declare.operators.randomization import NotStochastic

LAYOUTS = {
    "corner left empty, as pandas does": (",a,b\n0,0.5,0.5\n1,1e-05,0.99999", [0, 1], ["a", "b"]),
    "no index": ("a,b,c\n0.5,0.3,0.2\n1E-5,0.99999,0", None, ["a", "b", "c"]),
    "a named corner": ("age,a,b\nlow,0.5,0.5", ["low"], ["a", "b"]),
    "a named corner, numbers below": ("age,a,b\n0,0.5,0.5\n1,0.3,0.7", [0, 1], ["a", "b"]),
    "no corner, as R does": ("a,b\nlow,0.5,0.5\nhigh,1,0", ["low", "high"], ["a", "b"]),
    "numbered outputs, no index": ("0,1,2\n0.2,0.3,0.5", None, [0, 1, 2]),
    "numbered inputs, no outputs": ("0,0.5,0.5\n1,0.3,0.7", [0, 1], None),
    "named inputs, no outputs": ("low,0.5,0.5\nhigh,0.1,0.9", ["low", "high"], None),
    "numbers only": ("0,1\n1,0", None, None),
    "outputs 0 and 1, as pandas does": (",0,1\na,0,1\nb,1,0", ["a", "b"], [0, 1]),
    "a named corner, numbered outputs": ("x,0,1,2\na,0,1,0", ["a"], [0, 1, 2]),
    "ranges": (",0-9,10-19,65+\nlow,0.2,0.3,0.5", ["low"], ["0-9", "10-19", "65+"]),
    "labels 0 and other": ("x,a,b\n0,0.5,0.5\nother,0.1,0.9", [0, "other"], ["a", "b"]),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_labels_are_guessed(name):
    text, inputs, outputs = LAYOUTS[name]
    table = parse_csv(text)
    assert (table.inputs, table.outputs, table.guessed) == (inputs, outputs, True)
    assert all(sum(row) == 1 for row in table.rows)


def test_the_guess_can_be_overruled():
    text = "0,1\n1,0"
    assert parse_csv(text, index=True).inputs == [0, 1]
    assert parse_csv(text, index=True).rows == [[1], [0]]
    assert not parse_csv(text, index=True).guessed
    with pytest.raises(ModelError, match="low is not a number"):
        parse_csv("a,b,c\nlow,0.5,0.5", index=False)


def saved(folder, text, name="survey.csv"):
    (folder / name).write_text(text)
    return folder / name


THIRDS = ",a,b,c\nlow,0.333,0.333,0.333\nhigh,0.2,0.3,0.5\n"


def test_a_row_that_misses_1_by_rounding_is_told_the_ways(tmp_path):
    file = saved(tmp_path, THIRDS)
    with pytest.raises(ModelError) as caught:
        load_csv(file)
    for words in ("999/1000", "--normalize", "--rounded 3", "survey.csv:2:1", "normalize: yes"):
        assert words in str(caught.value)
    model = 'operator T(x: {low, high}) -> {a, b, c} = csv("survey.csv")'
    (tmp_path / "m.ppdm").write_text(model)
    with pytest.raises(ModelError) as caught:
        load(tmp_path / "m.ppdm")
    for words in ("line 2 of survey.csv", "rounded: 3", "normalize: yes"):
        assert words in str(caught.value)
    wrong = saved(tmp_path, THIRDS.replace("0.2,", "0.9,").replace("0.333,0.333,0.333", "0,1,0"))
    with pytest.raises(ModelError) as caught:
        load_csv(wrong)
    assert "rounding" not in str(caught.value)


def test_the_ways(tmp_path):
    file = saved(tmp_path, THIRDS)
    scaled = load_csv(file, MatrixReading("normalize")).operators["survey"]
    assert scaled.probability("low", "a") == F(1, 3)
    assert scaled.origin.change == F(1, 3) - F(333, 1000)
    assert scaled.origin.at == ("low", "a")
    rounded = load_csv(file, MatrixReading("rounded", 3)).operators["survey"]
    assert rounded.within.least[1] == (F(399, 2000), F(599, 2000), F(999, 2000))
    assert rounded.within.most[0][0] == F(667, 2000)
    assert rounded.within.least[0][0] == F(333, 1000)  # 1 less the others' most
    model = """
    operator T(x: {high, low}) -> {c, b, a} = csv("survey.csv", rounded: 3, index: yes)
    operator N(x: {high, low}) -> {c, b, a} = csv("survey.csv", normalize: yes,)
    operator E(x: {high, low}) -> {c, b, a} { y ~ N(x); return y }
    """
    (tmp_path / "m.ppdm").write_text(model)
    compiled = load(tmp_path / "m.ppdm")
    table = compiled.operator("T")
    assert table.within.least[0] == rounded.within.least[1][::-1]  # in the declared order
    assert not table.origin.guessed
    assert compiled.operator("E").probability("low", "a") == F(1, 3)
    assert compiled.operator("N").origin.guessed


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("rounded: 2", "0.333 has more than 2 decimals"),
        ("rounded: 3, normalize: yes", "exclude each other"),
        ("rounded: 3, rounded: 4", "a second 'rounded'"),
        ("rounded: many", "not read with rounded: many"),
        ("rounded: 0.5", "not read with rounded: 0.5"),
        ("scaled: yes", "not read with scaled"),
        ("index: no", "an output without a name"),
    ],
)
def test_wrong_options_are_refused(tmp_path, options, said):
    saved(tmp_path, THIRDS)
    model = f'operator T(x: {{low, high}}) -> {{a, b, c}} = csv("survey.csv", {options})'
    (tmp_path / "m.ppdm").write_text(model)
    with pytest.raises(ModelError, match=said):
        load(tmp_path / "m.ppdm")


def test_a_rounded_operator_is_not_called(tmp_path):
    saved(tmp_path, THIRDS)
    model = """operator T(x: {low, high}) -> {a, b, c} = csv("survey.csv", rounded: 3)
    operator R(x: {low, high}) -> {a, b, c} { return T(x) }"""
    (tmp_path / "m.ppdm").write_text(model)
    with pytest.raises(ModelError, match="within rounding only"):
        load(tmp_path / "m.ppdm")


def test_rows_that_rounding_does_not_explain(tmp_path):
    with pytest.raises(ModelError, match="never to 1"):
        load_csv(saved(tmp_path, "0.1,0.2\n0.5,0.5"), MatrixReading("rounded", 1))
    with pytest.raises(ModelError, match="sums to 0"):
        load_csv(saved(tmp_path, "0,0\n0.5,0.5"), MatrixReading("normalize"))
    with pytest.raises(ModelError, match="below 0"):
        load_csv(saved(tmp_path, "-1,2\n0.5,0.5"), MatrixReading("normalize"))


def test_arrays():
    array = np.array([[0.1, 0.9], [0.25, 0.75]])
    with pytest.raises(TypeError, match=r"exact=True.*normalize=True.*rounded="):
        Operator.from_matrix(array)
    for kind in (np.float64, np.float32):
        found = Operator.from_matrix(array.astype(kind), exact=True)
        assert found.probability(0, 0) == F(1, 10)
    assert Operator.from_matrix(np.eye(2, dtype=int)).probability(0, 0) == 1
    assert Operator.from_matrix([[0.1, 0.9]], rounded=1).within.most == ((F(3, 20), F(19, 20)),)
    with pytest.raises(NotStochastic, match=r"rounded=2"):
        Operator.from_matrix([[0.33, 0.66]], exact=True)
    with pytest.raises(ValueError, match="two dimensions"):
        Operator.from_matrix(np.zeros(3), exact=True)
    with pytest.raises(ValueError, match="nan"):
        Operator.from_matrix([[float("nan"), 1.0]], normalize=True)
    with pytest.raises(ValueError, match="exclude"):
        Operator.from_matrix(array, exact=True, rounded=2)


def test_rows_that_miss_1_by_the_last_bits_of_doubles_are_told_to_normalize(tmp_path):
    pandas = pytest.importorskip("pandas")
    told = []
    for seed in range(40):
        rows = np.random.default_rng(seed).dirichlet([1] * 4, 3)
        file = tmp_path / "m.csv"
        pandas.DataFrame(rows).to_csv(file)
        for read in (
            lambda rows=rows: Operator.from_matrix(rows, exact=True),
            lambda rows=rows: Operator.from_matrix(pandas.DataFrame(rows), exact=True),
            lambda file=file: load_csv(file),
        ):
            try:
                read()
            except (NotStochastic, ModelError) as problem:
                told.append(str(problem))
        assert Operator.from_matrix(rows, normalize=True).inputs.size == 3
        assert load_csv(file, MatrixReading("normalize")).operators["m"].outputs.size == 4
    assert len(told) > 60
    assert all("normalize" in words for words in told)
    with pytest.raises(NotStochastic) as caught:
        Operator.from_matrix([[0.5, 0.5 + 1e-9 + 1e-13]], exact=True)
    assert "floating" not in str(caught.value)


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0.1, 0.9], [1 / 3, 2 / 3]], ["low", 7], ["yes", "no"])
    found = Operator.from_matrix(frame, normalize=True)
    assert (list(found.inputs), list(found.outputs)) == (["low", 7], ["yes", "no"])
    assert found.probability("low", "yes") == F(1, 10)
    assert found.probability(7, "yes") == F(1, 3)  # 0.333... / 0.999..., all to 16 digits
    named = Operator.from_matrix(frame, ["a", "b"], normalize=True)
    assert list(named.inputs) == ["a", "b"]
