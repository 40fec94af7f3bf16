"""Axes: scales from numbers to coordinates, ticks, a frame, and a legend below it.

Coordinates are floats: a picture shows what exact numbers said, it decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from ppdm_formal.report.pictures.fitting import fitted
from ppdm_formal.report.pictures.svg import element, picture

WIDTH, PLOT_HEIGHT = 380.0, 250.0
LEFT, RIGHT, TOP, BOTTOM = 58.0, 16.0, 12.0, 42.0
LEGEND_LINE = 17.0


@dataclass(frozen=True)
class Scale:
    """A linear map of [low, high] to coordinates."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The coordinate of a value; values outside go to the nearer end."""
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers that divide an interval into about so many parts.

    >>> ticks(0, 1), ticks(0, 7.3)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 2.0, 4.0, 6.0])
    """
    raw = (high - low) / about
    power = math.floor(math.log10(raw))
    step = next(s for s in (1, 2, 5, 10) if s * 10.0**power >= raw * 0.999) * 10.0**power
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12 - power if power < 0 else 12) for k in range(first, last + 1)]


def covering(low: float, high: float) -> tuple[float, float]:
    """From low up to a round number that is not below high.

    >>> covering(0, 1.82)
    (0, 2.0)
    """
    places = ticks(low, high)
    return low, high if places[-1] >= high else places[-1] + (places[1] - places[0])


def log_ticks(low: float, high: float) -> list[float]:
    """The logarithms of 1, 2 and 5 times powers of ten in an interval of logarithms.

    >>> [round(10**x, 3) for x in log_ticks(-1.5, 0.4)]
    [0.05, 0.1, 0.2, 0.5, 1.0, 2.0]
    """
    powers = range(math.floor(low), math.ceil(high) + 1)
    places = [power + math.log10(step) for power in powers for step in (1, 2, 5)]
    return [x for x in places if low <= x <= high]


def percent_label(value: float) -> str:
    """A tick on an axis of probabilities."""
    return f"{value * 100:g}%"


def plain_label(value: float) -> str:
    """A tick on another axis."""
    return f"{value:g}"


@dataclass
class Plot:
    """A frame with two axes to draw into; the legend grows below it."""

    x: tuple[float, float]
    y: tuple[float, float]
    x_name: str
    y_name: str
    x_label: Callable[[float], str] = plain_label
    y_label: Callable[[float], str] = plain_label
    width: float = WIDTH
    height: float = PLOT_HEIGHT
    parts: list[Markup] = field(default_factory=list)
    legend: list[tuple[Markup, str]] = field(default_factory=list)
    x_ticks: Sequence[float] | None = None
    """Where x has ticks, if not at round numbers."""
    y_ticks: Sequence[float] | None = None

    @property
    def across(self) -> Scale:
        """From values of x to coordinates."""
        return Scale(*self.x, LEFT, self.width - RIGHT)

    @property
    def up(self) -> Scale:
        """From values of y to coordinates."""
        return Scale(*self.y, self.height - BOTTOM, TOP)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The coordinates of a point."""
        return self.across(x), self.up(y)

    def note(self, sign: Markup, words: str) -> None:
        """A line of the legend; the sign is drawn around (10, 0)."""
        self.legend.append((sign, words))

    @property
    def whole_height(self) -> float:
        """The height with the legend."""
        return self.height + LEGEND_LINE * len(self.legend) + (6 if self.legend else 0)

    def elements(self) -> list[Markup]:
        """The frame, what was drawn into it, and the legend."""
        return [
            *self._frame(),
            *self.parts,
            *legend_lines(self.legend, self.height + 8, self.width),
        ]

    def drawn(self, title: str) -> Markup:
        """The finished picture."""
        return picture(self.width, self.whole_height, title, self.elements())

    def _frame(self) -> Sequence[Markup]:
        parts = []
        bottom, right = self.height - BOTTOM, self.width - RIGHT
        for tick in ticks(*self.x) if self.x_ticks is None else self.x_ticks:
            x = self.across(tick)
            parts.append(element("line", x1=x, x2=x, y1=TOP, y2=bottom, class_="grid"))
            parts.append(text_at(x, bottom + 15, self.x_label(tick), "tick middle"))
        for tick in ticks(*self.y) if self.y_ticks is None else self.y_ticks:
            y = self.up(tick)
            parts.append(element("line", x1=LEFT, x2=right, y1=y, y2=y, class_="grid"))
            parts.append(text_at(LEFT - 6, y + 4, self.y_label(tick), "tick end"))
        parts.append(
            element("path", d=f"M{LEFT:g} {TOP:g}V{bottom:g}H{right:g}", class_="axis", fill="none")
        )
        parts.append(
            text_at(
                (LEFT + right) / 2,
                bottom + 33,
                fitted(self.x_name, self.width - LEFT - RIGHT),
                "small middle",
            )
        )
        middle = (TOP + bottom) / 2
        parts.append(
            element(
                "text",
                self.y_name,
                class_="small middle",
                transform=f"translate(12 {middle:g}) rotate(-90)",
            )
        )
        return parts


def legend_lines(
    legend: Sequence[tuple[Markup, str]], top: float, width: float = WIDTH
) -> list[Markup]:
    """A line a sign, with its words."""
    lines = []
    for line, (sign, words) in enumerate(legend):
        said = element("text", fitted(words, width - 38), x=26, y=4, class_="small")
        place = f"translate(8 {top + LEGEND_LINE * line:g})"
        lines.append(element("g", sign, said, transform=place))
    return lines


def text_at(x: float, y: float, words: str, class_: str = "small") -> Markup:
    """Text at a place."""
    return element("text", words, x=float(x), y=float(y), class_=class_)


def line_sign(class_: str) -> Markup:
    """The legend's sign for a curve."""
    return element("line", x1=0, x2=20, y1=0, y2=0, class_=class_)


def mark(x: float, y: float, verdict: str) -> Markup:
    """The point of a claim: a cross where it fails, a ring where it holds, else a square."""
    if verdict == "breached":
        return element(
            "path",
            d=f"M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10",
            class_="mark fails",
            fill="none",
        )
    if verdict == "certified":
        return element("circle", cx=float(x), cy=float(y), r=5, class_="mark holds", fill="none")
    return element(
        "rect",
        x=float(x - 4),
        y=float(y - 4),
        width=8,
        height=8,
        class_="mark unknown",
        fill="none",
    )
