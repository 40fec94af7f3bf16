"""Mutual information after shuffling: between its two bounds, against all histograms."""

import itertools
import math
import random

import numpy as np
import pytest
from how_many import cases

from ppdm_formal.derive.measures.crowd_information import Likelihoods


def row(chance, width):
    weights = [chance.choice([0, 1, 2, 3, 5]) for _ in range(width)]
    weights[chance.randrange(width)] += 1
    return [w / sum(weights) for w in weights]


def by_listing(rows, prior, others):
    """I(X; histogram) in bits, the others having these laws."""
    laws = []
    for own in rows:
        seen = {}
        for sequence in itertools.product(range(len(own)), repeat=len(others) + 1):
            p = own[sequence[0]] * math.prod(
                law[y] for law, y in zip(others, sequence[1:], strict=True)
            )
            key = tuple(sorted(sequence))
            seen[key] = seen.get(key, 0.0) + p
        laws.append(seen)
    told = 0.0
    for h in {h for law in laws for h in law}:
        mean = sum(w * law.get(h, 0.0) for w, law in zip(prior, laws, strict=True))
        for w, law in zip(prior, laws, strict=True):
            if w * law.get(h, 0.0) > 0:
                told += w * law[h] * math.log2(law[h] / mean)
    return told


def test_it_lies_between_the_bounds_whatever_the_others_have():
    chance = random.Random(3)
    for _ in range(cases(25, 300)):
        inputs, outputs = chance.choice([2, 3]), chance.choice([2, 3])
        rows = [row(chance, outputs) for _ in range(inputs)]
        prior = row(chance, inputs)
        clients = chance.randint(1, 4)
        shown = Likelihoods(np.array(rows), np.array(prior))
        every = [
            by_listing(rows, prior, others)
            for others in itertools.combinations_with_replacement(rows, clients - 1)
        ]
        blanket = np.array(rows).min(axis=0)
        assert shown.least(clients) <= max(every) + 1e-12
        assert max(every) <= shown.most(clients, blanket) + 1e-12
        law = np.array(prior) @ np.array(rows)
        drawn = by_listing(rows, prior, [list(law)] * (clients - 1))
        assert shown.least_beside(law, clients) - 1e-12 <= drawn
        assert drawn <= shown.most(clients, law) + 1e-12


def test_it_falls_as_one_over_n_and_the_bounds_meet():
    """Warner's response with 3/4, others of the same prior: n I = 0.1803 bits in the limit."""
    shown = Likelihoods(np.array([[3, 1], [1, 3]]) / 4, np.array([0.5, 0.5]))
    law = np.array([0.5, 0.5])
    assert shown.of_one() == pytest.approx(0.18872, abs=1e-5)
    for clients in (100, 1000, 10_000):
        low, high = shown.least_beside(law, clients), shown.most(clients, law)
        assert low <= high <= low * (1 + 3 / clients)
        assert clients * low == pytest.approx(0.1803, abs=0.002)
