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
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.families.select_a_size import Randomization, from_balance
from ppdm_formal.itemsets.closed_form import moments
from ppdm_formal.itemsets.lds import DEVIATIONS, LowestSupport
from ppdm_formal.itemsets.lds_scan import lds_grid
from ppdm_formal.itemsets.optimum_evidence import Evidence, Goal, least_x
from ppdm_formal.itemsets.optimum_landscape import Landscape
from ppdm_formal.itemsets.optimum_proof import Finder, NotProved
from ppdm_formal.itemsets.optimum_search import Found, best_at, near, refined, search
from ppdm_formal.numbers.deadline import NEVER, Deadline

MAX_BITS = 16
"""rho = a/2^b has at most so many bits."""

TOLERANCE = 1e-4
"""Bits of rho are added until the LDS is within this fraction of the best real rho's."""

GAPS = (Fraction(1, 1000), Fraction(1, 200), Fraction(1, 30), Fraction(1, 5), Fraction(3, 5))
"""How far below the best found the bound may be, tried in this order."""

SECONDS = 25.0
"""The most that one size takes."""

MOST = 63 / 64
"""The largest LDS that is bounded: at 1 nothing is discoverable."""

MAX_BOXES = 4000
"""The most boxes that evidence is sought with, for each gap."""

FEW = 3
"""Up to so many itemset sizes evidence is about all of them from the start."""

_ALL_BITS = 7  # up to here every a/2^b is tried
_RATIO_BITS = 20


@dataclass(frozen=True)
class Choice:
    """rho = a/2^b, b[j] with 1 <= b[j] <= gamma, and the largest LDS, evaluated exactly."""

    insert: Fraction
    ratios: tuple[Fraction, ...]
    lds: float

    @property
    def bits(self) -> int:
        """b, after cancelling."""
        return self.insert.denominator.bit_length() - 1


@dataclass(frozen=True)
class Optimum:
    """The choice, and what is known of all others.

    lower_bound: no select-a-size of this gamma, with any rho and p[j], has a largest LDS that is
    lower (at least, it is so if `evidence` is "proved"; "best found" has the bound 0).
    gap: by which share of `lds` the bound is lower. real: the best that was found for any rho.
    """

    insert: Fraction
    ratios: tuple[Fraction, ...]
    lds: float
    lower_bound: float
    gap: float
    evidence: Literal["proved", "best found"]
    cheaper: tuple[Choice, ...]
    real: Found
    proof: Evidence | None

    @property
    def cutoff(self) -> int | None:
        """j*, where b has Statement 2's form."""
        low, high = min(self.ratios), max(self.ratios)
        at = sum(b == low for b in self.ratios)
        form = (low,) * at + (high,) * (len(self.ratios) - at)
        return at - 1 if self.ratios == form and low < high else None


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
    made whatever the deadline; evidence is sought as long as there is time.

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
    limit = Deadline.after(min(deadline.left, SECONDS))
    land = Landscape(size, float(gamma), mined, transactions)
    basins = search(land, _least(size, gamma, mined, transactions), limit.part(0.3))
    basins, proof = _proved(land, gamma, basins, limit)
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


def _least(size: int, gamma: Fraction, mined: tuple[int, ...], transactions: int) -> float:
    """Where the search begins: below this x nothing reaches an LDS of 1, or hardly anything."""
    return float(least_x(Goal(size, gamma, mined, transactions, Fraction(MOST))))


def _below(value: Fraction) -> float:
    """A float that is not above the value."""
    near = float(value)
    return near if Fraction(near) <= value else math.nextafter(near, 0.0)


def _proved(
    land: Landscape, gamma: Fraction, basins: list[Found], limit: Deadline
) -> tuple[list[Found], Evidence | None]:
    """Evidence for a bound close to the best of the basins; better basins if any turn up.

    What holds for some of the itemset sizes holds for all. Where there are many, it begins with
    the one whose LDS is largest, and takes in those that the best for these would find worst.
    """
    chosen = set(land.itemsets)
    if len(chosen) > FEW:
        chosen = {_worst(land, basins[0])[0]}
    proof: Evidence | None = None
    while True:
        part = Landscape(land.size, land.gamma, tuple(sorted(chosen)), land.transactions)
        own = basins
        if part != land:
            least = _least(part.size, gamma, part.itemsets, part.transactions)
            own = [_seen(part, each) for each in basins] + search(part, least, limit.part(0.3))
            own.sort(key=lambda each: each.support)
        own, found = _evidence(part, gamma, own, limit if part == land else limit.part(0.6))
        if found is not None and (proof is None or found.goal.support > proof.goal.support):
            proof = found
        seen = sorted([*basins, _seen(land, own[0])], key=lambda each: each.support)
        basins = own if part == land else seen
        worst = _worst(land, own[0])[0]
        enough = own[0].support >= basins[0].support * (1 - float(GAPS[0]) / 10)
        if part == land or found is None or limit.passed or enough or worst in chosen:
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
    land: Landscape, gamma: Fraction, basins: list[Found], limit: Deadline
) -> tuple[list[Found], Evidence | None]:
    """Evidence for a bound as close as time allows; and better basins if the proof meets any."""
    gaps = list(GAPS)
    while gaps:
        gap = gaps.pop(0)
        support = Fraction(min(basins[0].support * (1 - float(gap)), MOST))
        goal = Goal(
            land.size, gamma, land.itemsets, land.transactions, support.limit_denominator(10**7)
        )
        try:
            time = limit.part(0.6 if gaps else 1.0)
            return basins, Finder(goal, land, time, MAX_BOXES).run()
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

    Only those that are better than all with fewer bits; or the best with so many bits.
    """
    whole = 1 << _ALL_BITS
    few = np.arange(1, whole // 2 + 1) / whole
    listed = [] if bits is not None and bits > _ALL_BITS else best_at(land, few / (1 - few))
    tried: list[Choice] = []
    for count in [bits] if bits is not None else range(1, MAX_BITS + 1):
        if count <= _ALL_BITS:
            step = 1 << (_ALL_BITS - count)
            found = min(listed[step - 1 :: step], key=lambda each: each.support)
            top = round(found.x / (1 + found.x) * (1 << count))
        else:
            found, top = _closest(land, basins, count)
        choice = _exactly(land, gamma, Fraction(top, 1 << count), found.ratios)
        if not tried or choice.lds < tried[-1].lds:
            tried.append(choice)
        if tried[-1].lds <= basins[0].support * (1 + TOLERANCE):
            break
    return tried


def _closest(land: Landscape, basins: Sequence[Found], bits: int) -> tuple[Found, int]:
    """The best rho = a/2^b next to those of the basins."""
    half = 1 << (bits - 1)
    tops: set[int] = set()
    for basin in basins:
        around = math.floor(basin.x / (1 + basin.x) * (1 << bits))
        tops |= {min(max(top, 1), half) for top in range(around - 1, around + 3)}
    ordered = np.array(sorted(tops))
    rho = ordered / (1 << bits)
    best = min(near(land, basins[:2], rho / (1 - rho)), key=lambda each: each.support)
    return best, round(best.x / (1 + best.x) * (1 << bits))


def _exactly(land: Landscape, gamma: Fraction, insert: Fraction, ratios: Floats) -> Choice:
    """The choice with b[j] rounded to rationals, its LDS evaluated exactly."""
    scale = 1 << _RATIO_BITS
    b = tuple(
        gamma
        if each >= land.gamma * (1 - 1e-7)
        else max(Fraction(1), min(gamma, Fraction(round(each * scale), scale)))
        for each in ratios.tolist()
    )
    randomization = Randomization(land.size, insert, from_balance(b, insert))
    found = moments(randomization, land.top)
    if not all(found.recoverable(k) for k in land.itemsets):
        return Choice(insert, b, math.inf)
    factor = Fraction(DEVIATIONS**2, land.transactions)
    worst = 0.0
    for k in land.itemsets:
        noise = found.noise(k)
        root = LowestSupport(factor * (noise[-1] - noise[0]), factor * noise[0])
        worst = max(worst, float(root))
    return Choice(insert, b, worst)


Floats: TypeAlias = npt.NDArray[np.float64]

GRID = 1999
"""Values of rho in the first scan."""

MAX_VERTEX_SIZE = 10
"""Transactions up to this size have few enough vertices (2^(m + 1)) to scan."""

_BATCH = 200_000
"""How many parameter pairs are evaluated at a time."""


@dataclass(frozen=True)
class Point:
    """Parameters found: the largest LDS, rho, and b up to a factor (floating point)."""

    lds: float
    insert: float
    ratios: tuple[float, ...]

    @property
    def cutoff(self) -> int | None:
        """j*, where b has Statement 2's form."""
        high = [b > min(self.ratios) for b in self.ratios]
        return high.index(True) - 1 if high == sorted(high) and 0 < sum(high) < len(high) else None

    def mirrored(self) -> Point:
        """The same with complements sent: (1 - rho, b[m - j])."""
        return Point(self.lds, 1 - self.insert, self.ratios[::-1])


def cutoff_forms(size: int, gamma: float) -> Floats:
    """Statement 2's b-ratios, one row a cutoff j* = 0..m-1."""
    j = np.arange(size + 1)
    return np.where(j[None, :] > np.arange(size)[:, None], gamma, 1.0)


def vertex_forms(size: int, gamma: float) -> Floats:
    """All b in {1, gamma}^(m + 1) that are not constant, one of each mirrored pair."""
    if size > MAX_VERTEX_SIZE:
        raise ValueError(f"vertices are scanned up to transactions of {MAX_VERTEX_SIZE} items")
    codes = range(1, 2 ** (size + 1) - 1)
    rows = [[code >> j & 1 for j in range(size + 1)] for code in codes]
    kept = [row for row in rows if row <= row[::-1]]
    return np.where(np.array(kept) == 1, gamma, 1.0)


def best_of_forms(
    forms: Floats, itemsets: Sequence[int], transactions: int, grid: int = GRID
) -> list[Point]:
    """For each row of b-ratios the rho with the least largest LDS, best first.

    A scan over rho, then ever finer scans around the three lowest dips of each row.
    """
    rho = np.arange(1, grid + 1) / (grid + 1)
    scanned = np.concatenate(
        [
            lds_grid(
                block[:, None, :],
                np.broadcast_to(rho, (len(block), grid)),
                itemsets,
                transactions,
            )
            for block in np.array_split(forms, max(1, forms.shape[0] * grid // _BATCH))
        ]
    )
    padded = np.pad(scanned, ((0, 0), (1, 1)), constant_values=np.inf)
    dips = (scanned <= padded[:, :-2]) & (scanned <= padded[:, 2:])
    order = np.argsort(np.where(dips, scanned, np.inf), axis=1)[:, :3]
    rows = np.repeat(forms, order.shape[1], axis=0)
    centre = rho[order].ravel()
    width = 1 / (grid + 1)
    found = np.full(centre.shape, np.inf)
    steps = np.linspace(-1, 1, 41)
    while width > 1e-13:
        tried = np.clip(centre[:, None] + width * steps, 1e-9, 1 - 1e-9)
        values = lds_grid(rows[:, None, :], tried, itemsets, transactions)
        pick = values.argmin(axis=1)
        found = values[np.arange(len(pick)), pick]
        centre = tried[np.arange(len(pick)), pick]
        width /= 15
    points = [
        Point(float(value), float(at), tuple(float(b) for b in row))
        for value, at, row in zip(found, centre, rows, strict=True)
    ]
    return sorted(points, key=lambda point: point.lds)


def best_cutoff(
    size: int, gamma: float, itemsets: Sequence[int], transactions: int, grid: int = GRID
) -> list[Point]:
    """The best rho for each cutoff j* of Statement 2's form, best cutoff first."""
    points = best_of_forms(cutoff_forms(size, gamma), itemsets, transactions, grid)
    best: dict[tuple[float, ...], Point] = {}
    for point in points:
        best.setdefault(point.ratios, point)
    return list(best.values())


def search_box(
    starts: Sequence[Point],
    gamma: float,
    itemsets: Sequence[int],
    transactions: int,
    rounds: int = 60,
    seed: int = 1,
) -> Point:
    """A seeded local search from the given points, over rho and 1 <= b[j] <= gamma."""
    draw = np.random.default_rng(seed)
    best = min(starts, key=lambda point: point.lds)
    for start in starts:
        here, step = start, 0.5
        for _ in range(rounds):
            log_b = np.log(np.array(here.ratios)) + draw.normal(0, step, (300, len(here.ratios)))
            frozen = draw.random(log_b.shape) < 0.5
            log_b = np.where(frozen, np.log(np.array(here.ratios)), log_b)
            b = np.exp(np.clip(log_b, 0, np.log(gamma)))
            logit = np.log(here.insert / (1 - here.insert)) + draw.normal(0, step / 3, 300)
            rho = 1 / (1 + np.exp(-logit))
            values = lds_grid(b, rho, itemsets, transactions)
            pick = int(values.argmin())
            if values[pick] < here.lds:
                here = Point(float(values[pick]), float(rho[pick]), tuple(map(float, b[pick])))
            else:
                step /= 1.5
        best = min(best, here, key=lambda point: point.lds)
    return best


@dataclass(frozen=True)
class Comparison:
    """Statement 2's form against all vertices and against the best found in the box."""

    cutoff: Point
    vertex: Point
    box: Point
    proved: bool

    @property
    def heuristic_is_best(self) -> bool:
        """Whether nothing better than Statement 2's form was found (proved only if `proved`)."""
        return min(self.vertex.lds, self.box.lds) >= self.cutoff.lds * (1 - 1e-6)

    @property
    def label(self) -> str:
        """What is known, in a sentence."""
        if self.proved:
            return "Statement 2's form is optimal: proved"
        if self.heuristic_is_best:
            return "nothing better than Statement 2's form was found (not proved)"
        better = min(self.vertex, self.box, key=lambda point: point.lds)
        gain = 100 * (1 - better.lds / self.cutoff.lds)
        return f"Statement 2's form is not optimal: {gain:.2f}% lower was found"


def compare(
    size: int, gamma: float, itemsets: Sequence[int], transactions: int, grid: int = 399
) -> Comparison:
    """How good Statement 2's form is for the real goal, the largest LDS.

    Proved where only single items are mined: for k = 1 both noises rho(1 - rho)/(F - rho)^2 and
    F(1 - F)/(F - rho)^2 fall as F = nu/m grows above rho, so the largest nu is best, and
    complements cover F < rho.
    """
    cutoff = best_cutoff(size, gamma, itemsets, transactions)[0]
    vertices = best_of_forms(vertex_forms(size, gamma), itemsets, transactions, grid)
    box = search_box([cutoff, *vertices[:6]], gamma, itemsets, transactions)
    proved = {k for k in itemsets if k <= size} == {1}
    return Comparison(cutoff, vertices[0], box, proved)
