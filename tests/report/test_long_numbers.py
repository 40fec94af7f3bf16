"""Probabilities of 880 digits, whose products pass Python's limit of 4,300, in every format."""

import json
import random
from fractions import Fraction

import pytest
from page_reader import assert_harmless

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.cli import run
from ppdm_formal.declare.language.compiler import load

DIGITS, SIZE = 880, 4


def distribution(draw):
    """So many numbers that sum to 1, over a denominator of so many digits."""
    whole = draw.randrange(10 ** (DIGITS - 1), 10**DIGITS)
    cuts = sorted(draw.randrange(1, whole) for _ in range(SIZE - 1))
    return [f"{b - a}/{whole}" for a, b in zip([0, *cuts], [*cuts, whole], strict=True)]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    draw = random.Random(5)
    prior = "; ".join(f"{x} : {p}" for x, p in enumerate(distribution(draw)))
    rows = "\n".join(f"{x} : {' '.join(distribution(draw))}" for x in range(SIZE))
    path = tmp_path_factory.mktemp("long") / "long.ppdm"
    path.write_text(
        f"domain D = 0..{SIZE - 1}\nprior P on D {{ {prior} }}\nproperty low on D = x <= 1\n"
        f"operator R(x: D) -> D {{ matrix {{\n{rows}\n}} }}\n"
        "audit R { prior P\nproperty low\ngiven 0\nforbid breach 1/10 -> 1/2\n"
        "forbid breach 1/3 -> 2/5 under P\nforbid breach 1/3 -> 2/3 under P for low\n"
        "require amplification <= 3\nrequire worst_case_information(P) <= 3 bit\n"
        "require dependence(P) <= 9 }\n"
    )
    return path


def test_every_format_and_the_checker(model, tmp_path, capsys):
    files = {kind: tmp_path / f"long.{kind}" for kind in ("json", "html", "markdown")}
    options = [part for kind, file in files.items() for part in (f"--{kind}", str(file))]
    folder = tmp_path / "certificates"
    assert run(["audit", str(model), *options, "--certificates", str(folder)]) == 1
    shown = capsys.readouterr().out
    data = json.loads(files["json"].read_text())["operators"][0]
    after = data["certificates"][1]["witness"]["after"]
    top, bottom = (int(part, 0) for part in after.split("/"))
    assert max(top, bottom) > 10**4300
    percent = Fraction(top, bottom) * 100
    # A belief that rises is rounded up: the same digits in all formats.
    said = f"~{-(-percent * 100 // 1) / 100:.2f}%"
    for text in (shown, assert_harmless(files["html"].read_text()).text):
        assert said in " ".join(text.split())
    assert said.replace("~", "\\~") in files["markdown"].read_text()
    assert "0x" not in shown
    certificates = sorted(map(str, folder.glob("*.json")))
    assert len(certificates) == 6
    options = ["--model", str(model), "--allow-vacuous", "--allow-breached"]
    assert run(["check", *certificates, *options]) == 0
    assert capsys.readouterr().out.count("accepted") == 6


def test_in_a_notebook(model):
    result = audit(load(model, {}))
    found = result.operators[0]
    pages = [result._repr_html_(), found.operator._repr_html_()]
    pages += [certificate._repr_html_() for certificate in found.certificates]
    assert all("amplification" in page or "Operator" in page for page in pages)
