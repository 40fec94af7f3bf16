"""Law: how an operator's probabilities are held, as a matrix or as a family in closed form."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ppdm_formal.numbers.exact import ONE, ZERO, Exact, is_rational
from ppdm_formal.operator.alike import (
    Ratio,
    Support,
    Take,
    alike_ratios,
    keep_or_replace,
    ratios_of_two,
)
from ppdm_formal.operator.cut import Steps, weights
from ppdm_formal.operator.domain import Domain
from ppdm_formal.operator.draw import Bits
from ppdm_formal.operator.matrix import CodedMatrix
from ppdm_formal.operator.pair import PairClass, pair_classes
from ppdm_formal.operator.view import InputClass, InputLabels, View

MAX_KEPT_CUTS = 1 << 23
"""So many cuts of a matrix's rows are kept for the next draw (64 MiB)."""


class Law(Protocol):
    """How an operator's probabilities are held: a matrix, or a family known in closed form."""

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """The distinct views, inputs told apart by their labels as well."""

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The view of one output, by its position."""

    def entry(self, row: int, column: int) -> Exact:
        """p[x -> y] by positions."""

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """For two inputs, by position: the pairs of likelihoods, and how many outputs show each."""

    def unlike_pairs(self) -> Iterable[tuple[int, int]]:
        """Pairs of inputs; any two different ones are like one of these, in some order.

        Or mixtures of its two, where inputs are many: what is convex in rows is no greater then.
        """

    def support(self) -> Support | None:
        """How the published decoder counts reports; None where there is none like that."""

    def ratios(self, take: Take) -> Sequence[Ratio] | None:
        """Where all inputs are alike: how much likelier than on average outputs are."""

    def mass(self) -> Exact:
        """What each row sums to; for a family in closed form, since no one can add it up."""

    def values(self) -> Sequence[Exact]:
        """All values that occur (or bound those that do)."""

    def matrix(self) -> CodedMatrix:
        """The whole matrix; TooLarge where it does not fit."""

    def map(self, change: Callable[[Exact], Exact]) -> Law:
        """The same law with each value changed (parameters given values)."""

    def draw(self, rows: npt.NDArray[np.int64], bits: Bits) -> npt.NDArray[np.int64]:
        """For each input, by its position, an output drawn exactly with p[x -> y]."""


def check_rows(rows: npt.NDArray[np.int64], count: int) -> None:
    """Refuse positions that no input has; NumPy would take some of them from the end."""
    if rows.size and not 0 <= rows.min() <= rows.max() < count:
        raise IndexError(f"a position outside 0..{count - 1}")


@dataclass(frozen=True)
class MatrixLaw:
    """A law held as a coded matrix."""

    coded: CodedMatrix

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """Group equal columns; see CodedMatrix.column_groups."""
        views = []
        for group in self.coded.column_groups(labels.labels, len(labels.meanings)):
            classes = []
            for example, label, code, count in sorted(
                zip(group.examples, group.labels, group.codes, group.counts, strict=True)
            ):
                prior, member, knowledge = labels.meanings[int(label)]
                likelihood = self.coded.palette[int(code)]
                classes.append(
                    InputClass(
                        likelihood, int(count), inputs[int(example)], prior, member, knowledge
                    )
                )
            views.append(View(tuple(classes), group.columns, outputs[group.representative]))
        return views

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The view of a matrix of one column."""
        alone = CodedMatrix(self.coded.codes[:, column : column + 1], self.coded.palette)
        return MatrixLaw(alone).views(inputs, Domain([outputs[column]]), labels)[0]

    def certain(self) -> bool:
        """Whether every entry is 0 or 1: the output is a function of the input."""
        palette = self.coded.palette
        between = [code for code, value in enumerate(palette) if value not in (ZERO, ONE)]
        return not np.isin(self.coded.codes, between).any()

    def entry(self, row: int, column: int) -> Exact:
        """One entry."""
        return self.coded.entry(row, column)

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """Count the pairs of codes in two rows."""
        width = len(self.coded.palette)
        keys = self.coded.codes[first].astype(np.int64) * width + self.coded.codes[second]
        found, counts = np.unique(keys, return_counts=True)
        return pair_classes(
            (self.coded.palette[key // width], self.coded.palette[key % width], count)
            for key, count in zip(found.tolist(), counts.tolist(), strict=True)
        )

    def unlike_pairs(self) -> Iterable[tuple[int, int]]:
        """All of them."""
        return itertools.combinations(range(self.coded.shape[0]), 2)

    def support(self) -> Support | None:
        """A matrix comes with no decoder."""
        return None

    def ratios(self, take: Take) -> Sequence[Ratio] | None:
        """From one row, where all pairs of rows are alike."""
        two = keep_or_replace(self.coded)
        if two is not None:
            return ratios_of_two(self.coded.shape[0], *map(take, two))
        if self._alike is None:
            return None
        parts = ((take(own), take(mean), many) for own, mean, many in self._alike)
        return [Ratio(many * own, own / mean) for own, mean, many in parts]

    @cached_property
    def _alike(self) -> list[tuple[Exact, Exact, int]] | None:
        return alike_ratios(self.coded)

    def mass(self) -> Exact:
        """1, or else the first sum of a row that is not."""
        return next((value for _, value in self.coded.row_sums() if value != ONE), ONE)

    def values(self) -> Sequence[Exact]:
        """The palette."""
        return self.coded.palette

    def matrix(self) -> CodedMatrix:
        """The matrix itself."""
        return self.coded

    def map(self, change: Callable[[Exact], Exact]) -> MatrixLaw:
        """Change the palette."""
        return MatrixLaw(self.coded.map(change))

    def draw(self, rows: npt.NDArray[np.int64], bits: Bits) -> npt.NDArray[np.int64]:
        """Inputs grouped, so that each row's cuts are searched once a group."""
        check_rows(rows, self.coded.shape[0])
        short = np.min_scalar_type(self.coded.shape[0] - 1)  # short integers sort fastest
        order = np.argsort(rows.astype(short), kind="stable")
        inputs, starts = np.unique(rows[order], return_index=True)
        words = bits.words(rows.size)
        found = np.empty(rows.size, dtype=np.int64)
        ends = [*starts.tolist(), rows.size][1:]
        for row, start, end in zip(inputs.tolist(), starts.tolist(), ends, strict=True):
            found[order[start:end]] = bits.settle(self._steps(row, bits.width), words[start:end])
        return found

    @cached_property
    def _weights(self) -> tuple[npt.NDArray[Any], int]:
        return weights(self.coded.palette)

    @cached_property
    def _kept(self) -> dict[tuple[int, int], Steps]:
        return {}

    def _steps(self, row: int, width: int) -> Steps:
        """The cuts of one row, kept where all rows' cuts together are few enough."""
        steps = self._kept.get((row, width))
        if steps is None:
            if all(map(is_rational, self.coded.palette)):
                tops, whole = self._weights
                steps = Steps.of_weights(tops[self.coded.codes[row]], whole, width)
            else:
                codes = self.coded.codes[row].tolist()
                steps = Steps.distribution([self.coded.palette[code] for code in codes], width)
            if self.coded.codes.size <= MAX_KEPT_CUTS:
                self._kept[row, width] = steps
        return steps
