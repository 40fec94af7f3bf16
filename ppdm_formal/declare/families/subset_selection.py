"""Subset selection (Ye, Barg 2018; Wang et al. 2016): d of the k values, x likelier among them.

Every set y of d values is an output, gamma = e^epsilon times as likely if x is in it:

    p[x -> y] = (gamma if x in y else 1) / (gamma C(k - 1, d - 1) + C(k - 1, d))

The best size is d = k / (gamma + 1), rounded.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ONE, Exact, is_symbolic, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import check_values, ratio_of
from ppdm_formal.declare.families.chosen_sets import few_of, many_of
from ppdm_formal.declare.families.crowd_overlap import Meeting, Parts, pairs_of
from ppdm_formal.declare.families.overlap import MAX_ENTRY_ITEMS, OverlapLaw, single_json
from ppdm_formal.declare.families.single_values import SingleValues
from ppdm_formal.declare.operators.alike import Support, Take
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Spelled
from ppdm_formal.declare.operators.pair import CrowdPair, PairClass, pair_classes
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Batch
from ppdm_formal.declare.operators.report_set import SetReport
from ppdm_formal.declare.operators.shipped import odds_json


@dataclass(frozen=True)
class ChosenSubset(OverlapLaw):
    """The law on transactions of one item; one view, since all outputs have d items."""

    chosen: int
    gamma: Exact

    def __post_init__(self) -> None:
        if self.chosen == self.items:  # all values, whatever x: gamma is without effect
            object.__setattr__(self, "gamma", ONE)

    def spelled(self) -> None:
        """As a law on values alone."""
        return

    def spelled_alone(self) -> Spelled:
        """By gamma, and how many values are chosen."""
        return Spelled("subset_selection", {"gamma": self.gamma, "chosen": self.chosen})

    @property
    def output_sizes(self) -> range:
        """One size."""
        return range(self.chosen, self.chosen + 1)

    @cached_property
    def holding(self) -> Exact:
        """How likely it is that x is in its set: gamma d / (gamma d + k - d)."""
        weight = self.gamma * self.chosen
        return simplify(weight / (weight + (self.items - self.chosen)))

    @cached_property
    def _likelihoods(self) -> tuple[Exact, Exact]:
        """Without x and with it: a share of the sets that lack it, or that hold it."""
        lack = math.comb(self.items - 1, self.chosen)
        hold = math.comb(self.items - 1, self.chosen - 1)
        return (
            simplify((1 - self.holding) / lack) if lack else ONE - self.holding,
            simplify(self.holding / hold),
        )

    def likelihood(self, width: int, overlap: int) -> Exact:
        """One of two numbers."""
        return self._likelihoods[overlap]

    def ratio(self, width: int, overlap: int) -> Exact:
        """Gamma for sets that hold x."""
        return self.gamma if overlap else ONE

    @property
    def relative(self) -> bool:
        """Only where the probabilities have too many digits."""
        return self.items > MAX_ENTRY_ITEMS

    def support(self) -> Support:
        """X is held, or one of the others, of which there are d in all."""
        others = max(1, self.items - 1)
        other = simplify((self.chosen - self.holding) / others)
        return Support(self.holding, other, (self.items, self.size))

    def told_apart(self) -> tuple[Exact, Exact]:
        """X1 is held or not, and x2 then by its share of what is left."""
        others = self.items - 1
        lacking = Fraction(self.items - self.chosen, others)
        holding = Fraction(self.chosen, others)
        return simplify(self.holding * lacking), simplify((1 - self.holding) * holding)

    def by_size(self, take: Take) -> list[tuple[int, Any, Any]]:
        """One size."""
        holding = take(self.holding)
        return [(self.chosen, holding, 1 - holding)]

    def mass(self) -> Exact:
        """Sets that hold x, and sets that lack it."""
        weight = self.gamma * self.chosen
        rest = self.items - self.chosen
        return simplify(self.holding + rest / (weight + rest))

    def values(self) -> Sequence[Exact]:
        """Gamma, and the chance to be held."""
        return (self.gamma, self.holding)

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """Sets that hold both values, one of them, or neither."""
        lack, hold = self._likelihoods
        if first == second:
            held = math.comb(self.items - 1, self.chosen - 1)
            return pair_classes(
                [(hold, hold, held), (lack, lack, math.comb(self.items - 1, self.chosen))]
            )
        others = self.items - 2
        both = math.comb(others, self.chosen - 2) if self.chosen > 1 else 0
        one = math.comb(others, self.chosen - 1)
        neither = math.comb(others, self.chosen)
        return pair_classes(
            [(hold, hold, both), (hold, lack, one), (lack, hold, one), (lack, lack, neither)]
        )

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """By whether the set holds the two values, and a third one; without numbers of all sets."""
        if any(map(is_symbolic, self.values())):
            return None
        return pairs_of(self.items, self.size, self._crowd_parts)

    def _crowd_parts(self, met: Meeting) -> Parts:
        """Any d of the k values, weighed by whether x is among them."""
        weights = (ONE, self.gamma)
        least = min(weights) if self.chosen < self.items else self.gamma
        mean = (self.gamma * self.chosen + (self.items - self.chosen)) / self.items
        for held in itertools.product((0, 1), repeat=2 + met.third):
            chance = ONE
            for seen, bit in enumerate(held):
                rest = self.items - seen
                inside = Fraction(self.chosen - sum(held[:seen]), rest)
                chance *= inside if bit else 1 - inside
            first, second, other = (weights[held[place]] for place in (0, 1, -1))
            yield chance / mean, (first, second, least, other)

    def draw_members(self, members: Integers, bits: Bits) -> tuple[Integers, Integers]:
        """As they are packed."""
        rows = self._report.members(self.draw_packed(members, bits))
        return rows.ravel(), np.arange(len(members) + 1) * self.chosen

    def draw_packed(self, members: Integers, bits: Bits) -> Batch:
        """A coin for x, then d or d - 1 of the other values, every set of them equally likely."""
        own = members[:, 0]
        held = bits.coins(Steps.heads(self.holding, bits.width), len(own))
        wanted = self.chosen - held.astype(np.int64)
        if self.chosen * self.chosen <= self.items:
            return self._report.of_members(few_of(self.items, own, held, wanted, bits))
        return self._report.of_bits(many_of(self.items, own, held, wanted, bits))

    @cached_property
    def _report(self) -> SetReport:
        return SetReport(self.items, self.chosen)

    def client_alone(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """A coin for holding x."""
        parts = {"chosen": self.chosen, "holding": odds_json(self.holding)}
        return single_json(inputs, {"kind": "chosen", "items": self.items, **parts})

    def map(self, change: Callable[[Exact], Exact]) -> ChosenSubset:
        """The same law with parameters given values."""
        return ChosenSubset(self.items, self.size, self.chosen, change(self.gamma))


def subset_selection(
    values: int,
    gamma: object = None,
    chosen: int | None = None,
    epsilon: object = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Sets of `chosen` values; without it, of the best number for gamma.

    >>> [(str(c.likelihood), c.count) for c in subset_selection(4, 3).views()[0].classes]
    [('1/2', 1), ('1/6', 3)]
    """
    check_values("subset selection", values)
    ratio = ratio_of(gamma, epsilon, parameters)
    if chosen is None:
        if is_symbolic(ratio):
            raise ValueError("a gamma with free parameters needs chosen, the size of the sets")
        chosen = max(1, round(values / (ratio + 1)))
    if not 1 <= chosen <= values:
        raise ValueError(f"sets of {chosen} values: 1 to {values} of them can be chosen")
    law = SingleValues(ChosenSubset(values, 1, chosen, ratio))
    return Operator(Domain(range(values)), law.sets.outputs(), law, name, parameters)
