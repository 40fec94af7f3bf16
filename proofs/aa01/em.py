"""AA01 section 4: the EM reconstruction, its steps and its convergence, on finitely many cells.

Theorem 4.1: ln f_X is ln theta_i on cell i, and records are independent, so that its mean given the
data is the sum over j and i of P[X_j in Omega_i | z_j] ln theta_i; by Bayes' rule that probability
is theta_i Pr(Y in z_j - Omega_i) / f_Z(z_j).

Theorem 4.2, for every K: with pi_i = m_i theta_i and pi*_i = psi_i / N the difference of Q at
pi* and at pi is the sum of psi_i ln(pi*_i / pi_i), and ln t <= t - 1 gives -(N sum of pi_i - sum
of psi_i) = 0 as a lower bound.

Proposition 4.1: along a line with direction d the likelihood has the second derivative minus the
sum of (a_j . d / a_j . pi)^2: never above 0, and 0 just if every a_j . d is 0. So it is concave,
strictly iff no direction d with sum 0 is invisible in all a_j. Then the maximum is unique; without
that it may be unique, in a corner, or not.

Theorem 4.4: let pi* be a maximum, w_ij = pi*_i A_ij / ((A pi*)_j N). The sum over i is 1/N; that
over j is pi*_i, since pi* is a fixed point of the step (at a maximum the derivatives are equal
wherever pi*_i > 0). One step multiplies pi_i by c_i, the
mean of (A pi*)_j / (A pi)_j under w_ij / pi*_i, so by Jensen for ln, D(pi* || pi) - D(pi* ||
step of pi) = sum of pi*_i ln c_i >= (L(pi*) - L(pi)) / N >= 0. These gaps sum to at most D(pi*
|| first pi), which is finite where the first pi is positive: L tends to its maximum. Every limit
point is a maximum, and the distance to it does not grow: the sequence converges to a maximum,
unique or not.

Observation 4.1: functions z -> Pr(Y in z - Omega_i) of cells in order have supports that end
ever later where Y is bounded, so that no combination of them vanishes: f_Z determines f_X, and
the mean likelihood has its only maximum there (Gibbs). Densities of cells are bounded above, by
1/m_i, and masses form a compact set: so maximum likelihood estimates converge to f_X for almost
all data (Wald 1949), and EM converges to one of them for each N. The loss is bounded, so that its
mean converges as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy
from flint import arb

from ppdm_formal.certify.statement import (
    Neighbour,
    Outcome,
    PaperFinding,
    Statement,
    argued,
    check_all,
    corrected,
    prove_identities,
    together,
    with_findings,
)
from ppdm_formal.declare.machine.deadline import Deadline

from ._cells import CELLS, Cell, chances, density, em_step, likelihood, log_ball, masses

POINTS = tuple(Fraction(k, 4) for k in (-3, 1, 2, 6, 9, 13, 17))
START = (Fraction(1, 3),) * 3
ROWS = [chances(CELLS, z) for z in POINTS]


def _posterior(z: Fraction, at: Sequence[Fraction], parts: int) -> list[Fraction]:
    """P[X in Omega_i | Z = z] by Bayes on a fine grid of x: exact where it hits all corners."""
    found = []
    for (lo, hi), mass in zip(CELLS, at, strict=True):
        width = (hi - lo) / parts
        middles = [lo + width * (k + Fraction(1, 2)) for k in range(parts)]
        share = sum((Fraction(1, 2) for x in middles if abs(z - x) <= 1), Fraction(0)) / parts
        found.append(mass * share)
    total = sum(found)
    return [part / total for part in found]


def decide_e_step(deadline: Deadline) -> Outcome:
    """psi_i is the expected number of x in cell i: Bayes' rule for each z, added up."""

    def fails(z: Fraction) -> Mapping[str, object] | None:
        row = chances(CELLS, z)
        ours = [a * p / density(row, START) for a, p in zip(row, START, strict=True)]
        listed = _posterior(z, START, 64)
        return None if ours == listed else {"z": str(z), "psi": str(ours), "Bayes": str(listed)}

    tried = check_all(POINTS, fails, "", deadline)
    a, b, c = sympy.symbols("a b c", positive=True)  # theta_i Pr(Y in z - Omega_i)
    shares = [part / (a + b + c) for part in (a, b, c)]
    identity = prove_identities({"the expected counts sum to 1": (sum(shares), 1)}, deadline)
    if tried.kind != "checked":
        return tried
    scope = "every K, N and noise; compared with Bayes' rule on three cells"
    return argued(together((identity, tried)), scope, "argument", "exhaustive")


def refute_midpoint(deadline: Deadline) -> Outcome:
    """The noise's density at the midpoint in place of its probability of the cell."""

    def fails(z: Fraction) -> Mapping[str, object] | None:
        row = [Fraction(abs(z - (lo + hi) / 2) <= 1) / 2 for lo, hi in CELLS]
        if not density(row, START):
            return {"z": str(z), "f_Z": "0"}
        ours = [a * p / density(row, START) for a, p in zip(row, START, strict=True)]
        listed = _posterior(z, START, 64)
        return (
            None
            if ours == listed
            else {"z": str(z), "midpoint": str(ours[0]), "Bayes": str(listed[0])}
        )

    return check_all(POINTS, fails, "", deadline)


def decide_m_step(deadline: Deadline) -> Outcome:
    """Gibbs' inequality term by term, and every other density of a grid by enclosures."""
    t, n, psi, pi = sympy.symbols("t N psi pi", positive=True)
    slope = sympy.diff(t - 1 - sympy.log(t), t)
    tangent = prove_identities(
        {"slope of t - 1 - ln t": (slope, (t - 1) / t),
         "a term of the bound": (psi * (pi / (psi / n) - 1), n * pi - psi)},
        deadline,
    )  # fmt: skip
    best = em_step(ROWS, START)
    weights = [len(ROWS) * part for part in best]  # psi_i

    def goal(at: Sequence[Fraction]) -> arb:
        return sum(
            (
                arb(w.numerator) / w.denominator * log_ball(p)
                for w, p in zip(weights, at, strict=True)
            ),
            arb(0),
        )

    def fails(at: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        return {"pi": str(at)} if not goal(best) >= goal(at) and list(at) != best else None

    tried = check_all(masses(3, 12), fails, "", deadline)
    if tried.kind != "checked" or sum(best) != 1 or not _same_step():
        return tried
    finding = PaperFinding(
        "misprint",
        "4.2, initialization, and 4.3, the log-likelihood",
        "theta_i^0 = 1/K; the log-likelihood is a sum over j = 1..K.",
        "1/K is a density only for cells of mean length 1 (it is 1/sum of m_i otherwise); the "
        "first "
        "step mends it, because psi does not change when all theta are scaled. The likelihood is a "
        "sum over the N data.",
        f"Cells of lengths 1, 1, 2: the masses m_i/K sum to {Fraction(4, 3)}; one step from them "
        "and one from the uniform density give the same masses, exactly.",
    )
    scope = "every K, N and noise; compared with a grid of densities on three cells"
    means = ("argument", *tangent.means, *tried.means)
    return with_findings(argued(together((tangent, tried)), scope, *means), finding)


def _same_step() -> bool:
    lengths = [hi - lo for lo, hi in CELLS]
    printed = [length / 3 for length in lengths]
    scaled = [part / sum(printed) for part in printed]
    return em_step(ROWS, printed) == em_step(ROWS, scaled)


def refute_lengths(deadline: Deadline) -> Outcome:
    """theta_i = psi_i / N without m_i: no density where cells have different lengths."""

    def fails(cells: tuple[Cell, ...]) -> Mapping[str, object] | None:
        theta = em_step([chances(cells, z) for z in POINTS], START)
        total = sum(t * (hi - lo) for t, (lo, hi) in zip(theta, cells, strict=True))
        return None if total == 1 else {"sum of m_i theta_i": str(total)}

    return check_all([CELLS], fails, "", deadline)


TWO: tuple[Cell, ...] = (CELLS[0], CELLS[1])


def decide_concave(deadline: Deadline) -> Outcome:
    """Concave always; strictly iff no direction is invisible. One datum between two equal cells."""
    a, b, s = sympy.symbols("a b s", positive=True)
    second = sympy.diff(sympy.log(a + b * s), s, 2)
    identity = prove_identities(
        {"second derivative": (second, -((b / (a + b * s)) ** 2))}, deadline
    )
    row = chances(TWO, Fraction(1))
    values = {density(row, at) for at in masses(2, 8)}
    corner, one = (Fraction(1), Fraction(0), Fraction(0)), chances(CELLS, Fraction(1, 4))
    unique = all(density(one, at) < density(one, corner) for at in masses(3, 8))
    if identity.kind != "proved" or len(values) != 1 or not unique:
        return identity if identity.kind != "proved" else Outcome("unknown", "no flat direction")
    finding = PaperFinding(
        "wrong",
        "4.3, Proposition 4.1",
        "the log-likelihood is strictly concave and has a unique maximum.",
        "It is concave. It is strictly concave just if no direction with sum 0 is invisible: no d "
        "other than 0 with a_j . d = 0 for all data j and sum of m_i d_i = 0 (so at least K - 1 "
        "different data are needed). Then the maximum is unique; otherwise it may be or not. A "
        "linear function inside a strictly concave one need not be strictly concave.",
        "Uniform noise on [-1, 1], cells [0, 1] and [1, 2], one datum z = 1: the density of Z "
        f"there is {values.pop()} for every Theta. With cells [0, 1], [1, 2], [2, 4] and one datum "
        "z = 1/4 the likelihood is not strictly concave either, but all mass on the first cell is "
        "its only maximum.",
    )
    proof = argued(identity, "every K, N and noise", "argument", *identity.means)
    return corrected(proof, finding)


def refute_unique(deadline: Deadline) -> Outcome:
    """As printed: two different densities with the same, greatest likelihood."""
    row = chances(TWO, Fraction(1))

    def fails(at: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        other = (Fraction(1, 2), Fraction(1, 2))
        same = density(row, at) == density(row, other) and at != other
        return {"pi": at, "other": other, "z": "1"} if same else None

    return check_all(masses(2, 8), fails, "", deadline)


def _gap(at: Sequence[Fraction], best: Sequence[Fraction]) -> arb:
    """D(best || at) - D(best || step of at) - (L(best) - L(at)) / N."""
    after = em_step(ROWS, at)
    gain = sum(
        (arb(p.numerator) / p.denominator * (log_ball(n) - log_ball(o))
         for p, n, o in zip(best, after, at, strict=True) if p),
        arb(0),
    )  # fmt: skip
    return gain - (likelihood(ROWS, best) - likelihood(ROWS, at)) / len(ROWS)


def _fixed_identities() -> dict[str, tuple[object, object]]:
    p, a, f, n, ratio = sympy.symbols("p a f N r", positive=True)
    weight = p * a / (f * n)
    return {
        "c_i is a mean of ratios under w_ij / pi*_i": (weight / p * ratio, a / (f * n) * ratio),
        "w_ij summed over i is 1/N, term by term": (weight * f, p * a / n),
    }


def decide_wu(deadline: Deadline) -> Outcome:
    """The theorem as it is used: an interior start is needed."""
    stuck = (Fraction(1), Fraction(0), Fraction(0))
    rows = [chances(CELLS, Fraction(1, 4)), chances(CELLS, Fraction(3, 4))]
    if em_step(rows, stuck) != list(stuck):
        return Outcome("unknown", "the step leaves the boundary")
    edge = (Fraction(0), Fraction(0), Fraction(1))
    data = [chances(CELLS, z) for z in (Fraction(2), Fraction(5, 2))]
    inside = (Fraction(0), Fraction(1, 4), Fraction(3, 4))
    if em_step(data, edge) != list(edge) or not likelihood(data, inside) > likelihood(data, edge):
        return Outcome("unknown", "no better point was found")
    if sympy.Matrix([*data, [1, 1, 1]]).det() == 0:
        return Outcome("unknown", "a direction is invisible in both data")
    proof = _convergence(deadline)
    finding = PaperFinding(
        "hypothesis",
        "4.3, Theorem 4.3",
        "any EM sequence converges to the unique maximum, if Q has continuous derivatives.",
        "On the set C of section 4.3, whose boundary belongs to it, the derivatives psi_i/theta_i "
        "are not continuous where theta_i = 0, and there the conclusion fails: a theta_i that is 0 "
        "stays 0. For this algorithm positive starting values are enough.",
        "Cells [0, 1], [1, 2], [2, 4], uniform noise on [-1, 1], data 2 and 5/2: the likelihood is "
        "strictly concave, all mass on the last cell is a fixed point of EM, and 1/4 on the second "
        "one is likelier.",
    )
    return corrected(proof, finding)


def _convergence(deadline: Deadline) -> Outcome:
    """The inequality of the argument: identities, and enclosures on a grid of starts."""
    identities = prove_identities(_fixed_identities(), deadline)
    best = _best()

    def fails(at: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        return None if _gap(at, best) > -SLACK else {"pi": str(at)}

    tried = check_all(masses(3, 6), fails, "", deadline)
    if tried.kind != "checked":
        return tried
    scope = "every K, N and noise, positive start"
    return argued(identities, scope, "argument", "symbolic identity")


SLACK = arb("1e-6")


def _best() -> list[Fraction]:
    """Nearly the maximum: EM for a while, rounded to keep fractions short."""
    at = list(START)
    for _ in range(200):
        at = [Fraction(round(part * 2**40), 2**40) for part in em_step(ROWS, at)]
        at = [part / sum(at) for part in at]
    return at


def decide_convergence(deadline: Deadline) -> Outcome:
    """EM converges to a maximum; to the unique one where there is one."""
    proof = _convergence(deadline)
    if proof.kind != "proved":
        return proof
    row = [chances(TWO, Fraction(1))]
    starts = [(Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 2), Fraction(1, 2))]
    if any(em_step(row, start) != list(start) for start in starts):
        return Outcome("unknown", "the limits agree")
    finding = PaperFinding(
        "wrong",
        "4.3, Theorem 4.4",
        "the EM sequence converges to the unique maximum.",
        "From a positive start it converges to a maximum: the only one where Proposition 4.1's "
        "condition on directions holds; otherwise the limit may depend on the start.",
        "One datum z = 1 between cells [0, 1] and [1, 2]: masses 1/4, 3/4 and 1/2, 1/2 are both "
        "fixed points of the step.",
    )
    return corrected(proof, finding)


def refute_one_limit(deadline: Deadline) -> Outcome:
    """One limit for all starts: two fixed points with one datum."""
    row = [chances(TWO, Fraction(1))]

    def fails(at: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        moved = em_step(row, at)
        return {"fixed": at} if moved == list(at) and at != (Fraction(1, 2),) * 2 else None

    return check_all(masses(2, 4), fails, "", deadline)


def refute_boundary(deadline: Deadline) -> Outcome:
    """Any start: a mass of 0 stays 0."""
    data = [chances(CELLS, z) for z in (Fraction(2), Fraction(5, 2))]

    def fails(at: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        better = (Fraction(0), Fraction(1, 4), Fraction(3, 4))
        stuck = em_step(data, at) == list(at) and likelihood(data, better) > likelihood(data, at)
        return {"start": at, "likelier": better} if stuck else None

    return check_all([(Fraction(0), Fraction(0), Fraction(1))], fails, "", deadline)


def decide_observation(deadline: Deadline) -> Outcome:
    """Just before hi_i + 1 cell i is seen, and none before it: no combination of cells vanishes."""
    ends = [hi + 1 for _, hi in CELLS]

    def fails(place: int) -> Mapping[str, object] | None:
        before = Fraction(1, 8)
        row = chances(CELLS, ends[place] - before)
        alone = [i for i, a in enumerate(row[: place + 1]) if a]
        return None if alone == [place] else {"cell": str(place)}

    tried = check_all(range(len(CELLS)), fails, "", deadline)
    if tried.kind != "checked":
        return tried
    finding = PaperFinding(
        "hypothesis",
        "4.3, Observation 4.1",
        "with very many observations EM provides zero information loss.",
        "In the limit of infinitely many data, for f_X that is constant on the cells. It "
        "follows from the "
        "shape of f_Z (its pieces are independent functions for bounded noise), not from strict "
        "concavity, which fails for finitely many data. If only the cell of z is recorded it "
        "can fail.",
        "Ends of supports: " + ", ".join(str(end) for end in ends) + ", each later than the last.",
    )
    scope = "every K, bounded noise, f_X constant on cells, N to infinity"
    proof = argued(tried, scope, "argument", "exact arithmetic")
    cited = "cited: Wald 1949, consistency of maximum likelihood"
    return replace(with_findings(proof, finding), trust=cited)


def refute_binned(deadline: Deadline) -> Outcome:
    """Z recorded in cells of width 4 only: two densities of X look alike for ever."""

    def fails(pair: tuple[Sequence[Fraction], Sequence[Fraction]]) -> Mapping[str, object] | None:
        laws = [
            sum(
                mass * _in_bin(cell, Fraction(-1), Fraction(3))
                for mass, cell in zip(at, TWO, strict=True)
            )
            for at in pair
        ]
        return {"laws of the first bin": str(laws[0])} if laws[0] == laws[1] else None

    pair = ((Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 4)))
    return check_all([pair], fails, "", deadline)


def _in_bin(cell: Cell, lo: Fraction, hi: Fraction) -> Fraction:
    """P[lo <= X + Y <= hi] for X uniform on a cell of length 1, which [lo, hi] covers wholly."""
    return Fraction(lo <= cell[0] - 1 and cell[1] + 1 <= hi)


def decide_footnote(deadline: Deadline) -> Outcome:
    """AS takes the density at midpoints, EM its mean over the cell: the same where it is linear."""
    lo, hi, u, v, x = sympy.symbols("lo hi u v x")
    mean = sympy.integrate(u + v * x, (x, lo, hi)) / (hi - lo)
    found = prove_identities({"mean of a linear density": (mean, u + v * (lo + hi) / 2)}, deadline)
    return replace(
        found, scope="noise whose density is linear on each z - Omega_i; otherwise the steps differ"
    )


def refute_same_step(deadline: Deadline) -> Outcome:
    """AS is EM for every noise: refuted by uniform noise that ends inside a cell."""
    return refute_midpoint(deadline)


STATEMENTS = (
    Statement(
        "aa01/theorem_4_1",
        "AA01",
        "Theorem 4.1",
        "The E-step's Q is the sum of psi_i ln theta_i, psi_i the expected number of x in cell i.",
        ("f_X is constant on K cells",),
        decide_e_step,
        (Neighbour("the density at midpoints instead", refute_midpoint),),
        section="4.1 and A",
        formulas=(
            r"\psi_i(z; \hat\Theta) = \hat\theta_i \sum_{j=1}^N "
            r"\frac{\Pr(Y \in z_j - \Omega_i)}{f_{Z; \hat\Theta}(z_j)}",
        ),
    ),
    Statement(
        "aa01/theorem_4_2",
        "AA01",
        "Theorem 4.2",
        "The M-step's maximum is at theta_i = psi_i / (m_i N).",
        ("sum of m_i theta_i = 1",),
        decide_m_step,
        (Neighbour("without m_i", refute_lengths),),
        section="4.1",
        formulas=(r"\theta_i = \frac{\psi_i(z; \hat\Theta)}{m_i N}",),
        uses=("aa01/theorem_4_1",),
    ),
    Statement(
        "aa01/proposition_4_1",
        "AA01",
        "Proposition 4.1",
        "The log-likelihood is strictly concave and has one maximum.",
        (),
        decide_concave,
        (Neighbour("as printed", refute_unique),),
        section="4.3",
        expected="corrected",
    ),
    Statement(
        "aa01/theorem_4_3",
        "AA01",
        "Theorem 4.3",
        "Where the likelihood has one stationary point, every EM sequence converges to it.",
        ("unimodal likelihood", "continuous derivatives of Q"),
        decide_wu,
        (Neighbour("from any start, the boundary included", refute_boundary),),
        section="4.3",
        uses=("aa01/theorem_4_2",),
        expected="corrected",
    ),
    Statement(
        "aa01/theorem_4_4",
        "AA01",
        "Theorem 4.4",
        "EM converges to the unique maximum of the likelihood.",
        (),
        decide_convergence,
        (Neighbour("the limit does not depend on the start", refute_one_limit),),
        section="4.3",
        uses=("aa01/theorem_4_3", "aa01/proposition_4_1"),
        expected="corrected",
    ),
    Statement(
        "aa01/observation_4_1",
        "AA01",
        "Observation 4.1",
        "In the limit of infinitely many data EM recovers the density of X.",
        ("f_X is constant on the cells", "bounded noise"),
        decide_observation,
        (Neighbour("also where only the cell of z is recorded", refute_binned),),
        section="4.3",
        uses=("aa01/theorem_4_4",),
    ),
    Statement(
        "aa01/footnote_as_approximates_em",
        "AA01",
        "Footnote 1",
        "The AS step is the EM step with the noise's density at midpoints instead of its mean.",
        (),
        decide_footnote,
        (Neighbour("the two steps are the same for every noise", refute_same_step),),
        section="5",
        uses=("aa01/theorem_4_2",),
    ),
)
