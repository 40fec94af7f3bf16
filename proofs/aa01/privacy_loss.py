"""AA01 section 5, Figure 7: the privacy loss 1 - 2^-I(X; Z) of four combinations, Z = X + Y.

I(X; Z) = h(Z) - h(Y), and in nats the loss is 1 - e^-I.

Gaussian X and Y, variances p and q: x^2/p + (z - x)^2/q = (x - m)^2/r + z^2/(p + q) with m = z p/(p
+ q) and r = p q/(p + q), so that the integral over x of f_X(x) f_Y(z - x) is the Gaussian density
of variance p + q at z. Entropies are ln(2 pi e v)/2: I = ln((p + q)/q)/2.

X uniform on [-1, 1] and Y on [-a, a]: f_Z(z) = |[-1, 1] and [z - a, z + a]| / 4a, for z >= 0 (and
-z alike) constant up to |a - 1|, then t/4a with t = 1 + a - z down to 0. Integrated: I = 1/2a for
a >= 1, and a/2 - ln a below.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import sympy
from flint import arb

from ppdm_formal.certify.statement import (
    DerivationStep,
    Lemma,
    Neighbour,
    Outcome,
    Printed,
    Statement,
    argued,
    check_all,
    compare_printed,
    derive,
    prove_identities,
    reals,
    refute_misprints,
    together,
)
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of, enclose
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.noises.named import Uniform
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density, Flat
from ppdm_formal.declare.reals.reals import Reals
from ppdm_formal.derive.reals.privacy import information

from ._gaussian import enclosed, entropy_of_sum, gaussian_entropy, same_privacy

# -- Gaussian data and noise -----------------------------------------------------------------------


def _gaussian_information() -> tuple[Any, Any, Any]:
    """The variances p and q, and I(X; Z) in nats."""
    p, q = sympy.symbols("p q", positive=True)
    v, entropy = gaussian_entropy()
    return p, q, entropy.subs(v, p + q) - entropy.subs(v, q)


def decide_gaussian(deadline: Deadline) -> Outcome:
    """The square is completed, what is left integrates to 1, and the entropies are subtracted."""
    x, z = sympy.symbols("x z", real=True)
    p, q, found = _gaussian_information()
    m, r = z * p / (p + q), p * q / (p + q)
    v, y = sympy.symbols("v y", positive=True)
    bell = sympy.exp(-(y**2) / (2 * v)) / sympy.sqrt(2 * sympy.pi * v)
    pi = sympy.Symbol("pi_", positive=True)  # a number as good as any: identities are rational
    logs = sympy.expand_log(sympy.expand(2 * found), force=True)
    pairs = {
        "the square": (x**2 / p + (z - x) ** 2 / q, (x - m) ** 2 / r + z**2 / (p + q)),
        "a density": (2 * sympy.integrate(bell, (y, 0, sympy.oo)), 1),
        "factors, squared": (2 * pi * r / (2 * pi * p) / (2 * pi * q), 1 / (2 * pi * (p + q))),
        "I(X; Z), doubled": (logs, sympy.log(p + q) - sympy.log(q)),
        "(1 + p/q), inverse": (sympy.exp(-(sympy.log(p + q) - sympy.log(q))), 1 / (1 + p / q)),
    }
    return argued(prove_identities(pairs, deadline), "all variances")


def _gaussian_loss(p: Fraction, q: Fraction) -> Enclosure:
    """1 - (1 + p/q)^(-1/2)."""
    return enclose(lambda: 1 - (1 / (1 + ball_of(p / q))).sqrt())


def refute_sum_of_deviations(deadline: Deadline) -> Outcome:
    """Standard deviations add up, 1 - (1 + sx/sy)^-1: refuted where both are 1."""
    return _told_apart([(Fraction(1), Fraction(1))], lambda p, q: q / (p + q), _gaussian_loss)


# -- uniform data and noise ------------------------------------------------------------------------

a, z = reals("a z")
OVERLAPS = {
    Lemma("flat, a >= 1: from -1", (z <= a - 1,), z - a <= -1): (DerivationStep((0,)),),
    Lemma("flat, a >= 1: to 1", (z >= 0, a >= 1), z + a >= 1): (
        DerivationStep((0,)),
        DerivationStep((1,)),
    ),
    Lemma("flat, a <= 1: from z - a", (z >= 0, a <= 1), z - a >= -1): (
        DerivationStep((0,)),
        DerivationStep((1,)),
    ),
    Lemma("flat, a <= 1: to z + a", (z <= 1 - a,), z + a <= 1): (DerivationStep((0,)),),
    Lemma("ramp, a >= 1: from z - a", (z >= a - 1,), z - a >= -1): (DerivationStep((0,)),),
    Lemma("ramp, a >= 1: to 1", (z >= a - 1, a >= 1), z + a >= 1): (
        DerivationStep((0,)),
        DerivationStep((1,), coefficient=2),
    ),
    Lemma("ramp, a <= 1: from z - a", (z >= 1 - a, a <= 1), z - a >= -1): (
        DerivationStep((0,)),
        DerivationStep((1,), coefficient=2),
    ),
    Lemma("ramp, a <= 1: to 1", (z >= 1 - a,), z + a >= 1): (DerivationStep((0,)),),
    Lemma("beyond 1 + a nothing", (z > 1 + a,), z - a > 1): (DerivationStep((0,)),),
}  # which ends [-1, 1] and [z - a, z + a] have in common, for z >= 0


@cache
def _uniform_information(wide: bool) -> tuple[Any, Any, Any]:
    """The symbol a, the mass of Z, and I(X; Z) in nats, a >= 1 (wide) or a <= 1."""
    a, t = sympy.symbols("a t", positive=True)
    height, flat, top = (
        (1 / (2 * a), 2 * (a - 1), 2) if wide else (sympy.Rational(1, 2), 2 * (1 - a), 2 * a)
    )
    slope = t / (4 * a)
    ramp = sympy.integrate(-slope * sympy.log(slope), (t, 0, top))
    mass = flat * height + 2 * sympy.integrate(slope, (t, 0, top))
    entropy = -flat * height * sympy.log(height) + 2 * ramp
    return a, mass, sympy.expand_log(sympy.expand(entropy - sympy.log(2 * a)), force=True)


def decide_uniform(deadline: Deadline) -> Outcome:
    """The pieces of f_Z, their mass, and I; the enclosures of this package hold the same."""
    pieces = derive(OVERLAPS)
    pairs = {}
    for wide in (True, False):
        a, mass, found = _uniform_information(wide)
        closed = 1 / (2 * a) if wide else a / 2 - sympy.log(a)
        loss = sympy.exp(-1 / (2 * a)) if wide else a * sympy.exp(-a / 2)
        case = "a >= 1" if wide else "a <= 1"
        pairs[f"mass, {case}"] = (mass, 1)
        pairs[f"I(X; Z), {case}"] = (sympy.expand(found), closed)
        pairs[f"e^-I, {case}"] = (sympy.exp(-closed), loss)
    identities = prove_identities(pairs, deadline)
    widths = [Fraction(1, 3), Fraction(1), Fraction(5, 2)]
    missed = [str(a) for a in widths if not _overlap(_uniform_loss(a), _by_package(a))]
    if missed:
        return Outcome("unknown", f"this package encloses another loss for a = {missed}")
    return argued(together((pieces, identities)), "all a > 0")


def _uniform_loss(a: Fraction, wide: bool | None = None) -> Enclosure:
    """1 - e^(-1/2a) for a >= 1 (or where asked for), 1 - a e^(-a/2) below."""
    if a >= 1 if wide is None else wide:
        return enclose(lambda: 1 - (-ball_of(1 / (2 * a))).exp())
    return enclose(lambda: 1 - ball_of(a) * (-ball_of(a / 2)).exp())


def _by_package(a: Fraction) -> Enclosure:
    """The loss as audits of continuous operators give it."""
    inputs = Reals(Fraction(-1), Fraction(1))
    density = Density(inputs, (Flat(Fraction(1), Fraction(-1), Fraction(1)),))
    return information(ContinuousOperator(inputs, Uniform(-a, a)), density).loss


def refute_one_form(deadline: Deadline) -> Outcome:
    """1 - e^(-1/2a) for every a: refuted at a = 1/2."""
    return _told_apart([(Fraction(1, 2),)], lambda a: _uniform_loss(a, wide=True), _uniform_loss)


def refute_other_form(deadline: Deadline) -> Outcome:
    """1 - a e^(-a/2) for every a: refuted at a = 2."""
    return _told_apart([(Fraction(2),)], lambda a: _uniform_loss(a, wide=False), _uniform_loss)


def _told_apart(
    cases: list[tuple[Fraction, ...]],
    claimed: Callable[..., Fraction | Enclosure],
    right: Callable[..., Enclosure],
) -> Outcome:
    """Refuted by a case in which what is claimed is provably another number."""

    def fails(case: tuple[Fraction, ...]) -> Mapping[str, object] | None:
        said, found = claimed(*case), right(*case)
        kept = Enclosure.exactly(said) if isinstance(said, Fraction) else said
        return None if _overlap(kept, found) else {"at": case, "claimed": kept, "loss": found}

    return check_all(cases, fails, "", Deadline.after(9))


def _overlap(one: Enclosure, other: Enclosure) -> bool:
    return one.lo <= other.hi and other.lo <= one.hi


# -- Figure 7 at three standard deviations ---------------------------------------------------------

DEVIATIONS = (Fraction(1, 5), Fraction(3, 5), Fraction(1))
LOSSES = {
    "uniform, uniform": ("0.7087", "0.3819", "0.2507"),
    "uniform, Gaussian": ("0.6550", "0.2778", "0.1339"),
    "Gaussian, uniform": ("0.6798", "0.3433", "0.2230"),
    "Gaussian, Gaussian": ("0.6181", "0.2216", "0.0999"),
}


def _loss(combination: str, s: Fraction) -> Any:
    """The loss as a ball, for data of privacy 2 and noise of standard deviation s."""
    sd, half = ball_of(s), ball_of(s) * arb(3).sqrt()  # uniform on [-half, half]
    normal = (2 * arb.pi() * arb(1).exp()).log() / 2 + sd.log()  # its entropy
    match combination:
        case "uniform, uniform" if half >= 1:
            return 1 - (-1 / (2 * half)).exp()
        case "uniform, uniform":
            return 1 - half * (-half / 2).exp()
        case "uniform, Gaussian":
            return 1 - (normal - entropy_of_sum(arb(1), sd)).exp()
        case "Gaussian, uniform":
            return 1 - ((2 * half).log() - entropy_of_sum(half, same_privacy())).exp()
        case "Gaussian, Gaussian":
            return 1 - 1 / (1 + (same_privacy() / sd) ** 2).sqrt()
    raise AssertionError


@cache
def _figure_7() -> tuple[Printed, ...]:
    return tuple(
        Printed(f"{combination}, sd {s}", text, enclosed(lambda: _loss(combination, s)))  # noqa: B023
        for combination, row in LOSSES.items()
        for s, text in zip(DEVIATIONS, row, strict=True)
    )


def decide_figure_7(deadline: Deadline) -> Outcome:
    """Closed forms for two combinations, rigorous integrals for the others."""
    found = compare_printed(_figure_7())
    return replace(found, scope="standard deviations 0.2, 0.6 and 1, in four digits")


def misprints_figure_7(deadline: Deadline) -> Outcome:
    """Each last digit moved by one."""
    return refute_misprints(_figure_7())


STATEMENTS = (
    Statement(
        "aa01/gaussian_privacy_loss",
        "AA01",
        "Privacy loss of Gaussian data and noise",
        "Gaussian X and Y of variances p and q: the privacy loss is 1 - (1 + p/q)^(-1/2).",
        ("X and Y are independent",),
        decide_gaussian,
        (Neighbour("standard deviations add up", refute_sum_of_deviations),),
        section="5, Figure 7",
        formulas=(r"\mathcal{P}(X|Z) = 1 - (1 + \sigma_X^2 / \sigma_Y^2)^{-1/2}",),
        uses=("aa01/example_1",),
    ),
    Statement(
        "aa01/uniform_privacy_loss",
        "AA01",
        "Privacy loss of uniform data and noise",
        "X uniform on [-1, 1], Y on [-a, a]: the privacy loss is 1 - e^(-1/(2a)) for a >= 1, and "
        "1 - a e^(-a/2) below.",
        ("X and Y are independent", "a > 0"),
        decide_uniform,
        (
            Neighbour("the first form for every a", refute_one_form),
            Neighbour("the second form for every a", refute_other_form),
        ),
        section="5, Figure 7",
        formulas=(
            r"\mathcal{P}(X|Z) = 1 - e^{-1/(2a)} \;(a \ge 1), \quad 1 - a e^{-a/2} \;(a \le 1)",
        ),
        uses=("aa01/example_1",),
    ),
    Statement(
        "aa01/figure_7",
        "AA01",
        "Figure 7 at three standard deviations",
        "Privacy losses of data with privacy 2 under noise of standard deviation 0.2, 0.6 and 1, "
        "in four digits; the figure prints none.",
        ("uniform data on [-1, 1], or Gaussian of variance 2/(pi e)",),
        decide_figure_7,
        (Neighbour("any last digit moved by one", misprints_figure_7),),
        section="5, Figure 7",
        uses=(
            "aa01/gaussian_privacy_loss",
            "aa01/uniform_privacy_loss",
            "aa01/section_5_parameters",
        ),
        expected="enclosed",
    ),
)
