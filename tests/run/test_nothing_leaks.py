"""No original value is ever written or shown: planted values are searched in all that comes out."""

import gzip
import json
import lzma
import traceback

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from release_cases import write_model, write_plan

from ppdm_formal.cli import run
from ppdm_formal.run.errors import WithheldError, nothing_quoted

SECRET = "7f3Secret9b"
"""Part of every planted value; also of column names that nobody asked for."""

NUMBER = 4_815_162_342
"""A planted number: outside every domain here."""

TRACES = [SECRET.encode(), str(NUMBER).encode(), NUMBER.to_bytes(8, "little")]


def packed(name, data):
    return {"gz": gzip.compress, "xz": lzma.compress}.get(name.rsplit(".", 1)[-1], bytes)(data)


def unpacked(path):
    data = path.read_bytes()
    if path.suffix == ".gz":
        return data + gzip.decompress(data)
    if path.suffix == ".xz":
        return data + lzma.decompress(data)
    if path.suffix == ".parquet":
        return data + repr(pq.read_table(path).to_pydict()).encode()
    return data


def assert_clean(folder, capfd, inputs):
    shown = capfd.readouterr()
    everything = {"stdout": shown.out.encode(), "stderr": shown.err.encode()}
    for path in folder.rglob("*"):
        if path.is_file() and path.name not in inputs:
            everything[path.name] = unpacked(path)
    for name, content in everything.items():
        for trace in TRACES:
            assert trace not in content, name
        assert name in ("stdout", "stderr") or not name.startswith("."), "left behind"
    return shown


ROWS = f"id{SECRET},answer,age\n" + f"{SECRET}1,yes,5\n" * 50
BAD_TABLES = {
    "a value outside": ROWS + f"x,{SECRET},7\n",
    "a number outside": ROWS + f"x,yes,{NUMBER}\n",
    "too many cells": ROWS + f"x,yes,7,{SECRET}\n",
    "too few cells": ROWS + f"{SECRET}\n",
    "an open quote": ROWS + f'x,"{SECRET}\n',
    "text after a quote": ROWS + f'x,"yes"{SECRET},7\n',
    "a long cell": ROWS + f"x,{SECRET * 20_000},7\n",
    "no header": f"{SECRET},{NUMBER},yes\n" * 3,
    "one column twice": f"answer,answer,age\n{SECRET},yes,1\n",
    "another encoding": ROWS.encode() + f"x,{SECRET}\xe9,7\n".encode("latin-1"),
    "utf-16": ROWS.encode("utf-16"),
    "a NUL byte": ROWS + f"x,{SECRET}\0,7\n",
    "lone carriage returns": ROWS.replace("\n", "\r"),
    "a tuple": ROWS + f'x,"({SECRET}, {NUMBER})",7\n',
    "an empty cell": ROWS + f"{SECRET},,7\n",
    "NaN": ROWS + f"{SECRET},yes,NaN\n",
    "a huge number": ROWS + f"x,yes,{NUMBER}{'0' * 5000}\n",
    "controls": ROWS + f"x,\x1b[31m{SECRET}\x07,7\n",
}
ENDS = ["gz", "xz"]
BOTH = ["--operator", "Reply=answer", "--operator", "Blur=age"]


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, "in.csv") for kind in BAD_TABLES]
    + [(kind, f"in.csv.{end}") for kind in ("a value outside", "an open quote") for end in ENDS],
)
def test_bad_tables(tmp_path, capfd, kind, name):
    write_model(tmp_path)
    content = BAD_TABLES[kind]
    data = content if isinstance(content, bytes) else content.encode()
    (tmp_path / name).write_bytes(packed(name, data))
    inputs = {name, "model.ppdm"}
    common = ["randomize", str(tmp_path / name), "--model", str(tmp_path / "model.ppdm"), *BOTH]
    assert run([*common, "-o", str(tmp_path / "out.csv")]) == 2
    shown = assert_clean(tmp_path, capfd, inputs)
    assert name in shown.err
    assert {path.name for path in tmp_path.iterdir()} == inputs
    for target in ("out.csv.gz", "out.parquet"):
        assert run([*common, "-o", str(tmp_path / target), "--outside", "drop"]) in (0, 2)
    assert_clean(tmp_path, capfd, inputs)


@pytest.mark.parametrize("name", ["in.csv.gz", "in.csv.xz"])
def test_truncated_compression(tmp_path, capfd, name):
    write_model(tmp_path)
    rows = "".join(f"{SECRET}{k * k},yes,{k % 100}\n" for k in range(20_000))
    data = packed(name, ("id,answer,age\n" + rows).encode())
    (tmp_path / name).write_bytes(data[: len(data) * 2 // 3])
    common = ["randomize", str(tmp_path / name), "--model", str(tmp_path / "model.ppdm"), *BOTH]
    assert run([*common, "-o", str(tmp_path / "out.csv"), "--outside", "drop"]) == 2
    shown = assert_clean(tmp_path, capfd, {name, "model.ppdm"})
    assert "end too early" in shown.err
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    "columns",
    [
        {"answer": ["yes", SECRET], "age": [1, 2]},
        {"answer": ["yes", None], "age": [1, NUMBER], SECRET: [1, 2]},
        {"answer": ["yes", SECRET], "age": [f"{SECRET}", "x"]},
        {"answer": [b"yes", SECRET.encode()], "age": [1, 2]},
        {"answer": [[SECRET], []], "age": [1, 2]},
        {"answer": ["yes", "no"], "age": [1.0, float(NUMBER)]},
        {SECRET: ["yes", "no"]},
        {"answer": pa.array(["yes", SECRET]).dictionary_encode(), "age": [1, 2]},
        {"answer": pa.array([NUMBER, 1]), "age": [1, 2]},
    ],
    ids=range(9),
)
@pytest.mark.parametrize("damage", [False, True])
def test_bad_parquet(tmp_path, capfd, columns, damage):
    write_model(tmp_path)
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table(columns), path, compression="none", use_dictionary=False)
    if damage:
        whole = bytearray(path.read_bytes())
        whole[6:40] = whole[-60:-26]
        path.write_bytes(whole)
    common = ["randomize", str(path), "--model", str(tmp_path / "model.ppdm"), *BOTH]
    assert run([*common, "-o", str(tmp_path / "out.csv")]) == 2
    assert_clean(tmp_path, capfd, {"in.parquet", "model.ppdm"})
    assert not (tmp_path / "out.csv").exists()
    if not damage:
        assert run([*common, "-o", str(tmp_path / "out.parquet"), "--outside", "drop"]) in (0, 2)
        assert_clean(tmp_path, capfd, {"in.parquet", "model.ppdm"})


BASKETS = {
    "in.dat": [f"1 2 {NUMBER}\n", f"1 {SECRET}\n", f"1 -{NUMBER}\n", f"{'1 ' * 9}{SECRET}\n"],
    "in.csv": [f"1,{SECRET}\n", f'1,"{SECRET}\n', f"1,,{SECRET}\n", f'"1"{SECRET}\n'],
}


@pytest.mark.parametrize(("name", "row"), [(n, r) for n, rows in BASKETS.items() for r in rows])
def test_bad_baskets(tmp_path, capfd, name, row):
    write_plan(tmp_path)
    (tmp_path / name).write_text("1\n" * 20 + row)
    inputs = {name, "plan.json"}
    common = ["randomize", str(tmp_path / name), "--plan", str(tmp_path / "plan.json")]
    policy = ["--longer", "sample", "--shorter", "drop"]
    assert run([*common, "-o", str(tmp_path / "out.dat"), *policy]) == 2
    assert_clean(tmp_path, capfd, inputs)
    assert {path.name for path in tmp_path.iterdir()} == inputs
    for target in ("out.dat", "out.csv.xz", "out.parquet"):
        code = run([*common, "-o", str(tmp_path / target), *policy, "--outside", "drop"])
        assert code in (0, 2)
    assert_clean(tmp_path, capfd, inputs)


def test_bad_parquet_baskets(tmp_path, capfd):
    write_plan(tmp_path)
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"b": [["1"], [SECRET, "2"]], SECRET: [1, 2]}), path)
    common = ["randomize", str(path), "--plan", str(tmp_path / "plan.json")]
    assert run([*common, "-o", str(tmp_path / "out.dat")]) == 2
    assert run([*common, "-o", str(tmp_path / "out.csv"), "--column", "c"]) == 2
    assert run([*common, "-o", str(tmp_path / "o.parquet"), "--outside", "drop"]) == 0
    assert_clean(tmp_path, capfd, {"in.parquet", "plan.json"})


def test_too_little_memory_is_said_and_nothing_of_a_row(tmp_path, capfd, monkeypatch):
    write_model(tmp_path)
    (tmp_path / "in.csv").write_text(ROWS)

    def broken(*_):
        raise MemoryError(SECRET, NUMBER)

    monkeypatch.setattr("ppdm_formal.run.table_release._judged", broken)
    common = ["randomize", str(tmp_path / "in.csv"), "--model", str(tmp_path / "model.ppdm"), *BOTH]
    assert run([*common, "-o", str(tmp_path / "out.csv")]) == 3
    shown = capfd.readouterr()
    assert "memory" in shown.err
    assert SECRET not in shown.err + shown.out
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("problem", [KeyError, ValueError, AssertionError, IndexError])
@pytest.mark.parametrize("debug", [False, True])
def test_what_nobody_foresaw(tmp_path, capfd, monkeypatch, problem, debug):
    """A bug whose message quotes a row: exit code 5, and nothing of it with PPDM_DEBUG either."""
    write_model(tmp_path)
    (tmp_path / "in.csv").write_text(ROWS)

    def broken(*_):
        raise problem(SECRET, NUMBER)

    monkeypatch.setattr("ppdm_formal.run.table_release._judged", broken)
    common = ["randomize", str(tmp_path / "in.csv"), "--model", str(tmp_path / "model.ppdm"), *BOTH]
    arguments = [*common, "-o", str(tmp_path / "out.csv")]
    if debug:
        monkeypatch.setenv("PPDM_DEBUG", "1")
        with pytest.raises(RuntimeError) as caught:
            run(arguments)
        said = "".join(traceback.format_exception(caught.value))
        assert SECRET not in said
        assert str(NUMBER) not in said
    else:
        assert run(arguments) == 5
        shown = capfd.readouterr()
        assert problem.__name__ in shown.err
        assert SECRET not in shown.err + shown.out
        assert str(NUMBER) not in shown.err + shown.out
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", "model.ppdm"}


def test_what_is_unforeseen_says_where_it_happened_and_no_more():
    """The innermost place: the file's name and the line that raised."""

    def broken():
        raise KeyError(SECRET)

    line = broken.__code__.co_firstlineno + 1
    with pytest.raises(WithheldError) as caught, nothing_quoted():
        broken()
    place = f"KeyError in test_nothing_leaks.py, line {line} "
    assert str(caught.value) == place + "(its message is withheld: it could quote data)"
    assert caught.value.__suppress_context__


def test_a_good_release_has_nothing_that_was_not_asked_for(tmp_path, capfd):
    write_model(tmp_path)
    (tmp_path / "in.csv").write_text(ROWS)
    common = ["randomize", str(tmp_path / "in.csv"), "--model", str(tmp_path / "model.ppdm"), *BOTH]
    for target in ("out.csv", "out.csv.gz", "out.csv.xz", "out.parquet"):
        assert run([*common, "-o", str(tmp_path / target)]) == 0
    assert_clean(tmp_path, capfd, {"in.csv", "model.ppdm"})
    described = json.loads((tmp_path / "out.csv.release.json").read_text())
    assert set(described["counts"]) == {"rows_in", "rows_out", "sampled", "dropped"}


def test_the_search_can_fail(tmp_path, capfd):
    """Kept columns are written as they are: the search must find them, in every format."""
    write_model(tmp_path)
    (tmp_path / "in.csv").write_text(ROWS)
    common = ["randomize", str(tmp_path / "in.csv"), "--model", str(tmp_path / "model.ppdm"), *BOTH]
    for target in ("out.csv", "out.csv.gz", "out.parquet"):
        assert run([*common, "--keep", f"id{SECRET}", "-o", str(tmp_path / target)]) == 0
        with pytest.raises(AssertionError):
            assert_clean(tmp_path, capfd, {"in.csv", "model.ppdm"})
        for path in tmp_path.glob("out*"):
            path.unlink()
