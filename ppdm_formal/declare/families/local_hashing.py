"""Local hashing (Wang, Blocki, Li, Jha 2017): a random hash of x to g buckets, by g-ary response.

A client draws one of the p (p - 1) functions H[a, b](x) = ((a x + b) mod p) mod g of Carter and
Wegman, p the least prime with p >= k and p >= 2 (declare/operators/report_hashed.py), and sends
its number h with the bucket of x with probability `keep`, with any other bucket otherwise:

    p[x -> (h, y)] = 1/(p (p - 1)) * (keep if H_h(x) = y else (1 - keep)/(g - 1))

The published keep = gamma/(gamma + g - 1) gives the amplification gamma = e^epsilon; g = gamma + 1
is the optimized form. Two different values x, x' fall in one bucket with one probability c,
whichever they are: (a x + b, a x' + b) mod p runs through every pair of different numbers once,
since a = (v - v')/(x - x') and b = v - a x. So c is the share of pairs that are equal modulo g,
at most 1/g, and a report of x supports x' with c keep + (1 - c)(1 - keep)/(g - 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import check_values, probability, ratio_of
from ppdm_formal.declare.families.pairs import Pairs
from ppdm_formal.declare.operators.alike import Ratio, Support, Take
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Law, Spelled, check_rows
from ppdm_formal.declare.operators.matrix import CodedMatrix, TooLarge, check_cells
from ppdm_formal.declare.operators.pair import CrowdPair, PairClass, crowd_kinds, pair_classes
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Batch, Report
from ppdm_formal.declare.operators.report_hashed import Functions, HashedReport
from ppdm_formal.declare.operators.shipped import odds_json, values_json
from ppdm_formal.declare.operators.view import InputClass, InputLabels, View, extreme_view

MAX_WRITTEN = 1 << 24
"""Most entries of the matrix that views are read from; past them, what is known in closed form."""

MAX_COMPARED = 200_000
"""Most entries of a matrix whose rows are compared among a crowd."""


MAX_PAIR_VALUES = 50
"""On more values what a pair of them shows is added up."""


@dataclass(frozen=True)
class HashedLaw(Law):
    """The law on pairs of a function's number and a bucket."""

    functions: Functions
    keep: Exact

    @cached_property
    def other(self) -> Exact:
        """The chance of each bucket that is not that of x."""
        return simplify((1 - self.keep) / (self.functions.buckets - 1))

    @cached_property
    def _share(self) -> Fraction:
        return Fraction(1, self.functions.count)

    @cached_property
    def _likelihoods(self) -> tuple[Exact, Exact]:
        """Of a bucket that is not that of x, and of that of x."""
        return simplify(self.other * self._share), simplify(self.keep * self._share)

    def spelled(self) -> Spelled:
        """How many values there are is told by the inputs, and that tells the prime."""
        return Spelled("local_hashing", {"buckets": self.functions.buckets, "keep": self.keep})

    def mass(self) -> Exact:
        """One bucket of each function is that of x."""
        return simplify(self.keep + (self.functions.buckets - 1) * self.other)

    def values(self) -> Sequence[Exact]:
        """The two chances of a bucket, once the function is drawn."""
        return (self.keep, self.other)

    def map(self, change: Callable[[Exact], Exact]) -> HashedLaw:
        """The same law with parameters given values."""
        return HashedLaw(self.functions, change(self.keep))

    def _check_written(self) -> None:
        cells = self.functions.values * self.functions.count * self.functions.buckets
        if cells > MAX_WRITTEN:
            raise TooLarge(
                f"local hashing on {self.functions.values:,} values has {self.functions.count:,} "
                f"hash functions of {self.functions.buckets:,} buckets: too many to go through. "
                "Breaches by one report under all priors, amplification and (epsilon, delta) are "
                "decided on any number of values; under a prior, unary_encoding is"
            )

    def matrix(self) -> CodedMatrix:
        """Written out: every function's buckets."""
        shape = self.functions
        check_cells(shape.values, shape.count * shape.buckets)
        hashed = shape.hashed(np.arange(shape.count), np.arange(shape.values)[:, None])
        held = hashed[:, :, None] == np.arange(shape.buckets)
        other, own = self._likelihoods
        if own == other:
            return CodedMatrix(np.zeros((shape.values, held[0].size), dtype=np.uint8), (own,))
        return CodedMatrix(held.reshape(shape.values, -1).astype(np.uint8), (other, own))

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """From the matrix, while it is small."""
        self._check_written()
        return super().views(inputs, outputs, labels)

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The values that the function puts in the bucket, and the others, by their labels."""
        number, bucket = divmod(column, self.functions.buckets)
        places = np.arange(self.functions.values)
        held = (self.functions.hashed(np.array([number]), places) == bucket).astype(np.int64)
        if self.other == self.keep:
            held[:] = 0
        keys, first, counts = np.unique(
            labels.labels * 2 + held, return_index=True, return_counts=True
        )
        found = sorted(zip(first.tolist(), keys.tolist(), counts.tolist(), strict=True))
        classes = [
            InputClass(self._likelihoods[key % 2], count, inputs[start], *labels.meanings[key // 2])
            for start, key, count in found
        ]
        return View(tuple(classes), 1, outputs[column])

    def extreme(self, inputs: Domain, outputs: Domain) -> View | None:
        """Some function tells the first value from the last, and no output shows more."""
        return extreme_view(inputs, outputs, self.keep, self.other)

    def entry(self, row: int, column: int) -> Exact:
        """By the bucket of x."""
        number, bucket = divmod(column, self.functions.buckets)
        return self._likelihoods[self.functions.bucket(number, row) == bucket]

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """By how many functions put both in one bucket."""
        other, own = self._likelihoods
        functions, buckets = self.functions.count, self.functions.buckets
        if first == second:
            return pair_classes([(own, own, functions), (other, other, functions * (buckets - 1))])
        together = int(functions * self.functions.collision)
        apart = functions - together
        neither = functions * buckets - together - 2 * apart
        return pair_classes(
            [
                (own, own, together),
                (own, other, apart),
                (other, own, apart),
                (other, other, neither),
            ]
        )

    def unlike_pairs(self) -> list[tuple[int, int]]:
        """Any two values are like any others."""
        return [(0, 1)] if self.functions.values > 1 else []

    def summed_pair(self) -> tuple[tuple[Exact, Exact], ...] | None:
        """Over functions that tell the two values apart, and over all others."""
        if self.functions.values <= MAX_PAIR_VALUES:
            return None
        apart = 1 - self.functions.collision
        own, other = simplify(apart * self.keep), simplify(apart * self.other)
        rest = simplify(1 - own - other)
        return (own, other), (other, own), (rest, rest)

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """By the likelihoods of a pair, no third value looked at; small ones compare their rows."""
        if is_symbolic(self.keep):
            return None
        if self.functions.values == 1:
            return ()
        if self.functions.values * self.functions.count * self.functions.buckets <= MAX_COMPARED:
            return None
        least = min(self._likelihoods)
        parts = [(part.outputs, (part.first, part.second, least)) for part in self.pair(0, 1)]
        return (CrowdPair(0, 1, None, crowd_kinds(parts)),)

    def support(self) -> Support:
        """A report supports the values in its bucket."""
        c = self.functions.collision
        return Support(self.keep, simplify(c * self.keep + (1 - c) * self.other))

    def supported_odds(self) -> Exact | None:
        """In the bucket or not, whatever the function."""
        return None if self.other == 0 else simplify(self.keep / self.other)

    def ratios(self, take: Take) -> Sequence[Ratio] | None:
        """Where every number below the prime is a value; buckets then hold c or c + 1 of them."""
        shape = self.functions
        if shape.values != shape.prime or shape.values == 1:
            return None
        few, many = divmod(shape.prime, shape.buckets)
        own, other, found = take(self.keep), take(self.other), []
        for size, buckets in ((few + 1, many), (few, shape.buckets - many)):
            inside = Fraction(size, shape.values)
            mean = take(inside) * own + take(1 - inside) * other
            for share, chance in ((inside, own), (1 - inside, other)):
                if share and buckets and mean != 0:
                    found.append(Ratio(take(share * buckets) * chance, chance / mean))
        return found

    def draw_batch(self, rows: Integers, bits: Bits) -> Batch:
        """A function, a coin for the bucket of x, and any other bucket if it falls."""
        shape = self.functions
        check_rows(rows, shape.values)
        count = rows.size
        a = bits.below(np.full(count, shape.prime - 1, dtype=np.int64))
        number = a * shape.prime + bits.below(np.full(count, shape.prime, dtype=np.int64))
        own = shape.hashed(number, rows)
        kept = bits.coins(Steps.heads(self.keep, bits.width), count)
        other = bits.below(np.full(count, shape.buckets - 1, dtype=np.int64))
        other += other >= own
        return np.stack([number, np.where(kept, own, other)], axis=1)

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """By positions, where these are below 2^63."""
        report = HashedReport(self.functions)
        return report.positions(self.draw_batch(rows, bits))

    def report(self, outputs: Domain) -> Report:
        """The function's number and the bucket."""
        return HashedReport(self.functions)

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """The coin, and the family."""
        return {
            "kind": "hashed",
            "inputs": values_json(inputs),
            "prime": self.functions.prime,
            "buckets": self.functions.buckets,
            "keep": odds_json(self.keep),
        }


def least_prime(number: int) -> int:
    """The least prime that is at least the number, and 2.

    >>> least_prime(0), least_prime(10), least_prime(1_000_000)
    (2, 11, 1000003)
    """
    found = max(2, number)
    while any(found % d == 0 for d in range(2, int(found**0.5) + 1)):
        found += 1
    return found


def local_hashing(
    values: int,
    buckets: int,
    keep: object = None,
    gamma: object = None,
    epsilon: object = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Give `keep`, the chance of the right bucket, or `gamma` = e^epsilon, how much likelier it is.

    >>> hashing = local_hashing(100, 4, gamma=3)
    >>> str(hashing.law.keep), hashing.outputs.size, str(hashing.law.support().other)
    ('1/2', 40400, '25/101')
    """
    check_values("local hashing", values)
    if not 2 <= buckets <= 1_000_000:
        raise ValueError(f"local hashing needs 2 to 1,000,000 buckets, not {buckets}")
    if sum(given is not None for given in (keep, gamma, epsilon)) != 1:
        raise ValueError("local hashing takes one of keep, gamma and epsilon")
    if keep is not None:
        kept = probability("keep", keep, parameters)
    else:
        ratio = ratio_of(gamma, epsilon, parameters)
        kept = simplify(ratio / (ratio + (buckets - 1)))
    law = HashedLaw(Functions(values, least_prime(values), buckets), kept)
    outputs = Pairs(law.functions.count, buckets)
    return Operator(Domain(range(values)), outputs, law, name, parameters)
