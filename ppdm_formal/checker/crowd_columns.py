"""Columns of bits that a crowd adds up: what their sums tell, and a single column more sharply.

In a column each bit is 1 with chance `hi` where its sender holds the column's value, with `lo < hi`
where not; all bits are independent. Of n - 1 others any o hold it. Cut 0..n-1 into parts
[o_i, o_(i+1)): in part i at least a = o_i hold it and b = n - o_(i+1) lack it for sure; the server
is told what the others sent (docs/shuffling.md, T7). So the sum is the client's bit plus
S = Bin(a, hi) + Bin(b, lo), and for every g >= 0, P of a client that holds and Q of one that lacks,

    D(g) = max over parts of sum over s of max(0, P[s] - g Q[s])

is no less than delta, nor than any chord of it. One column: D(g) itself. Several: numbers
M_k >= D(R^k), R = 1 + 1/c, are corners of a convex function; it is the delta of a law on the ratios
R^k with chances p_k = c (M_(k+1) - 2 M_k + M_(k-1)) - (M_k - M_(k-1)), and columns multiply (T8).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .clock import tick
from .crowd_sum import rounded
from .limits import ZERO
from .reading import Fields, read_count, read_list
from .result import Rejected, need

HELD = 128
WHOLE = 1 << HELD
MAX_WIDTH = 1 << 16  # sums in a part that are not next to impossible,
MOST_PARTS = 2000
MOST_WORK = 1 << 22  # and of all parts together
MAX_PLACES = 1 << 15  # ratios of all columns together
NEAR = 3  # so far from where it turns a turn may be told
MAX_COUNTED = 10**9  # clients: so many errors of 2^-128 are nothing


@dataclass(frozen=True)
class Bits:
    """Chances of a 1, in multiples of 2^-128: with the column's value, and without."""

    hi: int
    lo: int

    @classmethod
    def of(cls, held: Any, lacking: Any) -> Bits:
        """Rounded; zeros and ones change places where lacking makes a 1 likelier."""
        if held < lacking:
            held, lacking = 1 - held, 1 - lacking
        return cls(*(int(rounded(chance, False) * WHOLE) for chance in (held, lacking)))


@dataclass(frozen=True)
class Near:
    """Chances of the whole numbers from `start` on, in multiples of 2^-128, none too large.

    lost: what they lack of 1 together.
    """

    start: int
    chances: tuple[int, ...]

    @property
    def lost(self) -> int:
        """In multiples of 2^-128."""
        return WHOLE - sum(self.chances)


def binomial(trials: int, chance: int) -> Near:
    """How many of so many independent bits are 1.

    From the mode on both sides, w(s + 1) = w(s) (n - s) p/((s + 1) q), rounded down: each step adds
    less than 1 to the error, since the ratio is at most 1. Beyond the last number the ratio r only
    falls, and 1/(1 - r) times the next bounds the rest.
    """
    if trials == 0 or chance == 0:
        return Near(0, (WHOLE,))
    if chance == WHOLE:
        return Near(trials, (WHOLE,))
    mode = min(trials, (trials + 1) * chance >> HELD)
    yes, no = chance, WHOLE - chance
    sides: list[list[int]] = []
    whole = WHOLE
    for up in (True, False):
        found: list[int] = []
        s, w = mode, WHOLE
        while True:
            top, bottom = (
                ((trials - s) * yes, (s + 1) * no) if up else (s * no, (trials - s + 1) * yes)
            )
            if top <= 0:
                break
            w = w * top // bottom
            s += 1 if up else -1
            steps = len(found) + 1
            if w == 0:
                # This and all beyond: at most steps/(1 - r), r the ratio that was just used.
                need(top < bottom, "chances that do not fall")
                whole += steps * bottom // (bottom - top) + 1
                break
            found.append(w)
            whole += w + steps
            need(len(found) <= MAX_WIDTH, "sums that are spread too widely")
            if len(found) % 256 == 0:
                tick()
        sides.append(found)
    ups, downs = sides
    weights = [*reversed(downs), WHOLE, *ups]
    return Near(mode - len(downs), tuple(w * WHOLE // whole for w in weights))


def packed(numbers: Sequence[int], width: int) -> int:
    """As one number, each in so many bytes: a product of two such holds all sums of products."""
    return int.from_bytes(b"".join(n.to_bytes(width, "little") for n in numbers), "little")


def convolved(one: Sequence[int], two: Sequence[int], up: bool) -> list[int]:
    """Sums of products, in multiples of 2^-128 again."""
    largest = max(one).bit_length() + max(two).bit_length() + min(len(one), len(two)).bit_length()
    width = (largest + 15) // 8
    size = len(one) + len(two) - 1
    raw = (packed(one, width) * packed(two, width)).to_bytes(size * width, "little")
    found = (int.from_bytes(raw[k * width : (k + 1) * width], "little") for k in range(size))
    return [-(-n >> HELD) if up else n >> HELD for n in found]


def near_sum(one: Near, two: Near) -> Near:
    """The sum of two."""
    need(len(one.chances) + len(two.chances) <= MAX_WIDTH, "sums that are spread too widely")
    tick()
    return Near(one.start + two.start, tuple(convolved(one.chances, two.chances, False)))


def parts(ends: Sequence[int], clients: int) -> Iterator[tuple[int, int]]:
    """Of each part how many others hold and lack the value for sure."""
    need(2 <= len(ends) <= MOST_PARTS + 1, "no parts, or too many")
    need(ends[0] == 0 and ends[-1] == clients, "parts that leave some of the others out")
    need(clients <= MAX_COUNTED, "too many clients for columns")
    for start, end in itertools.pairwise(ends):
        need(start < end, "parts that do not rise")
        yield start, clients - end


def with_bit(others: Near, chance: int) -> list[int]:
    """The sum with the client's own bit, rounded down, from the start of the others on."""
    rest = WHOLE - chance
    f = others.chances
    return [(chance * a + rest * b) >> HELD for a, b in zip((0, *f), (*f, 0), strict=True)]


def corners(bits: Bits, clients: int, ends: Sequence[int], c: int, reach: int) -> list[list[int]]:
    """M_k >= D(R^k) for k = -reach..reach, of holding against lacking, and of the opposite."""
    powers = ratio_powers(c, reach)
    most = [[0] * (2 * reach + 1) for _ in range(2)]
    work = 0
    for a, b in parts(ends, clients):
        others = near_sum(binomial(a, bits.hi), binomial(b, bits.lo))
        work += len(others.chances)
        need(work <= MOST_WORK, "too many sums in all parts")
        holds, lacks = (with_bit(others, chance) for chance in (bits.hi, bits.lo))
        for found, p, q in zip(most, (holds, lacks), (lacks, holds), strict=True):
            for k, value in enumerate(all_above(p, q, powers)):
                found[k] = max(found[k], value)
    # What the chances lack of 1, and the rounding of `hi` and `lo`: n bits off by 2^-128 each.
    return [
        [min(WHOLE, value + (clients + 1) * (2 + (power >> HELD))) for value, power in both]
        for both in (zip(found, powers, strict=True) for found in most)
    ]


def ratio_powers(c: int, reach: int) -> list[int]:
    """R^k for k = -reach..reach, R = 1 + 1/c, rounded down."""
    need(1 <= c <= 10**6 and 1 <= reach <= MAX_PLACES, "ratios out of range")
    need(reach <= 60 * c, "ratios too far from 1")
    up, down, above, below = WHOLE, WHOLE, [], []
    for _ in range(reach):
        up += up // c
        down = down * c // (c + 1)
        above.append(up)
        below.append(down)
    return [*reversed(below), WHOLE, *above]


def all_above(p: Sequence[int], q: Sequence[int], factors: Sequence[int]) -> list[int]:
    """Sum of max(0, p - g q) for each of the rising factors g, and what p lacks of 1."""
    tops, bottoms = [0] * (len(factors) + 1), [0] * (len(factors) + 1)
    for one, two in zip(p, q, strict=True):
        # in how many of the factors' sums this is: those below p/q
        low, high = 0, len(factors)
        while low < high:
            middle = (low + high) // 2
            if one << HELD > factors[middle] * two:
                low = middle + 1
            else:
                high = middle
        tops[low] += one
        bottoms[low] += two
    missing = WHOLE - sum(p)
    found, top, bottom = [], 0, 0
    for k in range(len(factors) - 1, -1, -1):
        top += tops[k + 1]
        bottom += bottoms[k + 1]
        found.append(top - (factors[k] * bottom >> HELD) + 1 + missing)
    return found[::-1]


@dataclass(frozen=True)
class RatioLaw:
    """Chances of the ratios R^k, k = -reach..reach, and of a ratio without end, from above."""

    chances: tuple[int, ...]
    endless: int

    @classmethod
    def of(cls, corner: Sequence[int], c: int) -> RatioLaw:
        """Of a function with these corners, 1 at g = 0; what is not convex is filled."""
        last = corner[-1]
        m = [value - last for value in corner] + [0]
        first = c * (m[1] - m[0]) + WHOLE - corner[0]
        rest = (
            c * (m[k + 1] - 2 * m[k] + m[k - 1]) - (m[k] - m[k - 1]) for k in range(1, len(corner))
        )
        return cls(tuple(max(0, chance) for chance in (first, *rest)), last)


def repeated(chances: Sequence[int], times: int) -> list[int]:
    """The sum of so many, none too small."""
    result, square = [WHOLE], list(chances)
    while times:
        if times & 1:
            result = convolved(result, square, True)
        times >>= 1
        if times:
            tick()
            square = convolved(square, square, True)
    return result


def by_columns(
    bits: Bits, apart: tuple[int, int], clients: int, factor: Fraction, raw: Any
) -> Fraction:
    """Evidence "columns": delta where so many columns are held by the first alone, and the second.

    The sum of chances of R^k times max(0, 1 - g R^-k), and all of what is endless.
    """
    fields = Fields(raw, "proofs", "by parts steps reach")
    ends, c, reach = read_ends(fields), fields.count("steps"), fields.count("reach")
    ahead, behind = apart
    columns = ahead + behind
    need(columns * (2 * reach + 1) <= MAX_PLACES, "too many ratios of all columns")
    gaining, losing = (RatioLaw.of(found, c) for found in corners(bits, clients, ends, c, reach))
    whole = convolved(repeated(gaining.chances, ahead), repeated(losing.chances, behind), True)
    # Chances may come to a little more than 1: the endless ones are multiplied by that.
    more = max(WHOLE, *(sum(law.chances) + law.endless for law in (gaining, losing)))
    endless = Fraction(ahead * gaining.endless + behind * losing.endless, WHOLE)
    endless *= Fraction(more, WHOLE) ** columns
    share = rounded(factor * Fraction(c + 1, c) ** (columns * reach), False, 2 * HELD)  # g R^-k
    total = 0
    for chance in whole:
        if share < 1:
            total += chance * (WHOLE - math.floor(share * WHOLE))
        share = rounded(share * c / (c + 1), False, 2 * HELD)
    return Fraction(total, WHOLE * WHOLE) + endless


def by_cover(
    kinds: Sequence[tuple[Any, Any, Any]], clients: int, factor: Fraction, raw: Any
) -> Fraction:
    """Evidence "cover": delta of two outputs, whichever of them others are likelier to send.

    With t(s) = P[s] - g Q[s] = x f(s - 1) - z f(s), f being the law of S: f is log-concave, so that
    t is negative first and positive then. Where it turns is told, and made sure of.
    """
    fields = Fields(raw, "proofs", "by parts turns")
    ends = read_ends(fields)
    turns = [read_count(turn) for turn in fields.list("turns", len(ends) - 1)]
    need(len(kinds) == 2, "a cover: of two outputs only")
    (p, q, least), (_, _, other) = kinds if kinds[0][0] >= kinds[0][1] else kinds[::-1]
    hi, lo, p, q = (int(rounded(x, False) * WHOLE) for x in (1 - other, least, p, q))
    gaining = p - factor * q
    losing = factor * (WHOLE - q) - (WHOLE - p)
    need(gaining > 0 and losing > 0, "a cover: one report alone shows nothing, or all")
    x, z = Fraction(gaining, WHOLE), Fraction(losing, WHOLE)
    most = work = 0
    for (a, b), turn in zip(parts(ends, clients), turns, strict=True):
        one, two = binomial(a, hi), binomial(b, lo)
        work += len(one.chances) + len(two.chances)
        need(work <= MOST_WORK, "too many sums in all parts")
        most = max(most, one_turn(one, two, x, z, turn))
    # The rounding of the four chances: n bits off by 2^-128 each.
    slack = (clients + 1) * (2 + math.floor(factor))
    return Fraction(most + slack, WHOLE)


def one_turn(one: Near, two: Near, x: Fraction, z: Fraction, turn: int) -> int:
    """Sum of max(0, x f(s - 1) - z f(s)), f of a sum of two: nothing before a turn is positive."""
    tails = [0]
    for chance in reversed(two.chances):
        tails.append(tails[-1] + chance)
    tails.reverse()  # tails[k]: from number k of the second on
    lost = WHOLE - (sum(one.chances) * sum(two.chances) >> HELD) + 1

    def low(s: int) -> int:
        """f(s), from below."""
        first, size = s - one.start - two.start, len(two.chances)
        some = range(max(0, first - size + 1), min(len(one.chances), first + 1))
        return sum(one.chances[k] * two.chances[first - k] for k in some) >> HELD

    def beyond(s: int) -> int:
        """P[S >= s], from below."""
        first, size = s - one.start - two.start, len(two.chances)
        return (
            sum(
                chance * tails[min(max(first - k, 0), size)] for k, chance in enumerate(one.chances)
            )
            >> HELD
        )

    near = range(turn, turn + NEAR)
    sure = next((s for s in near if x * low(s - 1) >= z * (low(s) + lost)), None)
    start = turn if sure is None else sure
    value = x * (beyond(start - 1) + lost)
    if sure is not None:  # else nothing is taken off
        value -= z * beyond(start)
    for s in range(start - 1, start - 2 * NEAR, -1):
        more = x * (low(s - 1) + lost) - z * low(s)
        if more <= 0:
            return math.ceil(value)
        value += more
    raise Rejected("positive before, too")


def read_ends(fields: Fields) -> list[int]:
    """Where parts end."""
    return [read_count(end) for end in read_list(fields.raw["parts"])]


def ahead_of(
    bits: Bits, apart: tuple[int, int], clients: int, other: str, cut: int, factor: Fraction
) -> Fraction:
    """P[E] - g Q[E] at least, E: the sums ahead exceed those behind by a cut or more.

    All others have the first input, the second, or a third one that holds none of these columns.
    """
    ahead, behind = apart
    need(clients <= MAX_COUNTED, "too many clients for columns")
    of_ahead = bits.hi if other == "first" else bits.lo
    of_behind = bits.hi if other == "second" else bits.lo
    one = binomial(ahead * (clients - 1), of_ahead)
    two = binomial(behind * (clients - 1), of_behind)
    tails = [0]
    for chance in reversed(one.chances):
        tails.append(tails[-1] + chance)
    tails.reverse()
    size, lost = len(one.chances), one.lost + two.lost

    def reached(least: int) -> int:
        """How likely the others' difference is that large, from below."""
        first = least + two.start - one.start
        return (
            sum(
                chance * tails[min(max(first + k, 0), size)] for k, chance in enumerate(two.chances)
            )
            >> HELD
        )

    holds, lacks = (
        lead(ahead, behind, one, two) for one, two in ((bits.hi, bits.lo), (bits.lo, bits.hi))
    )
    value = ZERO
    for k in range(-behind, ahead + 1):
        low = reached(cut - k)
        value += holds[k + behind] * low
        value -= factor * (lacks[k + behind] + (ahead + behind) * 4) * (low + lost + 1)
    # The rounding of hi and lo: of n bits in each column, under both inputs.
    slack = (clients + 1) * (ahead + behind) * (1 + factor)
    return value / (WHOLE * WHOLE) - Fraction(slack) / WHOLE


def lead(ahead: int, behind: int, one: int, two: int) -> list[int]:
    """The client's own bits ahead less those behind, from -behind on, rounded down."""
    return convolved(
        repeated_down((WHOLE - one, one), ahead), repeated_down((two, WHOLE - two), behind), False
    )


def repeated_down(chances: Sequence[int], times: int) -> list[int]:
    """The sum of so many, none too large: each product is off by less than 1."""
    result = [WHOLE]
    for _ in range(times):
        tick()
        result = convolved(result, chances, False)
    return result
