"""Seed sizes and their bounds: the paper's numbers, and the formulas' meaning by brute force."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.design.seed_size import (
    _rao_ends,
    bch_bits,
    compressed_bits,
    exponents,
    level_bound_bits,
    paper_bits,
    rao_bits,
    seed_sizes,
    shortest,
    strength,
    uncompressed_bits,
)


def test_the_papers_sizes_and_ours():
    assert seed_sizes(100_000, 1, 15) == {
        "bch": 136, "extended-bch": 120, "polynomial": 255, "twisted-bch": 120,
        "goppa": 120,
    }  # fmt: skip
    assert seed_sizes(100_000, 4, 15)["bch"] == 570
    assert seed_sizes(100_000, 4, 15)["polynomial"] == 255
    assert shortest(100_000, 4, 15) == ("twisted-bch", 242)
    assert uncompressed_bits(100_000, Fraction(1, 16)) == 33_729
    assert rao_bits(100_000, 15) == 105


@pytest.mark.parametrize(
    ("bits", "paper", "ours", "bound"),
    [
        (1, 136, 120, 105), (2, 270, 189, 118), (3, 437, 224, 127), (4, 570, 242, 136),
        (8, 1200, 246, 168), (16, 2520, 254, 240),
    ],
)  # fmt: skip
def test_the_table_of_the_documentation(bits, paper, ours, bound):
    assert paper_bits(100_000, bits, 15) == paper
    assert shortest(100_000, bits, 15)[1] == ours
    assert level_bound_bits(100_000, bits, 15) == bound


@pytest.mark.parametrize(
    ("items", "bits", "q"),
    [*product((2, 3, 31, 32), (1, 5), (1, 2)), (3, 1, 3), (7, 1, 7), (3, 5, 3), (31, 1, 31)],
)
def test_the_papers_degree_is_the_least_that_is_long_enough(items, bits, q):
    rows = math.ceil(bits * q / 2)
    least = next(r for r in range(1, 99) if 2**r - 1 >= bits * items and rows <= 2 ** (r - 1) - 1)
    assert bch_bits(items, bits, q) == least * rows


@given(st.integers(2, 10**6), st.integers(1, 16), st.integers(1, 60))
def test_usual_sizes_of_twisted_codes(items, bits, q):
    """No coset wraps around: b + r (q - 1 - floor((q - 1)/2^b)), and b less where 2^b divides q."""
    degree = max((items - 1).bit_length(), bits)
    if q * q * 4 < 2**degree and items & (items - 1) and (items - 1) & (items - 2):
        expected = bits + degree * (q - 1 - (q - 1) // 2**bits)
        expected -= bits if q % 2**bits == 0 else 0
        assert seed_sizes(items, bits, q)["twisted-bch"] == expected


@given(st.integers(1, 9), st.integers(1, 5), st.sampled_from([0, 1]), st.data())
def test_exponents_that_are_kept_imply_all_others(degree, bits, first, data):
    last = data.draw(st.integers(first, (1 << degree) - 1))
    found = exponents(degree, bits, first, last)
    order = (1 << degree) - 1
    implied = set(found.single)
    for j, width in found.full:
        coset = {j * 2**i % order or order for i in range(degree)}
        assert len(coset) == width
        implied |= coset
        assert degree * len(coset & set(range(1, last + 1))) > bits * width
    assert set(range(1, last + 1)) <= implied


@given(st.integers(1, 10), st.integers(1, 5), st.sampled_from([0, 1]), st.data())
def test_every_coset_takes_the_cheaper_way(degree, bits, first, data):
    order = (1 << degree) - 1
    last = data.draw(st.integers(first, order))
    cosets = {}
    for j in range(1, last + 1):
        coset = frozenset(j * 2**i % order for i in range(degree))
        cosets.setdefault(coset, []).append(j)
    cost = sum(min(degree * len(js), bits * len(coset)) for coset, js in cosets.items())
    constant = 0 if first else bits
    assert exponents(degree, bits, first, last).seed_bits(bits) == constant + cost


@given(st.integers(1, 500), st.integers(1, 12), st.data())
def test_no_size_is_below_a_bound(items, bits, data):
    q = data.draw(st.integers(1, items))
    sizes = seed_sizes(items, bits, q)
    assert min(sizes.values()) >= level_bound_bits(items, bits, q) >= rao_bits(items, q)
    if bits >= (items - 1).bit_length() or q == items:
        assert min(sizes.values()) == bits * q  # nothing shorter is possible


@given(st.integers(1, 60), st.integers(2, 5), st.data())
def test_raos_count(items, levels, data):
    q = data.draw(st.integers(1, items))
    half = q // 2
    count = sum(math.comb(items, i) * (levels - 1) ** i for i in range(half + 1))
    if q % 2:
        count += math.comb(items - 1, half) * (levels - 1) ** (half + 1)
    bits = rao_bits(items, q, levels)
    assert 2 ** (bits - 1) < count <= 2**bits


@given(st.integers(2, 300), st.integers(1, 5), st.integers(8, 40), st.data())
def test_raos_count_from_few_bits(items, others, width, data):
    """However few bits of its terms are kept, the ends hold the exact number between them."""
    q = data.draw(st.integers(1, items))
    low, high = _rao_ends(items, q, others, width)
    assert low <= rao_bits(items, q, others + 1) <= high


@given(st.integers(1, 10**7), st.integers(1, 12), st.data())
def test_entropies(items, bits, data):
    rho = data.draw(st.integers(1, 2**bits - 1)) / 2**bits
    entropy = -items * (rho * math.log2(rho) + (1 - rho) * math.log2(1 - rho))
    found = uncompressed_bits(items, Fraction(rho))
    assert found - 1e-6 <= entropy <= found + 1 + 1e-6


def test_what_transactions_need():
    assert strength(100, 10, 5) == 15
    assert strength(12, 10, 5) == 12
    assert compressed_bits(100_000, 4, 10, 5) == 242
    for wrong in [(5, 6, 1), (5, 0, 1), (5, 2, 0)]:
        with pytest.raises(ValueError, match=r"size must be|1 item or more"):
            strength(*wrong)
