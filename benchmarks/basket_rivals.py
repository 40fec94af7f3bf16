"""Rivals of ours on baskets, simulated at the same gamma with sizes hidden.

No benchmark of its own. SVIM and SVSM after the paper (Wang, Li and Jha 2018) and what its
authors' public code adds: shares of clients, the length that 90% of clients stay within, when
k-ary response takes the place of hashing, and what makes up for the pairs beyond that length.
Candidates are pairs alone here. PrivSet after the paper (Wang et al. 2018) and its authors' public
code: the size of reports with the least error bound. Baskets are padded or cut to their mean size,
which is told to it. The guess: everybody is asked about items in our best way, and a pair is its
items' product. Today's plans: select-a-size on baskets cut to L, the best rho and cutoff for items
or for pairs at support 0, and estimates as they come.
"""

from __future__ import annotations

from functools import cache
from math import comb, inf

import numpy as np

from benchmarks.basket_data import Floats, Integers, Owned
from benchmarks.basket_forms import Form, fixed_of, hashing, sampled_kary
from benchmarks.basket_rounds import (
    Pairs,
    binomials,
    cut_to,
    guessed_pairs,
    items_alone,
    with_guesses,
)
from ppdm_formal.infer.baskets.shrunken import BETA

NINETY = 0.9


def _counted(counts: Integers, people: int, form: Form) -> Floats:
    return (counts / people - form[1]) / (form[0] - form[1])


def _told_lengths(sizes: Integers, most: int, gamma: float, rng: np.random.Generator) -> Floats:
    """Shares of lengths 0..most, by hashing, as they come."""
    counts = np.bincount(np.minimum(sizes, most), minlength=most + 1)
    form = hashing(1, gamma)
    return _counted(binomials(counts, len(sizes), form, rng), len(sizes), form)


def _ninety(law: Floats) -> int:
    """The least length, up to 30, that more than 90% of those with any stay within."""
    within = np.cumsum(law[1:]) / max(law.sum(), 1e-9)
    enough = np.flatnonzero(within[:30] > NINETY)
    return int(enough[0]) + 1 if len(enough) else min(30, len(law) - 1)


def _padded(
    held: tuple[Integers, Integers],
    clients: Integers,
    everybody: int,
    d: int,
    L: int,
    gamma: float,
    rng: np.random.Generator,
) -> Floats:
    """Pad to L, sample one; k-ary response for small domains (by the authors' rule) or hashing."""
    owner, value = held
    asked = np.zeros(everybody, dtype=bool)
    asked[clients] = True
    keep = asked[owner]
    _, kept = cut_to(owner[keep], value[keep], L, rng)
    small = d < L * gamma * (4 * L - 1) + 1
    form = sampled_kary(d, L, gamma) if small else hashing(L, gamma)
    counts = binomials(np.bincount(kept, minlength=d), len(clients), form, rng)
    return _counted(counts, len(clients), form)


def svim(b: Owned, clients: Integers, gamma: float, rng: np.random.Generator, top: int) -> Floats:
    """Items: 40% sample one of theirs, 10% tell lengths, 50% answer about the first 2 top."""
    clients = rng.permutation(clients)
    n1, n2 = int(0.4 * len(clients)), int(0.5 * len(clients))
    first = _padded((b.owner, b.item), clients[:n1], b.n, b.d, 1, gamma, rng)
    candidates = np.argsort(-first, kind="stable")[: min(2 * top, b.d)]
    held = b.of_values(candidates)
    sizes = np.bincount(held[0], minlength=b.n)[clients[n1:n2]]
    L = _ninety(_told_lengths(sizes, len(candidates), gamma, rng))
    last = _padded(held, clients[n2:], b.n, len(candidates), L, gamma, rng)
    found = np.full(b.d, -1.0)
    found[candidates] = last / NINETY
    return found


def svsm(b: Owned, gamma: float, rng: np.random.Generator, top: int = 50) -> Pairs:
    """Pairs: 40% to SVIM; of the others a fifth tell lengths, the rest answer about 2 top pairs."""
    everybody = rng.permutation(b.n)
    n1 = int(0.4 * b.n)
    n2 = n1 + int(0.2 * (b.n - n1))
    items = svim(b, everybody[:n1], gamma, rng, top)
    best = np.argsort(-items, kind="stable")[: min(top, b.d)]
    pairs = guessed_pairs(best, np.maximum(items, 0), 2 * top)
    held = b.of_values(pairs, 2)
    sizes = np.bincount(held[0], minlength=b.n)[everybody[n1:n2]]
    law = _told_lengths(sizes, len(pairs), gamma, rng)
    L = _ninety(law)
    found = _padded(held, everybody[n2:], b.n, len(pairs), L, gamma, rng) / NINETY
    ended = np.flatnonzero(law[L + 1 :] <= 0)
    last = L + 1 + int(ended[0]) if len(ended) else len(law)
    beyond = float((law[L + 1 : last] * (np.arange(L + 1, last) - L)).sum())
    if found.sum() > 0:
        found = found * (1 + beyond / found.sum())
    f = np.clip(items, 0, 1)
    return Pairs(items, pairs, found, found - f[pairs].prod(axis=1), True, 0.0)


@cache
def privset_form(d: int, m: int, gamma: float) -> Form:
    """Its report size: the least bound of the summed squared errors of all d + m values."""
    best, least = fixed_of(d, m, gamma, 1), inf
    ks = np.unique(np.r_[np.arange(1, min(d, 60)), np.geomspace(1, max(2, d - 1), 300).astype(int)])
    for k in ks.tolist():
        a, b = fixed_of(d, m, gamma, k)
        if a > b:
            bound = (a * (1 - a) + (d + m - 1) * b * (1 - b)) / (a - b) ** 2
            if bound < least:
                best, least = Form((a, b)), bound
    return best


def privset(b: Owned, gamma: float, rng: np.random.Generator) -> Pairs:
    """Everybody about items, padded or cut to the mean size, as it comes; pairs by products."""
    m = max(1, round(float(b.sizes.mean())))
    form = privset_form(b.d, m, gamma)
    _, kept = cut_to(b.owner, b.item, m, rng)
    f = _counted(binomials(np.bincount(kept, minlength=b.d), b.n, form, rng), b.n, form)
    return _by_products(f, 1.0)


def guess(b: Owned, gamma: float, rng: np.random.Generator) -> Pairs:
    """Everybody about items, in our best way; pairs by 1.2 times the products."""
    found = _by_products(items_alone(b, gamma, rng).estimates, BETA)
    further = with_guesses(found.items, found.pairs, found.estimates, found.links)
    return Pairs(found.items, *further, False, 0.0)


def _by_products(f: Floats, beta: float) -> Pairs:
    items = np.argsort(-f, kind="stable")[: min(60, len(f))]
    clipped = np.clip(f, 1e-5, 1)
    pairs = guessed_pairs(items, clipped, 200)
    sides = clipped[pairs]
    product = sides.prod(axis=1)
    best = np.minimum(beta * product, sides.min(axis=1))
    # with no law of links to go by, the larger the product the larger the link is taken to be
    return Pairs(f, pairs, best, product, False, 0.0)


RHOS = (
    0.0002, 0.0005, 0.001, 0.002, 0.004, 0.006, 0.01, 0.015, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1,
    0.13, 0.16, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5,
)  # fmt: skip


def _moment(L: int, law: Floats, rho: float, k: int) -> float:
    """The mean of the product over k held values of (y - rho)."""
    total = 0.0
    for j in range(L + 1):
        total += law[j] * sum(
            comb(k, i) * comb(L - k, j - i) / comb(L, j) * (1 - rho) ** i * (-rho) ** (k - i)
            for i in range(max(0, j - L + k), min(k, j) + 1)
        )
    return total


@cache
def select_a_size(L: int, gamma: float, k: int) -> tuple[float, float, float]:
    """(variance of a k-set at support 0 times n, rho, lambda_k), the best of the paper's form."""
    best = (inf, 0.0, 1.0)
    for rho in RHOS:
        binomial = np.array([comb(L, i) * rho**i * (1 - rho) ** (L - i) for i in range(L + 1)])
        for j in range(min(L, 8)):
            law = binomial.copy()
            law[j + 1 :] *= gamma
            law /= law.sum()
            moment = _moment(L, law, rho, k) if k <= L else 0.0
            if moment > 0:
                variance = (rho * (1 - rho)) ** k / moment**2
                best = min(best, (variance, rho, moment))
    return best


def todays_plan(b: Owned, gamma: float, rng: np.random.Generator, L: int = 8) -> Pairs:
    """Select-a-size for pairs on baskets cut to L; items and pairs from the same reports.

    Noise of pairs is normal with the exact variance at support 0.
    """
    variance, _, _ = select_a_size(L, gamma, 2)
    owner, item = cut_to(b.owner, b.item, L, rng)
    _, rho_one, moment = select_a_size(L, gamma, 1)
    form = Form((rho_one + moment, rho_one))
    f = _counted(binomials(np.bincount(item, minlength=b.d), b.n, form, rng), b.n, form)
    best = np.argsort(-f, kind="stable")[: min(100, b.d)]
    pairs = guessed_pairs(best, np.clip(f, 1e-5, 1), len(best) * (len(best) - 1) // 2)
    order = np.lexsort((item, owner))
    cut = Owned(b.name, b.n, b.d, owner[order], item[order])
    _, held = cut.of_values(pairs, 2)
    x = np.bincount(held, minlength=len(pairs)) / b.n
    x = x + rng.normal(0, (variance / b.n) ** 0.5, len(pairs))
    return Pairs(f, pairs, x, x - np.clip(f, 0, 1)[pairs].prod(axis=1), True, 0.0)
