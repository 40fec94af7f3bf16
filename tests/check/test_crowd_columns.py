"""Columns of bits in the checker: against all sums of small crowds, whatever the others hold."""

import random
from fractions import Fraction as F

import pytest
import sums_by_hand
from how_many import cases

from ppdm_formal.checker.crowd_columns import (
    WHOLE,
    Bits,
    RatioLaw,
    ahead_of,
    binomial,
    by_columns,
    by_cover,
    corners,
)
from ppdm_formal.checker.result import Rejected

TINY = F(1, 10**30)
CHANCES = [F(0), F(1, 10), F(1, 5), F(1, 3), F(1, 2), F(2, 3), F(9, 10), F(1)]


def parts_of(chance, clients):
    """Some cut of 0..n - 1."""
    inner = [k for k in range(1, clients) if chance.random() < 0.6]
    return [0, *inner, clients]


def drawn(chance):
    lo, hi = sorted(chance.sample(CHANCES, 2))
    apart = chance.choice([(1, 0), (0, 1), (1, 1), (2, 1)])
    clients = chance.randint(1, {1: 8, 2: 5, 3: 3}[sum(apart)])
    return hi, lo, apart, clients, chance.choice([F(1, 2), F(1), F(5, 4), F(2), F(5)])


def test_no_bound_is_below_the_worst_others():
    chance, close = random.Random(5), 0
    for _ in range(cases(60, 600)):
        hi, lo, apart, clients, factor = drawn(chance)
        truth = sums_by_hand.worst(hi, lo, apart, clients, factor)
        c = chance.choice([1, 3, 20, 200])
        reach = chance.randint(1, min(8 * c, 400))
        ends = chance.choice([parts_of(chance, clients), list(range(clients + 1))])
        raw = {"by": "columns", "parts": ends, "steps": c, "reach": reach}
        bound = by_columns(Bits.of(hi, lo), apart, clients, factor, raw)
        assert bound >= truth, (hi, lo, apart, clients, factor, raw)
        assert bound == by_columns(Bits.of(1 - hi, 1 - lo), apart, clients, factor, raw)
        close += bound <= truth * F(11, 10) + F(1, 1000)
    assert close >= 10  # some are good, not only valid


def test_finer_parts_and_ratios_come_close():
    """Of one client all is known; of several the worst others of each ratio are put together."""
    for clients, more in ((1, F(1001, 1000)), (4, F(5, 4))):
        raw = {"by": "columns", "parts": [*range(clients + 1)], "steps": 300, "reach": 1000}
        found = by_columns(Bits.of(F(4, 5), F(1, 5)), (1, 1), clients, F(2), raw)
        truth = sums_by_hand.worst(F(4, 5), F(1, 5), (1, 1), clients, F(2))
        assert truth <= found <= truth * more


def test_no_cover_is_below_the_worst_others():
    """Two outputs; own chances between those of the others, as mixtures of inputs have."""
    chance, close = random.Random(6), 0
    for _ in range(cases(100, 1000)):
        lo, hi = sorted(F(chance.randint(1, 19), 20) for _ in range(2))
        p, q = (lo + (hi - lo) * F(chance.randint(0, 4), 4) for _ in range(2))
        clients, factor = chance.randint(1, 9), chance.choice([F(1, 2), F(1), F(5, 4), F(2), F(3)])
        truth = max(two_outputs(p, q, hi, lo, clients, held, factor) for held in range(clients))
        ends = chance.choice([parts_of(chance, clients), list(range(clients + 1))])
        # wherever turns are said to be
        turns = [chance.randint(0, clients + 1) for _ in ends[1:]]
        kinds = ((p, q, lo), (1 - p, 1 - q, 1 - hi))
        try:
            raw = {"by": "cover", "parts": ends, "turns": turns}
            bound = by_cover(kinds, clients, factor, raw)
        except Rejected:
            continue
        assert bound >= truth, (kinds, clients, factor, raw)
        if len(ends) == clients + 1:
            close += bound <= truth * F(101, 100) + TINY
    assert close >= 5


def two_outputs(p, q, hi, lo, clients, held, factor):
    others = [*[hi] * held, *[lo] * (clients - 1 - held)]
    one, two = sums_by_hand.column([p, *others]), sums_by_hand.column([q, *others])
    return sum((max(F(0), a - factor * b) for a, b in zip(one, two, strict=True)), F(0))


def test_events_show_no_more_than_there_is():
    chance, shown = random.Random(7), 0
    for _ in range(cases(60, 600)):
        hi, lo, apart, clients, factor = drawn(chance)
        other = chance.choice(["first", "second", "third"])
        cut = chance.randint(-3, 4)
        held = sums_by_hand.alike(apart, clients, other)
        truth = F(0)
        for sign, first in ((1, True), (-factor, False)):
            laws = sums_by_hand.seen(hi, lo, apart, clients, held, first)
            for sums, mass in sums_by_hand.joint(laws):
                if sum(sums[: apart[0]]) - sum(sums[apart[0] :]) >= cut:
                    truth += sign * mass
        found = ahead_of(Bits.of(hi, lo), apart, clients, other, cut, factor)
        assert truth - F(1, 10**34) <= found <= truth
        assert found <= sums_by_hand.delta(hi, lo, apart, clients, held, factor)
        shown += found > 0
    assert shown >= 10


def test_binomials_are_below_and_lack_little():
    for trials, chance in ((0, F(1, 3)), (1, F(1, 2)), (7, F(1, 3)), (300, F(1, 50)), (9, F(1))):
        found = binomial(trials, int(chance * WHOLE))
        exact = sums_by_hand.column([F(int(chance * WHOLE), WHOLE)] * trials)
        for at, mass in enumerate(found.chances, found.start):
            assert F(mass, WHOLE) <= exact[at]
        assert 0 <= found.lost < WHOLE >> 110


def test_ratios_have_all_of_the_first_and_bound_it_everywhere():
    """The law of ratios is a distribution whose delta is above, between its corners too."""
    bits, clients, c, reach = Bits.of(F(3, 4), F(1, 4)), 5, 4, 30
    for corner, turned in zip(
        corners(bits, clients, [0, 2, 5], c, reach), (False, True), strict=True
    ):
        law = RatioLaw.of(corner, c)
        assert 0 <= sum(law.chances) + law.endless - WHOLE < WHOLE >> 100
        apart = (0, 1) if turned else (1, 0)
        for factor in (F(0), F(1, 5), F(1), F(7, 5), F(9, 4), F(40)):
            shares = (
                mass * max(F(0), 1 - factor / (1 + F(1, c)) ** k)
                for k, mass in enumerate(law.chances, -reach)
            )
            value = (sum(shares, F(0)) + law.endless) / WHOLE
            assert value >= sums_by_hand.worst(F(3, 4), F(1, 4), apart, clients, factor)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"parts": [0, 5]}, "leave some of the others out"),
        ({"parts": [1, 4]}, "leave some of the others out"),
        ({"parts": [0, 2, 2, 4]}, "do not rise"),
        ({"parts": [4]}, "no parts"),
        ({"steps": 0}, "ratios out of range"),
        ({"reach": 1 << 20}, "too many ratios"),
        ({"reach": 0}, "ratios out of range"),
    ],
)
def test_what_is_no_proof_is_refused(change, reason):
    raw = {"by": "columns", "parts": [0, 4], "steps": 2, "reach": 5} | change
    with pytest.raises(Rejected, match=reason):
        by_columns(Bits.of(F(1, 2), F(1, 4)), (1, 1), 4, F(2), raw)
