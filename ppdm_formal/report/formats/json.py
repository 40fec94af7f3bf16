"""The JSON of an audit, format ppdm-audit/1: stable keys, exact numbers as text.

Numbers are "num/den"; enclosures {"lo": "...", "hi": "..."}; infinity is "infinity"; a value
that depends on free parameters is its closed form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from ppdm_formal.audit import AuditResult, OperatorAudit, PosteriorRow, PriorMeasures
from ppdm_formal.numbers.exact import text
from ppdm_formal.numbers.value import value_json
from ppdm_formal.operator.domain import show_count, show_value

FORMAT = "ppdm-audit/1"


def audit_json(result: AuditResult, files: Mapping[tuple[str, int], str] | None = None) -> Any:
    """The audit as JSON data; files: where certificates were written, by operator and position."""
    model = result.model
    return {
        "format": FORMAT,
        "model": {
            "file": PurePath(model.file).name,
            "sha256": model.sha256,
            "set": {name: str(value) for name, value in sorted(model.values.items())},
            "files": [{"file": f, "sha256": d} for f, d in sorted(model.csv_files.items())],
        },
        "operators": [_operator(found, result.unit, files or {}) for found in result.operators],
    }


def dumps(data: Any) -> str:
    """JSON text: indented, keys in the order above, the same for the same audit."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _count(number: int) -> int | str:
    """A count; as text above 10^15, and as a power of two where its digits would help nobody."""
    if number <= 10**15:
        return number
    return str(number) if number < 10**100 else show_count(number)


def _operator(found: OperatorAudit, unit: str, files: Mapping[tuple[str, int], str]) -> Any:
    operator = found.operator
    witness = found.amplification.witness
    return {
        "name": operator.name,
        "inputs": _count(operator.inputs.size),
        "outputs": _count(operator.outputs.size),
        "views": found.views,
        "parameters": [{"name": p.name, "interval": p.interval} for p in operator.parameters],
        "amplification": {
            "value": found.amplification.text,
            "output": show_value(witness.output),
            "likely": show_value(witness.likely),
            "unlikely": show_value(witness.unlikely),
        },
        "local_dp": {"unit": "nat", "epsilon": _measured(found.local_dp)},
        "capacity": None
        if found.capacity is None
        else {"unit": "bit", "min_entropy": value_json(found.capacity.capacity)},
        "posteriors": [_posterior(row) for row in found.posteriors if row.worst is None],
        "worst_posteriors": [
            {**_posterior(row), "which": row.worst} for row in found.posteriors if row.worst
        ],
        "information": [_information(part, unit) for part in found.priors],
        "certificates": [
            certificate.summary() | {"file": files.get((operator.name, position))}
            for position, certificate in enumerate(found.certificates)
        ],
    }


def _measured(result: Any) -> Any:
    """An epsilon that may be a closed form in pieces."""
    from ppdm_formal.numbers.enclosure import Enclosure

    epsilon = result.epsilon
    return value_json(epsilon) if isinstance(epsilon, Enclosure) else result.text


def _posterior(row: PosteriorRow) -> dict[str, Any]:
    return {
        "prior": row.prior.name,
        "property": row.property.name,
        "given": show_value(row.given),
        "before": text(row.before),
        "after": None if row.after is None else text(row.after),
    }


def _information(part: PriorMeasures, unit: str) -> Any:
    found = part.information
    guess = part.vulnerability
    return {
        "prior": part.prior.name,
        "unit": unit,
        "mutual": value_json(found.mutual),
        "worst_case": value_json(found.worst_case.value),
        "worst_case_output": show_value(found.worst_case.output),
        "inverse_worst_case": value_json(found.inverse_worst_case.value),
        "inverse_worst_case_output": show_value(found.inverse_worst_case.output),
        "dependence": {
            "unit": "nat",
            "epsilon": _measured(part.dependence),
            "input": show_value(part.dependence.witness.input),
            "output": show_value(part.dependence.witness.output),
        },
        "vulnerability": None
        if guess is None
        else {
            "before": text(guess.before),
            "after": text(guess.after),
            "leakage": value_json(guess.leakage),
        },
    }
