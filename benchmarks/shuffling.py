"""Epsilon after shuffling k-ary randomized response: four published bounds, beside ours.

Written anew from what the papers state; the authors' programs were read to compare, not copied.

- FMT21: Feldman, McMillan, Talwar, Hiding among the clones (FOCS 2021); read: the authors' program,
  github apple/ml-shuffling-amplification of 2021-09-28, and what its README prints.
- FMT23: the same, Stronger privacy amplification by shuffling (SODA 2023); read: as restated in the
  program of the next, not the authors' own.
- WANG: Wang et al., Privacy amplification via shuffling: unified, simplified, and tightened (VLDB
  2024); read: the authors' program and README, github wangsw/PrivacyAmplification of 2024-10-27,
  which was run in four settings and gives the same; not the proofs. For three values and more IT
  IS NO UPPER BOUND: `_refuted` has an exact counterexample. For two values it is FMT23.
- BBGN: Balle, Bell, Gascon, Nissim, The privacy blanket of the shuffle model (CRYPTO 2019), the
  better of its bounds by Hoeffding and by Bennett; read: the authors' program, github
  BorjaBalle/amplification-by-shuffling of 2020-11-10.

None of the papers themselves was read. Not compared: Koskela, Heikkila, Honkela (Numerical
accounting in the shuffle model). All but the counterexample is in floats: what is said here is
compared, and nothing rests on it.

    python -m benchmarks.shuffling            the table, as Markdown
    python -m benchmarks shuffling            questions that the bounds must answer alike
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from scipy.stats import binom

from benchmarks.result import Result
from ppdm_formal.derive.measures.after_shuffling import Kinds, find_event

EPSILONS = (1, 2, 4)
VALUES = (2, 10, 100)
PEOPLE = (10**2, 10**3, 10**4, 10**5, 10**6)
DELTAS = (1e-6, 1e-9)

WIDTH = 12.0
"""Deviations of the number of clones that are summed; what is beyond is added as if lost."""


def ours(eps0: float, k: int, n: int, delta: float) -> tuple[float, float]:
    """Epsilon from below (an event) and from above (blanket; of two values a cover), any others.

    In floats, as the package chooses its evidence; certificates prove the same in integers.
    """
    t = math.exp(eps0)
    other = 1 / (t + k - 1)
    kept = t * other
    p, q = [kept, other], [other, kept]
    laws = [[kept, other]] if k == 2 else [[other, other], [kept, other]]
    if k > 2:  # a third value, which all others may have, and the rest
        rest = [other, (k - 3) * other] if k > 3 else [other]
        p, q = [*p, *rest], [*q, *rest]
        laws = [[*laws[0], kept, *rest[1:]], [*laws[1], *rest]]
    upper = Kinds(np.array(p), np.array(q), np.array([other, other, *p[2:]]), k == 2)
    alike = [Kinds(np.array(p), np.array(q), np.array(law)) for law in laws]

    def above(eps: float) -> float:
        return upper.bound(n, math.exp(eps), delta)

    def below(eps: float) -> float:
        events = [find_event(one, n, math.exp(eps), False) for one in alike]
        return max((event.value for event in events if event is not None), default=0.0)

    return epsilon(below, eps0, delta), epsilon(above, eps0, delta)


# One pair of laws that dominates: FMT21, FMT23 and WANG differ in its three numbers.
#
# A client other than the victim sends 0 and 1 with probability r each, and otherwise something
# that tells nothing. The victim sends 0 and 1 with probabilities p a and a, or a and p a; else
# as the others do otherwise. Seen is how many 0 and 1 there are. With N of them, h of these 0,
# the first hypothesis less e^eps times the second is as h v + (N - h) w + (n - N) u, whence over
# N ~ Bin(n, 2r) and h ~ Bin(N, 1/2):
#     delta(eps) = (1/n) E[max(0, h v + (N - h) w + (n - N) u)].


def pair_delta(eps: float, n: int, p: float, a: float, r: float) -> float:
    """The hockey-stick divergence at e^eps of the pair, summed over all that matters."""
    gamma, loose = math.exp(eps), max(0.0, 1 - 2 * r)
    rest = max(0.0, 1 - a - p * a)
    if gamma >= p:
        return 0.0
    v, w = (p - gamma) * a / r, (1 - gamma * p) * a / r
    u = 0.0 if loose == 0 else (1 - gamma) * rest / loose
    spread = WIDTH * math.sqrt(2 * n * r * loose) + 2 * WIDTH
    low, high = max(0, math.floor(2 * n * r - spread)), min(n, math.ceil(2 * n * r + spread))
    clones = np.arange(low, high + 1)
    fixed = clones * w + (n - clones) * u  # with no 0 among them
    least = np.maximum(0, np.ceil(-fixed / (v - w)))  # zeros from which on the sum is positive
    above = binom.sf(least - 1, clones, 0.5)
    zeros = clones / 2 * binom.sf(least - 2, np.maximum(clones - 1, 0), 0.5)  # E[h; h >= least]
    inside = np.maximum(0.0, (v - w) * zeros + fixed * above)
    beyond = binom.cdf(low - 1, n, 2 * r) + binom.sf(high, n, 2 * r)
    return float(binom.pmf(clones, n, 2 * r) @ inside) / n + v * float(beyond)


def fmt21(eps0: float, n: int) -> Callable[[float], float]:
    """Each other client is a clone of the victim, of either input with probability e^-eps0/2."""
    p = math.exp(eps0)
    return lambda eps: pair_delta(eps, n, p, 1 / (p + 1), 1 / (2 * p))


def fmt23(eps0: float, n: int) -> Callable[[float], float]:
    """The same with 1/(e^eps0 + 1)."""
    p = math.exp(eps0)
    return lambda eps: pair_delta(eps, n, p, 1 / (p + 1), 1 / (p + 1))


def wang(eps0: float, k: int, n: int) -> Callable[[float], float]:
    """Variation (p - 1) a = (e^eps0 - 1)/(e^eps0 + k - 1) and ratios e^eps0 of k-ary response."""
    p = math.exp(eps0)
    return lambda eps: pair_delta(eps, n, p, 1 / (p + k - 1), 1 / (p + k - 1))


# BBGN: delta <= E[max(0, L_1 + ... + L_M)]/(n g), M ~ Bin(n, g), where with probability g a
# client's report is uniform whatever its value, and L = k (p[x -> y] - e^eps p[x' -> y]) for a
# uniform y: its mean is -c, c = e^eps - 1. Expectations over M are those of e^(-s M).


def _blanket(eps0: float, k: int) -> float:
    return k / (math.exp(eps0) + k - 1)


def hoeffding(eps0: float, k: int, n: int) -> Callable[[float], float]:
    """E[max(0, sum)] <= b^2/(4 c) e^(-2 m c^2/b^2), b being the range of L."""
    g = _blanket(eps0, k)

    def delta(eps: float) -> float:
        c = math.expm1(eps)
        b = (1 - g) * k * (math.exp(eps) + 1)
        lost = n * math.log1p(g * math.expm1(-2 * c * c / (b * b)))
        return b * b / (4 * c) * math.exp(lost) / (n * g)

    return delta


def bennett(eps0: float, k: int, n: int) -> Callable[[float], float]:
    """E[max(0, sum)] <= b/log(1 + t) e^(-m s/b^2 h(t)): L <= b, E[L^2] = s, t = c b/s.

    h(t) = (1 + t) log(1 + t) - t; it comes of Bennett's bound on the tail, integrated along the
    tangent of h.
    """
    g = _blanket(eps0, k)

    def delta(eps: float) -> float:
        c = math.expm1(eps)
        b = (1 - g) * k - g * c
        s = g * (2 - g) * c * c + (1 - g) ** 2 * k * (1 + math.exp(2 * eps))
        if b <= 0:
            return 0.0
        t = c * b / s
        rate = s / (b * b) * ((1 + t) * math.log1p(t) - t)
        lost = n * math.log1p(g * math.expm1(-rate))
        none = n * math.log1p(-g) if g < 1 else -math.inf
        return b / math.log1p(t) * (math.exp(lost) - math.exp(none)) / (n * g)

    return delta


def epsilon(delta_at: Callable[[float], float], eps0: float, delta: float) -> float:
    """The least epsilon that a bound allows at delta; eps0 where it allows none below."""
    low, high = 0.0, float(eps0)
    while high - low > 1e-7 * max(high, 1e-3):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    return high


def bounds(eps0: float, k: int, n: int, delta: float) -> dict[str, float]:
    """Epsilon at delta by each of the published bounds."""
    by = {
        "FMT21": [fmt21(eps0, n)],
        "FMT23": [fmt23(eps0, n)],
        "WANG": [wang(eps0, k, n)],
        "BBGN": [hoeffding(eps0, k, n), bennett(eps0, k, n)],
    }
    return {name: min(epsilon(one, eps0, delta) for one in many) for name, many in by.items()}


def table() -> str:
    """All of them, as Markdown."""
    names = ("FMT21", "FMT23", "WANG", "BBGN")
    lines = [
        f"| delta | eps0 | k | n | ours, below | ours, above | {' | '.join(names)} |",
        "|" + "---|" * (6 + len(names)),
    ]
    for delta in DELTAS:
        for eps0 in EPSILONS:
            for k in VALUES:
                for n in PEOPLE:
                    found = bounds(eps0, k, n, delta)
                    cells = [f"{delta:g}", f"{eps0}", f"{k}", f"{n}"]
                    cells += [f"{one:.5f}" for one in ours(eps0, k, n, delta)]
                    cells += [f"{found[name]:.5f}" for name in names]
                    lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def brute_delta(gamma: Fraction, n: int, p: Fraction, a: Fraction, r: Fraction) -> Fraction:
    """The divergence of the pair from its definition: all counts, in Fractions."""
    others: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
    for _ in range(n - 1):
        others = _one_more(others, r, r)
    first, second = _one_more(others, p * a, a), _one_more(others, a, p * a)
    return sum((max(Fraction(0), first[key] - gamma * second[key]) for key in first), Fraction(0))


def _one_more(
    law: dict[tuple[int, int], Fraction], zero: Fraction, one: Fraction
) -> dict[tuple[int, int], Fraction]:
    found: dict[tuple[int, int], Fraction] = {}
    for (zeros, ones), mass in law.items():
        for key, part in (
            ((zeros + 1, ones), zero),
            ((zeros, ones + 1), one),
            ((zeros, ones), 1 - zero - one),
        ):
            found[key] = found.get(key, Fraction(0)) + mass * part
    return found


def measure() -> list[Result]:
    """Whether the bounds agree with their definitions, their authors and each other; and ours."""
    return [_defined(), _printed(), _ordered(), _refuted(), _enclosed()]


def _defined() -> Result:
    worst = 0.0
    p = Fraction(3)
    for a, r in ((Fraction(1, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(1, 6)),
                 (Fraction(1, 12), Fraction(1, 12))):  # fmt: skip
        for n in (1, 2, 7, 20):
            for gamma in (Fraction(11, 10), Fraction(3, 2), Fraction(5, 2)):
                exact = float(brute_delta(gamma, n, p, a, r))
                found = pair_delta(math.log(gamma), n, float(p), float(a), float(r))
                worst = max(worst, abs(found - exact))
    question = "the pair of FMT21, FMT23 and WANG against its definition in Fractions, n up to 20"
    return Result(question, f"off by {worst:.1e} at most", "below 1e-12", worst < 1e-12)


def _printed() -> Result:
    found = epsilon(fmt21(4, 100_000), 4, 1e-6)
    question = "FMT21, eps0 4, n 10^5, delta 1e-6: within what the authors' program prints"
    low, high = 0.1675385583317841, 0.172790550755978
    return Result(question, f"{found:.5f}", f"{low:.5f} to {high:.5f}", low <= found <= high)


def _ordered() -> Result:
    """WANG asks more of the operator than FMT23, which has more clones than FMT21."""
    wrong = []
    for eps0 in EPSILONS:
        for n in (10**2, 10**4):
            by = {k: bounds(eps0, k, n, 1e-6) for k in VALUES}
            same = math.isclose(by[2]["WANG"], by[2]["FMT23"], rel_tol=1e-5)
            falls = all(b["WANG"] <= b["FMT23"] * 1.00001 for b in by.values())
            if not (same and falls and by[2]["FMT23"] <= by[2]["FMT21"] * 1.00001):
                wrong.append((eps0, n))
    question = "WANG <= FMT23 <= FMT21, and WANG = FMT23 for two values"
    return Result(question, f"{len(wrong)} of 6 settings differ", "none", not wrong)


def _refuted() -> Result:
    """k-ary response itself, from its definition: all others have the victim's first value.

    What the victim sends besides 0 and 1 is here told from what the others send besides clones;
    the pair of WANG takes them for one.
    """
    k, n, p, gamma = 3, 3, Fraction(10), Fraction(6)
    a = 1 / (p + k - 1)
    row = [[p * a if x == y else a for y in range(k)] for x in range(2)]
    laws = []
    for x in range(2):
        law = {(0, 0): Fraction(1)}
        for one in (row[x], *[row[0]] * (n - 1)):
            law = _one_more(law, one[0], one[1])
        laws.append(law)
    true = sum((max(Fraction(0), laws[0][h] - gamma * laws[1][h]) for h in laws[0]), Fraction(0))
    said = brute_delta(gamma, n, p, a, a)
    question = "is WANG an upper bound? three values, three people, e^eps0 10, e^eps 6, exactly"
    measured = f"no: delta is {true} = {float(true):.4f}, WANG says {said} = {float(said):.4f}"
    return Result(question, measured, "no (found here)", true > said)


def _enclosed() -> Result:
    """Ours from below must be below every bound that is one, or one of the two is wrong."""
    wrong = 0
    for eps0 in EPSILONS:
        for k in VALUES:
            below, above = ours(eps0, k, 1000, 1e-6)
            found = bounds(eps0, k, 1000, 1e-6)
            least = min(found[name] for name in ("FMT21", "FMT23", "BBGN"))
            wrong += not below <= above or below > least * 1.00001
    question = "ours from below against FMT21, FMT23 and BBGN, n 1000, delta 1e-6"
    return Result(question, f"{wrong} of 9 contradict", "none", wrong == 0)


if __name__ == "__main__":
    print(table())
