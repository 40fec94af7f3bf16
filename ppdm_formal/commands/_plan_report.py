"""What ppdm design and ppdm audit write of a plan: certificates, JSON, pages, lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppdm_formal.commands._certificates import say_certificates
from ppdm_formal.commands._options import say_written
from ppdm_formal.files import write_text

if TYPE_CHECKING:
    from ppdm_formal.plan_audit import PlanAudit


def write_reports(
    found: PlanAudit, files: Mapping[tuple[str, int], str], html: str | None, markdown: str | None
) -> None:
    """The whole report, as one HTML file or as Markdown."""
    from ppdm_formal.report.formats.html import document_html
    from ppdm_formal.report.formats.markdown import document_markdown
    from ppdm_formal.report.parts.plan import plan_document

    if html is None and markdown is None:
        return
    document = plan_document(found, files)
    if html is not None:
        write_text(html, document_html(document))
    if markdown is not None:
        write_text(markdown, document_markdown(document))


def say_plan(
    found: PlanAudit,
    notes: Sequence[str],
    targets: Sequence[str | None],
    folder: Path | None,
    files: Mapping[Any, str],
) -> None:
    """The brief report on a terminal, unless standard output holds a file; what was written."""
    from ppdm_formal.report.formats.terminal import console, print_document
    from ppdm_formal.report.parts.plan import brief_document

    if "-" not in targets:
        print_document(brief_document(found, notes), console())
    say_written(targets)
    say_certificates(folder, files, err="-" in targets)
