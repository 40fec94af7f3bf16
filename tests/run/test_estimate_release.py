"""ppdm estimate from end to end: releases on disk, every format, every refusal."""

from __future__ import annotations

import csv
import dataclasses
import importlib.util
import io
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import ppdm_formal
from ppdm_formal.cli import run
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.declare.operators.domain import Domain, show_value
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.collected import estimate
from ppdm_formal.infer.undoing.decoder import NotEstimable
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.release import (
    DataFile,
    Origin,
    Release,
    ReleasedColumn,
    ReleasedGroup,
    ReleasedSize,
    Transactions,
)
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.run.streams import sha256_of
from ppdm_formal.run.tally import Tally

ROOT = Path(__file__).parents[2]
MODEL = Origin("model.ppdm", "0" * 64)
COIN = Operator.from_matrix(
    [["3/4", "1/4"], ["1/4", "3/4"]], inputs=["yes", "no"], outputs=["yes", "no"], name="Coin"
)
DIE = randomized_response(6, "1/2", name="Die")
BLURRED = Operator.from_matrix(
    [["3/4", "1/4"], ["1/4", "3/4"], ["1/4", "3/4"]],
    inputs=["a", "b", "<c>"],
    outputs=["y", "n"],
    name="Blurred",
)


def validator():
    """The schema checker of the certificates' tests."""
    path = ROOT / "tests/certify/certify_schema.py"
    spec = importlib.util.spec_from_file_location("certify_schema", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.validate


def release(folder, columns, people, seed=7, **more):
    """Data and description as ppdm randomize writes them; people by input position."""
    bits = Simulation(seed)
    drawn = []
    for column, values in zip(columns, people, strict=True):
        places = column.operator.law.draw(np.array(values, dtype=np.int64), bits)
        drawn.append([show_value(column.operator.outputs[int(place)]) for place in places])
    data = folder / "out.csv"
    with data.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([column.name for column in columns])
        writer.writerows(zip(*drawn, strict=True))
    rows = len(drawn[0])
    written = Release(
        DataFile("out.csv", "csv", None, sha256_of(data)),
        Tally(rows, rows),
        tuple(columns),
        **{"seed": seed, **more},
    )
    data.with_name("out.csv.release.json").write_text(written.text())
    return data


@pytest.fixture
def survey(tmp_path):
    draw = np.random.default_rng(1)
    prior = Prior.uniform(DIE.inputs, "Fair")
    columns = [ReleasedColumn("answer", COIN, MODEL), ReleasedColumn("die", DIE, MODEL, prior)]
    answers = draw.integers(0, 2, 4000)
    dice = draw.integers(0, 4, 4000) + 2 * answers
    return release(tmp_path, columns, [answers, dice])


@pytest.mark.parametrize("method", ["unbiased", "mle"])
@pytest.mark.parametrize("columns", [None, "die", "answer,die", "die, answer"])
def test_the_json_is_what_python_finds_and_fits_the_schema(survey, capsys, method, columns):
    more = [] if columns is None else ["--columns", columns]
    assert run(["estimate", str(survey), "--method", method, "--json", "-", *more]) == 0
    found = json.loads(capsys.readouterr().out)
    validator()(found, json.loads((ROOT / "docs/estimate.schema.json").read_text()))
    names = None if columns is None else [name.strip() for name in columns.split(",")]
    result = ppdm_formal.estimate(survey, columns=names, method=method)
    assert found == result.to_json()
    assert found["rows"] == 4000
    assert found["columns"] == (names or ["answer", "die"])
    assert found["simulated"]
    for columns in {tuple(cell["columns"]) for cell in found["cells"]}:
        cells = [cell for cell in found["cells"] if tuple(cell["columns"]) == columns]
        sizes = {"answer": 2, "die": 6}
        assert len(cells) == np.prod([sizes[name] for name in columns])
        assert sum(float(cell["estimate"]) for cell in cells) == pytest.approx(1, abs=1e-4)
        for cell in cells:
            assert float(cell["lo"]) <= float(cell["estimate"]) <= float(cell["hi"])
    assert bool(found["independence"]) == (len(names or []) == 2)
    if found["independence"]:
        assert float(found["independence"][0]["p_value"]) < 0.01


def test_written_files_are_said(survey, capsys):
    names = [str(survey.with_name(name)) for name in ("e.json", "e.html", "e.csv")]
    asked = ["estimate", str(survey), "--json", names[0], "--csv", names[2], "--html"]
    assert run([*asked, names[1]]) == 0
    assert capsys.readouterr().out.endswith("".join(f"Wrote {name}\n" for name in names))
    assert run([*asked, "-"]) == 0
    assert capsys.readouterr().err == "".join(f"Wrote {name}\n" for name in (names[0], names[2]))


@pytest.mark.parametrize("value", [0.0, 5e-324, 1.5e-20, 4.2e-5, 9.9999e-4, 0.001, 0.5, 1.0])
def test_small_p_values_keep_their_digits(survey, value):
    found = ppdm_formal.estimate(survey, columns=["answer", "die"])
    [table] = found.tables
    tests = (dataclasses.replace(table.tests[0], p_value=value),)
    changed = dataclasses.replace(found, tables=(dataclasses.replace(table, tests=tests),))
    document = changed.to_json()
    validator()(document, json.loads((ROOT / "docs/estimate.schema.json").read_text()))
    assert float(document["independence"][0]["p_value"]) == pytest.approx(value, rel=1e-3)


def test_the_description_is_as_good_as_the_data(survey, capsys):
    shown = []
    for path in (survey, survey.with_name("out.csv.release.json")):
        assert run(["estimate", str(path), "--csv", "-"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


def test_the_csv_has_a_row_a_cell(survey, capsys):
    assert run(["estimate", str(survey), "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["answer"], row["die"]) for row in rows] == [
        ("yes", ""), ("no", ""), *(("", str(x)) for x in range(6)),
    ]  # fmt: skip
    assert run(["estimate", str(survey), "--columns", "answer,die", "--csv", "-"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 13


def test_the_terminal_and_the_page_say_the_same(survey, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert run(["estimate", str(survey), "--columns", "die", "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    written = page.read_text()
    for words in ("50% quantile", "Simulation", "4,000 randomized answers", "computed exactly"):
        assert words in shown
        assert words in written
    assert "prior Fair" in written
    assert "<svg" in written
    assert "<script" not in written


def test_columns_are_named_as_in_a_line_of_csv(tmp_path, capsys):
    columns = [ReleasedColumn("a, b", COIN, MODEL), ReleasedColumn("c", COIN, MODEL)]
    path = release(tmp_path, columns, [[0, 1] * 50] * 2)
    assert run(["estimate", str(path), "--columns", '"a, b", c', "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["columns"] == ["a, b", "c"]


def test_many_blocks_are_merged(tmp_path, monkeypatch):
    monkeypatch.setattr("ppdm_formal.run.tables.BLOCK_ROWS", 7)
    monkeypatch.setattr("ppdm_formal.run.csv_table.BLOCK_ROWS", 7, raising=False)
    monkeypatch.setattr("ppdm_formal.infer.tables.collected._HELD", 3)
    people = np.random.default_rng(5).integers(0, 6, 500)
    path = release(tmp_path, [ReleasedColumn("d", DIE, MODEL)], [people])
    answers = [int(line) for line in path.read_text().split()[1:]]
    assert estimate(path).tables[0].cells == estimate(DIE, answers).tables[0].cells


def test_exact_draws_and_simulation_give_the_same_estimates():
    """Pooled: 200,000 answers from the keystream and as many from the seeded generator."""
    people = np.repeat(np.arange(6), [50_000, 30_000, 60_000, 10_000, 40_000, 10_000])
    found = []
    for bits in (Keystream(), Simulation(11)):
        answers = DIE.law.draw(people, bits).tolist()
        found.append(estimate(DIE, answers).tables[0].estimated)
    for one, other in zip(*found, strict=True):
        spread = (one.se_coins**2 + other.se_coins**2) ** 0.5
        assert abs(one.estimate - other.estimate) < 5 * spread
    for x, cell in enumerate(found[0]):
        assert abs(cell.estimate - np.mean(people == x)) < 5 * cell.se_coins


def test_what_is_lost_is_said_and_the_sum_estimated(tmp_path, capsys):
    path = release(
        tmp_path, [ReleasedColumn("b", BLURRED, MODEL)], [[0] * 500 + [1] * 300 + [2] * 200]
    )
    page = tmp_path / "page.html"
    for method in ("unbiased", "mle"):
        target = tmp_path / "found.json"
        options = ["--method", method, "--json", str(target), "--html", str(page)]
        assert run(["estimate", str(path), *options]) == 3
        shown = capsys.readouterr().out
        assert "b and <c> cannot be told apart" in shown
        assert "not recoverable" in shown
        found = json.loads(target.read_text())
        validator()(found, json.loads((ROOT / "docs/estimate.schema.json").read_text()))
        assert found["lost"] == [{"column": "b", "direction": [["b", -1], ["<c>", 1]]}]
        assert [cell["estimate"] is None for cell in found["cells"]] == [False, True, True]
        (group,) = found["groups"]
        assert group["values"] == ["b", "<c>"]
        assert float(group["lo"]) < 0.5 < float(group["hi"])
        assert "<c>" not in page.read_text()


def test_directions_beyond_pairs_are_put_into_words(tmp_path, capsys):
    """The middle row is the mean of the outer ones."""
    middle = Operator.from_matrix([["3/4", "1/4"], ["1/2", "1/2"], ["1/4", "3/4"]], name="Middle")
    path = release(tmp_path, [ReleasedColumn("m", middle, MODEL)], [[0, 1, 2] * 200])
    assert run(["estimate", str(path)]) == 3
    shown = " ".join(capsys.readouterr().out.split())
    assert "moving probability from 2 x 1 to 0 + 2" in shown
    assert "mean" in shown  # which is recoverable


def test_large_operators_that_lose_something_exit_with_3(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("ppdm_formal.infer.undoing.decoder.EXACT_WORK", 0)
    path = release(tmp_path, [ReleasedColumn("b", BLURRED, MODEL)], [[0] * 50])
    assert run(["estimate", str(path)]) == 3
    assert "1 directions are lost, 1 of them because inputs have equal rows" in (
        capsys.readouterr().err
    )


def test_many_values_are_drawn_as_a_curve_and_listed_in_part(tmp_path, capsys):
    wide = randomized_response(300, "1/2", name="Wide")
    prior = Prior.uniform(wide.inputs, "<Flat>")
    people = np.random.default_rng(3).integers(0, 300, 3000)
    path = release(tmp_path, [ReleasedColumn("w", wide, MODEL, prior)], [people], seed=None)
    page = tmp_path / "page.html"
    assert run(["estimate", str(path), "--html", str(page), "--method", "mle"]) == 0
    assert "the 200 largest of 300" in " ".join(capsys.readouterr().out.split())
    written = page.read_text()
    assert "The curve is the estimate" in written
    assert "&lt;Flat&gt;" in written
    assert "Simulation" not in written


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--columns", "nix"], "no randomized column nix"),
        (["--columns", "answer,answer"], "--columns names answer twice"),
        (["--columns", "answer,die,a,b"], "one to 3 columns"),
        (["--columns", ""], "no randomized column"),
        (["--level", "1"], "between 0 and 1"),
        (["--level", "abc"], "not a number"),
        (["--method", "guess"], "guess"),
        (["--json", "-", "--csv", "-"], "standard output"),
    ],
)
def test_bad_usage(survey, capsys, options, message):
    assert run(["estimate", str(survey), *options]) == 2
    assert message in capsys.readouterr().err


def test_outputs_do_not_destroy_what_is_read(survey, capsys):
    before = survey.read_bytes()
    description = survey.with_name("out.csv.release.json")
    for path in (survey, description):
        for target in (survey, description):
            assert run(["estimate", str(path), "--html", str(target)]) == 2
            assert "would destroy it" in capsys.readouterr().err
    assert survey.read_bytes() == before


def test_data_and_descriptions_that_do_not_fit_are_refused(survey, capsys, tmp_path):
    description = survey.with_name("out.csv.release.json")
    kept = survey.read_text()
    survey.write_text(kept.replace("yes", "no", 1))
    assert run(["estimate", str(survey)]) == 2
    assert "not the data that were released" in capsys.readouterr().err
    survey.write_text(kept)
    text = description.read_text()
    description.write_text(text.replace('"die"', '"day"', 1))
    assert run(["estimate", str(survey)]) == 2
    assert "edited or damaged" in capsys.readouterr().err
    description.unlink()
    assert run(["estimate", str(survey)]) == 2
    assert "missing" in capsys.readouterr().err
    assert run(["estimate", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err


def test_a_release_without_rows_is_refused(tmp_path, capsys):
    path = release(tmp_path, [ReleasedColumn("answer", COIN, MODEL)], [[]])
    assert run(["estimate", str(path)]) == 2
    assert "no rows" in capsys.readouterr().err


def test_answers_that_cannot_occur_are_refused(tmp_path, capsys):
    never = Operator.from_matrix([[1, 0, 0], [0, 1, 0]], outputs=["y", "n", "never"], name="N")
    made = release(tmp_path, [ReleasedColumn("q", never, MODEL)], [[0, 1, 1]])
    made.write_text("q\nnever\nnever\nnever\n")
    written = Release(
        DataFile("out.csv", "csv", None, sha256_of(made)),
        Tally(3, 3),
        (ReleasedColumn("q", never, MODEL),),
    )
    made.with_name("out.csv.release.json").write_text(written.text())
    assert run(["estimate", str(made)]) == 2
    assert "no value can give the answers never" in capsys.readouterr().err


def test_transactions_are_sent_elsewhere(tmp_path, capsys):
    data = tmp_path / "out.dat"
    data.write_text("1 2\n")
    size = select_a_size(10, 2, insert="1/4", keep=["1/3", "1/3", "1/3"])
    written = Release(
        DataFile("out.dat", "fimi", None, sha256_of(data)),
        Tally(1, 1),
        transactions=Transactions(
            10, None, MODEL, (ReleasedGroup("all", (ReleasedSize(2, 1, size),)),)
        ),
    )
    data.with_name("out.dat.release.json").write_text(written.text())
    assert run(["estimate", str(data)]) == 2
    said = capsys.readouterr().err
    assert "ppdm mine" in said


def test_python_takes_lists_and_arrays_and_columns():
    import pandas
    import pyarrow

    answers = ["yes"] * 60 + ["no"] * 40
    wanted = estimate(COIN, answers)
    for form in (np.array(answers), pandas.Series(answers), pyarrow.array(answers), iter(answers)):
        assert estimate(COIN, form) == wanted
    numbers = np.array([1, 2, 5, 5], dtype=np.int16)
    assert estimate(DIE, numbers) == estimate(DIE, [1, 2, 5, 5])
    assert wanted.tables[0].estimated[0].estimate == pytest.approx(0.7)
    assert estimate(COIN, answers, level=Fraction(1, 2)).level == Fraction(1, 2)
    assert "Estimated distribution" in wanted._repr_html_()
    assert not wanted.simulated
    assert estimate(COIN, ppdm_formal.randomize(COIN, answers, seed=3)).simulated
    with pytest.raises(NotEstimable, match="a column is"):
        estimate(COIN, "yes")


@pytest.mark.parametrize("wrong", ["maybe", None, 1.5, float("nan"), ["yes"], True, {}])
def test_python_refuses_answers_that_are_no_outputs(wrong):
    with pytest.raises(NotEstimable, match="value number 1 "):
        estimate(COIN, ["yes", wrong])


def test_python_refuses_what_does_not_go_together(survey):
    with pytest.raises(TypeError, match="answers"):
        estimate(COIN)
    with pytest.raises(TypeError, match="columns"):
        estimate(COIN, ["yes"], columns=["a"])
    with pytest.raises(TypeError, match="its own"):
        estimate(survey, ["yes"])
    with pytest.raises(ValueError, match="method"):
        estimate(COIN, ["yes"], method="guess")
    with pytest.raises(TypeError, match="floats"):
        estimate(COIN, ["yes"], level=0.95)
    for level in ("0", "1", "100%", "-1/2", "2"):
        with pytest.raises(ValueError, match="between 0 and 1"):
            estimate(COIN, ["yes"], level=level)
    with pytest.raises(NotEstimable, match="no rows"):
        estimate(COIN, [])
    with pytest.raises(ValueError, match="is on"):
        estimate(COIN, ["yes"], prior=Prior.uniform(Domain(range(2))))
