"""Utility: what it costs to estimate the distribution of x from N randomized reports.

    factor = sum over x of e[x](pi) / sum over x of pi[x] (1 - pi[x])

e[x] is N times the mean squared error of cell x (moments.py), and the sum below what N answers
without randomization leave: so many times as many people are needed. pi is the prior, or the
uniform distribution. It is no function of views, which do not follow inputs from output to output:
it comes from a family's closed form, from inputs that are all alike, from a circulant matrix, or
from exact algebra on a small matrix.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from flint import ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of
from ppdm_formal.declare.arithmetic.exact import (
    Exact,
    is_number,
    is_rational,
    is_symbolic,
    simplify,
)
from ppdm_formal.declare.arithmetic.people import short
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity, Measured, value_text
from ppdm_formal.declare.operators.alike import Support, Take
from ppdm_formal.declare.operators.circulant import circulant
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.recoverable import Recoverable
from ppdm_formal.derive.measures.matrix_errors import (
    FromMatrix,
    circulant_errors,
    matrix_errors,
    numeric,
)
from ppdm_formal.derive.measures.mean_error import MeanError
from ppdm_formal.derive.measures.moments import (
    UNKNOWABLE,
    CellsAlike,
    Errors,
    MomentSums,
    alike_moments,
    enclosed,
    errors,
    supported,
    told,
    weighed,
)
from ppdm_formal.derive.measures.record import Asked, Field, Measure, Reading

WITHIN = Fraction(1, 100)
"""One point: how near to the truth a share is wanted."""

CHI_SQUARE = Fraction(3_841_459, 1_000_000)
"""The square of the normal law's 97.5% point: such intervals hold the truth 95 times in 100."""

MOST_EXACT = 130
"""Sums of more fractions than this are enclosed, not written out: their digits help nobody."""

MOST_EXPONENTIALS = 6
"""The same for terms with exponentials, and the most for closed forms."""

SMALL = 40
"""Circulant matrices up to this size are inverted in rationals like any other."""

_LONGEST = 60
"""Characters of a closed form in a repr."""

Which: TypeAlias = Literal["published", "least variance", "both", "the only one"]
"""Which decoder it is; both: the published one has the least variance; or there is no other."""


@dataclass(frozen=True)
class Decoding:
    """A decoder, by which it is, and the errors of its estimates."""

    which: Which
    errors: Errors

    @property
    def people(self) -> int | Infinity | None:
        """How many know a share of 10% within one point, 95 times in 100; None if it is a form."""
        share = self.errors.share
        return None if share is None else people(share)


@dataclass(frozen=True)
class Utility:
    """What was found: the decoders, the best of them first.

    rank: how many numbers of the distribution on `cells` can be recovered. found: which cannot.
    items: cells are items of sets, not values. prior: None for the uniform distribution.
    """

    decoders: tuple[Decoding, ...]
    cells: int
    rank: int
    found: Recoverable | None = None
    mean: MeanError | None = None
    items: bool = False
    prior: Prior | None = None

    @property
    def best(self) -> Decoding:
        """The one of least variance, where that is known."""
        return self.decoders[0]

    def __repr__(self) -> str:
        factor, count = self.best.errors.factor, self.best.people
        times = short(factor) if is_number(factor) else value_text(factor)[:_LONGEST]
        known = "" if count is None else f"; {count} people for one point"
        return f"<Utility for {self.cells} values, {self.best.which}: factor {times}{known}>"


def people(error: Measured) -> int | Infinity | None:
    """The N with which an error over N gives intervals of WITHIN on either side; None for forms."""
    if isinstance(error, Infinity):
        return INFINITY
    if isinstance(error, Enclosure):
        error = error.hi
    if is_symbolic(error):
        return None
    return math.ceil(error * CHI_SQUARE / WITHIN**2)


def utility(operator: Operator, prior: Prior | None = None) -> Utility:
    """Errors of estimates under a prior, or under the uniform distribution.

    >>> from ppdm_formal.declare.families.randomized_response import randomized_response
    >>> found = utility(randomized_response(10, "1/4"))
    >>> str(found.best.errors.factor), found.best.people
    ('36', 124464)
    """
    law, size = operator.law, operator.inputs.size
    support = law.support()
    if support is not None and support.sets is not None:
        return _of_items(operator, support, prior)
    if size == 1:
        return Utility((Decoding("the only one", told([Fraction(0)] * 6)),), 1, 1, prior=prior)
    published = None
    if support is not None and simplify(support.own - support.other) != 0:
        published = _told(operator, prior, lambda take: supported(support, take))
    only = operator.outputs.size == size
    alike = _weighed(operator, prior) if prior is None or only else None
    if alike is not None:
        rank = 1 if alike is UNKNOWABLE else size
        decoders = _named(published, alike, only)
        return Utility(decoders, size, rank, None, _mean(operator, prior), prior=prior)
    try:
        whole = _from_matrix(operator, prior)
    except TooLarge:
        if published is None:
            raise
        return Utility((Decoding("published", published),), size, size, prior=prior)
    decoders = _named(published, whole.errors, whole.unique)
    return Utility(decoders, size, whole.rank, whole.found, whole.mean, prior=prior)


def _named(published: Errors | None, best: Errors, only: bool) -> tuple[Decoding, ...]:
    if only or published is None:
        return (Decoding("the only one" if only else "least variance", best),)
    if published.factor == best.factor and published.share == best.share:
        return (Decoding("both", best),)
    return Decoding("least variance", best), Decoding("published", published)


def _grouped(operator: Operator, prior: Prior | None) -> list[tuple[int, Exact]]:
    """The masses of the inputs, equal ones together."""
    if prior is None:
        return [(operator.inputs.size, Fraction(1, operator.inputs.size))]
    aligned = prior.aligned(operator.inputs)
    counts = Counter(aligned.codes.tolist())
    return [(count, aligned.palette[code]) for code, count in counts.items()]


def _told(
    operator: Operator, prior: Prior | None, own_and_other: Callable[[Take], tuple[Any, Any]]
) -> Errors:
    """Exact errors of alike inputs."""
    own, other = own_and_other(lambda value: value)
    moments = alike_moments(own, other, _grouped(operator, prior), operator.inputs.size)
    free = (*operator.parameters, *(prior.parameters if prior is not None else ()))
    return told(errors(moments, free))


def _weighed(operator: Operator, prior: Prior | None) -> Errors | None:
    """The decoder of least variance for alike inputs; None where they are not, or it is too long.

    Exact while there are few terms; otherwise enclosed.
    """
    law, size = operator.law, operator.inputs.size
    masses = _grouped(operator, prior)
    numbers = (*law.values(), *(mass for _, mass in masses))
    if any(map(is_symbolic, numbers)):
        try:
            terms = law.ratios(lambda value: value)
        except TooLarge:
            return None
        if terms is None or len(terms) > MOST_EXPONENTIALS:
            return None
    else:
        try:
            with ctx.workprec(64):
                terms = law.ratios(ball_of)
        except TooLarge:
            return None
        if terms is None:
            return None
        most = MOST_EXACT if all(map(is_rational, numbers)) else MOST_EXPONENTIALS
        if len(terms) > most:
            point = any(mass == 1 for _, mass in masses)
            return enclosed(lambda: (_enclosed(operator, masses), ()), point)[0]
        terms = law.ratios(lambda value: value)
        assert terms is not None
    found = weighed(size, terms)
    return UNKNOWABLE if found is None else _told(operator, prior, lambda take: found)


def _enclosed(operator: Operator, masses: Sequence[tuple[int, Exact]]) -> MomentSums:
    terms = operator.law.ratios(ball_of)
    assert terms is not None
    found = weighed(operator.inputs.size, terms)
    assert found is not None
    balls = [(count, ball_of(mass)) for count, mass in masses]
    return alike_moments(*found, balls, operator.inputs.size)


def _from_matrix(operator: Operator, prior: Prior | None) -> FromMatrix:
    coded = operator.law.written_out()
    if coded is not None:
        row = circulant(coded)
        if row is not None and len(row) > SMALL:
            return circulant_errors(row, operator, prior)
    return matrix_errors(operator, prior)


def _mean(operator: Operator, prior: Prior | None) -> MeanError | None:
    """The mean of alike inputs, where the matrix is small."""
    if operator.parameters or numeric(operator) is None:
        return None
    try:
        return matrix_errors(operator, prior).mean
    except TooLarge:
        return None


def _of_items(operator: Operator, support: Support, prior: Prior | None) -> Utility:
    """Sets as inputs: shares of single items, under the uniform distribution on the sets."""
    assert support.sets is not None
    items, size = support.sets
    if prior is not None:
        raise TooLarge("a prior on sets is not broken down by items")
    if simplify(support.own - support.other) == 0:
        return Utility((Decoding("published", UNKNOWABLE),), items, 0, items=True)
    share = Fraction(size, items)
    own, other = supported(support, lambda value: value)
    cells = CellsAlike(items, share, own, other, other + share * (own - other))
    found = errors(MomentSums((cells,), ((items, own),)), operator.parameters)
    found[4] = found[3]  # equal shares are the worst there are
    if share == 1:
        raise TooLarge("every set holds every item: there is nothing to estimate")
    return Utility((Decoding("published", told(found)),), items, items, items=True)


def fields(found: Utility) -> dict[str, Field]:
    """What JSON says of it."""
    return {
        "of": "items" if found.items else "values",
        "cells": str(found.cells),
        "rank": str(found.rank),
        "confidence": "95%",
        "decoders": {_KEYS[one.which]: _decoding(one) for one in found.decoders},
        "mean": None
        if found.mean is None
        else {
            "error": found.mean.error,
            "without_randomization": found.mean.plain,
            "worst": found.mean.worst,
        },
    }


_KEYS = {
    "published": "published",
    "least variance": "least_variance",
    "both": "published_of_least_variance",
    "the only one": "only",
}


def _decoding(one: Decoding) -> dict[str, Field]:
    found = one.errors
    many = one.people
    return {
        "factor": found.factor,
        "share_of_10_percent": found.share,
        "people_for_one_point": Fraction(many) if isinstance(many, int) else many,
        "worst_cell_worst_distribution": found.cell_worst,
        "worst_cell": found.cell,
        "total": found.total,
        "total_worst_distribution": found.total_worst,
        "total_without_randomization": found.plain,
    }


def _compute(asked: Asked) -> Reading:
    found = utility(asked.operator)
    value = found.best.errors.factor
    return MEASURE.reading(asked, value, {"utility": fields(found)}, result=found)


MEASURE = Measure(
    name="utility",
    title="Cost in people",
    head="people, times",
    meaning="How many times as many people are needed to estimate the distribution of x as without "
    "randomization, if all values are equally frequent, with the decoder of least variance.",
    formula="sum over x of e[x] / sum over x of pi[x] (1 - pi[x])",
    prior=False,
    compute=_compute,
    column=False,
    order=200,
)
