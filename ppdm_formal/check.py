"""Runs the checker (checker/) alone, with nothing of this package or of others.

    python -I ppdm_formal/check.py [OPTIONS] CERTIFICATE|FOLDER...

Exit codes are those of every command (README.md). Certificates are accompanied by the same checker
as one file.
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
