"""Findings about the papers as Markdown: what `ppdm prove --findings docs/findings.md` writes."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.certify.statement import Outcome, Statement

HEAD = """# Findings about the papers

Every place where a check of `ppdm prove` found the text, a formula or a number of a paper to be
wrong, misprinted, ambiguous, vacuous, looser than it need be, or in need of a stronger hypothesis.
This page is written by `ppdm prove --findings docs/findings.md`; a test compares each section with
what the statement finds.
"""


def findings_markdown(decided: Sequence[tuple[Statement, Outcome]]) -> str:
    """The whole page: a section for each statement that found something."""
    sections = [findings_section(statement, outcome) for statement, outcome in decided]
    return "\n".join([HEAD, *(section for section in sections if section)])


def findings_section(statement: Statement, outcome: Outcome) -> str:
    """A statement's findings, under its name; empty where there are none."""
    if not outcome.findings:
        return ""
    lines = [findings_heading(statement.name), ""]
    for finding in outcome.findings:
        lines += [
            f"**{finding.where}** ({statement.paper}, {finding.slip})",
            "",
            f"- Printed: {finding.printed}",
            f"- Right: {finding.right}",
            f"- Evidence: {finding.evidence}",
            "",
        ]
    return "\n".join(lines)


def findings_heading(name: str) -> str:
    """The heading of a statement's section."""
    return f"## {name}"
