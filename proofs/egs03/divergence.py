"""EGS03 Lemmas 1 and 2, Corollaries 1 and 2, Statements 6 and 7: worst-case information bounds.

Write g(t) = t f(t), convex on t > 0, and r(x) = P[x | y] / P[x]. Then KL^f(p_{X|y} || p_X) is the
sum of P[x] g(r(x)) and KL^f(p_X || p_{X|y}) that of P[x] h(r(x)), h(t) = f(1/t). For Z that is
independent of Y given X, P[z | y] / P[z] is the mean of r(x) under P[x | z]: an identity, term by
term. So both inequalities of Lemma 2 are Jensen's, for g and for h, and Jensen's is an induction
over inputs whose step is one instance of convexity at two points.

What is printed forgets inputs that y rules out: r(x) = 0, where g is not defined. Definition 7
takes the mean over x ~ p_{X|y}, which leaves them out, as if g(0) were 0. That keeps g convex on
t >= 0 just if lim g(t) <= 0 for t -> 0 (as for f = log); for f(t) = 1/t it does not, and Lemma 2,
its first corollary and Statement 6 are false. They hold if such inputs enter with that limit.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    by_induction,
    check_all,
    corrected,
    derive,
    prove_all,
    prove_identities,
    reals,
    refute,
    together,
)
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.f_information import (
    inverse_worst_case_f_information,
    worst_case_f_information,
)

from ._divergence import (
    FUNCTIONS,
    ONE,
    VANISHING,
    ZERO,
    Function,
    after,
    at_most,
    distributions,
    divergence,
    seen,
)

SCOPE = "every finite set of inputs, every f with t f(t) convex"
CONVEX = "t f(t) is convex on t > 0"
INDEPENDENT = "Z is independent of Y given X"
LIMITS = (
    "inputs of probability zero after y count with the limit of t f(t) at 0, or that limit is at "
    "most 0"
)

# Lemma 1: one instance of convexity of g, multiplied by t.
lam, t, t1, t2, a, G, G1, G2, H, H1, H2 = reals("lambda t t1 t2 alpha G G1 G2 H H1 H2")
_AT = (
    t > 0,
    a * t == lam * t1,
    t == lam * t1 + (1 - lam) * t2,
    H == t * G,
    H1 == t1 * G1,
    H2 == t2 * G2,
)
_CONVEX_AT = G <= a * G1 + (1 - a) * G2
_STRICTLY_AT = G < a * G1 + (1 - a) * G2
LEMMA_1 = Lemma("f(1/t) is convex", (_CONVEX_AT, *_AT), lam * H1 + (1 - lam) * H2 >= H)
LEMMA_1_STRICT = Lemma(
    "f(1/t) is strictly convex", (_STRICTLY_AT, *_AT), lam * H1 + (1 - lam) * H2 > H
)
LEMMA_1_STEPS = (
    DerivationStep((0, 1)),
    DerivationStep((2,), factor=G1),
    DerivationStep((2,), coefficient=-1, factor=G2),
    DerivationStep((3,), factor=G2),
    DerivationStep((4,)),
    DerivationStep((5,), coefficient=-1, factor=lam),
    DerivationStep((6,), coefficient=-1, factor=1 - lam),
)

# Jensen: W the weight so far, M = g at the mean so far, S the weighted sum of g; then one more.
W, w, M, S, N, K = reals("W w M S N K")
JENSEN_BASE = Lemma("Jensen, one input", (w >= 0,), w * K <= w * K)
JENSEN_STEP = Lemma(
    "Jensen, one input more",
    (W * M <= S, (W + w) * N <= W * M + w * K),  # the second is convexity at two points
    (W + w) * N <= S + w * K,
)
JENSEN = {JENSEN_BASE: (), JENSEN_STEP: (DerivationStep((0,)), DerivationStep((1,)))}

# Statement 6: Z is a coin that depends on Q(X), and its two probabilities are rho1 and rho2.
P1, P2, r1, r2, c = reals("P1 P2 rho1 rho2 alpha")
MOVED = (P1 >= 0, P1 <= r1, r1 < r2, r2 <= P2, P2 <= 1, c * (P2 - P1) == r2 - r1)
Q1, Q2 = r2 + c * (1 - P2), r1 - c * P1
COINS = (
    Lemma("q1 >= 0", MOVED, Q1 >= 0),
    Lemma("q1 <= 1", MOVED, Q1 <= 1),
    Lemma("q2 >= 0", MOVED, Q2 >= 0),
    Lemma("q2 <= 1", MOVED, Q2 <= 1),
)


def _coin_identities() -> dict[str, tuple[object, object]]:
    first, second, low, high = sympy.symbols("P1 P2 rho1 rho2")
    slope = (high - low) / (second - first)
    coins = (high + slope * (1 - second), low - slope * first)
    return {
        "P[Z] = rho1": (coins[0] * first + coins[1] * (1 - first), low),
        "P[Z | y] = rho2": (coins[0] * second + coins[1] * (1 - second), high),
    }


def _ratio_identities() -> dict[str, tuple[object, object]]:
    """Each term of the mean of r(x) under P[x | z], and each term of the total over z."""
    before, given, kernel, share = sympy.symbols("P_x P_x_y P_z_x P_z", positive=True)
    posterior = before * kernel / share  # P[x | z]
    return {
        "P[x | z] r(x) = P[z | x] P[x | y] / P[z]": (
            posterior * given / before,
            kernel * given / share,
        ),
        "P[z] P[x | z] = P[x] P[z | x]": (share * posterior, before * kernel),
    }


def decide_lemma_1(deadline: Deadline) -> Outcome:
    """Convex, and strictly convex: one instance at two points."""
    first, second, weight = sympy.symbols("t1 t2 lambda")
    mean = weight * first + (1 - weight) * second
    share = weight * first / mean
    point = prove_identities(
        {"the point where g is taken": (share / first + (1 - share) / second, 1 / mean)}, deadline
    )
    derived = derive({LEMMA_1: LEMMA_1_STEPS, LEMMA_1_STRICT: LEMMA_1_STEPS})
    return together((point, derived), scope="all t1, t2 > 0 and every f")


def refute_convex_f(deadline: Deadline) -> Outcome:
    """With f itself convex instead: f(t) = -t has f(1/t) = -1/t, which is concave."""
    middle, ends = Fraction(-1, 2), (Fraction(-1) + Fraction(-1, 3)) / 2
    assert middle > ends
    return Outcome(
        "refuted",
        "f(t) = -t is convex, f(1/t) = -1/t is not",
        counterexample={"t1": "1", "t2": "3", "f(1/2)": str(middle), "mean of f": str(ends)},
        means=("exact arithmetic",),
        trust=EXACT,
    )


Case = tuple[tuple[Fraction, ...], tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...]]


def _cases() -> Iterator[Case]:
    """Priors on three inputs, columns of likelihoods, and channels from X to Z."""
    half = Fraction(1, 2)
    certain, other, coin = (ONE, ZERO), (ZERO, ONE), (half, half)
    channels = ((certain,) * 3, (certain, certain, other), (certain, coin, other))
    columns = list(itertools.product((ZERO, Fraction(1, 4), ONE), repeat=3))
    yield from itertools.product(distributions(3, 4), columns, channels)


def _violated(
    functions: Sequence[Function], *, limits: bool, inverse: bool
) -> Callable[[Case], Mapping[str, object] | None]:
    """Where Lemma 2's first or second inequality fails on a case."""

    def fails(case: Case) -> Mapping[str, object] | None:
        prior, column, channel = case
        given = after(prior, column)
        if given is None:
            return None
        pairs = [(seen(given, channel), seen(prior, channel)), (given, prior)]
        for f in functions:
            of_z, of_x = (
                divergence(*(pair[::-1] if inverse else pair), f, limits=limits or inverse)
                for pair in pairs
            )
            if not at_most(of_z, of_x):
                return {
                    "f": f.name,
                    "P[X]": _row(prior),
                    "p[x -> y]": _row(column),
                    "P[Z | X]": "; ".join(_row(row) for row in channel),
                    "KL^f for Z": str(of_z),
                    "KL^f for X": str(of_x),
                }
        return None

    return fails


def _row(values: Sequence[Fraction]) -> str:
    return " ".join(str(value) for value in values)


SURE = ((ONE, ZERO), (ZERO, ONE))


def _smallest_failure() -> tuple[Fraction, Fraction, Fraction]:
    """X a fair coin, Y = X, Z constant, f(t) = 1/t, as printed: I_w^f of Z and of X, and the bound.

    Both outputs show the same, so that either is the maximum. The bound is that of Statement 6 on
    the breach of X = 0 from 1/2 to 3/4: Y = 0 makes it certain.
    """
    f = next(f for f in FUNCTIONS if f.name == "1/t")
    fair, low, high = (Fraction(1, 2),) * 2, Fraction(1, 2), Fraction(3, 4)
    of_x = max(_finite(divergence(known, fair, f, limits=False)) for known in SURE)
    of_z = _finite(divergence((ONE,), (ONE,), f, limits=False))
    bound = high * f.value(high / low) + (1 - high) * f.value((1 - high) / (1 - low))
    return of_z, of_x, bound


def _finite(value: Fraction | None) -> Fraction:
    assert value is not None
    return value


def refute_maxima(deadline: Deadline) -> Outcome:
    """Corollary 1 and Statement 6 as printed, on that example."""
    of_z, of_x, bound = _smallest_failure()
    if not (of_z > of_x and bound > of_x):
        return Outcome("unknown", "the example does not show it")
    return Outcome(
        "refuted",
        "X a fair coin, Y = X, Z constant",
        means=("exact arithmetic",),
        counterexample={
            "f": "1/t",
            "I_w^f(Z; Y)": str(of_z),
            "I_w^f(X; Y)": str(of_x),
            "left side of Statement 6 at 1/2, 3/4": str(bound),
        },
        trust=EXACT,
    )


def _finding(where: str, says: str) -> PaperFinding:
    of_z, of_x, bound = _smallest_failure()
    return PaperFinding(
        "hypothesis",
        where,
        says,
        "It needs lim t f(t) <= 0 for t -> 0 (so for f = log), or inputs that y rules out must "
        "enter KL^f with that limit; then it is proved. Without either it fails for every f "
        "whose limit is above 0.",
        f"f(t) = 1/t, X a fair coin, Y = X, Z constant: KL^f and I_w^f are {of_z} for Z and {of_x} "
        f"for X, and Statement 6's left side for the breach from 1/2 to 3/4 is {bound}. "
        "In general f(s) grows beyond bounds for s -> 0 where the limit is above 0, and merging an "
        "input of ratio R with one of ratio 0 compares f(s) with f(R), s < R.",
    )


def _corrected(proof: Outcome, finding: PaperFinding) -> Outcome:
    of_z, of_x, bound = _smallest_failure()
    if proof.kind not in ("proved", "checked") or of_z <= of_x or bound <= of_x:
        return proof if proof.kind != "proved" else Outcome("refuted", "nothing to correct")
    return corrected(proof, finding)


def _jensen(deadline: Deadline) -> Outcome:
    """The identities, and Jensen's inequality by induction over inputs."""
    proof = derive(JENSEN)
    identities = prove_identities(_ratio_identities(), deadline)
    return together((identities, by_induction(proof)), scope=SCOPE)


def _small_cases(deadline: Deadline) -> Outcome:
    """Both inequalities by brute force, with limits, and without where none is above 0."""
    found = [
        check_all(_cases(), _violated(functions, limits=limits, inverse=inverse), "", deadline)
        for functions, limits in ((FUNCTIONS, True), (VANISHING, False))
        for inverse in (False, True)
    ]
    return together(found)


def decide_lemma_2(deadline: Deadline) -> Outcome:
    """Both inequalities, with the hypothesis that is missing."""
    tried = _small_cases(deadline)
    if tried.kind != "checked":
        return tried
    finding = _finding("Lemma 2", f"both inequalities, where {CONVEX}.")
    return _corrected(_jensen(deadline), finding)


def _maximum(deadline: Deadline) -> Outcome:
    """If no number of one set is above one of the other, neither is its maximum."""
    larger = Lemma("maximum", (G <= H, H <= M), G <= M)
    return together(
        (_jensen(deadline), derive({larger: (DerivationStep((0,)), DerivationStep((1,)))})),
        scope=SCOPE,
    )


def decide_corollary_1(deadline: Deadline) -> Outcome:
    """The maximum over y of smaller numbers is not larger."""
    finding = _finding("Corollary 1", f"I_w^f(Z; Y) <= I_w^f(X; Y), where {CONVEX}.")
    return _corrected(_maximum(deadline), finding)


def decide_corollary_2(deadline: Deadline) -> Outcome:
    """The same for the second inequality, which needs no more than f at infinity as its limit."""
    return _maximum(deadline)


def _coin(deadline: Deadline, *, inverse: bool) -> Outcome:
    """The coin Z turns Lemma 2 into the bound; beside it, brute force and our own measures."""
    measured = check_all(FUNCTIONS, _measured(inverse=inverse), "", deadline)
    if measured.kind != "checked":
        return measured
    for f in FUNCTIONS:
        tried = check_all(_cases(), _breach_bound(f, inverse=inverse), "", deadline)
        if tried.kind != "checked":
            return tried
    coin = (prove_identities(_coin_identities(), deadline), prove_all(COINS, deadline))
    return together((*coin, _jensen(deadline)), scope=SCOPE)


def decide_statement_6(deadline: Deadline) -> Outcome:
    """The coin Z turns Lemma 2 into the bound."""
    finding = _finding("Statement 6", f"the bound on upward breaches, where {CONVEX}.")
    return _corrected(_coin(deadline, inverse=False), finding)


def decide_statement_7(deadline: Deadline) -> Outcome:
    """The same coin, with before and after exchanged."""
    return _coin(deadline, inverse=True)


ROWS = ((ONE, ZERO), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 4), Fraction(3, 4)))
PRIOR = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))


def _measured(*, inverse: bool) -> Callable[[Function], Mapping[str, object] | None]:
    """Where the measure of this library is not the maximum of KL^f over the outputs."""
    operator = Operator.from_matrix([list(row) for row in ROWS])
    prior = Prior.of(operator.inputs, dict(zip(range(3), PRIOR, strict=True)))
    measure = inverse_worst_case_f_information if inverse else worst_case_f_information

    def fails(f: Function) -> Mapping[str, object] | None:
        laws = [after(PRIOR, column) for column in zip(*ROWS, strict=True)]
        found = [
            divergence(*((PRIOR, law) if inverse else (law, PRIOR)), f, limits=True)
            for law in laws
            if law is not None
        ]
        finite = [value for value in found if value is not None]
        expected = max(finite) if len(finite) == len(found) else INFINITY
        value = measure(operator, prior, f.name.replace(" ", "")).value
        return None if value == expected else {"f": f.name, "ours": str(value)}

    return fails


def refute_as_printed(deadline: Deadline) -> Outcome:
    """Lemma 2 with f = 1/t and inputs ruled out left out."""
    return check_all(
        _cases(), _violated(FUNCTIONS, limits=False, inverse=False), "small cases", deadline
    )


def _concave(inverse: bool) -> Callable[[Deadline], Outcome]:
    """The inequality for an f that violates the hypothesis."""
    odd = (Function("-t^2", lambda t: -t * t, ZERO, None),)

    def decide(deadline: Deadline) -> Outcome:
        cases = (case for case in _cases() if all(q > 0 for q in case[1]))
        return check_all(
            cases, _violated(odd, limits=True, inverse=inverse), "small cases", deadline
        )

    return decide


def _breach_bound(f: Function, *, inverse: bool) -> Callable[[Case], Mapping[str, object] | None]:
    """Where Statement 6 or 7 fails: any property, at its own prior and posterior probability."""

    def fails(case: Case) -> Mapping[str, object] | None:
        prior, column, _ = case
        given = after(prior, column)
        if given is None:
            return None
        first, second = (prior, given) if inverse else (given, prior)
        measured = divergence(first, second, f, limits=True)
        for chosen in itertools.product((0, 1), repeat=len(prior)):
            one, other = (
                sum((p for p, inside in zip(law, chosen, strict=True) if inside), ZERO)
                for law in (first, second)
            )
            if not 0 < other < one < 1:
                continue
            bound = one * f.value(one / other) + (1 - one) * f.value((1 - one) / (1 - other))
            if not at_most(bound, measured):
                return {
                    "f": f.name,
                    "P[X]": _row(prior),
                    "p[x -> y]": _row(column),
                    "property": _row([Fraction(inside) for inside in chosen]),
                    "left side": str(bound),
                    "KL^f": str(measured),
                }
        return None

    return fails


def _odd_bound(inverse: bool) -> Callable[[Deadline], Outcome]:
    odd = Function("-t^2", lambda t: -t * t, ZERO, None)

    def decide(deadline: Deadline) -> Outcome:
        cases = (case for case in _cases() if all(q > 0 for q in case[1]))
        return check_all(cases, _breach_bound(odd, inverse=inverse), "small cases", deadline)

    return decide


def refute_full_swing(deadline: Deadline) -> Outcome:
    """The coin without rho1 < rho2: alpha is above 1 where P1 > rho1."""
    loose = tuple(part for number, part in enumerate(MOVED) if number != 1)
    return refute(
        Lemma("q2 >= 0 without P1 <= rho1", (*loose, P2 > P1, r1 >= 0), Q2 >= 0), deadline
    )


BOUND = (
    r"\rho_2\, f\!\left(\frac{\rho_2}{\rho_1}\right) + "
    r"(1 - \rho_2)\, f\!\left(\frac{1 - \rho_2}{1 - \rho_1}\right) \le "
)

STATEMENTS = (
    Statement(
        "egs03/lemma_1",
        "EGS03",
        "Lemma 1",
        "f(1/t) is convex (strictly convex) on t > 0.",
        (f"{CONVEX} (strictly convex)",),
        decide_lemma_1,
        (Neighbour("the same with f itself convex", refute_convex_f),),
        section="A.3",
        formulas=(
            r"\lambda f(1/t_1) + (1 - \lambda) f(1/t_2) \ge f(1/(\lambda t_1 + (1 - \lambda) t_2))",
        ),
    ),
    Statement(
        "egs03/lemma_2",
        "EGS03",
        "Lemma 2",
        "Given an output y, the distribution of Z is no further from its prior than that of X, "
        "and the prior of Z no further from it, as KL^f measures.",
        (INDEPENDENT, CONVEX),
        decide_lemma_2,
        (
            Neighbour("as printed: inputs that y rules out are left out", refute_as_printed),
            Neighbour("f(t) = -t^2, first inequality", _concave(False)),
            Neighbour("f(t) = -t^2, second inequality", _concave(True)),
        ),
        section="A.3",
        formulas=(
            r"KL^f(p_{Z \mid Y = y} \| p_Z) \le KL^f(p_{X \mid Y = y} \| p_X)",
            r"KL^f(p_Z \| p_{Z \mid Y = y}) \le KL^f(p_X \| p_{X \mid Y = y})",
        ),
        uses=("egs03/lemma_1", "egs03/definition_7", "egs03/definition_8"),
        expected="corrected",
    ),
    Statement(
        "egs03/corollary_1",
        "EGS03",
        "Corollary 1",
        "The worst-case information about Z is at most that about X.",
        (INDEPENDENT, CONVEX),
        decide_corollary_1,
        (
            Neighbour("as printed: inputs that y rules out are left out", refute_maxima),
            Neighbour("f(t) = -t^2", _concave(False)),
        ),
        section="A.3",
        formulas=(r"I_w^f(Z; Y) \le I_w^f(X; Y)",),
        uses=("egs03/lemma_2",),
        expected="corrected",
    ),
    Statement(
        "egs03/corollary_2",
        "EGS03",
        "Corollary 2",
        "The inverse worst-case information about Z is at most that about X.",
        (INDEPENDENT, CONVEX, "f(infinity) is the limit of f"),
        decide_corollary_2,
        (Neighbour("f(t) = -t^2", _concave(True)),),
        section="A.4",
        formulas=(r"J_w^f(Z; Y) \le J_w^f(X; Y)",),
        uses=("egs03/lemma_2",),
    ),
    Statement(
        "egs03/statement_6",
        "EGS03",
        "Statement 6",
        "An upward rho1-to-rho2 breach needs worst-case information of at least this much.",
        ("R(X) = y causes an upward rho1-to-rho2 breach", CONVEX),
        decide_statement_6,
        (
            Neighbour("as printed: inputs that y rules out are left out", refute_maxima),
            Neighbour("f(t) = -t^2, for which t f(t) is not convex", _odd_bound(False)),
            Neighbour("without P[Q] <= rho1 there is no such coin", refute_full_swing),
        ),
        section="6",
        formulas=(BOUND + r"I_w^f(X; R(X))",),
        uses=("egs03/corollary_1", "egs03/definition_2", "egs03/definition_7"),
        expected="corrected",
    ),
    Statement(
        "egs03/statement_7",
        "EGS03",
        "Statement 7",
        "A downward rho2-to-rho1 breach needs inverse worst-case information of at least this "
        "much.",
        (
            "R(X) = y causes a downward rho2-to-rho1 breach",
            CONVEX,
            "f(infinity) is the limit of f",
        ),
        decide_statement_7,
        (Neighbour("f(t) = -t^2, for which t f(t) is not convex", _odd_bound(True)),),
        section="6",
        formulas=(BOUND + r"J_w^f(X; R(X))",),
        uses=("egs03/corollary_2", "egs03/definition_2", "egs03/definition_8"),
    ),
)
