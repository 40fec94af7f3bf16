"""Appearing: files that are written together take their places, also where that is cut off.

No system fills two places at once. So a note beside the first place says before which staged file
goes where, with digests: whoever reads or writes there next finds it and goes on. What was there
before keeps a second name until all is in place, so that an error takes everything back.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ppdm_formal.declare.machine.staging import StagedFile, named, stage, synced_folders

FORMAT = "ppdm-pending/1"

PATIENCE = 10.0
"""Seconds that the note of another process, which is at work, is waited for."""

MAX_NOTE = 1 << 20
_TOKEN = re.compile(r"[0-9a-f]{8}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class OneOfSeveral:
    """One file of several: its place, and the digest of what it will hold."""

    place: Path
    token: str
    sha256: str

    @property
    def staged(self) -> Path:
        """Where the new file waits."""
        return self.place.with_name(f".{self.place.name}.{self.token}")

    @property
    def before(self) -> Path:
        """The second name of what was there before."""
        return self.place.with_name(f".{self.place.name}.{self.token}.before")

    def is_new(self, path: Path) -> bool:
        """Whether a path holds the new file."""
        try:
            if path.is_symlink() or not path.is_file():
                return False
            with path.open("rb") as raw:
                return _sha256(raw) == self.sha256
        except OSError:
            return False


def note_beside(first: Path) -> Path:
    """Where the note of several files is: beside the first of them."""
    place = Path(os.path.realpath(first))
    return place.with_name(f".{place.name}.pending")


def appear(files: Sequence[StagedFile]) -> None:
    """Files, which are written and synced, take their places: all of them or none."""
    if len(files) == 1:
        _appear_alone(files[0])
        return
    token = secrets.token_hex(4)
    parts = [OneOfSeveral(file.place, token, _sha256(file.raw)) for file in files]
    with _noted(parts) as note:
        filled: list[tuple[OneOfSeveral, bool]] = []
        try:
            for file, part in zip(files, parts, strict=True):
                _named(file, part.staged)
            synced_folders(part.place for part in parts)
            for part in parts:
                there = os.path.lexists(part.place)
                if there:
                    with suppress(OSError):  # a system without second names
                        os.link(part.place, part.before)
                _replace(part.staged, part.place)
                filled.append((part, there))
            synced_folders(part.place for part in parts)
        except BaseException as problem:
            if not _taken_back(filled):
                raise _unsettled(problem, parts[0].place) from None
            _clear(parts, note)
            raise
        _clear(parts, note)


def settle(first: Path) -> None:
    """Go on where files that begin with this one were not all put in their places.

    Does nothing as a rule: it looks for the note that a writer leaves who was killed meanwhile.
    """
    note = note_beside(first)
    end = time.monotonic() + PATIENCE
    while os.path.lexists(note):
        with _locked(note) as file:
            if file is not None:
                _go_on(_parts(file, note), note)
                return
        if time.monotonic() > end:
            raise OSError(errno.EBUSY, "another process is writing it", str(first))
        time.sleep(0.02)


def _go_on(parts: list[OneOfSeveral] | None, note: Path) -> None:
    """Put the rest in place; or, where not all was staged, see that all is as before."""
    if parts is None:  # a note appears whole, so that this is none
        raise OSError(errno.EINVAL, f"not a note of format {FORMAT}: remove it", str(note))
    waiting = [part for part in parts if part.is_new(part.staged)]
    if all(part in waiting or part.is_new(part.place) for part in parts):
        for part in waiting:
            _replace(part.staged, part.place)
        synced_folders(part.place for part in parts)
    else:
        for part in parts:
            if part.before.is_file() and part.is_new(part.place):
                _replace(part.before, part.place)
    _clear(parts, note)


def _appear_alone(file: StagedFile) -> None:
    staged = file.place.with_name(f".{file.place.name}.{secrets.token_hex(4)}")
    _named(file, staged)
    try:
        _replace(staged, file.place)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    synced_folders([file.place])


def _named(file: StagedFile, name: Path) -> None:
    named(file, name)
    file.raw.close()  # some systems do not rename what is open


def _replace(source: Path, place: Path) -> None:
    try:
        os.replace(source, place)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror or str(problem), str(place)) from None


def _taken_back(filled: Sequence[tuple[OneOfSeveral, bool]]) -> bool:
    """Whether all is as before; if not, the new files can still be put in place."""
    if any(there and not os.path.lexists(part.before) for part, there in filled):
        return False
    try:
        for part, there in reversed(filled):
            os.link(part.place, part.staged)  # so that going on remains possible at every step
            if there:
                os.replace(part.before, part.place)
            else:
                os.unlink(part.place)
    except OSError:
        return False
    return True


def _unsettled(problem: BaseException, first: Path) -> OSError:
    why = problem.strerror if isinstance(problem, OSError) else str(problem)
    number = problem.errno if isinstance(problem, OSError) else errno.EIO
    return OSError(
        number,
        f"{why}; what was to appear with it waits beside it, and the next command that reads or "
        "writes it puts all in place",
        str(first),
    )


def _clear(parts: Sequence[OneOfSeveral], note: Path) -> None:
    """Nothing but the places is left; the note goes last."""
    for part in parts:
        for path in (part.staged, part.before):
            with suppress(OSError):
                path.unlink()
    with suppress(OSError):
        note.unlink()


@contextmanager
def _noted(parts: Sequence[OneOfSeveral]) -> Iterator[Path]:
    """The note, which this process holds; it stays where it is not removed."""
    note = note_beside(parts[0].place)
    written = {
        "format": FORMAT,
        "token": parts[0].token,
        "files": [
            {"place": os.path.relpath(part.place, note.parent), "sha256": part.sha256}
            for part in parts
        ],
    }
    file = stage(note)
    try:
        file.raw.write(json.dumps(written, indent=1).encode() + b"\n")
        file.raw.flush()
        os.fsync(file.raw.fileno())
        _held(file.raw)
        while True:
            try:
                named(file, note)
                break
            except FileExistsError:
                settle(parts[0].place)
        yield note
    finally:
        file.discard()


def _parts(file: IO[bytes], note: Path) -> list[OneOfSeveral] | None:
    """What a note says; None where it is not one: only names beside the places are believed."""
    content = file.read(MAX_NOTE + 1)
    try:
        if len(content) > MAX_NOTE:
            return None
        written = json.loads(content.decode())
        token, files = written["token"], written["files"]
        if written["format"] != FORMAT or not _TOKEN.fullmatch(token) or len(files) < 2:
            return None
        parts = []
        for one in files:
            place = Path(os.path.normpath(note.parent / one["place"]))
            if not _DIGEST.fullmatch(one["sha256"]) or not place.name:
                return None
            parts.append(OneOfSeveral(place, token, one["sha256"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return parts if note_beside(parts[0].place) == note else None


@contextmanager
def _locked(note: Path) -> Iterator[IO[bytes] | None]:
    """The note, held by this process; None where another holds it, or it has gone meanwhile."""
    try:
        file = note.open("rb")
    except FileNotFoundError:
        yield None
        return
    with file:
        held = _held(file)
        try:
            same = held and os.path.samestat(os.fstat(file.fileno()), os.stat(note))
        except FileNotFoundError:
            same = False
        yield file if same else None


def _held(file: IO[bytes]) -> bool:
    """Whether this process holds the file until it is closed; the system ends that for a dead one.

    True also where the system knows nothing of it.
    """
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _sha256(raw: IO[bytes]) -> str:
    raw.seek(0)
    return hashlib.file_digest(raw, "sha256").hexdigest()  # type: ignore[arg-type]
