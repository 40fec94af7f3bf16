"""The library of proofs/coq/ and the checker extracted from it, built once for all workers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "check")]


def needed(present, what):
    """Skip the test unless a tool is there; fail where it is asked for."""
    if not present:
        reason = f"no {what} on PATH"
        if os.environ.get("PPDM_REQUIRE_COQ") == "1":
            pytest.fail(f"{reason}, and PPDM_REQUIRE_COQ=1 asks for it")
        pytest.skip(reason)


def in_shared(target, tmp_path_factory, worker_id):
    """The folder in which make has built a target, once for all workers."""
    needed(shutil.which("coqc"), "coqc")
    needed(shutil.which("make"), "make")
    from built import made  # found by the search path above

    own = tmp_path_factory.getbasetemp()
    return made(target, own if worker_id == "master" else own.parent)


@pytest.fixture(scope="session")
def library(tmp_path_factory, worker_id):
    """The folder of the compiled library."""
    return in_shared("all", tmp_path_factory, worker_id)


@pytest.fixture(scope="session")
def checker(tmp_path_factory, worker_id):
    """The program extracted from the library."""
    query = ["ocamlfind", "query", "zarith"]
    found = shutil.which("ocamlfind") and subprocess.run(query, capture_output=True)
    needed(found and found.returncode == 0 and shutil.which("ocamlopt"), "OCaml with Zarith")
    return in_shared("checker", tmp_path_factory, worker_id) / "checker"


@pytest.fixture
def coqc(library, tmp_path):
    """Compile a text that uses the library: the finished process, with what it printed."""

    def compiled(text):
        path = tmp_path / "Certificate.v"
        path.write_text(text, encoding="utf-8")
        command = ["coqc", "-q", "-Q", str(library), "PPDM", str(path)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    return compiled
