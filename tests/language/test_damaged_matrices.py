"""Matrices with a damaged cell: refused with what to do, never read without a line or column."""

from __future__ import annotations

import pytest

from ppdm_formal.declare.language.compiler import load, load_csv
from ppdm_formal.declare.language.csv_matrix import parse_csv
from ppdm_formal.declare.language.errors import ModelError

ROWS = (("0.999", "0.001"), ("0.5", "0.5"), ("0.4", "0.6"))
DAMAGE = (
    *("0.00l", "O.001", "o.001", "l.0", "0x0", "0x1F", "0.001;", "0.001,", "0,001", ".001"),
    *(
        "NaN",
        "nan",
        "-nan",
        "inf",
        "-inf",
        "Infinity",
        "1e",
        "1e-",
        "1e-3f",
        "0.001 x",
        "1/",
        "1/0",
    ),
    *(
        "1/0",
        "1//1000",
        "1/1000/1",
        "0.1%%",
        "0.001?",
        "~0.001",
        "<0.001",
        "'0.001",
        "0.001*",
        "0·001",
    ),
    *("--0.001", "0. 001", "1 000", "1;", "1O", "0l", "1Ol", "1g", "\u0660.5", "$0.5", "0_0"),
)


def quoted(rows, front=()):
    """A file of these rows, with a first cell in front of each where it is given."""
    lines = [[*front[k : k + 1], *row] for k, row in enumerate(rows)]
    return "\n".join(",".join(f'"{cell}"' for cell in line) for line in lines)


def damaged(line, cell, text):
    return [
        [text if (i, j) == (line, cell) else ROWS[i][j] for j in range(2)] for i in range(len(ROWS))
    ]


@pytest.mark.parametrize("text", DAMAGE)
def test_a_damaged_number_is_never_a_name(text):
    for line in range(3):
        for cell in range(2):
            rows = damaged(line, cell, text)
            for front in ((), ("low", "mid", "high"), ("7", "8", "9")):
                for index, header in ((None, None), (None, False), (bool(front), False)):
                    with pytest.raises(ModelError) as caught:
                        parse_csv(quoted(rows, front), index, header)
                    assert f":{line + 1}:" in str(caught.value)
            headed = [["a", "b"], *rows]
            for front in ((), ("", "low", "mid", "high"), ("x", "7", "8", "9")):
                with pytest.raises(ModelError):
                    parse_csv(quoted(headed, front))
    with pytest.raises(ModelError, match="although it looks like one"):  # every cell of the line
        parse_csv(quoted([[text, f"{text}1"], *ROWS]))
    with pytest.raises(ModelError, match="although it looks like one"):  # the whole first column
        parse_csv(quoted([[f"{text}{k}" if k else text, *row] for k, row in enumerate(ROWS)]))


@pytest.mark.parametrize("text", ["junk", "", "low", "#REF!", "n/a", "x1"])
def test_a_first_line_that_mixes_numbers_and_text_is_refused(text):
    for cell in range(2):
        for front in ((), ("low", "mid", "high"), ("0", "1", "2")):
            with pytest.raises(ModelError) as caught:
                parse_csv(quoted(damaged(0, cell, text), front))
            if front != ("0", "1", "2"):
                assert "--header" in str(caught.value)
            with pytest.raises(ModelError):
                parse_csv(quoted(damaged(0, cell, text), front), header=False)


UNCLEAR = {
    "a label, or a corner": "low,0,1\nhigh,0.5,0.5",
    "a label, or a corner, integers": "x,18,19\nlow,0.5,0.5",
    "an empty cell, or a corner": ",0.1,0.5\n0,0.3,0.7",
    "counts, or names": "0,1,2\n4,5,6",
    "labelled counts, or names": "x,0,1,2\ny,4,5,6",
    "a lost label among numbers": "O,0.4,0.6\n0.3,0.3,0.4",
    "a number above names": "0,a,b\nlow,0.5,0.5",
    "names and numbers": "x,a,1\nlow,0.5,0.5",
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_may_be_a_row_or_names_is_asked(name):
    with pytest.raises(ModelError, match="--header"):
        parse_csv(UNCLEAR[name])
    assert parse_csv(UNCLEAR[name], name != "counts, or names", True).outputs is not None


COLUMNS = {
    "counts, or labels and counts": "5,6,7\n3,4,5",
    "numbers and a name": "x,a,b\n0.1,0.4,0.5\nlow,0.5,0.5",
    "a whole number that the sum needs, and a name": "x,a,b\n1,0,0\nlow,0.5,0.5",
    "a number lost from the corner": ",0,1\n0.5,0.5,0\n0.2,0.3,0.5",
    "rows that sum to 1 neither way": "0.9,0.9\n0.5,0.5",
}


@pytest.mark.parametrize("name", COLUMNS)
def test_no_column_is_taken_for_labels_against_the_sums(name):
    with pytest.raises(ModelError, match="--index"):
        parse_csv(COLUMNS[name])


def test_what_is_said_is_done():
    text = "0.1,0.9\n0.5,0.5\n0.4,0.6"
    assert len(parse_csv(text).rows) == len(parse_csv(text, header=False).rows) == 3
    named = parse_csv(text, header=True)
    assert (named.outputs, len(named.rows), named.header_guessed) == (["0.1", "0.9"], 2, False)
    assert parse_csv("x,0,1\na,0,1\nb,1,0", header=False).inputs == ["x", "a", "b"]
    assert parse_csv("x,0,1\na,0,1\nb,1,0", header=True).inputs == ["a", "b"]
    assert parse_csv("a,0.00l\n0.5,0.5", header=True).outputs == ["a", "0.00l"]
    assert parse_csv("O.1,0.5,0.5\n0.2,0.5,0.5", index=True).inputs == ["O.1", "0.2"]


def test_models_read_files_the_same_way(tmp_path):
    (tmp_path / "hd.csv").write_text("0.999,0.00l\n0.5,0.5\n0.4,0.6\n")
    with pytest.raises(ModelError, match="header: yes"):
        load_csv(tmp_path / "hd.csv")
    for option in ("", ", header: no", ", header: yes", ", index: no"):
        model = f'operator T(x: 0..1) -> 0..1 = csv("hd.csv"{option})'
        (tmp_path / "m.ppdm").write_text(model)
        with pytest.raises(ModelError):
            load(tmp_path / "m.ppdm")
    (tmp_path / "hd.csv").write_text("x,0,1\na,0,1\nb,1,0\n")
    (tmp_path / "m.ppdm").write_text('operator T(x: {a, b}) -> 0..1 = csv("hd.csv")')
    assert load(tmp_path / "m.ppdm").operators["T"].probability("a", 1) == 1  # as declared
    (tmp_path / "m.ppdm").write_text('operator T(v: {x, a, b}) -> 0..1 = csv("hd.csv")')
    with pytest.raises(ModelError, match="--header"):
        load(tmp_path / "m.ppdm")
    (tmp_path / "m.ppdm").write_text('operator T(v: {x, a, b}) -> 0..1 = csv("hd.csv", header: no)')
    assert load(tmp_path / "m.ppdm").operators["T"].probability("x", 1) == 1
