"""Crowds: what is seen of n reports where nobody is told whose they are, and its evidence.

Reports are shuffled, so that their histogram is seen, or less (their sums). The operator is given
by all its rows, or in closed form by pairs of inputs to one of which any two inputs are like, or,
where sums of independent bits are seen, by the chances of a bit and the columns in which two inputs
differ (crowd_columns.py). For
two inputs x, x' (or two mixtures of inputs) and others that send y with chance m(y) at least,

    P_x[E] - g P_x'[E] <= 1/n E[max(0, V_1 + ... + V_n)]  for every event E,

V = (p[x -> y] - g p[x' -> y])/m(y) with probability m(y), else 0 (docs/shuffling.md, T2 and T3).
Evidence "crowd" bounds that by "local", "tilt" or "lattice" (crowd_sum.py), for a breach through

    P[belief >= rho2 | Q] <= delta(g)/(1 - g/gamma)  for every g < gamma                        (T5)

and for so many clients that fewer would not do: with more delta does not rise (T6). Evidence
"event" is an event with more than is allowed, the others all having one value, or that prior.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .certificate import Certificate, Evidence, Subject
from .claim import BreachClaim, Claim, FreePower, read_claim
from .crowd_columns import Bits, ahead_of, by_columns, by_cover
from .crowd_family import read_least, read_member
from .crowd_sum import Window, by_lattice, rounded, summand, tails, tilted
from .decision import Decision
from .limits import ONE, ZERO
from .reading import Fields, read_flag, read_list, read_number, read_position, read_rational
from .result import need

MAX_KINDS = 4_000_000  # kinds of outputs of all pairs
MAX_CROWD_ROWS = 2000
MAX_COLUMNS = 2000

CrowdKinds = tuple[tuple[Any, Any, Any], ...]
"""Of outputs: their chances from x, from x', and from each of the others at least."""


@dataclass(frozen=True)
class CrowdRow:
    """Inputs with one row of likelihoods: how many, their prior, whether they have the property."""

    count: int
    prior: Any  # of all of them together, of the client and of the others
    others: Any
    member: bool
    masses: tuple[Any, ...]
    within: tuple[bool, ...] = ()  # which properties of the others' family they have


@dataclass(frozen=True)
class Compared:
    """Two inputs, or mixtures of inputs, told apart by outputs: kinds with any others.

    gain: what the belief in the first against the second must be multiplied by for a breach.
    two: whether the kinds are two single outputs. columns: in place of kinds, of sums.
    """

    kinds: CrowdKinds
    gain: Any = None
    two: bool = False
    columns: CrowdBits | None = None


@dataclass(frozen=True)
class CrowdBits:
    """Reports of independent bits, added up: chances of a 1, and in how many columns inputs differ.

    A bit is 1 with chance `held` where the input holds its value, and `lacking` where not; any two
    inputs differ in so many columns that the first alone holds, and that the second does, at most.
    third: whether some input holds none of them.
    """

    held: Any
    lacking: Any
    ahead: int
    behind: int
    third: bool

    @classmethod
    def read(cls, raw: Any) -> CrowdBits:
        """Two chances, and two numbers of columns."""
        fields = Fields(raw, "bits", "held lacking ahead behind inputs third")
        held, lacking = (fields.number(key) for key in ("held", "lacking"))
        need(0 <= held <= 1 and 0 <= lacking <= 1, "bits: no chances")
        ahead, behind = fields.count("ahead"), fields.count("behind")
        need(0 < ahead + behind <= MAX_COLUMNS, "bits: no columns, or too many")
        fields.list("inputs", 2)
        return cls(held, lacking, ahead, behind, fields.raw["third"] is not None)

    @property
    def turned(self) -> CrowdBits:
        """The second against the first."""
        return CrowdBits(self.held, self.lacking, self.behind, self.ahead, self.third)

    @property
    def most(self) -> tuple[Any, Any]:
        """How likely the first and the second send what is likeliest for the first."""
        hi, lo = max(self.held, self.lacking), min(self.held, self.lacking)
        one = hi**self.ahead * (1 - lo) ** self.behind
        return one, lo**self.ahead * (1 - hi) ** self.behind


@dataclass(frozen=True)
class CrowdOf(Subject):
    """The operator whose reports a crowd sends."""

    kind = "crowd"
    name: str
    claim: Claim
    inputs: int
    rows: tuple[CrowdRow, ...]
    pairs: tuple[tuple[tuple[Any, ...], ...], ...]  # kinds, with a fourth chance: others alike
    least: tuple[Any, ...] = ()  # of each output, from others that a family of priors draws
    outputs: int = 0
    columns: CrowdBits | None = None
    histogram: bool = True  # whether it is seen, and no less

    @classmethod
    def read_claim(cls, raw: Any) -> Claim:
        """Delta, or a breach with an exception."""
        claim = read_claim(raw)
        need(claim.of_crowd, "a claim that no crowd decides")
        if isinstance(claim, BreachClaim):
            need(claim.family is None and claim.knowing is None, "a crowd: all priors, or one")
        else:
            need(not isinstance(claim.factor, FreePower), "a crowd: no free parameters")
        return claim

    @classmethod
    def read(cls, raw: Any, claim: Claim) -> CrowdOf:
        """By rows, or by pairs."""
        crowd = claim.crowd
        assert crowd is not None
        by_rows = type(raw) is dict and "rows" in raw
        by_bits = type(raw) is dict and "bits" in raw
        form = "columns rows" if by_rows else "bits" if by_bits else "pairs"
        form += " family" if crowd.family is not None else ""
        fields = Fields(raw, "operator", f"kind name inputs outputs assumes {form}", "sums")
        summed = crowd.how == "summing"
        # One-hot reports have one 1 each: their sums are the histogram.
        if "sums" in fields.raw:
            need(summed and not by_bits and fields.raw["sums"] == "one-hot", "sums of what?")
        histogram = not summed or "sums" in fields.raw
        need(fields.text("assumes") == assumed(claim), f"it assumes: {assumed(claim)}")
        inputs, outputs = fields.count("inputs"), fields.count("outputs")
        if by_rows:
            rows = read_crowd_rows(fields, claim, inputs, outputs)
            least: tuple[Any, ...] = ()
            if crowd.family is not None:
                columns = list(zip(*(row.masses for row in rows), strict=True))
                within = [row.within for row in rows]
                least = read_least(fields.raw["family"], within, crowd.family, columns)
            name = fields.text("name")
            return cls(name, claim, inputs, rows, (), least, outputs, None, histogram)
        plain = claim.prior is None and not claim.properties and crowd.family is None
        plain = plain and (crowd.others is None or by_bits)
        need(plain, "pairs in closed form: for any others, all priors and every property")
        if by_bits:
            need(summed and inputs > 1, "bits: of sums only, and of two inputs at least")
            bits = CrowdBits.read(fields.raw["bits"])
            return cls(fields.text("name"), claim, inputs, (), (), (), outputs, bits, False)
        pairs = tuple(read_crowd_pair(entry) for entry in fields.list("pairs"))
        need(bool(pairs) == (inputs > 1), "no pairs of inputs, or of one input")
        return cls(fields.text("name"), claim, inputs, (), pairs, (), outputs, None, histogram)

    @functools.cached_property
    def others(self) -> tuple[Any, ...]:
        """How likely each kind of output is at least from one of the others."""
        assert self.claim.crowd is not None
        columns = zip(*(row.masses for row in self.rows), strict=True)
        if self.claim.crowd.others is None:
            return tuple(min(column) for column in columns)
        if self.claim.crowd.family is not None:
            return self.least
        return tuple(
            sum((row.others * mass for row, mass in zip(self.rows, column, strict=True)), ZERO)
            for column in columns
        )

    @functools.cached_property
    def compared(self) -> tuple[Compared, ...]:
        """All that must be bounded, what is alike once, in the order of inputs."""
        found: dict[Any, Compared] = {}
        met = 0
        for one in self._all_compared():
            met += len(one.kinds)
            need(met <= MAX_KINDS, "more pairs of inputs than are compared")
            alike = frozenset(Counter(one.kinds).items())
            found.setdefault((alike, one.gain, one.columns), one)
        return tuple(found.values())

    def _all_compared(self) -> Iterator[Compared]:
        gain = claimed_gain(self.claim) if isinstance(self.claim, BreachClaim) else None
        if self.columns is not None:
            yield Compared((), gain, columns=self.columns)
            yield Compared((), gain, columns=self.columns.turned)
            return
        for pair in self.pairs:
            for one, two in ((0, 1), (1, 0)):
                kinds = tuple((kind[one], kind[two], kind[2]) for kind in pair)
                yield Compared(kinds, gain, self.outputs == 2)
        claim = self.claim
        if isinstance(claim, BreachClaim) and claim.prior is not None and claim.about is not None:
            yield from self._mixtures(claim)
            return
        for first in self.rows:
            for second in self.rows:
                if first is not second and self.asked(first, second):
                    kinds = tuple(zip(first.masses, second.masses, self.others, strict=True))
                    yield Compared(kinds, gain, len(kinds) == 2)

    def asked(self, one: CrowdRow, two: CrowdRow) -> bool:
        """Whether the claim speaks of the first against the second."""
        claim = self.claim
        if not isinstance(claim, BreachClaim) or claim.about is None:
            return True
        return any(
            (one.member, two.member) == ((True, False) if way == "upward" else (False, True))
            for way in claim.directions
        )

    def _mixtures(self, claim: BreachClaim) -> Iterator[Compared]:
        """The property against its complement under the prior, where the claim has a case."""
        inside, outside = (mixture(self.having(member)) for member in (True, False))
        for way in claim.directions:
            gain = own_gain(claim, way, inside[0])
            if gain is not None:
                one, two = (inside, outside) if way == "upward" else (outside, inside)
                kinds = tuple(zip(one[1], two[1], self.others, strict=True))
                yield Compared(kinds, gain, len(self.others) == 2)

    def having(self, member: bool) -> list[CrowdRow]:
        """The rows of inputs that have the claim's property, or lack it."""
        return [row for row in self.rows if row.member == member]

    def replay(self, certificate: Certificate) -> None:
        """The event, and that more of it happens than is allowed."""
        assert certificate.witness is not None
        value = happens(self, certificate.witness)
        claim = self.claim
        if isinstance(claim, BreachClaim):
            assert claim.exception is not None
            need(value > claim.exception, "the event is not as likely as that")
        else:
            need(not claim.allows(value, claim.bound), "the event does not break the bound")

    def vacuous(self, certificate: Certificate) -> bool:
        """Whether no prior and property that the claim speaks of is within its start."""
        claim = self.claim
        if not isinstance(claim, BreachClaim):
            return False
        if claim.prior is None:
            if claim.about is None:
                return self.inputs < 2
            return len({row.member for row in self.rows}) < 2
        if claim.about is not None:
            inside = mixture(self.having(True))[0]
            return all(own_gain(claim, way, inside) is None for way in claim.directions)
        least = min(row.prior / row.count for row in self.rows if row.prior)
        most = {"upward": claim.rho1, "downward": 1 - claim.rho2}
        return not any(least <= most[way] for way in claim.directions)

    def where(self, certificate: Certificate) -> str:
        """What it rests on beside arithmetic."""
        return assumed(self.claim)


def mixture(rows: Sequence[CrowdRow]) -> tuple[Any, tuple[Any, ...]]:
    """How likely the inputs of these rows are together under the prior, and their mean row."""
    rows = [row for row in rows if row.prior]
    whole = sum((row.prior for row in rows), ZERO)
    return whole, tuple(
        sum((row.prior * mass for row, mass in zip(rows, column, strict=True)), ZERO) / whole
        for column in zip(*(row.masses for row in rows), strict=True)
    )


def claimed_gain(claim: BreachClaim) -> Fraction:
    """What a belief's odds are multiplied by between rho1 and rho2."""
    return claim.rho2 * (1 - claim.rho1) / (claim.rho1 * (1 - claim.rho2))


def own_gain(claim: BreachClaim, way: str, inside: Any) -> Any:
    """The same from P[Q] on; None where the claim does not speak of that belief."""
    if way == "upward":
        if not 0 < inside <= claim.rho1:
            return None
        return claim.rho2 * (1 - inside) / (inside * (1 - claim.rho2))
    if not claim.rho2 <= inside < 1:
        return None
    return (1 - claim.rho1) * inside / (claim.rho1 * (1 - inside))


def assumed(claim: Claim) -> str:
    """What must be trusted for a claim about a crowd, in words."""
    crowd = claim.crowd
    assert crowd is not None
    hides = "the shuffler hides" if crowd.how == "shuffling" else "the servers that add hide"
    said = f"it rests on this: {hides} who sent what, and what else was sent along; "
    said += f"each of {crowd.counted:,} clients draws one report as described, with its own coins"
    if crowd.others is None:
        return said + "; whatever values the others have"
    each = " from" if crowd.family is None else ", each from a prior with"
    return said + f"; the others' values are independent draws{each} {crowd.others}"


def read_crowd_rows(
    fields: Fields, claim: Claim, inputs: int, outputs: int
) -> tuple[CrowdRow, ...]:
    """All inputs, those with one row, prior and membership together; all outputs."""
    columns = []
    for entry in fields.list("columns"):
        column = Fields(entry, "columns", "output outputs")
        columns.append(column.count("outputs"))
    need(columns and min(columns) > 0 and sum(columns) == outputs, "not every output, once")
    own, crowd = claim.prior, claim.crowd
    assert crowd is not None
    about = claim.about if isinstance(claim, BreachClaim) else None
    need(len(claim.properties) == (about is not None), "a property that is not asked about")
    keys = "example count likelihoods" + (" prior" if own is not None else "")
    keys += (" others" if crowd.others is not None else "") + (
        " member" if about is not None else ""
    )
    rows = []
    for entry in fields.list("rows"):
        row = Fields(entry, "rows", keys)
        likelihoods = [read_number(number) for number in row.list("likelihoods", len(columns))]
        masses = tuple(n * number for n, number in zip(columns, likelihoods, strict=True))
        good = all(number >= 0 for number in likelihoods) and sum(masses, ZERO) == 1
        need(good, "rows: likelihoods do not sum to 1")
        count = row.count("count")
        need(count > 0, "rows: no inputs")
        within: tuple[bool, ...] = ()
        if crowd.family is not None:
            within = tuple(read_flag(flag) for flag in row.list("others", crowd.properties))
        prior, others = (
            count * row.number(key) if key in row.raw and not (within and key == "others") else ZERO
            for key in ("prior", "others")
        )
        need(prior >= 0 and others >= 0, "rows: a negative probability")
        member = about is not None and read_flag(row.raw["member"])
        rows.append(CrowdRow(count, prior, others, member, masses, within))
    need(len(rows) <= MAX_CROWD_ROWS, "too many rows")
    need(sum(row.count for row in rows) == inputs, "rows: not every input, once")
    need(own is None or sum((r.prior for r in rows), ZERO) == 1, "the prior does not sum to 1")
    known = (
        crowd.others is None or crowd.family is not None or sum((r.others for r in rows), ZERO) == 1
    )
    need(known, "the others' prior does not sum to 1")
    return tuple(rows)


def read_crowd_pair(raw: Any) -> tuple[tuple[Any, ...], ...]:
    """Kinds of outputs (p, q, least, alike) of two inputs; alike: all others have one value."""
    fields = Fields(raw, "pairs", "inputs kinds", "other")
    fields.list("inputs", 2)
    width = 4 if "other" in fields.raw else 3
    kinds = tuple(
        tuple(read_number(number) for number in read_list(row, width))
        for row in fields.list("kinds")
    )
    need(all(number >= 0 for kind in kinds for number in kind), "pairs: a negative probability")
    for place in (0, 1, 3)[: width - 1]:
        need(sum((kind[place] for kind in kinds), ZERO) == 1, "pairs: chances do not sum to 1")
    need(all(kind[2] <= min(kind[:2] + kind[3:]) for kind in kinds), "pairs: more than the least")
    return kinds


def bounded(subject: CrowdOf, raw: Any, where: str) -> int:
    """Reject unless the claim holds from so many counted clients on."""
    claim = subject.claim
    breach = isinstance(claim, BreachClaim)
    fields = Fields(raw, where, "clients proofs" + (" factor" if breach else ""), "kind")
    clients = fields.count("clients")
    need(clients >= 1, "nobody in the crowd")
    compared = subject.compared
    proofs = fields.list("proofs", len(compared))
    factor: Any = claim.factor if not isinstance(claim, BreachClaim) else ZERO
    if isinstance(claim, BreachClaim):
        factor = read_rational(fields.raw["factor"])
        need(factor > 0, "a factor that is not above 0")
    else:  # also where there is nothing to compare
        need(claim.allows(ZERO, claim.bound), "delta is never below 0")
    for one, proof in zip(compared, proofs, strict=True):
        value = proved(one, factor, clients, proof)
        if isinstance(claim, BreachClaim):
            assert claim.exception is not None
            need(factor < one.gain, "a factor that is no less than the gain")
            need(value <= claim.exception * (1 - factor / one.gain), "the bound is not low enough")
        else:
            need(claim.allows(value, claim.bound), "the bound is not low enough")
    return clients


def proved(one: Compared, factor: Any, clients: int, raw: Any) -> Fraction:
    """A bound on delta of a pair, by the means that the evidence names."""
    if one.columns is not None:
        return proved_of_columns(one.columns, factor, clients, raw)
    if type(raw) is dict and raw.get("by") == "cover":
        need(one.two, "a cover: of two outputs only")
        return by_cover(one.kinds, clients, rounded(factor, False), raw)
    v = summand(one.kinds, rounded(factor, False))
    by = raw.get("by") if type(raw) is dict else None
    if by == "local":
        Fields(raw, "proofs", "by")
        none = all(p <= factor * q for p, q, m in one.kinds if m)
        need(none, "an output tells more than that by itself")
        return v.sure
    if by == "tilt":
        Fields(raw, "proofs", "by theta")
        return tilted(v, clients, read_rational(raw["theta"]))
    need(by == "lattice", "proofs: local, tilt, lattice or cover")
    fields = Fields(raw, "proofs", "by unit base period")
    unit, base = read_rational(raw["unit"]), read_rational(raw["base"])
    return by_lattice(v, clients, unit, base, fields.count("period"))


def proved_of_columns(bits: CrowdBits, factor: Any, clients: int, raw: Any) -> Fraction:
    """The same where sums of bits are seen."""
    if type(raw) is dict and raw.get("by") == "local":
        Fields(raw, "proofs", "by")
        one, two = bits.most
        need(one <= factor * two, "a report tells more than that by itself")
        return ZERO
    need(type(raw) is dict and raw.get("by") == "columns", "proofs: local or columns")
    chances = Bits.of(bits.held, bits.lacking)
    return by_columns(chances, (bits.ahead, bits.behind), clients, rounded(factor, False), raw)


def happens(subject: CrowdOf, raw: Any) -> Fraction:
    """How likely the witness's event is, given the first input, at least.

    Of delta: less the factor times its chance given the second. Of a breach: the event lies where
    the belief is at least rho2, starting from a prior on the two alone (or the claim's own).
    """
    claim, crowd = subject.claim, subject.claim.crowd
    assert crowd is not None
    if subject.columns is not None:
        return happens_in_columns(subject, subject.columns, raw)
    need(subject.histogram, "sums: an event of histograms is none of sums")
    fields = Fields(raw, "witness", "compared other scores cut window", "unit")
    kinds, gain = witnessed(subject, fields)
    scores = [None if score is None else read_signed(score) for score in fields.list("scores")]
    need(len(scores) == len(kinds), "witness: not a score for each kind of output")
    cut = read_signed(fields.raw["cut"])
    frame = Fields(fields.raw["window"], "window", "base period start above below")
    base, above, below = (read_rational(frame.raw[key]) for key in ("base", "above", "below"))
    window = Window(base, frame.count("period"), read_signed(frame.raw["start"]), above, below)
    # With a unit the event lies inside the breach. Without one any event will do: given x a breach
    # is at least as likely as what the event exceeds the gain times its chance given x' by.
    inside = "unit" in fields.raw
    need(not inside or isinstance(claim, BreachClaim), "witness: a unit, but no breach")
    unit = read_rational(fields.raw["unit"]) if inside else ONE
    need(unit > 0 and (not inside or cut >= 0), "witness: no unit, or a cut below 0")
    weights: dict[int, Fraction] = {}
    for (p, q, m), score in zip(kinds, scores, strict=True):
        need((score is None) == (m == 0), "witness: a score where the others never are, or none")
        if score is None:
            continue
        weights[score] = weights.get(score, ZERO) + rounded(m, False)
        # Inside the breach: so many units are at most (p - gain q)/m.
        need(not inside or score * unit * m <= p - gain * q, "witness: a score that is too high")
    cuts = {score: cut - score for score in set(scores) if score is not None}
    law = tails(weights, crowd.counted - 1, window, list(cuts.values())) if cuts else {}
    more: Any = gain if isinstance(claim, BreachClaim) else claim.factor
    factor = ZERO if inside else rounded(more, True)
    value = ZERO
    for (p, q, _), score in zip(kinds, scores, strict=True):
        if score is None:  # recognized: in the event where that adds to it
            if inside:
                value += rounded(p, False) if p and p >= gain * q else ZERO
            else:
                value += max(ZERO, rounded(p, False) - factor * rounded(q, True))
            continue
        low, high = law[cuts[score]]
        value += rounded(p, False) * low - factor * rounded(q, True) * high
    return value


def happens_in_columns(subject: CrowdOf, bits: CrowdBits, raw: Any) -> Fraction:
    """The same, of the event that so much more is added up ahead than behind."""
    claim, crowd = subject.claim, subject.claim.crowd
    assert crowd is not None
    fields = Fields(raw, "witness", "compared other cut")
    position, turned = read_list(fields.raw["compared"], 2)
    read_position(position, 1)
    bits = bits.turned if read_flag(turned) else bits
    need(crowd.others is None, "witness: the others' values are drawn, and not all alike")
    other = fields.raw["other"]
    need(
        other in ("first", "second") or (other == "third" and bits.third), "witness: no such other"
    )
    more: Any = claimed_gain(claim) if isinstance(claim, BreachClaim) else claim.factor
    chances, apart = Bits.of(bits.held, bits.lacking), (bits.ahead, bits.behind)
    cut = read_signed(fields.raw["cut"])
    return ahead_of(chances, apart, crowd.counted, other, cut, rounded(more, True))


def witnessed(subject: CrowdOf, fields: Fields) -> tuple[CrowdKinds, Any]:
    """The two inputs, or mixtures, of a witness, with the law of the others that it names."""
    claim = subject.claim
    assert claim.crowd is not None
    place = fields.raw["compared"]
    gain = claimed_gain(claim) if isinstance(claim, BreachClaim) else None
    if subject.pairs:
        other = fields.raw["other"]
        need(other in (None, "first", "second"), "witness: the others have a value of the pair's")
        position, swapped = read_list(place, 2)
        pair = subject.pairs[read_position(position, len(subject.pairs))]
        one, two = (1, 0) if read_flag(swapped) else (0, 1)
        at = {"first": one, "second": two}.get(other, 3)
        need(all(len(kind) > at for kind in pair), "witness: the others are not given")
        return tuple((kind[one], kind[two], kind[at]) for kind in pair), gain
    rows = subject.rows
    if isinstance(claim, BreachClaim) and claim.prior is not None:
        # Under the claim's own prior: its property, or the inputs of one row, against all else.
        way, position = read_list(place, 2)
        need(way in claim.directions, "witness: not a direction of the claim")
        if claim.about is None:
            at = read_position(position, len(rows))
            chosen, rest = [rows[at]], [*rows[:at], *rows[at + 1 :]]
        else:
            need(position is None, "witness: the claim names the property")
            chosen, rest = subject.having(True), subject.having(False)
        inside, outside = mixture(chosen), mixture(rest)
        gain = own_gain(claim, way, inside[0])
        need(gain is not None, "witness: not within the claim's start")
        first, second = (inside[1], outside[1]) if way == "upward" else (outside[1], inside[1])
    else:
        one, two = (read_position(k, len(rows)) for k in read_list(place, 2))
        need(one != two and subject.asked(rows[one], rows[two]), "witness: no such pair")
        first, second = rows[one].masses, rows[two].masses
    if claim.crowd.others is None:
        alike = rows[read_position(fields.raw["other"], len(rows))].masses
    elif claim.crowd.family is not None:
        held = read_member(fields.raw["other"], [row.within for row in rows], claim.crowd.family)
        columns = zip(*(row.masses for row in rows), strict=True)
        alike = tuple(
            sum((u * mass for u, mass in zip(held, column, strict=True)), ZERO)
            for column in columns
        )
    else:
        need(fields.raw["other"] is None, "witness: the claim says whose values the others have")
        alike = subject.others
    return tuple(zip(first, second, alike, strict=True)), gain


def read_signed(thing: Any) -> int:
    """A whole number, which may be negative."""
    need(type(thing) is int and abs(thing) <= 10**15, "not a whole number")
    return int(thing)


class ByCrowd(Evidence):
    """A bound for every pair, from so many clients on."""

    kind, of = "crowd", ("crowd",)

    def suits(self, subject: CrowdOf, claim: Claim) -> bool:
        """Whatever a crowd decides."""
        return True

    def decide(self, certificate: Certificate) -> Decision:
        """That there are as many clients."""
        subject, crowd = certificate.subject, certificate.claim.crowd
        clients = bounded(subject, certificate.evidence, "evidence")
        need(clients <= crowd.counted, "the bound is for more clients than there are")
        return Decision(False, clients_from=clients + crowd.clients - crowd.counted)


class ByEvent(Evidence):
    """An event, which the witness describes; and from how many clients on the claim would hold."""

    kind, of = "event", ("crowd",)

    def suits(self, subject: CrowdOf, claim: Claim) -> bool:
        """Whatever a crowd decides."""
        return True

    def decide(self, certificate: Certificate) -> Decision:
        """Broken, which the witness shows."""
        fields = Fields(certificate.evidence, "evidence", "kind enough")
        crowd, enough = certificate.claim.crowd, fields.raw["enough"]
        if enough is None:
            return Decision(True)
        clients = bounded(certificate.subject, enough, "enough")
        return Decision(True, clients_from=clients + crowd.clients - crowd.counted)
