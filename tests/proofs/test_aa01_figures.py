"""Figures 2 to 9 of AA01: their numbers, what is said of them, and that they can be drawn."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest

from ppdm_formal.certify.statement.loader import load_module
from ppdm_formal.cli import run
from ppdm_formal.declare.noises.named import parse_noise
from ppdm_formal.infer.reals.reconstruct import reconstruct
from ppdm_formal.report.pictures.figure import figure_svg

figures, setup = load_module("aa01", "figures"), load_module("aa01", "_setup")
DATA, SD, SETUPS, SUPPORT = setup.DATA, setup.SD, setup.SETUPS, setup.SUPPORT
Experiment, perturbation = setup.Experiment, setup.perturbation
FEW = 10
SPACE = "{http://www.w3.org/2000/svg}"


def rows(chart):
    return list(csv.DictReader(io.StringIO(chart.csv())))


def test_the_data_have_the_papers_parameters():
    assert float(SD) ** 2 == pytest.approx(2 / (np.pi * np.e))
    assert DATA["uniform"].support == (-1, 1)
    for kind in DATA:
        assert perturbation(kind, 0.6).sd == pytest.approx(0.6)
    for setup in SETUPS:
        assert setup.cells("uniform").width == pytest.approx(0.2)
        assert setup.cells("normal", Fraction(3)).lo == 3 - setup.half["normal"]


def test_an_experiment_is_what_the_command_does():
    """One design for all samples, or one for each: the same masses."""
    noise = parse_noise("uniform(-1, 1)")
    cells = SUPPORT.cells("uniform", Fraction(3))
    for method in ("em", "as"):
        experiment = Experiment("uniform", noise, cells, method, 3.0)
        z = experiment.sample(500, (1, 2))
        assert 1 < z.min() < z.max() < 5
        ours = experiment.reconstructed(z, SUPPORT.rule).masses
        other = reconstruct(z, noise, cells, method, SUPPORT.rule, errors=False).masses
        assert ours == pytest.approx(other, abs=1e-9)
    losses = experiment.losses(500, SUPPORT.rule, 4)
    assert losses.shape == (4,)
    assert (losses == experiment.losses(500, SUPPORT.rule, 4)).all()


def test_densities():
    chart = figures.density_chart(3, "uniform", "em", repetitions=FEW)
    found = rows(chart)
    assert [float(row["from"]) for row in found] == pytest.approx(np.arange(2, 4, 0.2))
    for row in found:
        assert float(row["p5"]) <= float(row["median"]) <= float(row["p95"])
    assert 0.2 * sum(float(row["first_sample"]) for row in found) == pytest.approx(1, abs=1e-4)
    assert "4.9%" in chart.caption
    assert SUPPORT.words in chart.caption


def test_losses_by_noise():
    six, seven, eight = figures.loss_charts([Fraction(1, 5), Fraction(1)], repetitions=FEW)
    found = rows(six)
    assert len(found) == 8
    for row in found:
        assert float(row["loss_min"]) <= float(row["loss_mean"]) <= float(row["loss_max"])
    loss = {(row["data"], row["noise"], row["sd"]): row for row in found}
    # uniform x: more noise, more is lost; and the privacy losses of the closed forms
    for kind in DATA:
        less, more = (float(loss["uniform", kind, sd]["loss_mean"]) for sd in ("0.2", "1"))
        assert less < more
    assert float(loss["uniform", "uniform", "1"]["privacy_loss"]) == pytest.approx(0.2507, abs=2e-4)
    assert float(loss["normal", "normal", "0.2"]["privacy_loss"]) == pytest.approx(0.6181, abs=2e-4)
    assert [one.name for one in seven.series] == [one.name for one in eight.series]
    for chart in (six, seven, eight):
        root = ElementTree.fromstring(figure_svg(chart))
        assert len(list(root.iter(f"{SPACE}polyline"))) == 4


def test_more_values_lose_less():
    chart = figures.size_chart((100, 2000), repetitions=FEW)
    for name in ("against the density", "against the masses of the cells"):
        few, many = (float(row["loss_mean"]) for row in rows(chart) if row["reading"] == name)
        assert many < few
    assert "0.5%" in chart.caption


def test_what_the_paper_leaves_open():
    chart = figures.influence_chart("uniform", (1, 50), repetitions=5)
    found = rows(chart)
    assert {row["domain"] for row in found} == {"-1..1", "-2..2"}
    assert {row["cells"] for row in found} == {"10", "20", "40"}
    # on the support itself the start is the truth: iterations only add noise
    narrow = [row for row in found if (row["setup"], row["method"]) == ("support", "EM")]
    assert float(narrow[0]["loss_mean"]) < float(narrow[1]["loss_mean"])
    root = ElementTree.fromstring(figure_svg(chart))
    assert len([p for p in root.iter(f"{SPACE}path") if "band" in p.get("class")]) == 4


def test_the_command_writes_them(tmp_path, monkeypatch, capfd):
    chart = figures.density_chart(2, "uniform", "as", repetitions=5)
    asked = []
    monkeypatch.setattr(figures, "aa01_figures", lambda n, say: asked.append(n) or [chart])
    assert run(["figures", "aa01", "--out", str(tmp_path), "--repetitions", "7"]) == 0
    assert asked == [7]
    assert (tmp_path / "figure2.csv").read_text() == chart.csv()
    assert "AA01 Figure 2" in (tmp_path / "figure2.svg").read_text()
    assert run(["figures", "aa01", "--out", str(tmp_path), "--repetitions", "1"]) == 2
    capfd.readouterr()


def test_all_figures_come_in_order(monkeypatch):
    monkeypatch.setattr(figures, "loss_charts", lambda **_: ("six", "seven", "eight"))
    monkeypatch.setattr(figures, "size_chart", lambda **_: "nine")
    monkeypatch.setattr(figures, "influence_chart", lambda data, **_: data)
    monkeypatch.setattr(figures, "density_chart", lambda number, *_, **__: number)
    assert list(figures.aa01_figures(5)) == [
        2, 3, 4, 5, "six", "seven", "eight", "six", "eight", "nine", "uniform", "normal",
    ]  # fmt: skip
