"""Every generator: Definition 5 exactly, small ones on all seeds or on all sets of q items."""

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.design.seed_size import SIZES, seed_sizes
from ppdm_formal.run.compress.chooser import (
    KINDS,
    best_generator,
    dyadic,
    generator_of,
    generators,
)
from ppdm_formal.run.compress.generator import MAX_ITEMS, values
from ppdm_formal.run.compress.guarantee import guarantee
from ppdm_formal.run.compress.independence import (
    as_integers,
    check_independence,
    independent,
    rank,
)
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.compress.twisted import TwistedBCH
from ppdm_formal.run.errors import DataError


def small(name, most_bits, most_items=10):
    """All generators of a kind whose seeds are short, numerators going round."""
    for items, bits in itertools.product(range(1, most_items + 1), range(1, 5)):
        for q in range(1, items + 1):
            size = SIZES[name](items, bits, q)
            if size is not None and size <= most_bits:
                numerator = 1 + (items + q) % ((1 << bits) - 1)
                yield KINDS[name](items, q, numerator, bits)


@pytest.mark.parametrize("name", KINDS)
def test_all_seeds_make_every_q_items_uniform(name):
    """Definition 5, and more: the b-bit numbers of any q items are independent and uniform."""
    seen = 0
    for generator in small(name, 10):
        seen += 1
        seeds = np.arange(1 << generator.seed_bits, dtype=np.uint64)[:, None]
        items = np.arange(generator.items, dtype=np.uint64)
        found = values(generator, seeds, items).astype(np.int64)
        cells = 1 << generator.bits * generator.q
        held = found < generator.numerator
        assert (held.mean(axis=0) == float(generator.insert)).all()
        for chosen in itertools.combinations(range(generator.items), generator.q):
            cell = np.zeros(len(seeds), dtype=np.int64)
            for item in chosen:
                cell = (cell << generator.bits) | found[:, item]
            assert (np.bincount(cell, minlength=cells) == len(seeds) // cells).all(), generator
    assert seen > 5


@pytest.mark.parametrize("name", KINDS)
def test_all_sets_of_q_items_are_independent(name):
    for items, bits, q in [
        (16, 1, 5), (17, 1, 4), (17, 2, 4), (15, 2, 4), (16, 3, 3), (9, 1, 6), (9, 2, 6),
        (12, 4, 3), (17, 3, 3), (32, 1, 3), (33, 2, 2), (17, 4, 3), (11, 11, 11), (13, 1, 11),
        (15, 1, 12), (14, 2, 12), (16, 1, 14), (12, 3, 10), (17, 2, 3), (20, 3, 3),
    ]:  # fmt: skip
        size = SIZES[name](items, bits, q)
        if size is not None:
            generator = KINDS[name](items, q, 1, bits)
            checked = check_independence(generator, 10_000)
            assert (checked.holds, checked.all) == (True, True), generator


@pytest.mark.parametrize("name", [name for name in KINDS if name != "direct"])
def test_large_generators_on_sets_drawn_at_random(name):
    for items, bits, q in [
        (100_000, 1, 15), (100_000, 4, 15), (1 << 17, 2, 14), ((1 << 17) + 1, 3, 6), (10**6, 16, 5),
        (1000, 1, 80), (1000, 2, 60), (MAX_ITEMS, 1, 9), (MAX_ITEMS, 5, 4), (MAX_ITEMS - 1, 1, 8),
        (65537, 2, 8), (65536, 8, 7), (255, 1, 60), (511, 1, 90), (255, 2, 90), (4096, 3, 70),
        (65536, 1, 14), (65537, 1, 15), (1 << 20, 1, 6), (1024, 1, 20), (100_000, 2, 3),
        (10**6, 5, 3), (MAX_ITEMS, 16, 3), (4097, 1, 63),
    ]:  # fmt: skip
        if SIZES[name](items, bits, q) is not None:
            checked = check_independence(KINDS[name](items, q, 1, bits), 12)
            assert (checked.holds, checked.all, checked.sets) == (True, False, 12)


@given(st.integers(1, 400), st.integers(1, 6), st.data())
def test_any_items_of_any_generator(items, bits, data):
    q = data.draw(st.integers(1, min(items, 40)))
    chosen = data.draw(st.lists(st.integers(0, items - 1), min_size=q, max_size=q, unique=True))
    for name in seed_sizes(items, bits, q):
        assert independent(KINDS[name](items, q, 1, bits), chosen)


def test_more_than_q_items_can_depend():
    """The check can fail: 2^k values cannot give more than k independent functionals."""
    generator = TwistedBCH(16, 5, 1, 1)
    assert generator.seed_bits == 9
    assert not independent(generator, range(10))


@dataclass(frozen=True)
class Broken(Polynomial):
    """A polynomial's generator in which two items share their point."""

    name: ClassVar[str] = "polynomial"

    def functionals(self, items):
        return super().functionals(np.where(items == 3, np.uint64(5), items))


@pytest.mark.parametrize("bits", [1, 2])
def test_dependent_items_are_found(bits):
    checked = check_independence(Broken(8, 3, 1, bits), 100)
    assert not checked.holds
    assert {3, 5} <= set(checked.dependent)


@dataclass(frozen=True)
class Twice(Polynomial):
    """The last item is the first one again."""

    name: ClassVar[str] = "polynomial"

    def functionals(self, items):
        last = np.uint64(self.items - 1)
        return super().functionals(np.where(items == last, last - np.uint64(1), items))


def test_the_last_items_are_tried_where_not_all_are():
    checked = check_independence(Twice(100_000, 4, 1, 2), 3)
    assert checked.dependent == (99_996, 99_997, 99_998, 99_999)


@given(st.integers(1, 300), st.integers(1, 6), st.data())
def test_functionals_stay_within_the_seed(items, bits, data):
    """No bit behind the seed's last: short cosets, the last block of every kind."""
    q = data.draw(st.integers(1, items))
    chosen = np.array(data.draw(st.lists(st.integers(0, items - 1), max_size=9)), dtype=np.uint64)
    for name, size in seed_sizes(items, bits, q).items():
        rows = KINDS[name](items, q, 1, bits).functionals(chosen)
        assert all(row >> size == 0 for row in as_integers(rows))


def test_ranks_against_all_sums():
    rows = [0b1011, 0b0110, 0b1101, 0b0001, 0]
    for chosen in itertools.product([False, True], repeat=len(rows)):
        kept = [row for row, use in zip(rows, chosen, strict=True) if use]
        sums = {0}
        for row in kept:
            sums |= {other ^ row for other in sums}
        assert len(sums) == 2 ** rank(kept)


def test_the_points_of_the_last_items_fit():
    """All items of the largest codes, infinity included, differ pairwise."""
    for items, bits, q in [(17, 2, 4), (33, 1, 4), (257, 3, 8), (129, 2, 3), (128, 1, 7)]:
        rows = TwistedBCH(items, q, 1, bits).functionals(np.arange(items, dtype=np.uint64))
        assert len(np.unique(rows.reshape(items, -1), axis=0)) == items


def test_the_chooser_takes_the_shortest():
    for items, size, itemsets, insert in [
        (100_000, 10, 5, Fraction(1, 16)), (100_000, 10, 5, Fraction(1, 2)),
        (12, 10, 5, Fraction(3, 8)), (5, 1, 1, Fraction(1, 65536)), (1 << 64, 3, 1, Fraction(1, 2)),
    ]:  # fmt: skip
        found = generators(items, size, itemsets, insert)
        assert found[0] == best_generator(items, size, itemsets, insert)
        bits = [one.seed_bits for one in found]
        assert bits == sorted(bits)
        assert {one.q for one in found} == {min(size + itemsets, items)}
        assert {one.insert for one in found} == {insert}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((10, 11, 1, Fraction(1, 2)), "size must be in 1..10"),
        ((10, 0, 1, Fraction(1, 2)), "size must be in 1..10"),
        ((10, 2, 0, Fraction(1, 2)), "1 item or more"),
        (((1 << 64) + 1, 2, 1, Fraction(1, 2)), "64 bits"),
        (((1 << 64) + 1, 2, 1, Fraction(1, 4)), "64 bits"),
        ((10**6, 65536, 1, Fraction(1, 2)), "up to 65536"),
        ((10, 2, 1, Fraction(1, 3)), "a/2"),
        ((10, 2, 1, Fraction(1, 1 << 17)), "a/2"),
        ((10, 2, 1, Fraction(1)), "between 0 and 1"),
        ((10, 2, 1, Fraction(0)), "between 0 and 1"),
    ],
)
def test_what_has_no_generator_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        best_generator(*arguments)


@pytest.mark.parametrize(
    ("items", "q", "numerator", "bits"),
    [
        (0, 1, 1, 1), (5, 6, 1, 1), (5, 0, 1, 1), (5, 2, 2, 1), (5, 2, 0, 1), (5, 2, 1, 17),
        (5, 2, 1, 0), (10**9, 65537, 1, 1), (1 << 64, 1 << 60, 1, 2),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused(items, q, numerator, bits):
    for kind in KINDS.values():
        with pytest.raises(ValueError, match=r"items|rho"):
            kind(items, q, numerator, bits)


def test_a_direct_generator_is_for_nearly_all_items():
    assert KINDS["direct"](5, 4, 1, 1).seed_bits == 5
    with pytest.raises(ValueError, match="no direct generator"):
        KINDS["direct"](100, 4, 1, 1)


@pytest.mark.parametrize("name", [*KINDS])
def test_items_that_do_not_exist_are_refused(name):
    generator = next(one for one in small(name, 40, 5) if one.items == 5 and one.q > 2)
    with pytest.raises(ValueError, match=r"not one of 0\.\.4"):
        generator.functionals(np.array([1, 5], dtype=np.uint64))
    with pytest.raises(ValueError, match="list"):
        generator.functionals(np.array([[1]], dtype=np.uint64))
    assert generator.functionals(np.array([], dtype=np.uint64)).shape == (
        0,
        generator.bits,
        generator.words,
    )


@pytest.mark.parametrize("name", KINDS)
def test_json_and_back(name):
    for generator in small(name, 40, 5):
        assert generator_of(generator.to_json()) == generator


@pytest.mark.parametrize(
    "change",
    [
        {"name": "rot13"}, {"name": None}, {"items": "5"}, {"items": 10**30}, {"q": True},
        {"q": 101}, {"bits": 17}, {"numerator": 0}, {"seed_bits": 5}, {"modulus": 7}, {"degree": 4},
        {"more": 1}, {"first": 1},
    ],
)  # fmt: skip
def test_other_descriptions_are_refused(change):
    written = TwistedBCH(100, 4, 3, 3).to_json()
    assert generator_of(written).seed_bits == written["seed_bits"]
    with pytest.raises(DataError):
        generator_of({**written, **change})


def test_a_description_must_be_complete():
    written = TwistedBCH(100, 4, 3, 3).to_json()
    for key in written:
        with pytest.raises(DataError):
            generator_of({other: value for other, value in written.items() if other != key})
    with pytest.raises(DataError):
        generator_of([])


@given(st.integers(1, 16), st.data())
def test_dyadic_numbers(bits, data):
    numerator = data.draw(st.integers(1, 2**bits - 1))
    a, b = dyadic(Fraction(numerator, 2**bits))
    assert Fraction(a, 2**b) == Fraction(numerator, 2**bits)
    assert a % 2 == 1


def test_the_assumption_is_checked():
    generator = best_generator(1000, 5, 3, Fraction(1, 4))
    assert guarantee(generator, 5, 3).itemsets == 3
    assert guarantee(generator, 8).itemsets == 0
    assert guarantee(generator, 7).to_json()["itemsets"] == 1
    with pytest.raises(ValueError, match="q >= m"):
        guarantee(generator, 9)
    with pytest.raises(ValueError, match="Statement 3"):
        guarantee(generator, 5, 4)
    with pytest.raises(ValueError, match="size must be"):
        guarantee(generator, 0)
    assert guarantee(best_generator(6, 5, 3, Fraction(1, 4)), 5, 3).itemsets == 6
