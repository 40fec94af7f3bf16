"""Notebook display: operators, certificates and audits from the same pieces as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppdm_formal.report.formats.html import blocks_html
from ppdm_formal.report.parts.blocks import Block, Section, Text
from ppdm_formal.report.parts.comparison import comparison_document
from ppdm_formal.report.parts.document import brief_document
from ppdm_formal.report.parts.sections.operators import declared
from ppdm_formal.report.parts.sections.verdicts import verdict_block
from ppdm_formal.report.parts.worked import worked
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.audited import AuditResult
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.comparison import Comparison
    from ppdm_formal.operator.operator import Operator


def operator_html(operator: Operator) -> str:
    """The program, the matrix where it is small, and the views."""
    title = f"Operator {clean(operator.name)}" if operator.name else "Operator"
    return blocks_html([Section(title, declared(operator), 3)])


def certificate_html(certificate: Certificate) -> str:
    """The verdict in words, and the witness of a breach worked out."""
    blocks: list[Block] = [verdict_block(certificate), *worked(certificate)]
    return blocks_html([Section(f"Operator {clean(certificate.operator.name)}", blocks, 3)])


def comparison_html(comparison: Comparison) -> str:
    """The tables and pictures of `ppdm compare`."""
    return blocks_html(list(comparison_document(comparison.results).sections))


def audit_html(result: AuditResult) -> str:
    """The outcome and the brief report."""
    document = brief_document(result)
    blocks = [block for section in document.sections for block in section.blocks]
    return blocks_html([Text(document.outcome_words), *blocks])
