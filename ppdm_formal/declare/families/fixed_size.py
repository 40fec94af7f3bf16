"""Fixed-size reports (PrivSet, Wang et al. 2018, and more): d of n items, weighed by |t ∩ t'|.

Every set t' of d items is an output. With j = |t ∩ t'| it has the weight w[j], divided by the mean
W of the weights, which is the same for all transactions t of m items:

    p[t -> t'] = w[j] / (W C(n, d)),    W = sum of w[j] C(d, j) C(n - d, m - j) / C(n, m)

PrivSet is w[0] = 1, w[1] = ... = w[m] = gamma: a report is gamma times as likely if it meets t.
Cutoff c weighs it so where more than c items of t are in it. Weights that rise by one step each
are what one item of t shows that is drawn first, and then hidden among d (pad_and_sample.py).
For n much larger than m the best PrivSet has the error 4 m / (gamma - 1) a client, at support 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import (
    ONE,
    ZERO,
    Exact,
    exact,
    is_rational,
    simplify,
    total,
)
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import not_negative
from ppdm_formal.declare.families.overlap import OverlapLaw
from ppdm_formal.declare.families.select_a_size import Runs, by_runs, check_sizes
from ppdm_formal.declare.operators.alike import Support
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Spelled
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.shipped import listed_json


@dataclass(frozen=True)
class FixedSize(OverlapLaw):
    """The law; one view, since all outputs have d items. weights: w[0], ..., w[m], w[0] = 1."""

    chosen: int
    weights: tuple[Exact, ...]

    def spelled(self) -> Spelled:
        """By gamma and the cutoff where there are two weights in a step, else by all of them."""
        runs = by_runs(self.weights)
        if len(runs) > 2:
            return Spelled("fixed_size", {"chosen": self.chosen, "balance": runs})
        gamma, cutoff = (self.weights[-1], runs[0][1] - 1) if len(runs) == 2 else (ONE, 0)
        return Spelled("fixed_size", {"chosen": self.chosen, "gamma": gamma, "cutoff": cutoff})

    @property
    def output_sizes(self) -> range:
        """One size."""
        return range(self.chosen, self.chosen + 1)

    @cached_property
    def _met(self) -> tuple[Exact, ...]:
        """How likely a uniform report meets t in j items: C(d, j) C(n - d, m - j) / C(n, m)."""
        whole = math.comb(self.items, self.size)
        rest = self.items - self.chosen
        return tuple(
            exact(math.comb(self.chosen, j) * math.comb(rest, self.size - j)) / whole
            for j in range(self.size + 1)
        )

    @cached_property
    def mean(self) -> Exact:
        """W, the mean weight of the outputs."""
        return total((1, met * w) for met, w in zip(self._met, self.weights, strict=True))

    @cached_property
    def keep(self) -> tuple[Exact, ...]:
        """p[j]: how likely the report holds j items of t."""
        return tuple(
            simplify(met * weight / self.mean)
            for met, weight in zip(self._met, self.weights, strict=True)
        )

    def likelihood(self, width: int, overlap: int) -> Exact:
        """w[j] / (W C(n, d))."""
        return simplify(self.weights[overlap] / (self.mean * math.comb(self.items, self.chosen)))

    def ratio(self, width: int, overlap: int) -> Exact:
        """w[j]."""
        return self.weights[overlap]

    def support(self) -> Support:
        """An item of t is among the j that are held; the others are as likely as each other."""
        held = total(enumerate(self.keep))
        others = max(1, self.items - self.size)
        outside = simplify((self.chosen - held) / others)
        return Support(simplify(held / self.size), outside, (self.items, self.size))

    def mass(self) -> Exact:
        """C(m, j) C(n - m, d - j) outputs have the weight w[j]."""
        outside = self.items - self.size
        ways = (
            (math.comb(self.size, j) * math.comb(outside, self.chosen - j), weight)
            for j, weight in enumerate(self.weights)
            if j <= self.chosen
        )
        return simplify(total(ways) / (self.mean * math.comb(self.items, self.chosen)))

    def values(self) -> Sequence[Exact]:
        """The weights."""
        return self.weights

    def draw_members(self, members: Integers, bits: Bits) -> tuple[Integers, Integers]:
        """How many items of t, which of them, then the others by Floyd's sampling."""
        count = len(members)
        stays = bits.choose(Steps.distribution(self.keep, bits.width), count)
        held = np.zeros((count, self.items), dtype=bool)
        rows, ranks = np.nonzero(self._others(self.chosen - stays, bits))
        for place in range(self.size):  # from ranks among the items outside t to the items
            ranks += ranks >= members[rows, place]
        held[rows, ranks] = True
        left = stays
        for place in range(self.size):  # selection sampling
            here = bits.below(np.full(count, self.size - place, dtype=np.int64)) < left
            held[np.arange(count), members[:, place]] = here
            left = left - here
        found = np.nonzero(held)[1].astype(np.int64)
        return found, np.arange(count + 1) * self.chosen

    def _others(self, many: Integers, bits: Bits) -> Any:
        """In each row so many of the items outside t; where that is most of them, those left out.

        Step by step one of the first k + 1 ranks, or the last of these if that is taken.
        """
        outside = self.items - self.size
        inverted = 2 * self.chosen > outside
        wanted = outside - many if inverted else many
        taken = np.zeros((len(many), outside), dtype=bool)
        for step in range(int(wanted.max(initial=0))):
            rows = np.flatnonzero(wanted > step)
            top = outside - wanted[rows] + step
            drawn = bits.below(top + 1)
            taken[rows, np.where(taken[rows, drawn], top, drawn)] = True
        return ~taken if inverted else taken

    def client(self, inputs: Any, outputs: Any) -> dict[str, Any]:
        """As select-a-size, but for how many other items come in."""
        return {"kind": "sizes", "items": self.items, "sizes": {str(self.size): self.shipped()}}

    def shipped(self) -> dict[str, Any]:
        """What a client draws with: p[j] and d."""
        return {"keep": listed_json(self.keep), "chosen": self.chosen}

    def map(self, change: Callable[[Exact], Exact]) -> FixedSize:
        """The same law with parameters given values."""
        return FixedSize(self.items, self.size, self.chosen, tuple(map(change, self.weights)))


def fixed_size_law(items: int, size: int, chosen: int, weights: Sequence[Exact]) -> FixedSize:
    """The law with these weights, up to a factor; those that no output has are the one before's."""
    check_sizes(items, size)
    if not 1 <= chosen <= items:
        raise ValueError(f"reports of {chosen} items: 1 to {items} of them can be chosen")
    least, most = max(0, size + chosen - items), min(size, chosen)
    seen = [weights[min(max(j, least), most)] for j in range(size + 1)]
    if seen[0] == ZERO and all(map(is_rational, seen)):
        raise ValueError("a report that shares as little as can be must have a weight above 0")
    return FixedSize(items, size, chosen, tuple(simplify(w / seen[0]) for w in seen))


def fixed_size(
    items: int,
    size: int,
    chosen: int,
    gamma: object = None,
    cutoff: int | None = None,
    balance: Runs | None = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Reports of `chosen` of the items on all transactions of `size` items.

    Give `gamma`, the weight of reports that hold more than `cutoff` items of t (without it: any);
    or `balance`, the weights w[0], ..., w[m] up to a factor as (value, how many in a row).

    >>> report = fixed_size(5, 2, 1, gamma=19)
    >>> [(str(part.likelihood), part.count) for part in report.views()[0].classes]
    [('19/41', 4), ('1/41', 6)]
    """
    check_sizes(items, size)
    if (gamma is None) == (balance is None) or (balance is not None and cutoff is not None):
        raise ValueError("fixed-size reports take either gamma (with a cutoff) or balance")
    if balance is not None:
        weights = _weights_of(balance, size, parameters)
    else:
        step = 0 if cutoff is None else cutoff
        if not 0 <= step < size:
            raise ValueError(f"the cutoff must be one of 0..{size - 1}, not {step}")
        ratio = not_negative("gamma", gamma, parameters)
        # Where all reports are on one side of the cutoff, gamma is without effect.
        if max(0, size + chosen - items) > step or min(size, chosen) <= step:
            ratio = ONE
        weights = [ratio if j > step else ONE for j in range(size + 1)]
    law = fixed_size_law(items, size, chosen, weights)
    return Operator(law.inputs(), law.outputs(), law, name, parameters)


def _weights_of(runs: Runs, size: int, parameters: Sequence[Parameter]) -> list[Exact]:
    """w[0..m] from their runs: numbers of at least 0, whatever the parameters are."""
    if any(many < 1 for _, many in runs) or sum(many for _, many in runs) != size + 1:
        raise ValueError(f"fixed_size: balance does not have {size + 1} weights, w[0] to w[{size}]")
    return [
        weight
        for value, many in runs
        for weight in [not_negative("a weight in balance", value, parameters)] * many
    ]
