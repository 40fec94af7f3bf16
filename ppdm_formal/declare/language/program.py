"""Programs: run once on the vector of all inputs, into an exact coded matrix.

The worlds of a block of inputs (an input and what has been drawn so far, with the exact
probability of that) go through the statements together. What they return is added up
cell by cell over a background that flat distributions share.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, Exact, simplify
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.accumulate import sum_by_key
from ppdm_formal.declare.language.columns import (
    MAX_WORLDS,
    Column,
    Const,
    Index,
    Ints,
    TooManyWorlds,
    apply,
    apply_two,
    coded,
    join,
    take,
)
from ppdm_formal.declare.language.distributions import Distributions
from ppdm_formal.declare.language.errors import ModelError, Place
from ppdm_formal.declare.language.evaluate import Evaluator, Worlds
from ppdm_formal.declare.language.finite_set import FiniteSet
from ppdm_formal.declare.language.pieces import FlatPieces, Piece, PointPieces, expand
from ppdm_formal.declare.language.scope import describe
from ppdm_formal.declare.operators.domain import Domain, Value, show_value
from ppdm_formal.declare.operators.matrix import CodedMatrix, Palette, combine, narrow

_BLOCK_CELLS = 2_000_000
"""About how many cells of the matrix are made at a time."""


def domain_column(domain: Domain) -> Column:
    """All values of a domain, one a world."""
    whole = domain.integers
    return FiniteSet(whole if whole is not None else domain).column()


@dataclass(frozen=True)
class WorldState:
    """Worlds with the row (input) each belongs to and the probability of its draws."""

    worlds: Worlds
    rows: Index
    weight: Column

    def some(self, index: Index) -> WorldState:
        """A selection of the worlds."""
        return WorldState(self.worlds.some(index), self.rows[index], take(self.weight, index))

    def times(self, factor: Column) -> WorldState:
        """The worlds with their probability multiplied; impossible ones are left out."""
        weight = apply_two(self.weight, factor, self.worlds.size, lambda a, b: simplify(a * b))
        state = replace(self, weight=weight)
        if isinstance(weight, Const):
            return state if weight.value != ZERO else state.some(np.zeros(0, dtype=np.int64))
        source = coded(weight, self.worlds.size)
        alive = np.array([value != ZERO for value in source.values])[source.codes]
        return state if alive.all() else state.some(np.flatnonzero(alive))

    def bind(self, name: str, column: Column) -> WorldState:
        """The worlds with a variable given its value."""
        variables = {**self.worlds.variables, name: column}
        return replace(self, worlds=Worlds(self.worlds.size, variables))


@dataclass
class _Sink:
    """What a block of inputs returns: points by cell, and flat weights by row and set."""

    points: list[tuple[Index, Index, Column]] = field(default_factory=list)
    flats: dict[FiniteSet, list[tuple[Index, Column]]] = field(default_factory=dict)


class ProgramRunner:
    """Compiles one operator's statements."""

    def __init__(
        self, evaluator: Evaluator, variable: str, inputs: Domain, outputs: Domain
    ) -> None:
        self.evaluator = evaluator
        self.distributions = Distributions(evaluator)
        self.variable = variable
        self.inputs = inputs
        self.outputs = outputs
        self._masks: dict[FiniteSet, Index] = {}
        self._first_row = 0

    def run(self, program: s.Program) -> CodedMatrix:
        """The matrix, block of inputs by block."""
        column = domain_column(self.inputs)
        palette = Palette()
        codes = np.zeros((self.inputs.size, self.outputs.size), dtype=np.uint8)
        step = max(1, _BLOCK_CELLS // self.outputs.size)
        start = 0
        while start < self.inputs.size:
            rows = np.arange(start, min(start + step, self.inputs.size))
            try:
                block, values = self._block(program, rows, take(column, rows))
            except TooManyWorlds:
                if step == 1:
                    raise ModelError(
                        f"more than {MAX_WORLDS:,} combinations of random choices,"
                        " or too many different sets, for one input",
                        program.at,
                    ) from None
                step = max(1, min(step, rows.size) // 8)
                continue
            numbers = np.array([palette.code(value) for value in values])
            narrowed = narrow(numbers, len(palette.values))
            if narrowed.dtype.itemsize > codes.dtype.itemsize:
                codes = codes.astype(narrowed.dtype)
            codes[rows[0] : rows[-1] + 1] = narrowed[block]
            start += rows.size
        return CodedMatrix(codes, palette.values)

    def _block(self, program: s.Program, rows: Index, inputs: Column) -> tuple[Index, list[Exact]]:
        state = WorldState(
            Worlds(rows.size, {self.variable: inputs}),
            np.arange(rows.size),
            Const(ONE),
        )
        sink = _Sink()
        self._first_row = int(rows[0])
        left = self._run_block(program.statements, state, sink)
        assert left is None or not left.rows.size
        return self._matrix_block(sink, rows.size)

    # -- statements ---------------------------------------------------------------------------

    def _run_block(self, block: s.Block, state: WorldState, sink: _Sink) -> WorldState | None:
        """Run statements; the worlds that have not returned go on."""
        current: WorldState | None = state
        for statement in block:
            if current is None or not current.rows.size:
                return None
            current = self._run(statement, current, sink)
        return current

    def _run(self, statement: s.Statement, state: WorldState, sink: _Sink) -> WorldState | None:
        match statement:
            case s.Let():
                return state.bind(
                    statement.name, self.evaluator.value(statement.value, state.worlds)
                )
            case s.Draw():
                drawn = expand(self.distributions.pieces(statement.distribution, state.worlds))
                value, chosen = drawn.value, state.some(drawn.index)
                return chosen.bind(statement.name, value).times(drawn.weight)
            case s.Return():
                pieces = self.distributions.pieces(statement.value, state.worlds)
                if len(pieces) > 1 and not all(map(self._fits, pieces)):
                    pieces = [expand(pieces)]  # what is outside may cancel
                for piece in pieces:
                    self._deliver(piece, state, sink, statement.value.at)
                return None
            case s.Branch():
                return self._branch(statement, state, sink)

    def _branch(self, statement: s.Branch, state: WorldState, sink: _Sink) -> WorldState | None:
        """Arm after arm with the worlds that the earlier ones left."""
        left: list[WorldState | None] = []
        for arm in statement.arms:
            if not state.rows.size:
                break
            if arm.is_coin:
                chance = self.distributions.probability(arm.test, state.worlds)
                other = apply(chance, state.worlds.size, lambda p: simplify(1 - p))
                taken, state = state.times(chance), state.times(other)
            else:
                mask = self.evaluator.truth(arm.test, state.worlds)
                taken = state.some(np.flatnonzero(mask))
                state = state.some(np.flatnonzero(~mask))
            left.append(self._run_block(arm.then, taken, sink))
        left.append(self._run_block(statement.otherwise or (), state, sink))
        return _merged([part for part in left if part is not None and part.rows.size])

    # -- what is returned -----------------------------------------------------------------------

    def _deliver(self, piece: Piece, state: WorldState, sink: _Sink, at: Place) -> None:
        rows = state.rows[piece.index]
        size = piece.index.size
        weight = apply_two(
            take(state.weight, piece.index), piece.weight, size, lambda a, b: simplify(a * b)
        )
        if isinstance(piece, FlatPieces):
            if piece.members not in self._masks:
                self._masks[piece.members] = self._columns_of(piece.members, rows, at)
            sink.flats.setdefault(piece.members, []).append((rows, weight))
            return
        columns = self._outputs_of(piece, state, at)
        sink.points.append((rows, columns, weight))

    def _fits(self, piece: Piece) -> bool:
        """Whether a flat piece stays within the outputs; a point is tested where it goes."""
        return isinstance(piece, PointPieces) or self._within(piece.members)

    def _within(self, members: FiniteSet) -> bool:
        whole = self.outputs.integers
        if isinstance(members.values, range) and whole is not None:
            return whole.start <= members.values.start and members.values.stop <= whole.stop
        return members in self._masks or all(value in self.outputs for value in members)

    def _columns_of(self, members: FiniteSet, rows: Index, at: Place) -> Index:
        if not self._within(members):
            outside = next(value for value in members if value not in self.outputs)
            raise self._outside(outside, at, self._input(rows[0]))
        whole = self.outputs.integers
        if isinstance(members.values, range) and whole is not None:
            return np.arange(len(members)) + (members.values.start - whole.start)
        return np.array([self.outputs.index(value) for value in members], dtype=np.int64)

    def _outputs_of(self, piece: PointPieces, state: WorldState, at: Place) -> Index:
        """Positions of the returned values among the outputs."""
        whole = self.outputs.integers
        if isinstance(piece.value, Ints) and whole is not None:
            columns = piece.value.values - whole.start
            outside = np.flatnonzero((columns < 0) | (columns >= len(whole)))
            if outside.size:
                first = int(outside[0])
                origin = self._input(state.rows[piece.index[first]])
                raise self._outside(int(piece.value.values[first]), at, origin)
            return columns
        source = coded(piece.value, piece.index.size)
        positions = np.zeros(len(source.values), dtype=np.int64)
        for code, value in enumerate(source.values):
            if value not in self.outputs:
                first = int(np.flatnonzero(source.codes == code)[0])
                origin = self._input(state.rows[piece.index[first]])
                raise self._outside(value, at, origin)
            positions[code] = self.outputs.index(value)
        return positions[source.codes]

    def _input(self, row: np.int64) -> Value:
        """The input of a row of the current block."""
        return self.inputs[self._first_row + int(row)]  # type: ignore[no-any-return]

    def _outside(self, value: Any, at: Place, origin: Value | None = None) -> ModelError:
        of = "" if origin is None else f" for {self.variable} = {show_value(origin)[:80]}"
        return ModelError(
            f"returns {describe(value)}{of}, which is not among the declared outputs",
            at,
            f"expected one of {self.outputs}",
        )

    # -- adding up ------------------------------------------------------------------------------

    def _matrix_block(self, sink: _Sink, rows: int) -> tuple[Index, list[Exact]]:
        """Codes of the block's cells: a background by column group, and corrected cells."""
        groups, base, values = self._background(sink, rows)
        if not sink.points:
            return base[:, groups], values
        size = self.outputs.size
        keys = np.concatenate([r * size + c for r, c, _ in sink.points])
        weights = coded(join([(w, r.size) for r, _, w in sink.points]), keys.size)
        cells, sums, totals = sum_by_key(keys, weights.codes, weights.values)
        below = base[cells // size, groups[cells % size]]
        found, final = combine(below, values, sums, totals, lambda a, b: simplify(a + b))
        block = np.take(base, groups, axis=1)  # in C order, so that cells can be written through
        block.reshape(-1)[cells] = found + len(values)
        return block, [*values, *final]

    def _background(self, sink: _Sink, rows: int) -> tuple[Index, Index, list[Exact]]:
        """Columns grouped by the flat sets they are in; the weight of each row in each group."""
        signature = np.zeros(self.outputs.size, dtype=np.int64)
        members: list[set[int]] = [set()]
        for number, flat in enumerate(sink.flats):
            inside = np.zeros(self.outputs.size, dtype=np.int64)
            inside[self._masks[flat]] = 1
            found, signature = np.unique(signature * 2 + inside, return_inverse=True)
            members = [members[k // 2] | ({number} if k % 2 else set()) for k in found]
        base = np.zeros((rows, len(members)), dtype=np.int64)
        values: list[Exact] = [ZERO]
        for number, parts in enumerate(sink.flats.values()):
            where = np.concatenate([r for r, _ in parts])
            weights = coded(join([(w, r.size) for r, w in parts]), where.size)
            filled, sums, totals = sum_by_key(where, weights.codes, weights.values)
            for group in [k for k, inside in enumerate(members) if number in inside]:
                part, found = combine(
                    base[filled, group], values, sums, totals, lambda a, b: simplify(a + b)
                )
                base[filled, group] = part + len(values)
                values = [*values, *found]
        return signature, base, values


def _merged(states: list[WorldState]) -> WorldState | None:
    """Worlds of several branches together, with the variables that all of them have."""
    if len(states) < 2:
        return states[0] if states else None
    common = set.intersection(*(set(state.worlds.variables) for state in states))
    sizes = [state.rows.size for state in states]
    variables = {
        name: join(
            [(state.worlds.variables[name], n) for state, n in zip(states, sizes, strict=True)]
        )
        for name in sorted(common)
    }
    weight = join([(state.weight, n) for state, n in zip(states, sizes, strict=True)])
    return WorldState(
        Worlds(sum(sizes), variables), np.concatenate([state.rows for state in states]), weight
    )
