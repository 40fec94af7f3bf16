"""Search: whether the odds of a property stay below a limit for all z, by branch and bound.

Intervals of z are cut in two until each has odds below the limit, or one has odds at or above it
throughout. What is left open after many cuts stays unknown.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.arithmetic.exponential import dyadic
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.derive.reals.belief import Atom, Belief, Odds

MAX_CUTS = 20_000
"""Most intervals of z."""

_FEW = 400
"""The same where a supremum is only to be told, ever less sharply."""

_EXACT_GAPS = tuple(Fraction(1, 10**k) for k in (5, 4, 3, 2, 1))
_GAPS = Fraction(1, 500), Fraction(1, 100), Fraction(1, 30), Fraction(1, 10)
"""How sharply, where no weight varies and elsewhere."""

_AGAIN = 8
"""How often the search for a supremum goes on from an output that it found."""

FINEST = 60
"""An interval is halved at most so often."""

_LONGER = 200
"""Cuts after an output whose odds are not told from the limit, in search of one above it."""

Side: TypeAlias = Literal["top", "bottom"]


@dataclass(frozen=True)
class Below:
    """The odds are below the limit: in each interval between cuts, beyond them, and at atoms."""

    cuts: tuple[Fraction, ...]
    tails: tuple[Side, ...]
    atoms: tuple[Atom, ...]


@dataclass(frozen=True)
class Above:
    """The odds are at least the limit for all z of an interval, or at an atom."""

    low: Fraction | None
    high: Fraction | None
    atom: Atom | None = None


def search(
    belief: Belief,
    limit: Fraction,
    deadline: Deadline,
    most: int = MAX_CUTS,
    longer: int = _LONGER,
) -> Below | Above | None:
    """Which of the two; None where it stays open.

    The interval with the highest bound is cut next. Once one output stays open, nothing can be
    shown to be below the limit, and outputs above it are looked for a little longer.
    """
    atoms = list(belief.atoms())
    shown = [belief.atom_odds(end) for end in atoms]
    for end, odds in zip(atoms, shown, strict=True):
        if _reaches(odds, limit):
            return Above(None, None, end)
    ends = _ends(belief, limit)
    if isinstance(ends, Above):
        return ends
    low, high, tails = ends
    still_open = tails is None or not all(_keeps(odds, limit) for odds in shown)
    done: list[Fraction] = []
    heap: list[tuple[float, Fraction, Fraction, Fraction]] = []

    def look(a: Fraction, b: Fraction) -> Above | None:
        odds = belief.odds(a, b)
        if _reaches(odds, limit):
            return Above(a, b)
        if odds is not None and not _keeps(odds, limit):
            heapq.heappush(heap, (-float(odds[1]), a - b, a, b))
        return None

    above = look(low, high) if low < high else None
    finest = (high - low) / 2**FINEST
    while heap and above is None:
        deadline.check()
        _, _, a, b = heapq.heappop(heap)
        middle = (a + b) / 2
        above = _around(belief, middle, b - a, limit)
        if above is not None:
            break
        still_open = still_open or b - a <= finest or not _keeps(belief.odds(middle), limit)
        longer -= still_open
        done.append(middle)
        if len(done) > most or not longer:
            return None
        above = look(a, middle) or look(middle, b)
    if above is not None or tails is None or still_open:
        return above
    return Below((low, *sorted(done), high), tuple(tails), tuple(atoms))


def _reaches(odds: Odds | None, limit: Fraction) -> bool:
    return odds is not None and bool(odds[0] >= ball_of(limit))


def _keeps(odds: Odds | None, limit: Fraction) -> bool:
    return odds is None or bool(odds[1] < ball_of(limit))


def at_or_around(belief: Belief, z: Fraction | Atom, limit: Fraction) -> Above | None:
    """Outputs at or around z whose odds are at least the limit."""
    if isinstance(z, str):
        odds = belief.atom_odds(z)
        return Above(None, None, z) if odds is not None and odds[0] >= ball_of(limit) else None
    low, high = belief.outputs
    room = [abs(z - end) for end in (low, high) if end is not None]
    return _around(belief, z, min([_rational_spread(belief), *room]), limit)


def _around(belief: Belief, z: Fraction, width: Fraction, limit: Fraction) -> Above | None:
    """An interval around z on which the odds are at least the limit."""
    odds = belief.odds(z)
    if odds is None or not odds[0] > ball_of(limit):
        return None
    for halving in (1, 2, 4, 8, 16, 32, 58):
        part = width / 2**halving
        odds = belief.odds(z - part, z + part)
        if odds is not None and odds[0] >= ball_of(limit):
            return Above(z - part, z + part)
    return None


def _ends(belief: Belief, limit: Fraction) -> tuple[Fraction, Fraction, list[Side] | None] | Above:
    """Between which outputs to search, and the sides where a tail beyond them was dealt with.

    None for the latter where a tail stays open.
    """
    lo, hi = belief.outputs
    window = belief.operator.window
    tails: list[Side] = []
    ends: list[Fraction] = []
    still_open = False
    sides: tuple[tuple[Side, Fraction | None, Fraction | None], ...] = (
        ("bottom", lo, None if window is None else window.lo),
        ("top", hi, None if window is None else window.hi),
    )
    for side, end, whole in sides:
        if end is not None and end == whole:
            ends.append(end)
            continue
        found = _tail(belief, limit, side, end)
        if isinstance(found, Above):
            return found
        if found is None:
            still_open = True
            edge = belief.hi if side == "top" else belief.lo
            found = edge if end is None else end
        tails.append(side)
        ends.append(found)
    return ends[0], max(ends), None if still_open else tails


def _tail(
    belief: Belief, limit: Fraction, side: Side, end: Fraction | None
) -> Fraction | Above | None:
    """Where a tail begins on which the odds stay below the limit, or an interval where not."""
    sign = 1 if side == "top" else -1
    edge = belief.hi if side == "top" else belief.lo
    spread = _rational_spread(belief)
    for step in range(400):
        if end is None:
            start = edge + sign * spread * Fraction(step * step, 8)
        else:  # ever closer to the end of the outputs
            start = end - sign * spread / 2**step
        odds = belief.tail_odds(start, side)
        if odds is not None and odds[1] < ball_of(limit):
            return start
        above = _around(belief, start, spread / 4, limit)
        if above is not None and _inside(above, belief):
            return above
        if end is None and belief.noise.tail is not None:
            break
    return None


def _inside(above: Above, belief: Belief) -> bool:
    """Whether an interval has outputs of positive probability: its odds are only then known."""
    lo, hi = belief.outputs
    assert above.low is not None
    assert above.high is not None
    return (lo is None or above.high > lo) and (hi is None or above.low < hi)


def _rational_spread(belief: Belief) -> Fraction:
    """The noise's spread, roughly, as a short number."""
    rough = Fraction(belief.noise.sd).limit_denominator(1000)
    return max(rough, Fraction(1, 1000)) if belief.noise.sd > 1e-3 else Fraction(belief.noise.sd)


def highest(belief: Belief, deadline: Deadline) -> tuple[Fraction, Fraction]:
    """The essential supremum over z of the property's probability, between two numbers.

    Below: at one output (the belief is continuous in z). Above: by search, ever less sharply where
    need be; outputs that it finds above the limit are where to look next.
    """
    best = max(_samples(belief), default=Fraction(0))
    for gap in _EXACT_GAPS if belief.exact else _GAPS:
        for _ in range(_AGAIN):
            top = _short(best + gap)
            if top >= 1:
                break
            answer = search(belief, top / (1 - top), deadline, _FEW, longer=1)
            if isinstance(answer, Below):
                return best, top
            if answer is None:
                break
            best = max(top, _at(belief, answer))
    return best, Fraction(1)


def _at(belief: Belief, found: Above) -> Fraction:
    """The probability at an output that was found, at least."""
    if found.atom is not None:
        odds = belief.atom_odds(found.atom)
    else:
        assert found.low is not None
        assert found.high is not None
        odds = belief.odds((found.low + found.high) / 2)
    return Fraction(0) if odds is None else probabilities(odds)[0]


def _short(value: Fraction) -> Fraction:
    """Hardly more, with few digits."""
    return Fraction(math.ceil(value * 10**7), 10**7)


def _samples(belief: Belief) -> Iterator[Fraction]:
    """The probability at some outputs, roughly."""
    for end in belief.atoms():
        odds = belief.atom_odds(end)
        if odds is not None:
            yield probabilities(odds)[0]
    spread = _rational_spread(belief)
    lo, hi = belief.outputs
    lo = belief.lo - 8 * spread if lo is None else lo
    hi = belief.hi + 8 * spread if hi is None else hi
    best, at = Fraction(0), (lo + hi) / 2
    width = hi - lo
    for round_ in range(6):
        points = 64 if round_ == 0 else 8
        for k in range(1, points):
            z = at + width * (Fraction(k, points) - Fraction(1, 2))
            odds = belief.odds(z) if lo < z < hi else None
            if odds is not None and probabilities(odds)[0] > best:
                best, found = probabilities(odds)[0], z
                at_next = found
        if best:
            at = at_next
        width /= 12
    yield best


def probabilities(odds: Odds) -> tuple[Fraction, Fraction]:
    """Odds as probabilities."""
    low, high = (Fraction(1) if not e.is_finite() else dyadic(e) / (1 + dyadic(e)) for e in odds)
    return low, high
