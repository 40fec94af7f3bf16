"""Tallies: counts of many files, merged and estimated; files counted once; bare reports."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.cli import run
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.rappor import rappor
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.report import NotAReport
from ppdm_formal.infer.tables import tally as tallies
from ppdm_formal.infer.tables.collected import estimate
from ppdm_formal.infer.tables.followed import Followed
from ppdm_formal.infer.tables.report_counts import ReportCounts
from ppdm_formal.infer.tables.tallied import CountedFile, Tallied
from ppdm_formal.infer.tables.tally import sources_of, tally
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.report_columns import to_arrow

ROOT = Path(__file__).parents[2]
MODEL = """
operator U = unary_encoding(values: 30, epsilon: 4)
operator H = local_hashing(values: 30, buckets: 9, gamma: 40)
operator K = randomized_response(values: 5, keep: 4/5)
audit U { require epsilon <= 4 }
audit H { require amplification <= 40 }
audit K { require amplification <= 16 }
"""
OPERATORS = [
    unary_encoding(30, gamma=3, name="U"),
    subset_selection(30, 3, 9, name="S"),
    local_hashing(30, 4, gamma=3, name="H"),
    randomized_response(7, "1/2", name="K"),
    rappor(24, 2, "1/2", name="R"),
]
DAYS = ("a.parquet", "b.csv", "c.csv.gz")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tally")
    (path / "m.ppdm").write_text(MODEL)
    rng = np.random.default_rng(3)
    for number, day in enumerate(DAYS):
        rows = [f"{x},{x},{x % 5}" for x in np.minimum(rng.geometric(0.2, 400) - 1, 29)]
        (path / f"in{number}.csv").write_text("u,h,k\n" + "\n".join(rows) + "\n")
        given = [str(path / f"in{number}.csv"), "-o", str(path / day), "--model"]
        chosen = [part for name in "UHK" for part in ("--operator", f"{name}={name.lower()}")]
        seed = ["--simulate", "7"] if number == 2 else []
        assert run(["randomize", *given, str(path / "m.ppdm"), *chosen, *seed]) == 0
    return path


def paths(folder):
    return [folder / day for day in DAYS]


def plain(found):
    return [(one.name, one.rows, one.counts.tolist()) for one in found.columns]


def test_counts_merge_in_any_way_and_estimate_as_one(folder, tmp_path, monkeypatch):
    whole = tally(sources_of(paths(folder)))
    assert whole.rows == 1200
    assert whole.simulated
    monkeypatch.setattr(tallies, "processors", lambda: 1)
    parts = [tally(sources_of([path])) for path in paths(folder)]
    for order in ([0, 1, 2], [2, 0, 1]):
        together = Tallied.merge([Tallied.merge([parts[k] for k in order[:2]]), parts[order[2]]])
        assert plain(together) == plain(whole)
    written = tmp_path / "counts.json"
    written.write_text(parts[1].text())
    mixed = estimate([folder / "a.parquet", written, folder / "c.csv.gz"])
    assert mixed.tables == estimate(whole).tables == estimate(paths(folder)).tables
    assert mixed.rows == 1200
    assert Tallied.read(written).text() == written.read_text()
    assert estimate(paths(folder), columns=["k"]).tables == mixed.tables[2:]


def test_from_one_release_as_from_its_tally(folder):
    assert (
        estimate(folder / "a.parquet").tables
        == estimate([tally(sources_of([folder / DAYS[0]]))]).tables
    )


def test_nothing_is_counted_twice(folder, tmp_path, capsys):
    again = tmp_path / "again.parquet"
    shutil.copy(folder / "a.parquet", again)
    shutil.copy(folder / "a.parquet.release.json", tmp_path / "again.parquet.release.json")
    with pytest.raises(DataError, match=r"again.parquet is given twice \(as a.parquet\)"):
        tally(sources_of([folder / "a.parquet", again]))
    out = tmp_path / "counts.json"
    assert run(["tally", str(folder / "a.parquet"), "-o", str(out)]) == 0
    capsys.readouterr()
    for asked in (["tally", str(again), str(out), "-o", str(tmp_path / "x.json")],
                  ["estimate", str(again), str(out)]):  # fmt: skip
        assert run(asked) == 2
        assert "given twice" in capsys.readouterr().err
    assert not (tmp_path / "x.json").exists()


def test_other_operators_are_not_counted_together(folder, tmp_path):
    other = ReportCounts.create(unary_encoding(30, epsilon=3, name="U"), "u")
    counts = tmp_path / "other.json"
    counts.write_text(Tallied((other,), (CountedFile("x", "0" * 64, 0),)).text())
    with pytest.raises(DataError, match="different columns"):
        tally(sources_of([folder / "a.parquet", counts]))
    mine = ReportCounts.create(unary_encoding(30, epsilon=4, name="U"), "u")
    with pytest.raises(DataError, match="different operators"):
        ReportCounts.merge([mine, other])


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda one: one.name)
@given(data=st.data())
def test_create_add_merge_extract(operator, data):
    """However reports are divided and in whatever form they come, the counts are the same."""
    report = operator.report
    rows = np.array(data.draw(st.lists(st.integers(0, operator.inputs.size - 1), max_size=20)))
    batch = operator.law.draw_batch(rows.astype(np.int64), Keystream())
    sent = [report.encoded(y) for y in report.values(batch)]
    cut = data.draw(st.integers(0, len(sent)))
    empty = ReportCounts.create(operator)
    whole = empty.add(sent)
    parts = [empty.add(sent[cut:]), empty.add(sent[:cut])]
    assert ReportCounts.merge(parts).counts.tolist() == whole.counts.tolist()
    assert empty.rows == 0 == empty.counts.sum()
    if report.kind != "value" and len(sent):
        assert empty.add(to_arrow(report, batch)).counts.tolist() == whole.counts.tolist()
    expected = np.zeros_like(whole.counts)
    for y in report.values(batch):
        if report.by_output:
            expected[operator.outputs.index(y)] += 1
        elif report.kind == "hashed":
            for x in range(30):
                expected[x] += report.functions.bucket(y[0], x) == y[1]
        else:
            expected[sorted(y)] += 1
    assert whole.counts.tolist() == expected.tolist()
    with pytest.raises(NotAReport):
        whole.add([*sent, "not one"])


def lines_of(operator, n=300):
    report = operator.report
    drawn = operator.law.draw_batch(np.arange(n) % operator.inputs.size, Keystream())
    return drawn, [json.dumps(report.encoded(y)) for y in report.values(drawn)]


def test_bare_reports_in_every_format(tmp_path, capsys):
    """JSON lines, CSV, Parquet, compressed: the same counts, by --reports and in Python."""
    (tmp_path / "m.ppdm").write_text(MODEL)
    for name, operator in (
        ("U", unary_encoding(30, epsilon=4, name="U")),
        ("H", local_hashing(30, 9, gamma=40, name="H")),
        ("K", randomized_response(5, "4/5", name="K")),
    ):
        report = operator.report
        drawn, lines = lines_of(operator)
        text = "\n".join(lines) + "\n\n"
        cells = report.texts(drawn) if name != "K" else [str(y) for y in report.values(drawn)]
        files = [tmp_path / f"{name}{end}" for end in (".jsonl", ".ndjson.gz", ".csv", ".parquet")]
        files[0].write_text(text)
        files[1].write_bytes(gzip.compress(text.encode()))
        files[2].write_text("report\n" + "".join(f'"{cell}"\n' for cell in cells))
        column = pa.array(report.values(drawn)) if name == "K" else to_arrow(report, drawn)
        pq.write_table(pa.table({"report": column}), files[3])
        counts = np.zeros(report.counted, dtype=np.int64)
        report.add(drawn, counts)
        for path in files:
            found = tally(sources_of([path], operator))
            assert found.columns[0].counts.tolist() == counts.tolist(), path
            assert found.rows == 300
        asked = ["--model", str(tmp_path / "m.ppdm"), "--operator", name, "--reports"]
        out = tmp_path / f"{name}.json"
        assert run(["tally", *asked, str(files[0]), "-o", str(out)]) == 0
        assert Tallied.read(out).columns[0].counts.tolist() == counts.tolist()
        capsys.readouterr()
        assert run(["estimate", *asked, str(files[2]), "--csv", "-"]) == 0
        assert len(capsys.readouterr().out.splitlines()) == operator.inputs.size + 1


def test_what_is_wrong_with_a_bare_file_is_said_by_its_place(tmp_path):
    operator = unary_encoding(30, epsilon=4, name="U")
    _, lines = lines_of(operator, 3)
    bad = tmp_path / "bad.jsonl"
    for wrong in ("[1", "7", '"AAAA"', "NaN", "[" * 100_000):
        bad.write_text("\n".join([*lines, "", wrong]))
        with pytest.raises(DataError, match=r"bad\.jsonl, line 5: no output of U"):
            tally(sources_of([bad], operator))
    (tmp_path / "two.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="say which one holds"):
        sources_of([tmp_path / "two.csv"], operator)
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(DataError, match=r"ends in \.csv, \.parquet or \.jsonl"):
        sources_of([tmp_path / "x.txt"], operator)


def edited(text, change):
    document = json.loads(text)
    change(document)
    inside = {key: value for key, value in document.items() if key != "sha256"}
    from ppdm_formal.declare.operators.canonical import digest

    return json.dumps({**inside, "sha256": digest(inside)})


def test_counts_from_outside_are_checked(folder, tmp_path):
    text = tally(sources_of([folder / "a.parquet"])).text()
    path = tmp_path / "c.json"
    path.write_text(text.replace('"rows":400', '"rows":401', 1))
    with pytest.raises(ReleaseError, match="edited or damaged"):
        Tallied.read(path)
    for change, says in (
        (lambda d: d["columns"][0]["counts"].__setitem__(0, 401), "up to that of the rows"),
        (lambda d: d["columns"][0]["counts"].__setitem__(0, -1), "up to that of the rows"),
        (lambda d: d["columns"][0]["counts"].__setitem__(0, True), "up to that of the rows"),
        (lambda d: d["columns"][0]["counts"].pop(), "one each"),
        (lambda d: d["columns"][2]["counts"].__setitem__(0, 0), "do not add up"),
        (lambda d: d["columns"][0].update(counted="outputs"), "not what this operator"),
        (lambda d: d["sources"][0].update(rows=1), "do not add up"),
        (lambda d: d["sources"].append(d["sources"][0]), "twice"),
        (lambda d: d.update(columns=[]), "without columns"),
        (lambda d: d["columns"][0]["operator"]["law"]["arguments"].update(keep="2"), "digest"),
    ):
        path.write_text(edited(text, change))
        with pytest.raises(ReleaseError, match=says):
            Tallied.read(path)
    spec = importlib.util.spec_from_file_location(
        "certify_schema", ROOT / "tests/certify/certify_schema.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.validate(json.loads(text), json.loads((ROOT / "docs/counts.schema.json").read_text()))


def test_a_folder_is_followed(folder, tmp_path):
    """New files are counted once, also by the next process; half-written ones wait."""
    into = tmp_path / "in"
    into.mkdir()
    counts, found = tmp_path / "counts.json", tmp_path / "estimate.json"
    followed = Followed(into, counts, found, None, None)
    assert list(followed.look()) == []
    for day in DAYS[:2]:
        shutil.copy(folder / day, into / day)
        shutil.copy(folder / f"{day}.release.json", into / f"{day}.release.json")
    shutil.copy(folder / DAYS[2], into / DAYS[2])  # its description is not there yet
    assert list(followed.look()) == ["800 reports of 2 files"]
    assert list(followed.look()) == []
    assert plain(Tallied.read(counts)) == plain(tally(sources_of(paths(folder)[:2])))
    assert json.loads(found.read_text())["rows"] == 800
    shutil.copy(folder / f"{DAYS[2]}.release.json", into / f"{DAYS[2]}.release.json")
    shutil.copy(folder / DAYS[0], into / "again.parquet")
    shutil.copy(folder / f"{DAYS[0]}.release.json", into / "again.parquet.release.json")
    assert list(Followed(into, counts, found, None, None).look()) == ["1,200 reports of 3 files"]
    (into / "z.csv").write_text("x\n1\n")
    (into / "z.csv.release.json").write_text("{}")
    [said] = Followed(into, counts, found, None, None).look()
    assert said.startswith("left out: ")


def test_bare_files_are_followed_once_they_rest(tmp_path):
    operator = unary_encoding(30, epsilon=4, name="U")
    counts = tmp_path / "counts.json"
    followed = Followed(tmp_path, counts, None, operator, None)
    path = tmp_path / "a.jsonl"
    _, lines = lines_of(operator, 10)
    path.write_text("\n".join(lines[:5]) + "\n")
    assert list(followed.look()) == []
    path.write_text("\n".join(lines) + "\n")
    os.utime(path, ns=(1, 1))
    assert list(followed.look()) == []
    assert list(followed.look()) == ["10 reports of 1 files"]
    assert list(followed.look()) == []


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_what_clients_send_is_counted(tmp_path, language):
    """One end to end: a client of each language, its JSON lines, the estimate."""
    if language == "javascript" and shutil.which("node") is None:
        pytest.skip("no node")
    (tmp_path / "m.ppdm").write_text(MODEL)
    name = "client.py" if language == "python" else "client.mjs"
    asked = ["client", str(tmp_path / "m.ppdm"), "--operator", "H", "--language", language]
    assert run([*asked, "-o", str(tmp_path / name)]) == 0
    if language == "python":
        text = (
            "import client, json\n"
            "for i in range(200): print(json.dumps(client.encoded(client.randomize(i % 2))))\n"
        )
        command = [sys.executable, "-c", text]
    else:
        text = (
            'import { encoded, randomize } from "./client.mjs";\n'
            "for (let i = 0; i < 200; i += 1) {\n"
            "  console.log(JSON.stringify(encoded(randomize(i % 2))));\n}\n"
        )
        (tmp_path / "send.mjs").write_text(text)
        command = ["node", "send.mjs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    (tmp_path / "sent.jsonl").write_text(done.stdout)
    found = estimate([tally(sources_of([tmp_path / "sent.jsonl"], local_hashing(30, 9, gamma=40)))])
    first, second, *others = found.tables[0].estimated
    assert abs(first.estimate - 0.5) < 7 * first.se
    assert abs(second.estimate - 0.5) < 7 * second.se
    assert all(abs(cell.estimate) < 7 * cell.se for cell in others)


def test_parts_of_a_file_are_its_row_groups(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(tallies, "PART_ROWS", 100)
    operator = unary_encoding(30, epsilon=4, name="U")
    drawn, _ = lines_of(operator, 350)
    path = tmp_path / "many.parquet"
    pq.write_table(pa.table({"r": to_arrow(operator.report, drawn)}), path, row_group_size=60)
    [source] = sources_of([path], operator)
    assert source.parts() == [(0, 1), (2, 3), (4, 5)]
    counts = np.zeros(30, dtype=np.int64)
    operator.report.add(drawn, counts)
    assert tally([source]).columns[0].counts.tolist() == counts.tolist()
    again = tallies.source_of(tallies.task_json(source))
    rows, _ = tallies.counted_part(again, (4, 5))
    assert rows == 110
    with path.open("ab") as file:
        file.write(b"more")
    with pytest.raises(DataError, match="another file"):
        tallies.source_of(tallies.task_json(source).replace(str(path.stat().st_size), "1"))
    assert replace(source, rows=1).rows == 1
