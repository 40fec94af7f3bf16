"""A folder of certificates: one file a claim, a manifest, the model, and a checker that runs alone.

OPERATOR-NUMBER.json is a certificate, numbered as in the report, with its questions beside it
(.smt2). MANIFEST lists every claim with its verdict and digest, and the model with its values.
model/ holds the model and the files that it reads. check.py is the checker as one file, and
README.txt says what to type.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.checker.manifest import KEPT, MANIFEST
from ppdm_formal.declare.machine.files import write_bytes, write_text
from ppdm_formal.report.words.counted import counted

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.audited import AnyCertificate, AuditResult, Files
    from ppdm_formal.declare.language.model import Model

CHECKER, README = "check.py", "README.txt"


@dataclass(frozen=True)
class Numbered:
    """A decided claim with its number in the report."""

    number: int
    certificate: AnyCertificate

    @property
    def operator(self) -> str:
        """What the claim is about."""
        name: str = self.certificate.operator.name
        return name

    @property
    def stem(self) -> str:
        """The name of the certificate's file, without the suffix."""
        from ppdm_formal.certify.audit.stated import certificate_stem

        return certificate_stem(self.operator, self.number)


def write_certificates(
    result: AuditResult, folder: Path | None, text: str | None = None
) -> dict[tuple[str, int], str]:
    """The folder of an audit; where each certificate is, by operator and position.

    text: what the model's file will hold, where it is not yet written.
    """
    files: dict[tuple[str, int], str] = {}
    if folder is None:
        return files
    entries = [Numbered(number, one) for number, one in enumerate(result.certificates, start=1)]
    written = write_folder(folder, result.model, entries, text=text)
    positions: Counter[str] = Counter()
    for entry in entries:
        if entry.number in written:
            files[entry.operator, positions[entry.operator]] = written[entry.number]
        positions[entry.operator] += 1
    return files


def write_folder(
    folder: Path,
    model: Model,
    entries: Sequence[Numbered],
    operators: Sequence[str] | None = None,
    text: str | None = None,
) -> dict[int, str]:
    """Write the folder, its manifest last; the certificates' files by number.

    operators: those that were audited, where it was not the whole model.
    """
    from ppdm_formal.certify.audit.audit import provenance
    from ppdm_formal.commands._folder_readme import folder_readme
    from ppdm_formal.commands._one_file import checker_in_one_file

    if not entries:
        return {}
    origin = provenance(model) or {}
    written: dict[int, str] = {}
    for entry in entries:
        path = replace(entry.certificate, provenance=origin).write(folder, entry.stem)
        if path is not None:
            written[entry.number] = path.name
    for name, content in model_sources(model, text).items():
        write_bytes(folder / KEPT / name, content)
    checker = checker_in_one_file()
    write_text(str(folder / CHECKER), checker)
    digest = sha256(checker.encode()).hexdigest()
    readme = folder_readme(model, entries, list(written.values()), operators, digest)
    write_text(str(folder / README), readme)
    write_text(str(folder / MANIFEST), _manifest(folder, origin, entries, written, operators))
    return written


def model_sources(model: Model, text: str | None = None) -> dict[str, bytes]:
    """The model's file and those that it reads, by name; as they were when they were read."""
    path = Path(model.file)
    if text is None and model.source:
        text = model.source  # which has the model's digest, whatever mark the file begins with
    found = {path.name: path.read_bytes() if text is None else text.encode()}
    found |= {name: (path.parent / name).read_bytes() for name in model.csv_files}
    for name, digest in ((path.name, model.sha256), *model.csv_files.items()):
        if sha256(found[name]).hexdigest() != digest:
            raise click.UsageError(f"{path.parent / name} has changed since it was read: try again")
    return found


def _manifest(
    folder: Path,
    origin: Mapping[str, object],
    entries: Sequence[Numbered],
    written: Mapping[int, str],
    operators: Sequence[str] | None,
) -> str:
    """What lies in the folder, as canonical JSON (docs/certificate.md)."""
    import platform

    import ppdm_formal
    from ppdm_formal.declare.operators.canonical import canonical, digest

    claims: list[dict[str, Any]] = []
    for entry in entries:
        name, found = written.get(entry.number), entry.certificate
        own = None if name is None else json.loads((folder / name).read_bytes())["sha256"]
        claims.append(
            {
                "number": entry.number,
                "operator": entry.operator,
                "claim": str(found.claim),
                "verdict": found.verdict.value,
                "vacuous": found.vacuous,
                "file": name,
                "sha256": own,
            }
        )
    document: dict[str, Any] = {
        "format": "ppdm-manifest/1",
        "model": origin,
        "operators": None if operators is None else list(operators),
        "claims": claims,
        "versions": {
            "ppdm_formal": ppdm_formal.__version__,
            "python": platform.python_version(),
        },
    }
    return canonical({**document, "sha256": digest(document)}) + "\n"


def say_certificates(folder: Path | None, files: Files, *, err: bool = False) -> None:
    """How many were written, and which files there are not of this audit."""
    if folder is not None:
        say_folder(folder, set(files.values()), err=err)


def say_folder(folder: Path, names: set[str], *, err: bool) -> None:
    """The same by the names of files."""
    there = (folder / MANIFEST).exists()
    beside = f", with {MANIFEST}, {PurePath(KEPT)}/, {CHECKER} and {README}" if there else ""
    click.echo(f"Wrote {counted(len(names), 'certificate')} to {folder}{beside}", err=err)
    older = {path.name for path in folder.glob("*.json")} - names
    if older:
        click.echo(f"Not of this audit: {counted(len(older), 'older file')} in {folder}", err=err)
