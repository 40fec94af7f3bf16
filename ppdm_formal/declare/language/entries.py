"""Operators given entry by entry: [x -> y] = cases, and matrix { rows }."""

from __future__ import annotations

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.columns import Coded, TooManyWorlds, coded, take
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.evaluate import Evaluator, Worlds
from ppdm_formal.declare.language.names import NameCheck
from ppdm_formal.declare.language.program import domain_column
from ppdm_formal.declare.language.scope import describe
from ppdm_formal.declare.operators.domain import Domain, show_value
from ppdm_formal.declare.operators.matrix import CodedMatrix, Palette, narrow

_BLOCK_CELLS = 2_000_000
_UNION_HINT = "a | starts the next case; a union needs parentheses: if y in (A | B)"


def rule_matrix(
    rule: s.Rule, evaluator: Evaluator, variable: str, inputs: Domain, outputs: Domain
) -> CodedMatrix:
    """The first case that applies counts; if none does, 0."""
    if rule.source != variable:
        raise ModelError(
            f"[{rule.source} -> {rule.target}] does not start from the operator's input",
            rule.at,
            f"expected [{variable} -> {rule.target}]",
        )
    if rule.source == rule.target:
        raise ModelError(
            f"{rule.target} stands for the input and for the output", rule.at, "expected [x -> y]"
        )
    for case in rule.cases:
        if isinstance(case.value, (s.Range, s.SetOf, s.Difference, s.Subsets)):
            raise ModelError("expected a probability, found a set", case.at, _UNION_HINT)
    for case in rule.cases[:-1]:
        if case.condition is None:
            raise ModelError("the cases after this one are never reached", case.at, _UNION_HINT)
    names = NameCheck(evaluator)
    for case in rule.cases:
        parts = [case.value] if case.condition is None else [case.value, case.condition]
        names.expressions(parts, {rule.source, rule.target})
    sources, targets = domain_column(inputs), domain_column(outputs)
    width = outputs.size
    palette = Palette()
    codes = np.zeros(inputs.size * width, dtype=np.uint8)
    start, step = 0, _BLOCK_CELLS
    while start < codes.size:
        cells = np.arange(start, min(start + step, codes.size))
        worlds = Worlds(
            cells.size,
            {
                rule.source: take(sources, cells // width),
                rule.target: take(targets, cells % width),
            },
        )
        try:
            block = _rule_block(rule, evaluator, worlds)
        except TooManyWorlds:  # lists have many elements for each cell
            if cells.size == 1:
                raise
            step = max(1, cells.size // 8)
            continue
        numbers = narrow(
            np.array([palette.code(value) for value in block.values]), len(palette.values)
        )
        if numbers.dtype.itemsize > codes.dtype.itemsize:
            codes = codes.astype(numbers.dtype)
        codes[start : start + cells.size] = numbers[block.codes]
        start += cells.size
    return CodedMatrix(codes.reshape(inputs.size, width), palette.values)


def _rule_block(rule: s.Rule, evaluator: Evaluator, worlds: Worlds) -> Coded:
    values: list[Exact] = [ZERO]
    codes = np.zeros(worlds.size, dtype=np.int64)
    left = np.arange(worlds.size)
    for case in rule.cases:
        if not left.size:
            break
        remaining = worlds.some(left)
        chosen = np.ones(left.size, dtype=bool)
        if case.condition is not None:
            chosen = evaluator.truth(case.condition, remaining)
        where = np.flatnonzero(chosen)
        if where.size:
            column = coded(evaluator.value(case.value, remaining.some(where)), where.size)
            codes[left[where]] = column.codes + len(values)
            values += [evaluator.scope.number(value, case.at) for value in column.values]
        left = left[~chosen]
    return Coded(codes, values)


def table_matrix(
    table: s.Matrix, evaluator: Evaluator, inputs: Domain, outputs: Domain
) -> CodedMatrix:
    """One row for each input, one entry for each output, in their order."""
    palette = Palette()
    codes = np.zeros((inputs.size, outputs.size), dtype=np.int64)
    seen: set[int] = set()
    for row in table.rows:
        value = evaluator.constant_member(row.value)
        if value not in inputs:
            raise ModelError(
                f"{describe(value)} is not an input", row.at, f"expected one of {inputs}"
            )
        position = inputs.index(value)
        if position in seen:
            raise ModelError(f"a second row for {show_value(value)}", row.at)
        seen.add(position)
        if len(row.entries) != outputs.size:
            raise ModelError(
                f"the row of {show_value(value)} has {len(row.entries)} entries;"
                f" expected {outputs.size}, one for each output",
                row.at,
                "an entry with + or - or a call goes in parentheses: (1 - p)",
            )
        for column, entry in enumerate(row.entries):
            number = evaluator.scope.number(evaluator.constant(entry), entry.at)
            codes[position, column] = palette.code(number)
    if len(seen) < inputs.size:
        missing = next(x for k, x in enumerate(inputs) if k not in seen)
        raise ModelError(f"no row for {show_value(missing)}", table.at)
    return CodedMatrix(codes, palette.values)
