"""What a benchmark found, and how commands and functions are timed."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

IMPORTS = (sys.executable, "-c", "import sympy, z3, numpy")
"""What a command of ours is compared with that has no other peer."""


@dataclass(frozen=True)
class Result:
    """A question, what was measured, the target, and whether it is met.

    ratio: how many times its peer it took, in the same run; kept under the name (history.py).
    """

    question: str
    measured: str
    target: str
    met: bool
    name: str = ""
    ratio: float | None = None


@dataclass(frozen=True)
class Run:
    """A finished command: how long it took, and its largest resident memory in bytes."""

    seconds: float
    memory: int
    processor: float
    """Seconds of processors, of those that it waited for as well."""


def run(command: Sequence[str], *expected: int, env: Mapping[str, str] | None = None) -> Run:
    """Run a command once; RuntimeError if its exit code is not an expected one (0 unless said)."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env
    ) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if process.returncode not in (expected or (0,)):
        tail = output.decode(errors="replace")[-2000:]
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{tail}")
    return Run(seconds, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)


def median_seconds(call: Callable[[], object], repetitions: int = 5) -> float:
    """The median time of a call."""
    taken = []
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)
