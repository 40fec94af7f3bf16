"""Bounds: every command has --timeout and --memory, and what passes them ends with a sentence.

A command that has a --timeout of its own (for each claim, each certificate) keeps it. Memory is
bounded by the system: what asks for more gets a MemoryError, before the machine begins to swap or
ends some process of its own choice.
"""

from __future__ import annotations

import functools
import math
import multiprocessing
import os
import re
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._param_type import ParamType

SHARE = 0.8
"""Of the machine's memory, what a command may have where nothing else is said."""

LEAST = 1 << 28
"""Bytes without which nothing here runs."""

FLOOR = 1 << 30
"""Bytes that are allowed in any case where nothing is said: much is asked for and never used."""

PIPE_SECONDS = 60.0
"""How long a command waits for a pipe where nothing else is said."""

HARD = 15.0
"""Seconds after which a command that does not end is ended from outside."""

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_TIMEOUT, _MEMORY = "ppdm.timeout", "ppdm.memory"


class SizeType(ParamType[int]):
    """Bytes, also as 500M or 4GB."""

    name = "SIZE"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read the number and its unit."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"([0-9]{1,18})(?:\.([0-9]{1,6}))? ?([kmgt]?)b?", str(value).lower())
        if found is None:
            self.fail(f"{value!r} is not a size such as 500M or 4GB", param, ctx)
        size = int(float(f"{found[1]}.{found[2] or 0}") * _UNITS[found[3]])
        if size < LEAST:
            self.fail(f"{value}: nothing runs in less than {LEAST >> 20} MB", param, ctx)
        return size


def bounded(command: click.Command) -> click.Command:
    """The command with the options that all have, which are kept while it runs."""
    from ppdm_formal.commands._options import SecondsType

    if any(param.name == "memory_bound" for param in command.params):
        return command  # it has been asked for before
    own = any("--timeout" in param.opts for param in command.params)
    if not own:
        command.params.append(
            click.Option(
                ["--timeout", "whole_timeout"],
                type=SecondsType(),
                expose_value=False,
                callback=_remembered(_TIMEOUT),
                help="Seconds for everything; without it, as long as it takes.",
            )
        )
    command.params.append(
        click.Option(
            ["--memory", "memory_bound"],
            type=SizeType(),
            expose_value=False,
            callback=_remembered(_MEMORY),
            help="Memory that may be used, such as 4GB; 80% of the machine's if not given.",
        )
    )
    work = command.callback
    assert work is not None

    @functools.wraps(work)
    def within(*arguments: Any, **given: Any) -> Any:
        context = click.get_current_context()
        seconds = context.meta.get(_TIMEOUT) or math.inf
        pipe = _pipe(context)
        if pipe is not None and seconds == math.inf:
            seconds = given.get("timeout") or PIPE_SECONDS
        with memory_bound(context.meta.get(_MEMORY)):
            return _ended(seconds, lambda: work(*arguments, **given), pipe)

    command.callback = within
    return command


def _remembered(key: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def remember(context: click.Context, _: click.Parameter, value: Any) -> Any:
        context.meta[key] = value
        return value

    return remember


def _pipe(context: click.Context) -> Path | None:
    """An input that is a pipe, which perhaps nobody writes to."""
    for value in context.params.values():
        for path in value if isinstance(value, tuple) else (value,):
            if isinstance(path, Path):
                try:
                    if stat.S_ISFIFO(os.stat(path).st_mode):
                        return path
                except OSError:
                    continue
    return None


def _ended(seconds: float, work: Callable[[], Any], pipe: Path | None) -> Any:
    from ppdm_formal.declare.machine.begin import begin
    from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed

    if seconds == math.inf:
        return work()
    waiting = f" ({pipe} is a pipe: does anything write to it?)" if pipe is not None else ""
    late = f"not finished within {seconds:g} s{waiting}"
    ended = threading.Event()
    longest = min(seconds + HARD, threading.TIMEOUT_MAX)
    begin(lambda: None if ended.wait(longest) else _give_up(late))
    try:
        return Deadline.after(seconds).enforce(work)
    except DeadlinePassed as problem:
        _end_children()
        said = str(problem)  # of a step, where that was ended
        raise DeadlinePassed(late if said.startswith("not finished") else said) from None
    finally:
        ended.set()


def _give_up(late: str) -> None:
    """Some call does not come back. Files appear whole, or not at all, also where this ends it."""
    _end_children()
    print(f"{late}: a longer --timeout may help", file=sys.stderr, flush=True)
    os._exit(3)


def _end_children() -> None:
    for process in multiprocessing.active_children():
        process.kill()


@contextmanager
def memory_bound(size: int | None) -> Iterator[None]:
    """While the block runs, this process and those that it starts get no more memory each."""
    try:
        import resource
    except ImportError:  # a system without such bounds
        yield
        return
    size = size or max(FLOOR, int(machine_memory() * SHARE))
    before, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = size if before == resource.RLIM_INFINITY else min(size, before)
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))
    except (ValueError, OSError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, most))


def machine_memory() -> int:
    """Bytes of memory that the machine has, or that its container may use."""
    found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for place in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            written = Path(place).read_text().strip()
        except OSError:
            continue
        if written.isdigit():
            found = min(found, int(written))
    return max(found, LEAST)
