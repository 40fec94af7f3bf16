"""Hadamard response (Acharya, Sun, Zhang 2019): a column where the row of x is likely to be +1.

Outputs are the K columns of the Hadamard matrix of order K = 2^r, the least above k. Row x + 1 is
+1 in the half of the columns whose bits share an even number of ones with x + 1; those are
gamma = e^epsilon times as likely as the others:

    p[x -> y] = 2/K * (gamma if <x + 1, y> is even else 1) / (gamma + 1)

How many inputs of a kind an output favours is a Walsh-Hadamard transform of that kind's members.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic, simplify, total
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import check_values, ratio_of
from ppdm_formal.declare.operators.alike import Ratio, Support, Take
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Law, Spelled, check_rows
from ppdm_formal.declare.operators.matrix import CodedMatrix, TooLarge, check_cells
from ppdm_formal.declare.operators.pair import CrowdPair, PairClass, crowd_kinds, pair_classes
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.shipped import odds_json, values_json
from ppdm_formal.declare.operators.view import InputClass, InputLabels, View

MAX_COUNTS = 1 << 25
"""Most counts (kinds of inputs times outputs) that are worked out for views under a prior."""

MAX_CLASSES = 500_000
"""Most classes of inputs that the views of an operator hold together."""


@dataclass(frozen=True)
class HadamardLaw(Law):
    """The law: 2^order columns, the even ones of a row at one likelihood, the odd at another."""

    size: int
    order: int
    even: Exact
    odd: Exact

    @property
    def columns(self) -> int:
        """K, how many outputs there are."""
        return 1 << self.order

    def spelled(self) -> Spelled:
        """By how much likelier the even columns are."""
        return Spelled("hadamard_response", {"gamma": self.even / self.odd})

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """Outputs that favour equally many inputs of each label show the same view."""
        if self.even == self.odd:
            view = self.view_of(0, inputs, outputs, labels)
            return [replace(view, outputs=self.columns)]
        kinds = len(labels.meanings)
        if kinds * self.columns > MAX_COUNTS:
            raise TooLarge(
                f"{self.size:,} values of {kinds:,} kinds (by prior and properties) are too many "
                "to count for each output"
            )
        favoured = np.empty((self.columns, kinds), dtype=np.int64)
        for kind in range(kinds):
            members = np.zeros(self.columns, dtype=np.int64)
            members[1 : self.size + 1] = labels.labels == kind
            favoured[:, kind] = _transformed(members)
        _, first, alike = np.unique(favoured, axis=0, return_index=True, return_counts=True)
        if len(first) * 2 * kinds > MAX_CLASSES:
            raise TooLarge(f"outputs show {len(first):,} views of {2 * kinds:,} classes of inputs")
        return [
            replace(self.view_of(column, inputs, outputs, labels), outputs=many)
            for column, many in sorted(zip(first.tolist(), alike.tolist(), strict=True))
        ]

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The inputs whose row is +1 in the column, and the others, each by their labels."""
        odd = _odd(np.arange(1, self.size + 1) & column)
        if self.even == self.odd:
            odd[:] = 0
        keys, first, counts = np.unique(
            labels.labels * 2 + odd, return_index=True, return_counts=True
        )
        classes = [
            InputClass(
                self.odd if key % 2 else self.even, count, inputs[start], *labels.meanings[key // 2]
            )
            for start, key, count in sorted(
                zip(first.tolist(), keys.tolist(), counts.tolist(), strict=True)
            )
        ]
        return View(tuple(classes), 1, outputs[column])

    def entry(self, row: int, column: int) -> Exact:
        """p[x -> y] by positions."""
        return self.odd if ((row + 1) & column).bit_count() % 2 else self.even

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """Two different rows meet each of the four cases in a quarter of the columns."""
        even, odd = self.even, self.odd
        if first == second:
            half = self.columns // 2
            return pair_classes([(even, even, half), (odd, odd, half)])
        quarter = self.columns // 4
        return pair_classes((a, b, quarter) for a in (even, odd) for b in (even, odd))

    def unlike_pairs(self) -> list[tuple[int, int]]:
        """Any two inputs are like any others."""
        return [(0, 1)] if self.size > 1 else []

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """By the signs of the rows 1, 2 and 4; column 0 is even in all rows, and tells nothing.

        Every other column is odd in some row, since rows are all powers of 2 below K; and even in
        1, 2 or 3, where there is a row 3. Each of the signs of three rows that do not add up to 0
        is met in an eighth of the columns.
        """
        if is_symbolic(self.even) or is_symbolic(self.odd):
            return None
        if self.size == 1:
            return ()
        other = min(3, self.size - 1)
        shown = min(8, self.columns)  # the columns that differ in the bits of these rows
        parts: list[tuple[int, tuple[Exact, ...]]] = []
        for column in range(shown):
            first, second, third = (self.entry(row, column) for row in (0, 1, other))
            least = min(first, second) if self.size == 2 else min(self.even, self.odd)
            alone = int(column == 0)
            parts.append((alone, (self.even,) * 4))
            parts.append((self.columns // shown - alone, (first, second, least, third)))
        return (CrowdPair(0, 1, other, crowd_kinds(parts)),)

    def support(self) -> Support:
        """A report supports the values whose rows are +1 in its column: half of them."""
        return Support(simplify(self.even * (self.columns // 2)), Fraction(1, 2))

    def ratios(self, take: Take) -> Sequence[Ratio] | None:
        """Where every row but the constant one is a value; column 0 then says nothing."""
        if self.size != self.columns - 1:
            return None
        even, odd, half = take(self.even), take(self.odd), self.columns // 2
        mean = ((half - 1) * even + half * odd) * take(Fraction(1, self.size))
        return [
            Ratio(even, take(Fraction(1))),
            Ratio((half - 1) * even, even / mean),
            Ratio(half * odd, odd / mean),
        ]

    def mass(self) -> Exact:
        """Half of the columns at each likelihood."""
        return total([(self.columns // 2, self.even), (self.columns // 2, self.odd)])

    def values(self) -> Sequence[Exact]:
        """The two likelihoods."""
        return (self.even, self.odd)

    def matrix(self) -> CodedMatrix:
        """The matrix written out."""
        check_cells(self.size, self.columns)
        shared = np.arange(1, self.size + 1)[:, None] & np.arange(self.columns)
        return CodedMatrix(_odd(shared), (self.even, self.odd))

    def map(self, change: Callable[[Exact], Exact]) -> HadamardLaw:
        """The same law with parameters given values."""
        return HadamardLaw(self.size, self.order, change(self.even), change(self.odd))

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """Any column; if its sign is not what a coin says, with one bit of x + 1 changed."""
        check_rows(rows, self.size)
        heads = simplify(self.even * (self.columns // 2))
        wanted = ~bits.coins(Steps.heads(heads, bits.width), rows.size)
        drawn = bits.below(np.full(rows.size, self.columns, dtype=np.int64))
        number = rows.astype(np.int64) + 1
        wrong = _odd(number & drawn) != wanted
        return np.where(wrong, drawn ^ (number & -number), drawn)

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """How likely the sign is even; any column of that sign is as likely as any other."""
        even = odds_json(self.even * (self.columns // 2))
        return {
            "kind": "hadamard",
            "inputs": values_json(inputs),
            "order": self.order,
            "even": even,
        }


def _odd(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Whether the numbers have an odd number of ones, as 0 or 1."""
    found = numbers.astype(np.int64)
    for shift in (32, 16, 8, 4, 2, 1):
        found ^= found >> shift
    return found & 1


def _transformed(members: Integers) -> Integers:
    """For each column y the sum of members[x] (-1)^<x, y>."""
    found, step = members.copy(), 1
    while step < found.size:
        halves = found.reshape(-1, 2, step)
        found = np.stack([halves[:, 0] + halves[:, 1], halves[:, 0] - halves[:, 1]], axis=1).ravel()
        step *= 2
    return found


def hadamard_response(
    values: int,
    gamma: object = None,
    epsilon: object = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Answer with a column whose sign in the row of x is gamma times as likely to be +1.

    >>> hadamard_response(8, 3).probability(0, 0)
    Fraction(3, 32)
    """
    check_values("Hadamard response", values)
    ratio = ratio_of(gamma, epsilon, parameters)
    order = values.bit_length()
    odd = simplify(Fraction(2, 1 << order) / (ratio + 1))
    law = HadamardLaw(values, order, simplify(ratio * odd), odd)
    return Operator(Domain(range(values)), Domain(range(1 << order)), law, name, parameters)
