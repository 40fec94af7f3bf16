"""Files: atomic writing, and the models and proofs that come with the package."""

from __future__ import annotations

import errno
import os
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ppdm_formal.interrupts import uninterrupted

_PACKAGE = Path(__file__).parent


def shipped(kind: str) -> Path:
    """The folder of models or proofs: inside the installed package, or beside it in a checkout."""
    inside = _PACKAGE / kind
    return inside if inside.is_dir() else _PACKAGE.parent / kind


def example_names() -> list[str]:
    """The models that come with the package."""
    return sorted(path.stem for path in shipped("models").glob("*.ppdm"))


def example_path(name: str) -> Path | None:
    """A model that comes with the package, by its name."""
    return shipped("models") / f"{name}.ppdm" if name in example_names() else None


def write_text(target: str, content: str) -> None:
    """Write a file whole or not at all; "-" is standard output.

    A link is followed; a device or a pipe is written to, not replaced. Errors name the target.
    """
    if target == "-":
        _write_standard_output(content)
        return
    path = Path(os.path.realpath(target))
    try:
        if path.exists() and not path.is_file():
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            path.write_text(content, encoding="utf-8")
        else:
            _replace(path, content)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror or str(problem), target) from None


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_together(path) as [file]:
        file.write(content)


def _write_standard_output(content: str) -> None:
    """As UTF-8, whatever the terminal's encoding: JSON and HTML say so themselves."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:
        sys.stdout.write(content)
    else:
        sys.stdout.flush()
        raw.write(content.encode())
    sys.stdout.flush()


def _replace(path: Path, content: str) -> None:
    with written_together(path) as [file]:
        file.write(content.encode())


@contextmanager
def written_together(*targets: Path) -> Iterator[list[IO[bytes]]]:
    """Files to write that appear together when the block ends, or not at all where it fails.

    Links are followed. Until then files have no names, so that a program that is killed leaves
    nothing behind; where the system has no such files, they have temporary names.
    """
    staged: list[tuple[IO[bytes], str | None, Path]] = []
    try:
        with uninterrupted():
            for target in targets:
                place = Path(os.path.realpath(target))
                if place.exists() and not place.is_file():
                    raise OSError(errno.EINVAL, "not a regular file", str(target))
                handle, temporary = _temporary(target, place)
                staged.append((os.fdopen(handle, "w+b"), temporary, place))
        yield [file for file, _, _ in staged]
        for file, _, _ in staged:
            file.flush()
            os.fsync(file.fileno())
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), 0o666 & ~_umask())
        with uninterrupted():
            for number, (file, temporary, place) in enumerate(staged):
                if temporary is None:
                    staged[number] = (file, _named(file.fileno(), place), place)
                file.close()
            _appear([(temporary, place) for _, temporary, place in staged if temporary])
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise OSError(problem.errno, problem.strerror, str(targets[0])) from None
        raise
    finally:
        with uninterrupted():
            for file, temporary, _ in staged:
                with suppress(OSError):  # what could not be written is given up here
                    file.close()
                with suppress(FileNotFoundError):
                    if temporary is not None:
                        os.unlink(temporary)


def _temporary(target: Path, place: Path) -> tuple[int, str | None]:
    """A new file beside the place, without a name if it can be; what goes wrong is the folder's."""
    try:
        nameless = _nameless(place)
        if nameless is not None:
            return nameless, None
        return tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    except OSError as problem:
        folder = place.parent if Path(target).is_symlink() else Path(target).parent
        why = f"{problem.strerror} (the folder of {place.name})"
        raise OSError(problem.errno, why, str(folder)) from None


def _nameless(place: Path) -> int | None:
    """A file in the folder that is gone when it is closed; None where it could get no name later.

    That is tried with another one first: it would be too late when all is written.
    """
    flag = getattr(os, "O_TMPFILE", None)  # of Linux, and not of all its file systems
    if flag is None:
        return None
    try:
        tried = os.open(place.parent, flag | os.O_RDWR, 0o600)
        try:
            os.unlink(_named(tried, place))
        finally:
            os.close(tried)
        return os.open(place.parent, flag | os.O_RDWR, 0o600)
    except (OSError, NotImplementedError):
        return None


def _named(handle: int, place: Path) -> str:
    """Give a file without a name a temporary one beside the place."""
    name = str(place.parent / f".{place.name}.{secrets.token_hex(4)}")
    folder = os.open(place.parent, os.O_RDONLY)  # with a folder named, os.link follows the link
    try:
        os.link(f"/proc/self/fd/{handle}", name, src_dir_fd=folder)
    finally:
        os.close(folder)
    return name


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _appear(staged: list[tuple[str, Path]]) -> None:
    appeared: list[Path] = []
    try:
        for temporary, place in staged:
            os.replace(temporary, place)
            appeared.append(place)
    except OSError as problem:
        for made in appeared:
            made.unlink(missing_ok=True)
        raise OSError(problem.errno, problem.strerror or str(problem), str(place)) from None
