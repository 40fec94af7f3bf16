"""EGS03 Statement 2: of all select-a-size at a given amplification, form (6) keeps the most items.

For every m, by an argument whose steps are inequalities. With d[j] = p_def[j] > 0 and b scaled to
c <= b[j] <= gamma c, let nu be the best value of form (6) over its m cutoffs, and let u[j] be gamma
where f(j) > nu, else 1. Term by term (f(j) - nu) b[j] d[j] <= c (f(j) - nu) u[j] d[j], and the sum
of the right sides is c (value of u's form - nu) (its weight): not above 0, because u has form (6)
(f does not decrease) and nu is the best. So nu_f(b) <= nu. That the cutoff of u lies in 0..m-1:
f(0) <= nu < f(m), since nu is a mean of f with positive weights and f is not constant. And u's own
value is nu: raising weights of values above a mean, or lowering those of values below, does not
lower the mean.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

import sympy

from ppdm_formal.certify.statement import (
    EXACT,
    DerivationStep,
    Lemma,
    Neighbour,
    Outcome,
    Statement,
    check_all,
    derive,
    prove_identities,
    reals,
    together,
)
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.paper_form import cutoff_values, kept_itemsets, linear_optimum

f, nu, b, c, d, g, U, V, N, D, w = reals("f nu b c d gamma U V N D w")

# One term more: U is the sum of (f - nu) b d so far, V that of (f - nu) u d.
ABOVE = Lemma(
    "a value above the best, one term more",
    (U <= c * V, f > nu, b <= g * c, d > 0),
    U + (f - nu) * b * d <= c * (V + (f - nu) * g * d),
)
BELOW = Lemma(
    "a value not above it, one term more",
    (U <= c * V, f <= nu, b >= c, d > 0),
    U + (f - nu) * b * d <= c * (V + (f - nu) * d),
)
# The mean N/D = nu with weight w of the value f added, or taken away.
RAISED = Lemma(
    "raising a value above the mean", (N >= nu * D, w >= 0, f >= nu), N + w * f >= nu * (D + w)
)
LOWERED = Lemma(
    "lowering a value below the mean", (N >= nu * D, w >= 0, f <= nu), N - w * f >= nu * (D - w)
)
DERIVED = {
    ABOVE: (DerivationStep((0,)), DerivationStep((1, 2, 3))),
    BELOW: (DerivationStep((0,)), DerivationStep((1, 2, 3))),
    RAISED: (DerivationStep((0,)), DerivationStep((1, 2))),
    LOWERED: (DerivationStep((0,)), DerivationStep((1, 2))),
}
SCOPE = "every m, gamma >= 1, 0 < rho < 1 and every f that does not decrease and is not constant"
GRID = [(Fraction(rho), Fraction(gamma)) for rho in ("1/8", "1/2", "3/4") for gamma in (1, 6, 19)]
LARGEST = 5


def _goals(size: int) -> Iterator[tuple[Fraction, ...]]:
    """Steps at each place, two steps, and the numbers of k-itemsets: all increase."""
    steps = [tuple(Fraction(j > at) for j in range(size + 1)) for at in range(size)]
    yield from steps
    yield from (kept_itemsets(size, k) for k in range(1, size + 1))
    for one, other in itertools.combinations(steps, 2):
        yield tuple(x + 2 * y for x, y in zip(one, other, strict=True))


Case = tuple[tuple[Fraction, ...], Fraction, Fraction]


def _cases() -> Iterator[Case]:
    for size in range(1, LARGEST + 1):
        for goal in _goals(size):
            yield from ((goal, rho, gamma) for rho, gamma in GRID)


def best_vertex(goal: Sequence[Fraction], rho: Fraction, gamma: Fraction) -> Fraction:
    """The maximum by brute force: all b whose entries are 1 or gamma (a linear goal has no other).

    A quotient of linear functions with a positive denominator has its maximum over a box at a
    corner.
    """
    size = len(goal) - 1
    default = [math.comb(size, j) * rho**j * (1 - rho) ** (size - j) for j in range(size + 1)]
    values = []
    for ratios in itertools.product((Fraction(1), gamma), repeat=size + 1):
        weights = [r * p for r, p in zip(ratios, default, strict=True)]
        total = sum(x * y for x, y in zip(goal, weights, strict=True))
        values.append(total / sum(weights))
    return max(values)


def _beaten(case: Case) -> Mapping[str, object] | None:
    goal, rho, gamma = case
    best, form = best_vertex(*case), max(cutoff_values(goal, rho, gamma))
    if best == form == linear_optimum(goal, rho, gamma).value:
        return None
    return {
        "f": " ".join(map(str, goal)),
        "rho": str(rho),
        "gamma": str(gamma),
        "best": str(best),
        "best of form (6)": str(form),
    }


def _forms() -> dict[str, tuple[object, object]]:
    """nu_f of form (6) as a quotient, for symbolic rho, gamma and f, m up to 8."""
    rho, gamma = sympy.symbols("rho gamma", positive=True)
    found: dict[str, tuple[object, object]] = {}
    for size in (1, 4, 8):
        default = [
            sympy.binomial(size, j) * rho**j * (1 - rho) ** (size - j) for j in range(size + 1)
        ]
        found[f"the default probabilities sum to 1, m = {size}"] = (sum(default), 1)
        for cutoff in range(size):
            ratios = [1 if j <= cutoff else gamma for j in range(size + 1)]
            weights = [r * p for r, p in zip(ratios, default, strict=True)]
            shares = [weight / sum(weights) for weight in weights]
            found[f"form (6) is a distribution, m = {size}, j* = {cutoff}"] = (sum(shares), 1)
    return found


def decide_statement(deadline: Deadline) -> Outcome:
    """The argument for every m, and brute force over all corners for small m."""
    tried = check_all(_cases(), _beaten, f"m up to {LARGEST}", deadline)
    if tried.kind != "checked":
        return tried
    argument = Outcome("proved", "the best form (6) bounds every b", means=("argument",))
    return together(
        (argument, derive(DERIVED), prove_identities(_forms(), deadline)),
        detail=f"{argument.detail}: {derive(DERIVED).detail}; {tried.detail} for {tried.scope}",
        scope=SCOPE,
    )


def decide_itemsets(deadline: Deadline) -> Outcome:
    """C(j, k) does not decrease in j, and is not constant for 1 <= k <= m."""
    j, k = sympy.symbols("j k", integer=True, positive=True)
    pascal = sympy.combsimp(
        sympy.binomial(j + 1, k) - sympy.binomial(j, k) - sympy.binomial(j, k - 1)
    )
    if pascal != 0:
        return Outcome("unknown", "Pascal's rule was not found")
    rule = Outcome(
        "proved",
        "C(j+1, k) - C(j, k) = C(j, k-1) >= 0, and C(0, k) = 0 < 1 <= C(m, k)",
        means=("symbolic identity",),
        trust=EXACT,
    )
    return together((rule, decide_statement(deadline)), scope="every m and 1 <= k <= m")


def _odd(goal: Sequence[int]) -> Callable[[Deadline], Outcome]:
    """A goal that does not increase: some b is better than every form (6)."""

    def decide(deadline: Deadline) -> Outcome:
        values = tuple(map(Fraction, goal))
        return check_all([(values, Fraction(1, 2), Fraction(19))], _form_beaten, "", deadline)

    return decide


def _form_beaten(case: Case) -> Mapping[str, object] | None:
    goal, rho, gamma = case
    best, form = best_vertex(*case), max(cutoff_values(goal, rho, gamma))
    if best <= form:
        return None
    shown = {"f": " ".join(map(str, goal)), "rho": str(rho), "gamma": str(gamma)}
    return {**shown, "best": str(best), "best of form (6)": str(form)}


def _one_cutoff(deadline: Deadline) -> Outcome:
    """Items and pairs with one cutoff for both: the best j* differs."""

    def fails(case: tuple[Fraction, Fraction, int]) -> Mapping[str, object] | None:
        rho, gamma, size = case
        best = [
            max(range(size), key=cutoff_values(kept_itemsets(size, k), rho, gamma).__getitem__)
            for k in (1, 2)
        ]
        if best[0] == best[1]:
            return None
        return {"rho": str(rho), "gamma": str(gamma), "m": str(size), "j* for k = 1, 2": str(best)}

    cases = ((rho, gamma, size) for rho, gamma in GRID for size in range(2, 9))
    return check_all(cases, fails, "", deadline)


STATEMENTS = (
    Statement(
        "egs03/statement_2",
        "EGS03",
        "Statement 2",
        "The mean of f over the number of items kept is greatest for b that takes two values: "
        "gamma times as much above a cutoff j* as up to it.",
        (
            "f(j) does not decrease and is not constant on 0..m",
            "b[j1]/b[j2] <= gamma for all j1, j2, and p is a distribution",
            "0 < rho < 1",
        ),
        decide_statement,
        (
            Neighbour("f = 4, 0, 1, 4, which falls and rises", _odd((4, 0, 1, 4))),
            Neighbour("f decreasing", _odd((3, 2, 1, 0))),
        ),
        section="4.2",
        formulas=(
            r"\gamma b[0] = \dots = \gamma b[j_*] = b[j_* + 1] = \dots = b[m]",
            r"\nu_f(p) = \sum_{j=0}^m f(j)\, p[j]",
        ),
        uses=("egs03/definition_4",),
    ),
    Statement(
        "egs03/statement_2_itemsets",
        "EGS03",
        "Statement 2, for itemsets",
        "The mean number of k-itemsets of t that are kept is greatest for the same form, possibly "
        "with another cutoff.",
        ("1 <= k <= m",),
        decide_itemsets,
        (Neighbour("the same cutoff is best for items and for pairs", _one_cutoff),),
        section="4.2",
        formulas=(r"\sum_{j=0}^m \binom{j}{k}\, p[j]",),
        uses=("egs03/statement_2",),
    ),
)
