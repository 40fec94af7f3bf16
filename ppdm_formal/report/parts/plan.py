"""A plan for itemsets as blocks: the trade-off of each size, its verdict, and notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppdm_formal.report.parts.blocks import Document, Section, Table, Text

_LDS = "LDS: lowest discoverable support, four standard deviations from zero."


def plan_document(rows: Sequence[Sequence[str]], plan: dict[str, Any]) -> Document:
    """rows: the plan's table with its head; plan: what `ppdm design` writes."""
    head, *body = rows
    verdicts = [entry["certificate"]["verdict"] for entry in plan["sizes"]]
    table = Table(
        [*head, "verdict"],
        [[*row, verdict] for row, verdict in zip(body, verdicts, strict=True)],
        numbers=range(1, len(head) + 1),
    )
    title = f"Plan against breaches {plan['rho1']} -> {plan['rho2']}: gamma {plan['gamma_used']}"
    notes = [*plan["notes"], _LDS]
    return Document(title, "", "", "", [Section("", [table, *map(Text, notes)])], "")
