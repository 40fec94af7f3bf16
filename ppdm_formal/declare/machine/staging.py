"""Staging: a file that is being written, beside its place, without a name where that is possible.

So a program that is killed leaves nothing behind; where the system has no such files, they have
temporary names. A file that takes another's place has its mode: what was private stays private.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM, errno.EBADF)
"""What systems say that cannot sync a folder; a disk that fails says something else."""

_FAILURES = (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""What a disk says, not a system that lacks something."""


@dataclass
class StagedFile:
    """A file being written; temporary: its name, where it has one."""

    raw: IO[bytes]
    temporary: Path | None
    place: Path

    def finish(self) -> None:
        """All is written: it reaches the disk, with the mode that it will have."""
        self.raw.flush()
        if hasattr(os, "fchmod"):
            os.fchmod(self.raw.fileno(), _mode(self.raw.fileno(), self.place))
        os.fsync(self.raw.fileno())

    def discard(self) -> None:
        """Close it; what has no other name than its temporary one is gone."""
        with suppress(OSError):  # what could not be written is given up here
            self.raw.close()
        if self.temporary is not None:
            with suppress(OSError):
                os.unlink(self.temporary)


def stage(target: Path) -> StagedFile:
    """A new file beside a target, links followed; what goes wrong is the folder's."""
    place = Path(os.path.realpath(target))
    if place.exists() and not place.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(target))
    try:
        nameless = _nameless(place)
        if nameless is not None:
            return StagedFile(os.fdopen(nameless, "w+b"), None, place)
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
        return StagedFile(os.fdopen(handle, "w+b"), Path(temporary), place)
    except OSError as problem:
        folder = place.parent if Path(target).is_symlink() else Path(target).parent
        why = f"{problem.strerror} (the folder of {place.name})"
        raise OSError(problem.errno, why, str(folder)) from None


def named(file: StagedFile, name: Path) -> None:
    """Give a staged file a name beside its place; FileExistsError where there is such a file."""
    if file.temporary is None:
        try:
            _link(file.raw.fileno(), name)
            return
        except FileExistsError:
            raise
        except OSError as problem:
            if problem.errno in _FAILURES:
                raise
            _copied(file)  # such as a system without /proc
    assert file.temporary is not None
    try:
        os.link(file.temporary, name)
        os.unlink(file.temporary)
    except FileExistsError:
        raise
    except OSError:  # a system without second names
        if os.path.lexists(name):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(name)) from None
        os.rename(file.temporary, name)
    file.temporary = None


def synced_folders(places: Iterable[Path]) -> None:
    """The names in the folders of these files reach the disk."""
    if os.name != "posix":
        return
    for folder in dict.fromkeys(place.parent for place in places):
        try:
            handle = os.open(folder, os.O_RDONLY)
        except PermissionError:
            continue  # a folder that may be written and not be read
        try:
            os.fsync(handle)
        except OSError as problem:
            if problem.errno not in _NO_SYNC:
                raise OSError(problem.errno, problem.strerror, str(folder)) from None
        finally:
            os.close(handle)


def _nameless(place: Path) -> int | None:
    """A file in the folder that is gone when it is closed; None where there are no such files."""
    flag = getattr(os, "O_TMPFILE", None)  # of Linux, and not of all its file systems
    if flag is None:
        return None
    try:
        return os.open(place.parent, flag | os.O_RDWR, 0o600)
    except (OSError, NotImplementedError):
        return None


def _copied(file: StagedFile) -> None:
    """A file without a name that can get none is written again, under a temporary one."""
    mode = stat.S_IMODE(os.fstat(file.raw.fileno()).st_mode)
    handle, temporary = tempfile.mkstemp(dir=file.place.parent, prefix=f".{file.place.name}.")
    with file.raw as before:
        file.raw, file.temporary = os.fdopen(handle, "w+b"), Path(temporary)
        before.seek(0)
        shutil.copyfileobj(before, file.raw)
    file.raw.flush()
    os.fchmod(file.raw.fileno(), mode)
    os.fsync(file.raw.fileno())


def _link(handle: int, name: Path) -> None:
    folder = os.open(name.parent, os.O_RDONLY)  # with a folder named, os.link follows the link
    try:
        os.link(f"/proc/self/fd/{handle}", name, src_dir_fd=folder)
    finally:
        os.close(folder)


def _mode(handle: int, place: Path) -> int:
    """That of the file there now, else what the umask says.

    Where its group cannot be kept, the new group may do nothing: its members are others.
    """
    try:
        before = os.stat(place)
    except FileNotFoundError:
        return 0o666 & ~_umask()
    mode = stat.S_IMODE(before.st_mode) & 0o777
    with suppress(PermissionError):
        os.fchown(handle, before.st_uid, -1)
    try:
        os.fchown(handle, -1, before.st_gid)
    except PermissionError:
        mode &= ~0o070
    return mode


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
