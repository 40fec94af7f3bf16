"""Records: what tables and transactions are read as, and what is refused."""

import numpy as np
import pytest

from ppdm_formal.run.errors import DataError
from ppdm_formal.tables.generate import records
from ppdm_formal.tables.generate.record_files import (
    check_names,
    columns_text,
    read_columns,
    read_records,
    records_text,
    taken_from_data,
)
from ppdm_formal.tables.generate.records import RecordColumn


def written(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    return file


def test_transactions_with_exclusive_neighbours_are_records(tmp_path):
    text = "1 4 6\n2 3 6\n1 3\n2 4 5\n"
    found = read_records(written(tmp_path, "a.num", text))
    assert found.kind == "records"
    assert found.columns == (
        RecordColumn("1-2", ("1", "2")),
        RecordColumn("3-4", ("3", "4")),
        RecordColumn("5-6", ("5", "6", "")),  # the third has neither
    )
    assert found.codes.tolist() == [[0, 1, 1], [1, 0, 1], [0, 0, 2], [1, 1, 0]]
    assert "".join(records_text(found)) == text
    assert found.items().labels == ("1", "2", "3", "4", "5", "6")
    without = found.items(without=1).rows
    assert np.diff(without.offsets).tolist() == [2, 2, 1, 2]


def test_other_transactions_are_baskets(tmp_path):
    text = "1 2 3\n2\n\n1 3\n"
    found = read_records(written(tmp_path, "a.dat", text))
    assert (found.kind, [column.values for column in found.columns]) == (
        "baskets",
        [("", "1"), ("", "2"), ("", "3")],
    )
    assert "".join(records_text(found)) == text


def test_tables(tmp_path):
    text = 'colour,size\nred,"1,5"\nblue,2\nred,2\n'
    found = read_records(written(tmp_path, "a.csv", text))
    assert found.columns == (
        RecordColumn("colour", ("blue", "red")),
        RecordColumn("size", ("1,5", "2")),
    )
    assert found.codes.tolist() == [[1, 0], [0, 1], [1, 1]]
    assert "".join(records_text(found)) == text
    assert found.items().labels == ("colour=blue", "colour=red", "size=1,5", "size=2")
    assert found.column_number("size") == found.column_number("last") == 1


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "", "no line with the names"),
        ("a.csv", "a,b\n", "no records"),
        ("a.csv", "a,a\n1,2\n", "not all different"),
        ("a.csv", "a,b\n1\n", "line 2: 1 cells, not 2"),
        ("a.csv", 'a,b\n"1,2\n', "not a line of CSV"),
        ("a.dat", "", "no transactions"),
        ("a.dat", "\n\n", "no items at all"),
    ],
)
def test_bad_files(tmp_path, name, text, words):
    with pytest.raises(DataError, match=words):
        read_records(written(tmp_path, name, text))


def test_declared_columns(tmp_path):
    declared = read_columns(written(tmp_path, "c.csv", "one,1,2\ntwo,3,4,\n"))
    assert declared == [RecordColumn("one", ("1", "2")), RecordColumn("two", ("3", "4", ""))]
    found = read_records(written(tmp_path, "a.num", "1 3\n2\n"), declared)
    assert found.codes.tolist() == [[0, 0], [1, 2]]
    cases = [
        ("1 3\n7 4\n", "not among the declared ones: 1, the first in transaction 2"),
        ("1 2\n", "two items of one column"),
        ("3\n", "transaction 1 has no item of column one"),
    ]
    for text, words in cases:
        with pytest.raises(DataError, match=words):
            read_records(written(tmp_path, "b.num", text), declared)


@pytest.mark.parametrize("text", ["", "a\n", "a,1,1\n", ",1,2\n", "a,1,2\na,3,4\n"])
def test_bad_declarations(tmp_path, text):
    with pytest.raises(DataError, match=r"c\.csv"):
        read_columns(written(tmp_path, "c.csv", text))


def test_a_value_outside_the_declared_ones_is_not_quoted(tmp_path):
    declared = [RecordColumn("a", ("1", "2"))]
    with pytest.raises(DataError, match="line 3: column a has a value") as caught:
        read_records(written(tmp_path, "a.csv", "a\n1\nsecret\n"), declared)
    assert "secret" not in str(caught.value)
    with pytest.raises(DataError, match="other columns"):
        read_records(written(tmp_path, "a.csv", "b\n1\n"), declared)


def test_too_many_cells(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "MAX_CELLS", 5)
    with pytest.raises(DataError, match="2 transactions of 3 items are more than 5 cells"):
        read_records(written(tmp_path, "a.num", "1 2 3\n1\n"))


def test_unknown_columns_are_named():
    from ppdm_formal.infer.baskets.plain_data import PlainData
    from ppdm_formal.tables.generate.records import Records

    some = Records.of_transactions(PlainData.of([[1, 3], [2, 4]]))
    with pytest.raises(DataError, match="no column colour; there are: 1-2, 3-4"):
        some.column_number("colour")


def test_what_was_taken_from_data_says_so(tmp_path):
    columns = [RecordColumn("a", ("1", "")), RecordColumn("b,c", ("2", "3,4"))]
    file = written(tmp_path, "c.csv", columns_text(columns))
    assert (read_columns(file), taken_from_data(file)) == (columns, True)
    mark, rest = file.read_text().split("\n", 1)
    assert not taken_from_data(written(tmp_path, "d.csv", rest))
    for changed in (f'"{mark}"', f"  {mark},,", mark.removeprefix("# ")):
        file = written(tmp_path, "e.csv", f"{changed}\n{rest}")
        assert (read_columns(file), taken_from_data(file)) == (columns, True)


def test_tables_without_a_line_of_names(tmp_path):
    file = written(tmp_path, "a.csv", "red,1\nblue,2\n")
    found = read_records(file, header=False)
    assert [column.name for column in found.columns] == ["column1", "column2"]
    assert len(found) == 2
    declared = [RecordColumn("colour", ("blue", "red")), RecordColumn("size", ("1", "2"))]
    found = read_records(file, declared, header=False)
    assert (found.columns, found.declared) == (tuple(declared), True)
    assert found.codes.tolist() == [[1, 0], [0, 1]]
    with pytest.raises(DataError, match="needs --no-header"):
        read_records(file, declared)


@pytest.mark.parametrize("text", ["red,1\nblue,2\n", "red,big\nblue,small\nred,big\n"])
def test_a_record_is_not_taken_for_names(tmp_path, text):
    file = written(tmp_path, "a.csv", text)
    with pytest.raises(DataError, match="looks like a record") as caught:
        check_names(file, read_records(file).columns)
    assert "red" not in str(caught.value)
