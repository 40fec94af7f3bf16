"""Bounds on the amplification as SMT-LIB 2 questions: two inputs, one of them too likely.

Numbers with e^q are rounded, which settles almost all pairs; those that it leaves open (epsilon is
often exactly at its bound) are asked about by themselves, as polynomials that cancel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ppdm_formal.certify.finding import BoundWitness
from ppdm_formal.certify.one_sided import AS_THEY_ARE, NotAsked, Rounding
from ppdm_formal.certify.smt import real
from ppdm_formal.certify.smt_powers import Powers
from ppdm_formal.numbers.exponential import ExpNumber, Real
from ppdm_formal.operator.view import View

MAX_OPEN = 64
"""More pairs that rounding leaves open are not asked about."""

Pair = tuple[Real, Real]
"""A likelihood, and the limit times another."""


def text_of(conditions: Sequence[str], declarations: Sequence[str] = ()) -> str:
    """The question whether conditions can hold together."""
    lines = ["(set-logic QF_NRA)", *declarations]
    lines += [f"(assert {condition})" for condition in conditions]
    return "\n".join([*lines, "(check-sat)"]) + "\n"


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

    def text(self, rounding: Rounding = AS_THEY_ARE, without: Sequence[Pair] = ()) -> str:
        """The question in rationals, without some pairs: s1 is the limit times the other one."""
        scaled = [self._scaled(value) for value in self.likelihoods]
        either = [
            f"(or {' '.join(f'(= {name} {real(v)})' for v in dict.fromkeys(values))})"
            for name, values in (
                ("s0", map(rounding.over, self.likelihoods)),
                ("s1", map(rounding.under, scaled)),
            )
        ]
        left_out = [
            f"(not (and (= s0 {real(rounding.over(one))}) (= s1 {real(rounding.under(two))})))"
            for one, two in without
        ]
        declared = ["(declare-const s0 Real)", "(declare-const s1 Real)"]
        return text_of([*either, "(> s0 0.0)", f"({self.breaks} s0 s1)", *left_out], declared)

    def keeping(self, digits: int) -> Iterator[list[str]]:
        """No pair breaks the bound with help, but for some; and none of these for any e."""
        rounding = Rounding(True, digits)
        pairs = self._open(rounding)
        found = [self.text(rounding, pairs)]
        if pairs:
            powers = Powers([number for pair in pairs for number in pair], digits)
            broken = " ".join(f"(and {' '.join(self._broken(pair, powers))})" for pair in pairs)
            found.append(text_of([f"(or false {broken})"], powers.declared))
        yield found

    def breaking(self, digits: int) -> Iterator[tuple[str, bool]]:
        """Some pair breaks the bound in spite of hindrance; the case does for all e."""
        yield self.text(Rounding(False, digits)), True
        case = self.case
        if case is not None and case.likely is not None and case.unlikely is not None:
            one, two = (self.view.classes[k].likelihood for k in (case.likely, case.unlikely))
            pair = one, self._scaled(two)
            powers = Powers(pair, digits)
            denied = f"(not (and {' '.join(self._broken(pair, powers))}))"
            yield text_of([denied], powers.declared), False

    def _scaled(self, likelihood: Any) -> Real:
        scaled: Real = likelihood * self.limit
        return scaled

    def _open(self, rounding: Rounding) -> list[Pair]:
        """The pairs that break the bound with help."""
        likely = [(rounding.over(v), v) for v in self.likelihoods]
        scaled = [self._scaled(v) for v in self.likelihoods]
        unlikely = sorted(((rounding.under(v), v) for v in scaled), key=lambda pair: pair[0])
        found: list[Pair] = []
        for one, value in likely:
            for two, other in unlikely:
                if not (one > 0 and self._breaks(one, two)):
                    break
                found.append((value, other))
                if len(found) > MAX_OPEN:
                    raise NotAsked(f"more than {MAX_OPEN} pairs are too close to the limit")
        return found

    def _breaks(self, one: Fraction, two: Fraction) -> bool:
        return one > two or (one == two and self.breaks == ">=")

    def _broken(self, pair: Pair, powers: Powers) -> list[str]:
        likely, unlikely = map(powers.text, pair)
        return [f"(> {likely} 0.0)", f"({self.breaks} {likely} {unlikely})"]
