"""Evidence "extremes": continuous operators, all priors, by the inputs whose ratio is largest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .additive import Additive
from .certificate import Certificate, Evidence, need_no_more
from .claim import BoundClaim, BreachClaim, Claim
from .decision import Decision
from .exponential import Exponential, e_to
from .limits import ONE, ZERO
from .reading import Fields, read_rational
from .result import need
from .spans import CONTINUOUS_BITS, Span, TooFewBits, exp_span, quotient_span, ratio_span


@dataclass(frozen=True)
class Top:
    """The greatest ratio of likelihoods of x1 > x2, at the top of the outputs.

    infinite, or exactly a number, or what it lies between for so many bits (None: nothing is known
    above). reached: by outputs of positive probability, and not only approached. atom: the one
    output that reaches it, an end of a window.
    """

    infinite: bool
    reached: bool
    exact: Any = None
    span: Callable[[int], tuple[Fraction, Fraction | None]] | None = None
    atom: Fraction | None = None

    def side(self, limit: Any) -> int | None:
        """-1, 0, 1: below, at or above a limit; None where no number of bits tells."""
        if self.infinite:
            return 1
        if self.exact is not None:
            return int(self.exact > limit) - int(self.exact < limit)
        assert self.span is not None
        for bits in CONTINUOUS_BITS:
            try:
                low, high = self.span(bits)
            except TooFewBits:
                continue
            least, most = limit.between(bits) if type(limit) is Exponential else (limit, limit)
            if low > most:
                return 1
            if high is not None and high < least:
                return -1
        return None


def top_of(operator: Additive, x1: Fraction, x2: Fraction) -> Top:
    """What the top of the outputs says of x1 against x2, x1 > x2."""
    noise, window = operator.noise, operator.window
    most = noise.support[1]
    if most is not None and window is not None and window[1] >= x1 + most:
        return Top(False, True, ONE, atom=window[1])  # all outputs are moved to one end
    if most is not None and (window is None or window[2] >= x1 + most):
        return Top(True, True)
    if window is None and noise.settles:
        return Top(False, True, e_to(noise.log_ratio(ZERO, x1 - x2)))
    if window is None:
        need(noise.surer, "not known of this noise")
        return Top(True, False)
    kind, lo, hi = window
    if kind == "clamped":
        if not noise.exact:
            flipped = noise.mirrored()
            return Top(
                False,
                True,
                span=lambda bits: ratio_span(
                    *(flipped.distribution(x - hi, bits) for x in (x1, x2))
                ),
                atom=hi,
            )
        over, under = (1 - noise.below(hi - x) for x in (x1, x2))
        return Top(under == 0, True, None if under == 0 else over / under, atom=hi)
    if not noise.exact:
        gain = noise.log_ratio(hi - x1, hi - x2)

        def span(bits: int) -> Span:
            shares = quotient_span(*(noise.between(lo - x, hi - x, bits) for x in (x2, x1)))
            factor = exp_span(gain, bits)
            return factor[0] * shares[0], factor[1] * shares[1]

        return Top(False, False, span=span)
    if most is not None and hi - x2 > most:
        return Top(True, True)
    over, under = (
        noise.density(hi - x) / (noise.below(hi - x) - noise.below(lo - x)) for x in (x1, x2)
    )
    if under == 0:
        return Top(True, False)
    return Top(False, noise.constant(hi - x1, hi - x2), over / under)


def tops(operator: Additive, inside: Span, outside: Span) -> Iterator[tuple[str, Top]]:
    """Both ends of the outputs, for the greatest and the least x inside and outside a property."""
    if inside[1] > outside[0]:
        yield "top", top_of(operator, inside[1], outside[0])
    if inside[0] < outside[1]:
        yield "bottom", top_of(operator.mirrored(), -inside[0], -outside[1])


def complement(operator: Additive) -> tuple[Span, ...]:
    """The intervals that do not have the property."""
    assert operator.intervals is not None
    cuts = [operator.lo, *(end for part in operator.intervals for end in part), operator.hi]
    return tuple((a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=True) if a < b)


def rising(operator: Additive, way: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The intervals whose probability rises in a breach of this direction, and the others."""
    assert operator.intervals is not None
    both = operator.intervals, complement(operator)
    return both if way == "upward" else both[::-1]


def extremes_decide(operator: Additive, claim: Claim, witness: Any) -> bool:
    """Whether the claim is broken, for all priors; a witness is replayed."""
    whole: tuple[Span, ...] = ((operator.lo, operator.hi),)
    if isinstance(claim, BoundClaim):
        limit, cases = claim.limit, [("", whole, whole)]
    else:
        limit = claim.rho2 * (1 - claim.rho1) / (claim.rho1 * (1 - claim.rho2))
        cases = [("", whole, whole)]
        if operator.intervals is not None:
            cases = [(way, *rising(operator, way)) for way in claim.directions]
    broken, left_open = [], ""
    for way, inside, outside in cases:
        ends = (inside[0][0], inside[-1][1]), (outside[0][0], outside[-1][1])
        for side, top in tops(operator, *ends):
            where = top.side(limit)
            if where is None:
                left_open = f"{CONTINUOUS_BITS[-1]} bits do not tell a ratio from the limit"
                continue
            if isinstance(claim, BoundClaim):
                fails = where > 0 or (where == 0 and claim.relation == "<")
            else:
                # Whether a property's own end belongs to it is not known here: no breach is seen.
                at_limit = where == 0 and operator.intervals is not None
                left_open = "a property at the very limit" if at_limit else left_open
                fails = where > 0 or (where == 0 and top.reached and not at_limit)
            if fails:
                broken.append((way, side, top, ends, where))
    need(broken or not left_open, left_open)
    if witness is not None:
        replay_extreme(operator, claim, limit, witness, broken)
    return bool(broken)


def replay_extreme(
    operator: Additive, claim: Claim, limit: Any, witness: Any, broken: list[Any]
) -> None:
    """Two inputs, and outputs that tell them apart as far as the claim forbids."""
    breach = isinstance(claim, BreachClaim)
    fields = Fields(witness, "witness", "side likely unlikely at z" + " direction" * breach)
    side, at = fields.text("side"), fields.text("at")
    if isinstance(claim, BreachClaim):
        need(fields.text("direction") in claim.directions, "witness: not this direction")
    found = [
        case for case in broken if case[1] == side and case[0] in ("", witness.get("direction", ""))
    ]
    need(found, "witness: this end of the outputs breaks nothing")
    _, _, top, (inside, outside), where = found[0]
    x1, x2 = read_rational(witness["likely"]), read_rational(witness["unlikely"])
    ends = (inside[1], outside[0]) if side == "top" else (inside[0], outside[1])
    need((x1, x2) == ends, "witness: not the inputs that are told apart most")
    shown, sign = (operator, 1) if side == "top" else (operator.mirrored(), -1)
    if at == "limit":
        need(where == 0 and not top.reached and not breach, "witness: outputs can be named")
        need(witness["z"] is None, "witness: an output too many")
        return
    z = sign * read_rational(witness["z"])
    if at == "atom":
        need(z == top.atom, "witness: another output is told apart most, or none")
        return  # the atom's ratio is the extreme itself
    need(at == "from", "witness: unknown sort of outputs")
    a, b = sign * x1, sign * x2
    most = shown.noise.support[1]
    beyond = (most is None or z < a + most) and (shown.window is None or z < shown.window[2])
    need(beyond, "witness: no outputs lie beyond")
    need(ratio_reaches(shown, z, a, b, limit), "witness: the ratio there is too small")


def ratio_reaches(operator: Additive, z: Fraction, x1: Fraction, x2: Fraction, limit: Any) -> bool:
    """Whether p(z|x1) >= limit p(z|x2), p(z|x1) > 0: then so for all outputs further up."""
    noise, window = operator.noise, None if operator.clamped else operator.window
    if noise.exact:
        over, under = noise.in_proportion(z - x1, z - x2)
        if window is not None:
            _, lo, hi = window
            shares = [noise.below(hi - x) - noise.below(lo - x) for x in (x1, x2)]
            over, under = over * shares[1], under * shares[0]
        return bool(over > 0 and over >= limit * under)
    gain = noise.log_ratio(z - x1, z - x2)
    for bits in CONTINUOUS_BITS:
        factor, share = exp_span(gain, bits)[0], ONE
        if window is not None:
            _, lo, hi = window
            kept = (noise.between(lo - x, hi - x, bits) for x in (x2, x1))
            try:
                share = quotient_span(*kept)[0]
            except TooFewBits:
                continue
        most = limit.between(bits)[1] if type(limit) is Exponential else limit
        if factor * share >= most:
            return True
    return False


class ByExtremes(Evidence):
    """Nothing but the operator."""

    kind, of = "extremes", ("additive",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """All priors; or every property, as without a breach under any prior there is none."""
        return isinstance(claim, BoundClaim) or claim.prior is None or claim.about is None

    def decide(self, certificate: Certificate) -> Decision:
        """Of the extreme inputs; what it shows of a breach is not shown under a density."""
        need_no_more(certificate)
        operator, witness = certificate.subject.operator, certificate.witness
        need(operator.density is None or witness is None, "a breach, but not under the density")
        return Decision(extremes_decide(operator, certificate.claim, witness))
