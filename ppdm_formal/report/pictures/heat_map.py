"""Heat map of p[x -> y]: inputs down, outputs across; large matrices by blocks.

A block is coloured by its largest probability, so that no likely transition hides in an average;
hovering shows the exact range of its entries.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from ppdm_formal.declare.arithmetic.exact import is_symbolic
from ppdm_formal.declare.arithmetic.people import brief
from ppdm_formal.declare.operators.domain import Domain, show_value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.report.pictures.axes import WIDTH, text_at
from ppdm_formal.report.pictures.fitting import TICK, fitted, width
from ppdm_formal.report.pictures.svg import Picture, element, picture
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.witness_words import at_values

_WHOLE, _BLOCKS = 32, 25
"""Up to so many rows and columns are drawn each, above so many blocks."""

_LEVELS = 10
_LEFT, _TOP, _SIDE = 76.0, 22.0, 292.0
_COLUMN = 50.0


@dataclass(frozen=True)
class HeatCell:
    """A block of the matrix: which inputs and outputs, its least and its largest entry."""

    row: int
    column: int
    least: Fraction
    most: Fraction


@dataclass(frozen=True)
class Heat:
    """The matrix in cells, with the spans of inputs and outputs that they stand for."""

    rows: tuple[range, ...]
    columns: tuple[range, ...]
    cells: tuple[HeatCell, ...]

    @property
    def whole(self) -> bool:
        """Whether each entry has its own cell."""
        return all(len(span) == 1 for span in (*self.rows, *self.columns))


def heat(operator: Operator) -> Heat | None:
    """The cells; None where the matrix is symbolic or too large to write out."""
    try:
        coded = operator.matrix()
    except (TooLarge, MemoryError):
        return None
    if any(is_symbolic(value) for value in coded.palette):
        return None
    rows, columns = (_spans(size) for size in coded.shape)
    cells = []
    for i, down in enumerate(rows):
        band: Any = coded.codes[down.start : down.stop]
        for j, across in enumerate(columns):
            block = band[:, across.start : across.stop]
            # The palette falls, so that the smallest code is the largest value.
            most, least = coded.palette[int(block.min())], coded.palette[int(block.max())]
            cells.append(HeatCell(i, j, least, most))
    return Heat(tuple(rows), tuple(columns), tuple(cells))


def heat_map(operator: Operator, claims: Sequence[Decided]) -> Picture | None:
    """The picture with its caption; with free parameters, at values where a claim fails."""
    at = ""
    if operator.parameters:
        values = _sample(operator, claims)
        operator = operator.substitute(values)
        at = f" at {at_values(values)}"
    cells = heat(operator)
    if cells is None:
        return None
    title = f"Heat map of p[x -> y]{at}"
    caption = (
        "The stronger the colour, the likelier; on a screen, a cell under the pointer shows its "
        "exact probability."
    )
    if not cells.whole:
        caption = (
            "The stronger the colour, the likelier. The matrix is summarized by blocks, each "
            "shaded by its largest probability; on a screen, a block under the pointer "
            "shows the exact range of its entries."
        )
    return Picture(title, heat_picture(operator, cells, title), caption)


def _sample(operator: Operator, claims: Sequence[Decided]) -> dict[str, Fraction]:
    """Where the matrix is drawn: at a witness's values, otherwise in the middle."""
    for decided in claims:
        witness = decided.certificate.witness
        if witness is not None and witness.parameters:
            return {p.name: witness.parameters[p.name] for p in operator.parameters}
    return {p.name: (p.lower + p.upper) / 2 for p in operator.parameters}


def heat_picture(operator: Operator, found: Heat, title: str) -> Markup:
    """Cells shaded by their largest entry against the matrix's largest."""
    top = max(cell.most for cell in found.cells)
    wide, high = _SIDE / len(found.columns), min(_SIDE / len(found.rows), 40.0)
    wide = min(wide, 76.0)
    parts: list[Markup] = [
        text_at(_LEFT, 12, "output y →", "tick"),
        text_at(4, 12, "input x ↓", "tick"),
    ]
    labels = [_span(operator.inputs, span) for span in found.rows]
    for cell in found.cells:
        x, y = _LEFT + cell.column * wide, _TOP + cell.row * high
        level = 0 if not cell.most else max(1, round(float(cell.most / top) * _LEVELS))
        where = f"{labels[cell.row]} → {_span(operator.outputs, found.columns[cell.column])}"
        least, most = (brief(value) for value in (cell.least, cell.most))
        value = most if cell.most == cell.least else f"{least} to {most}"
        parts.append(
            element(
                "rect",
                element("title", f"{where}: {value}"),
                x=x,
                y=y,
                width=wide,
                height=high,
                class_=f"h{level}",
            )
        )
    step = max(1, round(14 / high + 0.49))
    for i in range(0, len(found.rows), step):
        label = fitted(_span(operator.inputs, found.rows[i], 12), _LEFT - 8, TICK)
        parts.append(text_at(_LEFT - 5, _TOP + (i + 0.5) * high + 4, label, "tick end"))
    bottom = _TOP + high * len(found.rows)
    parts += _column_labels(operator.outputs, found, wide, bottom)
    return picture(WIDTH, bottom + 24, title, parts)


def _column_labels(outputs: Domain, found: Heat, wide: float, bottom: float) -> list[Markup]:
    """As many as fit side by side."""
    names = [
        fitted(show_value(outputs[span.start]), max(wide - 4, _COLUMN), TICK)
        for span in found.columns
    ]
    room = max(width(name, TICK) for name in names) + 8
    step = max(1, math.ceil(room / wide))
    return [
        text_at(_LEFT + (j + 0.5) * wide, bottom + 15, names[j], "tick middle")
        for j in range(0, len(names), step)
        if _LEFT + (j + 0.5) * wide + room / 2 <= WIDTH + 4
    ]


def _spans(size: int) -> list[range]:
    if size <= _WHOLE:
        return [range(k, k + 1) for k in range(size)]
    cuts = [size * k // _BLOCKS for k in range(_BLOCKS + 1)]
    return [range(a, b) for a, b in pairwise(cuts)]


def _span(domain: Domain, span: range, width: int = 24) -> str:
    first = clean(show_value(domain[span.start]), width)
    if len(span) == 1:
        return first
    last = clean(show_value(domain[span.stop - 1]), width)
    joined = f"{first}..{last}"
    return joined if len(joined) <= max(width, 10) else first
