"""What outputs that are sets tell about x, without a list of them: docs/decisions/0011.

With likelihoods h (x in y) and l (x not in y) up to a factor, and a = P[X in y], the posterior of
every x follows from D = l + (h - l) a. Divergences of posterior and prior depend on a alone:

    KL(posterior || prior) = (a h ln h + (1 - a) l ln l) / D - ln D
    KL(prior || posterior) = ln D - a ln h - (1 - a) ln l
    total variation        = a (1 - a) |h - l| / D

each with one peak in a, above which no set is and near which some sets are. And with Q the law of y
before x is looked at (coins of its own for each value, or all sets of one size), scaled so that
E_Q[D] = 1,   I = P_Q[x in y] h ln h + P_Q[x not in y] l ln l - E_Q[D ln D].
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import (
    DIGITS,
    Enclosure,
    Unit,
    ball_enclosure,
    ball_of,
)
from ppdm_formal.declare.arithmetic.exact import ZERO
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.sets import Counts, ValueKind, ValueSets
from ppdm_formal.derive.measures.information import WorstCase

PRECISION = 512
"""Bits: terms of moments of a million coins cancel down to a tenth of them."""

MAX_STATES = 2000
"""So many ways to hold values of small kinds are gone through one by one."""

ORDER = 8
"""Moments of the large kinds up to this one; what is left is bounded by it."""

Peak = Callable[[Any, Any], tuple[Any, Callable[[Any], Any]]]
"""From h and l as balls: where the peak is, and the function of a."""


def divergence(h: Any, l: Any) -> tuple[Any, Callable[[Any], Any]]:  # noqa: E741
    """KL(posterior || prior)."""
    step, own, other = h - l, h * h.log(), l * l.log()
    at = l * (own - other - step * l.log() - step) / step**2

    def value(a: Any) -> Any:
        seen = l + step * a
        return (a * own + (1 - a) * other) / seen - seen.log()

    return at, value


def inverse_divergence(h: Any, l: Any) -> tuple[Any, Callable[[Any], Any]]:  # noqa: E741
    """KL(prior || posterior)."""
    step = h - l
    at = 1 / (h.log() - l.log()) - l / step
    return at, lambda a: (l + step * a).log() - a * h.log() - (1 - a) * l.log()


def variation(h: Any, l: Any) -> tuple[Any, Callable[[Any], Any]]:  # noqa: E741
    """Half the sum of |posterior - prior|."""
    step = h - l
    return l.sqrt() / (h.sqrt() + l.sqrt()), lambda a: a * (1 - a) * abs(step) / (l + step * a)


def peak(sets: ValueSets, of: Peak, unit: Unit = "nat", digits: int = DIGITS) -> WorstCase:
    """The greatest value over all sets: attained by one near the peak, and none is above it."""
    if sets.odds.held == sets.odds.lacking:
        return WorstCase(Enclosure.exactly(0), sets.view(sets.smallest()).output)
    with ctx.workprec(PRECISION):
        at, value = of(ball_of(sets.odds.held), ball_of(sets.odds.lacking))
        ends = [_end(sets, heaviest) for heaviest in (False, True)]
        least, most = (ball_of(_mass(sets, held)) for held in ends)
        below = _near(sets, _rational(at))
        chosen = [*ends, below, *_neighbours(sets, below)]
        found = [value(ball_of(_mass(sets, held))) for held in chosen]
        best = max(range(len(found)), key=lambda place: found[place].mid())
        # No set is above the peak; where sets do not reach it, none is above an end.
        top = found[best] if at < least or at > most else value(at).max(found[best])
        scale = arb.const_log2() if unit == "bit" else arb(1)
        low, high = (ball_enclosure(ball / scale, digits) for ball in (found[best], top))
    value_ends = Enclosure(max(low.lo, ZERO), max(high.hi, low.hi))
    return WorstCase(value_ends, sets.view(chosen[best]).output)


def _rational(ball: Any) -> Fraction:
    """A rational near a ball's middle: it only guides where to look."""
    return Fraction(float(ball.mid())).limit_denominator(10**12)


def _mass(sets: ValueSets, held: Sequence[int]) -> Any:
    """P[X in y]."""
    return sum((n * kind.weight for n, kind in zip(held, sets.kinds, strict=True)), ZERO)


def _end(sets: ValueSets, heaviest: bool) -> Counts:
    """The set of the greatest mass: the heaviest values, as many as can be; or of the least."""
    rank = sorted(range(len(sets.kinds)), key=lambda k: sets.kinds[k].weight, reverse=heaviest)
    room = sets.odds.most if heaviest else sets.odds.least
    found = [0] * len(rank)
    for k in rank:
        found[k] = min(room, sets.kinds[k].count)
        room -= found[k]
    return tuple(found)


def _near(sets: ValueSets, mass: Fraction) -> Counts:
    """A set of at most this mass, if there is one, to which heavier values are added greedily."""
    rank = sorted(range(len(sets.kinds)), key=lambda k: sets.kinds[k].weight)
    held = list(_end(sets, heaviest=False))
    spare = sets.odds.most - sets.odds.least
    now = _mass(sets, held)
    for heavy in reversed(rank):
        for light in (None, *rank[: rank.index(heavy)]):
            weight = sets.kinds[heavy].weight - (
                ZERO if light is None else sets.kinds[light].weight
            )
            if weight <= 0 or now >= mass:
                continue
            some = min(
                sets.kinds[heavy].count - held[heavy],
                spare if light is None else held[light],
                math.floor((mass - now) / weight),
            )
            held[heavy] += some
            spare -= some if light is None else 0
            if light is not None:
                held[light] -= some
            now += some * weight
    return tuple(held)


def _neighbours(sets: ValueSets, held: Counts) -> Iterator[Counts]:
    """Sets with a value more, or with one for another."""
    for k, other in itertools.product(range(len(held)), (None, *range(len(held)))):
        found = list(held)
        found[k] += 1
        if other is not None:
            found[other] -= 1
        if sets.admits(found):
            yield tuple(found)


@dataclass(frozen=True)
class Dependent:
    """The ratio e^epsilon, and the input and output that show it."""

    ratio: Any
    input: Value
    output: Value


def dependence(sets: ValueSets) -> Dependent:
    """The greatest P[x | y] / P[x], or its inverse: each x by itself is a property."""
    best: Dependent | None = None
    for k, kind in enumerate(sets.kinds):
        if not kind.weight:
            continue
        alone = [ValueKind(kind.places[:1], kind.prior, (True,), kind.knowledge)]
        rest = [ValueKind(kind.places[1:], kind.prior, (False,), kind.knowledge)]
        others = [
            ValueKind(one.places, one.prior, (False,), one.knowledge)
            for place, one in enumerate(sets.kinds)
            if place != k
        ]
        parts = tuple(alone + [one for one in rest if one.count] + others)
        split = ValueSets(sets.odds, parts, sets.inputs)
        for upward in (True, False):
            held = split.extreme(0, upward)
            likelihood = sets.odds.held if held[0] else sets.odds.lacking
            inside = _mass(split, held)
            seen = sets.odds.lacking + (sets.odds.held - sets.odds.lacking) * inside
            ratio = likelihood / seen
            ratio = 1 / ratio if ratio < 1 else ratio
            if best is None or ratio > best.ratio:
                example = sets.inputs[int(kind.places[0])]
                best = Dependent(ratio, example, split.view(held).output)
    assert best is not None, "some value has a probability above 0"
    return best


def mutual_information(sets: ValueSets, unit: Unit = "bit", digits: int = DIGITS) -> Enclosure:
    """I(X; Y), enclosed: small kinds are gone through, large ones enter by their moments."""
    if sets.odds.held == sets.odds.lacking:
        return Enclosure.exactly(0)
    with ctx.workprec(PRECISION):
        found = _Mean(sets).mutual()
        scale = arb.const_log2() if unit == "bit" else arb(1)
        ends = ball_enclosure(found / scale, digits)
    return Enclosure(max(ends.lo, ZERO), max(ends.hi, ZERO))


class _Mean:
    """E_Q[D ln D] in balls."""

    def __init__(self, sets: ValueSets) -> None:
        odds = sets.odds
        self.whole = sum(sets.counts)
        self.chosen = odds.least if odds.coin is None else None  # sets of one size
        self.coin = Fraction(odds.least, self.whole) if odds.coin is None else odds.coin
        mean = self.coin * odds.held + (1 - self.coin) * odds.lacking
        self.h, self.l = ball_of(odds.held / mean), ball_of(odds.lacking / mean)
        self.few: list[ValueKind] = []
        states = 1
        for kind in sorted(sets.kinds, key=lambda kind: kind.count):
            states *= kind.count + 1
            if states > MAX_STATES:
                break
            self.few.append(kind)
        self.many = [kind for kind in sets.kinds if all(kind is not one for one in self.few)]
        self.left = sum(kind.count for kind in self.many)

    def mutual(self) -> Any:
        """I in nats."""
        inside = ball_of(self.coin)
        own = inside * self.h * self.h.log() + (1 - inside) * self.l * self.l.log()
        mean = arb(0)
        moments: dict[int, list[Any]] = {}
        for held in itertools.product(*(range(kind.count + 1) for kind in self.few)):
            size = sum(held)
            chance = self._chance(held)
            if chance == 0:
                continue
            key = 0 if self.chosen is None else size
            if key not in moments:
                moments[key] = self._moments(size)
            pairs = zip(held, self.few, strict=True)
            mass = ball_of(sum((n * kind.weight for n, kind in pairs), ZERO))
            mean += chance * self._rest(mass, moments[key])
        return own - mean

    def _chance(self, held: Sequence[int]) -> Any:
        """Of so many values of each small kind in a set."""
        ways = math.prod(math.comb(k.count, n) for n, k in zip(held, self.few, strict=True))
        size, all_of_them = sum(held), sum(kind.count for kind in self.few)
        if self.chosen is None:
            coin = ball_of(self.coin)
            return ways * coin**size * (1 - coin) ** (all_of_them - size)
        out = _falling(self.whole - self.chosen, all_of_them - size)
        top = ways * _falling(self.chosen, size) * out
        return arb(top) / _falling(self.whole, all_of_them) if top else arb(0)

    def _moments(self, size: int) -> list[Any]:
        """Mean of the mass of large kinds in the set, and its central moments from 2 on."""
        table = [[arb(0)] * (ORDER + 1) for _ in range(ORDER + 1)]  # by degree and factors
        table[0][0] = arb(1)
        for kind in self.many:
            weight = ball_of(kind.weight)
            grown = [[arb(0)] * (ORDER + 1) for _ in range(ORDER + 1)]
            for power in range(ORDER + 1):
                scale = weight**power / math.factorial(power)
                for q in range(power + 1):
                    factor = scale * (_stirling(power, q) * _falling(kind.count, q))
                    for degree in range(ORDER + 1 - power):
                        for order in range(ORDER + 1 - q):
                            grown[degree + power][order + q] += table[degree][order] * factor
            table = grown
        expected = [self._held_together(order, size) for order in range(ORDER + 1)]
        raw = [
            math.factorial(degree)
            * sum((t * e for t, e in zip(row, expected, strict=True)), arb(0))
            for degree, row in enumerate(table)
        ]
        mean = raw[1]
        central = [
            sum((math.comb(j, i) * raw[i] * (-mean) ** (j - i) for i in range(j + 1)), arb(0))
            for j in range(ORDER + 1)
        ]
        return [mean, *central[2:]]

    def _held_together(self, order: int, size: int) -> Any:
        """The chance that so many given values of large kinds are in the set."""
        if self.chosen is None:
            return ball_of(self.coin) ** order
        if order > self.left:
            return arb(0)
        return arb(_falling(self.chosen - size, order)) / _falling(self.left, order)

    def _rest(self, mass: Any, moments: Sequence[Any]) -> Any:
        """E[D ln D] given the small kinds: Taylor's formula at the mean, its remainder bounded."""
        mean, *central = moments
        step = self.h - self.l
        at = self.l + step * (mass + mean)
        found = at * at.log()
        for j, moment in enumerate(central[:-1], start=2):
            found += (-1) ** j * moment * step**j * at ** (1 - j) / (j * (j - 1))
        least = self.h.min(self.l)
        most = central[-1] * step**ORDER * least ** (1 - ORDER) / (ORDER * (ORDER - 1))
        return found + arb(0).union(most)


def _falling(number: int, order: int) -> int:
    """N (n - 1) ... (n - order + 1)."""
    return math.prod(range(number - order + 1, number + 1)) if order <= number else 0


def _stirling(power: int, order: int) -> int:
    """In how many ways a power is made of falling ones: x^2 = x(x - 1) + x."""
    signs = ((-1) ** (order - i) * math.comb(order, i) * i**power for i in range(order + 1))
    return int(sum(signs)) // math.factorial(order)
