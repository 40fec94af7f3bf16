"""Work divided among threads: all parts once, and the first error ends it."""

from __future__ import annotations

from threading import Event

import pytest

from ppdm_formal.declare.machine import threads
from ppdm_formal.declare.machine.threads import in_threads, processors


@pytest.mark.parametrize("workers", [1, 3])
def test_every_part_is_done_once(monkeypatch, workers):
    monkeypatch.setattr(threads, "processors", lambda: workers)
    done = []
    in_threads(done.append, range(50))
    assert sorted(done) == list(range(50))
    in_threads(done.append, [])
    assert len(done) == 50


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_ends_the_work(monkeypatch, workers):
    monkeypatch.setattr(threads, "processors", lambda: workers)
    begun = []

    def work(part):
        begun.append(part)
        raise ZeroDivisionError(str(part))

    with pytest.raises(ZeroDivisionError):
        in_threads(work, range(100))
    assert workers > 1 or begun == [0]


def test_what_has_begun_is_told(monkeypatch):
    monkeypatch.setattr(threads, "processors", lambda: 2)
    told = Event()

    def work(part):
        if part == 0:
            raise ZeroDivisionError
        assert told.wait(60)

    with pytest.raises(ZeroDivisionError):
        in_threads(work, range(2), told.set)
    assert told.is_set()


def test_there_is_a_processor():
    assert processors() >= 1
