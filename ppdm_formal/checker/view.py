"""View: what an output of the operator shows, as classes of inputs; the operator as described."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .canonical import canonical, digest
from .claim import BoundClaim, Claim
from .clock import tick
from .exponential import EXP_NAME
from .interval import Interval, read_interval
from .limits import ONE, ZERO
from .reading import Fields
from .result import Rejected, need


@dataclass(frozen=True)
class InputClass:
    """Inputs that a view does not tell apart; prior and knowledge are 1 where there is none."""

    likelihood: Fraction
    count: int
    member: tuple[bool, ...]
    prior: Fraction
    knowledge: Fraction
    example: bytes
    most: Fraction | None = None  # of a rounded matrix, of which `likelihood` is the least

    @property
    def kind(self) -> tuple[tuple[bool, ...], Fraction, Fraction]:
        """What the input is by itself, whatever the output."""
        return self.member, self.prior, self.knowledge

    @property
    def seen(self) -> Fraction:
        """The probability of the output and of what is known."""
        return self.likelihood * self.knowledge


@dataclass(frozen=True)
class View:
    """What an output shows (and what is known with it), by class; so many outputs show it."""

    classes: tuple[InputClass, ...]
    outputs: int
    output: bytes
    known: bytes

    def mass_of(self, weight: Callable[[InputClass], Fraction]) -> Fraction:
        """The sum over all inputs."""
        total = ZERO
        for part in self.classes:
            tick()
            total += part.count * weight(part)
        return total


Reader = Callable[[Any], Fraction]


def read_view(raw: Any, where: str, claim: Claim, form: Reader) -> View:
    """A view by itself; `form` reads its numbers."""
    keys = "classes outputs output" + (" known" if claim.knowing is not None else "")
    fields = Fields(raw, where, keys)
    outputs = fields.count("outputs")
    need(outputs >= 1, f"{where}: no output")
    known = fields.value("known") if claim.knowing is not None else b""
    wanted = _class_keys(claim)
    parts = fields.list("classes")
    classes = tuple(_read_class(part, where, wanted, claim, form) for part in parts)
    need(len({part.example for part in classes}) == len(classes), f"{where}: an example twice")
    need(classes, f"{where}: no classes")
    return View(classes, outputs, fields.value("output"), known)


def read_class(raw: Any, where: str, claim: Claim, form: Reader) -> InputClass:
    """A class of a view."""
    return _read_class(raw, where, _class_keys(claim), claim, form)


def _class_keys(claim: Claim) -> str:
    keys = "likelihood count example"
    keys += " member" if claim.properties else ""
    keys += " prior" if claim.prior is not None else ""
    pair = isinstance(claim, BoundClaim)  # what is known of delta is which pair, not a chance
    return keys + (" knowledge" if claim.knowing is not None and not pair else "")


def _read_class(raw: Any, where: str, keys: str, claim: Claim, form: Reader) -> InputClass:
    fields = Fields(raw, where, keys)
    member = tuple(fields.list("member")) if claim.properties else ()
    flags = all(type(m) is bool for m in member) and len(member) == len(claim.properties)
    likelihood = form(raw["likelihood"])
    prior = form(raw["prior"]) if claim.prior is not None else ONE
    knowledge = form(raw["knowledge"]) if "knowledge" in raw else ONE
    count = fields.count("count")
    if not flags:
        raise Rejected(f"{where}: bad membership")
    if count < 1:
        raise Rejected(f"{where}: a class without inputs")
    if likelihood < 0:
        raise Rejected(f"{where}: a likelihood below 0")
    if not (0 <= prior <= 1 and 0 <= knowledge <= 1):
        raise Rejected(f"{where}: a probability not in [0, 1]")
    return InputClass(likelihood, count, member, prior, knowledge, fields.value("example"))


@dataclass(frozen=True)
class Described:
    """The operator as the certificate describes it, its views not yet read."""

    name: str
    inputs: int
    outputs: int
    relative: bool
    parameters: dict[str, Interval]
    raw: dict[str, Any]
    extreme: bool = False
    summed: bool = False


def check_views_digest(fields: Fields) -> None:
    """The views have the digest that is stated."""
    found = digest(canonical(fields.list("views")))
    need(fields.digest("views_sha256") == found, "views_sha256 is not the views' digest")


def read_described(raw: Any) -> Described:
    """The operator's frame and its free parameters; its views must have their digest."""
    keys = "kind name inputs outputs likelihoods parameters views views_sha256"
    fields = Fields(raw, "operator", keys, "one_report")
    need(fields.text("kind") == "finite", "operator: not a finite one")
    check_views_digest(fields)
    sort = fields.text("likelihoods")
    need(sort in ("probabilities", "relative", "extreme", "summed"), "unknown sort of likelihoods")
    parameters: dict[str, Interval] = {}
    symbols: set[str] = set()  # eps and exp(eps) are no two free numbers
    for entry in fields.list("parameters"):
        row = Fields(entry, "parameters", "name interval")
        name, interval = row.text("name"), read_interval(row.text("interval"))
        power = re.fullmatch(EXP_NAME, name)
        symbol = power["name"] if power else name
        good = symbol.isidentifier() and symbol not in symbols
        need(good, "a parameter twice, or one without a name")
        if power:
            whole = int(power["top"] or 1) and int(power["bottom"] or 1)
            need(whole and interval.low.low > 0, "a parameter that is no power of e")
        symbols.add(symbol)
        parameters[name] = interval
    inputs, outputs = fields.count("inputs"), fields.count("outputs")
    extreme = sort == "extreme"
    relative = extreme or sort == "relative"
    summed = sort == "summed"
    return Described(
        fields.text("name"), inputs, outputs, relative, parameters, raw, extreme, summed
    )
