"""SLIM (Smets, Vreeken 2012): candidates are unions of two elements, the most promising first.

How much the union of X and Y would save is estimated from how often the two are used together,
as if nothing else changed. The first candidate that does make L(D, CT) smaller is taken, what it
made superfluous is pruned, and the search begins anew; it ends when no candidate promises anything.
"""

from __future__ import annotations

import numpy as np

from ppdm_formal.infer.baskets.frequent import Say
from ppdm_formal.infer.baskets.kernels import Counts
from ppdm_formal.tables.generate import krimp_kernels as kernels
from ppdm_formal.tables.generate.code_search import Search, run
from ppdm_formal.tables.generate.krimp_kernels import LEAST_GAIN, Floats


def slim(search: Search, least: int, say: Say = str) -> None:
    """Add unions of elements until none helps; `least`: how many transactions must hold one."""
    refused: dict[tuple[int, ...], int] = {}
    """Candidates that did not help, and how often their parts were used together then."""
    while _step(search, least, refused):
        say(f"{len(search.present):,} itemsets")


def _step(search: Search, least: int, refused: dict[tuple[int, ...], int]) -> bool:
    """Take the most promising candidate that helps; False where there is none."""
    state = search.state
    chosen = np.array([*range(search.items), *search.present.values()], dtype=np.int32)
    chosen = chosen[state.usage[chosen] > 0]
    place = np.full(len(state.usage), -1, dtype=np.int32)
    place[chosen] = np.arange(len(chosen))
    together = np.zeros((len(chosen), len(chosen)), dtype=np.int64)
    run(kernels.used_together, state, place, together)
    first, second = np.nonzero(together)
    both = together[first, second]
    gains = promised(
        state.usage[chosen],
        state.standard[chosen],
        first,
        second,
        both,
        search.total,
        search.used,
    )
    gains = np.round(gains, 6)  # so that ties stay ties
    order = np.argsort(-gains, kind="stable")
    for number in order[: int(np.count_nonzero(gains > 0))].tolist():
        union = state.bits[chosen[first[number]]] | state.bits[chosen[second[number]]]
        key = tuple(union.tolist())
        times = int(both[number])
        if key in search.present or times <= refused.get(key, -1):
            continue
        if search.put(union) >= least:
            spot = search.spot()
            touched, grown = search.tries(spot, adding=True)
            if grown < -LEAST_GAIN:
                search.prune(search.accept(spot, touched, adding=True))
                return True
            search.discard(touched)
        refused[key] = times
    return False


def promised(
    usage: Counts,
    standard: Floats,
    first: Counts,
    second: Counts,
    both: Counts,
    total: int,
    used: int,
) -> Floats:
    """By how many bits L would shrink if each pair became an element, used where both are now."""
    x, y = usage[first], usage[second]
    items_x, items_y = standard[first], standard[second]
    less_x, less_y = x - both, y - both
    now = used + 1 - (less_x == 0) - (less_y == 0)
    total_now = total - both
    worths = _worth(both, items_x + items_y)
    worths += _worth(less_x, items_x) - _worth(x, items_x)
    worths += _worth(less_y, items_y) - _worth(y, items_y)
    grown = (total_now + now) * np.log2(total_now) - (total + used) * np.log2(total)
    return np.asarray(worths - grown)


def _worth(usage: Counts, standard: Floats) -> Floats:
    """The kernels' `worth`, of many at once."""
    some = (usage + 1) * np.log2(np.maximum(usage, 1)) - standard
    return np.where(usage > 0, some, 0.0)
