"""EGS03 Statement 1 and its converse: amplification decides breaches, for every finite V_X.

Of a property Q and an output y only four numbers matter: a = P[Q] and b = P[not Q], and their
parts A, B that come with Y = y. With L the greatest likelihood p[x -> y] of one side and l the
least of the other, A <= L a and B >= l b: sums over inputs, bounded by induction on how many
inputs there are. What is left is real arithmetic, decided by z3.
"""

from fractions import Fraction

from ppdm_formal import BreachClaim, Operator
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.statement import Lemma, Neighbour, Outcome, Statement, ask, prove_all

# A sum of p_x l_x over some inputs, against its mass: no inputs, then one input more.
UPPER_BASE = Lemma("upper sum, base", "L", ("(>= L 0.0)",), "(<= 0.0 (* L 0.0))")
UPPER_STEP = Lemma(
    "upper sum, step",
    "A a L p q",
    ("(<= A (* L a))", "(>= p 0.0)", "(<= q L)"),
    "(<= (+ A (* p q)) (* L (+ a p)))",
)
LOWER_BASE = Lemma("lower sum, base", "l", ("(>= l 0.0)",), "(>= 0.0 (* l 0.0))")
LOWER_STEP = Lemma(
    "lower sum, step",
    "B b l p q",
    ("(>= B (* l b))", "(>= p 0.0)", "(>= q l)"),
    "(>= (+ B (* p q)) (* l (+ b p)))",
)

BOUNDS = ("(< 0.0 r1)", "(< r1 r2)", "(< r2 1.0)")
MASSES = (
    "(>= a 0.0)",
    "(>= b 0.0)",
    "(= (+ a b) 1.0)",
    "(>= A 0.0)",
    "(>= B 0.0)",
    "(> (+ A B) 0.0)",
)
AMPLIFYING = ("(> l 0.0)", "(>= g 1.0)", "(<= L (* g l))")
CONDITION = "(> (* r2 (- 1.0 r1)) (* g r1 (- 1.0 r2)))"
UPWARD = "(and (<= a r1) (>= A (* r2 (+ A B))))"
DOWNWARD = "(and (>= a r2) (<= A (* r1 (+ A B))))"

NO_UPWARD = Lemma(
    "no upward breach",
    "a b A B L l g r1 r2",
    (*BOUNDS, *MASSES, *AMPLIFYING, "(<= A (* L a))", "(>= B (* l b))", CONDITION),
    f"(not {UPWARD})",
)
NO_DOWNWARD = Lemma(
    "no downward breach",
    "a b A B L l g r1 r2",
    (*BOUNDS, *MASSES, *AMPLIFYING, "(<= B (* L b))", "(>= A (* l a))", CONDITION),
    f"(not {DOWNWARD})",
)
# Where no input, or every input, has the property, L or l does not exist.
NOTHING_HAS_IT = Lemma(
    "a property of no input",
    "a b A B r1 r2",
    (*BOUNDS, *MASSES, "(= a 0.0)", "(= A 0.0)"),
    f"(not (or {UPWARD} {DOWNWARD}))",
)
EVERYTHING_HAS_IT = Lemma(
    "a property of every input",
    "a b A B r1 r2",
    (*BOUNDS, *MASSES, "(= b 0.0)", "(= B 0.0)"),
    f"(not (or {UPWARD} {DOWNWARD}))",
)

# The converse: likelihoods q1 and q2 of two inputs with (3) violated, and a prior on these two.
VIOLATED = ("(> q1 0.0)", "(>= q2 0.0)", "(>= (* r1 (- 1.0 r2) q1) (* r2 (- 1.0 r1) q2))")
TWO_POINTS_UPWARD = Lemma(
    "two points, upward",
    "q1 q2 r1 r2",
    (*BOUNDS, *VIOLATED),
    "(and (> (+ (* r1 q1) (* (- 1.0 r1) q2)) 0.0)"
    " (>= (* r1 q1) (* r2 (+ (* r1 q1) (* (- 1.0 r1) q2)))))",
)
TWO_POINTS_DOWNWARD = Lemma(
    "two points, downward",
    "q1 q2 r1 r2",
    (*BOUNDS, *VIOLATED),
    "(and (> (+ (* r2 q2) (* (- 1.0 r2) q1)) 0.0)"
    " (<= (* r2 q2) (* r1 (+ (* r2 q2) (* (- 1.0 r2) q1)))))",
)


def decide_statement(timeout: float) -> Outcome:
    """Induction for the sums, then arithmetic."""
    sums = (UPPER_BASE, UPPER_STEP, LOWER_BASE, LOWER_STEP)
    return prove_all((*sums, NO_UPWARD, NO_DOWNWARD, NOTHING_HAS_IT, EVERYTHING_HAS_IT), timeout)


def decide_converse(timeout: float) -> Outcome:
    """The two-point prior is a breach, in both directions."""
    return prove_all((TWO_POINTS_UPWARD, TWO_POINTS_DOWNWARD), timeout)


def refute_equality(timeout: float) -> Outcome:
    """Condition (3) with >= admits a breach: a model on two inputs, replayed as an operator."""
    weaker = Lemma(
        "two inputs at equality",
        "q1 q2 g r1 r2",
        (
            *BOUNDS,
            "(< 0.0 q2)",
            "(<= q2 q1)",
            "(<= q1 1.0)",
            "(>= g 1.0)",
            "(= q1 (* g q2))",
            CONDITION.replace("(> ", "(>= ", 1),
        ),
        "(< (* r1 q1) (* r2 (+ (* r1 q1) (* (- 1.0 r1) q2))))",
    )
    return _replayed(weaker, timeout)


def refute_converse_below(timeout: float) -> Outcome:
    """The converse with "amplification above half the bound" fails: such operators can be safe."""
    weaker = Lemma(
        "half the bound",
        "q1 q2 r1 r2",
        (
            *BOUNDS,
            "(> q1 0.0)",
            "(> q2 0.0)",
            "(<= q1 1.0)",
            "(<= q2 1.0)",
            "(>= (* 2.0 r1 (- 1.0 r2) q1) (* r2 (- 1.0 r1) q2))",
        ),
        "(>= (* r1 q1) (* r2 (+ (* r1 q1) (* (- 1.0 r1) q2))))",
    )
    return _replayed(weaker, timeout, Verdict.CERTIFIED)


def _replayed(lemma: Lemma, timeout: float, verdict: Verdict = Verdict.BREACHED) -> Outcome:
    """Refuted only if the model, as an operator on two inputs, is what it should be."""
    found = ask(lemma, timeout)
    if found.answer != "sat":
        kind = "proved" if found.answer == "unsat" else "unknown"
        return Outcome(kind, f"{lemma.name}: {found.why or found.answer}")
    model = {name: found.model.get(name, Fraction(0)) for name in lemma.variables.split()}
    rows = [[model["q1"], 1 - model["q1"]], [model["q2"], 1 - model["q2"]]]
    shown = {name: str(value) for name, value in model.items()}
    operator = Operator.from_matrix(rows)
    claim = BreachClaim(model["r1"], model["r2"], "upward")
    decided = certify(operator, claim)
    breached_at = None if decided.witness is None else decided.views[decided.witness.view].output
    if decided.verdict is not verdict or breached_at not in (None, 0):
        return Outcome("unknown", f"{lemma.name}: the model did not survive its replay")
    detail = f"{lemma.name}: {decided.reason}"
    return Outcome("refuted", detail, counterexample=shown, trust=decided.trust)


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
    ),
)
