"""The library of proofs/coq/ and the checker extracted from it, built once for all processes."""

import fcntl
import os
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent.parent.parent / "proofs" / "coq"


def made(target, shared):
    """The folder in which make has built a target: below `shared`, where all processes meet."""
    folder = Path(os.environ.get("PPDM_THEOREMS", shared / "theorems"))  # may be built already
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-s", "-C", SOURCES, target, f"OUT={folder}"], check=True)
    return folder
