"""Every generator: Definition 5 exactly, for small ones by listing all seeds."""

import itertools

import numpy as np
import pytest

from ppdm_formal.itemsets.seed_size import seed_sizes
from ppdm_formal.run.compress.chooser import KINDS, generator_of
from ppdm_formal.run.compress.generator import values

LISTED = 10  # bits of seeds that are all listed


def small():
    """All generators with few seeds, numerators going round."""
    found = []
    for items, bits in itertools.product(range(1, 11), range(1, 5)):
        for q in range(1, items + 1):
            for name, size in seed_sizes(items, bits, q).items():
                if size <= LISTED:
                    numerator = 1 + (items + q) % ((1 << bits) - 1)
                    found.append(KINDS[name](items, q, numerator, bits))
    return found


SMALL = small()


def test_every_kind_is_among_the_small_ones():
    assert {type(one) for one in SMALL} == set(KINDS.values())
    assert len(SMALL) > 100


@pytest.mark.parametrize("generator", SMALL, ids=repr)
def test_all_seeds_make_every_q_items_uniform(generator):
    """Definition 5, and more: the b-bit numbers of any q items are independent and uniform."""
    seeds = np.arange(1 << generator.seed_bits, dtype=np.uint64)[:, None]
    found = values(generator, seeds, np.arange(generator.items, dtype=np.uint64)).astype(np.int64)
    cells = 1 << generator.bits * generator.q
    for chosen in itertools.combinations(range(generator.items), generator.q):
        cell = np.zeros(len(seeds), dtype=np.int64)
        for item in chosen:
            cell = (cell << generator.bits) | found[:, item]
        assert (np.bincount(cell, minlength=cells) == len(seeds) // cells).all()


@pytest.mark.parametrize("generator", SMALL, ids=repr)
def test_json_and_back(generator):
    assert generator_of(generator.to_json()) == generator
