"""Accuracy against privacy: a line for each way to train, for one task and one kind of noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ppdm_formal.report.pictures.axes import Plot, line_sign, percent_label
from ppdm_formal.report.pictures.svg import element, path

Line = Sequence[tuple[float, float]]
"""Privacy levels with accuracies, both as shares."""


def accuracy_lines(lines: Mapping[str, Line], title: str) -> Markup:
    """All lines in one frame, from the least accuracy to 100%."""
    points = [point for line in lines.values() for point in line]
    across = [x for x, _ in points]
    low = min(y for _, y in points)
    plot = Plot(
        (min(across), max(across)),
        (max(0.0, low - 0.03), 1.005),
        "privacy, as a share of the range",
        "accuracy",
        x_label=percent_label,
        y_label=percent_label,
        x_ticks=sorted(set(across)),
    )
    for place, (name, line) in enumerate(lines.items()):
        places = [plot.at(x, y) for x, y in line]
        plot.parts.append(path(places, f"line c{place}"))
        plot.parts += [
            element("circle", cx=float(x), cy=float(y), r=2.6, class_=f"dot c{place}")
            for x, y in places
        ]
        plot.note(line_sign(f"line c{place}"), name)
    return plot.drawn(title)
