"""The claim: a breach that is forbidden, or a bound on a measure."""

from __future__ import annotations

import functools
import math
import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from .canonical import canonical
from .exponential import EXP_NAME, UNIT, Exponential, T, e_to
from .formula_tree import check_formula
from .limits import MAX_CLIENTS, MAX_DEGREE, MAX_FREE_NAME, MAX_REPORTS, RELATIONS, ZERO
from .measures import FORMULAS, OTHER_NAMES
from .reading import Fields, read_count, read_list, read_name, read_number, read_position
from .result import need
from .spelling import spell


@dataclass(frozen=True)
class Constraint:
    """The sum of factor * mass(property) stands in the relation to the bound."""

    terms: tuple[tuple[Fraction, int], ...]
    relation: str
    bound: Fraction

    def factor(self, member: Sequence[bool]) -> Fraction:
        """What a unit of mass adds to the sum on inputs that have these properties."""
        return sum((factor for factor, place in self.terms if member[place]), ZERO)


@dataclass(frozen=True)
class Crowd:
    """How many reports are seen without being told whose they are: shuffled, or added up.

    counted: those of honest clients that surely arrive, of whom nothing else is known. others:
    the prior that the others' values are drawn from, or how the text says which family each of
    them is drawn from a prior of; None: they are any, and known.
    """

    how: str
    clients: int
    colluding: int
    missing: int
    others: str | None
    properties: int = 0
    family: tuple[Constraint, ...] | None = None

    @property
    def counted(self) -> int:
        """How many reports hide one of them."""
        return self.clients - self.colluding - self.missing

    @property
    def text(self) -> str:
        """As the end of a claim says it."""
        said = f" after {self.how} {self.clients}"
        said += f" colluding {self.colluding}" if self.colluding else ""
        said += f" at most {self.missing} missing" if self.missing else ""
        return said + (f" others under {self.others}" if self.others is not None else "")


@dataclass(frozen=True)
class BreachClaim:
    """No breach of these directions: under one prior, a family of priors, or all priors.

    exception: with at most that probability, given that the property is true of the client. Without
    one a crowd changes nothing: some histogram leaves no doubt which report was the client's.
    """

    text: str
    directions: tuple[str, ...]
    rho1: Fraction
    rho2: Fraction
    prior: str | None
    family: tuple[Constraint, ...] | None
    properties: tuple[str, ...]
    about: int | None
    knowing: str | None
    reports: int = 1
    crowd: Crowd | None = None
    exception: Fraction | None = None

    @property
    def of_crowd(self) -> bool:
        """Whether the crowd's size decides it."""
        return self.exception is not None

    @property
    def of_ratio(self) -> bool:
        """Whether it is under all priors: the ratio of likelihoods decides it."""
        return self.prior is None and self.family is None

    @property
    def by_counts(self) -> bool:
        """Whether several reports are told apart by how often each output was seen."""
        return self.reports > 1 and not self.of_ratio

    def given(self, point: Mapping[str, Any]) -> BreachClaim:
        """The claim at values of the parameters: its own numbers depend on none."""
        return self

    def breached(self, direction: str, before: Fraction, after: Fraction) -> bool:
        """EGS03 Definitions 1 and 2, with their non-strict inequalities."""
        if direction == "upward":
            return before <= self.rho1 and after >= self.rho2
        return before >= self.rho2 and after <= self.rho1


@dataclass(frozen=True)
class FreePower:
    """e^(factor NAME), where a parameter exp(m*NAME/n) is free: a power of that parameter."""

    factor: Fraction
    name: str

    def at(self, point: Mapping[str, Any]) -> Any:
        """Its value, a number or a quotient, where the point gives the parameter one."""
        found = [(re.fullmatch(EXP_NAME, parameter), value) for parameter, value in point.items()]
        own = [(match, value) for match, value in found if match and match["name"] == self.name]
        need(len(own) == 1, f"{ascii(self.name)[:40]} is no free parameter, or two")
        ((match, value),) = own
        top, bottom = int(match["top"] or 1), int(match["bottom"] or 1)
        need(top and bottom, "a parameter that is e^0")
        power = self.factor * bottom / top
        whole = power.denominator == 1 and power <= MAX_DEGREE
        need(whole, "an epsilon that is no power of the parameter, or too high a one")
        return functools.reduce(operator.mul, [value] * int(power))


@dataclass(frozen=True)
class BoundClaim:
    """A measure stays within a bound; a formula says what a measure is that has no other rule."""

    text: str
    measure: str
    relation: str
    bound: Any
    prior: str | None
    unit: str | None
    formula: Any = None
    # A bound has no properties and no background knowledge; what is known is which pair of inputs
    # (delta), person or channel its views follow from output to output.
    properties: tuple[str, ...] = ()
    knowing: str | None = None
    reports: int = 1
    limit: Any = None  # on the ratio of likelihoods, for amplification and epsilon
    factor: Any = None  # e^epsilon, for delta
    crowd: Crowd | None = None

    @property
    def of_crowd(self) -> bool:
        """Whether the crowd's size decides it: the greatest ratio it leaves as it is."""
        return self.crowd is not None and self.factor is not None

    @property
    def each(self) -> str:
        """What views follow: pairs of inputs, channels, every input, people; empty: nothing."""
        if self.factor is not None:
            return "pair"
        if self.measure == CAPACITY:
            return "channel"
        return str((self.formula or {}).get("each", ""))

    @property
    def of_ratio(self) -> bool:
        """Whether it bounds the ratio of likelihoods."""
        return self.limit is not None

    @property
    def by_counts(self) -> bool:
        """Whether several reports are told apart by how often each output was seen."""
        return self.reports > 1 and not self.of_ratio and self.formula != LOG_RATIO

    def given(self, point: Mapping[str, Any]) -> BoundClaim:
        """The claim at values of the parameters, on which its own epsilon may depend."""
        bound, limit, factor = (
            value.at(point) if isinstance(value, FreePower) else value
            for value in (self.bound, self.limit, self.factor)
        )
        good = factor is None or type(factor) not in (Fraction, Exponential) or factor >= 1
        need(good, "delta: a negative epsilon")
        return replace(self, bound=bound, limit=limit, factor=factor)

    def allows(self, value: Any, bound: Any) -> bool:
        """Whether a value keeps the bound."""
        return RELATIONS[self.relation](value, bound)


Claim = BreachClaim | BoundClaim


def read_claim(raw: Any) -> Claim:
    """The claim; its text must be the one that its other fields determine."""
    need(type(raw) is dict, "claim is not an object")
    claim = read_bound_claim(raw) if raw.get("kind") == "bound" else read_breach_claim(raw)
    need(raw["text"] == claim.text, f"the claim's text does not say {claim.text}")
    if isinstance(claim, BreachClaim):
        # Canonical: the claim's own property, then those of the constraints, as they first occur.
        used = [] if claim.about is None else [claim.about]
        used += [place for row in claim.family or () for _, place in row.terms]
        order = list(dict.fromkeys(used))
        need(order == list(range(len(claim.properties))), "the properties are not in their order")
    return claim


def read_breach_claim(raw: Any) -> BreachClaim:
    """A breach claim, with the text that it must have."""
    keys = "kind text direction rho1 rho2 under properties for knowing"
    fields = Fields(raw, "claim", keys, "reports crowd except")
    need(fields.text("kind") == "breach", "unknown sort of claim")
    direction = fields.text("direction")
    need(direction in ("both", "upward", "downward"), "unknown sort of claim: its direction")
    rho1, rho2 = fields.number("rho1"), fields.number("rho2")
    need(0 < rho1 < rho2 < 1, "not 0 < rho1 < rho2 < 1")
    names = tuple(read_name(name) for name in fields.list("properties"))
    need(len(set(names)) == len(names), "two properties of one name")
    said = "forbid " + ("" if direction == "both" else f"{direction} ") + "breach "
    if direction == "downward":
        said += f"{spell(rho2)} -> {spell(rho1)}"
    else:
        said += f"{spell(rho1)} -> {spell(rho2)}"
    prior, family, under = None, None, raw["under"]
    if type(under) is dict and "prior" in under:
        prior = Fields(under, "under", "prior").name("prior")
        said += f" under {prior}"
    elif under != "all priors":
        rows = Fields(under, "under", "constraints").list("constraints")
        family = tuple(read_constraint(row, len(names)) for row in rows)
        said += " under { " + "; ".join(constraint_text(row, names) for row in family) + " }"
    knowing = None if raw["knowing"] is None else fields.name("knowing")
    about = None if raw["for"] is None else fields.position("for", len(names))
    said += "" if knowing is None else f" knowing {knowing}"
    said += "" if about is None else f" for {names[about]}"
    directions = ("upward", "downward") if direction == "both" else (direction,)
    exception = None
    if "except" in raw:
        exception = fields.number("except")
        need(type(exception) is Fraction and 0 < exception < 1, "except: not a probability")
        need("crowd" in raw, "an exception without a crowd")
        said += f" except with probability {spell(exception)}"
    reports, after = read_reports(raw)
    crowd = read_crowd(raw)
    apart = crowd is None or exception is not None or crowd.how == "shuffling"
    need(apart, "sums without an exception")
    said += after + ("" if crowd is None else crowd.text)
    return BreachClaim(
        *(said, directions, rho1, rho2, prior, family, names, about, knowing, reports),
        *(crowd, exception),
    )


def read_crowd(raw: Any) -> Crowd | None:
    """Among how many reports that of a client is hidden, where it is."""
    if "crowd" not in raw:
        return None
    fields = Fields(raw["crowd"], "crowd", "how clients colluding missing others")
    how, others = fields.text("how"), fields.raw["others"]
    need(how in ("shuffling", "summing"), "crowd: shuffled or summed")
    clients, colluding, missing = map(fields.count, ("clients", "colluding", "missing"))
    if type(others) is dict:
        crowd = Crowd(how, clients, colluding, missing, *read_others(others))
    else:
        name = None if others is None else fields.name("others")
        crowd = Crowd(how, clients, colluding, missing, name)
    need(1 <= crowd.counted <= crowd.clients <= MAX_CLIENTS, "crowd: nobody is left, or too many")
    need("reports" not in raw, "several reports of one client among a crowd")
    return crowd


def read_others(raw: Any) -> tuple[str, int, tuple[Constraint, ...]]:
    """A family of priors: its text, how many properties it names, and its constraints."""
    fields = Fields(raw, "others", "properties constraints")
    names = [read_name(name) for name in fields.list("properties")]
    need(len(set(names)) == len(names), "two properties of one name")
    family = tuple(read_constraint(row, len(names)) for row in fields.list("constraints"))
    order = dict.fromkeys(place for row in family for _, place in row.terms)
    need(family and list(order) == list(range(len(names))), "properties are not in their order")
    said = "{ " + "; ".join(constraint_text(row, names) for row in family) + " }"
    return said, len(names), family


def read_reports(raw: Any) -> tuple[int, str]:
    """How many reports a claim speaks of (one, unless it says so), and how its text says it."""
    if "reports" not in raw:
        return 1, ""
    reports = read_count(raw["reports"])
    need(2 <= reports <= MAX_REPORTS, "claim.reports: not a number of several reports")
    return reports, f" after {reports} reports"


def read_constraint(raw: Any, properties: int) -> Constraint:
    """A linear constraint on the masses of properties."""
    fields = Fields(raw, "under", "terms relation bound")
    need(fields.text("relation") in RELATIONS, "unknown relation in a constraint")
    terms = []
    for entry in fields.list("terms"):
        factor, place = read_list(entry, 2)
        terms.append((read_number(factor), read_position(place, properties)))
    return Constraint(tuple(terms), raw["relation"], fields.number("bound"))


def constraint_text(row: Constraint, names: Sequence[str]) -> str:
    """A constraint as the claim's text spells it."""
    said = ""
    for factor, place in row.terms:
        if said:
            said += " - " if factor < 0 else " + "
        elif factor < 0:
            said = "-"
        size = "" if abs(factor) == 1 else f"{spell(abs(factor))} * "
        said += f"{size}mass({names[place]})"
    return f"{said or '0'} {row.relation} {spell(row.bound)}"


KNOWN_MEASURES: dict[str, tuple[str | None, ...]] = {  # and their units
    "amplification": (None,),
    "epsilon": (None,),
    "delta": (None,),
    "mutual_information_dp": ("bit", "nat"),
    "dependence": (None,),
    "worst_case_information": ("bit", "nat"),
}
CAPACITY = "mutual_information_dp"  # the largest capacity from one person's value
# ln of the amplification, which the same outputs decide
LOG_RATIO = {"over": "max", "of": ["log", ["/", ["max", "likelihood"], ["min", "likelihood"]]]}


def read_bound_claim(raw: Any) -> BoundClaim:
    """A bound claim, with the text that it must have."""
    keys = "kind text measure relation bound prior unit properties"
    fields = Fields(raw, "claim", keys, "formula reports at crowd")
    measure, unit = fields.text("measure"), raw["unit"]
    prior = None if raw["prior"] is None else fields.name("prior")
    relation = fields.text("relation")
    need(
        relation in ("<", "<=") and not fields.list("properties"), "unknown relation, or properties"
    )
    if "formula" in raw:
        need(measure not in KNOWN_MEASURES, "a measure known by name has no formula")
        need(re.fullmatch("[a-z][a-z0-9_]{0,79}", measure), "not the name of a measure")
        need(measure not in OTHER_NAMES, f"{measure} is known by name, and has no formula")
        own = FORMULAS.get(measure, raw["formula"])
        need(canonical(own) == canonical(raw["formula"]), f"the formula is not that of {measure}")
        need(unit in (None, "bit", "nat"), "unknown unit")
        check_formula(raw["formula"], prior is not None)
    else:
        known = KNOWN_MEASURES.get(measure, ())
        need(type(unit) in (str, type(None)) and unit in known, "unknown measure, or not its unit")
        without = measure in ("amplification", "epsilon", "delta", CAPACITY)
        need((prior is None) == without, "a prior too many or few")
    need(("at" in raw) == (measure == "delta"), "an epsilon too many or few")
    limit = factor = None
    if measure == "epsilon":
        limit, written = read_exponent(raw["bound"]), raw["bound"]
        bound: Any = limit
    else:
        bound = fields.number("bound")
        limit, written = (bound if measure == "amplification" else None), spell(bound)
    of = "" if prior is None else f"({prior})"
    if measure == "delta":
        factor, of = read_exponent(raw["at"]), f"({raw['at']})"
        need(isinstance(factor, FreePower) or factor >= 1, "delta: a negative epsilon")
    in_unit = f" {unit}" if unit else ""
    reports, after = read_reports(raw)
    crowd = read_crowd(raw)
    after += "" if crowd is None else crowd.text
    if crowd is not None:
        need(measure in ("amplification", "epsilon", "delta"), f"{measure}: not among a crowd")
        need(measure == "delta" or crowd.how == "shuffling", "sums: delta only")
    said = f"require {measure}{of} {relation} {written}{in_unit}{after}"
    formula = raw.get("formula")
    claim = BoundClaim(
        said,
        measure,
        relation,
        bound,
        prior,
        unit,
        formula,
        (),
        None,
        reports,
        limit,
        factor,
        crowd,
    )
    need(not claim.each or reports == 1, f"{measure} is of one report")
    return replace(claim, knowing=claim.each or None)


def read_exponent(thing: Any) -> Any:
    """e^epsilon, of an epsilon in its one spelling: a rational, ln(number), or 3*NAME/2."""
    need(type(thing) is str, "not an epsilon in text")
    match = re.fullmatch(EXP_NAME, f"exp({thing})") if len(thing) <= MAX_FREE_NAME else None
    if match:
        top, bottom = int(match["top"] or 1), int(match["bottom"] or 1)
        good = math.gcd(top, bottom) == 1 and match["top"] != "1" and match["bottom"] != "1"
        need(good and top and bottom, "not an epsilon in its one spelling")
        return FreePower(Fraction(top, bottom), match["name"])
    if not thing.startswith("ln("):
        epsilon = read_number(thing)
        need(type(epsilon) is Fraction, "an epsilon that is neither rational nor a logarithm")
        return e_to(epsilon)
    found = read_number(thing[3:-1])
    need(thing.endswith(")") and found > 0, "not a logarithm")
    power = type(found) is Exponential and {found.top, found.bottom} == {UNIT, T}
    need(found != 1 and not power, "a logarithm that is rational")
    return found
