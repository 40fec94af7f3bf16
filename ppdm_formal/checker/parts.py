"""Records in parts, and evidence "product": what all outputs tell of the whole, and of one part.

    record:      the product of the parts' greatest ratios against e^bound
    dependence:  a part's greatest ratio times e^(epsilon_d) against e^bound

epsilon_d is given, not shown: each part and all others together are epsilon_d-dependent (0 where
nothing is given: the parts are independent). P[x_i | y, x_-i] / P[x_i] is P[x_i | x_-i] / P[x_i],
which is within e^(epsilon_d), times p[x_i -> y_i] / (the mean of p[x -> y_i] given x_-i), which is
within the greatest ratio. The mean over x_-i, of what the outputs alone tell, is within it as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .certificate import Certificate, Evidence, Subject, need_no_more
from .claim import BoundClaim, read_exponent
from .decision import Decision
from .limits import MAX_COMMON, ONE, RELATIONS, ZERO
from .reading import Fields, read_list, read_number, read_position
from .result import need
from .spelling import spell
from .view import View, read_described
from .views import read_views

MAX_PARTS = 10_000
OF_RATIOS = BoundClaim("", "amplification", "<=", ONE, None, None, limit=ONE)


@dataclass(frozen=True)
class PartsClaim:
    """What the record costs, or a part of it (None: every one), is within a bound."""

    text: str
    of: str
    part: str | None
    relation: str
    limit: Any

    def allows(self, value: Any) -> bool:
        """Whether a factor keeps the bound; None is infinite."""
        return value is not None and RELATIONS[self.relation](value, self.limit)


@dataclass(frozen=True)
class Sanitized:
    """A part: how many values it has, and the views of its operator where the claim needs them."""

    name: str
    inputs: int
    views: list[View]


@dataclass(frozen=True)
class RecordInParts(Subject):
    """The record, and e^epsilon_d."""

    kind = "parts"
    name: str
    claim: PartsClaim
    parts: list[Sanitized]
    among: Any
    given: str | None

    @classmethod
    def read_claim(cls, raw: Any) -> PartsClaim:
        """What the record costs, or a part of it."""
        return read_parts_claim(raw)

    @classmethod
    def read(cls, raw: Any, claim: PartsClaim) -> RecordInParts:
        """The record, with the operators on which the claim rests."""
        return read_record(raw, claim)

    @property
    def holds(self) -> bool:
        """Whether the greatest ratios of the parts keep the bound."""
        if self.claim.of == "record":
            return self.claim.allows(joint_factor(greatest(part.views) for part in self.parts))
        return all(
            self.claim.allows(joint_factor((greatest(part.views), self.factor(i))))
            for i, part in enumerate(self.parts)
            if part.views
        )

    def replay(self, certificate: Certificate) -> None:
        """Two records, or a law of the parts."""
        shown = replay_records if self.claim.of == "record" else replay_law
        shown(certificate.witness, self, self.claim)

    def vacuous(self, certificate: Certificate) -> bool:
        """There is always a case."""
        return False

    def factor(self, position: int) -> Any:
        """What the other parts can add: nothing where there is nothing to depend on."""
        others = (p.inputs > 1 for i, p in enumerate(self.parts) if i != position)
        return self.among if self.parts[position].inputs > 1 and any(others) else ONE

    def where(self, certificate: Certificate) -> str:
        """Under which laws of the parts the claim holds, or is broken."""
        if self.claim.of == "record":
            return "however the parts depend on each other"
        how = "under every law" if certificate.verdict == "certified" else "under a law"
        if self.given is None:
            return f"{how} by which the parts are independent"
        return f"{how} by which each part and all others are {self.given}-dependent"


def read_parts_claim(raw: Any) -> PartsClaim:
    """The claim, whose text is the one that its other fields determine."""
    fields = Fields(raw, "claim", "kind text of part relation bound")
    of, relation = fields.text("of"), fields.text("relation")
    need(fields.text("kind") == "parts" and of in ("record", "dependence"), "unknown sort of claim")
    need(relation == "<=" or (relation == "<" and of == "record"), "unknown relation")
    part = None if raw["part"] is None else fields.name("part")
    need(part is None or of == "dependence", "a record's cost is not that of a part")
    limit = read_exponent(raw["bound"])
    need(limit >= 1, "a negative epsilon")
    text = f"require {of}{'' if part is None else f'({part})'} {relation} {raw['bound']}"
    need(raw["text"] == text, f"the claim's text does not say {text}")
    return PartsClaim(text, of, part, relation, limit)


def read_record(raw: Any, claim: PartsClaim) -> RecordInParts:
    """The record; the operators on which the claim rests are there, and no others."""
    fields = Fields(raw, "operator", "kind name dependence parts")
    given = None if raw["dependence"] is None else fields.text("dependence")
    among = ONE if given is None else read_exponent(given)
    need(among >= 1, "a negative dependence")
    rows = fields.list("parts")
    need(1 <= len(rows) <= MAX_PARTS, "no parts, or too many")
    parts = [read_sanitized(row, claim) for row in rows]
    need(len({part.name for part in parts}) == len(parts), "two parts of one name")
    need(any(part.views for part in parts), "the claim is about no part")
    return RecordInParts(fields.text("name"), claim, parts, among, given)


def read_sanitized(raw: Any, claim: PartsClaim) -> Sanitized:
    """A part."""
    fields = Fields(raw, "parts", "name inputs operator")
    name, inputs = fields.name("name"), fields.count("inputs")
    need(inputs >= 1, "a part without values")
    needed = claim.part in (None, name)
    need((raw["operator"] is not None) == needed, "an operator too many or few")
    if not needed:
        return Sanitized(name, inputs, [])
    described = read_described(raw["operator"])
    need(described.inputs == inputs, "a part has not the inputs of its operator")
    need(not described.parameters, "a part with free parameters")
    return Sanitized(name, inputs, read_views(described, OF_RATIOS))


def greatest(views: list[View]) -> Any:
    """The greatest ratio of likelihoods of an output; None where it is infinite."""
    found: Any = ONE
    for view in views:
        most = max(part.likelihood for part in view.classes)
        least = min(part.likelihood for part in view.classes)
        if most != 0 and least == 0:
            return None
        if most != 0:
            found = max(found, most / least)
    return found


def joint_factor(values: Any) -> Any:
    """Of factors; None where one is infinite."""
    total: Any = ONE
    for value in values:
        if value is None:
            return None
        total *= value
        if type(total) is Fraction:
            bits = total.numerator.bit_length() + total.denominator.bit_length()
            need(bits <= MAX_COMMON, "the product of the parts is too long")
    return total


def read_place(raw: Any, part: Sanitized) -> tuple[Any, Any]:
    """The likelihoods of an output of a part, from its likely and from its unlikely value."""
    fields = Fields(raw, "witness", "view output likely unlikely")
    view = part.views[fields.position("view", len(part.views))]
    need(fields.value("output") == view.output, "the witness's output is not the view's")
    likely, unlikely = (
        view.classes[fields.position(key, len(view.classes))].likelihood
        for key in ("likely", "unlikely")
    )
    need(likely > 0, "the witness's output is never seen")
    return likely, unlikely


def replay_records(raw: Any, record: RecordInParts, claim: PartsClaim) -> None:
    """Two records from which all outputs together differ too much."""
    fields = Fields(raw, "witness", "parts value")
    rows = fields.list("parts", len(record.parts))
    pairs = [read_place(row, part) for row, part in zip(rows, record.parts, strict=True)]
    value = joint_factor(None if unlikely == 0 else likely / unlikely for likely, unlikely in pairs)
    said = "infinity" if value is None else spell(value)
    need(fields.text("value") == said, f"the witness's ratio is {said[:99]}")
    need(not claim.allows(value), "the witness does not break the claim")


def replay_law(raw: Any, record: RecordInParts, claim: PartsClaim) -> None:
    """A law of two parts (the others have one value) that is allowed, and takes a belief too far.

    Rows: the likely and the unlikely value of the part. Columns: two values of another part.
    """
    fields = Fields(raw, "witness", "part other place law before after")
    place = fields.position("part", len(record.parts))
    part = record.parts[place]
    need(part.views, "the claim is not about the witness's part")
    likely, unlikely = read_place(raw["place"], part)
    need(part.inputs > 1 and raw["place"]["likely"] != raw["place"]["unlikely"], "one value only")
    columns = 1
    if raw["other"] is not None:
        other = read_position(raw["other"], len(record.parts))
        need(other != place and record.parts[other].inputs > 1, "no other part of two values")
        columns = 2
    law = [[read_number(cell) for cell in read_list(row, columns)] for row in fields.list("law", 2)]
    need(all(cell > 0 for row in law for cell in row), "a probability that is not positive")
    rows = [sum(row, ZERO) for row in law]
    sums = [sum(column, ZERO) for column in zip(*law, strict=True)]
    need(sum(rows, ZERO) == 1, "the law does not sum to 1")
    for row, mass in zip(law, rows, strict=True):
        for cell, beside in zip(row, sums, strict=True):
            ratio = cell / (mass * beside)
            good = ratio <= record.among and ratio * record.among >= 1
            need(good, "the law's parts depend on each other more than is given")
    seen = law[0][0] * likely
    before, after = rows[0], seen / (seen + law[1][0] * unlikely)
    stated = fields.text("before") == spell(before) and fields.text("after") == spell(after)
    need(stated, f"the witness goes from {spell(before)[:99]} to {spell(after)[:99]}")
    need(not claim.allows(after / before), "the witness does not break the claim")


class ByProduct(Evidence):
    """Nothing but the views of the parts."""

    kind, of = "product", ("parts",)

    def suits(self, subject: Any, claim: PartsClaim) -> bool:
        """All claims."""
        return True

    def decide(self, certificate: Certificate) -> Decision:
        """By the product of ratios."""
        need_no_more(certificate)
        return Decision(not certificate.subject.holds)
