"""Release: what was applied to released data, so that anyone can estimate from them.

The description stands beside the data: out.csv has out.csv.release.json. It holds the exact law
of every randomized column, the claims that were decided of it, and counts of rows; nothing about
individuals. Both are bound by digests, and whatever is read is checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import ppdm_formal
from ppdm_formal.operator.canonical import canonical, digest
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Prior
from ppdm_formal.run.cells import Cells, Positions
from ppdm_formal.run.described import (
    fields,
    operator_json,
    operator_of,
    prior_json,
    prior_of,
    texts,
)
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.streams import Compression, sha256_of
from ppdm_formal.run.tables import TableFile, open_table
from ppdm_formal.run.tally import Tally

FORMAT = "ppdm-release/1"
SUFFIX = ".release.json"

MAX_BYTES = 1 << 27
"""Longest description that is read or written."""

MAX_CELLS = 1 << 26
"""Largest joint table of counts."""

METADATA = "ppdm_release"
"""The key under which Parquet metadata hold the description (without the data's own digest)."""


@dataclass(frozen=True)
class DataFile:
    """The released file: name, how it is written, and its digest (None inside Parquet itself)."""

    file: str
    format: str
    compression: Compression | None
    sha256: str | None = None


@dataclass(frozen=True)
class Origin:
    """The model or plan that an operator comes from."""

    file: str
    sha256: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DecidedClaim:
    """What was claimed of an operator and found, with the digest of its certificate.

    vacuous: no case can test the claim. An undecided claim has no certificate.
    """

    text: str
    verdict: str
    vacuous: bool
    sha256: str | None


@dataclass(frozen=True)
class ReleasedColumn:
    """A randomized column: the exact operator that was applied, and the model's prior."""

    name: str
    operator: Operator
    model: Origin
    prior: Prior | None = None
    claims: tuple[DecidedClaim, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The column as the description holds it."""
        return {
            "name": self.name,
            "operator": operator_json(self.operator),
            "model": _origin_json(self.model),
            "prior": prior_json(self.prior, self.operator.inputs),
            "claims": [_claim_json(claim) for claim in self.claims],
        }

    @classmethod
    def of(cls, written: object) -> ReleasedColumn:
        """The column that to_json wrote."""
        found = fields(written, "a column", "name", "operator", "model", "prior", "claims")
        operator = operator_of(found["operator"])
        return cls(
            _text(found["name"], "the name of a column"),
            operator,
            _origin_of(found["model"]),
            prior_of(found["prior"], operator.inputs),
            tuple(map(_claim_of, _list(found["claims"], "claims"))),
        )


@dataclass(frozen=True)
class ReleasedSize:
    """Transactions of one size: how many there are, and the operator that was applied."""

    size: int
    rows: int
    operator: Operator
    claims: tuple[DecidedClaim, ...] = ()


@dataclass(frozen=True)
class Transactions:
    """Randomized transactions: all items, by name where they have names, and the plan's sizes.

    The size of each original transaction is public: the data come in the order of `sizes`.
    """

    items: int
    names: tuple[str, ...] | None
    plan: Origin
    sizes: tuple[ReleasedSize, ...]


@dataclass(frozen=True)
class Override:
    """A refusal that was overridden: of which column or transaction size, and why."""

    option: str
    where: str
    why: str


@dataclass(frozen=True)
class Release:
    """Randomized data with what was applied to them."""

    data: DataFile
    tally: Tally
    columns: tuple[ReleasedColumn, ...] = ()
    transactions: Transactions | None = None
    kept: tuple[str, ...] = ()
    overrides: tuple[Override, ...] = ()
    seed: int | None = None
    version: str = ppdm_formal.__version__
    path: Path | None = field(default=None, compare=False)
    """Where the data are, if the release was read from files."""

    @property
    def simulated(self) -> bool:
        """Whether a seeded generator drew the data: such data protect nobody."""
        return self.seed is not None

    def column(self, name: str) -> ReleasedColumn:
        """A randomized column by its name."""
        for column in self.columns:
            if column.name == name:
                return column
        if name in self.kept:
            raise ReleaseError(f"the column {name} was kept as it is, not randomized")
        known = ", ".join(column.name for column in self.columns) or "none"
        raise ReleaseError(f"no randomized column {name} in the release (there are: {known})")

    def blocks(self, columns: Sequence[str]) -> Iterator[tuple[Positions, ...]]:
        """The randomized columns as positions among their operators' outputs, block by block."""
        if self.transactions is not None:
            raise ReleaseError("the release holds transactions: supports are found by ppdm mine")
        if self.path is None:
            raise ReleaseError("the release was not read from files: it has no data at hand")
        cells = {name: Cells(self.column(name).operator.outputs) for name in columns}
        file = TableFile(self.path, self.data.format, self.data.compression)  # type: ignore[arg-type]
        with open_table(file, cells) as reader:
            for block in reader.blocks():
                found = tuple(block.coded[name] for name in columns)
                for name, positions in zip(columns, found, strict=True):
                    if positions.size and positions.min() < 0:
                        place = block.places[int(np.argmax(positions < 0))]
                        raise ReleaseError(
                            f"{self.path}, {reader.place} {place}, column {name}: no output of "
                            f"{self.column(name).operator.name}"
                        )
                yield found

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

    def check_operator(self, name: str, operator: Operator, source: str) -> None:
        """Refuse an operator (of the model `source`) that is not the one that was applied."""
        applied = self.column(name).operator
        if operator_json(applied)["sha256"] != operator_json(operator)["sha256"]:
            raise ReleaseError(
                f"{source} is the wrong model for this release: its operator {operator.name} is "
                f"not the {applied.name} that was applied to {name}"
            )

    def to_json(self) -> dict[str, Any]:
        """The description with its digest."""
        return signed(
            {
                "format": FORMAT,
                "tool": {"name": "ppdm_formal", "version": self.version},
                "kind": "table" if self.transactions is None else "transactions",
                "data": vars(self.data).copy(),
                "simulated": None if self.seed is None else {"seed": self.seed},
                "columns": [column.to_json() for column in self.columns],
                "transactions": _transactions_json(self.transactions),
                "kept": list(self.kept),
                "counts": self.tally.to_json(),
                "overrides": [vars(override).copy() for override in self.overrides],
            }
        )

    def text(self) -> str:
        """The description as its file holds it."""
        text = canonical(self.to_json()) + "\n"
        if len(text.encode()) > MAX_BYTES:
            raise ReleaseError(f"the description would be longer than {MAX_BYTES:,} bytes")
        return text

    @classmethod
    def read(cls, path: Path | str, *, check_data: bool = True) -> Release:
        """The release of a data file, or of the description beside it; digests are checked.

        A Parquet file whose description is missing is read by its own metadata, which cannot
        hold the file's digest.
        """
        data, described = locate(Path(path))
        release = cls.of(described, str(path))
        if data is None:
            data = Path(path).parent / release.data.file
        if check_data:
            if not data.is_file():
                raise ReleaseError(f"{path}: the data file {data.name} is not beside it")
            if release.data.sha256 is not None and sha256_of(data) != release.data.sha256:
                raise ReleaseError(
                    f"{data}: not the data that were released (their digest is another)"
                )
        return replace(release, path=data)

    @classmethod
    def of(cls, text: str, source: str = "the release") -> Release:
        """The release that a description says, checked."""
        try:
            document = json.loads(text)
            return _release(document)
        except ReleaseError as wrong:
            raise ReleaseError(f"{source}: {wrong}") from None
        except (ValueError, RecursionError):
            raise ReleaseError(f"{source}: not a release description: not JSON") from None


def signed(document: dict[str, Any]) -> dict[str, Any]:
    """A document with the digest of all of it."""
    return {**document, "sha256": digest(document)}


def locate(path: Path) -> tuple[Path | None, str]:
    """The data file and the text of its description, given either; None if its name is unknown."""
    if path.name.endswith(SUFFIX):
        return path.with_name(path.name.removesuffix(SUFFIX)), _read(path)
    beside = path.with_name(path.name + SUFFIX)
    if beside.is_file():
        return path, _read(beside)
    if path.suffix.lower() == ".json":
        return None, _read(path)
    if not path.is_file():
        raise ReleaseError(f"{path}: no such file")
    if path.suffix.lower() in (".parquet", ".pq"):
        from ppdm_formal.run.parquet_table import metadata_of

        inside = metadata_of(path).get(METADATA)
        if inside is not None:
            return path, inside
    raise ReleaseError(f"{path}: its release description {beside.name} is missing")


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
    found = fields(
        inside, "the description", "format", "tool", "kind", "data", "simulated", "columns",
        "transactions", "kept", "counts", "overrides",
    )  # fmt: skip
    tool = fields(found["tool"], "tool", "name", "version")
    _text(tool["name"], "the name of the tool")
    transactions = _transactions_of(found["transactions"])
    if found["kind"] != ("table" if transactions is None else "transactions"):
        raise ReleaseError("the kind of the release does not fit what it holds")
    columns = tuple(map(ReleasedColumn.of, _list(found["columns"], "columns")))
    names = [column.name for column in columns] + list(texts(found["kept"], "kept"))
    if len(set(names)) < len(names) or (transactions is None) == (not columns):
        raise ReleaseError("the columns of the release do not fit its kind, or occur twice")
    return Release(
        _data_of(found["data"]),
        Tally.of(found["counts"]),
        columns,
        transactions,
        texts(found["kept"], "kept"),
        tuple(map(_override_of, _list(found["overrides"], "overrides"))),
        _seed_of(found["simulated"]),
        _text(tool["version"], "the version of the tool"),
    )


def _data_of(written: object) -> DataFile:
    found = fields(written, "data", "file", "format", "compression", "sha256")
    name = _text(found["file"], "the data's file")
    if name in ("", ".", "..") or "/" in name or "\\" in name or "\0" in name:
        raise ReleaseError("the data's file is not a plain file name")
    if found["format"] not in ("csv", "parquet", "fimi", "baskets"):
        raise ReleaseError("the format of the data is not known here")
    if found["compression"] not in (None, "gzip", "xz"):
        raise ReleaseError("the compression of the data is not known here")
    sha256 = None if found["sha256"] is None else _text(found["sha256"], "the data's digest")
    return DataFile(name, found["format"], found["compression"], sha256)


def _seed_of(written: object) -> int | None:
    if written is None:
        return None
    seed = fields(written, "simulated", "seed")["seed"]
    return _number(seed, "the seed")


def _override_of(written: object) -> Override:
    found = fields(written, "an override", "option", "where", "why")
    return Override(*(_text(found[key], "an override") for key in ("option", "where", "why")))


def _origin_json(origin: Origin) -> dict[str, Any]:
    return {"file": origin.file, "sha256": origin.sha256, "set": dict(origin.values)}


def _origin_of(written: object) -> Origin:
    found = fields(written, "a model or plan", "file", "sha256", "set")
    values = found["set"]
    if not isinstance(values, dict) or not all(isinstance(v, str) for v in values.values()):
        raise ReleaseError("the parameters of a model are not text")
    file, sha256 = (_text(found[key], "a model or plan") for key in ("file", "sha256"))
    return Origin(file, sha256, values)


def _claim_json(claim: DecidedClaim) -> dict[str, Any]:
    return vars(claim).copy()


def _claim_of(written: object) -> DecidedClaim:
    found = fields(written, "a claim", "text", "verdict", "vacuous", "sha256")
    if found["verdict"] not in ("certified", "breached", "unknown"):
        raise ReleaseError("the verdict of a claim is not known here")
    if not isinstance(found["vacuous"], bool):
        raise ReleaseError("whether a claim is vacuous is neither true nor false")
    sha256 = None if found["sha256"] is None else _text(found["sha256"], "a claim's digest")
    return DecidedClaim(_text(found["text"], "a claim"), found["verdict"], found["vacuous"], sha256)


def _transactions_json(found: Transactions | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "items": found.items,
        "names": None if found.names is None else list(found.names),
        "plan": _origin_json(found.plan),
        "sizes": [
            {
                "size": part.size,
                "rows": part.rows,
                "operator": operator_json(part.operator),
                "claims": [_claim_json(claim) for claim in part.claims],
            }
            for part in found.sizes
        ],
    }


def _transactions_of(written: object) -> Transactions | None:
    if written is None:
        return None
    found = fields(written, "transactions", "items", "names", "plan", "sizes")
    items = _number(found["items"], "the number of items")
    names = None if found["names"] is None else texts(found["names"], "the names of items")
    if names is not None and (len(names) != items or len(set(names)) < items):
        raise ReleaseError("there is not one name for each item")
    sizes = []
    for part in _list(found["sizes"], "sizes"):
        inside = fields(part, "a size", "size", "rows", "operator", "claims")
        sizes.append(
            ReleasedSize(
                _number(inside["size"], "a size"),
                _number(inside["rows"], "the transactions of a size"),
                operator_of(inside["operator"]),
                tuple(map(_claim_of, _list(inside["claims"], "claims"))),
            )
        )
    return Transactions(items, names, _origin_of(found["plan"]), tuple(sizes))


def _text(written: object, what: str) -> str:
    if not isinstance(written, str):
        raise ReleaseError(f"{what} is not text")
    return written


def _list(written: object, what: str) -> list[Any]:
    if not isinstance(written, list):
        raise ReleaseError(f"{what} must be a list")
    return written


def _number(written: object, what: str) -> int:
    if not isinstance(written, int) or isinstance(written, bool) or written < 0:
        raise ReleaseError(f"{what} is not a number of 0 or more")
    return written
