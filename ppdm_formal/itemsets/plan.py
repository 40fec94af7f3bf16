"""Plans: what `ppdm design` writes and other commands read (format ppdm-plan/1).

A plan comes from a file, so every number in it is checked again before it is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ppdm_formal.families.select_a_size import Randomization, select_a_size
from ppdm_formal.numbers.exact import exact, parse_number
from ppdm_formal.operator.operator import Operator

FORMAT = "ppdm-plan/1"


def read_plan(source: str) -> dict[str, Any]:
    """The plan in a JSON text, checked."""
    try:
        plan = json.loads(source)
    except json.JSONDecodeError as wrong:
        raise ValueError(f"the plan is not JSON: {wrong}") from None
    if not isinstance(plan, dict) or plan.get("format") != FORMAT:
        raise ValueError(f"this is not a plan of format {FORMAT}")
    if not isinstance(plan.get("sizes"), list) or not plan["sizes"]:
        raise ValueError("the plan has no transaction sizes")
    for entry in plan["sizes"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("size"), int):
            raise ValueError("an entry of the plan has no transaction size")
        _randomization(entry)
    return plan


def write_plan(plan: Mapping[str, Any]) -> str:
    """The plan as JSON text."""
    return json.dumps(plan, indent=2) + "\n"


def _randomization(entry: Mapping[str, Any]) -> Randomization:
    insert, keep = entry.get("insert"), entry.get("keep")
    if not isinstance(insert, str) or not isinstance(keep, list):
        raise ValueError(f"size {entry['size']} of the plan lacks insert or keep")
    if not all(isinstance(p, str) for p in keep):
        raise ValueError(f"size {entry['size']} of the plan: keep holds numbers as text")
    rho = parse_number(insert)
    if not 0 < rho < 1:
        raise ValueError(f"insert = {insert} in the plan is not strictly between 0 and 1")
    return Randomization(entry["size"], rho, tuple(parse_number(p) for p in keep))


def randomization_of(plan: Mapping[str, Any], size: int) -> Randomization:
    """The parameters that a plan gives to transactions of one size."""
    for entry in plan["sizes"]:
        if entry["size"] == size:
            return _randomization(entry)
    known = ", ".join(str(entry["size"]) for entry in plan["sizes"])
    raise ValueError(f"the plan has no transactions of {size} items (it has {known})")


def operator_of(plan: Mapping[str, Any], size: int, items: int) -> Operator:
    """The operator that a plan gives to transactions of one size, on so many items."""
    found = randomization_of(plan, size)
    return select_a_size(items, size, found.insert, keep=found.keep, name=f"size {size}")


def plan_table(plan: Mapping[str, Any]) -> list[list[str]]:
    """The trade-off table: a header, then a row a transaction size; LDS in percent."""
    largest = max(len(entry["lds"]) for entry in plan["sizes"])
    header = ["size", "rho", "bits", "j*", "gamma"]
    header += [f"LDS {k} (%)" for k in range(1, largest + 1)]
    header += ["mean size", "compressed (bits)"]
    rows = [header]
    for entry in plan["sizes"]:
        cutoff = "-" if entry["cutoff"] is None else str(entry["cutoff"])
        row = [str(entry["size"]), entry["insert"], str(entry["bits"]), cutoff]
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
