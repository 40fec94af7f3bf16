"""The best of Statement 2's form: the cutoff j* and rho = a/2^b with the least largest LDS.

b[j] = 1 up to j* and gamma above it (EGS03 Statement 2). Its moments are Krawtchouk polynomials
for m - 1 trials (krawtchouk.cutoff_moment), so all cutoffs of one rho cost one table, and sizes
up to 1000 are searched quickly, in floating point; what is reported is evaluated exactly.

Linear goals: the exact maximum of nu_f(p) = sum of f(j) p[j] under b[j1] / b[j2] <= gamma. With
b[j] scaled into [1, gamma] and d[j] = p_def[j] the goal is the linear-fractional nu = sum f d b /
sum d b. For its maximum nu* the sum of (f(j) - nu*) d[j] b[j] is at most 0 for every b in the box,
with equality at b[j] = gamma where f(j) > nu* and 1 elsewhere: the optimum is a vertex, and for
increasing f it has Statement 2's form (6).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain

import numpy as np

from ppdm_formal.declare.families.select_a_size import (
    cutoff_ratios,
    default_probabilities,
    from_balance,
)
from ppdm_formal.design.krawtchouk import Floats, Integers, default_grid, krawtchouk_grid
from ppdm_formal.design.lds import largest_lds, one_lds

TOLERANCE = 1e-4
"""Bits of rho are added until the LDS is within this fraction of the best real rho's."""

MAX_BITS = 30

_ALL_BITS = 10  # up to here every a/2^b is tried, with every cutoff
_CELLS = 400_000  # how many numbers one step of a scan may hold at a time
_A_WAVE = 32  # points of the first scan for each wave
_DIPS = 40  # how many dips of the first scan are followed to their bottom,
_NEAR = 1.5  # of those that are so many times the lowest


@dataclass(frozen=True)
class CutoffPoint:
    """A cutoff, a real rho, and the largest LDS there (floating point)."""

    lds: float
    insert: float
    cutoff: int


@dataclass(frozen=True)
class Dyadic:
    """A choice rho = a/2^b with its cutoff, and the largest LDS there (floating point)."""

    bits: int
    insert: Fraction
    cutoff: int
    lds: float


@dataclass(frozen=True)
class PaperForm:
    """The choice for one size, cheaper ones with fewer bits, and the best with any real rho."""

    chosen: Dyadic
    cheaper: tuple[Dyadic, ...]
    real: CutoffPoint


def cutoff_moments_grid(
    size: int, gamma: float, insert: Floats, itemset: int, cutoffs: Integers | None = None
) -> Floats:
    """lambda_i / (rho (1 - rho))^(i/2), i = 0..k, along a new last axis.

    For j* = 0..m-1, along a new axis before that one, or for the given cutoffs, broadcast with
    rho's axes.
    """
    values, errors = krawtchouk_grid(size - 1, itemset - 1, insert, cutoffs)
    values[np.abs(values) <= errors] = 0.0
    default = default_grid(size, insert)
    above = np.cumsum(default[..., :0:-1], axis=-1)[..., ::-1]  # P[Bin(m, rho) > j*]
    if cutoffs is None:
        rho, at, here = insert[..., None], np.arange(size), default[..., :-1]
    else:
        where = np.broadcast_to(cutoffs, insert.shape)[..., None]
        rho, at = insert, cutoffs
        here, above = (np.take_along_axis(part, where, -1)[..., 0] for part in (default, above))
    # C(m - 1, j*) rho^j* (1 - rho)^(m - 1 - j*) is p_def[j*] (m - j*) / (m (1 - rho)).
    fewer = here * (size - at) / size
    front = (gamma - 1) / (1 + (gamma - 1) * above) * np.sqrt(rho / (1 - rho)) * fewer
    found = np.ones((*values.shape[:-1], itemset + 1))
    found[..., 1:] = front[..., None] * values
    return found


def cutoff_lds_blocks(
    size: int, gamma: float, insert: Floats, itemsets: Sequence[int], transactions: int
) -> Iterator[Floats]:
    """[k, rho, j*] for some rho at a time: the largest LDS over the first one, two, ... sizes."""
    top = max(itemsets)
    block = max(1, _CELLS // (size * (top + 1)))
    for start in range(0, len(insert), block):
        rho = insert[start : start + block]
        moments = cutoff_moments_grid(size, gamma, rho, top)
        found = np.stack([one_lds(moments, rho[:, None], k, transactions) for k in itemsets])
        yield np.maximum.accumulate(found, axis=0)


def cutoff_lds_grid(
    size: int, gamma: float, insert: Floats, itemsets: Sequence[int], transactions: int
) -> Floats:
    """The largest LDS for each rho (first axis) and each cutoff j* = 0..m-1."""
    blocks = cutoff_lds_blocks(size, gamma, insert, itemsets, transactions)
    return np.concatenate([block[-1].copy() for block in blocks])


def angles_of(size: int, itemset: int) -> Floats:
    """Where to scan rho = sin^2 of an angle: Krawtchouk polynomials' waves are equally long there.

    There are about sqrt(m k) of them; each gets a good number of points.
    """
    count = 191 + _A_WAVE * math.isqrt(size * itemset)
    return np.arange(1, count + 1) / (count + 1) * (math.pi / 2)


@dataclass(frozen=True)
class Scan:
    """A first scan over rho and j*: the largest LDS everywhere, and the least by itemset sizes.

    least[i] is the least of the largest LDS over the first i + 1 itemset sizes.
    """

    angles: Floats
    largest: Floats
    least: Floats


@lru_cache(maxsize=1)
def scan(size: int, gamma: float, itemsets: tuple[int, ...], transactions: int) -> Scan:
    """The first scan."""
    angles = angles_of(size, max(itemsets))
    blocks = cutoff_lds_blocks(size, gamma, np.sin(angles) ** 2, itemsets, transactions)
    parts, least = [], np.full(len(itemsets), np.inf)
    for block in blocks:
        parts.append(block[-1].copy())
        least = np.minimum(least, block.min(axis=(1, 2)))
    return Scan(angles, np.concatenate(parts), least)


def best_cutoffs(
    size: int, gamma: float, itemsets: Sequence[int], transactions: int
) -> list[CutoffPoint]:
    """The best real rho of the most promising cutoffs, best first.

    A scan over rho, then ever finer scans around the lowest dips.
    """
    first = scan(size, gamma, tuple(itemsets), transactions)
    padded = np.pad(first.largest, ((1, 1), (0, 0)), constant_values=np.inf)
    dips = (first.largest <= padded[:-2]) & (first.largest <= padded[2:])
    dips &= first.largest <= _NEAR * first.least[-1]
    places, cutoffs = np.nonzero(dips)
    found = first.largest[dips]
    order = np.argsort(found, kind="stable")[:_DIPS]
    found, centre, rows = found[order], first.angles[places[order]], cutoffs[order][:, None]
    width, steps = first.angles[0], np.linspace(-1, 1, 17)
    while width > 1e-11:
        tried = np.clip(centre[:, None] + width * steps, 1e-6, math.pi / 2 - 1e-6)
        rho = np.sin(tried) ** 2
        moments = cutoff_moments_grid(size, gamma, rho, max(itemsets), rows)
        values = largest_lds(moments, rho, itemsets, transactions)
        pick = values.argmin(axis=1)
        found = values[np.arange(len(pick)), pick]
        centre = tried[np.arange(len(pick)), pick]
        width /= 6
    best: dict[int, CutoffPoint] = {}
    for at in np.argsort(found, kind="stable"):
        point = CutoffPoint(float(found[at]), math.sin(centre[at]) ** 2, int(rows[at, 0]))
        best.setdefault(point.cutoff, point)
    return list(best.values())


def best_dyadic(
    size: int,
    gamma: float,
    itemsets: Sequence[int],
    transactions: int,
    bits: int,
    near: Sequence[CutoffPoint],
) -> Dyadic:
    """The best rho = a/2^b for more than a few bits: of those next to the best real ones."""
    whole = 1 << bits
    best = []
    for point in near:
        around = int(point.insert * whole) + np.arange(-1, 3)
        tops = np.clip(around, 1, whole - 1)
        at = np.full(tops.shape, point.cutoff)
        moments = cutoff_moments_grid(size, gamma, tops / whole, max(itemsets), at)
        values = largest_lds(moments, tops / whole, itemsets, transactions)
        pick = int(values.argmin())
        best.append(
            Dyadic(bits, Fraction(int(tops[pick]), whole), point.cutoff, float(values[pick]))
        )
    return min(best, key=lambda found: found.lds)


def best_dyadics(
    size: int, gamma: float, itemsets: Sequence[int], transactions: int
) -> Iterator[Dyadic]:
    """The best rho = a/2^b and cutoff of all, for b = 1, 2, ... up to a few bits."""
    whole = 1 << _ALL_BITS
    rho = np.arange(1, whole) / whole
    values = cutoff_lds_grid(size, gamma, rho, itemsets, transactions)
    for bits in range(1, _ALL_BITS + 1):
        step = 1 << (_ALL_BITS - bits)
        part = values[step - 1 :: step]
        row, cutoff = np.unravel_index(int(part.argmin()), part.shape)
        insert = Fraction(int(row) + 1, 1 << bits)
        yield Dyadic(bits, insert, int(cutoff), float(part[row, cutoff]))


def best_paper_form(
    size: int,
    gamma: Fraction,
    itemsets: Sequence[int],
    transactions: int,
    bits: int | None = None,
) -> PaperForm:
    """The best cutoff and rho for one size: with so many bits, or as few as come close enough."""
    bound = float(gamma)
    real = best_cutoffs(size, bound, itemsets, transactions)
    all_few = best_dyadics(size, bound, itemsets, transactions)
    more = (
        best_dyadic(size, bound, itemsets, transactions, count, real)
        for count in range(_ALL_BITS + 1, MAX_BITS + 1)
    )
    tried: list[Dyadic] = []
    for found in chain(all_few, more):
        if bits is not None and found.bits != bits:
            continue
        if not tried or found.lds < tried[-1].lds:
            tried.append(found)
        if found.bits == bits or tried[-1].lds <= real[0].lds * (1 + TOLERANCE):
            break
    return PaperForm(tried[-1], tuple(tried[:-1]), real[0])


def discoverable_itemsets(
    size: int, gamma: Fraction, itemsets: Sequence[int], transactions: int
) -> int:
    """How many of the itemset sizes, in order, can be discovered at once: some LDS is at most 1."""
    few = itemsets[:4]  # most often these decide, and many sizes are slow
    for tried in (few, itemsets) if len(itemsets) > len(few) else (few,):
        found = scan(size, float(gamma), tuple(tried), transactions).least
        if found[-1] > 1:
            break
    return int(np.count_nonzero(found <= 1))


@dataclass(frozen=True)
class LinearOptimum:
    """The best value of a goal, the b-ratios that reach it, and the cutoff j* if they have one."""

    value: Fraction
    ratios: tuple[Fraction, ...]
    cutoff: int | None


def kept_itemsets(size: int, itemset: int = 1) -> tuple[Fraction, ...]:
    """f(j) = C(j, k): how many k-itemsets of t are kept with j items (k = 1: kept items)."""
    return tuple(Fraction(math.comb(j, itemset)) for j in range(size + 1))


def goal_value(goal: Sequence[Fraction], ratios: Sequence[Fraction], insert: Fraction) -> Fraction:
    """nu_f of the p[j] with these b-ratios."""
    keep = from_balance(ratios, insert)
    return sum((f * p for f, p in zip(goal, keep, strict=True)), Fraction(0))


def cutoff_values(
    goal: Sequence[Fraction], insert: Fraction, gamma: Fraction
) -> tuple[Fraction, ...]:
    """nu_f of Statement 2's form for every j* = 0..m-1.

    >>> values = cutoff_values(kept_itemsets(2), Fraction(1, 2), Fraction(19))
    >>> [str(v) for v in values]
    ['38/29', '20/11']
    """
    size = len(goal) - 1
    return tuple(
        goal_value(goal, cutoff_ratios(size, cutoff, gamma), insert) for cutoff in range(size)
    )


def linear_optimum(goal: Sequence[Fraction], insert: Fraction, gamma: Fraction) -> LinearOptimum:
    """The exact optimum over all p[j] that satisfy (5), with its proof checked.

    Vertices with b = gamma on the largest values of f suffice; `upper_bound_gap` of the
    value found must be 0, which proves it against every p[j], not vertices only.
    """
    size = len(goal) - 1
    best: tuple[Fraction, tuple[Fraction, ...]] | None = None
    for threshold in sorted(set(goal)):
        ratios = tuple(gamma if f > threshold else Fraction(1) for f in goal)
        found = (goal_value(goal, ratios, insert), ratios)
        best = found if best is None or found[0] > best[0] else best
    assert best is not None
    if upper_bound_gap(goal, insert, gamma, best[0]) != 0:
        raise ArithmeticError("the optimum of a linear goal failed its proof")
    cutoffs = [c for c in range(size) if cutoff_ratios(size, c, gamma) == best[1]]
    return LinearOptimum(best[0], best[1], cutoffs[0] if cutoffs else None)


def upper_bound_gap(
    goal: Sequence[Fraction], insert: Fraction, gamma: Fraction, value: Fraction
) -> Fraction:
    """The largest sum of (f - value) d b over 1 <= b <= gamma: at most 0 proves nu_f <= value."""
    default = default_probabilities(len(goal) - 1, insert)
    return sum(
        ((f - value) * d * (gamma if f > value else 1) for f, d in zip(goal, default, strict=True)),
        Fraction(0),
    )


def all_vertices(size: int, gamma: Fraction) -> list[tuple[Fraction, ...]]:
    """Every choice of b[j] in {1, gamma} but the two constant ones."""
    corners = itertools.product((Fraction(1), gamma), repeat=size + 1)
    return [corner for corner in corners if len(set(corner)) > 1]
