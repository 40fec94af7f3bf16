"""Notebook display: operators, certificates and audits from the same pieces as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppdm_formal.report.formats.html import blocks_html
from ppdm_formal.report.formats.json import audit_json
from ppdm_formal.report.parts.blocks import Block, Section, Table, Text
from ppdm_formal.report.parts.decided import decided_claims
from ppdm_formal.report.parts.operator import declared
from ppdm_formal.report.parts.outcome import outcome
from ppdm_formal.report.parts.verdicts import verdict_block, verdict_part
from ppdm_formal.report.parts.worked import worked
from ppdm_formal.report.words.measure_words import cell, columns, head
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.audit import AuditResult
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.operator.operator import Operator


def operator_html(operator: Operator) -> str:
    """The program, the matrix where it is small, and the views."""
    title = f"Operator {clean(operator.name)}" if operator.name else "Operator"
    return blocks_html([Section(title, declared(operator), 3)])


def certificate_html(certificate: Certificate) -> str:
    """The verdict in words, and the witness of a breach worked out."""
    blocks: list[Block] = [verdict_block(certificate.summary()), *worked(certificate)]
    return blocks_html([Section(f"Operator {clean(certificate.operator.name)}", blocks, 3)])


def audit_html(result: AuditResult) -> str:
    """Amplification of each operator, then the verdicts."""
    data = audit_json(result)
    measures = columns(found.readings for found in result.operators)
    rows = [
        [
            clean(found.operator.name),
            *(clean(cell(one), 120) for one in found.readings if one.measure in measures),
        ]
        for found in result.operators
    ]
    heads = [head(measure, result.unit) for measure in measures]
    blocks: list[Block] = [Table(["operator", *heads], rows)]
    claims = decided_claims(result.operators, data["operators"])
    if claims:
        blocks += [Text(outcome(claims)[1]), *verdict_part(claims).blocks]
    return blocks_html(blocks)
