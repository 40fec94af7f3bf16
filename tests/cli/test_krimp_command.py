"""ppdm krimp from the command line: the table, its sizes, and bad input."""

import json

import pytest

from ppdm_formal.cli import run


@pytest.fixture
def baskets(tmp_path):
    file = tmp_path / "baskets.num"
    file.write_text("1 2 3\n" * 8 + "1 2\n" * 2 + "3\n")
    return file


def test_the_whole_table_as_json(baskets, capsys):
    assert run(["krimp", str(baskets), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["format"], found["source"]) == ("ppdm-krimp/1", {"file": "baskets.num"})
    assert (found["transactions"], found["items"], found["min_count"]) == (11, 3, 1)
    assert [(one["items"], one["support"], one["usage"]) for one in found["elements"]] == [
        (["1", "2"], 10, 10),
        (["1"], 10, 0),
        (["2"], 10, 0),
        (["3"], 9, 9),
    ]
    assert found["elements"][1]["bits"] is None
    bits = {name: float(text) for name, text in found["bits"].items()}
    assert bits["data"] + bits["table"] == pytest.approx(bits["total"], abs=1e-5)
    assert float(found["ratio"]) == pytest.approx(bits["total"] / bits["standard"], abs=1e-5)


def test_what_is_shown(baskets, capsys):
    assert run(["krimp", str(baskets), "--algorithm", "slim", "--min-support", "50%"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "11 transactions of 3 items, compressed by SLIM" in out
    assert "candidates in 6 transactions or more, pruned" in out
    assert "L(D, ST)" in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--min-support", "0"], "at least 1"),
        (["--min-support", "150%"], "no share of the transactions"),
        (["--algorithm", "zip"], "'zip' is not one of"),
        (["--json", "{file}"], "is read here"),
    ],
)
def test_bad_options(baskets, capsys, options, words):
    assert run(["krimp", str(baskets), *(o.format(file=baskets) for o in options)]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("none.dat", "", "no transactions"),
        ("blank.dat", "\n\n", "no items in these transactions"),
        ("table.txt", "1 2\n", ".dat or .num"),
    ],
)
def test_bad_files(tmp_path, capsys, name, text, words):
    (tmp_path / name).write_text(text)
    assert run(["krimp", str(tmp_path / name)]) == 2
    assert words in capsys.readouterr().err
