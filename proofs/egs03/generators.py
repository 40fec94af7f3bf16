"""EGS03 section 5: Definition 5 for the generators here, Statements 3, 4 and 5, and seed sizes.

Statement 3, for every generator with q <= n: under a uniform seed the bits of the at most q items
of t and A are independent, so that P[bits of A outside t | bits of t] is the product of their own
probabilities, whatever was kept; so it is in R. The law of what is kept is the same in both.

Statement 5: columns that sum to zero over GF(2) are a vector of the kernel with that many ones, so
fewer than d columns are independent. Independent rows M' of M^T have full rank: M' xi = v has
2^(k - q) solutions for every v, so that uniform xi give uniform v.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

import sympy

from ppdm_formal.certify.statement import (
    EXACT,
    Neighbour,
    Outcome,
    PaperFinding,
    Printed,
    Statement,
    argued,
    check_all,
    compare_printed,
    prove_identities,
    refute_misprints,
    together,
    with_findings,
)
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.seed_size import (
    SIZES,
    bch_degree,
    coin_entropy,
    level_bound_bits,
    paper_bits,
)
from ppdm_formal.run.compress.bch import ExtendedBCH
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.independence import check_independence

from ._seeds import GENERATORS, Items, item_law, reports, seed_law, seen_law

KINDS = ", ".join(sorted({generator.name for generator, _ in GENERATORS}))
SMALL = f"a small generator of each kind ({KINDS}), all seeds"


def _dependent(generator: Generator, q: int) -> Mapping[str, object] | None:
    """Q items whose bits are not independent, each 1 with probability rho: by listing all seeds."""
    tau = reports(generator)
    for chosen in itertools.combinations(range(generator.items), q):
        itemset = frozenset(chosen)
        counts: dict[Items, int] = {}
        for report in tau:
            counts[report & itemset] = counts.get(report & itemset, 0) + 1
        for ones in range(q + 1):
            for part in itertools.combinations(chosen, ones):
                share = Fraction(counts.get(frozenset(part), 0), len(tau))
                rho = generator.insert
                if share != rho**ones * (1 - rho) ** (q - ones):
                    return {"generator": str(generator), "items": str(chosen), "P": str(share)}
    return None


def decide_definition(deadline: Deadline) -> Outcome:
    """Every kind, small: all seeds listed, and the ranks that the package checks large ones by."""
    found = check_all(
        [generator for generator, _ in GENERATORS],
        lambda generator: (
            _dependent(generator, generator.q)
            or (None if check_independence(generator, 500).holds else {"rank": str(generator)})
        ),
        SMALL,
        deadline,
    )
    finding = PaperFinding(
        "vacuous",
        "5, Definition 5",
        "for all 1 <= i1 < ... < iq <= n the q bits are independent.",
        "It must ask for q <= n, or for min(q, n) bits: for q > n there are no such i1..iq, and "
        "the definition asks for nothing; Statement 3 then fails.",
        f"n = 2, q = 3, G(xi, 1) = G(xi, 2) = xi: with m = 1, {_equal_bits()}",
    )
    return with_findings(found, finding)


def _equal_bits() -> str:
    """Two items that share one bit: t = {0}, A = {0, 1}."""
    tau = [frozenset[int](), frozenset({0, 1})]
    t, both = frozenset({0}), frozenset({0, 1})
    seen = seen_law(seed_law(tau, t), tau, both).get(both, Fraction(0))
    usual = item_law(t, Fraction(1, 2), both)[both]
    assert seen != usual
    return f"P[both items] is {seen} from seeds and {usual} from select-a-size."


def refute_more(deadline: Deadline) -> Outcome:
    """One item more than q: some of these generators fail."""
    larger = [g for g, _ in GENERATORS if g.q < g.items]
    return check_all(larger, lambda g: _dependent(g, g.q + 1), "", deadline)


Case = tuple[Generator, Items]


def _transactions() -> Iterator[Case]:
    for generator, size in GENERATORS:
        chosen = list(itertools.combinations(range(generator.items), size))
        for t in chosen if len(chosen) <= 6 else [*chosen[:2], *chosen[-2:]]:
            yield generator, frozenset(t)


def _differs(case: Case, more: int) -> Mapping[str, object] | None:
    """An itemset of up to q - m + more items on which R and R' differ."""
    generator, t = case
    tau = reports(generator)
    law = seed_law(tau, t)
    for count in range(1, generator.q - len(t) + more + 1):
        for chosen in itertools.combinations(range(generator.items), count):
            itemset = frozenset(chosen)
            if seen_law(law, tau, itemset) != item_law(t, generator.insert, itemset):
                return {"generator": str(generator), "t": str(sorted(t)), "A": str(chosen)}
    return None


def decide_statement_3(deadline: Deadline) -> Outcome:
    """The conditional probabilities as an identity; all seeds of small generators."""
    kept, others, share = sympy.symbols("P_kept P_others P_subset", positive=True)
    identity = prove_identities(
        {"P[t0] P[others and t0] / P[t0 under a uniform seed]": (
            share * (kept * others) / kept,
            share * others,
        )},
        deadline,
    )  # fmt: skip
    tried = check_all(_transactions(), lambda case: _differs(case, 0), SMALL, deadline)
    if tried.kind != "checked":
        return tried
    scope = f"every generator with q <= n; listed: {SMALL}"
    return argued(together((identity, tried)), scope, "argument", "exhaustive")


def refute_larger_itemsets(deadline: Deadline) -> Outcome:
    """Itemsets of q - m + 1 items."""
    cases = (case for case in _transactions() if case[0].q < case[0].items)
    return check_all(cases, lambda case: _differs(case, 1), "", deadline)


def _ratio_differs(case: Case) -> Mapping[str, object] | None:
    """P[R'(t1) = xi] P[R(t2) = tau] against P[R'(t2) = xi] P[R(t1) = tau], all t2 and seeds."""
    generator, first = case
    tau, everything = reports(generator), frozenset(range(generator.items))
    usual = item_law(first, generator.insert, everything)
    law = seed_law(tau, first)
    for chosen in itertools.islice(itertools.combinations(sorted(everything), len(first)), 3):
        second = frozenset(chosen)
        other, other_law = item_law(second, generator.insert, everything), seed_law(tau, second)
        for seed, report in enumerate(tau):
            if law[seed] * other.get(report, Fraction(0)) != other_law[seed] * usual.get(
                report, Fraction(0)
            ):
                return {"generator": str(generator), "t1": str(sorted(first)), "t2": str(chosen)}
    return None


def decide_statement_4(deadline: Deadline) -> Outcome:
    """Both ratios are b[j1]/b[j2]; all seeds of small generators."""
    seeds, p1, p2, d1, d2, sent = sympy.symbols("S p1 p2 d1 d2 s", positive=True)
    # d = rho^j (1 - rho)^(m - j); s = rho^m' (1 - rho)^(n - m'), which t' alone decides.
    identity = prove_identities(
        {"both ratios": (
            (p1 / (seeds * d1)) / (p2 / (seeds * d2)),
            (sent * p1 / d1) / (sent * p2 / d2),
        )},
        deadline,
    )  # fmt: skip
    tried = check_all(_transactions(), _ratio_differs, SMALL, deadline)
    if tried.kind != "checked":
        return tried
    scope = f"every generator with m <= q <= n; listed: {SMALL}"
    return argued(together((identity, tried)), scope)


def refute_short_generator(deadline: Deadline) -> Outcome:
    """Q < m: two items that share one bit, m = 2: some sets cannot be kept at all."""
    tau = [frozenset[int](), frozenset({0, 1})]
    t = frozenset({0, 1})
    possible = {report & t for report in tau}
    if frozenset({0}) in possible:
        return Outcome("unknown", "every subset can be kept")
    return Outcome(
        "refuted",
        "no seed keeps one item of two",
        means=("exact arithmetic",),
        counterexample={"n": "2", "q": "1", "t": "[0, 1]", "t0": "[0]"},
        trust=EXACT,
    )


Matrix = tuple[int, tuple[int, ...]]


def _matrices() -> Iterator[Matrix]:
    """All binary matrices with up to 3 rows and 4 columns, columns as integers."""
    for rows in (1, 2, 3):
        for columns in range(1, 5):
            for chosen in itertools.product(range(1 << rows), repeat=columns):
                yield rows, chosen


def distance(matrix: Matrix) -> int:
    """The least number of ones of a nonzero vector of the kernel; n + 1 where there is none."""
    _, columns = matrix
    for weight in range(1, len(columns) + 1):
        for chosen in itertools.combinations(columns, weight):
            total = 0
            for column in chosen:
                total ^= column
            if total == 0:
                return weight
    return len(columns) + 1


def _not_uniform(matrix: Matrix, bits: int) -> Mapping[str, object] | None:
    """So many bits of M^T xi that are not uniform over all xi."""
    rows, columns = matrix
    for chosen in itertools.combinations(range(len(columns)), bits):
        counts: dict[tuple[int, ...], int] = {}
        for seed in range(1 << rows):
            seen = tuple((columns[c] & seed).bit_count() % 2 for c in chosen)
            counts[seen] = counts.get(seen, 0) + 1
        if len(counts) != 1 << bits or len(set(counts.values())) != 1:
            return {"k": str(rows), "columns": str(columns), "bits": str(chosen)}
    return None


def decide_statement_5(deadline: Deadline) -> Outcome:
    """The argument above; every small matrix."""
    tried = check_all(
        _matrices(), lambda m: _not_uniform(m, min(distance(m) - 1, len(m[1]))), "", deadline
    )
    if tried.kind != "checked":
        return tried
    scope = "every parity check matrix; listed: all with up to 3 rows and 4 columns"
    return argued(tried, scope, "argument", "exhaustive")


def refute_distance(deadline: Deadline) -> Outcome:
    """With d bits instead of d - 1."""
    cases = (m for m in _matrices() if distance(m) <= len(m[1]))
    return check_all(cases, lambda m: _not_uniform(m, distance(m)), "", deadline)


def _sizes() -> tuple[Printed, ...]:
    items, m, s = 100_000, 10, 5
    half, sixteenth = 1, 4
    plain = coin_entropy(Fraction(1, 16)).enclosed(20)
    bits = replace(plain, lo=plain.lo * items, hi=plain.hi * items)
    degree = bch_degree(items, half, m + s), bch_degree(items, sixteenth, m + s)
    return (
        Printed("distance for rho = 1/2", "16", Fraction(half * (m + s) + 1), "exact"),
        Printed("l for rho = 1/2", "8", Fraction(math.ceil(half * (m + s) / 2)), "exact"),
        Printed("r for rho = 1/2", "17", Fraction(degree[0]), "exact"),
        Printed("bits for rho = 1/2", "136", Fraction(paper_bits(items, half, m + s)), "exact"),
        Printed("distance for rho = 1/16", "61", Fraction(sixteenth * (m + s) + 1), "exact"),
        Printed("l for rho = 1/16", "30", Fraction(math.ceil(sixteenth * (m + s) / 2)), "exact"),
        Printed("r for rho = 1/16", "19", Fraction(degree[1]), "exact"),
        Printed(
            "bits for rho = 1/16", "570", Fraction(paper_bits(items, sixteenth, m + s)), "exact"
        ),
        Printed("H(1/16) 10^5", "33729", bits, "cut"),
    )


def decide_sizes(deadline: Deadline) -> Outcome:
    """136, 570 and 33,729, with all that they are computed from; shorter seeds, and how short."""
    items, q = 100_000, 15
    shorter = {}
    for bits in (1, 4):
        found = [size for of in SIZES.values() if (size := of(items, bits, q)) is not None]
        shorter[bits] = min(found), level_bound_bits(items, bits, q)
    if not (shorter[1][0] < 136 and shorter[4][0] < 570):
        return Outcome("unknown", "no shorter seed was found")
    checked = check_independence(ExtendedBCH(items, q, 1, 1), 100)
    if not checked.holds or shorter[1][0] != ExtendedBCH(items, q, 1, 1).seed_bits:
        return Outcome("unknown", "the extended code is not what it should be")
    finding = PaperFinding(
        "loose",
        "5, sizes of seeds",
        "seeds of 136 bits for rho = 1/2 and of 570 for rho = 1/16.",
        f"The sizes are right for plain BCH codes, but {shorter[1][0]} and {shorter[4][0]} bits "
        "serve. For rho = 1/2 a parity row makes 15 columns independent with l = 7 blocks; for rho "
        "= 1/16 the bits of any 15 items must be independent, not any 60 of all 400,000 bits.",
        f"Sizes of the generators of egs03/definition_5. No linear generator has fewer than "
        f"{shorter[1][1]} and {shorter[4][1]} bits (Rao's bound).",
    )
    return with_findings(compare_printed(_sizes()), finding)


def misprints(deadline: Deadline) -> Outcome:
    """Each last digit moved by one."""
    return refute_misprints(_sizes())


STATEMENTS = (
    Statement(
        "egs03/definition_5",
        "EGS03",
        "Definition 5, of the generators here",
        "For a uniform seed any q of the n bits are independent, each 1 with probability rho.",
        ("G is one of this tool's generators",),
        decide_definition,
        (Neighbour("any q + 1 bits", refute_more),),
        section="5",
        uses=("egs03/definition_4", "egs03/statement_5"),
        expected="checked",
    ),
    Statement(
        "egs03/statement_3",
        "EGS03",
        "Statement 3",
        "On itemsets of up to q - m items, pseudorandom select-a-size has the same law as "
        "select-a-size.",
        ("G satisfies Definition 5 with m < q <= n", "|t| = m, |A| <= q - m"),
        decide_statement_3,
        (Neighbour("itemsets of q - m + 1 items", refute_larger_itemsets),),
        section="5",
        formulas=(r"\mathbf{P}[R(t) \cap A = B] = \mathbf{P}[\tau(R'(t)) \cap A = B]",),
        uses=("egs03/definition_5",),
    ),
    Statement(
        "egs03/statement_4",
        "EGS03",
        "Statement 4",
        "Seeds amplify just as the transactions that they stand for.",
        ("G satisfies Definition 5 with m <= q <= n", "|t1| = |t2| = m"),
        decide_statement_4,
        (Neighbour("q < m", refute_short_generator),),
        section="5",
        formulas=(
            r"\frac{\mathbf{P}[R'(t_1) = \xi]}{\mathbf{P}[R'(t_2) = \xi]} = "
            r"\frac{\mathbf{P}[R(t_1) = \tau(\xi)]}{\mathbf{P}[R(t_2) = \tau(\xi)]}",
        ),
        uses=("egs03/definition_5", "egs03/condition_5"),
    ),
    Statement(
        "egs03/statement_5",
        "EGS03",
        "Statement 5",
        "Any d - 1 columns of the parity check matrix of a code of distance d are independent, and "
        "any d - 1 bits of M^T xi are independent fair bits for uniform xi.",
        ("M is a parity check matrix over GF(2)",),
        decide_statement_5,
        (Neighbour("any d bits", refute_distance),),
        section="5 and A.2",
    ),
    Statement(
        "egs03/seed_sizes",
        "EGS03",
        "Sizes of seeds",
        "100,000 items, m = 10, s = 5: 136 bits for rho = 1/2; 570 for rho = 1/16, where plain "
        "transactions need at least 33,729.",
        ("BCH codes of length 2^r - 1 and distance 2l + 1 with r l rows",),
        decide_sizes,
        (Neighbour("any last digit moved by one", misprints),),
        section="5",
        formulas=(r"r\,l = 17 \cdot 8 = 136, \quad 19 \cdot 30 = 570",),
        uses=("egs03/statement_5",),
        expected="enclosed",
    ),
)
