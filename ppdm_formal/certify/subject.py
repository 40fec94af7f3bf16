"""Subject: what a claim is about, with the claim: how both are described, decided and shown.

A finite operator, noise on real numbers and a record in parts are subjects, each a file of
certify/subjects. What is declared names its file (`subject`), a certificate by its `operator.kind`;
nobody else asks which it is. The same claim type, the same findings, the same certificate.
"""

from __future__ import annotations

import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.declare.arithmetic.exponential import TooManyPowers
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.operators.matrix import TooLarge

if TYPE_CHECKING:
    from ppdm_formal.declare.language.model import Model
    from ppdm_formal.declare.operators.view import View

_PLACE = "ppdm_formal.certify.subjects"

Sent = TypeVar("Sent")
Asked = TypeVar("Asked")


class NotInModel(ValueError):
    """The certificate names something that the model does not declare."""


@dataclass(frozen=True)
class Rebuilt:
    """As a certificate must have it; questions and region where a solver is trusted."""

    operator: dict[str, Any]
    claim: dict[str, Any]
    questions: tuple[str, ...] | None = None
    region: dict[str, Any] | None = None


class Subject(ABC, Generic[Sent, Asked]):
    """An operator of one kind, and what is claimed of it."""

    kinds: ClassVar[tuple[str, ...]]
    """The kinds of operators that its certificates name."""

    def __init__(self, operator: Sent, claim: Asked) -> None:
        self.operator, self.claim = operator, claim

    def require(self, cross_check: bool) -> None:
        """That the solvers are there which a cross-check asks; other kinds ask none."""

    def shown(self) -> tuple[View, ...]:
        """What outputs show, where the claim is decided on it; evidence speaks of these views."""
        return ()

    @abstractmethod
    def decide(self, views: tuple[View, ...], deadline: Deadline, cross_check: bool) -> Finding:
        """What is found of the claim, on what was shown."""

    @abstractmethod
    def operator_json(self, finding: Finding) -> dict[str, Any]:
        """What the claim is about, with its kind, as the finding's evidence needs it."""

    @abstractmethod
    def claim_json(self) -> dict[str, Any]:
        """The claim, with its text and all that it names."""

    @abstractmethod
    def witness_json(self, finding: Finding) -> Mapping[str, Any] | None:
        """What breaks the claim, where something does."""

    @abstractmethod
    def asked_json(self) -> dict[str, Any]:
        """The claim as an audit lists it."""

    def told_json(self, finding: Finding) -> dict[str, Any]:
        """What an audit tells beside verdict and reason: the witness, and what else is known."""
        return {"witness": self.witness_json(finding)}

    @classmethod
    @abstractmethod
    def rebuilt(cls, document: Mapping[str, Any], model: Model) -> Rebuilt:
        """Everything that a certificate says of a model, derived from its names alone."""


def subject_of(operator: Any, claim: Any) -> Subject[Any, Any]:
    """The subject of a claim, by the file that what is declared names."""
    return _class_of(operator.subject)(operator, claim)


def decided(subject: Subject[Any, Any], timeout: float, cross_check: bool) -> Finding:
    """What is found of its claim; unknown where the time runs out, in whatever step."""
    deadline = Deadline.after(timeout)
    subject.require(cross_check)
    views: tuple[View, ...] = ()
    try:
        views = deadline.enforce(subject.shown)
        found = deadline.enforce(lambda: subject.decide(views, deadline, cross_check))
    except (DeadlinePassed, TooLarge, TooManyPowers) as problem:
        late = isinstance(problem, DeadlinePassed)
        reason = f"not decided within {timeout:.3g} s" if late else str(problem)
        found = Finding(Verdict.UNKNOWN, reason, vacuous=None)
    return found if found.views else replace(found, views=views)


def rebuilt(document: Mapping[str, Any], model: Model) -> Rebuilt:
    """Everything that a certificate says of a model, by the kind of its operator."""
    kind = document["operator"]["kind"]
    place = import_module(_PLACE).__path__
    classes = (_class_of(file.name) for file in pkgutil.iter_modules(place))
    return next(one for one in classes if kind in one.kinds).rebuilt(document, model)


def _class_of(file: str) -> type[Subject[Any, Any]]:
    found: type[Subject[Any, Any]] = import_module(f"{_PLACE}.{file}").SUBJECT
    return found


def named(table: Mapping[str, Any], name: str, what: str) -> Any:
    """What a certificate names, of the model's own."""
    if name not in table:
        raise NotInModel(f"the model declares no {what} {name}")
    return table[name]
