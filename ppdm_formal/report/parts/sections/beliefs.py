"""The priors and properties that a report names, spelled out for those who do not see the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.prior import Prior, PriorFamily, Property
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.report.parts.blocks import Facts, Section
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.words.prior_words import prior_words, property_words
from ppdm_formal.report.words.real_words import density_words, interval_words
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit


def beliefs_part(material: Material) -> list[Section]:
    """All priors and properties that claims and measures name; empty where there are none."""
    pairs = [*_finite(material.result.operators), *_real(material.result.continuous)]
    return [Section("Priors and properties", [Facts(pairs)], 2, "beliefs")] if pairs else []


def _finite(operators: Sequence[OperatorAudit]) -> list[tuple[str, str]]:
    priors: dict[Prior, None] = {}
    properties: dict[Property, None] = {}
    for found in operators:
        priors.update(dict.fromkeys(part.prior for part in found.priors))
        properties.update(dict.fromkeys(row.property for row in found.posteriors))
        for claim in (certificate.claim for certificate in found.certificates):
            others = None if claim.crowd is None else claim.crowd.others
            if isinstance(others, Prior):
                priors[others] = None
            elif isinstance(others, PriorFamily):
                properties.update(dict.fromkeys(others.properties))
            if not isinstance(claim, BreachClaim):
                continue
            if isinstance(claim.under, Prior):
                priors[claim.under] = None
            elif isinstance(claim.under, PriorFamily):
                properties.update(dict.fromkeys(claim.under.properties))
            if isinstance(claim.about, Property):
                properties[claim.about] = None
    pairs = [(f"Prior {clean(prior.name)}", prior_words(prior)) for prior in priors]
    pairs += [(f"Property {clean(p.name)}", property_words(p)) for p in properties]
    return pairs


def _real(operators: Sequence[ContinuousAudit]) -> list[tuple[str, str]]:
    """Densities, and properties of real numbers."""
    densities: dict[Density, None] = {}
    properties: dict[RealProperty, None] = {}
    for found in operators:
        densities.update(dict.fromkeys(part.density for part in found.measures))
        properties.update(dict.fromkeys(row.property for row in found.posteriors))
        for claim in (certificate.claim for certificate in found.certificates):
            if isinstance(claim, BreachClaim) and isinstance(claim.under, Density):
                densities[claim.under] = None
            if isinstance(claim, BreachClaim) and isinstance(claim.about, RealProperty):
                properties[claim.about] = None
    pairs = [(f"Prior {clean(density.name)}", density_words(density)) for density in densities]
    return pairs + [(f"Property {clean(p.name)}", interval_words(p)) for p in properties]


PART: Part[Material] = Part(40, beliefs_part)
