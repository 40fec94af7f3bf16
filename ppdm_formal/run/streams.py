"""Streams: files read and written plain, gzip or xz; errors name lines and quote nothing."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from ppdm_formal.run.errors import DataError

Compression = Literal["gzip", "xz"]

MAX_LINE = 1 << 24
"""Longest line of text in bytes: a longer one is no table, and must not fill the memory."""

BLOCK_BYTES = 1 << 25
"""Text that is read at a time at most, and a line more: rows may be long."""

_BUFFER = 1 << 18
_SUFFIXES: dict[str, Compression] = {".gz": "gzip", ".xz": "xz"}
_MARKS = {
    b"\x1f\x8b": ("gzip", ".gz"),
    b"\xfd7zXZ\0": ("xz", ".xz"),
    b"PAR1\x15": ("Parquet", ".parquet"),
}
"""How files begin, and how their names should then end."""


def compression_of(path: Path) -> Compression | None:
    """What a file's name says of its compression."""
    return _SUFFIXES.get(path.suffix.lower())


def bare_suffix(path: Path) -> str:
    """The suffix before .gz or .xz: .csv of data.csv.gz."""
    return (Path(path.stem) if compression_of(path) else path).suffix.lower()


@dataclass
class Source:
    """An open file: its uncompressed bytes, and how far it has been read."""

    path: Path
    stream: IO[bytes]
    raw: IO[bytes]
    consumed: int = 0
    """Uncompressed bytes that `lines` has read."""

    def share(self) -> float:
        """The share of the file that has been read; 0 where a pipe has no size."""
        size = os.fstat(self.raw.fileno()).st_size
        return min(1.0, self.raw.tell() / size) if size and self.raw.seekable() else 0.0

    def lines(self) -> Iterator[str]:
        """The lines of a UTF-8 text (a byte order mark is allowed), each with its end.

        A line that is not UTF-8 is named by its number alone.
        """
        number = 0
        while line := self.stream.readline(MAX_LINE + 1):
            number += 1
            self.consumed += len(line)
            if len(line) > MAX_LINE:
                raise DataError(f"{self.path}, line {number}: longer than {MAX_LINE:,} bytes")
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise DataError(
                    f"{self.path}, line {number}: not UTF-8; convert the whole file to UTF-8"
                ) from None
            yield text


@contextmanager
def reading(path: Path, compression: Compression | None) -> Iterator[Source]:
    """A file to read; a DataError where its compressed data are damaged or cut short."""
    with path.open("rb") as raw:
        _check_begin(path, raw.peek(8), compression)
        opened: Any = raw
        if compression == "gzip":
            opened = io.BufferedReader(gzip.GzipFile(fileobj=raw, mode="rb"), _BUFFER)
        elif compression == "xz":
            opened = io.BufferedReader(lzma.LZMAFile(raw), _BUFFER)  # noqa: SIM115
        try:
            yield Source(path, opened, raw)
        except EOFError:
            raise DataError(f"{path}: the {compression} data end too early") from None
        except (gzip.BadGzipFile, lzma.LZMAError, zlib.error):
            raise DataError(f"{path}: the {compression} data are damaged") from None


def _check_begin(path: Path, begin: bytes, compression: Compression | None) -> None:
    """Refuse content that is plainly of another kind than the file's name says."""
    found = next((kind for mark, kind in _MARKS.items() if begin.startswith(mark)), None)
    if compression is None and found is not None:
        raise DataError(
            f"{path}: the content is {found[0]}, and the name does not say so: end it in {found[1]}"
        )
    if compression is not None and begin and (found is None or found[0] != compression):
        shown = "not" if found is None else found[0]
        raise DataError(f"{path}: the name says {compression}, but the content is {shown}")


@contextmanager
def writing(raw: IO[bytes], compression: Compression | None) -> Iterator[IO[bytes]]:
    """A stream whose bytes reach `raw` compressed; the same bytes give the same file."""
    if compression == "gzip":
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as packed:
            yield packed  # type: ignore[misc]
    elif compression == "xz":
        with lzma.LZMAFile(raw, "wb", preset=3) as packed:
            yield packed
    else:
        yield raw


def sha256_of(path: Path) -> str:
    """The digest of a file's bytes."""
    with path.open("rb") as raw:
        return written_sha256(raw)


def written_sha256(file: IO[bytes]) -> str:
    """The digest of all bytes of an open file, those just written included."""
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
