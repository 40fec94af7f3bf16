"""Densities on intervals: steps with a band around them, and others beside them as lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_formal.report.pictures.axes import Plot, line_sign
from ppdm_formal.report.pictures.svg import element, number, path


@dataclass(frozen=True)
class ConstantSteps:
    """A density that is constant on each of some intervals; ends are one more than heights."""

    name: str
    ends: Sequence[float]
    heights: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    band: str = ""
    """What the band from low to high is, for the legend."""

    def corners(self, heights: Sequence[float]) -> list[tuple[float, float]]:
        """The steps as a line."""
        pairs = zip(self.ends[:-1], self.ends[1:], heights, strict=True)
        return [point for left, right, y in pairs for point in ((left, y), (right, y))]


def densities(series: Sequence[ConstantSteps], x_name: str, title: str) -> Markup:
    """All in one frame, the first one drawn last."""
    ends = [end for one in series for end in one.ends]
    heights = [y for one in series for y in (*one.heights, *(one.high or ()))]
    plot = Plot((min(ends), max(ends)), (0.0, (max(heights) or 1.0) * 1.05), x_name, "density")
    for one in series:
        if one.low is not None and one.high is not None:
            around = one.corners(one.high) + one.corners(one.low)[::-1]
            steps = "L".join(
                f"{number(x)} {number(y)}" for x, y in (plot.at(*point) for point in around)
            )
            plot.parts.append(element("path", d=f"M{steps}Z", class_="h2"))
    for k, one in reversed(list(enumerate(series))):
        places = [plot.at(x, y) for x, y in one.corners(one.heights)]
        plot.parts.append(path(places, f"line c{k}"))
    for k, one in enumerate(series):
        plot.note(line_sign(f"line c{k}"), one.name)
        if one.band:
            plot.note(element("rect", x=0, y=-5, width=20, height=9, class_="h2"), one.band)
    return plot.drawn(title)
