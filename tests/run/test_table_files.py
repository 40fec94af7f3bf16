"""Tables read and written: CSV and Parquet, compressed or not; places named, nothing quoted."""

import gzip
import lzma

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.run.cells import EMPTY, NAN, OUTSIDE, Cells
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.tables import TableFile, create_table, open_table

AGES = {"age": Cells(Domain(range(100)))}


def read(path, columns=AGES, keep=()):
    with open_table(TableFile.named(path), columns, keep) as reader:
        blocks = list(reader.blocks())
        order = list(reader.order)
    coded = {n: np.concatenate([b.coded[n] for b in blocks] or [[]]).tolist() for n in columns}
    kept = {n: [x for b in blocks for x in list(b.kept[n])] for n in keep}
    return order, coded, kept, [place for b in blocks for place in b.places]


def csv_file(tmp_path, content, name="in.csv"):
    path = tmp_path / name
    data = content if isinstance(content, bytes) else content.encode()
    packed = {".gz": gzip.compress, ".xz": lzma.compress}.get(path.suffix, bytes)(data)
    path.write_bytes(packed)
    return path


@pytest.mark.parametrize("name", ["in.csv", "in.csv.gz", "in.csv.xz", "IN.CSV.GZ"])
def test_csv_by_its_name(tmp_path, name):
    path = tmp_path / name
    packed = {".gz": gzip.compress, ".xz": lzma.compress}.get(path.suffix.lower(), bytes)
    path.write_bytes(packed(b"id,age\n7,1\n8,99\n"))
    assert read(path, keep=["id"]) == (["id", "age"], {"age": [1, 99]}, {"id": ["7", "8"]}, [2, 3])


@pytest.mark.parametrize(
    ("content", "expected", "places"),
    [
        ("age\n1\n\n2\n", [1, EMPTY, 2], [2, 3, 4]),
        ("age,id\n1,a\n\n2,b\n\n", [1, 2], [2, 4]),
        ('id,age\n"two\nlines",5\nx,6\n', [5, 6], [2, 4]),
        ('id,age\r\na,"7"\r\nb, 8 \r\n', [7, 8], [2, 3]),
        ("\ufeffage\n3\n", [3], [2]),
        (" age ,x\n3,1\n", [3], [2]),
        ("age\n3", [3], [2]),
        ("age,x\n,1\nNaN,1\n-1,1\n", [EMPTY, NAN, OUTSIDE], [2, 3, 4]),
        ("age\n", [], []),
        ('age,note\n4,"say ""hi"", please"\n', [4], [2]),
    ],
)
def test_csv_rows_and_their_lines(tmp_path, content, expected, places):
    _, coded, _, found = read(csv_file(tmp_path, content))
    assert coded["age"] == expected
    assert found == places


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "the file is empty"),
        ("id\n1\n", "has no column named age"),
        ("age,age\n1,2\n", "has 2 columns named age"),
        ("age,id\n1,2\n3\n", "line 3: 1 cells where the first line has 2"),
        ("age,id\n1,2\n3,4,5\n", "line 3: 3 cells"),
        ('age,id\n1,"2\n', "line 2: not readable as CSV"),
        ('age,id\n1,"2"x\n', "line 2: not readable as CSV"),
        (b"age,id\n1,2\n3,caf\xe9\n", "line 3: not UTF-8"),
        (b"\xff\xfea\x00g\x00e\x00\n\x00", "line 1: not UTF-8"),
        ("age,id\n1," + "x" * 200_000 + "\n", "line 2: not readable as CSV"),
    ],
)
def test_bad_csv_is_refused_by_its_line(tmp_path, content, why):
    with pytest.raises(DataError, match=why):
        read(csv_file(tmp_path, content))


def test_a_line_has_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("ppdm_formal.run.streams.MAX_LINE", 1000)
    with pytest.raises(DataError, match="line 2: longer than 1,000 bytes"):
        read(csv_file(tmp_path, "age\n" + " " * 2000 + "1\n"))


@pytest.mark.parametrize("kind", ["gz", "xz"])
def test_damaged_and_truncated_compression(tmp_path, kind):
    rows = "age\n" + "\n".join(str(k * k % 100) for k in range(50_000)) + "\n"
    path = csv_file(tmp_path, rows, f"in.csv.{kind}")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"end too early|damaged"):
        read(path)
    path.write_bytes(b"age\n1\n")
    with pytest.raises(DataError, match="damaged"):
        read(path)
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + bytes(50) + whole[middle + 50 :])
    with pytest.raises(DataError, match=r"damaged|end too early|not UTF-8|not readable"):
        read(path)


def parquet_file(tmp_path, **columns):
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array([1, None, 100, -1]), [1, EMPTY, OUTSIDE, OUTSIDE]),
        (pa.array([1, 255], pa.uint8()), [1, OUTSIDE]),
        (pa.array([1, 2**64 - 1], pa.uint64()), [1, OUTSIDE]),
        (pa.array([1.0, 1.5, float("nan"), None, float("inf")]), [1, OUTSIDE, NAN, EMPTY, OUTSIDE]),
        (pa.array([1.0, float("nan")], pa.float32()), [1, NAN]),
        (pa.array(["1", "01", "", None, "x", "nan"]), [1, 1, EMPTY, EMPTY, OUTSIDE, NAN]),
        (pa.array(["7", None, "7"]).dictionary_encode(), [7, EMPTY, 7]),
        (pa.array(["7"], pa.large_string()), [7]),
        (pa.nulls(2), [EMPTY, EMPTY]),
        (pa.array([], pa.int64()), []),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_parquet_types(tmp_path, column, expected):
    _, coded, _, places = read(parquet_file(tmp_path, age=column))
    assert coded["age"] == expected
    assert places == list(range(1, len(expected) + 1))


def test_parquet_numbers_can_name_labels(tmp_path):
    columns = {"x": Cells(Domain(["1", "b", 3]))}
    path = parquet_file(tmp_path, x=pa.array([1, 3, 2]))
    assert read(path, columns)[1]["x"] == [0, 2, OUTSIDE]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([True]),
        pa.array([[1]]),
        pa.array([b"1"]),
        pa.array([1], pa.timestamp("s")),
        pa.array([{"a": 1}]),
    ],
    ids=lambda column: str(column.type),
)
def test_parquet_types_that_cannot_hold_the_values(tmp_path, column):
    with pytest.raises(DataError, match="column age is of type"):
        read(parquet_file(tmp_path, age=column))


def test_parquet_columns_must_be_there(tmp_path):
    with pytest.raises(DataError, match="no column named age"):
        read(parquet_file(tmp_path, other=[1]))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.97])
def test_truncated_parquet(tmp_path, share):
    path = parquet_file(tmp_path, age=[k % 100 for k in range(10_000)])
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(DataError, match="not a whole Parquet file"):
        read(path)


def test_damaged_parquet_pages(tmp_path):
    path = parquet_file(tmp_path, age=[k * k % 100 for k in range(10_000)])
    whole = bytearray(path.read_bytes())
    whole[8:200] = bytes(192)
    path.write_bytes(whole)
    with pytest.raises(DataError, match="not a whole Parquet file"):
        read(path)


@pytest.mark.parametrize("name", ["x.txt", "x", "x.gz", "x.parquet.gz", "x.dat"])
def test_names_that_are_no_table(tmp_path, name):
    with pytest.raises(DataError, match="name"):
        TableFile.named(tmp_path / name)


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.csv.xz", "out.parquet"])
@pytest.mark.parametrize("source", ["in.csv", "in.parquet"])
def test_what_is_written_is_read_back(tmp_path, name, source):
    """Columns in the order of the source, labels quoted where needed, kept columns as they were."""
    labels = Domain(['a,"b"', "line\nbreak", "ü", 7])
    texts = [str(value) for value in labels]
    if source == "in.csv":
        import csv

        with (tmp_path / source).open("w", newline="") as file:
            csv.writer(file).writerows([["id", "x", "n"], *zip("abcd", texts, "3012", strict=True)])
    else:
        table = pa.table({"id": list("abcd"), "x": texts, "n": [3, 0, 1, 2]})
        pq.write_table(table, tmp_path / source)
    columns = {"n": Cells(Domain(range(4))), "x": Cells(labels)}
    target = TableFile.named(tmp_path / name)
    with (
        open_table(TableFile.named(tmp_path / source), columns, ["id"]) as reader,
        target.path.open("wb") as raw,
        create_table(target, raw, columns, reader) as writer,
    ):
        for block in reader.blocks():
            writer.write(block)
        writer.finish({"note": "hello"})
    order, coded, kept, _ = read(target.path, columns, ["id"])
    assert order == ["id", "x", "n"]
    assert coded == {"n": [3, 0, 1, 2], "x": [0, 1, 2, 3]}
    assert [str(cell) for cell in kept["id"]] == list("abcd")
    if name == "out.parquet":
        assert pq.read_metadata(target.path).metadata[b"note"] == b"hello"
        assert pq.read_schema(target.path).field("n").type == pa.int64()


@pytest.mark.parametrize("cell", ["a\rb", "\r", "a\r\nb", '"', ",", "", " ", "\x00", "é\u2028"])
def test_kept_cells_are_read_back(tmp_path, cell):
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([["note", "age"], [cell, "1"], ["x", "2"]])
    path = csv_file(tmp_path, text.getvalue())
    target = TableFile.named(tmp_path / "out.csv")
    with (
        open_table(TableFile.named(path), AGES, ["note"]) as reader,
        target.path.open("wb") as raw,
        create_table(target, raw, AGES, reader) as writer,
    ):
        for block in reader.blocks():
            writer.write(block)
    _, coded, kept, _ = read(target.path, AGES, ["note"])
    assert (coded["age"], kept["note"]) == ([1, 2], [cell, "x"])


def test_kept_columns_with_dictionaries_that_differ(tmp_path):
    """Categories of pandas: each row group may have its own dictionary."""
    path = tmp_path / "in.parquet"
    kinds = pa.array(["a", "b"] * 50_000 + ["c", "d"] * 50_000).dictionary_encode()
    pq.write_table(pa.table({"kind": kinds, "age": [1] * 200_000}), path, row_group_size=30_000)
    for name in ("out.parquet", "out.csv"):
        target = TableFile.named(tmp_path / name)
        with (
            open_table(TableFile.named(path), AGES, ["kind"]) as reader,
            target.path.open("wb") as raw,
            create_table(target, raw, AGES, reader) as writer,
        ):
            for block in reader.blocks():
                writer.write(block)
            writer.finish({})
        _, _, kept, _ = read(target.path, AGES, ["kind"])
        assert [str(cell) for cell in kept["kind"]] == kinds.to_pylist()


def test_names_with_dots_are_names(tmp_path):
    """For pyarrow a.b is a part of a, too: only what was asked for is taken."""
    path = tmp_path / "in.parquet"
    table = pa.table({"a": [{"b": 5}], "a.b": [7], "a.c": ["secret"]})
    pq.write_table(table, path)
    cells = {"a.b": Cells(Domain(range(10)))}
    with open_table(TableFile.named(path), cells) as reader:
        [block] = reader.blocks()
    assert reader.order == ["a.b"]
    assert block.coded["a.b"].tolist() == [7]
    assert block.kept == {}


def test_text_that_is_not_utf8_in_parquet(tmp_path):
    path = tmp_path / "in.parquet"
    bad = pa.array([b"1", b"\xff\xfe"]).view(pa.string())
    pq.write_table(pa.table({"age": bad, "note": bad}), path)
    with pytest.raises(DataError, match="not UTF-8"):
        read(path)


def test_a_kept_column_that_csv_cannot_hold(tmp_path):
    path = parquet_file(tmp_path, age=[1], lists=[[1, 2]])
    target = TableFile.named(tmp_path / "out.csv")
    with (
        open_table(TableFile.named(path), AGES, ["lists"]) as reader,
        target.path.open("wb") as raw,
        create_table(target, raw, AGES, reader) as writer,
    ):
        [block] = reader.blocks()
        with pytest.raises(DataError, match="cannot be written as CSV"):
            writer.write(block)


def test_the_same_rows_give_the_same_compressed_bytes(tmp_path):
    path = csv_file(tmp_path, "age\n1\n2\n")
    written = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        target = TableFile.named(tmp_path / folder / f"{folder}.csv.gz")
        with (
            open_table(TableFile.named(path), AGES) as reader,
            target.path.open("wb") as raw,
            create_table(target, raw, AGES, reader) as writer,
        ):
            for block in reader.blocks():
                writer.write(block)
        written.append(target.path.read_bytes())
    assert written[0] == written[1]


def test_many_blocks(tmp_path):
    rows = [k % 100 for k in range(200_000)]
    path = csv_file(tmp_path, "age\n" + "\n".join(map(str, rows)) + "\n", "in.csv.gz")
    _, coded, _, places = read(path)
    assert coded["age"] == rows
    assert places == list(range(2, 200_002))
    path = parquet_file(tmp_path, age=rows)
    _, coded, _, places = read(path)
    assert coded["age"] == rows
    assert places == list(range(1, 200_001))


def test_long_rows_make_short_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("ppdm_formal.run.csv_table.BLOCK_BYTES", 100_000)
    path = csv_file(tmp_path, "age,note\n" + ("7," + "x" * 1000 + "\n") * 3000)
    with open_table(TableFile.named(path), AGES) as reader:
        rows = [len(block.places) for block in reader.blocks()]
    assert sum(rows) == 3000
    assert max(rows) <= 512
