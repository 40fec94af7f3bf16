"""The page of the demo: the steps, what leaves a client, estimates against the truth, recovery."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import NormalDist
from typing import Any, ClassVar

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.result import Result
from ppdm_formal.design.lds import DEVIATIONS
from ppdm_formal.infer.baskets.compare import AgainstOriginal
from ppdm_formal.infer.baskets.randomized import MinedRelease
from ppdm_formal.report.parts.blocks import (
    Block,
    Code,
    Document,
    Facts,
    Gallery,
    Picture,
    Points,
    Section,
    Table,
    Text,
)
from ppdm_formal.report.parts.mined import percent
from ppdm_formal.report.parts.mined_release import (
    agreement,
    found_and_missed,
    range_tables,
    rules_table,
    sets_of,
    truth_table,
)
from ppdm_formal.report.pictures.support_pictures import recovery_picture
from ppdm_formal.run.market import Market


@dataclass(frozen=True)
class DemoStep:
    """A command that was run: what it does in a word, the command, and what it is for."""

    name: str
    line: str
    words: str


@dataclass(frozen=True)
class Forecast:
    """What a plan expects of itemsets of one size: the deviation of an estimate, and the LDS."""

    deviation: float
    lds: float | None


@dataclass(frozen=True)
class Mining:
    """What was found in a collection, against its originals."""

    found: MinedRelease
    truth: AgainstOriginal


@dataclass(frozen=True)
class Demo(Result):
    """All that the demo did; the last mining is that of all baskets. bytes: of files, by name."""

    shown_in: ClassVar[str] = "demo"

    market: Market
    steps: tuple[DemoStep, ...]
    forecasts: Mapping[int, Forecast]
    least: Fraction
    mined: tuple[Mining, ...]
    bytes: Mapping[str, int]

    @property
    def whole(self) -> Mining:
        """That of all baskets."""
        return self.mined[-1]

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-demo/1."""
        return {
            "format": "ppdm-demo/1",
            "transactions": self.market.transactions,
            "items": self.market.items,
            "simulated": True,
            "steps": [{"name": one.name, "command": one.line} for one in self.steps],
            "min_support": number_text(self.least),
            "forecasts": [
                {
                    "itemset": size,
                    "deviation": repr(one.deviation),
                    "lds": None if one.lds is None else repr(one.lds),
                }
                for size, one in self.forecasts.items()
            ],
            "mined": [replace(one.found, truth=one.truth).to_json() for one in self.mined],
            "bytes": dict(self.bytes),
        }


def document(demo: Demo, **_: object) -> Document:
    """The whole page."""
    many = demo.market.transactions
    lead = (
        f"{many:,} made-up baskets were randomized so that no report raises any belief of 5% to "
        "50%, sent as short seeds, and mined. This page compares what was found with the original "
        "baskets, which a real collector would never see."
    )
    sections = [
        Section("What was done", _steps(demo), 2, "steps"),
        Section("What leaves a client", _sent(demo), 2, "sent"),
        Section("Estimates against the truth", _agreement(demo), 2, "estimates"),
        Section("Found and missed", _found(demo), 2, "found"),
        Section("What more transactions bring", _recovery(demo), 2, "recovery"),
        Section("How to read this", [Points(_reading(demo))], 2, "reading"),
    ]
    footer = (
        "Written by ppdm_formal. The baskets are made up and the coins are seeded, so that the "
        "page is the same each time: such a release would protect nobody."
    )
    return Document("From baskets to rules, privately", lead, "", "", sections, footer)


def _steps(demo: Demo) -> list[Block]:
    return [
        Facts([(step.name, step.words) for step in demo.steps]),
        Text("These are the commands; they can be typed again in the folder of this page."),
        Code([step.line for step in demo.steps]),
    ]


def _sent(demo: Demo) -> list[Block]:
    many = demo.market.transactions
    names = {
        "baskets.dat": "the baskets themselves, as text",
        "written-out.parquet": "randomized, every report written out",
        "randomized.parquet": "randomized, as seeds",
    }
    rows = [
        [words, f"{demo.bytes[name]:,}", f"{8 * demo.bytes[name] / many:,.0f}"]
        for name, words in names.items()
    ]
    return [
        Table(["file", "bytes", "bits a basket"], rows, numbers=(1, 2)),
        Text(
            "A report names about as many items that are not in the basket as hide those that are. "
            "Written out that is long; a seed from which anyone can draw the same report is short."
        ),
    ]


def _agreement(demo: Demo) -> list[Block]:
    whole = demo.whole
    judged = [
        (float(one.true), one.estimate)
        for one in whole.truth.judged
        if one.frequent and one.estimate is not None
    ]
    inside = sum(told.low <= true <= told.high for true, told in judged)
    return [
        Gallery(agreement(whole.truth)),
        Text(
            f"Of {len(judged):,} frequent itemsets the 95% intervals hold the true support of "
            f"{inside:,} ({percent(Fraction(inside, max(1, len(judged))))})."
        ),
        *rules_table(whole.found),
    ]


def _found(demo: Demo) -> list[Block]:
    found, truth = demo.whole.found, demo.whole.truth
    pictures: list[Picture] = []
    for seen in found.seen:
        forecast = demo.forecasts.get(seen.size)
        lds = None if forecast is None else forecast.lds
        words = "" if lds is None else f"lowest discoverable support of the plan, {lds:.2%}"
        pictures += found_and_missed(found, truth, seen, lds, words)
    return [Gallery(pictures), truth_table(truth), *range_tables(truth, demo.least)]


def _recovery(demo: Demo) -> list[Block]:
    sizes = sorted({part.size for one in demo.mined for part in one.truth.sizes})
    sizes = [size for size in sizes if size in demo.forecasts]
    lines: dict[str, list[tuple[int, float]]] = {sets_of(size): [] for size in sizes}
    expected: dict[str, list[tuple[int, float]]] = {}
    rows = []
    for one in demo.mined:
        number = one.found.transactions
        row = [f"{number:,}"]
        for size in sizes:
            part = next(part for part in one.truth.sizes if part.size == size)
            share = part.true_positives / max(1, part.frequent)
            lines[sets_of(size)].append((number, share))
            chance = _chance(demo, one, size)
            expected.setdefault(f"{sets_of(size)}, expected by the plan", []).append(
                (number, chance)
            )
            row += [
                _lowest(demo, number, size),
                f"{part.true_positives:,} of {part.frequent:,}",
                f"{chance:.0%}",
                f"{part.false_positives:,}",
            ]
        rows.append(row)
    head = ["transactions"]
    for size in sizes:
        name = sets_of(size)
        head += [f"LDS of {name}", f"{name} found", "expected", f"{name} invented"]
    title = "Frequent itemsets found, by the number of transactions"
    words = (
        f"Frequent: a support of {percent(demo.least)} or more among the baskets collected. Four "
        "times the transactions halve the supports that can be seen."
    )
    picture = Picture(title, recovery_picture(lines, expected, title), words)
    return [Gallery([picture]), Table(head, rows, numbers=tuple(range(len(head))))]


def _lowest(demo: Demo, number: int, size: int) -> str:
    """The plan's LDS for so many transactions: four deviations, which fall as 1/sqrt(N)."""
    return f"{DEVIATIONS * _deviation(demo, number, size):.2%}"


def _deviation(demo: Demo, number: int, size: int) -> float:
    return demo.forecasts[size].deviation * math.sqrt(demo.market.transactions / number)


def _chance(demo: Demo, one: Mining, size: int) -> float:
    """The mean chance of the frequent itemsets to be listed, by the plan's forecast."""
    seen = next((seen for seen in one.found.seen if seen.size == size), None)
    true = [float(j.true) for j in one.truth.judged if j.frequent and len(j.items) == size]
    if seen is None or not true:
        return 0.0
    error = _deviation(demo, one.found.transactions, size)
    needed = max(float(demo.least), seen.credible * error)
    normal = NormalDist()
    return sum(normal.cdf((support - needed) / error) for support in true) / len(true)


def _reading(demo: Demo) -> Sequence[str]:
    return [
        "The lowest discoverable support (LDS) is four standard deviations of an estimate: what "
        "the plan promised before any basket was collected. Rarer itemsets are found by luck.",
        f"Itemsets are listed from an estimated support of {percent(demo.least)} on, somewhat "
        "below the LDS of pairs, so that this page shows where finding ends. What is listed "
        "wrongly or missed lies near that threshold.",
        "For pairs the expectation takes their items as pursued; among few transactions some are "
        "not, and pairs are missed with them.",
        "An estimated confidence can exceed 100%: its standard error says how little that means.",
        "Certificates are exact and can be checked by anyone (ppdm check); estimates are random, "
        "and carry their standard errors.",
    ]
