"""A pytest plugin: which functions of the package each test reaches, and how long it takes.

With PPDM_REACHED=FILE every test that passes is a line there: its name, its seconds, and the
functions that ran, as "file:line" of where they begin. What a fixture of a whole file runs counts
for every test that asks for it. With PPDM_TESTS=FILE only the tests named there are run, in that
order; with PPDM_FAILED=FILE those that failed are named there.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

PACKAGE = str(Path.cwd() / "ppdm_formal") + os.sep
LONGEST = 2.0
"""Seconds after which a test is ended: what it reached is known by then, its time is not."""


class TooLong(BaseException):
    """Ends a test that takes longer."""


class Reached:
    """What ran since the last look, by the identity of its code."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ran: dict[int, CodeType] = {}
        self.kept: dict[int, CodeType] = {}  # codes live on, so that identities stay theirs
        self.fixtures: dict[Any, dict[int, CodeType]] = {}

    def trace(self, frame: FrameType, event: str, arg: object) -> None:
        """Calls only: no line is followed."""
        code = frame.f_code
        if id(code) not in self.ran:
            self.ran[id(code)] = code

    def end(self, *_: object) -> None:
        """Its time is up."""
        self.ended = True
        raise TooLong

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        """What a fixture runs, remembered where others use its value."""
        before, self.ran = self.ran, {}
        try:
            return (yield)
        finally:
            self.fixtures[fixturedef] = self.ran
            self.ran = {**before, **self.ran}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """One test, with what is set up for it."""
        self.ran, self.passed, self.ended = {}, False, False
        starts = time.monotonic()
        signal.signal(signal.SIGALRM, self.end)
        signal.setitimer(signal.ITIMER_REAL, LONGEST, 5)
        threading.settrace(self.trace)  # type: ignore[arg-type]
        sys.settrace(self.trace)  # type: ignore[arg-type]
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.kept.update(self.ran)
            if self.passed or self.ended:
                self._write(item, None if self.ended else round(time.monotonic() - starts, 3))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Whether the test itself passed."""
        self.passed = self.passed or (report.when == "call" and report.passed)

    def _write(self, item: pytest.Item, seconds: float | None) -> None:
        ran = dict(self.ran)
        known = getattr(item, "_fixtureinfo", None)
        for definitions in known.name2fixturedefs.values() if known else ():
            for definition in definitions:
                ran |= self.fixtures.get(definition, {})
        places = sorted(
            f"{code.co_filename[len(PACKAGE) :]}:{code.co_firstlineno}"
            for code in ran.values()
            if code.co_filename.startswith(PACKAGE) and not code.co_name.startswith("<")
        )
        with self.path.open("a") as file:
            file.write(json.dumps([item.nodeid, seconds, places]) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    """Only where it is asked for."""
    if path := os.environ.get("PPDM_REACHED"):
        config.pluginmanager.register(Reached(Path(path)))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The tests that are asked for, nearest first."""
    if path := os.environ.get("PPDM_TESTS"):
        wanted = json.loads(Path(path).read_text())
        found = {item.nodeid: item for item in items}
        for name in [name for name in wanted if name not in found]:  # all cases of it
            cases = [item for item in items if item.nodeid.startswith((f"{name}[", f"{name}::"))]
            found |= {item.nodeid: item for item in cases}
            wanted += [item.nodeid for item in cases]
        items[:] = [found[name] for name in dict.fromkeys(wanted) if name in found]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Which test it was."""
    if report.failed and (path := os.environ.get("PPDM_FAILED")):
        with Path(path).open("a") as file:
            file.write(report.nodeid + "\n")
