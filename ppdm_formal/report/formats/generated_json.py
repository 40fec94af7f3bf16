"""The description of a generated database, format ppdm-generated/1: epsilons, assumptions."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import ppdm_formal
from ppdm_formal.generate.generator import Generated
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.report.words.generated import assumptions, mechanism_words

FORMAT = "ppdm-generated/1"


def generated_json(found: Generated, name: str, sha256: str) -> str:
    """What stands beside the data; epsilons are exact, null where there is none."""
    request, budget, noise = found.request, found.budget, found.noise
    value = {
        "format": FORMAT,
        "tool": {"name": "ppdm", "version": ppdm_formal.__version__},
        "data": {"file": name, "sha256": sha256, "records": len(found.records)},
        "method": request.method,
        "mechanism": mechanism_words(found),
        "trust": request.trust if budget is not None else None,
        "unit": budget.unit if budget is not None else None,
        "epsilon": None
        if budget is None
        else {
            "cell": _text(budget.cell),
            "attribute": _text(budget.attribute),
            "record": _text(budget.record),
        },
        "delta": _text(request.delta),
        "noise": None
        if noise is None
        else {"rate": _text(noise.rate), "variance": _text(noise.variance)},
        "min_support": _text(request.least) if request.method == "code-tree" else None,
        "cut": found.cut,
        "unprotected": [] if found.target is None else [found.target],
        "groups": [list(group) for group in found.groups],
        "shown": [one.to_json() for one in found.shown],
        "columns": {
            "declared": found.records.declared,
            "names": [column.name for column in found.records.columns],
        },
        "simulated": request.seed is not None,
        "assumptions": assumptions(found),
    }
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _text(value: Fraction | None) -> Any:
    return None if value is None else number_text(value)
