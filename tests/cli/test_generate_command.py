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


@pytest.fixture
def columns(tmp_path):
    file = tmp_path / "columns.csv"
    file.write_text("colour,red,blue,green\nsize,big,small\nclass,a,b\n")
    return "--columns", str(file)


def generate(source, out, *options):
    return run(["generate", str(source), "-o", str(out), *options])


def described(out):
    return json.loads(out.with_name(out.name + ".release.json").read_text())


def test_a_table_and_its_description(table, columns, tmp_path, capsys):
    out = tmp_path / "out.csv"
    options = ("--epsilon", "1/2", "--unit", "attribute", "--method", "code-tree")
    assert generate(table, out, *options, *columns) == 0
    lines = out.read_text().splitlines()
    assert (lines[0], len(lines)) == ("colour,size,class", 51)
    found = described(out)
    assert found["format"] == "ppdm-generated/1"
    assert found["epsilon"] == {"cell": "1/2", "attribute": "1/2", "record": "3/2"}
    assert found["data"]["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert (found["unit"], found["trust"], found["delta"]) == ("attribute", "local", None)
    assert (found["unprotected"], found["simulated"]) == ([], False)
    assert any("independent parts" in words for words in found["assumptions"])
    assert found["columns"]["declared"]
    assert {one["status"] for one in found["shown"]} == {"public"}
    shown = " ".join(capsys.readouterr().out.split())
    assert "a record (all of it) 3/2 (1.5)" in shown


def test_transactions_by_items(tmp_path):
    source, out = tmp_path / "in.num", tmp_path / "out.num.gz"
    source.write_text("1 3\n" * 10 + "2 4\n" * 10 + "1 4\n" * 2 + "2 3\n")
    options = ("--epsilon", "0.1", "--unit", "cell", "--method", "code-tree")
    assert generate(source, out, *options) == 2
    assert generate(source, out, *options, "--unprotected-domain") == 0
    found = described(out)
    assert found["epsilon"] == {"cell": "1/10", "attribute": "1/5", "record": "2/5"}
    assert found["columns"] == {"declared": False, "names": ["1-2", "3-4"]}
    assert run(["evaluate", str(source), str(out), "--min-support", "40%"]) == 0


def test_a_class_is_not_protected_unless_it_is_said(table, columns, tmp_path, capsys):
    out = tmp_path / "out.csv"
    options = ("--epsilon", "1", "--method", "code-tree", "--class", "class", *columns)
    assert generate(table, out, *options) == 2
    assert "say so: --unprotected class" in " ".join(capsys.readouterr().err.split())
    assert not out.exists()
    assert generate(table, out, *options, "--unprotected", "class", "--seed", "1") == 0
    found = described(out)
    assert found["unprotected"] == ["class"]
    stated = [words for words in found["assumptions"] if "psilon" in words]
    assert stated
    assert all("NOT protected by it: column class" in words for words in stated)
    assert found["simulated"]
    assert "protects nobody" in found["assumptions"][0]
    assert out.read_text().count(",a\n") == 30


def test_exact_counts_have_no_epsilon(table, columns, tmp_path):
    out = tmp_path / "out.csv"
    assert generate(table, out, "--method", "groups", "--group", "colour,size", *columns) == 0
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


def test_one_record_more_changes_no_column(table, columns, tmp_path):
    """Databases that differ in a record: the same columns, values and description."""
    other = tmp_path / "other.csv"
    other.write_text(table.read_text().replace("blue,small,b\n", "green,small,b\n", 1))
    options = ("--epsilon", "1", "--method", "code-tree", *columns)
    found = []
    for source in (table, other):
        out = tmp_path / "out.csv"
        assert generate(source, out, *options) == 0
        said = described(out)
        said["data"].pop("sha256")
        found.append((out.read_text().splitlines()[0], said))
    assert found[0] == found[1]


def test_columns_that_come_from_the_data_are_part_of_every_statement(table, tmp_path, capsys):
    out, options = tmp_path / "out.csv", ("--epsilon", "1", "--method", "code-tree")
    assert generate(table, out, *options) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "--columns FILE" in said
    assert "--unprotected-domain" in said
    assert generate(table, out, *options, "--unprotected-domain") == 2
    assert "(--header) or is a record (--no-header)" in " ".join(capsys.readouterr().err.split())
    assert not out.exists()
    assert generate(table, out, *options, "--unprotected-domain", "--header") == 0
    found = described(out)
    assert not found["columns"]["declared"]
    assert [one["status"] for one in found["shown"]] == ["public", "not protected"]
    stated = [words for words in found["assumptions"] if "psilon" in words]
    assert stated
    assert all("NOT protected by it: the columns and their values" in words for words in stated)
    assert "epsilon (columns and values not protected)" in " ".join(capsys.readouterr().out.split())


def test_a_first_record_is_never_published_as_names(tmp_path, capsys):
    source, out = tmp_path / "bare.csv", tmp_path / "out.csv"
    source.write_text("red,big,34\n" + "blue,small,21\n" * 9 + "red,small,34\n" * 9)
    options = ("--epsilon", "1", "--method", "code-tree", "--unprotected-domain")
    assert generate(source, out, *options, "--header") == 2
    assert "looks like a record" in " ".join(capsys.readouterr().err.split())
    assert not out.exists()
    assert generate(source, out, *options, "--no-header") == 0
    lines = out.read_text().splitlines()
    assert (lines[0], len(lines)) == ("column1,column2,column3", 20)
    declared = tmp_path / "columns.csv"
    declared.write_text("colour,red,blue\nsize,big,small\nage,21,34\n")
    declaring = ("--epsilon", "1", "--method", "code-tree", "--columns", str(declared))
    assert generate(source, out, *declaring) == 2
    assert "needs --no-header" in " ".join(capsys.readouterr().err.split())
    assert generate(source, out, *declaring, "--no-header") == 0
    lines = out.read_text().splitlines()
    assert (lines[0], len(lines)) == ("colour,size,age", 20)


def test_domains_are_not_declared_by_writing_them_down(table, tmp_path, capsys):
    listed, out = tmp_path / "columns.csv", tmp_path / "out.csv"
    assert run(["domains", str(table), "-o", str(listed)]) == 2
    assert run(["domains", str(table), "-o", str(listed), "--header"]) == 0
    assert "taken from private data and NOT protected" in capsys.readouterr().err
    rest = listed.read_text().split("\n", 1)[1]
    assert rest == "colour,blue,red\nsize,big,small\nclass,a,b\n"
    options = ("--epsilon", "1", "--method", "code-tree", "--columns", str(listed))
    assert generate(table, out, *options) == 2
    assert "was taken from data" in " ".join(capsys.readouterr().err.split())
    assert generate(table, out, *options, "--unprotected-domain") == 0
    assert not described(out)["columns"]["declared"]
    listed.write_text(rest)
    assert generate(table, out, *options, "--unprotected-domain") == 2
    assert generate(table, out, *options) == 0
    assert described(out)["columns"]["declared"]
    assert run(["domains", str(table), "-o", str(table), "--header"]) == 2


def test_domains_of_transactions(tmp_path, capsys):
    source = tmp_path / "in.dat"
    source.write_text("3 1\n\n1\n")
    assert run(["domains", str(source), "-o", "-"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[1:] == ["1,,1", "3,,3"]
    assert shown.out.startswith("# taken from data by ppdm domains")


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
def test_bad_options(table, columns, tmp_path, capsys, options, words):
    assert generate(table, tmp_path / "out.csv", *options, *columns) == 2
    assert words in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "out.csv").exists()


def test_bad_files(table, tmp_path, capsys):
    options = ("--epsilon", "1", "--method", "code-tree")
    assert generate(table, tmp_path / "out.dat", *options) == 2
    assert generate(table, table, *options) == 2
    empty = tmp_path / "empty.csv"
    empty.write_text("colour,size\n")
    taken = ("--unprotected-domain", "--header")
    assert generate(empty, tmp_path / "out.csv", *options, *taken) == 2
    assert "no records" in capsys.readouterr().err
