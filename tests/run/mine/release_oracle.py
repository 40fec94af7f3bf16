"""Apriori over estimated supports, from its description, on top of `supports` of single sets."""

from itertools import combinations
from statistics import NormalDist

import numpy as np

from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.supports import supports


def estimate(releases, itemset, least):
    """The estimate of one set, and its deviation were its support the least; or None."""
    try:
        found = supports(releases, [itemset])
    except ReleaseError:
        return None
    return found[0], float(found.variance.at(np.array([least]), "clients")[0]) ** 0.5


def chance(estimate, least, deviation, skewness):
    """Of an estimate as large, where the support is the least; Cornish-Fisher for skewed noise."""
    z = (estimate - least) / deviation
    z -= skewness * (z * z - 1) / 6
    return 1 - NormalDist().cdf(z)


def sure(chances, rate):
    """Benjamini and Hochberg's list among those with a chance of at most 1/2, each doubled."""
    some = {one: 2 * p for one, p in chances.items() if p <= 0.5}
    order = sorted(some, key=some.get)
    most = 0
    for place, one in enumerate(order, start=1):
        if some[one] * len(order) <= rate * place:
            most = place
    return set(order[:most])


def mined(releases, items, least, credible, skewness, lowered=1.0, rate=0.05):
    """{itemset: estimate} of the sets listed, and of those pursued; credible, skewness: by size."""
    listed, pursued = {}, {}
    for size in range(1, items + 1):
        found, chances = {}, {}
        for itemset in combinations(range(items), size):
            parts = combinations(itemset, size - 1)
            if size > 1 and not all(part in pursued for part in parts):
                continue
            told = estimate(releases, itemset, least)
            if told is None:
                continue
            one, there = told
            chances[itemset] = chance(one.estimate, least, there, skewness[size])
            if one.estimate < credible[size] * one.clients:
                continue
            if one.estimate >= least - lowered * one.clients:
                found[itemset] = one
        pursued |= found
        listed |= {s: found[s] for s in sure(chances, rate) if s in found}
    return listed, pursued
