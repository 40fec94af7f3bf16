"""The JSON of a continuous operator in an audit: exact numbers as text, enclosures as two ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_formal.continuous_audit import ContinuousAudit
from ppdm_formal.numbers.enclosure import Enclosure
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.numbers.value import value_json
from ppdm_formal.numeric.continuous.breaching import Breaching


def continuous_json(found: ContinuousAudit, files: Mapping[tuple[str, int], str]) -> dict[str, Any]:
    """What was found of one operator."""
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
