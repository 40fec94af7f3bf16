"""Telling outputs: which of them take some property furthest, and which property, roughly.

Given z, the likeliest property of probability r holds where the likelihood of z is highest (Neyman
and Pearson). It is found on cells of x that are narrow where the likelihood of this z changes.
Outputs are tried between all points where the density of z bends, then ever closer to the best.
What is found is a candidate, in floats; whoever uses it proves it (belief.py).
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.noises.named import Floats, Noise
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Bell, Density
from ppdm_formal.declare.reals.reals import Interval, RealProperty, merged
from ppdm_formal.derive.reals.belief import Atom
from ppdm_formal.derive.reals.rough import likelihood, masses

_BETWEEN = 6
"""Outputs tried between two neighbouring points where the density of z bends."""

_MOST = 600
"""Outputs tried before the best are closed in on."""

_ROUNDS, _KEPT = 12, 4
"""How often the best outputs are closed in on, and how many of them at a time."""

_NEAR = np.concatenate(
    [np.linspace(-2, 2, 161), np.linspace(-12, 12, 97), np.linspace(-40, 40, 33)]
)
"""Ends of cells around an output, in standard deviations."""


@dataclass(frozen=True)
class Telling:
    """An output, and how likely the best property of some probability is given it."""

    output: Fraction | Atom
    belief: float


class BestProperty:
    """The best property of probability at most `start`, output by output."""

    def __init__(self, operator: ContinuousOperator, density: Density, start: Fraction) -> None:
        self.operator, self.density, self.start = operator, density, start
        pieces = list(density.pieces())
        self.ends = sorted({end for piece in pieces for end in (piece.lo, piece.hi)})
        self.lo, self.hi = self.ends[0], self.ends[-1]
        bells = [part for part in density.components if isinstance(part, Bell)]
        self.bends = [
            *(float(end) for end in self.ends),
            *(float(b.mean) + k * b.law.sd for b in bells for k in np.linspace(-8, 8, 65)),
        ]
        self._exact = {float(end): end for end in self.ends}
        self._unit = _short_spread(operator.noise) / 10**6

    def belief(self, z: Fraction | Atom) -> float:
        """How likely it is, given z."""
        _, prior, shown = self._seen(z)
        joint = prior * shown
        whole = float(joint.sum())
        if not whole > 0:
            return 0.0
        order = _descending(shown)
        left = float(self.start) - np.concatenate([[0.0], np.cumsum(prior[order])[:-1]])
        part = np.clip(left / np.maximum(prior[order], 1e-300), 0, 1)
        return float((part * joint[order]).sum()) / whole

    @property
    def outputs(self) -> tuple[Fraction | None, Fraction | None]:
        """Between which outputs there is a density, under this prior."""
        low, high = self.operator.outputs
        least, most = self.operator.noise.support
        if least is not None and most is not None:
            low = self.lo + least if low is None else max(low, self.lo + least)
            high = self.hi + most if high is None else min(high, self.hi + most)
        return low, high

    def room(self, telling: Telling) -> tuple[Fraction, Fraction]:
        """How far an output lies from the nearest end, then how near to the inputs it is."""
        z, spread = telling.output, _short_spread(self.operator.noise)
        if isinstance(z, str):
            return spread, Fraction(0)
        ends = [abs(z - end) for end in self.outputs if end is not None]
        return min([spread, *ends]), -max(self.lo - z, z - self.hi, Fraction(0))

    def likeliest(self, z: Fraction | Atom) -> RealProperty | None:
        """Which it is; None where none of a probability of at most `start` was found."""
        edges, prior, shown = self._seen(z)
        chosen: list[tuple[float, float]] = []
        left, last = float(self.start), None
        for k in _descending(shown):
            if shown[k] <= 0:
                break
            if prior[k] > left:
                last = float(edges[k]), float(edges[k + 1]), left / float(prior[k])
                break
            chosen.append((float(edges[k]), float(edges[k + 1])))
            left -= float(prior[k])
        for part in (1, 0.999, 0.98, 0):  # floats may have taken a little too much
            found = self._made(chosen, last, part)
            if found is not None and self.density.mass(found).hi <= self.start:
                return found
        return None

    def _made(
        self,
        chosen: list[tuple[float, float]],
        last: tuple[float, float, float] | None,
        part: float,
    ) -> RealProperty | None:
        """Whole cells, and so much of the one that fits no more, beside its neighbours."""
        cells = list(chosen)
        if last is not None:
            lo, hi, fits = last
            length = (hi - lo) * fits * part
            falls = any(b == lo for _, b in chosen) or not any(a == hi for a, _ in chosen)
            cells.append((lo, lo + length) if falls else (hi - length, hi))
        runs = merged((Fraction(lo), Fraction(hi)) for lo, hi in cells)
        intervals = merged(self._shortened(*run) for run in runs)
        found = RealProperty(self.density.domain, intervals)
        return found if found.intervals and found.complement.intervals else None

    def _shortened(self, lo: Fraction, hi: Fraction) -> Interval:
        """With ends of few digits, or those of the density's pieces."""
        first = self._exact.get(float(lo), math.ceil(lo / self._unit) * self._unit)
        return first, self._exact.get(float(hi), math.floor(hi / self._unit) * self._unit)

    def _seen(self, z: Fraction | Atom) -> tuple[Floats, Floats, Floats]:
        """Edges of cells of x, their prior masses, and the likelihood of z in each."""
        noise, window = self.operator.noise, self.operator.window
        if isinstance(z, str):
            assert window is not None
            place = window.lo if z == "lo" else window.hi
        else:
            place = z
        around = float(place - noise.center)
        least, most = noise.support
        if least is None or most is None:
            steps = _NEAR * noise.sd
        else:
            steps = np.linspace(-1, 1, 241) * float((most - least) / 2)
        lo, hi = float(self.lo), float(self.hi)
        edges = np.concatenate([around + steps, self.bends, np.linspace(lo, hi, 129)])
        edges = np.unique(np.clip(edges, lo, hi))
        middles = (edges[1:] + edges[:-1]) / 2
        if z == "lo":
            shown = noise.cdf(float(place) - middles)
        elif z == "hi":
            shown = noise.mirrored().cdf(middles - float(place))
        else:
            shown = likelihood(self.operator, middles, np.array([float(place)]))[:, 0]
        prior = masses(self.density, edges)
        held = prior > 0
        if held.all():
            return edges, prior, shown
        return edges, prior, np.where(held, shown, 0.0)


def _short_spread(noise: Noise) -> Fraction:
    """The greatest power of ten below its standard deviation."""
    return Fraction(10) ** math.floor(math.log10(noise.sd))


def _descending(shown: Floats) -> npt.NDArray[np.intp]:
    """Highest likelihood first; those that differ by rounding alone in the order of x."""
    rounded = np.round(np.log(np.maximum(shown, 1e-300)), 9)
    return np.argsort(-rounded, kind="stable")


def most_telling(best: BestProperty) -> list[Telling]:
    """Outputs, those that take a property of probability `start` furthest first."""
    window = best.operator.window
    atoms: tuple[Atom, ...] = ()
    if window is not None and window.kind == "clamped":
        atoms = "lo", "hi"
    line = [(z, best.belief(z)) for z in sorted(set(_first(best)))]
    for _ in range(_ROUNDS):
        places = [z for z, _ in line]
        for z, _ in sorted(line, key=lambda pair: -pair[1])[:_KEPT]:
            at = places.index(z)
            near = [places[k] for k in (at - 1, at + 1) if 0 <= k < len(places)]
            for middle in ((z + other) / 2 for other in near):
                bisect.insort(line, (middle, best.belief(middle)))
    found = [Telling(z, belief) for z, belief in line]
    found += [Telling(end, best.belief(end)) for end in atoms]
    return sorted(found, key=lambda one: -one.belief)


def _first(best: BestProperty) -> Iterator[Fraction]:
    """Outputs between the points where the density of z may bend, and ever closer to its ends."""
    noise = best.operator.noise
    low, high = best.outputs
    spread = _short_spread(noise)
    first = best.lo - 192 * spread if low is None else low
    last = best.hi + 192 * spread if high is None else high
    if last <= first:
        return
    bends = {Fraction(x) + kink for x in best.bends for kink in (*noise.kinks, noise.center)}
    for k in (3, 12, 48):  # beyond all x, as far as outputs go
        bends |= {best.lo - k * spread, best.hi + k * spread}
    cuts = sorted({first, last, *(z for z in bends if first < z < last)})
    between = max(1, min(_BETWEEN, _MOST // len(cuts)))
    for a, b in itertools.pairwise(cuts):
        for k in range(between):
            yield a + (b - a) * Fraction(2 * k + 1, 2 * between)
    for k in (6, 12, 24):
        yield first + (last - first) / 2**k
        yield last - (last - first) / 2**k
