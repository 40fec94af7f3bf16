"""Accepted: the reports that one operator's clients send: checked, packed, counted, released."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import IO, Any

import numpy as np

from ppdm_formal.declare.operators.report import Batch, Integers, NotAReport, Report
from ppdm_formal.run.cells import Cells
from ppdm_formal.run.collect.journal import Kept
from ppdm_formal.run.described import operator_json
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.randomize import randomize
from ppdm_formal.run.release import Override, Release, ReleasedColumn
from ppdm_formal.run.released import DataFile
from ppdm_formal.run.shuffle import Shuffle
from ppdm_formal.run.shuffled_table import ShuffledWriter
from ppdm_formal.run.tables import Block, TableFile, create_table
from ppdm_formal.run.tally import Tally
from ppdm_formal.run.web.refused import Refused

_BLOCK = 1 << 16
"""Reports that are handed on at a time."""


@dataclass(frozen=True)
class Accepted:
    """The reports of one column: what they must be, and what was applied."""

    column: ReleasedColumn
    folder: Path
    overrides: tuple[Override, ...] = ()

    @cached_property
    def report(self) -> Report:
        """The type of the reports."""
        return self.column.operator.report

    @cached_property
    def digest(self) -> str:
        """Of the operator, as releases have it."""
        return str(operator_json(self.column.operator)["sha256"])

    @property
    def says(self) -> str:
        """What a report is, in words."""
        return f"{self.report.kind}: one of the outputs {self.column.operator.outputs}"

    def packed(self, reports: Sequence[Any]) -> bytes:
        """The reports of a batch as the journal keeps them; Refused for one that is none."""
        try:
            return self.report.of_json(reports).tobytes()
        except NotAReport as problem:
            raise Refused(
                422,
                f"report {problem.place} of the batch, from 0 on, is {problem.why}",
                "send reports as the client draws them; none of the batch was taken",
            ) from None

    def unpacked(self, kept: Kept) -> Batch:
        """The reports that packed packed."""
        like = self._empty
        found = np.frombuffer(kept.packed, dtype=like.dtype)
        return found.reshape(kept.rows, *like.shape[1:])

    @cached_property
    def _empty(self) -> Batch:
        return self.report.empty()

    def release(self, name: str, batches: Iterator[Kept], raw: IO[bytes]) -> None:
        """Write the release of a window: all its reports, in a uniformly random order."""
        only, report = _Only(self.column.name), self.report
        listed = report.kind == "value"
        cells = {only.name: Cells(self.column.operator.outputs)} if listed else {}
        packed = {} if listed else {only.name: report}
        rows = 0
        with (
            create_table(TableFile(Path(name), "parquet"), raw, cells, only, packed) as table,
            Shuffle(Keystream(), self.folder) as shuffle,
        ):
            writer = ShuffledWriter(table, shuffle, cells, list(packed), _unsaid)
            for batch in _blocks(map(self.unpacked, batches)):
                rows += len(batch)
                block = {only.name: batch}
                writer.write(Block(block) if listed else Block({}, packed=block))
            writer.finish(self._released(name, rows).metadata)

    def _released(self, name: str, rows: int) -> Release:
        data = DataFile(name, "parquet", None)
        return Release(
            data, Tally(rows, rows), (self.column,), overrides=self.overrides, shuffled=True
        )

    def examples(self) -> list[Any]:
        """Two reports as clients send them."""
        operator = self.column.operator
        return [self.report.encoded(one) for one in randomize(operator, [operator.inputs[0]] * 2)]


class SoFar:
    """What has been counted so far: all that an estimate needs."""

    def __init__(self, accepted: Accepted) -> None:
        self._accepted = accepted
        self._rows = 0
        self._counts = np.zeros(accepted.report.counted, dtype=np.int64)
        self._lock = Lock()

    def add(self, kept: Kept) -> None:
        """One more batch."""
        self._add(self._accepted.unpacked(kept))

    def _add(self, batch: Batch) -> None:
        with self._lock:
            self._accepted.report.add(batch, self._counts)
            self._rows += len(batch)

    def add_closed(self, paths: Iterable[Path]) -> None:
        """The windows that were closed before."""
        for path in paths:
            for batch in Release.read(path).report_blocks(self._accepted.column.name):
                self._add(batch)

    def now(self) -> tuple[int, Integers]:
        """How many reports there are, and the counts."""
        with self._lock:
            return self._rows, self._counts.copy()


def _unsaid(_: float) -> None:
    """How far a file is, which nobody waits for."""


@dataclass
class _Only:
    """A table of one column, for a writer."""

    name: str
    place: str = "row"

    @property
    def order(self) -> list[str]:
        """The one column."""
        return [self.name]

    @property
    def kinds(self) -> dict[str, Any]:
        """It is not kept as it is."""
        return {}

    def blocks(self) -> Iterator[Block]:
        """No rows of its own."""
        return iter(())

    def share(self) -> float:
        """Nothing is left to read."""
        return 1.0


def _blocks(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Batches joined to blocks."""
    held: list[Batch] = []
    rows = 0
    for batch in batches:
        held.append(batch)
        rows += len(batch)
        if rows >= _BLOCK:
            yield np.concatenate(held)
            held, rows = [], 0
    if held:
        yield np.concatenate(held)
