"""Seeds in Parquet: a fixed-size binary column beside group and size, with page checksums.

Seeds shorter than the longest are filled up with zero bytes. The header of the stream format
stands in the file's metadata.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from ppdm_formal.run.basket_files import GROUP, SIZE, RowSpan
from ppdm_formal.run.compress.kernels import Words
from ppdm_formal.run.compress.wire import VERSION, SeedHeader
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.parquet_table import RowGroups, guarded

SEED = "seed"
"""The column of seeds."""

HEADER = "ppdm_seeds"
"""The key of the metadata under which the header stands, behind its version and CRC-32."""

BATCH = 1 << 16
"""Seeds that are read at a time."""

ROW_GROUP = 1 << 17
"""Seeds of a row group: what one worker of several counts at a time."""


class ParquetSeedWriter:
    """Seeds as rows: group, size, seed."""

    def __init__(self, raw: IO[bytes], header: SeedHeader) -> None:
        with guarded("Parquet output") as pa:
            self._pa = pa
            self._width = max(part.bytes for part in header.parts)
            names = pa.dictionary(pa.int32(), pa.string())
            seeds = pa.binary(self._width)
            schema = pa.schema([(GROUP, names), (SIZE, pa.int32()), (SEED, seeds)])
            self._parts = {(part.group, part.size): part for part in header.parts}
            self._names = pa.array(list(dict.fromkeys(part.group for part in header.parts)))
            self._header = header
            self._groups = RowGroups(pa, raw, schema, ROW_GROUP)
        self.close = self._groups.close

    def write(self, group: str, size: int, reports: Words) -> None:
        """Append rows."""
        pa, count = self._pa, len(reports)
        filled = np.zeros((count, self._width), dtype=np.uint8)
        packed = self._parts[group, size].packed(reports)
        filled[:, : packed.shape[1]] = packed
        place = self._names.to_pylist().index(group)
        whose = pa.DictionaryArray.from_arrays(
            pa.array(np.full(count, place, dtype=np.int32)), self._names
        )
        sizes = pa.array(np.full(count, size, dtype=np.int32))
        buffers = [None, pa.py_buffer(filled.tobytes())]
        seeds = pa.FixedSizeBinaryArray.from_buffers(pa.binary(self._width), count, buffers)
        self._groups.append([whose, sizes, seeds], count)

    def finish(self, metadata: Mapping[str, str]) -> None:
        """Write what waits, the header and the end of the file."""
        text = self._header.text()
        checked = f"{VERSION} {zlib.crc32(text.encode()):08x} {text}"
        self._groups.finish({**metadata, HEADER: checked})


class ParquetSeedReader:
    """Seeds of a Parquet file, batch by batch."""

    def __init__(self, path: Path, raw: IO[bytes]) -> None:
        self._path = path
        with guarded(path) as pa:
            self._file = pa.parquet.ParquetFile(
                raw, pre_buffer=False, page_checksum_verification=True
            )
            said = (self._file.metadata.metadata or {}).get(HEADER.encode())
        version, _, rest = (said or b"").decode(errors="replace").partition(" ")
        if said is None or version != str(VERSION):
            raise ReleaseError(f"{path}: not a Parquet file of seeds of version {VERSION}")
        check, _, text = rest.partition(" ")
        if check != f"{zlib.crc32(text.encode()):08x}":
            raise ReleaseError(f"{path}: damaged: the checksum of its header is another")
        self.header = SeedHeader.of(text, str(path))
        self._width = max(part.bytes for part in self.header.parts)
        schema = self._file.schema_arrow
        expected = [pa.dictionary(pa.int32(), pa.string()), pa.int32(), pa.binary(self._width)]
        if schema.names != [GROUP, SIZE, SEED] or schema.types != expected:
            raise ReleaseError(f"{path}: no columns of groups, sizes and {self._width}-byte seeds")

    def blocks(self, only: RowSpan | None = None) -> Iterator[tuple[int, Words]]:
        """The number of a part, and seeds of it; in the order written."""
        numbers = {(part.group, part.size): k for k, part in enumerate(self.header.parts)}
        read, groups = (0, None) if only is None else (only.first, only.row_groups)
        with guarded(self._path):
            for batch in self._file.iter_batches(BATCH, row_groups=groups, use_threads=False):
                yield from self._blocks(batch, numbers, read)
                read += len(batch)

    def _blocks(
        self, batch: Any, numbers: Mapping[tuple[str, int], int], read: int
    ) -> Iterator[tuple[int, Words]]:
        where = f"{self._path}, behind row {read:,}"
        columns = [batch.column(k) for k in range(3)]
        if any(column.null_count for column in columns):
            raise ReleaseError(f"{where}: a value is missing")
        groups, sizes, seeds = columns
        names, places = groups.dictionary.to_pylist(), np.asarray(groups.indices)
        width = np.asarray(sizes).astype(np.int64)
        content = np.frombuffer(seeds.buffers()[1], dtype=np.uint8)
        start = seeds.offset * self._width
        rows = content[start : start + len(batch) * self._width].reshape(-1, self._width)
        changes = np.flatnonzero((np.diff(places) != 0) | (np.diff(width) != 0)) + 1
        for first, last in zip([0, *changes], [*changes, len(batch)], strict=True):
            number = numbers.get((names[int(places[first])], int(width[first])))
            if number is None:
                raise ReleaseError(f"{where}: no part of the header has this group and size")
            part = self.header.parts[number]
            some = rows[first:last]
            if some[:, part.bytes :].any():
                raise ReleaseError(f"{where}: a seed is longer than its generator's")
            yield number, part.unpacked(some[:, : part.bytes], where)
