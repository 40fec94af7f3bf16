"""A line chart as SVG text: axes with round ticks, one line a series, a caption."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 640, 480
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 44, 120
STROKES = (("#1b5e9b", ""), ("#b5460f", "7 3"), ("#2d7a3a", "2 3"))
"""Colour and dash of each series, told apart in print as well."""


@dataclass(frozen=True)
class Series:
    """A named line."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Chart:
    """What to draw."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    caption: str


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers that cover [low, high], roughly `about` of them.

    >>> ticks(0, 1.82)
    [0.0, 0.5, 1.0, 1.5, 2.0]
    """
    raw = (high - low) / about
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * f for f in (1, 2, 2.5, 5, 10) if unit * f >= raw)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def draw(chart: Chart) -> str:
    """The chart as a standalone SVG document."""
    xs = [x for s in chart.series for x, _ in s.points]
    ys = [y for s in chart.series for _, y in s.points]
    across, up = ticks(min(xs), max(xs)), ticks(0, max(ys))
    left, right = min(xs[0], across[0]), across[-1]

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            LEFT + (x - left) / (right - left) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - y / up[-1] * (HEIGHT - TOP - BOTTOM),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(chart.title)}</title>",
        f"<desc>{escape(chart.caption)}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(WIDTH / 2, 22, chart.title, anchor="middle", size=15),
    ]
    for x in across:
        px, py = at(x, 0)
        parts.append(_line(px, py, px, at(x, up[-1])[1], "#e4e4e4"))
        parts.append(_text(px, py + 16, f"{x:g}", anchor="middle"))
    for y in up:
        px, py = at(left, y)
        parts.append(_line(px, py, at(right, y)[0], py, "#e4e4e4"))
        parts.append(_text(px - 8, py + 4, f"{y:g}", anchor="end"))
    corner = at(left, 0)
    parts.append(_line(*corner, *at(right, 0), "black"))
    parts.append(_line(*corner, *at(left, up[-1]), "black"))
    parts.append(_text(at((left + right) / 2, 0)[0], corner[1] + 36, chart.x_label, "middle"))
    middle = at(left, up[-1] / 2)[1]
    parts.append(
        f'<text transform="translate(18 {middle:.1f}) rotate(-90)" text-anchor="middle">'
        f"{escape(chart.y_label)}</text>"
    )
    for index, (series, (colour, dash)) in enumerate(
        zip(chart.series, STROKES, strict=False)  # a chart has at most three lines
    ):
        path = " ".join("{:.2f},{:.2f}".format(*at(x, y)) for x, y in series.points)
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{path}" {style}/>')
        for px, py in (at(x, y) for x, y in series.points):
            parts.append(f'<circle cx="{px:.2f}" cy="{py:.2f}" r="2.4" fill="{colour}"/>')
        legend = LEFT + 60 + 170 * index
        parts.append(
            f'<line x1="{legend}" y1="36" x2="{legend + 30}" y2="36" stroke="{colour}" '
            f'stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        parts.append(_text(legend + 36, 40, series.name))
    for row, words in enumerate(_wrapped(chart.caption, 100)):
        parts.append(_text(LEFT - 50, corner[1] + 58 + 15 * row, words, size=11))
    parts.append("</svg>\n")
    return "\n".join(parts)


def _text(x: float, y: float, words: str, anchor: str = "start", size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">'
        f"{escape(words)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}" stroke-width="1"/>'
    )


def _wrapped(words: str, width: int) -> list[str]:
    return textwrap.wrap(words, width)
