"""A release as blocks: what was done to each column, under which claims, what protects nobody."""

from __future__ import annotations

from ppdm_formal.report.parts.blocks import Document, Points, Section
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.release_words import release_lines
from ppdm_formal.report.words.visible import clean
from ppdm_formal.run.release import Release


def document(release: Release, **_: object) -> Document:
    """What `ppdm randomize` says of the data it wrote."""
    what = "row" if release.transactions is None else "transaction"
    rows = counted(release.tally.rows_out, f"randomized {what}")
    title = f"Release {clean(release.data.file, 200)} ({rows})"
    outcome = "vacuous" if release.simulated or release.overrides else ""
    words = "These data protect nobody: they are simulated." if release.simulated else ""
    if release.overrides and not words:
        words = "Released although its audit does not clear it."
    sections = [Section("What was done", [Points(release_lines(release))])]
    return Document(title, "", outcome, words, sections, "", contents=False)
