"""The wire format of seeds: a header, blocks with checksums, and an end that tells the whole.

docs/compressed.md specifies it. The header names the plan by its digest, and the groups and sizes
with their generators; a block holds seeds of one of these parts, packed to whole bytes. Whatever
is read is checked: a file that was cut short, changed or drawn for another plan is refused.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.canonical import canonical
from ppdm_formal.run.basket_files import RowSpan
from ppdm_formal.run.compress.chooser import generator_of
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.kernels import Words
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.json_parts import fields, list_of, text_of, whole_of

MAGIC = b"\x89PPDMs\r\n"
"""Begins every stream: a first byte that no text has, and line ends that a text mode changes."""

VERSION = 1

MAX_HEADER = 1 << 26
"""Bytes of the longest header."""

MAX_BLOCK = 1 << 26
"""Bytes of seeds in the longest block."""

END = 0xFFFF_FFFF
"""Where the number of a part stands otherwise: the blocks are over."""

_FRONT, _BLOCK, _CHECK, _TOTAL = (struct.Struct(form) for form in ("<HI", "<II", "<I", "<IQ"))


@dataclass(frozen=True)
class SeedPart:
    """The clients of one group and size, and the generator of their seeds."""

    group: str
    size: int
    generator: Generator

    @property
    def bytes(self) -> int:
        """How many bytes a seed takes."""
        return -(-self.generator.seed_bits // 8)

    def to_json(self) -> dict[str, Any]:
        """As the header holds it."""
        return {"group": self.group, "size": self.size, "generator": self.generator.to_json()}

    @classmethod
    def of(cls, written: object) -> SeedPart:
        """What to_json wrote."""
        found = fields(written, "a part of seeds", "group", "size", "generator")
        return cls(
            text_of(found["group"], "a group of seeds"),
            whole_of(found["size"], "a size of seeds"),
            generator_of(found["generator"]),
        )

    def packed(self, seeds: Words) -> npt.NDArray[np.uint8]:
        """Seeds in whole bytes, the lowest bits first."""
        return seeds.astype("<u8").view(np.uint8)[:, : self.bytes]

    def unpacked(self, packed: npt.NDArray[np.uint8], where: str) -> Words:
        """The seeds that were packed; a bit behind their last one is an error."""
        words = np.zeros((len(packed), 8 * self.generator.words), dtype=np.uint8)
        words[:, : self.bytes] = packed
        beyond = self.generator.seed_bits % 8
        if beyond and len(packed) and (packed[:, -1] >> beyond).any():
            raise ReleaseError(f"{where}: a seed is longer than its generator's")
        return words.view("<u8").astype(np.uint64)


@dataclass(frozen=True)
class SeedHeader:
    """What the seeds of a file are of: the plan's digest, and the parts in their order."""

    plan: str
    parts: tuple[SeedPart, ...]

    def text(self) -> str:
        """As files hold it."""
        return canonical({"plan": self.plan, "parts": [part.to_json() for part in self.parts]})

    @classmethod
    def of(cls, text: str, where: str) -> SeedHeader:
        """The header that a text says, checked."""
        try:
            found = fields(json.loads(text), "the header", "plan", "parts")
            parts = tuple(map(SeedPart.of, list_of(found["parts"], "parts")))
            if not parts or len({(part.group, part.size) for part in parts}) < len(parts):
                raise ReleaseError("the parts are none, or one occurs twice")
            return cls(text_of(found["plan"], "the plan's digest"), parts)
        except DataError as wrong:
            raise ReleaseError(f"{where}: {wrong}") from None
        except (ValueError, RecursionError):
            raise ReleaseError(f"{where}: its header is not JSON") from None

    def check(self, expected: SeedHeader, where: str) -> None:
        """Refuse seeds that were drawn for another plan, or by other generators, than expected."""
        if self.plan != expected.plan:
            raise ReleaseError(
                f"{where}: these seeds were drawn for another plan (sha256 {self.plan[:16]}..., "
                f"not {expected.plan[:16]}...)"
            )
        if self.parts != expected.parts:
            raise ReleaseError(f"{where}: the generators of the seeds are not those of the release")


class SeedWriter(Protocol):
    """A file of seeds being written."""

    def write(self, group: str, size: int, reports: Words) -> None:
        """Append seeds of clients of a group, whose baskets had `size` items."""

    def finish(self, metadata: Mapping[str, str]) -> None:
        """Write what is left; metadata goes into formats that can hold it."""


class StreamWriter:
    """The binary stream."""

    def __init__(self, raw: IO[bytes], header: SeedHeader) -> None:
        self._raw = raw
        self._parts = {(part.group, part.size): k for k, part in enumerate(header.parts)}
        self._header = header
        self._digest = hashlib.sha256()
        self._rows = 0
        text = header.text().encode()
        front = MAGIC + _FRONT.pack(VERSION, len(text)) + text
        self._put(front + _CHECK.pack(zlib.crc32(front)))

    def _put(self, part: bytes) -> None:
        self._digest.update(part)
        self._raw.write(part)

    def write(self, group: str, size: int, reports: Words) -> None:
        """Append seeds, in blocks."""
        number = self._parts[group, size]
        part = self._header.parts[number]
        step = max(1, MAX_BLOCK // part.bytes)
        for start in range(0, len(reports), step):
            packed = part.packed(reports[start : start + step])
            block = _BLOCK.pack(number, len(packed)) + packed.tobytes()
            self._put(block + _CHECK.pack(zlib.crc32(block)))
            self._rows += len(packed)

    def finish(self, metadata: Mapping[str, str]) -> None:
        """The end, which tells how many seeds there are, and the digest of all before it."""
        self._put(_TOTAL.pack(END, self._rows))
        self._raw.write(self._digest.digest())


class StreamReader:
    """The binary stream, read block by block."""

    def __init__(self, path: Path, raw: IO[bytes]) -> None:
        self._path = path
        self._raw = raw
        self._digest = hashlib.sha256()
        begin = self._raw.read(len(MAGIC))
        if begin != MAGIC:
            raise ReleaseError(f"{path}: not a file of seeds, which begins otherwise")
        front = self._take(_FRONT.size)
        version, length = _FRONT.unpack(front)
        if version != VERSION:
            raise ReleaseError(f"{path}: seeds of version {version}; this program reads {VERSION}")
        if length > MAX_HEADER:
            raise ReleaseError(f"{path}: damaged: a header of {length:,} bytes")
        text = self._take(length)
        self._check(MAGIC + front + text, "its header")
        self._digest = hashlib.sha256(MAGIC + front + text + _CHECK.pack(self._last))
        try:
            self.header = SeedHeader.of(text.decode(), str(path))
        except UnicodeDecodeError:
            raise ReleaseError(f"{path}: its header is not UTF-8") from None

    def _take(self, count: int) -> bytes:
        found = self._raw.read(count)
        self._digest.update(found)
        if len(found) < count:
            raise ReleaseError(f"{self._path}: cut short: the seeds end too early")
        return found

    def _check(self, content: bytes, what: str) -> None:
        [self._last] = _CHECK.unpack(self._take(_CHECK.size))
        if self._last != zlib.crc32(content):
            raise ReleaseError(f"{self._path}: damaged: the checksum of {what} is another")

    def blocks(self, only: RowSpan | None = None) -> Iterator[tuple[int, Words]]:
        """The number of a part, and seeds of it; in the order written."""
        if only is not None:
            raise ReleaseError(f"{self._path}: only Parquet can be read from its middle on")
        rows = 0
        while True:
            front = self._take(_CHECK.size)
            [number] = _CHECK.unpack(front)
            if number == END:
                break
            if number >= len(self.header.parts):
                raise ReleaseError(f"{self._path}: damaged: no part has the number of a block")
            part = self.header.parts[number]
            more = self._take(_CHECK.size)
            [count] = _CHECK.unpack(more)
            if not 0 < count * part.bytes <= max(MAX_BLOCK, part.bytes):
                raise ReleaseError(f"{self._path}: damaged: a block of {count:,} seeds")
            content = self._take(count * part.bytes)
            where = f"the block behind seed {rows:,}"
            self._check(front + more + content, where)
            packed = np.frombuffer(content, dtype=np.uint8).reshape(count, part.bytes)
            rows += count
            yield number, part.unpacked(packed, f"{self._path}, {where}")
        self._end(rows)

    def _end(self, rows: int) -> None:
        [total] = struct.unpack("<Q", self._take(8))
        expected = self._digest.digest()
        if total != rows or self._raw.read(len(expected)) != expected:
            raise ReleaseError(f"{self._path}: damaged: the digest at its end is another")
        if self._raw.read(1):
            raise ReleaseError(f"{self._path}: damaged: something follows its end")


class SeedReader(Protocol):
    """An open file of seeds."""

    header: SeedHeader

    def blocks(self, only: RowSpan | None = None) -> Iterator[tuple[int, Words]]:
        """The number of a part, and seeds of it; in the order written. A span is of Parquet."""


@contextmanager
def open_seeds(path: Path, parquet: bool) -> Iterator[SeedReader]:
    """A reader of a file of seeds."""
    if parquet:
        from ppdm_formal.run.compress.wire_parquet import ParquetSeedReader

        with path.open("rb") as raw:
            yield ParquetSeedReader(path, raw)
        return
    with path.open("rb") as raw:
        yield StreamReader(path, raw)


@contextmanager
def create_seeds(raw: IO[bytes], header: SeedHeader, parquet: bool) -> Iterator[SeedWriter]:
    """A writer of seeds to `raw`."""
    if not parquet:
        yield StreamWriter(raw, header)
        return
    from ppdm_formal.run.compress.wire_parquet import ParquetSeedWriter

    writer = ParquetSeedWriter(raw, header)
    try:
        yield writer
    finally:
        writer.close()


def gathered(
    blocks: Iterator[tuple[int, Words]],
    rows: Sequence[int],
    where: str,
    only: RowSpan | None = None,
) -> Iterator[tuple[int, Words]]:
    """The blocks, refused where they are not so many of each part, in order.

    only: the blocks are of these rows.
    """
    ends = list(accumulate(rows))
    at, last = (0, ends[-1]) if only is None else (only.first, only.last)
    fits = True
    for number, seeds in blocks:
        fits = ends[number] - rows[number] <= at and at + len(seeds) <= ends[number]
        if not fits:
            break
        at += len(seeds)
        yield number, seeds
    if not fits or at != last:
        raise ReleaseError(
            f"{where}: the seeds are not as many, or not in the order, that the release says"
        )
