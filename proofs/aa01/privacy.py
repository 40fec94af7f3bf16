"""AA01 sections 2, 3 and 5: the measures of privacy and of information loss, and their examples.

Pi(A) = 2^h(A). Scaling: B = A/2 has f_B(x) = 2 f_A(2x), h(B) = h(A) - 1, Pi(B) = Pi(A)/2.
Limits: A_n uniform on the union of the left halves of n equal parts of [0, 1] converges to the
uniform distribution on [0, 1] (their distribution functions differ by at most 1/(2n)), but its
density is 2 where it is not 0, so that Pi(A_n) = 1/2 for every n: differential entropy is not
continuous for that convergence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy
from flint import arb

from ppdm_formal.certify.statement import (
    DerivationStep,
    Lemma,
    Neighbour,
    Outcome,
    PaperFinding,
    Printed,
    Statement,
    argued,
    check_all,
    compare_printed,
    corrected,
    derive,
    prove_identities,
    reals,
    refute,
    together,
    with_findings,
)
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, enclose
from ppdm_formal.declare.arithmetic.log_sum import LogSum
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.noises.named import Uniform

from ..evf02._two_intervals import information, loss, mutual_bits, privacy
from ._gaussian import gaussian_entropy


def _entropy_of_z() -> Enclosure:
    """h(Z) = I(X; Z) + h(Y) = 2 + 1/(4 ln 2) bits."""
    return enclose(lambda: 2 + arb(1) / 4 / arb.const_log2())


def _entropy(pieces: Sequence[tuple[int, Fraction]]) -> Fraction:
    """H in bits of a density that is constant on pieces of these lengths, where it is rational."""
    terms = [(-length * height, LogSum.log(height, "bit")) for length, height in pieces]
    found = LogSum.total(terms, "bit").enclosed()
    assert found.is_exact
    return found.lo


def _right() -> tuple[Printed, ...]:
    """What Example 1 prints and is right."""
    half = Fraction(1, 2)
    of_x, of_y = _entropy([(1, half), (1, half)]), _entropy([(2, half)])
    return (
        Printed("h(X)", "1", of_x, "exact"),
        Printed("Pi(X)", "2", Fraction(2) ** of_x, "exact"),
        Printed("h(Y)", "1", of_y, "exact"),
        Printed("2^(-5/4) from 1", "0.5796", enclose(lambda: 1 - (arb(2).log() * -5 / 4).exp())),
    )


def _wrong() -> tuple[Printed, ...]:
    """What it prints of Z, as computed here."""
    return (
        Printed("h(Z)", "2.25", _entropy_of_z(), "exact"),
        Printed("I(X; Z)", "1.25", mutual_bits(), "exact"),
        Printed("P(X|Z)", "0.5796", loss()),
        Printed("Pi(X|Z)", "0.8408", privacy()),
    )


def decide_example(deadline: Deadline) -> Outcome:
    """h(X) is right; h(Z) and what follows from it are not."""
    if sympy.simplify(information() - sympy.log(2) - sympy.Rational(1, 4)) != 0:
        return Outcome("unknown", "the integral is not ln 2 + 1/4")
    right, wrong = compare_printed(_right()), compare_printed(_wrong())
    if right.kind != "enclosed" or len(wrong.counterexample or {}) != len(_wrong()):
        return right if right.kind != "enclosed" else wrong
    finding = PaperFinding(
        "wrong",
        "2, Example 1 continued",
        "h(Z) = 9/4, I(X;Z) = 5/4, P(X|Z) = 0.5796, Pi(X|Z) = 0.8408.",
        f"h(Z) = 2 + 1/(4 ln 2) = {_entropy_of_z()} bits, I(X;Z) = {mutual_bits()} bits, P(X|Z) "
        f"= 1 - "
        f"e^(-1/4)/2 = {loss()}, Pi(X|Z) = e^(-1/4) = {privacy()}.",
        "The ramps of the density of Z give 1/4 when integrated with natural logarithms; in "
        "bits that is "
        "1/(4 ln 2). What follows from 5/4 is computed rightly.",
    )
    both = replace(right, printed=(*right.printed, *wrong.printed))
    return corrected(replace(both, means=("symbolic identity", "enclosure")), finding)


def refute_example(deadline: Deadline) -> Outcome:
    """As printed."""
    return compare_printed(_wrong())


def decide_axioms(deadline: Deadline) -> Outcome:
    """Scaling holds; limits do not."""
    c, entropy = sympy.symbols("c h", positive=True)
    x, a = sympy.symbols("x a", positive=True)
    # h(cA) = h(A) + log2 c: the density f(x/c)/c, substituted; uniform on [0, a] has Pi = a
    uniform = sympy.integrate(-(1 / a) * sympy.log(1 / a) / sympy.log(2), (x, 0, a))
    scaling = sympy.simplify(2 ** (entropy + sympy.log(c, 2)) / 2**entropy - c) == 0
    uniform_is_length = sympy.simplify(sympy.exp(uniform * sympy.log(2)) - a) == 0
    if not scaling or not uniform_is_length:
        return Outcome("refuted", "Pi does not scale")
    tried = check_all(range(1, 40), _far_from_uniform, "n up to 39", deadline)
    if tried.kind != "checked":
        return tried
    finding = PaperFinding(
        "wrong",
        "2, what a measure of privacy should satisfy",
        "2^h satisfies all intuitive notions: if A_n converges to B, so does its privacy.",
        "It scales as wanted, but it is not continuous for convergence in distribution (nor, with "
        "suitable A_n, for almost sure convergence): the limit can have more privacy than every "
        "A_n.",
        "A_n uniform on the left halves of n equal parts of [0, 1]: distribution functions "
        "within 1/(2n) "
        "of that of the uniform B, yet Pi(A_n) = 1/2 for every n and Pi(B) = 1.",
    )
    return corrected(argued(tried, "every n", "argument", "symbolic identity"), finding)


def _far_from_uniform(n: int) -> Mapping[str, object] | None:
    """A_n against the uniform distribution: how far F is, and the length of its support."""
    corners = [Fraction(k, 2 * n) for k in range(2 * n + 1)]
    below = [Fraction((k + 1) // 2, n) for k in range(2 * n + 1)]  # mass 1/n by each left half
    farthest = max(abs(f - x) for f, x in zip(below, corners, strict=True))
    support = n * Fraction(1, 2 * n)  # the density is 2 there, so h = log2 of this length
    if farthest <= Fraction(1, 2 * n) and support == Fraction(1, 2):
        return None
    return {"n": str(n), "distance": str(farthest), "support": str(support)}


def refute_limits(deadline: Deadline) -> Outcome:
    """Pi(A_n) converges to Pi(B) where A_n converges to B."""

    def fails(n: int) -> Mapping[str, object] | None:
        return None if _far_from_uniform(n) else {"n": str(n), "Pi(A_n)": "1/2", "Pi(B)": "1"}

    return check_all([100], fails, "", deadline)


f, g, s, low, total_f, total_g = reals("f g s m F G")
WHOLE = (total_f == 1, total_g == 1)
HALVED = 2 * s == total_f + total_g - 2 * low
LOSSES = {
    Lemma("where f <= g", (s == g - f, low == f), s == f + g - 2 * low): (
        DerivationStep((0,)),
        DerivationStep((1,), coefficient=2),
    ),
    Lemma("where f > g", (s == f - g, low == g), s == f + g - 2 * low): (
        DerivationStep((0,)),
        DerivationStep((1,), coefficient=2),
    ),
    Lemma("1 minus the area shared", (*WHOLE, HALVED), s == 1 - low): (
        DerivationStep((0,), coefficient=Fraction(1, 2)),
        DerivationStep((1,), coefficient=Fraction(1, 2)),
        DerivationStep((2,), coefficient=Fraction(1, 2)),
    ),
    Lemma("at least 0", (low <= total_f, low <= total_g, HALVED), s >= 0): (
        DerivationStep((0,), coefficient=Fraction(1, 2)),
        DerivationStep((1,), coefficient=Fraction(1, 2)),
        DerivationStep((2,), coefficient=Fraction(-1, 2)),
    ),
    Lemma("at most 1", (low >= 0, *WHOLE, HALVED), s <= 1): (
        DerivationStep((0,)),
        DerivationStep((1,), coefficient=Fraction(1, 2)),
        DerivationStep((2,), coefficient=Fraction(1, 2)),
        DerivationStep((3,), coefficient=Fraction(1, 2)),
    ),
}  # fmt: skip


def decide_loss(deadline: Deadline) -> Outcome:
    """|f - g| = f + g - 2 min(f, g), integrated: half of it is 1 minus the area shared."""
    found = derive(LOSSES)
    finding = PaperFinding(
        "misprint",
        "3, below equation (6)",
        "see Figure 3.",
        "Figure 1 is meant: it illustrates the metric.",
        "Figure 3 shows a reconstructed uniform distribution.",
    )
    return with_findings(argued(found, "all densities"), finding)


def refute_whole(deadline: Deadline) -> Outcome:
    """Without the factor 1/2 the loss may exceed 1: s is then the whole of |f - g|."""
    hypotheses = (low >= 0, low <= 1, s == 2 - 2 * low)
    return refute(Lemma("the whole L1 distance is at most 1", hypotheses, s <= 1), deadline)


def _same_privacy(factor: int, deadline: Deadline) -> Outcome:
    """Pi^2 = e^(2h) of a Gaussian of variance factor/(pi e), against 2^2 of uniform data."""
    v, entropy = gaussian_entropy()
    squared = sympy.simplify(sympy.exp(2 * entropy))  # 2 pi e v
    at = sympy.simplify(squared.subs(v, factor / (sympy.pi * sympy.E)))
    return prove_identities({"Pi of the Gaussian, squared": (at, 4)}, deadline)


def decide_section_5(deadline: Deadline) -> Outcome:
    """2 pi e sigma^2 = 4 = Pi^2 at sigma^2 = 2/(pi e); [2, 4] and [-1, 1] have the length 2."""
    found = _same_privacy(2, deadline)
    return argued(found, "uniform data of length 2 and the Gaussian of section 5")


def refute_section_5(deadline: Deadline) -> Outcome:
    """A variance of 1/(pi e): another privacy."""
    return _same_privacy(1, deadline)


alpha, width, share = reals("alpha w c")
DENSE = width - 2 * alpha * share >= 0  # the density is at most 1/(2 alpha)
INTERVALS = {
    Lemma("at 50%", (DENSE, 2 * share == 1, alpha > 0), width >= alpha): (
        DerivationStep((0,)),
        DerivationStep((1,), coefficient=-1, factor=alpha),
    ),
    Lemma("at 100%", (DENSE, share == 1, alpha > 0), width >= 2 * alpha): (
        DerivationStep((0,)),
        DerivationStep((1,), coefficient=-2, factor=alpha),
    ),
}  # fmt: skip


def _width(confidence: Fraction, printed: str) -> Printed:
    """The shortest interval of uniform noise with alpha = 3, by this package below 100%."""
    noise = Uniform(Fraction(-3), Fraction(3))
    found = noise.shortest(confidence) if confidence < 1 else None
    exact = noise.hi - noise.lo if found is None else found.lo
    kept = exact if found is None or found.is_exact else found
    return Printed(f"at {100 * confidence}%, alpha = 3", printed, kept, "exact")


def decide_confidence(deadline: Deadline) -> Outcome:
    """An interval of width w has a share of at most w/(2 alpha), and one inside has just that."""
    numbers = [_width(Fraction(1, 2), "3"), _width(Fraction(1), "6")]
    return argued(together((derive(INTERVALS), compare_printed(numbers))), "every alpha")


def refute_confidence(deadline: Deadline) -> Outcome:
    """Alpha at 60%: refuted, 6/5 alpha is needed."""
    return compare_printed([_width(Fraction(3, 5), "3")])


STATEMENTS = (
    Statement(
        "aa01/confidence_privacy",
        "AA01",
        "Privacy at a confidence",
        "Noise that is uniform on an interval of width 2 alpha has privacy alpha at 50% confidence "
        "and 2 alpha at 100%.",
        ("alpha > 0",),
        decide_confidence,
        (Neighbour("alpha at 60%", refute_confidence),),
        section="2",
    ),
    Statement(
        "aa01/example_1",
        "AA01",
        "Example 1",
        "X uniform on [0, 1] and [4, 5] has privacy 2, of which 0.5796 is lost by Z = X + Y.",
        ("Y uniform on [-1, 1]",),
        decide_example,
        (Neighbour("as printed", refute_example),),
        section="2",
        formulas=(r"I(X; Z) = h(Z) - h(Y)", r"\mathcal{P}(X|Z) = 1 - 2^{-I(X; Z)}"),
        uses=("evf02/confidence_interval",),
        expected="corrected",
    ),
    Statement(
        "aa01/privacy_measure_axioms",
        "AA01",
        "What a measure of privacy should satisfy",
        "Half the scale is half the privacy, and the privacy of a limit is the limit of privacies.",
        (),
        decide_axioms,
        (Neighbour("privacies of a convergent sequence converge", refute_limits),),
        section="2",
        formulas=(r"\Pi(A) = 2^{h(A)}",),
        expected="corrected",
    ),
    Statement(
        "aa01/information_loss",
        "AA01",
        "Information loss",
        "Half the expected L1 distance lies between 0 and 1, and is 1 minus the area shared.",
        ("f and its estimate are densities",),
        decide_loss,
        (Neighbour("the whole distance", refute_whole),),
        section="3",
        formulas=(r"\frac{1}{2} E \int |f_X(x) - \hat f_X(x)|\, dx",),
    ),
    Statement(
        "aa01/section_5_parameters",
        "AA01",
        "Parameters of section 5",
        "A Gaussian of variance 2/(pi e) has the same privacy as a uniform distribution of "
        "length 2.",
        (),
        decide_section_5,
        (Neighbour("a variance of 1/(pi e)", refute_section_5),),
        section="5",
        formulas=(r"h = \frac{1}{2} \log_2 (2 \pi e \sigma^2) = 1",),
    ),
)
