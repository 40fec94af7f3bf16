"""Figures 1 to 3 of EGS03: monotone where the text says so, and drawable."""

from __future__ import annotations

import csv
import io
import itertools
import math
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from ppdm_formal.certify.statement.loader import load_module
from ppdm_formal.report.pictures.axes import covering, ticks
from ppdm_formal.report.pictures.figure import figure_svg

egs03 = load_module("egs03", "figures")
F = Fraction


@pytest.fixture(scope="module")
def figures():
    return egs03.figure1(), egs03.figure2(), egs03.figure3()


def largest(figure):
    return [point.largest for point in figure.points]


def test_harder_privacy_costs_support_smoothly(figures):
    values = largest(figures[0])
    assert figures[0].points[0].rho1 == F(1, 100)
    assert values == sorted(values)  # rho1 grows: fewer breaches allowed, higher LDS
    steps = [b - a for a, b in itertools.pairwise(values)]
    assert max(steps) < 1.5 * min(steps)  # no jumps
    five = next(p for p in figures[0].points if p.rho1 == F(1, 20))
    assert five.largest == pytest.approx(0.0049557, abs=1e-7)  # "about 0.5%"
    assert five.cutoff == 4


def test_longer_transactions_are_harder(figures):
    values = largest(figures[1])
    assert [point.size for point in figures[1].points] == list(range(3, 11))
    assert values == sorted(values)
    for k in range(3):
        line = [float(point.lds[k]) for point in figures[1].points]
        assert line == sorted(line)


def test_lds_falls_like_one_over_the_root_of_n(figures):
    points = figures[2].points
    scaled = [p.largest * math.sqrt(p.transactions) for p in points]
    assert largest(figures[2]) == sorted(largest(figures[2]), reverse=True)
    assert max(scaled) / min(scaled) < 1.002
    limit = egs03.figure_point(F(1, 20), 5, 10**16).largest * 1e8
    gaps = [abs(s / limit - 1) for s in scaled]
    assert gaps == sorted(gaps, reverse=True)


def test_files(figures):
    for figure in figures:
        rows = list(csv.DictReader(io.StringIO(figure.csv())))
        assert len(rows) == len(figure.points)
        assert float(rows[0]["lds_1"]) == float(figure.points[0].lds[0])
        root = ElementTree.fromstring(figure_svg(figure))
        space = "{http://www.w3.org/2000/svg}"
        lines = list(root.iter(f"{space}polyline"))
        assert len(lines) == 3
        assert all(len(line.get("points").split()) == len(figure.points) for line in lines)
        shown = " ".join(text.text for text in root.iter(f"{space}text"))
        for assumption in ("Four standard deviations", "s_0 = 1 - s", "equality", "itemsets"):
            assert assumption in shown


def test_scales_cover_the_data():
    for low, high in ((0, 0.84), (0, 1.8), (1, 10), (0.5, 10), (3, 10)):
        start, end = covering(low, high)
        assert start == low
        assert end >= high
        assert 4 <= len(ticks(start, end)) <= 9
