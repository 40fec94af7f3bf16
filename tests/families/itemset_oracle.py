"""Brute-force laws of the itemset operators, by enumerating what their definitions draw."""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction


def subsets(items):
    items = sorted(items)
    for size in range(len(items) + 1):
        for chosen in itertools.combinations(items, size):
            yield frozenset(chosen)


def coins(items, heads):
    """Every outcome of one coin for each item, with its probability."""
    for chosen in subsets(items):
        yield chosen, heads ** len(chosen) * (1 - heads) ** (len(items) - len(chosen))


def select_a_size_row(t, n, rho, keep):
    row = defaultdict(Fraction)
    for j, p in enumerate(keep):
        kept = list(itertools.combinations(sorted(t), j))
        for stay in kept:
            for new, q in coins(set(range(n)) - t, rho):
                row[frozenset(stay) | new] += p * q / len(kept)
    return row


def cut_and_paste_row(t, n, rho, cutoff):
    row = defaultdict(Fraction)
    for i in range(cutoff + 1):
        kept = list(itertools.combinations(sorted(t), min(i, len(t))))
        for stay in kept:
            for new, q in coins(set(range(n)) - set(stay), rho):
                row[frozenset(stay) | new] += q / len(kept) / (cutoff + 1)
    return row


def flip_row(t, n, stay):
    row = defaultdict(Fraction)
    for flipped, q in coins(set(range(n)), 1 - stay):
        row[t ^ flipped] += q
    return row


def replace_row(t, n, keep):
    row = defaultdict(Fraction)
    for stay, q in coins(t, keep):
        news = list(itertools.combinations(sorted(set(range(n)) - t), len(t) - len(stay)))
        for new in news:
            row[stay | frozenset(new)] += q / len(news)
    return row


def amplification(rows, outputs):
    """Largest p[t1 -> t'] / p[t2 -> t'] over all entries; None where it is infinite."""
    worst = Fraction(1)
    for y in outputs:
        column = [row[y] for row in rows]
        if max(column) > 0:
            if min(column) == 0:
                return None
            worst = max(worst, max(column) / min(column))
    return worst
