"""The noise that CONTRIBUTING.md shows: one file put beside the others works everywhere."""

from __future__ import annotations

import gc
import re
import sys
from fractions import Fraction as F
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import test_every_noise as every
from flint import ctx

from ppdm_formal import checker
from ppdm_formal.cli import run
from ppdm_formal.declare import noises
from ppdm_formal.declare.machine.deadline import NEVER
from ppdm_formal.declare.noises.by_place import noise_laws, parse_noise
from ppdm_formal.declare.noises.normal import Normal
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Bell, Density, Flat
from ppdm_formal.declare.reals.reals import Reals
from ppdm_formal.derive.reals.privacy import information
from ppdm_formal.derive.reals.worst_case import worst_case
from ppdm_formal.infer.classify.level import noise_at

DOCUMENT = Path(__file__).parents[2] / "CONTRIBUTING.md"


def shown(place):
    """A file as the document has it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    (code,) = re.findall(rf"{place} would be:\n\n```python\n(.*?)```", text, re.DOTALL)
    return code


@pytest.fixture
def trapezoid(tmp_path, monkeypatch):
    """The file as the document has it, and the noise of its example."""
    code = shown(r"noises/trapezoid\.py")
    (tmp_path / "trapezoid.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(noises, "__path__", [*noises.__path__, str(tmp_path)])
    noise_laws.cache_clear()
    yield parse_noise("trapezoid(-3, 3, 1)")
    sys.modules.pop("ppdm_formal.declare.noises.trapezoid", None)
    noise_laws.cache_clear()


@pytest.fixture
def checked(tmp_path, monkeypatch):
    """The checker with the document's file beside its own, for the time of a test."""
    folder = tmp_path / "checker"
    folder.mkdir()
    code = shown(r"checker/noise_trapezoid\.py")
    (folder / "noise_trapezoid.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(checker, "__path__", [*checker.__path__, str(folder)])
    yield import_module("ppdm_formal.checker.noise_trapezoid").Trapezoid
    del sys.modules["ppdm_formal.checker.noise_trapezoid"], checker.noise_trapezoid
    gc.collect()  # the tables of kinds hold what classes there are


def test_it_passes_the_tests_of_every_noise(trapezoid):
    for noise in (trapezoid, noise_at("trapezoid", 20, F(1)), parse_noise("trapezoid(-2, 7, 2)")):
        for name, test in vars(every).items():
            if name.startswith("test_"):
                more = (F(5, 2),) if "bell" in name else ()
                test(noise, *more)


@pytest.mark.parametrize("kind", [None, "clamped", "truncated"])
def test_its_information_is_that_of_sums(trapezoid, kind):
    """Under a mixture with a bell, and in every window, against sums over a fine grid."""
    noise = parse_noise("trapezoid(-4, 5, 2)")
    inputs = Reals(F(0), F(10))
    bell = Bell(F(1, 2), F(7), Normal(F(2)), F(0), F(10))
    density = Density(inputs, (Flat(F(1, 2), F(2), F(6)), bell))
    window = None if kind is None else Window(kind, F(1), F(9))
    operator = ContinuousOperator(inputs, noise, window)
    found = information(operator, density).mutual
    lo, hi = (1, 9) if window else (-4, 15)
    xs, step = (np.arange(2000) + 0.5) / 200, (hi - lo) / 2000
    zs = lo + (np.arange(2000) + 0.5) * step
    with ctx.workprec(53):
        prior = np.where((xs > 2) & (xs < 6), 1 / 8, 0) + np.exp(-((xs - 7) ** 2) / 8) * float(
            bell.ball_pdf_factor()
        ) / np.sqrt(8 * np.pi)
    prior /= prior.sum()
    shown = noise.pdf(zs[None, :] - xs[:, None]) * step
    if kind == "clamped":
        ends = [noise.cdf(lo - xs), 1 - noise.cdf(hi - xs)]
        shown = np.concatenate([shown, np.array(ends).T], axis=1)
    shown /= shown.sum(axis=1, keepdims=True)
    mean = prior @ shown
    logs = np.log(np.where(shown > 0, shown, 1)) - np.log(np.where(mean > 0, mean, 1))
    each = prior @ np.where(shown > 0, shown * logs, 0)
    assert float(found.lo) == pytest.approx(each.sum(), abs=2e-4)
    assert float(found.hi - found.lo) < 1e-6
    if kind == "clamped":  # the quickest
        worst = worst_case(operator, density, NEVER).value
        most = (each / np.where(mean > 0, mean, 1)).max()
        assert float(worst.lo) == pytest.approx(most, abs=4e-3)
        assert float(worst.hi) >= most - 1e-3


def test_models_say_it_and_no_claim_holds_before_the_checker_knows_it(trapezoid, tmp_path, capsys):
    model = tmp_path / "model.ppdm"
    model.write_text(
        "domain Age = reals 0..100\n"
        "prior Known on Age { uniform(0, 100) : 1 }\n"
        "operator R(x: Age) -> reals { return x + trapezoid(-160, 160, 10) truncated to 0..100 }\n"
        "audit R {\n    prior Known\n    forbid breach 1/10 -> 1/2\n}\n"
    )
    code = run(["audit", str(model)])
    said = capsys.readouterr().out
    assert "trapezoid(-160, 160, 10)" in said
    assert "Amplification:\n  1:" in said
    assert (code, "unknown noise" in said) == (3, True)
    model.write_text(
        "domain Age = reals 0..100\n"
        "operator R(x: Age) -> reals { return x + trapezoid(-150, 150, 100) clamped to -10..110"
        " rounded to 10 }\n"
        "audit R { forbid breach 1/10 -> 1/2 }\n"
    )
    assert run(["audit", str(model)]) in (0, 1)  # a matrix: the checker needs no noise
    assert "unknown" not in capsys.readouterr().out


def test_with_a_file_in_the_checker_its_claims_are_decided(trapezoid, checked, tmp_path, capsys):
    """Two files that share nothing, and nothing else is edited."""
    law = checked.read([F(-3), F(3), F(1)])
    for v in (F(n, 4) for n in range(-16, 17)):
        assert float(law.density(v)) == pytest.approx(float(trapezoid.pdf(np.array(float(v)))))
        assert float(law.below(v)) == pytest.approx(float(trapezoid.cdf(np.array(float(v)))))
        step = law.below_integral(v + F(1, 10**6)) - law.below_integral(v)
        assert float(step * 10**6) == pytest.approx(float(law.below(v)), abs=1e-5)
    model = tmp_path / "model.ppdm"
    model.write_text(
        "domain Age = reals 0..100\n"
        "prior Known on Age {\n    uniform(0, 60) : 3/4\n    uniform(60, 100) : 1/4\n}\n"
        "property old on Age = x >= 60\n"
        "operator R(x: Age) -> reals { return x + trapezoid(-160, 160, 90) clamped to -20..120 }\n"
        "audit R {\n    forbid breach 1/10 -> 9/10\n    require amplification <= 2\n"
        "    forbid breach 1/4 -> 1/2 under Known for old\n"
        "    forbid breach 1/4 -> 1/3 under Known for old\n}\n"
    )
    code = run(["audit", str(model)])
    said = capsys.readouterr().out
    assert code == 1
    assert said.count("re-checked exactly") == 4, said
    verdicts = re.findall(r"^ +(certified|breached) ", said, re.MULTILINE)
    assert verdicts == ["certified", "breached", "certified", "breached"], said
