"""The best select-a-size: rho = a/2^b and b[j] with the least largest LDS, and how good they are.

Over all p[j] of amplification gamma and all rho, for itemsets of the given sizes among N
transactions of m items. Found in floating point (optimum_search.py), evaluated exactly, and
compared with a bound that no select-a-size gets below, whose evidence (optimum_evidence.py) is
checked in exact arithmetic. docs/optimum.md has the mathematics.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

import numpy as np

from ppdm_formal.declare.families.select_a_size import Randomization, from_balance
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.krawtchouk import Floats
from ppdm_formal.design.lds import lowest_support_of
from ppdm_formal.design.optimum_evidence import Evidence, LdsGoal, least_x
from ppdm_formal.design.optimum_proof import Finder, NotProved
from ppdm_formal.design.optimum_search import Found, Landscape, best_at, near, refined, search

MAX_BITS = 16
"""rho = a/2^b has at most so many bits."""

TOLERANCE = 1e-4
"""Bits of rho are added until the LDS is within this fraction of the best real rho's."""

GAPS = (Fraction(1, 1000), Fraction(1, 200), Fraction(1, 30), Fraction(1, 5), Fraction(3, 5))
"""How far below the best found the bound may be, tried in this order."""

SECONDS = 25.0
"""The most that one size takes, where there is a deadline."""

MOST = 63 / 64
"""The largest LDS that is bounded: at 1 nothing is discoverable."""

MAX_BOXES = 6000
"""The most boxes that evidence of one optimum is sought with, in all."""

MAX_PROVED = 150
"""For longer transactions no evidence is sought: one box would take seconds."""

FEW = 3
"""Up to so many itemset sizes evidence is about all of them from the start ..."""

SHORT = 20
"""... for transactions of up to so many items: there the largest LDS is not one size's alone."""

_ALL_BITS = 7  # up to here every a/2^b is tried
_RATIO_BITS = 20


@dataclass(frozen=True)
class Choice:
    """rho = a/2^b, b[j] with 1 <= b[j] <= gamma, and the largest LDS."""

    insert: Fraction
    ratios: tuple[Fraction, ...]
    lds: float

    @property
    def cutoff(self) -> int | None:
        """j*, where b has Statement 2's form."""
        low, high = min(self.ratios), max(self.ratios)
        at = self.ratios.count(low)
        form = (low,) * at + (high,) * (len(self.ratios) - at)
        return at - 1 if self.ratios == form and low < high else None

    @property
    def bits(self) -> int:
        """b, after cancelling."""
        return self.insert.denominator.bit_length() - 1


@dataclass(frozen=True)
class Optimum(Choice):
    """The choice, and what is known of all others.

    lower_bound: no select-a-size of this gamma, with any rho and p[j], has a largest LDS that is
    lower, if `evidence` is "proved" (by `proof`); with "best found" it is 0 and says nothing.
    gap: by which share of `lds` the bound is lower. real: the best that was found for any rho.
    """

    lower_bound: float
    gap: float
    evidence: Literal["proved", "best found"]
    cheaper: tuple[Choice, ...]
    real: Found
    proof: Evidence | None


def best_form(
    size: int,
    gamma: Fraction,
    itemsets: Sequence[int],
    transactions: int,
    bits: int | None = None,
    deadline: Deadline = NEVER,
) -> Optimum:
    """The best randomization of transactions of one size that is found, and its evidence.

    Of the two mirrored ones the one with rho up to 1/2, which inserts fewer items. The choice is
    made whatever the deadline; evidence is sought as long as there is time, without a deadline
    as long as it takes no more than a number of steps, whatever the machine.

    >>> found = best_form(2, Fraction(19), (1, 2), 5_000_000)
    >>> found.insert, found.cutoff, f"{found.lds:.4%}", found.evidence, found.gap < 0.002
    (Fraction(5, 16), 1, '0.1892%', 'proved', True)
    """
    mined = tuple(sorted({k for k in itemsets if 1 <= k <= size}))
    if not mined:
        raise ValueError(f"no itemset size of {list(itemsets)} fits in {size} items")
    if bits is not None and not 1 <= bits <= MAX_BITS:
        raise ValueError(f"rho = a/2^b needs 1 to {MAX_BITS} bits, not {bits}")
    if gamma <= 1:
        raise ValueError(f"gamma = {gamma} leaves nothing to learn: it must be above 1")
    if transactions < 1:
        raise ValueError(f"{transactions} transactions: at least one is needed")
    limit = deadline if deadline == NEVER else Deadline.after(min(deadline.left, SECONDS))
    land = Landscape(size, float(gamma), mined, transactions)
    basins = search(land, _least(size, gamma, mined, transactions), limit.part(0.3))
    proof = None
    if size <= MAX_PROVED:
        basins, proof = _proved(land, gamma, basins, _Effort(limit, MAX_BOXES))
    chosen = _dyadic(land, gamma, basins, bits)
    bound = 0.0 if proof is None else _below(proof.goal.support)
    lds = chosen[-1].lds
    return Optimum(
        chosen[-1].insert,
        chosen[-1].ratios,
        lds,
        bound,
        1 - bound / lds,
        "best found" if proof is None else "proved",
        tuple(chosen[:-1]),
        basins[0],
        proof,
    )


def best_found(size: int, gamma: Fraction, itemsets: Sequence[int], transactions: int) -> float:
    """The least largest LDS that the search finds for any rho; nothing is proved."""
    mined = tuple(itemsets)
    land = Landscape(size, float(gamma), mined, transactions)
    return search(land, _least(size, gamma, mined, transactions))[0].support


def _least(size: int, gamma: Fraction, mined: tuple[int, ...], transactions: int) -> float:
    """Where the search begins: below this x nothing reaches an LDS of 1, or hardly anything."""
    return float(least_x(LdsGoal(size, gamma, mined, transactions, Fraction(MOST))))


def _below(value: Fraction) -> float:
    """A float that is not above the value."""
    near = float(value)
    return near if Fraction(near) <= value else math.nextafter(near, 0.0)


@dataclass
class _Effort:
    """What may be spent on evidence: time, and boxes, which end it without a deadline as well."""

    limit: Deadline
    boxes: int

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.limit.passed or self.boxes <= 0

    def run(self, goal: LdsGoal, land: Landscape, share: float) -> Evidence:
        """Evidence with a share of what is left; NotProved where it is not found."""
        finder = Finder(goal, land, self.limit.part(share), math.ceil(self.boxes * share))
        try:
            return finder.run()
        finally:
            self.boxes -= finder.boxes


def _proved(
    land: Landscape, gamma: Fraction, basins: list[Found], effort: _Effort
) -> tuple[list[Found], Evidence | None]:
    """Evidence for a bound close to the best of the basins; better basins if any turn up.

    What holds for some of the itemset sizes holds for all. Where there are many, or transactions
    are long, it begins with the one whose LDS is largest, and takes in those that the best for
    these would find worst.
    """
    chosen = set(land.itemsets)
    if len(chosen) > FEW or land.size > SHORT:
        chosen = {_worst(land, basins[0])[0]}
    proof: Evidence | None = None
    while True:
        part = Landscape(land.size, land.gamma, tuple(sorted(chosen)), land.transactions)
        own = basins
        if part != land:
            least = _least(part.size, gamma, part.itemsets, part.transactions)
            own = [_seen(part, each) for each in basins]
            own += search(part, least, effort.limit.part(0.3))
            own.sort(key=lambda each: each.support)
        own, found = _evidence(part, gamma, own, effort)
        if found is not None and (proof is None or found.goal.support > proof.goal.support):
            proof = found
        seen = sorted([*basins, _seen(land, own[0])], key=lambda each: each.support)
        basins = own if part == land else seen
        worst = _worst(land, own[0])[0]
        enough = own[0].support >= basins[0].support * (1 - float(GAPS[0]) / 10)
        if part == land or found is None or effort.spent or enough or worst in chosen:
            return basins, proof
        chosen.add(worst)


def _seen(land: Landscape, found: Found) -> Found:
    """The same point with the largest LDS of these itemset sizes."""
    return Found(_worst(land, found)[1], found.x, found.ratios)


def _worst(land: Landscape, found: Found) -> tuple[int, float]:
    """The itemset size with the largest LDS, and that."""
    x = np.array([found.x])
    at = land.moments(found.ratios[None], x)
    each = {k: float(replace(land, itemsets=(k,)).supports(at[:, :k], x)[0]) for k in land.itemsets}
    worst = max(each, key=lambda k: each[k])
    return worst, each[worst]


def _evidence(
    land: Landscape, gamma: Fraction, basins: list[Found], effort: _Effort
) -> tuple[list[Found], Evidence | None]:
    """Evidence for a bound as close as time allows; and better basins if the proof meets any."""
    gaps = list(GAPS)
    while gaps and not effort.spent:
        gap = gaps.pop(0)
        support = Fraction(min(basins[0].support * (1 - float(gap)), MOST))
        goal = LdsGoal(
            land.size, gamma, land.itemsets, land.transactions, support.limit_denominator(10**7)
        )
        try:
            return basins, effort.run(goal, land, 0.6 if gaps else 1.0)
        except NotProved as problem:
            if problem.ratios is None:
                continue
            ratios = np.clip(problem.ratios, 1.0, land.gamma)
            found = near(land, [Found(math.inf, problem.x, ratios)], np.array([problem.x]))
            better = refined(land, found[0], 0.05)
            if better.support < basins[0].support * (1 - float(gap) / 10):
                basins = [better, *basins]
                gaps = list(GAPS)
    return basins, None


def _dyadic(
    land: Landscape, gamma: Fraction, basins: Sequence[Found], bits: int | None
) -> list[Choice]:
    """The best rho = a/2^b for b = 1, 2, ... until one is close to the best real rho.

    Only those that are better than all with fewer bits; or the best with so many bits. The last
    one's LDS is evaluated exactly.
    """
    whole = 1 << _ALL_BITS
    few = np.arange(1, whole // 2 + 1) / whole
    listed = [] if bits is not None and bits > _ALL_BITS else best_at(land, few / (1 - few))
    tried: list[Choice] = []
    for count in [bits] if bits is not None else range(1, MAX_BITS + 1):
        if count <= _ALL_BITS:
            step = 1 << (_ALL_BITS - count)
            found = min(listed[step - 1 :: step], key=lambda each: each.support)
        else:
            found = _closest(land, basins, count)
        if not tried or found.support < tried[-1].lds:
            insert = Fraction(round(found.x / (1 + found.x) * (1 << count)), 1 << count)
            if tried and tried[-1].insert == insert:  # the same rho, a better b
                tried.pop()
            tried.append(Choice(insert, _rationals(found.ratios, gamma), found.support))
        if tried[-1].lds <= basins[0].support * (1 + TOLERANCE):
            break
    return [*tried[:-1], _exactly(land, tried[-1])]


def _closest(land: Landscape, basins: Sequence[Found], bits: int) -> Found:
    """The best rho = a/2^b next to those of the basins."""
    half = 1 << (bits - 1)
    tops: set[int] = set()
    for basin in basins:
        around = math.floor(basin.x / (1 + basin.x) * (1 << bits))
        tops |= {min(max(top, 1), half) for top in range(around - 1, around + 3)}
    rho = np.array(sorted(tops)) / (1 << bits)
    return min(near(land, basins[:2], rho / (1 - rho)), key=lambda each: each.support)


def _rationals(ratios: Floats, gamma: Fraction) -> tuple[Fraction, ...]:
    """b[j] as rationals of few bits, in [1, gamma]."""
    scale, high = 1 << _RATIO_BITS, float(gamma) * (1 - 1e-7)
    return tuple(
        gamma if b >= high else min(gamma, max(Fraction(1), Fraction(round(b * scale), scale)))
        for b in ratios.tolist()
    )


def _exactly(land: Landscape, choice: Choice) -> Choice:
    """The choice with its largest LDS evaluated exactly."""
    keep = from_balance(choice.ratios, choice.insert)
    found = moments(Randomization(land.size, choice.insert, keep), land.top)
    if not all(found.recoverable(k) for k in land.itemsets):
        return replace(choice, lds=math.inf)
    each = (lowest_support_of(found.noise(k), land.transactions) for k in land.itemsets)
    return replace(choice, lds=max(map(float, each)))
