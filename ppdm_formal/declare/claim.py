"""Claims: what can be asserted of an operator, before anything is decided.

A breach claim forbids the breaches of EGS03 Definitions 1 and 2, with their non-strict
inequalities; a bound claim requires a measure to stay within a bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ppdm_formal.declare.arithmetic.exact import exact, is_symbolic, substitute
from ppdm_formal.declare.arithmetic.exponential import Ln, Real
from ppdm_formal.declare.arithmetic.logarithm import Exponent, e_to, ln
from ppdm_formal.declare.arithmetic.parameter import FreeLn, Parameter
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.crowd import Crowd
from ppdm_formal.declare.operators.prior import Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.repeated import check_reports, repeated_views, same_output_views
from ppdm_formal.declare.operators.view import Enough, View
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.derive.measures.discovery import measure_named


def _number(value: object) -> Any:
    """A bound as an exact number; text is read, floats are refused."""
    number = exact(value)
    if is_symbolic(number):
        raise ValueError(f"a claim's bounds are numbers, not {number_text(number)}")
    return number


MAX_EPSILON = 1000
"""Largest epsilon that a claim names: e^1000 has 435 digits."""


def _rational_part(epsilon: Exponent) -> Fraction:
    """What has to be bounded of an epsilon; a logarithm is of a number of readable length."""
    return epsilon if isinstance(epsilon, Fraction) else Fraction(0)


def _free(exponent: object) -> FreeLn | None:
    """An epsilon that depends on a free parameter."""
    return exponent if isinstance(exponent, FreeLn) else None


def _merged(*sources: Prior | Operator | FreeLn | None) -> tuple[Parameter, ...]:
    found: dict[str, Parameter] = {}
    for source in sources:
        for parameter in () if source is None else source.parameters:
            if found.setdefault(parameter.name, parameter) != parameter:
                raise ValueError(f"the parameter {parameter.name} has two different intervals")
    return tuple(found.values())


Direction: TypeAlias = Literal["both", "upward", "downward"]
Comparison: TypeAlias = Literal["<", "<="]


@dataclass(frozen=True)
class BreachClaim:
    """No upward rho1-to-rho2 and no downward rho2-to-rho1 breach (or one of the two only).

    under: one prior, a family of priors, or None for all priors; of a continuous operator a density
    (and about a property of real numbers), or None.
    about: one property, or None for all. A claim for one property speaks of that property
    in each direction, not of its complement.
    knowing: what the server knows besides y, an operator Z on the same inputs with coins of
    its own; breaches are then relative to P[. | Z = z].
    reports: how many reports of x the server has seen, each with fresh coins.
    crowd: among which reports that of x is hidden. exception: with at most that probability, given
    that the property is true of x, a breach is let pass. Without an exception a crowd changes
    nothing: some histogram leaves no doubt which report was that of x (docs/shuffling.md, T1).
    """

    rho1: Fraction
    rho2: Fraction
    direction: Direction = "both"
    under: Prior | PriorFamily | Density | None = None
    about: Property | RealProperty | None = None
    knowing: Operator | None = None
    reports: int = 1
    crowd: Crowd | None = None
    exception: Fraction | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho1", _number(self.rho1))
        object.__setattr__(self, "rho2", _number(self.rho2))
        if not 0 < self.rho1 < self.rho2 < 1:
            raise ValueError(
                "a breach needs 0 < rho1 < rho2 < 1, not "
                f"rho1 = {number_text(self.rho1)}, rho2 = {number_text(self.rho2)}"
            )
        check_reports(self.reports)
        _check_crowd(self.crowd, self.reports)
        if self.exception is not None:
            chance = _number(self.exception)
            if not isinstance(chance, Fraction) or not 0 < chance < 1:
                raise ValueError(
                    "except with probability: a rational number above 0 and below 1, not "
                    f"{number_text(chance)}"
                )
            object.__setattr__(self, "exception", chance)
            if self.crowd is None:
                raise ValueError(
                    "except with probability needs the crowd: after shuffling so many clients"
                )
            if self.knowing is not None or isinstance(self.under, PriorFamily | Density):
                raise ValueError(
                    "except with probability: for all priors or under one, without knowledge of "
                    "the value"
                )
        elif self.crowd is not None and self.crowd.how == "summing":
            raise ValueError(
                "after summing a breach is forbidden except with a probability: add it, such as "
                "except with probability 1e-6"
            )

    @property
    def of_crowd(self) -> bool:
        """Whether the size of the crowd decides it."""
        return self.exception is not None

    @property
    def under_text(self) -> str:
        """Which priors: "all priors", a prior's name, or the constraints."""
        if self.under is None:
            return "all priors"
        return str(self.under) if isinstance(self.under, PriorFamily) else self.under.name

    @property
    def properties(self) -> tuple[Any, ...]:
        """The properties that views must tell apart: the claim's own first, then the family's."""
        named: list[Any] = [] if self.about is None else [self.about]
        if isinstance(self.under, PriorFamily):
            named += self.under.properties
        return tuple(dict.fromkeys(named))

    @property
    def by_counts(self) -> bool:
        """Whether reports are told apart by how often each output was seen (see repeated.py)."""
        return self.reports > 1 and self.under is not None

    def views(self, operator: Operator) -> tuple[View, ...]:
        """The operator's views, refined exactly as far as the claim needs.

        Under all priors those of one report, whatever the number of reports: see `seen`.
        """
        prior = self.under if isinstance(self.under, Prior) else None
        if self.by_counts:
            return repeated_views(operator, self.reports, prior, self.properties, self.knowing)
        enough = Enough.FIRST_PROPERTY
        if self.about is None and self.under is None and self.knowing is None:
            enough = Enough.RATIOS
        elif self.about is None and prior is not None:
            enough = Enough.ANY_PROPERTY
        return operator.views(prior, self.properties, self.knowing, enough)

    def seen(self, views: Sequence[View]) -> tuple[View, ...]:
        """What all reports show, from the claim's views: where ratios decide, their powers."""
        return tuple(views) if self.by_counts else same_output_views(views, self.reports)

    def parameters(self, operator: Operator) -> tuple[Parameter, ...]:
        """Free parameters that the views may contain: the operator's, the prior's, those of Z."""
        return _merged(
            operator, self.under if isinstance(self.under, Prior) else None, self.knowing
        )

    def given(self, values: Mapping[str, Fraction]) -> BreachClaim:
        """The claim at values of parameters: its own numbers have none."""
        return self

    def __str__(self) -> str:
        """As it is written in a model."""
        low, high = number_text(self.rho1), number_text(self.rho2)
        arrow = f"{low} -> {high}"
        if self.direction == "downward":
            arrow = f"{high} -> {low}"
        word = "" if self.direction == "both" else f"{self.direction} "
        said = f"forbid {word}breach {arrow}"
        if self.under is not None:
            said += f" under {self.under_text}"
        if self.knowing is not None:
            said += f" knowing {self.knowing.name}"
        if self.about is not None:
            said += f" for {self.about.name}"
        if self.exception is not None:
            said += f" except with probability {number_text(self.exception)}"
        return said + after_reports(self.reports) + _among(self.crowd)


@dataclass(frozen=True)
class BoundClaim:
    """A measure stays below (or at most at) a bound.

    measure: the name of any record in measures/ that can be claimed. Where its unit is the
    asker's choice (information), the bound has one. reports: of so many reports together.
    crowd: among which reports that of a client is hidden: for delta, and for amplification and
    epsilon, which no crowd changes. at: the epsilon of delta. Dependence without a prior is that
    for all priors: epsilon. Bounds on epsilon, and at, may be logarithms, ln(3), or multiples of a
    free parameter, eps.
    """

    measure: str
    relation: Comparison
    bound: Any
    prior: Prior | None = None
    unit: Literal["bit", "nat"] | None = None
    reports: int = 1
    at: Exponent | None = None
    crowd: Crowd | None = None

    def __post_init__(self) -> None:
        measure = measure_named(self.measure)
        if measure.all_priors and self.prior is None:
            if self.relation != "<=":
                raise ValueError(f"{measure.name} for all priors is bounded by <=")
            measure = measure_named(measure.all_priors)
        object.__setattr__(self, "measure", measure.name)
        if not (measure.name == "epsilon" and isinstance(self.bound, Ln)):
            object.__setattr__(self, "bound", _number(self.bound))
        if measure.name == "epsilon" and not isinstance(self.bound, Fraction | Ln):
            raise ValueError(f"epsilon is bounded by a rational or by ln(q), not by {self.bound}")
        if measure.name == "epsilon" and abs(_rational_part(self.bound)) > MAX_EPSILON:
            raise ValueError(f"epsilon is bounded by at most {MAX_EPSILON:,}")
        if bool(measure.argument) != (self.at is not None):
            raise ValueError(f"a claim about {measure.name} is written {measure.written}")
        if self.at is not None:
            at = self.at if isinstance(self.at, Ln) else _number(self.at)
            fits = isinstance(at, Fraction | Ln) and abs(_rational_part(at)) <= MAX_EPSILON
            if not fits or (_free(at) is None and e_to(at) < 1):
                raise ValueError(
                    f"{measure.name} needs an epsilon from 0 to {MAX_EPSILON:,}: rational, or ln(q)"
                )
            free = _free(at)
            if free is not None and (eps := free.parameter.told).lower < 0:
                raise ValueError(
                    f"{measure.name} needs an epsilon from 0 on, and {eps} goes below: let its "
                    "range begin at 0"
                )
            object.__setattr__(self, "at", at)
        if measure.by_rows and self.reports != 1:
            raise ValueError(f"{measure.name} is of one report")
        if measure.prior != (self.prior is not None):
            raise ValueError(f"{self.measure} {'needs a' if measure.prior else 'has no'} prior")
        if measure.unit == "asked" and self.unit not in ("bit", "nat"):
            raise ValueError("a bound on information needs its unit, bit or nat")
        if measure.unit != "asked" and self.unit is not None:
            raise ValueError(f"{self.measure} has no unit to choose")
        check_reports(self.reports)
        _check_crowd(self.crowd, self.reports)
        if self.crowd is not None:
            if self.measure not in OF_CROWDS:
                known = ", ".join(OF_CROWDS)
                raise ValueError(f"{self.measure} after {self.crowd.how}: expected one of {known}")
            if not self.of_crowd and self.crowd.how == "summing":
                raise ValueError("after summing delta is bounded, and nothing else")
            if _free(self.at) is not None:
                raise ValueError(f"after {self.crowd.how} no parameter is free: give it a value")

    @property
    def of_crowd(self) -> bool:
        """Whether the size of the crowd decides it."""
        return self.crowd is not None and self.at is not None

    @property
    def properties(self) -> tuple[Property, ...]:
        """A bound names no property."""
        return ()

    @property
    def limit(self) -> Real:
        """The bound on the amplification that a claim about it, or about epsilon, is."""
        return e_to(self.bound) if self.measure == "epsilon" else self.bound

    @property
    def by_counts(self) -> bool:
        """Whether reports are told apart by how often each output was seen (see repeated.py)."""
        return self.reports > 1 and not measure_named(self.measure).of_ratios

    def views(self, operator: Operator) -> tuple[View, ...]:
        """The operator's views, refined by the claim's prior; of one report where ratios decide."""
        if self.by_counts:
            return repeated_views(operator, self.reports, self.prior)
        measure = measure_named(self.measure)
        if measure.of_ratios:
            return operator.views(enough=Enough.RATIOS)
        return measure.views(operator, self.prior)

    def seen(self, views: Sequence[View]) -> tuple[View, ...]:
        """What all reports show, from the claim's views: where ratios decide, their powers."""
        return tuple(views) if self.by_counts else same_output_views(views, self.reports)

    def parameters(self, operator: Operator) -> tuple[Parameter, ...]:
        """Free parameters of the operator, of the prior and of the claim itself."""
        return _merged(operator, self.prior, _free(self.bound), _free(self.at))

    def given(self, values: Mapping[str, Fraction]) -> BoundClaim:
        """The claim at values of its parameters."""
        bound, at = (
            value if (free := _free(value)) is None else ln(substitute(free.of, values))
            for value in (self.bound, self.at)
        )
        return replace(self, bound=bound, at=at)

    def __str__(self) -> str:
        """As it is written in a model."""
        of = f"({self.prior.name})" if self.prior is not None else ""
        if self.at is not None:
            of = f"({number_text(self.at)})"
        unit = f" {self.unit}" if self.unit else ""
        said = f"require {self.measure}{of} {self.relation} {number_text(self.bound)}{unit}"
        return said + after_reports(self.reports) + _among(self.crowd)


OF_CROWDS = ("amplification", "epsilon", "delta")
"""Measures that are bounded after shuffling."""


def _check_crowd(crowd: Crowd | None, reports: int) -> None:
    if crowd is not None and reports != 1:
        raise ValueError("among a crowd every client sends one report")


def _among(crowd: Crowd | None) -> str:
    """The end of a claim's text that says among how many reports that of a client is hidden."""
    return "" if crowd is None else f" {crowd}"


def after_reports(reports: int) -> str:
    """The end of a claim's text that says how many reports it is about; nothing for one."""
    return "" if reports == 1 else f" after {reports} reports"


Claim: TypeAlias = BreachClaim | BoundClaim
