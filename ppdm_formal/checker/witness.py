"""Evidence "witness": the prior, property and output of a breach alone, replayed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .certificate import Certificate, Evidence, need_no_more
from .claim import BreachClaim, Claim
from .conditions import by_polynomials
from .decision import Decision, shift
from .enclosure import side_of_bound
from .farkas import admitted
from .limits import ZERO
from .pairs import replay_pair
from .reading import Fields
from .result import need
from .spelling import spell
from .view import View


def replay(raw: Any, views: list[View], claim: Claim, evidence: Any, free: str = "") -> None:
    """Replay the witness of a breach in exact arithmetic; `free` names further keys."""
    keys = "view output" + (" known" if claim.knowing is not None else "") + free
    if isinstance(claim, BreachClaim):
        keys += " direction classes before after"
    elif claim.of_ratio or claim.factor is not None:
        keys += " likely unlikely value"
    fields = Fields(raw, "witness", keys)
    view = views[fields.position("view", len(views))]
    known = fields.value("known") if claim.knowing is not None else b""
    same = fields.value("output") == view.output and known == view.known
    need(same, "the witness is of another output than its view")
    if isinstance(claim, BreachClaim):
        replay_breach(fields, view, claim)
    elif claim.factor is not None:
        replay_pair(fields, views, view, claim)
    elif claim.of_ratio:
        likely = view.classes[fields.position("likely", len(view.classes))].likelihood
        unlikely = view.classes[fields.position("unlikely", len(view.classes))].likelihood
        need(likely > 0, "the witness's likely input cannot produce the output")
        shown = spell(likely / unlikely) if unlikely else "infinity"
        need(raw["value"] == shown, f"the witness's ratio is {shown}")
        broken = unlikely == 0 or not claim.allows(likely / unlikely, claim.limit)
        need(broken, "the witness does not break the claim")
    elif claim.formula is None and not claim.each:
        side = side_of_bound(view, claim, evidence["digits"])
        need(not claim.allows(side, 0), "the witness does not break the claim")


def replay_breach(fields: Fields, view: View, claim: BreachClaim) -> None:
    """A prior, a property and an output, against Definitions 1 and 2."""
    inside, everywhere = read_masses(fields.list("classes"), view, claim)
    moved = shift(view, inside, everywhere)
    need(moved is not None, "the witness's output is never seen")
    said = (fields.number("before"), fields.number("after"))
    need(said == moved, f"before and after are {spell(moved[0])} and {spell(moved[1])}")
    direction = fields.text("direction")
    need(direction in claim.directions, "a breach of a direction not claimed")
    need(claim.breached(direction, *moved), "the witness does not break the claim")


def read_masses(
    rows: list[Any], view: View, claim: BreachClaim
) -> tuple[list[Fraction], list[Fraction]]:
    """The masses of the witness's property, and of all inputs, by class."""
    keys = "class inside" + ("" if claim.prior is not None else " mass_inside mass_outside")
    listed: dict[int, Fields] = {}
    last = -1
    for row in rows:
        fields = Fields(row, "a class of the witness", keys)
        place = fields.position("class", len(view.classes))
        need(place > last, "the witness's classes are in disorder")
        listed[place], last = fields, place
    inside, everywhere = [], []
    for place, part in enumerate(view.classes):
        row = listed.get(place)
        n = 0 if row is None else row.count("inside")
        if claim.prior is not None:
            u, w = n * part.prior, (part.count - n) * part.prior
        elif row is None:
            u = w = ZERO
        else:
            u, w = row.number("mass_inside"), row.number("mass_outside")
        own = claim.about is None or n == (part.count if part.member[claim.about] else 0)
        good = n <= part.count and own
        need(good, "the witness's property is not the claim's, or too large")
        need(u >= 0 and w >= 0, "the witness has a negative mass")
        possible = (n > 0 or u == 0) and (n < part.count or w == 0)
        need(possible, "the witness has mass on no input")
        inside.append(u)
        everywhere.append(u + w)
    need(sum(everywhere) == 1, "the witness's prior does not sum to 1")
    need(admitted(view, everywhere, claim), "the witness's prior is not admitted")
    return inside, everywhere


class ByWitness(Evidence):
    """Nothing but the witness, which its subject replays."""

    kind, of = "witness", ("finite", "sets")

    def suits(self, subject: Any, claim: Claim) -> bool:
        """Breaches; of sets, where nothing else shows one; and bounds with free parameters."""
        if subject.free:
            return by_polynomials(claim, subject.free)
        breach = isinstance(claim, BreachClaim)
        return breach and (subject.kind == "finite" or (claim.prior is None and not claim.of_ratio))

    def decide(self, certificate: Certificate) -> Decision:
        """A breach, that rests on the witness."""
        need_no_more(certificate)
        return Decision(True)
