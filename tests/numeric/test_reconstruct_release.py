"""Reconstruction from releases: the operator's own law, against loops in fractions, end to end."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from ppdm_formal.cli import run
from ppdm_formal.declare.noises.named import parse_noise
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.grid import on_grid
from ppdm_formal.declare.reals.reals import Reals
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.lattice import EquallySpaced
from ppdm_formal.infer.reals.of_operator import operator_channel, reconstruct_operator
from ppdm_formal.infer.reals.privacy import privacy_loss_sent
from ppdm_formal.infer.reals.reconstruct import reconstruct
from ppdm_formal.infer.reals.reconstructed import reconstruct_release
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.tables.collected import estimate

ROOT = Path(__file__).parents[2]

MODEL = """
domain Age = reals 0..100
operator Sent(x: Age) -> reals { return x + laplace(10) clamped to -20..120 rounded to 5 }
operator Fine(x: Age) -> reals { return x + uniform(-20, 20) rounded to 5/2 }
domain Answer = {yes, no}
operator Coin(x: Answer) -> Answer { with 1/2 { return x } else { return uniform(Answer) } }
domain Place = 0..20
operator Line(x: Place) -> Place { with 1/2 { return x } else { return uniform(Place) } }
audit Sent { forbid breach 1/1000 -> 999/1000 }
"""


def table(seed, rows=6000):
    """Ages of two generations, whole numbers from 0 to 20, answers."""
    random = np.random.default_rng(seed)
    old = random.random(rows) < 0.6
    age = np.where(old, random.normal(60, 8, rows), random.normal(25, 5, rows)).clip(0, 100)
    return age, random.binomial(20, 0.3, rows), random.random(rows) < 0.2


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("release")
    (path / "m.ppdm").write_text(MODEL)
    lines = [
        f"{a:.2f},{p},{'yes' if q else 'no'},{i}"
        for i, (a, p, q) in enumerate(zip(*table(1), strict=True))
    ]
    (path / "in.csv").write_text("age,place,answer,id\n" + "\n".join(lines) + "\n")
    columns = {"Sent": "age", "Line": "place", "Coin": "answer"}
    used = [word for pair in columns.items() for word in ("--operator", "=".join(pair))]
    words = ["randomize", str(path / "in.csv"), "--model", str(path / "m.ppdm"), "--simulate", "7"]
    assert run([*words, "-o", str(path / "all.csv"), *used, "--keep", "id",
                "--although-breached"]) == 0  # fmt: skip
    assert run([*words, "-o", str(path / "one.csv"), "--operator", "Sent=age"]) == 0
    return path


def by_loops(operator, cells):
    """p[cell -> y] in fractions: x in tiny steps through each cell, rounded to an input."""
    inputs = [Fraction(str(v)) for v in operator.inputs]
    half = (inputs[1] - inputs[0]) / 2
    found = []
    for a, b in zip(cells.ends[:-1], cells.ends[1:], strict=True):
        parts = 240
        points = [a + (b - a) * (2 * k + 1) / (2 * parts) for k in range(parts)]
        rows = [
            next(g for g, at in enumerate(inputs) if at - half <= x < at + half)
            for x in points
            if inputs[0] - half <= x < inputs[-1] + half
        ]
        found.append(
            [
                sum(operator.law.entry(g, y) for g in rows) / Fraction(len(rows))
                for y in range(operator.outputs.size)
            ]
        )
    return np.array([[float(value) for value in row] for row in found])


@pytest.mark.parametrize("text", ["0:4:3", "-1/2:9/2:5", "-1/2:11/2:3", "1:3:4", "0:4:16"])
def test_the_design_is_the_mean_of_the_operators_rows(text):
    window = Window("clamped", Fraction(-1), Fraction(5))
    reals = Reals(Fraction(0), Fraction(4))
    noisy = ContinuousOperator(reals, parse_noise("uniform(-2, 2)"), window)
    operator, cells = on_grid(noisy, Fraction(1)), Partition.parse(text)
    inputs, outputs = (EquallySpaced.of(d, "values") for d in (operator.inputs, operator.outputs))
    channel = operator_channel(operator, inputs, outputs, cells)
    assert channel.matrix == pytest.approx(by_loops(operator, cells), abs=1e-12)
    assert channel.matrix.sum(axis=1) == pytest.approx(1)


def test_values_may_stand_in_any_order():
    """Rows and columns of a matrix, permuted: the same density."""
    exact = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    straight = Operator.from_matrix(exact, ["1/4", "1/2", "3/4"], [1, 2, 3])
    turned = Operator.from_matrix(
        [["1/4", "1/4", "1/2"], ["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"]],
        ["3/4", "1/4", "1/2"],
        [1, 2, 3],
    )
    one = reconstruct_operator(np.array([50.0, 30, 20]), straight)
    assert one.masses == pytest.approx(
        reconstruct_operator(np.array([50.0, 30, 20]), turned).masses
    )
    assert one.cells == Partition(Fraction(1, 8), Fraction(7, 8), 3)


def test_cells_by_themselves():
    assert EquallySpaced.of(Domain(range(101)), "inputs").cells() == Partition.parse(
        "-1/2:201/2:101"
    )
    fine = EquallySpaced.of(Domain(range(10_001)), "inputs")
    assert fine.cells() == Partition.parse("-1/2:20199/2:101")
    whole = sum(share for cell in fine.shares(fine.cells()) for _, share in cell)
    assert whole == pytest.approx(101)


def test_at_the_optimum_it_is_the_estimate_by_maximum_likelihood(folder):
    """One cell an input: the same likelihood, found through ppdm estimate."""
    rule = Rule("optimum", 1e-4)
    found = reconstruct_release(folder / "all.csv", "place", rule=rule, accelerate=True)
    theirs = estimate(folder / "all.csv", columns=["place"], method="mle").tables[0].estimated
    assert found.masses == pytest.approx([cell.estimate for cell in theirs], abs=2e-3)


def test_it_agrees_with_the_noise_that_was_rounded(folder):
    """Sent without its window is x + laplace(10), both rounded: read as noise, nearly the same."""
    found = reconstruct_release(folder / "one.csv", cells=Partition.parse("0:100:10"))
    z = np.loadtxt(folder / "one.csv", skiprows=1)
    noise = reconstruct(
        z[(z > -20) & (z < 120)], parse_noise("laplace(10)"), Partition.parse("0:100:10"),
        step=Fraction(5),
    )  # fmt: skip
    assert np.abs(found.masses - noise.masses).sum() / 2 < 0.05
    assert not found.mismatched
    truth = np.histogram(table(1)[0], np.arange(0, 101, 10))[0] / 6000
    assert np.abs(found.masses - truth).sum() / 2 < 0.06
    assert found.mean == pytest.approx(table(1)[0].mean(), abs=1)


def as_printed(records, operator, cells, iterations):
    """Evf02 (1) over single records, f_Y(z - a) read as p[the input nearest to a -> z]."""
    inputs = [Fraction(str(v)) for v in operator.inputs]
    half = (inputs[1] - inputs[0]) / 2
    middles = [(a + b) / 2 for a, b in pairwise(cells.ends)]
    rows = [next(g for g, at in enumerate(inputs) if at - half <= m < at + half) for m in middles]
    chances = [
        [float(operator.law.entry(g, y)) for y in range(operator.outputs.size)] for g in rows
    ]
    masses = [1 / cells.count] * cells.count
    for _ in range(iterations):
        new = [0.0] * cells.count
        for y in records:
            whole = sum(masses[t] * chances[t][y] for t in range(cells.count))
            for p in range(cells.count):
                new[p] += masses[p] * chances[p][y] / whole / len(records)
        masses = new
    return masses


@pytest.mark.parametrize("text", ["0:4:2", "-1/2:9/2:5", "0:4:3"])
def test_as_takes_the_row_of_each_midpoint(text):
    reals = Reals(Fraction(0), Fraction(4))
    noisy = ContinuousOperator(reals, parse_noise("triangular(-4, 4)"))
    operator, cells = on_grid(noisy, Fraction(1)), Partition.parse(text)
    records = np.random.default_rng(5).integers(2, 10, 60)
    counts = np.bincount(records, minlength=operator.outputs.size).astype(float)
    rule = Rule("iterations", 7)
    found = reconstruct_operator(counts, operator, cells, rule, method="as")
    assert found.masses == pytest.approx(as_printed(records, operator, cells, 7), abs=1e-12)
    exact = reconstruct_operator(counts, operator, cells, rule)
    same = np.allclose(found.masses, exact.masses, atol=1e-9)
    assert same == (cells.count == 5)  # a cell for each input: AS is EM


def test_as_leaves_out_what_no_midpoint_leads_to():
    reals = Reals(Fraction(0), Fraction(4))
    operator = on_grid(ContinuousOperator(reals, parse_noise("uniform(-1, 1)")), Fraction(1))
    counts = np.full(operator.outputs.size, 5.0)
    found = reconstruct_operator(counts, operator, Partition.parse("-1/2:9/2:1"), method="as")
    reached = sum(operator.law.entry(2, y) > 0 for y in range(operator.outputs.size))
    assert found.left_out == 5 * (operator.outputs.size - reached) > 0


@pytest.mark.parametrize("family", ["normal", "normals:2", "exponential"])
def test_no_iteration_of_a_family_lowers_the_likelihood(folder, family):
    found = reconstruct_release(folder / "one.csv", family=family)
    assert min(np.diff(found.climbed)) > -1e-7
    assert found.climbed[-1] == pytest.approx(found.log_likelihood, abs=1e-6)
    if family == "normals:2":
        fitted = {each.name: each for each in found.family.parameters}
        for name, true in (("mean 1", 25), ("mean 2", 60), ("share 2", 0.6), ("sd 2", 8)):
            assert abs(fitted[name].value - true) < 4 * fitted[name].se


def test_a_family_is_where_another_search_ends():
    """The likelihood through the exact law, x rounded to inputs, maximized by SciPy."""
    from scipy.optimize import minimize
    from scipy.stats import norm

    reals = Reals(Fraction(0), Fraction(20))
    window = Window("truncated", Fraction(-5), Fraction(30))
    noisy = ContinuousOperator(reals, parse_noise("laplace(3)"), window)
    operator = on_grid(noisy, Fraction(1))
    matrix = np.array(
        [
            [float(operator.law.entry(g, y)) for y in range(operator.outputs.size)]
            for g in range(operator.inputs.size)
        ]
    )
    counts = np.random.default_rng(2).multinomial(4000, norm.pdf(range(21), 9, 3) @ matrix / 1.0002)
    edges = np.arange(22) - 0.5

    def lost(at):
        masses = np.diff(norm.cdf(edges, at[0], np.exp(at[1])))
        return -counts @ np.log(masses @ matrix)

    best = minimize(lost, [8.0, 0.5], method="Nelder-Mead", options={"xatol": 1e-7}).x
    rule = Rule("gain", 1e-9)
    found = reconstruct_operator(counts.astype(float), operator, rule=rule, family="normal")
    mean, sd = (each.value for each in found.family.parameters)
    assert (mean, sd) == pytest.approx((best[0], np.exp(best[1])), rel=2e-4)


def test_the_estimator_takes_an_operator():
    from ppdm_formal.infer.reals.estimator import DensityReconstruction

    reals = Reals(Fraction(0), Fraction(4))
    window = Window("clamped", Fraction(0), Fraction(4))
    noisy = ContinuousOperator(reals, parse_noise("laplace(1)"), window)
    operator = on_grid(noisy, Fraction(1, 2))
    z = np.random.default_rng(3).integers(0, 9, 200) / 2
    counts = np.bincount((2 * z).astype(int), minlength=9).astype(float)
    for how in ({}, {"method": "as", "cells": "0:4:3"}, {"family": "normal"}):
        model = DensityReconstruction(operator=operator, **how).fit(z)
        named = {**how, "cells": Partition.parse(how["cells"])} if "cells" in how else how
        alone = reconstruct_operator(counts, operator, **named)
        assert model.masses_ == pytest.approx(alone.masses)
        assert model.score(z) == pytest.approx(alone.log_likelihood, rel=1e-2)
    with pytest.raises(ValueError, match="is none of the 9 numbers from 0 to 4"):
        model.fit([0.25])


def test_privacy_loss_is_that_of_rounded_inputs():
    """Two inputs, a coin that keeps with 3/4, x uniform: I = 1 - h(1/4) bits."""
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], [0, 1], [0, 1])
    found = reconstruct_operator(np.array([50.0, 50.0]), coin)
    lost = privacy_loss_sent(np.array([0.5, 0.5]), found.cells, found.applied)
    assert lost.information == pytest.approx(1 + 0.25 * np.log2(0.25) + 0.75 * np.log2(0.75))
    assert lost.privacy == pytest.approx(2)


def test_end_to_end(folder, capfd):
    import importlib.util

    spec = importlib.util.spec_from_file_location(
        "certify_schema", ROOT / "tests/certify/certify_schema.py"
    )
    schema = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(schema)
    for file in ("one.csv", "one.csv.release.json"):
        out, page = folder / "d.json", folder / "d.html"
        words = ["reconstruct", str(folder / file), "--json", str(out), "--html", str(page)]
        assert run(words) == 0
        assert "sent through Sent" in capfd.readouterr().out
        found = json.loads(out.read_text())
        schema.validate(found, json.loads((ROOT / "docs/density.schema.json").read_text()))
        assert found["noise"] is None
        assert found["column"] == "age"
        assert found["sent"]["inputs"] == {"first": "0", "step": "5", "count": 21}
        assert found["sent"]["release"]["simulated"] is True
        assert found["cells"][0]["lo"] == "-5/2"
        shown = page.read_text()
        assert shown.count("<svg") == 3
        assert "protect nobody" in shown
        assert "certified: forbid breach 1/1000 -&gt; 999/1000" in shown


@pytest.mark.parametrize(
    ("file", "words", "said"),
    [
        ("all.csv", [], "which randomized column"),
        ("all.csv", ["--column", "id"], "kept as it is"),
        ("all.csv", ["--column", "nothing"], "no randomized column"),
        ("all.csv", ["--column", "answer"], "not all numbers"),
        ("one.csv", ["--noise", "laplace(10)"], "leave out --noise"),
        ("one.csv", ["--method", "as", "--family", "normal"], "general EM alone"),
        ("one.csv", ["--family", "normal", "--stop", "chi2:0.01"], "gain:NATS or iterations:N"),
        ("one.csv", ["--family", "gamma"], "is no family"),
        ("one.csv", ["--rounded", "1"], "leave out --rounded"),
        ("one.csv", ["--cells", "200:300:4"], "holds no input"),
        ("one.csv", ["--cells", "0:100:9000"], "fewer cells than there are values"),
        ("one.csv", ["--stop", "gain:0"], "too small"),
        ("in.csv", ["--column", "age", "--noise", "laplace(10)"], "say --cells"),
        ("m.json", [], "no such file"),
        ("m.csv", [], "no such file"),
    ],
)
def test_what_is_refused(folder, file, words, said, capfd):
    assert run(["reconstruct", str(folder / file), *words]) == 2
    assert said in capfd.readouterr().err


def test_outputs_that_no_cell_reaches(folder, tmp_path, capfd):
    """Bounded noise, and cells that leave out where x is."""
    out = tmp_path / "fine.csv"
    words = ["--model", str(folder / "m.ppdm"), "--operator", "Fine=age", "--simulate", "1"]
    randomize = ["randomize", str(folder / "in.csv"), "-o", str(out), *words]
    assert run([*randomize, "--although-breached"]) == 0
    assert run(["reconstruct", str(out), "--cells", "0:40:8"]) == 2
    assert "cannot be Fine(x) for any x in the cells from 0 to 40" in capfd.readouterr().err


def test_numbers_that_are_no_line():
    with pytest.raises(ValueError, match="equally far apart: 1, 2, 4"):
        EquallySpaced.of(Domain([1, 2, 4]), "inputs")
    with pytest.raises(ValueError, match="not all numbers"):
        EquallySpaced.of(Domain([1, "a"]), "inputs")
    with pytest.raises(ValueError, match="equally far apart"):
        EquallySpaced.of(Domain([1, "1"]), "inputs")
    with pytest.raises(ValueError, match="too large"):
        EquallySpaced.of(Domain(["1e40", "2e40"]), "inputs")
    with pytest.raises(ValueError, match="single value"):
        EquallySpaced.of(Domain([1]), "inputs")
