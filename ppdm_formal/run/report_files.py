"""Report files: bare reports of one operator, as clients send them, without a description.

CSV and Parquet have a column of them; JSON lines a JSON value a line, as a client's `encoded` gives
it. All may be read in blocks, JSON lines and CSV compressed as well (.gz, .xz).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias

from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Batch, NotAReport
from ppdm_formal.run.cells import Cells
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.report_columns import of_column
from ppdm_formal.run.streams import Compression, bare_suffix, compression_of, reading
from ppdm_formal.run.tables import TableFile, TableFormat, open_table

Format: TypeAlias = TableFormat | Literal["json"]

JSON_LINES = {".jsonl": "json", ".ndjson": "json"}

_AT_ONCE = 1 << 14
"""Lines of JSON that are read at a time."""


@dataclass(frozen=True)
class ReportFile:
    """A file of bare reports: where it is, how it is written, and in which column they are."""

    path: Path
    format: Format
    compression: Compression | None = None
    column: str | None = None

    @classmethod
    def named(cls, path: Path, column: str | None = None) -> ReportFile:
        """As the file's name says."""
        if bare_suffix(path) in JSON_LINES:
            if column is not None:
                raise DataError(f"{path}: JSON lines have no columns")
            return cls(path, "json", compression_of(path))
        try:
            table = TableFile.named(path)
        except DataError:
            raise DataError(
                f"{path}: a file of reports ends in .csv, .parquet or .jsonl (.gz or .xz after it)"
            ) from None
        return cls(path, table.format, table.compression, column or _only_column(table))

    def batches(self, operator: Operator, groups: Sequence[int] | None = None) -> Iterator[Batch]:
        """The reports, checked, in blocks; of Parquet some row groups alone."""
        if self.format == "json":
            yield from self._lines(operator)
            return
        assert self.column is not None
        file = TableFile(self.path, self.format, self.compression)
        for _, (batch,) in table_batches(file, {self.column: operator}, groups):
            yield batch

    def _lines(self, operator: Operator) -> Iterator[Batch]:
        report = operator.report
        with reading(self.path, self.compression) as source:
            lines, done = source.lines(), 0
            while some := list(islice(lines, _AT_ONCE)):
                places, sent = [], []
                for number, line in enumerate(some, start=done + 1):
                    if line.strip():
                        places.append(number)
                        sent.append(_parsed(line))
                done += len(some)
                try:
                    yield report.of_json(sent)
                except NotAReport as wrong:
                    raise DataError(
                        f"{self.path}, line {places[wrong.place]}: no output of "
                        f"{operator.name}: {wrong.why}"
                    ) from None


def table_batches(
    file: TableFile, operators: dict[str, Operator], groups: Sequence[int] | None = None
) -> Iterator[tuple[int, tuple[Batch, ...]]]:
    """Blocks of some columns of a table, as checked batches; how many rows, and a batch each."""
    reports = {name: operator.report for name, operator in operators.items()}
    packed = [name for name, report in reports.items() if report.kind != "value"]
    cells = {n: Cells(operators[n].outputs) for n in operators if n not in packed}
    with open_table(file, cells, packed, groups) as reader:
        for block in reader.blocks():
            found = dict(block.coded)
            for name in operators:
                try:
                    if name in packed:
                        found[name] = of_column(reports[name], block.kept[name])
                    else:
                        reports[name].check(found[name])
                except NotAReport as wrong:
                    raise DataError(
                        f"{file.path}, {reader.place} {block.places[wrong.place]}, column {name}: "
                        f"no output of {operators[name].name}: {wrong.why}"
                    ) from None
            yield len(block.places), tuple(found[name] for name in operators)


def _parsed(line: str) -> object:
    """A line's JSON value; what is none is no report of any operator either."""
    try:
        return json.loads(line, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _only_column(table: TableFile) -> str:
    """The name of the only column; DataError where there are several."""
    if table.format == "parquet":
        from ppdm_formal.run.parquet_table import column_names

        names = column_names(table.path)
    else:
        import csv

        with reading(table.path, table.compression) as source:
            names = next(csv.reader(source.lines()), [])
    if len(names) != 1:
        raise DataError(
            f"{table.path}: {len(names)} columns: say which one holds the reports (--column)"
        )
    return names[0].strip()
