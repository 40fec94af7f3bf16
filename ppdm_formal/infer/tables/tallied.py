"""Tallied: what was counted in some files of reports, and in which; format ppdm-counts/1.

Operators, exact whole numbers, and the digest of every file that was counted, so that no file is
counted twice, whatever is merged with what.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import ppdm_formal
from ppdm_formal.declare.operators.canonical import canonical, digest
from ppdm_formal.declare.result import Result
from ppdm_formal.infer.tables.report_counts import MOST_COUNTS, ReportCounts
from ppdm_formal.infer.tables.result import ReleaseSource
from ppdm_formal.run.described import operator_json, operator_of, prior_json, prior_of
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.json_parts import fields, list_of, text_of, whole_of
from ppdm_formal.run.release import Release, signed
from ppdm_formal.run.streams import sha256_of

FORMAT = "ppdm-counts/1"

MAX_BYTES = 1 << 28
"""Longest file of counts that is read."""


@dataclass(frozen=True)
class CountedFile:
    """A file that was counted: its name, the digest of its bytes, and how many reports it has."""

    file: str
    sha256: str
    rows: int

    @classmethod
    def of(cls, written: object) -> CountedFile:
        """What to_json wrote."""
        found = fields(written, "a source", "file", "sha256", "rows")
        file, sha256 = (text_of(found[key], "a source") for key in ("file", "sha256"))
        return cls(file, sha256, whole_of(found["rows"], "the rows of a source"))


@dataclass(frozen=True)
class Tallied(Result):
    """Counts of one or several columns of the same reports."""

    shown_in: ClassVar[str] = "tallied"

    columns: tuple[ReportCounts, ...]
    sources: tuple[CountedFile, ...]
    simulated: bool = False

    @property
    def rows(self) -> int:
        """How many reports were counted."""
        return sum(one.rows for one in self.sources)

    @property
    def source(self) -> ReleaseSource:
        """What an estimate names: the files, and the digest of the counts."""
        names = [one.file for one in self.sources]
        shown = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
        return ReleaseSource(shown, str(self.to_json()["sha256"]))

    def column(self, name: str) -> ReportCounts:
        """A column by its name."""
        for one in self.columns:
            if one.name == name:
                return one
        known = ", ".join(one.name for one in self.columns)
        raise DataError(f"no column {name} was counted (there are: {known})")

    @classmethod
    def of(cls, source: Release | Tallied) -> Tallied:
        """A tally as it is, or the reports of a release, counted."""
        if isinstance(source, Tallied):
            return source
        check_table(source)
        columns = []
        for one in source.columns:
            empty = ReportCounts.create(one.operator, one.name, one.prior)
            columns.append(ReportCounts.of_batches(empty, source.report_blocks(one.name)))
        return counted_release(source, columns)

    @classmethod
    def merge(cls, parts: Sequence[Tallied]) -> Tallied:
        """All together; DataError where a file was counted twice, or operators differ."""
        if len(parts) == 1:
            return parts[0]
        seen: dict[str, str] = {}
        for source in (source for part in parts for source in part.sources):
            if source.sha256 in seen:
                also = "" if seen[source.sha256] == source.file else f" (as {seen[source.sha256]})"
                raise DataError(
                    f"{source.file} is given twice{also}: its reports would be counted twice"
                )
            seen[source.sha256] = source.file
        first = parts[0]
        columns = []
        for one in first.columns:
            alike = [one]
            for part in parts[1:]:
                single = len(first.columns) == len(part.columns) == 1
                if len(part.columns) != len(first.columns):
                    raise DataError("tallies of different columns cannot be counted together")
                alike.append(part.columns[0] if single else part.column(one.name))
            columns.append(ReportCounts.merge(alike))
        sources = tuple(source for part in parts for source in part.sources)
        return cls(tuple(columns), sources, any(part.simulated for part in parts))

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-counts/1, with its own digest."""
        return signed(
            {
                "format": FORMAT,
                "tool": {"name": "ppdm_formal", "version": ppdm_formal.__version__},
                "rows": self.rows,
                "simulated": self.simulated,
                "columns": [_column_json(one) for one in self.columns],
                "sources": [vars(one).copy() for one in self.sources],
            }
        )

    def text(self) -> str:
        """As its file holds it: canonical JSON and a line feed."""
        return canonical(self.to_json()) + "\n"

    @classmethod
    def read(cls, path: Path) -> Tallied:
        """The counts in a file, checked."""
        with path.open("rb") as raw:
            content = raw.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise ReleaseError(f"{path}: longer than {MAX_BYTES:,} bytes")
        try:
            return cls.of_json(json.loads(content))
        except DataError as wrong:
            raise ReleaseError(f"{path}: {wrong}") from None
        except (ValueError, RecursionError):
            raise ReleaseError(f"{path}: not JSON") from None

    @classmethod
    def of_json(cls, written: Any) -> Tallied:
        """What to_json wrote; it comes from a file, so everything is checked."""
        if not isinstance(written, dict) or written.get("format") != FORMAT:
            raise ReleaseError(f"not counts of format {FORMAT}")
        inside = {key: value for key, value in written.items() if key != "sha256"}
        if written.get("sha256") != digest(inside):
            raise ReleaseError("the counts were edited or damaged: their digest is another")
        keys = ("format", "tool", "rows", "simulated", "columns", "sources")
        found = fields(inside, "counts", *keys)
        rows = whole_of(found["rows"], "the number of rows")
        if not isinstance(found["simulated"], bool):
            raise ReleaseError("whether counts are simulated is neither true nor false")
        columns = tuple(_column_of(one, rows) for one in list_of(found["columns"], "columns"))
        sources = tuple(map(CountedFile.of, list_of(found["sources"], "sources")))
        names = [one.name for one in columns]
        digests = [one.sha256 for one in sources]
        if not columns or len(set(names)) < len(names) or len(set(digests)) < len(digests):
            raise ReleaseError("counts without columns, or with a column or source twice")
        if sum(one.rows for one in sources) != rows:
            raise ReleaseError("the rows of the sources do not add up")
        return cls(columns, sources, found["simulated"])


def tallied(path: Path | str) -> Release | Tallied:
    """A release, or a file of counts."""
    found = Path(path)
    if found.suffix.lower() == ".json" and found.is_file():
        with found.open("rb") as raw:
            begin = raw.read(1 << 16)
        if f'"format":"{FORMAT}"'.encode() in begin or _is_counts(found):
            return Tallied.read(found)
    return Release.read(found)


def _is_counts(path: Path) -> bool:
    """Whether a JSON file says that it holds counts, wherever it says so (keys are sorted)."""
    if path.stat().st_size > MAX_BYTES:
        return False
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("format") == FORMAT


def check_table(release: Release) -> None:
    """Refuse a release of transactions."""
    if release.transactions is not None:
        raise DataError(
            f"{release.path}: holds transactions: ppdm mine counts itemsets in any number of files"
        )


def counted_release(release: Release, columns: Sequence[ReportCounts]) -> Tallied:
    """Counts of all reports of a release."""
    assert release.path is not None
    for one in columns:
        if one.rows != release.tally.rows_out:
            raise ReleaseError(f"{release.path}: not the number of rows that the release says")
    sha256 = release.data.sha256 or sha256_of(release.path)
    source = CountedFile(release.path.name, sha256, release.tally.rows_out)
    return Tallied(tuple(columns), (source,), release.simulated)


def _column_json(one: ReportCounts) -> dict[str, Any]:
    return {
        "name": one.name,
        "operator": operator_json(one.operator),
        "prior": prior_json(one.prior, one.operator.inputs),
        "counted": "outputs" if one.operator.report.by_output else "supports",
        "counts": one.counts.tolist(),
    }


def _column_of(written: object, rows: int) -> ReportCounts:
    found = fields(written, "a column", "name", "operator", "prior", "counted", "counts")
    operator = operator_of(found["operator"])
    name = text_of(found["name"], "the name of a column")
    prior = prior_of(found["prior"], operator.inputs)
    by_output = operator.report.by_output
    counts = list_of(found["counts"], "counts")
    size = operator.report.counted
    if found["counted"] != ("outputs" if by_output else "supports") or size > MOST_COUNTS:
        raise ReleaseError("what was counted is not what this operator's reports tell")
    if len(counts) != size or not all(type(n) is int and 0 <= n <= rows for n in counts):
        raise ReleaseError("counts are whole numbers up to that of the rows, one each")
    if by_output and sum(counts) != rows:
        raise ReleaseError("the counts of outputs do not add up to the rows")
    return ReportCounts.create(operator, name, prior).restored(rows, counts)
