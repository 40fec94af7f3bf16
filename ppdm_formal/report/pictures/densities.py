"""The density of x under a prior, that of z, and the belief in a property given z."""

from __future__ import annotations

from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.derive.reals.curves import beliefs, densities
from ppdm_formal.report.pictures.axes import Plot, covering, line_sign, percent_label
from ppdm_formal.report.pictures.svg import Picture, path
from ppdm_formal.report.words.visible import clean


def density_picture(operator: ContinuousOperator, density: Density) -> Picture:
    """p(x), and the density of z between the atoms that it may have."""
    curves = densities(operator, density)
    ends = curves.places[0], curves.places[-1]
    high = max(*curves.of_x, *curves.of_z)
    plot = Plot(ends, covering(0, high), "x, or z", "density")
    name = clean(density.name)
    for values, class_, words in (
        (curves.of_x, "line c0", f"x under {name}"),
        (curves.of_z, "line c1", "the output z"),
    ):
        points = zip(curves.places, values, strict=True)
        plot.parts.append(path([plot.at(z, y) for z, y in points], class_))
        plot.note(line_sign(class_), words)
    title = f"Density of x under {name} and of z"
    caption = "How the noise smooths the density."
    if operator.window is not None and operator.window.kind == "clamped":
        caption += " The ends of the window have probabilities of their own, not drawn here."
    return Picture(title, plot.drawn(title), caption)


def belief_picture(
    operator: ContinuousOperator, density: Density, property: RealProperty
) -> Picture:
    """P[property | z] for each z."""
    before, pairs = beliefs(operator, density, property)
    first, last = pairs[0][0], pairs[-1][0]
    name = clean(property.name)
    plot = Plot((first, last), (0, 1), "output z", "belief", y_label=percent_label)
    plot.parts.append(path([plot.at(first, before), plot.at(last, before)], "line faint"))
    plot.parts.append(path([plot.at(z, y) for z, y in pairs], "line c0"))
    plot.note(line_sign("line c0"), f"belief in {name} once z is seen")
    plot.note(line_sign("line faint"), "before")
    title = f"Belief in {name} under {clean(density.name)}"
    return Picture(title, plot.drawn(title), f"What each output z says about {name}.")
