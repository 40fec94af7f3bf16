"""Bounds on the amplification as SMT-LIB 2 questions: two inputs, one of them too likely.

Numbers with e^q are rounded, which settles almost all pairs; those that it leaves open (epsilon is
often exactly at its bound) are asked about by themselves, as polynomials that cancel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ppdm_formal.certify.finding import BoundWitness
from ppdm_formal.certify.one_sided import AS_THEY_ARE, NotAsked, Rounding
from ppdm_formal.certify.solver.smt import real
from ppdm_formal.certify.solver.smt_powers import Powers
from ppdm_formal.certify.solver.smt_text import SmtQuestion, Symbol
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real
from ppdm_formal.declare.operators.view import View

MAX_OPEN = 64
"""More pairs that rounding leaves open are not asked about."""

Pair = tuple[Real, Real]
"""Two likelihoods."""


@dataclass(frozen=True)
class RatioQuestion:
    """Whether the view has two inputs with likelihoods s0 > 0 and l, s0 > limit l.

    breaks: > or >=. case: two that were found, if any.
    """

    view: View
    limit: Real
    breaks: str
    case: BoundWitness | None

    @cached_property
    def likelihoods(self) -> list[Real]:
        """Each once."""
        return list(dict.fromkeys(part.likelihood for part in self.view.classes))

    @property
    def rational(self) -> bool:
        """Whether there are no numbers e^q."""
        return not any(isinstance(v, ExpNumber) for v in (self.limit, *self.likelihoods))

    def block(self, rounding: Rounding = AS_THEY_ARE, without: Sequence[Pair] = ()) -> SmtQuestion:
        """The question in rationals, without some pairs."""
        either = [
            f"(or {' '.join(f'(= {name} {real(v)})' for v in dict.fromkeys(values))})"
            for name, values in (
                ("s0", map(rounding.over, self.likelihoods)),
                ("s1", map(rounding.under, self.likelihoods)),
            )
        ]
        left_out = [
            f"(not (and (= s0 {real(rounding.over(one))}) (= s1 {real(rounding.under(two))})))"
            for one, two in without
        ]
        beyond = f"({self.breaks} s0 (* {real(rounding.under(self.limit))} s1))"
        conditions = (*either, "(> s0 0.0)", beyond, *left_out)
        return SmtQuestion("QF_NRA", (Symbol("s0"), Symbol("s1")), conditions)

    def keeping(self, digits: int) -> Iterator[list[SmtQuestion]]:
        """No pair breaks the bound with help, but for some; and none of these for any e."""
        rounding = Rounding(True, digits)
        pairs = self._open(rounding)
        found = [self.block(rounding, pairs)]
        if pairs:
            found.append(self._in_powers(pairs, digits, "(or false {})"))
        yield found

    def breaking(self, digits: int) -> Iterator[tuple[SmtQuestion, bool]]:
        """Some pair breaks the bound in spite of hindrance; or one does for all e."""
        yield self.block(Rounding(False, digits)), True
        for pair in self._cases() or self._open(Rounding(True, digits)):
            yield self._in_powers([pair], digits, "(not {})"), False

    def _cases(self) -> list[Pair]:
        """The pair that was found."""
        case = self.case
        if case is None or case.likely is None or case.unlikely is None:
            return []
        likely, unlikely = (self.view.classes[k].likelihood for k in (case.likely, case.unlikely))
        return [(likely, unlikely)]

    def _open(self, rounding: Rounding) -> list[Pair]:
        """The pairs that break the bound with help."""
        limit = rounding.under(self.limit)
        likely = [(rounding.over(v), v) for v in self.likelihoods]
        unlikely = sorted(
            ((limit * rounding.under(v), v) for v in self.likelihoods), key=lambda pair: pair[0]
        )
        found: list[Pair] = []
        for one, value in likely:
            for two, other in unlikely:
                if not (one > 0 and (one > two or (one == two and self.breaks == ">="))):
                    break
                found.append((value, other))
                if len(found) > MAX_OPEN:
                    raise NotAsked(f"more than {MAX_OPEN} pairs are too close to the limit")
        return found

    def _in_powers(self, pairs: Sequence[Pair], digits: int, asked: str) -> SmtQuestion:
        """That each of these pairs breaks the bound, put into what is asked of it."""
        powers = Powers([self.limit, *(number for pair in pairs for number in pair)], digits)
        above, below = powers.quotient(self.limit)
        broken = []
        for likely, unlikely in pairs:
            (top, bottom), (other, under) = powers.quotient(likely), powers.quotient(unlikely)
            beyond = f"({self.breaks} (* {top} {under} {below}) (* {above} {other} {bottom}))"
            broken.append(f"(and (> {top} 0.0) {beyond})")
        return powers.block([asked.format(" ".join(broken))])
