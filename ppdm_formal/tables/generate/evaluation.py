"""Evaluation: what a generated database keeps of the original, beside three baselines.

Baselines: three trivial ways to make a database, beside which a generated one must stand.

shuffled: every column in an order of its own, which keeps each column and nothing between them;
uniform: every value as likely as any other; bootstrap: records of the original drawn again and
again, which keeps everything and protects nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

import ppdm_formal
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.with_error import sampled
from ppdm_formal.declare.result import Result
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.run.errors import DataError
from ppdm_formal.tables.generate.bit_rows import BitRows
from ppdm_formal.tables.generate.classifiers import accuracies, cross_validated
from ppdm_formal.tables.generate.code_table import CodeTable
from ppdm_formal.tables.generate.disclosure import (
    CommonRecords,
    RareItemsets,
    common_records,
    rare_in,
    rare_itemsets,
)
from ppdm_formal.tables.generate.itemset_quality import (
    Difference,
    ItemsetQuality,
    frequent_counts,
    itemset_quality,
)
from ppdm_formal.tables.generate.krimp import compress
from ppdm_formal.tables.generate.records import Records

BASELINES = ("shuffled", "uniform", "bootstrap")


def baseline(name: str, original: Records, random: np.random.Generator) -> Records:
    """One of them, with as many records."""
    if name == "bootstrap":
        return original.take(random.integers(0, len(original), len(original)))
    if name == "shuffled":
        return replace(original, codes=random.permuted(original.codes, axis=0))
    if name == "uniform":
        sizes = [len(column.values) for column in original.columns]
        codes = random.integers(0, sizes, original.codes.shape)
        return replace(original, codes=codes.astype(np.int32))
    raise ValueError(f"no baseline {name}")


RARE = 1000
"""Random itemsets of support one that are looked for."""

FOLDS = 10

GENERATED = "generated"


@dataclass(frozen=True)
class Compression:
    """Both databases with the code table of each; ratios to their own standard tables.

    Codes are as if each element had been used once more, so that every database has some.
    """

    original_by_original: float
    generated_by_original: float
    generated_by_generated: float
    original_by_generated: float


@dataclass(frozen=True)
class Measured:
    """What was found of one database: the generated one, or a baseline."""

    records: int
    itemsets: ItemsetQuality
    common: CommonRecords
    rare: RareItemsets
    compression: Compression
    accuracy: Mapping[str, float] | None
    """By classifier: trained here, tested on the original."""


@dataclass(frozen=True)
class Evaluation(Result):
    """What a generated database keeps of the original; every number is of these files alone."""

    shown_in: ClassVar[str] = "evaluation"

    records: int
    items: int
    min_support: Threshold
    target: str | None
    """The column of classes."""
    folds: int
    seed: int
    on_original: Mapping[str, float] | None
    """Accuracies by cross-validation within the original."""
    measured: Mapping[str, Measured]
    """GENERATED first, then the baselines."""
    files: tuple[str, str] = ("", "")
    """The names of both files, where they come from files."""

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-evaluate/1: decimals as text, counts as numbers."""
        original, generated = self.files
        return {
            "format": "ppdm-evaluate/1",
            "tool": {"name": "ppdm", "version": ppdm_formal.__version__},
            "original": {"file": original, "records": self.records, "items": self.items},
            "generated": {"file": generated},
            "min_support": number_text(self.min_support.share(self.records)),
            "class": self.target,
            "folds": self.folds if self.on_original is not None else None,
            "seed": self.seed,
            "accuracy_within_original": _shares(self.on_original),
            "databases": {name: _measured(one) for name, one in self.measured.items()},
        }


def _measured(one: Measured) -> dict[str, Any]:
    some = one.itemsets
    parts = {
        "common": some.common,
        "missed": some.missed,
        "invented": some.invented,
        "all_original": some.all_original,
    }
    return {
        "records": one.records,
        "itemsets": {
            "original": some.original,
            "here": some.generated,
            **{name: _difference(part) for name, part in parts.items()},
        },
        "accuracy": _shares(one.accuracy),
        "common_records": {
            "of_generated": sampled(one.common.generated),
            "of_original": sampled(one.common.original),
            "cdf": [[support, sampled(part)] for support, part in one.common.supports],
        },
        "rare_itemsets": {
            "drawn": one.rare.drawn,
            "absent": None if one.rare.absent is None else sampled(one.rare.absent),
            "by_length": [
                {"items": length, "drawn": drawn, "found": held}
                for length, drawn, held in one.rare.by_length
            ],
        },
        "compression": {
            name: sampled(getattr(one.compression, name))
            for name in (
                "original_by_original",
                "generated_by_original",
                "generated_by_generated",
                "original_by_generated",
            )
        },
    }


def _difference(part: Difference) -> dict[str, Any]:
    nfd = None if part.nfd is None else sampled(part.nfd)
    return {"itemsets": part.itemsets, "nfd": nfd, "never_in_original": part.never}


def _shares(found: Any) -> dict[str, str] | None:
    return None if found is None else {name: sampled(value) for name, value in found.items()}


def evaluate(
    original: Records,
    generated: Records,
    min_support: str | int | Threshold = "10%",
    target: str | None = None,
    *,
    folds: int = FOLDS,
    seed: int = 0,
    say: Callable[[str], object] = str,
) -> Evaluation:
    """Compare a generated database of the same columns with the original.

    seed: of the baselines, the folds and the rare itemsets; nothing of it is private.
    """
    if generated.columns != original.columns:
        raise DataError("the two databases have different columns")
    if not len(original) or not len(generated):
        raise DataError("a database without records cannot be compared")
    least = Threshold(Threshold.of(min_support).share(len(original)))  # the same share in both
    random = np.random.default_rng(seed)
    place = None if target is None else original.column_number(target)
    items = original.items()
    if not len(items.rows.items):
        raise DataError("the original has no items at all")
    say("the original")
    known = frequent_counts(items.rows, least)
    bits = BitRows.of(items.rows)
    rare = rare_itemsets(bits, RARE, random)
    table = compress(items, 1, "slim")
    on_original = None
    if place is not None:
        say(f"classifiers on the original, {folds} folds")
        folds = min(folds, len(original))
        on_original = cross_validated(original, place, folds, random) if folds > 1 else None
    measured = {}
    for name in (GENERATED, *BASELINES):
        say(name)
        other = generated if name == GENERATED else baseline(name, original, random)
        made = other.items()
        measured[name] = Measured(
            len(other),
            itemset_quality(items.rows, known, made.rows, least),
            common_records(bits, BitRows.of(made.rows)),
            rare_in(rare, BitRows.of(made.rows)),
            compression_of(items, table, made),
            None if place is None else accuracies(other, original, place),
        )
    classes = None if place is None else original.columns[place].name
    count = len(items.labels)
    return Evaluation(len(original), count, least, classes, folds, seed, on_original, measured)


def compression_of(original: PlainData, table: CodeTable, generated: PlainData) -> Compression:
    """Each database with the code table of the other; table: that of the original."""
    if not len(generated.rows.items):
        raise DataError("the generated database has no items at all")
    other = compress(generated, 1, "slim")
    return Compression(
        ratio_with(table, table, original),
        ratio_with(table, other, generated),
        ratio_with(other, other, generated),
        ratio_with(other, table, original),
    )


def ratio_with(table: CodeTable, own: CodeTable, data: PlainData) -> float:
    """The size of a database with a code table, over that with its own single items."""
    size = float(table.lengths_of(data.rows).sum()) + table.table_bits()
    return size / own.standard_bits()
