"""The audit on a terminal: tables in the spirit of EGS03's Tables 1 and 2, then the claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ppdm_formal.audit import AuditResult, OperatorAudit
from ppdm_formal.numbers.exact import Exact, is_symbolic
from ppdm_formal.numbers.people import exact_within, percent, show_count
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.operator.domain import Value, show_value
from ppdm_formal.report.parts.blocks import Document
from ppdm_formal.report.words.measure_words import attained, cell, columns, head
from ppdm_formal.report.words.verdict_words import verdict_words
from ppdm_formal.report.words.visible import LONGEST, clean

if TYPE_CHECKING:
    from ppdm_formal.certify.certificate import Certificate

PLAIN_WIDTH = 120
"""Width where the output is not a terminal."""

_COLOURS = {"certified": "green", "breached": "bold red", "unknown": "yellow"}


def console(*, stderr: bool = False) -> Console:
    """A console that is as wide as the terminal, or wide enough for a file."""
    probe = Console(stderr=stderr)
    if probe.is_terminal:
        return probe
    return Console(stderr=stderr, width=PLAIN_WIDTH)


def print_audit(result: AuditResult, to: Console) -> None:
    """Print the whole audit."""
    title = clean(result.model.file, 100)
    if result.model.values:
        chosen = [f"{n} = {number_text(v)}" for n, v in result.model.values.items()]
        title += "  with " + ", ".join(chosen)
    to.print(_text(title, "bold"))
    to.print(_operators(result.operators, result.unit))
    for prior in _priors(result):
        _print_posteriors(result, prior, to)
        _print_information(result, prior, to)
    if any((part.properties or part.given) and not part.priors for part in result.model.audits):
        to.print(Text("Posteriors need a prior: an audit here asks for some and names none."))
    claims = [(found, c) for found in result.operators for c in found.certificates]
    if claims:
        to.print(Text("Claims", style="bold"))
        for found, certificate in claims:
            _print_claim(found, certificate, to)


def print_comparison(document: Document, to: Console) -> None:
    """Print a comparison's tables."""
    from ppdm_formal.report.parts.comparison import tables

    to.print(_text(document.title, "bold"))
    for title, table in tables(document):
        shown = Table(title=_text(title, "bold"), title_justify="left", box=box.SIMPLE_HEAD)
        for position, column in enumerate(table.head):
            justify: Literal["left", "right"] = "right" if position in table.numbers else "left"
            shown.add_column(_text(column), justify=justify, overflow="fold")
        for row in table.rows:
            _row(shown, *row)
        to.print(shown)


def _text(words: str, style: str = "") -> Text:
    """Whatever a model calls things: no markup, no controls, not endless."""
    return Text(clean(words, 10 * LONGEST), style=style)


def _value(value: Value) -> str:
    return clean(show_value(value), 30)


def _table(title: str, columns: Iterable[str]) -> Table:
    table = Table(title=_text(title, "bold"), title_justify="left", box=box.SIMPLE_HEAD)
    for position, column in enumerate(columns):
        table.add_column(
            _text(column), justify="left" if position == 0 else "right", overflow="fold"
        )
    return table


def _row(table: Table, *cells: str) -> None:
    table.add_row(*(_text(cell) for cell in cells))


def _operators(operators: Sequence[OperatorAudit], unit: str) -> Table:
    measures = columns(found.readings for found in operators)
    heads: list[str] = []
    for number, measure in enumerate(measures):
        heads += [head(measure, unit), *(["attained at"] if number == 0 else [])]
    table = _table("Operators, for all priors", ["operator", "inputs", "outputs", "views", *heads])
    for found in operators:
        cells: list[str] = []
        for number, measure in enumerate(measures):
            one = next(one for one in found.readings if one.measure is measure)
            cells += [cell(one), *([attained(one)] if number == 0 else [])]
        _row(
            table,
            clean(found.operator.name),
            show_count(found.operator.inputs.size, separated=True),
            show_count(found.operator.outputs.size, separated=True),
            str(found.views),
            *cells,
        )
    return table


def _priors(result: AuditResult) -> list[str]:
    return list(dict.fromkeys(p.prior.name for found in result.operators for p in found.priors))


def _probability(value: Exact | None) -> str:
    if value is None:
        return "cannot occur"
    if is_symbolic(value):
        return number_text(value)
    exact = exact_within(value, 24)
    return percent(value, 6) if exact is None else f"{percent(value)}  {exact}"


def _print_posteriors(result: AuditResult, prior: str, to: Console) -> None:
    rows = [
        (found, row)
        for found in result.operators
        for row in found.posteriors
        if row.prior.name == prior
    ]
    if not rows:
        return
    properties = list(dict.fromkeys(row.property.name for _, row in rows))
    table = _table(f"Posteriors under {prior}", ["given", *properties])
    before = {row.property.name: row.before for _, row in rows}
    _row(table, "nothing", *(_probability(before.get(name)) for name in properties))
    given: dict[tuple[str, Value], dict[str, Exact | None]] = {}
    worst: dict[tuple[str, str], dict[str, tuple[Exact | None, Value]]] = {}
    for found, row in rows:
        name = found.operator.name
        if row.worst is None:
            given.setdefault((name, row.given), {})[row.property.name] = row.after
        else:
            worst.setdefault((name, row.worst), {})[row.property.name] = (row.after, row.given)
    for (name, output), values in given.items():
        cells = [_probability(values[p]) if p in values else "" for p in properties]
        _row(table, f"{name}({prior}) = {_value(output)}", *cells)
    for (name, which), found_worst in worst.items():
        cells = [
            f"{_probability(found_worst[p][0])}  given {_value(found_worst[p][1])}"
            if p in found_worst
            else ""
            for p in properties
        ]
        _row(table, f"{name}, {which} over all outputs", *cells)
    to.print(table)


def _print_information(result: AuditResult, prior: str, to: Console) -> None:
    parts = [
        (found.operator, part)
        for found in result.operators
        for part in found.priors
        if part.prior.name == prior
    ]
    measures = columns(part.readings for _, part in parts)
    heads = [head(measure, result.unit) for measure in measures]
    table = _table(f"Information under {prior}", ["operator", *heads])
    forms: list[str] = []
    for operator, part in parts:
        name = clean(operator.name)
        known = {found.measure: found for found in part.readings}
        cells = [cell(known[measure]) for measure in measures]
        if operator.parameters or part.prior.parameters:  # closed forms are too long for a table
            forms += [f"{name}, {h}: {c}" for h, c in zip(heads, cells, strict=True) if c]
        else:
            _row(table, name, *cells)
    if table.row_count:
        to.print(table)
    elif forms:
        to.print(_text(f"Information under {prior}", "bold"))
    for form in forms:
        to.print(Padding(_text(form), (0, 0, 0, 2)))


def _print_claim(found: OperatorAudit, certificate: Certificate, to: Console) -> None:
    verdict = certificate.verdict.value
    line = Text("  ")
    line.append(f"{verdict:<10}", style=_COLOURS[verdict])
    line.append(f"{clean(found.operator.name)}: {clean(str(certificate.claim), 100)}")
    to.print(line)
    details = verdict_words(certificate.summary())
    if verdict != "unknown":
        details.append(f"Evidence: {certificate.trust}.")
    for detail in details:
        to.print(Padding(_text(detail), (0, 0, 0, 14)))


def print_plan(rows: list[list[str]], plan: dict[str, Any], to: Console) -> None:
    """The trade-off table of a plan for itemsets, its verdicts and notes."""
    head, *body = rows
    title = f"Plan against breaches {plan['rho1']} -> {plan['rho2']}: gamma {plan['gamma_used']}"
    table = _table(title, [*head, "verdict"])
    for row, entry in zip(body, plan["sizes"], strict=True):
        _row(table, *row, entry["certificate"]["verdict"])
    to.print(table)
    for note in plan["notes"]:
        to.print(Text(note))
    to.print(Text("LDS: lowest discoverable support, four standard deviations from zero."))
