"""A document as Markdown for pull requests: the same blocks, one line a sentence or row.

What a name could mean to Markdown is escaped, so that it reads as text; pictures are given by
their captions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ppdm_formal.report.parts.blocks import (
    Block,
    Code,
    Document,
    Facts,
    Gallery,
    Math,
    Pairs,
    Picture,
    Points,
    Section,
    Signatures,
    Table,
    Text,
    VerdictBlock,
)
from ppdm_formal.report.words.visible import visible

_SPECIAL = re.compile(r"[\\`*\[\]|$~@!]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[#>+-](?= |$)|://")


def document_markdown(document: Document) -> str:
    """The whole text; the same document gives the same bytes."""
    lines = [f"# {plain(document.title)}", ""]
    if document.outcome_words:
        lines += [f"**{plain(document.outcome_words)}**", ""]
    if document.head:
        lines += [*_facts(document.head), ""]
    lines += [plain(document.lead), ""]
    for section in document.sections:
        lines += _block(section)
    lines += ["---", "", plain(document.footer)]
    return "\n".join(lines) + "\n"


def plain(text: str) -> str:
    r"""Text that Markdown shows as it is.

    >>> print(plain("a_b *c* <i> [x -> y] ~5%"))
    a_b \*c\* &lt;i&gt; \[x -&gt; y\] \~5%
    """
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(_escaped, shown)


def _escaped(match: re.Match[str]) -> str:
    found = match.group()
    return {"@": "&#64;<!-- -->", "://": ":<!-- -->//"}.get(found, f"\\{found}")


def _block(block: Block) -> list[str]:
    match block:
        case Text():
            return [plain(block.words), ""]
        case Points():
            return [*(f"- {plain(item)}" for item in block.items), ""]
        case Facts():
            return [*_facts(block.pairs), ""]
        case Table():
            return _table(block)
        case Math():
            return [line for formula in block.formulas for line in ("$$", formula, "$$", "")]
        case Code():
            return _code(block.lines)
        case Picture():
            return [f"*Picture: {plain(block.title)}.* {plain(block.caption)}", ""]
        case Gallery():
            return [line for picture in block.pictures for line in _block(picture)]
        case VerdictBlock():
            return [
                f"#### {plain(block.badge)}: {_inline(block.numbered)}",
                "",
                f"**{plain(block.finding)}**",
                "",
                plain(block.asked),
                "",
                *_facts(block.details),
                "",
            ]
        case Signatures():
            return []
        case Section():
            title = f"{'#' * block.level} {plain(block.title)}"
            return [title, "", *(line for part in block.blocks for line in _block(part))]


def _facts(pairs: Pairs) -> list[str]:
    lines = []
    for term, words in pairs:
        if isinstance(words, str):
            lines.append(f"- **{plain(term)}**: {plain(words)}")
        else:
            lines.append(f"- **{plain(term)}**:")
            lines += [f"  - {plain(sentence)}" for sentence in words]
    return lines


def _table(table: Table) -> list[str]:
    lines = [plain(table.caption), ""] if table.caption else []
    marks = ["---:" if k in table.numbers else "---" for k in range(len(table.head))]
    lines.append("| " + " | ".join(plain(cell) for cell in table.head) + " |")
    lines.append("|" + "|".join(marks) + "|")
    lines += ["| " + " | ".join(plain(cell) for cell in row) + " |" for row in table.rows]
    return [*lines, ""]


def _fence(text: str, least: int) -> str:
    return "`" * max(least, 1 + max((len(run) for run in re.findall("`+", text)), default=0))


def _inline(text: str) -> str:
    shown = visible(text)
    fence = _fence(shown, 1)
    pad = " " if "`" in shown else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _code(lines: Sequence[str]) -> list[str]:
    shown = [visible(line) for line in lines]
    fence = _fence("\n".join(shown), 3)
    return [fence, *shown, fence, ""]
