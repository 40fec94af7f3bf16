"""The mechanisms in models/ by brute force, where e^eps = 16: rows of Fractions."""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations, product
from math import comb, prod

T = F(16)


def coin(p, bit):
    return p if bit else 1 - p


def bits_law(chances):
    """Independent bits, each 1 with its chance."""
    return {y: prod(map(coin, chances, y)) for y in product((0, 1), repeat=len(chances))}


def response(x):
    return {y: (T if x == y else 1) / (T + 9) for y in range(10)}


def symmetric(x):
    return bits_law([F(4, 5) if i == x else F(1, 5) for i in range(10)])


def optimized(x):
    return bits_law([F(1, 2) if i == x else F(1, 17) for i in range(10)])


def bloom(x):
    return {x % 8, (3 * x + 5) % 8}


HALF_F = F(1, 3)  # f/2 = 1/(1 + e^(eps/4))


def permanent(x):
    return bits_law([1 - HALF_F if i in bloom(x) else HALF_F for i in range(8)])


def reported(kept):
    """What a report says of a bit that is 1 with this chance after the permanent noise."""
    return kept * F(3, 4) + (1 - kept) * F(1, 2)


def rappor(x):
    return bits_law([reported(1 - HALF_F if i in bloom(x) else HALF_F) for i in range(8)])


def selection(x):
    """With d e^eps/(d e^eps + k - d) a subset that holds x; otherwise one of the others."""
    held = 3 * T / (3 * T + 7)
    return {
        frozenset(y): held / comb(9, 2) if x in y else (1 - held) / comb(9, 3)
        for y in combinations(range(10), 3)
    }


def hashing(x):
    law = {}
    for a, b, bucket in product(range(1, 11), range(11), range(4)):
        law[a, b, bucket] = (T if (a * x + b) % 11 % 4 == bucket else 1) / (T + 3) / 110
    return law


def sylvester(order):
    """The Hadamard matrix of order 2^n by doubling: H, H over H, -H."""
    matrix = [[1]]
    for _ in range(order):
        matrix = [row + row for row in matrix] + [row + [-v for v in row] for row in matrix]
    return matrix


SIGNS = sylvester(4)


def hadamard(x):
    return {y: (T if SIGNS[x + 1][y] == 1 else 1) / (8 * T + 8) for y in range(16)}


def sketch(x):
    law = Counter()
    for a, column in product(range(1, 8), range(16)):
        sign = SIGNS[a * x % 11][column]
        law[sign, a, column] += T / (T + 1) / 112
        law[-sign, a, column] += 1 / (T + 1) / 112
    return law


def one_bit(x):
    mean = F(x, 50) * (T - 1) / (T + 1)
    return {y: (1 + y * mean) / 2 for y in (-1, 1)}


def geometric(x):
    """Noise far beyond both ends, clamped; what is left of its tails belongs to the ends."""
    a, law = 1 / T, Counter()
    for noise in range(-40, 41):
        law[min(max(x + noise, 0), 10)] += (1 - a) / (1 + a) * a ** abs(noise)
    for end in (0, 10):
        law[end] += a**41 / (1 + a)
    return law


MECHANISMS = {
    ("k_ary", "Response"): (response, 1),
    ("rappor", "Always"): (permanent, 1),
    ("unary_encoding", "Symmetric"): (symmetric, 1),
    ("unary_encoding", "Optimized"): (optimized, 1),
    ("subset_selection", "Select"): (selection, 1),
    ("local_hashing", "Hashing"): (hashing, 1),
    ("hadamard", "Hadamard"): (hadamard, 1),
    ("count_mean_sketch", "Sketch"): (sketch, 1),
    ("duchi", "Sign"): (one_bit, 1),
    ("geometric", "Geometric"): (geometric, 10),
    ("rappor", "Once"): (rappor, None),
}
"""The law of one input, and the published epsilon as a multiple of eps (RAPPOR's report: below)."""
