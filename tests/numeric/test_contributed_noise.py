"""The noise that CONTRIBUTING.md shows: one file put beside the others works everywhere."""

from __future__ import annotations

import re
import sys
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest
import test_every_noise as every
from flint import ctx

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


@pytest.fixture
def trapezoid(tmp_path, monkeypatch):
    """The file as the document has it, and the noise of its example."""
    (code,) = re.findall(
        r"noises/trapezoid\.py would be:\n\n```python\n(.*?)```",
        DOCUMENT.read_text(encoding="utf-8"),
        re.DOTALL,
    )
    (tmp_path / "trapezoid.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(noises, "__path__", [*noises.__path__, str(tmp_path)])
    noise_laws.cache_clear()
    yield parse_noise("trapezoid(-3, 3, 1)")
    sys.modules.pop("ppdm_formal.declare.noises.trapezoid", None)
    noise_laws.cache_clear()


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
