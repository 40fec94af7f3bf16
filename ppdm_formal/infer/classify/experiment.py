"""Experiments: how accurate trees are that were grown from records perturbed in simulation.

Training records are perturbed on every attribute, with noise whose 95% interval is p% of the
attribute's range; test records are not. Seeded: the same seed gives the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import ppdm_formal
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.with_error import sampled
from ppdm_formal.declare.result import Result
from ppdm_formal.infer.classify.classifier import PerturbedTreeClassifier, Strategy
from ppdm_formal.infer.classify.level import noise_at
from ppdm_formal.infer.classify.synthetic import ATTRIBUTES, labels, people
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.undoing.channel import Floats

FINER = 20
"""Trees on values as they are may split at edges of cells so much finer."""

_WHOLE = 60
"""A column of whole numbers with at most so many values has a cell for each."""

_INTERVALS = 50


@dataclass(frozen=True)
class Feature:
    """A feature: its name, its range, and its cells for reconstruction and for splits as it is."""

    name: str
    span: Fraction
    cells: Partition
    fine: Partition


@dataclass(frozen=True)
class Task:
    """What is to be learned: records and classes to train on, and to test with."""

    name: str
    columns: tuple[Feature, ...]
    train: Floats
    train_classes: npt.NDArray[np.object_]
    test: Floats
    test_classes: npt.NDArray[np.object_]

    @property
    def majority(self) -> float:
        """The accuracy of always saying the class that is most frequent in training."""
        kinds, counts = np.unique(self.train_classes, return_counts=True)
        return float((self.test_classes == kinds[np.argmax(counts)]).mean())


@dataclass(frozen=True)
class Accuracy:
    """The share of test records that a tree classifies rightly; noise is None for Original."""

    task: str
    noise: str | None
    privacy: Fraction | None
    strategy: Strategy
    share: float
    leaves: int
    depth: int


@dataclass(frozen=True)
class Accuracies(Result):
    """All that were measured, of these tasks; a simulation with this seed."""

    shown_in: ClassVar[str] = "accuracy"
    found: tuple[Accuracy, ...]
    tasks: tuple[Task, ...]
    seed: int

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-accuracy/1."""
        return {
            "format": "ppdm-accuracy/1",
            "tool": {"name": "ppdm_formal", "version": ppdm_formal.__version__},
            "kind": "sampled",
            "seed": self.seed,
            "tasks": [
                {
                    "name": task.name,
                    "train": len(task.train),
                    "test": len(task.test),
                    "majority": sampled(task.majority),
                }
                for task in self.tasks
            ],
            "accuracies": [
                {
                    "task": one.task,
                    "noise": one.noise,
                    "privacy": None if one.privacy is None else number_text(one.privacy),
                    "strategy": one.strategy,
                    "accuracy": sampled(one.share),
                    "leaves": one.leaves,
                    "depth": one.depth,
                }
                for one in self.found
            ],
        }


def synthetic_task(function: str, train: int, test: int, seed: int) -> Task:
    """One of F1 to F5; all functions see the same people."""
    random = np.random.default_rng(seed)
    known, new = people(train, random), people(test, random)
    columns = tuple(
        Feature(one.name, Fraction(one.range), one.cells(), one.cells(FINER)) for one in ATTRIBUTES
    )
    classes = [np.where(labels(function, part), "A", "B").astype(object) for part in (known, new)]
    return Task(function, columns, known, classes[0], new, classes[1])


def table_task(
    name: str,
    features: dict[str, Floats],
    classes: Sequence[str],
    train: int,
    test: int,
    seed: int,
) -> Task:
    """Records of a table, in an order of their own; at most `train`, a fifth (or `test`) apart."""
    total = len(classes)
    if total < 10:
        raise ValueError(f"{total} records are too few to train and test")
    order = np.random.default_rng(seed).permutation(total)
    apart = min(test, total // 5)
    new, known = order[:apart], order[apart:][:train]
    everything = np.stack(list(features.values()), axis=1)
    named = np.array(classes, dtype=object)
    if len(set(classes)) < 2:
        raise ValueError("all records are of one class: there is nothing to learn")
    columns = tuple(_column(one, values) for one, values in features.items())
    return Task(name, columns, everything[known], named[known], everything[new], named[new])


def _column(name: str, values: Floats) -> Feature:
    low, high = Fraction(float(values.min())), Fraction(float(values.max()))
    if low == high:
        raise ValueError(f"the column {name} has one value only: leave it out")
    if (values == np.rint(values)).all() and high - low < _WHOLE:
        half = Fraction(1, 2)
        cells = Partition(low - half, high + half, int(high - low) + 1)
        return Feature(name, high - low, cells, cells)
    return Feature(
        name, high - low, Partition(low, high, _INTERVALS), Partition(low, high, _INTERVALS * FINER)
    )


def accuracies(
    tasks: Sequence[Task],
    kinds: Sequence[str],
    levels: Sequence[Fraction],
    strategies: Sequence[Strategy],
    seed: int,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[Accuracy]:
    """Every strategy at every level; Original once for each task."""
    for task in tasks:
        if "original" in strategies:
            say(f"{task.name}, original")
            yield _trained(task, task.train, None, None, "original")
        others = [one for one in strategies if one != "original"]
        for kind in kinds if others else ():
            for level in levels:
                random = np.random.default_rng([seed, *kind.encode(), *str(level).encode()])
                laws = [noise_at(kind, column.span, level) for column in task.columns]
                count = len(task.train)
                perturbed = task.train + np.stack(
                    [law.drawn(count, random) for law in laws], axis=1
                )
                for strategy in others:
                    say(f"{task.name}, {kind} noise, {float(level):.0%}, {strategy}")
                    yield _trained(task, perturbed, kind, level, strategy)


def _trained(
    task: Task, records: Floats, kind: str | None, level: Fraction | None, strategy: Strategy
) -> Accuracy:
    plain = strategy in ("original", "randomized")
    laws = (
        None
        if plain or kind is None or level is None
        else [noise_at(kind, column.span, level) for column in task.columns]
    )
    tree = PerturbedTreeClassifier(
        laws,
        [column.fine if plain else column.cells for column in task.columns],
        strategy,
        # a leaf of fewer records says little, and growing it takes the time
        min_samples_leaf=max(5, len(records) // 4000),
    ).fit(records, task.train_classes)
    share = float((tree.predict(task.test) == task.test_classes).mean())
    return Accuracy(task.name, kind, level, strategy, share, tree.tree_.leaves, tree.tree_.depth)
