"""Certificate: a claim, its verdict, and evidence that anyone can re-check.

The format is that of docs/certificate.md. Written atomically, with the SMT-LIB 2 text of every
solver question beside it. A verdict of unknown is not written.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import ppdm_formal
from ppdm_formal.certify import witness as witnesses
from ppdm_formal.certify.canonical import claim_json, operator_json, view_json
from ppdm_formal.certify.finding import (
    BoundWitness,
    Case,
    Confirmation,
    Finding,
    NoCase,
    Question,
    Speaks,
    Start,
    Threshold,
    Thresholds,
    Trust,
    Verdict,
)
from ppdm_formal.certify.region import Region, point_json
from ppdm_formal.certify.witness import Concrete
from ppdm_formal.claim import BreachClaim, Claim
from ppdm_formal.files import write_text
from ppdm_formal.numbers.enclosure import Enclosure
from ppdm_formal.numbers.spelling import count_json, number_text
from ppdm_formal.operator.canonical import canonical, digest, value_json
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.view import View
from ppdm_formal.result import Displayed

FORMAT = "ppdm-certificate/1"

LONGEST_STEM = 100
"""Longer names of files are cut, and told apart by their digests."""


@dataclass(frozen=True)
class Certificate(Displayed):
    """What was claimed of an operator, what was found, and why."""

    shown_in: ClassVar[str] = "sections.verdicts"

    operator: Operator
    claim: Claim
    views: tuple[View, ...]
    finding: Finding
    concrete: Concrete | None = None
    instance: View | None = None
    provenance: Mapping[str, Any] | None = None

    @property
    def verdict(self) -> Verdict:
        """Certified, breached or unknown."""
        return self.finding.verdict

    @property
    def trust(self) -> Trust | None:
        """What must be trusted: nothing ("re-checked exactly"), or solvers; None if unknown."""
        return None if self.verdict is Verdict.UNKNOWN else self.finding.trust

    @property
    def reason(self) -> str:
        """One sentence that says why."""
        return self.finding.reason

    @property
    def witness(self) -> Case | None:
        """The breach, replayed in exact arithmetic."""
        return self.finding.witness

    @property
    def thresholds(self) -> Thresholds | None:
        """For which rho2 and which rho1 the claim holds."""
        return self.finding.thresholds

    @property
    def evidence(self) -> Mapping[str, Any]:
        """What re-derives the verdict."""
        return self.finding.evidence

    @property
    def region(self) -> Region | None:
        """Where a free parameter may lie for the claim to hold."""
        return self.finding.region

    @property
    def worst(self) -> tuple[Case, ...]:
        """The cases that go furthest, one for each direction of the claim, where they are known."""
        return self.finding.worst

    @property
    def vacuous(self) -> bool | None:
        """Whether no case can test the claim; None where that is not decided."""
        return self.finding.vacuous

    @property
    def no_case(self) -> NoCase | None:
        """Why no case can test the claim, where none can."""
        return self.finding.no_case

    @property
    def speaks(self) -> Speaks | None:
        """What would make a claim speak that no case can test, where that is known."""
        return self.finding.speaks

    @property
    def confirmation(self) -> Confirmation | None:
        """What a solver said of the verdict beside the exact decision, where one was asked."""
        return self.finding.confirmation

    @property
    def says_nothing(self) -> bool:
        """Whether the claim holds only because no case can test it."""
        return self.verdict is Verdict.CERTIFIED and self.vacuous is True

    @property
    def smt(self) -> tuple[str, ...]:
        """The SMT-LIB 2 text of every question that was put to a solver."""
        return tuple(question.text for question in self.finding.questions)

    @property
    def views_sha256(self) -> str:
        """The digest of the canonical views."""
        return str(self._operator_json["views_sha256"])

    @property
    def versions(self) -> dict[str, str]:
        """Of this package, of Python, and of the solvers that were asked."""
        found = {"ppdm_formal": ppdm_formal.__version__, "python": platform.python_version()}
        for question in self.finding.questions:
            name, _, version = question.solver.partition(" ")
            found[name] = version
        return found

    @cached_property
    def _operator_json(self) -> dict[str, Any]:
        return operator_json(self.operator, self.claim, self.views)

    def to_json(self, name: str = "certificate") -> dict[str, Any]:
        """The certificate as the canonical document; `name` is its file's name without suffix."""
        document = {
            "format": FORMAT,
            "claim": claim_json(self.claim),
            "model": None if self.provenance is None else dict(self.provenance),
            "operator": self._operator_json,
            "verdict": self.verdict.value,
            "vacuous": self.vacuous,
            "trust": "" if self.trust is None else self.trust.earned,
            "reason": self.reason,
            "evidence": dict(self.evidence),
            "witness": self._witness_json(),
            "thresholds": thresholds_json(self.thresholds),
            "region": None if self.region is None else region_json(self.region),
            "smt": [
                _question_json(question, f"{name}.{position}.smt2")
                for position, question in enumerate(self.finding.questions)
            ],
            "versions": self.versions,
        }
        if self.finding.tested is not None and self.vacuous is False:
            tested = self.finding.tested
            document["tested"] = {name: number_text(value) for name, value in tested.items()}
        document["sha256"] = digest(document)
        return document

    def _witness_json(self) -> dict[str, Any] | None:
        witness = self.witness
        if witness is None:
            return None
        if self.operator.within is not None:
            evidence = self.evidence
            column = (evidence.get("pair") or evidence["cuts"][0])["column"]
            return {"column": column, "output": value_json(self.operator.outputs[column])}
        view = self.views[witness.view]
        document: dict[str, Any] = {"view": witness.view, "output": value_json(view.output)}
        if view.known is not None:
            document["known"] = value_json(view.known)
        if witness.parameters is not None and self.instance is not None:
            document["parameters"] = {n: number_text(v) for n, v in witness.parameters.items()}
            document["instance"] = view_json(self.instance)
        if isinstance(witness, BoundWitness):
            if witness.likely is not None:
                value = "infinity" if witness.value is None else number_text(witness.value)
                document |= {
                    "likely": witness.likely,
                    "unlikely": witness.unlikely,
                    "value": value,
                }
            return document
        classes = []
        for part in witness.parts:
            shown: dict[str, Any] = {"class": part.index, "inside": count_json(part.inside)}
            if part.mass_inside is not None and part.mass_outside is not None:
                shown["mass_inside"] = number_text(part.mass_inside)
                shown["mass_outside"] = number_text(part.mass_outside)
            classes.append(shown)
        return document | {
            "direction": witness.direction,
            "classes": classes,
            "before": number_text(witness.before),
            "after": number_text(witness.after),
        }

    def summary(self, file: str | None = None) -> dict[str, Any]:
        """The certificate as an audit lists it; `file` is where it was written."""
        claim: dict[str, Any] = {"text": str(self.claim)}
        if isinstance(self.claim, BreachClaim):
            about, knowing = self.claim.about, self.claim.knowing
            claim |= {
                "kind": "breach",
                "direction": self.claim.direction,
                "rho1": number_text(self.claim.rho1),
                "rho2": number_text(self.claim.rho2),
                "under": self.claim.under_text,
                "for": None if about is None else about.name,
                "knowing": None if knowing is None else knowing.name,
                **({} if self.claim.reports == 1 else {"reports": self.claim.reports}),
            }
        else:
            claim = {k: v for k, v in claim_json(self.claim).items() if k != "properties"}
        witness = None
        if self.witness is not None:
            view = self.instance or self.views[self.witness.view]
            witness = witnesses.shown(view, self.witness, self.concrete)
        document: dict[str, Any] = {
            "claim": claim,
            "verdict": self.verdict.value,
            "vacuous": self.vacuous,
            "trust": None if self.trust is None else str(self.trust),
            "reason": self.reason,
            "file": file,
            "thresholds": thresholds_json(self.thresholds),
            "witness": witness,
        }
        said = self.confirmation
        if said is not None:
            document["confirmation"] = {
                "solver": said.solver or None,
                "agrees": not said.disagrees if said.solver else None,
                "why": said.why or None,
            }
        if self.speaks is not None:
            document["speaks"] = {
                "rho1_from": _start_json(self.speaks.rho1_from),
                "rho2_to": _start_json(self.speaks.rho2_to),
            }
        if self.finding.untested is not None:
            document["untested"] = self.finding.untested
        if self.region is not None:
            document["region"] = region_json(self.region)
        between = self.finding.between
        if between is not None:
            document["between"] = {
                "holds": None if between.holds is None else _matrix_json(between.holds),
                "breaks": _matrix_json(between.breaks),
            }
        return document

    def write(self, directory: str | os.PathLike[str], name: str) -> Path | None:
        """Write DIRECTORY/NAME.json and the solver questions beside it; None for unknown.

        Different names give different files: see `file_stem`.
        """
        if self.verdict is Verdict.UNKNOWN:
            return None
        stem = file_stem(name)
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        for position, question in enumerate(self.finding.questions):
            write_text(str(folder / f"{stem}.{position}.smt2"), question.text)
        return write_document(folder, stem, self.to_json(stem))

    def __repr__(self) -> str:
        said = "says nothing" if self.says_nothing else self.verdict.value
        return f"<Certificate of {self.operator.name or '?'}: {self.claim}: {said}>"


def write_document(
    directory: str | os.PathLike[str], name: str, document: Mapping[str, Any]
) -> Path:
    """Write DIRECTORY/NAME.json in canonical form, whole or not at all."""
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    write_text(str(path), canonical(document) + "\n")
    return path


def _matrix_json(operator: Operator) -> list[list[str]]:
    """The matrix of an operator, row by row, in the order of its inputs and outputs."""
    return [
        [number_text(operator.probability(x, y)) for y in operator.outputs] for x in operator.inputs
    ]


def file_stem(name: str) -> str:
    """A file's name without suffix: the name itself where it is plain, else with its digest.

    Plain are letters, digits, _, - and . (not at the start). Others become _; the digest keeps
    names apart that would then be one. No plain name ends like that: it would get a digest too.

    >>> file_stem("R3-1"), file_stem("\u00e9-1")
    ('R3-1', '_-1.ac09ccc36d141ca3')
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip(".")[:LONGEST_STEM] or "certificate"
    if plain == name and not re.search(r"\.[0-9a-f]{16}$", plain):
        return plain
    return f"{plain}.{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def thresholds_json(thresholds: Thresholds | None) -> dict[str, Any] | None:
    """Both thresholds: numbers, enclosures, or null where there is none."""
    if thresholds is None:
        return None
    return {
        "rho2_above": _threshold_json(thresholds.rho2_above),
        "rho1_below": _threshold_json(thresholds.rho1_below),
    }


def _threshold_json(threshold: Threshold) -> Any:
    if isinstance(threshold, Enclosure):
        return {"lo": number_text(threshold.lo), "hi": number_text(threshold.hi)}
    return None if threshold is None else number_text(threshold)


def region_json(region: Region) -> dict[str, Any]:
    """Where the claim holds: intervals between numbers or roots, and the same in words."""
    return {
        "parameter": region.parameter.name,
        "declared": region.parameter.interval,
        "holds": [
            {
                "from": point_json(interval.start),
                "from_included": interval.start_included,
                "to": point_json(interval.end),
                "to_included": interval.end_included,
            }
            for interval in region.intervals
        ],
        "text": region.text,
    }


def _start_json(start: Start | None) -> dict[str, Any] | None:
    if start is None:
        return None
    return {"belief": number_text(start.belief), "included": start.included}


def _question_json(question: Question, file: str) -> dict[str, str]:
    return {
        "file": file,
        "sha256": hashlib.sha256(question.text.encode()).hexdigest(),
        "solver": question.solver,
        "answer": question.answer,
    }
