"""Which statement rests on which: definitions and statements as a graph, coloured by outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_formal.certify.statement import Outcome
from ppdm_formal.certify.statement.rests_on import RestsOn
from ppdm_formal.report.pictures.axes import legend_lines, text_at
from ppdm_formal.report.pictures.layered import GraphNode, box_sign, layered
from ppdm_formal.report.pictures.svg import element, standalone

_COLUMN, _FEWEST = 330.0, 2
"""The width of a column with its gap, and the fewest columns."""

_STYLE = """
text { font-family: sans-serif; font-size: 11.5px; } .middle { text-anchor: middle; }
text.head { font-size: 16px; font-weight: bold; }
.box { fill: #ffffff; stroke-width: 1.5; stroke: #777777; }
.definition { stroke-dasharray: 3 2; } .proved { fill: #dcf0de; stroke: #2d7a3a; }
.checked, .enclosed { fill: #e2eef8; stroke: #1b5e9b; }
.corrected { fill: #fff0d2; stroke: #a86a00; }
.refuted { fill: #fae0da; stroke: #b5460f; } .unknown { fill: #eeeeee; }
.arrow { fill: none; stroke: #999999; } .arrow-head { fill: #999999; }
"""
_WORDS = {
    "definition": "definition",
    "proved": "proved",
    "checked": "checked up to a size",
    "enclosed": "numbers, enclosed",
    "corrected": "corrected: what is printed is wrong",
    "refuted": "refuted",
    "unknown": "unknown, or not decided in this run",
}


def rests_on_svg(rests_on: RestsOn, outcomes: Mapping[str, Outcome]) -> str:
    """An SVG file of its own; names without an outcome are definitions or were not decided.

    A band a paper: the graph of its own statements and of what they use of other papers, then
    those that neither use nor are used.
    """
    defined = {item.name for item in rests_on.items if not hasattr(item, "decide")}
    papers = dict.fromkeys(item.name.partition("/")[0] for item in rests_on.items)
    bands = [_Band.of(rests_on, paper) for paper in papers]
    across = max([_FEWEST, *(len(band.columns) for band in bands)])
    width = across * _COLUMN
    parts: list[Markup] = []
    top = 0.0
    for band in bands:
        parts.append(text_at(4, top + 22, band.paper.upper(), "head"))
        top += 32
        rows = [band.alone[k : k + across] for k in range(0, len(band.alone), across)]
        columns = [list(column) for column in band.columns]
        columns += [[] for _ in range(across - len(columns))]
        below = max(map(len, columns))
        boxes = [[_box(name, band, defined, outcomes) for name in column] for column in columns]
        for place, column in enumerate(boxes):
            if rows:
                column += [None] * (below - len(column))
                column += [
                    _box(row[place], band, defined, outcomes) if place < len(row) else None
                    for row in rows
                ]
        drawn = layered(boxes, band.arrows, [], width)
        parts.append(element("g", *drawn.parts, transform=f"translate(0 {top:g})"))
        top += drawn.height
    kinds = {_kind(item.name, defined, outcomes) for item in rests_on.items}
    legend = [(box_sign(kind), words) for kind, words in _WORDS.items() if kind in kinds]
    parts += legend_lines(legend, top + 20, width)
    height = top + 20 + 17 * len(legend)
    title = "What each statement rests on"
    words = "An arrow leads from a definition or statement to each that uses it."
    return standalone(width, height, title, words, _STYLE, parts)


@dataclass(frozen=True)
class _Band:
    """What is drawn of one paper: columns by use, the arrows, and names without any."""

    paper: str
    columns: Sequence[Sequence[str]]
    alone: Sequence[str]
    arrows: Sequence[tuple[str, str]]

    @classmethod
    def of(cls, rests_on: RestsOn, paper: str) -> _Band:
        own = [item.name for item in rests_on.items if item.name.startswith(f"{paper}/")]
        arrows = [arrow for arrow in rests_on.direct() if arrow[1] in own]
        joined = {name for arrow in arrows for name in arrow}
        column = {
            name: place
            for place, names in enumerate(rests_on.generations())
            for name in names
            if name in joined
        }
        users: dict[str, list[str]] = {}
        for tail, head in arrows:
            users.setdefault(tail, []).append(head)
        heads = {head for _, head in arrows}
        for name, used_by in users.items():
            if name not in heads:  # right before what uses it first
                column[name] = min(column[other] for other in used_by) - 1
        first = min(column.values(), default=0)
        columns: list[list[str]] = [[] for _ in range(max(column.values(), default=-1) - first + 1)]
        for name in sorted(column, key=lambda name: (name not in own, column[name])):
            columns[column[name] - first].append(name)
        place = {name: k for names in columns for k, name in enumerate(names)}
        for names in columns[1:]:  # near what each rests on, so that fewer arrows cross
            names.sort(key=lambda name: _mean([place[a] for a, b in arrows if b == name]))
            place.update({name: k for k, name in enumerate(names)})
        return cls(paper, columns, [name for name in own if name not in joined], arrows)


def _mean(places: Sequence[int]) -> float:
    return sum(places) / len(places) if places else 0.0


def _box(
    name: str, band: _Band, defined: set[str], outcomes: Mapping[str, Outcome]
) -> GraphNode | None:
    """A box with the name inside its own paper's band, or with that of another paper."""
    return GraphNode(name, name.removeprefix(f"{band.paper}/"), _kind(name, defined, outcomes))


def _kind(name: str, defined: set[str], outcomes: Mapping[str, Outcome]) -> str:
    if name in defined:
        return "definition"
    return outcomes[name].kind if name in outcomes else "unknown"
