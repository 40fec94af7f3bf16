"""A folder of certificates: one file a claim, the stand-alone checker, and how to use it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from ppdm_formal.files import write_text
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.audited import AuditResult
    from ppdm_formal.report.words.decided import Files

CHECKER, README = "check.py", "README.txt"


def write_certificates(result: AuditResult, folder: Path | None) -> dict[tuple[str, int], str]:
    """Write OPERATOR-NUMBER.json for each claim, numbered as in the report; where each is."""
    from ppdm_formal.audit import provenance

    files: dict[tuple[str, int], str] = {}
    if folder is None:
        return files
    origin, number = provenance(result.model), 0
    for found in result.operators:
        name = found.operator.name
        stem = name.replace(", ", "-").replace(" ", "-")  # of plans: group, size 5
        for position, certificate in enumerate(found.certificates):
            number += 1
            written = replace(certificate, provenance=origin).write(folder, f"{stem}-{number}")
            if written is not None:
                files[name, position] = written.name
    for real in result.continuous:
        for position, proved in enumerate(real.certificates):
            number += 1
            written = proved.write(folder, f"{real.operator.name}-{number}")
            if written is not None:
                files[real.operator.name, position] = written.name
    for record in result.parts:
        for position, of_parts in enumerate(record.certificates):
            number += 1
            written = of_parts.write(folder, f"{record.parts.name}-{number}")
            if written is not None:
                files[record.parts.name, position] = written.name
    if files:
        from ppdm_formal.commands._one_file import checker_in_one_file

        write_text(str(folder / CHECKER), checker_in_one_file())
        write_text(str(folder / README), _readme(result, list(files.values())))
    return files


def say_certificates(folder: Path | None, files: Files, *, err: bool = False) -> None:
    """How many were written, and which files there are not of this audit."""
    if folder is None:
        return
    beside = f", with {CHECKER} and {README}" if files else ""
    click.echo(f"Wrote {counted(len(files), 'certificate')} to {folder}{beside}", err=err)
    older = {path.name for path in folder.glob("*.json")} - set(files.values())
    if older:
        click.echo(f"Not of this audit: {counted(len(older), 'older file')} in {folder}", err=err)


def _readme(result: AuditResult, names: Sequence[str]) -> str:
    """What the folder holds, and the commands to type."""
    model = result.model
    name = clean(PurePath(model.file).name, 200)
    file = shlex.quote(name)
    silent = any(c.says_nothing for c in result.certificates)
    solved = any(c.trust is not None and not c.trust.exact for c in result.certificates)
    permits = " --allow-vacuous" * silent + " --allow-solver-trusted" * solved
    listed = "\n".join(f"    {one}" for one in names)
    alone = shlex.quote(names[0])
    return f"""Certificates of {name} (SHA-256 {model.sha256})

Each file states one claim about one operator (or record in parts), its verdict and evidence. The
number at the end of its name is the number of the claim in the report.

{listed}

To check them without trusting the tool that wrote them, run the checker that lies here. It is one
file that needs nothing but Python 3.11 or later, and is meant to be read:

    python3 -I {CHECKER} *.json{permits}

One of them alone:

    python3 -I {CHECKER} {alone}{permits}

"accepted" means that the verdict follows from the operator as the certificate describes it. That
this is the operator of the model, ppdm_formal shows, with the model file at hand:

    ppdm check . --model {file}{permits}

Exit codes: 0 all accepted, 2 a file cannot be read, 3 not verified (it says nothing, rests on a
solver, or took too long), 4 rejected.
"""
