"""Theorems over the reals: a region of one parameter, and numbers with exponentials; all priors.

On each piece of an interval one class of a view is the most and one the least likely, which
Bernstein coefficients show, and so is what decides the claim. A number e^q is enclosed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.theorem.enclosed import enclosures
from ppdm_formal.certify.theorem.forms import (
    ClassForm,
    Piece,
    Poly,
    difference,
    in_powers,
    of_exponentials,
    of_parameter,
    value,
)
from ppdm_formal.certify.theorem.stated import Theorem
from ppdm_formal.certify.theorem.term import (
    App,
    Given,
    In,
    NotCovered,
    Pair,
    in_coq,
    rational,
    whole,
)
from ppdm_formal.checker.claim import BoundClaim, BreachClaim
from ppdm_formal.checker.closed_form import Quotient
from ppdm_formal.checker.conditions import read_forms
from ppdm_formal.checker.exponential import UNIT, Exponential, T, common_step
from ppdm_formal.checker.interval import is_rational, outer, read_end, read_region
from ppdm_formal.checker.region import dense
from ppdm_formal.checker.view import View, read_described

MAX_SPLITS = 12
MAX_WORK = 5_000_000  # classes times the square of the degree

Views = tuple[tuple[ClassForm, ...], ...]
Evidence = Any
Prove = Callable[[Piece], Evidence | None]


@dataclass(frozen=True)
class StatedInterval:
    """An interval on which one thing is said: its pieces, with the evidence of each."""

    whole: Piece
    pieces: tuple[Piece, ...]
    evidence: tuple[Evidence, ...]

    @property
    def scale(self) -> int:
        """The common denominator of the cuts."""
        ends = (self.whole.low, *(piece.high for piece in self.pieces))
        return math.lcm(*(end.denominator for end in ends))

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Flags of the ends, the denominator, the cuts, the evidence."""
        ends = (self.whole.low, *(piece.high for piece in self.pieces))
        cuts = In("Z", tuple(whole(int(end * self.scale)) for end in ends))
        scale = In("Z", whole(self.scale))
        return self.whole.low_in, self.whole.high_in, scale, cuts, self.evidence


def region(document: Any, claim: BreachClaim | BoundClaim) -> Theorem:
    """Where the claim holds, and where it fails."""
    described = read_described(document["operator"])
    if len(described.parameters) > 1 or "cuts" not in document["evidence"]:
        raise NotCovered("several free parameters, or a region by a solver's word")
    _only_all_priors(claim)
    ((name, declared),) = described.parameters.items()
    interval = described.raw["parameters"][0]["interval"]
    found = read_region(document["region"], name, declared, interval)
    cuts = [read_end(raw) for raw in document["evidence"]["cuts"]]
    ends = [
        declared.low,
        declared.high,
        *(e for part in found.holds for e in (part.low, part.high)),
    ]
    # Of a parameter e^(step eps) the theorem speaks of a little more than what is declared.
    around = outer(declared)
    at = {declared.low: around.low.low, declared.high: around.high.low}
    at |= {e: e.low for e in ends if is_rational([e.low]) and not e.polynomial}
    if not all(end in at for end in ends):
        raise NotCovered("regions with irrational ends")
    limits = [claim.limit] if isinstance(claim, BoundClaim) else [claim.rho1, claim.rho2]
    if not is_rational(limits):
        raise NotCovered("free parameters with bounds that are no rational numbers")
    sample = (around.low.low + around.high.low) / 2
    closed = read_forms(described, claim)
    sizes = [len(q) for view in closed for part in view for q in _sides(part.likelihood)]
    _bearable(len(sizes), max(sizes))
    views = tuple(of_parameter(view, sample) for view in closed)
    safe = [Piece(at[p.low], p.low_in, at[p.high], p.high_in) for p in found.holds]
    all_of = Piece(around.low.low, declared.low_in, around.high.low, declared.high_in)
    rational_cuts = [cut.low for cut in cuts if not cut.polynomial and is_rational([cut.low])]
    given, rule = _views(views), _rule(views, claim, 1)
    said, checks, proofs = [], [], []
    for piece, holds in _in_order(all_of, safe):
        prove = rule.safe if holds else rule.broken
        if prove is None:
            raise NotCovered("bounds that fail for some values of a free parameter")
        part = _part(piece, rational_cuts, prove)
        check, sound, statement = rule.stated(holds, given, part)
        bounds = (
            f"{_real(piece.low)} {'<=' if piece.low_in else '<'} t "
            f"{'<=' if piece.high_in else '<'} {_real(piece.high)}"
        )
        said.append(f"(forall t : R, {bounds} -> {statement.format(t='t')})")
        checks.append(check)
        unfold = "cbv [between first_cut last_cut hd last]"
        proofs.append(f"intros t T; refine ({sound} {{}} t _); {unfold}; split; lra")
    return Theorem(
        "Regions", (given,), tuple(checks), " /\\\n  ".join(said), _conjoined(proofs), True
    )


def exponentials(claim: BreachClaim | BoundClaim, views: Sequence[View], holds: bool) -> Theorem:
    """A claim about numbers in e^q."""
    _only_all_priors(claim)
    numbers: list[Any] = [part.likelihood for view in views for part in view.classes]
    numbers += [claim.limit] if isinstance(claim, BoundClaim) else []
    step = _step(numbers)
    held = [number for number in numbers if isinstance(number, Exponential)]
    powers = ((x.top[-1][0] + x.bottom[-1][0] + 2) * (x.step / step) for x in held)
    _bearable(len(numbers), int(max(powers)))
    forms = tuple(of_exponentials(view, step) for view in views)
    n, d = step.numerator, step.denominator
    given, rule = _views(forms), _rule(forms, claim, step)
    prove = rule.safe if holds else rule.broken
    if prove is None:
        raise NotCovered("bounds that fail, on numbers with exponentials")
    part = next((part for part in _around(step, prove)), None)
    if part is None:
        raise NotCovered("numbers with exponentials that decide by a hair")
    check, sound, statement = rule.stated(holds, given, part)
    cuts = [whole(int(end * part.scale)) for end in (part.whole.low, part.whole.high)]
    numbers_of_e = tuple(In("Z", x) for x in (n, d, *cuts, part.scale))
    enclosed = App("check_exp", numbers_of_e)
    sound_e = f"exp_sound {' '.join(in_coq(x) for x in numbers_of_e)} {{0}}"
    proof = f"exact ({sound} {{1}} _ ({sound_e}))"
    return Theorem(
        "Regions",
        (given,),
        (enclosed, check),
        statement.format(t=f"(exp ({n}/{d}))"),
        _named(proof, 2),
        True,
    )


def _sides(number: Quotient) -> tuple[list[Fraction], list[Fraction]]:
    return dense(number.top), dense(number.bottom)


def _bearable(classes: int, degree: int) -> None:
    if classes * degree * degree > MAX_WORK:
        raise NotCovered("polynomials that are too large")


# What decides


@dataclass(frozen=True)
class PieceRule:
    """How a claim is shown to hold on a piece, how to fail, and what is then stated."""

    safe: Prove
    broken: Prove | None
    stated: Callable[[bool, Given, StatedInterval], tuple[App, str, str]]


def _rule(views: Views, claim: BreachClaim | BoundClaim, step: Any) -> PieceRule:
    return _breaches(views, claim) if isinstance(claim, BreachClaim) else _bound(views, claim, step)


def _extremes(view: Sequence[ClassForm], piece: Piece) -> tuple[int, int] | None:
    """The most and the least likely class, if the coefficients show that they are."""
    values = [value(part.top, piece.middle) for part in view]
    most, least = values.index(max(values)), values.index(min(values))
    shown = piece.nonneg(view[least].top) and all(
        piece.nonneg(difference(1, view[most].top, 1, part.top))
        and piece.nonneg(difference(1, part.top, 1, view[least].top))
        for part in view
    )
    return (most, least) if shown else None


def _for_each_view(views: Views, piece: Piece, holds: Callable[[Poly, Poly], bool]) -> Evidence:
    found = []
    for view in views:
        places = _extremes(view, piece)
        if places is None or not holds(view[places[0]].top, view[places[1]].top):
            return None
        found.append(_pair(*places))
    return tuple(found)


def _pair(one: Any, two: Any) -> Pair:
    return Pair(*(In("nat", x) if isinstance(x, int) else x for x in (one, two)))


def _breaches(views: Views, claim: BreachClaim) -> PieceRule:
    rho1, rho2 = rational(claim.rho1), rational(claim.rho2)
    a, b, c, d = rho1.numerator, rho1.denominator, rho2.numerator, rho2.denominator
    more, less = a * (d - c), c * (b - a)
    rhos = App("Rhos", tuple(In("Z", whole(x)) for x in (a, b, c, d)))

    def safe(piece: Piece) -> Evidence:
        return _for_each_view(
            views, piece, lambda most, least: piece.positive(difference(less, least, more, most))
        )

    def broken(piece: Piece) -> Evidence:
        for q, view in enumerate(views):
            values = [value(part.top, piece.middle) for part in view]
            i, j = values.index(max(values)), values.index(min(values))
            if (
                i != j
                and all(piece.nonneg(part.top) for part in view)
                and piece.positive(view[i].top)
                and piece.nonneg(difference(more, view[i].top, less, view[j].top))
            ):
                return _pair(q, _pair(i, j))
        return None

    def stated(holds: bool, given: Given, part: StatedInterval) -> tuple[App, str, str]:
        name = "safe" if holds else "broken"
        check = App(f"check_{name}", (given, rhos, *part.arguments))
        sound = " ".join([f"{name}_sound", *(in_coq(x) for x in check.arguments)])
        return check, sound, f"{name}_at {{t}} views {_real(rho1)} {_real(rho2)}"

    return PieceRule(safe, broken, stated)


def _bound(views: Views, claim: BoundClaim, step: Any) -> PieceRule:
    """At most, or below, (a/b) t^n."""
    top, bottom = in_powers(claim.limit, step)
    if len(bottom) > 1 or any(top[:-1]):
        raise NotCovered("bounds that are no power of e")
    a, b, n, strict = top[-1], bottom[0], len(top) - 1, claim.relation == "<"

    def room(most: Poly, least: Poly) -> Poly:
        return difference(a, (*(0,) * n, *least), b, most)

    def safe(piece: Piece) -> Evidence:
        kept = piece.positive if strict else piece.nonneg
        return _for_each_view(
            views,
            piece,
            lambda most, least: piece.positive(least) and kept(room(most, least)),
        )

    def stated(holds: bool, given: Given, part: StatedInterval) -> tuple[App, str, str]:
        numbers = (In("Z", whole(a)), In("Z", whole(b)), In("nat", n), strict)
        check = App("check_bounded", (given, *numbers, *part.arguments))
        sound = " ".join(["bounded_sound", *(in_coq(x) for x in check.arguments)])
        limit = f"({_real(Fraction(a, b))} * {{t}} ^ {n})"
        return check, sound, f"bounded_at {{t}} views {in_coq(strict)} {limit}"

    return PieceRule(safe, None, stated)


# Pieces


def _part(piece: Piece, cuts: Iterable[Fraction], prove: Prove) -> StatedInterval:
    """Cut an interval at cuts, and further where the coefficients do not show it yet."""
    pieces = [piece]
    for cut in sorted(cuts):
        if pieces[-1].low < cut < pieces[-1].high:
            pieces[-1:] = pieces[-1].cut(cut)
    shown = [row for each in pieces for row in _shown(each, prove, MAX_SPLITS)]
    return StatedInterval(piece, tuple(p for p, _ in shown), tuple(e for _, e in shown))


def _shown(piece: Piece, prove: Prove, splits: int) -> list[tuple[Piece, Evidence]]:
    found = prove(piece)
    if found is not None:
        return [(piece, found)]
    if splits == 0:
        raise NotCovered("polynomials whose sign takes too many cuts to show")
    return [row for half in piece.cut(piece.middle) for row in _shown(half, prove, splits - 1)]


def _in_order(all_of: Piece, safe: Sequence[Piece]) -> list[tuple[Piece, bool]]:
    """What is safe and what lies between, from left to right; single points are not covered."""
    found: list[tuple[Piece, bool]] = []
    low, low_in = all_of.low, all_of.low_in
    for piece in safe:
        found += [(Piece(low, low_in, piece.low, not piece.low_in), False), (piece, True)]
        low, low_in = piece.high, not piece.high_in
    found.append((Piece(low, low_in, all_of.high, all_of.high_in), False))
    kept = [row for row in found if row[1] or row[0].low < row[0].high]
    points = [p for p, _ in found if p.low == p.high and p.low_in and p.high_in]
    if points or any(p.low == p.high for p, _ in kept):
        raise NotCovered("regions in which a single value stands alone")
    return kept


# Exponentials


def _step(numbers: Iterable[Any]) -> Fraction:
    """T = e^step, of which all numbers are quotients of polynomials."""
    held = [number for number in numbers if isinstance(number, Exponential)]
    one = held[0]
    for other in held[1:]:
        step = common_step(one, other)[2]
        one = Exponential(T, UNIT, step)
    return one.step


def _around(step: Fraction, prove: Prove) -> Iterator[StatedInterval]:
    """Intervals around e^step, ever closer, on which it shows."""
    for low, high in enclosures(step):
        piece = Piece(low, True, high, True)
        evidence = prove(piece)
        if evidence is not None:
            yield StatedInterval(piece, (piece,), (evidence,))


# Writing


def _only_all_priors(claim: BreachClaim | BoundClaim) -> None:
    other = claim.prior is not None or claim.knowing is not None or bool(claim.properties)
    if isinstance(claim, BreachClaim):
        other = other or claim.family is not None
    elif not claim.of_ratio:
        raise NotCovered(f"bounds on {claim.measure}")
    if other:
        raise NotCovered("free parameters and exponentials but for all priors and every property")


def _views(views: Views) -> Given:
    return Given("views", "list forms", tuple(tuple(p.term for p in view) for view in views))


def _real(number: Fraction) -> str:
    exact = rational(number)
    return f"({exact.numerator}/{exact.denominator})"


def _named(proof: str, parts: int) -> str:
    """A proof that speaks of the parts of what was computed by their numbers."""
    if parts == 1:
        return proof.format("accepted")
    opened = ["pose proof accepted as H0"]
    for i in range(parts - 1, 0, -1):  # the last one is split off first
        opened.append(f"apply andb_prop in H0; destruct H0 as (H0 & H{i})")
    return "; ".join([*opened, proof.format(*(f"H{i}" for i in range(parts)))])


def _conjoined(proofs: Sequence[str]) -> str:
    """A proof of each part of a conjunction."""
    whole_proof = proofs[-1].replace("{}", f"{{{len(proofs) - 1}}}")
    for i, proof in reversed(list(enumerate(proofs[:-1]))):
        whole_proof = f"split; [{proof.replace('{}', f'{{{i}}}')}|{whole_proof}]"
    return _named(whole_proof, len(proofs))
