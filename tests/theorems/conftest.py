"""The library of proofs/coq/, compiled once for all workers."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent.parent / "proofs" / "coq"


@pytest.fixture(scope="session")
def library(tmp_path_factory, worker_id):
    """The folder of the compiled library; without coqc and make the test is skipped."""
    missing = [tool for tool in ("coqc", "make") if shutil.which(tool) is None]
    if missing:
        reason = f"no {' and no '.join(missing)} on PATH"
        if os.environ.get("PPDM_REQUIRE_COQ") == "1":
            pytest.fail(f"{reason}, and PPDM_REQUIRE_COQ=1 asks for it")
        pytest.skip(reason)
    shared = tmp_path_factory.getbasetemp()
    folder = (shared if worker_id == "master" else shared.parent) / "theorems"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-s", "-C", SOURCES, f"OUT={folder}"], check=True)
    return folder


@pytest.fixture
def coqc(library, tmp_path):
    """Compile a text that uses the library: the finished process, with what it printed."""

    def compiled(text):
        path = tmp_path / "Certificate.v"
        path.write_text(text, encoding="utf-8")
        command = ["coqc", "-q", "-Q", str(library), "PPDM", str(path)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    return compiled
