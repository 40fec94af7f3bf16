"""The tables and figures of Dor18 done again, as blocks and as CSV: ours beside the print."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_formal.certify.statement.figures import Figures, Wanted
from ppdm_formal.declare.machine.interrupts import ended_cleanly
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.parts.blocks import Block, Document, Gallery, Picture, Section, Table, Text
from ppdm_formal.report.pictures.cumulative import cumulative_picture
from ppdm_formal.report.pictures.figure import figure_files
from ppdm_formal.tables.generate.classifiers import BAYES, KRIMP, TREE
from ppdm_formal.tables.generate.promises import epsilon_words

from ._experiments import READINGS, Outcome, Redone, averaged, find, read, redo
from ._print import PRINTED

CURVES = {
    "figure1": (
        "Figure 1: support of records in common",
        "support in the original",
        "records up to it",
    ),
    "figure2": (
        "Figure 2: length of rare itemsets that were generated",
        "items",
        "itemsets up to it",
    ),
}


@dataclass(frozen=True)
class PaperTable:
    """One table: its name, title, head, and rows."""

    name: str
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def csv(self) -> str:
        """As a file."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([self.head, *self.rows])
        return out.getvalue()


def paper_tables(found: Sequence[Redone]) -> list[PaperTable]:
    """Tables 1 to 8, for the databases that there are."""
    first = [
        [
            one.name,
            f"{one.records:,}",
            f"{PRINTED[one.name].records:,}",
            str(one.items),
            str(PRINTED[one.name].items),
            "-" if one.krimp is None else f"{100 * one.krimp:.1f}",
            f"{100 * one.slim:.1f}",
            f"{PRINTED[one.name].ratio:.1f}",
        ]
        for one in found
    ]
    head = ["database", "records", "print", "items", "print", "KRIMP (%)", "SLIM (%)", "print (%)"]
    tables = [PaperTable("table1", "Table 1: databases and their compression", head, first)]

    def table(
        number: int,
        title: str,
        head: Sequence[str],
        printed: Callable[[Redone], Sequence[str]],
        ours: Callable[[Redone, Outcome], Sequence[str]],
    ) -> None:
        rows = []
        for one in found:
            rows.append([one.name, "print", *printed(one)])
            for kind in READINGS:
                rows.append([one.name, kind.name, *ours(one, one.outcomes[kind.name])])
        full = ["database", "epsilon", *head]
        tables.append(PaperTable(f"table{number}", f"Table {number}: {title}", full, rows))

    table(
        2,
        "frequent itemsets",
        ["original", "generated", "in common", "missed", "invented"],
        lambda one: [f"{value:g}" for value in PRINTED[one.name].itemsets],
        lambda one, out: [
            str(one.frequent),
            *(number(out, key, 1) for key in ("frequent", "common", "missed", "invented")),
        ],
    )
    table(
        3,
        "normalized frequency difference",
        ["in common", "missed", "invented"],
        lambda one: [f"{value:g}" for value in PRINTED[one.name].nfd],
        lambda _, out: [
            number(out, key, 4) for key in ("nfd_common", "nfd_missed", "nfd_invented")
        ],
    )
    table(
        4,
        "classifiers, trained on each and tested on the original (%)",
        [
            "KRIMP, original",
            "generated",
            "C4.5, original",
            "generated",
            "Bayes, original",
            "generated",
        ],
        lambda one: [f"{value:g}" for value in PRINTED[one.name].accuracy],
        lambda one, out: [
            cell
            for key in (KRIMP, TREE, BAYES)
            for cell in (
                "-" if not one.accuracy else f"{100 * one.accuracy[key]:.1f}",
                number(out, key, 1, 100),
            )
        ],
    )
    table(
        5,
        "share of generated records that the original has",
        ["in common"],
        lambda one: [f"{PRINTED[one.name].common:g}"],
        lambda _, out: [number(out, "common_records", 5)],
    )
    table(
        6,
        "share of random itemsets of support 1 that were not generated",
        ["absent"],
        lambda one: [f"{PRINTED[one.name].absent:g}"],
        lambda _, out: [number(out, "absent", 4)],
    )
    table(
        7,
        "compression with the original's code table (%)",
        ["original", "generated"],
        lambda one: [f"{value:g}" for value in PRINTED[one.name].by_original],
        lambda one, out: [f"{100 * one.slim:.1f}", number(out, "generated_by_original", 1, 100)],
    )
    table(
        8,
        "compression with the generated database's code table (%)",
        ["generated", "original"],
        lambda one: [f"{value:g}" for value in PRINTED[one.name].by_generated],
        lambda _, out: [
            number(out, "generated_by_generated", 1, 100),
            number(out, "original_by_generated", 1, 100),
        ],
    )
    return tables


def number(out: Outcome, key: str, digits: int, times: float = 1) -> str:
    """A mean with its standard error; a dash where nothing was measured."""
    some = out.numbers.get(key)
    if some is None:
        return "-"
    shown = f"{times * some.mean:.{digits}f}"
    return shown if some.error is None else f"{shown} ({times * some.error:.{digits}f})"


def lines_of(found: Sequence[Redone], figure: str) -> dict[str, list[tuple[float, float]]]:
    """The lines of a figure: a reading each, averaged over databases."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for kind in READINGS:
        outs = [one.outcomes[kind.name] for one in found]
        some = [out.supports if figure == "figure1" else out.lengths for out in outs]
        lines[kind.name] = [(float(x), share) for x, share in averaged(some)]
    return lines


@dataclass(frozen=True)
class CumulativeFigure:
    """A figure as a file of its own; sizes go across by their logarithm."""

    name: str
    title: str
    axis: str
    y_axis: str
    caption: str
    points: Mapping[str, Sequence[tuple[float, float]]]

    def lines(self) -> Mapping[str, Sequence[tuple[float, float]]]:
        """Those that have points."""
        return {
            name: [(math.log10(x), y) for x, y in points]
            for name, points in self.points.items()
            if points
        }

    def bands(self) -> Mapping[str, Any]:
        """None."""
        return {}

    def csv(self) -> str:
        """The points, sizes as they are."""
        rows = [[name, f"{x:g}", f"{y:.6f}"] for name, line in self.points.items() for x, y in line]
        return PaperTable("", "", ["epsilon", "up to", "share"], rows).csv()


def paper_figures(found: Sequence[Redone]) -> list[CumulativeFigure]:
    """Figures 1 and 2; one without any point is left out."""
    made = [
        CumulativeFigure(name, title, f"log10 of {across}", up, AVERAGED, lines_of(found, name))
        for name, (title, across, up) in CURVES.items()
    ]
    return [one for one in made if one.lines()]


AVERAGED = "Averaged over the databases done again; the print gives no numbers to compare with."


def findings(found: Sequence[Redone]) -> list[str]:
    """Which readings come near the print, in sentences."""
    said = []
    for kind in READINGS:
        near: list[str] = []
        far: list[str] = []
        for one in found:
            out, printed = one.outcomes[kind.name].numbers, PRINTED[one.name]
            nfd = out.get("nfd_common")
            good = (
                nfd is not None
                and out["common"].mean >= 0.9 * printed.itemsets[2]
                and nfd.mean <= 1.5 * printed.nfd[0]
            )
            (near if good else far).append(one.name)
        words = f"{kind.name[0].upper()}{kind.name[1:]}: "
        if near:
            words += f"about as good as the print, or better, on {', '.join(near)}"
        if far:
            words += ("; " if near else "") + f"does not reproduce the print on {', '.join(far)}"
        cost = [
            f"{one.name} {epsilon_words(epsilon)}"
            for one in found
            if (epsilon := one.outcomes[kind.name].record_epsilon) is not None
        ]
        words += f". A record then costs: {', '.join(cost)}." if cost else ". It protects nobody."
        said.append(words)
    for one in found:
        least = min(out.numbers["common_records"].mean for out in one.outcomes.values())
        said_common = PRINTED[one.name].common
        if least > 1.5 * said_common and one.uniform > said_common:
            said.append(
                f"Table 5 does not reproduce on {one.name} under any reading: "
                f"{said_common:g} of the "
                f"generated records are said to be in the original; here it is {least:.3g} or "
                f"more, and records of uniform values alone have {one.uniform:.3g}."
            )
    return said


def dor18_document(found: Sequence[Redone], missing: Sequence[str], repetitions: int) -> Document:
    """The page."""
    lead = (
        "The experiments of Dor18 section 4, done again with dependent code trees: means over "
        f"{repetitions} repetitions (standard errors in brackets; the paper has 100). The paper "
        "sets epsilon to 0.1 and does not say what its sanitizer randomizes, so each table has "
        "several readings of it beside the print."
    )
    blocks: list[Block] = [Text(words) for words in findings(found)]
    meaning = (
        "Near the print means: at least 90% of its itemsets in common, and an NFD of these of at "
        "most one and a half times the printed one."
    )
    blocks.append(Text(meaning))
    blocks.append(Text(READ))
    if missing:
        blocks.append(Text(f"Not there, and so not done again: {', '.join(missing)}."))
    sections = [Section("What reproduces", blocks)]
    for table in paper_tables(found):
        columns = tuple(range(1 if table.name == "table1" else 2, len(table.head)))
        sections.append(Section(table.title, [Table(table.head, table.rows, "", columns)]))
    for name, (title, across, up) in CURVES.items():
        svg = cumulative_picture(lines_of(found, name), across, up, title)
        sections.append(Section(title, [Gallery([Picture(title, svg, AVERAGED)])]))
    return Document("Dor18, section 4", lead, "", "", sections, "")


READ = (
    "Compression is by SLIM (KRIMP at support 1 stands in Table 1 where it is not too much work); "
    "led7 and nursery are rebuilt from the raw data, so ratios differ from the print's. "
    "Classifiers are KRIMP's with SLIM, scikit-learn's tree with entropy, and naive Bayes."
)


def _files(wanted: Wanted) -> Iterator[tuple[str, str]]:
    if wanted.data is None or not wanted.data.is_dir():
        raise ValueError("name the folder with the databases: --data FOLDER, or PPDM_DATA")
    files = {name: find(wanted.data, name) for name in wanted.databases}
    missing = [name for name, file in files.items() if file is None]
    if len(missing) == len(files):
        raise ValueError(f"{wanted.data}: none of {', '.join(files)} is there")
    with ended_cleanly():
        found = [
            redo(
                read(file, name),
                name,
                wanted.repetitions,
                classify=name != "msnbc",
                say=wanted.say,
            )
            for name, file in files.items()
            if file is not None
        ]
    for table in paper_tables(found):
        yield f"{table.name}.csv", table.csv()
    for figure in paper_figures(found):
        yield from figure_files(figure)
    yield "dor18.html", document_html(dor18_document(found, missing, wanted.repetitions))


FIGURES = Figures(_files, repetitions=3, databases=tuple(PRINTED))
