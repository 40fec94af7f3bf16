"""An evaluation as blocks: itemsets, classifiers, records, rare itemsets, compression."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ppdm_formal.report.parts.blocks import (
    Block,
    Document,
    Gallery,
    Picture,
    Section,
    Table,
    Text,
)
from ppdm_formal.report.parts.code_table import percent
from ppdm_formal.report.pictures.cumulative import cumulative_picture
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean
from ppdm_formal.tables.generate.evaluation import BASELINES, GENERATED, Evaluation, Measured
from ppdm_formal.tables.generate.itemset_quality import Difference


def document(found: Evaluation, *, brief: bool = False) -> Document:
    """The report; a terminal shows no pictures."""
    original, generated = found.files
    lead = (
        f"{clean(generated, 200)} ({counted(found.measured[GENERATED].records, 'record')}) beside "
        f"{clean(original, 200)} ({counted(found.records, 'record')}, "
        f"{counted(found.items, 'item')}), and beside three baselines: its columns shuffled, "
        "uniform values, and its own records drawn again (bootstrap, which protects nobody)."
    )
    sections = [
        Section("Frequent itemsets", _itemsets(found)),
        *([Section("Classifiers", _classifiers(found))] if found.target is not None else []),
        Section("Records in common", _common(found, not brief)),
        Section("Itemsets of a single record", _rare(found)),
        Section("Compression", _compression(found)),
        Section("How to read this", [Text(READ)]),
    ]
    return Document("Evaluation of a generated database", lead, "", "", sections, "")


READ = (
    "These numbers describe two files: they say nothing about who is protected. What a release "
    "promises is in its description; that a record or a rare itemset is not found here proves "
    "no privacy, and that one is found disproves none, as the baselines show."
)


def beats(found: Evaluation) -> str:
    """Whether the generated database is nearer to the original than shuffled columns are."""
    ours = found.measured[GENERATED].itemsets.all_original.nfd
    shuffled = found.measured["shuffled"].itemsets.all_original.nfd
    if ours is None or shuffled is None:
        return "The original has no frequent itemsets at this support."
    if ours < shuffled:
        return (
            f"Over all frequent itemsets of the original, the NFD is {ours:.4f}: "
            f"less than with shuffled columns ({shuffled:.4f})."
        )
    return (
        f"Over all frequent itemsets of the original, the NFD is {ours:.4f}: "
        f"no less than with shuffled columns ({shuffled:.4f}). The generated "
        "database does not beat this baseline."
    )


def _rows(found: Evaluation, cells: Callable[[Measured], Sequence[str]]) -> list[list[str]]:
    return [[name, *cells(found.measured[name])] for name in (GENERATED, *BASELINES)]


def _itemsets(found: Evaluation) -> Sequence[Block]:
    least = found.min_support.least(found.records)

    def numbers(one: Measured) -> list[str]:
        some = one.itemsets
        parts = (some.common, some.missed, some.invented)
        return [f"{some.generated:,}", *(f"{part.itemsets:,}" for part in parts)]

    def differences(one: Measured) -> list[str]:
        some = one.itemsets
        parts = (some.common, some.missed, some.invented, some.all_original)
        return [nfd(part) for part in parts]

    total = found.measured[GENERATED].itemsets.original
    words = (
        f"An itemset is frequent from {counted(least, 'record')} on in the original, and at the "
        f"same share elsewhere. The original has {counted(total, 'frequent itemset')}."
    )
    return [
        Text(words),
        Table(
            ["database", "frequent", "in common", "missed", "invented"],
            _rows(found, numbers),
            "",
            (1, 2, 3, 4),
        ),
        Text("Mean difference of supports, relative to the original's (NFD):"),
        Table(
            ["database", "in common", "missed", "invented", "all of the original"],
            _rows(found, differences),
            "",
            (1, 2, 3, 4),
        ),
        Text(beats(found)),
    ]


def nfd(part: Difference) -> str:
    """A normalized frequency difference; a dash where there is no itemset.

    >>> nfd(Difference(3, 0.12345)), nfd(Difference(3, 0.5, 2)), nfd(Difference(0, None))
    ('0.1235', '0.5000 (2 new)', '-')
    """
    new = f" ({part.never:,} new)" if part.never else ""
    return ("-" if part.nfd is None else f"{part.nfd:.4f}") + new


def _classifiers(found: Evaluation) -> Sequence[Block]:
    names = list(found.measured[GENERATED].accuracy or {})
    rows = _rows(found, lambda one: [percent((one.accuracy or {})[name]) for name in names])
    if found.on_original is not None:
        within = f"the original itself ({found.folds} folds)"
        rows.insert(0, [within, *(percent(found.on_original[name]) for name in names)])
    words = f"Trained on each database and tested on the original; classes: {found.target}."
    if len(names) == 1:
        words += " The others need scikit-learn, which is not installed."
    return [Text(words), Table(["trained on", *names], rows, "", tuple(range(1, len(names) + 1)))]


def _common(found: Evaluation, pictures: bool) -> Sequence[Block]:
    rows = _rows(
        found,
        lambda one: [
            share(one.common.generated),
            share(one.common.original),
            f"{dict(one.common.supports).get(1, 0.0):.1%}" if one.common.supports else "-",
        ],
    )
    head = [
        "database",
        "its records found in the original",
        "the original's found in it",
        "common ones that are single in the original",
    ]
    blocks: list[Block] = [Table(head, rows, "", (1, 2, 3))]
    if pictures:
        title = "Support in the original of records in common"
        lines = {name: found.measured[name].common.supports for name in (GENERATED, *BASELINES)}
        svg = cumulative_picture(lines, "support in the original", "records up to it", title)
        words = "Of the distinct records in both databases, the share up to each support."
        blocks.append(Gallery([Picture(title, svg, words)]))
    return blocks


def _rare(found: Evaluation) -> Sequence[Block]:
    drawn = found.measured[GENERATED].rare
    if not drawn.drawn:
        return [Text("No itemset of the original was found that exactly one record holds.")]
    lengths = [length for length, _, _ in drawn.by_length]
    rows = []
    for name in (GENERATED, *BASELINES):
        one = found.measured[name].rare
        cells = [f"{held} of {total}" for _, total, held in one.by_length]
        rows.append([name, "-" if one.absent is None else share(one.absent), *cells])
    words = (
        f"{counted(drawn.drawn, 'random itemset')} that exactly one record of the original holds: "
        "how many are in no record of each database, and by their number of items how many are."
    )
    head = ["database", "absent", *(counted(length, "item") for length in lengths)]
    return [Text(words), Table(head, rows, "", tuple(range(1, len(head))))]


def _compression(found: Evaluation) -> Sequence[Block]:
    def cells(one: Measured) -> list[str]:
        some = one.compression
        return [
            percent(some.original_by_original),
            percent(some.generated_by_original),
            percent(some.generated_by_generated),
            percent(some.original_by_generated),
        ]

    head = [
        "database",
        "the original, by its own",
        "this one, by the original's",
        "this one, by its own",
        "the original, by this one's",
    ]
    words = (
        "Sizes with code tables (SLIM) of one database applied to the other, relative to single "
        "items; every element counts as used once more, so that each record has a code."
    )
    return [Text(words), Table(head, _rows(found, cells), "", (1, 2, 3, 4))]


def share(value: float) -> str:
    """A share as a decimal, to four digits.

    >>> share(0.00036912), share(0)
    ('0.0003691', '0')
    """
    return f"{value:.4g}"
