"""ppdm randomize from the command line: what it writes, what it refuses, what it says."""

import dataclasses
import hashlib
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from release_cases import schema_checker, write_model, write_plan

from ppdm_formal.cli import run
from ppdm_formal.run.release import Release

pytestmark = pytest.mark.usefixtures("one_checker")

ANSWERS = "id,answer,age\n" + "".join(
    f"{k},{('yes', 'no', 'unsure')[k % 3]},{k % 100}\n" for k in range(3000)
)


@pytest.fixture
def folder(tmp_path):
    write_model(tmp_path)
    (tmp_path / "in.csv").write_text(ANSWERS)
    return tmp_path


def randomize(folder, *arguments, source="in.csv", target="out.csv", model="model.ppdm"):
    given = [] if model is None else ["--model", str(folder / model)]
    return run(["randomize", str(folder / source), "-o", str(folder / target), *given, *arguments])


def left(folder):
    return sorted(path.name for path in folder.iterdir())


BOTH = ("--operator", "Reply=answer", "--operator", "Blur=age")


def test_only_randomized_columns_are_written(folder, capsys):
    assert randomize(folder, *BOTH) == 0
    lines = (folder / "out.csv").read_text().splitlines()
    assert lines[0] == "answer,age"
    assert len(lines) == 3001
    shown = capsys.readouterr().out
    assert "3,000 randomized rows" in shown
    assert "answer: randomized by Reply of model.ppdm; certified: forbid breach 1/4 -> 1/2" in shown
    assert "Claims are about one column each" in shown
    assert "SIMULATED" not in shown
    release = Release.read(folder / "out.csv")
    assert [column.name for column in release.columns] == ["answer", "age"]
    assert release.columns[0].prior is not None
    assert release.columns[0].prior.name == "X"
    assert release.columns[1].prior is None
    schema_checker()[0](json.loads((folder / "out.csv.release.json").read_text()))
    model = (folder / "model.ppdm").read_bytes()
    assert release.columns[0].model.sha256 == hashlib.sha256(model).hexdigest()
    assert release.kept == ()
    assert not release.simulated


def test_the_law_that_runs_is_the_one_released(folder):
    """Counts of seeded draws against the exact law: each cell within five standard errors."""
    assert randomize(folder, *BOTH, "--simulate", "5") == 0
    release = Release.read(folder / "out.csv")
    counts = release.counts(["answer"])
    assert np.abs(counts - 1000).max() < 5 * (3000 * 2 / 9) ** 0.5
    joint = release.counts(["answer", "age"])
    assert joint.shape == (3, 100)
    assert joint.sum(axis=1).tolist() == counts.tolist()
    kept = sum(
        a.rsplit(",", 1)[1] == b.rsplit(",", 1)[1]
        for a, b in zip(
            ANSWERS.splitlines()[1:],
            (folder / "out.csv").read_text().splitlines()[1:],
            strict=True,
        )
    )
    stays = 1 / 5 + 4 / 5 / 100
    assert abs(kept / 3000 - stays) < 5 * (stays * (1 - stays) / 3000) ** 0.5


def test_csv_files_of_a_model_are_named(folder):
    (folder / "law.csv").write_text("x,yes,no\nyes,1/2,1/2\nno,1/4,3/4\n")
    (folder / "model.ppdm").write_text(
        "domain A = {yes, no}\n"
        'operator C(x: A) -> A = csv("law.csv")\naudit C { forbid breach 1/4 -> 1/2 }\n'
    )
    (folder / "in.csv").write_text("answer\nyes\n")
    assert randomize(folder, "--operator", "C=answer") == 0
    law = (folder / "law.csv").read_bytes()
    files = Release.read(folder / "out.csv").columns[0].model.files
    assert files == {"law.csv": hashlib.sha256(law).hexdigest()}


def test_a_seed_repeats_and_says_so(folder, capsys):
    for name in ("a.csv", "b.csv", "c.parquet"):
        assert randomize(folder, *BOTH, "--simulate", "7", target=name) == 0
    assert (folder / "a.csv").read_bytes() == (folder / "b.csv").read_bytes()
    assert "SIMULATED with seed 7" in capsys.readouterr().out
    assert Release.read(folder / "a.csv").seed == 7
    metadata = pq.read_metadata(folder / "c.parquet").metadata
    assert b"seed 7" in metadata[b"ppdm_simulated"]
    assert json.loads(metadata[b"ppdm_release"])["simulated"] == {"seed": 7}
    assert randomize(folder, *BOTH, target="d.csv") == 0
    assert (folder / "d.csv").read_bytes() != (folder / "a.csv").read_bytes()


def test_parquet_carries_its_description(folder):
    assert randomize(folder, *BOTH, "--keep", "id", target="out.parquet") == 0
    beside = Release.read(folder / "out.parquet")
    (folder / "out.parquet.release.json").unlink()
    inside = Release.read(folder / "out.parquet")
    assert inside.data.sha256 is None
    assert dataclasses.replace(inside, data=beside.data) == beside
    assert inside.counts(["answer"]).sum() == 3000


def test_kept_columns_are_called_out(folder, capsys):
    assert randomize(folder, *BOTH, "--keep", "id") == 0
    assert "id: KEPT AS IT IS, unprotected" in capsys.readouterr().out
    lines = (folder / "out.csv").read_text().splitlines()
    assert lines[0] == "id,answer,age"
    assert [line.partition(",")[0] for line in lines[1:]] == [str(k) for k in range(3000)]
    assert Release.read(folder / "out.csv").kept == ("id",)


@pytest.mark.parametrize("target", ["out.csv.gz", "out.csv.xz", "out.parquet"])
def test_other_formats_hold_the_same(folder, target):
    assert randomize(folder, *BOTH, "--simulate", "3") == 0
    assert randomize(folder, *BOTH, "--simulate", "3", target=target) == 0
    expected = Release.read(folder / "out.csv").counts(["answer", "age"])
    assert np.array_equal(Release.read(folder / target).counts(["answer", "age"]), expected)


def test_rows_outside_the_domain(folder, capsys):
    (folder / "in.csv").write_text("answer,age\nyes,5\nmaybe,7\n,8\nno,100\nNaN,\n")
    assert randomize(folder, *BOTH) == 2
    shown = capsys.readouterr().err
    assert "in.csv, line 3, column answer: the value is outside; Reply takes Answer" in shown
    assert left(folder) == ["in.csv", "model.ppdm"]
    assert randomize(folder, *BOTH, "--outside", "drop") == 0
    shown = capsys.readouterr().out
    assert "Left out 4 of 5 rows: 1 outside in age, 1 empty in answer, 1 nan in answer" in shown
    tally = Release.read(folder / "out.csv").tally
    assert (tally.rows_in, tally.rows_out, tally.dropped.total()) == (5, 1, 4)


@pytest.mark.parametrize(
    ("operator", "code", "why"),
    [
        ("Clear", 1, "a breached claim"),
        ("Silent", 3, "no claim"),
        ("Empty", 3, "only claims that say nothing"),
    ],
)
def test_what_the_audit_does_not_clear_is_refused(folder, capsys, operator, code, why):
    given = ("--operator", f"{operator}=answer")
    assert randomize(folder, *given) == code
    shown = capsys.readouterr().err
    assert f"refused: the audit of {operator} has {why}" in shown
    assert left(folder) == ["in.csv", "model.ppdm"]
    assert randomize(folder, *given, "--although-breached") == 0
    assert f"released ALTHOUGH its audit has {why}" in capsys.readouterr().out
    [override] = Release.read(folder / "out.csv").overrides
    assert (override.option, override.where, override.why) == ("--although-breached", "answer", why)


def test_an_undecided_claim_is_refused(folder, capsys, monkeypatch):
    from ppdm_formal.certify.audit import audit
    from ppdm_formal.certify.finding import Verdict

    decide = audit.decide

    def undecided(*arguments):
        found = decide(*arguments)
        finding = dataclasses.replace(found.finding, verdict=Verdict.UNKNOWN)
        return dataclasses.replace(found, finding=finding)

    monkeypatch.setattr(audit, "decide", undecided)
    assert randomize(folder, *BOTH) == 3
    assert "has an undecided claim" in capsys.readouterr().err
    assert left(folder) == ["in.csv", "model.ppdm"]
    assert randomize(folder, *BOTH, "--although-breached") == 0
    claims = Release.read(folder / "out.csv").columns[0].claims
    assert [(claim.verdict, claim.sha256) for claim in claims] == [("unknown", None)]


def test_a_breach_outweighs_a_missing_claim(folder):
    assert (
        randomize(folder, "--operator", "Clear=answer", "--operator", "Silent=id", "--keep", "age")
        == 1
    )


def test_claims_from_the_command_line_count(folder):
    given = ("--operator", "Silent=answer")
    assert randomize(folder, *given, "--forbid", "1/4:1/2") == 0
    assert randomize(folder, *given, "--forbid", "1/3:1/2") == 1
    assert randomize(folder, *BOTH, "--forbid", "1/3:1/2") == 1


def test_an_override_that_was_not_needed_is_not_recorded(folder):
    assert randomize(folder, *BOTH, "--although-breached") == 0
    assert Release.read(folder / "out.csv").overrides == ()


def test_certificates_have_the_digests_of_the_release(folder):
    assert randomize(folder, *BOTH, "--certificates", str(folder / "certificates")) == 0
    for column in Release.read(folder / "out.csv").columns:
        (path,) = (folder / "certificates").glob(f"{column.operator.name}-*.json")
        assert json.loads(path.read_text())["sha256"] == column.claims[0].sha256
        assert run(["check", str(path), "--model", str(folder / "model.ppdm")]) == 0


def test_free_parameters_need_values(folder, capsys):
    given = ("--operator", "Free=answer")
    assert randomize(folder, *given) == 2
    assert "Free depends on p: give values with --set" in capsys.readouterr().err
    assert randomize(folder, *given, "--set", "p=1/2") == 0
    assert Release.read(folder / "out.csv").columns[0].model.values == {"p": "1/2"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "name at least one --operator"),
        (("--operator", "Reply"), "NAME=COLUMN"),
        (("--operator", "Reply=answers"), "no column named answers"),
        (("--operator", "Replies=answer"), "no operator Replies"),
        (("--operator", "Reply=answer", "--operator", "Blur=answer"), "named twice"),
        (("--operator", "Reply=answer", "--keep", "answer"), "named twice"),
        (("--operator", "Reply=answer", "--keep", "name"), "no column named name"),
        (("--operator", "Reply=answer", "--plan", "plan.json"), "either --model"),
        (("--operator", "Reply=answer", "--longer", "drop"), "--longer is not for tables"),
        (("--operator", "Reply=answer", "--simulate", "-1"), "-1"),
    ],
)
def test_bad_usage(folder, capsys, arguments, why):
    assert randomize(folder, *arguments) == 2
    assert why in capsys.readouterr().err
    assert left(folder) == ["in.csv", "model.ppdm"]


@pytest.mark.parametrize(
    ("source", "target", "why"),
    [
        ("nothing.csv", "out.csv", "No such file"),
        ("in.csv", "out.txt", "a table's name ends in"),
        ("in.csv", "in.csv", "is read here"),
        ("in.csv", "model.ppdm", "a table's name ends in"),
        ("in.csv", "missing/out.csv", "No such file"),
        ("in.csv", "folder.csv", "not a regular file"),
        ("folder.csv", "out.csv", "directory"),
    ],
)
def test_bad_files(folder, capsys, source, target, why):
    (folder / "folder.csv").mkdir()
    assert randomize(folder, *BOTH, source=source, target=target) == 2
    assert why in capsys.readouterr().err
    assert left(folder) == ["folder.csv", "in.csv", "model.ppdm"]


def test_an_earlier_release_is_replaced_whole_or_stays(folder):
    assert randomize(folder, *BOTH) == 0
    before = [(folder / name).read_bytes() for name in ("out.csv", "out.csv.release.json")]
    (folder / "in.csv").write_text("answer,age\nyes,5\nmaybe,7\n")
    assert randomize(folder, *BOTH) == 2
    assert [(folder / n).read_bytes() for n in ("out.csv", "out.csv.release.json")] == before
    assert randomize(folder, *BOTH, "--outside", "drop") == 0
    assert Release.read(folder / "out.csv").tally.rows_out == 1


@pytest.mark.parametrize("target", ["out.csv", "out.parquet"])
@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("", "there are no rows to randomize"),
        ("maybe,5\nyes,\n", "none of the 2 rows is left to release (1 empty in age, 1 outside in"),
    ],
)
def test_nothing_to_release_is_refused(folder, capsys, rows, why, target):
    (folder / "in.csv").write_text("answer,age\n" + rows)
    assert randomize(folder, *BOTH, "--outside", "drop", target=target) == 2
    assert why in capsys.readouterr().err
    assert left(folder) == ["in.csv", "model.ppdm"]


def test_one_row_is_one_row(folder, capsys):
    (folder / "in.csv").write_text("answer,age\nyes,5\n")
    assert randomize(folder, *BOTH) == 0
    assert "(1 randomized row)" in capsys.readouterr().out


def test_certificates_of_what_is_refused_are_written_and_said(folder, capsys):
    given = ("--operator", "Clear=answer", "--operator", "Blur=age")
    certificates = folder / "certificates"
    assert randomize(folder, *given, "--certificates", str(certificates)) == 1
    shown = capsys.readouterr().err
    assert f"Wrote 2 certificates to {certificates}" in shown
    assert "No data were written" in shown
    assert "Nothing was written" not in shown
    assert left(folder) == ["certificates", "in.csv", "model.ppdm"]
    blur, clear = sorted(certificates.glob("*.json"))
    assert (blur.name[:5], clear.name[:6]) == ("Blur-", "Clear-")
    assert run(["check", str(clear)]) == 1
    assert run(["check", str(clear), "--allow-breached"]) == 0
    assert randomize(folder, *BOTH, "--certificates", str(certificates)) == 0
    assert f"Wrote 2 certificates to {certificates}" in capsys.readouterr().out


def test_the_folder_that_cannot_be_written_to_is_named(folder, capsys, monkeypatch):
    assert randomize(folder, *BOTH, target="missing/out.csv") == 2
    shown = capsys.readouterr().err
    assert shown == f"{folder / 'missing'}: No such file or directory (the folder of out.csv)\n"

    def denied(**_):
        raise PermissionError(13, "Permission denied", "temporary")

    monkeypatch.delattr("os.O_TMPFILE", raising=False)
    monkeypatch.setattr("tempfile.mkstemp", denied)
    assert randomize(folder, *BOTH) == 2
    shown = capsys.readouterr().err
    assert shown == f"{folder}: Permission denied (the folder of out.csv)\n"


def test_an_edited_description_is_named(folder, capsys):
    assert randomize(folder, *BOTH) == 0
    beside = folder / "out.csv.release.json"
    beside.write_text(beside.read_text().replace('"rows_out":3000', '"rows_out":2999'))
    for name in ("out.csv", "out.csv.release.json"):
        capsys.readouterr()
        assert run(["estimate", str(folder / name)]) == 2
        assert f"{beside}: the description was edited" in capsys.readouterr().err


def test_a_column_that_a_parquet_file_has_twice(folder, capsys):
    table = pa.table([["yes"], ["no"], [1]], names=["answer", "answer", "age"])
    pq.write_table(table, folder / "in.parquet")
    assert randomize(folder, *BOTH, source="in.parquet") == 2
    assert "there are 2 columns named answer" in capsys.readouterr().err


def test_content_of_another_kind_than_the_name_says(folder, capsys):
    import gzip
    import lzma

    assert randomize(folder, *BOTH, target="there.parquet") == 0
    for content, name, why in (
        (gzip.compress(ANSWERS.encode(), mtime=0), "a.csv", "the content is gzip"),
        (lzma.compress(ANSWERS.encode()), "a.csv", "the content is xz"),
        ((folder / "there.parquet").read_bytes(), "a.csv", "the content is Parquet"),
        (ANSWERS.encode(), "a.csv.gz", "the name says gzip, but the content is not"),
        (
            gzip.compress(ANSWERS.encode(), mtime=0),
            "a.csv.xz",
            "the name says xz, but the content is gzip",
        ),
    ):
        (folder / name).write_bytes(content)
        capsys.readouterr()
        assert randomize(folder, *BOTH, source=name) == 2
        assert f"{name}: {why}" in capsys.readouterr().err
        (folder / name).unlink()
    (folder / "a.csv").write_text("PAR1,answer\nx,yes\n")
    assert randomize(folder, "--operator", "Reply=answer", source="a.csv") == 0


def test_links_are_followed_and_the_description_stands_beside_the_name(folder):
    (folder / "deep").mkdir()
    (folder / "out.csv").symlink_to(folder / "deep" / "real.csv")
    assert randomize(folder, *BOTH) == 0
    assert (folder / "out.csv").is_symlink()
    assert Release.read(folder / "out.csv").tally.rows_out == 3000


def test_the_wrong_model_for_a_release(folder, capsys):
    """What counts is the law, not the file: comments may change, probabilities may not."""
    assert randomize(folder, "--operator", "Free=answer", "--set", "p=1/2") == 0
    model = folder / "model.ppdm"
    check = ["estimate", str(folder / "out.csv"), "--model", str(model)]
    assert run(check) == 0
    written = model.read_text()
    model.write_text("# a comment\n" + written)
    assert run(check) == 0
    capsys.readouterr()
    for before, after in (
        ("p if y == x | (1 - p)/2", "p/2 if y == x | (1 - p/2)/2"),
        ("Free", "Other"),
        ("param p in [0, 1]", "param p in [0, 1/3]"),
        ("domain Answer = {yes, no,", "domain Answer = {no, yes,"),
    ):
        model.write_text(written.replace(before, after))
        assert run(check) == 2
        assert "is the wrong model for this release" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("law", "cells"),
    [
        ("operator K = randomized_response(values: 4, keep: 1/2)", ["0", "3", "3"]),
        (
            "operator K = select_a_size(items: 4, size: 2, insert: 1/2, cutoff: 1, gamma: 2)",
            ["{0, 1}", "{2,3}"],
        ),
        ("operator K = replace_items(items: 4, size: 1, keep: 1/2)", ["{3}"]),
        ("operator K(x: 0..3) -> 0..3 { return uniform(0..3) }", ["0"]),
    ],
)
def test_families_and_matrices_on_few_rows(tmp_path, law, cells):
    (tmp_path / "model.ppdm").write_text(f"{law}\naudit K {{ require amplification <= 6 }}\n")
    given = ("--operator", "K=x", "--outside", "drop")
    for rows in (cells, [*cells, "none"] * 100):
        quoted = "".join(f'"{cell}"\n' for cell in rows)
        (tmp_path / "in.csv").write_text("x\n" + quoted)
        for target in ("out.csv", "out.parquet"):
            assert randomize(tmp_path, *given, target=target) == 0
            release = Release.read(tmp_path / target)
            assert release.tally.rows_out == len([cell for cell in rows if cell != "none"])
            assert release.counts(["x"]).sum() == release.tally.rows_out


def test_without_pyarrow_csv_still_runs(folder, monkeypatch, capsys):
    import sys

    assert randomize(folder, *BOTH, target="there.parquet") == 0
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert randomize(folder, *BOTH) == 0
    assert Release.read(folder / "out.csv").counts(["answer"]).sum() == 3000
    capsys.readouterr()
    assert randomize(folder, *BOTH, target="out.parquet") == 2
    assert "Parquet needs the package pyarrow" in capsys.readouterr().err
    assert randomize(folder, *BOTH, source="there.parquet", target="other.csv") == 2
    assert "Parquet needs the package pyarrow" in capsys.readouterr().err
    assert not (folder / "out.parquet").exists()
    assert not (folder / "other.csv").exists()


def test_a_pipe_can_be_read(folder):
    import os
    import threading

    os.mkfifo(folder / "pipe.csv")
    writer = threading.Thread(target=(folder / "pipe.csv").write_text, args=(ANSWERS,))
    writer.start()
    assert randomize(folder, *BOTH, source="pipe.csv") == 0
    writer.join()
    assert Release.read(folder / "out.csv").tally.rows_out == 3000


# Transactions


@pytest.fixture
def shop(tmp_path):
    write_plan(tmp_path)
    rows = [sorted({k % 50, k * k % 50, (k + 7) % 50}) for k in range(2000)]
    (tmp_path / "in.dat").write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    return tmp_path


def plan_run(folder, *arguments, source="in.dat", target="out.dat"):
    given = ("--plan", str(folder / "plan.json"))
    return randomize(folder, *given, *arguments, source=source, target=target, model=None)


@pytest.mark.parametrize("target", ["out.dat", "out.dat.xz", "out.csv.gz", "out.parquet"])
def test_transactions(shop, capsys, target):
    assert plan_run(shop, target=target) == 0
    shown = capsys.readouterr().out
    assert "2,000 randomized transactions" in shown
    assert "transactions of 3 items: certified: forbid breach 1/20 -> 1/2" in shown
    assert "Sizes of transactions are public" in shown
    schema_checker()[0](json.loads((shop / f"{target}.release.json").read_text()))
    release = Release.read(shop / target)
    assert release.transactions.items == 50
    assert sum(len(part) for _, _, part in release.baskets()) == 2000
    plan = (shop / "plan.json").read_bytes()
    assert release.transactions.plan.sha256 == hashlib.sha256(plan).hexdigest()


def test_transactions_by_name(shop):
    names = [f"item {k}, large" for k in range(50)]
    (shop / "items.txt").write_text("\n".join(names) + "\n")
    rows = [[names[k % 50], names[(k + 1) % 50]] for k in range(100)]
    import csv

    with (shop / "in.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    items = ("--items", str(shop / "items.txt"))
    assert plan_run(shop, *items, source="in.csv", target="out.parquet") == 0
    assert Release.read(shop / "out.parquet").transactions.names == tuple(names)
    found = pq.read_table(shop / "out.parquet")["items"].to_pylist()
    assert {name for row in found for name in row} <= set(names)


@pytest.mark.parametrize("target", ["out.dat", "out.parquet"])
@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("", "there are no transactions to randomize"),
        (
            "1 2 99\n1 2 3 4\n",
            "none of the 2 transactions is left to release (1 longer, 1 outside)",
        ),
    ],
)
def test_no_transactions_to_release_are_refused(shop, capsys, rows, why, target):
    (shop / "in.dat").write_text(rows)
    assert plan_run(shop, "--outside", "drop", "--longer", "drop", target=target) == 2
    assert why in capsys.readouterr().err
    assert left(shop) == ["in.dat", "plan.json"]


def test_a_plan_with_equality_is_refused(shop, capsys):
    write_plan(shop, paper=True)
    assert plan_run(shop) == 1
    assert "size 1: refused: the audit of size 1 has a breached claim" in capsys.readouterr().err
    assert plan_run(shop, "--although-breached") == 0
    overrides = Release.read(shop / "out.dat").overrides
    assert [override.where for override in overrides] == ["size 1", "size 2", "size 3"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": "ppdm-plan/9"}, "not a plan"),
        ({"rho1": None}, "rho1"),
        ({"rho1": "x"}, "not a number"),
        ({"rho1": "3/2"}, "rho"),
        ({"items": None}, "does not say how many items"),
        ({"items": True}, "the number of items is not a whole number"),
        ({"items": 2}, "size 3"),
        ({"sizes": []}, "no transaction sizes"),
    ],
)
def test_bad_plans(shop, capsys, change, why):
    plan = json.loads((shop / "plan.json").read_text())
    (shop / "plan.json").write_text(json.dumps({**plan, **change}))
    assert plan_run(shop) == 2
    assert why in capsys.readouterr().err
    assert left(shop) == ["in.dat", "plan.json"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--keep", "id"), "--keep is not for transactions"),
        (("--operator", "R=x"), "--operator is not for transactions"),
        (("--column", "x"), "only a Parquet file has columns"),
        (("--items", "items.txt"), "No such file"),
    ],
)
def test_bad_usage_for_transactions(shop, capsys, arguments, why):
    assert plan_run(shop, *arguments) == 2
    assert why in capsys.readouterr().err
    assert left(shop) == ["in.dat", "plan.json"]


def test_another_number_of_items_than_the_plan_has(shop, capsys):
    (shop / "items.txt").write_text("a\nb\nc\n")
    assert plan_run(shop, "--items", str(shop / "items.txt")) == 2
    assert "is for 50 items" in capsys.readouterr().err
