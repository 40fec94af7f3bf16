"""Model and Audit: what a model file declares, compiled."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import PurePath
from typing import Any

from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.language.dependencies import Dependencies
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.outside import MatrixReading
from ppdm_formal.declare.operators.parts import Parts
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty


@dataclass(frozen=True)
class Audit:
    """What to report of an operator: posteriors for all combinations, and claims to decide."""

    operator: Operator
    priors: tuple[Prior, ...] = ()
    properties: tuple[Property, ...] = ()
    given: tuple[Value, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Head:
    """What a report says of itself: title, owner, purpose and date, each "" where not said."""

    title: str = ""
    owner: str = ""
    purpose: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        for name in HEAD:
            if len(getattr(self, name)) > LONGEST_HEAD:
                raise ValueError(f"the {name} of a report has more than {LONGEST_HEAD} characters")
        if self.date:
            try:
                good = date.fromisoformat(self.date).isoformat() == self.date
            except ValueError:
                good = False
            if not good:
                raise ValueError(f"{self.date} is no date such as 2026-11-16")


HEAD = ("title", "owner", "purpose", "date")
LONGEST_HEAD = 500


@dataclass(frozen=True)
class RealAudit:
    """The same of a continuous operator."""

    operator: ContinuousOperator
    densities: tuple[Density, ...] = ()
    properties: tuple[RealProperty, ...] = ()
    given: tuple[Fraction, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class RealPart:
    """What a model declares on real numbers, and what it means for operators on a grid of them."""

    operators: Mapping[str, ContinuousOperator] = field(default_factory=dict)
    densities: Mapping[str, Density] = field(default_factory=dict)
    properties: Mapping[str, RealProperty] = field(default_factory=dict)
    audits: tuple[RealAudit, ...] = ()
    on_grid: Mapping[str, OnGrid] = field(default_factory=dict)
    """By the name of a discrete operator whose inputs were rounded."""


@dataclass(frozen=True)
class OnGrid:
    """Densities and properties of a real x as priors and properties of x rounded."""

    priors: dict[str, Prior] = field(default_factory=dict)
    properties: dict[str, Property] = field(default_factory=dict)


@dataclass(frozen=True)
class Model:
    """Everything that a model file declares."""

    file: str
    sha256: str
    operators: Mapping[str, Operator] = field(default_factory=dict)
    priors: Mapping[str, Prior] = field(default_factory=dict)
    properties: Mapping[str, Property] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    exponentials: tuple[Parameter, ...] = ()
    """t = exp(eps), of parameters that are used so, also where they cancel in all operators."""
    values: Mapping[str, Any] = field(default_factory=dict)
    csv_files: Mapping[str, str] = field(default_factory=dict)
    audits: tuple[Audit, ...] = ()
    parts: Mapping[str, Parts] = field(default_factory=dict)
    source: str = ""
    dependencies: Dependencies = field(default_factory=Dependencies)
    real: RealPart = field(default_factory=RealPart)
    reading: MatrixReading = field(default_factory=MatrixReading)
    """How a bare matrix was read; models say it of each file."""
    head: Head = field(default_factory=Head)
    told_apart: Mapping[str, Fraction | None] = field(default_factory=dict)
    """Operators whose reports do not look like others': of which share of clients; None: unsaid."""

    @classmethod
    def of(cls, operator: Operator) -> Model:
        """A model of one operator that was built in Python; it has no file, and no digest."""
        if not operator.name:
            operator = copy(operator)
            operator.name = "R"
        return cls(operator.name, "", {operator.name: operator})

    def __repr__(self) -> str:
        claims = sum(len(audit.claims) for audit in self.audits)
        operators = ", ".join(self.operators)
        shown = operators if len(operators) <= 60 else f"{len(self.operators)} operators"
        return f"<Model {PurePath(self.file).name}: {shown}; {claims} claim{'s' * (claims != 1)}>"

    def names_for(self, operator: str) -> tuple[Mapping[str, Prior], Mapping[str, Property]]:
        """Priors and properties by name, as an operator takes them: on its grid, if it has one."""
        grid = self.real.on_grid.get(operator, OnGrid())
        return {**self.priors, **grid.priors}, {**self.properties, **grid.properties}

    def operator(self, name: str) -> Operator:
        """An operator by its name."""
        return self.operators[name]

    def prior(self, name: str) -> Prior:
        """A prior by its name."""
        return self.priors[name]

    def property(self, name: str) -> Property:
        """A property by its name."""
        return self.properties[name]
