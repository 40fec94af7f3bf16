"""Certificate: what was claimed of an operator of any kind, what was found, and why.

The format is that of docs/certificate.md. Written atomically, with the SMT-LIB 2 text of every
solver question beside it. A verdict of unknown is not written. What differs between operators on
finite sets, noise on real numbers and records in parts, the subject says (subject.py).
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic

import ppdm_formal
from ppdm_formal.certify.finding import (
    Case,
    Confirmation,
    Finding,
    NoCase,
    Speaks,
    Thresholds,
    Trust,
    Verdict,
)
from ppdm_formal.certify.region import Region
from ppdm_formal.certify.subject import Subject, subject_of
from ppdm_formal.certify.written import (
    FORMAT,
    file_stem,
    question_json,
    region_json,
    thresholds_json,
)
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.machine.files import write_text
from ppdm_formal.declare.operators.canonical import canonical, digest
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import View
from ppdm_formal.declare.result import Displayed

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from ppdm_formal.certify.witness import Concrete

    Sent = TypeVar("Sent", default=Operator)
    Asked = TypeVar("Asked", default=Claim)
else:
    from typing import TypeVar

    Sent, Asked = TypeVar("Sent"), TypeVar("Asked")


@dataclass(frozen=True)
class Certificate(Displayed, Generic[Sent, Asked]):
    """What was claimed of an operator, what was found, and why."""

    shown_in: ClassVar[str] = "sections.verdicts"

    operator: Sent
    claim: Asked
    finding: Finding
    provenance: Mapping[str, Any] | None = None

    @cached_property
    def subject(self) -> Subject[Any, Any]:
        """What says how operator and claim are described."""
        return subject_of(self.operator, self.claim)

    @property
    def verdict(self) -> Verdict:
        """Certified, breached, partly or unknown."""
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
    def views(self) -> tuple[View, ...]:
        """What outputs of a finite operator show, as the finding speaks of it."""
        return self.finding.views

    @property
    def witness(self) -> Case | None:
        """The breach on a view, replayed in exact arithmetic."""
        return self.finding.witness

    @property
    def concrete(self) -> Concrete | None:
        """The same on real inputs, where that is known."""
        return self.finding.concrete

    @property
    def instance(self) -> View | None:
        """The witness's view at the values of free parameters."""
        return self.finding.instance

    @property
    def worst(self) -> tuple[Case, ...]:
        """The cases that go furthest, one for each direction of the claim, where they are known."""
        return self.finding.worst

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
    def views_sha256(self) -> str:
        """The digest of the canonical views."""
        return str(self.operator_json.get("views_sha256", digest([])))

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

    @cached_property
    def operator_json(self) -> dict[str, Any]:
        """What the claim is about, with its kind."""
        return self.subject.operator_json(self.finding)

    def claim_json(self) -> dict[str, Any]:
        """The claim, with its text and all that it names."""
        return self.subject.claim_json()

    def witness_json(self) -> Mapping[str, Any] | None:
        """What breaks the claim, where something does."""
        return self.subject.witness_json(self.finding)

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
                question_json(question, f"{name}.{position}.smt2")
                for position, question in enumerate(finding.questions)
            ],
            "versions": self.versions,
        }
        document["sha256"] = digest(document)
        return document

    def summary(self, file: str | None = None) -> dict[str, Any]:
        """The certificate as an audit lists it; `file` is where it was written."""
        return {
            **self.subject.asked_json(),
            "verdict": self.verdict.value,
            "vacuous": self.vacuous,
            "trust": None if self.trust is None else str(self.trust),
            "reason": self.reason,
            "file": file,
            **self.subject.told_json(self.finding),
        }

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

    def __repr__(self) -> str:
        said = "says nothing" if self.says_nothing else self.verdict.value
        about: Any = self.operator
        return f"<Certificate of {about.name or '?'}: {self.claim}: {said}>"
