"""EGS03 Statements 3 and 4 by listing all seeds: both sides are equal as fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.families.select_a_size import balance, select_a_size
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.run.compress.bch import BCH, ExtendedBCH
from ppdm_formal.run.compress.cap import Cap
from ppdm_formal.run.compress.chooser import KINDS
from ppdm_formal.run.compress.direct import Direct
from ppdm_formal.run.compress.generator import values
from ppdm_formal.run.compress.goppa import Goppa
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.compress.twisted import TwistedBCH

KEEP = {
    1: (Fraction(1, 3), Fraction(2, 3)),
    2: (Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)),
    3: (Fraction(1, 2), Fraction(0), Fraction(1, 5), Fraction(3, 10)),
}
"""p[j] for transactions of 1, 2 and 3 items, one of them with a zero."""

CASES = [
    (BCH(7, 4, 1, 1), 2),
    (ExtendedBCH(8, 3, 1, 1), 2),
    (ExtendedBCH(8, 5, 1, 1), 3),
    (Polynomial(4, 3, 3, 2), 1),
    (Polynomial(5, 3, 1, 2), 2),
    (TwistedBCH(5, 3, 3, 2), 2),
    (TwistedBCH(9, 4, 1, 1), 3),
    (TwistedBCH(5, 2, 3, 3), 1),
    (TwistedBCH(8, 3, 5, 3), 1),
    (Goppa(8, 4, 1, 1), 2),
    (Goppa(9, 4, 1, 1), 3),
    (Cap(4, 3, 3, 2), 2),
    (Cap(6, 3, 1, 2), 1),
    (Direct(4, 4, 3, 2), 2),
]


def test_every_kind_is_listed():
    assert {generator.name for generator, _ in CASES} == set(KINDS)


def reports(generator):
    """The report tau(seed) of every seed, from the definition."""
    seeds = np.arange(1 << generator.seed_bits, dtype=np.uint64)[:, None]
    items = np.arange(generator.items, dtype=np.uint64)
    held = values(generator, seeds, items) < generator.numerator
    return [frozenset(np.flatnonzero(row).tolist()) for row in held]


def subsets(items):
    ordered = sorted(items)
    return [
        frozenset(chosen)
        for size in range(len(ordered) + 1)
        for chosen in itertools.combinations(ordered, size)
    ]


def pseudorandom_law(tau, t, keep):
    """P[R'(t) = seed] for all seeds: steps 1 to 3 of section 5."""
    consistent = {}
    for seed, report in enumerate(tau):
        consistent.setdefault(report & t, []).append(seed)
    law = [Fraction(0)] * len(tau)
    for kept in subsets(t):
        chance = keep[len(kept)] / math.comb(len(t), len(kept))
        if chance:
            for seed in consistent[kept]:
                law[seed] += chance / len(consistent[kept])
    assert sum(law) == 1
    return law


def on_itemset(t, keep, rho, itemset):
    """P[R(t) ∩ A = B] for every B: Definition 4."""
    found = {}
    for kept in subsets(t):
        chance = keep[len(kept)] / math.comb(len(t), len(kept))
        for inserted in subsets(itemset - t):
            coins = rho ** len(inserted) * (1 - rho) ** (len(itemset - t) - len(inserted))
            part = (kept & itemset) | inserted
            found[part] = found.get(part, Fraction(0)) + chance * coins
    return found


def seeds_on_itemset(law, tau, itemset):
    found = {}
    for chance, report in zip(law, tau, strict=True):
        part = report & itemset
        found[part] = found.get(part, Fraction(0)) + chance
    return found


def nonzero(law):
    return {part: chance for part, chance in law.items() if chance}


def transactions(generator, size):
    """All, or for many items those that begin with the first or end with the last."""
    chosen = [frozenset(t) for t in itertools.combinations(range(generator.items), size)]
    return chosen if len(chosen) <= 12 else [*chosen[:6], *chosen[-6:]]


@pytest.mark.parametrize(("generator", "size"), CASES, ids=str)
def test_statement_3(generator, size):
    tau = reports(generator)
    for t in transactions(generator, size):
        law = pseudorandom_law(tau, t, KEEP[size])
        for count in range(1, generator.q - size + 1):
            for chosen in itertools.combinations(range(generator.items), count):
                itemset = frozenset(chosen)
                expected = on_itemset(t, KEEP[size], generator.insert, itemset)
                assert nonzero(seeds_on_itemset(law, tau, itemset)) == nonzero(expected)


def test_statement_3_fails_for_larger_itemsets():
    """One item more than q - m, and some itemset shows the difference."""
    generator, size = ExtendedBCH(8, 3, 1, 1), 2
    tau, t = reports(generator), frozenset({0, 1})
    law = pseudorandom_law(tau, t, KEEP[size])
    assert any(
        nonzero(seeds_on_itemset(law, tau, frozenset(chosen)))
        != nonzero(on_itemset(t, KEEP[size], generator.insert, frozenset(chosen)))
        for chosen in itertools.combinations(range(generator.items), generator.q - size + 1)
    )


@pytest.mark.parametrize(("generator", "size"), CASES, ids=str)
def test_statement_4(generator, size):
    """Ratios agree, cross-multiplied; and P[R'(t) = seed] is b[j] / 2^k."""
    tau, keep = reports(generator), KEEP[size]
    usual = select_a_size(generator.items, size, generator.insert, keep=keep)
    b = balance(keep, generator.insert)
    laws = {t: pseudorandom_law(tau, t, keep) for t in transactions(generator, size)}
    for t, law in laws.items():
        assert law == [b[len(t & report)] / 2**generator.seed_bits for report in tau]
    likely = {(t, report): usual.probability(t, report) for t in laws for report in set(tau)}
    for first, second in itertools.combinations(laws, 2):
        for seed, report in enumerate(tau):
            here = laws[first][seed] * likely[second, report]
            assert here == laws[second][seed] * likely[first, report]


@pytest.mark.parametrize(
    ("generator", "size"),
    [(ExtendedBCH(8, 5, 1, 1), 2), (TwistedBCH(5, 4, 3, 2), 2), (Polynomial(4, 2, 1, 2), 1)],
    ids=str,
)
def test_the_amplification_of_seeds(generator, size):
    """At most that of R; the same where two disjoint transactions are independent, 2 m <= q."""
    tau, keep = reports(generator), KEEP[size]
    everything = [frozenset(t) for t in itertools.combinations(range(generator.items), size)]
    laws = {t: pseudorandom_law(tau, t, keep) for t in everything}
    seeds = Operator.from_matrix([laws[t] for t in everything], everything, range(len(tau)))
    usual = select_a_size(generator.items, size, generator.insert, keep=keep)
    assert amplification(seeds).text == amplification(usual).text


def test_with_q_below_m_no_seed_may_fit():
    """The assumption is needed: three items of which only two are independent."""
    tau = reports(TwistedBCH(3, 2, 1, 1))
    with pytest.raises(KeyError):
        pseudorandom_law(tau, frozenset({0, 1, 2}), KEEP[3])
