"""Declarations: which operators, priors and properties of the model use which, as a picture."""

from __future__ import annotations

from ppdm_formal.report.parts.blocks import Gallery, Section
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.pictures.declarations import declarations_picture


def declarations_part(material: Material) -> list[Section]:
    """The graph, where it says more than the model's text does at a glance."""
    picture = declarations_picture(material.result.model.dependencies)
    if picture is None:
        return []
    return [Section("Declarations", [Gallery([picture])], 2, "declarations", folded=True)]


PART = Part(50, declarations_part)
