"""Several reports of one input: likelihoods to a power, and what sequences of outputs show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from .canonical import canonical
from .claim import Claim
from .closed_form import bit_size
from .exponential import Exponential
from .limits import MAX_POWER, MAX_SEQUENCES, ONE
from .reading import Fields, read_list
from .result import need
from .view import Described, InputClass, Reader, View, read_class


def to_power(view: View, reports: int) -> View:
    """The view of one output, seen in every report; no other sequence has greater ratios."""
    # Ratios are all that counts: whole numbers without a common divisor have the shortest powers.
    numbers: list[Any] = [part.likelihood for part in view.classes]
    if any(type(number) is Exponential for number in numbers):
        least = min((number for number in numbers if number), default=ONE)
        bits = max(bit_size(number / least) for number in numbers)
        need(bits * reports <= MAX_POWER, "likelihoods of so many reports are too long")
        powers = [(number / least) ** reports for number in numbers]
    else:
        common = math.lcm(*(number.denominator for number in numbers))
        whole = [int(number * common) for number in numbers]
        divisor = math.gcd(*whole) or 1
        bits = max(whole).bit_length() - divisor.bit_length()
        need(bits * reports <= MAX_POWER, "likelihoods of so many reports are too long")
        powers = [Fraction((number // divisor) ** reports) for number in whole]
    parts = zip(view.classes, powers, strict=True)
    return replace(view, classes=tuple(replace(part, likelihood=p) for part, p in parts))


@dataclass(frozen=True)
class OneReport:
    """Inputs alike in all (their classes have likelihood 1), with their rows; equal columns once.

    columns: the output as it is written, and how many outputs have that column.
    """

    kinds: tuple[InputClass, ...]
    rows: tuple[tuple[Fraction, ...], ...]
    columns: tuple[tuple[Any, int], ...]
    known: bytes


def read_one_report(raw: Any, claim: Claim, form: Reader) -> OneReport:
    """The rows of one report, which are distributions."""
    fields = Fields(
        raw, "one_report", "columns rows" + (" known" if claim.knowing is not None else "")
    )
    columns = []
    for entry in fields.list("columns"):
        column = Fields(entry, "one_report", "output outputs")
        columns.append((column.raw["output"], column.count("outputs")))
    need(len({canonical(y) for y, _ in columns}) == len(columns), "one_report: an output twice")
    kinds, rows = [], []
    for entry in fields.list("rows"):
        need(type(entry) is dict and "likelihoods" in entry, "one_report: no likelihoods")
        row = tuple(form(number) for number in read_list(entry["likelihoods"], len(columns)))
        rest = {key: entry[key] for key in entry if key != "likelihoods"}
        kinds.append(read_class({**rest, "likelihood": "1"}, "one_report", claim, form))
        mass = sum(n * p for (_, n), p in zip(columns, row, strict=True))
        need(mass == 1 and all(p >= 0 for p in row), "one_report: a row is no distribution")
        rows.append(row)
    known = fields.value("known") if claim.knowing is not None else b""
    return OneReport(tuple(kinds), tuple(rows), tuple(columns), known)


def check_counted(
    described: Described, claim: Claim, by_known: dict[bytes, list[View]], form: Reader
) -> None:
    """The views are those of so many reports, told apart by how often each output was seen."""
    entries = [read_one_report(e, claim, form) for e in read_list(described.raw["one_report"])]
    order = [entry.known for entry in entries]
    need(sorted(order) == sorted(by_known), "one_report: another knowledge than that of the views")
    laws = set()
    for one in entries:
        need(sum(n for _, n in one.columns) ** claim.reports == described.outputs, "other outputs")
        law: Counter[Any] = Counter()
        for kind, row in zip(one.kinds, one.rows, strict=True):
            law[kind.member, kind.prior, row] += kind.count
        laws.add((canonical(one.columns), frozenset(law.items())))
        shown: dict[frozenset[Any], int] = {}
        outputs: dict[bytes, frozenset[Any]] = {}
        for output, sequences, view in counted_views(one, claim.reports):
            outputs[output] = view
            shown[view] = shown.get(view, 0) + sequences
        stated: dict[frozenset[Any], int] = {}
        for listed in by_known[one.known]:
            view = what_is_shown((part, part.likelihood) for part in listed.classes)
            stated[view] = stated.get(view, 0) + listed.outputs
            need(outputs.get(listed.output) == view, "a view is not that of its output")
        need(shown == stated, "the views are not those of so many reports")
    need(len(laws) == 1, "one_report: rows that depend on what is known")


def counted_views(one: OneReport, reports: int) -> Iterator[tuple[bytes, int, frozenset[Any]]]:
    """For each way to see so many outputs: as it is written, in how many orders, what it shows."""
    width = len(one.columns)
    ways = math.comb(width + reports - 1, reports)
    need(width and ways <= MAX_SEQUENCES, "more ways to see so many reports than are checked")
    bits = max(bit_size(p) for row in one.rows for p in row) - 1
    need(bits * reports <= MAX_POWER, "likelihoods of so many reports are too long")
    numbers = {p for row in one.rows for p in row}
    powers = {p: [p**k for k in range(reports + 1)] for p in numbers}
    for bars in combinations(range(width + reports - 1), width - 1):  # counts lie between bars
        ends = (-1, *bars, width + reports - 1)
        counts = [b - a - 1 for a, b in pairwise(ends)]
        sequences, left, written = 1, reports, []
        for (output, n), k in zip(one.columns, counts, strict=True):
            sequences *= math.comb(left, k) * n**k
            left -= k
            written += [{"tuple": [output, k]}] if k else []
        chances = [
            math.prod((powers[p][k] for p, k in zip(row, counts, strict=True)), start=ONE)
            for row in one.rows
        ]
        shows = what_is_shown(zip(one.kinds, chances, strict=True))
        yield canonical({"tuple": written}), sequences, shows


def what_is_shown(classes: Iterable[tuple[InputClass, Fraction]]) -> frozenset[Any]:
    """How many inputs of each kind have which likelihood."""
    found: Counter[Any] = Counter()
    for part, likelihood in classes:
        found[part.kind, likelihood] += part.count
    return frozenset(found.items())
