"""Dor18 section 1 and appendix: knowledge gain, Fano, rate-distortion, and differential privacy.

Theorem 8: knowledge gain at d is log(P[A(d) = s] / P[A(D) = s | D in N(d)]). A mean is at least
the least P[A(d') = s], so differential privacy bounds it; and if P[A(d) = s] = q > E q' for a
neighbour d', the prior with weight (q - E q')/(2 E q) on d and the rest on d' has a larger gain.

Rate-distortion: channels P(s | d) = P(s) e^(-beta l(d, s)) / Z(d), the form of every optimum; a
neighbour changes each weight, and so Z, by at most e^(beta Delta), together e^(2 beta Delta).

Mutual-information privacy: chain rules of mutual information, which is never below 0. Parts: I(U_i;
A, U_-i) is I(U_i; U_-i) + I(U_i; A | U_-i) and I(U_i; A) + I(U_i; U_-i | A). Copies are independent
given D, so that one more adds at most what it would tell alone.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
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
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.information import mutual_information

from ._joint import ZERO, Joint, entropy, information, joint, margins, shown, tables
from .mechanisms import WEIGHTS

E, q, r, S, M, p, a, b, w = reals("E q r S M p a b w")
SCOPE = "all finite sets of databases and outputs"

# gain <= epsilon: q <= E * mean of P[A(d') = s], by induction over d' (weights p)
LEAST = Lemma(
    "one neighbour more", (q * M <= E * S, q <= E * r, p >= 0), q * (M + p) <= E * (S + p * r)
)
# w = weight on d: 2 E q w = q - E r; then q > E (w q + (1 - w) r)
TWO_POINTS = Lemma(
    "a prior on two databases",
    (2 * E * q * w == q - E * r, E * r < q, E >= 0, r >= 0, w >= 0),
    E * (w * q + (1 - w) * r) < q,
)
EQUIVALENCE = {
    LEAST: (DerivationStep((0,)), DerivationStep((1, 2))),
    TWO_POINTS: (
        DerivationStep((1,), coefficient=Fraction(1, 2)),
        DerivationStep((0,), coefficient=Fraction(1, 2)),
        DerivationStep((2, 3, 4)),
    ),
}
# posterior mass of q^-1(y): sums of a_i <= E p_i
QUERY = {
    Lemma("one database more", (S <= E * M, a <= E * p), S + a <= E * (M + p)): (
        DerivationStep((0,)),
        DerivationStep((1,)),
    )
}


def decide_theorem_8(deadline: Deadline) -> Outcome:
    """Both directions."""
    found = derive(EQUIVALENCE, SCOPE)
    return by_induction(found)


def _gain(column: tuple[Fraction, ...], weights: tuple[Fraction, ...], d: int) -> Fraction:
    """e^gain for output s with these P[A(d') = s]."""
    return column[d] / sum((p * q for p, q in zip(weights, column, strict=True)), ZERO)


def refute_uniform(deadline: Deadline) -> Outcome:
    """Under the uniform prior alone a bound on the gain does not give differential privacy."""

    def fails(column: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        even = (Fraction(1, 2),) * 2
        gain = max(_gain(column, even, d) for d in (0, 1))
        ratio = max(column) / min(column)
        return (
            {"P[A(d) = s]": column, "gain": str(gain), "ratio": str(ratio)}
            if gain < ratio
            else None
        )

    return check_all([(Fraction(3, 4), Fraction(1, 4))], fails, "", deadline)


def decide_theorem_9(deadline: Deadline) -> Outcome:
    """Sums of inequalities."""
    found = derive(QUERY, SCOPE)
    findings = (
        PaperFinding(
            "misprint",
            "6, proof of Theorem 9",
            "p_i/q_i <= epsilon by assumption, p_i the prior and q_i the posterior probability.",
            "The assumption is q_i/p_i <= e^epsilon; the sums are added up in the same way.",
            "I(D = d) - I(D = d | s) = log(q_i/p_i). The corrected induction is derived.",
        ),
        PaperFinding(
            "ambiguous",
            "1.2.6, free-lunch privacy",
            "with logarithms of base 2 the mutual information is less than epsilon bits.",
            "With e^epsilon in the definition the bound is epsilon nats, epsilon/ln 2 bits; the "
            "example of "
            "10 bits is about 2^epsilon.",
            f"10 bits change 1/2048 to 1/2, a factor of {2**10}; e^10 is {math.floor(math.e**10)}.",
        ),
    )
    return with_findings(by_induction(found), *findings)


def refute_factor(deadline: Deadline) -> Outcome:
    """As the proof prints it, p_i/q_i <= epsilon: not implied by the hypothesis."""

    def fails(pair: tuple[Fraction, Fraction]) -> Mapping[str, object] | None:
        before, after = pair
        bounded = after / before <= 3  # e^epsilon = 3, so epsilon is about 1.0986
        return (
            {"p": str(before), "q": str(after)}
            if bounded and before / after > Fraction(11, 10)
            else None
        )

    return check_all([(Fraction(1, 2), Fraction(1, 4))], fails, "", deadline)


def _differs(law: Joint) -> Mapping[str, object] | None:
    """H(D) - H(D | A(D)) against I, and our own measure, in nats."""
    of_x, of_y = margins(law)
    if not all(of_x) or not all(of_y):
        return None
    columns = list(zip(*law, strict=True))
    rest = LogSum.total(
        (
            (mass, entropy([cell / mass for cell in column]))
            for mass, column in zip(of_y, columns, strict=True)
        ),
        "nat",
    )
    gain = entropy(of_x) - rest
    rows = [[cell / mass for cell in row] for mass, row in zip(of_x, law, strict=True)]
    operator = Operator.from_matrix(rows)
    prior = Prior.of(operator.inputs, dict(zip(range(len(rows)), of_x, strict=True)))
    ours = mutual_information(operator, prior, "nat")
    exact = information(law)
    inside = ours.lo <= exact.enclosed().hi and exact.enclosed().lo <= ours.hi
    return None if (gain - exact).sign() == 0 and inside else {"law": shown(law)}


def decide_gain(deadline: Deadline) -> Outcome:
    """Log p(d, s)/(p(d) p(s)) = log p(d | s) - log p(d), term by term; small laws exactly."""
    both, one, other = sympy.symbols("p_ds p_d p_s", positive=True)
    identity = prove_identities(
        {"the ratio": (both / (one * other), (both / other) / one)}, deadline
    )
    tried = check_all(tables(2, 2, 8), _differs, "", deadline)
    if tried.kind != "checked":
        return tried
    return together((identity,), scope=SCOPE)


def refute_gain(deadline: Deadline) -> Outcome:
    """H(A(D)) - H(D | A(D)), the other entropy."""

    def fails(law: Joint) -> Mapping[str, object] | None:
        of_x, of_y = margins(law)
        wrong = entropy(of_y) - (entropy(of_x) - information(law))
        return {"law": shown(law)} if (wrong - information(law)).sign() != 0 else None

    return check_all(tables(2, 2, 8), fails, "", deadline)


def _conditional(
    first: Fraction, chances: tuple[Fraction, ...], given: int, copies: int = 1
) -> LogSum:
    """I(U1; Y1, ... | U2 = given) for bits, P[Y = 1 | u1, u2] = chances[2 u1 + u2]."""
    rows = [(1 - chances[2 * u + given], chances[2 * u + given]) for u in (0, 1)]
    seen = [
        tuple(
            math.prod(chosen, start=Fraction(1)) for chosen in itertools.product(row, repeat=copies)
        )
        for row in rows
    ]
    return information(joint((1 - first, first), seen))


# I(U; V) = 0; chain rules of I(U; Y, V), both ways round; I(U; V | Y) is not negative
i_y, i_y_v, i_v, i_v_y, both, more, copy, joint_2 = reals("Iy Iyv Iv Ivy B Im Ic Ij")
PARTS = Lemma(
    "independent parts",
    (i_v == 0, both == i_v + i_y_v, both == i_y + i_v_y, i_v_y >= 0),
    i_y <= i_y_v,
)
# given V: I(U; Y1, Y2) = I(U; Y1) + I(U; Y2 | Y1), and I(U, Y1; Y2) = I(U; Y2) + I(Y1; Y2 | U), the
# last 0 for copies; it is also I(Y1; Y2) + I(U; Y2 | Y1), of which the first is not negative
COPIES = Lemma(
    "one copy more",
    (both == i_y + more, joint_2 == copy + i_v, i_v == 0, joint_2 == i_v_y + more, i_v_y >= 0),
    both <= i_y + copy,
)
CHAINS = {
    PARTS: (
        DerivationStep((0,)),
        DerivationStep((1,)),
        DerivationStep((2,), coefficient=-1),
        DerivationStep((3,)),
    ),
    COPIES: (
        DerivationStep((0,)),
        DerivationStep((1,)),
        DerivationStep((2,)),
        DerivationStep((3,), coefficient=-1),
        DerivationStep((4,)),
    ),
}


def decide_mutual_dp(deadline: Deadline) -> Outcome:
    """Chain rules; beside them bits on a grid. Copies are independent given all of D."""
    values = (Fraction(1, 4), Fraction(1, 2))

    def fails(case: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        first, second, *rest = case
        chances = tuple(rest)
        mixed = [(1 - second) * chances[2 * u] + second * chances[2 * u + 1] for u in (0, 1)]
        plain = information(joint((1 - first, first), [(1 - m, m) for m in mixed]))
        once, twice = (
            LogSum.total(
                (
                    (1 - second, _conditional(first, chances, 0, copies)),
                    (second, _conditional(first, chances, 1, copies)),
                ),
                "nat",
            )
            for copies in (1, 2)
        )
        if (once - plain).sign() >= 0 and (once.times(Fraction(2)) - twice).sign() >= 0:
            return None
        return {"case": case}

    cases = itertools.product(values, repeat=6)
    tried = check_all(cases, fails, "", deadline)
    if tried.kind != "checked":
        return tried
    found = by_induction(derive(CHAINS))
    scope = "all finite sets of values, any number of individuals and copies"
    return argued(found, scope, "argument", *found.means)


def refute_dependent_parts(deadline: Deadline) -> Outcome:
    """U1 = U2: I(U1; Y | U2) is 0, and I(U1; Y) is not."""

    def fails(keep: Fraction) -> Mapping[str, object] | None:
        found = information(joint((Fraction(1, 2),) * 2, ((keep, 1 - keep), (1 - keep, keep))))
        return {"I(U1; Y | U2)": "0", "P[Y = U2]": str(keep)} if found.sign() > 0 else None

    return check_all([Fraction(3, 4)], fails, "", deadline)


def decide_rate(deadline: Deadline) -> Outcome:
    """The two factors, as for the itemset mechanism, and a small channel by brute force."""
    half = Fraction(1, 2)

    def fails(share: Fraction) -> Mapping[str, object] | None:
        ratio = _gibbs(share, half)
        return None if ratio <= 1 / half**2 else {"P(s)": str(share), "ratio": str(ratio)}

    grid = [Fraction(k, 20) for k in range(1, 20)]
    tried = check_all(grid, fails, "", deadline)
    if tried.kind != "checked":
        return tried
    found = derive(WEIGHTS, "every channel P(s) e^(-beta l(d, s)) / Z(d), the form of an optimum")
    return by_induction(found)


def _gibbs(share: Fraction, t: Fraction) -> Fraction:
    """Losses 0 and 1, exchanged between two databases; t = e^(-beta): the largest ratio."""
    first = (share / (share + (1 - share) * t), (1 - share) * t / (share + (1 - share) * t))
    second = (share * t / (share * t + 1 - share), (1 - share) / (share * t + 1 - share))
    return max(max(x / y, y / x) for x, y in zip(first, second, strict=True))


def refute_once(deadline: Deadline) -> Outcome:
    """Beta Delta without the factor 2."""

    def fails(share: Fraction) -> Mapping[str, object] | None:
        ratio = _gibbs(share, Fraction(1, 2))
        return {"P(s)": str(share), "ratio": str(ratio)} if ratio > 2 else None

    return check_all([Fraction(1, 20)], fails, "", deadline)


def _fano_cases() -> Iterator[Joint]:
    yield from tables(2, 2, 8, 0)
    yield from itertools.islice(tables(3, 2, 8, 0), 0, None, 4)


def decide_fano(deadline: Deadline) -> Outcome:
    """P[correct] <= 1 - (H - I - 1)/log |U| in bits, and the printed bound fails."""

    def fails(law: Joint) -> Mapping[str, object] | None:
        of_x, _ = margins(law)
        right = sum((max(column) for column in zip(*law, strict=True)), ZERO)  # the best guess
        two = LogSum.log(Fraction(2))
        left = entropy(of_x) - information(law) - two
        room = LogSum.log(Fraction(len(law))).times(1 - right)
        return None if (room - left).sign() >= 0 else {"law": shown(law)}

    tried = check_all(
        _fano_cases(), fails, "all laws of eighths on 2 x 2, a quarter on 3 x 2", deadline
    )
    if tried.kind != "checked":
        return tried
    finding = PaperFinding(
        "wrong",
        "1.2.5, after Fano's inequality",
        "the probability that the estimate equals U_i is at most (H(U_i) - I(U_i; A(D)) - "
        "1)/log |U_i|.",
        "That is the lower bound on the probability of an error; the estimate is right with "
        "probability at "
        "most 1 minus it.",
        "U a fair bit, A(D) = U: the estimate is always right, and the printed bound is (1 - 1 "
        "- 1)/1 = -1.",
    )
    return corrected(tried, finding)


def refute_fano(deadline: Deadline) -> Outcome:
    """As printed: a fair bit that is released."""
    half = Fraction(1, 2)
    law = ((half, ZERO), (ZERO, half))

    def fails(given: Joint) -> Mapping[str, object] | None:
        of_x, _ = margins(given)
        two = LogSum.log(Fraction(2))
        bound = entropy(of_x) - information(given) - two
        return (
            {"law": shown(given), "P[right]": "1", "bound": "-1"}
            if (bound - two).sign() < 0
            else None
        )

    return check_all([law], fails, "", deadline)


def decide_event(deadline: Deadline) -> Outcome:
    """One bit of six: little information, a poor guess, and an attribute given away."""
    size = 64
    prior = (Fraction(1, size),) * size
    law = joint(
        prior,
        [(Fraction(value < size // 2), Fraction(value >= size // 2)) for value in range(size)],
    )
    guess = sum((max(column) for column in zip(*law, strict=True)), ZERO)
    _, of_y = margins(law)
    certain = sum(law[value][1] for value in range(size // 2, size)) / of_y[1]
    one_bit = (information(law) - LogSum.log(Fraction(2))).sign() == 0
    if not (one_bit and guess == Fraction(1, 32) and certain == 1):
        return Outcome("refuted", "the example does not show it")
    return Outcome(
        "checked",
        f"U uniform on {size} values, A(D) its first bit: I = 1 bit of 6, the best guess is right "
        f"with {guess}, the bit is certain",
        scope="one example",
        means=("exact arithmetic",),
        trust=EXACT,
    )


def refute_event(deadline: Deadline) -> Outcome:
    """Small leakage hides every attribute: refuted by that example."""
    found = decide_event(deadline)
    if found.kind != "checked":
        return Outcome("unknown", found.detail)
    example = {"U": "uniform on 64 values", "A(D)": "its first bit"}
    return replace(found, kind="refuted", counterexample=example)


OUTPUTS = {
    Lemma("one output more", (S <= E * M, a <= E * b), S + a <= E * (M + b)): (
        DerivationStep((0,)),
        DerivationStep((1,)),
    )
}


def decide_outputs(deadline: Deadline) -> Outcome:
    """Sums over the outputs in S; a single output is a set as well."""
    return by_induction(derive(OUTPUTS, "all finite sets of outputs"))


def refute_delta(deadline: Deadline) -> Outcome:
    """With delta: each output alone within e^epsilon and delta, both together not."""

    def fails(pair: tuple[tuple[Fraction, ...], ...]) -> Mapping[str, object] | None:
        one, other = pair
        delta = Fraction(1, 10)  # and epsilon = 0
        singles = all(p <= q + delta for p, q in zip(one, other, strict=True))
        together_ = one[0] + one[1] <= other[0] + other[1] + delta
        if not singles or together_:
            return None
        return {"P[A(d1)]": shown((one,)), "P[A(d2)]": shown((other,)), "delta": str(delta)}

    tenth = Fraction(1, 10)
    return check_all([((tenth, tenth, 8 * tenth), (ZERO, ZERO, 10 * tenth))], fails, "", deadline)


STATEMENTS = (
    Statement(
        "dor18/differential_privacy_by_outputs",
        "Dor18",
        "Differential privacy, output by output",
        "For finitely many outputs it is enough to bound the probability of each one.",
        (),
        decide_outputs,
        (Neighbour("the same for (epsilon, delta)", refute_delta),),
        section="1.1",
        formulas=(r"P(\mathcal{A}(d_1) = s) \le e^\epsilon P(\mathcal{A}(d_2) = s)",),
    ),
    Statement(
        "dor18/knowledge_gain_is_mutual_information",
        "Dor18",
        "Knowledge gain",
        "With Shannon entropy as uncertainty, knowledge gain is mutual information.",
        (),
        decide_gain,
        (Neighbour("with H(A(D)) in place of H(D)", refute_gain),),
        section="1.2.2",
        formulas=(r"H(D) - H(D \mid \mathcal{A}(D)) = I(D; \mathcal{A}(D))",),
    ),
    Statement(
        "dor18/rate_distortion_is_dp",
        "Dor18",
        "Rate-distortion and differential privacy",
        "The channel of least mutual information for a given loss is 2 epsilon "
        "Delta-differentially private.",
        ("Delta bounds how the loss changes between neighbours",),
        decide_rate,
        (Neighbour("without the factor 2", refute_once),),
        section="1.2.3",
        formulas=(r"P(s \mid d) = \frac{P(s)\, e^{-\beta l(d, s)}}{Z(d)}",),
    ),
    Statement(
        "dor18/mutual_information_dp",
        "Dor18",
        "Mutual-information differential privacy",
        "For independent individuals I(U_i; A(D)) is at most I(U_i; A(D) given the others), and "
        "copies add up.",
        ("U_1, ..., U_n are independent",),
        decide_mutual_dp,
        (Neighbour("for dependent individuals", refute_dependent_parts),),
        section="1.2.4",
        formulas=(r"I(U_i; \mathcal{A}(D)) \le I(U_i; \mathcal{A}(D) \mid U_{-i})",),
    ),
    Statement(
        "dor18/event_leakage",
        "Dor18",
        "Event-based leakage",
        "Little leakage keeps the exact value uncertain, but an attribute may be given away.",
        (),
        decide_event,
        (Neighbour("no attribute can be given away", refute_event),),
        section="1.2.5 and 1.2.6",
        expected="checked",
    ),
    Statement(
        "dor18/fano",
        "Dor18",
        "Fano's inequality",
        "How often an estimate of U_i from A(D) can be right.",
        (),
        decide_fano,
        (Neighbour("as printed", refute_fano),),
        section="1.2.5",
        formulas=(r"P[\hat U \ne U] \ge \frac{H(U) - I(U; \mathcal{A}(D)) - 1}{\log |U|}",),
        expected="corrected",
    ),
    Statement(
        "dor18/theorem_8",
        "Dor18",
        "Theorem 8",
        "Knowledge gain among neighbours is at most epsilon for all priors just under "
        "differential privacy.",
        ("d is a neighbour of itself",),
        decide_theorem_8,
        (Neighbour("for the uniform prior alone", refute_uniform),),
        section="6",
        formulas=(r"P(\mathcal{A}(d) = s) \le e^\epsilon P(\mathcal{A}(d') = s)",),
    ),
    Statement(
        "dor18/corollary_2",
        "Dor18",
        "Corollary 2",
        "The same with every database a neighbour of every other: free-lunch privacy.",
        (),
        decide_theorem_8,
        (Neighbour("for the uniform prior alone", refute_uniform),),
        section="6",
        uses=("dor18/theorem_8", "dor18/differential_privacy_by_outputs"),
    ),
    Statement(
        "dor18/theorem_9",
        "Dor18",
        "Theorem 9",
        "If no database gains more than epsilon, no answer to a query does.",
        (),
        decide_theorem_9,
        (Neighbour("the ratio as the proof prints it", refute_factor),),
        section="6",
        uses=("dor18/corollary_2",),
    ),
)
