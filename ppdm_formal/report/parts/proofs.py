"""Statements that were decided, as blocks: one table of all, and each one with its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.certify.statement import DecidedStatement, Outcome, Proofs
from ppdm_formal.certify.statement.outcome import EXACT
from ppdm_formal.report.parts.blocks import (
    Block,
    Document,
    Facts,
    Math,
    Section,
    Table,
    VerdictBlock,
)
from ppdm_formal.report.words.counted import counted

_AMBER = ("corrected", "refuted")


FEW = 3
"""So many statements are shown in full on a terminal."""


def document(proofs: Proofs, *, brief: bool = False) -> Document:
    """The whole report: the table, then every statement, paper by paper."""
    decided = proofs.decided
    if brief:
        return full_proofs(decided) if len(decided) <= FEW else brief_proofs(decided)
    papers = dict.fromkeys(found.statement.paper for found in decided)
    sections = [Section("All statements", [_table(decided)], anchor="all")]
    for paper in papers:
        parts = [
            Section(
                f"{found.statement.title} ({found.statement.name})",
                _statement(found),
                level=3,
                anchor=_anchor(found),
            )
            for found in decided
            if found.statement.paper == paper
        ]
        sections.append(Section(paper, parts, anchor=paper.lower()))
    return _document(decided, sections)


def brief_proofs(decided: Sequence[DecidedStatement]) -> Document:
    """For a terminal: the table, and in full only what is not as the files expect it."""
    sections = [Section("Statements", [_table(decided)])]
    unexpected = [found for found in decided if not found.as_expected]
    if unexpected:
        blocks = [block for found in unexpected for block in _statement(found)]
        sections.append(Section("Not as expected", blocks))
    return _document(decided, sections)


def full_proofs(decided: Sequence[DecidedStatement]) -> Document:
    """For a terminal, where few statements were asked for: each in full."""
    blocks = [block for found in decided for block in _statement(found)]
    return _document(decided, [Section("Statements", blocks)])


def _document(decided: Sequence[DecidedStatement], sections: Sequence[Section]) -> Document:
    kinds = [found.outcome.kind for found in decided]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    wrong = sum(not found.as_expected for found in decided)
    findings = sum(len(found.outcome.findings) for found in decided)
    words = (
        f"{counted(wrong, 'statement')} not as the proof files expect"
        if wrong
        else "Every outcome is as the proof files expect, and every false neighbour is refuted"
    )
    return Document(
        "Statements of papers, decided anew",
        f"{counted(len(decided), 'statement')}: {counts}; {counted(findings, 'finding')} about the "
        "papers. A statement recorded as corrected or refuted is printed wrongly in its paper.",
        "breached" if wrong else "certified",
        f"{words}.",
        sections,
        "",
    )


def _table(decided: Sequence[DecidedStatement]) -> Table:
    rows = [
        [
            found.statement.name,
            found.outcome.kind if found.as_expected else f"{found.outcome.kind} (unexpected)",
            found.outcome.scope,
            ", ".join(found.outcome.means),
            _trust(found.outcome),
            f"{found.seconds:.1f}",
        ]
        for found in decided
    ]
    head = ["statement", "outcome", "scope", "means", "trust", "s"]
    return Table(head, rows, numbers=(5,), links=[_anchor(found) for found in decided])


def _anchor(found: DecidedStatement) -> str:
    return found.statement.name.replace("/", "-")


def _trust(outcome: Outcome) -> str:
    return "exact" if outcome.trust == EXACT else outcome.trust


def _statement(found: DecidedStatement) -> list[Block]:
    statement, outcome = found.statement, found.outcome
    colour = "unknown" if outcome.kind == "unknown" else "breached"
    if found.as_expected:
        colour = "partly" if outcome.kind in _AMBER else "certified"
    details = _details(found)
    place = f", section {statement.section}" if statement.section else ""
    blocks: list[Block] = [Math(statement.formulas)] if statement.formulas else []
    blocks.append(
        VerdictBlock(
            anchor="",
            verdict=colour,
            word=outcome.kind,
            badge=outcome.kind,
            operator=statement.name,
            number=None,
            claim=f"{statement.paper}{place}: {statement.title}",
            asked="",
            finding=statement.text,
            details=details,
            compact=_compact(details),
        )
    )
    if outcome.printed:
        blocks.append(_printed(outcome))
    blocks += [
        Facts(
            [
                ("Finding", f"{finding.slip}; {finding.where}"),
                ("Printed", finding.printed),
                ("Right is", finding.right),
                ("Evidence", finding.evidence),
            ]
        )
        for finding in outcome.findings
    ]
    return blocks


def _compact(details: Sequence[tuple[str, str | Sequence[str]]]) -> list[str]:
    return [
        f"{term}: {words if isinstance(words, str) else '; '.join(words)}"
        for term, words in details
    ]


def _details(found: DecidedStatement) -> list[tuple[str, str | Sequence[str]]]:
    statement, outcome = found.statement, found.outcome
    details: list[tuple[str, str | Sequence[str]]] = []
    if statement.hypotheses:
        details.append(("Given", list(statement.hypotheses)))
    details.append(("Decided", f"{outcome.detail}."))
    if outcome.correction and not outcome.findings:
        details.append(("Right is", outcome.correction))
    if outcome.counterexample:
        details.append(("Counterexample", _counterexample(outcome)))
    for name, words in (
        ("Scope", outcome.scope),
        ("Means", ", ".join(outcome.means)),
        ("Trust", outcome.trust),
        ("Rests on", ", ".join(statement.uses)),
    ):
        if words:
            details.append((name, words))
    for neighbour, other in zip(statement.neighbours, found.neighbours, strict=True):
        said = [neighbour.text, f"{other.kind}: {other.detail}"]
        if other.counterexample:
            said.append(f"counterexample: {_counterexample(other)}")
        details.append(("False neighbour", said))
    return details


def _counterexample(outcome: Outcome) -> str:
    assert outcome.counterexample is not None
    return ", ".join(f"{name} = {value}" for name, value in outcome.counterexample.items())


def _printed(outcome: Outcome) -> Table:
    agreement = {True: "yes", False: "no", None: "open"}
    rows = [
        [number.where, number.text, str(number.computed), agreement[number.agrees]]
        for number in outcome.printed
    ]
    return Table(["number", "printed", "computed", "agrees"], rows, exact=(2,))
