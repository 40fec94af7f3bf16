"""EGS03 Statement 1 and its converse: amplification decides breaches, for every finite V_X.

Of a property Q and an output y only four numbers matter: a = P[Q] and b = P[not Q], and their
parts A, B that come with Y = y. With L the greatest likelihood p[x -> y] of one side and l the
least of the other, A <= L a and B >= l b: sums over inputs, bounded by induction on how many
inputs there are. What is left is real arithmetic, put to two solvers.
"""

import itertools
from collections.abc import Mapping
from fractions import Fraction

from ppdm_formal import BreachClaim
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.statement import (
    Lemma,
    Neighbour,
    Outcome,
    Statement,
    by_induction,
    check_all,
    prove_all,
    reals,
    refute,
    replay_breach,
    together,
)
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.amplification import amplification

SCOPE = "every finite set of inputs"

a, b, A, B, L, least, g, p, q, q1, q2, r1, r2 = reals("a b A B L l g p q q1 q2 r1 r2")

# A sum of p_x l_x over some inputs, against its mass: no inputs, then one input more.
UPPER_BASE = Lemma("upper sum, base", (L >= 0,), L * 0 >= 0)
UPPER_STEP = Lemma("upper sum, step", (A <= L * a, p >= 0, q <= L), A + p * q <= L * (a + p))
LOWER_BASE = Lemma("lower sum, base", (least >= 0,), least * 0 <= 0)
LOWER_STEP = Lemma(
    "lower sum, step", (B >= least * b, p >= 0, q >= least), B + p * q >= least * (b + p)
)

BOUNDS = (r1 > 0, r1 < r2, r2 < 1)
MASSES = (a >= 0, b >= 0, a + b == 1, A >= 0, B >= 0, A + B > 0)
AMPLIFYING = (least > 0, g >= 1, L <= g * least)
CONDITION = r2 * (1 - r1) > g * r1 * (1 - r2)
AT_EQUALITY = r2 * (1 - r1) >= g * r1 * (1 - r2)
UPWARD = (a <= r1) & (A >= r2 * (A + B))
DOWNWARD = (a >= r2) & (A <= r1 * (A + B))

NO_UPWARD = Lemma(
    "no upward breach",
    (*BOUNDS, *MASSES, *AMPLIFYING, A <= L * a, B >= least * b, CONDITION),
    ~UPWARD,
)
NO_DOWNWARD = Lemma(
    "no downward breach",
    (*BOUNDS, *MASSES, *AMPLIFYING, B <= L * b, A >= least * a, CONDITION),
    ~DOWNWARD,
)
# Where no input, or every input, has the property, L or l does not exist.
NOTHING_HAS_IT = Lemma(
    "a property of no input", (*BOUNDS, *MASSES, a == 0, A == 0), ~(UPWARD | DOWNWARD)
)
EVERYTHING_HAS_IT = Lemma(
    "a property of every input", (*BOUNDS, *MASSES, b == 0, B == 0), ~(UPWARD | DOWNWARD)
)

# The converse: likelihoods q1 and q2 of two inputs with (3) violated, and a prior on these two.
VIOLATED = (q1 > 0, q2 >= 0, r1 * (1 - r2) * q1 >= r2 * (1 - r1) * q2)
UP_EVIDENCE = r1 * q1 + (1 - r1) * q2
DOWN_EVIDENCE = r2 * q2 + (1 - r2) * q1
BREACHES_UPWARD = r1 * q1 >= r2 * UP_EVIDENCE
TWO_POINTS_UPWARD = Lemma(
    "two points, upward", (*BOUNDS, *VIOLATED), (UP_EVIDENCE > 0) & BREACHES_UPWARD
)
TWO_POINTS_DOWNWARD = Lemma(
    "two points, downward",
    (*BOUNDS, *VIOLATED),
    (DOWN_EVIDENCE > 0) & (r2 * q2 <= r1 * DOWN_EVIDENCE),
)


LEVELS = [(Fraction(1, 4), Fraction(1, 2)), (Fraction(1, 10), Fraction(1, 2))]
ROWS = [(6, 3, 1), (1, 3, 6), (2, 6, 2), (0, 5, 5), (5, 5, 0)]
"""Rows of tenths; two of them are an operator."""


def _library_differs(rows: tuple[tuple[int, ...], ...]) -> Mapping[str, object] | None:
    """The amplification here against all ratios; a verdict here against condition (3)."""
    matrix = [[Fraction(tenths, 10) for tenths in row] for row in rows]
    columns = list(zip(*matrix, strict=True))
    zero = any(min(column) == 0 < max(column) for column in columns)
    ratios = [max(column) / min(column) for column in columns if min(column)]
    operator = Operator.from_matrix(matrix)
    ours = amplification(operator).value
    shown = {"rows": str(rows), "amplification": str(ours)}
    if ours != (INFINITY if zero else max(ratios)):
        return shown
    for low, high in LEVELS:
        safe = not zero and max(ratios) < high * (1 - low) / (low * (1 - high))
        found = certify(operator, BreachClaim(low, high)).verdict
        if (found is Verdict.CERTIFIED) != safe:
            return {**shown, "rho1": str(low), "rho2": str(high), "verdict": str(found)}
    return None


def _library(deadline: Deadline) -> Outcome:
    """This package's amplification and certifier, on operators with two inputs."""
    return check_all(itertools.product(ROWS, repeat=2), _library_differs, "", deadline)


def decide_statement(deadline: Deadline) -> Outcome:
    """Induction for the sums, then arithmetic; the certifier decides small operators alike."""
    tried = _library(deadline)
    if tried.kind != "checked":
        return tried
    sums = prove_all((UPPER_BASE, UPPER_STEP, LOWER_BASE, LOWER_STEP), deadline)
    rest = (NO_UPWARD, NO_DOWNWARD, NOTHING_HAS_IT, EVERYTHING_HAS_IT)
    return together((by_induction(sums), prove_all(rest, deadline)), scope=SCOPE)


def decide_converse(deadline: Deadline) -> Outcome:
    """The two-point prior is a breach, in both directions."""
    return prove_all((TWO_POINTS_UPWARD, TWO_POINTS_DOWNWARD), deadline, SCOPE)


def refute_equality(deadline: Deadline) -> Outcome:
    """Condition (3) with >= admits a breach: a model on two inputs, replayed as an operator."""
    likelihoods = (q2 > 0, q2 <= q1, q1 <= 1, g >= 1, q1 == g * q2)
    weaker = Lemma("two inputs at equality", (*BOUNDS, *likelihoods, AT_EQUALITY), ~BREACHES_UPWARD)
    return refute(weaker, deadline, _breaches)


def refute_converse_below(deadline: Deadline) -> Outcome:
    """The converse with "amplification above half the bound" fails: such operators can be safe."""
    likelihoods = (q1 > 0, q2 > 0, q1 <= 1, q2 <= 1)
    half = 2 * r1 * (1 - r2) * q1 >= r2 * (1 - r1) * q2
    weaker = Lemma("half the bound", (*BOUNDS, *likelihoods, half), BREACHES_UPWARD)
    return refute(weaker, deadline, _is_safe)


def _breaches(values: Mapping[str, Fraction], deadline: Deadline) -> Outcome:
    return _replayed(values, Verdict.BREACHED, deadline)


def _is_safe(values: Mapping[str, Fraction], deadline: Deadline) -> Outcome:
    return _replayed(values, Verdict.CERTIFIED, deadline)


def _replayed(values: Mapping[str, Fraction], expected: Verdict, deadline: Deadline) -> Outcome:
    """The counterexample as an operator on two inputs, which must breach at output 0 or not."""
    rows = [[values[name], 1 - values[name]] for name in ("q1", "q2")]
    claim = BreachClaim(values["r1"], values["r2"], "upward")
    return replay_breach(rows, claim, expected, deadline, output=0)


STATEMENTS = (
    Statement(
        "egs03/statement_1",
        "EGS03",
        "Statement 1",
        "Revealing R(X) = y causes neither an upward rho1-to-rho2 nor a downward rho2-to-rho1 "
        "breach, for any prior and any property.",
        (
            "0 < rho1 < rho2 < 1",
            "R is at most gamma-amplifying for y, which some x can produce",
            "rho2 (1 - rho1) / (rho1 (1 - rho2)) > gamma",
        ),
        decide_statement,
        (Neighbour("the same with condition (3) as >= instead of >", refute_equality),),
        section="4.1",
        formulas=(r"\frac{\rho_2 (1 - \rho_1)}{\rho_1 (1 - \rho_2)} > \gamma",),
        uses=("egs03/definition_1", "egs03/definition_2", "egs03/definition_3"),
    ),
    Statement(
        "egs03/statement_1_converse",
        "EGS03",
        "Statement 1, converse",
        "Some prior on two inputs has an upward rho1-to-rho2 breach with respect to one of them, "
        "and another a downward rho2-to-rho1 breach.",
        (
            "0 < rho1 < rho2 < 1",
            "p[x1 -> y] > 0, and rho1 (1 - rho2) p[x1 -> y] >= rho2 (1 - rho1) p[x2 -> y]",
        ),
        decide_converse,
        (
            Neighbour(
                "the same with half the bound: amplification at half of (3)'s left side",
                refute_converse_below,
            ),
        ),
        section="4.1",
        formulas=(r"\rho_1 (1 - \rho_2)\, p[x_1 \to y] \ge \rho_2 (1 - \rho_1)\, p[x_2 \to y]",),
        uses=("egs03/definition_1", "egs03/definition_2"),
    ),
)
