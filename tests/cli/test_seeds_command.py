"""ppdm seeds from the command line."""

import json

import pytest

from ppdm_formal.cli import run

PAPER = ["seeds", "--items", "100000", "--size", "10", "--itemsets", "5", "--insert"]


def found(arguments, capsys):
    assert run([*arguments, "--json", "-"]) == 0
    out = capsys.readouterr().out
    return json.loads(out)


def test_the_papers_sizes_and_ours(capsys):
    half = found([*PAPER, "1/2"], capsys)
    assert half["format"] == "ppdm-seeds/1"
    assert half["generators"][:3] == [
        {"name": "bch", "bits": 136},
        {"name": "extended-bch", "bits": 120},
        {"name": "polynomial", "bits": 255},
    ]
    assert (half["best"], half["best_bits"], half["paper_bits"]) == ("extended-bch", 120, 136)
    assert (half["bound_bits"], half["uncompressed_bits"]) == (105, 100_000)
    few = found([*PAPER, "1/16"], capsys)
    sizes = {one["name"]: one["bits"] for one in few["generators"]}
    assert (sizes["bch"], sizes["polynomial"]) == (570, 255)
    assert (few["best"], sizes[few["best"]]) == ("twisted-bch", 242)
    assert (few["bound_bits"], few["level_bound_bits"]) == (105, 136)
    assert (few["uncompressed_bits"], few["plain_bits"]) == (33_729, 100_000)
    assert few["guarantee"]["assumption"] == "q >= m"
    assert few["guarantee"]["itemsets"] == 5
    assert few["generator"]["seed_bits"] == 242


def test_the_table(capsys):
    assert run([*PAPER, "6.25%"]) == 0
    shown = capsys.readouterr().out
    for part in ("twisted-bch", "242", "570", "33,729", "105", "136", "q = 15", "proved"):
        assert part in shown


def test_a_file_and_a_table(tmp_path, capsys):
    target = tmp_path / "seeds.json"
    assert run([*PAPER, "1/2", "--json", str(target)]) == 0
    shown = capsys.readouterr().out
    assert "extended-bch" in shown
    assert f"Wrote {target}" in shown
    assert json.loads(target.read_text())["best_bits"] == 120


def test_few_items_are_all_independent(capsys):
    few = found(
        ["seeds", "--items", "6", "--size", "4", "--itemsets", "3", "--insert", "1/4"], capsys
    )
    assert (few["best"], few["best_bits"], few["level_bound_bits"]) == ("direct", 12, 12)
    assert few["checked"] == {"sets": 1, "all": True}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (["--insert", "3/10"], "near it are 5/16, 77/256, 1229/4096, 19661/65536"),
        (["--insert", "1/131072"], "b up to 16"),
        (["--insert", "1/131072"], "1/65536"),
        (["--insert", "1"], "not between 0 and 1"),
        (["--insert", "0"], "not between 0 and 1"),
        (["--insert", "-1/2"], "not between 0 and 1"),
        (["--insert", "often"], "not a number"),
        (["--items", "9"], "size must be in 1..9"),
        (["--items", "0"], "items"),
        (["--items", str(2**64 + 1)], "64 bits"),
        (["--size", "0"], "size"),
        (["--size", "10001"], "size"),
        (["--itemsets", "0"], "itemsets"),
    ],
)
def test_bad_parameters_are_explained(change, says, capsys):
    assert run([*PAPER, "1/2", *change]) == 2
    message = capsys.readouterr().err
    assert says in message
    assert "Traceback" not in message


def test_the_largest_parameters(capsys):
    many = ["seeds", "--items", str(2**64), "--size", "10", "--itemsets", "9"]
    large = found([*many, "--insert", "1/65536"], capsys)
    assert large["best_bits"] == 64 * 18 + 16
    near = ["seeds", "--items", "20000", "--size", "10000", "--itemsets", "1000"]
    large = found([*near, "--insert", "1/2"], capsys)
    assert (large["best"], large["best_bits"]) == ("direct", 20_000)
