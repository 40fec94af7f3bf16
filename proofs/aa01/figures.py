"""Figures 2 to 9 of AA01, by repetitions: with bands, and with the set-up in each caption.

Information loss is AA01 (6): its mean over samples, the band from the 5% to the 95% point.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_formal.certify.statement.figures import Figures, Wanted
from ppdm_formal.declare.noises.named import Noise, Normal, Uniform
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.design import Method
from ppdm_formal.infer.reals.privacy import privacy_loss
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.undoing.channel import Floats
from ppdm_formal.report.pictures.figure import figure_files

from ._setup import DATA, SAMPLE, SD, SETUPS, SUPPORT, WIDE, Experiment, SetUp, perturbation

Point = tuple[float, float]

REPETITIONS = 200
"""Samples for each point of a figure."""

DEVIATIONS = tuple(Fraction(k, 10) for k in range(1, 13))
"""Standard deviations of the noise in Figures 6 to 8."""

SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
COMBINATIONS = tuple((data, noise) for data in ("uniform", "normal") for noise in DATA)
METHODS: dict[Method, str] = {"as": "AS", "em": "EM"}
PRINTED = {
    ("uniform", "em"): 4.9,
    ("uniform", "as"): 13.29,
    ("normal", "em"): 17.9,
    ("normal", "as"): 26.5,
}
"""The information loss in percent that AA01 section 5 tells of Figures 2 to 5."""


@dataclass(frozen=True)
class Series:
    """A line of a figure, with the band around it where there is one."""

    name: str
    points: tuple[Point, ...]
    low: tuple[Point, ...] = ()
    high: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Chart:
    """A figure's data and what is said of it; rows are all numbers, for a CSV file."""

    name: str
    title: str
    axis: str
    y_axis: str
    caption: str
    series: tuple[Series, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    def csv(self) -> str:
        """All numbers."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.head)
        for row in self.rows:
            writer.writerow([f"{x:.6g}" if isinstance(x, float) else x for x in row])
        return out.getvalue()

    def lines(self) -> dict[str, Sequence[Point]]:
        """The points of each series by its name."""
        return {one.name: one.points for one in self.series}

    def bands(self) -> dict[str, tuple[Sequence[Point], Sequence[Point]]]:
        """The bands by the names of their series."""
        return {one.name: (one.low, one.high) for one in self.series if one.low}


def density_chart(
    number: int, data: str, method: Method, setup: SetUp = SUPPORT, repetitions: int = REPETITIONS
) -> Chart:
    """Figures 2 to 5: a density reconstructed from 500 values."""
    noise: Noise = Uniform(Fraction(-1), Fraction(1)) if data == "uniform" else Normal(Fraction(1))
    centre = Fraction(3) if data == "uniform" else Fraction(0)
    cells = setup.cells(data, centre)
    experiment = Experiment(data, noise, cells, method, float(centre))
    found = [
        experiment.reconstructed(experiment.sample(SAMPLE, (1, SAMPLE, k)), setup.rule).masses
        for k in range(repetitions)
    ]
    losses = 100 * np.array([experiment.loss(masses) for masses in found])
    densities = np.array(found) / cells.width
    middle, low, high = np.quantile(densities, [0.5, 0.05, 0.95], axis=0)
    edges = cells.edges
    room = (edges[-1] - edges[0]) / 8
    fine = np.linspace(edges[0] - room, edges[-1] + room, 400)
    true = experiment.density(fine)
    name = METHODS[method]
    printed = PRINTED[data, method]
    caption = (
        f"{SAMPLE} values, {data} x {'on [2, 4]' if data == 'uniform' else 'of variance 2/(pi e)'},"
        f" {noise} noise. Set-up {setup.name}: {setup.words}. Information loss over "
        f"{repetitions} samples: median {np.median(losses):.1f}%, from {losses.min():.1f}% to "
        f"{losses.max():.1f}%; the paper's sample: {printed:g}%. Band: 5% to 95% of the samples, "
        "cell by cell."
    )
    columns = zip(edges[:-1], edges[1:], middle, low, high, densities[0], strict=True)
    return Chart(
        f"figure{number}",
        f"AA01 Figure {number}: {data} distribution, reconstructed by {name}",
        "x",
        "density",
        caption,
        (
            Series(
                f"{name}, median", _steps(edges, middle), _steps(edges, low), _steps(edges, high)
            ),
            Series("original density", tuple(zip(fine.tolist(), true.tolist(), strict=True))),
            Series(f"{name}, the first sample", _steps(edges, densities[0])),
        ),
        ("from", "to", "median", "p5", "p95", "first_sample"),
        tuple(tuple(float(x) for x in row) for row in columns),
    )


def loss_charts(
    deviations: Sequence[Fraction] = DEVIATIONS,
    setup: SetUp = WIDE,
    repetitions: int = REPETITIONS,
) -> tuple[Chart, Chart, Chart]:
    """Figures 6, 7 and 8: both losses against the noise, and against each other."""
    again = "" if setup is WIDE else f"-{setup.name}"
    information, privacy, traded, rows = [], [], [], []
    for data, kind in COMBINATIONS:
        name = f"{data} x, {kind} noise"
        lost = _information(data, kind, deviations, setup, repetitions)
        kept = [_privacy(data, perturbation(kind, sd)) for sd in deviations]
        xs = [float(sd) for sd in deviations]
        information.append(_banded(name, xs, lost))
        privacy.append(Series(name, tuple(zip(xs, kept, strict=True))))
        traded.append(_banded(name, kept[::-1], lost[::-1]))  # privacy losses fall with the noise
        rows += [
            (data, kind, x, float(np.mean(one)), *_ends(one), float(one.min()), float(one.max()), p)
            for x, one, p in zip(xs, lost, kept, strict=True)
        ]
    head = ("data", "noise", "sd", "loss_mean", "loss_p5", "loss_p95", "loss_min", "loss_max")
    said = (
        f"{SAMPLE} values; uniform x on [-1, 1], normal x of variance 2/(pi e). EM, set-up "
        f"{setup.name}: {setup.words}. {repetitions} samples for each point"
    )
    table = tuple(rows)
    six = Chart(
        f"figure6{again}",
        f"AA01 Figure 6: information loss by the noise, set-up {setup.name}",
        "standard deviation of the noise",
        "information loss (%)",
        f"{said}; lines are means, bands go from the 5% to the 95% point.",
        tuple(information),
        (*head, "privacy_loss"),
        table,
    )
    seven = Chart(
        "figure7",
        "AA01 Figure 7: privacy loss by the noise",
        "standard deviation of the noise",
        "privacy loss 1 - 2^-I",
        "Uniform x on [-1, 1], normal x of variance 2/(pi e): both have privacy 2. No sample: "
        "integrals in floating point, right to four digits.",
        tuple(privacy),
        ("data", "noise", "sd", "privacy_loss"),
        tuple((row[0], row[1], row[2], row[-1]) for row in table),
    )
    eight = Chart(
        f"figure8{again}",
        f"AA01 Figure 8: information loss against privacy loss, set-up {setup.name}",
        "privacy loss 1 - 2^-I",
        "information loss (%)",
        f"Figures 6 and 7 together, standard deviations from {xs[0]:g} to {xs[-1]:g}. {said}; "
        "bands of the information loss go from the 5% to the 95% point.",
        tuple(traded),
        (*head, "privacy_loss"),
        table,
    )
    return six, seven, eight


def size_chart(
    sizes: Sequence[int] = SIZES, setup: SetUp = SUPPORT, repetitions: int = REPETITIONS
) -> Chart:
    """Figure 9: the loss by the number of values, normal x and normal noise of variance 0.8."""
    noise = perturbation("normal", math.sqrt(0.8))
    few = max(10, repetitions // 4)
    series, rows = [], []
    readings = (
        ("against the density", setup.cells("normal"), False),
        ("cells half as wide", _halved(setup.cells("normal")), False),
        ("against the masses of the cells", setup.cells("normal"), True),
    )
    for name, cells, by_cells in readings:
        experiment = Experiment("normal", noise, cells, "em")
        true = np.diff(Normal(SD).cdf(cells.edges))
        lost = []
        for size in sizes:
            one = []
            for k in range(few):
                z = experiment.sample(size, (1, size, k))
                masses = experiment.reconstructed(z, setup.rule).masses
                apart = np.abs(masses - true).sum() + 1 - true.sum()
                one.append(apart / 2 if by_cells else experiment.loss(masses))
            lost.append(100 * np.array(one))
        xs = [math.log10(size) for size in sizes]
        series.append(_banded(name, xs, lost))
        rows += [
            (name, size, float(one.mean()), *_ends(one), float(one.min()), float(one.max()))
            for size, one in zip(sizes, lost, strict=True)
        ]
    last = rows[len(sizes) - 1], rows[-1]
    return Chart(
        "figure9",
        "AA01 Figure 9: information loss by the number of values",
        "number of values (power of ten)",
        "information loss (%)",
        f"Normal x of variance 2/(pi e), normal noise of variance 0.8, EM, set-up {setup.name}: "
        f"{setup.words}; {few} samples for each point, bands from the 5% to the 95% point. The "
        f"paper tells of less than 0.5% from 20,000 values; here {last[0][2]:.1f}% "
        f"({last[1][2]:.1f}% by masses of cells): part of it are the cells, which no sample "
        "removes; the rest falls slowly, because normal noise hides detail.",
        tuple(series),
        ("reading", "values", "loss_mean", "loss_p5", "loss_p95", "loss_min", "loss_max"),
        tuple(rows),
    )


def influence_chart(
    data: str,
    iterations: Sequence[int] = (1, 2, 3, 5, 8, 12, 20, 30, 50, 100, 200),
    repetitions: int = REPETITIONS,
) -> Chart:
    """How the loss depends on what the paper leaves open: domain, cells, iterations."""
    noise: Noise = Uniform(Fraction(-1), Fraction(1)) if data == "uniform" else Normal(Fraction(1))
    few = max(5, repetitions // 5)
    series, rows = [], []
    for setup in SETUPS:
        for halvings in (0, 1):
            cells = setup.cells(data) if not halvings else _halved(setup.cells(data))
            for method, name in METHODS.items():
                experiment = Experiment(data, noise, cells, method)
                lost = np.empty((few, len(iterations)))
                for k in range(few):
                    z = experiment.sample(SAMPLE, (1, SAMPLE, k))
                    for j, count in enumerate(iterations):
                        ended = experiment.reconstructed(z, Rule("iterations", count))
                        lost[k, j] = 100 * experiment.loss(ended.masses)
                domain = f"{float(cells.lo):g}..{float(cells.hi):g}"
                rows += [
                    (setup.name, domain, cells.count, name, count, float(one.mean()), *_ends(one),
                     float(one.min()), float(one.max()))
                    for count, one in zip(iterations, lost.T, strict=True)
                ]  # fmt: skip
                if halvings == 0:
                    xs = [math.log10(count) for count in iterations]
                    series.append(_banded(f"{name}, {cells.count} cells on {domain}", xs, lost.T))
    return Chart(
        f"influence-{data}",
        f"AA01 Figures 2 to 5: what they do not tell, {data} x",
        "iterations (power of ten)",
        "information loss (%)",
        f"{SAMPLE} values, {noise} noise, {few} samples: the mean loss by the domain and by where "
        "iterations stop; bands from the 5% to the 95% point. The CSV file has cells half as wide "
        "as well. Early iterations are close to the uniform start, late ones follow the noise of "
        "the sample.",
        tuple(series),
        ("setup", "domain", "cells", "method", "iterations", "loss_mean", "loss_p5", "loss_p95",
         "loss_min", "loss_max"),
        tuple(rows),
    )  # fmt: skip


def aa01_figures(
    repetitions: int = REPETITIONS, say: Callable[[str], None] = lambda _: None
) -> Iterator[Chart]:
    """All figures, in the paper's order, and what they do not tell at the end."""
    numbered = (
        (2, "uniform", "as"),
        (3, "uniform", "em"),
        (4, "normal", "as"),
        (5, "normal", "em"),
    )
    for number, data, method in numbered:
        say(f"figure {number}")
        yield density_chart(number, data, method, repetitions=repetitions)  # type: ignore[arg-type]
    say("figures 6 to 8")
    yield from loss_charts(repetitions=repetitions)
    say("figures 6 and 8 with another set-up")
    six, _, eight = loss_charts(setup=SUPPORT, repetitions=repetitions)
    yield from (six, eight)
    say("figure 9")
    yield size_chart(repetitions=repetitions)
    for data in DATA:
        say(f"what {data} data leave open")
        yield influence_chart(data, repetitions=repetitions)


def _information(
    data: str, kind: str, deviations: Sequence[Fraction], setup: SetUp, repetitions: int
) -> list[Floats]:
    cells = setup.cells(data)
    return [
        100
        * Experiment(data, perturbation(kind, sd), cells, "em").losses(
            SAMPLE, setup.rule, repetitions
        )
        for sd in deviations
    ]


def _privacy(data: str, noise: Noise) -> float:
    """The privacy loss of the data's own law, on cells that are narrow enough to be it."""
    cells = Partition(Fraction(-1), Fraction(1), 50)
    if data == "normal":
        cells = Partition(Fraction(-4), Fraction(4), 400)
    return privacy_loss(np.diff(DATA[data].cdf(cells.edges)), cells, noise).loss


def _banded(name: str, xs: Sequence[float], values: Sequence[Floats] | Floats) -> Series:
    ends = [_ends(one) for one in values]
    return Series(
        name,
        tuple((x, float(np.mean(one))) for x, one in zip(xs, values, strict=True)),
        tuple((x, low) for x, (low, _) in zip(xs, ends, strict=True)),
        tuple((x, high) for x, (_, high) in zip(xs, ends, strict=True)),
    )


def _ends(values: Floats) -> tuple[float, float]:
    low, high = np.quantile(values, [0.05, 0.95])
    return float(low), float(high)


def _halved(cells: Partition) -> Partition:
    return Partition(cells.lo, cells.hi, 2 * cells.count)


def _steps(edges: Floats, heights: Floats) -> tuple[Point, ...]:
    pairs = zip(edges[:-1].tolist(), edges[1:].tolist(), heights.tolist(), strict=True)
    return tuple(point for left, right, y in pairs for point in ((left, y), (right, y)))


def _files(wanted: Wanted) -> Iterator[tuple[str, str]]:
    for chart in aa01_figures(wanted.repetitions, wanted.say):
        yield from figure_files(chart)


FIGURES = Figures(_files, REPETITIONS, least=5)
