"""What a release description is made of: data file, columns, claims, overrides; JSON and back.

Descriptions come from files, so everything is checked when it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.run.described import operator_json, operator_of, prior_json, prior_of
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.json_parts import fields, list_of, text_of, text_or_none
from ppdm_formal.run.streams import Compression

FORMATS = ("csv", "parquet", "fimi", "baskets", "seeds", "seeds-parquet")
"""How released data can be written."""


@dataclass(frozen=True)
class DataFile:
    """The released file: name, how it is written, and its digest (None inside Parquet itself)."""

    file: str
    format: str
    compression: Compression | None
    sha256: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As the description holds it."""
        return vars(self).copy()

    @classmethod
    def of(cls, written: object) -> DataFile:
        """What to_json wrote; the name leads nowhere else."""
        found = fields(written, "data", "file", "format", "compression", "sha256")
        name = text_of(found["file"], "the data's file")
        if name in ("", ".", "..") or any(mark in name for mark in "/\\\0"):
            raise ReleaseError("the data's file is not a plain file name")
        if found["format"] not in FORMATS:
            raise ReleaseError("the format of the data is not known here")
        if found["compression"] not in (None, "gzip", "xz"):
            raise ReleaseError("the compression of the data is not known here")
        sha256 = text_or_none(found["sha256"], "the data's digest")
        return cls(name, found["format"], found["compression"], sha256)


@dataclass(frozen=True)
class Origin:
    """The model or plan that an operator comes from.

    values: those given to its parameters. files: the digests of the CSV files that it reads.
    """

    file: str
    sha256: str
    values: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As the description holds it."""
        files = [{"file": name, "sha256": digest} for name, digest in sorted(self.files.items())]
        return {
            "file": self.file,
            "sha256": self.sha256,
            "set": dict(self.values),
            "files": files,
        }

    @classmethod
    def of(cls, written: object) -> Origin:
        """What to_json wrote."""
        found = fields(written, "a model or plan", "file", "sha256", "set", "files")
        values = found["set"]
        if not isinstance(values, dict) or not all(isinstance(v, str) for v in values.values()):
            raise ReleaseError("the parameters of a model are not text")
        file, sha256 = (text_of(found[key], "a model or plan") for key in ("file", "sha256"))
        files = {}
        for part in list_of(found["files"], "the files of a model"):
            inside = fields(part, "a file of a model", "file", "sha256")
            files[text_of(inside["file"], "a file")] = text_of(inside["sha256"], "a digest")
        return cls(file, sha256, values, files)


@dataclass(frozen=True)
class DecidedClaim:
    """What was claimed of an operator and found, with the digest of its certificate.

    vacuous: no case can test the claim (None: not known). An undecided claim has no certificate.
    """

    text: str
    verdict: str
    vacuous: bool | None
    sha256: str | None

    def to_json(self) -> dict[str, Any]:
        """As the description holds it."""
        return vars(self).copy()

    @classmethod
    def of(cls, written: object) -> DecidedClaim:
        """What to_json wrote."""
        found = fields(written, "a claim", "text", "verdict", "vacuous", "sha256")
        if found["verdict"] not in ("certified", "breached", "partly", "unknown"):
            raise ReleaseError("the verdict of a claim is not known here")
        if not isinstance(found["vacuous"], bool | None):
            raise ReleaseError("whether a claim is vacuous is neither true, false nor null")
        sha256 = text_or_none(found["sha256"], "a claim's digest")
        return cls(text_of(found["text"], "a claim"), found["verdict"], found["vacuous"], sha256)


@dataclass(frozen=True)
class ReleasedColumn:
    """A randomized column: the exact operator that was applied, and the model's prior."""

    name: str
    operator: Operator
    model: Origin
    prior: Prior | None = None
    claims: tuple[DecidedClaim, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the description holds it."""
        return {
            "name": self.name,
            "operator": operator_json(self.operator),
            "model": self.model.to_json(),
            "prior": prior_json(self.prior, self.operator.inputs),
            "claims": [claim.to_json() for claim in self.claims],
        }

    @classmethod
    def of(cls, written: object) -> ReleasedColumn:
        """What to_json wrote."""
        found = fields(written, "a column", "name", "operator", "model", "prior", "claims")
        operator = operator_of(found["operator"])
        return cls(
            text_of(found["name"], "the name of a column"),
            operator,
            Origin.of(found["model"]),
            prior_of(found["prior"], operator.inputs),
            tuple(map(DecidedClaim.of, list_of(found["claims"], "claims"))),
        )


@dataclass(frozen=True)
class Override:
    """A refusal that was overridden: of which column or transaction size, and why."""

    option: str
    where: str
    why: str

    def to_json(self) -> dict[str, Any]:
        """As the description holds it."""
        return vars(self).copy()

    @classmethod
    def of(cls, written: object) -> Override:
        """What to_json wrote."""
        found = fields(written, "an override", "option", "where", "why")
        return cls(*(text_of(found[key], "an override") for key in ("option", "where", "why")))
