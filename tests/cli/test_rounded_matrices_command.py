"""ppdm audit on matrices from outside: the ways, what is said, certificates against the file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction as F

import pytest

from ppdm_formal.cli import run

pytestmark = pytest.mark.usefixtures("one_checker")

TABLE = ",a,b,c\nlow,0.333,0.333,0.333\nhigh,0.2,0.3,0.5\n"


@dataclass
class Ran:
    exit_code: int
    output: str


@pytest.fixture
def ppdm(capsys):
    def call(*arguments):
        code = run([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        return Ran(code, shown.out + shown.err)

    return call


@pytest.fixture
def table(tmp_path):
    (tmp_path / "survey.csv").write_text(TABLE)
    return tmp_path / "survey.csv"


def test_refused_with_the_remedy(ppdm, table):
    result = ppdm("audit", table)
    assert result.exit_code == 2
    assert "--rounded 3" in result.output


def test_normalized(ppdm, table, tmp_path):
    result = ppdm(
        "audit", table, "--normalize", "--certificates", tmp_path / "c", "--forbid", "1/10:1/2"
    )
    assert result.exit_code == 0
    said = " ".join(result.output.split())
    assert "Entries moved by at most ~0.000333, at p[low -> a]." in said
    assert "read as 2 inputs and 3 outputs, with outputs in its first line" in said
    assert "inputs in its first column, as it seems; --no-header" in said
    assert "and --no-index (in models index: no) reads its first column as numbers" in said
    path = tmp_path / "c" / "survey-1.json"
    assert ppdm("check", path, "--model", table, "--normalize").exit_code == 0
    result = ppdm("check", path, "--model", table, "--rounded", 3)
    assert result.exit_code == 4
    assert "its matrix was read with --normalize; in the model as it is checked" in result.output
    assert ppdm("check", path, "--model", table).exit_code == 2  # as it stands it is no matrix


def test_rounded(ppdm, table, tmp_path):
    claims = ("--forbid", "1/10:1/2", "--forbid", "1/10:3/20", "--forbid", "1/10:5/32")
    targets = ("--json", tmp_path / "j.json", "--html", tmp_path / "h.html")
    result = ppdm(
        "audit", table, "--rounded", 3, *claims, *targets, "--certificates", tmp_path / "c"
    )
    assert result.exit_code == 1
    said = " ".join(result.output.split())
    for words in (
        "certified survey: forbid breach 1/10 -> 1/2",
        "So it does for every matrix within the rounding",
        "breached survey: forbid breach 1/10 -> 3/20",
        "Every other matrix within the rounding fails too",
        "unknown survey: forbid breach 1/10 -> 5/32",
        "amplification is at least 666/401 (~1.66) and is at most 667/399 (~1.67)",
    ):
        assert words in said
    (operator,) = json.loads((tmp_path / "j.json").read_text())["operators"]
    assert operator["numbers"]["way"] == "rounded"
    assert operator["numbers"]["inputs_in_first_column"] is True
    between = operator["certificates"][2]["between"]
    printed = [[F(333, 1000)] * 3, [F(1, 5), F(3, 10), F(1, 2)]]
    for matrix in between.values():
        for row, shown in zip(matrix, printed, strict=True):
            assert sum(map(F, row)) == 1
            assert all(abs(F(p) - q) <= F(1, 2000) for p, q in zip(row, shown, strict=True))
    # 1/10 -> 5/32 is a breach from the ratio 5/3 on
    kept, broken = (
        max(F(r[0][j]) / F(r[1][j]) for r in (m, m[::-1]) for j in range(3))
        for m in (between["holds"], between["breaks"])
    )
    assert kept < F(5, 3) <= broken
    page = (tmp_path / "h.html").read_text()
    assert "A matrix within the rounding that keeps the claim" in page
    files = sorted((tmp_path / "c").glob("*.json"))
    assert len(files) == 2  # unknown has none
    model = ("--model", table, "--rounded", 3)
    assert ppdm("check", *files, "--allow-breached").exit_code == 0
    assert ppdm("check", *files, *model, "--allow-breached").exit_code == 0
    result = ppdm("check", tmp_path / "c", *model, *claims)
    assert result.exit_code == 1
    assert "3 claims: 1 holds, 1 fails, 0 say nothing, 1 lacks a certificate" in result.output
    table.write_text(TABLE.replace("0.5", "0.501"))
    assert ppdm("check", *files, *model).exit_code == 4


def test_bad_usage(ppdm, table, tmp_path):
    model = tmp_path / "m.ppdm"
    model.write_text("operator R(x: 0..1) -> 0..1 { return x }")
    for arguments in (
        (table, "--rounded", 3, "--normalize"),
        (table, "--rounded", 2),
        (table, "--rounded", -1),
        (table, "--no-index", "--normalize"),
        (model, "--rounded", 3),
        (model, "--index"),
    ):
        assert ppdm("audit", *arguments).exit_code == 2, arguments


def test_a_rounded_operator_does_not_run(ppdm, table, tmp_path):
    model = tmp_path / "m.ppdm"
    model.write_text(
        'operator T(x: {low, high}) -> {a, b, c} = csv("survey.csv", rounded: 3)\n'
        "audit T { forbid breach 1/10 -> 1/2 }"
    )
    (tmp_path / "in.csv").write_text("v\nlow\n")
    result = ppdm(
        "randomize",
        tmp_path / "in.csv",
        "-o",
        tmp_path / "out.csv",
        "--model",
        model,
        "--operator",
        "T=v",
    )
    assert result.exit_code == 2
    assert "within rounding only" in result.output
