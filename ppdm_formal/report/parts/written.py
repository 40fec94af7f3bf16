"""Files that a command wrote, as blocks: what they are, and what is to be known of them."""

from __future__ import annotations

from typing import Protocol

from ppdm_formal.report.parts.blocks import Block, Code, Document, Points, Section
from ppdm_formal.report.words.visible import clean


class Files(Protocol):
    """What is shown: the record of the commands' room."""

    @property
    def command(self) -> str:
        """The command that wrote them."""

    @property
    def files(self) -> tuple[str, ...]:
        """Where they are."""

    @property
    def lines(self) -> tuple[str, ...]:
        """What is to be known of them."""


def document(found: Files, **_: object) -> Document:
    """The files, then what is said of them."""
    blocks: list[Block] = [Code([clean(name, 300) for name in found.files])]
    if found.lines:
        blocks.append(Points([clean(line, 600) for line in found.lines]))
    title = f"Written by ppdm {found.command}"
    return Document(title, "", "", "", [Section("Files", blocks)], "", contents=False)
