"""Dor18 section 3: exact counts, the itemset mechanism, and counting by randomized response.

Exact counts: with u_k = P[the others sum to k], P[Y = y, X_i = x] = P[X_i = x] u_{y-x}, and P[Y
= y] is a mean of u_y and u_{y-1}; so X_i and Y are epsilon-dependent at y just if these two
differ by a factor of at most e^epsilon (the mean may be anything between them). The same for m
values with counts of the others.

The itemset mechanism: replacing one row changes a support by at most one, so that with t =
e^(epsilon/4) each weight, and the sum of all weights, changes by at most the factor t: together
t^2 = e^(epsilon/2).
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import sympy

from ppdm_formal.certify.statement import (
    DerivationStep,
    Lemma,
    Neighbour,
    Outcome,
    PaperFinding,
    Statement,
    argued,
    by_induction,
    check_all,
    corrected,
    derive,
    prove_identities,
    reals,
    with_findings,
)
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.derive.measures.amplification import amplification

from ._joint import ZERO, factor, joint

E, T, S, M, p, q, a, b, w, v, x, y, z = reals("E t S M p q a b w v x y z")

BETWEEN = {
    Lemma(
        "above", (a <= E * b, a <= E * a, p >= 0, q >= 0, p + q == 1), a <= E * (p * a + q * b)
    ): (
        DerivationStep((0, 3)),
        DerivationStep((1, 2)),
        DerivationStep((4,), coefficient=-1, factor=a),
    ),
    Lemma("below", (b <= E * a, a <= E * a, p >= 0, q >= 0, p + q == 1), p * a + q * b <= E * a): (
        DerivationStep((0, 3)),
        DerivationStep((1, 2)),
        DerivationStep((4,), factor=E * a),
    ),
}
MORE_VALUES = {
    Lemma(
        "one value more, above",
        (a * M <= E * S, a <= E * b, p >= 0),
        a * (M + p) <= E * (S + p * b),
    ): (
        DerivationStep((0,)),
        DerivationStep((1, 2)),
    ),
    Lemma(
        "one value more, below", (S <= E * a * M, b <= E * a, p >= 0), S + p * b <= E * a * (M + p)
    ): (
        DerivationStep((0,)),
        DerivationStep((1, 2)),
    ),
}


def sums(chances: Sequence[Fraction]) -> list[Fraction]:
    """u_k: the law of a sum of independent bits."""
    law = [Fraction(1)]
    for chance in chances:
        law = [
            (law[k] if k < len(law) else ZERO) * (1 - chance) + (law[k - 1] * chance if k else ZERO)
            for k in range(len(law) + 1)
        ]
    return law


def _at(law: Sequence[Fraction], k: int) -> Fraction:
    return law[k] if 0 <= k < len(law) else ZERO


def decide_theorem_5(deadline: Deadline) -> Outcome:
    """The bound at each y that is released; if all are, the hypothesis cannot hold."""

    def fails(chances: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        others = sums(chances[1:])
        lowest = (1 - chances[0]) * others[0]  # P[Y = 0, X_1 = 0], against P[Y = -1, X_1 = 0] = 0
        return None if lowest > 0 else {"chances": chances}

    values = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
    tried = check_all(itertools.product(values, repeat=3), fails, "", deadline)
    if tried.kind != "checked":
        return tried
    finding = PaperFinding(
        "ambiguous",
        "3.1, Theorem 5",
        "if P(Y = y, X_i = x) and P(Y = y - 1, X_i = x) are within e^epsilon for all valid "
        "releases y, X_i and Y are epsilon-dependent.",
        "What a valid release is, is not defined. If every y from 0 to n is one, the hypothesis "
        "cannot hold, because Y = -1 has probability 0, and the theorem says nothing. If only some "
        "are, it holds at each y for which P(Y = y | X_i = 0) and P(Y = y | X_i = 1) are within "
        "e^epsilon, and the refusal of others is a release too, for which nothing is said.",
        "P(Y = 0, X_1 = 0) > 0 = P(Y = -1, X_1 = 0) for every prior of bits that are not certain; "
        "compared on 27 priors of three bits.",
    )
    scope = "every n, at each y for which the two probabilities are within e^epsilon"
    return corrected(derive(BETWEEN, scope), finding)


def refute_all_releases(deadline: Deadline) -> Outcome:
    """All y valid, three fair bits: Y = 0 rules out X_1 = 1, so no epsilon serves."""

    def fails(chances: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        others = sums(chances[1:])
        rows = [[_at(others, k - x) for k in range(len(chances) + 1)] for x in (0, 1)]
        law = joint((1 - chances[0], chances[0]), rows)
        return {"chances": chances} if factor(law) is None else None

    return check_all([(Fraction(1, 2),) * 3], fails, "", deadline)


def decide_theorem_6(deadline: Deadline) -> Outcome:
    """Neighbours as printed have another total; with one unit moved it is proved."""

    def fails(n: int) -> Mapping[str, object] | None:
        for counts in itertools.product(range(n + 1), repeat=2):
            if sum(counts) == n:
                moved = (counts[0] + 1, counts[1])
                if sum(moved) == n:
                    return {"n": str(n)}
        return None

    tried = check_all(range(1, 6), fails, "", deadline)
    if tried.kind != "checked":
        return tried
    finding = PaperFinding(
        "vacuous",
        "3.1, Theorem 6",
        "neighbours of a vector of counts differ from it in exactly one component by one; no "
        "conclusion "
        "is printed.",
        "Neighbours must move one unit from one component to another: counts sum to n, so that a "
        "vector with one component changed has probability 0 and the hypothesis cannot hold. "
        "With that, "
        "and for releases whose neighbours are all possible, X_i and Y are epsilon-dependent "
        "there.",
        "A component changed by one changes the total; the corrected form is derived by "
        "induction over "
        "the m values.",
    )
    found = derive(MORE_VALUES, "every n and m, at each release whose neighbours satisfy the bound")
    return corrected(by_induction(found), finding)


def refute_neighbours(deadline: Deadline) -> Outcome:
    """As printed: two fair bits and their counts; a vector with another total has probability 0."""

    def chance(counts: tuple[int, int], first: int) -> Fraction:
        """P(Y = counts, X_1 = first), all values listed; values are 0 and 1."""
        rows = [(x, y) for x, y in itertools.product((0, 1), repeat=2) if x == first]
        held = [row for row in rows if (row.count(0), row.count(1)) == counts]
        return Fraction(len(held), 4)

    def fails(counts: tuple[int, int]) -> Mapping[str, object] | None:
        one, other = chance(counts, 0), chance((counts[0] + 1, counts[1]), 0)
        return (
            {f"P(Y = {counts}, X_1 = 0)": str(one), "with one count changed": str(other)}
            if one > other == 0
            else None
        )

    return check_all([(1, 1)], fails, "", deadline)


# t = e^(epsilon/4): weights of one itemset before and after, and their sums
WEIGHTS = {
    Lemma("sums of weights", (S <= T * M, w <= T * v), S + w <= T * (M + v)): (
        DerivationStep((0,)),
        DerivationStep((1,)),
    ),
    # P = w / M and P' = v / S
    Lemma(
        "probabilities",
        (a * M == w, b * S == v, w <= T * v, S <= T * M, b >= 0, T >= 0, x * M == 1, x >= 0),
        a <= T * T * b,
    ): (
        DerivationStep((2, 7)),  # x (T v - w)
        DerivationStep((3, 4, 5, 7)),  # x b T (T M - S)
        DerivationStep((0,), factor=x),
        DerivationStep((1,), coefficient=-1, factor=T * x),
        DerivationStep((6,), factor=T * T * b - a),
    ),
}

Rows = tuple[frozenset[int], ...]
ITEMS = 2


def supports(rows: Rows) -> dict[frozenset[int], int]:
    """The support of every itemset, the empty one and those of support zero included."""
    itemsets = [
        frozenset(chosen)
        for size in range(ITEMS + 1)
        for chosen in itertools.combinations(range(ITEMS), size)
    ]
    return {itemset: sum(itemset <= row for row in rows) for itemset in itemsets}


def law(rows: Rows, theta: int, t: Fraction) -> dict[frozenset[int], Fraction]:
    """The mechanism of section 3.2 with t = e^(epsilon/4)."""
    weights = {itemset: t ** min(theta, s) for itemset, s in supports(rows).items()}
    total = sum(weights.values())
    return {itemset: weight / total for itemset, weight in weights.items()}


def _replacements() -> Iterator[tuple[Rows, Rows]]:
    every = list(supports(()))
    for rows in itertools.product(every, repeat=2):
        for other in every:
            yield rows, (other, *rows[1:])


def _worst(pair: tuple[Rows, Rows], t: Fraction) -> Fraction:
    one, other = (law(rows, 2, t) for rows in pair)
    return max(one[itemset] / other[itemset] for itemset in one)


def decide_theorem_7(deadline: Deadline) -> Outcome:
    """Half the epsilon printed; every small database by brute force."""
    t = Fraction(2)

    def fails(pair: tuple[Rows, Rows]) -> Mapping[str, object] | None:
        before, after = (supports(rows) for rows in pair)
        if any(abs(before[itemset] - after[itemset]) > 1 for itemset in before):
            return {"rows": str(pair)}
        return None if _worst(pair, t) <= t * t else {"rows": str(pair)}

    tried = check_all(_replacements(), fails, "", deadline)
    if tried.kind != "checked":
        return tried
    worst = max(_worst(pair, t) for pair in _replacements())
    finding = PaperFinding(
        "loose",
        "3.2, Theorem 7",
        "supports differ by at most two rows, so that the mechanism is epsilon-dependent.",
        "Replacing one row changes a support by at most one, and the mechanism is "
        "(epsilon/2)-dependent: "
        "the exponent epsilon/2 min(theta, supp) would serve for epsilon.",
        f"All databases of two rows and two items, e^(epsilon/4) = 2: the largest ratio is "
        f"{worst}, below "
        "e^(epsilon/2) = 4, where e^epsilon = 16 is claimed.",
    )
    found = derive(WEIGHTS, "every number of rows and items, every theta")
    return with_findings(by_induction(found), finding)


def refute_quarter(deadline: Deadline) -> Outcome:
    """(epsilon/4)-dependence: refuted, the normalization costs as much again."""
    t = Fraction(2)

    def fails(pair: tuple[Rows, Rows]) -> Mapping[str, object] | None:
        worst = _worst(pair, t)
        return (
            {"rows": [[frozenset(r) for r in rows] for rows in pair], "ratio": str(worst)}
            if worst > t
            else None
        )

    return check_all(_replacements(), fails, "", deadline)


def decide_counting(deadline: Deadline) -> Outcome:
    """The formulas, and p over all priors through our own amplification."""
    share, keep, big = sympy.symbols("z p E")
    mean = share * keep + (1 - share) * (1 - keep)
    identities = prove_identities(
        {
            "solved for z": ((mean + keep - 1) / (2 * keep - 1), share),
            "p / (1 - p) at the maximum": ((big / (1 + big)) / (1 - big / (1 + big)), big),
        },
        deadline,
    )
    best = Fraction(3) / 4
    response = randomized_response(2, best)
    if response.probability(0, 0) != best or amplification(response).value != 3:
        return Outcome("refuted", "at p = 3/4 the amplification is not 3")
    larger = Fraction(5, 6)
    fair = factor(joint((Fraction(1, 2),) * 2, ((larger, 1 - larger), (1 - larger, larger))))
    if fair is None or fair > 3:
        return Outcome("refuted", "no larger p serves fair bits")
    finding = PaperFinding(
        "ambiguous",
        "3.3, counting",
        "the maximum value for p such that S_i and Z_i are epsilon-dependent is e^epsilon/(1 + "
        "e^epsilon).",
        "That is the maximum over all priors of Z_i, where it is needed. For a given prior a "
        "larger p "
        "may be epsilon-dependent.",
        f"e^epsilon = 3: the formula gives p = {best}; for a fair Z_i p = {larger} has "
        f"e^epsilon = {fair}.",
    )
    return with_findings(argued(identities, "every p other than 1/2, all priors"), finding)


def refute_larger_p(deadline: Deadline) -> Outcome:
    """A larger p for all priors."""

    def fails(keep: Fraction) -> Mapping[str, object] | None:
        prior = Fraction(1, 1000)
        found = factor(joint((prior, 1 - prior), ((keep, 1 - keep), (1 - keep, keep))))
        return {"p": str(keep), "e^epsilon": str(found)} if found is None or found > 3 else None

    return check_all([Fraction(4, 5)], fails, "", deadline)


STATEMENTS = (
    Statement(
        "dor18/theorem_5",
        "Dor18",
        "Theorem 5",
        "An exact count and X_i are epsilon-dependent where neighbouring counts are about as "
        "likely.",
        ("independent bits", "the bound holds for all valid releases"),
        decide_theorem_5,
        (Neighbour("all counts from 0 to n are released", refute_all_releases),),
        section="3.1",
        uses=("dor18/definition_1",),
        expected="corrected",
    ),
    Statement(
        "dor18/theorem_6",
        "Dor18",
        "Theorem 6",
        "The same for the counts of m values.",
        ("independent values", "the bound holds for all neighbours of all valid releases"),
        decide_theorem_6,
        (Neighbour("neighbours as printed", refute_neighbours),),
        section="3.1",
        uses=("dor18/theorem_5",),
        expected="corrected",
    ),
    Statement(
        "dor18/theorem_7",
        "Dor18",
        "Theorem 7",
        "The itemset mechanism is epsilon-dependent for each row.",
        ("independent rows",),
        decide_theorem_7,
        (Neighbour("epsilon/4 in place of epsilon", refute_quarter),),
        section="3.2",
        formulas=(r"P(I = i \mid D = d) = c\, e^{\frac{\epsilon}{4} \min\{\theta, supp(i)\}}",),
        uses=("dor18/theorem_3",),
    ),
    Statement(
        "dor18/counting",
        "Dor18",
        "Counting",
        "Randomized response with p = e^epsilon/(1 + e^epsilon) is epsilon-dependent, and z = "
        "(s + p - 1)/(2p - 1).",
        (),
        decide_counting,
        (Neighbour("p = 4/5 for e^epsilon = 3", refute_larger_p),),
        section="3.3",
        formulas=(r"z = \frac{s + p - 1}{2p - 1}, \quad p = \frac{e^\epsilon}{1 + e^\epsilon}",),
        uses=("dor18/corollary_1",),
    ),
)
