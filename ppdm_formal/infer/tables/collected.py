"""From a release, or from answers at hand, to an estimate of the original distribution."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import exact, is_symbolic
from ppdm_formal.declare.families.subsets import Subsets
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator, check_known_exactly
from ppdm_formal.infer.tables.result import Estimate, EstimatedTable, Method, ReleaseSource
from ppdm_formal.infer.tables.set_reports import Holding, by_holding, check_sets_in, set_table
from ppdm_formal.infer.tables.tables import MOST_COLUMNS, RandomizedColumn, table
from ppdm_formal.infer.undoing.counts import Counts, Integers
from ppdm_formal.infer.undoing.decoder import NotEstimable
from ppdm_formal.infer.undoing.near_law import near_law
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.column import column_of, outside
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.release import Release, ReleasedColumn
from ppdm_formal.run.set_cells import checked_sets
from ppdm_formal.run.simulation import Simulated

METHODS = ("unbiased", "mle")

_HELD = 1 << 20
"""Counted combinations of blocks that are held before they are merged."""


def estimate(
    source: Release | Path | str | Operator,
    answers: Any = None,
    *,
    columns: Sequence[str] | None = None,
    method: Method = "unbiased",
    level: object = "95%",
    prior: Prior | None = None,
) -> Estimate:
    """The distribution of the original values.

    From a release (or the path of its data or of its description): of `columns` jointly, else of
    each randomized column by itself. From an operator and the answers that it gave (a list, a
    NumPy array, a pandas or pyarrow column, or what `randomize` gave back): theirs.

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], ["yes", "no"], ["yes", "no"])
    >>> found = estimate(coin, ["yes"] * 60 + ["no"] * 40)
    >>> [round(cell.estimate, 3) for cell in found.tables[0].estimated]
    [0.7, 0.3]
    """
    if method not in METHODS:
        raise ValueError(f"the method is one of {', '.join(METHODS)}, not {method!r}")
    wanted = exact(level)
    if is_symbolic(wanted) or not 0 < wanted < 1:
        raise ValueError("the level of intervals is between 0 and 1, such as 95%")
    if isinstance(source, Operator):
        if answers is None or columns is not None:
            raise TypeError("an operator needs the answers that it gave, and no columns")
        check_known_exactly(source, but="run or undone")
        simulated = isinstance(answers, Simulated)
        given = answers.values if isinstance(answers, Simulated) else answers
        name = source.name or "answers"
        if by_holding(source):
            holding = Holding.of(source.inputs.size, [_sets(source, given)])
            found = set_table(RandomizedColumn(name, source, prior), holding, method, wanted)
            return Estimate(holding.rows, method, wanted, (found,), None, simulated)
        check_sets_in(source)
        counts = Counts.of_answers([source.outputs.size], [_positions(source, given)])
        found = table([RandomizedColumn(name, near_law(source), prior)], counts, method, wanted)
        return Estimate(counts.rows, method, wanted, (found,), None, simulated)
    if answers is not None or prior is not None:
        raise TypeError("a release has its own answers and priors")
    release = source if isinstance(source, Release) else Release.read(source)
    return _of_release(release, columns, method, wanted)


def _of_release(
    release: Release, columns: Sequence[str] | None, method: Method, level: Fraction
) -> Estimate:
    if release.transactions is not None:
        raise NotEstimable(
            "the release holds transactions: there is no distribution of sets of items to "
            "estimate, only supports of itemsets, which ppdm mine finds"
        )
    if columns is not None and len(set(columns)) < len(columns):
        twice = next(name for name in columns if list(columns).count(name) > 1)
        raise NotEstimable(f"the joint table that is asked for names {twice} twice")
    if columns is not None and not 1 <= len(columns) <= MOST_COLUMNS:
        raise NotEstimable(f"a joint table has one to {MOST_COLUMNS} columns")
    groups = [[c.name] for c in release.columns] if columns is None else [list(columns)]
    for name in (name for names in groups for name in names):
        release.column(name)  # says what is wrong with a name that is not there
    sets = {c.name for c in release.columns if by_holding(c.operator)}
    if columns is not None and len(columns) > 1 and sets & set(columns):
        raise NotEstimable(
            f"column {min(sets & set(columns))} holds sets of too many values for a joint table; "
            "it is estimated by itself"
        )
    listed = [names for names in groups if names[0] not in sets]
    counted = iter(_counted(release, listed)) if listed else iter(())
    tables = []
    for names in groups:
        described = [release.column(name) for name in names]
        if names[0] in sets:
            tables.append(_set_table(release, described[0], method, level))
            continue
        laws = [RandomizedColumn(c.name, near_law(c.operator), c.prior) for c in described]
        tables.append(table(laws, next(counted), method, level))
    file = "" if release.path is None else release.path.name
    source = ReleaseSource(file, str(release.to_json()["sha256"]))
    rows = release.tally.rows_out
    return Estimate(rows, method, level, tuple(tables), source, release.simulated)


def _set_table(
    release: Release, column: ReleasedColumn, method: Method, level: Fraction
) -> EstimatedTable:
    holding = Holding.of(column.operator.inputs.size, release.set_blocks(column.name))
    _check_rows(release, holding.rows)
    return set_table(
        RandomizedColumn(column.name, column.operator, column.prior), holding, method, level
    )


def _check_rows(release: Release, rows: int) -> None:
    if rows != release.tally.rows_out:
        raise NotEstimable(
            f"the data have {rows:,} rows, the release says {release.tally.rows_out:,}"
        )


def _counted(release: Release, groups: Sequence[Sequence[str]]) -> list[Counts]:
    """Count each group of columns in one pass; only combinations that occur take memory."""
    names = list(dict.fromkeys(name for group in groups for name in group))
    sizes = {name: release.column(name).operator.outputs.size for name in names}
    parts: list[list[Counts]] = [[] for _ in groups]
    for block in release.blocks(names):
        answers = dict(zip(names, block, strict=True))
        for group, held in zip(groups, parts, strict=True):
            shape = [sizes[name] for name in group]
            held.append(Counts.of_answers(shape, [answers[name] for name in group]))
            if sum(len(part.times) for part in held[1:]) > max(_HELD, len(held[0].times)):
                held[:] = [Counts.merged(shape, held)]
    found = [
        Counts.merged([sizes[name] for name in group], held)
        for group, held in zip(groups, parts, strict=True)
    ]
    _check_rows(release, found[0].rows)
    return found


def _positions(operator: Operator, answers: Any) -> Integers:
    """Where each answer stands among the outputs; lists, NumPy, pandas and pyarrow columns."""
    try:
        return column_of(answers).positions(operator.outputs)
    except DataError as problem:
        raise NotEstimable(f"answers must be outputs of the operator: {problem}") from None


def _sets(operator: Operator, answers: Any) -> Baskets:
    """The answers as sets of values; each must be an output."""
    domain = operator.outputs
    assert isinstance(domain, Subsets)
    try:
        sets = checked_sets(domain, column_of(answers).baskets())
    except DataError as problem:
        raise NotEstimable(f"answers must be outputs of the operator: {problem}") from None
    if sets.items.size and sets.items.min() < 0:
        place = int(sets.owners()[np.argmax(sets.items < 0)])
        raise NotEstimable(f"answers must be outputs of the operator: {outside(place)}")
    return sets
