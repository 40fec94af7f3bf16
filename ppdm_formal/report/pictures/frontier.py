"""The picture of the breach frontier: prior across, worst posterior up, claims as points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_formal.certify.frontier import FrontierSteps, Point
from ppdm_formal.report.pictures.axes import Plot, line_sign, mark, percent_label
from ppdm_formal.report.pictures.claim_points import ClaimPoint
from ppdm_formal.report.pictures.svg import element, path


@dataclass(frozen=True)
class Curve:
    """A frontier with its words in the legend; a sequence of points, or steps."""

    line: Sequence[Point] | FrontierSteps
    words: str


def frontier_picture(curves: Sequence[Curve], claims: Sequence[ClaimPoint], title: str) -> Markup:
    """Curves above the diagonal of nothing learned, and the claims among them."""
    plot = Plot(
        (0, 1),
        (0, 1),
        "belief before the output is seen",
        "worst belief after",
        percent_label,
        percent_label,
    )
    plot.parts.append(path([plot.at(0, 0), plot.at(1, 1)], "line faint"))
    for number, curve in enumerate(curves):
        class_ = f"line c{number % 6}"
        plot.parts.append(path([plot.at(x, y) for x, y in _corners(curve.line)], class_))
        plot.note(line_sign(class_), curve.words)
    plot.note(line_sign("line faint"), "nothing learned: before = after")
    for claim in claims:
        plot.parts.append(mark(*plot.at(float(claim.rho1), float(claim.rho2)), claim.verdict))
        plot.note(mark(10, 0, claim.verdict), claim.words)
        if claim.breach is not None:
            x, y, words = claim.breach
            plot.parts.append(_dot(*plot.at(float(x), float(y))))
            plot.note(_dot(10, 0), words)
    return plot.drawn(title)


def _dot(x: float, y: float) -> Markup:
    return element("circle", cx=float(x), cy=float(y), r=4, class_="dot breach")


def _corners(line: Sequence[Point] | FrontierSteps) -> list[tuple[float, float]]:
    """The points to draw a line through; between points of a step function it is drawn high."""
    if not isinstance(line, FrontierSteps):
        return [(float(x), float(y)) for x, y in line]
    corners: list[tuple[float, float]] = []
    for x, y in line.points:
        place, value = float(x), float(y)
        if corners:
            before = corners[-1]
            corners.append((place, before[1]) if line.whole else (before[0], value))
        corners.append((place, value))
    corners.append((1.0, corners[-1][1]))
    return corners
