"""What a server keeps on disk: shares by report number, and how far the collection has come.

In SQLite, so that a change is there whole or not at all, whenever the process is killed. The
stages are one way: open, closed, agreed. What was agreed upon is never changed, or the sums of
two sets of reports would show the reports that they differ in.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from ppdm_formal.run.two_servers.shares import total


class VectorRefused(ValueError):
    """Why a server does not do what it is asked to."""


class ServerState:
    """The state of one server for one collection of vectors of a width."""

    def __init__(self, path: Path, width: int, least: int) -> None:
        self._width, self._least = width, least
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("pragma synchronous = full")
        self._file.execute(
            "create table if not exists shares "
            "(number text primary key, share text, counted integer)"
        )
        self._file.execute("create table if not exists stage (name text)")

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @property
    def stage(self) -> str:
        """Open, closed or agreed."""
        found = self._file.execute("select name from stage").fetchone()
        return "open" if found is None else str(found[0])

    def count(self) -> int:
        """How many shares are here."""
        return int(self._file.execute("select count(*) from shares").fetchone()[0])

    def add(self, shares: Iterable[tuple[str, Sequence[int]]]) -> list[str]:
        """Keep shares, all at once; for each "kept", or why it is not.

        One that comes again is kept once: a client that heard no answer sends it again.
        """
        found = []
        with self._change() as file:
            opened = self.stage == "open"
            for number, share in shares:
                text = json.dumps(share)
                known = file.execute("select share from shares where number = ?", (number,))
                before = known.fetchone()
                if before is not None:
                    same = before[0] == text
                    found.append("kept" if same else "another share has this number")
                elif not opened:
                    found.append("the collection is closed")
                else:
                    file.execute("insert into shares values (?, ?, 0)", (number, text))
                    found.append("kept")
        return found

    def end(self) -> int:
        """Take no more shares; how many there are."""
        with self._change() as file:
            if self.stage == "open":
                file.execute("insert into stage values ('closed')")
            return self.count()

    def numbers(self) -> list[str]:
        """The numbers of the reports whose share is here, once no more are taken."""
        if self.stage == "open":
            raise VectorRefused("the collection is still open")
        return [row[0] for row in self._file.execute("select number from shares order by number")]

    def agree(self, others: Iterable[str]) -> None:
        """Count the reports that the other server has as well: once, and for good."""
        with self._change() as file:
            if self.stage == "agreed":
                return
            both = sorted({*self.numbers()} & {*others})
            if len(both) < self._least:
                raise VectorRefused(
                    f"only {len(both)} reports are whole; fewer than {self._least} are not added up"
                )
            file.executemany(
                "update shares set counted = 1 where number = ?", [(number,) for number in both]
            )
            file.execute("update stage set name = 'agreed'")

    def agreed(self) -> tuple[int, str]:
        """How many reports are counted, and the digest of their numbers."""
        if self.stage != "agreed":
            raise VectorRefused("which reports count is not agreed upon")
        rows = self._file.execute("select number from shares where counted = 1 order by number")
        numbers = [row[0] for row in rows]
        return len(numbers), hashlib.sha256(" ".join(numbers).encode()).hexdigest()

    def sum(self) -> list[int]:
        """The sum of the shares of the reports that are counted: the only thing that leaves."""
        self.agreed()
        rows = self._file.execute("select share from shares where counted = 1")
        return total((json.loads(row[0]) for row in rows), self._width)

    def _change(self) -> _Change:
        return _Change(self._file)


class _Change:
    """A change that is whole when the block ends, and undone where it fails."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def __enter__(self) -> sqlite3.Connection:
        self._file.execute("begin immediate")
        return self._file

    def __exit__(self, kind: object, *_: object) -> None:
        self._file.execute("commit" if kind is None else "rollback")
