"""Dor18 section 2: epsilon-dependence, its theorems and what follows for parts of a database.

Write E = e^epsilon. Everything is about sums of products of probabilities, so that sums over
values are inductions of one inequality: one value more.

Theorem 1: the mean of log r is at most epsilon, r(x, y) = P[x, y] / (P[x] P[y]). The tight bound
is epsilon tanh(epsilon/2): r has the mean 1 under the product law and lies between 1/E and E,
and r log r is convex, so that its mean is at most that of the chord between the ends.

Theorem 4: P[x_i | y, x_-i] / P[x_i] is the product of P[x_i | y, x_-i] / P[x_i | x_-i], which
Theorem 3 given x_-i bounds by e^epsilon, and P[x_i | x_-i] / P[x_i], which dependence of the
parts bounds by e^epsilon_d.

Independent parts: P[s | x_i] is P[s_i | x_i] times the probabilities of the other reports, which do
not depend on x_i and are factors of P[s] as well.
"""

import itertools
from collections.abc import Iterator, Mapping
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
    together,
    with_findings,
)
from ppdm_formal.declare.arithmetic.log_sum import LogSum
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.dependence import dependence

from ._joint import Joint, factor, information, joint, margins, shown, tables

SCOPE = "all finite sets of values"
E, D, S, M, p, q, l, a, b, A, B, c, u, v, r, y, w = reals(  # noqa: E741
    "E D S M p q l a b A B c u v r y w"
)


def _measured(law: Joint) -> Mapping[str, object] | None:
    """Where the measure of this library is not ln of the least factor."""
    of_x, _ = margins(law)
    if not all(of_x):
        return None  # a row that never occurs has no law of its own
    rows = [[cell / mass for cell in row] for mass, row in zip(of_x, law, strict=True)]
    operator = Operator.from_matrix(rows)
    prior = Prior.of(operator.inputs, dict(zip(range(len(rows)), of_x, strict=True)))
    ours, least = dependence(operator, prior).ratio, factor(law)
    same = ours == (INFINITY if least is None else least)
    return None if same else {"law": shown(law), "ours": str(ours), "listed": str(least)}


def decide_definition(deadline: Deadline) -> Outcome:
    """The library's measure against the definition, and its symmetry."""

    def fails(law: Joint) -> Mapping[str, object] | None:
        turned = tuple(zip(*law, strict=True))
        if factor(law) != factor(turned):
            return {"law": shown(law), "turned": str(factor(turned))}
        return _measured(law)

    return check_all(tables(2, 2, 12, 0), fails, "all 2 x 2 laws of twelfths", deadline)


def refute_one_sided(deadline: Deadline) -> Outcome:
    """The second inequality alone: it does not bound the first."""

    def fails(law: Joint) -> Mapping[str, object] | None:
        of_x, of_y = margins(law)
        pairs = [(law[i][j], of_x[i] * of_y[j]) for i, j in itertools.product(range(2), repeat=2)]
        upper = max(both / alone for both, alone in pairs)
        return None if upper == factor(law) else {"law": shown(law), "upper": str(upper)}

    return check_all(tables(2, 2, 12), fails, "", deadline)


BOUNDED = Lemma("one pair more", (S <= l * M, r <= l, p >= 0), S + p * r <= l * (M + p))


def _chord() -> dict[str, tuple[object, object]]:
    """The chord of g(r) = r ln r between 1/t and t, at r = 1; s stands for ln t."""
    t, s = sympy.symbols("t s", positive=True)
    slope = (t * s + s / t) / (t - 1 / t)
    start = t * s - slope * t
    return {"the chord at 1 is epsilon tanh(epsilon/2)": (start + slope, s * (t - 1) / (t + 1))}


CHORD = Lemma(
    "one pair more, below the chord",
    (S <= u * M + v * B, a <= u + v * r, p >= 0),
    S + p * a <= u * (M + p) + v * (B + p * r),
)


def _tight(k: int) -> tuple[LogSum, Fraction]:
    """X, Y uniform on k values, r = k - 1 on the diagonal, 1/(k - 1) elsewhere."""
    factor_ = Fraction(k - 1)
    law = tuple(
        tuple((factor_ if i == j else 1 / factor_) / k**2 for j in range(k)) for i in range(k)
    )
    assert factor(law) == factor_
    return information(law), factor_


def decide_theorem_1(deadline: Deadline) -> Outcome:
    """The bound, the tight bound, and laws that attain it."""
    for values in (3, 4, 5):
        found, big = _tight(values)
        bound = LogSum.log(big).times((big - 1) / (big + 1))
        if (found - bound).sign() != 0:
            return Outcome("unknown", "the bound is not attained")

    def fails(law: Joint) -> Mapping[str, object] | None:
        least = factor(law)
        assert least is not None
        tight = LogSum.log(least).times((least - 1) / (least + 1))
        return None if (information(law) - tight).sign() <= 0 else {"law": shown(law)}

    tried = check_all(tables(2, 2, 10), fails, "", deadline)
    if tried.kind != "checked":
        return tried
    finding = PaperFinding(
        "loose",
        "2.2, Theorem 1",
        "I(X; Y) <= epsilon.",
        "I(X; Y) <= epsilon tanh(epsilon/2), which is about epsilon^2/2 for small epsilon; it is "
        "attained wherever e^epsilon is an integer.",
        "X, Y uniform on three values, ratio 2 on the diagonal and 1/2 elsewhere: epsilon = ln "
        "2 and "
        "I(X; Y) = (ln 2)/3 exactly. Proved by the chord of r ln r; all 2 x 2 laws of tenths "
        "agree.",
    )
    parts = (
        derive(
            {
                BOUNDED: (DerivationStep((0,)), DerivationStep((1, 2))),
                CHORD: (DerivationStep((0,)), DerivationStep((1, 2))),
            }
        ),
        prove_identities(_chord(), deadline),
    )
    return with_findings(by_induction(together(parts, scope=SCOPE)), finding)


def refute_half(deadline: Deadline) -> Outcome:
    """I(X; Y) <= epsilon tanh(epsilon/2) / 2."""

    def fails(k: int) -> Mapping[str, object] | None:
        found, big = _tight(k)
        half = LogSum.log(big).times((big - 1) / (2 * (big + 1)))
        return {"values": str(k)} if (found - half).sign() > 0 else None

    return check_all([3], fails, "", deadline)


# c = P[x | y], a = P[x, y] = c y, p = P[x]; y = P[y] > 0
CONDITIONAL = (c * y == a, y > 0)
EQUIVALENT = {
    Lemma("first, multiplied", (*CONDITIONAL, E * c >= p), p * y <= E * a): (
        DerivationStep((1, 2)),
        DerivationStep((0,), factor=E),
    ),
    Lemma("second, multiplied", (*CONDITIONAL, c <= E * p), a <= E * p * y): (
        DerivationStep((1, 2)),
        DerivationStep((0,), coefficient=-1),
    ),
}
# and back: with a = c y, y (E c - p) >= 0 and y > 0, so E c - p is not negative
BACK = {
    Lemma("first, back", (*CONDITIONAL, p * y <= E * a, w * y == 1, w > 0), p <= E * c): (
        DerivationStep((2, 4)),
        DerivationStep((0,), coefficient=-1, factor=E * w),
        DerivationStep((3,), factor=E * c - p),
    ),
    Lemma("second, back", (*CONDITIONAL, a <= E * p * y, w * y == 1, w > 0), c <= E * p): (
        DerivationStep((2, 4)),
        DerivationStep((0,), factor=w),
        DerivationStep((3,), factor=E * p - c),
    ),
}


def decide_theorem_2(deadline: Deadline) -> Outcome:
    """Both inequalities multiplied by P[y], and divided by it."""
    finding = PaperFinding(
        "misprint",
        "2.3, proof of Theorem 2",
        "dividing equation (2) by P(Y = y) gives the first condition, multiplying it the second.",
        "Multiplying (2) by P(Y = y) gives the first condition, and multiplying the other "
        "inequality gives the second; the theorem holds.",
        "Both products are derived, in both directions.",
    )
    return with_findings(derive({**EQUIVALENT, **BACK}, SCOPE), finding)


def refute_without_lower(deadline: Deadline) -> Outcome:
    """One of the two inequalities alone."""
    return refute_one_sided(deadline)


AVERAGED = {
    Lemma(
        "one y' more, above", (a * M <= E * S, a <= E * b, w >= 0), a * (M + w) <= E * (S + w * b)
    ): (
        DerivationStep((0,)),
        DerivationStep((1, 2)),
    ),
    Lemma(
        "one y more, below", (S <= E * b * M, a <= E * b, w >= 0), S + w * a <= E * b * (M + w)
    ): (
        DerivationStep((0,)),
        DerivationStep((1, 2)),
    ),
}


def _spread(law: Joint) -> Fraction:
    """The largest P[x | y] / P[x | y']."""
    _, of_y = margins(law)
    return max(
        (row[i] / of_y[i]) / (row[j] / of_y[j])
        for row in law
        for i, j in itertools.product(range(len(of_y)), repeat=2)
    )


def decide_corollary_1(deadline: Deadline) -> Outcome:
    """Means over y' and over y with weights P[Y]."""

    def fails(law: Joint) -> Mapping[str, object] | None:
        least = factor(law)
        assert least is not None
        inside = least <= _spread(law) <= least**2
        return None if inside else {"law": shown(law)}

    tried = check_all(tables(2, 2, 12), fails, "", deadline)
    if tried.kind != "checked":
        return tried
    finding = PaperFinding(
        "misprint",
        "2.3, proof of Corollary 1",
        "summing over y gives P(X = x | Y = y) <= e^epsilon P(X = x).",
        "Summing over y with weights P(Y = y) gives P(X = x) <= e^epsilon P(X = x | Y = y'); "
        "summing over "
        "y' gives the inequality printed.",
        "Both sums are derived by induction. The converse holds with 2 epsilon only.",
    )
    found = derive(AVERAGED, SCOPE)
    return with_findings(by_induction(found), finding)


def refute_converse(deadline: Deadline) -> Outcome:
    """epsilon-dependent variables satisfy the corollary's hypothesis with epsilon."""

    def fails(law: Joint) -> Mapping[str, object] | None:
        least, spread = factor(law), _spread(law)
        assert least is not None
        return (
            {"law": shown(law), "e^epsilon": str(least), "spread": str(spread)}
            if spread > least
            else None
        )

    return check_all(tables(2, 2, 12), fails, "", deadline)


def _response(k: Fraction, prior: Fraction) -> tuple[Fraction, Fraction]:
    """Randomized response with odds k: the largest P[s | x]/P[s | x'], and P[x | s]/P[x | s']."""
    keep = k / (1 + k)
    law = joint((prior, 1 - prior), ((keep, 1 - keep), (1 - keep, keep)))
    return k, _spread(law)


def decide_symmetry(deadline: Deadline) -> Outcome:
    """Refuted with a small prior; 2 epsilon is right, and nearly attained."""
    found = derive(SQUARE, SCOPE)
    odds, spread = _response(Fraction(3), Fraction(1, 1000))
    if found.kind != "proved" or spread <= odds:
        return found
    finding = PaperFinding(
        "wrong",
        "2.3, by symmetry",
        "P(X = x | S = s) <= e^epsilon P(X = x | S = s') where P(S = s | X = x) <= e^epsilon "
        "P(S = s | X = x').",
        "The bound is e^(2 epsilon), and no smaller one holds for all priors: both P(x | s) and "
        "P(x | s') are "
        "within e^epsilon of P(x).",
        f"Randomized response with e^epsilon = {odds}, P(X = 0) = 1/1000: the ratio is {spread} "
        f"(about {float(spread):.3f}, against 9 = e^(2 epsilon)).",
    )
    return corrected(found, finding)


SQUARE = {
    Lemma("both within E of P[x]", (a <= E * p, p <= E * b, E >= 0), a <= E * E * b): (
        DerivationStep((0,)),
        DerivationStep((1, 2)),
    ),
}


def refute_symmetry(deadline: Deadline) -> Outcome:
    """As printed."""

    def fails(prior: Fraction) -> Mapping[str, object] | None:
        odds, spread = _response(Fraction(3), prior)
        return {"P(X = 0)": str(prior), "ratio": str(spread)} if spread > odds else None

    return check_all([Fraction(1, 1000)], fails, "", deadline)


# Theorem 3, for fixed y and x_-i: a = P[y, x], b = P[y, x'], p and q their prior probabilities.
ONE_MORE = {
    Lemma(
        "one x' more, above",
        (a * M <= E * p * S, a * q <= E * b * p),
        a * (M + q) <= E * p * (S + b),
    ): (
        DerivationStep((0,)),
        DerivationStep((1,)),
    ),
    Lemma(
        "one x' more, below",
        (S * p <= E * a * M, b * p <= E * a * q),
        (S + b) * p <= E * a * (M + q),
    ): (
        DerivationStep((0,)),
        DerivationStep((1,)),
    ),
}


def _two_parts() -> Iterator[tuple[Fraction, Fraction, tuple[tuple[Fraction, ...], ...]]]:
    """Priors of two independent bits, and P[Y = 1 | x1, x2]."""
    values = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
    for first, second in itertools.product(values, repeat=2):
        for chances in itertools.product(values, repeat=4):
            yield first, second, (chances[:2], chances[2:])


def _law_of_first(prior: Joint, chances: tuple[tuple[Fraction, ...], ...]) -> Joint:
    """Rows x1, columns (y, x2)."""
    return tuple(
        tuple(
            prior[i][j] * (chances[i][j] if out else 1 - chances[i][j])
            for out in (0, 1)
            for j in (0, 1)
        )
        for i in (0, 1)
    )


def _steps(chances: tuple[tuple[Fraction, ...], ...]) -> Fraction:
    """The largest ratio of P[y | x] when x1 alone changes."""
    ratios = []
    for j in (0, 1):
        for one, other in ((chances[0][j], chances[1][j]), (1 - chances[0][j], 1 - chances[1][j])):
            ratios += [one / other, other / one]
    return max(ratios)


def decide_theorem_3(deadline: Deadline) -> Outcome:
    """Sums over x_i', and all cases of two bits."""

    def fails(
        case: tuple[Fraction, Fraction, tuple[tuple[Fraction, ...], ...]],
    ) -> Mapping[str, object] | None:
        first, second, chances = case
        prior = joint((first, 1 - first), ((second, 1 - second),) * 2)
        least = factor(_law_of_first(prior, chances))
        assert least is not None
        return None if least <= _steps(chances) else {"P[Y]": chances}

    tried = check_all(itertools.islice(_two_parts(), 0, None, 3), fails, "", deadline)
    if tried.kind != "checked":
        return tried
    found = derive(ONE_MORE, SCOPE)
    return by_induction(found)


def refute_dependent(deadline: Deadline) -> Outcome:
    """Without independence: X1 = X2 nearly always, and Y tells of X2."""

    def fails(slip: Fraction) -> Mapping[str, object] | None:
        prior = ((Fraction(1, 2) - slip, slip), (slip, Fraction(1, 2) - slip))
        chances = ((Fraction(1, 4), Fraction(3, 4)),) * 2  # Y depends on x2 alone
        least = factor(_law_of_first(prior, chances))
        assert least is not None
        return (
            {"law of X": shown(prior), "e^epsilon_1": "1", "found": str(least)}
            if least > _steps(chances)
            else None
        )

    return check_all([Fraction(1, 8)], fails, "", deadline)


# Theorem 4: w = P[x_i | x_-i], p = P[x_i], A = P[y, x_-i], a = P[y, x]
FACTORS = {
    Lemma("above", (a <= E * w * A, w <= D * p, E >= 0, A >= 0), a <= E * D * p * A): (
        DerivationStep((0,)),
        DerivationStep((1, 2, 3)),
    ),
    Lemma("below", (w * A <= E * a, p <= D * w, D >= 0, A >= 0), p * A <= D * E * a): (
        DerivationStep((1, 3)),
        DerivationStep((0, 2)),
    ),
}


def _near_parts() -> Iterator[tuple[Joint, tuple[tuple[Fraction, ...], ...]]]:
    values = (Fraction(1, 4), Fraction(3, 4))
    for prior in tables(2, 2, 8):
        for chances in itertools.product(values, repeat=4):
            yield prior, (chances[:2], chances[2:])


def decide_theorem_4(deadline: Deadline) -> Outcome:
    """Epsilon + epsilon_d suffices; the printed bound follows."""

    def fails(case: tuple[Joint, tuple[tuple[Fraction, ...], ...]]) -> Mapping[str, object] | None:
        prior, chances = case
        apart, least = factor(prior), factor(_law_of_first(prior, chances))
        assert apart is not None
        assert least is not None
        return None if least <= _steps(chances) * apart else {"law of X": shown(prior)}

    tried = check_all(_near_parts(), fails, "", deadline)
    if tried.kind != "checked":
        return tried
    finding = PaperFinding(
        "loose",
        "2.4, Theorem 4",
        "X_i and (Y, X_-i) are (epsilon_i + 2 epsilon_i^d)-dependent.",
        "They are (epsilon_i + epsilon_i^d)-dependent: dependence among the parts costs once, "
        "not twice.",
        "P[x_i | y, x_-i] / P[x_i] is a product of two ratios, one bounded by each; derived above. "
        f"On two bits all cases tried agree ({tried.detail}). It cannot be less than either of "
        "the two.",
    )
    found = derive({**ONE_MORE, **FACTORS}, SCOPE)
    return with_findings(by_induction(found), finding)


def refute_no_cost(deadline: Deadline) -> Outcome:
    """epsilon_i alone where parts are dependent."""

    def fails(case: tuple[Joint, tuple[tuple[Fraction, ...], ...]]) -> Mapping[str, object] | None:
        prior, chances = case
        least = factor(_law_of_first(prior, chances))
        assert least is not None
        return {"law of X": shown(prior), "P[Y]": chances} if least > _steps(chances) else None

    return check_all(_near_parts(), fails, "", deadline)


def decide_parts(deadline: Deadline) -> Outcome:
    """P[s | x_i] is P[s_i | x_i] times factors without x_i: they cancel."""
    own, other, total = sympy.symbols("P_si_xi P_others P_si", positive=True)
    identity = prove_identities(
        {"the other sanitizers cancel": ((own * other) / (total * other), own / total)}, deadline
    )
    scope = "any number of independent parts and sanitizers"
    return argued(identity, scope, "argument", *identity.means)


def refute_shared_parts(deadline: Deadline) -> Outcome:
    """Two sanitizers of the same bit: both reports together tell more."""

    def fails(odds: Fraction) -> Mapping[str, object] | None:
        keep = odds / (1 + odds)
        row = (keep, 1 - keep)
        both = [tuple(x * y for x in r for y in r) for r in (row, row[::-1])]
        half = (Fraction(1, 2),) * 2
        one, two = factor(joint(half, (row, row[::-1]))), factor(joint(half, both))
        assert one is not None
        assert two is not None
        return {"one report": str(one), "two reports": str(two)} if two > one else None

    return check_all([Fraction(3)], fails, "", deadline)


def _statement(
    name: str, title: str, text: str, decide: object, neighbours: object, **more: object
) -> Statement:
    return Statement(
        f"dor18/{name}", "Dor18", title, text, more.pop("given", ()), decide, neighbours, **more
    )  # type: ignore[arg-type]


STATEMENTS = (
    _statement(
        "definition_1",
        "Definition 1, as measured here",
        "The least epsilon for which X and Y are epsilon-dependent; it is symmetric in X and Y.",
        decide_definition,
        (Neighbour("the upper inequality alone", refute_one_sided),),
        section="2.2",
        formulas=(
            r"e^{-\epsilon} \le \frac{P(X = x) P(Y = y)}{P(X = x \wedge Y = y)} \le e^{\epsilon}",
        ),
        expected="checked",
    ),
    _statement(
        "theorem_1",
        "Theorem 1",
        "The mutual information of epsilon-dependent variables is at most epsilon nats.",
        decide_theorem_1,
        (Neighbour("half the tight bound", refute_half),),
        section="2.2",
        formulas=(r"I(X; Y) \le \epsilon \tanh(\epsilon / 2) \le \epsilon",),
        uses=("dor18/definition_1",),
    ),
    _statement(
        "theorem_2",
        "Theorem 2",
        "epsilon-dependence says that P(x | y) and P(x) differ by at most the factor e^epsilon.",
        decide_theorem_2,
        (Neighbour("one of the two inequalities suffices", refute_without_lower),),
        given=("P(Y = y) > 0",),
        section="2.3",
        uses=("dor18/definition_1",),
    ),
    _statement(
        "corollary_1",
        "Corollary 1",
        "If P(x | y) varies with y by at most e^epsilon, X and Y are epsilon-dependent.",
        decide_corollary_1,
        (Neighbour("the converse, with the same epsilon", refute_converse),),
        section="2.3",
        formulas=(r"P(X = x \mid Y = y) \le e^{\epsilon} P(X = x \mid Y = y')",),
        uses=("dor18/theorem_2",),
    ),
    _statement(
        "symmetry_of_section_2_3",
        "By symmetry",
        "Where P(s | x) varies with x by at most "
        "e^epsilon, P(x | s) varies with s by at most e^epsilon.",
        decide_symmetry,
        (Neighbour("as printed", refute_symmetry),),
        section="2.3",
        uses=("dor18/corollary_1",),
        expected="corrected",
    ),
    _statement(
        "independence_of_parts",
        "Sanitizers of independent parts",
        "All reports together and X_i are as dependent as S_i and X_i alone.",
        decide_parts,
        (Neighbour("parts that are equal", refute_shared_parts),),
        given=("the parts are independent, and so are the sanitizers' coins",),
        section="2.3",
        uses=("dor18/definition_1",),
    ),
    _statement(
        "theorem_3",
        "Theorem 3",
        "If changing part i alone changes P(y | x) by at most "
        "e^epsilon_i, X_i and (Y, X_-i) are epsilon_i-dependent.",
        decide_theorem_3,
        (Neighbour("without independence of the parts", refute_dependent),),
        given=("the parts are independent",),
        section="2.4",
        uses=("dor18/corollary_1",),
    ),
    _statement(
        "theorem_4",
        "Theorem 4",
        "The same for parts that are epsilon_d-dependent, with epsilon_i + 2 epsilon_d.",
        decide_theorem_4,
        (Neighbour("with epsilon_i alone", refute_no_cost),),
        section="2.4",
        formulas=(r"\epsilon_i + \epsilon_i^d \le \epsilon_i + 2 \epsilon_i^d",),
        uses=("dor18/theorem_3",),
    ),
)
