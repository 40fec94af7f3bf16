"""Collecting: batches from many clients at once, written together and answered once they are safe.

One thread writes, in groups: what has come while a group was being synced is the next group.
Another one turns closed windows into their files, so that neither waits for the other.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppdm_formal.run.collect.batch import read_batch
from ppdm_formal.run.collect.journal import Kept, NotKept, grouped
from ppdm_formal.run.collect.windows import Windows
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.web.refused import Refused, busy

MAX_WAITING = 1 << 26
"""Bytes of batches that wait to be written; more are asked to come again."""


@dataclass
class _Waiting:
    batch: Kept
    answer: asyncio.Future[int]


class Collecting:
    """What takes batches, for as long as the server runs."""

    def __init__(
        self,
        windows: Windows,
        operator: str,
        packed: Callable[[Any], bytes],
        count: Callable[[Kept], None],
        seconds: float | None,
    ) -> None:
        self._windows, self._operator, self._packed = windows, operator, packed
        self._count, self._seconds = count, seconds
        self._waiting: dict[bytes, _Waiting] = {}
        self._bytes = 0
        self._wake = asyncio.Event()
        self._closing = False
        self._writer = ThreadPoolExecutor(1, "writer")
        self._finisher = ThreadPoolExecutor(1, "finisher")
        self.closed: list[Path] = []
        """The files of windows that were closed."""
        self.taken = 0
        """How many reports came."""

    async def take(self, body: bytes) -> dict[str, Any]:
        """Keep the batch that a body holds; what is answered. Refused where it is none."""
        batch = read_batch(body, self._operator)
        before = self._waiting.get(batch.identifier)
        if before is not None:
            return _answer(0, await asyncio.shield(before.answer), already=True)
        if self._windows.taken(batch.window, batch.identifier):
            return _answer(0, batch.window, already=True)
        kept = Kept(batch.identifier, len(batch.reports), self._packed(batch.reports))
        if self._bytes + kept.size > MAX_WAITING:
            raise busy("more reports come than can be written")
        one = _Waiting(kept, asyncio.get_running_loop().create_future())
        self._waiting[batch.identifier] = one
        self._bytes += kept.size
        self._wake.set()
        return _answer(kept.rows, await asyncio.shield(one.answer), already=False)

    def state(self) -> dict[str, Any]:
        """The window that is open, and how many reports it has."""
        return {"window": self._windows.number, "in_window": self._windows.rows}

    def close_window(self) -> None:
        """Close the window after what waits has been written."""
        self._closing = True
        self._wake.set()

    async def run(self) -> None:
        """Write what comes, until this is cancelled; what waits then is still written."""
        timer = asyncio.create_task(self._timed()) if self._seconds else None
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                await self._write()
                if self._closing or self._windows.full:
                    self._closing = False
                    await self._rotate()
        except asyncio.CancelledError:
            await self._write()
            raise
        finally:
            if timer is not None:
                timer.cancel()

    async def _timed(self) -> None:
        while True:
            await asyncio.sleep(self._seconds or 0)
            self.close_window()

    async def _write(self) -> None:
        """All that waits, group by group; each is answered when it is on disk."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            group = next(grouped([one.batch for one in self._waiting.values()]))
            try:
                window = await loop.run_in_executor(self._writer, self._kept, group)
            except NotKept as problem:
                self._refuse(group, problem)
            else:
                for batch in group:
                    self._answered(batch).set_result(window)

    def _kept(self, group: list[Kept]) -> int:
        window = self._windows.append(group)
        for batch in group:
            self._count(batch)
            self.taken += batch.rows
        return window

    def _answered(self, batch: Kept) -> asyncio.Future[int]:
        self._bytes -= batch.size
        return self._waiting.pop(batch.identifier).answer

    def _refuse(self, group: list[Kept], problem: NotKept) -> None:
        remedy = "make room on its disk; then send the same again"
        if self._windows.broken:
            remedy = "start the collector again; then send the same again"
        _say(f"nothing could be written: {problem.strerror or problem}; {remedy}")
        for batch in group:
            answer = self._answered(batch)
            answer.set_exception(Refused(507, "the collector could not write", remedy))
            answer.exception()  # heard, also where its client has gone

    async def _rotate(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._writer, self._windows.rotate)
        except OSError as problem:
            _say(f"the window stays open: {problem.strerror or problem}")
        self._finisher.submit(self._finish)

    def _finish(self) -> None:
        """Of all windows that are closed and not yet finished, in order."""
        for number in self._windows.unfinished():
            try:
                path = self._windows.finish(number)
            except Exception as problem:
                told = isinstance(problem, OSError | DataError | MemoryError)
                why = problem if told else type(problem).__name__
                _say(
                    f"window {number} is closed, its file is not written: {why}; to be tried again"
                )
                return
            if path is not None:
                self.closed.append(path)
                _say(f"Wrote {path}")

    def end(self) -> None:
        """Close the window for good: all files are there when this returns."""
        self._writer.shutdown()
        try:
            if not self._windows.broken:
                self._windows.rotate()
        except OSError as problem:
            _say(f"the window stays open: {problem.strerror or problem}; the next start goes on")
        self._finisher.submit(self._finish)
        self._finisher.shutdown()
        self._windows.end()


def _answer(taken: int, window: int, *, already: bool) -> dict[str, Any]:
    return {"taken": taken, "already": already, "window": window}


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
