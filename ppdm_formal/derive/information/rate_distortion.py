"""Rate-distortion: the least information at a given loss, and a mechanism that needs hardly more.

    R(L) = min over p[x -> y] with sum of prior[x] p[x -> y] loss[x][y] <= L  of  I(X; Y)

(Dor18 1.2.3.) Blahut and Arimoto's iteration runs in floats and proves nothing; what it ends at is
rounded to a rational mechanism whose expected loss is at most L exactly, and whose information is
an upper bound. The lower bound is that of any slope s >= 0 and output law q (Berger 1971):

    R(L) >= sum over x of prior[x] ln a[x] - ln(max over y of c[y]) - s L

with w[x][y] = e^(-s loss[x][y]), a[x] = 1 / (sum over y of q[y] w[x][y]) and
c[y] = sum over x of prior[x] a[x] w[x][y].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from flint import arb

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import Measured, value_json
from ppdm_formal.declare.result import Result
from ppdm_formal.derive.information.balls import ball, between, divergence
from ppdm_formal.derive.information.capacity import rounded_shares

ITERATIONS = 3_000
HALVINGS = 60
MAX_CELLS = 40_000
_STEEPEST = 1e4

_FORBIDDEN = Fraction(10**30)
"""Losses above so many times what is allowed are as good as any greater ones, for guesses."""

_DEAR = 1e6
"""Outputs of such a loss are left out of a mechanism where they are too unlikely to be rounded."""


@dataclass(frozen=True)
class RateDistortion:
    """R(L) in nats between rigorous bounds, and a mechanism: rational rows, of loss at most L."""

    nats: Enclosure
    rows: tuple[tuple[Fraction, ...], ...]
    loss: Fraction
    slope: Fraction
    """s = -dR/dL, about: in nats for each unit of loss."""


@dataclass(frozen=True)
class Rate(Result):
    """The least information at an expected loss, with the amplification of its mechanism."""

    shown_in: ClassVar[str] = "information"
    found: RateDistortion
    max_loss: Fraction
    amplification: Measured

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-rate/1."""
        return {
            "format": "ppdm-rate/1",
            "nats": self.found.nats.to_json(),
            "max_loss": number_text(self.max_loss),
            "loss": number_text(self.found.loss),
            "amplification": value_json(self.amplification),
            "mechanism": [[number_text(cell) for cell in row] for row in self.found.rows],
        }


def rate_distortion(
    prior: Sequence[Fraction], loss: Sequence[Sequence[Fraction]], most: Fraction
) -> RateDistortion:
    """ValueError where no mechanism keeps within the loss.

    >>> half = Fraction(1, 2)
    >>> wrong = [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]
    >>> found = rate_distortion([half, half], wrong, Fraction(1, 4))
    >>> print(found.nats, found.loss <= Fraction(1, 4))  # ln(2) - H(1/4)
    0.130812... True
    """
    _check(prior, loss)
    least = sum((p * min(row) for p, row in zip(prior, loss, strict=True)), Fraction(0))
    if most < least:
        raise ValueError(f"no mechanism has an expected loss below {least}")
    outputs = range(len(loss[0]))
    alone = _mean(prior, loss)
    if most >= min(alone):  # one output for all tells nothing
        best = alone.index(min(alone))
        rows = tuple(tuple(Fraction(int(y == best)) for y in outputs) for _ in prior)
        return RateDistortion(Enclosure.exactly(0), rows, alone[best], Fraction(0))
    scale = _scale(loss, most - least)
    slope, q = _found(prior, loss, scale, float((most - least) / scale))
    return _proved(prior, loss, most, scale, Fraction(slope).limit_denominator(10**9), q)


def _check(prior: Sequence[Fraction], loss: Sequence[Sequence[Fraction]]) -> None:
    if not prior or any(p < 0 for p in prior) or sum(prior) != 1:
        raise ValueError("the prior's probabilities are not below 0 and sum to 1")
    if len(loss) != len(prior) or any(len(row) != len(loss[0]) for row in loss) or not loss[0]:
        raise ValueError("the loss has a row for each input and a column for each output")
    if any(cell < 0 for row in loss for cell in row):
        raise ValueError("a loss is not below 0")
    if len(prior) * len(loss[0]) > MAX_CELLS:
        raise ValueError(f"more than {MAX_CELLS:,} pairs of inputs and outputs")


def _scale(loss: Sequence[Sequence[Fraction]], allowed: Fraction) -> Fraction:
    """A unit of loss in which slopes are neither flat nor steep: what is allowed above the least.

    Where that is nothing, the least loss that is too much.
    """
    if allowed > 0:
        return allowed
    return min(cell - min(row) for row in loss for cell in row if cell > min(row))


def _more(row: Sequence[Fraction], scale: Fraction) -> list[float]:
    """Losses of a row above its least, in that unit; a constant in a row changes no mechanism."""
    least = min(row)
    return [float(min((cell - least) / scale, _FORBIDDEN)) for cell in row]


def _found(
    prior: Sequence[Fraction], loss: Sequence[Sequence[Fraction]], scale: Fraction, allowed: float
) -> Any:
    """A slope whose mechanism has about the loss that is allowed, and its output law, in floats."""
    pi = np.array([float(p) for p in prior])
    d = np.array([_more(row, scale) for row in loss])
    q = np.full(d.shape[1], 1 / d.shape[1])
    low, high = 0.0, 1.0
    while high < _STEEPEST and _loss(pi, d, high, q)[0] > allowed:
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        lost, q = _loss(pi, d, middle, q)
        low, high = (middle, high) if lost > allowed else (low, middle)
        if high - low < 1e-12 * high:
            break
    return high, _loss(pi, d, high, q)[1]


def _loss(pi: Any, d: Any, slope: float, q: Any) -> tuple[float, Any]:
    weights = np.exp(-slope * d)
    q = np.maximum(q, 1e-12)
    for _ in range(ITERATIONS):
        sums = weights @ q
        following = q * (weights.T @ (pi / sums))
        moved = float(np.abs(following - q).max())
        q = following / following.sum()
        if moved < 1e-14:
            break
    rows = weights * q / (weights @ q)[:, None]
    return float(pi @ (rows * d).sum(axis=1)), q


def _proved(
    prior: Sequence[Fraction],
    loss: Sequence[Sequence[Fraction]],
    most: Fraction,
    scale: Fraction,
    steps: Fraction,
    floats: Any,
) -> RateDistortion:
    """The rational mechanism, and both bounds; the slope is so many steps for each unit `scale`."""
    slope = steps / scale
    q = rounded_shares(floats)
    outputs = range(len(q))
    rows: list[tuple[Fraction, ...]] = []
    for row in loss:
        more = np.array(_more(row, scale))
        near = np.array([float(share) for share in q]) * np.exp(-float(steps) * more)
        rows.append(rounded_shares(near / near.sum(), never=more > _DEAR))
    rows = _within(prior, loss, most, rows)
    lost = _expected(prior, loss, rows)
    mixed = _mean(prior, rows)

    def bounds() -> tuple[Any, Any]:
        high = arb(0)
        for p, row in zip(prior, rows, strict=True):
            if p:
                high += ball(p) * divergence(row, mixed)
        weights = [[(-ball(slope * cell)).exp() for cell in row] for row in loss]
        a = [
            1 / sum((ball(share) * w for share, w in zip(q, row, strict=True)), arb(0))
            for row in weights
        ]
        factors = [ball(p) * one for p, one in zip(prior, a, strict=True)]
        columns = [
            sum((f * row[y] for f, row in zip(factors, weights, strict=True)), arb(0))
            for y in outputs
        ]
        largest = columns[0]
        for column in columns[1:]:
            largest = largest.max(column)
        low = sum((ball(p) * one.log() for p, one in zip(prior, a, strict=True) if p), arb(0))
        return low - largest.log() - ball(slope * most), high

    return RateDistortion(between(bounds), tuple(rows), lost, slope)


def _mean(prior: Any, rows: Any) -> list[Fraction]:
    """The mean of each column under the prior."""
    return [
        sum((p * row[y] for p, row in zip(prior, rows, strict=True)), Fraction(0))
        for y in range(len(rows[0]))
    ]


def _expected(prior: Any, loss: Any, rows: Any) -> Fraction:
    return sum(
        (p * share * cell for p, row, cells in zip(prior, rows, loss, strict=True)
         for share, cell in zip(row, cells, strict=True)),
        Fraction(0),
    )  # fmt: skip


def _within(prior: Any, loss: Any, most: Fraction, rows: Any) -> list[tuple[Fraction, ...]]:
    """Mixed with as little of the mechanism of least loss as brings the loss to what is allowed."""
    lost = _expected(prior, loss, rows)
    if lost <= most:
        return list(rows)
    closest = [
        tuple(Fraction(int(y == row.index(min(row)))) for y in range(len(row))) for row in loss
    ]
    least = _expected(prior, loss, closest)
    share = (lost - most) / (lost - least)
    return [
        tuple((1 - share) * a + share * b for a, b in zip(one, other, strict=True))
        for one, other in zip(rows, closest, strict=True)
    ]
