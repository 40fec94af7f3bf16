"""Where claims hold along a free parameter: a track each, solid where the claim holds.

A filled end belongs to the region, a hollow one does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_formal.certify.region import Region
from ppdm_formal.certify.region_words import region_words
from ppdm_formal.declare.arithmetic.algebraic import Point, ends
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.report.pictures.axes import WIDTH, Scale, text_at, ticks
from ppdm_formal.report.pictures.fitting import TICK, fitted
from ppdm_formal.report.pictures.svg import element, picture

_LEFT, _RIGHT, _ROW = 24.0, 24.0, 54.0


@dataclass(frozen=True)
class Track:
    """A claim and the region in which it holds."""

    claim: str
    region: Region


def region_picture(parameter: Parameter, tracks: Sequence[Track], title: str) -> Markup:
    """All claims over the parameter's declared range."""
    across = Scale(float(parameter.lower), float(parameter.upper), _LEFT, WIDTH - _RIGHT)
    parts: list[Markup] = []
    for number, track in enumerate(tracks):
        top = _ROW * number + 16
        parts.append(text_at(4, top, fitted(track.claim, WIDTH - 8)))
        parts.append(
            text_at(
                4,
                top + 15,
                fitted(f"holds for {region_words(track.region)}", WIDTH - 8, TICK),
                "tick",
            )
        )
        y = top + 27
        parts.append(element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y, class_="track fails"))
        for piece in track.region.intervals:
            start, end = across(_place(piece.start)), across(_place(piece.end))
            parts.append(element("line", x1=start, x2=end, y1=y, y2=y, class_="track holds"))
            for x, included in ((start, piece.start_included), (end, piece.end_included)):
                class_ = "end-in" if included else "end-out"
                parts.append(element("circle", cx=x, cy=float(y), r=4, class_=class_))
    bottom = _ROW * len(tracks) + 4
    parts.append(element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=bottom, y2=bottom, class_="axis"))
    for tick in ticks(float(parameter.lower), float(parameter.upper)):
        x = across(tick)
        parts.append(element("line", x1=x, x2=x, y1=bottom, y2=bottom + 4, class_="axis"))
        parts.append(text_at(x, bottom + 16, f"{tick:g}", "tick middle"))
    parts.append(text_at(WIDTH / 2, bottom + 32, fitted(parameter.name, WIDTH - 8), "small middle"))
    return picture(WIDTH, bottom + 40, title, parts)


def _place(point: Point) -> float:
    low, high = ends(point)
    return float((low + high) / 2)
