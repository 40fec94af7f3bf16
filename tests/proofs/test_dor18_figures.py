"""Dor18's experiments done again, on a made-up database of its form."""

import csv
import io
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.certify.statement.loader import load_module
from ppdm_formal.cli import run
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.tables.generate.records import RecordColumn, Records

done, shown = load_module("dor18", "_experiments"), load_module("dor18", "figures")
READINGS, Repeated, redo = done.READINGS, done.Repeated, done.redo
by_class, find, generated, read = done.by_class, done.find, done.generated, done.read
dor18_document, findings = shown.dor18_document, shown.findings
paper_figures, paper_tables = shown.paper_figures, shown.paper_tables


def database(records=250):
    random = np.random.default_rng(0)
    label = random.integers(0, 2, records)
    codes = np.stack([label, label, 1 - label, label], axis=1)
    codes ^= random.random((records, 4)) < 0.1
    columns = tuple(RecordColumn(f"{2 * c + 1}-{2 * c + 2}", (f"{2 * c + 1}", f"{2 * c + 2}"))
                    for c in range(4))  # fmt: skip
    return Records(columns, codes.astype(np.int32), "records")


@pytest.fixture(scope="module")
def redone():
    return redo(database(), "led7", 2, classify=True, folds=2)


def test_every_reading_has_every_number(redone):
    assert list(redone.outcomes) == [kind.name for kind in READINGS]
    for out in redone.outcomes.values():
        for key in ("frequent", "common", "missed", "invented", "common_records", "KRIMP"):
            assert len(out.numbers[key].values) == 2
    assert [out.record_epsilon for out in redone.outcomes.values()] == [
        Fraction(8, 10),  # four columns, two items each
        Fraction(4, 10),
        None,
    ]
    exact = redone.outcomes["nothing randomized"].numbers
    noisy = redone.outcomes["0.1 for a cell"].numbers
    assert exact["nfd_common"].mean < noisy["nfd_common"].mean
    assert exact["common"].mean + exact["missed"].mean == redone.frequent
    assert redone.krimp is not None


def test_tables_have_ours_beside_the_print(redone):
    tables = paper_tables([redone])
    assert [table.name for table in tables] == [f"table{k}" for k in range(1, 9)]
    for table in tables:
        rows = list(csv.reader(io.StringIO(table.csv())))
        assert {len(row) for row in rows} == {len(table.head)}
        if table.name != "table1":
            assert [row[1] for row in rows[1:]] == ["print", *(kind.name for kind in READINGS)]
    assert list(tables[1].rows[0][2:]) == ["411", "472.2", "316.3", "95.8", "156.7"]
    mean = redone.outcomes["0.1 for a cell"].numbers["common"]
    assert tables[1].rows[1][4] == f"{mean.mean:.1f} ({mean.error:.1f})"


def test_figures_rise_to_one(redone):
    figures = paper_figures([redone])
    assert [figure.name for figure in figures] == ["figure1", "figure2"]
    for figure in figures:
        for line in figure.lines().values():
            shares = [share for _, share in line]
            assert shares == sorted(shares)
            assert shares[-1] == pytest.approx(1, abs=1e-5)


def test_what_reproduces_is_said(redone):
    said = findings([redone])
    assert said[0].startswith("0.1 for a cell: does not reproduce the print on led7")
    assert "A record then costs: led7 4/5 (0.8)" in said[0]
    assert "protects nobody" in said[2]
    page = document_html(dor18_document([redone], ["uscensus"], 2))
    assert "Not there, and so not done again: uscensus" in page
    assert page.count("<svg") == 2


def test_classes_keep_their_records():
    original = database(120)
    made = by_class(original, READINGS[2], 0.1, 0)
    assert made.codes[:, -1].tolist() == original.codes[:, -1].tolist()
    assert (made.codes != original.codes).any()
    assert len(generated(original, READINGS[1], 0.1, 0)) == 120


def test_means_and_errors():
    some = Repeated((1.0, 2.0, 3.0))
    assert (some.mean, some.error) == (2.0, pytest.approx(1 / 3**0.5))
    assert Repeated((1.0,)).error is None


def test_sequences_are_sets(tmp_path):
    file = tmp_path / "msnbc.seq"
    file.write_text("% head\n\nfrontpage news\n\n1 1 2\n3\n2 1 3 1\n")
    assert find(tmp_path, "msnbc") == file
    assert find(tmp_path, "led7") is None
    found = read(file, "msnbc")
    assert (found.kind, found.codes.tolist()) == ("baskets", [[1, 1, 0], [0, 0, 1], [1, 1, 1]])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "name the folder"),
        (["--data", "{folder}"], "none of adult"),
        (["--data", "{folder}", "--databases", "iris"], "no database iris"),
    ],
)
def test_bad_usage(tmp_path, capsys, monkeypatch, options, words):
    monkeypatch.delenv("PPDM_DATA", raising=False)
    given = [option.format(folder=tmp_path) for option in options]
    assert run(["figures", "dor18", "--out", str(tmp_path / "out"), *given]) == 2
    assert words in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "out").exists()


def test_the_command(tmp_path, capsys):
    from ppdm_formal.tables.generate.record_files import records_text

    (tmp_path / "led7.D8.num").write_text("".join(records_text(database(60))))
    options = ["--data", str(tmp_path), "--databases", "led7,adult", "--repetitions", "1"]
    assert run(["figures", "dor18", "--out", str(tmp_path / "out"), *options]) == 0
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"dor18.html", "table1.csv", "table8.csv", "figure1.svg"} <= names
    assert "dor18.html" in capsys.readouterr().out
