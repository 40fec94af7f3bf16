"""Hidden sizes: the one size that all baskets are padded or cut to, and what hiding costs.

With public sizes the amplification over all baskets is infinite: a report of size 3 shows that the
basket had 3 items. Where all baskets are brought to one size M by dummy items (and, to cut, a
random part of longer ones), they are inputs of one select-a-size on n + M items, whose
amplification bounds that over all baskets of up to M items.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from ppdm_formal.declare.families.select_a_size import Randomization, optimal_keep
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.cut import remaining
from ppdm_formal.design.design import MARGIN
from ppdm_formal.design.lds import LowestSupport
from ppdm_formal.design.paper_form import Dyadic, best_paper_form
from ppdm_formal.design.plan import gamma_bound
from ppdm_formal.design.plan_facts import Way
from ppdm_formal.design.request import Request
from ppdm_formal.design.shares import PooledNoise

MAX_TRIED = 100
"""The largest size that is tried as the one to cut to."""

_SMALL = 0.2  # a support that is small enough for its search to suit smaller ones
_RISES = 4  # sizes in a row that must be worse before the search for the best one ends


def used_gamma(request: Request) -> Fraction:
    """The amplification that a plan may have."""
    gamma = gamma_bound(request.rho1, request.rho2)
    return gamma if request.paper else gamma * (1 - MARGIN)


def chosen_size(request: Request) -> int:
    """The one size: as asked for, or for padding the largest, or for cutting the best."""
    if request.longest is not None:
        return request.longest
    if request.hidden == "pad":
        return request.largest
    return best_cut(request).size or request.largest


def best_cut(request: Request) -> Way:
    """The size to cut to that lets the lowest supports be seen, bias included."""
    best: Way | None = None
    rises = 0
    for size in range(request.itemsets, min(request.largest, MAX_TRIED) + 1):
        found = one_size(request, size)
        if best is None or found.worst < best.worst:
            best, rises = found, 0
        else:
            rises += 1
        if rises == _RISES and best.worst < float("inf"):
            break
    assert best is not None
    return best


def one_size(request: Request, size: int) -> Way:
    """All baskets brought to one size."""
    lds, needed = {}, {}
    for k in range(1, request.itemsets + 1):
        absent, held = paper_noise(size, used_gamma(request), request.itemsets, request.clients)[k]
        found = PooledNoise(absent, held, Fraction(1))
        lds[k] = _seen(found, request.clients)
        kept = float(remaining(request.histogram, size, k).evenly)
        known = lds[k]
        needed[k] = None if known is None or known > kept else known / kept
    return Way("cut" if size < request.largest else "pad", size, lds, needed)


def public_sizes(request: Request) -> Way:
    """Each size with its own form, longer baskets than the longest cut to it."""
    lds, needed = {}, {}
    counts = {0: request.histogram.get(0, 0), **request.sizes}
    longest = max(counts)
    for k in range(1, request.itemsets + 1):
        pooled = PooledNoise.over(
            counts,
            k,
            lambda m, k=k: paper_noise(  # type: ignore[misc]
                m, used_gamma(request), min(m, request.itemsets), request.clients
            )[k],
        )
        lds[k] = _seen(pooled, request.clients)
        kept = float(remaining(request.histogram, longest, k).evenly)
        known = lds[k]
        needed[k] = None if known is None or known > kept else known / kept
    return Way("public", None, lds, needed)


def ways(request: Request) -> Iterator[Way]:
    """Public, padded and cut, to compare: all in the paper's form."""
    whole = replace(request, hidden="cut", longest=None)
    if request.largest <= MAX_TRIED:
        yield public_sizes(whole)
        yield one_size(whole, request.largest)
    cut = best_cut(whole)
    if cut.sizes == "cut":
        yield cut


def _seen(noise: PooledNoise, clients: int) -> float | None:
    found: LowestSupport = noise.lds(Fraction(clients))
    return float(found) if noise.discoverable(found) else None


def searched_with(size: int, gamma: Fraction, itemsets: int, transactions: int) -> int:
    """How many transactions to assume in the search for one of many sizes: all, or more.

    The lowest discoverable support of one size alone may be near 1 or beyond; what is best there
    is not best for pooled estimates, which see small supports.
    """
    while _paper_form(size, gamma, itemsets, transactions).lds > _SMALL:
        transactions *= 16
    return transactions


@lru_cache(maxsize=1000)
def _paper_form(size: int, gamma: Fraction, itemsets: int, transactions: int) -> Dyadic:
    return best_paper_form(size, gamma, range(1, itemsets + 1), transactions).chosen


@lru_cache(maxsize=1000)
def paper_noise(
    size: int, gamma: Fraction, itemsets: int, transactions: int
) -> dict[int, tuple[Fraction, Fraction]]:
    """v_0 and v_k of the paper's form for one size, by k."""
    assumed = searched_with(size, gamma, itemsets, transactions)
    chosen = _paper_form(size, gamma, itemsets, assumed)
    keep = optimal_keep(size, chosen.insert, chosen.cutoff, gamma)
    found = moments(Randomization(size, chosen.insert, keep), itemsets)
    return {k: (found.noise(k)[0], found.noise(k)[-1]) for k in range(1, itemsets + 1)}
