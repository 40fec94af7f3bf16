"""Certificate, its subject and its evidence: the frame in which everything is verified.

A subject is what a certificate speaks of: its kind is the `kind` of "operator". Evidence says how
the verdict follows: its kind is the `kind` of "evidence". Both are tables of classes (table.py).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from .claim import read_claim
from .decision import Decision
from .reading import Fields
from .result import need


@dataclass(frozen=True)
class Question:
    """A question that a solver was asked, and its answer."""

    file: str
    sha256: str
    solver: str
    answer: str


@dataclass(frozen=True)
class Certificate:
    """A certificate whose frame is right; what it proves is still to be checked."""

    claim: Any
    subject: Any  # of a kind of Subject, each of which has what the evidence of it needs
    verdict: str
    evidence: dict[str, Any]
    witness: dict[str, Any] | None
    questions: tuple[Question, ...]  # those on which the evidence rests
    trust: str
    raw: dict[str, Any]


class Subject(ABC):
    """What a certificate speaks of, as "operator" describes it."""

    kind: ClassVar[str]
    name: str  # what the model calls it

    @classmethod
    def read_claim(cls, raw: Any) -> Any:
        """What can be claimed of it: of reports that are seen one by one."""
        claim = read_claim(raw)
        need(not claim.of_crowd, "a crowd's size decides such a claim, not what one report shows")
        return claim

    @classmethod
    @abstractmethod
    def read(cls, raw: Any, claim: Any) -> Subject:
        """The subject, with what the claim says of it; rejected where it can be none."""

    @property
    def free(self) -> int:
        """How many parameters are free."""
        return 0

    @abstractmethod
    def replay(self, certificate: Certificate) -> None:
        """Reject a witness that does not break the claim."""

    @abstractmethod
    def vacuous(self, certificate: Certificate) -> bool | None:
        """Whether no case can test the claim; None where that is not known."""

    def where(self, certificate: Certificate) -> str:
        """Of which values of parameters, or under what assumption, the certificate speaks."""
        return ""


class Evidence(ABC):
    """A kind of evidence: of which subjects it is, which claims it suits, and what it shows.

    regional: a region goes with it. trusting: it may rest on the word of a solver.
    """

    kind: ClassVar[str]
    of: ClassVar[tuple[str, ...]]
    regional: ClassVar[bool] = False
    trusting: ClassVar[bool] = False

    @abstractmethod
    def suits(self, subject: Any, claim: Any) -> bool:
        """Whether it decides a claim of a subject, of a kind that it is of."""

    @abstractmethod
    def decide(self, certificate: Certificate) -> Decision:
        """What it shows; rejected where it shows nothing."""


def need_no_more(certificate: Certificate) -> None:
    """Reject evidence that holds anything but its kind: the subject itself decides."""
    Fields(certificate.evidence, "evidence", "kind")
