"""Sums over a crowd: what n independent numbers exceed 0 by, and how likely they reach a number.

V is v with probability m; V_1, ..., V_n are independent. From above (tilt, lattice)

    E[max(0, V_1 + ... + V_n)],

and between two numbers (tails), for whole numbers U, P[U_1 + ... + U_n >= c]. docs/shuffling.md
proves every line. All is done in integers that stand for multiples of 2^-256, each with a bound on
its own error, so that nothing rests on how errors usually are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .clock import tick
from .exponential import Exponential
from .limits import ONE, ZERO
from .result import need
from .spans import exp_span, two_pi

BITS = 256
FIXED = 1 << BITS
SHORT_BITS = 192  # of numbers that are rounded before they are computed with
MAX_PERIOD = 1 << 21  # nodes,
MAX_NODE_WORK = 1 << 25  # and nodes times points of the lattice
MAX_SHIFT = 200_000  # bits by which a power may leave the unit
SMALL = 50  # nodes whose power n is below e^-50 are bounded, not summed
SMALLER = Fraction(1, 1 << 72)  # e^-50 < 2^-72


def rounded(number: Any, up: bool, bits: int = SHORT_BITS) -> Fraction:
    """A number that is not negative, to so many binary digits, from above or from below."""
    if type(number) is Exponential:
        number = number.between(bits + 8)[up]
    if number == 0:
        return ZERO
    top, bottom = number.numerator, number.denominator
    shift = bits - top.bit_length() + bottom.bit_length()
    if shift >= 0:
        top <<= shift
    else:
        bottom <<= -shift
    whole = -(-top // bottom) if up else top // bottom
    return Fraction(whole, 1 << shift) if shift >= 0 else Fraction(whole << -shift)


def power(base: Fraction, exponent: int, up: bool) -> Fraction:
    """A positive number to a whole power, from above or from below."""
    if exponent < 0:
        base, exponent = ONE / base, -exponent

    def cut(mantissa: int, shift: int) -> tuple[int, int]:
        extra = mantissa.bit_length() - BITS
        if extra <= 0:
            return mantissa, shift
        whole = -(-mantissa >> extra) if up else mantissa >> extra
        return whole, shift + extra

    start = rounded(base, up, BITS)
    if start == 0:
        return ZERO if exponent else ONE
    mantissa, shift = cut(start.numerator, -(start.denominator.bit_length() - 1))
    result, place = 1, 0
    while exponent:
        if exponent & 1:
            result, place = cut(result * mantissa, place + shift)
            need(abs(place) <= MAX_SHIFT, "a power too far from 1")
        exponent >>= 1
        if exponent:
            mantissa, shift = cut(mantissa * mantissa, 2 * shift)
            need(abs(shift) <= 4 * MAX_SHIFT, "a power too far from 1")
    return Fraction(result << place) if place >= 0 else Fraction(result, 1 << -place)


@dataclass(frozen=True)
class Summand:
    """V, from above: its values with their chances; sure: what is to be added to the mean.

    What the chances lack of 1 has value 0.
    """

    law: tuple[tuple[Fraction, Fraction], ...]
    sure: Fraction

    @property
    def never_positive(self) -> bool:
        """Whether no value is above 0."""
        return all(value <= 0 for _, value in self.law)


def summand(kinds: Sequence[tuple[Any, Any, Any]], factor: Fraction) -> Summand:
    """V = (p - factor q)/m of kinds (p, q, m), none smaller than it is.

    p is rounded up, q and m down: V grows, and a smaller m is a blanket as well. Where m is 0 the
    client's report is recognized: what p exceeds factor q by is added as it is.
    """
    law, sure = [], ZERO
    for p, q, m in kinds:
        more = rounded(p, True) - factor * rounded(q, False)
        chance = rounded(m, False)
        if chance == 0:
            sure += max(ZERO, more)
            continue
        value = rounded(abs(more) / chance, more > 0)
        law.append((chance, value if more > 0 else -value))
    return Summand(tuple(law), sure)


def tilted(v: Summand, clients: int, theta: Fraction) -> Fraction:
    """Evidence "tilt": max(0, s) <= e^(theta s)/(e theta), so that E <= phi(theta)^n/(e theta)."""
    need(theta > 0, "theta is not above 0")
    need(all(theta * value <= 5000 for _, value in v.law), "theta is too large")
    phi = 1 - sum((m for m, _ in v.law), ZERO)
    need(phi >= 0, "chances sum to more than 1")
    for m, value in v.law:
        tick()
        phi += m * exp_span(rounded_exponent(theta * value), BITS)[1]
    return v.sure + power(phi, clients, True) / (clients * theta * exp_span(ONE, BITS)[0])


def rounded_exponent(q: Fraction) -> Fraction:
    """Up to a multiple of 2^-96: e^q does not fall."""
    return Fraction(math.ceil(q * 2**96), 2**96)


def on_lattice(v: Summand, unit: Fraction) -> dict[int, Fraction]:
    """V spread to the two nearest multiples of a unit, its mean kept: no convex mean falls."""
    found: dict[int, Fraction] = {}
    left = ONE
    for m, value in v.law:
        low = math.floor(value / unit)
        share = value / unit - low
        left -= m
        for place, part in ((low, 1 - share), (low + 1, share)):
            if part:
                found[place] = found.get(place, ZERO) + m * part
    need(left >= 0, "chances sum to more than 1")
    if left:
        found[0] = found.get(0, ZERO) + left
    return found


def by_lattice(v: Summand, clients: int, unit: Fraction, base: Fraction, period: int) -> Fraction:
    """Evidence "lattice": the law of the sum on a lattice, by Fourier inversion with a tilt.

    E[max(0, S)] <= phi(z)^n 1/N sum_j f_j^n r_j/(1 - r_j)^2 in units, r_j = e^(-2 pi i j/N)/z.
    Values N apart are not told apart, but s z^-s is summed over all s >= 1 of each class, and all
    terms are positive: every unit, base and period give a bound.
    """
    need(unit > 0 and base > 1, "no unit above 0, or no base above 1")
    weights = on_lattice(v, unit)
    shifted = Tilted.of(weights, base, period)
    most = base / (base - 1) ** 2  # no r/(1 - r)^2 is larger
    total = error = 0
    for times, j, value in shifted.nodes(clients):
        r = ball_product(shifted.root(-j), (int(FIXED / base), 0, 2))
        rest = (FIXED - r[0], -r[1], r[2])
        term = ball_product(value, ball_quotient(r, ball_product(rest, rest)))
        total += times * term[0]
        error += times * term[2]
    inside = Fraction(total + error, FIXED * period) + most * SMALLER
    if inside <= 0:
        return v.sure
    return v.sure + unit * power(shifted.most, clients, True) * inside / clients


# ---- complex numbers (x + i y) 2^-256, within r 2^-256 of what they stand for -------------------

Ball = tuple[int, int, int]


def ball_size(a: Ball) -> int:
    """No less than the absolute value."""
    return abs(a[0]) + abs(a[1])


def ball_product(a: Ball, b: Ball) -> Ball:
    """|ab - a'b'| <= |a'| |b - b'| + |b'| |a - a'| + |a - a'| |b - b'|; two roundings of 1."""
    x = (a[0] * b[0] - a[1] * b[1]) >> BITS
    y = (a[0] * b[1] + a[1] * b[0]) >> BITS
    return x, y, ((ball_size(a) * b[2] + ball_size(b) * a[2] + a[2] * b[2]) >> BITS) + 3


def ball_quotient(a: Ball, b: Ball) -> Ball:
    """|a/b - a'/b'| <= (|a'| |b - b'|/|b'| + |a - a'|)/|b|; two roundings of 1."""
    norm = b[0] * b[0] + b[1] * b[1]
    root = math.isqrt(norm)
    least = root - b[2]
    need(least > 0, "a division by what may be 0")
    x = ((a[0] * b[0] + a[1] * b[1]) << BITS) // norm
    y = ((a[1] * b[0] - a[0] * b[1]) << BITS) // norm
    return x, y, ((ball_size(a) * b[2] // root + a[2] + 2) << BITS) // least + 3


def ball_power(a: Ball, exponent: int) -> Ball:
    """To a whole power."""
    result: Ball = (FIXED, 0, 0)
    while exponent:
        if exponent & 1:
            result = ball_product(result, a)
        exponent >>= 1
        if exponent:
            a = ball_product(a, a)
    return result


ROOT_ERROR = 2048  # of the first root of unity, and of each multiplication by it


def roots_of_unity(period: int) -> list[tuple[int, int]]:
    """e^(2 pi i j/N) for j up to N/2: number j within ROOT_ERROR (j + 1).

    The angle is known within 2, each term of the two series within 8 and there are below 100 of
    them: the first root is within 1000. Each ball_product by it adds that and two roundings.
    """
    low, _ = two_pi(BITS + 16)
    angle = int(low * FIXED) // period
    cosine, sine, term, k = FIXED, 0, FIXED, 1
    while term:
        term = (term * angle >> BITS) // k
        signed = -term if k % 4 in (2, 3) else term
        if k % 2:
            sine += signed
        else:
            cosine += signed
        k += 1
    found = [(FIXED, 0)]
    x, y = FIXED, 0
    for _ in range(period // 2):
        x, y = (x * cosine - y * sine) >> BITS, (x * sine + y * cosine) >> BITS
        found.append((x, y))
    return found


@dataclass(frozen=True)
class Tilted:
    """The law m(v) z^v/phi(z) on whole numbers, and its characteristic function at N nodes."""

    weights: tuple[tuple[int, int], ...]  # in units of 2^-256, from below,
    lost: int  # and by how much all together
    error: int  # of each node's value
    least: Fraction  # phi(z) lies between
    most: Fraction
    period: int
    roots: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, weights: Mapping[int, Fraction], base: Fraction, period: int) -> Tilted:
        """Of chances that sum to 1 at most."""
        need(2 < period <= MAX_PERIOD, "a period out of range")
        need(period * len(weights) <= MAX_NODE_WORK, "too many nodes and points")
        low = {v: rounded(m, False) * power(base, v, False) for v, m in weights.items()}
        high = {v: rounded(m, True) * power(base, v, True) for v, m in weights.items()}
        least, most = sum(low.values(), ZERO), sum(high.values(), ZERO)
        need(least > 0, "an empty law")
        scaled, lost = [], 0
        for v in weights:
            down = math.floor(low[v] / most * FIXED)
            lost += math.ceil(high[v] / least * FIXED) - down
            scaled.append((v, down))
        # Weights are off by `lost` in all; roots, times weights that sum to 1 at most, by their
        # own error; the sum is rounded twice.
        error = lost + ROOT_ERROR * (period + 1) + 4
        roots = tuple(roots_of_unity(period))
        return cls(tuple(scaled), lost, error, least, most, period, roots)

    def root(self, place: int) -> Ball:
        """e^(2 pi i place/N)."""
        place %= self.period
        mirrored = 2 * place > self.period
        x, y = self.roots[self.period - place if mirrored else place]
        return x, -y if mirrored else y, ROOT_ERROR * (self.period + 1)

    def nodes(self, clients: int) -> Iterator[tuple[int, int, Ball]]:
        """Nodes j = 0..N/2 that are not small: how often each counts, j, and f_j^n."""
        far = self._farthest_small(clients)
        steep = self._steepness()
        j = 0
        while 2 * j <= self.period:
            tick()
            value = self.at(j)
            # |f|^2 is at most this: f is within `error`, and both are near 1 at most.
            square = ((value[0] ** 2 + value[1] ** 2) >> BITS) + 4 * self.error + 2
            reached = math.isqrt(square << BITS) + 1
            if reached < far:  # and so are those next to it
                j += 1 + int((far - reached) * self.period // (steep * FIXED))
                continue
            times = 1 if j == 0 or 2 * j == self.period else 2
            yield times, j, ball_power(value, clients)
            j += 1

    def at(self, j: int) -> Ball:
        """f_j, the sum of weights times e^(2 pi i j v/N)."""
        period, roots, half = self.period, self.roots, len(self.roots) - 1
        x = y = 0
        for v, weight in self.weights:
            place = j * v % period
            if place > half:
                c, s = roots[period - place]
                x += weight * c
                y -= weight * s
            else:
                c, s = roots[place]
                x += weight * c
                y += weight * s
        return x >> BITS, y >> BITS, self.error

    def _farthest_small(self, clients: int) -> int:
        """|f| up to this is small: |f|^n <= e^-50."""
        return math.floor(exp_span(Fraction(-SMALL, clients), BITS)[0] * FIXED)

    def _steepness(self) -> Fraction:
        """By how much |f| changes at most from node to node, times N: 7 > 2 pi times E|v - c|."""
        centre = sum(v * weight for v, weight in self.weights) >> BITS
        spread = sum(abs(v - centre) * (weight + self.lost) for v, weight in self.weights)
        return Fraction(7 * spread + 1, FIXED)

    def reaching(self, clients: int, farther: Fraction, edge: int) -> Fraction:
        """A bound on the tilted chance that the sum is beyond an edge: above for factors over 1.

        P[S >= e] <= phi'(a)^n a^-e for a > 1; P[S <= e] the same for a < 1.
        """
        need(0 < farther != 1, "a factor that is 1, or not above 0")
        grown = ZERO
        for v, weight in self.weights:
            grown += Fraction(weight + self.lost, FIXED) * power(farther, v, True)
        return power(grown, clients, True) * power(farther, -edge, True)


@dataclass(frozen=True)
class Window:
    """Where a sum is nearly always, once tilted: from `start` on, a period long."""

    base: Fraction
    period: int
    start: int
    above: Fraction
    below: Fraction


def tails(
    weights: Mapping[int, Fraction], summands: int, window: Window, cuts: Sequence[int]
) -> dict[int, tuple[Fraction, Fraction]]:
    """P[U_1 + ... + U_n >= c] for each c, between two numbers; chances may lack a little of 1.

    Fourier inversion gives the tilted law in the window, with what lies outside it added to a place
    inside: `outside` in all. Each s is weighed by z^-s, which falls.
    """
    need(window.base > 1 and window.above > 1 > window.below > 0, "factors on the wrong side of 1")
    least, most = summands * min(weights), summands * max(weights)
    end = window.start + window.period
    missing = summands * max(ZERO, 1 - sum(weights.values(), ZERO))
    found = {c: (max(ZERO, 1 - missing), ONE) if c <= least else (ZERO, missing) for c in cuts}
    inner = sorted(c for c in set(cuts) if least < c <= most)
    if not inner:
        return found
    first = inner[0]
    need(window.start <= first and inner[-1] < end, "a number outside the window")
    shifted = Tilted.of(weights, window.base, window.period)
    outside = ZERO
    if end <= most:
        outside += shifted.reaching(summands, window.above, end)
    if window.start > least:
        outside += shifted.reaching(summands, window.below, window.start - 1)
    falls = {c: int(power(window.base, first - c, False) * FIXED) for c in (*inner, end)}
    sums = {c: [0, 0] for c in inner}
    for times, j, value in shifted.nodes(summands):
        turn = ball_product(shifted.root(-j), (int(FIXED / window.base), 0, 2))
        over = ball_quotient(value, (FIXED - turn[0], -turn[1], turn[2]))
        last = ball_product(shifted.root(-j * end), (falls[end], 0, 4))
        for c, held in sums.items():
            here = ball_product(shifted.root(-j * c), (falls[c], 0, 4))
            term = ball_product(over, (here[0] - last[0], here[1] - last[1], here[2] + last[2]))
            held[0] += times * term[0]
            held[1] += times * term[2]
    rest = SMALLER * 2 * window.base / (window.base - 1)
    grown = power(shifted.least, summands, False), power(shifted.most, summands, True)
    scale = power(window.base, -first, False), power(window.base, -first, True)
    for c in inner:
        total, error = (Fraction(part, FIXED * window.period) for part in sums[c])
        low = total - error - rest - outside * power(window.base, first - c, True)
        high = total + error + rest + outside * power(window.base, first - end, True)
        found[c] = (
            max(ZERO, low) * grown[0] * scale[0],
            min(ONE, max(ZERO, high) * grown[1] * scale[1] + missing),
        )
    return found
