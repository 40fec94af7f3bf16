"""ppdm reconstruct from end to end: numbers, files, exit codes, bad input."""

from __future__ import annotations

import importlib.util
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ppdm_formal.cli import run

ROOT = Path(__file__).parents[2]


def validator():
    """The schema checker of the certificates' tests."""
    path = ROOT / "tests/certify/certify_schema.py"
    spec = importlib.util.spec_from_file_location("certify_schema", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.validate


@pytest.fixture
def table(tmp_path):
    random = np.random.default_rng(3)
    z = random.uniform(2, 4, 400) + random.uniform(-1, 1, 400)
    path = tmp_path / "z.csv"
    path.write_text("id,z\n" + "".join(f"{i},{value:.4f}\n" for i, value in enumerate(z)))
    return path


def words(table, *more, column="z", noise="uniform(-1, 1)", cells="1:5:8"):
    named = ["--column", column, "--noise", noise, "--cells", cells]
    return ["reconstruct", str(table), *named, *more]


def test_json_and_page(table, tmp_path, capfd):
    page, out = tmp_path / "z.html", tmp_path / "z.json"
    assert run(words(table, "--json", str(out), "--html", str(page))) == 0
    assert "Reconstruction of z" in capfd.readouterr().out
    found = json.loads(out.read_text())
    assert found["format"] == "ppdm-density/1"
    cells = found["cells"]
    assert [cell["lo"] for cell in cells] == ["1", "3/2", "2", "5/2", "3", "7/2", "4", "9/2"]
    assert [cell["hi"] for cell in cells][:-1] == [cell["lo"] for cell in cells][1:]
    assert sum(Fraction(cell["mass"]) for cell in cells) == pytest.approx(1, abs=1e-5)
    assert sum(float(cell["mass"]) for cell in cells[2:6]) > 0.85
    assert all(float(cell["se"]) >= 0 for cell in cells)
    assert found["iterations"] >= 1
    assert float(found["log_likelihood"]) < 0
    assert found["rank"] == 8
    assert found["stop"] == {"rule": "gain", "value": "0.5", "met": True}
    shown = page.read_text()
    assert shown.count("<svg") == 3
    assert "Privacy of the noise" in shown


def test_methods_rules_and_families(table, capfd):
    schema = json.loads((ROOT / "docs/density.schema.json").read_text())
    for more in (
        ["--method", "as", "--stop", "chi2"],
        ["--stop", "optimum", "--accelerate", "--method", "as"],
        ["--stop", "cv:4", "--rounded", "1/10000"],
        ["--stop", "optimum:0.1", "--accelerate"],
        ["--family", "normal"],
    ):
        assert run([*words(table), *more, "--json", "-"]) == 0, more
        found = json.loads(capfd.readouterr().out)
        validator()(found, schema)
        assert sum(float(cell["mass"]) for cell in found["cells"]) == pytest.approx(1, abs=0.02)
    assert [one["name"] for one in found["family"]["parameters"]] == ["mean", "sd"]


def test_noise_that_does_not_match_is_told(table, capfd):
    assert run(words(table, noise="uniform(-4, 4)")) == 3
    assert "do not look like" in capfd.readouterr().out
    assert run(words(table, noise="uniform(-1/10, 1/10)", cells="2:4:8")) == 2
    assert "cannot be x + noise" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"noise": "normal(-1)"}, "above 0"),
        ({"noise": "cauchy(1)"}, "is no noise"),
        ({"cells": "1:5:900"}, "fewer cells"),
        ({"cells": "5:1:8"}, "must be less"),
        ({"cells": "1:5"}, "LO:HI:K"),
        ({"noise": "normal(1e15)"}, "out of all proportion"),
        ({"column": "y"}, "no column named y"),
    ],
)
def test_bad_usage(table, changed, said, capfd):
    assert run(words(table, **changed)) == 2
    assert said in capfd.readouterr().err


@pytest.mark.parametrize(
    ("cell", "said"), [("nan", "line 3"), ("", "empty"), ("inf", "infinite"), ("x<b>", "line 3")]
)
def test_cells_that_are_no_numbers(tmp_path, cell, said, capfd):
    path = tmp_path / "z.csv"
    path.write_text(f"z,w\n1.5,1\n{cell},2\n2.5,3\n")
    assert run(words(path)) == 2
    error = capfd.readouterr().err
    assert said in error
    assert "x<b>" not in error


def test_empty_tables(tmp_path, capfd):
    path = tmp_path / "z.csv"
    path.write_text("z\n")
    assert run(words(path)) == 2
    assert "no rows" in capfd.readouterr().err
