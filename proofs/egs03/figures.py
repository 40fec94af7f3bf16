"""Figures 1, 2 and 3 of EGS03: lowest discoverable support against rho1, m and N.

Parameters j* and rho minimize the largest LDS of 1-, 2- and 3-itemsets, with condition (3)
at equality (gamma = 1/rho1 - 1 for rho2 = 1/2), as in the paper. rho is rounded to 30 bits
and every plotted number is then evaluated exactly.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.statement.figures import Figures, Wanted
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.select_a_size import Randomization, optimal_keep
from ppdm_formal.design.design import lowest_support
from ppdm_formal.design.paper_form import best_cutoffs
from ppdm_formal.design.plan import gamma_bound
from ppdm_formal.report.pictures.figure import figure_files

ITEMSETS = (1, 2, 3)
RHO2 = Fraction(1, 2)
BITS = 30


@dataclass(frozen=True)
class FigurePoint:
    """One setting with its optimal parameters and the LDS of each itemset size."""

    rho1: Fraction
    size: int
    transactions: int
    cutoff: int
    insert: Fraction
    lds: tuple[str, ...]

    @property
    def largest(self) -> float:
        """The quantity that the parameters minimize."""
        return max(float(s) for s in self.lds)


def figure_point(rho1: Fraction, size: int, transactions: int) -> FigurePoint:
    """The optimal parameters of one setting, evaluated exactly."""
    gamma = gamma_bound(rho1, RHO2)
    mined = [k for k in ITEMSETS if k <= size]
    best = best_cutoffs(size, float(gamma), mined, transactions)[0]
    insert = Fraction(round(best.insert * 2**BITS), 2**BITS)
    keep = optimal_keep(size, insert, best.cutoff, gamma)
    randomization = Randomization(size, insert, keep)
    lds = tuple(lowest_support(randomization, k, transactions).decimal() for k in mined)
    return FigurePoint(rho1, size, transactions, best.cutoff, insert, lds)


@dataclass(frozen=True)
class Figure:
    """A figure's data and what is said of it."""

    name: str
    title: str
    axis: str
    caption: str
    points: tuple[FigurePoint, ...]
    positions: tuple[float, ...]

    def csv(self) -> str:
        """All numbers: setting, parameters, and LDS as fractions of 1."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names = [f"lds_{k}" for k in ITEMSETS]
        writer.writerow(["rho1", "size", "transactions", "cutoff", "insert", *names])
        for p in self.points:
            writer.writerow(
                [
                    number_text(p.rho1),
                    p.size,
                    p.transactions,
                    p.cutoff,
                    number_text(p.insert),
                    *p.lds,
                ]
            )
        return out.getvalue()

    @property
    def y_axis(self) -> str:
        """What the lines show."""
        return "lowest discoverable support (%)"

    def bands(self) -> dict[str, tuple[list[tuple[float, float]], list[tuple[float, float]]]]:
        """None: the numbers are exact."""
        return {}

    def lines(self) -> dict[str, list[tuple[float, float]]]:
        """The points of each itemset size by its name, LDS in percent."""
        return {
            f"{k}-itemsets": [
                (x, 100 * float(point.lds[k - 1]))
                for x, point in zip(self.positions, self.points, strict=True)
            ]
            for k in ITEMSETS
        }


_ASSUMED = (
    "Four standard deviations from zero; partial supports s_k = s, s_0 = 1 - s; "
    "j* and rho minimize the largest of the three; rho2 = 50%, gamma = 1/rho1 - 1 (equality)."
)


def halves(first: int, last: int) -> tuple[Fraction, ...]:
    """first/2, ..., last/2."""
    return tuple(Fraction(i, 2) for i in range(first, last + 1))


def figure1(percents: Iterable[Fraction] = halves(2, 20)) -> Figure:
    """LDS against the breach level rho1 = 1%..10%; m = 5, N = 5 million."""
    levels = tuple(percents)
    return Figure(
        "figure1",
        "EGS03 Figure 1: LDS against breach level",
        "breach level rho1 (%)",
        f"5 million transactions of 5 items. {_ASSUMED}",
        tuple(figure_point(level / 100, 5, 5_000_000) for level in levels),
        tuple(float(level) for level in levels),
    )


def figure2(sizes: Iterable[int] = range(3, 11)) -> Figure:
    """LDS against the transaction size m = 3..10; rho1 = 5%, N = 5 million."""
    chosen = tuple(sizes)
    return Figure(
        "figure2",
        "EGS03 Figure 2: LDS against transaction size",
        "transaction size m",
        f"5 million transactions, rho1 = 5%. {_ASSUMED}",
        tuple(figure_point(Fraction(1, 20), size, 5_000_000) for size in chosen),
        tuple(float(size) for size in chosen),
    )


def figure3(millions: Iterable[Fraction] = halves(1, 20)) -> Figure:
    """LDS against the number of transactions N = 0.5..10 million; m = 5, rho1 = 5%."""
    chosen = tuple(millions)
    return Figure(
        "figure3",
        "EGS03 Figure 3: LDS against number of transactions",
        "transactions N (million)",
        f"Transactions of 5 items, rho1 = 5%. {_ASSUMED}",
        tuple(figure_point(Fraction(1, 20), 5, int(n * 1_000_000)) for n in chosen),
        tuple(float(n) for n in chosen),
    )


def _files(wanted: Wanted) -> Iterator[tuple[str, str]]:
    for number, draw in enumerate((figure1, figure2, figure3), 1):
        wanted.say(f"figure {number}")
        yield from figure_files(draw())


FIGURES = Figures(_files)
