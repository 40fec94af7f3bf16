"""The appendix of a report: exact values, certificates and how to check them, definitions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import PurePath

from ppdm_formal.certify.audit.audited import AuditResult
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.report.parts.blocks import Block, Code, Facts, Points, Section, Table, Text
from ppdm_formal.report.parts.exact_values import exact_values
from ppdm_formal.report.parts.part import NO_FILE, Material, Part
from ppdm_formal.report.words.again import model_options
from ppdm_formal.report.words.decided import AnyDecided
from ppdm_formal.report.words.definitions import ASSUMPTIONS, DEFINITIONS, GLOSSARY, PAPERS
from ppdm_formal.report.words.question import solver_names
from ppdm_formal.report.words.visible import clean, program_lines, visible

_MODEL_LINES = 400

_ALONE = (
    "check.py of ppdm_formal is one separate file that needs nothing but Python: it can be read, "
    "and run alone as python -I check.py CERTIFICATE. It shows that the claim is true of the "
    "operator in the certificate; ppdm check --model shows that this is the model's one."
)


def appendix_part(material: Material) -> list[Section]:
    """Everything that a checker needs."""
    result = material.result
    return [
        Section(
            "Appendix",
            [
                Section("Assumptions", [Points(ASSUMPTIONS)], 3),
                Section("Certificates and how to check them", _certificates(material), 3, "check"),
                Section("Model and versions", [_versions(material)], 3),
                *_model_text(result),
                Section("Words used", [Facts(GLOSSARY)], 3, "words", folded=True),
                Section("Definitions", [Facts((*DEFINITIONS, *PAPERS))], 3, folded=True),
                Section(
                    "Exact values", [exact_values(o) for o in result.operators], 3, folded=True
                ),
            ],
            2,
            "appendix",
        )
    ]


def _model_text(result: AuditResult) -> list[Block]:
    """The whole model, so that what was claimed of what can be read here."""
    if not result.model.source:
        return []
    lines = program_lines(result.model.source.rstrip("\n"), _MODEL_LINES)
    return [Section("The model, as it was audited", [Code(lines)], 3, "model", folded=True)]


def _trusted(claims: Sequence[AnyDecided]) -> bool:
    return any(solver_names(claim.certificate) for claim in claims)


def _permit(claims: Sequence[AnyDecided]) -> str:
    """Options without which a check of these claims does not end with 0."""
    silent = any(claim.certificate.says_nothing for claim in claims)
    return " --allow-vacuous" * silent + " --allow-solver-trusted" * _trusted(claims)


def _certificates(material: Material) -> list[Block]:
    claims, file = material.judged, shlex.quote(material.file)
    written = [(claim, claim.file) for claim in claims if claim.file]
    sets = model_options(material.result.model)
    again = f"ppdm audit {file}{sets} --certificates certificates"
    if not claims:
        return [Text("No claim was made, so that there is no certificate.")]
    if not written:
        return [
            Text("Certificates were not written in this run. To write and check them:"),
            Code([again, f"ppdm check certificates --model {file}{sets}{_permit(claims)}"]),
            Text(_ALONE),
        ]
    rows = []
    for claim, name in written:
        digest = claim.certificate.to_json(PurePath(name).stem)["sha256"]
        rows.append([str(claim.number), clean(name, 120), digest])
    permit = _permit([claim for claim, _ in written])
    kept = shlex.quote(f"model/{material.file}")
    blocks: list[Block] = [
        Table(["claim", "file", "digest (sha256 in the file)"], rows, "Certificates", (), (2,)),
        Text("To check them, in the folder of the certificates, where the model lies in model/:"),
        Code(
            [
                f"ppdm check . --model {kept}{sets}{permit}",
                f"python3 -I check.py .{permit}",
            ]
        ),
        Text(_ALONE),
    ]
    if _trusted([claim for claim, _ in written]):
        blocks.append(
            Text(
                "Certificates that rest on a solver are accepted with --allow-solver-trusted only; "
                "their questions lie beside them as .smt2 files for any SMT solver."
            )
        )
    return blocks


def _versions(material: Material) -> Facts:
    import platform

    import ppdm_formal

    model = material.result.model
    facts = [("Model", material.file), ("SHA-256 of the model", model.sha256 or NO_FILE)]
    facts += [
        (f"Value of {clean(name)}", number_text(v)) for name, v in sorted(model.values.items())
    ]
    facts += [
        (f"Data file {clean(file, 80)}", digest) for file, digest in sorted(model.csv_files.items())
    ]
    versions = {"ppdm_formal": ppdm_formal.__version__, "python": platform.python_version()}
    for claim in material.judged:
        versions |= claim.certificate.versions
    facts += [(visible(name), visible(version)) for name, version in versions.items()]
    return Facts(facts)


PART = Part(90, appendix_part)
