"""No command ends in exit 5, a stack trace, a hang or a half-written file on damaged input."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the damaged files include Parquet")


def test_damaged_files_and_arguments():
    """The same cases on every run; python -m tests.cli.fuzz --seed N draws others."""
    done = subprocess.run(  # each case forks: in a process that has no threads
        [sys.executable, "-m", "tests.cli.fuzz", "--cases", "55", "--seed", "fixed"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "0 bad; commands without a line: none" in done.stdout
