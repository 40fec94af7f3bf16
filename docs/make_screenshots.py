"""Make docs/images: screenshots of real reports, with the Chromium that is on PATH.

Run from anywhere: python docs/make_screenshots.py
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.declare.language.compiler import load
from ppdm_formal.declare.machine.files import example_path
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.parts.blocks import Document, Section

IMAGES = Path(__file__).parent / "images"
LIGHT, DARK = 1, 0
"""Blink's numbers of the colour schemes."""


def main() -> int:
    """Write all images; 1 where there is no Chromium."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        print("no Chromium on PATH", file=sys.stderr)
        return 1
    IMAGES.mkdir(exist_ok=True)
    example, warner = report("example1"), report("warner")
    shoot(browser, "report-verdicts", only(example, "Operator R3"), (900, 837), LIGHT)
    shoot(browser, "report-pictures", pictures(example, "Operator R1"), (960, 705), LIGHT)
    shoot(browser, "report-parameter-dark", pictures(warner, "Operator Warner"), (960, 1135), DARK)
    shoot(browser, "report-answers", answers(warner), (960, 990), LIGHT)
    return 0


def report(name: str) -> Document:
    """The report of a model that comes with the package."""
    path = example_path(name)
    assert path is not None
    return audit(load(path, {})).document()


def only(document: Document, operator: str) -> Document:
    """The verdicts of one operator."""
    verdicts = next(s for s in document.sections if s.title == "Verdicts")
    kept = [
        part for part in verdicts.blocks if isinstance(part, Section) and part.title == operator
    ]
    return replace(document, sections=[replace(verdicts, blocks=kept)], contents=False)


def answers(document: Document) -> Document:
    """The banner, and the questions and answers."""
    return replace(document, sections=document.sections[:1], contents=False)


def pictures(document: Document, operator: str) -> Document:
    """The pictures of one operator."""
    section = next(s for s in document.sections if s.title == operator)
    kept = [b for b in section.blocks if isinstance(b, Section) and b.title == "Pictures"]
    return Document(f"{operator}: pictures", "", "", "", kept, "", contents=False)


def shoot(browser: str, name: str, document: Document, size: tuple[int, int], scheme: int) -> None:
    """Show a document and save what is seen."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(document_html(document), encoding="utf-8")
        subprocess.run(
            [
                browser,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                f"--user-data-dir={folder}/profile",
                f"--blink-settings=preferredColorScheme={scheme}",
                f"--window-size={size[0]},{size[1]}",
                f"--screenshot={IMAGES / name}.png",
                page.as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )


if __name__ == "__main__":
    sys.exit(main())
