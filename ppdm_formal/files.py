"""Files: atomic writing, and the models and proofs that come with the package."""

from __future__ import annotations

import errno
import os
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

    Links are followed. Only a kill that no program can catch leaves something behind, under
    temporary names.
    """
    staged: list[tuple[IO[bytes], str, Path]] = []
    try:
        with uninterrupted():
            for target in targets:
                place = Path(os.path.realpath(target))
                if place.exists() and not place.is_file():
                    raise OSError(errno.EINVAL, "not a regular file", str(target))
                handle, temporary = _temporary(target, place)
                staged.append((os.fdopen(handle, "w+b"), temporary, place))
        yield [file for file, _, _ in staged]
        for file, temporary, _ in staged:
            file.flush()
            os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            file.close()
        with uninterrupted():
            _appear(staged)
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
                    os.unlink(temporary)


def _temporary(target: Path, place: Path) -> tuple[int, str]:
    """A new file beside the place; what goes wrong is said of the folder."""
    try:
        return tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    except OSError as problem:
        folder = place.parent if Path(target).is_symlink() else Path(target).parent
        why = f"{problem.strerror} (the folder of {place.name})"
        raise OSError(problem.errno, why, str(folder)) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _appear(staged: list[tuple[IO[bytes], str, Path]]) -> None:
    appeared: list[Path] = []
    try:
        for _, temporary, place in staged:
            os.replace(temporary, place)
            appeared.append(place)
    except OSError as problem:
        for made in appeared:
            made.unlink(missing_ok=True)
        raise OSError(problem.errno, problem.strerror or str(problem), str(place)) from None
