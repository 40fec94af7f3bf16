"""Files: atomic writing, and the models and proofs that come with the package."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ppdm_formal.appearing import appear, note_beside, settle
from ppdm_formal.interrupts import uninterrupted
from ppdm_formal.staging import StagedFile, stage

__all__ = [
    "example_names",
    "example_path",
    "note_beside",
    "settle",
    "shipped",
    "write_text",
    "written_together",
]

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

    Links are followed. Several files, of which the last describes the others, are put in their
    places in this order; where that is cut off in the middle, see appearing.py.
    """
    staged: list[StagedFile] = []
    try:
        with uninterrupted():
            for target in targets:
                settle(target)
                staged.append(stage(target))
        yield [file.raw for file in staged]
        for file in staged:
            file.finish()
        if staged:
            with uninterrupted():
                appear(staged)
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise OSError(problem.errno, problem.strerror, str(targets[0])) from None
        raise
    finally:
        with uninterrupted():
            for file in staged:
                file.discard()
