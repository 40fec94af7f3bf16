"""The checker runs alone, as its folder and as one file: standard library only, exit codes."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from certificate_builder import as_file, digest, seal
from how_many import MANY
from test_handwritten import BUILDERS, all_priors, warner_region_by_solver

from ppdm_formal.check import FOLDER
from ppdm_formal.commands import _one_file
from ppdm_formal.commands._one_file import checker_in_one_file

FILES = sorted(FOLDER.glob("*.py"))


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Isolated and without site-packages: nothing but the standard library can be imported."""
    command = [sys.executable, "-I", "-S", "-W", "error", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.fixture(params=["one file", "folder"])
def alone(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder that holds a copy of the checker and nothing else of the package."""
    if request.param == "one file":
        (tmp_path / "check.py").write_text(checker_in_one_file())
    else:
        shutil.copy(FOLDER.parent / "check.py", tmp_path)
        shutil.copytree(FOLDER, tmp_path / "checker")
    return tmp_path


def test_it_imports_the_standard_library_only():
    imported = set()
    for node in ast.walk(ast.parse(checker_in_one_file())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add((node.module or "").split(".")[0])
    assert imported <= set(sys.stdlib_module_names)


def imports_of(source: str) -> set[tuple[str, str]]:
    """Modules with what is imported from them; "" is the module itself."""
    found: set[tuple[str, str]] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {(str(node.module), alias.name) for alias in node.names}
    return found


def test_the_one_file_imports_what_each_of_its_parts_does(tmp_path, monkeypatch):
    """A module as such and names of it, too: a file would do without what another one has."""
    parts = [path for path in FILES if path.stem != "__init__"]
    every = set().union(*(imports_of(path.read_text()) for path in parts))
    assert imports_of(checker_in_one_file()) == every | {("sys", "")}
    for path in FILES:
        shutil.copy(path, tmp_path)
    (tmp_path / "other.py").write_text('"""Other."""\n\nimport fractions\nimport decimal\n')
    monkeypatch.setattr(_one_file, "FOLDER", tmp_path)
    more = {("sys", ""), ("fractions", ""), ("decimal", "")}
    assert imports_of(checker_in_one_file()) == every | more


def test_no_text_is_evaluated_as_code():
    called = {
        node.func.id
        for path in [*FILES, FOLDER.parent / "check.py"]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"eval", "exec", "compile", "__import__"}


def defined_in(source: str) -> list[str]:
    """The names that a file defines, not those that it imports."""
    found: list[str] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
            found += [name.id for name in names if isinstance(name.ctx, ast.Store)]
    return found


def test_all_files_are_in_the_one_and_no_name_hides_another():
    """Joined, a name that two files define would be the later one's everywhere."""
    parts = [path.read_text() for path in FILES if path.stem != "__init__"]
    defined = [name for source in parts for name in defined_in(source)]
    assert len(defined) == len(set(defined)) > 200
    assert sorted(defined_in(checker_in_one_file())) == sorted(defined)


def test_true_certificates_are_accepted(alone):
    files = []
    for build in BUILDERS:
        files.append(alone / f"{build.__name__}.json")
        files[-1].write_bytes(as_file(build()))
    done = run("check.py", "--allow-vacuous", *files, cwd=alone)
    assert (done.returncode, done.stderr) == (1, "")  # some of them are breaches
    done = run("check.py", "--allow-vacuous", "--allow-breached", *files, cwd=alone)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == len(BUILDERS)
    taken = "; the numbers of this operator are taken from the file"
    assert all(": accepted: " in line and taken in line for line in lines)


def test_no_third_party_package_can_be_imported_there(alone):
    (alone / "probe.py").write_text("import numpy\n")
    assert run("probe.py", cwd=alone).returncode == 1


def test_exit_codes(alone):
    good, bad, trusted = alone / "good.json", alone / "bad.json", alone / "trusted.json"
    question = alone / "q.smt2"
    question.write_text("(check-sat)\n")
    good.write_bytes(as_file(all_priors()))
    bad.write_bytes(as_file({**all_priors(), "verdict": "breached"}))
    built = warner_region_by_solver()
    import hashlib

    built["smt"][0]["sha256"] = hashlib.sha256(question.read_bytes()).hexdigest()
    trusted.write_bytes(as_file(seal(built)))
    missing = alone / "missing.json"

    def code(*arguments: object) -> int:
        return run("check.py", *arguments, cwd=alone).returncode

    asked = [
        ((good,), 0),
        ((bad,), 4),
        ((trusted,), 3),
        ((trusted, "--allow-solver-trusted"), 1),  # it fails for some parameters
        ((trusted, "--allow-solver-trusted", "--allow-breached"), 0),
        ((good, trusted), 3),
        ((trusted, bad, good), 4),
        ((missing,), 2),
        ((missing, bad, trusted), 2),
        ((), 2),
        (("--nonsense", good), 2),
        ((alone / "nowhere",), 2),
        ((alone,), 4),  # a folder, with the bad one in it and without a manifest
    ]
    if not (MANY or (alone / "checker").exists()):
        asked = asked[1:4]  # both have one main(), and the one file is compiled at each start
    assert [code(*words) for words, _ in asked] == [wanted for _, wanted in asked]
    question.write_text("(exit)\n")  # the question that was asked is another one
    assert code(trusted, "--allow-solver-trusted") == 4
    question.unlink()
    assert code(trusted, "--allow-solver-trusted") == 4


def test_the_reason_is_printed(alone):
    changed = all_priors()
    changed["thresholds"]["rho2_above"] = "1/5"
    bad = alone / "bad.json"
    bad.write_bytes(as_file(seal(changed)))
    done = run("check.py", bad, cwd=alone)
    assert done.returncode == 4
    assert "rejected: the thresholds are" in done.stdout
    assert len(digest(changed)) == 64


def test_names_above_ascii_are_printed_anywhere(alone):
    built = all_priors()
    path = alone / "ä.json"
    path.write_bytes(as_file(built))
    command = [sys.executable, "-I", "-S", "check.py", str(path)]
    environment = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = subprocess.run(command, capture_output=True, cwd=alone, env=environment, check=False)
    assert done.returncode == 0
