"""Solvers in processes of their own: warm, with a hard time limit, ended when they overrun.

A question is SMT-LIB 2 text with generated symbols (s0, s1, ...). No answer in time, a crash
or exhausted memory is "unknown", never "unsat". Threads take turns; a forked process starts
solvers of its own.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

MEMORY = 8 << 30
"""Address space that a solver may use, in bytes."""


@dataclass(frozen=True)
class SolverAnswer:
    """sat with a model, unsat, or unknown and why; by which solver."""

    answer: str
    solver: str
    model: Mapping[str, Fraction] = field(default_factory=dict)
    why: str = ""


class SolverProcess:
    """One solver's process: started when first asked, reused, ended on overrun or at exit."""

    def __init__(self, name: str, command: Sequence[str] | None = None) -> None:
        self.name = name
        self.version = ""
        worker = Path(__file__).with_name("solver_worker.py")
        self._command = command or [sys.executable, "-P", str(worker), name, str(MEMORY)]
        self._process: subprocess.Popen[bytes] | None = None
        self._received = b""
        self._turn = threading.Lock()

    @property
    def label(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}".rstrip()

    @property
    def process_id(self) -> int | None:
        """The running process, if there is one."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Begin to load the solver, without waiting for it."""
        with self._turn:
            if self._process is None:
                try:
                    self._start()
                except OSError:  # whoever asks is told
                    self.close()

    def ready(self, timeout: float) -> bool:
        """Whether the solver is loaded within the time."""
        deadline = time.monotonic() + timeout
        if not self._turn.acquire(timeout=min(max(timeout, 0.0), threading.TIMEOUT_MAX)):
            return False
        try:
            if self._process is None:
                self._start()
            if not self.version:
                self._greet(deadline)
        except (TimeoutError, OSError, EOFError, ValueError):
            return False
        finally:
            self._turn.release()
        return True

    def ask(self, text: str, timeout: float) -> SolverAnswer:
        """Put a question; unknown, and the process ended, if no answer comes in time.

        The time includes that for loading the solver, and for waiting until it is free.
        """
        deadline = time.monotonic() + timeout
        if not self._turn.acquire(timeout=min(max(timeout, 0.0), threading.TIMEOUT_MAX)):
            return SolverAnswer("unknown", self.label, why=f"not free within {timeout:g} s")
        try:
            used = self._process is not None and bool(self.version)
            try:
                return self._asked(text, deadline)
            except (OSError, EOFError):
                # A process that was used before may have ended since, with the thread it was of.
                self.close()
                if not used:
                    raise
                return self._asked(text, deadline)
        except TimeoutError:
            if self.version:
                self.close()  # one that is still loading may be in time for the next question
            return SolverAnswer("unknown", self.label, why=f"no answer within {timeout:.2g} s")
        except (OSError, EOFError, ValueError) as failure:
            self.close()
            return SolverAnswer(
                "unknown", self.label, why=f"the solver's process failed: {failure}"
            )
        except BaseException:  # interrupted: its answer must not be taken for the next one's
            self.close()
            raise
        finally:
            self._turn.release()

    def _asked(self, text: str, deadline: float) -> SolverAnswer:
        if self._process is None:
            self._start()
        if not self.version:
            self._greet(deadline)
        self._write(json.dumps({"text": text}).encode() + b"\n", deadline)
        answer = self._read(deadline)
        if answer.get("answer") not in ("sat", "unsat", "unknown"):
            raise ValueError("not an answer")
        model = {name: Fraction(value) for name, value in answer.get("model", {}).items()}
        return SolverAnswer(answer["answer"], self.label, model, answer.get("why", ""))

    def _start(self) -> None:
        self._received = b""
        self.version = ""
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)

    def _greet(self, deadline: float) -> None:
        """Wait until the solver is loaded and says its version."""
        greeting = self._read(deadline)
        if "missing" in greeting:
            raise ValueError(f"{self.name} is not installed")
        self.version = greeting["version"]

    def _write(self, data: bytes, deadline: float) -> None:
        """Send a question; a process that does not take it in time is no better than silent."""
        assert self._process is not None
        assert self._process.stdin is not None
        pipe = self._process.stdin.fileno()
        unsent = memoryview(data)
        while unsent:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([], [pipe], [], left)[1]:
                raise TimeoutError
            unsent = unsent[os.write(pipe, unsent[: 1 << 16]) :]

    def _read(self, deadline: float) -> dict[str, Any]:
        """One line of the process's output, as JSON."""
        assert self._process is not None
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._received:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                raise TimeoutError
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                raise EOFError("it ended without an answer")
            self._received += chunk
        line, self._received = self._received.split(b"\n", 1)
        answer = json.loads(line)
        if not isinstance(answer, dict):
            raise ValueError("not an answer")
        return answer

    def forget(self) -> None:
        """In a forked process: the solver is the parent's, which goes on using it."""
        self._turn = threading.Lock()
        process, self._process = self._process, None
        if process is not None:
            process.returncode = 0  # not waited for: it is not a child of this process
            _close_pipes(process)

    def close(self) -> None:
        """End the process, if it runs."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        _close_pipes(process)


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # unsent text of a question to a process that is gone
                continue


_warm: dict[str, SolverProcess] = {}
_warming = threading.Lock()


def installed(name: str) -> bool:
    """Whether the solver's package is there."""
    return find_spec(name) is not None


def solver(name: str) -> SolverProcess:
    """The warm process of a solver, z3 or cvc5."""
    with _warming:
        if name not in _warm:
            _warm[name] = SolverProcess(name)
        return _warm[name]


def close_all() -> None:
    """End all warm processes."""
    for process in _warm.values():
        process.close()
    _warm.clear()


def _after_fork() -> None:
    global _warming
    _warming = threading.Lock()
    for process in _warm.values():
        process.forget()


atexit.register(close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
