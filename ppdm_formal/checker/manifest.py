"""The manifest of a folder: every claim of an audit with its verdict, and the model with values."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from .canonical import canonical, digest, parse
from .frame import read_origin
from .limits import MAX_BYTES
from .origin import difference
from .reading import Fields
from .result import CheckResult, need

MANIFEST = "MANIFEST"
KEPT = "model"
"""The folder in which the model lies, with the files that it reads."""


@dataclass(frozen=True)
class Listed:
    """A claim of the audit; without a file where it was not decided."""

    operator: str
    claim: str
    verdict: str
    vacuous: bool | None
    file: str | None
    sha256: str | None


@dataclass(frozen=True)
class Manifest:
    """What lies in a folder: all claims of an audit, or (operators) those of some operators."""

    model: dict[str, Any]
    operators: tuple[str, ...] | None
    claims: tuple[Listed, ...]

    def confirmed(self, name: str, result: CheckResult) -> CheckResult:
        """The result for the certificate in a file, rejected where another one is listed."""
        rows = [row for row in self.claims if row.file == name]
        if not rows or not result.sha256:
            return result
        (row,) = rows
        said = (row.operator, row.claim, row.verdict, row.sha256)
        silent = row.vacuous in (None, result.vacuous)
        if said != (result.operator, result.claim, result.verdict, result.sha256) or not silent:
            return CheckResult("rejected", f"altered: {MANIFEST} lists another certificate")
        other = difference(result.origin, self.model, f"in {MANIFEST}")
        return CheckResult("rejected", other) if other else result


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a folder, None where there is none; Rejected where it is not one."""
    path = folder / MANIFEST
    if not path.is_file():
        return None
    with path.open("rb") as file:
        raw = parse(file.read(MAX_BYTES + 1), "manifest", ("ppdm-manifest/",))
    fields = Fields(raw, "manifest", "format model operators claims versions sha256")
    need(fields.text("format") == "ppdm-manifest/1", "unknown format")
    body = {key: raw[key] for key in raw if key != "sha256"}
    need(fields.digest("sha256") == digest(canonical(body)), "sha256 is not the manifest's digest")
    read_origin(raw["model"])
    rows = tuple(read_listed(row) for row in fields.list("claims"))
    names = [row.file for row in rows if row.file is not None]
    need(len(set(names)) == len(names), "one file for two claims")
    covered = None if raw["operators"] is None else tuple(fields.list("operators"))
    need(all(type(name) is str for name in covered or ()), "an operator that is no name")
    return Manifest(raw["model"], covered, rows)


def read_listed(raw: Any) -> Listed:
    """A row: a claim, and where its certificate is."""
    fields = Fields(raw, "claims", "number operator claim verdict vacuous file sha256")
    need(fields.count("number") >= 1, "claims: not a number of a claim")
    verdict, file = fields.text("verdict"), raw["file"]
    known = ("certified", "partly", "breached", "unknown")
    need(verdict in known, "claims: unknown verdict")
    need(type(raw["vacuous"]) in (bool, type(None)), "claims: vacuous is no truth value")
    need((file is None) == (verdict == "unknown"), "claims: a certificate too many or few")
    operator, claim = fields.text("operator"), fields.text("claim")
    if file is None:
        need(raw["sha256"] is None, "claims: a digest of nothing")
        return Listed(operator, claim, verdict, raw["vacuous"], None, None)
    plain = type(file) is str and re.fullmatch(r"[^/\\:]+\.json", file)
    need(plain, "claims: not the name of a certificate")
    return Listed(operator, claim, verdict, raw["vacuous"], file, fields.digest("sha256"))


def need_kept_model(folder: Path, manifest: Manifest) -> None:
    """Reject unless the model in the folder, and the files that it reads, have their digests."""
    rows = [manifest.model, *manifest.model["files"]]
    for row in rows:
        name = row["file"]
        place = PurePosixPath(name)
        good = type(name) is str and not place.is_absolute() and ".." not in place.parts
        need(good and "\\" not in name, "not the name of a file")
        path, shown = folder / KEPT / name, ascii(f"{KEPT}/{name}")[1:-1][:90]
        need(path.is_file(), f"{shown} is missing")
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        need(found == row["sha256"], f"{shown} is altered: {MANIFEST} states another digest")
