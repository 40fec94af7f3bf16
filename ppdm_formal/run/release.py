"""Release: what was applied to released data, so that anyone can estimate from them.

The description stands beside the data: out.csv has out.csv.release.json. It holds the exact law
of every randomized column, the claims that were decided of it, and counts of rows; nothing about
individuals. Both are bound by digests, and whatever is read is checked.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import ppdm_formal
from ppdm_formal.declare.machine.files import note_beside, settle
from ppdm_formal.declare.operators.canonical import canonical, digest
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Batch
from ppdm_formal.declare.result import Result
from ppdm_formal.run.basket_files import ITEMS, MAX_ITEMS, BasketFile, Items, RowSpan, open_baskets
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.cells import Positions
from ppdm_formal.run.compress import expand
from ppdm_formal.run.compress.kernels import Words
from ppdm_formal.run.compress.seed_reports import PARQUET, STREAM, seed_header
from ppdm_formal.run.compress.wire import gathered, open_seeds
from ppdm_formal.run.described import operator_json
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.json_parts import fields, list_of, text_of, texts_of, whole_of
from ppdm_formal.run.released import (
    DataFile,
    DecidedClaim,
    Origin,
    Override,
    ReleasedColumn,
)
from ppdm_formal.run.released_baskets import ReleasedGroup, ReleasedSize, Transactions
from ppdm_formal.run.report_files import table_batches
from ppdm_formal.run.shown import ShownAsIs
from ppdm_formal.run.streams import sha256_of
from ppdm_formal.run.tables import TableFile
from ppdm_formal.run.tally import Tally

__all__ = [
    "DataFile",
    "DecidedClaim",
    "Origin",
    "Override",
    "Release",
    "ReleasedColumn",
    "ReleasedGroup",
    "ReleasedSize",
    "Transactions",
]

FORMAT = "ppdm-release/1"
SUFFIX = ".release.json"

MAX_BYTES = 1 << 26
"""Longest description that is read or written."""

MAX_CELLS = 1 << 26
"""Largest joint table of counts."""

METADATA = "ppdm_release"
"""The key under which Parquet metadata hold the description (without the data's own digest)."""

SIMULATED = "ppdm_simulated"
"""The key that Parquet metadata have where the data are simulated."""


@dataclass(frozen=True)
class Release(Result):
    """Randomized data with what was applied to them."""

    shown_in: ClassVar[str] = "release"

    data: DataFile
    tally: Tally
    columns: tuple[ReleasedColumn, ...] = ()
    transactions: Transactions | None = None
    kept: tuple[str, ...] = ()
    overrides: tuple[Override, ...] = ()
    seed: int | None = None
    version: str = ppdm_formal.__version__
    shuffled: bool = False
    """Whether the order of the reports was drawn, uniformly: see `among`."""
    path: Path | None = field(default=None, compare=False)
    """Where the data are, if the release was read from files."""
    checked: tuple[int, ...] | None = field(default=None, compare=False)
    """Which file it was whose digest this process checked; other machines number files anew."""

    @property
    def simulated(self) -> bool:
        """Whether a seeded generator drew the data: such data protect nobody."""
        return self.seed is not None

    @property
    def among(self) -> tuple[int, ...]:
        """How many reports each stands among: all rows, or those of its group and size."""
        if self.transactions is None:
            return (self.tally.rows_out,)
        return tuple(part.rows for _, part in self.transactions.parts() if part.rows)

    def _check_same(self) -> None:
        """Refuse data that were replaced or changed after their digest was checked."""
        if self.path is None or self.checked is None or self.checked[0] != os.getpid():
            return
        if _which(self.path) != self.checked:
            raise ReleaseError(f"{self.path}: changed while it was being read")

    def column(self, name: str) -> ReleasedColumn:
        """A randomized column by its name."""
        for column in self.columns:
            if column.name == name:
                return column
        if name in self.kept:
            raise ReleaseError(f"the column {name} was kept as it is, not randomized")
        known = ", ".join(column.name for column in self.columns) or "none"
        raise ReleaseError(f"no randomized column {name} in the release (there are: {known})")

    @property
    def metadata(self) -> dict[str, str]:
        """What the metadata of a Parquet file say: the description, and whether it is simulated."""
        seeded = {} if self.seed is None else {SIMULATED: f"seed {self.seed}: protects nobody"}
        return {METADATA: self.text(), **seeded}

    def blocks(self, columns: Sequence[str]) -> Iterator[tuple[Positions, ...]]:
        """The randomized columns as positions among their operators' outputs, block by block."""
        operators = {name: self.column(name).operator for name in columns}
        for batches in self.batches(columns):
            found = zip(operators.values(), batches, strict=True)
            yield tuple(operator.report.positions(batch) for operator, batch in found)

    def batches(
        self, columns: Sequence[str], groups: Sequence[int] | None = None
    ) -> Iterator[tuple[Batch, ...]]:
        """The reports of some columns as batches (declare/operators/report.py), block by block.

        groups: of a Parquet file, some of its row groups.
        """
        if self.transactions is not None:
            raise ReleaseError("the release holds transactions: supports are found by ppdm mine")
        if self.path is None:
            raise ReleaseError("the release was not read from files: it has no data at hand")
        file = TableFile(self.path, self.data.format, self.data.compression)  # type: ignore[arg-type]
        operators = {name: self.column(name).operator for name in columns}
        try:
            for _, batches in table_batches(file, operators, groups):
                yield batches
        except ReleaseError:
            raise
        except DataError as wrong:
            raise ReleaseError(str(wrong)) from None
        self._check_same()

    def report_blocks(self, column: str) -> Iterator[Batch]:
        """The reports of one column as batches."""
        return (batch for (batch,) in self.batches([column]))

    def counts(self, columns: Sequence[str]) -> npt.NDArray[np.int64]:
        """How often each output (of several columns: each combination) occurs in the data.

        The axes of the array are the columns, in the order given.
        """
        if not columns or len(set(columns)) < len(columns):
            raise ReleaseError("counts need at least one column, each named once")
        shape = tuple(self.column(name).operator.outputs.size for name in columns)
        cells = int(np.prod([min(size, MAX_CELLS + 1) for size in shape], dtype=object))
        if cells > MAX_CELLS:
            raise ReleaseError(f"a joint table of more than {MAX_CELLS:,} cells is not counted")
        found = np.zeros(cells, dtype=np.int64)
        for block in self.blocks(columns):
            found += np.bincount(np.ravel_multi_index(block, shape), minlength=cells)
        if int(found.sum()) != self.tally.rows_out:
            raise ReleaseError(f"{self.path}: not the number of rows that the release says")
        return found.reshape(shape)

    def _reports(self) -> tuple[Transactions, Path]:
        """The transactions and where they are."""
        if self.transactions is None:
            raise ReleaseError("the release holds a table, not transactions")
        if self.path is None:
            raise ReleaseError("the release was not read from files: it has no data at hand")
        return self.transactions, self.path

    @property
    def sent_seeds(self) -> bool:
        """Whether the data are seeds (not written out since)."""
        return self.data.format in (STREAM, PARQUET)

    def seeds(
        self, only: RowSpan | None = None
    ) -> Iterator[tuple[ReleasedGroup, ReleasedSize, Words]]:
        """The seeds with their group and original size, block by block; all, or of a span."""
        found, path = self._reports()
        if not self.sent_seeds:
            raise ReleaseError(f"{path}: transactions written out, not seeds")
        parts = list(found.parts())
        with open_seeds(path, self.data.format == PARQUET) as reader:
            reader.header.check(seed_header(found), str(path))
            rows = [part.rows for _, part in parts]
            for number, seeds in gathered(reader.blocks(only), rows, str(path), only):
                yield *parts[number], seeds
        self._check_same()

    def baskets(
        self, only: RowSpan | None = None
    ) -> Iterator[tuple[ReleasedGroup, ReleasedSize, Baskets]]:
        """The reports with their group and original size, block by block; seeds are expanded.

        only: of a Parquet file, the reports of these rows alone.
        """
        found, path = self._reports()
        parts = list(found.parts())
        items = report_items(found)
        if self.sent_seeds:
            for group, part, seeds in self.seeds(only):
                assert part.generator is not None
                for expanded in expand.baskets(part.generator, seeds):
                    yield group, part, expanded
            return
        universes = np.array([group.universe(found.items) for group, _ in parts], dtype=np.int64)
        file = BasketFile(path, self.data.format, self.data.compression)  # type: ignore[arg-type]
        column = ITEMS if file.format == "parquet" else None
        ends = np.cumsum([part.rows for _, part in parts])
        done, last = (0, ends[-1]) if only is None else (only.first, only.last)
        with open_baskets(file, items, column) as reader:
            for block in reader.blocks(only):
                rows = np.arange(done, done + len(block.baskets))
                done += len(rows)
                if done > last:
                    break
                which = np.searchsorted(ends, rows, side="right")
                owners, reported = block.baskets.owners(), block.baskets.items
                wrong = np.flatnonzero((reported < 0) | (reported >= universes[which[owners]]))
                if wrong.size:
                    place = block.places[int(owners[wrong[0]])]
                    raise ReleaseError(f"{path}, {reader.place} {place}: not such items")
                for number in np.unique(which).tolist():
                    yield *parts[number], block.baskets.take(np.flatnonzero(which == number))
        self._check_same()
        if done != last:
            raise ReleaseError(f"{path}: not the number of transactions that it should have")

    def check_operator(self, name: str, operator: Operator, source: str) -> None:
        """Refuse an operator (of the model `source`) that is not the one that was applied."""
        applied = self.column(name).operator
        if operator_json(applied)["sha256"] != operator_json(operator)["sha256"]:
            raise ReleaseError(
                f"{source} is the wrong model for this release: its operator {operator.name} is "
                f"not the {applied.name} that was applied to {name}"
            )

    @property
    def shown(self) -> tuple[ShownAsIs, ...]:
        """What the data show besides what claims are about."""
        found = self.transactions
        if found is None:
            what, declared = "rows", ShownAsIs("the columns and the values that there can be", True)
        else:
            what, declared = "transactions", ShownAsIs("the items that there can be", True)
        order = "" if self.shuffled else " and their order"
        shown = [declared, ShownAsIs(f"the number of {what}{order}", False)]
        if found is not None and any(group.hidden is None for group in found.groups):
            shown.append(ShownAsIs("sizes of transactions", False))
        if self.tally.dropped:
            shown.append(ShownAsIs(f"how many {what} were left out, and why", False))
        return (*shown, *(ShownAsIs(f"column {name}", False) for name in self.kept))

    def to_json(self) -> dict[str, Any]:
        """The description with its digest."""
        return signed(
            {
                "format": FORMAT,
                "tool": {"name": "ppdm_formal", "version": self.version},
                "kind": "table" if self.transactions is None else "transactions",
                "data": self.data.to_json(),
                "simulated": None if self.seed is None else {"seed": self.seed},
                "columns": [column.to_json() for column in self.columns],
                "transactions": None if self.transactions is None else self.transactions.to_json(),
                "kept": list(self.kept),
                "counts": self.tally.to_json(),
                "overrides": [override.to_json() for override in self.overrides],
                "shuffled": _shuffled_json(self),
                "shown": [one.to_json() for one in self.shown],
            }
        )

    def text(self) -> str:
        """The description as its file holds it."""
        try:
            text = canonical(self.to_json()) + "\n"
            size = len(text.encode())
        except UnicodeEncodeError:
            raise ReleaseError("a name of a file or column is not Unicode text") from None
        if size > MAX_BYTES:
            raise ReleaseError(f"the description would be longer than {MAX_BYTES:,} bytes")
        return text

    @classmethod
    def read(cls, path: Path | str, *, check_data: bool = True) -> Release:
        """The release of a data file, or of the description beside it; digests are checked.

        A Parquet file whose description is missing is read by its own metadata, which cannot
        hold the file's digest.
        """
        data, described, embedded = locate(Path(path))
        beside = Path(path) if embedded or data is None else Path(f"{data}{SUFFIX}")
        release = cls.of(described, f"{path} (its metadata)" if embedded else str(beside))
        if (release.data.sha256 is None) != embedded:
            raise ReleaseError(f"{path}: a description beside its data holds their digest")
        if data is None:
            data = Path(path).parent / release.data.file
        checked = None
        if check_data:
            if not data.is_file():
                raise ReleaseError(f"{path}: the data file {data.name} is not beside it")
            checked = _which(data)
            if release.data.sha256 is not None and sha256_of(data) != release.data.sha256:
                raise ReleaseError(
                    f"{data}: not the data that were released (their digest is another)"
                    + _cut_off(data)
                )
        return replace(release, path=data, checked=checked)

    @classmethod
    def of(cls, text: str, source: str = "the release") -> Release:
        """The release that a description says, checked."""
        try:
            document = json.loads(text, object_pairs_hook=_once)
            return _release(document)
        except DataError as wrong:
            raise ReleaseError(f"{source}: {wrong}") from None
        except (ValueError, RecursionError):
            raise ReleaseError(f"{source}: not a release description: not JSON") from None


def report_items(transactions: Transactions) -> Items:
    """What reports are written in: the items by name, or the numbers of all groups' universes."""
    if transactions.plain:
        return Items(transactions.items, transactions.names)
    universes = {group.name: group.universe(transactions.items) for group in transactions.groups}
    check_universes(universes, remedy="" if transactions.compressed else ": use --compress")
    return Items(max(universes.values()))


def check_universes(universes: Mapping[str, int], remedy: str = "") -> None:
    """Refuse groups whose reports would be written out of too many numbers."""
    for name, universe in universes.items():
        if universe > MAX_ITEMS:
            raise DataError(
                f"group {name} reports among {universe:,} numbers; at most {MAX_ITEMS:,} are "
                f"written out{remedy}"
            )


def signed(document: dict[str, Any]) -> dict[str, Any]:
    """A document with the digest of all of it."""
    return {**document, "sha256": digest(document)}


def locate(path: Path) -> tuple[Path | None, str, bool]:
    """The data file (None: as the description says), its description, and whether it is inside."""
    _settle(path)
    if path.name.endswith(SUFFIX):
        return Path(str(path).removesuffix(SUFFIX)), _read(path), False
    beside = Path(f"{path}{SUFFIX}")
    if beside.is_file():
        return path, _read(beside), False
    if path.suffix.lower() == ".json":
        return None, _read(path), False
    if not path.is_file():
        raise ReleaseError(f"{path}: no such file")
    inside = _inside(path)
    if inside is not None:
        return path, inside, True
    raise ReleaseError(f"{path}: its release description {beside.name} is missing")


def _cut_off(data: Path) -> str:
    note = note_beside(data)
    if not os.path.lexists(note):
        return ""
    return (
        "; putting a newer release in place was cut off: a command that may write in this folder "
        f"finishes it ({note.name})"
    )


def _which(path: Path) -> tuple[int, ...]:
    """Which file stands there, and when it was last written."""
    found = path.stat()
    return os.getpid(), found.st_ino, found.st_size, found.st_mtime_ns


def _settle(path: Path) -> None:
    """Data and description that a writer could not put in place are put there, if that is allowed.

    If not, digests tell whether the two belong together.
    """
    with suppress(OSError, ValueError):
        settle(Path(str(path).removesuffix(SUFFIX)))


def is_release(path: Path) -> bool:
    """Whether a path is a release description, or data with one beside or inside them."""
    _settle(path)
    beside = Path(f"{path}{SUFFIX}")
    described = path.suffix.lower() == ".json" or beside.is_file()
    return described or (path.is_file() and _inside(path) is not None)


def _inside(path: Path) -> str | None:
    """The description that a Parquet file carries in its metadata."""
    if path.suffix.lower() not in (".parquet", ".pq"):
        return None
    from ppdm_formal.run.parquet_table import metadata_of

    return metadata_of(path).get(METADATA)


def _read(path: Path) -> str:
    with path.open("rb") as raw:
        content = raw.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ReleaseError(f"{path}: longer than {MAX_BYTES:,} bytes")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ReleaseError(f"{path}: not UTF-8") from None


def _release(written: Any) -> Release:
    if not isinstance(written, dict) or written.get("format") != FORMAT:
        raise ReleaseError(f"not a release description of format {FORMAT}")
    inside = {key: value for key, value in written.items() if key != "sha256"}
    if written.get("sha256") != digest(inside):
        raise ReleaseError("the description was edited or damaged: its digest is another")
    shown = inside.pop("shown", [])  # older descriptions do not say it; it follows from the rest
    shuffled = inside.pop("shuffled", None)
    found = fields(
        inside, "the description", "format", "tool", "kind", "data", "simulated", "columns",
        "transactions", "kept", "counts", "overrides",
    )  # fmt: skip
    tool = fields(found["tool"], "tool", "name", "version")
    text_of(tool["name"], "the name of the tool")
    described = found["transactions"]
    transactions = None if described is None else Transactions.of(described)
    if found["kind"] != ("table" if transactions is None else "transactions"):
        raise ReleaseError("the kind of the release does not fit what it holds")
    data = DataFile.of(found["data"])
    if data.format in (STREAM, PARQUET) and not (transactions and transactions.compressed):
        raise ReleaseError("the format of the data does not fit what was sent")
    columns = tuple(map(ReleasedColumn.of, list_of(found["columns"], "columns")))
    names = [column.name for column in columns] + list(texts_of(found["kept"], "kept"))
    if len(set(names)) < len(names) or (transactions is None) == (not columns):
        raise ReleaseError("the columns of the release do not fit its kind, or occur twice")
    tally = Tally.of(found["counts"])
    if transactions and sum(group.rows for group in transactions.groups) != tally.rows_out:
        raise ReleaseError("the counts of transactions do not add up")
    for part in list_of(shown, "what is shown"):
        ShownAsIs.of(part)
    release = Release(
        data,
        tally,
        columns,
        transactions,
        texts_of(found["kept"], "kept"),
        tuple(map(Override.of, list_of(found["overrides"], "overrides"))),
        _seed_of(found["simulated"]),
        text_of(tool["version"], "the version of the tool"),
        shuffled is not None,
    )
    if shuffled != _shuffled_json(release) or (release.shuffled and release.kept):
        raise ReleaseError("what is said of shuffling does not fit the reports")
    return release


def _shuffled_json(release: Release) -> dict[str, int] | None:
    if not release.shuffled:
        return None
    return {"reports": sum(release.among), "least": min(release.among, default=0)}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys differ: of two equal keys, readers take whichever they like."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ReleaseError("a key occurs twice")
    return found


def _seed_of(written: object) -> int | None:
    if written is None:
        return None
    seed = fields(written, "simulated", "seed")["seed"]
    return whole_of(seed, "the seed")
