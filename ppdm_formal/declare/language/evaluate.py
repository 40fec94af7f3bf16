"""Expressions: their values in every world at once, and the sets and truth masks they give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import is_rational, is_symbolic
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Ln, Real
from ppdm_formal.declare.arithmetic.logarithm import Exponent
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.columns import (
    Coded,
    Column,
    Const,
    Index,
    Mask,
    Truth,
    apply,
    apply_two,
    fast_integers,
    scatter,
    take,
    truth_mask,
)
from ppdm_formal.declare.language.errors import NAMED_REALS, UNNAMED_REALS, ModelError
from ppdm_formal.declare.language.exponentials import free_exponent
from ppdm_formal.declare.language.finite_set import FiniteSet
from ppdm_formal.declare.language.for_each import gathered, spread_index
from ppdm_formal.declare.language.functions import call_function
from ppdm_formal.declare.language.scope import (
    DISTRIBUTIONS,
    FUNCTIONS,
    Scope,
    describe,
    is_form,
    number_bits,
)
from ppdm_formal.declare.language.set_evaluator import SetEvaluator
from ppdm_formal.declare.language.varying_set import Sets, contains
from ppdm_formal.declare.operators.domain import flat_tuple


@dataclass(frozen=True)
class Worlds:
    """So many worlds, and the value of each variable in each of them."""

    size: int
    variables: Mapping[str, Column] = field(default_factory=dict)

    def some(self, index: Index | Mask) -> Worlds:
        """A selection of the worlds."""
        count = int(index.sum()) if index.dtype == bool else index.size
        return Worlds(count, {name: take(column, index) for name, column in self.variables.items()})


ONE_WORLD = Worlds(1)
_LONGEST_BITS = 3322  # 1,000 decimal digits


class Evaluator:
    """Evaluates expressions in a scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.set_evaluator = SetEvaluator(self)

    # -- values ---------------------------------------------------------------------------

    def value(self, node: s.Expr, worlds: Worlds) -> Column:
        """The expression's value in each world."""
        match node:
            case s.Number():
                return Const(int(node.value) if node.value.denominator == 1 else node.value)
            case s.Label():
                if node.text not in self.scope.labels:
                    raise self.unknown_label(node)
                return Const(node.text)
            case s.Name():
                return self._name(node, worlds)
            case s.Chain():
                return self._chain(node, worlds)
            case s.Power():
                base, exponent = self.value(node.base, worlds), self.value(node.exponent, worlds)
                return apply_two(base, exponent, worlds.size, self.scope.power(node.at))
            case s.Negative():
                return self._minus(self.value(node.operand, worlds), node, worlds)
            case s.Comparison() | s.Connective() | s.Not():
                return Truth(self.truth(node, worlds))
            case s.TupleOf():
                return self._tuple(node, worlds)
            case s.PartOf():
                return apply(self.value(node.whole, worlds), worlds.size, self._part(node))
            case s.Call():
                return self._call(node, worlds)
            case s.Choose():
                raise self.misplaced(node)
            case s.Conditional():
                return self._conditional(node, worlds)
            case s.ForEach() if not node.is_set:
                return self._listed(node, worlds, self.member)
            case s.Range() | s.SetOf() | s.Union() | s.Difference() | s.Subsets() | s.ForEach():
                return self.set_evaluator.set_value(node, worlds)

    def member(self, node: s.Expr, worlds: Worlds) -> Column:
        """A value that can be in a set, a tuple or a domain: no truth value, no closed form."""
        column = self.value(node, worlds)
        if isinstance(column, Truth):
            raise _not_member(True, node)
        values = [column.value] if isinstance(column, Const) else ()
        for value in column.values if isinstance(column, Coded) else values:
            if isinstance(value, bool | ExpNumber | Ln) or is_form(value):
                raise _not_member(value, node)
        return column

    def numbers(self, node: s.Expr, worlds: Worlds) -> Column:
        """A value, or a list that is taken for its numbers and may hold closed forms."""
        if isinstance(node, s.ForEach) and not node.is_set:
            return self._listed(node, worlds, self.numbers)
        return self.value(node, worlds)

    def _listed(
        self, node: s.ForEach, worlds: Worlds, evaluate: Callable[[s.Expr, Worlds], Column]
    ) -> Column:
        spread = spread_index(node, worlds, self)
        elements = gathered(evaluate(node.element, spread.worlds), spread, worlds.size)
        return apply(elements, worlds.size, flat_tuple)

    def check_index(self, node: s.ForEach, variables: Iterable[str]) -> None:
        """The index of a list or set needs a name of its own."""
        self.scope.check_new(node.index, node.at)
        if node.index in variables:
            raise ModelError(f"{node.index} already has a value", node.at, "choose another name")

    def cases(self, node: s.Conditional, worlds: Worlds) -> list[tuple[s.Expr, Index]]:
        """The two sides of a conditional with the worlds that take them, if any do."""
        mask = self.truth(node.condition, worlds)
        sides = ((node.then, np.flatnonzero(mask)), (node.otherwise, np.flatnonzero(~mask)))
        return [(side, index) for side, index in sides if index.size]

    def _conditional(self, node: s.Conditional, worlds: Worlds) -> Column:
        """Each side evaluated only in the worlds that take it."""
        sides = self.cases(node, worlds)
        return scatter([(index, self.value(side, worlds.some(index))) for side, index in sides])

    def constant(self, node: s.Expr) -> Any:
        """The value of an expression without variables."""
        return _only(self.value(node, ONE_WORLD))

    def constant_numbers(self, node: s.Expr) -> tuple[Any, ...]:
        """The values of a list without variables, or the one value of another expression."""
        found = _only(self.numbers(node, ONE_WORLD))
        return found if isinstance(found, tuple) else (found,)

    def constant_set(self, node: s.Expr) -> FiniteSet:
        """The set of an expression without variables."""
        found = _only(self.set_evaluator.listed_sets(node, ONE_WORLD))
        assert isinstance(found, FiniteSet)
        return found

    def sets(self, node: s.Expr, worlds: Worlds) -> Sets:
        """The expression's set in each world."""
        return self.set_evaluator.sets(node, worlds)

    def constant_number(self, node: s.Expr) -> Real:
        """A number of readable length, without variables or free parameters."""
        value = self.scope.number(self.constant(node), node.at)
        if is_symbolic(value):
            raise ModelError(
                f"expected a number, found {describe(value)}",
                node.at,
                "give the parameter a value: --set NAME=VALUE",
            )
        if number_bits(value) > _LONGEST_BITS:
            raise ModelError(
                f"expected a number of up to 1,000 digits, not {describe(value)}", node.at
            )
        return value

    def constant_rational(self, node: s.Expr) -> Fraction:
        """The same without exponentials."""
        value = self.constant_number(node)
        if not is_rational(value):
            raise ModelError(f"expected a rational number, found {describe(value)}", node.at)
        return value

    def constant_exponent(self, node: s.Expr) -> Exponent:
        """An epsilon of readable length: a rational, or a logarithm."""
        value = self.constant(node)
        if isinstance(value, Ln) and number_bits(value.of) <= _LONGEST_BITS:
            return value
        return self.constant_rational(node)

    def claimed_exponent(self, node: s.Expr) -> Exponent:
        """The same for a claim; or a multiple of a free parameter that is used as exp(eps)."""
        value = self.constant(node)
        if is_form(value):
            return free_exponent(value, node.at, self.scope)
        return self.constant_exponent(node)

    def constant_member(self, node: s.Expr) -> Any:
        """The value of an expression without variables, one that a domain can hold."""
        return _only(self.member(node, ONE_WORLD))

    def _name(self, node: s.Name, worlds: Worlds) -> Column:
        name = node.text
        if name in worlds.variables:
            return worlds.variables[name]
        if name in self.scope.values:
            return Const(self.scope.values[name])
        if name in self.scope.domains:
            return self.set_evaluator.set_value(node, worlds)
        if name in self.scope.labels:
            return Const(name)
        raise self.unknown(node, worlds.variables)

    def unknown(self, node: s.Name, variables: Iterable[str]) -> ModelError:
        """What is wrong with a name that stands for no value."""
        name = node.text
        if name in self.scope.operators or name in FUNCTIONS | DISTRIBUTIONS:
            return ModelError(f"{name} needs its arguments in parentheses", node.at)
        if name == "reals":
            return ModelError(UNNAMED_REALS, node.at, NAMED_REALS)
        return ModelError(f"unknown name {name}", node.at, self.scope.nearest(name, variables))

    def unknown_label(self, node: s.Label) -> ModelError:
        """A label in quotes that no set introduces."""
        hint = self.scope.nearest(node.text) or "domains and input and output sets introduce labels"
        return ModelError(f'unknown label "{node.text[:60]}"', node.at, hint)

    def misplaced(self, node: s.Call | s.Choose) -> ModelError:
        """A distribution where a value is expected."""
        what = "choose" if isinstance(node, s.Choose) else f"{node.name}(...)"
        return ModelError(f"{what} is a distribution", node.at, "it goes after ~ or return only")

    def _chain(self, node: s.Chain, worlds: Worlds) -> Column:
        result = self.value(node.first, worlds)
        for operation, at, operand in node.rest:
            other = self.value(operand, worlds)
            quick = fast_integers(operation, result, other)
            result = (
                apply_two(result, other, worlds.size, self.scope.arithmetic(operation, at))
                if quick is None
                else quick
            )
        return result

    def _tuple(self, node: s.TupleOf, worlds: Worlds) -> Column:
        result: Column = Const(())
        for part in node.parts:
            column = self.member(part, worlds)
            result = apply_two(
                result,
                column,
                worlds.size,
                lambda row, value: row + (value if isinstance(value, tuple) else (value,)),
            )
        return result

    def _part(self, node: s.PartOf) -> Any:
        def pick(value: Any) -> Any:
            if not isinstance(value, tuple):
                raise ModelError(f"{describe(value)} is not a tuple", node.at)
            if not 1 <= node.index <= len(value):
                raise ModelError(
                    f"no part .{node.index}: the tuple has {len(value)} parts, .1 to .{len(value)}",
                    node.at,
                )
            return value[node.index - 1]

        return pick

    def _call(self, node: s.Call, worlds: Worlds) -> Column:
        if node.name in FUNCTIONS:
            return call_function(node, worlds, self)
        raise self.unknown_call(node, worlds.variables)

    def unknown_call(self, node: s.Call, variables: Iterable[str]) -> ModelError:
        """What is wrong with a call that is no function."""
        if node.name in DISTRIBUTIONS or node.name in self.scope.operators:
            return self.misplaced(node)
        if node.name in self.scope.domains or node.name in variables:
            return ModelError(f"{node.name} is not a function", node.at)
        hint = self.scope.nearest(node.name) or "an operator is declared before it is called"
        return ModelError(f"unknown function {node.name}", node.at, hint)

    def _minus(self, column: Column, node: s.Expr, worlds: Worlds) -> Column:
        quick = fast_integers("-", Const(0), column)
        if quick is not None:
            return quick
        negate = self.scope.arithmetic("-", node.at)
        return apply(column, worlds.size, lambda value: negate(0, value))

    # -- truth ----------------------------------------------------------------------------

    def truth(self, node: s.Expr, worlds: Worlds) -> Mask:
        """A condition as a mask. Parts that are already settled are not evaluated further."""
        if isinstance(node, s.Not):
            return ~self.truth(node.operand, worlds)
        if isinstance(node, s.Connective):
            wanted = node.kind == "and"
            result = np.full(worlds.size, wanted, dtype=bool)
            for part in node.parts:
                undecided = np.flatnonzero(result == wanted)
                if not undecided.size:
                    break
                result[undecided] = self.truth(part, worlds.some(undecided))
            return result
        if isinstance(node, s.Comparison):
            return self._comparison(node, worlds)
        mask = truth_mask(self.value(node, worlds), worlds.size)
        if mask is None:
            raise ModelError("expected a condition that is true or false", node.at)
        return mask

    def _comparison(self, node: s.Comparison, worlds: Worlds) -> Mask:
        """Neighbours compared from left to right, in the worlds that are still undecided."""
        result = np.ones(worlds.size, dtype=bool)
        left = node.first
        for operation, at, right in node.rest:
            undecided = np.flatnonzero(result)
            if not undecided.size:
                break
            some = worlds if undecided.size == worlds.size else worlds.some(undecided)
            if operation in ("in", "not in"):
                inside = contains(self.sets(right, some), self.member(left, some), some.size)
                result[undecided] = inside if operation == "in" else ~inside
            else:
                first, second = self.value(left, some), self.value(right, some)
                found = fast_integers(operation, first, second)
                if found is None:
                    found = apply_two(first, second, some.size, self.scope.compare(operation, at))
                mask = truth_mask(found, some.size)
                assert mask is not None
                result[undecided] = mask
            left = right
        return result


def _only(column: Column) -> Any:
    """The value of a column in its only world."""
    if isinstance(column, Const):
        return column.value
    if isinstance(column, Coded):
        return column.values[int(column.codes[0])]
    found = column.values[0]
    return bool(found) if isinstance(column, Truth) else int(found)


def _not_member(value: Any, node: s.Expr) -> ModelError:
    if isinstance(value, bool):
        return ModelError(
            "a truth value cannot be returned, sent or put in a set or tuple",
            node.at,
            "use if ... else to turn it into 1 and 0, or into labels",
        )
    if not is_form(value):
        return ModelError(f"{describe(value)} cannot be a member of a set", node.at)
    return ModelError(
        f"{describe(value)} depends on a free parameter and cannot be a member of a set",
        node.at,
        "give the parameter a value: --set NAME=VALUE",
    )
