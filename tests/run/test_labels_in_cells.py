"""Labels with commas, brackets, digits and blanks, from a cell through a release to an estimate."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ppdm_formal.cli import run

LABELS = ["Yes, often", "no", "1,2", "5", " lead", "(a"]
MODEL = """
domain A = {"Yes, often", no, "1,2", "5", " lead", "(a"}
operator R(x: A) -> A { [x -> y] = 1/2 if y == x | 1/10 otherwise }
audit R { forbid breach 1/20 -> 1/2 }
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "m.ppdm").write_text(MODEL)
    with (tmp_path / "in.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["a"], *([label] for label in LABELS * 50)])
    pq.write_table(pa.table({"a": LABELS * 50}), tmp_path / "in.parquet")
    return tmp_path


def randomize(folder, source, target):
    given = ["--model", str(folder / "m.ppdm"), "--operator", "R=a"]
    return run(["randomize", str(folder / source), "-o", str(folder / target), *given])


@pytest.mark.parametrize("source", ["in.csv", "in.parquet"])
@pytest.mark.parametrize("target", ["out.csv", "out.parquet"])
def test_labels_are_their_own_text(folder, source, target):
    assert randomize(folder, source, target) == 0
    if target == "out.csv":
        with (folder / target).open(newline="") as file:
            found = [row[0] for row in csv.reader(file)][1:]
    else:
        found = pq.read_table(folder / target)["a"].to_pylist()
    assert len(found) == 300
    assert set(found) == set(LABELS)
    written = [str(folder / name) for name in ("e.json", "e.csv")]
    assert run(["estimate", str(folder / target), "--json", written[0], "--csv", written[1]]) == 0
    cells = json.loads((folder / "e.json").read_text())["cells"]
    assert [cell["value"] for cell in cells] == [[label] for label in LABELS]
    with (folder / "e.csv").open(newline="") as file:
        assert [row[0] for row in csv.reader(file)][1:] == LABELS


def test_a_cell_with_the_models_quotes_is_told_how_to_name_a_label(folder, capsys):
    (folder / "in.csv").write_text('a\n"""Yes, often"""\n')
    assert randomize(folder, "in.csv", "out.csv") == 2
    shown = capsys.readouterr().err
    assert "a cell holds a label's text alone, without the model's quotes" in shown
    assert "often" not in shown
    (folder / "in.csv").write_text("a,b\n,1\n")
    assert randomize(folder, "in.csv", "out.csv") == 2
    assert "quotes" not in capsys.readouterr().err
