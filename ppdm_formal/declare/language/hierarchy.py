"""Hierarchies: a CSV file of chains, value, parent, parent's parent, ..., one a line.

A value is generalized to the nearest of its ancestors (itself included) among the outputs of
an operator; level(k of "file") is the set of all leaves' k-th ancestors.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.csv_law import beside, digest
from ppdm_formal.declare.language.csv_matrix import read_text
from ppdm_formal.declare.language.errors import ModelError, Place
from ppdm_formal.declare.language.finite_set import MAX_MEMBERS
from ppdm_formal.declare.operators.domain import Domain, Value, integer_or_label, show_value
from ppdm_formal.declare.operators.matrix import CodedMatrix

if TYPE_CHECKING:
    from ppdm_formal.declare.language.scope import Scope

MAX_HEIGHT = 100
"""Most ancestors of a value."""


@dataclass(frozen=True)
class Hierarchy:
    """The parent of each value that has one; the leaves in the order of the file."""

    parents: dict[Value, Value]
    leaves: tuple[Value, ...]

    def level(self, height: int) -> list[Value]:
        """Every leaf's ancestor of this height, or its topmost one; without repetitions."""
        found = self.leaves
        for _ in range(min(height, MAX_HEIGHT)):
            found = tuple(dict.fromkeys(self.parents.get(value, value) for value in found))
        return list(found)

    def nearest(self, value: Value, among: Collection[Value]) -> Value | None:
        """The value itself or its nearest ancestor that is among these; None where none is."""
        current: Value | None = value
        while current is not None and current not in among:
            current = self.parents.get(current)
        return current


def read_hierarchy(path: Path) -> Hierarchy:
    """Read a file of chains."""
    text = read_text(path).replace("\r\n", "\n").replace("\r", "\n")
    try:
        return parse_hierarchy(text)
    except ModelError as problem:
        raise problem.in_file(str(path), text) from None


def parse_hierarchy(text: str) -> Hierarchy:
    r"""Chains, one a line; cells that are empty at its end do not count.

    >>> tree = parse_hierarchy("Bonn,west,all\nJena,east,all\n")
    >>> tree.level(1), tree.nearest("Bonn", {"all"})
    (['west', 'east'], 'all')
    """
    parents: dict[Value, Value] = {}
    values: dict[Value, None] = {}
    if "\0" in text:
        raise ModelError("the file holds a zero byte: not a text file")
    reader = csv.reader(io.StringIO(text, newline="\n"), skipinitialspace=True, strict=True)
    line = 1
    try:
        for cells in reader:
            chain = _chain(cells, line)
            for value in chain:
                values[value] = None
            if len(values) > MAX_MEMBERS:
                raise ModelError(f"more than {MAX_MEMBERS:,} values", Place(line, 1))
            for child, parent in pairwise(chain):
                if parents.setdefault(child, parent) != parent:
                    raise ModelError(
                        f"{show_value(child)} has two parents,"
                        f" {show_value(parents[child])} and {show_value(parent)}",
                        Place(line, 1),
                    )
            line = reader.line_num + 1
    except csv.Error as problem:
        raise ModelError(f"not a CSV file: {problem}", Place(line, 1)) from None
    if not values:
        raise ModelError(
            "the hierarchy is empty",
            None,
            "expected lines such as Bonn,west,all: a value, its parent",
        )
    _check_rising(parents)
    above = set(parents.values())
    return Hierarchy(parents, tuple(value for value in values if value not in above))


def _chain(cells: list[str], line: int) -> list[Value]:
    stripped = [cell.strip() for cell in cells]
    while stripped and not stripped[-1]:
        stripped.pop()
    for cell in stripped:
        if not cell or not cell.isprintable():
            raise ModelError(
                "a value without a name", Place(line, 1), "expected a value, its parent, and so on"
            )
    return [integer_or_label(cell) for cell in stripped]


def _check_rising(parents: dict[Value, Value]) -> None:
    """No value may be among its own ancestors, nor have too many of them."""
    ancestors: dict[Value, int] = {}
    for start in parents:
        way: dict[Value, None] = {}
        current = start
        while current in parents and current not in ancestors:
            if current in way:
                raise ModelError(f"{show_value(current)} is among its own ancestors")
            way[current] = None
            current = parents[current]
        for value in reversed(way):
            ancestors[value] = 1 + ancestors.get(parents[value], 0)
    if max(ancestors.values(), default=0) > MAX_HEIGHT:
        raise ModelError(f"a value with more than {MAX_HEIGHT} ancestors")


def hierarchy(node: s.HierarchyFile, scope: Scope) -> Hierarchy:
    """The hierarchy of a file beside the model, whose labels are known from here on."""
    if node.path not in scope.hierarchies:
        path = beside(node, scope.folder)
        tree = scope.hierarchies[node.path] = read_hierarchy(path)
        scope.files[node.path] = digest(path)
        scope.labels.update(
            value for value in (*tree.leaves, *tree.parents.values()) if isinstance(value, str)
        )
    return scope.hierarchies[node.path]


def generalization(
    node: s.HierarchyFile, tree: Hierarchy, inputs: Domain, outputs: Domain
) -> CodedMatrix:
    """Each input goes to its nearest ancestor among the outputs, for certain."""
    codes = np.zeros((inputs.size, outputs.size), dtype=np.uint8)
    for row, value in enumerate(inputs):
        found = tree.nearest(value, outputs)
        if found is None:
            raise ModelError(
                f"{node.path} knows no ancestor of {show_value(value)[:80]} among the outputs",
                node.at,
                f"expected one of {outputs}",
            )
        codes[row, outputs.index(found)] = 1
    return CodedMatrix(codes, [ZERO, ONE])
