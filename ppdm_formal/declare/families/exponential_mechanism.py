"""The exponential mechanism (McSherry, Talwar 2007) on a line: near values are likelier.

Outputs y of 0..k-1 are drawn with probability in proportion to a weight of the distance:

    p[x -> y] = w[|x - y|] / Z[x],    Z[x] = sum over y of w[|x - y|]

`weights` lists w[0], w[1], ..., the last one for all distances from there on; `decay` is the
published form with score -|x - y|: w[d] = decay^d. In the local model any two inputs are
neighbours, so the score has sensitivity k - 1, decay = e^(-epsilon/(2(k - 1))), and the
amplification is at most e^epsilon; its exact value, which is smaller, is what an audit finds.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import (
    ONE,
    ZERO,
    Exact,
    is_rational,
    is_symbolic,
    simplify,
    total,
)
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.signs import not_probability, possible_signs
from ppdm_formal.declare.families.arguments import check_values, decay_of, not_negative
from ppdm_formal.declare.families.decay import Decay
from ppdm_formal.declare.families.line import LineLaw
from ppdm_formal.declare.operators.cut import Steps, drawable
from ppdm_formal.declare.operators.cut import weights as over_one_denominator
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Spelled, check_rows
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.shipped import (
    exponent_step,
    step_json,
    values_json,
    weights_json,
)
from ppdm_formal.declare.operators.view import View

MAX_WEIGHTS = 10_000
"""Most different weights; each row adds them up."""

MAX_LISTED = 1000
"""Most values whose weights are listed where they are powers."""

MAX_SHIPPED = 100
"""Most values whose weights clients list where they are powers: each draw goes through them all."""


@dataclass(frozen=True)
class ExponentialLaw(LineLaw):
    """The law; `weights` by distance, as many as there are distances or fewer.

    decay: where the weights are its powers, and it is at most 1.
    """

    weights: tuple[Exact, ...]
    decay: Exact | None = None

    def __post_init__(self) -> None:
        if self.size == 1 and self.decay is not None:  # one value: the decay is without effect
            object.__setattr__(self, "decay", ONE)

    def spelled(self) -> Spelled:
        """By its decay, or by all weights."""
        given = {"weights": self.weights} if self.decay is None else {"decay": self.decay}
        return Spelled("exponential_mechanism", given)

    def extreme(self, inputs: Domain, outputs: Domain) -> View:
        """An end, which tells the two ends apart by decay^(1 - k)."""
        if self.decay is None:
            raise TooLarge(f"{self.size:,} values with {len(self.weights):,} weights: too large")
        return self.falling(self.decay, inputs, outputs)

    @property
    def reach(self) -> int:
        """From the last weight on all are the same."""
        return len(self.weights) - 1

    @property
    def rows(self) -> int:
        """Inputs as deep as the reach have all near values on both sides."""
        return min((self.size + 1) // 2, self.reach + 1)

    @property
    def columns(self) -> int:
        """All outputs are alike."""
        return 1

    @cached_property
    def sums(self) -> tuple[Exact, ...]:
        """Z of each depth."""
        up_to = [ZERO]  # w[1] + ... + w[d]
        for distance in range(1, self.reach + 1):
            up_to.append(simplify(up_to[-1] + self.weights[distance]))

        def side(steps: int) -> Exact:
            beyond = max(0, steps - self.reach)
            return total([(1, up_to[min(steps, self.reach)]), (beyond, self.weights[-1])])

        return tuple(
            simplify(self.weights[0] + side(depth) + side(self.size - 1 - depth))
            for depth in range(self.rows)
        )

    def likelihood(self, distance: int, row: int, column: int) -> Exact:
        """w[d] / Z."""
        return simplify(self.weights[distance] / self.sums[row])

    def mass(self) -> Exact:
        """The rows of an end and of the middle added up; views add up all of them."""
        for depth in (0, self.rows - 1):
            whole = total(
                (count, self.likelihood(distance, depth, 0)) for count, distance in self.runs(depth)
            )
            if whole != ONE:
                return whole
        return ONE

    def values(self) -> Sequence[Exact]:
        """What an input may become of a weight."""
        return [simplify(weight / self.sums[0]) for weight in self.weights]

    def map(self, change: Callable[[Exact], Exact]) -> ExponentialLaw:
        """The same law with parameters given values."""
        decay = None if self.decay is None else change(self.decay)
        return ExponentialLaw(self.size, tuple(map(change, self.weights)), decay)

    def runs(self, row: int) -> list[tuple[int, int]]:
        """The outputs of one input in order, as runs (how many, at which distance)."""
        left, right = row, self.size - 1 - row
        near = range(1, self.reach)
        runs = [(max(0, left - self.reach + 1), self.reach)] if self.reach else [(left, 0)]
        runs += [(1, distance) for distance in reversed(near) if distance <= left]
        runs += [(1, 0)]
        runs += [(1, distance) for distance in near if distance <= right]
        runs += [(max(0, right - self.reach + 1), self.reach)] if self.reach else [(right, 0)]
        return [run for run in runs if run[0]]

    @cached_property
    def _scaled(self) -> list[Any]:
        """The weights over one denominator, which their sum makes up for; exponentials as such."""
        if not all(map(is_rational, self.weights)):
            return [drawable(weight) for weight in self.weights]
        return [int(top) for top in over_one_denominator(self.weights)[0].tolist()]

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """Which run of equal weights, then any output of it."""
        check_rows(rows, self.size)
        found = np.empty(rows.size, dtype=np.int64)
        for row in np.unique(rows).tolist():
            here = np.flatnonzero(rows == row)
            runs = self.runs(row)
            parts = [count * self._scaled[distance] for count, distance in runs]
            whole = sum(parts)
            if isinstance(whole, int):
                kind = np.int64 if whole < 1 << 62 else object
                steps = Steps.of_weights(np.array(parts, dtype=kind), whole, bits.width)
            else:
                steps = Steps.distribution([part / whole for part in parts], bits.width)
            chosen = bits.choose(steps, here.size)
            counts = np.array([count for count, _ in runs], dtype=np.int64)
            starts = np.array([0, *itertools.accumulate(counts.tolist())], dtype=np.int64)
            found[here] = starts[chosen]
            several = np.flatnonzero(counts[chosen] > 1)
            if several.size:
                found[here[several]] += bits.below(counts[chosen[several]])
        return found

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """The weights by distance; the coins of a distance where they are many powers."""
        if self.size > MAX_SHIPPED and self.decay is not None and self.decay != ZERO:
            return Decay(self.size, self.decay).client(inputs)
        step = exponent_step(self.weights)
        weights = weights_json(self.weights, step)
        found = {"kind": "distance", "inputs": values_json(inputs), "weights": weights}
        return found | step_json(step)


@dataclass(frozen=True)
class DecayLaw(LineLaw):
    """The law of decay <= 1 on more values than are listed by their weights, in closed form."""

    decay: Exact

    def spelled(self) -> Spelled:
        """By its decay."""
        return Spelled("exponential_mechanism", {"decay": self.decay})

    @property
    def reach(self) -> int:
        """Every distance has its own weight."""
        return self.size - 1

    @property
    def rows(self) -> int:
        """Every depth has its own sum."""
        return (self.size + 1) // 2

    @property
    def columns(self) -> int:
        """All outputs are alike."""
        return 1

    def likelihood(self, distance: int, row: int, column: int) -> Exact:
        """w^d (1 - w) / (1 + w - w^(x + 1) - w^(k - x)), the sum of two geometric series below."""
        if self.decay == ONE:
            return Fraction(1, self.size)
        one = self.decay
        below = 1 + one - one ** (row + 1) - one ** (self.size - row)
        weight = one**distance if distance else ONE
        return simplify(weight * (1 - one) / below)

    def extreme(self, inputs: Domain, outputs: Domain) -> View:
        """An end, which tells the two ends apart by decay^(1 - k)."""
        return self.falling(self.decay, inputs, outputs)

    def mass(self) -> Exact:
        """1: each row is divided by its sum."""
        return ONE

    def values(self) -> Sequence[Exact]:
        """The decay."""
        return (self.decay,)

    def map(self, change: Callable[[Exact], Exact]) -> DecayLaw:
        """The same law with parameters given values."""
        return DecayLaw(self.size, change(self.decay))

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """By the bits of the distance."""
        check_rows(rows, self.size)
        return Decay(self.size, self.decay).draw(rows, bits)

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """The coins of a distance."""
        return Decay(self.size, self.decay).client(inputs)


def _many_values(
    values: int, decay: Exact | None, name: str, parameters: Sequence[Parameter]
) -> Operator:
    """More values than weights are listed for: decay is at most 1."""
    if decay is None:
        raise ValueError(f"on more than {MAX_LISTED:,} values decay must be at most 1")
    if decay == ZERO:
        raise ValueError(f"on more than {MAX_LISTED:,} values decay must be above 0")
    domain = Domain(range(values))
    return Operator(domain, domain, DecayLaw(values, decay), name, parameters)


def exponential_mechanism(
    values: int,
    weights: Sequence[object] | None = None,
    decay: object = None,
    epsilon: object = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Give `weights` by distance, the last for all that are farther, or `decay`,
    or `epsilon` for the published decay.

    >>> [str(exponential_mechanism(3, decay="1/2").probability(0, y)) for y in range(3)]
    ['4/7', '2/7', '1/7']
    """
    check_values("an exponential mechanism", values)
    falls: Exact | None = None
    if sum(given is not None for given in (weights, decay, epsilon)) != 1:
        raise ValueError("an exponential mechanism takes one of weights, decay and epsilon")
    if weights is not None:
        given = [not_negative("a weight", weight, parameters) for weight in weights]
        if not given:
            raise ValueError("an exponential mechanism needs a weight")
    else:
        if epsilon is None:
            step = not_negative("decay", decay, parameters)
        else:  # the score has sensitivity k - 1 and counts twice, in the weight and in the sum
            step = decay_of(epsilon, 2 * max(1, values - 1))
        falls = step if not not_probability(step, parameters) else None
        if values > MAX_LISTED:
            return _many_values(values, falls, name, parameters)
        given = [simplify(step**distance) if distance else ONE for distance in range(values)]
    law = ExponentialLaw(values, tuple(given[: min(values, MAX_WEIGHTS)]), falls)
    for depth, whole in enumerate(law.sums):
        if whole == ZERO or (is_symbolic(whole) and 0 in possible_signs(whole, parameters)):
            raise ValueError(f"all outputs of the input {depth} may have weight 0")
    domain = Domain(range(values))
    return Operator(domain, domain, law, name, parameters)
