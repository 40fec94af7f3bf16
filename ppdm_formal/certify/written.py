"""Written: what certificates of every kind have in common, first of all how they are written.

The format is that of docs/certificate.md. Written atomically, with the SMT-LIB 2 text of every
solver question beside it. A verdict of unknown is not written.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ppdm_formal
from ppdm_formal.certify.finding import (
    Finding,
    Question,
    Threshold,
    Thresholds,
    Trust,
    Verdict,
)
from ppdm_formal.certify.region import Region, point_json
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.machine.files import write_text
from ppdm_formal.declare.operators.canonical import canonical, digest

FORMAT = "ppdm-certificate/2"

LONGEST_STEM = 100
"""Longer names of files are cut, and told apart by their digests."""


class Written(ABC):
    """What was found of a claim, and why; each kind says what it is about, and what breaks it."""

    operator: Any
    claim: Any
    finding: Finding
    provenance: Mapping[str, Any] | None

    @abstractmethod
    def claim_json(self) -> dict[str, Any]:
        """The claim, with its text and all that it names."""

    @property
    @abstractmethod
    def operator_json(self) -> dict[str, Any]:
        """What the claim is about, with its kind."""

    @abstractmethod
    def witness_json(self) -> Mapping[str, Any] | None:
        """What breaks the claim, where something does."""

    @abstractmethod
    def summary(self, file: str | None = None) -> dict[str, Any]:
        """The certificate as an audit lists it; `file` is where it was written."""

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
    def vacuous(self) -> bool | None:
        """Whether no case can test the claim; None where that is not decided."""
        return self.finding.vacuous

    @property
    def says_nothing(self) -> bool:
        """Whether the claim holds only because no case can test it."""
        return self.verdict is Verdict.CERTIFIED and self.vacuous is True

    @property
    def smt(self) -> tuple[str, ...]:
        """The SMT-LIB 2 text of every question that was put to a solver."""
        return tuple(question.text for question in self.finding.questions)

    @property
    def versions(self) -> dict[str, str]:
        """Of this package, of Python, and of the solvers that were asked."""
        found = {"ppdm_formal": ppdm_formal.__version__, "python": platform.python_version()}
        for question in self.finding.questions:
            name, _, version = question.solver.partition(" ")
            found[name] = version
        return found

    def to_json(self, name: str = "certificate") -> dict[str, Any]:
        """The certificate as the canonical document; `name` is its file's name without suffix."""
        finding, tested = self.finding, self.finding.tested if self.vacuous is False else None
        document = {
            "format": FORMAT,
            "claim": self.claim_json(),
            "model": None if self.provenance is None else dict(self.provenance),
            "operator": self.operator_json,
            "verdict": self.verdict.value,
            "vacuous": self.vacuous,
            "tested": None if tested is None else {n: number_text(v) for n, v in tested.items()},
            "trust": "" if self.trust is None else self.trust.earned,
            "reason": self.reason,
            "evidence": dict(self.evidence),
            "witness": self.witness_json(),
            "thresholds": thresholds_json(finding),
            "region": None if self.region is None else region_json(self.region),
            "smt": [
                _question_json(question, f"{name}.{position}.smt2")
                for position, question in enumerate(finding.questions)
            ],
            "versions": self.versions,
        }
        document["sha256"] = digest(document)
        return document

    def write(self, directory: str | os.PathLike[str], name: str) -> Path | None:
        """Write DIRECTORY/NAME.json and the solver questions beside it; None for unknown.

        Different names give different files: see `file_stem`.
        """
        if self.verdict is Verdict.UNKNOWN:
            return None
        stem, folder = file_stem(name), Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        for position, question in enumerate(self.finding.questions):
            write_text(str(folder / f"{stem}.{position}.smt2"), question.text)
        path = folder / f"{stem}.json"
        write_text(str(path), canonical(self.to_json(stem)) + "\n")
        return path


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


def thresholds_json(finding: Finding) -> dict[str, Any] | None:
    """Both thresholds: numbers, enclosures, or null where there is none; or how many clients."""
    thresholds = finding.thresholds
    if finding.clients_from is not None:
        return {"clients_from": finding.clients_from}
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


def _question_json(question: Question, file: str) -> dict[str, str]:
    return {
        "file": file,
        "sha256": hashlib.sha256(question.text.encode()).hexdigest(),
        "solver": question.solver,
        "answer": question.answer,
    }
