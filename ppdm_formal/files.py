"""Files: atomic writing, and the models and proofs that come with the package."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from pathlib import Path

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
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
