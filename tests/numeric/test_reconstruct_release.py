"""Reconstruction from releases: the operator's own law, against loops in fractions, end to end."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ppdm_formal.cli import run
from ppdm_formal.numeric.continuous.additive import ContinuousOperator, Window
from ppdm_formal.numeric.continuous.grid import on_grid
from ppdm_formal.numeric.continuous.reals import Reals
from ppdm_formal.numeric.noise import parse_noise
from ppdm_formal.numeric.reconstruct.cells import Cells
from ppdm_formal.numeric.reconstruct.lattice import Lattice
from ppdm_formal.numeric.reconstruct.of_operator import operator_channel, reconstruct_operator
from ppdm_formal.numeric.reconstruct.privacy import privacy_loss_sent
from ppdm_formal.numeric.reconstruct.reconstruct import reconstruct
from ppdm_formal.numeric.reconstruct.stopping import Rule
from ppdm_formal.operator.domain import Domain
from ppdm_formal.operator.operator import Operator
from ppdm_formal.run.estimate.collected import estimate
from ppdm_formal.run.reconstructed import reconstruct_release

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
    operator, cells = on_grid(noisy, Fraction(1)), Cells.parse(text)
    inputs, outputs = (Lattice.of(d, "values") for d in (operator.inputs, operator.outputs))
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
    assert one.cells == Cells(Fraction(1, 8), Fraction(7, 8), 3)


def test_cells_by_themselves():
    assert Lattice.of(Domain(range(101)), "inputs").cells() == Cells.parse("-1/2:201/2:101")
    fine = Lattice.of(Domain(range(10_001)), "inputs")
    assert fine.cells() == Cells.parse("-1/2:20199/2:101")
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
    found = reconstruct_release(folder / "one.csv", cells=Cells.parse("0:100:10"))
    z = np.loadtxt(folder / "one.csv", skiprows=1)
    noise = reconstruct(
        z[(z > -20) & (z < 120)], parse_noise("laplace(10)"), Cells.parse("0:100:10"),
        step=Fraction(5),
    )  # fmt: skip
    assert np.abs(found.masses - noise.masses).sum() / 2 < 0.05
    assert not found.mismatched
    truth = np.histogram(table(1)[0], np.arange(0, 101, 10))[0] / 6000
    assert np.abs(found.masses - truth).sum() / 2 < 0.06
    assert found.mean == pytest.approx(table(1)[0].mean(), abs=1)


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
        ("one.csv", ["--method", "as"], "leave out --method"),
        ("one.csv", ["--family", "normal"], "leave out --family"),
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
        Lattice.of(Domain([1, 2, 4]), "inputs")
    with pytest.raises(ValueError, match="not all numbers"):
        Lattice.of(Domain([1, "a"]), "inputs")
    with pytest.raises(ValueError, match="equally far apart"):
        Lattice.of(Domain([1, "1"]), "inputs")
    with pytest.raises(ValueError, match="too large"):
        Lattice.of(Domain(["1e40", "2e40"]), "inputs")
    with pytest.raises(ValueError, match="single value"):
        Lattice.of(Domain([1]), "inputs")
