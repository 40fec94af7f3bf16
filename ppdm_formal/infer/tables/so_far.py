"""So far: the estimate from counts while reports still come, as a page shows it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.infer.tables.result import Table
from ppdm_formal.infer.tables.set_reports import Holding, by_holding, set_table
from ppdm_formal.infer.tables.tables import Column, table
from ppdm_formal.infer.undoing.counts import Counts, Integers
from ppdm_formal.infer.undoing.decoder import NotEstimable, NotRecoverable
from ppdm_formal.infer.undoing.near_law import near_law

SHOWN = 50
"""Most values that are shown: the most frequent ones."""

_LEVEL = Fraction(95, 100)
_NOTE = (
    "Unbiased, from randomized reports; each interval holds its share in 95% of collections. "
    "Negative shares are noise."
)


def so_far_json(column: Column, rows: int, counts: Integers) -> dict[str, Any]:
    """The most frequent values with intervals, from the counts of a type of report."""
    found: dict[str, Any] = {"rows": rows, "level": "95%", "values": 0, "cells": []}
    if not rows:
        return {**found, "note": "No reports yet."}
    try:
        cells = _table(column, rows, counts).estimated
    except (NotEstimable, NotRecoverable) as problem:
        return {**found, "note": str(problem)}
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


def _table(column: Column, rows: int, counts: Integers) -> Table:
    if by_holding(column.operator):
        holding = Holding(rows, counts, frozenset())
        return set_table(column, holding, "unbiased", _LEVEL)
    places = np.flatnonzero(counts)
    held = Counts((len(counts),), places[:, None], counts[places])
    exact = replace(column, operator=near_law(column.operator))
    return table([exact], held, "unbiased", _LEVEL)
