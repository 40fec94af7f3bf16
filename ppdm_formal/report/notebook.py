"""Notebook display: operators and audits as small HTML tables, all text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from ppdm_formal.domain import show_value
from ppdm_formal.exact import text
from ppdm_formal.report.decimals import clean

if TYPE_CHECKING:
    from ppdm_formal.audit import AuditResult
    from ppdm_formal.operator import Operator

_SHOWN = 12
"""Up to so many inputs and outputs a matrix is shown whole, above by its views."""


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; every cell is escaped."""
    header = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>"


def operator_html(operator: Operator) -> str:
    """The matrix where it is small, otherwise the views."""
    inputs, outputs = operator.inputs, operator.outputs
    name = escape(clean(operator.name or "operator"))
    title = f"<p><b>{name}</b>: {inputs.size} inputs, {outputs.size} outputs</p>"
    if inputs.size <= _SHOWN and outputs.size <= _SHOWN:
        head = ["p[x -> y]", *(clean(show_value(y)) for y in outputs)]
        rows = [
            [clean(show_value(x)), *(text(operator.probability(x, y)) for y in outputs)]
            for x in inputs
        ]
        return title + html_table(head, rows)
    head = ["outputs alike", "for example", "inputs", "for example", "likelihood"]
    rows = []
    for view in operator.views()[:_SHOWN]:
        for part in view.classes[:_SHOWN]:
            example, output = clean(show_value(part.example)), clean(show_value(view.output))
            rows.append(
                [str(view.outputs), output, str(part.count), example, text(part.likelihood)]
            )
    return title + html_table(head, rows)


def audit_html(result: AuditResult) -> str:
    """Amplification and verdicts, one row each."""
    rows = []
    for found in result.operators:
        rows.append([clean(found.operator.name), "amplification", found.amplification.text])
        for certificate in found.certificates:
            verdict = certificate.verdict.value
            rows.append([clean(found.operator.name), str(certificate.claim), verdict])
    return html_table(["operator", "claim or measure", "result"], rows)
