"""Apriori over estimated supports, from its description, on top of `supports` of single sets."""

from itertools import combinations

from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.supports import supports


def estimate(releases, itemset):
    """The estimate of one set, or None where no group says anything."""
    try:
        return supports(releases, [itemset])[0]
    except ReleaseError:
        return None


def mined(releases, items, least, credible, lowered=1.0):
    """{itemset: estimate} of the sets listed, and of the sets pursued; credible: by size."""
    listed, pursued = {}, {}
    for size in range(1, items + 1):
        found = {}
        for itemset in combinations(range(items), size):
            parts = combinations(itemset, size - 1)
            if size > 1 and not all(part in pursued for part in parts):
                continue
            one = estimate(releases, itemset)
            if one is None or one.estimate < credible[size] * one.clients:
                continue
            if one.estimate >= least - lowered * one.clients:
                found[itemset] = one
        pursued |= found
        listed |= {s: one for s, one in found.items() if one.estimate >= least}
    return listed, pursued
