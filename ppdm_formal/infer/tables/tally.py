"""The tally: reports of many files counted part by part, by this process or by a cluster.

A part is some row groups of a Parquet file, or a whole file. Counts of parts are added up, so that
neither their order nor who counts them changes any number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

import ppdm_formal
from ppdm_formal.declare.machine.threads import processors
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.report_counts import ReportCounts
from ppdm_formal.infer.tables.tallied import CountedFile, Tallied, check_table, tallied
from ppdm_formal.run.described import operator_json, operator_of
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.parquet_table import row_groups
from ppdm_formal.run.release import Release
from ppdm_formal.run.report_files import ReportFile, table_batches
from ppdm_formal.run.streams import sha256_of
from ppdm_formal.run.tables import TableFile

PART_ROWS = 1 << 20
"""Reports of a part, where a file can be divided."""


@dataclass(frozen=True)
class TallySource:
    """A file to be counted: where it is, its digest, the columns, and how it is written."""

    path: Path
    sha256: str
    names: tuple[str, ...]
    operators: tuple[Operator, ...]
    priors: tuple[Prior | None, ...]
    file: TableFile | ReportFile
    rows: int | None = None
    """How many there are, where a release says so."""

    simulated: bool = False

    @classmethod
    def of_release(cls, release: Release) -> TallySource:
        """A release, whose digest was checked when it was read."""
        check_table(release)
        assert release.path is not None
        data, columns = release.data, release.columns
        return cls(
            release.path,
            data.sha256 or sha256_of(release.path),
            tuple(one.name for one in columns),
            tuple(one.operator for one in columns),
            tuple(one.prior for one in columns),
            TableFile(release.path, data.format, data.compression),  # type: ignore[arg-type]
            release.tally.rows_out,
            release.simulated,
        )

    @classmethod
    def of_reports(cls, path: Path, operator: Operator, column: str | None = None) -> TallySource:
        """A file of bare reports of an operator."""
        if operator.parameters:
            raise DataError(f"{operator.name}: give values to its parameters (--set NAME=VALUE)")
        file = ReportFile.named(path, column)
        name = operator.name or "answers"
        return cls(path, sha256_of(path), (name,), (operator,), (None,), file)

    def parts(self) -> list[tuple[int, ...] | None]:
        """The row groups of each part; None: the whole file."""
        if self.file.format != "parquet":
            return [None]
        found: list[tuple[int, ...] | None] = []
        some: list[int] = []
        rows = 0
        for group, many in enumerate(row_groups(self.path)):
            some.append(group)
            rows += many
            if rows >= PART_ROWS:
                found.append(tuple(some))
                some, rows = [], 0
        return [*found, tuple(some)] if some or not found else found

    def empty(self) -> list[ReportCounts]:
        """Counts of nothing, a column each."""
        return [
            ReportCounts.create(operator, name, prior)
            for operator, name, prior in zip(self.operators, self.names, self.priors, strict=True)
        ]


PartCounts = tuple[int, list[np.ndarray[Any, np.dtype[np.int64]]]]
"""How many rows, and the counts of each column."""


def counted_part(source: TallySource, groups: tuple[int, ...] | None) -> PartCounts:
    """One part of a file, counted."""
    operators = dict(zip(source.names, source.operators, strict=True))
    counts = [one.counts for one in source.empty()]
    rows = 0
    file = source.file
    if isinstance(file, ReportFile):
        [operator] = source.operators
        blocks = ((len(batch), (batch,)) for batch in file.batches(operator, groups))
    else:
        blocks = table_batches(file, operators, groups)  # type: ignore[assignment]
    for many, batches in blocks:
        rows += many
        for operator, batch, into in zip(source.operators, batches, counts, strict=True):
            operator.report.add(batch, into)
    return rows, counts


class TallyEngine(Protocol):
    """Who counts parts."""

    def counted(
        self, tasks: Sequence[tuple[int, TallySource, tuple[int, ...] | None]]
    ) -> Iterator[tuple[int, PartCounts]]:
        """The number of each task with what was counted, in any order."""


class LocalTally:
    """This process, a thread a processor."""

    def counted(
        self, tasks: Sequence[tuple[int, TallySource, tuple[int, ...] | None]]
    ) -> Iterator[tuple[int, PartCounts]]:
        """See TallyEngine; few parts wait with their counts, so that memory is bounded."""
        workers = min(len(tasks), processors())
        if workers < 2:
            for number, source, groups in tasks:
                yield number, counted_part(source, groups)
            return
        left = iter(tasks)
        with ThreadPoolExecutor(workers) as pool:
            running: dict[Future[PartCounts], int] = {}
            try:
                while True:
                    while len(running) < 2 * workers and (task := next(left, None)) is not None:
                        running[pool.submit(counted_part, *task[1:])] = task[0]
                    if not running:
                        return
                    for done in wait(running, return_when=FIRST_COMPLETED).done:
                        yield running.pop(done), done.result()
            finally:
                pool.shutdown(cancel_futures=True)


def sources_of(
    paths: Sequence[Path], operator: Operator | None = None, column: str | None = None
) -> list[TallySource | Tallied]:
    """Releases and tallies, or files of bare reports of an operator."""
    if operator is not None:
        return [TallySource.of_reports(path, operator, column) for path in paths]
    found: list[TallySource | Tallied] = []
    for path in paths:
        one = tallied(path)
        found.append(TallySource.of_release(one) if isinstance(one, Release) else one)
    return found


def tally(
    sources: Sequence[TallySource | Tallied],
    engine: TallyEngine | None = None,
    say: Callable[[float], None] = lambda _: None,
) -> Tallied:
    """All counted together; DataError where a file is there twice, or operators differ."""
    known = [one for one in sources if isinstance(one, Tallied)]
    files = [one for one in sources if isinstance(one, TallySource)]
    named = [_nothing(one) for one in files]
    Tallied.merge([*known, *named])  # refuses before anything is counted
    tasks = [(k, source, part) for k, source in enumerate(files) for part in source.parts()]
    if not files:
        return Tallied.merge(known)
    rows, first = [0] * len(files), files[0]
    totals = dict(zip(first.names, [one.counts for one in first.empty()], strict=True))
    for done, (number, (many, counts)) in enumerate((engine or LocalTally()).counted(tasks), 1):
        rows[number] += many
        names = files[number].names if len(first.names) > 1 else first.names
        for name, part in zip(names, counts, strict=True):
            totals[name] += part
        say(done / len(tasks))
    for source, many in zip(files, rows, strict=True):
        if source.rows not in (None, many):
            raise DataError(f"{source.path}: not the number of rows that the release says")
    columns = tuple(
        replace(one, rows=sum(rows), counts=totals[one.name])
        for one in Tallied.merge(named).columns
    )
    listed = tuple(
        CountedFile(source.path.name, source.sha256, many)
        for source, many in zip(files, rows, strict=True)
    )
    simulated = any(source.simulated for source in files)
    return Tallied.merge([*known, Tallied(columns, listed, simulated)])


def _nothing(source: TallySource) -> Tallied:
    """A source whose reports are not counted yet."""
    listed = (CountedFile(source.path.name, source.sha256, 0),)
    return Tallied(tuple(source.empty()), listed, source.simulated)


def task_json(source: TallySource) -> str:
    """What a worker needs to know of a source, as text."""
    file = source.file
    return json.dumps(
        {
            "version": ppdm_formal.__version__,
            "path": str(source.path.resolve()),
            "names": list(source.names),
            "operators": [operator_json(one) for one in source.operators],
            "format": file.format,
            "compression": file.compression,
            "column": file.column if isinstance(file, ReportFile) else None,
            "bare": isinstance(file, ReportFile),
            "bytes": source.path.stat().st_size,
        }
    )


def source_of(text: str) -> TallySource:
    """The source that task_json told; DataError where this is another version, or another file."""
    found = json.loads(text)
    if found["version"] != ppdm_formal.__version__:
        raise DataError(
            f"a worker has ppdm_formal {ppdm_formal.__version__}, and this is {found['version']}"
        )
    path = Path(found["path"])
    if not path.is_file() or path.stat().st_size != found["bytes"]:
        raise DataError(f"{path}: a worker sees another file, or none")
    operators = tuple(map(operator_of, found["operators"]))
    file: TableFile | ReportFile = TableFile(path, found["format"], found["compression"])
    if found["bare"]:
        file = ReportFile(path, found["format"], found["compression"], found["column"])
    priors = (None,) * len(operators)
    return TallySource(path, "", tuple(found["names"]), operators, priors, file)
