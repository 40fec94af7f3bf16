"""Runs the checker (checker/) alone, with nothing of this package or of others.

    python -I ppdm_formal/check.py [--allow-solver-trusted] [--timeout SECONDS] CERTIFICATE...

Exit codes: 0 all accepted, 2 unreadable, 4 rejected, 3 solver-trusted without permission, saying
nothing, or out of time. Certificates are accompanied by the same checker as one file.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "checker"

if __package__:  # imported, or run by -m
    from ppdm_formal import checker
else:  # found by its place: no search path leads to this package, which has a folder "numbers"
    _spec = importlib.util.spec_from_file_location("checker", FOLDER / "__init__.py")
    assert _spec is not None
    assert _spec.loader is not None
    checker = importlib.util.module_from_spec(_spec)
    sys.modules["checker"] = checker
    _spec.loader.exec_module(checker)

if __name__ == "__main__":
    sys.exit(checker.main())
