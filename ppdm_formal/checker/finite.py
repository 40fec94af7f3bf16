"""Finite operators: all that their outputs show, as views; numbers, or forms in free parameters."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .canonical import canonical
from .certificate import Certificate, Subject
from .claim import Claim
from .closed_form import evaluate
from .decision import is_vacuous
from .interval import Region, read_region
from .reading import Fields
from .result import need
from .spelling import spell
from .vacuity import vacuous_anywhere
from .view import Described, View, read_described
from .views import read_views
from .witness import replay


@dataclass(frozen=True)
class Finite(Subject):
    """An operator as its views describe it, for a claim."""

    kind = "finite"
    name: str
    described: Described
    claim: Claim

    @classmethod
    def read(cls, raw: Any, claim: Claim) -> Finite:
        """The operator; its views are read where they are needed, which is always."""
        described = read_described(raw)
        if not described.parameters:
            claim.given({})  # an epsilon that is a parameter's needs that parameter
        return cls(described.name, described, claim)

    @property
    def free(self) -> int:
        """How many parameters are free."""
        return len(self.described.parameters)

    @functools.cached_property
    def views(self) -> list[View]:
        """The views, of numbers."""
        return read_views(self.described, self.claim)

    @property
    def deciding(self) -> list[View]:
        """The views that decide: all of them."""
        return self.views

    def at(self, point: dict[str, Fraction]) -> list[View]:
        """The views at values of the parameters."""
        return read_views(self.described, self.claim, functools.partial(evaluate, point=point))

    def region(self, certificate: Certificate) -> Region:
        """Where the one free parameter may lie."""
        ((name, declared),) = self.described.parameters.items()
        interval = self.described.raw["parameters"][0]["interval"]
        return read_region(certificate.raw["region"], name, declared, interval)

    def replay(self, certificate: Certificate) -> None:
        """On its view, where parameters are free at their values, outside the region."""
        if self.free:
            self.replay_at_point(certificate)
        else:
            replay(certificate.witness, self.views, self.claim, certificate.evidence)

    def replay_at_point(self, certificate: Certificate) -> None:
        """The witness at its values of the parameters, outside the region."""
        described, witness = self.described, certificate.witness
        assert witness is not None
        intervals = described.parameters
        stated = Fields(witness.get("parameters"), "witness.parameters", " ".join(intervals))
        point = {name: stated.number(name) for name in intervals}
        inside = all(interval.holds(point[name]) for name, interval in intervals.items())
        need(inside, "the witness's parameters are out of range")
        if certificate.raw["region"] is not None:
            region = self.region(certificate)
            need(not region.contains(point[region.parameter]), "the witness is in the region")
        claim, views = self.claim.given(point), self.at(point)
        replay(witness, views, claim, certificate.evidence, " parameters instance")
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

    def vacuous(self, certificate: Certificate) -> bool | None:
        """Whether no case can test the claim, for any value of the parameters."""
        if self.free:
            return vacuous_anywhere(certificate)
        return is_vacuous(self.views, self.claim)

    def where(self, certificate: Certificate) -> str:
        """For which values of free parameters a certificate speaks."""
        region, witness = certificate.raw["region"], certificate.witness
        if not self.free:
            return ""
        if region is not None:
            declared = f" (declared {region['declared']})" * (witness is not None)
            return f"it holds exactly for {region['text']}{declared}"
        if witness is not None:
            point = witness["parameters"]
            values = [f"{name} = {point[name]}" for name in self.described.parameters]
            return "it fails at " + ", ".join(values)
        rows = self.described.raw["parameters"]
        return "for every " + ", ".join(f"{row['name']} in {row['interval']}" for row in rows)
