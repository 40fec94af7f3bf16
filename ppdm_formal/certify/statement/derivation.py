"""Derivations: a lemma's conclusion as a sum of products of its hypotheses, re-checked exactly.

A hypothesis a <= b says that b - a is not negative, and so are products of such differences,
squares, and sums of these with positive coefficients. Where the conclusion's own difference is
such a sum, identically in all variables, the lemma is proved, and no solver must be trusted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ppdm_formal.certify.statement.lemma import Lemma
from ppdm_formal.certify.statement.outcome import EXACT, Outcome
from ppdm_formal.certify.statement.term import RealFormula, Term, term

Polynomial: TypeAlias = dict[tuple[tuple[str, int], ...], Fraction]
"""Coefficients by monomials, each a tuple of (variable, exponent) in the order of names."""


@dataclass(frozen=True)
class DerivationStep:
    """coefficient * product of the hypotheses with these numbers * squares * factor.

    The factor may be any term, but only where one of the hypotheses is an equation.
    """

    hypotheses: tuple[int, ...] = ()
    coefficient: Fraction | int = 1
    squares: tuple[Term, ...] = ()
    factor: Term | None = None


def derive(derivations: Mapping[Lemma, Sequence[DerivationStep]], scope: str = "") -> Outcome:
    """Proved if every lemma is the sum of its steps; unknown where one is not.

    >>> from ppdm_formal.certify.statement.term import reals
    >>> x, y = reals("x y")
    >>> product = Lemma("product", (x >= 1, y >= 1), x * y >= 1)
    >>> steps = [DerivationStep((0, 1)), DerivationStep((0,)), DerivationStep((1,))]
    >>> derive({product: steps}).kind
    'proved'
    >>> derive({product: steps[:1]}).kind
    'unknown'
    """
    for lemma, steps in derivations.items():
        wrong = _wrong(lemma, steps)
        if wrong:
            return Outcome("unknown", f"{lemma.name}: {wrong}")
    names = ", ".join(lemma.name for lemma in derivations)
    return Outcome("proved", names, scope, ("exact certificate",), trust=EXACT)


def _wrong(lemma: Lemma, steps: Sequence[DerivationStep]) -> str:
    """What keeps the steps from being a proof; nothing where they are one."""
    if lemma.conclusion.sign not in ("<", "<=", "="):
        return "only a comparison can be derived"
    if lemma.conclusion.sign == "<" and not any(_strict(lemma, step) for step in steps):
        return "no step is above zero, and the conclusion is strict"
    total: Polynomial = {}
    for step in steps:
        chosen = [lemma.hypotheses[number] for number in step.hypotheses]
        if any(one.sign not in ("<", "<=", "=") for one in chosen):
            return "a step uses a hypothesis that is no comparison"
        equation = any(one.sign == "=" for one in chosen)
        if step.factor is not None and not equation:
            return "a factor of unknown sign needs an equation"
        if lemma.conclusion.sign == "=" and not equation:
            return "an equation follows from equations alone"
        if step.coefficient < 0 and not equation:
            return "a coefficient is negative"
        part = polynomial(term(Fraction(step.coefficient)))
        for one in chosen:
            part = _product(part, difference(one))
        for square in step.squares:
            part = _product(part, polynomial(square * square))
        if step.factor is not None:
            part = _product(part, polynomial(step.factor))
        total = _sum(total, part)
    rest = _sum(difference(lemma.conclusion), total, -1)
    return "the steps do not add up to the conclusion" if rest else ""


def _strict(lemma: Lemma, step: DerivationStep) -> bool:
    """Whether a step is surely above zero."""
    signs = {lemma.hypotheses[number].sign for number in step.hypotheses}
    return step.coefficient > 0 and not step.squares and step.factor is None and signs <= {"<"}


def difference(formula: RealFormula) -> Polynomial:
    """B - a of a comparison a <= b, a < b or a = b, multiplied out."""
    left, right = formula.parts
    assert isinstance(left, Term)
    assert isinstance(right, Term)
    return polynomial(right - left)


def polynomial(of: Term) -> Polynomial:
    """A term multiplied out, without monomials whose coefficient is 0."""
    if of.sign == "variable":
        return {((of.name, 1),): Fraction(1)}
    if of.sign == "constant":
        return {(): of.value} if of.value else {}
    left, right = (polynomial(part) for part in of.parts)
    if of.sign == "*":
        return _product(left, right)
    return _sum(left, right, 1 if of.sign == "+" else -1)


def _sum(left: Polynomial, right: Polynomial, sign: int = 1) -> Polynomial:
    found = dict(left)
    for monomial, coefficient in right.items():
        found[monomial] = found.get(monomial, Fraction(0)) + sign * coefficient
    return {monomial: coefficient for monomial, coefficient in found.items() if coefficient}


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for one, first in left.items():
        for other, second in right.items():
            powers = dict(one)
            for name, exponent in other:
                powers[name] = powers.get(name, 0) + exponent
            monomial = tuple(sorted(powers.items()))
            found[monomial] = found.get(monomial, Fraction(0)) + first * second
    return {monomial: coefficient for monomial, coefficient in found.items() if coefficient}
