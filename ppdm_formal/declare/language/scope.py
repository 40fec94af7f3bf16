"""Scope: what the names of a model mean, and how values of the language combine.

Numbers are exact; a comparison with a free parameter is decided for the parameter's whole
range, or refused.
"""

from __future__ import annotations

import difflib
import operator as python_operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppdm_formal.declare.arithmetic.constant_symbol import constants
from ppdm_formal.declare.arithmetic.exact import (
    Exact,
    computed,
    is_number,
    is_rational,
    is_symbolic,
    simplify,
)
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Ln, TooManyPowers
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.signs import possible_signs
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.language.columns import plain
from ppdm_formal.declare.language.errors import ModelError, Place, shortened
from ppdm_formal.declare.language.exponentials import LN_PLACES, log_arithmetic
from ppdm_formal.declare.language.finite_set import FiniteSet
from ppdm_formal.declare.language.form_size import MAX_DEGREE, too_large
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.reals import Reals

if TYPE_CHECKING:
    from ppdm_formal.declare.language.hierarchy import Hierarchy

MAX_EXPONENT = 10_000
MAX_BITS = 400_000
"""Numbers longer than this are refused, before they are computed."""

FUNCTIONS = frozenset({"abs", "min", "max", "sum", "xor", "bit", "comb", "size", "exp", "ln"})
DISTRIBUTIONS = frozenset({"uniform", "bernoulli", "binomial"})


@dataclass
class Scope:
    """The declarations seen so far."""

    domains: dict[str, FiniteSet] = field(default_factory=dict)
    reals: dict[str, Reals] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    steps: dict[str, Fraction] = field(default_factory=dict)
    operators: dict[str, Operator] = field(default_factory=dict)
    continuous: dict[str, ContinuousOperator] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)
    bare_labels: set[str] = field(default_factory=set)
    folder: Path | None = None
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    """The digests of the files that were read from the model's folder."""

    def meaning(self, name: str) -> str | None:
        """What else a name already stands for."""
        if name in self.domains or name in self.reals:
            return "a domain"
        if name in self.values:
            return "a parameter"
        if name in self.operators or name in self.continuous:
            return "an operator"
        return None

    def check_new(self, name: str, at: Place) -> None:
        """Refuse a name for something new that already stands for something else."""
        meaning = self.meaning(name)
        if meaning is not None:
            raise ModelError(f"{name} is already {meaning}", at, "choose another name")
        if name in self.bare_labels:
            raise ModelError(
                f"{name} is also a label", at, f'choose another name, or quote the label: "{name}"'
            )

    def nearest(self, name: str, others: Iterable[str] = ()) -> str:
        """A hint for a misspelt name."""
        known = {*others, *self.values, *self.domains, *self.labels, *self.operators}
        close = difflib.get_close_matches(name, known | FUNCTIONS | DISTRIBUTIONS, n=1)
        return f"did you mean {close[0]}?" if close else ""

    def free(self) -> list[Parameter]:
        """The parameters that have no value."""
        return list(self.parameters.values())

    def number(self, value: Any, at: Place) -> Exact:
        """The value as an exact number, or an error that says what it is."""
        if type(value) is int:
            return Fraction(value)
        if is_number(value) or is_form(value):
            return value
        hint = LN_PLACES if isinstance(value, Ln) else ""
        if isinstance(value, str):
            hint = "labels have no order and no arithmetic"
        elif isinstance(value, frozenset):
            hint = "in a product of sets, ranges need parentheses: (1..6) * (1..6)"
        raise ModelError(f"expected a number, found {describe(value)}", at, hint)

    def integer(self, value: Any, at: Place) -> int:
        """The value as an integer."""
        if type(value) is int:
            return value
        raise ModelError(f"expected an integer, found {describe(value)}", at)

    def arithmetic(self, operation: str, at: Place) -> Callable[[Any, Any], Any]:
        """+ - * / // mod on two values."""

        def compute(first: Any, second: Any) -> Any:
            if isinstance(first, Ln) or isinstance(second, Ln):
                return log_arithmetic(operation, first, second, at)
            a, b = self.number(first, at), self.number(second, at)
            if operation in ("//", "mod"):
                return self._whole_division(operation, a, b, at)
            if operation == "/" and b == 0:
                raise ModelError("division by zero", at)
            self.check_form(operation, a, b, at)
            return _checked(lambda: computed(a, operation, b), at)

        return compute

    def _whole_division(self, operation: str, a: Exact, b: Exact, at: Place) -> int | Fraction:
        if is_symbolic(a) or is_symbolic(b):
            raise ModelError(
                f"{operation} of a free parameter", at, "give it a value: --set NAME=VALUE"
            )
        if not (is_rational(a) and is_rational(b)):
            raise ModelError(f"{operation} of an exponential", at)
        if b == 0:
            raise ModelError("division by zero", at)
        if operation == "mod":
            if b < 0:
                raise ModelError(f"mod {shortened(b)}: expected a positive number", at)
            remainder = a % b
            return int(remainder) if remainder.denominator == 1 else remainder
        return a // b

    def power(self, at: Place) -> Callable[[Any, Any], Any]:
        """Power with an integer exponent."""

        def compute(first: Any, second: Any) -> Any:
            base, exponent = self.number(first, at), second
            if type(exponent) is not int:
                raise ModelError(f"an exponent must be an integer, not {describe(exponent)}", at)
            if abs(exponent) > MAX_EXPONENT:
                raise ModelError(
                    f"an exponent of {shortened(exponent)}; at most {MAX_EXPONENT:,}", at
                )
            if is_rational(base):
                bits = max(base.numerator.bit_length(), base.denominator.bit_length())
                if bits * abs(exponent) > MAX_BITS:
                    raise ModelError("a number too large to be computed", at)
                if base == 0 and exponent < 0:
                    raise ModelError("division by zero", at)
            self.check_form("^", base, Fraction(exponent), at)
            return _checked(lambda: simplify(base**exponent), at)

        return compute

    def check_form(self, operation: str, first: Exact, second: Exact, at: Place) -> None:
        """Refuse a closed form that would be too large, before it is computed."""
        if too_large(operation, first, second):
            raise ModelError(
                f"a closed form above degree {MAX_DEGREE}, or with too many terms",
                at,
                "give a parameter a value: --set NAME=VALUE",
            )

    def decide(self, test: Callable[[int], bool], first: Any, second: Any, at: Place) -> bool:
        """Whether test(sign of first - second) holds, the same for all values of parameters."""
        difference = self._difference(first, second, at)
        answers = {test(sign) for sign in self._signs(difference)}
        if len(answers) == 1:
            return answers.pop()
        raise _undecided(difference, at, self.free())

    def extreme(self, wanted: int, first: Any, second: Any, at: Place) -> Any:
        """The smaller (wanted = -1) or larger (wanted = 1) of two numbers."""
        difference = self._difference(first, second, at)
        signs = self._signs(difference)
        if -wanted not in signs:
            return first
        if wanted not in signs:
            return second
        raise _undecided(difference, at, self.free())

    def _difference(self, first: Any, second: Any, at: Place) -> Exact:
        return _without_constants(
            computed(self.number(first, at), "-", self.number(second, at)), at
        )

    def _signs(self, value: Exact) -> set[int]:
        if is_symbolic(value):
            return possible_signs(value, self.free())
        return {(value > 0) - (value < 0)}

    def equal(self, first: Any, second: Any, at: Place) -> bool:
        """Whether two values are the same; labels and numbers never are."""
        if is_form(first) or is_form(second):
            if _is_number(first) and _is_number(second):
                return self.decide(lambda sign: sign == 0, first, second, at)
            return False
        return (type(first) is bool) == (type(second) is bool) and bool(first == second)

    def compare(self, operation: str, at: Place) -> Callable[[Any, Any], bool]:
        """== != < <= > >= on two values."""
        if operation == "==":
            return lambda a, b: self.equal(a, b, at)
        if operation == "!=":
            return lambda a, b: not self.equal(a, b, at)
        test = _ORDERS[operation]
        return lambda a, b: self.decide(lambda sign: test(sign, 0), a, b, at)


_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "<": python_operator.lt,
    "<=": python_operator.le,
    ">": python_operator.gt,
    ">=": python_operator.ge,
}


def is_form(value: Any) -> bool:
    """A closed form in parameters."""
    return hasattr(value, "free_symbols")


def _is_number(value: Any) -> bool:
    return type(value) is int or is_number(value) or is_form(value)


def _checked(compute: Callable[[], Exact], at: Place) -> Any:
    try:
        value = compute()
        if is_symbolic(value):
            return _without_constants(plain(value), at)
    except TooManyPowers as problem:
        raise ModelError(str(problem), at) from None
    if number_bits(value) > MAX_BITS:
        raise ModelError("a number too large to be computed", at)
    return plain(value)


def _without_constants(form: Any, at: Place) -> Any:
    """Refuse exponentials beside free parameters: their regions are not found."""
    if is_form(form) and constants(form):
        raise ModelError(
            f"{number_text(form)[:80]} has exponentials beside a free parameter",
            at,
            "give the parameter a value: --set NAME=VALUE",
        )
    return form


def number_bits(value: Exact) -> int:
    """How many bits a number has, about."""
    if isinstance(value, ExpNumber):
        return value.bits
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _undecided(difference: Any, at: Place, free: Iterable[Parameter]) -> ModelError:
    told = {parameter.name: parameter.told.name for parameter in free}
    names = sorted({told.get(symbol.name, symbol.name) for symbol in difference.free_symbols})
    return ModelError(
        f"a condition that depends on the free parameter {', '.join(names)}",
        at,
        f"give it a value (--set {names[0]}=VALUE), or a range in which the condition"
        " does not change",
    )


def describe(value: Any) -> str:
    """A value in an error message."""
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, (int, Fraction)):
        return shortened(value)
    if is_form(value) or isinstance(value, ExpNumber):
        return number_text(value)[:80]
    if isinstance(value, Ln):
        return str(value)[:80]
    if isinstance(value, str):
        return f"the label {value[:60]}"
    if isinstance(value, FiniteSet):
        return "a set"
    if isinstance(value, frozenset) and len(value) > 20:
        return f"a set of {len(value):,} members"
    if isinstance(value, tuple):
        return f"({', '.join(map(describe_part, value[:20]))}{', ...' if len(value) > 20 else ''})"
    return show_value(value)[:80]


def describe_part(value: Any) -> str:
    """A value inside another one, or after a word that says what it is."""
    return value[:60] if isinstance(value, str) else describe(value)
