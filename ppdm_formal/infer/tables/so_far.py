"""So far: the estimate from counts while reports still come, as a page shows it."""

from __future__ import annotations

from typing import Any

from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.report_counts import ReportCounts
from ppdm_formal.infer.undoing.counts import Integers
from ppdm_formal.infer.undoing.decoder import NotEstimable, NotRecoverable

SHOWN = 50
"""Most values that are shown: the most frequent ones."""

_NOTE = (
    "Unbiased, from randomized reports; each interval holds its share in 95% of collections. "
    "Negative shares are noise."
)


def so_far_json(operator: Operator, rows: int, counts: Integers) -> dict[str, Any]:
    """The most frequent values with intervals, from the counts of a type of report."""
    found: dict[str, Any] = {"rows": rows, "level": "95%", "values": 0, "cells": []}
    if not rows:
        return {**found, "note": "No reports yet."}
    try:
        [table] = ReportCounts("reports", operator, rows, counts).extract().tables
    except (NotEstimable, NotRecoverable) as problem:
        return {**found, "note": str(problem)}
    cells = table.estimated
    most = sorted(cells, key=lambda cell: -cell.estimate)[:SHOWN]
    shown = [
        {
            "value": show_value(cell.value[0], quoted=False),
            "estimate": cell.estimate,
            "lo": cell.low,
            "hi": cell.high,
        }
        for cell in most
    ]
    return {**found, "values": len(cells), "cells": shown, "note": _NOTE}
