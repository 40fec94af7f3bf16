"""Evf02 sections 3 and 4: per-item flips, cut-and-paste, partial supports and their estimators.

Expectation and covariance are per transaction: each lands in one of k + 1 cells, by a law that
depends on |t ∩ A| alone, and transactions are independent; sums of independent indicator vectors
have the mean P s and the covariance sum of s_l (diag(P_l) - P_l P_l^T) / N, whatever N. What is
left is linear algebra on P. The score w of one transaction has the mean m = 1 if t holds all of A
and 0 otherwise, so m^2 = m, and E[w^2 - w] = E[w^2] - m^2 is its variance. The covariance of Q s'
is linear in s, so that s_est, whose mean is s, may stand for s. Beside the argument all outcomes
of small databases are listed.

A flip is a coin for each item: of the C(m, j) sets of j items of t each is kept with probability
p^j (1-p)^(m-j), as when j is drawn with p[j] and the set uniformly. Cut-and-paste treats the items
of t alike as well: j of them are in t' if i were kept and j - i of m - i coins show heads.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy

from ppdm_formal.certify.statement import (
    EXACT,
    DerivationStep,
    Lemma,
    Neighbour,
    Outcome,
    PaperFinding,
    Statement,
    argued,
    check_all,
    derive,
    prove_identities,
    reals,
    together,
    with_findings,
)
from ppdm_formal.declare.families.cut_and_paste import cut_and_paste, cut_and_paste_keep
from ppdm_formal.declare.families.flip import flip
from ppdm_formal.declare.families.select_a_size import Randomization, select_a_size
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.recovery import Recovery

STAY = Fraction(3, 4)
KEEP = (Fraction(1, 7), Fraction(2, 7), Fraction(4, 7))
RHO = Fraction(1, 3)


def _binomial(size: int, stay: Fraction) -> tuple[Fraction, ...]:
    return tuple(math.comb(size, j) * stay**j * (1 - stay) ** (size - j) for j in range(size + 1))


def _flips_differ(case: tuple[int, int], insert: Fraction) -> Mapping[str, object] | None:
    """A pair t, t' on which per-item flips and select-a-size differ."""
    items, size = case
    flips = flip(items, size, STAY)
    selects = select_a_size(items, size, insert, keep=_binomial(size, STAY))
    for t in itertools.combinations(range(items), size):
        for count in range(items + 1):
            for sent in itertools.combinations(range(items), count):
                one, other = (
                    operator.probability(frozenset(t), frozenset(sent))
                    for operator in (flips, selects)
                )
                coins = Fraction(1)
                for item in range(items):
                    coins *= STAY if (item in t) == (item in sent) else 1 - STAY
                if not one == other == coins:
                    return {"n": str(items), "t": str(t), "t'": str(sent)}
    return None


def decide_mask(deadline: Deadline) -> Outcome:
    """The coins of the items of t as p[j], those of others as rho."""
    cases = [(n, m) for n in range(1, 5) for m in range(1, n + 1)]
    tried = check_all(cases, lambda c: _flips_differ(c, 1 - STAY), "n up to 4", deadline)
    if tried.kind != "checked":
        return tried
    scope = "every n and m; listed: n up to 4"
    return argued(tried, scope, "argument", "exhaustive")


def _pastes_differ(
    case: tuple[int, int, int], *, uniform: bool = False
) -> Mapping[str, object] | None:
    """A pair t, t' on which cut-and-paste differs from drawing i, its items and all coins.

    uniform: against select-a-size with p[j] = 1/(K + 1) for j = 0..K instead.
    """
    items, size, cutoff = case
    ours = cut_and_paste(items, size, cutoff, RHO)
    if uniform:
        flat = tuple(Fraction(j <= cutoff, cutoff + 1) for j in range(size + 1))
        ours = select_a_size(items, size, RHO, keep=flat)
    t = frozenset(range(size))
    for count in range(items + 1):
        for chosen in itertools.combinations(range(items), count):
            sent, listed = frozenset(chosen), Fraction(0)
            for drawn in range(cutoff + 1):
                stays = min(drawn, size)
                for kept in itertools.combinations(range(size), stays):
                    coins = Fraction(1)
                    for item in range(items):
                        if item in kept:
                            coins *= item in sent
                        else:
                            coins *= RHO if item in sent else 1 - RHO
                    listed += coins / math.comb(size, stays) / (cutoff + 1)
            if ours.probability(t, sent) != listed:
                return {"n": str(items), "m": str(size), "K": str(cutoff), "t'": str(chosen)}
    return None


def decide_pastes(deadline: Deadline) -> Outcome:
    """Kept items and coins are exchangeable among the items of t: only their number matters."""
    cases = [(n, m, k) for n in range(1, 5) for m in range(1, n + 1) for k in range(4)]
    tried = check_all(cases, _pastes_differ, "n up to 4, K up to 3", deadline)
    finding = PaperFinding(
        "ambiguous",
        "4, the distribution p[0..m] of select-a-size",
        "any number of items from 0 to K is retained with probability 1/(K + 1), while the rest of "
        "the items are inserted independently with probability rho.",
        "The items of t that were not retained are among the rest. So p[j], the probability that j "
        "items of t are in t', is not 1/(K + 1) but a mixture of binomials.",
        f"m = 2, K = 1, rho = 1/3: p = {', '.join(map(str, cut_and_paste_keep(2, 1, RHO)))}; "
        "listed, all coins included.",
    )
    proof = argued(tried, f"every n, m and K; listed: {tried.scope}", "argument", *tried.means)
    return with_findings(proof, finding)


def refute_flat(deadline: Deadline) -> Outcome:
    """p[j] = 1/(K + 1) for the number of items of t that stay in all."""
    return check_all([(2, 2, 1)], lambda c: _pastes_differ(c, uniform=True), "", deadline)


def refute_rho(deadline: Deadline) -> Outcome:
    """Rho = p instead of 1 - p."""
    return check_all([(2, 1)], lambda c: _flips_differ(c, STAY), "", deadline)


Database = tuple[frozenset[int], ...]


def _databases() -> Iterator[Database]:
    """Some databases of three transactions with two of four items."""
    pairs = [frozenset(t) for t in itertools.combinations(range(4), 2)]
    yield from itertools.islice(itertools.combinations_with_replacement(pairs, 3), 0, None, 5)


def _cell_law(t: frozenset[int], itemset: frozenset[int]) -> list[Fraction]:
    """P[|R(t) ∩ A| = l'] by listing what is kept and which coins fall."""
    law = [Fraction(0)] * (len(itemset) + 1)
    outside = len(itemset - t)
    for j in range(len(t) + 1):
        for kept in itertools.combinations(sorted(t), j):
            base = len(frozenset(kept) & itemset)
            for heads in range(outside + 1):
                coins = math.comb(outside, heads) * RHO**heads * (1 - RHO) ** (outside - heads)
                law[base + heads] += KEEP[j] / math.comb(len(t), j) * coins
    return law


def _listed(
    database: Database, itemset: frozenset[int]
) -> Iterator[tuple[Fraction, tuple[Fraction, ...]]]:
    """Every outcome of randomizing the database: its probability and its partial supports."""
    laws = [_cell_law(t, itemset) for t in database]
    for cells in itertools.product(range(len(itemset) + 1), repeat=len(database)):
        chance = math.prod(
            (law[cell] for law, cell in zip(laws, cells, strict=True)), start=Fraction(1)
        )
        yield (
            chance,
            tuple(Fraction(cells.count(cell), len(cells)) for cell in range(len(itemset) + 1)),
        )


def _partial(database: Database, itemset: frozenset[int]) -> tuple[Fraction, ...]:
    held = [len(t & itemset) for t in database]
    return tuple(Fraction(held.count(cell), len(held)) for cell in range(len(itemset) + 1))


def _mean(values: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((chance * value for chance, value in values), Fraction(0))


def _wrong_moments(database: Database) -> Mapping[str, object] | None:
    """Where mean, covariance or estimators differ from what all outcomes give."""
    itemset = frozenset({0, 1})
    recovery = Recovery.of(Randomization(2, RHO, KEEP), 2)
    outcomes = list(_listed(database, itemset))
    partial, cells = _partial(database, itemset), range(3)
    count = len(database)
    means = [_mean([(c, s[cell]) for c, s in outcomes]) for cell in cells]
    expected = [sum(recovery.P[cell][h] * partial[h] for h in cells) for cell in cells]
    covariance = recovery.randomized_covariance(partial, count)
    support = _mean([(c, recovery.support(s)) for c, s in outcomes])
    spread = _mean([(c, (recovery.support(s) - partial[2]) ** 2) for c, s in outcomes])
    estimated = _mean([(c, recovery.variance_estimate(s, count)) for c, s in outcomes])
    vectors = [(c, recovery.estimate(s)) for c, s in outcomes]
    matrices = [(c, recovery.covariance_estimate(s, count)) for c, s in outcomes]
    whole = recovery.covariance(partial, count)
    checks = {
        "mean of s'": means == expected,
        "mean of the support": support == partial[2],
        "variance": spread == recovery.variance(partial, count),
        "mean of the variance estimate": estimated == spread,
        "mean of all partial supports": all(
            _mean([(c, v[i]) for c, v in vectors]) == partial[i] for i in cells
        ),
        "covariance of all of them": all(
            whole[i][j]
            == _mean([(c, (v[i] - partial[i]) * (v[j] - partial[j])) for c, v in vectors])
            for i in cells
            for j in cells
        ),
        "mean of the covariance estimate": all(
            whole[i][j] == _mean([(c, m[i][j]) for c, m in matrices]) for i in cells for j in cells
        ),
        "covariance of s'": all(
            covariance[i][j]
            == _mean([(c, (s[i] - means[i]) * (s[j] - means[j])) for c, s in outcomes])
            for i in cells
            for j in cells
        ),
    }
    wrong = [name for name, holds in checks.items() if not holds]
    return {"database": list(database), "wrong": ", ".join(wrong)} if wrong else None


LISTED = "every database; listed: three transactions of two items, all outcomes"


def _by_listing(deadline: Deadline) -> Outcome:
    tried = check_all(_databases(), _wrong_moments, LISTED, deadline)
    if tried.kind != "checked":
        return tried
    return argued(tried, LISTED, "argument", "exhaustive")


def decide_expectation(deadline: Deadline) -> Outcome:
    """Linearity: each transaction lands in cell l' with probability P[l', l]."""
    return _by_listing(deadline)


def decide_covariance(deadline: Deadline) -> Outcome:
    """Covariances of independent transactions add up; that of one is D[l]."""
    p, q, s = sympy.symbols("p q s")
    single = prove_identities(
        {
            "variance of an indicator": (p * (1 - p) ** 2 + (1 - p) * p**2, p - p * p),
            "covariance of two cells": (
                p * (1 - p) * (-q) + q * (-p) * (1 - q) + (1 - p - q) * p * q,
                -p * q,
            ),
            "s transactions of the same kind": (s * (p - p * p), s * p - s * p * p),
        },
        deadline,
    )
    return together((single, _by_listing(deadline)), scope=LISTED)


def decide_support(deadline: Deadline) -> Outcome:
    """Linearity: E Q s' = Q P s; P is stochastic, and all outcomes of small databases agree."""
    rho = sympy.Symbol("rho")
    identities = {}
    for size in (1, 2, 3):
        keep = sympy.symbols(f"p0:{size + 1}")
        for k in range(1, size + 1):
            matrix = _symbolic_transition(size, k, rho, keep)
            total = [sum(matrix[row, column] for row in range(k + 1)) for column in range(k + 1)]
            for column, mass in enumerate(total):
                identities[f"columns of P sum to 1, m = {size}, k = {k}, l = {column}"] = (
                    mass,
                    sum(keep),
                )
    found, listed = prove_identities(identities, deadline), _by_listing(deadline)
    detail = f"E Q s' = Q P s = s; the columns of P sum to 1 for m up to 3; {listed.detail}"
    return together((found, listed), detail, LISTED)


def _symbolic_transition(size: int, k: int, rho: object, keep: Sequence[object]) -> sympy.Matrix:
    """P by the definition of select-a-size: kept items of A, then coins for its others."""

    def entry(row: int, held: int) -> object:
        found = sympy.Integer(0)
        for j in range(size + 1):
            for inside in range(min(j, held) + 1):
                ways = sympy.binomial(held, inside) * sympy.binomial(size - held, j - inside)
                heads = row - inside
                if 0 <= heads <= k - held:
                    coins = sympy.binomial(k - held, heads) * rho**heads  # type: ignore[operator]
                    coins *= (1 - rho) ** (k - held - heads)  # type: ignore[operator]
                    found += keep[j] * ways / sympy.binomial(size, j) * coins
        return found

    return sympy.Matrix(k + 1, k + 1, entry)


m, m1, m2 = reals("m m1 m2")
OF_ONE = Lemma("of one transaction", (m * m == m, m1 == m), m2 - m1 == m2 - m * m)


def decide_variance(deadline: Deadline) -> Outcome:
    """m1 and m2 are the moments of a score; its mean is 0 or 1."""
    derived = derive({OF_ONE: (DerivationStep((0,)), DerivationStep((1,), coefficient=-1))})
    return together((derived, _by_listing(deadline)), scope=LISTED)


def _biased(name: str) -> object:
    """A neighbour: an estimator with one thing changed, against all outcomes."""

    def decide(deadline: Deadline) -> Outcome:
        def fails(database: Database) -> Mapping[str, object] | None:
            itemset = frozenset({0, 1})
            recovery = Recovery.of(Randomization(2, RHO, KEEP), 2)
            outcomes = list(_listed(database, itemset))
            partial, cells = _partial(database, itemset), range(3)
            P, Q = recovery.P, recovery.Q
            means = [_mean([(c, s[cell]) for c, s in outcomes]) for cell in cells]
            spread = recovery.variance(partial, len(database))
            found = {
                "P transposed": means
                == [sum(P[h][cell] * partial[h] for h in cells) for cell in cells],
                "without the mean": recovery.randomized_covariance(partial, 3)[0][0]
                == sum(partial[h] * P[0][h] for h in cells) / 3,
                "Q transposed": _mean(
                    [(c, sum(Q[cell][2] * s[cell] for cell in cells)) for c, s in outcomes]
                ) == partial[2],
                "with Q^2 alone": _mean(
                    [(c, sum(Q[2][cell] ** 2 * s[cell] for cell in cells) / 3) for c, s in outcomes]
                ) == spread,
            }  # fmt: skip
            return None if found[name] else {"database": list(database)}

        return check_all(_databases(), fails, "", deadline)

    return decide


def decide_antimonotone(deadline: Deadline) -> Outcome:
    """One database and one outcome: the estimate of a pair exceeds that of its item."""
    pair, item = (Recovery.of(Randomization(2, RHO, KEEP), k) for k in (2, 1))
    sent = [frozenset({0, 1})] * 2 + [frozenset[int]()]  # what three clients happen to send
    both = pair.support(_partial(tuple(sent), frozenset({0, 1})))
    one = item.support(_partial(tuple(sent), frozenset({0})))
    if both <= one:
        return Outcome("refuted", "the estimates are in order", counterexample={"pair": str(both)})
    return Outcome(
        "checked",
        f"of reports {{0, 1}}, {{0, 1}}, {{}}: {both} for {{0, 1}}, {one} for {{0}}",
        scope="one example",
        means=("exact arithmetic",),
        trust=EXACT,
    )


def refute_antimonotone(deadline: Deadline) -> Outcome:
    """Estimated supports never rise with the itemset: refuted by that example."""
    found = decide_antimonotone(deadline)
    if found.kind != "checked":
        return Outcome("unknown", found.detail)
    return replace(found, kind="refuted", counterexample={"reports": "{0, 1}, {0, 1}, {}"})


STATEMENTS = (
    Statement(
        "evf02/mask_is_select_a_size",
        "Evf02",
        "Per-item flips are select-a-size",
        "For transactions of a fixed size m, flipping each item with probability 1 - p is "
        "select-a-size with rho = 1 - p and binomial p[j].",
        ("each item is flipped on its own",),
        decide_mask,
        (Neighbour("rho = p", refute_rho),),
        section="3",
        formulas=(r"\rho = 1 - p, \quad p[j] = \binom{m}{j} p^j (1 - p)^{m - j}",),
        uses=("egs03/definition_4",),
    ),
    Statement(
        "evf02/cut_and_paste_is_select_a_size",
        "Evf02",
        "Cut-and-paste is select-a-size",
        "Keeping i items of t, i uniform on 0..K, and inserting all others with probability rho is "
        "select-a-size with the p[j] below.",
        (
            "K <= m; for i > m all of t is kept",
            "the others are the items of t that were not kept, too",
        ),
        decide_pastes,
        (Neighbour("p[j] = 1/(K + 1) for j up to K", refute_flat),),
        section="4",
        formulas=(
            r"p[j] = \sum_{i=0}^{\min(K, j)} \frac{1}{K + 1} "
            r"\binom{m - i}{j - i} \rho^{j - i} (1 - \rho)^{m - j}",
        ),
        uses=("egs03/definition_4",),
    ),
    Statement(
        "evf02/partial_support_expectation",
        "Evf02",
        "Expectation of partial supports",
        "The randomized partial supports have the mean P s.",
        ("P[l', l] = P[|R(t) ∩ A| = l' given |t ∩ A| = l]",),
        decide_expectation,
        (Neighbour("with P transposed", _biased("P transposed")),),  # type: ignore[arg-type]
        section="3",
        formulas=(r"\mathbf{E}\, \vec{s}\,' = P \vec{s}",),
        uses=("egs03/definition_4",),
    ),
    Statement(
        "evf02/partial_support_covariance",
        "Evf02",
        "Covariance of partial supports",
        "Their covariance is the mean of D[l] over the transactions, divided by N.",
        ("transactions are randomized independently", "D[l] = diag(P_l) - P_l P_l^T"),
        decide_covariance,
        (Neighbour("D[l] = diag(P_l)", _biased("without the mean")),),  # type: ignore[arg-type]
        section="3",
        formulas=(r"\mathbf{Cov}\, \vec{s}\,' = \frac{1}{N} \sum_{l=0}^k s_l D[l]",),
        uses=("evf02/partial_support_expectation",),
    ),
    Statement(
        "evf02/support_estimator",
        "Evf02",
        "Estimator of supports",
        "Q s' with Q = P^-1 estimates partial supports without bias.",
        ("P has an inverse",),
        decide_support,
        (Neighbour("with Q transposed", _biased("Q transposed")),),  # type: ignore[arg-type]
        section="3",
        formulas=(r"\vec{s}_{est} = Q \vec{s}\,', \quad s_{est} = \sum_l s'_l Q_{kl}",),
        uses=("evf02/partial_support_expectation",),
    ),
    Statement(
        "evf02/variance_estimator",
        "Evf02",
        "Estimator of the variance",
        "The sum of s'_l (Q_kl^2 - Q_kl) / N estimates the variance of the support estimate "
        "without bias, and so does the covariance with s_est in place of s for all partial "
        "supports.",
        ("P has an inverse",),
        decide_variance,
        (Neighbour("with Q_kl^2 alone", _biased("with Q^2 alone")),),  # type: ignore[arg-type]
        section="3",
        formulas=(
            r"(\mathbf{Var}\, s_{est})_{est} = \frac{1}{N} \sum_l s'_l (Q_{kl}^2 - Q_{kl})",
            r"(\mathbf{Cov}\, \vec{s}_{est})_{est} = "
            r"\frac{1}{N} \sum_l (\vec{s}_{est})_l\, Q D[l] Q^T",
        ),
        uses=("evf02/support_estimator", "evf02/partial_support_covariance"),
    ),
    Statement(
        "evf02/antimonotonicity_fails",
        "Evf02",
        "Estimates need not fall with the itemset",
        "An estimated support may be larger than that of a subset.",
        (),
        decide_antimonotone,
        (Neighbour("estimates always fall", refute_antimonotone),),
        section="3",
        uses=("evf02/support_estimator",),
        expected="checked",
    ),
)
