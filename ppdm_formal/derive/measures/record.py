"""Measure: the record by which a measure describes itself; a Reading is what it found.

A file in this folder whose module has a `MEASURE` is a measure: audits, reports, JSON and the claim
language find it there (discovery.py). Nothing else names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias, TypeVar

from ppdm_formal.declare.arithmetic.enclosure import DIGITS, Unit
from ppdm_formal.declare.arithmetic.value import Measured, value_text
from ppdm_formal.declare.operators.channel import persons, views_of, whole
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.sets import ValueSets
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.measures.formula import Formula

Result = TypeVar("Result")

Reason: TypeAlias = Literal[
    "time limit", "size limit", "free parameters", "relative likelihoods", "inputs are no numbers"
]
"""Why a measure was not computed."""


class CannotCompute(ValueError):
    """The measure has no value here; `reason` says why in one of the words of NotComputed."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Asked:
    """What a measure is asked about: an operator, and a prior where the measure needs one."""

    operator: Operator
    prior: Prior | None = None
    unit: Unit = "bit"
    digits: int = DIGITS
    known: dict[Any, Any] = field(default_factory=dict, compare=False)

    @property
    def under(self) -> Prior:
        """The prior; ValueError where there is none."""
        if self.prior is None:
            raise ValueError("the measure needs a prior")
        return self.prior

    def once(self, function: Callable[[Asked], Result]) -> Result:
        """The function's result, computed once for all measures that share it."""
        if function not in self.known:
            self.known[function] = function(self)
        return self.known[function]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class InputOrOutput:
    """An input or output among the fields of a reading (which are otherwise values or text)."""

    value: Value


Field: TypeAlias = "Measured | InputOrOutput | str | Mapping[str, Field] | None"


@dataclass(frozen=True)
class Reading:
    """What a measure found: its value, where that is attained, and its own result.

    text: the value in words where it is a closed form in pieces. before: what the value was
    before the output was seen, of measures that have it. fields: what JSON says of it.
    """

    measure: Measure
    prior: Prior | None
    unit: Unit | None
    value: Measured
    text: str
    fields: Mapping[str, Field]
    output: Value | None = None
    inputs: tuple[Value, ...] = ()
    before: Fraction | None = None
    result: Any = None


@dataclass(frozen=True)
class NotComputed:
    """A measure without a value here, and why."""

    measure: Measure
    prior: Prior | None
    reason: Reason

    @property
    def limited(self) -> bool:
        """Whether it has a value, which a limit kept from being computed."""
        return self.reason in ("time limit", "size limit")

    @property
    def text(self) -> str:
        """As reports write it."""
        return f"not computed ({self.reason})"


@dataclass(frozen=True)
class Measure:
    """A measure: what it needs, how it is computed, its words, and how a bound on it is decided.

    name: as claims write it. title: as a report names it. head: the same, short, for tables.
    meaning, formula: what it says and how it is defined. source: the paper's definition.
    prior: whether it is measured under a prior. unit: its unit, or "asked" (bit or nat, which a
    claim must then say), or None. tree: its value on views, by which bounds are decided;
    certified: the kind of evidence (the checker evaluates the tree itself for "formula").
    compute: None where the tree is all there is to it. key: where it stands in JSON.
    of_sets: how it is found where outputs are sets of values and their views too many to list.
    of_ratios: whether it is the greatest over y, x1, x2 of a function that grows with the ratio
    p[x1 -> y] / p[x2 -> y]; then outputs seen N times each decide it for N reports.
    column: whether tables of operators have it. probability: whether the value is one.
    asked, promised: what a bound on it asks and promises, with {how} (more than, as much as),
    {bound}, {unit}, {prior} and {argument}, where plain words say it better than its title.
    spoken: as a sentence names it, where that is not its name with blanks.
    rows: its views where it follows inputs from output to output and is no formula (delta).
    argument: what a claim gives it beside a bound (delta: epsilon); such a measure is claimed, but
    has no value by itself. also: other names by which a claim may call it. all_priors: the measure
    that a bound on it for all priors is about.
    """

    name: str
    title: str
    head: str
    meaning: str
    formula: str
    prior: bool
    unit: Unit | Literal["asked"] | None = None
    tree: Formula | None = None
    compute: Callable[[Asked], Reading] | None = None
    of_sets: Callable[[Asked, ValueSets], Reading] | None = None
    asked: str = ""
    promised: str = ""
    source: str = ""
    certified: Literal["formula", "ratio", "enclosure", "pairs", "capacity"] = "formula"
    rows: Callable[[Operator], tuple[View, ...]] | None = None
    spoken: str = ""
    argument: str = ""
    also: tuple[str, ...] = ()
    all_priors: str = ""
    of_ratios: bool = False
    key: str = ""
    probability: bool = False
    column: bool = True
    order: int = 100

    def __post_init__(self) -> None:
        if self.tree is None and self.compute is None and not self.argument:
            raise ValueError(f"{self.name} neither computes nor has a formula")
        if self.tree is not None and self.tree.needs_prior and not self.prior:
            raise ValueError(f"{self.name}: its formula speaks of a prior")
        # A certificate states a unit only where a claim does, so that others are natural.
        units = ("nat", "asked") if self.tree and self.tree.has_logarithm else (None,)
        if self.tree is not None and self.unit not in units:
            raise ValueError(f"{self.name}: a formula with a logarithm has the unit nat or asked")

    @property
    def claimable(self) -> bool:
        """Whether `require NAME <= bound` can be decided."""
        return self.tree is not None or self.rows is not None

    @property
    def by_rows(self) -> bool:
        """Whether it follows inputs from output to output: of one report, then."""
        return self.rows is not None or (self.tree is not None and bool(self.tree.each))

    def views(self, operator: Operator, prior: Prior | None) -> tuple[View, ...]:
        """What an operator shows as far as the measure needs it; TooLarge where that is too much.

        Of measures that a ratio of likelihoods decides see Enough.RATIOS.
        """
        if self.rows is not None:
            return self.rows(operator)
        if self.tree is None or not self.tree.each:
            return operator.views(prior)
        channel = whole(operator, prior)
        return views_of(persons(channel) if self.tree.each == "person" else [channel])

    @property
    def written(self) -> str:
        """As a claim writes it: amplification, dependence(PRIOR), delta(EPSILON)."""
        if self.argument:
            return f"{self.name}({self.argument.upper()})"
        return f"{self.name}(PRIOR)" if self.prior else self.name

    @property
    def said(self) -> str:
        """As a sentence names it: worst-case information."""
        return self.spoken or self.name.replace("_case", "-case").replace("_", " ")

    @property
    def json_key(self) -> str:
        """Where it stands in JSON."""
        return self.key or self.name

    @property
    def question(self) -> str:
        """What a bound on it asks: a sentence with places for the claim's parts."""
        plain = self._compared("must not be")
        under = f"Under the prior {{prior}}, {plain}." if self.prior else f"T{plain[1:]}."
        return self.asked or under

    @property
    def promise(self) -> str:
        """What a bound on it promises, as part of a sentence."""
        plain = self._compared("is not")
        return self.promised or (f"under the prior {{prior}}, {plain}" if self.prior else plain)

    def _compared(self, verb: str) -> str:
        unit = {None: "", "asked": " {unit}"}.get(self.unit, f" {self.unit}")
        return f"the {self.title[0].lower()}{self.title[1:]} {verb} {{how}} {{bound}}{unit}"

    def unit_of(self, asked: Asked) -> Unit | None:
        """The unit of its value."""
        return asked.unit if self.unit == "asked" else self.unit

    def measure(self, asked: Asked) -> Reading:
        """Compute it; CannotCompute where it has no value (while parameters are free)."""
        try:
            return self._on_views(asked)
        except TooLarge:
            sets = asked.operator.value_sets(asked.prior) if self.of_sets is not None else ()
            if self.of_sets is None or not sets or asked.under.parameters:
                raise
            return self.of_sets(asked, sets[0])

    def _on_views(self, asked: Asked) -> Reading:
        if self.compute is not None:
            return self.compute(asked)
        from ppdm_formal.derive.measures.formula_value import measured_by_tree

        return measured_by_tree(self, asked)

    def reading(
        self,
        asked: Asked,
        value: Measured,
        fields: Mapping[str, Field],
        *,
        text: str = "",
        output: Value | None = None,
        inputs: tuple[Value, ...] = (),
        before: Fraction | None = None,
        result: Any = None,
    ) -> Reading:
        """A reading of this measure."""
        said = text or value_text(value)
        prior = asked.prior if self.prior else None
        unit = self.unit_of(asked)
        return Reading(self, prior, unit, value, said, fields, output, inputs, before, result)
