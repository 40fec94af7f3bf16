"""ppdm evaluate from the command line: JSON, a page, the terminal, and bad input."""

import json

import pytest

from ppdm_formal.cli import run

HEAD = "colour,size,class\n"


@pytest.fixture
def files(tmp_path):
    original, generated = tmp_path / "original.csv", tmp_path / "generated.csv"
    original.write_text(HEAD + "red,big,a\n" * 12 + "blue,small,b\n" * 9 + "red,small,b\n")
    generated.write_text(HEAD + "red,big,a\n" * 10 + "blue,small,b\n" * 8 + "blue,big,a\n")
    return original, generated


def test_json_and_page(files, tmp_path, capsys):
    page = tmp_path / "page.html"
    options = ["--class", "class", "--folds", "2", "--html", str(page), "--json", "-"]
    assert run(["evaluate", *map(str, files), *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["format"], found["class"], found["min_support"]) == (
        "ppdm-evaluate/1",
        "class",
        "1/10",
    )
    assert found["original"] == {"file": "original.csv", "records": 22, "items": 6}
    assert list(found["databases"]) == ["generated", "shuffled", "uniform", "bootstrap"]
    one = found["databases"]["generated"]
    assert one["common_records"]["of_generated"] == "0.947368"  # 18 of 19
    assert one["common_records"]["of_original"] == "0.954545"  # 21 of 22
    assert one["common_records"]["cdf"] == [[9, "0.500000"], [12, "1.000000"]]
    assert set(one["accuracy"]) == {"KRIMP", "tree (C4.5-like)", "naive Bayes"}
    text = page.read_text()
    assert "<svg" in text
    assert "NFD" in text


def test_the_terminal(files, capsys):
    assert run(["evaluate", *map(str, files)]) == 0
    out = capsys.readouterr().out
    assert "Frequent itemsets" in out
    assert "Classifiers" not in out
    assert "bootstrap" in out


def test_that_a_baseline_is_not_beaten_is_said(files, tmp_path, capsys):
    bad = tmp_path / "bad.csv"
    bad.write_text(HEAD + "blue,big,b\n" * 20 + "red,small,a\n")
    assert run(["evaluate", str(files[0]), str(bad)]) == 0
    assert "does not beat this baseline" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("generated", "options", "words"),
    [
        (HEAD + "green,big,a\n", [], "column colour has a value that is not among the declared"),
        ("colour,size\nred,big\n", [], "other columns"),
        (HEAD, [], "no records"),
        (HEAD + "red,big,a\n", ["--class", "kind"], "no column kind"),
        (HEAD + "red,big,a\n", ["--min-support", "0%"], "no share"),
    ],
)
def test_bad_input(files, capsys, generated, options, words):
    files[1].write_text(generated)
    assert run(["evaluate", *map(str, files), *options]) == 2
    assert words in " ".join(capsys.readouterr().err.split())
