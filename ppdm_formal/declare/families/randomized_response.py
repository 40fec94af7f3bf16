"""k-ary randomized response: p[x -> x] = keep, any other value (1 - keep)/(k - 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, exact, is_symbolic, simplify, total
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.arithmetic.signs import not_probability
from ppdm_formal.declare.operators.alike import Ratio, Support, Take, ratios_of_two
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Law, Spelled, check_rows
from ppdm_formal.declare.operators.matrix import CodedMatrix, check_cells
from ppdm_formal.declare.operators.pair import CrowdPair, PairClass, crowd_kinds, pair_classes
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.shipped import (
    exponent_step,
    step_json,
    values_json,
    weights_json,
)
from ppdm_formal.declare.operators.view import InputClass, InputLabels, View


@dataclass(frozen=True)
class KeepOrReplace(Law):
    """The law: one likelihood on the diagonal, one off it."""

    size: int
    keep: Exact
    other: Exact

    def spelled(self) -> Spelled:
        """With `other` as what is left."""
        return Spelled("randomized_response", {"keep": self.keep})

    def keep_or_replace(self) -> tuple[Exact, Exact]:
        """The two likelihoods."""
        return self.keep, self.other

    def views(self, inputs: Domain, outputs: Domain, labels: InputLabels) -> list[View]:
        """Outputs whose own input has the same label show the same view."""
        if self.keep == self.other:
            view = self.view_of(0, inputs, outputs, labels)
            return [View(view.classes, outputs.size, view.output)]
        _, first, counts = np.unique(labels.labels, return_index=True, return_counts=True)
        views = []
        for start, outputs_alike in zip(first, counts, strict=True):
            view = self.view_of(int(start), inputs, outputs, labels)
            views.append(View(view.classes, int(outputs_alike), view.output))
        return views

    def view_of(self, column: int, inputs: Domain, outputs: Domain, labels: InputLabels) -> View:
        """The output's own input at `keep`, all others, by their label, at `other`."""
        own = int(labels.labels[column])
        classes = {column: InputClass(self.keep, 1, inputs[column], *labels.meanings[own])}
        kinds, first, counts = np.unique(labels.labels, return_index=True, return_counts=True)
        for kind, start, count in zip(kinds, first, counts, strict=True):
            alike = int(kind) == own
            if alike and self.keep == self.other:
                del classes[column]
                alike = False
            others = int(count) - alike
            example = int(start)
            if others and alike and example == column:
                example = int(np.flatnonzero(labels.labels == kind)[1])
            if others:
                meaning = labels.meanings[int(kind)]
                classes[example] = InputClass(self.other, others, inputs[example], *meaning)
        return View(tuple(classes[key] for key in sorted(classes)), 1, outputs[column])

    def entry(self, row: int, column: int) -> Exact:
        """p[x -> y] by positions."""
        return self.keep if row == column else self.other

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """The two inputs' own outputs, and all others."""
        if first == second:
            own = [(self.keep, self.keep, 1)]
        else:
            own = [(self.keep, self.other, 1), (self.other, self.keep, 1)]
        return pair_classes([*own, (self.other, self.other, self.size - len(own))])

    def unlike_pairs(self) -> list[tuple[int, int]]:
        """Any two inputs are like any others."""
        return [(0, 1)] if self.size > 1 else []

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """The two inputs' own outputs, that of a third value, and the rest."""
        if is_symbolic(self.keep) or is_symbolic(self.other):
            return None
        if self.size == 1:
            return ()
        named = min(3, self.size)  # 0, 1 and 2, where there is a third value: the others have it
        least = min(self.keep, self.other)
        parts: list[tuple[int, tuple[Exact, ...]]] = []
        for output in range(named):
            first, second, third = (self.entry(row, output) for row in (0, 1, named - 1))
            parts.append((1, (first, second, least, third)))
        parts.append((self.size - named, (self.other, self.other, least, self.other)))
        return (CrowdPair(0, 1, named - 1, crowd_kinds(parts)),)

    def support(self) -> Support:
        """A report supports the value that it names."""
        return Support(self.keep, self.other)

    def ratios(self, take: Take) -> Sequence[Ratio]:
        """The value itself, or one of the others."""
        return ratios_of_two(self.size, take(self.keep), take(self.other))

    def mass(self) -> Exact:
        """Keep + (k - 1) other."""
        return total([(1, self.keep), (self.size - 1, self.other)])

    def values(self) -> Sequence[Exact]:
        """The two likelihoods."""
        return (self.keep, self.other) if self.size > 1 else (self.keep,)

    def matrix(self) -> CodedMatrix:
        """The matrix written out."""
        check_cells(self.size, self.size)
        codes = np.ones((self.size, self.size), dtype=np.uint8)
        np.fill_diagonal(codes, 0)
        return CodedMatrix(codes, (self.keep, self.other))

    def map(self, change: Callable[[Exact], Exact]) -> KeepOrReplace:
        """The same law with parameters given values."""
        return KeepOrReplace(self.size, change(self.keep), change(self.other))

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """A coin for keeping the value, and a uniform one of the others where it shows tails."""
        check_rows(rows, self.size)
        found = rows.astype(np.int64)
        kept = bits.coins(Steps.heads(self.keep, bits.width), rows.size)
        changed = np.flatnonzero(~kept)
        if changed.size:
            other = bits.below(np.full(changed.size, self.size - 1, dtype=np.int64))
            found[changed] = other + (other >= found[changed])  # skips the value itself
        return found

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """The weight of the value itself, and that of every other."""
        values = (self.keep, self.other)
        step = exponent_step(values)
        keep, other = weights_json(values, step)
        found = {"kind": "diagonal", "inputs": values_json(inputs), "keep": keep, "other": other}
        return found | step_json(step)


def randomized_response(
    values: int,
    keep: object,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Keep the value with probability `keep`, otherwise send one of the other values uniformly.

    >>> str(randomized_response(10, "19/28").probability(3, 4))
    '1/28'
    """
    kept = exact(keep)
    if values < 1 or (values == 1 and kept != 1):
        raise ValueError("randomized response needs at least two values (or keep = 1)")
    wrong = not_probability(kept, parameters)
    if wrong:
        raise ValueError(f"keep = {said(kept)} {wrong}")
    other = simplify((1 - kept) / max(1, values - 1))
    domain = Domain(range(values))
    return Operator(domain, domain, KeepOrReplace(values, kept, other), name, parameters)
