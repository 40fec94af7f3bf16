"""A tally as blocks: which files were counted, of which operators, and how many reports."""

from __future__ import annotations

from ppdm_formal.infer.tables.tallied import Tallied
from ppdm_formal.report.parts.blocks import Block, Document, Section, Table, Text
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean, visible

LISTED = 20
"""Files that are named one by one."""


def document(found: Tallied, **_: object) -> Document:
    """Columns, then files."""
    columns = [
        [
            visible(one.name),
            visible(one.operator.name),
            "each output" if one.operator.report.by_output else "reports for each value",
            f"{len(one.counts):,}",
            one.digest[:12],
        ]
        for one in found.columns
    ]
    head = ["column", "operator", "counted", "counts", "operator's digest"]
    blocks: list[Block] = [Table(head, columns, numbers=range(3, 4))]
    files = [
        [visible(clean(one.file, 80)), f"{one.rows:,}", one.sha256[:12]] for one in found.sources
    ]
    blocks.append(Table(["file", "reports", "digest"], files[:LISTED], numbers=range(1, 2)))
    if len(files) > LISTED:
        blocks.append(Text(f"and {len(files) - LISTED:,} more files"))
    if found.simulated:
        blocks.append(Text("Simulated: a seeded generator drew some of these reports."))
    many = counted(found.rows, "report"), counted(len(found.sources), "file")
    return Document(f"{many[0]} of {many[1]} counted", "", "", "", [Section("", blocks)], "")
