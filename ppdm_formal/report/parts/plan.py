"""A plan for itemsets as blocks: the trade-off of each size, its verdict, and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ppdm_formal.numbers.exact import exact, parse_number
from ppdm_formal.report.parts.blocks import Document, Section, Table, Text

_LDS = "LDS: lowest discoverable support, four standard deviations from zero."


def plan_document(rows: Sequence[Sequence[str]], plan: dict[str, Any]) -> Document:
    """rows: the plan's table with its head; plan: what `ppdm design` writes."""
    head, *body = rows
    verdicts = [entry["certificate"]["verdict"] for _, entry in _entries(plan)]
    table = Table(
        [*head, "verdict"],
        [[*row, verdict] for row, verdict in zip(body, verdicts, strict=True)],
        numbers=range(1, len(head) + 1),
    )
    title = f"Plan against breaches {plan['rho1']} -> {plan['rho2']}: gamma {plan['gamma_used']}"
    notes = [*plan["notes"], _LDS]
    return Document(title, "", "", "", [Section("", [table, *map(Text, notes)])], "")


def plan_table(plan: Mapping[str, Any]) -> list[list[str]]:
    """The trade-off table: a header, then a row a transaction size; LDS in percent."""
    entries = _entries(plan)
    largest = max(int(k) for _, entry in entries for k in entry["lds"])
    grouped = "groups" in plan
    header = [*(["group", "share"] if grouped else []), "size", "rho", "bits", "j*", "gamma"]
    header += [f"LDS {k} (%)" for k in range(1, largest + 1)]
    header += ["mean size", "compressed (bits)"]
    rows = [header]
    for group, entry in entries:
        cutoff = "-" if entry["cutoff"] is None else str(entry["cutoff"])
        row = [group["name"], group["share"]] if grouped else []
        row += [str(entry["size"]), entry["insert"], str(entry["bits"]), cutoff]
        gamma = parse_number(entry["amplification"])
        row.append(str(gamma) if gamma.denominator == 1 else f"~{float(gamma):.6g}")
        for k in range(1, largest + 1):
            found = entry["lds"].get(str(k), "-")
            shown = "none" if found is None else found
            row.append(f"{100 * float(found):.4f}" if shown not in ("-", "none") else shown)
        mean = entry["expected_size"]
        row.append("-" if mean is None else f"{float(exact(mean)):.1f}")
        bits = entry["compressed_bits"]
        row.append("-" if bits is None else str(bits))
        rows.append(row)
    return rows


def _entries(plan: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The sizes of all groups, each with its group; a plan without groups is one."""
    groups = plan.get("groups", [plan])
    return [(group, entry) for group in groups for entry in group["sizes"]]
