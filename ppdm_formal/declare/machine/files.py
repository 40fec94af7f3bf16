"""Files: atomic writing, and the models and proofs that come with the package."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeAlias

from ppdm_formal.declare.machine.appearing import appear, note_beside, settle
from ppdm_formal.declare.machine.interrupts import uninterrupted
from ppdm_formal.declare.machine.staging import StagedFile, stage

__all__ = [
    "Writer",
    "example_names",
    "example_path",
    "note_beside",
    "settle",
    "shipped",
    "text_writer",
    "write_all",
    "write_text",
    "written_together",
]

_PACKAGE = Path(__file__).parents[2]


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


Writer: TypeAlias = Callable[[IO[bytes]], object]
"""What writes the content of a file."""


def text_writer(parts: Callable[[], Iterable[str]]) -> Writer:
    """A writer of text, which is made piece by piece when it is written."""

    def write(raw: IO[bytes]) -> None:
        for part in parts():
            raw.write(part.encode())

    return write


def write_text(target: str, content: str) -> None:
    """Write a file whole or not at all; "-" is standard output."""
    write_all([(target, text_writer(lambda: [content]))])


def write_all(files: Sequence[tuple[str, Writer]]) -> None:
    """Write files that appear together, or none; then what goes to standard output ("-").

    A link is followed; a device or a pipe is written to, not replaced. Errors name the target.
    """
    whole: list[tuple[str, Writer]] = []
    apart: list[tuple[str, Writer]] = []
    for target, write in files:
        if os.path.isdir(target):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
        replaced = target != "-" and (os.path.isfile(target) or not os.path.exists(target))
        (whole if replaced else apart).append((target, write))
    try:
        with written_together(*(Path(target) for target, _ in whole)) as opened:
            for (_, write), raw in zip(whole, opened, strict=True):
                write(raw)
    except OSError as problem:
        if len(whole) != 1:
            raise
        raise OSError(problem.errno, problem.strerror or str(problem), whole[0][0]) from None
    for target, write in apart:
        if target == "-":
            _write_standard_output(write)
            continue
        try:
            with open(target, "wb") as device:
                write(device)
        except OSError as problem:
            raise OSError(problem.errno, problem.strerror or str(problem), target) from None


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_together(path) as [file]:
        file.write(content)


def _write_standard_output(write: Writer) -> None:
    """As UTF-8, whatever the terminal's encoding: JSON and HTML say so themselves."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:
        content = io.BytesIO()
        write(content)
        sys.stdout.write(content.getvalue().decode())
    else:
        sys.stdout.flush()
        write(raw)
    sys.stdout.flush()


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
