"""Words: what is said of a decided claim, by what the claim is about; the same questions of each.

Finite operators, noise on real numbers and records in parts have a file each in words/subjects, of
the name that what is declared gives (`subject`); nobody else asks which it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import Trust

if TYPE_CHECKING:
    from ppdm_formal.report.words.decided import AnyDecided

Sent = TypeVar("Sent")
Asked = TypeVar("Asked")

Details: TypeAlias = list[tuple[str, str | Sequence[str]]]


class Words(ABC, Generic[Sent, Asked]):
    """What is said of claims about operators of one kind.

    found: what an audit found of the operator, where the certificate stands in a report; decided:
    the claim with all that the report knows of it.
    """

    @abstractmethod
    def asked(self, certificate: Certificate[Sent, Asked]) -> str:
        """The claim as a sentence for those who do not write models."""

    @abstractmethod
    def against(self, certificate: Certificate[Sent, Asked]) -> str:
        """Whom the claim guards against."""

    @abstractmethod
    def finding(self, certificate: Certificate[Sent, Asked], found: Any = None) -> str:
        """Holds, fails, or is not decided, and why."""

    @abstractmethod
    def details(
        self, certificate: Certificate[Sent, Asked], decided: AnyDecided | None, theorems: bool
    ) -> Details:
        """What a page has room for: terms with words; theorems: also whether Coq covers it."""

    @abstractmethod
    def compact(
        self, certificate: Certificate[Sent, Asked], decided: AnyDecided | None
    ) -> list[str]:
        """What a terminal has room for, a line each."""

    def often(
        self, certificate: Certificate[Sent, Asked], found: Any, position: int, *, count: bool
    ) -> Any:
        """How often outputs breach the claim at this position; None where it is not known.

        count: also where that has to be computed first.
        """

    def belief(self, certificate: Certificate[Sent, Asked]) -> tuple[str, str] | None:
        """The prior that the claim names, in words; None where it names none."""


def words_of(certificate: Certificate[Any, Any]) -> Words[Any, Any]:
    """What is said of a certificate's claim."""
    place = f"ppdm_formal.report.words.subjects.{certificate.operator.subject}"
    found: Words[Any, Any] = import_module(place).WORDS
    return found


def trusted(trust: Trust | None, checked: str) -> str:
    """What must be trusted where the checker alone decides: how it did, or that it did not yet."""
    if trust is None:
        return "Nothing was proved either way."
    if trust.unchecked:
        return f"{str(trust).capitalize()}: ppdm check verifies the certificate, given more time."
    return checked


def evidence(certificate: Certificate[Any, Any]) -> list[str]:
    """The same in a line; none where nothing was proved."""
    return [] if certificate.trust is None else [f"Evidence: {certificate.trust}."]
