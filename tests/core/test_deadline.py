"""Deadlines: work that overruns is ended in its own thread, work that does not is untouched."""

from __future__ import annotations

import _thread
import gc
import subprocess
import sys
import threading
import time

import pytest

from ppdm_formal.declare.machine.deadline import NEVER, Deadline, DeadlinePassed
from ppdm_formal.declare.machine.overrun import ended_after

LATE = TimeoutError("late")


def endless() -> None:
    while True:
        sum(range(100))


def stubborn() -> None:
    """Swallows the first exceptions, whatever they are."""
    for _ in range(3):
        try:
            endless()
        except BaseException:
            continue
    endless()


@pytest.mark.parametrize("work", [endless, stubborn])
def test_endless_work_is_ended(work):
    with pytest.raises(DeadlinePassed, match=r"within 0\.01 s"):
        Deadline.after(0.01).enforce(work)


def test_an_exception_in_the_collector_is_not_reported_and_comes_again(monkeypatch):
    """Much of the time is spent where Python can only report an exception, not raise it."""
    reported: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", reported.append)

    def busy(*_: object) -> None:
        sum(range(20_000))

    def collect() -> None:
        while True:
            gc.collect(0)
            busy()

    gc.callbacks.append(busy)
    try:
        for _ in range(5):
            with pytest.raises(DeadlinePassed):
                Deadline.after(0.01).enforce(collect)
    finally:
        gc.callbacks.remove(busy)
    assert reported == []


def test_work_in_time_gives_its_result_and_leaves_no_thread_behind():
    before = _thread._count()
    assert Deadline.after(60).enforce(lambda: 7) == 7
    assert NEVER.enforce(lambda: 7) == 7
    with pytest.raises(KeyError):
        Deadline.after(60).enforce(lambda: {}["missing"])
    until = time.monotonic() + 10
    while _thread._count() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert _thread._count() <= before  # threads of other tests may end meanwhile


def test_no_exception_comes_after_the_work():
    """Limits at about the time that the work takes: ended or not, nothing is raised later."""
    ended = 0
    for _ in range(500):
        try:
            ended_after(0.0005, lambda: sum(range(8000)), LATE)
        except TimeoutError:
            ended += 1
        sum(range(2000))
    assert ended < 500


def test_limits_within_limits():
    def inner() -> str:
        with pytest.raises(TimeoutError):
            ended_after(0.05, endless, LATE)
        return "inner ended, outer went on"

    assert ended_after(60, inner, LATE) == "inner ended, outer went on"
    outer = TimeoutError("outer")
    with pytest.raises(TimeoutError, match="outer"):
        ended_after(0.05, lambda: ended_after(60, endless, LATE), outer)


PROFILED = """
import cProfile
from ppdm_formal.declare.machine.overrun import ended_after

def step():
    return 1

def endless():
    while True:
        step()

def work():
    for seconds in (60, 0.01):
        try:
            ended_after(seconds, step if seconds == 60 else endless, TimeoutError())
        except TimeoutError:
            print("ended")
    print(sum(step() for _ in range(1000)))

cProfile.runctx("work()", globals(), {}, filename="/dev/null")
"""


def test_calls_after_the_work_are_made_under_a_profiler_too():
    """An interpreter that keeps looking for an exception never gets past a profiled call."""
    done = subprocess.run(
        [sys.executable, "-c", PROFILED], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["ended", "1000"]


FULL = """
import resource, threading, time
from pathlib import Path
from ppdm_formal.declare.machine import begin
from ppdm_formal.declare.machine.overrun import ended_after

begin.LONGEST = 0.5
earlier = threading.Thread(target=int)
earlier.start()  # its stack is kept for the next one, which lacks memory for its first step alone
earlier.join()
time.sleep(0.1)
status = Path("/proc/self/status").read_text().split("VmData:")[1]
resource.setrlimit(resource.RLIMIT_DATA, (int(status.split()[0]) * 1024, -1))
try:
    ended_after(60, int, TimeoutError())
except MemoryError as problem:
    print(problem)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="bounds memory by RLIMIT_DATA")
def test_a_thread_that_dies_before_it_begins_is_told_as_too_little_memory():
    """threading.Thread.start would wait for ever."""
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, timeout=60)
    assert done.stdout == "no memory for another thread\n", done.stderr


def test_threads_that_the_system_refuses_are_told_as_too_little_memory(monkeypatch):
    def refused(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", refused)
    with pytest.raises(MemoryError, match="another thread"):
        ended_after(60, lambda: 7, LATE)


def test_threads_have_limits_of_their_own():
    found: dict[int, str] = {}

    def limited(number: int) -> None:
        try:
            Deadline.after(0.01 if number % 2 else 60).enforce(
                endless if number % 2 else (lambda: sum(range(10**5)))
            )
            found[number] = "done"
        except DeadlinePassed:
            found[number] = "ended"

    threads = [threading.Thread(target=limited, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: "ended" if number % 2 else "done" for number in range(6)}


def test_a_deadline_is_shared_and_never_renewed():
    whole = Deadline.after(60)
    assert 0 < whole.part(0.5).left <= 30
    assert whole.part(0.5).left < whole.left
    assert NEVER.part(0.5) is NEVER
    assert not NEVER.passed
    with pytest.raises(DeadlinePassed):
        Deadline.after(0).check()
