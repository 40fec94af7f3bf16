"""Laws of local randomizers by enumerating what their definitions draw, in Fractions."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction


def unary_row(x, k, keep, flip):
    """Bit by bit."""
    row = {}
    for bits in itertools.product((0, 1), repeat=k):
        chance = Fraction(1)
        for place, bit in enumerate(bits):
            one = keep if place == x else flip
            chance *= one if bit else 1 - one
        row[frozenset(place for place, bit in enumerate(bits) if bit)] = chance
    return row


def subset_row(x, k, d, gamma):
    sets = [frozenset(s) for s in itertools.combinations(range(k), d)]
    weights = {s: gamma if x in s else Fraction(1) for s in sets}
    return {s: weight / sum(weights.values()) for s, weight in weights.items()}


def prime_from(k):
    """The least prime that is at least k, by trial of all divisors."""
    return next(p for p in itertools.count(max(2, k)) if all(p % d for d in range(2, p)))


def hash_of(prime, g, number, x):
    """The function with that number: all a above 0, and for each all b."""
    functions = [(a, b) for a in range(1, prime) for b in range(prime)]
    a, b = functions[number]
    return (a * x + b) % prime % g


def hashing_rows(k, g, keep):
    """By report (number, bucket): all functions, then g-ary response to the bucket of x."""
    prime = prime_from(k)
    rows = []
    for x in range(k):
        row = {}
        for number in range(prime * (prime - 1)):
            for bucket in range(g):
                told = keep if hash_of(prime, g, number, x) == bucket else (1 - keep) / (g - 1)
                row[number, bucket] = told / (prime * (prime - 1))
        rows.append(row)
    return rows


def hadamard_row(x, k, gamma):
    """Sylvester's matrix, doubled until it has more rows than there are values."""
    matrix = [[1]]
    while len(matrix) <= k:
        matrix = [r + r for r in matrix] + [r + [-v for v in r] for r in matrix]
    weights = [gamma if sign == 1 else Fraction(1) for sign in matrix[x + 1]]
    return {y: weight / sum(weights) for y, weight in enumerate(weights)}


def rappor_row(filled, m, f, p, q):
    """Both rounds of noise, every kept filter and every report."""
    row = defaultdict(Fraction)
    bits = [int(place in filled) for place in range(m)]
    for kept in itertools.product((0, 1), repeat=m):
        first = math.prod(f / 2 + (1 - f) * (a == b) for a, b in zip(bits, kept, strict=True))
        for sent in itertools.product((0, 1), repeat=m):
            second = Fraction(1)
            for before, after in zip(kept, sent, strict=True):
                one = q if before else p
                second *= one if after else 1 - one
            row[frozenset(k for k, bit in enumerate(sent) if bit)] += first * second
    return row


def geometric_row(x, k, a):
    """The tails of the noise are a^n / (1 + a) each."""
    row = {}
    for y in range(k):
        if y in (0, k - 1):
            row[y] = a ** abs(x - y) / (1 + a)
        else:
            row[y] = (1 - a) / (1 + a) * a ** abs(x - y)
    return row


def duchi_row(x, k, gamma):
    value = -1 + Fraction(2 * x, k - 1)
    up = Fraction(1, 2) + value * (gamma - 1) / (2 * (gamma + 1))
    return {1: up, -1: 1 - up}


def exponential_row(x, k, weight):
    weights = [weight(abs(x - y)) for y in range(k)]
    return {y: w / sum(weights) for y, w in enumerate(weights)}
