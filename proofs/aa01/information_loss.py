"""AA01 section 4.3 and Figure 9: how small information loss (6) can be, with 20,000 values.

Cells. X Gaussian, cells of width w with an edge at its mean. On a cell [u, u + w] with u >= 0 the
density f falls, and of all constants the one nearest to it is f at the middle m: the integral of
|f - c| is least where half of the cell lies on each side. It is then 2 F(m) - F(u) - F(u + w), so
that every density that is constant on the cells, by whatever algorithm from however many data, has
a loss of at least the sum over u = 0, w, 2w, ... of 2 F(m) - F(u) - F(u + w) (half of it, twice).

Chance. A histogram of N values that were not even perturbed has n/N instead of p in a cell; the
integral of |f - c| over a cell is at least |p - c w|, so that its loss is on average at least half
the sum of E|n/N - p|, and N E|n/N - p| = 2 m C(N, m) p^m (1 - p)^(N - m + 1) with m = floor(N p) +
1 (De Moivre). Terms are left out where cells are far out: both sums are from below.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from flint import arb

from ppdm_formal.certify.statement import (
    Neighbour,
    Outcome,
    PaperFinding,
    Statement,
    check_all,
    with_findings,
)
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of
from ppdm_formal.declare.machine.deadline import Deadline

from ._gaussian import enclosed, same_privacy

DATA = 20_000
CLAIMED = Fraction(1, 200)
FAR = 6
"""Standard deviations that cells are summed up to."""


def _below(at: Any) -> Any:
    """F(at) - 1/2 for the Gaussian of variance 2/(pi e)."""
    return (at / (same_privacy() * arb(2).sqrt())).erf() / 2


def _cells(width: Fraction) -> int:
    """How many cells lie on one side of the mean."""
    return int(FAR * Fraction(12, 25) / width) + 1  # sqrt(2/(pi e)) is about 12/25


@cache
def _by_cells(width: Fraction) -> Enclosure:
    """The loss that cells of this width cause at least."""

    def summed() -> Any:
        total, w = arb(0), ball_of(width)
        for k in range(_cells(width)):
            total += 2 * _below((k + arb(1) / 2) * w) - _below(k * w) - _below((k + 1) * w)
        return total

    return enclosed(summed)


@cache
def _by_chance(width: Fraction) -> Enclosure:
    """The loss of a histogram of 20,000 unperturbed values on average, at least."""

    def summed() -> Any:
        w = ball_of(width)
        masses = [_below((k + 1) * w) - _below(k * w) for k in range(_cells(width))]
        return sum((_deviation(p) for p in masses), arb(0))  # half of it, for both sides

    return enclosed(summed)


def _deviation(p: Any) -> Any:
    """E|n/N - p| for binomial n, by De Moivre's formula."""
    whole = (DATA * p).floor()
    m = whole + 1
    rest = DATA - m
    log_choose = arb(DATA + 1).lgamma() - (m + 1).lgamma() - (rest + 1).lgamma()
    return 2 * m * (log_choose + m * p.log() + (rest + 1) * (1 - p).log()).exp() / DATA


def decide_loss(deadline: Deadline) -> Outcome:
    """For every width that is tried, one of the two parts alone is above 0.5%."""

    def fails(width: Fraction) -> Mapping[str, object] | None:
        if max(_by_cells(width).lo, _by_chance(width).lo) > CLAIMED:
            return None
        return {"width": width, "cells": _by_cells(width), "chance": _by_chance(width)}

    widths = [Fraction(1, n) for n in (2, 3, 4, 5, 8, 10, 15, 20, 30, 41, 42, 60, 100)]
    tried = check_all(widths, fails, "13 widths from 1/2 to 1/100", deadline)
    if tried.kind != "checked":
        return tried
    narrow = Fraction(1, 42)
    finding = PaperFinding(
        "ambiguous",
        "4.3, after Observation 4.1, and 5, Figure 9",
        "with as few as 20,000 points EM loses less than 0.5%.",
        "Against the Gaussian of Figure 9 itself, (6) is above 0.5% for every density on cells of "
        "width 1/41 or the wider ones tried; in narrower cells a histogram loses more than that by "
        "chance alone, even of values that were never perturbed. What is meant (a loss between the "
        "masses of cells, or strong smoothing) is not said.",
        f"Width 1/5: at least {_by_cells(Fraction(1, 5))} by cells; 1/42: {_by_cells(narrow)} by "
        f"cells, {_by_chance(narrow)} by chance at {DATA:,} values.",
    )
    return with_findings(replace(tried, means=("exhaustive", "enclosure")), finding)


def refute_wide(deadline: Deadline) -> Outcome:
    """Cells of width 1/5 can be within 0.5%."""
    return _refuted(Fraction(1, 5), _by_cells)


def refute_chance(deadline: Deadline) -> Outcome:
    """A histogram of 20,000 values in cells of width 1/42 is within 0.5% on average."""
    return _refuted(Fraction(1, 42), _by_chance)


def _refuted(width: Fraction, part: Any) -> Outcome:
    def fails(width: Fraction) -> Mapping[str, object] | None:
        lost = part(width)
        return {"width": width, "loss": lost} if lost.lo > CLAIMED else None

    return check_all([width], fails, "", Deadline.after(9))


STATEMENTS = (
    Statement(
        "aa01/loss_at_20000",
        "AA01",
        "Information loss at 20,000 points",
        "A Gaussian of variance 2/(pi e), cells of width w: by cells alone, or by chance alone in "
        "a histogram of 20,000 unperturbed values, the loss is above 0.5%.",
        ("the mean is an edge of cells", "loss (6) against the Gaussian itself"),
        decide_loss,
        (
            Neighbour("cells of width 1/5 allow 0.5%", refute_wide),
            Neighbour("20,000 values in cells of width 1/42 are within 0.5%", refute_chance),
        ),
        section="4.3",
        formulas=(
            r"\frac{1}{2}\int |f - \hat f| \ge \sum_{u = 0, w, 2w, \ldots} "
            r"2F(u + \frac{w}{2}) - F(u) - F(u + w)",
        ),
        uses=("aa01/information_loss", "aa01/section_5_parameters"),
        expected="checked",
    ),
)
