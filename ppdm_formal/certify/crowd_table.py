"""What a crowd's reports show, by the number of clients: bounds in floats, which certify nothing.

The same search that finds evidence (crowd.py), asked for numbers that no claim names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.crowd import LOOKED_AT, CrowdSearch, in_floats
from ppdm_formal.certify.crowd_described import Compared, CrowdDescribed, Kind
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.operators.crowd import MAX_CLIENTS, Crowd
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.after_shuffling import Kinds, least_at
from ppdm_formal.derive.measures.after_summing import Columns
from ppdm_formal.derive.measures.crowd_information import Likelihoods

DELTA = Fraction(1, 10**6)
"""At which epsilon is shown."""

FINELY = 30_000
"""Up to so many clients a lattice bounds, and events are searched; above one theta bounds alone."""

MOST_FOLLOWED = 24
"""So many pairs of inputs are all bounded; of more the worst ones."""

LARGEST_EPSILON = 50.0
"""What is not reached up to here counts as infinite."""

_WITNESSES = 9
_ALL_TRIED = 1000
"""Up to so many clients all witnesses are tried, above the one that showed most last."""

_STEPS, _FINAL = 20, 8
"""Halvings of the interval in which epsilon is searched, and of the last part of it."""

_LEVELS = 6
"""So many parts the beliefs between rho1 and 1 are told in."""

_CELLS = 100_000
"""Of larger matrices information is not told."""

_QUESTIONS = 5
"""So many are tabled for one crowd."""


Seen: TypeAlias = Literal["histogram", "columns", "less"]


@dataclass(frozen=True)
class Span:
    """At least what an event attains (None: not searched), and at most what bounds give."""

    least: float | None
    most: float


@dataclass(frozen=True)
class CrowdRow:
    """So many clients that count: epsilon at DELTA, and what each question comes to.

    information: in bits, of each of the table's priors.
    """

    clients: int
    epsilon: Span
    asked: tuple[Span, ...]
    information: tuple[Span, ...] = ()


@dataclass(frozen=True)
class ByBelief:
    """How likely the belief in what is true of the client rises to each rho2, of one question."""

    question: int
    levels: tuple[tuple[Fraction, Span], ...]


@dataclass(frozen=True)
class CrowdTable:
    """A crowd's reports of one operator; questions: of which claims, by their positions.

    epsilon: of one report alone, at delta 0; math.inf where there is none. complete: False where
    the time was over. followed: False where only the worst of many pairs of inputs were bounded.
    seen: the histogram, sums of columns, or less than the histogram, which then bounds it. priors:
    under which information is told. beliefs: of breaches among all that count.
    """

    crowd: Crowd
    epsilon: float
    questions: tuple[tuple[Claim, tuple[int, ...]], ...]
    rows: tuple[CrowdRow, ...]
    complete: bool = True
    followed: bool = True
    seen: Seen = "histogram"
    priors: tuple[Prior, ...] = ()
    beliefs: tuple[ByBelief, ...] = ()


Kept: TypeAlias = tuple[Kinds | Columns, float | None]


@dataclass(frozen=True)
class CrowdShown:
    """One claim's question in floats, of any number of clients: what must be compared."""

    claim: BreachClaim | BoundClaim
    described: CrowdDescribed
    deadline: Deadline
    _best: dict[bool, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, operator: Operator, claim: BreachClaim | BoundClaim, deadline: Deadline
    ) -> CrowdShown:
        """The question, whatever its crowd's size."""
        return cls(claim, CrowdDescribed.of(operator, claim), deadline)

    @cached_property
    def _search(self) -> CrowdSearch:
        return CrowdSearch(self.claim, self.described.compared(), self.described, self.deadline)

    @cached_property
    def _worst(self) -> list[Kept]:
        """What is compared, with the gain of a breach; of very many the worst, by three orders."""
        search, every = self._search, self._every
        if len(every) <= MOST_FOLLOWED:
            return every
        places = search.worst_first(search.counted)[:LOOKED_AT]
        for part in (1 / 4, 1 / 2):
            factor = math.exp(min(self.epsilon, LARGEST_EPSILON) * part)
            values = [kinds.alone(factor) for kinds, _ in every]
            places += sorted(range(len(every)), key=lambda at: -values[at])[:LOOKED_AT]
        return [every[place] for place in dict.fromkeys(places)]

    @cached_property
    def _every(self) -> list[Kept]:
        return [
            (_told(one), None if one.gain is None else float(one.gain))
            for one in self._search.compared
        ]

    @property
    def followed(self) -> bool:
        """Whether all that is compared is bounded, not only the worst."""
        return len(self._every) <= MOST_FOLLOWED

    @cached_property
    def _witnesses(self) -> list[Kept]:
        """The same with laws of all others, what is alike once."""
        assert self.claim.crowd is not None
        if not self._search.compared:
            return []
        if self.described.columns is not None:
            return [] if self.claim.crowd.others is not None else self._every
        if not self.described.histogram:
            return []
        found: dict[object, Kept] = {}
        for kinds, _, _, gain in self._search.witnessed():
            merged = _merged(kinds)
            key = frozenset(merged), gain
            found.setdefault(key, (Kinds.of(merged), None if gain is None else float(gain)))
            if len(found) == _WITNESSES:
                break
        return list(found.values())

    def local(self, factor: float) -> float:
        """Delta of one report alone."""
        return max((kinds.alone(factor) for kinds, _ in self._every), default=0.0)

    @property
    def epsilon(self) -> float:
        """Of one report alone."""
        ratios = [kinds.largest_ratio for kinds, _ in self._every]
        return math.log(max(ratios, default=1.0)) if math.inf not in ratios else math.inf

    def delta_most(self, clients: int, factor: float) -> float:
        """Delta at a factor is at most that."""
        self.deadline.check()
        return max((_most(kinds, clients, factor) for kinds, _ in self._worst), default=0.0)

    def delta_least(self, clients: int, factor: float, *, every: bool = False) -> float | None:
        """Delta at a factor is at least that: an event attains it; every: of all witnesses."""
        if clients == 1:
            return self.local(factor)
        return self._attained(clients, lambda kept: (factor, False), every=every)

    def breach_most(self, clients: int) -> float:
        """The chance of a breach is at most that."""
        value = 0.0
        for kinds, gain in self._worst:
            assert gain is not None
            value = max(value, self._breach_most(kinds, gain, clients))
        return min(1.0, value)

    def _breach_most(self, kinds: Kinds | Columns, gain: float, clients: int) -> float:
        """The least delta(g)/(1 - g/gain): where one theta says so, or of one report on a grid."""

        def at(log_factor: float, most: Callable[[float], float]) -> float:
            self.deadline.check()
            factor = math.exp(log_factor)
            return most(factor) / (1 - factor / gain)

        top = math.log(gain)
        if clients == 1:
            return min(at(top * place / 200, kinds.alone) for place in range(200))
        tilted = least_at(
            lambda x: at(x, lambda g: kinds.quick(clients, g)),
            min(0.0, top - 1e-3),
            top - 1e-6,
            24,
        )
        return at(tilted, lambda g: _most(kinds, clients, g))

    def breach_least(self, clients: int) -> float | None:
        """The chance of a breach is at least that: it happens in an event."""
        few = clients <= _ALL_TRIED
        any_event = self._attained(clients, lambda kept: (kept[1] or 1.0, False), every=few)
        inside = self._attained(clients, lambda kept: (kept[1] or 1.0, True), every=few)
        return max((value for value in (any_event, inside) if value is not None), default=None)

    def _attained(
        self, clients: int, asked: Callable[[Kept], tuple[float, bool]], *, every: bool
    ) -> float | None:
        """What the best of the witnesses shows, or the one that showed most last."""
        if not self._witnesses:
            return None
        if clients > FINELY and self.described.columns is None:
            return None
        inside = asked(self._witnesses[0])[1]
        places = range(len(self._witnesses))
        if not every and inside in self._best:
            places = range(self._best[inside], self._best[inside] + 1)
        best = 0.0
        for place in places:
            self.deadline.check()
            kept = self._witnesses[place]
            found = kept[0].attained(clients, *asked(kept))
            if found > best:
                best, self._best[inside] = found, place
        return best

    def asked(self, clients: int) -> Span:
        """The claim's own question."""
        if isinstance(self.claim, BreachClaim):
            return _span(self.breach_least(clients), self.breach_most(clients))
        assert self.claim.at is not None
        factor = float(e_to(self.claim.at))
        few = clients <= _ALL_TRIED
        least = self.delta_least(clients, factor, every=few)
        return _span(least, self.delta_most(clients, factor))

    def epsilon_at(self, clients: int, delta: float) -> Span:
        """Where delta falls to a value: from below by events, from above by bounds."""
        high = self.epsilon_most(clients, delta)
        top = min(self.epsilon, LARGEST_EPSILON, high)

        def least(epsilon: float) -> bool:
            return (self.delta_least(clients, math.exp(epsilon)) or 0.0) > delta

        start = 0.0 if clients == 1 else 0.8 * top
        if self.delta_least(clients, math.exp(start), every=True) is None:
            return Span(None, high)
        low, end = _falls(least, start, top, _STEPS if clients == 1 else _FINAL)
        infinite = end == math.inf and top == LARGEST_EPSILON
        return _span(math.inf if infinite else low, high)

    def epsilon_most(self, clients: int, delta: float) -> float:
        """From which epsilon on delta is at most a value; math.inf where from none on."""
        top = min(self.epsilon, LARGEST_EPSILON)

        def tilted(epsilon: float) -> bool:
            self.deadline.check()
            found = (_most(k, clients, math.exp(epsilon), 0) for k, _ in self._worst)
            return max(found, default=0.0) > delta

        def most(epsilon: float) -> bool:
            return self.delta_most(clients, math.exp(epsilon)) > delta

        high = _falls(tilted, 0.0, top, _STEPS)[1]
        if 1 < clients <= FINELY and high < math.inf:
            high = _falls(most, 0.7 * high, high, _FINAL)[1]
        return high


def _falls(
    above: Callable[[float], bool], low: float, high: float, steps: int
) -> tuple[float, float]:
    """Where a condition ends that holds up to somewhere: so much of [low, high], or of [0, low]."""
    if above(high):
        return high, math.inf
    if not above(low):
        low, high = 0.0, low
        if not above(low):
            return 0.0, 0.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return low, high


def _span(least: float | None, most: float) -> Span:
    """Floats may cross by a rounding."""
    return Span(None if least is None else min(least, most), most)


def _merged(kinds: Sequence[Kind]) -> tuple[Kind, ...]:
    """Kinds that are equal as one, in floats: their chances together."""
    counted = Counter(tuple(map(_float, kind[:3])) for kind in kinds)
    return tuple(tuple(number * many for number in kind) for kind, many in counted.items())


@lru_cache(maxsize=10_000)
def _float(number: Any) -> float:
    """Exact numbers with exponentials take long to become floats, and many are equal."""
    return float(number)


def _told(one: Compared) -> Kinds | Columns:
    """In floats, kinds that are equal as one."""
    if one.columns is not None:
        return in_floats(one)
    merged = _merged(one.kinds)
    return Kinds.of(merged, one.two and len(merged) == 2)


def _most(kinds: Kinds | Columns, clients: int, factor: float, finely: int = FINELY) -> float:
    """Delta of a pair is at most that; never more than what one report shows."""
    local = kinds.alone(factor)
    if clients == 1 or local == 0:
        return local
    return min(local, kinds.most(clients, factor, fine=clients <= finely))


def decades(clients: int) -> list[int]:
    """1, 10, 100, ... up to a number, itself, and about a decade more.

    >>> decades(1000), decades(150)
    ([1, 10, 100, 1000, 10000], [1, 10, 100, 150, 1000])
    """
    powers = [1]
    while powers[-1] < 5 * clients:
        powers.append(10 * powers[-1])
    return sorted(n for n in {*powers, clients} if n <= MAX_CLIENTS)


def crowd_tables(
    operator: Operator,
    certificates: Sequence[Certificate],
    deadline: Deadline,
    priors: Sequence[Prior] = (),
) -> tuple[CrowdTable, ...]:
    """A table for each way in which claims say that reports are hidden."""
    groups: dict[object, list[int]] = {}
    for position, certificate in enumerate(certificates):
        claim = certificate.claim
        free = operator.within is not None or claim.parameters(operator)
        if claim.of_crowd and claim.crowd is not None and not free:
            groups.setdefault((claim.crowd.how, claim.crowd.others), []).append(position)
    found = []
    for positions in groups.values():
        claims = [(position, certificates[position].claim) for position in positions]
        try:
            found.append(_table(operator, claims, deadline, priors))
        except (TooLarge, DeadlinePassed):  # a table is left out, no verdict is
            continue
    return tuple(found)


def _table(
    operator: Operator,
    claims: Sequence[tuple[int, Claim]],
    deadline: Deadline,
    priors: Sequence[Prior],
) -> CrowdTable:
    largest = max((claim.crowd for _, claim in claims if claim.crowd), key=lambda c: c.counted)
    crowd = Crowd(largest.counted, largest.how, others=largest.others)
    same: dict[Claim, list[int]] = {}
    for position, claim in claims:
        same.setdefault(_question(claim, crowd), []).append(position)
    questions = list(same.items())[:_QUESTIONS]
    shown = [CrowdShown.of(operator, claim, deadline) for claim, _ in questions]
    plain = CrowdShown.of(
        operator, BoundClaim("delta", "<=", DELTA, at=Fraction(0), crowd=crowd), deadline
    )
    described = plain.described
    seen: Seen = "histogram" if described.histogram else "less"
    if described.columns is not None:
        seen = "columns"
    told = [prior for prior in priors if _tellable(operator, prior, crowd)]
    likelihoods = [Likelihoods.of(operator, prior) for prior in told]
    rows: list[CrowdRow] = []
    beliefs: list[ByBelief] = []
    complete = True
    try:
        named = {claim.crowd.counted for _, claim in claims if claim.crowd}
        for many in sorted({*decades(crowd.clients), *named}):
            spans = tuple(one.asked(many) for one in shown)
            bits = tuple(_bits(one, operator, crowd, many, seen) for one in likelihoods)
            rows.append(CrowdRow(many, plain.epsilon_at(many, float(DELTA)), spans, bits))
        for number, (claim, _) in enumerate(questions):
            if isinstance(claim, BreachClaim) and claim.direction != "downward":
                levels = _levels(operator, claim, deadline)
                beliefs.append(ByBelief(number, levels))
    except DeadlinePassed:
        complete = False
    asked = tuple((claim, tuple(positions)) for claim, positions in questions)
    followed = all(one.followed for one in (plain, *shown))
    return CrowdTable(
        crowd,
        plain.epsilon,
        asked,
        tuple(rows),
        complete,
        followed,
        seen,
        tuple(told),
        tuple(beliefs),
    )


def _levels(
    operator: Operator, claim: BreachClaim, deadline: Deadline
) -> tuple[tuple[Fraction, Span], ...]:
    """The claim's rho2, and others between its rho1 and 1."""
    assert claim.crowd is not None
    steps = {claim.rho1 + (1 - claim.rho1) * Fraction(k, _LEVELS) for k in range(1, _LEVELS)}
    found = []
    for level in sorted({*steps, claim.rho2}):
        shown = CrowdShown.of(operator, replace(claim, rho2=level), deadline)
        found.append((level, shown.asked(claim.crowd.clients)))
    return tuple(found)


def _tellable(operator: Operator, prior: Prior, crowd: Crowd) -> bool:
    """Whether information is told: a matrix that is not too large, and others of no family."""
    cells = operator.inputs.size * operator.outputs.size
    same = prior.domain.same_members(operator.inputs)
    return cells <= _CELLS and same and not isinstance(crowd.others, PriorFamily)


def _bits(told: Likelihoods, operator: Operator, crowd: Crowd, clients: int, seen: Seen) -> Span:
    """Of shuffled reports; sums tell no more."""
    if clients == 1:
        return Span(told.of_one(), told.of_one())
    if isinstance(crowd.others, Prior):
        law = told.law_under(operator, crowd.others)
        most, least = told.most(clients, law), told.least_beside(law, clients)
    else:
        most, least = told.most(clients, told.blanket), told.least(clients)
    return _span(least if seen == "histogram" else None, most)


def _question(claim: Claim, crowd: Crowd) -> Claim:
    """What is asked, without its bound: claims that differ in that have one column."""
    if isinstance(claim, BoundClaim):
        return replace(claim, relation="<=", bound=DELTA, crowd=crowd)
    return replace(claim, exception=DELTA, crowd=crowd)
