"""The command line of the checker: certificates in, one line each out, and an exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .against_model import check_file, remarks
from .limits import MAX_SECONDS
from .worker import Worker


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the certificates that are named on the command line."""
    parser = argparse.ArgumentParser(description="Check certificates of ppdm_formal.")
    parser.add_argument("certificates", nargs="+", type=Path, metavar="CERTIFICATE")
    parser.add_argument("--allow-solver-trusted", action="store_true")
    parser.add_argument("--allow-vacuous", action="store_true")
    parser.add_argument("--timeout", type=float, default=MAX_SECONDS, metavar="SECONDS")
    options = parser.parse_args(arguments)
    if not 0 < options.timeout <= 10**6:
        parser.error("--timeout is not a number of seconds")
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    codes, worker = {0}, Worker(check_file)
    exits = {"accepted": 0, "unreadable": 2, "rejected": 4, "solver-trusted": 3, "unknown": 3}
    for path in options.certificates:
        allowed = options.allow_solver_trusted
        result = worker.ask(options.timeout, path, allowed, None, options.timeout)
        codes.add(exits[result.status])
        if result.vacuous is not False and not options.allow_vacuous:
            codes.add(3)
        said = f"{result.verdict}: {result.claim}; " if result.claim else ""
        print(f"{path}: {result.status}: {said}{result.reason}{remarks(result)}")
    worker.close()
    return next(code for code in (2, 4, 3, 0) if code in codes)
