"""From releases, tallies, or answers at hand, to an estimate of the original distribution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import exact, is_symbolic
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator, check_known_exactly
from ppdm_formal.declare.operators.report import Batch, NotAReport
from ppdm_formal.infer.tables.report_counts import ReportCounts
from ppdm_formal.infer.tables.result import Estimate, EstimatedTable, Method, ReleaseSource
from ppdm_formal.infer.tables.set_reports import by_holding, check_sets_in, set_table
from ppdm_formal.infer.tables.tables import MOST_COLUMNS, RandomizedColumn, table
from ppdm_formal.infer.tables.tallied import Tallied, tallied
from ppdm_formal.infer.undoing.counts import Counts
from ppdm_formal.infer.undoing.decoder import NotEstimable
from ppdm_formal.infer.undoing.near_law import near_law
from ppdm_formal.run.column import column_of, outside
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.release import Release
from ppdm_formal.run.report_columns import of_sets
from ppdm_formal.run.simulation import Simulated

METHODS = ("unbiased", "mle")

_HELD = 1 << 20
"""Counted combinations of blocks that are held before they are merged."""


def estimate(
    source: Release | Tallied | Path | str | Operator | Sequence[Any],
    answers: Any = None,
    *,
    columns: Sequence[str] | None = None,
    method: Method = "unbiased",
    level: object = "95%",
    prior: Prior | None = None,
) -> Estimate:
    """The distribution of the original values.

    From a release (or the path of its data or of its description): of `columns` jointly, else of
    each randomized column by itself. From several releases and tallies of one operator, in a list:
    of all their reports together. From an operator and the answers that it gave (a list, a NumPy
    array, a pandas or pyarrow column, or what `randomize` gave back): theirs.

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], ["yes", "no"], ["yes", "no"])
    >>> found = estimate(coin, ["yes"] * 60 + ["no"] * 40)
    >>> [round(cell.estimate, 3) for cell in found.tables[0].estimated]
    [0.7, 0.3]
    """
    wanted = _asked(method, level)
    if isinstance(source, Operator):
        if answers is None or columns is not None:
            raise TypeError("an operator needs the answers that it gave, and no columns")
        check_known_exactly(source, but="run or undone")
        simulated = isinstance(answers, Simulated)
        given = answers.values if isinstance(answers, Simulated) else answers
        check_sets_in(source)
        empty = ReportCounts.create(source, source.name or "answers", prior)
        batch = _batch(source, given)
        counted = empty.add_batch(batch)
        found = counted_table(counted, method, wanted, [batch])
        return Estimate(counted.rows, method, wanted, (found,), None, simulated)
    if answers is not None or prior is not None:
        raise TypeError("a release has its own answers and priors")
    several: list[Any] = list(source) if isinstance(source, list | tuple) else [source]
    known = [one if isinstance(one, Release | Tallied) else tallied(one) for one in several]
    releases = [one for one in known if isinstance(one, Release)]
    if len(releases) == len(known) and (len(known) == 1 or len(columns or ()) > 1):
        return _of_releases(releases, columns, method, wanted)
    return _of_tallies(Tallied.merge([Tallied.of(one) for one in known]), columns, method, wanted)


def _asked(method: str, level: object) -> Fraction:
    """The level, after both are checked."""
    if method not in METHODS:
        raise ValueError(f"the method is one of {', '.join(METHODS)}, not {method!r}")
    wanted = exact(level)
    if is_symbolic(wanted) or not 0 < wanted < 1:
        raise ValueError("the level of intervals is between 0 and 1, such as 95%")
    return Fraction(wanted)


def counted_table(
    counted: ReportCounts,
    method: Method,
    level: Fraction,
    reports: Iterable[Batch] | None = None,
) -> EstimatedTable:
    """The distribution that one column's counts tell; reports: for likelihoods that need them."""
    operator = counted.operator
    if by_holding(operator):
        column = RandomizedColumn(counted.name, operator, counted.prior)
        return set_table(column, counted, method, level, reports)
    check_sets_in(operator)
    column = RandomizedColumn(counted.name, near_law(operator), counted.prior)
    return table([column], counted.by_output, method, level)


def estimate_counts(
    counted: Sequence[ReportCounts],
    *,
    method: Method = "unbiased",
    level: object = "95%",
    source: ReleaseSource | None = None,
    simulated: bool = False,
) -> Estimate:
    """The distributions that counts of the same reports tell, each by itself."""
    wanted = _asked(method, level)
    found = tuple(counted_table(one, method, wanted) for one in counted)
    return Estimate(counted[0].rows, method, wanted, found, source, simulated)


def _of_tallies(
    found: Tallied, columns: Sequence[str] | None, method: Method, level: Fraction
) -> Estimate:
    if columns is not None and len(columns) > 1:
        raise NotEstimable(
            "a tally counts each column by itself: joint tables are estimated from releases"
        )
    chosen = found.columns if columns is None else [found.column(name) for name in columns]
    return estimate_counts(
        chosen, method=method, level=level, source=found.source, simulated=found.simulated
    )


def _of_releases(
    releases: Sequence[Release], columns: Sequence[str] | None, method: Method, level: Fraction
) -> Estimate:
    """One release, or a joint table of several of the same operators."""
    release = releases[0]
    if any(one.transactions is not None for one in releases):
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
        check_sets_in(release.column(name).operator)
        for other in releases[1:]:
            other.check_operator(name, release.column(name).operator, str(release.path))
    sets = {c.name for c in release.columns if by_holding(c.operator)}
    if columns is not None and len(columns) > 1 and sets & set(columns):
        raise NotEstimable(
            f"column {min(sets & set(columns))} holds sets of too many values for a joint table; "
            "it is estimated by itself"
        )
    listed = [names for names in groups if names[0] not in sets]
    counted = iter(_counted(releases, listed)) if listed else iter(())
    tables = []
    for names in groups:
        described = [release.column(name) for name in names]
        if names[0] in sets:
            one = described[0]
            empty = ReportCounts.create(one.operator, one.name, one.prior)
            held = ReportCounts.of_batches(empty, release.report_blocks(one.name))
            _check_rows(releases, held.rows)
            again = release.report_blocks(one.name)
            tables.append(counted_table(held, method, level, again))
            continue
        laws = [RandomizedColumn(c.name, near_law(c.operator), c.prior) for c in described]
        tables.append(table(laws, next(counted), method, level))
    file = "" if release.path is None else release.path.name
    alone = ReleaseSource(file, str(release.to_json()["sha256"]))
    source = alone if len(releases) == 1 else None
    rows = sum(one.tally.rows_out for one in releases)
    simulated = any(one.simulated for one in releases)
    return Estimate(rows, method, level, tuple(tables), source, simulated)


def _check_rows(releases: Sequence[Release], rows: int) -> None:
    said = sum(release.tally.rows_out for release in releases)
    if rows != said:
        raise NotEstimable(f"the data have {rows:,} rows, the release says {said:,}")


def _counted(releases: Sequence[Release], groups: Sequence[Sequence[str]]) -> list[Counts]:
    """Count each group of columns in one pass; only combinations that occur take memory."""
    names = list(dict.fromkeys(name for group in groups for name in group))
    sizes = {name: releases[0].column(name).operator.outputs.size for name in names}
    parts: list[list[Counts]] = [[] for _ in groups]
    for block in (block for release in releases for block in release.blocks(names)):
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
    _check_rows(releases, found[0].rows)
    return found


def _batch(operator: Operator, answers: Any) -> Batch:
    """Each answer as its report; lists, NumPy, pandas and pyarrow columns."""
    report = operator.report
    try:
        column = column_of(answers)
        if report.kind == "value":
            return column.positions(operator.outputs)
        sets = column.baskets()
        if report.kind != "hashed":
            return of_sets(report, sets)
        if (sets.sizes != 2).any():
            raise NotAReport(int(np.argmax(sets.sizes != 2)), "")
        batch = sets.items.reshape(-1, 2)
        report.check(batch)
        return batch
    except NotAReport as wrong:
        problem: Exception = outside(wrong.place)
    except DataError as wrong:
        problem = wrong
    raise NotEstimable(f"answers must be outputs of the operator: {problem}")
