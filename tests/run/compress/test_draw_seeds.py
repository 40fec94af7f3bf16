"""Seeds are drawn exactly uniformly among those consistent with what stays."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from draw_oracle import induced
from hypothesis import given
from hypothesis import strategies as st
from seed_cases import LARGE, SMALL, Enumerated, as_integers, held_by

from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.run.compress import draw, kernels
from ppdm_formal.run.compress import generator as generators
from ppdm_formal.run.compress.bch import BCH
from ppdm_formal.run.compress.draw import SeedSampler, draw_seeds, uniform_seeds
from ppdm_formal.run.compress.expand import holds
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.simulation import Simulation


def one_seed(generator, stays, members, bits):
    held, items = np.array([stays]), np.array([members], dtype=np.uint64)
    return as_integers(draw_seeds(generator, held, items, bits))[0]


@pytest.mark.parametrize("generator", SMALL, ids=str)
def test_every_consistent_seed_is_equally_likely(generator):
    """All draws enumerated, for every choice of what stays of a transaction."""
    sets = held_by(generator, range(1 << generator.seed_bits))
    size = min(2, generator.q)
    members = (generator.items - 1, *range(size - 1))
    for stays in itertools.product([False, True], repeat=size):
        law = induced(lambda bits, s=stays: one_seed(generator, s, members, bits), Enumerated)
        kept = {item for item, stay in zip(members, stays, strict=True) if stay}
        consistent = [seed for seed, found in enumerate(sets) if found & set(members) == kept]
        assert law == dict.fromkeys(consistent, Fraction(1, len(consistent)))


@pytest.mark.parametrize("generator", [SMALL[0], SMALL[3]], ids=str)
def test_the_whole_operator_has_the_law_of_statement_4(generator):
    """P[R'(t) = seed] = p[j] / C(m, j) / (2^k rho^j (1 - rho)^(m - j)), j = |tau(seed) & t|."""
    keep = [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
    law = select_a_size(generator.items, 2, generator.insert, keep=keep).law
    members = (1, 3)

    def whole(bits):
        return one_seed(generator, law.stays(1, bits)[0].tolist(), members, bits)

    rho, count = generator.insert, 1 << generator.seed_bits
    expected = {}
    for seed, found in enumerate(held_by(generator, range(count))):
        j = len(found & set(members))
        expected[seed] = keep[j] / math.comb(2, j) / (count * rho**j * (1 - rho) ** (2 - j))
    assert induced(whole, Enumerated) == expected


@pytest.mark.parametrize("generator", LARGE, ids=str)
@pytest.mark.parametrize("compiled", [True, False])
def test_exactly_what_should_stay_stays(generator, compiled, monkeypatch):
    rng = np.random.default_rng(7)
    size = min(generator.q, 10)
    members = np.array(
        [rng.choice(min(generator.items, 10**6), size, replace=False) for _ in range(300)]
    ).astype(np.uint64) * np.uint64(generator.items // min(generator.items, 10**6))
    held = rng.random(members.shape) < 0.5
    expected = draw_seeds(generator, held, members, Simulation(3))
    if not compiled:
        monkeypatch.setattr(kernels, "compiled", lambda function: None)
    seeds = draw_seeds(generator, held, members, Simulation(3))
    assert (seeds == expected).all()
    for row in range(0, 300, 6):
        assert (holds(generator, seeds[row : row + 1], members[row])[0] == held[row]).all()
    above = generator.seed_bits % 64
    if above:
        assert not (seeds[:, -1] >> np.uint64(above)).any()


@given(st.integers(2, 40), st.integers(1, 6), st.integers(1, 5), st.data(), st.integers(0, 2**32))
def test_numpy_and_compiled_code_draw_the_same_seeds(items, q, bits, data, seed):
    q = min(q, items)
    generator = Polynomial(items, q, data.draw(st.integers(1, 2**bits - 1)), bits)
    members = data.draw(
        st.lists(
            st.lists(st.integers(0, items - 1), min_size=q, max_size=q, unique=True),
            min_size=1, max_size=4,
        )
    )  # fmt: skip
    rows = np.array(members, dtype=np.uint64)
    held = np.random.default_rng(seed).random(rows.shape) < 0.5
    found = draw_seeds(generator, held, rows, Simulation(seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "compiled", lambda function: None)
        assert (draw_seeds(generator, held, rows, Simulation(seed)) == found).all()
    sets = held_by(generator, as_integers(found))
    for row, stays, whole in zip(members, held.tolist(), sets, strict=True):
        assert [item in whole for item in row] == stays


def test_a_million_draws_of_a_large_generator():
    """Items of a basket are as told; others 1/2 each, pairwise independent. By chi-square.

    Statement 3: with q = 15 and m = 10, any five items of others are independent coins.
    """
    generator = BCH(100_000, 15, 1, 1)
    members = np.arange(10, dtype=np.uint64) * np.uint64(11_111)
    count = 1_000_000
    held = np.broadcast_to(np.arange(10) % 2 == 0, (count, 10))
    sampler = SeedSampler(generator)
    seeds = sampler.draw(held, np.broadcast_to(members, (count, 10)), Simulation(11))
    assert (holds(generator, seeds, members) == held).all()
    others = np.array([1, 2, 500, 65_535, 99_998], dtype=np.uint64)
    numbers = holds(generator, seeds, others) @ (1 << np.arange(5))
    seen = np.bincount(numbers, minlength=32)
    assert ((seen - count / 32) ** 2).sum() / (count / 32) < 31 + 7 * (2 * 31) ** 0.5
    # The seeds themselves, 136 bits: sums of some of them.
    for mask in (0b1011 << 20, 0xFFFF_FFFF, 1 << 63):
        ones = np.bitwise_count(seeds[:, 1] & np.uint64(mask)) & 1
        assert abs(int(ones.sum()) - count / 2) < 7 * count**0.5 / 2


def test_blocks_and_tables_make_no_difference(monkeypatch):
    generator = Polynomial(50, 6, 3, 3)
    rng = np.random.default_rng(1)
    members = np.array([rng.choice(50, 4, replace=False) for _ in range(500)]).astype(np.uint64)
    held = rng.random(members.shape) < 0.3
    monkeypatch.setattr(draw, "BLOCK_BYTES", 1)  # blocks of 64 transactions
    looked_up = draw_seeds(generator, held, members, Simulation(4))
    monkeypatch.setattr(generators, "TABLE_BYTES", 0)
    monkeypatch.setattr(generators, "_tables", {})
    assert (draw_seeds(generator, held, members, Simulation(4)) == looked_up).all()
    assert (holds(generator, looked_up, np.arange(50, dtype=np.uint64)).sum() > 0).all()


def test_tables_are_kept_within_bounds(monkeypatch):
    monkeypatch.setattr(generators, "TABLE_BYTES", 3000)
    monkeypatch.setattr(generators, "_tables", {})
    first, second = Polynomial(100, 3, 1, 2), Polynomial(90, 3, 1, 2)
    kept = generators.kept_table(first, replacing=False)
    assert kept.nbytes == 1600
    assert generators.kept_table(first, replacing=True) is kept
    assert generators.kept_table(second, replacing=False) is None
    assert generators.kept_table(Polynomial(500, 3, 1, 1), replacing=True) is None
    assert generators.kept_table(second, replacing=True).nbytes == 1440
    assert list(generators._tables) == [second]


def test_uniform_seeds_are_as_long_as_they_should_be():
    for seed_bits in (1, 63, 64, 65, 136, 255):
        seeds = as_integers(uniform_seeds(4000, seed_bits, Keystream()))
        assert 0 <= min(seeds) <= max(seeds) < 1 << seed_bits
        for bit in (0, seed_bits - 1):
            assert abs(sum(seed >> bit & 1 for seed in seeds) - 2000) < 7 * 4000**0.5 / 2


@pytest.mark.parametrize("compiled", [True, False])
def test_what_has_no_seed_is_refused(compiled, monkeypatch):
    generator = Polynomial(20, 4, 1, 1)
    if not compiled:
        monkeypatch.setattr(kernels, "compiled", lambda function: None)

    def drawn(members, held=None):
        rows = np.array(members, dtype=np.uint64)
        return draw_seeds(
            generator, np.zeros(rows.shape, bool) if held is None else held, rows, Simulation(1)
        )

    with pytest.raises(ValueError, match="twice"):
        drawn([[1, 2, 3], [4, 4, 5]])
    with pytest.raises(ValueError, match="4-wise"):
        drawn([[1, 2, 3, 4, 5]])
    with pytest.raises(ValueError, match="not among"):
        drawn([[1, 20]])
    with pytest.raises(ValueError, match="which items stay"):
        drawn([[1, 2]], np.zeros((1, 3), bool))
    assert drawn(np.empty((0, 3))).shape == (0, 1)
