"""The priors and properties that a report names, spelled out for those who do not see the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, is_symbolic
from ppdm_formal.declare.arithmetic.people import brief, show_count
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.prior import Prior, PriorFamily, Property
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.report.parts.blocks import Facts, Section
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.words.real_words import density_words, interval_words
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit

_LISTED = 6


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


def prior_words(prior: Prior) -> str:
    """Each distinct probability with how many inputs have it, the likeliest first."""
    codes = prior.codes.tolist()
    counts = Counter(codes)
    first = {code: codes.index(code) for code in counts}
    kept = [code for code in sorted(first, key=first.__getitem__) if prior.palette[code] != ZERO]
    parts = []
    for code in kept[:_LISTED]:
        value = _mass(prior.palette[code])
        example = clean(show_value(prior.domain[first[code]]), 30)
        if counts[code] == 1:
            parts.append(f"{value} for {example}")
        elif counts[code] == prior.domain.size:
            parts.append(f"{value} for each of all {show_count(counts[code])} inputs")
        else:
            parts.append(f"{value} for each of {show_count(counts[code])} inputs such as {example}")
    if len(kept) > _LISTED:
        parts.append(f"{len(kept) - _LISTED} further probabilities")
    return "what the observer believes of x before: " + "; ".join(parts)


def _mass(value: Exact) -> str:
    if is_symbolic(value):
        return number_text(value)
    return brief(value)


def property_words(property: Property) -> str:
    """How many inputs have it, and which; runs of integers as ranges."""
    members = property.members
    if not members:
        return "holds for no input"
    runs = _runs(members) if property.domain.integers else [show_value(x) for x in members]
    shown = ", ".join(clean(run, 40) for run in runs[:_LISTED])
    more = ", ..." if len(runs) > _LISTED else ""
    total = show_count(property.domain.size)
    return f"true of {show_count(len(members))} of {total} inputs: {shown}{more}"


def _runs(members: Iterable[object]) -> list[str]:
    runs: list[list[int]] = []
    for member in members:
        assert isinstance(member, int)
        if runs and runs[-1][1] == member - 1:
            runs[-1][1] = member
        else:
            runs.append([member, member])
    return [str(a) if a == b else f"{a} to {b}" for a, b in runs]


PART: Part[Material] = Part(40, beliefs_part)
