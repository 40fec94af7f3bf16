"""Repeated reports: what N independent reports of one input show, p[x -> y1] ... p[x -> yN].

Their order says nothing of x, so that outputs are told apart by how often each was seen: a
multiset of N outputs stands for N!/(k1! ... km!) sequences of one view. Where only ratios of
likelihoods count (all priors, amplification) sequences of a single output decide, because for
any two inputs the product of ratios is greatest where each factor is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import comb, gcd, lcm

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ONE, Exact, is_symbolic, simplify
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real
from ppdm_formal.declare.arithmetic.people import show_count
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.matrix import Labels, TooLarge
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import InputClass, InputLabels, View, ViewKind

MAX_REPORTS = 1_000_000
MAX_MULTISETS = 20_000
"""So many ways to see N outputs are told apart, where their order does not count."""

MAX_CLASSES = 500_000
"""And so many classes of inputs on all of them."""

MAX_BITS = 30_000
"""Longest likelihood of N reports; longer ones could not be written in a certificate."""

MAX_TERM_BITS = 200_000
"""The same of sums of powers of e, where terms grow in number and in length."""


def check_reports(reports: object) -> int:
    """How many reports, or a ValueError that says what is possible."""
    if isinstance(reports, bool) or not isinstance(reports, int):
        raise ValueError("reports are counted in whole numbers")
    if not 1 <= reports <= MAX_REPORTS:
        raise ValueError(f"after {show_count(reports)} reports: expected 1 to {MAX_REPORTS:,}")
    return reports


def same_output_views(views: Sequence[View], reports: int) -> tuple[View, ...]:
    """The views of one output seen every time: likelihoods to the power N, up to a factor."""
    return tuple(views) if reports == 1 else tuple(_same_output(view, reports) for view in views)


def _same_output(view: View, reports: int) -> View:
    likelihoods = [part.likelihood for part in view.classes]
    if any(isinstance(number, ExpNumber) for number in likelihoods):
        least = min((n for n in likelihoods if n), default=Fraction(1))
        likelihoods = [number / least for number in likelihoods]
    elif not any(map(is_symbolic, likelihoods)):
        # Whole numbers without a common divisor: their powers are as short as can be.
        common = lcm(*(number.denominator for number in likelihoods))
        tops = [int(number * common) for number in likelihoods]
        divisor = gcd(*tops) or 1
        likelihoods = [Fraction(top // divisor) for top in tops]
    classes = []
    for part, number in zip(view.classes, likelihoods, strict=True):
        if not is_symbolic(number):
            _check_bits(number, reports)
        classes.append(replace(part, likelihood=simplify(number**reports)))
    kind = view.kind if view.relative else ViewKind.RELATIVE
    return replace(view, classes=tuple(classes), kind=kind)


def _check_bits(number: Real, reports: int) -> None:
    """Refuse numbers whose powers are too long."""
    most = MAX_BITS
    if not isinstance(number, ExpNumber):
        bits = max(number.numerator.bit_length(), number.denominator.bit_length()) - 1
    elif number.power():
        bits = number.bits
    else:
        bits, most = number.bits * reports, MAX_TERM_BITS
    if bits * reports > most:
        raise TooLarge(
            f"after {reports:,} reports likelihoods have some {bits * reports:,} bits; "
            f"at most {most:,} are written exactly"
        )


@dataclass(frozen=True)
class AlikeRows:
    """Inputs alike in all that is asked, with their whole rows: what N reports depend on.

    columns: outputs that show the same in every row are one column; how many there are, and one.
    """

    counts: tuple[int, ...]
    examples: tuple[Value, ...]
    meanings: tuple[tuple[Exact | None, tuple[bool, ...], Exact | None], ...]
    rows: tuple[tuple[Exact, ...], ...]
    columns: tuple[tuple[int, Value], ...]

    @classmethod
    def of(
        cls,
        operator: Operator,
        prior: Prior | None,
        properties: Sequence[Property],
        knowledge: tuple[Labels, Sequence[Exact]] | None = None,
    ) -> AlikeRows:
        """Group equal rows, then equal columns of what is left."""
        coded = operator.matrix()
        labels = InputLabels.of(operator.inputs, prior, properties, knowledge)
        keys = np.column_stack([labels.labels, coded.codes.astype(np.int64)])
        found, first, counts = np.unique(keys, axis=0, return_index=True, return_counts=True)
        order = np.argsort(first)
        distinct = found[order, 1:]
        shown, places, many = np.unique(distinct, axis=1, return_index=True, return_counts=True)
        columns = np.argsort(places)
        return cls(
            tuple(int(counts[k]) for k in order),
            tuple(operator.inputs[int(first[k])] for k in order),
            tuple(labels.meanings[int(found[k, 0])] for k in order),
            tuple(tuple(coded.palette[int(c)] for c in row[columns]) for row in shown),
            tuple((int(many[k]), operator.outputs[int(places[k])]) for k in columns),
        )


def repeated_views(
    operator: Operator,
    reports: int,
    prior: Prior | None = None,
    properties: Sequence[Property] = (),
    knowing: Operator | None = None,
) -> tuple[View, ...]:
    """The views of all sequences of N outputs, told apart by how often each output was seen.

    A view's output lists (output, how often), of one of the sequences that show the same: below
    both heads and both tails have one input at 9/16 and one at 1/16.

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], outputs=["h", "t"])
    >>> for view in repeated_views(coin, 2):
    ...     print(view.output, view.outputs, *(part.likelihood for part in view.classes))
    (('h', 2),) 2 9/16 1/16
    (('h', 1), ('t', 1)) 2 3/16
    """
    found: list[View] = []
    for known, rows in rows_of(operator, prior, properties, knowing):
        found += _views(rows, reports, known, sum(len(view.classes) for view in found))
    return tuple(found)


def rows_of(
    operator: Operator,
    prior: Prior | None,
    properties: Sequence[Property],
    knowing: Operator | None,
) -> Iterator[tuple[Value | None, AlikeRows]]:
    """The rows of one report, for each known z where there is background knowledge."""
    if knowing is None:
        yield None, AlikeRows.of(operator, prior, properties)
        return
    order = np.array([knowing.inputs.index(x) for x in operator.inputs], dtype=np.int64)
    coded = knowing.matrix()
    for column, known in enumerate(knowing.outputs):
        codes = coded.codes[order, column].astype(np.int64)
        yield known, AlikeRows.of(operator, prior, properties, (codes, coded.palette))


def _views(rows: AlikeRows, reports: int, known: Value | None, held: int) -> list[View]:
    ways = comb(len(rows.columns) + reports - 1, reports)
    if ways > MAX_MULTISETS:
        raise TooLarge(
            f"{reports:,} reports of {len(rows.columns):,} outputs can be seen in "
            f"{show_count(ways)} ways, whatever their order; at most {MAX_MULTISETS:,} are told "
            "apart: claim it for all priors, which needs one report only, or for fewer reports"
        )
    if not any(is_symbolic(number) for row in rows.rows for number in row):
        for number in {number for row in rows.rows for number in row}:
            _check_bits(number, reports)
    views: dict[frozenset[tuple[object, ...]], View] = {}
    for counts, sequences, likelihoods in _multisets(rows, reports):
        classes: dict[tuple[object, ...], InputClass] = {}
        for n, example, meaning, likelihood in zip(
            rows.counts, rows.examples, rows.meanings, likelihoods, strict=True
        ):
            key = (likelihood, *meaning)
            one = classes.get(key) or InputClass(likelihood, 0, example, *meaning)
            classes[key] = replace(one, count=one.count + n)
        shows = frozenset((key, part.count) for key, part in classes.items())
        before = views.get(shows)
        if before is None:
            held += len(classes)
            if held > MAX_CLASSES:
                raise TooLarge(
                    f"{reports:,} reports show more than {MAX_CLASSES:,} classes of inputs"
                )
            output = tuple(
                (rows.columns[column][1], many) for column, many in enumerate(counts) if many
            )
            views[shows] = View(tuple(classes.values()), sequences, output, known)
        else:
            views[shows] = replace(before, outputs=before.outputs + sequences)
    return list(views.values())


def _multisets(
    rows: AlikeRows, reports: int
) -> Iterator[tuple[tuple[int, ...], int, tuple[Exact, ...]]]:
    """How often each column is seen, in how many sequences, and each row's likelihood of one."""
    width = len(rows.columns)
    powers: dict[tuple[int, int], tuple[Exact, ...]] = {}

    def power(column: int, many: int) -> tuple[Exact, ...]:
        if (column, many) not in powers:
            powers[column, many] = tuple(simplify(row[column] ** many) for row in rows.rows)
        return powers[column, many]

    for counts in _shares(reports, width):
        left, sequences = reports, 1
        factors = []
        for column, many in enumerate(counts):
            if many:
                sequences *= comb(left, many) * rows.columns[column][0] ** many
                left -= many
                factors.append(power(column, many))
        products = (reduce(_times, numbers, ONE) for numbers in zip(*factors, strict=True))
        yield counts, sequences, tuple(products)


def _times(one: Exact, other: Exact) -> Exact:
    return simplify(one * other)


def _shares(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as an ordered sum of so many, the first part greatest first.

    >>> list(_shares(2, 2))
    [(2, 0), (1, 1), (0, 2)]
    """
    counts = [total] + [0] * (parts - 1)
    while True:
        yield tuple(counts)
        last = counts[-1]
        counts[-1] = 0
        place = next((k for k in range(parts - 2, -1, -1) if counts[k]), None)
        if place is None:
            return
        counts[place] -= 1
        counts[place + 1] = last + 1
