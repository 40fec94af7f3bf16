"""Decide what a crowd's reports show: delta, or a breach with an exception (docs/shuffling.md).

From above by the blanket: whatever the others' values, each of them sends y with at least its least
chance. From below by an event, the others all having one value. Between the two nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ppdm_formal.certify.crowd_described import Compared, CrowdDescribed
from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.arithmetic.people import rounded_float, show_count
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.declare.operators.crowd import MAX_CLIENTS
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.after_shuffling import (
    FINE,
    Event,
    Kinds,
    few_digits,
    find_event,
    least_at,
    positive_exp,
)
from ppdm_formal.derive.measures.after_summing import COLUMN_OTHERS, ColumnEvent, Columns

MARGIN = 1e-7
"""Floats are not trusted closer to a bound than by this part of it."""

LOOKED_AT = 6
"""So many of the worst pairs are followed while the number of clients is searched."""


def in_floats(one: Compared) -> Kinds | Columns:
    """What is compared, as searches see it."""
    if one.columns is not None:
        of = one.columns
        return Columns.of(float(of.held), float(of.lacking), of.ahead, of.behind)
    return Kinds.of(one.kinds, one.two)


def decide_crowd(
    operator: Operator, claim: BreachClaim | BoundClaim, deadline: Deadline = NEVER
) -> Finding:
    """Certified from so many clients on, broken by an event, or between the two bounds."""
    if operator.within is not None:
        return _unknown(f"{operator.name} is known up to rounding only: normalize it")
    if claim.parameters(operator):
        return _unknown("among a crowd no parameter is free: give each a value, with --set")
    described = CrowdDescribed.of(operator, claim)
    finding = CrowdSearch(claim, described.compared(), described, deadline).decided()
    why = described.no_case()
    if finding.verdict is not Verdict.CERTIFIED or why is None:
        return finding
    from ppdm_formal.certify.vacuity import no_case_words

    assert isinstance(claim, BreachClaim)
    return replace(finding, vacuous=True, no_case=why, reason=no_case_words(claim, why))


def _unknown(reason: str) -> Finding:
    return Finding(Verdict.UNKNOWN, reason, vacuous=None)


@dataclass(frozen=True)
class CrowdWitness:
    """An event that happens more often than is allowed, and of which inputs.

    compared: two rows, a pair in closed form and its order, or a direction and a property under the
    claim's prior, as the certificate numbers them. other: the row of the value that all others
    have, or the masses of rows in a prior of the claim's family; None where the pair or the claim
    says it.
    """

    event: Event | ColumnEvent
    compared: Any
    other: int | str | tuple[Any, ...] | None

    def summary(self, described: CrowdDescribed) -> dict[str, Any]:
        """As an audit lists it: inputs by example, and how much happens in it, at least."""
        shown = described.examples(self.compared, self.other)
        first, second, other = (None if value is None else show_value(value) for value in shown)
        return {
            "likely": first,
            "unlikely": second,
            "all_others": other,
            "at_least": rounded_float(self.event.value, up=False),
        }

    def to_json(self) -> dict[str, Any]:
        """As certificates have it."""
        event = self.event
        if isinstance(event, ColumnEvent):
            return {"compared": self.compared, "other": event.others, "cut": event.cut}
        unit = {} if event.unit is None else {"unit": number_text(event.unit)}
        return {
            "compared": self.compared,
            "other": list(map(number_text, self.other))
            if isinstance(self.other, tuple)
            else self.other,
            "scores": list(event.scores),
            "cut": event.cut,
            "window": {
                "base": number_text(event.base),
                "period": event.period,
                "start": event.start,
                "above": number_text(event.above),
                "below": number_text(event.below),
            },
            **unit,
        }


@dataclass(frozen=True)
class Bound:
    """A bound in floats: for how many clients, at which factor, and what it comes to."""

    clients: int
    factor: Fraction | None
    value: float


@dataclass(frozen=True)
class CrowdSearch:
    """One claim: what must be compared, and how far it can be bounded."""

    claim: BreachClaim | BoundClaim
    compared: list[Compared]
    described: CrowdDescribed
    deadline: Deadline

    @property
    def counted(self) -> int:
        """How many reports hide one of them."""
        assert self.claim.crowd is not None
        return self.claim.crowd.counted

    @cached_property
    def kinds(self) -> list[Kinds | Columns]:
        """In floats."""
        return [in_floats(one) for one in self.compared]

    @cached_property
    def gains(self) -> list[float]:
        """Of breaches."""
        return [float(one.gain) for one in self.compared]

    @cached_property
    def target(self) -> float:
        """What the bound may come to."""
        if isinstance(self.claim, BreachClaim):
            assert self.claim.exception is not None
            return float(self.claim.exception)
        return float(self.claim.bound)

    def decided(self) -> Finding:
        """The finding."""
        if isinstance(self.claim, BoundClaim):
            bound, strict = self.claim.bound, self.claim.relation == "<"
            if bound < 0 or (bound == 0 and strict):
                return _unknown("delta is never below 0: no crowd is large enough for this claim")
        if not self.compared:
            factor = {"factor": "1"} if isinstance(self.claim, BreachClaim) else {}
            nothing = {"kind": "crowd", "clients": 1, "proofs": [], **factor}
            return self._holds("there are no two inputs to compare", nothing, 1)
        alone = self._alone()
        if alone is not None:
            return self._holds("no report alone tells as much", alone, 1)
        most = self.bound(self.counted, range(len(self.compared)))
        if most.value <= self.target * (1 - MARGIN):
            least = self.fewest(1, self.counted)
            evidence = self.evidence(least, self.counted)
            if evidence is not None:
                return self._holds(self._at_most(most.value), evidence, evidence["clients"])
        enough = self.enough()
        event = self.event()
        if event is not None and event[0].value > self.target * (1 + MARGIN):
            return self._fails(*event, enough)
        attained = 0.0 if event is None else event[0].value
        said = f"{self._what} is between {attained:.3g} and {min(1.0, most.value):.3g}"
        if enough is not None:
            said += (
                f"; it would hold from about {show_count(self._clients(enough.clients))} clients on"
            )
        return _unknown(said)

    @property
    def kept(self) -> bool:
        """Whether a bound in floats says that the claim holds: quicker than a decision."""
        if not self.compared or self._alone() is not None:
            return True
        return self._enough(self.bound(self.counted, range(len(self.compared))))

    def _alone(self) -> dict[str, Any] | None:
        """Proofs that one report by itself never shows so much, where it does not."""
        ratio: Any = Fraction(0)
        for one in self.compared:
            for p, q, m in _told_alone(one):
                if p and (not q or not m):
                    return None
                ratio = max(ratio, p / q if p else ratio)
        if isinstance(self.claim, BoundClaim):
            assert self.claim.at is not None
            if ratio > e_to(self.claim.at):
                return None
            factor = {}
        else:
            least = min(one.gain for one in self.compared)
            between = ratio
            if not isinstance(ratio, Fraction):
                between = few_digits((float(ratio) + float(least)) / 2)
            if not ratio <= between < least:
                return None
            factor = {"factor": number_text(between)}
        proofs = [{"by": "local"} for _ in self.compared]
        return {"kind": "crowd", "clients": 1, "proofs": proofs, **factor}

    @property
    def _what(self) -> str:
        if isinstance(self.claim, BreachClaim):
            return "the chance of a breach"
        return "delta"

    def _at_most(self, value: float) -> str:
        return f"{self._what} is at most {value:.4g}" if value else f"{self._what} is next to 0"

    def _clients(self, counted: int) -> int:
        """Of so many that count, with those that do not."""
        assert self.claim.crowd is not None
        return counted + self.claim.crowd.clients - self.counted

    def _holds(self, reason: str, evidence: dict[str, Any], counted: int) -> Finding:
        total = self._clients(counted)
        reason += f"; it holds from {show_count(total)} clients on"
        return Finding(Verdict.CERTIFIED, reason, evidence, clients_from=total)

    def _fails(
        self, event: Event | ColumnEvent, place: Any, other: Any, enough: Bound | None
    ) -> Finding:
        evidence: dict[str, Any] = {"kind": "event", "enough": None}
        clients_from = None
        proved = None if enough is None else self.evidence(enough, MAX_CLIENTS)
        if proved is not None:
            evidence["enough"] = {key: proved[key] for key in proved if key != "kind"}
            clients_from = self._clients(proved["clients"])
        reason = f"{self._what} is at least {event.value:.4g}"
        if clients_from is not None:
            reason += f"; it holds from {show_count(clients_from)} clients on"
        return Finding(
            Verdict.BREACHED,
            reason,
            evidence,
            event=CrowdWitness(event, place, other),
            clients_from=clients_from,
        )

    # -- from above ------------------------------------------------------------------------------

    def _factor(self) -> float:
        assert isinstance(self.claim, BoundClaim)
        assert self.claim.at is not None
        return float(e_to(self.claim.at))

    def worst_first(self, clients: int) -> list[int]:
        """The compared, by what one theta bounds them by."""
        factor = self.tilted_factor(clients, range(len(self.compared)))
        values = [
            kinds.quick(clients, factor) * self._scale(place, factor)
            for place, kinds in enumerate(self.kinds)
        ]
        return sorted(range(len(values)), key=lambda place: -values[place])

    def _scale(self, place: int, factor: float) -> float:
        """What delta is divided by, inverted: 1/(1 - g/gain)."""
        if isinstance(self.claim, BoundClaim):
            return 1.0
        gain = self.gains[place]
        return math.inf if factor >= gain else 1 / (1 - factor / gain)

    def tilted_factor(self, clients: int, places: Iterable[int]) -> float:
        """The factor at which one theta bounds a breach best; of delta it is given."""
        if isinstance(self.claim, BoundClaim):
            return self._factor()
        chosen = list(places)[:LOOKED_AT]
        least = min(self.gains[place] for place in chosen)

        def goal(log_factor: float) -> float:
            self.deadline.check()
            factor = math.exp(log_factor)
            return max(
                _log(self.kinds[place].quick(clients, factor) * self._scale(place, factor))
                for place in chosen
            )

        top = math.log(least)
        return math.exp(least_at(goal, min(0.0, top - 1e-3), top - 1e-6, 24))

    def bound(self, clients: int, places: Iterable[int]) -> Bound:
        """The best bound that is tried, of all that are named."""
        chosen = list(places)
        if len(chosen) > LOOKED_AT:
            ordered = self.worst_first(clients)
            chosen = [place for place in ordered if place in set(chosen)][:LOOKED_AT]
        factor = self.tilted_factor(clients, chosen)
        exact = None
        if isinstance(self.claim, BreachClaim):
            exact = few_digits(factor)
            factor = float(exact)
        value = 0.0
        for place in chosen:
            self.deadline.check()
            scale = self._scale(place, factor)
            limit = self.target * (1 - MARGIN) / scale
            value = max(value, self.kinds[place].bound(clients, factor, limit) * scale)
        return Bound(clients, exact, value)

    def _enough(self, bound: Bound) -> bool:
        return bound.value <= self.target * (1 - MARGIN)

    def fewest(self, low: int, high: int) -> Bound:
        """Nearly the fewest clients for which the bound is low enough; high is known to be."""
        worst = self.worst_first(high)[:LOOKED_AT]
        best = self.bound(high, worst)
        while high - low > low // 2000:  # closer than what the bound itself may miss
            middle = (low + high) // 2
            found = self.bound(middle, worst)
            if self._enough(found):
                high, best = middle, found
            else:
                low = middle + 1
        return best

    def enough(self) -> Bound | None:
        """How many clients it takes, where more than there are would do."""
        low, high = self.counted, self.counted
        worst = self.worst_first(high)[:LOOKED_AT]
        while high < MAX_CLIENTS:
            high = min(4 * high, MAX_CLIENTS)
            if self._enough(self.bound(high, worst)):
                return self.fewest(low, high)
            low = high
        return None

    def evidence(self, bound: Bound, most: int) -> dict[str, Any] | None:
        """Proofs of all that is compared, a few more clients where a float was too good."""
        for clients in _a_few_more(bound.clients, most):
            found = self._evidence(replace(bound, clients=clients))
            if found is not None:
                return found
        return None

    def _evidence(self, bound: Bound) -> dict[str, Any] | None:
        factor = self._factor() if bound.factor is None else float(bound.factor)
        exact: Any = bound.factor
        if isinstance(self.claim, BoundClaim):
            assert self.claim.at is not None
            exact = e_to(self.claim.at)
        proofs = []
        for place, one in enumerate(self.compared):
            self.deadline.check()
            limit = self.target * (1 - MARGIN / 2) / self._scale(place, factor)
            proof = _proof(one, self.kinds[place], factor, exact, bound.clients, limit)
            if proof is None:
                return None
            proofs.append(proof)
        evidence: dict[str, Any] = {"kind": "crowd", "clients": bound.clients, "proofs": proofs}
        if bound.factor is not None:
            evidence["factor"] = number_text(bound.factor)
        return evidence

    # -- from below ------------------------------------------------------------------------------

    def event(self) -> tuple[Event | ColumnEvent, Any, Any] | None:
        """The event that shows most, with the pair and the others that it is about."""
        if self.described.columns is not None:
            return self._column_event()
        if not self.described.histogram:
            return None
        best: tuple[Event, Any, Any] | None = None
        # Of a breach first what any event shows, then events inside it: these take more nodes.
        for inside in (False, True)[: 1 + isinstance(self.claim, BreachClaim)]:
            for kinds, place, other, gain in self.witnessed():
                self.deadline.check()
                factor = self._factor() if gain is None else float(gain)
                found = find_event(Kinds.of(kinds), self.counted, factor, inside)
                if found is None or (best is not None and found.value <= best[0].value):
                    continue
                best = found, place, other
                if found.value > self.target * (1 + MARGIN):
                    return best
        return best

    def _column_event(self) -> tuple[ColumnEvent, Any, Any] | None:
        best: tuple[ColumnEvent, Any, Any] | None = None
        assert self.claim.crowd is not None
        if self.claim.crowd.others is not None:  # drawn, and not all alike
            return None
        for one, kinds, place in zip(
            self.compared, self.kinds, range(len(self.kinds)), strict=True
        ):
            assert isinstance(kinds, Columns)
            assert one.columns is not None
            factor = self._factor() if one.gain is None else self.gains[place]
            for others in COLUMN_OTHERS[: 2 + (one.columns.third is not None)]:
                found = kinds.event(self.counted, factor, others)
                if found is not None and (best is None or found.value > best[0].value):
                    best = found, one.place, others
        return best

    def witnessed(self) -> Iterable[tuple[Any, Any, Any, Any]]:
        """Kinds with the law of all others, for the worst of what is compared."""
        described = self.described
        crowd, claim = self.claim.crowd, self.claim
        assert crowd is not None
        worst = [self.compared[place] for place in self.worst_first(self.counted)[:LOOKED_AT]]
        if described.rows is None:
            # What is alike from above need not be from below: others have one of the two, too.
            for one in worst:
                for at, others in ((3, None), (0, "first"), (1, "second")):
                    if all(len(kind) > at for kind in one.kinds):
                        kinds = [(kind[0], kind[1], kind[at]) for kind in one.kinds]
                        yield kinds, one.place, others, one.gain
            return
        alike: list[tuple[Any, Any]] = [
            (row, described.masses(row)) for row in range(len(described.rows.rows))
        ]
        if described.family is not None:
            family = described.family
            alike = [(masses, family.law(masses)) for masses in family.extremes[:LOOKED_AT]]
        elif crowd.others is not None:
            alike = [(None, described.others())]
        if isinstance(claim, BreachClaim) and claim.under is not None and claim.about is None:
            for row in range(len(described.rows.rows)):
                for way, (first, second, gain) in described.mixtures([row]).items():
                    for other, m in alike:
                        yield list(zip(first, second, m, strict=True)), [way, row], other, gain
            return
        for pair in worst:
            for other, m in alike:
                kinds = [(kind[0], kind[1], mass) for kind, mass in zip(pair.kinds, m, strict=True)]
                yield kinds, pair.place, other, pair.gain


def _told_alone(one: Compared) -> Iterable[tuple[Any, Any, Any]]:
    """Chances of one report from the first, the second, and the least."""
    if one.columns is None:
        return (kind[:3] for kind in one.kinds)
    of = one.columns
    hi, lo = max(of.held, of.lacking), min(of.held, of.lacking)
    # Likeliest for the first: a 1 in all that it alone holds, a 0 in what the second holds.
    p, q = hi**of.ahead * (1 - lo) ** of.behind, lo**of.ahead * (1 - hi) ** of.behind
    return [(p, q, min(p, q))]


def _proof(
    one: Compared, kinds: Kinds | Columns, factor: float, exact: Any, clients: int, limit: float
) -> dict[str, Any] | None:
    """How a pair is bounded: local, else tilt, else what is longer; None: nothing is enough."""
    held = [(p, q) for p, q, m in _told_alone(one) if m]
    local = all(p <= exact * q for p, q in held)
    if isinstance(kinds, Columns):
        if local:
            return {"by": "local"}
        found = kinds.proof(clients, factor, limit)
        if found is None:
            return None
        parts = list(found.parts)
        return {"by": "columns", "parts": parts, "steps": found.steps, "reach": found.reach}
    summed = kinds.summed(factor)
    if summed.sure <= limit and local:
        return {"by": "local"}
    if summed.never_positive and summed.sure > limit:
        return None
    theta = few_digits(max(1e-12, summed.tilt(clients)[0]))
    log_bound = clients * summed.log_phi(float(theta)) - math.log(clients * float(theta)) - 1
    if log_bound < 700 and summed.sure + positive_exp(log_bound) <= limit:
        return {"by": "tilt", "theta": number_text(theta)}
    for fine in FINE:
        lattice = summed.lattice(clients, fine)
        if lattice is not None and summed.by_lattice(clients, lattice) <= limit:
            return {
                "by": "lattice",
                "unit": number_text(lattice.unit),
                "base": number_text(lattice.base),
                "period": lattice.period,
            }
    cover = kinds.cover(clients, factor, limit)
    if cover is None:
        return None
    return {"by": "cover", "parts": list(cover.parts), "turns": list(cover.turns)}


def _a_few_more(clients: int, most: int) -> list[int]:
    """The number found, and some above it, where rounding was too good to be true."""
    more = [clients, clients + 1, clients + max(1, clients // 1000), clients + clients // 100 + 1]
    return [n for n in dict.fromkeys(more) if n <= most]


def _log(value: float) -> float:
    return math.log(value) if 0 < value < math.inf else (-800.0 if value == 0 else 800.0)
