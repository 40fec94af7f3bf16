"""One table: a column's distribution, or the joint one of two or three, from output counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import product

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import is_symbolic
from ppdm_formal.declare.operators.domain import Value, show_value
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.independence import independence
from ppdm_formal.infer.tables.result import (
    AlikeValues,
    Cell,
    ColumnFacts,
    Direction,
    EstimatedTable,
    Likelihood,
    LostCell,
    Method,
    Quantity,
)
from ppdm_formal.infer.tables.summaries import mean, quantiles
from ppdm_formal.infer.undoing.counts import Counts, Floats
from ppdm_formal.infer.undoing.decoder import Decoder, NotEstimable, decoder
from ppdm_formal.infer.undoing.information import covariance
from ppdm_formal.infer.undoing.intervals import Moments, pointwise, simultaneous
from ppdm_formal.infer.undoing.likelihood import NEWTON_CELLS, fit
from ppdm_formal.infer.undoing.operator_channel import channel
from ppdm_formal.infer.undoing.scores import Scores

MAX_TABLE = 1_000_000
"""Most cells of a table."""

MAX_OUTPUTS = 20_000_000
"""Most combinations of outputs that maximum likelihood works on."""

MOST_COLUMNS = 3


@dataclass(frozen=True)
class RandomizedColumn:
    """A randomized column: its name, what was applied to it, and its prior if there is one."""

    name: str
    operator: Operator
    prior: Prior | None = None

    @cached_property
    def decoder(self) -> Decoder:
        """Fixed before data are seen."""
        return decoder(self.operator, self.prior)


def table(
    columns: Sequence[RandomizedColumn], counts: Counts, method: Method, level: Fraction
) -> EstimatedTable:
    """The distribution of the columns' original values."""
    if not 1 <= len(columns) <= MOST_COLUMNS:
        raise NotEstimable(f"a table has one to {MOST_COLUMNS} columns, not {len(columns)}")
    cells = math.prod(column.operator.inputs.size for column in columns)
    if cells > MAX_TABLE:
        raise NotEstimable(f"{cells:,} combinations of values; at most {MAX_TABLE:,} are estimated")
    if counts.rows == 0:
        raise NotEstimable("there are no rows to estimate from")
    decoders = [column.decoder for column in columns]
    _check_possible(columns, decoders, counts)
    line = channel([column.operator for column in columns])
    scores = Scores(decoders, counts, line)
    best, likelihood = (None, None) if method == "unbiased" else _likeliest(columns, scores)
    z = pointwise(float(level))
    known = reduce(np.multiply.outer, [d.recoverable.cells for d in decoders]).ravel()
    held = cells_of(columns, scores.cells(), known, best, level)
    groups = _groups(columns, scores, best, z)
    quantities = _quantities(columns, scores, best, z)
    tests = independence([c.name for c in columns], decoders, counts) if len(columns) > 1 else []
    return EstimatedTable(
        tuple(
            facts(c, _numbers(c) is not None, d.exact, d.bias)
            for c, d in zip(columns, decoders, strict=True)
        ),
        tuple(held),
        tuple(groups),
        tuple(quantities),
        tuple(tests),
        _lost(columns, decoders),
        likelihood,
    )


@dataclass(frozen=True)
class LikeliestMasses:
    """The likeliest masses, and their covariance where it can be had."""

    masses: Floats
    covariance: Floats | None


def _likeliest(
    columns: Sequence[RandomizedColumn], scores: Scores
) -> tuple[LikeliestMasses, Likelihood]:
    """Maximum likelihood, with standard errors while there are not too many cells."""
    counts = scores.counts
    if math.prod(counts.shape) > MAX_OUTPUTS:
        raise NotEstimable(
            f"maximum likelihood works on at most {MAX_OUTPUTS:,} combinations of outputs; "
            f"here are {math.prod(counts.shape):,}: use the unbiased method"
        )
    line = scores.line
    dense = counts.dense()
    found = fit(line, dense)
    spread = None
    if found.masses.size <= NEWTON_CELLS:
        inside = [np.zeros(d.recoverable.inputs, dtype=bool) for d in scores.decoders]
        for mask, made in zip(inside, scores.decoders, strict=True):
            mask[list(made.recoverable.basis)] = True
        basis = np.flatnonzero(reduce(np.multiply.outer, inside).ravel())
        spread = covariance(line, dense, found, basis)
    ended = Likelihood(found.log_likelihood, found.gap, found.steps, spread is not None)
    return LikeliestMasses(found.masses.ravel(), spread), ended


def cells_of(
    columns: Sequence[RandomizedColumn],
    moments: Moments,
    known: npt.NDArray[np.bool_],
    best: LikeliestMasses | None,
    level: Fraction,
) -> list[Cell | LostCell]:
    """Each cell with its intervals; those of the likeliest masses are in [0, 1], and hold them."""
    z = pointwise(float(level))
    together = simultaneous(float(level), int(known.sum()))
    interval = moments.interval if best is None else moments.within
    (low, high), (low_all, high_all) = interval(z), interval(together)
    ends = [low, high, np.minimum(low, low_all), np.maximum(high, high_all)]
    if best is None:
        estimates, variance = moments.first, moments.variance
        coins = (moments.second - moments.first) / moments.rows
    else:
        estimates = best.masses
        exact = best.covariance
        variance = moments.variance if exact is None else np.diagonal(exact)
        coins = variance - estimates * (1 - estimates) / moments.rows
        for k, end in enumerate(ends):
            ends[k] = np.minimum(end, estimates) if k % 2 == 0 else np.maximum(end, estimates)
    errors = [np.sqrt(np.maximum(part, 0.0)) for part in (variance, coins)]
    numbers = [part.tolist() for part in (estimates, *errors, *ends)]
    cells: list[Cell | LostCell] = []
    for place, value in enumerate(product(*(column.operator.inputs for column in columns))):
        if known[place]:
            cells.append(Cell(value, *(part[place] for part in numbers)))
        else:
            cells.append(LostCell(value))
    return cells


def _groups(
    columns: Sequence[RandomizedColumn], scores: Scores, best: LikeliestMasses | None, z: float
) -> list[AlikeValues]:
    """Sums over values of one column that cannot be told apart."""
    if len(columns) > 1:
        return []
    found = []
    for group in columns[0].decoder.recoverable.groups:
        weights = np.zeros(columns[0].operator.inputs.size)
        weights[group] = 1.0
        moments = scores.function(weights)
        interval = moments.interval if best is None else moments.within
        low, high = (float(end[0]) for end in interval(z))
        estimate, variance = float(moments.first[0]), float(moments.variance[0])
        if best is not None:
            estimate = float(best.masses @ weights)
            low, high = min(low, estimate), max(high, estimate)
            if best.covariance is not None:
                variance = max(float(weights @ best.covariance @ weights), 0.0)
        values = tuple(columns[0].operator.inputs[place] for place in group)
        found.append(AlikeValues(values, estimate, math.sqrt(variance), low, high))
    return found


def _quantities(
    columns: Sequence[RandomizedColumn], scores: Scores, best: LikeliestMasses | None, z: float
) -> list[Quantity]:
    """Mean and quartiles of one column of numbers, as far as they can be recovered."""
    numbers = _numbers(columns[0])
    if numbers is None or len(columns) > 1:
        return []
    found = columns[0].decoder.recoverable
    masses, spread = (None, None) if best is None else (best.masses, best.covariance)
    average = mean(numbers, scores, z, found, masses, spread)
    held = [] if average is None else [average]
    return held if found.lost else held + quantiles(numbers, scores, z, masses)


def _numbers(column: RandomizedColumn) -> list[int] | None:
    """The values, where they are all integers and more than one."""
    values = list(column.operator.inputs)
    whole = [value for value in values if isinstance(value, int)]
    return whole if len(whole) == len(values) > 1 else None


def _check_possible(
    columns: Sequence[RandomizedColumn], decoders: Sequence[Decoder], counts: Counts
) -> None:
    """Refuse outputs that no input gives: they do not come from this operator."""
    for axis, (column, made) in enumerate(zip(columns, decoders, strict=True)):
        seen = counts.marginal([axis])
        wrong = [int(place) for place in seen.positions[:, 0] if made.outputs[place] <= 0]
        if wrong:
            shown = ", ".join(show_value(column.operator.outputs[place]) for place in wrong[:5])
            more = ", ..." if len(wrong) > 5 else ""
            raise NotEstimable(
                f"column {column.name}: no value can give the answers {shown}{more}, which occur: "
                "the data do not come from this operator"
            )


def facts(column: RandomizedColumn, numeric: bool, exact: bool, bias: float) -> ColumnFacts:
    """What is told of a column and of its decoder."""
    prior = None
    if column.prior is not None and not any(map(is_symbolic, column.prior.palette)):
        aligned = column.prior.aligned(column.operator.inputs)
        prior = (aligned.name, tuple(aligned.palette[int(code)] for code in aligned.codes))
    operator = column.operator
    sizes = operator.inputs.size, operator.outputs.size
    return ColumnFacts(column.name, operator.name, numeric, *sizes, exact, bias, prior)


def _lost(
    columns: Sequence[RandomizedColumn], decoders: Sequence[Decoder]
) -> tuple[Direction, ...]:
    found = []
    for column, made in zip(columns, decoders, strict=True):
        values: Sequence[Value] = column.operator.inputs
        for lost in made.recoverable.lost:
            terms = tuple((values[place], size) for place, size in lost.coefficients)
            found.append(Direction(column.name, terms))
    return tuple(found)
