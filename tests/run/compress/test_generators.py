"""Every generator: Definition 5 exactly, for small ones by listing all seeds."""

import itertools
from collections import Counter

import numpy as np
import pytest

from ppdm_formal.run.compress.chooser import generator_of
from ppdm_formal.run.compress.generator import values
from ppdm_formal.run.compress.polynomial import Polynomial

SMALL = [Polynomial(6, 3, 3, 2), Polynomial(8, 4, 1, 1), Polynomial(5, 2, 5, 4)]


@pytest.mark.parametrize("generator", SMALL, ids=repr)
def test_all_seeds_make_every_q_items_uniform(generator):
    seeds = np.arange(1 << generator.seed_bits, dtype=np.uint64)[:, None]
    found = values(generator, seeds, np.arange(generator.items, dtype=np.uint64))
    cells = 1 << generator.bits * generator.q
    for chosen in itertools.combinations(range(generator.items), generator.q):
        counts = Counter(map(tuple, found[:, chosen].tolist()))
        assert len(counts) == cells
        assert set(counts.values()) == {len(seeds) // cells}


@pytest.mark.parametrize("generator", SMALL, ids=repr)
def test_json_and_back(generator):
    assert generator_of(generator.to_json()) == generator
