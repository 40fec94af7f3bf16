"""Tables that fit a terminal: no word is broken where another layout keeps it whole.

Too wide a table is turned (a column an operator instead of a row), and where that does not help
either, each row is written as a list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text as Line

from ppdm_formal.report.parts.blocks import Table
from ppdm_formal.report.words.visible import LONGEST, clean

_LONG_WORD = 24
"""Longer words, such as closed forms, may be broken; numbers may not."""

_NUMBER = re.compile(r"[~<>(-]*[0-9][0-9,./e+%-]*[).,;%]*")


def line(words: str, style: str = "") -> Line:
    """Whatever a model calls things: no markup, no controls, not endless."""
    return Line(clean(words, 10 * LONGEST), style=style)


def grid(table: Table, width: int) -> RenderableType:
    """The table, laid out for so many columns of text."""
    widths = _widths(table, width)
    if widths is None:
        table = _turned(table)
        widths = _widths(table, width)
    return _listed(table) if widths is None else _laid_out(table, widths)


def _widths(table: Table, width: int) -> list[int] | None:
    """How wide each column is; None where some word would have to be broken."""
    columns = list(zip(table.head, *table.rows, strict=True))
    room = width - 3 * len(columns) - 1
    most = [max(cell_len(cell) for cell in column) for column in columns]
    words = [[word for cell in column for word in cell.split()] for column in columns]
    least = [max((_least(word) for word in found), default=1) for found in words]
    if sum(least) > room:
        return None
    widths = list(least)
    spare = room - sum(widths)
    # Columns that need little more get it first; the widest share what is left.
    order = sorted(range(len(columns)), key=lambda k: most[k] - least[k])
    for place, k in enumerate(order):
        given = min(most[k] - least[k], spare // (len(order) - place))
        widths[k] += given
        spare -= given
    return widths


def _least(word: str) -> int:
    """How wide a column must be for a word."""
    return cell_len(word) if _NUMBER.fullmatch(word) else min(cell_len(word), _LONG_WORD)


def _turned(table: Table) -> Table:
    """Rows as columns."""
    columns = list(zip(table.head, *table.rows, strict=True))
    return Table(columns[0], columns[1:], table.caption, range(1, len(columns[0])))


def _laid_out(table: Table, widths: Sequence[int]) -> Grid:
    shown = Grid(
        title=line(table.caption, "bold") if table.caption else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    for position, (column, width) in enumerate(zip(table.head, widths, strict=True)):
        shown.add_column(
            line(column),
            justify="right" if position in table.numbers else "left",
            overflow="fold",
            width=width,
        )
    for row in table.rows:
        shown.add_row(*map(line, row))
    return shown


def _listed(turned: Table) -> Group:
    """Each row of the first layout by itself: its name, then a line a column."""
    lines: list[RenderableType] = [line(turned.caption, "bold")] if turned.caption else []
    for place, name in enumerate(turned.head[1:], 1):
        lines.append(line(f"{turned.head[0]} {name}"))
        for row in turned.rows:
            if row[place]:
                lines.append(Padding(line(f"{row[0]}: {row[place]}"), (0, 0, 0, 2)))
    return Group(*lines)
