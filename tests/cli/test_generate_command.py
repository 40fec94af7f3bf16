"""ppdm generate from the command line: data, description, and bad input."""

import hashlib
import json

import pytest

from ppdm_formal.cli import run


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "in.csv"
    file.write_text("colour,size,class\n" + "red,big,a\n" * 30 + "blue,small,b\n" * 20)
    return file


def generate(source, out, *options):
    return run(["generate", str(source), "-o", str(out), *options])


def described(out):
    return json.loads(out.with_name(out.name + ".release.json").read_text())


def test_a_table_and_its_description(table, tmp_path, capsys):
    out = tmp_path / "out.csv"
    options = ("--epsilon", "1/2", "--unit", "attribute", "--method", "code-tree")
    assert generate(table, out, *options) == 0
    lines = out.read_text().splitlines()
    assert (lines[0], len(lines)) == ("colour,size,class", 51)
    found = described(out)
    assert found["format"] == "ppdm-generated/1"
    assert found["epsilon"] == {"cell": "1/2", "attribute": "1/2", "record": "3/2"}
    assert found["data"]["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert (found["unit"], found["trust"], found["delta"]) == ("attribute", "local", None)
    assert (found["unprotected"], found["simulated"]) == ([], False)
    assert any("independent parts" in words for words in found["assumptions"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "a record (all of it) 3/2 (1.5)" in shown


def test_transactions_by_items(tmp_path):
    source, out = tmp_path / "in.num", tmp_path / "out.num.gz"
    source.write_text("1 3\n" * 10 + "2 4\n" * 10 + "1 4\n" * 2 + "2 3\n")
    options = ("--epsilon", "0.1", "--unit", "cell", "--method", "code-tree")
    assert generate(source, out, *options) == 0
    found = described(out)
    assert found["epsilon"] == {"cell": "1/10", "attribute": "1/5", "record": "2/5"}
    assert found["columns"]["names"] == ["1-2", "3-4"]
    assert run(["evaluate", str(source), str(out), "--min-support", "40%"]) == 0


def test_a_class_is_not_protected_unless_it_is_said(table, tmp_path, capsys):
    out = tmp_path / "out.csv"
    options = ("--epsilon", "1", "--method", "code-tree", "--class", "class")
    assert generate(table, out, *options) == 2
    assert "say so: --unprotected class" in " ".join(capsys.readouterr().err.split())
    assert not out.exists()
    assert generate(table, out, *options, "--unprotected", "class", "--seed", "1") == 0
    found = described(out)
    assert found["unprotected"] == ["class"]
    assert any("NOT protected" in words for words in found["assumptions"])
    assert found["simulated"]
    assert "protects nobody" in found["assumptions"][0]
    assert out.read_text().count(",a\n") == 30


def test_exact_counts_have_no_epsilon(table, tmp_path):
    out = tmp_path / "out.csv"
    assert generate(table, out, "--method", "groups", "--group", "colour,size") == 0
    found = described(out)
    assert found["epsilon"] is None
    assert found["groups"] == [["colour", "size"], ["class"]]
    assert out.read_text().count("red,big,") == 30
    assert any("no epsilon" in words for words in found["assumptions"])


def test_declared_columns(table, tmp_path, capsys):
    declared, out = tmp_path / "columns.csv", tmp_path / "out.csv"
    declared.write_text("colour,red,blue,green\nsize,big,small\nclass,a,b\n")
    options = ("--epsilon", "1", "--method", "code-tree", "--columns", str(declared))
    assert generate(table, out, *options) == 0
    assert described(out)["columns"]["declared"]
    declared.write_text("colour,red,green\nsize,big,small\nclass,a,b\n")
    assert generate(table, out, *options) == 2
    assert "not among the declared ones" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--epsilon", "0", "--method", "code-tree"], "above 0"),
        (["--epsilon", "-1", "--method", "marginals"], "above 0"),
        (["--epsilon", "many", "--method", "marginals"], "many"),
        (["--method", "code-tree"], "an epsilon is needed"),
        (["--epsilon", "1", "--method", "code-tree", "--unit", "house"], "'house' is not one of"),
        (["--epsilon", "1", "--method", "code-tree", "--min-support", "2"], "above 0 and below 1"),
        (["--epsilon", "1", "--method", "code-tree", "--unprotected", "size"], "is for the column"),
        (["--method", "groups", "--group", "shape"], "no column shape"),
    ],
)
def test_bad_options(table, tmp_path, capsys, options, words):
    assert generate(table, tmp_path / "out.csv", *options) == 2
    assert words in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "out.csv").exists()


def test_bad_files(table, tmp_path, capsys):
    options = ("--epsilon", "1", "--method", "code-tree")
    assert generate(table, tmp_path / "out.dat", *options) == 2
    assert generate(table, table, *options) == 2
    empty = tmp_path / "empty.csv"
    empty.write_text("colour,size\n")
    assert generate(empty, tmp_path / "out.csv", *options) == 2
    assert "no records" in capsys.readouterr().err
