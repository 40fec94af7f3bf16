"""Distributions after ~ and return, turned into pieces of probability."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import (
    ONE,
    ZERO,
    Exact,
    is_rational,
    is_symbolic,
    simplify,
)
from ppdm_formal.declare.arithmetic.signs import not_probability
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.columns import (
    Coded,
    Column,
    Const,
    Index,
    Ints,
    apply,
    apply_two,
    check_worlds,
    code_values,
    coded,
    settle,
    take,
)
from ppdm_formal.declare.language.errors import ModelError, shortened
from ppdm_formal.declare.language.evaluate import Evaluator, Worlds
from ppdm_formal.declare.language.finite_set import FiniteSet
from ppdm_formal.declare.language.for_each import halves, spread_index
from ppdm_formal.declare.language.names import is_distribution
from ppdm_formal.declare.language.pieces import (
    FlatPieces,
    Piece,
    PointPieces,
    by_element,
    expand,
    independent,
    possible,
    spread,
)
from ppdm_formal.declare.language.scope import Scope, describe, number_bits
from ppdm_formal.declare.language.varying_set import Sets, in_both, single, sizes
from ppdm_formal.declare.operators.domain import flat_tuple
from ppdm_formal.declare.operators.randomization import Operator

MAX_TRIALS = 10_000
"""Most trials of a binomial distribution."""

_MAX_BITS = 200_000_000
"""Most bits in all probabilities of a binomial distribution together."""


class Distributions:
    """Turns the expressions after ~ and return into pieces."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.scope = evaluator.scope
        self._sparse: dict[int, _SparseRows] = {}

    def pieces(self, node: s.Expr, worlds: Worlds) -> list[Piece]:
        """The distribution that an expression after ~ or return stands for, in each world."""
        if not is_distribution(node, self.scope):
            value = self.evaluator.member(node, worlds)
            return [PointPieces(np.arange(worlds.size), value, Const(ONE))]
        if isinstance(node, s.Choose):
            return self._choose(node, worlds)
        if isinstance(node, s.Conditional):
            return self._conditional(node, worlds)
        if isinstance(node, s.ForEach):
            return [self._independent(node, worlds)]
        assert isinstance(node, s.Call)
        if node.name == "uniform":
            return self._uniform(node, worlds)
        if node.name in ("bernoulli", "binomial"):
            return self._binomial(node, worlds)
        return self._operator(node, worlds)

    def probability(self, node: s.Expr, worlds: Worlds) -> Column:
        """A probability in each world, checked to be one."""

        def check(value: Any) -> Exact:
            number = self.scope.number(value, node.at)
            wrong = not_probability(number, self.scope.free())
            if wrong:
                raise ModelError(f"the probability {describe(number)} {wrong}", node.at)
            return number

        return apply(self.evaluator.value(node, worlds), worlds.size, check)

    def _arguments(self, node: s.Call, count: int, form: str) -> tuple[s.Expr, ...]:
        if len(node.arguments) != count:
            raise ModelError(f"{node.name} takes {form}", node.at)
        return node.arguments

    # -- uniform ----------------------------------------------------------------------------

    def _uniform(self, node: s.Call, worlds: Worlds) -> list[Piece]:
        (argument,) = self._arguments(node, 1, "one set: uniform(SET)")
        sets = self.evaluator.sets(argument, worlds)

        def share(size: int) -> Fraction:
            if size == 0:
                raise ModelError("uniform over an empty set", argument.at)
            return Fraction(1, size)

        return spread(sets, apply(sizes(sets, worlds.size), worlds.size, share), worlds.size)

    # -- bernoulli, binomial, choose -----------------------------------------------------------

    def _binomial(self, node: s.Call, worlds: Worlds) -> list[Piece]:
        if node.name == "bernoulli":
            (chance,) = self._arguments(node, 1, "one probability: bernoulli(PROB)")
            trials: Column = Const(1)
        else:
            count, chance = self._arguments(node, 2, "two numbers: binomial(n, PROB)")
            trials = self.evaluator.value(count, worlds)
        probability = self.probability(chance, worlds)

        def law(number: Any, p: Exact) -> tuple[Exact, ...]:
            n = self.scope.integer(number, node.at)
            if not 0 <= n <= MAX_TRIALS:
                raise ModelError(
                    f"binomial of {shortened(n)} trials; from 0 to {MAX_TRIALS:,}", node.at
                )
            self.scope.check_form("^", p, Fraction(n), node.at)
            bits = 1 if is_symbolic(p) else number_bits(p)
            if n * n * bits > _MAX_BITS:
                raise ModelError("a binomial distribution too large to be computed", node.at)
            return _binomial_law(n, p)

        laws = coded(apply_two(trials, probability, worlds.size, law), worlds.size)
        pieces: list[Piece] = []
        for code, weights in enumerate(laws.values):
            index = np.flatnonzero(laws.codes == code)
            check_worlds(index.size * len(weights))
            numbers = np.array([k for k, weight in enumerate(weights) if weight != ZERO])
            codes, values = code_values([weights[k] for k in numbers])
            weight = settle(Coded(np.tile(np.array(codes), index.size), values))
            pieces.append(
                PointPieces(
                    np.repeat(index, numbers.size), Ints(np.tile(numbers, index.size)), weight
                )
            )
        return pieces

    def _choose(self, node: s.Choose, worlds: Worlds) -> list[Piece]:
        pieces: list[Piece] = []
        size = worlds.size
        sums: Column = Const(ZERO)
        listed: list[Sets] = []
        for mass in node.masses:
            weight = self.probability(mass.probability, worlds)
            if mass.each:
                sets = self.evaluator.sets(mass.values, worlds)
            else:
                check_one_value(mass, self.scope)
                sets = single(self.evaluator.member(mass.values, worlds))
            for earlier in listed:
                self._check_once(mass, earlier, sets, size)
            listed.append(sets)
            pieces += map(possible, spread(sets, weight, size))
            count = sizes(sets, size)
            share = apply_two(weight, count, size, lambda w, n: simplify(n * w))
            sums = apply_two(sums, share, size, lambda a, b: simplify(a + b))
        for total in coded(sums, size).values:
            if total != ONE:
                raise ModelError(f"the probabilities sum to {describe(total)}, not to 1", node.at)
        return [piece for piece in pieces if piece.index.size]

    def _check_once(self, mass: s.Mass, first: Sets, second: Sets, size: int) -> None:
        """No value may be listed twice."""
        twice = in_both(first, second, size)
        if twice is not None:
            raise ModelError(
                f"{describe(twice)} is listed twice",
                mass.at,
                "use with ... else, which adds probabilities up",
            )

    # -- one side or the other; one draw for each element ---------------------------------------

    def _conditional(self, node: s.Conditional, worlds: Worlds) -> list[Piece]:
        return [
            replace(piece, index=index[piece.index])
            for side, index in self.evaluator.cases(node, worlds)
            for piece in self.pieces(side, worlds.some(index))
        ]

    def _independent(self, node: s.ForEach, worlds: Worlds) -> PointPieces:
        """The tuple of a list's elements, each drawn by itself."""
        over = spread_index(node, worlds, self.evaluator)
        drawn = by_element(expand(self.pieces(node.element, over.worlds)), over, worlds.size)
        together = halves(drawn, lambda a, b: independent(a, b, worlds.size))
        value = apply(together.value, together.index.size, flat_tuple)
        return replace(together, value=value)

    # -- operators ----------------------------------------------------------------------------

    def _operator(self, node: s.Call, worlds: Worlds) -> list[Piece]:
        (argument,) = self._arguments(node, 1, "one input")
        operator = self.scope.operators[node.name]
        if operator.within is not None:
            raise ModelError(
                f"{node.name} is known within rounding only: it can be audited, but not called",
                node.at,
                "read its file with normalize: yes to draw from it",
            )
        value = self.evaluator.member(argument, worlds)

        def locate(x: Any) -> int:
            if x not in operator.inputs:
                raise ModelError(
                    f"{describe(x)} is not an input of {node.name}",
                    argument.at,
                    f"expected one of {operator.inputs}",
                )
            return operator.inputs.index(x)

        rows = apply(value, worlds.size, locate)
        if isinstance(rows, Const):
            rows = Ints(np.full(worlds.size, rows.value, dtype=np.int64))
        assert isinstance(rows, Ints)
        if id(operator) not in self._sparse:
            self._sparse[id(operator)] = _SparseRows(operator)
        return self._sparse[id(operator)].pieces(rows.values)


def check_one_value(mass: s.Mass, scope: Scope) -> None:
    """A range or a domain without `each` was hardly meant as one value."""
    node = mass.values
    if isinstance(node, s.Range) or (isinstance(node, s.Name) and node.text in scope.domains):
        raise ModelError("a set needs `each`", mass.at, "SET : PROB each gives PROB to each member")


def _binomial_law(n: int, p: Exact) -> tuple[Exact, ...]:
    """The probabilities of 0..n successes: C(n, k) p^k (1 - p)^(n - k)."""
    if not is_rational(p):
        return tuple(simplify(comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1))
    top, bottom = p.as_integer_ratio()
    whole, rest = bottom**n, bottom - top
    powers, others = [1], [1]
    for _ in range(n):
        powers.append(powers[-1] * top)
        others.append(others[-1] * rest)
    ways = 1
    law: list[Exact] = []
    for k in range(n + 1):
        law.append(Fraction(ways * powers[k] * others[n - k], whole))
        ways = ways * (n - k) // (k + 1)
    return tuple(law)


class _SparseRows:
    """An operator's rows as a most frequent value, and the entries that differ from it."""

    def __init__(self, operator: Operator) -> None:
        coded_matrix = operator.matrix()
        self.palette = coded_matrix.palette
        codes = coded_matrix.codes
        rows = codes.shape[0]
        self.usual = np.zeros(rows, dtype=np.int64)
        starts, columns, exceptions = [0], [], []
        for row in range(rows):
            line = codes[row]
            usual = int(np.bincount(line, minlength=1).argmax())
            different = np.flatnonzero(line != usual)
            self.usual[row] = usual
            columns.append(different)
            exceptions.append(line[different].astype(np.int64))
            starts.append(starts[-1] + different.size)
        self.starts = np.array(starts)
        self.columns = np.concatenate(columns)
        self.exceptions = np.concatenate(exceptions)
        self.outputs = FiniteSet(
            operator.outputs.integers if operator.outputs.integers is not None else operator.outputs
        )

    def pieces(self, rows: Index) -> list[Piece]:
        """One flat piece of the usual values, and points that correct it."""
        usual = self.usual[rows]
        counts = self.starts[rows + 1] - self.starts[rows]
        total = int(counts.sum())
        check_worlds(total)
        pieces: list[Piece] = []
        zero = np.array([value == ZERO for value in self.palette])
        flat = np.flatnonzero(~zero[usual])
        if flat.size:
            weight = settle(Coded(usual[flat], self.palette))
            pieces.append(FlatPieces(flat, self.outputs, weight))
        if total:
            index = np.repeat(np.arange(rows.size), counts)
            offsets = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
            entries = np.repeat(self.starts[rows], counts) + offsets
            values = take(self.outputs.column(), self.columns[entries])
            weight = apply_two(
                Coded(self.exceptions[entries], self.palette),
                Coded(usual[index], self.palette),
                total,
                lambda a, b: simplify(a - b),
            )
            pieces.append(PointPieces(index, values, weight))
        return pieces
