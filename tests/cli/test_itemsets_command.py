"""ppdm itemsets from the command line."""

import json

import pytest

from ppdm_formal.cli import run


@pytest.fixture
def baskets(tmp_path):
    path = tmp_path / "b.dat"
    path.write_text("1 2 3\n1 2\n\n1 2 4\n1\n" * 50)
    return ["itemsets", str(path), "--epsilon", "4"]


def test_items_are_declared_or_said_to_be_unprotected(baskets, capsys):
    assert run(baskets) == 2
    said = capsys.readouterr().err
    assert "--items N" in said
    assert "--unprotected-domain" in said
    assert run([*baskets, "--items", "10", "--unprotected-domain"]) == 2
    assert run([*baskets, "--items", "10"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "the number of rows and the items there are, as declared, being public" in shown


def test_frequent_itemsets_are_drawn(baskets, capsys):
    arguments = [*baskets, "--count", "50", "--min-support", "75%", "--unprotected-domain"]
    assert run([*arguments, "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == "ppdm-itemsets/1"
    assert {tuple(one) for one in found["itemsets"]} == {(), ("1",)}  # in 250 and 200 of 250
    assert found["law"]["min_count"] == 188
    assert found["cost"]["replaced"] == {"each": "2", "all": "100"}
    assert found["randomness"] == "cryptographic"
    assert found["items"] == {"count": 4, "declared": False}
    assert [one["status"] for one in found["cost"]["shown"]] == ["public", "not protected"]
    assert run(arguments) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for part in ("{1}", "100 in all", "Theorem 7 claims 4", "NOT protected by it: the items"):
        assert part in shown


def test_without_a_seed_no_simulated_word_is_drawn(baskets, monkeypatch):
    def simulated(*_):
        raise AssertionError("words from a seeded generator, though none was asked for")

    monkeypatch.setattr("ppdm_formal.run.simulation.Simulation.__init__", simulated)
    assert run([*baskets, "--items", "10"]) == 0
    assert run([*baskets, "--items", "10", "--simulate", "5"]) == 5  # so it would be noticed


def test_a_seed_repeats_and_says_so(baskets, capsys):
    said = []
    for _ in range(2):
        simulated = [*baskets, "--items", "10", "--simulate", "5", "--count", "20", "--json", "-"]
        assert run(simulated) == 0
        said.append(json.loads(capsys.readouterr().out))
    assert said[0] == said[1]
    assert "protects nobody" in said[0]["randomness"]
    assert said[0]["items"] == {"count": 10, "declared": True}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (["--epsilon", "0"], "above 0"),
        (["--epsilon", "-1"], "above 0"),
        (["--epsilon", "big"], "not a number"),
        (["--items", "3"], "2 of the 4 items in the transactions are not among the 3 declared"),
        (["--items", "absent.txt"], "absent.txt"),
        (["--min-support", "251"], "from 1 to 250"),
        (["--min-support", "0"], "at least 1"),
        (["--count", "0"], "--count"),
    ],
)
def test_bad_input_is_explained(change, says, baskets, capsys):
    assert run([*baskets, *([] if "--items" in change else ["--items", "9"]), *change]) == 2
    message = capsys.readouterr().err
    assert says in message
    assert "Traceback" not in message


def test_empty_files(tmp_path, capsys):
    path = tmp_path / "empty.dat"
    path.write_text("")
    assert run(["itemsets", str(path), "--epsilon", "1", "--items", "3"]) == 2
    assert "no transactions" in capsys.readouterr().err
