"""Folders of certificates: nothing is missing, altered, or of another model, value or reading."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ppdm_formal.cli import run

pytestmark = pytest.mark.usefixtures("one_checker")

N = """
param n in [1, 100] = 10
domain V = 1..n
operator R(x: V) -> V { return x }
audit R { require epsilon <= 1/10 }
"""
KEEP = """
param keep in [0, 1] = 99/100
domain V = 0..1
operator R(x: V) -> V { [x -> y] = (1 + keep)/2 if y == x | (1 - keep)/2 otherwise }
audit R { require amplification <= 3 }
"""
FREE = """
param p in (1/2, 1)
operator Flip(x: {yes, no}) -> {yes, no} { [x -> y] = p if y == x | 1 - p otherwise }
audit Flip { require amplification <= 3 }
"""
TWO = """
domain V = 0..2
operator Good(x: V) -> V { [x -> y] = 1/2 if y == x | 1/4 otherwise }
operator Bad(x: V) -> V { [x -> y] = 9/10 if y == x | 1/20 otherwise }
audit Good { require amplification <= 2 }
audit Bad { require amplification <= 2; forbid breach 1/10 -> 9/10 }
"""


def canonical(thing: Any) -> bytes:
    text = json.dumps(thing, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def sealed(document: dict[str, Any]) -> bytes:
    """As a file, with the digest that its content has."""
    body = {key: value for key, value in document.items() if key != "sha256"}
    return canonical({**body, "sha256": hashlib.sha256(canonical(body)).hexdigest()}) + b"\n"


def audited(folder: Path, text: str, *options: object, name: str = "m.ppdm") -> tuple[Path, Path]:
    """A model, and the folder of its certificates."""
    model, written = folder / name, folder / "c"
    model.write_text(text)
    told = ["audit", model, "--certificates", written, "--no-solver", *options]
    assert run([*map(str, told)]) in (0, 1, 3)
    return model, written


def check(capsys: Any, *arguments: object) -> tuple[int, str]:
    """The exit code of ppdm check, and what it printed."""
    capsys.readouterr()
    code = run(["check", *map(str, arguments)])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return code, captured.out + captured.err


def alone(folder: Path, *options: str) -> tuple[int, str]:
    """The same by the checker in the folder, with the standard library alone."""
    command = [sys.executable, "-I", "-S", "check.py", ".", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.fixture
def two(tmp_path):
    return audited(tmp_path, TWO)


# -- values and readings ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value", "made", "default"),
    [(N, "n=1", "n = 1;", "n = 10"), (KEEP, "keep=1/10", "keep = 1/10;", "keep = 99/100")],
)
def test_values_are_the_callers_not_the_certificates(tmp_path, capsys, text, value, made, default):
    model, folder = audited(tmp_path, text, "--set", value)
    (path,) = folder.glob("*.json")
    for named in (path, folder):
        code, said = check(capsys, named, "--model", model)
        assert code == 4
        assert "rejected: made with " + made in said
        assert default in said
        assert check(capsys, named, "--model", model, "--set", value)[0] == 0
    assert check(capsys, path, "--model", model, "--set", value.split("=")[0] + "=7/8")[0] in (2, 4)
    assert made[:-1] in check(capsys, path)[1]  # not without a word of it


def test_a_default_that_is_stated_is_the_default(tmp_path, capsys):
    model, folder = audited(tmp_path, N)
    for options in ((), ("--set", "n=10")):
        assert check(capsys, folder, "--model", model, *options)[0] == 1
    code, said = check(capsys, folder, "--model", model, "--set", "n=1")
    assert code == 4
    assert "made with n = 10; in the model as it is checked: n = 1" in said


def test_a_free_parameter_that_was_given_a_value(tmp_path, capsys):
    model, folder = audited(tmp_path, FREE, "--set", "p=3/4")
    code, said = check(capsys, folder, "--model", model)
    assert code == 4
    assert "made with p = 3/4; in the model as it is checked: p free" in said
    assert check(capsys, folder, "--model", model, "--set", "p=3/4")[0] == 0
    assert check(capsys, folder, "--model", model, "--set", "p=3/4,4/5")[0] == 2
    model, folder = audited(tmp_path, FREE)
    code, said = check(capsys, folder, "--model", model)
    assert code == 1  # it fails for p > 3/4
    assert "1 claim: 0 hold, 1 holds in part, 0 fail, 0 say nothing" in said
    code, said = check(capsys, folder, "--model", model, "--set", "p=3/4")
    assert code == 4
    assert "made with p free; in the model as it is checked: p = 3/4" in said


def test_a_file_cannot_name_the_values_of_the_model(tmp_path, capsys):
    """The certificate says n = 10, and is that of n = 1 in everything else."""
    model, folder = audited(tmp_path, N, "--set", "n=1")
    path = folder / "R-1.json"
    document = json.loads(path.read_bytes())
    document["model"]["set"]["n"] = "10"
    path.write_bytes(sealed(document))
    code, said = check(capsys, path, "--model", model)
    assert code == 4
    assert "the views are not those of the model" in said


def test_the_reading_of_a_matrix_is_the_callers(tmp_path, capsys):
    table = "1,0.5,0.4\n2,0.05,0.05\n"  # read with an index, rows miss 1 by far
    model, folder = audited(
        tmp_path, table, "--index", "--normalize", "--forbid", "1/10:1/2", name="m.csv"
    )
    path = folder / "m-1.json"
    code, said = check(capsys, path, "--model", model, "--normalize", "--no-index")
    assert code == 4
    assert "its matrix was read with --normalize --index" in said
    assert "in the model as it is checked: with --normalize --no-index" in said
    stated = ("--index", "--normalize", "--forbid", "1/10:1/2")
    assert check(capsys, folder, "--model", model, *stated)[0] == 0
    assert "--normalize --index --forbid 1/10:1/2" in (folder / "README.txt").read_text()
    assert check(capsys, path, "--model", model)[0] == 2  # the matrix as it stands is none
    assert check(capsys, path, "--normalize")[0] == 2  # a reading of nothing


# -- what is missing or altered --------------------------------------------------------------------


def test_a_folder_says_how_its_claims_stand(two, capsys):
    model, folder = two
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        *("Bad-2.json", "Bad-3.json", "Good-1.json"),
        *("MANIFEST", "README.txt", "check.py", "model"),
    ]
    summary = "3 claims: 2 hold, 1 fails, 0 say nothing, 0 lack a certificate"
    for code, said in (
        check(capsys, folder),
        check(capsys, folder / "MANIFEST"),
        check(capsys, folder, "--model", model),
        alone(folder),
    ):
        assert code == 1
        assert summary in said
    assert check(capsys, folder, "--allow-breached")[0] == 0
    assert alone(folder, "--allow-breached")[0] == 0


def test_a_breached_claim_cannot_be_deleted_unnoticed(two, capsys):
    model, folder = two
    (folder / "Bad-2.json").unlink()
    for code, said in (
        check(capsys, folder, "--allow-breached"),
        check(capsys, folder, "--model", model, "--allow-breached"),
        alone(folder, "--allow-breached"),
    ):
        assert code == 4
        assert "Bad: require amplification <= 2: lacks a certificate" in said
        assert "3 claims: 2 hold, 0 fail, 0 say nothing, 1 lacks a certificate" in said


def trimmed(folder: Path, name: str) -> None:
    """Take a certificate out of the folder, and its line out of the manifest."""
    (folder / name).unlink()
    manifest = json.loads((folder / "MANIFEST").read_bytes())
    manifest["claims"] = [row for row in manifest["claims"] if row["file"] != name]
    (folder / "MANIFEST").write_bytes(sealed(manifest))


def test_with_the_model_a_trimmed_manifest_hides_nothing(two, capsys):
    model, folder = two
    trimmed(folder, "Bad-2.json")
    code, said = check(capsys, folder, "--model", model)
    assert code == 4
    assert "Bad: require amplification <= 2: lacks a certificate" in said
    for code, said in (check(capsys, folder), alone(folder)):
        assert code == 0  # which cannot be known here, and is said
        assert "Without a model it cannot be seen whether claims were taken out" in said


def test_calling_a_claim_undecided_does_not_pass(two, capsys):
    model, folder = two
    (folder / "Bad-2.json").unlink()
    manifest = json.loads((folder / "MANIFEST").read_bytes())
    row = next(row for row in manifest["claims"] if row["file"] == "Bad-2.json")
    row.update(verdict="unknown", file=None, sha256=None)
    (folder / "MANIFEST").write_bytes(sealed(manifest))
    for code, said in (check(capsys, folder), check(capsys, folder, "--model", model)):
        assert code == 3
        assert "Bad: require amplification <= 2: not decided, so that it has no certificate" in said


def other_verdict(rows: Any) -> None:
    rows[1]["verdict"] = "certified"


def other_digest(rows: Any) -> None:
    rows[0]["sha256"] = "0" * 64


def swapped(rows: Any) -> None:
    rows[1]["file"], rows[2]["file"] = rows[2]["file"], rows[1]["file"]


def silent(rows: Any) -> None:
    rows[0]["vacuous"] = True


def other_claim(rows: Any) -> None:
    rows[0]["claim"] = "require amplification <= 1"


@pytest.mark.parametrize("change", [other_verdict, other_digest, swapped, silent, other_claim])
def test_a_manifest_of_other_certificates_is_noticed(two, capsys, change):
    model, folder = two
    manifest = json.loads((folder / "MANIFEST").read_bytes())
    change(manifest["claims"])
    (folder / "MANIFEST").write_bytes(sealed(manifest))
    for code, said in (
        check(capsys, folder),
        check(capsys, folder, "--model", model),
        alone(folder),
    ):
        assert code == 4
        assert "altered: MANIFEST lists another certificate" in said


def test_another_true_certificate_in_its_place_is_noticed(two, capsys):
    """Right in itself, about a laxer claim."""
    model, folder = two
    text = TWO.replace(
        "audit Bad { require amplification <= 2;", "audit Bad { require epsilon < 5;"
    )
    (folder.parent / "lax").mkdir()
    _, lax = audited(folder.parent / "lax", text)
    shutil.copy(lax / "Bad-2.json", folder / "Bad-2.json")
    assert check(capsys, folder / "Bad-2.json")[0] == 0
    assert check(capsys, folder)[0] == 4
    assert check(capsys, folder, "--model", model)[0] == 4
    assert alone(folder)[0] == 4


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"\xff", b"[]\n", b'{"format":"ppdm-manifest/1"}\n']
)
def test_a_manifest_that_is_none(two, capsys, content):
    _, folder = two
    (folder / "MANIFEST").write_bytes(content)
    assert check(capsys, folder)[0] == 4
    assert alone(folder)[0] == 4


def test_a_manifest_cannot_lead_elsewhere(two, capsys):
    _, folder = two
    outside = folder.parent / "outside.json"
    shutil.move(folder / "Good-1.json", outside)
    manifest = json.loads((folder / "MANIFEST").read_bytes())
    manifest["claims"][0]["file"] = "../outside.json"
    (folder / "MANIFEST").write_bytes(sealed(manifest))
    assert check(capsys, folder)[0] == 4
    manifest["claims"][0]["file"] = "Good-1.json"
    manifest["model"]["files"] = [{"file": "../m.ppdm", "sha256": manifest["model"]["sha256"]}]
    (folder / "MANIFEST").write_bytes(sealed(manifest))
    assert "not the name of a file" in check(capsys, folder)[1]


def test_without_a_manifest_only_a_model_tells_what_is_missing(two, capsys):
    model, folder = two
    (folder / "MANIFEST").unlink()
    code, said = check(capsys, folder)
    assert code == 4
    assert "MANIFEST is missing" in said
    assert alone(folder)[0] == 4
    assert check(capsys, folder, "--model", model)[0] == 1
    (folder / "Bad-2.json").unlink()
    assert check(capsys, folder, "--model", model)[0] == 4


def test_values_of_the_manifest_are_those_of_its_certificates(tmp_path, capsys):
    _, folder = audited(tmp_path, N, "--set", "n=1")
    manifest = json.loads((folder / "MANIFEST").read_bytes())
    manifest["model"]["set"]["n"] = "10"
    (folder / "MANIFEST").write_bytes(sealed(manifest))
    for code, said in (check(capsys, folder), alone(folder)):
        assert code == 4
        assert "made with n = 1; in MANIFEST: n = 10" in said


def test_more_certificates_than_claims(two, capsys):
    """They are checked, but do not count."""
    model, folder = two
    shutil.copy(folder / "Good-1.json", folder / "More-9.json")
    code, said = check(capsys, folder)
    assert code == 1
    assert "More-9.json is not listed in MANIFEST" in said
    assert "3 claims: 2 hold" in said
    assert "3 claims: 2 hold" in check(capsys, folder, "--model", model)[1]
    (folder / "More-9.json").write_bytes(b"{}\n")
    assert check(capsys, folder)[0] == 4


def test_a_rejected_certificate_is_no_claim_that_holds_and_none_that_lacks(two, capsys):
    model, folder = two
    document = json.loads((folder / "Good-1.json").read_bytes())
    document["verdict"] = "breached"
    (folder / "Good-1.json").write_bytes(sealed(document))
    for options in ((), ("--model", model)):
        code, said = check(capsys, folder, *options)
        assert code == 4
        assert "1 holds, 1 fails, 0 say nothing, 1 is not verified, 0 lack" in said


# -- what else lies there --------------------------------------------------------------------------


def test_the_readme_has_the_checkers_digest_and_a_command_that_works(tmp_path, capsys):
    _, folder = audited(tmp_path, N, "--set", "n=1")
    text = (folder / "README.txt").read_text()
    assert hashlib.sha256((folder / "check.py").read_bytes()).hexdigest() in text
    assert "ppdm check . --model model/m.ppdm --set n=1\n" in text
    inside = folder / "model" / "m.ppdm"
    code, said = check(capsys, folder, "--model", inside, "--set", "n=1")
    assert code == 0
    assert "Compared with the model in the folder" in said


def test_the_model_in_the_folder_has_its_files_and_digests(tmp_path, capsys):
    (tmp_path / "laws").mkdir()
    (tmp_path / "laws" / "r.csv").write_text("3/4,1/4\n1/4,3/4\n")
    text = (
        "domain V = 0..1\n"
        'operator R(x: V) -> V = csv("laws/r.csv")\n'
        "audit R { require amplification <= 3 }\n"
    )
    _, folder = audited(tmp_path, text)
    assert check(capsys, folder, "--model", folder / "model" / "m.ppdm")[0] == 0
    for name in ("laws/r.csv", "m.ppdm"):
        kept = folder / "model" / name
        content = kept.read_bytes()
        kept.write_bytes(content + b"\n")
        for code, said in (check(capsys, folder), alone(folder)):
            assert code == 4
            assert f"model/{name} is altered" in said
        kept.unlink()
        assert f"model/{name} is missing" in check(capsys, folder)[1]
        kept.write_bytes(content)
    assert check(capsys, folder)[0] == 0


def test_a_model_that_begins_with_a_mark_keeps_its_digest(tmp_path, capsys):
    model, folder = tmp_path / "m.ppdm", tmp_path / "c"
    model.write_bytes(b"\xef\xbb\xbf" + TWO.replace("\n", "\r\n").encode())
    assert run(["audit", str(model), "--certificates", str(folder), "--no-solver"]) == 1
    assert check(capsys, folder, "--model", model)[0] == 1
    assert check(capsys, folder, "--model", folder / "model" / "m.ppdm")[0] == 1


def test_claims_of_the_command_line_are_stated_there_again(two, capsys):
    model, folder = two
    run(["audit", str(model), "--certificates", str(folder), "--no-solver", "--forbid", "1/5:4/5"])
    code, said = check(capsys, folder, "--model", model)
    assert code == 1
    assert "2 certificates are of claims that the model's audit does not state" in said
    code, said = check(capsys, folder, "--model", model, "--forbid", "1/5:4/5")
    assert "does not state" not in said
    assert "5 claims: " in said
    trimmed(folder, "Good-2.json")
    assert check(capsys, folder, "--model", model, "--forbid", "1/5:4/5")[0] == 4


UNDECIDED = """
param p in (0, 1)
operator R(x: {a, b, c}) -> {a, b, c} { [x -> y] = p if y == x | (1 - p)/2 otherwise }
prior X on {a, b, c} { a : 1/2; b : 1/3; c : 1/6 }
audit R { require worst_case_information(X) <= 1/2 bit }
"""


def test_an_undecided_claim_is_listed(tmp_path, capsys):
    model, folder = audited(tmp_path, UNDECIDED)
    assert not list(folder.glob("*.json"))
    for code, said in (
        check(capsys, folder),
        check(capsys, folder, "--model", model),
        alone(folder),
    ):
        assert code == 3
        assert "not decided" in said
        assert "1 lacks a certificate" in said


MIXED = """
domain D = reals 0..10
operator Noisy(x: D) -> reals { return x + laplace(10) }
domain V = 0..1
operator R(x: V) -> V { [x -> y] = 3/4 if y == x | 1/4 otherwise }
operator S(x: V) -> V { [x -> y] = 2/3 if y == x | 1/3 otherwise }
parts Record { a: R; b: S; require record <= 2; require dependence(a) <= 1 }
audit Noisy { require epsilon <= 1; require epsilon <= 1/2 }
audit R { require amplification <= 3; require epsilon <= 1 }
audit S { require amplification <= 2 }
"""


def test_continuous_operators_and_records_in_parts(tmp_path, capsys):
    model, folder = audited(tmp_path, MIXED)
    stems = ("R-1", "R-2", "S-3", "Noisy-4", "Noisy-5", "Record-6", "Record-7")
    names = {f"{stem}.json" for stem in stems}
    assert {path.name for path in folder.glob("*.json")} == names
    summary = "7 claims: 4 hold, 3 fail, 0 say nothing, 0 lack a certificate"
    for options in ((), ("--model", model)):
        code, said = check(capsys, folder, *options)
        assert code == 1
        assert summary in said
        taken = said.count("; the numbers of this operator are taken from the file")
        assert taken == (0 if options else 7)
    for name in sorted(names):
        content = (folder / name).read_bytes()
        manifest = (folder / "MANIFEST").read_bytes()
        trimmed(folder, name)
        code, said = check(capsys, folder, "--model", model)
        assert code == 4
        assert "1 lacks a certificate" in said
        (folder / name).write_bytes(content)
        (folder / "MANIFEST").write_bytes(manifest)


def test_randomize_writes_the_folder_of_the_audit(tmp_path, capsys):
    model, folder = audited(tmp_path, MIXED)
    (tmp_path / "in.csv").write_text("v,w\n0,1\n1,1\n")
    other, told = tmp_path / "other", ["randomize", tmp_path / "in.csv", "--model", model]
    told += ["-o", tmp_path / "out.csv", "--certificates", other, "--although-breached"]
    assert run([*map(str, told), "--operator", "R=v", "--operator", "R=w"]) == 0
    assert {path.name for path in other.iterdir()} == {
        *("R-1.json", "R-2.json", "MANIFEST", "README.txt", "check.py", "model")
    }
    for name in ("R-1.json", "R-2.json"):
        assert (other / name).read_bytes() == (folder / name).read_bytes()
    released = json.loads((tmp_path / "out.csv.release.json").read_text())
    digests = {json.loads((other / f"R-{i}.json").read_bytes())["sha256"] for i in (1, 2)}
    assert all(digest in json.dumps(released) for digest in digests)
    code, said = check(capsys, other)
    assert code == 1
    assert "MANIFEST speaks of some operators of the model only: R." in said
    assert "2 claims: 1 holds, 1 fails" in said
    code, said = check(capsys, other, "--model", model)
    assert code == 4  # what the audit states of others is not there
    assert "5 lack a certificate" in said
    assert check(capsys, other, "--model", model, "--operator", "R")[0] == 1
    assert "--operator R\n" in (other / "README.txt").read_text()
    assert check(capsys, other, "--model", model, "--operator", "T")[0] == 2
    (other / "R-2.json").unlink()
    assert check(capsys, other, "--model", model, "--operator", "R")[0] == 4


def test_claims_about_an_operator_that_the_model_does_not_audit(tmp_path, capsys):
    model = tmp_path / "m.ppdm"
    model.write_text(MIXED.replace("audit S { require amplification <= 2 }\n", ""))
    (tmp_path / "in.csv").write_text("v\n0\n1\n")
    folder, told = tmp_path / "c", ["randomize", tmp_path / "in.csv", "--model", model]
    told += ["-o", tmp_path / "out.csv", "--certificates", folder, "--operator", "S=v"]
    assert run([*map(str, told), "--forbid", "1/10:1/2"]) == 0
    (path,) = folder.glob("*.json")
    expected = ("--operator", "S", "--forbid", "1/10:1/2")
    assert check(capsys, folder, "--model", model, *expected)[0] == 0
    path.unlink()
    assert check(capsys, folder, "--model", model, *expected)[0] == 4


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    """A plan, whose certificates ppdm design wrote."""
    shop = tmp_path_factory.mktemp("shop")
    told = ["design", "--sizes", "3,4", "--transactions", "100000", "--items", "50"]
    told += ["--rho1", "5%", "--rho2", "50%", "-o", str(shop / "plan.json")]
    assert run([*told, "--certificates", str(shop / "designed")]) == 0
    return shop


def test_plans(plan, tmp_path, capsys):
    path, folder, other = plan / "plan.json", tmp_path / "c", tmp_path / "other"
    assert run(["audit", str(path), "--certificates", str(folder), "--no-solver"]) == 0
    baskets = tmp_path / "in.dat"
    baskets.write_text("1 2 3\n4 5 6 7\n")
    told = ["randomize", baskets, "--plan", path, "-o", tmp_path / "out.dat"]
    assert run([*map(str, told), "--certificates", str(other)]) == 0
    names = {file.name for file in folder.glob("*.json")}
    assert len(names) == 2
    for one in (folder, other, plan / "designed"):
        assert {file.name for file in one.glob("*.json")} == names
        assert check(capsys, one)[0] == 0
        assert check(capsys, one, "--model", path)[0] == 0
        assert check(capsys, one, "--model", one / "model" / "plan.json")[0] == 0
        for name in names:
            assert (one / name).read_bytes() == (folder / name).read_bytes()
    trimmed(other, sorted(names)[0])
    assert check(capsys, other, "--model", path)[0] == 4


def test_json_of_a_check(two, capsys, tmp_path):
    model, folder = two
    (folder / "Good-1.json").unlink()
    target = tmp_path / "check.json"
    assert check(capsys, folder, "--json", target)[0] == 4
    found = json.loads(target.read_text())
    assert (found["format"], found["model"], found["exit_code"]) == ("ppdm-check/1", None, 4)
    assert found["claims"] == {
        "hold": 1, "hold_in_part": 0, "fail": 1,
        "say_nothing": 0, "not_verified": 0, "lack_certificate": 1,
    }  # fmt: skip
    assert found["lacking"] == [
        {"operator": "Good", "claim": "require amplification <= 2", "undecided": False}
    ]
    for row in found["certificates"]:
        assert row["taken_from_file"] == "the numbers of this operator are taken from the file"
        assert row["stated"] is None
    capsys.readouterr()
    assert run(["check", str(folder), "--model", str(model), "--json", "-"]) == 4
    found = json.loads(capsys.readouterr().out)
    assert found["model"]["file"] == "m.ppdm"
    for row in found["certificates"]:
        assert (row["taken_from_file"], row["stated"]) == (None, True)
        assert row["status"] == "accepted"
