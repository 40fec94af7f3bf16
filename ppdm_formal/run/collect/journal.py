"""Journal: batches in the order taken, each whole or not at all, also where the process is killed.

A file begins with a line that says what it is of; then each batch is

    length (4 bytes) | CRC-32 of the rest (4) | identifier (16) | reports (4) | packed reports

all little-endian. Batches that wait are written together and synced once (a group commit); they
are answered after that. What a killed process leaves behind the last whole batch was never
acknowledged, and is cut off; it is never longer than one group.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ppdm_formal.run.errors import DataError

FORMAT = "ppdm-journal/1"

MAX_GROUP = 1 << 24
"""Bytes that are written at a time at most: one batch alone is shorter."""

_HEAD = struct.Struct("<II")
_BODY = struct.Struct("<16sI")
_MAX_LINE = 1 << 12


class Damaged(DataError):
    """A journal that is not what a killed process can have left."""


class NotKept(OSError):
    """What was given could not be written; what was there before is still there."""


@dataclass(frozen=True)
class Kept:
    """A batch as the journal keeps it."""

    identifier: bytes
    rows: int
    packed: bytes

    @property
    def size(self) -> int:
        """Its bytes in the journal."""
        return _HEAD.size + _BODY.size + len(self.packed)

    def written(self) -> bytes:
        """As a journal holds it."""
        body = _BODY.pack(self.identifier, self.rows) + self.packed
        return _HEAD.pack(len(body), zlib.crc32(body)) + body


class Journal:
    """A journal that is open to be appended to, by one thread of one process."""

    def __init__(self, path: Path, raw: IO[bytes], end: int) -> None:
        self.path, self._raw, self.end = path, raw, end
        self._broken = False

    @classmethod
    def create(cls, path: Path, about: dict[str, Any]) -> Journal:
        """A new one, synced, and its folder as well."""
        raw = path.open("xb", buffering=0)
        line = _line(about)
        raw.write(line)
        os.fsync(raw.fileno())
        sync_folder(path.parent)
        return cls(path, raw, len(line))

    @classmethod
    def opened(cls, path: Path, end: int) -> Journal:
        """An existing one, whose batches end there; what follows is cut off."""
        raw = path.open("r+b", buffering=0)
        raw.truncate(end)
        raw.seek(end)
        os.fsync(raw.fileno())
        return cls(path, raw, end)

    def append(self, batches: Sequence[Kept]) -> None:
        """Write batches and sync them: when this returns, they survive. NotKept: none of them is.

        After a sync that failed nobody knows what the disk holds: nothing is taken any more.
        """
        if self._broken:
            raise NotKept("an earlier batch could not be synced")
        data = b"".join(batch.written() for batch in batches)
        try:
            _write_all(self._raw, data)
        except OSError as problem:
            try:
                self._raw.truncate(self.end)
                self._raw.seek(self.end)
            except OSError:
                self._broken = True
            raise NotKept(problem.errno, problem.strerror) from None
        try:
            os.fdatasync(self._raw.fileno())
        except OSError as problem:
            self._broken = True
            raise NotKept(problem.errno, problem.strerror) from None
        self.end += len(data)

    @property
    def broken(self) -> bool:
        """Whether nothing is taken any more."""
        return self._broken

    def close(self) -> None:
        """Let go of the file."""
        self._raw.close()


def _write_all(raw: IO[bytes], data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[raw.write(view) :]


class Replay:
    """The batches of a journal, read one by one; `end` is where the last whole one ended."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = path.stat().st_size
        with path.open("rb") as raw:
            line = raw.readline(_MAX_LINE)
        self.begun = line.endswith(b"\n")
        self.about = _about(path, line) if self.begun else {}
        self.end = len(line) if self.begun else 0

    def __iter__(self) -> Iterator[Kept]:
        if not self.begun:
            return
        with self.path.open("rb") as raw:
            raw.seek(self.end)
            while (batch := _read(raw)) is not None:
                self.end += batch.size
                yield batch
        if self.torn > MAX_GROUP:
            raise Damaged(
                f"{self.path}: damaged {self.end:,} bytes from its beginning, with {self.torn:,} "
                "bytes behind: a killed process does not leave this; restore it from a copy"
            )

    @property
    def torn(self) -> int:
        """Bytes behind the last whole batch: of batches that were never acknowledged."""
        return self.size - self.end


def _read(raw: IO[bytes]) -> Kept | None:
    head = raw.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    length, checksum = _HEAD.unpack(head)
    if not _BODY.size <= length <= MAX_GROUP:
        return None
    body = raw.read(length)
    if len(body) < length or zlib.crc32(body) != checksum:
        return None
    identifier, rows = _BODY.unpack_from(body)
    return Kept(identifier, rows, body[_BODY.size :])


def grouped(batches: Iterable[Kept]) -> Iterator[list[Kept]]:
    """Batches in groups that are written at a time."""
    group: list[Kept] = []
    size = 0
    for batch in batches:
        if group and size + batch.size > MAX_GROUP:
            yield group
            group, size = [], 0
        group.append(batch)
        size += batch.size
    if group:
        yield group


def _line(about: dict[str, Any]) -> bytes:
    return json.dumps({"format": FORMAT, **about}).encode() + b"\n"


def _about(path: Path, line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.pop("format", None) != FORMAT:
        raise Damaged(f"{path}: not a journal of format {FORMAT}")
    return found


def sync_folder(folder: Path) -> None:
    """Make names of files in a folder last."""
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)
