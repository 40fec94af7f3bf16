"""Followed: a folder into which files of reports come; new ones are counted as they appear.

A file counts once it is whole: a release when its description is there and its digest fits, a bare
file when two looks found it with the same size and time. The counts are a file that is written
anew, whole or not at all, and read again at the start: what it counted is not counted twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ppdm_formal.declare.machine.files import text_writer, write_all
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.collected import estimate
from ppdm_formal.infer.tables.tallied import Tallied
from ppdm_formal.infer.tables.tally import TallySource, tally
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.release import SUFFIX, Release
from ppdm_formal.run.streams import bare_suffix

_ENDINGS = (".csv", ".parquet", ".pq", ".jsonl", ".ndjson")


class Followed:
    """The folder, and what was counted so far."""

    def __init__(
        self,
        folder: Path,
        target: Path,
        estimated: Path | None,
        operator: Operator | None,
        column: str | None,
    ) -> None:
        self.folder, self.target, self.estimated = folder, target, estimated
        self.operator, self.column = operator, column
        self.counted = Tallied.read(target) if target.is_file() else None
        self._seen: dict[Path, tuple[int, int]] = {}
        self._done: set[Path] = set()

    def look(self) -> Iterator[str]:
        """Count what is new, write, and say so; a file that cannot be read is named once."""
        found: list[TallySource] = []
        known = set() if self.counted is None else {one.sha256 for one in self.counted.sources}
        for path in sorted(self.folder.iterdir()):
            if path in self._done or not self._whole(path):
                continue
            self._done.add(path)
            try:
                source = self._source(path)
            except DataError as problem:
                yield f"left out: {problem}"
                continue
            if source.sha256 in known:
                continue
            known.add(source.sha256)
            found.append(source)
        for source in found:
            before = [] if self.counted is None else [self.counted]
            try:
                self.counted = tally([*before, source])
            except DataError as problem:
                yield f"left out: {problem}"
        if found and self.counted is not None:
            self._write(self.counted)
            yield f"{self.counted.rows:,} reports of {len(self.counted.sources):,} files"

    def _whole(self, path: Path) -> bool:
        """Whether a file can be read now; other files are passed over."""
        if path.name.startswith(".") or bare_suffix(path) not in _ENDINGS or not path.is_file():
            return False
        if path.resolve() in (self.target.resolve(), self.estimated and self.estimated.resolve()):
            return False
        if self.operator is None:
            return Path(f"{path}{SUFFIX}").is_file() or path.suffix in (".parquet", ".pq")
        now = path.stat()
        told = now.st_size, now.st_mtime_ns
        before, self._seen[path] = self._seen.get(path), told
        return before == told and now.st_size > 0

    def _source(self, path: Path) -> TallySource:
        if self.operator is None:
            return TallySource.of_release(Release.read(path))
        return TallySource.of_reports(path, self.operator, self.column)

    def _write(self, counted: Tallied) -> None:
        """Counts and estimate, both or none."""
        files = [(str(self.target), text_writer(lambda: [counted.text()]))]
        if self.estimated is not None:
            files.append((str(self.estimated), text_writer(estimate(counted).json_text)))
        write_all(files)
