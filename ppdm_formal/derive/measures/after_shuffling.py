"""After shuffling, in floating point: bounds, events and where they are best; it proves nothing.

What is found here (tilts, lattices, events) is what the checker proves anew in integers
(checker/crowd_sum.py); the same formulas in floats only choose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.derive.measures.summed_bits import SHARES, Cover, Floats, cover

WIDE = 9.0
"""Half of a lattice's period, in standard deviations of the tilted sum."""

MOST_NODES = 1 << 21
EVENT_NODES = 1 << 20
INSIDE_NODES = 1 << 17
"""Of an event's window, and of one inside a breach: more would take the checker too long."""

FINE = (10.0, 40.0)
"""Units of a lattice in a standard deviation: coarse ones first."""

HOPELESS = 60.0
"""One theta loses a factor of 3 to 5: where it misses by more than this, no lattice is tried."""


@dataclass(frozen=True)
class Kinds:
    """Kinds of outputs in floats: chances from x, from x', and from the others at least.

    two: whether they are two single outputs, which a cover bounds more sharply.
    """

    p: Floats
    q: Floats
    m: Floats
    two: bool = False

    @classmethod
    def of(cls, kinds: Sequence[tuple[Any, ...]], two: bool = False) -> Kinds:
        """From exact numbers."""
        p, q, m = (np.array([float(kind[k]) for kind in kinds]) for k in range(3))
        return cls(p, q, m, two)

    def quick(self, clients: int, factor: float) -> float:
        """A bound that is found at once."""
        return self.summed(factor).by_tilt(clients)

    def bound(self, clients: int, factor: float, limit: float) -> float:
        """A bound; the finer ones are tried where they may bring it below the limit."""
        found = self.summed(factor).bound(clients, limit)
        if found <= limit or not self.two:
            return found
        for share in SHARES:
            sharper = self._covered(clients, factor, share)
            if sharper is None:
                break
            found = min(found, sharper.value)
            if found <= limit:
                break
        return found

    def most(self, clients: int, factor: float, *, fine: bool) -> float:
        """A bound for tables; fine: by a lattice and a cover as well."""
        summed = self.summed(factor)
        found = summed.by_tilt(clients)
        lattice = summed.lattice(clients, FINE[0]) if fine else None
        if lattice is not None and not summed.never_positive:
            found = min(found, summed.by_lattice(clients, lattice))
        cover = self._covered(clients, factor, SHARES[1]) if fine and self.two else None
        return found if cover is None else min(found, cover.value)

    def attained(self, clients: int, factor: float, inside: bool) -> float:
        """What the best event shows that is found."""
        found = find_event(self, clients, factor, inside)
        return 0.0 if found is None else found.value

    def cover(self, clients: int, factor: float, limit: float) -> Cover | None:
        """A cover that proves a limit."""
        for share in SHARES if self.two else ():
            found = self._covered(clients, factor, share)
            if found is not None and found.value <= limit:
                return found
        return None

    def _covered(self, clients: int, factor: float, share: float) -> Cover | None:
        """Output 0 as a 1, or output 1 where that is likelier from x."""
        turned = bool(self.p[0] < self.q[0])
        p, q, least = (float(of[int(turned)]) for of in (self.p, self.q, self.m))
        hi = 1 - float(self.m[1 - int(turned)])
        return cover((p, q), (hi, least), clients, factor, share)

    def alone(self, factor: float) -> float:
        """Delta at a factor of one report that nothing hides."""
        return float(np.maximum(self.p - factor * self.q, 0).sum())

    @property
    def largest_ratio(self) -> float:
        """How much likelier x makes a report than x', at most; math.inf where only x sends it."""
        seen = self.p > 0
        if (self.q[seen] == 0).any():
            return math.inf
        return float((self.p[seen] / self.q[seen]).max())

    def summed(self, factor: float) -> Summed:
        """V = (p - factor q)/m, and what is recognized at once."""
        more = self.p - factor * self.q
        held = self.m > 0
        m, v = self.m[held], more[held] / self.m[held]
        rest = max(0.0, 1 - float(m.sum()))
        if rest > 1e-15:
            m, v = np.append(m, rest), np.append(v, 0.0)
        return Summed(m, v, float(np.maximum(more[~held], 0).sum()))


@dataclass(frozen=True)
class Lattice:
    """A unit, a base above 1 and a period, as numbers of few digits."""

    unit: Fraction
    base: Fraction
    period: int


@dataclass(frozen=True)
class Summed:
    """V: values with chances that sum to 1; and what is to be added to every mean."""

    m: Floats
    v: Floats
    sure: float

    @property
    def never_positive(self) -> bool:
        """Whether no value is above 0."""
        return bool((self.v <= 0).all())

    @cached_property
    def deviation(self) -> float:
        """Of V, about 0."""
        return math.sqrt(float(self.m @ (self.v * self.v))) or 1.0

    def log_phi(self, theta: float) -> float:
        """Ln E[e^(theta V)]."""
        z = theta * self.v
        top = float(z.max())
        return top + math.log(float(self.m @ np.exp(z - top)))

    def tilt(self, clients: int) -> tuple[float, float]:
        """Theta with the least phi^n/(n e theta), and the logarithm of that."""

        def goal(log_theta: float) -> float:
            return clients * self.log_phi(math.exp(log_theta)) - log_theta

        start = -math.log(self.deviation * math.sqrt(clients))
        # Large values are rare, and bound theta: e^(theta V) must not run away.
        top = min(start + 12, math.log(600 / max(float(self.v.max()), 1e-300)))
        at = least_at(goal, min(start - 8, top - 1), top)
        return math.exp(at), goal(at) - math.log(clients) - 1

    def by_tilt(self, clients: int) -> float:
        """The bound of the best theta."""
        if self.never_positive:
            return self.sure
        return self.sure + positive_exp(self.tilt(clients)[1])

    def tilted_deviation(self, theta: float) -> float:
        """Of V under chances m e^(theta V)."""
        w = self.m * np.exp(theta * (self.v - self.v.max()))
        w /= w.sum()
        mean = float(w @ self.v)
        return math.sqrt(float(w @ (self.v - mean) ** 2))

    def lattice(self, clients: int, fine: float) -> Lattice | None:
        """A lattice that is so fine; None where it would have too many nodes."""
        theta, _ = self.tilt(clients)
        deviation = self.tilted_deviation(theta)
        if deviation <= 0:
            return None
        unit = few_digits(deviation / fine)
        step = theta * float(unit)
        base = 1 + few_digits(math.expm1(step))
        period = 2 * WIDE * deviation * math.sqrt(clients) / float(unit) + 8 + 4 / step
        if period * (2 * len(self.v) + 1) > 1 << 24 or period > MOST_NODES:
            return None
        return Lattice(unit, base, max(4, int(period)))

    def by_lattice(self, clients: int, lattice: Lattice) -> float:
        """The bound that a lattice gives."""
        unit, log_base = float(lattice.unit), math.log1p(float(lattice.base - 1))
        scaled = self.v / unit
        low = np.floor(scaled)
        share = scaled - low
        places = np.concatenate([low, low + 1])
        masses = np.concatenate([self.m * (1 - share), self.m * share])
        log_phi, w = _tilted(places, masses, log_base)
        nodes, f = _transform(places, w, lattice.period, clients)
        r = np.exp(-2j * np.pi * nodes / lattice.period - log_base)
        terms = np.exp(clients * np.log(f)) * r / (1 - r) ** 2
        times = np.where((nodes == 0) | (2 * nodes == lattice.period), 1, 2)
        inside = float((times * terms.real).sum()) / lattice.period
        if inside <= 0:  # lost in rounding
            return math.inf
        return self.sure + unit * positive_exp(
            clients * log_phi + math.log(inside) - math.log(clients)
        )

    def bound(self, clients: int, limit: float) -> float:
        """A bound; the finer ones are tried where they may bring it below the limit."""
        found = self.by_tilt(clients)
        if found <= limit or found - self.sure > HOPELESS * limit or self.never_positive:
            return found
        for fine in FINE:
            lattice = self.lattice(clients, fine)
            if lattice is not None:
                found = min(found, self.by_lattice(clients, lattice))
            if found <= limit or found > 1.05 * limit:
                break
        return found


def positive_exp(x: float) -> float:
    """e^x, never 0: what is above 0 is never within a bound of 0."""
    return math.exp(max(-740.0, min(x, 700.0)))


def few_digits(number: float, digits: int = 5) -> Fraction:
    """A positive number to so many significant digits, as a fraction."""
    return Fraction(f"{number:.{digits - 1}e}")


def least_at(goal: Callable[[float], float], low: float, high: float, steps: int = 48) -> float:
    """Where a function that falls and then rises is least: by golden sections."""
    ratio = (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    at_a, at_b = goal(a), goal(b)
    for _ in range(steps):
        if at_a <= at_b:
            high, b, at_b = b, a, at_a
            a = high - ratio * (high - low)
            at_a = goal(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + ratio * (high - low)
            at_b = goal(b)
    return a if at_a <= at_b else b


def _tilted(places: Floats, masses: Floats, log_base: float) -> tuple[float, Floats]:
    """Ln phi(z), and the chances m z^v/phi."""
    exponent = places * log_base
    top = float(exponent.max())
    w = masses * np.exp(exponent - top)
    whole = float(w.sum())
    return top + math.log(whole), w / whole


def _transform(
    places: Floats, w: Floats, period: int, clients: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.complex128]]:
    """The characteristic function at the nodes 0..N/2 that are not negligible."""
    nodes = np.arange(period // 2 + 1)
    f = np.zeros(len(nodes), dtype=complex)
    for place, weight in zip(places.astype(np.int64), w, strict=True):
        f += weight * np.exp(2j * np.pi * ((nodes * (int(place) % period)) % period) / period)
    kept = np.abs(f) > math.exp(-80 / clients)
    return nodes[kept], f[kept]


# ---- events ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Event:
    """Sums of scores that reach a cut, and the window in which they nearly always are.

    unit: where the event must lie inside the breach, so many units are at most V; None otherwise.
    """

    value: float
    scores: tuple[int | None, ...]
    cut: int
    base: Fraction
    period: int
    start: int
    above: Fraction
    below: Fraction
    unit: Fraction | None = None


def find_event(kinds: Kinds, clients: int, factor: float, inside: bool) -> Event | None:
    """The event that shows most: for delta at a factor, or inside the breach from a gain on.

    inside: its chance given x, of where (p - factor q)/m sums to 0 or more for sure.
    """
    more = kinds.p - factor * kinds.q
    held = kinds.m > 0
    if inside:
        recognized = float(kinds.p[~held][(more[~held] >= 0) & (kinds.p[~held] > 0)].sum())
    else:
        recognized = float(np.maximum(more[~held], 0).sum())
    summed = Summed(kinds.m[held], more[held] / np.where(held, kinds.m, 1)[held], 0.0)
    if not len(summed.v):
        trivial = tuple(None for _ in kinds.p)
        return Event(recognized, trivial, 0, *_plain_window(0, 3))
    if float(summed.v.max()) <= 0 or clients == 1:
        scores = np.where(summed.v > 0, 1, 0).astype(np.int64)
        if inside:
            scores = np.where(summed.v >= 0, 0, -1).astype(np.int64)
            unit = few_digits(max(1e-12, -float(summed.v.min()) * 1e3 + 1))
        if clients > 1:
            return None if recognized == 0 else _alone(kinds, held, recognized, inside, summed)
        return _single(kinds, held, scores, recognized, inside, unit if inside else None, more)
    theta, _ = summed.tilt(clients)
    deviation = summed.tilted_deviation(theta)
    if deviation <= 0:
        return None
    spread = float(summed.v.max() - summed.v.min())
    fine = max(3.0, 3 * math.sqrt(clients)) if inside else 40.0 if clients <= 10_000 else 12.0
    unit_size = max(deviation / fine, spread / 50_000)
    unit = few_digits(unit_size)
    scaled = summed.v / float(unit)
    scores = (np.floor(scaled - 1e-9) if inside else np.rint(scaled)).astype(np.int64)
    return _event(kinds, held, more, scores, unit, theta, clients, recognized, inside)


def _plain_window(start: int, period: int) -> tuple[Fraction, int, int, Fraction, Fraction]:
    return Fraction(2), period, start, Fraction(2), Fraction(1, 2)


def _full(held: npt.NDArray[np.bool_], scores: npt.NDArray[np.int64]) -> tuple[int | None, ...]:
    found: list[int | None] = [None] * len(held)
    for place, score in zip(np.flatnonzero(held).tolist(), scores.tolist(), strict=True):
        found[place] = score
    return tuple(found)


def _single(
    kinds: Kinds,
    held: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.int64],
    recognized: float,
    inside: bool,
    unit: Fraction | None,
    more: Floats,
) -> Event:
    """One client alone: the outputs that exceed."""
    cut = 0 if inside else 1
    chosen = scores >= cut
    value = recognized + float((kinds.p if inside else more)[held][chosen].sum())
    return Event(value, _full(held, scores), cut, *_plain_window(-5, 16), unit)


def _alone(
    kinds: Kinds,
    held: npt.NDArray[np.bool_],
    recognized: float,
    inside: bool,
    summed: Summed,
) -> Event:
    """What is recognized at once, and nothing else."""
    scores = np.full(int(held.sum()), -1, dtype=np.int64)
    unit = few_digits(max(1.0, -float(summed.v.min())) * 2) if inside else None
    return Event(recognized, _full(held, scores), 0, *_plain_window(0, 3), unit)


def _event(
    kinds: Kinds,
    held: npt.NDArray[np.bool_],
    more: Floats,
    scores: npt.NDArray[np.int64],
    unit: Fraction,
    theta: float,
    clients: int,
    recognized: float,
    inside: bool,
) -> Event | None:
    """The best cut for given scores, by the law of their sum."""
    others, m = clients - 1, kinds.m[held]
    base = 1 + few_digits(math.expm1(theta * float(unit)))
    log_base = math.log1p(float(base - 1))
    places = scores.astype(float)
    log_phi, w = _tilted(places, m, log_base)
    mean = float(w @ places)
    deviation = math.sqrt(max(float(w @ (places - mean) ** 2), 0.0) * others)
    widest = int(scores.max() - scores.min())
    half = 13 * deviation + 2 * widest + 64
    if others * widest + 2 < 2 * half:  # the whole of what can be
        start, period = others * int(scores.min()) - 1, others * widest + 4
    else:
        start, period = int(others * mean - half), int(2 * half)
    if period > (INSIDE_NODES if inside else EVENT_NODES):
        return None
    nodes, f = _transform(places, w, period, others)
    spectrum = np.zeros(period // 2 + 1, dtype=complex)
    spectrum[nodes] = np.exp(others * np.log(f))
    law = np.maximum(np.fft.irfft(spectrum.conj(), period), 0)
    at = np.arange(start, start + period)
    exponent = -(at - others * mean) * log_base
    weighed = law[at % period] * np.exp(np.clip(exponent, -700, 600))
    reach = np.append(np.cumsum(weighed[::-1])[::-1], 0.0)
    log_scale = others * (log_phi - mean * log_base)
    if inside:
        cuts = np.array([0])
    else:
        drift = round(clients * float(w @ (places - (more[held] / m) / float(unit))))
        cuts = np.arange(drift - 120, drift + 121, 3)
    total = np.zeros(len(cuts))
    gains = (kinds.p if inside else more)[held]
    for gain, score in zip(gains, scores, strict=True):
        total += gain * reach[np.clip(cuts - score - start, 0, period)]
    best = int(np.argmax(total))
    if total[best] <= 0:
        return None
    cut = int(cuts[best])
    asked = cut - scores
    inner = asked[(asked > others * scores.min()) & (asked <= others * scores.max())]
    if len(inner) and not start <= int(inner.min()) <= int(inner.max()) < start + period:
        return None
    exponent_of_total = math.log(float(total[best])) + log_scale
    if exponent_of_total < -700 and recognized == 0:  # too little to be shown
        return None
    value = recognized + positive_exp(exponent_of_total)

    def beyond(edge: int, sign: int) -> Callable[[float], float]:
        def goal(size: float) -> float:
            return others * _log_mean(w, sign * size * (places - mean)) - sign * size * (
                edge - others * mean
            )

        return goal

    widest_step = 20.0 / max(1.0, float(np.abs(places - mean).max()))
    above = least_at(beyond(start + period, 1), 1e-9, widest_step)
    below = least_at(beyond(start - 1, -1), 1e-9, widest_step)
    return Event(
        value,
        _full(held, scores),
        cut,
        base,
        period,
        start,
        1 + few_digits(math.expm1(above)),
        1 - few_digits(-math.expm1(-below)),
        unit if inside else None,
    )


def _log_mean(w: Floats, exponent: Floats) -> float:
    top = float(exponent.max())
    return top + math.log(float(w @ np.exp(exponent - top)))
