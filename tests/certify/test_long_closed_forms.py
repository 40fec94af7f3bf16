"""Probabilities of hundreds and thousands of digits: measured, decided, written, checked."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction

import pytest

from ppdm_formal.cli import run

MODEL = """
domain D = 0..2
prior X on D { 0 : 1/3; 1 : 1/3; 2 : 1/3 }
property zero on D = x == 0
param p in (1/2, 1)
operator Long(x: D) -> D {
    with (10^880 - 1)/(3 * 10^880 + 7) { return x }
    else { return uniform(D) }
}
operator Longer(x: D) -> D {
    with 7^5200/(3 * 7^5200 + 10^4400 + 1) { return x }
    else { return uniform(D) }
}
operator Free(x: D) -> D {
    with p/7^6000 { return x }
    else { return uniform(D) }
}
audit Long, Longer, Free {
    prior X
    property zero
    given 0
    forbid breach 1/7 -> 1/2
    forbid breach 1/7 -> 1/3 under X
    require amplification <= 2
}
"""


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    model = folder / "long.ppdm"
    model.write_text(MODEL)
    files = [f"--{kind}={folder / 'out'}.{kind}" for kind in ("json", "html", "markdown")]
    asked = ["audit", str(model), *files, "--certificates", str(folder / "certificates")]
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = run([*asked, "--timeout", "300"])
    return code, folder, said.getvalue()


def number(text: str) -> Fraction:
    """A number as files hold it."""
    top, _, bottom = text.partition("/")
    sides = [int(part, 16 if "0x" in part else 10) for part in (top, bottom or "1")]
    return Fraction(*sides)


def test_every_output_is_written(audited):
    code, folder, said = audited
    assert code == 1
    assert all((folder / f"out.{kind}").stat().st_size for kind in ("json", "html", "markdown"))
    assert "Longer" in said
    assert "internal error" not in said


def test_the_numbers_are_exact(audited):
    _, folder, _ = audited
    found = json.loads((folder / "out.json").read_text())
    for entry, keep in zip(
        found["operators"],
        (
            Fraction(10**880 - 1, 3 * 10**880 + 7),
            Fraction(7**5200, 3 * 7**5200 + 10**4400 + 1),
        ),
        strict=False,
    ):
        stay, other = keep + (1 - keep) / 3, (1 - keep) / 3
        assert number(entry["amplification"]["value"]) == stay / other
        assert number(entry["posteriors"][0]["after"]) == stay


def test_their_certificates_are_genuine(audited, capsys):
    _, folder, _ = audited
    written = sorted(map(str, (folder / "certificates").glob("*.json")))
    assert len(written) == 9
    assert run(["check", *written, "--allow-solver-trusted", "--allow-breached"]) == 0
    assert "rejected" not in capsys.readouterr().out
