"""Which statement rests on which: definitions and statements as a graph, coloured by outcome."""

from __future__ import annotations

from collections.abc import Mapping

from ppdm_formal.report.pictures.layered import Box, layered
from ppdm_formal.report.pictures.svg import standalone
from ppdm_formal.statement import Outcome
from ppdm_formal.statement.rests_on import RestsOn

_COLUMN = 230.0
_STYLE = """
text { font-family: sans-serif; font-size: 11.5px; } .middle { text-anchor: middle; }
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
    """An SVG file of its own; names without an outcome are definitions or were not decided."""
    defined = {item.name for item in rests_on.items if not hasattr(item, "decide")}
    columns = [
        [Box(name, name, _kind(name, defined, outcomes)) for name in generation]
        for generation in rests_on.generations()
    ]
    seen = {box.class_ for column in columns for box in column}
    legend = [(kind, words) for kind, words in _WORDS.items() if kind in seen]
    width = max(1, len(columns)) * _COLUMN
    graph = layered(columns, rests_on.direct(), legend, width)
    title = "What each statement rests on"
    words = "An arrow leads from a definition or statement to each that uses it."
    return standalone(width, graph.height, title, words, _STYLE, graph.parts)


def _kind(name: str, defined: set[str], outcomes: Mapping[str, Outcome]) -> str:
    if name in defined:
        return "definition"
    return outcomes[name].kind if name in outcomes else "unknown"
