"""Estimates from reports that speak for sets of values, too many to have a decoder's table.

The published decoder: a report y scores ([y supports x] - q) / (p - q) for each value x, where p is
the chance that it supports the true value and q that it supports another one: holds it, or puts it
in its bucket. Scores take two values, so all that is needed of the reports is how many of them
support each value.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.arithmetic.exact import is_symbolic
from ppdm_formal.declare.arithmetic.people import show_count
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Batch
from ppdm_formal.infer.tables.report_counts import ReportCounts
from ppdm_formal.infer.tables.result import EstimatedTable, Likelihood, Method
from ppdm_formal.infer.tables.tables import LikeliestMasses, RandomizedColumn, cells_of, facts
from ppdm_formal.infer.undoing.counts import Floats, Integers
from ppdm_formal.infer.undoing.decoder import MAX_ENTRIES, NotEstimable
from ppdm_formal.infer.undoing.discoveries import discoveries
from ppdm_formal.infer.undoing.intervals import Moments
from ppdm_formal.infer.undoing.likelihood import fit
from ppdm_formal.infer.undoing.near_law import rounded_number
from ppdm_formal.infer.undoing.scores import positive
from ppdm_formal.infer.undoing.support_channel import MAX_BITS, SupportChannel

GAP = 1e-2
"""The search for the likeliest masses stops within this of the greatest log-likelihood."""

CYCLES = 300
"""Most cycles of EM: each goes through all reports several times. The gap is told."""


def by_holding(operator: Operator) -> bool:
    """Whether outputs are too many for a table, and values are all that reports speak for."""
    return not operator.report.by_output and not operator.law.takes_sets


def check_sets_in(operator: Operator) -> None:
    """Refuse sets that come in, too many in reports, with what can be learned of single items."""
    law, reports = operator.law, operator.outputs.size
    support, sets = law.support(), operator.inputs.subsets
    if not law.takes_sets or operator.inputs.size * reports <= MAX_ENTRIES:
        return
    if support is None or sets is None:
        return
    if any(map(is_symbolic, (support.own, support.other))):
        raise NotEstimable("the operator has free parameters: give them values first")
    remedy = ""
    if support.own != support.other:
        p, q = number_text(support.own), number_text(support.other)
        remedy = (
            ". How many people have an item follows from how many reports hold it: if a share s "
            f"of them does, (s - {q})/({p} - {q}) estimates it without bias"
        )
    raise NotEstimable(
        f"reports are any of {show_count(reports)} sets of {sets[0]:,} items: the distribution "
        f"of {show_count(operator.inputs.size)} sets that they are of is not estimated{remedy}"
    )


def set_table(
    column: RandomizedColumn,
    counted: ReportCounts,
    method: Method,
    level: Fraction,
    reports: Iterable[Batch] | None = None,
) -> EstimatedTable:
    """The distribution of one column's original values; reports: what likelihoods are made of."""
    operator, name = column.operator, column.name
    law = operator.law
    if any(map(is_symbolic, law.values())):
        raise NotEstimable("the operator has free parameters: give them values first")
    if counted.rows == 0:
        raise NotEstimable("there are no rows to estimate from")
    support = law.support()
    if support is None:
        raise NotEstimable(f"column {name}: no decoder is known for its reports")
    if support.own == support.other:
        raise NotEstimable(f"column {name}: its reports do not depend on the values")
    own, other = rounded_number(support.own), rounded_number(support.other)
    moments = support_moments(own, other, counted.rows, counted.counts)
    known = np.ones(operator.inputs.size, dtype=bool)
    best, ended = None, None
    if method == "mle":
        best, ended = _likeliest(column, counted.rows, reports)
    cells = cells_of([column], moments, known, best, level)
    found = None
    if own > other:
        found = discoveries(counted.counts, counted.rows, other, 1 - level)
    described = (facts(column, False, True, 0.0),)
    return EstimatedTable(described, tuple(cells), (), (), (), (), ended, found)


def _likeliest(
    column: RandomizedColumn, rows: int, reports: Iterable[Batch] | None
) -> tuple[LikeliestMasses, Likelihood]:
    """The likeliest masses, by EM on the reports themselves."""
    operator, name = column.operator, column.name
    odds = operator.law.supported_odds()
    if odds is None:
        raise NotEstimable(f"column {name}: its likelihood is not known here; use unbiased")
    if reports is None:
        raise NotEstimable(
            f"column {name}: counts do not tell the likelihood of such reports: give one release "
            "for maximum likelihood, or use the unbiased method"
        )
    if rows * operator.inputs.size > MAX_BITS:
        raise NotEstimable(
            f"column {name}: {rows:,} reports on {operator.inputs.size:,} values are too many for "
            f"maximum likelihood (at most {MAX_BITS:,} together): use the unbiased method"
        )
    line = SupportChannel.of(operator.report, reports, float(rounded_number(odds)))
    found = fit(line, np.ones(line.outputs), GAP, newton=False, most=CYCLES)
    ended = Likelihood(found.log_likelihood, found.gap, found.steps, False)
    return LikeliestMasses(found.masses, None), ended


def support_moments(own: Fraction, other: Fraction, rows: int, times: Integers) -> Moments:
    """Of each value's scores: as seen, and under the law of masses near the estimates."""
    apart = own - other
    ends = float((1 - other) / apart), float(-other / apart)
    chance, step = float(other), float(apart)

    def moment(held: Floats, power: int) -> Floats:
        return np.asarray(held * ends[0] ** power + (1 - held) * ends[1] ** power)

    seen = times / rows
    first, second = moment(seen, 1), moment(seen, 2)
    values = len(times)
    fitted = chance + step * positive(first)
    even = np.full(values, chance + step / values)
    # One row drawn beforehand counts, too, as in Scores: no score's scatter may vanish.
    mixed = (rows * fitted + even) / (rows + 1)
    return Moments(first, second, [moment(mixed, power) for power in (1, 2, 3)], rows)
