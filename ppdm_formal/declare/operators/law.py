"""Law: how an operator's probabilities are held, as a matrix or as a family in closed form."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, Exact, is_rational
from ppdm_formal.declare.operators.alike import (
    Ratio,
    Support,
    Take,
    alike_ratios,
    keep_or_replace,
    ratios_of_two,
)
from ppdm_formal.declare.operators.cut import Steps, weights
from ppdm_formal.declare.operators.domain import Domain, Value
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.pair import (
    CrowdColumns,
    CrowdPair,
    PairClass,
    pair_classes,
)
from ppdm_formal.declare.operators.report import Batch, Listed, Report
from ppdm_formal.declare.operators.sets import SetOdds
from ppdm_formal.declare.operators.shipped import rows_json
from ppdm_formal.declare.operators.view import InputClass, InputLabels, View

Integers: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

MAX_KEPT_CUTS = 1 << 23
"""So many cuts of a matrix's rows are kept for the next draw (64 MiB)."""


@dataclass(frozen=True)
class Spelled:
    """A law as the call that builds it again: a family, and what it takes beside its domains.

    What inputs and outputs tell (how many values, which items, or the domains themselves) is not
    among the arguments: declare/families/by_place.py reads it from them.
    """

    family: str
    arguments: Mapping[str, Any]


class Law(ABC):
    """How an operator's probabilities are held: a matrix, or a family known in closed form.

    Nobody asks which law it is: what a law can say of itself is a method. What must be given is its
    matrix, its mass, its numbers and how they change, and its spelling; all else follows from the
    matrix, until a law knows better.
    """

    takes_sets: ClassVar[bool] = False
    """Whether inputs are sets of items, which draw_sets takes without numbering them."""

    gives_sets: ClassVar[bool] = False
    """Whether outputs are sets, which are drawn without numbering them."""

    rows_without_matrix: ClassVar[bool] = False
    """Whether float_rows needs no matrix, however many values there are."""

    # -- what must be given ----------------------------------------------------------------------

    @abstractmethod
    def matrix(self) -> CodedMatrix:
        """The whole matrix; TooLarge where it does not fit."""

    @abstractmethod
    def mass(self) -> Exact:
        """What each row sums to; for a family in closed form, since no one can add it up."""

    @abstractmethod
    def values(self) -> Sequence[Exact]:
        """All values that occur (or bound those that do)."""

    @abstractmethod
    def map(self, change: Callable[[Exact], Exact]) -> Law:
        """The same law with each value changed (parameters given values)."""

    @abstractmethod
    def spelled(self) -> Spelled | None:
        """Family and arguments, from which it is built again; None: by its matrix alone."""

    # -- what the outputs show -------------------------------------------------------------------

    def written_out(self) -> CodedMatrix | None:
        """The matrix of a law that is held as one; None for one in closed form."""
        return None

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """The distinct views, inputs told apart by their labels as well."""
        return self._written.views(inputs, outputs, labels)

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The view of one output, by its position."""
        return self._written.view_of(column, inputs, outputs, labels)

    def view_of_output(
        self, output: Value, inputs: Domain, outputs: Domain, labels: InputLabels
    ) -> View:
        """The view of one output, as it is: for outputs that are too many to number."""
        return self.view_of(outputs.index(output), inputs, outputs, labels)

    def extreme(self, inputs: Domain, outputs: Domain) -> View | None:
        """The extreme view, for sizes whose views are too large; None where it is not known."""
        return None

    def set_odds(self) -> SetOdds | None:
        """Where outputs are sets of values: what holding x does to likelihoods; or None."""
        return None

    def certain(self) -> bool:
        """Whether the output is known to be a function of the input."""
        return False

    def entry(self, row: int, column: int) -> Exact:
        """p[x -> y] by positions."""
        return self._written.coded.entry(row, column)

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """For two inputs, by position: the pairs of likelihoods, and how many outputs show each."""
        return self._written.pair(first, second)

    def unlike_pairs(self) -> Iterable[tuple[int, int]]:
        """Pairs of inputs; any two different ones are like one of these, in some order.

        Or mixtures of its two, where inputs are many: what is convex in rows is no greater then.
        """
        return itertools.combinations(range(self._written.coded.shape[0]), 2)

    def summed_pair(self) -> tuple[tuple[Exact, Exact], ...] | None:
        """The first two inputs' likelihoods, added up over outputs with one ratio of theirs.

        Any other two inputs show the same. None where the pairs are few enough to be listed.
        """
        return None

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """Among a crowd: pairs of inputs; any two are like one of these, in some order.

        Or mixtures of its two: what is convex in rows, as delta is, is no greater then. None where
        that is not known in closed form: then all rows are compared.
        """
        return None

    def crowd_columns(self) -> CrowdColumns | None:
        """Where reports are sets whose members come in independently, each with one of two chances.

        A crowd that adds up such reports shows sums of columns alone. None where they are not such,
        or where an input is like no other.
        """
        return None

    # -- what estimates are made from ------------------------------------------------------------

    def support(self) -> Support | None:
        """How the published decoder counts reports; None where there is none like that."""
        return None

    def ratios(self, take: Take) -> Sequence[Ratio] | None:
        """Where all inputs are alike: how much likelier than on average outputs are."""
        return None

    def keep_or_replace(self) -> tuple[Exact, Exact] | None:
        """Where outputs are the inputs: p[x -> x] and p[x -> y], if they are two numbers."""
        return None

    def gives_size(self, width: int) -> bool:
        """Where outputs are sets: whether some input gives sets of that size."""
        return True

    def float_rows(self, rows: Integers) -> Floats:
        """Some rows of the matrix in floating point, for numeric work that decides nothing."""
        return np.asarray(self._palette[self._written.coded.codes[rows]])

    # -- draws -----------------------------------------------------------------------------------

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """For each input, by its position, an output drawn exactly with p[x -> y]."""
        return self._written.draw(rows, bits)

    def draw_sets(
        self, items: Integers, offsets: Integers, bits: Bits
    ) -> tuple[Integers, Integers]:
        """Randomize sets (takes_sets): number i is items[offsets[i] : offsets[i + 1]], in and out.

        Memory stays near that of the result: transactions are worked on in blocks.
        """
        raise TypeError("the inputs of this law are no sets of items")

    def draw_reports(self, rows: Integers, bits: Bits) -> tuple[Integers, Integers]:
        """Sets for single values (gives_sets), by the positions of these; as draw_sets."""
        raise TypeError("the outputs of this law are no sets of values")

    def supported_odds(self) -> Exact | None:
        """p[x -> y] / p[x' -> y] for x that y supports and x' that it does not, if always one."""
        return None

    # -- reports ---------------------------------------------------------------------------------

    def report(self, outputs: Domain) -> Report:
        """How a report is written, packed, counted and checked; an output by its position."""
        return Listed(outputs)

    def draw_batch(self, rows: Integers, bits: Bits) -> Batch:
        """Outputs drawn as `report` packs them, by the positions of inputs; see draw."""
        return self.draw(rows, bits)

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """What a client needs to draw it, in the terms of both runtimes (run/client): its rows."""
        return rows_json(self.matrix(), inputs, outputs)

    def shipped(self) -> dict[str, Any]:
        """Of sets: what clients of plans draw with, how many items stay and how others come in."""
        raise TypeError("no plan randomizes by this law")

    @cached_property
    def _written(self) -> MatrixLaw:
        return MatrixLaw(self.matrix())

    @cached_property
    def _palette(self) -> Floats:
        return np.array([float(value) for value in self._written.coded.palette])


def check_rows(rows: Integers, count: int) -> None:
    """Refuse positions that no input has; NumPy would take some of them from the end."""
    if rows.size and not 0 <= rows.min() <= rows.max() < count:
        raise IndexError(f"a position outside 0..{count - 1}")


@dataclass(frozen=True)
class MatrixLaw(Law):
    """A law held as a coded matrix."""

    coded: CodedMatrix

    def written_out(self) -> CodedMatrix:
        """The matrix itself."""
        return self.coded

    def spelled(self) -> None:
        """No family: by its matrix alone."""
        return

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

    def draw(self, rows: Integers, bits: Bits) -> Integers:
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

    @property
    def _written(self) -> MatrixLaw:
        return self

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
