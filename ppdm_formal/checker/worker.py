"""Worker: a process of its own for each check, ended where it overruns time or memory."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any

from .limits import MAX_MEMORY
from .result import CheckResult


class Worker:
    """A process of its own that answers calls; one that overruns is ended and begun anew."""

    def __init__(self, function: Callable[..., CheckResult], memory: int = MAX_MEMORY) -> None:
        self.function, self.memory = function, memory
        self.process: Any = None
        self.pipe: Any = None

    def ask(self, seconds: float, *arguments: Any) -> CheckResult:
        """What the function answers, or that it took too long."""
        fresh = self.process is None
        if fresh:
            context = multiprocessing.get_context("spawn")
            self.pipe, theirs = context.Pipe()
            work = (theirs, self.function, self.memory)
            self.process = context.Process(target=serve, args=work, daemon=True)
            self.process.start()
            theirs.close()
        try:
            if fresh:
                self.pipe.recv()  # it has started: only now does the time count
            self.pipe.send(arguments)
            if self.pipe.poll(seconds):
                answer: CheckResult = self.pipe.recv()
                return answer
            why = f"not verified within {seconds:g} seconds"
        except (EOFError, OSError):
            why = "not verified: the process that checks it came to an end"
        self.close()
        return CheckResult("unknown", why)

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


def serve(pipe: Any, function: Callable[..., CheckResult], memory: int) -> None:
    """The worker's side: answer until the other side is gone."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    except (ImportError, ValueError, OSError):
        pass  # no such limit on this system: time still ends it
    pipe.send("ready")
    while True:
        try:
            arguments = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(function(*arguments))
