"""Windows: reports of a stretch of time, in a folder; the open one a journal, closed ones Parquet.

    window-000007.journal   open: batches in the order taken, with their identifiers
    window-000006.batches   the identifiers of the window closed last, in order of their bits
    window-000006.parquet   a closed window: a release, in random order

A window is closed in steps, each of which may be the last before the process is killed: the next
journal begins; the identifiers and the Parquet file take their places by rename; the journal goes.
Whoever opens the folder next does what is left. A batch belongs to the window that it names or to
the next one, whose identifiers are both known: an older one is refused, since nobody knows any
more whether it was taken. So no batch is ever stored twice, however late it is sent again.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

from ppdm_formal.declare.machine.files import write_bytes, written_together
from ppdm_formal.run.collect.journal import (
    Damaged,
    Journal,
    Kept,
    NotKept,
    Replay,
    sync_folder,
)
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.web.refused import Refused

FORMAT = "ppdm-collection/1"

SPARE = 1 << 26
"""Bytes of disk, beside as many as the journal has, that are left free to close a window."""

_IDENTIFIER = 16
_NAME = re.compile(r"window-([0-9]{6,12})\.(journal|batches|parquet)")

Release: TypeAlias = Callable[[str, Iterator[Kept], IO[bytes]], None]
"""Writes the release of a window: the name of its file, its batches, and where to."""


@dataclass(frozen=True)
class Full:
    """When a window is full: reports, and batches, whose identifiers are held in memory."""

    reports: int = 10_000_000
    batches: int = 500_000


class Windows:
    """The folder of one collection, which one process at a time has open."""

    def __init__(
        self,
        folder: Path,
        operator: str,
        release: Release,
        seen: Callable[[Kept], None] = lambda _: None,
        full: Full | None = None,
    ) -> None:
        self.folder, self._operator, self._release = folder, operator, release
        self._limit = full or Full()
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(folder)
        self.said: list[str] = []
        """What was found and mended when the folder was opened."""
        try:
            self._check_same()
            self._open(seen)
        except BaseException:
            self._lock.close()
            raise

    def _check_same(self) -> None:
        """Refuse the folder of another collection."""
        place = self.folder / "collection.json"
        about = {"format": FORMAT, "operator": self._operator}
        if place.is_file():
            if json.loads(place.read_bytes()[: 1 << 12]) != about:
                raise DataError(
                    f"{self.folder}: holds a collection by another operator: use another --out"
                )
            return
        others = [path.name for path in self.folder.iterdir() if path.name[0] != "."]
        if others:
            raise DataError(f"{self.folder}: not empty, and no collection (it has {others[0]})")
        write_bytes(place, json.dumps(about).encode() + b"\n")

    def _open(self, seen: Callable[[Kept], None]) -> None:
        journals, closed = self._numbers("journal"), self._numbers("parquet")
        known = sorted({*journals, *closed, *self._numbers("batches")})
        last = journals[-1] if journals else 0
        self.rows = 0
        self._identifiers: dict[int, set[bytes]] = {}
        for number in journals:
            if number != last or last in closed:
                self.finish(number)
        if last and last not in closed:
            self.number, self._journal = last, self._resumed(last, seen)
        else:
            self.number = known[-1] + 1 if known else 1
            self._journal = self._begun(self.number)
        self._identifiers.setdefault(self.number, set())
        self._identifiers[self.number - 1] = self._closed_identifiers(self.number - 1)

    def _resumed(self, number: int, seen: Callable[[Kept], None]) -> Journal:
        """The journal that was open; what was never acknowledged is cut off."""
        path = self._place(number, "journal")
        replay = self._replay(number)
        if not replay.begun:
            path.unlink()
            return self._begun(number)
        known = self._identifiers.setdefault(number, set())
        for batch in replay:
            known.add(batch.identifier)
            self.rows += batch.rows
            seen(batch)
        if replay.torn:
            self.said.append(
                f"{path.name}: cut off {replay.torn:,} bytes of batches never acknowledged"
            )
        if self.rows:
            self.said.append(f"{path.name}: goes on, with {self.rows:,} reports")
        return Journal.opened(path, replay.end)

    def _begun(self, number: int) -> Journal:
        return Journal.create(self._place(number, "journal"), self._about(number))

    def _about(self, number: int) -> dict[str, object]:
        return {"operator": self._operator, "window": number}

    def _replay(self, number: int) -> Replay:
        found = Replay(self._place(number, "journal"))
        if found.begun and found.about != self._about(number):
            raise Damaged(f"{found.path}: of another collection or window than its place says")
        return found

    def taken(self, window: int, identifier: bytes) -> bool:
        """Whether a batch is here already; Refused where nobody knows, or where it cannot be."""
        if window > self.number:
            raise Refused(
                409,
                f"window {window} has not begun; {self.number} is open",
                "GET /collection tells the window that is open",
            )
        if window < self.number - 1:
            raise Refused(
                410,
                f"window {window} closed too long ago to tell whether the batch was taken",
                "do not send it again: it may be counted already",
            )
        return any(identifier in known for known in self._identifiers.values())

    def append(self, batches: Sequence[Kept]) -> int:
        """Keep batches, which are new: they survive when this returns. The window they are in."""
        if shutil.disk_usage(self.folder).free < SPARE + self._journal.end:
            raise NotKept(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._journal.append(batches)
        self._identifiers[self.number].update(batch.identifier for batch in batches)
        self.rows += sum(batch.rows for batch in batches)
        return self.number

    @property
    def full(self) -> bool:
        """Whether the window is to be closed, however long it was open."""
        batches = len(self._identifiers[self.number])
        return self.rows >= self._limit.reports or batches >= self._limit.batches

    @property
    def broken(self) -> bool:
        """Whether nothing is taken any more before the folder is opened anew."""
        return self._journal.broken

    def rotate(self) -> None:
        """Begin the next window, if this one has reports; what is unfinished then has this one."""
        if not self.rows:
            return
        number = self.number
        following = self._begun(number + 1)
        self._journal.close()
        self._journal, self.number, self.rows = following, number + 1, 0
        self._identifiers = {number: self._identifiers[number], number + 1: set()}

    def unfinished(self) -> list[int]:
        """Windows that are closed and have no files yet, in order."""
        return [number for number in self._numbers("journal") if number < self.number]

    def finish(self, number: int) -> Path | None:
        """From the journal of a closed window to its files; what was done before is not redone."""
        target = self._place(number, "parquet")
        identifiers = [batch.identifier for batch in self._replay(number)]
        self._identifiers_kept(number, identifiers)
        if identifiers and not target.exists():
            with written_together(target) as [raw]:
                self._release(target.name, iter(self._replay(number)), raw)
        self._place(number, "journal").unlink()
        for older in self._numbers("batches"):
            if older < number:
                self._place(older, "batches").unlink()
        sync_folder(self.folder)
        return target if identifiers else None

    def _identifiers_kept(self, number: int, identifiers: Sequence[bytes]) -> None:
        """In order of their bits: not in the order in which they came."""
        write_bytes(self._place(number, "batches"), b"".join(sorted(identifiers)))

    def _closed_identifiers(self, number: int) -> set[bytes]:
        path = self._place(number, "batches")
        data = path.read_bytes() if path.is_file() else b""
        return {data[k : k + _IDENTIFIER] for k in range(0, len(data), _IDENTIFIER)}

    def closed(self) -> list[Path]:
        """The files of the windows that are closed, in order."""
        return [self._place(number, "parquet") for number in self._numbers("parquet")]

    def end(self) -> None:
        """Let go of the folder; an empty journal goes."""
        self._journal.close()
        if not self.rows:
            self._journal.path.unlink(missing_ok=True)
        self._lock.close()

    def _numbers(self, kind: str) -> list[int]:
        found = (_NAME.fullmatch(path.name) for path in self.folder.iterdir())
        return sorted(int(one[1]) for one in found if one is not None and one[2] == kind)

    def _place(self, number: int, kind: str) -> Path:
        return self.folder / f"window-{number:06}.{kind}"


def _locked(folder: Path) -> IO[bytes]:
    """A lock that the process loses when it ends, in whatever way."""
    held = (folder / ".lock").open("wb")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise DataError(f"{folder}: another collector is at work there") from None
    return held
