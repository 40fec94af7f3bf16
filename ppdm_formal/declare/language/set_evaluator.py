"""Sets in every world at once: ranges, listed values, unions, differences, products, subsets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.columns import (
    Coded,
    Column,
    Const,
    apply,
    apply_two,
    coded,
    scatter,
)
from ppdm_formal.declare.language.errors import ModelError, shortened
from ppdm_formal.declare.language.finite_set import (
    FiniteSet,
    SetTooLarge,
    check_size,
    integers,
    power,
    power_size,
    product,
    subsets,
    subsets_size,
)
from ppdm_formal.declare.language.for_each import gathered, spread_index
from ppdm_formal.declare.language.hierarchy import hierarchy
from ppdm_formal.declare.language.varying_set import (
    Edited,
    Sets,
    as_sets,
    check_distinct,
    combine_sets,
    written_out,
)

if TYPE_CHECKING:
    from ppdm_formal.declare.language.evaluate import Evaluator, Worlds

_FEW = 16
"""Up to so many constant elements are edits of a set rather than a set of their own."""

_REMEDY = (
    "ready-made operators, such as operator U = unary_encoding(values: 1000000, ...),"
    " have no matrix and may be far larger"
)

_MAX_SET_VALUE = 10_000
"""Largest set that is a value itself (in a variable, on a side of ==, returned)."""


class SetEvaluator:
    """Evaluates the expressions that stand for sets."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.scope = evaluator.scope

    def sets(self, node: s.Expr, worlds: Worlds) -> Sets:
        """The expression's set in each world."""
        try:
            return self._sets(node, worlds)
        except SetTooLarge as problem:
            raise ModelError(str(problem), node.at, _REMEDY) from None

    def listed_sets(self, node: s.Expr, worlds: Worlds) -> Const | Coded:
        """The same, each set with all its members."""
        try:
            return written_out(self._sets(node, worlds), worlds.size)
        except SetTooLarge as problem:
            raise ModelError(str(problem), node.at, _REMEDY) from None

    def set_value(self, node: s.Expr, worlds: Worlds) -> Column:
        """A set as a value of its own, such as the members of subsets(k of A) are."""

        def freeze(members: FiniteSet) -> frozenset[Any]:
            if len(members) > _MAX_SET_VALUE:
                raise ModelError(
                    f"a set of {len(members):,} members as a value; at most {_MAX_SET_VALUE:,}",
                    node.at,
                    "uniform(SET) draws one of its members",
                )
            return frozenset(members)

        return apply(self.listed_sets(node, worlds), worlds.size, freeze)

    def _sets(self, node: s.Expr, worlds: Worlds) -> Sets:
        match node:
            case s.Name() if node.text in self.scope.domains and node.text not in worlds.variables:
                return Const(self.scope.domains[node.text])
            case s.Range():
                return self._range(node, worlds)
            case s.SetOf():
                return self._listed(node, worlds)
            case s.Union():
                return self._fold(node, "+", worlds)
            case s.Difference():
                return self._fold(node, "-", worlds)
            case s.Chain() if all(operation == "*" for operation, _, _ in node.rest):
                return self._product(node, worlds)
            case s.Power():
                return self._power(node, worlds)
            case s.Subsets():
                return self._subsets(node, worlds)
            case s.Conditional():
                return self._conditional(node, worlds)
            case s.ForEach() if node.is_set:
                return self._for_each(node, worlds)
            case _:
                members = as_sets(self.evaluator.value(node, worlds), worlds.size)
                if members is None:
                    raise ModelError("expected a set", node.at, "such as 0..9, {a, b} or a domain")
                return members

    def _range(self, node: s.Range, worlds: Worlds) -> Const | Coded:
        def build(low: Any, high: Any) -> FiniteSet:
            first = self.scope.integer(low, node.low.at)
            return integers(first, self.scope.integer(high, node.high.at))

        low = self.evaluator.value(node.low, worlds)
        high = self.evaluator.value(node.high, worlds)
        check_distinct(low, high, worlds.size)
        found = apply_two(low, high, worlds.size, build)
        assert isinstance(found, (Const, Coded))
        return found

    def _listed(self, node: s.SetOf, worlds: Worlds) -> Sets:
        """{a, b, x}: constants as a set, what varies as edits; a range in braces is spliced."""
        constant: list[Any] = []
        edits: list[tuple[str, Column]] = []
        ranges: list[Coded] = []
        for part in node.parts:
            if isinstance(part, s.Range):
                spliced = self._range(part, worlds)
                if isinstance(spliced, Coded):
                    ranges.append(spliced)
                    continue
                if len(node.parts) == 1:
                    return spliced
                check_size(len(constant) + len(spliced.value))
                constant.extend(spliced.value)
                continue
            column = self.evaluator.member(part, worlds)
            if isinstance(column, Const):
                constant.append(column.value)
            else:
                edits.append(("+", column))
        base = FiniteSet(constant)
        result: Sets = Edited(base, tuple(edits)) if edits else Const(base)
        for spliced in ranges:
            result = combine_sets(written_out(result, worlds.size), spliced, worlds.size, _union)
        return result

    def _fold(self, node: s.Union | s.Difference, sign: str, worlds: Worlds) -> Sets:
        result = self._sets(node.parts[0], worlds)
        for part in node.parts[1:]:
            other = self._sets(part, worlds)
            if isinstance(other, Edited) and isinstance(result, (Const, Edited)) and _short(other):
                base = result.base if isinstance(result, Edited) else result.value
                edits = result.edits if isinstance(result, Edited) else ()
                columns = [*map(Const, other.base), *(column for _, column in other.edits)]
                result = Edited(base, edits + tuple((sign, column) for column in columns))
                continue
            first, second = written_out(result, worlds.size), written_out(other, worlds.size)
            change = _union if sign == "+" else _minus
            result = combine_sets(first, second, worlds.size, change)
        return result

    def _product(self, node: s.Chain, worlds: Worlds) -> Sets:
        nodes = [node.first, *(operand for _, _, operand in node.rest)]
        parts = [written_out(self._sets(part, worlds), worlds.size) for part in nodes]
        if all(isinstance(part, Const) for part in parts):
            return Const(product([part.value for part in parts if isinstance(part, Const)]))
        result = parts[0]
        for part in parts[1:]:
            result = combine_sets(
                result, part, worlds.size, lambda a, b: product([a, b]), lambda a, b: 2 * a * b
            )
        return result

    def _subsets(self, node: s.Subsets, worlds: Worlds) -> Sets:
        if node.name == "level":
            return self._level(node, worlds)
        if node.name != "subsets":
            raise ModelError(
                f"unknown form {node.name}(... of ...)",
                node.at,
                'expected subsets(k of A), or level(k of "file.csv")',
            )

        def build(of: FiniteSet, size: Any) -> FiniteSet:
            count = self.scope.integer(size, node.size.at)
            if not 0 <= count <= len(of):
                raise ModelError(
                    f"no subsets of size {shortened(count)} of a set of {len(of)}", node.size.at
                )
            return subsets(count, of)

        return self._built(node.of, node.size, build, subsets_size, worlds)

    def _level(self, node: s.Subsets, worlds: Worlds) -> Sets:
        """The k-th ancestors of a hierarchy's leaves."""
        if not isinstance(node.of, s.Label):
            raise ModelError("expected a file of parents", node.of.at, 'level(k of "file.csv")')
        tree = hierarchy(s.HierarchyFile(node.of.at, node.of.text), self.scope)

        def build(height: Any) -> FiniteSet:
            k = self.scope.integer(height, node.size.at)
            if k < 0:
                raise ModelError(
                    f"the level {shortened(k)}", node.size.at, "the leaves are level 0"
                )
            return FiniteSet(tree.level(k))

        found = apply(self.evaluator.value(node.size, worlds), worlds.size, build)
        assert isinstance(found, (Const, Coded))
        return found

    def _power(self, node: s.Power, worlds: Worlds) -> Sets:
        def build(of: FiniteSet, exponent: Any) -> FiniteSet:
            times = self.scope.integer(exponent, node.exponent.at)
            if times < 1:
                raise ModelError(
                    f"the power {shortened(times)} of a set",
                    node.exponent.at,
                    "expected an integer from 1 on",
                )
            return power(of, times)

        return self._built(node.base, node.exponent, build, power_size, worlds)

    def _built(
        self,
        base: s.Expr,
        number: s.Expr,
        build: Callable[[FiniteSet, Any], FiniteSet],
        count: Callable[[int, int], int],
        worlds: Worlds,
    ) -> Sets:
        """A set made of another and a number, once a distinct pair of them."""
        sets = written_out(self._sets(base, worlds), worlds.size)
        numbers = self.evaluator.value(number, worlds)
        if not (isinstance(sets, Const) and isinstance(numbers, Const)):
            whole = [n for n in coded(numbers, worlds.size).values if type(n) is int]
            largest = max(map(len, coded(sets, worlds.size).values))
            parts = max((count(largest, n) * max(n, 10) // 2 for n in whole), default=1)
            check_distinct(sets, numbers, worlds.size, parts)
        found = apply_two(sets, numbers, worlds.size, build)
        assert isinstance(found, (Const, Coded))
        return found

    def _conditional(self, node: s.Conditional, worlds: Worlds) -> Sets:
        found = []
        for part, index in self.evaluator.cases(node, worlds):
            some = worlds.some(index)
            found.append((index, written_out(self._sets(part, some), some.size)))
        joined = scatter(found)
        assert isinstance(joined, (Const, Coded))
        return joined

    def _for_each(self, node: s.ForEach, worlds: Worlds) -> Sets:
        spread = spread_index(node, worlds, self.evaluator)
        elements = self.evaluator.member(node.element, spread.worlds)
        found = apply(gathered(elements, spread, worlds.size), worlds.size, FiniteSet)
        assert isinstance(found, (Const, Coded))
        return found


_union: Callable[[FiniteSet, FiniteSet], FiniteSet] = FiniteSet.union
_minus: Callable[[FiniteSet, FiniteSet], FiniteSet] = FiniteSet.minus


def _short(sets: Edited) -> bool:
    """Whether a set is a few elements, listed: {x, 1}."""
    return len(sets.base) <= _FEW and all(sign == "+" for sign, _ in sets.edits)
