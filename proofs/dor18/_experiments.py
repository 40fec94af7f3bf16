"""The experiments of Dor18 section 4, done again, under several readings of its epsilon of 0.1.

The paper does not say what its sanitizer randomizes. Read as the epsilon of a cell, every item
flips; as that of an attribute, every value goes through k-ary response. Beside both stands what the
same method gives where nothing is randomized, which protects nobody.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.run.streams import compression_of as packing_of
from ppdm_formal.run.streams import reading
from ppdm_formal.tables.generate.bit_rows import BitRows
from ppdm_formal.tables.generate.budget import Budget, Unit
from ppdm_formal.tables.generate.classifiers import accuracies, cross_validated
from ppdm_formal.tables.generate.code_tree import code_tree, generate_from
from ppdm_formal.tables.generate.disclosure import common_records, rare_in, rare_itemsets
from ppdm_formal.tables.generate.evaluation import RARE, baseline, compression_of, ratio_with
from ppdm_formal.tables.generate.itemset_quality import frequent_counts, itemset_quality
from ppdm_formal.tables.generate.krimp import compress
from ppdm_formal.tables.generate.record_files import read_records
from ppdm_formal.tables.generate.records import Records
from ppdm_formal.tables.generate.sanitized import as_they_are, sanitize

EPSILON = Fraction(1, 10)
KRIMP_WORK = 1 << 24
"""KRIMP at support 1 is run where records have at most so many itemsets in all."""


@dataclass(frozen=True)
class Reading:
    """What epsilon is read as; without a unit nothing is randomized."""

    name: str
    unit: Unit | None


READINGS = (
    Reading("0.1 for a cell", "cell"),
    Reading("0.1 for an attribute", "attribute"),
    Reading("nothing randomized", None),
)


@dataclass(frozen=True)
class Repeated:
    """Numbers of several repetitions."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Their mean."""
        return statistics.fmean(self.values)

    @property
    def error(self) -> float | None:
        """The standard error of the mean; None for one repetition."""
        if len(self.values) < 2:
            return None
        return statistics.stdev(self.values) / math.sqrt(len(self.values))


@dataclass(frozen=True)
class Outcome:
    """What one reading gives: numbers by their names, and what the two figures show."""

    numbers: Mapping[str, Repeated]
    record_epsilon: Fraction | None
    supports: Sequence[tuple[int, float]]
    """Figure 1: supports of common records, with the share up to each."""
    lengths: Sequence[tuple[int, float]]
    """Figure 2: lengths of rare itemsets that were generated, with the share up to each."""


@dataclass(frozen=True)
class Redone:
    """One database: what it is, and what each reading gives."""

    name: str
    records: int
    items: int
    krimp: float | None
    """KRIMP's ratio at support 1, where that is not too much work."""
    slim: float
    frequent: int
    accuracy: Mapping[str, float] | None
    """Of classifiers within the original, by cross-validation."""
    uniform: float
    """The share of records with uniform values that the original has, too."""
    outcomes: Mapping[str, Outcome]


def find(folder: Path, name: str) -> Path | None:
    """The file of a database in a folder."""
    start = "msnbc" if name == "msnbc" else f"{name}.d"
    found = [f for f in sorted(folder.iterdir()) if f.name.lower().startswith(start)]
    return found[0] if found else None


def read(path: Path, name: str) -> Records:
    """A database of the paper; of msnbc the sequences, as sets."""
    if name != "msnbc":
        return read_records(path)
    with reading(path, packing_of(path)) as source:
        lines = (line.split() for line in source.lines())
        sets = [sorted(set(row), key=int) for row in lines if row and row[0].isdecimal()]
    if not sets:
        raise DataError(f"{path}: no sequences of numbers")
    return Records.of_transactions(PlainData.of(sets))


def redo(
    original: Records,
    name: str,
    repetitions: int,
    *,
    classify: bool,
    folds: int = 10,
    say: Callable[[str], object] = str,
) -> Redone:
    """All experiments on one database; classify: those of Table 4 as well."""
    say(f"{name}: the original")
    least = Threshold.of("1%" if name == "msnbc" else "10%")
    items = original.items()
    rows = items.rows
    known = frequent_counts(rows, least)
    bits = BitRows.of(rows)
    random = np.random.default_rng(0)
    rare = rare_itemsets(bits, RARE, random)
    table = compress(items, 1, "slim")
    work = float((2.0 ** np.diff(rows.offsets)).sum())
    krimp = compress(items, 1).ratio() if work <= KRIMP_WORK else None
    target = len(original.columns) - 1
    accuracy = cross_validated(original, target, folds, random) if classify else None
    outcomes = {}
    for kind in READINGS:
        found: dict[str, list[float]] = {}
        supports: dict[int, int] = {}
        lengths: dict[int, int] = {}

        def note(name: str, value: float | None, found: dict[str, list[float]] = found) -> None:
            if value is not None:
                found.setdefault(name, []).append(value)

        for seed in range(repetitions):
            say(f"{name}: {kind.name}, repetition {seed + 1}")
            made = generated(original, kind, float(least.share(len(original))), seed)
            other = made.items()
            quality = itemset_quality(rows, known, other.rows, least)
            note("frequent", quality.generated)
            for part in ("common", "missed", "invented"):
                one = getattr(quality, part)
                note(part, one.itemsets)
                note(f"nfd_{part}", one.nfd)
            both = common_records(bits, BitRows.of(other.rows))
            note("common_records", both.generated)
            before = 0.0
            for support, share in both.supports:
                supports[support] = supports.get(support, 0) + round(1e6 * (share - before))
                before = share
            gone = rare_in(rare, BitRows.of(other.rows))
            note("absent", gone.absent)
            for length, _, held in gone.by_length:
                lengths[length] = lengths.get(length, 0) + held
            ratios = compression_of(items, table, other)
            note("generated_by_original", ratios.generated_by_original)
            note("generated_by_generated", ratios.generated_by_generated)
            note("original_by_generated", ratios.original_by_generated)
            if classify:
                trained = by_class(original, kind, float(least.share(len(original))), seed)
                for classifier, share in accuracies(trained, original, target).items():
                    note(classifier, share)
        cost = None
        if kind.unit is not None:
            cost = Budget.of(original.columns, EPSILON, kind.unit).record
        numbers = {key: Repeated(tuple(values)) for key, values in found.items()}
        outcomes[kind.name] = Outcome(numbers, cost, _shares(supports), _shares(lengths))
    uniform = baseline("uniform", original, random).items().rows
    return Redone(
        name,
        len(original),
        len(items.labels),
        krimp,
        ratio_with(table, table, items),
        len(known),
        accuracy,
        common_records(bits, BitRows.of(uniform)).generated,
        outcomes,
    )


def generated(original: Records, kind: Reading, least: float, seed: int) -> Records:
    """A database by a dependent code tree, simulated with a seed."""
    if kind.unit is None:
        sanitized = as_they_are(original)
    else:
        budget = Budget.of(original.columns, EPSILON, kind.unit)
        sanitized = sanitize(original, budget, Simulation(seed))
    random = np.random.default_rng(seed)
    tree = code_tree(sanitized, least)
    codes = generate_from(tree, len(original.columns), len(original), random)
    return Records(original.columns, codes, original.kind)


def by_class(original: Records, kind: Reading, least: float, seed: int) -> Records:
    """Each class of the last column generated by itself, as for Table 4."""
    labels = original.codes[:, -1]
    codes = original.codes.copy()
    for label in np.unique(labels).tolist():
        rows = np.flatnonzero(labels == label)
        some = Records(original.columns[:-1], original.codes[rows, :-1], original.kind)
        codes[rows, :-1] = generated(some, kind, least, seed).codes
    return Records(original.columns, codes, original.kind)


def _shares(counts: Mapping[int, int]) -> list[tuple[int, float]]:
    """Cumulative shares of counts by size."""
    whole, found, before = sum(counts.values()), [], 0
    for size in sorted(counts):
        before += counts[size]
        if whole:
            found.append((size, before / whole))
    return found


def averaged(lines: Sequence[Sequence[tuple[int, float]]]) -> list[tuple[int, float]]:
    """The mean of cumulative shares, as Figure 1 averages over databases.

    >>> averaged([[(1, 1.0)], [(2, 0.5), (4, 1.0)]])
    [(1, 0.5), (2, 0.75), (4, 1.0)]
    """
    some: list[Any] = [dict(line) for line in lines if line]
    found = []
    now = [0.0] * len(some)
    for size in sorted({size for line in some for size in line}):
        now = [line.get(size, before) for line, before in zip(some, now, strict=True)]
        found.append((size, statistics.fmean(now)))
    return found
