"""Certificates about free parameters, each by its kind of evidence."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from fractions import Fraction

from .boxes import verify_boxes
from .canonical import canonical
from .certificate import Certificate
from .closed_form import evaluate
from .interval import Region, read_region
from .reading import Fields
from .region import verify_region
from .result import need
from .solver_word import breached_at, grid
from .spelling import spell
from .views import read_views
from .witness import replay


def verify_parametric(certificate: Certificate) -> None:
    """Free parameters, by their evidence."""
    claim, described, kind = certificate.claim, certificate.described, certificate.kind
    breached, region = kind == "witness", None
    if kind == "region":
        ((name, declared),) = described.parameters.items()
        interval = described.raw["parameters"][0]["interval"]
        region = read_region(certificate.raw["region"], name, declared, interval)
        breached = not region.complete
    elif kind == "witness":
        Fields(certificate.evidence, "evidence", "kind")
    good = certificate.breached == breached
    good = good and (certificate.verdict != "partly" or bool(region and region.holds))
    need(good, "the verdict is not that of the region or evidence")
    if certificate.breached:
        replay_at_point(certificate, region)
    if region is not None and not certificate.questions:
        verify_region(certificate, region)
        return
    if kind == "boxes":
        verify_boxes(certificate)
        return
    points: Iterable[dict[str, Fraction]] = ()  # at which a solver's word is tried
    if region is not None:
        points = [{region.parameter: x} for x in region.samples()]
    elif kind == "solver":
        points = grid(described.parameters)
    for point in points:
        views = read_views(described, claim, functools.partial(evaluate, point=point))
        found = breached_at(views, claim.given(point))
        need(found is not None, "such a claim is not decided with free parameters")
        said = region is not None and not region.contains(next(iter(point.values())))
        where = ", ".join(f"{name} = {spell(x)[:60]}" for name, x in point.items())
        need(found == said, f"the claim {'fails' if found else 'holds'} at {where}")


def replay_at_point(certificate: Certificate, region: Region | None) -> None:
    """The witness at its values of the parameters, outside the region."""
    claim, described, witness = certificate.claim, certificate.described, certificate.witness
    assert witness is not None
    intervals = described.parameters
    stated = Fields(witness.get("parameters"), "witness.parameters", " ".join(intervals))
    point = {name: stated.number(name) for name in intervals}
    inside = all(interval.holds(point[name]) for name, interval in intervals.items())
    need(inside, "the witness's parameters are out of range")
    if region is not None:
        need(not region.contains(point[region.parameter]), "the witness is in the region")
    views = read_views(described, claim, functools.partial(evaluate, point=point))
    replay(witness, views, claim.given(point), certificate.evidence, " parameters instance")
    raw = described.raw["views"][witness["view"]]
    classes = []
    for part in raw["classes"]:
        shown = dict(part)
        for key in ("likelihood", "prior", "knowledge"):
            if key in part:
                shown[key] = spell(evaluate(part[key], point))
        classes.append(shown)
    same = canonical(witness["instance"]) == canonical({**raw, "classes": classes})
    need(same, "the witness's instance is not its view at these parameters")
