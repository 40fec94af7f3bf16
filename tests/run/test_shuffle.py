"""Shuffling: every order is equally likely, exactly; whatever is shuffled comes out once."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest
from draw_oracle import Branch, Path, induced

from ppdm_formal.run import shuffle
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.shuffle import Held, Shuffle, permutation
from ppdm_formal.run.simulation import Simulation


class FirstTimes:
    """What is held is too much so many times, and then never again."""

    def __init__(self, times):
        self.left = times

    def exceeded_by(self, rows, size):
        self.left -= 1
        return self.left >= 0


def shuffled(count, bits, folder, held=None, buckets=shuffle.BUCKETS, at_once=1):
    """The order in which 0..count-1 come out, added so many at once."""
    with Shuffle(bits, folder, held, buckets) as mixed:
        for start in range(0, count, at_once):
            mixed.add((np.arange(start, min(count, start + at_once)),))
        return tuple(k for [rows] in mixed.drain() for k in rows.tolist())


def uniform(count):
    return dict.fromkeys(itertools.permutations(range(count)), Fraction(1, math.factorial(count)))


@pytest.mark.parametrize("count", range(6))
def test_fisher_and_yates_give_every_order_the_same_probability(count):
    assert induced(lambda bits: tuple(permutation(count, bits).tolist())) == uniform(count)


def test_places_that_are_drawn_in_parts(monkeypatch):
    monkeypatch.setattr(shuffle, "DRAWN", 2)
    assert induced(lambda bits: tuple(permutation(4, bits).tolist())) == uniform(4)


@pytest.mark.parametrize(("count", "buckets"), [(2, 3), (3, 2), (3, 3), (4, 2)])
@pytest.mark.parametrize("at_once", [1, 2])
def test_buckets_give_every_order_the_same_probability(tmp_path, count, buckets, at_once):
    """Rows are scattered once for every time that some are added, and once more at the end."""
    times = -(-count // at_once)

    def draw(bits):
        return shuffled(count, bits, tmp_path, FirstTimes(times), buckets, at_once)

    assert induced(draw) == uniform(count)


def test_a_bucket_that_is_too_large_is_shuffled_again(tmp_path):
    """It may be too large ever again, so that no depth decides all; what is decided is uniform."""
    decided = defaultdict(Fraction)
    open_mass = Fraction(0)
    waiting = [((), Fraction(1))]
    while waiting:
        path, mass = waiting.pop()
        try:
            decided[shuffled(3, Path(path), tmp_path, Held(rows=2), 2)] += mass
        except Branch as branch:
            if len(path) >= 9:
                open_mass += mass
            else:
                waiting += [
                    ((*path, k), mass * part) for k, part in enumerate(branch.masses) if part
                ]
    assert len(decided) == 6
    assert len(set(decided.values())) == 1
    assert sum(decided.values()) + open_mass == 1
    assert 0 < open_mass < Fraction(1, 10)


def chi_square(seen, cells):
    expected = sum(seen.values()) / cells
    return sum((seen[k] - expected) ** 2 / expected for k in seen) + expected * (cells - len(seen))


@pytest.mark.parametrize(("held", "times"), [(None, 12_000), (Held(rows=2), 3_600)])
def test_all_orders_of_five_rows(tmp_path, held, times):
    """119 degrees of freedom: mean 119, standard deviation 15.4; 5 of those are rare enough."""
    bits = Simulation(11)
    seen = Counter(shuffled(5, bits, tmp_path, held, 4) for _ in range(times))
    assert set(seen) == set(itertools.permutations(range(5)))
    assert 119 - 5 * 15.4 < chi_square(seen, 120) < 119 + 5 * 15.4


def test_the_test_of_orders_notices_a_wrong_algorithm():
    """Every place exchanged with any place, which is not Fisher and Yates."""
    draw = np.random.Generator(np.random.PCG64(11))

    def wrong():
        order = list(range(5))
        for k in range(5):
            j = int(draw.integers(5))
            order[k], order[j] = order[j], order[k]
        return tuple(order)

    assert chi_square(Counter(wrong() for _ in range(12_000)), 120) > 119 + 20 * 15.4


@pytest.mark.parametrize("held", [None, Held(rows=5_000)])
def test_where_a_row_came_from_says_nothing_of_where_it_goes(tmp_path, held):
    count = 100_000
    out = np.array(shuffled(count, Keystream(), tmp_path, held, at_once=7_000))
    assert np.array_equal(np.sort(out), np.arange(count))
    places = np.arange(count)
    assert abs(np.corrcoef(places, out)[0, 1]) < 6 / count**0.5
    # of entries that stay, and of neighbours that stay neighbours, there is one on average
    assert np.count_nonzero(out == places) < 15
    assert np.count_nonzero(np.diff(out) == 1) < 15
    # thirds of the input over thirds of the output
    table = np.histogram2d(out, places, bins=3)[0]
    assert ((table - count / 9) ** 2 / (count / 9)).sum() < 50


@pytest.mark.parametrize(
    "held", [None, Held(rows=40), Held(bytes=2_000), Held(rows=3), Held(bytes=1)]
)
def test_rows_stay_whole(tmp_path, held):
    """Columns of several kinds belong together before and after, also through files in files."""
    rng = np.random.Generator(np.random.PCG64(5))
    count = 300
    sets = [rng.integers(0, 1000, size).tolist() for size in rng.integers(0, 9, count)]
    seeds = rng.integers(0, 1 << 62, (count, 3)).astype(np.uint64)
    small = rng.integers(0, 7, count).astype(np.uint8)
    with Shuffle(Simulation(3), tmp_path, held, 4) as mixed:
        for start in range(0, count, 31):
            part = slice(start, start + 31)
            mixed.add((Baskets.of(sets[part]), seeds[part], small[part]))
        assert mixed.rows == count
        found = []
        for baskets, words, codes in mixed.drain():
            assert words.dtype == np.uint64
            assert codes.dtype == np.uint8
            rows = zip(baskets.lists(), words.tolist(), codes.tolist(), strict=True)
            found += [(tuple(a), tuple(b), c) for a, b, c in rows]
    given = list(zip(map(tuple, sets), map(tuple, seeds.tolist()), small.tolist(), strict=True))
    assert found != given
    assert Counter(found) == Counter(given)


def test_nothing_shuffled_is_nothing(tmp_path):
    assert shuffled(0, Simulation(1), tmp_path) == ()


def test_the_file_has_no_name_and_is_closed(tmp_path):
    with Shuffle(Simulation(1), tmp_path, Held(rows=10), 4) as mixed:
        mixed.add((np.arange(100),))
        assert list(tmp_path.iterdir()) == []
        rows = mixed.drain()
        next(rows)
        assert list(tmp_path.iterdir()) == []
    assert mixed._file.closed
