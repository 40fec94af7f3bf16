"""Reading plain transactions: numbers as blocks of bytes, names line by line, bad files refused."""

import gzip
import lzma
import os
from itertools import pairwise

import numpy as np
import pytest
from engines import ENGINES, engine
from hypothesis import example, given
from hypothesis import strategies as st

from ppdm_formal.infer.baskets import fimi, plain_data
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.run.errors import DataError

LINES = st.lists(
    st.text(st.sampled_from("0123456789 \t\r\v\f"), max_size=12)
    | st.lists(st.integers(0, 10**9 - 1), max_size=5).map(lambda row: " ".join(map(str, row))),
    max_size=12,
)


def as_lists(data):
    ends = data.rows.offsets.tolist()
    items = [data.labels[item] for item in data.rows.items.tolist()]
    return [items[start:end] for start, end in pairwise(ends)]


@pytest.mark.parametrize("name", ENGINES)
def test_blocks_of_numbers(name):
    @given(LINES)
    @example(["999999999"])
    @example(["1234567890"])
    @example(["0000000001"])
    @example([])
    def check(lines):
        text = np.frombuffer("".join(line + "\n" for line in lines).encode(), dtype=np.uint8)
        found = fimi.numbers_of(text)
        cells = [line.split() for line in lines]
        if any(len(cell) > 9 for row in cells for cell in row):
            assert found is None
            return
        assert found.codes.tolist() == [int(cell) for row in cells for cell in row]
        assert found.sizes.tolist() == [len(row) for row in cells]

    with engine(name):
        check()
        for other in (b"1 a\n", b"1 -2\n", b"1,2\n", "é\n".encode(), b"1.0\n", b"\x1c1\n", b"\0\n"):
            assert fimi.numbers_of(np.frombuffer(other, dtype=np.uint8)) is None


CONTENTS = {
    "numbers": (b"3 1\n2\n\n1 3 3\n", [["1", "3"], ["2"], [], ["1", "3"]]),
    "no last line end": (b"3 1\n2", [["1", "3"], ["2"]]),
    "other line ends": (b"3 1\r\n2\t5 \r\n", [["1", "3"], ["2", "5"]]),
    "byte order mark": (b"\xef\xbb\xbf1 2\n", [["1", "2"]]),
    "names": ("milk 7\nthé 007 milk\n".encode(), [["7", "milk"], ["7", "milk", "thé"]]),
    "names later": (b"10 9\n2 b\n9 10\n", [["9", "10"], ["2", "b"], ["9", "10"]]),
    "large and small": (b"12345678901 -5 +4\n4.0\n", [["-5", "4", "12345678901"], ["4"]]),
    "far apart": (b"999999999 0\n0\n", [["0", "999999999"], ["0"]]),
    "empty lines": (b"\n\n", [[], []]),
}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("block", [1, 3, 7, 1 << 23])
@pytest.mark.parametrize("what", CONTENTS)
def test_fimi_files(name, block, what, tmp_path, monkeypatch):
    content, expected = CONTENTS[what]
    monkeypatch.setattr(fimi, "BLOCK_BYTES", block)
    if what == "byte order mark":
        monkeypatch.setattr(fimi, "BLOCK_BYTES", max(3, block))
    for suffix, packed in (("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)):
        file = tmp_path / f"some.dat{suffix}"
        file.write_bytes(packed(content))
        with engine(name):
            assert as_lists(PlainData.read(file)) == expected


def test_csv_and_parquet_find_their_items_too(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    rows = [["whole milk", "a,b"], [], ["7"], ["whole milk", "whole milk"]]
    csv_file, lists, numbers = (tmp_path / name for name in ("b.csv", "b.parquet", "n.pq"))
    csv_file.write_text('whole milk,"a,b"\n\n 007 ,,\nwhole milk,whole milk\n')
    pq.write_table(pa.table({"x": range(4), "items": rows}), lists)
    pq.write_table(pa.table({"a": [[3, 1], None, [None, 10]], "b": [[1], [2], [2]]}), numbers)
    expected = [["a,b", "whole milk"], [], ["7"], ["whole milk"]]
    assert as_lists(PlainData.read(csv_file)) == as_lists(PlainData.read(lists)) == expected
    assert as_lists(PlainData.read(numbers, "a")) == [["1", "3"], [], ["10"]]
    with pytest.raises(DataError, match="2 columns hold lists"):
        PlainData.read(numbers)
    with pytest.raises(DataError, match="only a Parquet file has columns"):
        PlainData.read(csv_file, "items")
    fimi_file = tmp_path / "f.dat"
    fimi_file.write_text("1\n")
    with pytest.raises(DataError, match="only a Parquet file has columns"):
        PlainData.read(fimi_file, "items")


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("empty.dat", b"", "no transactions"),
        ("bom.dat", b"\xef\xbb\xbf", "no transactions"),
        ("empty.csv", b"", "no transactions"),
        ("bad.dat", b"1 2\n3 \xff\n", "line 2: not UTF-8"),
        ("open.csv", b'a,b\n"c\n', "not readable as CSV"),
        ("some.txt", b"1 2\n", "transactions are in"),
        ("some.dat.gz", b"1 2\n", "the name says gzip"),
        ("cut.dat.xz", lzma.compress(b"1 2\n" * 1000)[:-20], "end too early"),
        ("other.dat", gzip.compress(b"1 2\n", mtime=0), "the content is gzip"),
        ("bad.parquet", b"PAR1 no", "not a whole Parquet file"),
    ],
)
def test_bad_files_are_refused(file, content, message, tmp_path):
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        PlainData.read(path)


@pytest.mark.parametrize("content", [b"1 2\n" + b"1 " * 60 + b"\n3\n", b"1 2\n" + b"b " * 60])
@pytest.mark.parametrize("block", [16, 1000])
def test_long_lines_are_refused(content, block, tmp_path, monkeypatch):
    """Whether or not they lie within one block; a line as long as allowed is read."""
    monkeypatch.setattr(fimi, "BLOCK_BYTES", block)
    file = tmp_path / "long.dat"
    file.write_bytes(content)
    monkeypatch.setattr(fimi, "MAX_LINE", 121)
    assert len(PlainData.read(file).rows) >= 2
    monkeypatch.setattr(fimi, "MAX_LINE", 100)
    with pytest.raises(DataError, match="line 2: longer than 100 bytes"):
        PlainData.read(file)


def test_too_many_items_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(plain_data, "MAX_ITEMS", 3)
    monkeypatch.setattr(plain_data, "MAX_ITEMS", 3)
    file = tmp_path / "many.dat"
    file.write_text("1 2 3 1 2\n")
    assert len(PlainData.read(file).labels) == 3
    for content in ("1 2 3 4\n", "a b c d\n", "1 2 c d\n"):
        file.write_text(content)
        with pytest.raises(DataError, match="items"):
            PlainData.read(file)


def test_numbers_far_apart_need_no_table(monkeypatch):
    monkeypatch.setattr(plain_data, "MAX_TABLE", 10)
    data = PlainData.of([[5, 900, "x"], [900], [5, 5]])
    assert as_lists(data) == [["5", "900", "x"], ["900"], ["5"]]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_once(tmp_path):
    import threading

    pipe = tmp_path / "pipe.dat"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"1 2\nx\n",))
    writer.start()
    assert as_lists(PlainData.read(pipe)) == [["1", "2"], ["x"]]
    writer.join()
