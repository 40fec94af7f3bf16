"""The command line of the checker: certificates in, one line each out, and an exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .against_model import check_file, remarks
from .limits import MAX_SECONDS
from .result import CheckResult, Permits
from .survey import survey
from .worker import Worker


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the certificates, and the folders of them, that are named on the command line."""
    parser = argparse.ArgumentParser(description="Check certificates of ppdm_formal.")
    parser.add_argument("certificates", nargs="+", type=Path, metavar="CERTIFICATE|FOLDER")
    parser.add_argument("--allow-solver-trusted", action="store_true")
    parser.add_argument("--allow-vacuous", action="store_true")
    parser.add_argument("--allow-breached", action="store_true")
    parser.add_argument("--timeout", type=float, default=MAX_SECONDS, metavar="SECONDS")
    options = parser.parse_args(arguments)
    if not 0 < options.timeout <= 10**6:
        parser.error("--timeout is not a number of seconds")
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    worker, allowed = Worker(check_file), options.allow_solver_trusted

    def ask(path: Path) -> CheckResult:
        return worker.ask(options.timeout, path, allowed, None, options.timeout)

    found = survey(options.certificates, ask, say_result)
    worker.close()
    for line in (*found.faults, *(one.words for one in found.lacking)):
        print(line)
    if found.whole:
        for line in (found.words, *found.notes):
            print(line)
    return found.exit_code(Permits(options.allow_vacuous, options.allow_breached))


def say_result(path: Path, result: CheckResult) -> None:
    """One line."""
    said = f"{result.verdict}: {result.claim}; " if result.claim else ""
    print(f"{path}: {result.status}: {said}{result.reason}{remarks(result)}")
