"""Law: how an operator's probabilities are held, as a matrix or as a family in closed form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ppdm_formal.numbers.exact import Exact
from ppdm_formal.operator.domain import Domain
from ppdm_formal.operator.matrix import CodedMatrix
from ppdm_formal.operator.view import InputClass, InputLabels, View


class Law(Protocol):
    """How an operator's probabilities are held: a matrix, or a family known in closed form."""

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """The distinct views, inputs told apart by their labels as well."""

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The view of one output, by its position."""

    def entry(self, row: int, column: int) -> Exact:
        """p[x -> y] by positions."""

    def values(self) -> Sequence[Exact]:
        """All values that occur (or bound those that do)."""

    def matrix(self) -> CodedMatrix:
        """The whole matrix; TooLarge where it does not fit."""

    def map(self, change: Callable[[Exact], Exact]) -> Law:
        """The same law with each value changed (parameters given values)."""


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

    def entry(self, row: int, column: int) -> Exact:
        """One entry."""
        return self.coded.entry(row, column)

    def values(self) -> Sequence[Exact]:
        """The palette."""
        return self.coded.palette

    def matrix(self) -> CodedMatrix:
        """The matrix itself."""
        return self.coded

    def map(self, change: Callable[[Exact], Exact]) -> MatrixLaw:
        """Change the palette."""
        return MatrixLaw(self.coded.map(change))
