"""The JSON of an audit, format ppdm-audit/1: stable keys, exact numbers as text.

Numbers are "num/den"; enclosures {"lo": "...", "hi": "..."}; infinity is "infinity"; a value
that depends on free parameters is its closed form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ppdm_formal.certify.audit.audited import (
    AuditResult,
    Files,
    Found,
    OperatorAudit,
    PosteriorRow,
    PriorMeasures,
    RecordAudit,
)
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.people import brief_count, rounded_float
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import value_json
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.after_reports import SHOWN, AfterReports
from ppdm_formal.derive.measures.event_dependence import EventDependence
from ppdm_formal.derive.measures.parts_cost import logarithm
from ppdm_formal.derive.measures.record import Field, InputOrOutput, NotComputed

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit
    from ppdm_formal.certify.crowd_table import CrowdTable, Span
    from ppdm_formal.derive.reals.breaching import Breaching

FORMAT = "ppdm-audit/1"


def audit_json(result: AuditResult) -> dict[str, Any]:
    """The audit as JSON data."""
    model, files = result.model, result.files
    return {
        "format": FORMAT,
        "model": {
            "file": PurePath(model.file).name,
            "sha256": model.sha256 or None,
            "set": {name: number_text(value) for name, value in sorted(model.values.items())},
            "files": [{"file": f, "sha256": d} for f, d in sorted(model.csv_files.items())],
        },
        "operators": [_operator(found, result.unit, files) for found in result.operators],
        **({"parts": [_parts(found, files) for found in result.parts]} if result.parts else {}),
        **(
            {"continuous": [_continuous(found, files) for found in result.continuous]}
            if result.continuous
            else {}
        ),
    }


def _operator(found: OperatorAudit, unit: str, files: Files) -> Any:
    operator = found.operator
    return {
        "name": operator.name,
        "inputs": brief_count(operator.inputs.size),
        "outputs": brief_count(operator.outputs.size),
        "views": found.views,
        "parameters": [{"name": p.name, "interval": p.interval} for p in operator.parameters],
        **_numbers(operator),
        **_readings(found.readings),
        "after_reports": _after_reports(found),
        "posteriors": [_posterior(row) for row in found.posteriors if row.worst is None],
        "worst_posteriors": [
            {**_posterior(row), "which": row.worst} for row in found.posteriors if row.worst
        ],
        **(
            {
                "posteriors_not_computed": {
                    "count": found.posteriors_missing,
                    "why": found.posteriors_limit,
                }
            }
            if found.posteriors_missing
            else {}
        ),
        "information": [_information(part, unit) for part in found.priors],
        **({"events": [_event(one) for one in found.events]} if found.events else {}),
        **({"crowds": [_crowd(table) for table in found.crowds]} if found.crowds else {}),
        "certificates": [
            certificate.summary() | {"file": files.get((operator.name, position))}
            for position, certificate in enumerate(found.certificates)
        ],
    }


def _crowd(table: CrowdTable) -> Any:
    """What a crowd's reports show, in floats rounded outward; claims are counted from 0."""
    from ppdm_formal.certify.crowd_table import DELTA

    def span(found: Span) -> dict[str, str | None]:
        low = None if found.least is None else rounded_float(found.least, up=False)
        return {"at_least": low, "at_most": rounded_float(found.most, up=True)}

    others = table.crowd.others
    return {
        "how": table.crowd.how,
        "others": None if others is None else others.name,
        "computed": "in floating point: certificates do not rest on it",
        "delta": number_text(DELTA),
        "complete": table.complete,
        "seen": table.seen,
        "beliefs": [
            {
                "positions": list(table.questions[one.question][1]),
                "rises_to": [
                    {"rho2": number_text(level), **span(found)} for level, found in one.levels
                ],
            }
            for one in table.beliefs
        ],
        "rows": [
            {
                "clients": row.clients,
                "epsilon": span(row.epsilon),
                "information": [
                    {"prior": prior.name, "unit": "bit", **span(found)}
                    for prior, found in zip(table.priors, row.information, strict=True)
                ],
                "claims": [
                    {"positions": list(positions), **span(found)}
                    for (_, positions), found in zip(table.questions, row.asked, strict=True)
                ],
            }
            for row in table.rows
        ],
    }


def _event(one: EventDependence) -> Any:
    """Dependence of a property; prior null: for all priors."""
    return {
        "prior": None if one.prior is None else one.prior.name,
        "property": one.event.name,
        "ratio": value_json(one.ratio),
        "epsilon": value_json(one.epsilon),
        "output": None if one.output is None else show_value(one.output),
    }


def _parts(audited: RecordAudit, files: Files) -> Any:
    """A record in parts: null where a value depends on a free parameter."""
    found = audited.cost

    def costs(ratio: Any) -> Any:
        epsilon = logarithm(ratio)
        return {
            "ratio": None if ratio is None else value_json(ratio),
            "epsilon": None if epsilon is None else value_json(epsilon),
        }

    among = found.parts.among
    return {
        "name": found.parts.name,
        "unit": "nat",
        "dependence_among_parts": None if among is None else number_text(among),
        "assumed": "independent parts" if among is None else "dependence among parts as given",
        "parts": [
            {
                "name": cost.part.name,
                "operator": cost.part.operator.name,
                "amplification": cost.own.amplification.text,
                **costs(cost.ratio),
            }
            for cost in found.costs
        ],
        "record": costs(found.ratio),
        "claims": [
            certificate.summary(files.get((found.parts.name, position)))
            for position, certificate in enumerate(audited.certificates)
        ],
    }


def _numbers(operator: Operator) -> dict[str, Any]:
    """How a matrix from outside was read; nothing for operators that were declared."""
    origin = operator.origin
    if origin is None or not (origin.file or origin.reading.way != "exact"):
        return {}
    x, y = (None, None) if origin.at is None else map(show_value, origin.at)
    return {
        "numbers": {
            "file": origin.file or None,
            "outputs_in_first_line": origin.header,
            "inputs_in_first_column": origin.index,
            "guessed": origin.guessed,
            "first_line_guessed": origin.header_guessed,
            "way": origin.reading.way,
            "digits": origin.reading.digits,
            "largest_change": number_text(origin.change),
            "at": None if origin.at is None else {"input": x, "output": y},
        }
    }


def _after_reports(found: OperatorAudit) -> list[dict[str, Any]]:
    """Amplification and epsilon of 1, 10 and 100 reports; empty where time was over."""
    one = found.disclosed
    document: list[dict[str, Any]] = []
    if one is None:
        return document
    for reports in SHOWN:
        after = AfterReports(reports, one)
        epsilon = after.epsilon()
        document.append(
            {
                "reports": reports,
                "amplification": after.text,
                "epsilon": None if epsilon is None else value_json(epsilon),
            }
        )
    return document


def _readings(readings: Iterable[Found]) -> dict[str, Any]:
    """Every measure under its key: what it found, null (no value here), or which limit it met."""
    document: dict[str, Any] = {}
    for found in readings:
        if not isinstance(found, NotComputed):
            document.update({key: _field(value) for key, value in found.fields.items()})
        elif found.limited:
            document[found.measure.json_key] = {"not_computed": found.reason}
        else:
            document[found.measure.json_key] = None
    return document


def _field(value: Field) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, InputOrOutput):
        return show_value(value.value)
    if isinstance(value, Mapping):
        return {key: _field(part) for key, part in value.items()}
    return value_json(value)


def _posterior(row: PosteriorRow) -> dict[str, Any]:
    return {
        "prior": row.prior.name,
        "property": row.property.name,
        "given": show_value(row.given),
        "before": number_text(row.before),
        "after": None if row.after is None else number_text(row.after),
    }


def _information(part: PriorMeasures, unit: str) -> Any:
    return {"prior": part.prior.name, "unit": unit, **_readings(part.readings)}


def _continuous(found: ContinuousAudit, files: Files) -> dict[str, Any]:
    """What was found of a continuous operator: exact numbers as text, enclosures as two ends."""
    operator, gain = found.operator, found.amplification
    return {
        "name": operator.name,
        "inputs": [number_text(operator.inputs.lo), number_text(operator.inputs.hi)],
        "rule": operator.rule,
        "amplification": {
            "value": value_json(gain.value),
            "likely": number_text(gain.likely),
            "unlikely": number_text(gain.unlikely),
            "outputs": gain.side,
            "reached": gain.reached,
            "at": None if gain.at is None else number_text(gain.at),
        },
        "epsilon": value_json(found.epsilon),
        "privacy_at_confidence": [
            {"confidence": number_text(c), "length": _enclosed(width)} for c, width in found.widths
        ],
        "information": [
            {
                "prior": part.density.name,
                "unit": "nat",
                "not_computed": part.why_not or None,
                "worst_case": None
                if part.worst is None
                else {
                    "value": value_json(part.worst.value),
                    "output": None if part.worst.at is None else number_text(part.worst.at),
                    "beyond": part.worst.beyond,
                },
                **(
                    {}
                    if part.information is None
                    else {
                        "entropy": _enclosed(part.information.entropy),
                        "privacy": _enclosed(part.information.privacy),
                        "mutual": _enclosed(part.information.mutual),
                        "conditional_privacy": _enclosed(part.information.left),
                        "privacy_loss": _enclosed(part.information.loss),
                    }
                ),
            }
            for part in found.measures
        ],
        "posteriors": [
            {
                "prior": row.density.name,
                "property": row.property.name,
                "given": None if row.given is None else number_text(row.given),
                "which": row.which,
                "before": _enclosed(row.before),
                "after": None if row.after is None else _enclosed(row.after),
            }
            for row in found.posteriors
        ],
        "certificates": [
            certificate.summary(files.get((operator.name, position)))
            | {"breaching_outputs": _breaching(found.often[position])}
            for position, certificate in enumerate(found.certificates)
        ],
    }


def _breaching(often: Breaching | None) -> dict[str, Any] | None:
    """How likely outputs are that breach, and which: surely, or left open; null: without end."""
    if often is None:
        return None
    certain, still_open = (
        [[None if end is None else number_text(end) for end in part] for part in parts]
        for parts in (often.certain, often.open)
    )
    return {
        "probability": _enclosed(often.probability),
        "intervals": certain,
        "atoms": [number_text(z) for z in often.atoms],
        "open_intervals": still_open,
        "open_atoms": [number_text(z) for z in often.open_atoms],
    }


def _enclosed(value: Enclosure) -> dict[str, str]:
    return value.to_json(15)
