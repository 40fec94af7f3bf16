"""The appendix of a report: exact values, certificates and how to check them, definitions."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ppdm_formal.audit import AuditResult
from ppdm_formal.report.parts.blocks import Block, Code, Facts, Points, Section, Table, Text
from ppdm_formal.report.parts.decided import Decided
from ppdm_formal.report.parts.trust import model_file
from ppdm_formal.report.words.definitions import ASSUMPTIONS, DEFINITIONS, GLOSSARY, PAPERS
from ppdm_formal.report.words.visible import clean, program_lines, visible

_LONGEST = 200
_MODEL_LINES = 400

_ALONE = (
    "check.py of ppdm_formal is one separate file that needs nothing but Python: it can be read, "
    "and run alone as python -I check.py CERTIFICATE. It shows that the claim is true of the "
    "operator in the certificate; ppdm check --model shows that this is the model's one."
)


def appendix_part(result: AuditResult, data: Any, claims: Sequence[Decided]) -> Section:
    """Everything that a checker needs."""
    return Section(
        "Appendix",
        [
            Section("Exact values", _exact_values(data), 3),
            Section("Certificates and how to check them", _certificates(data, claims), 3, "check"),
            Section("Model and versions", [_versions(result, data, claims)], 3),
            *_model_text(result),
            Section("Words used", [Facts(GLOSSARY)], 3, "words"),
            Section("Definitions", [Facts((*DEFINITIONS, *PAPERS))], 3),
            Section("Assumptions", [Points(ASSUMPTIONS)], 3),
        ],
        2,
        "appendix",
    )


def _model_text(result: AuditResult) -> list[Block]:
    """The whole model, so that what was claimed of what can be read here."""
    if not result.model.source:
        return []
    lines = program_lines(result.model.source.rstrip("\n"), _MODEL_LINES)
    return [Section("The model, as it was audited", [Code(lines)], 3, "model")]


def _exact_values(data: Any) -> list[Block]:
    tables: list[Block] = []
    for operator in data["operators"]:
        rows: list[Sequence[str]] = []
        _add(rows, "amplification", operator["amplification"]["value"])
        _add(rows, "epsilon (nat)", operator["local_dp"]["epsilon"])
        if operator["capacity"] is not None:
            _add(rows, "min-entropy capacity (bit)", operator["capacity"]["min_entropy"])
        for row in (*operator["posteriors"], *operator["worst_posteriors"]):
            which = f" ({row['which']})" if "which" in row else ""
            name = f"P[{clean(row['property'])}"
            _add(rows, f"{name}] under {clean(row['prior'])}", row["before"])
            given = f"{name} | {clean(row['given'])}] under {clean(row['prior'])}{which}"
            _add(rows, given, "cannot occur" if row["after"] is None else row["after"])
        for part in operator["information"]:
            under = f"under {clean(part['prior'])} ({part['unit']})"
            _add(rows, f"I {under}", part["mutual"])
            _add(rows, f"I_w {under}", part["worst_case"])
            _add(rows, f"J_w {under}", part["inverse_worst_case"])
            _add(rows, f"dependence under {clean(part['prior'])}", part["dependence"]["epsilon"])
            if part["vulnerability"] is not None:
                _add(rows, "best guess before", part["vulnerability"]["before"])
                _add(rows, "best guess after", part["vulnerability"]["after"])
        for summary in operator["certificates"]:
            name = clean(summary["claim"]["text"], 80)
            for key, value in (summary["thresholds"] or {}).items():
                _add(rows, f"{name}: {key}", "none" if value is None else value)
            for key in ("before", "after", "value"):
                if summary["witness"] and key in summary["witness"]:
                    _add(rows, f"{name}: witness {key}", summary["witness"][key])
        unique = list(dict.fromkeys((row[0], row[1]) for row in rows))
        tables.append(
            Table(
                ["quantity", "exact value"], unique, f"Operator {clean(operator['name'])}", (), (1,)
            )
        )
    return tables


def _add(rows: list[Sequence[str]], name: str, value: Any) -> None:
    if isinstance(value, Mapping):
        ends = [str(value["lo"]), str(value["hi"])]
        shown = ends[0] if ends[0] == ends[1] else f"between {ends[0]} and {ends[1]}"
    else:
        shown = str(value)
    if len(shown) > _LONGEST:
        shown = f"{shown[:_LONGEST]}... ({len(shown)} characters; whole in the JSON)"
    rows.append((name, shown))


def _certificates(data: Any, claims: Sequence[Decided]) -> list[Block]:
    written = [claim for claim in claims if claim.summary["file"]]
    sets = "".join(
        f" --set {shlex.quote(clean(f'{name}={value}', 80))}"
        for name, value in data["model"]["set"].items()
    )
    again = f"ppdm audit {model_file(data)}{sets} --certificates certificates"
    trusted = any(str(claim.summary["trust"]).startswith("solver") for claim in claims)
    permit = " --allow-solver-trusted" if trusted else ""
    if not claims:
        return [Text("No claim was made, so that there is no certificate.")]
    if not written:
        return [
            Text("Certificates were not written in this run. To write and check them:"),
            Code([again, f"ppdm check certificates/*.json --model {model_file(data)}{permit}"]),
            Text(_ALONE),
        ]
    rows = []
    commands = []
    solver = False
    for claim in written:
        file = clean(claim.summary["file"], 120)
        document = claim.certificate.to_json(PurePath(claim.summary["file"]).stem)
        trusted = str(claim.summary["trust"]).startswith("solver")
        solver = solver or trusted
        rows.append([str(claim.number), file, document["sha256"]])
        permit = " --allow-solver-trusted" if trusted else ""
        commands.append(f"ppdm check {shlex.quote(file)} --model {model_file(data)}{permit}")
    blocks: list[Block] = [
        Table(["claim", "file", "digest (sha256 in the file)"], rows, "Certificates", (), (2,)),
        Text("To check them, in the folder of the certificates and the model:"),
        Code(commands),
        Text(_ALONE),
    ]
    if solver:
        blocks.append(
            Text(
                "Certificates that rest on a solver are accepted with --allow-solver-trusted only; "
                "their questions lie beside them as .smt2 files for any SMT solver."
            )
        )
    return blocks


def _versions(result: AuditResult, data: Any, claims: Sequence[Decided]) -> Facts:
    import platform

    import ppdm_formal

    model = data["model"]
    facts = [
        ("Model", clean(model["file"], 120)),
        ("SHA-256 of the model", model["sha256"]),
    ]
    facts += [(f"Value of {clean(n)}", v) for n, v in model["set"].items()]
    facts += [(f"Data file {clean(f['file'], 80)}", f["sha256"]) for f in model["files"]]
    versions = {"ppdm_formal": ppdm_formal.__version__, "python": platform.python_version()}
    for claim in claims:
        versions |= claim.certificate.versions
    facts += [(visible(name), visible(version)) for name, version in versions.items()]
    return Facts(facts)
