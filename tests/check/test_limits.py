"""Certificates are hostile input: every limit of the checker is exceeded here."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction as F
from typing import Any

import pytest
from certificate_builder import as_file, bound, breach, certificate, seal, views_of
from test_handwritten import (
    HALF,
    WARNER,
    all_priors,
    by_solver,
    change,
    every_property,
    several_parameters,
    split_family,
    warner_region,
    warner_region_by_solver,
)

from ppdm_formal.checker import CheckResult, Rejected, Worker, check_certificate, check_file
from ppdm_formal.checker.clock import tick
from ppdm_formal.checker.farkas import refute
from ppdm_formal.checker.limits import (
    MAX_BYTES,
    MAX_CHOICES,
    MAX_DEGREE,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_EXPONENT,
    MAX_FORM,
    MAX_FORMULA,
    MAX_HEXADECIMAL,
    MAX_INTERVALS,
    MAX_NESTING,
    MAX_SIDE,
)
from ppdm_formal.commands._one_file import checker_in_one_file
from ppdm_formal.commands.check import examine


def reason(built: dict[str, Any]) -> str:
    result = check_certificate(seal(built), allow_solver_trusted=True)
    assert result.status == "rejected", result
    return result.reason


def nested(depth: int) -> Any:
    thing: Any = 0
    for _ in range(depth):
        thing = [thing]
    return thing


def test_bytes():
    assert "longer than" in check_certificate(b" " * (MAX_BYTES + 1)).reason


def test_bytes_of_a_file(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # sparse
    assert "longer than" in check_file(path).reason


def test_bytes_of_a_question(tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(as_file(warner_region_by_solver()))
    with (tmp_path / "q.smt2").open("wb") as file:
        file.truncate(1 << 40)
    assert "longer than" in check_file(path, True).reason


def test_nesting():
    built = {**all_priors(), "model": nested(MAX_NESTING)}
    assert "nested deeper" in reason(built)
    assert "nested deeper" not in reason({**built, "model": nested(10)})


def test_depth_of_trees():
    tree: Any = ["-3/8", "1", "0", "0", "1"]
    built = split_family()
    for _ in range(MAX_DEPTH + 1):
        tree = {"class": 0, "inside": tree, "outside": tree if not tree else ["0"] * 5}
    assert "split" in reason(change(built, "evidence.upward.0", tree))
    with pytest.raises(Rejected, match="too deep"):
        refute(tree, None, None, MAX_DEPTH)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    ["0x1" + "0" * MAX_HEXADECIMAL, "0x1" + "0" * MAX_SIDE + "/3", "9" * 4000,
     "1/" + "0x1" + "0" * MAX_SIDE, "1e-999999999", "1e999999999", "1/0"],
    ids=["integer", "top", "decimal", "bottom", "tiny", "huge", "zero"],
)  # fmt: skip
def test_numbers(text):
    built = all_priors()
    built["claim"]["rho1"] = text
    assert "number" in reason(built)


def test_coprime_denominators():
    built = all_priors()
    rows = []
    for i in range(80):
        rows.append({"likelihood": f"1/{hex(16**8000 + 2 * i + 1)}", "count": 1, "example": i})
    built["operator"]["views"][0]["classes"] = rows
    built["operator"]["inputs"] = len(rows)
    assert "common denominator" in reason(built)


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ("p" + " + p" * (MAX_FORM // 4), "too long"),
        (f"p^{MAX_EXPONENT + 1}", "exponent"),
        (f"p^-{MAX_EXPONENT + 1}", "exponent"),
        ("p" + " + p^100000 - p^100000" * 4000, "work"),
        ("*".join(["(p + 1/3)^99999"] * 50), "work"),
        ("(" * (MAX_DEPTH + 1) + "p" + ")" * (MAX_DEPTH + 1), "nested"),
        ("-" * (MAX_DEPTH + 1) + "p", "nested"),
        ("2^2^2^2^2^2", "exponent"),
    ],
    ids=["long", "exponent", "negative", "powers", "products", "deep", "minus", "tower"],
)
def test_closed_forms(form, why):
    # Its witness is replayed at numbers, not as polynomials, of which no power is as high.
    built = change(several_parameters(), "operator.views.0.classes.0.likelihood", form)
    assert why in reason(built)


def end(polynomial: list[str]) -> dict[str, Any]:
    return {"polynomial": polynomial, "between": ["8/9", "10/11"]}


@pytest.mark.parametrize(
    "polynomial",
    [["-9/10", "1", *["0"] * MAX_DEGREE, "1"],
     ["-9/10", *[f"1/{10**400 + i}" for i in range(100)]]],
    ids=["degree", "coefficients"],
)  # fmt: skip
def test_polynomials(polynomial):
    built = change(warner_region(), "region.holds.0.to", end(polynomial))
    assert "too large a polynomial" in reason(built)


def test_several_roots_at_an_end():
    # (p - 0.895)(p - 0.9)(p - 0.905): three roots between 8/9 and 10/11
    roots = [F(895, 1000), F(9, 10), F(905, 1000)]
    polynomial = [F(1)]
    for root in roots:
        polynomial = [
            a - root * b for a, b in zip([F(0), *polynomial], [*polynomial, F(0)], strict=True)
        ]
    built = change(warner_region(), "region.holds.0.to", end([str(c) for c in polynomial]))
    assert "several roots" in reason(built)


def test_intervals():
    part = {"from": "1/2", "from_included": False, "to": "9/10", "to_included": False}
    built = change(warner_region(), "region.holds", [part] * (MAX_INTERVALS + 1))
    assert "too many intervals" in reason(built)


def test_digits():
    views = views_of(WARNER, [HALF, HALF])
    evidence = {"kind": "enclosure", "digits": MAX_DIGITS + 1, "equal": []}
    built = certificate(views, bound("dependence", "<=", F(1), "X"), "certified", evidence)
    assert "digits" in reason(built)


def test_properties_tried_one_by_one():
    """More than so many are not: with free parameters nothing else is there to go by."""
    size = MAX_CHOICES
    views = [{
        "classes": [{"likelihood": "1", "count": size, "example": 0, "prior": f"1/{size}"}],
        "outputs": 1, "output": 0,
    }]  # fmt: skip
    free = [{"name": name, "interval": "(1/2, 1)"} for name in "pq"]
    claim = breach(F(1, 10), HALF, "both", {"prior": "X"})
    built = certificate(views, claim, "certified", {}, operator={"parameters": free})
    assert "not decided" in reason(by_solver(built))
    views[0]["classes"][0].update(count=10, prior="1/10")
    small = certificate(views, claim, "certified", {}, operator={"parameters": free})
    assert check_certificate(by_solver(small)).status == "solver-trusted"


def test_formulas():
    views = views_of(WARNER, [HALF, HALF])
    long = ["+", *["1"] * MAX_FORMULA]
    exactly = ["-", ["log", "4"], ["*", "2", ["log", "2"]]]  # is 0, which no digits show
    deep = ["sum", ["sum", "likelihood"]]
    for tree, why in ((long, "parts"), (exactly, "do not decide"), (deep, "in each other")):
        claim = bound("novel", "<=", F(0), "X") | {"formula": {"over": "max", "of": tree}}
        assert why in reason(certificate(views, claim, "certified", {"kind": "formula"}))


def slow() -> bytes:
    """Within every limit of size, and yet much work: thousands of coprime denominators."""
    built = all_priors()
    rows = [
        {"likelihood": f"1/{2**300 + 2 * i + 1}", "count": 1, "example": i} for i in range(3000)
    ]
    built["operator"]["views"] = [{"classes": rows, "outputs": 1, "output": y} for y in range(20)]
    built["operator"] |= {"inputs": len(rows), "outputs": 20}
    return as_file(seal(built))


def test_time(tmp_path):
    """Also when it runs alone; the certificates after it are checked all the same."""
    (tmp_path / "check.py").write_text(checker_in_one_file())
    (tmp_path / "slow.json").write_bytes(slow())
    (tmp_path / "good.json").write_bytes(as_file(all_priors()))
    os.mkfifo(tmp_path / "pipe.json")  # nobody ever writes to it
    command = [sys.executable, "-I", "-S", "check.py", "--timeout", "4"]
    done = subprocess.run(
        [*command, "slow.json", "pipe.json", "good.json"],
        capture_output=True, text=True, cwd=tmp_path, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 3, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert "not verified within 4 seconds" in lines[0]
    assert "not verified within 4 seconds" in lines[1]
    assert "accepted" in lines[2]
    for bad in ("0", "-1", "nan", "inf", "x"):
        done = subprocess.run([*command[:-1], bad, "good.json"], cwd=tmp_path, capture_output=True)
        assert done.returncode == 2


def test_time_of_the_command(tmp_path, capsys):
    from ppdm_formal.cli import run

    (tmp_path / "slow.json").write_bytes(slow())
    (tmp_path / "good.json").write_bytes(as_file(all_priors()))
    paths = [str(tmp_path / name) for name in ("slow.json", "good.json")]
    assert run(["check", *paths, "--timeout", "4"]) == 3
    captured = capsys.readouterr()
    assert "not verified within 4 seconds" in captured.err
    assert "accepted" in captured.out


def exponential_end() -> bytes:
    """A region that ends at the root of a polynomial whose coefficients all have exponentials."""
    odd = [f"({2 * i + 1} + exp(1/12))/({2 * i + 2} + exp(1/12))" for i in range(1, 60)]
    end = {"polynomial": ["-5", *odd], "between": ["3/5", "99/100"]}
    built = warner_region()
    built["region"]["holds"][0]["to"] = end
    return as_file(seal(built))


def test_a_region_of_exponentials_is_no_burden():
    """It took more than a minute before signs were found by enclosures."""
    result = check_certificate(exponential_end(), seconds=30)
    assert result.status == "rejected"


def test_time_without_a_process():
    """Within every limit of size, and yet minutes of work: given up, never accepted."""
    result = check_certificate(slow(), seconds=0.5)
    assert result.status == "unknown"
    assert result.reason == "not verified within 0.5 seconds"
    assert check_certificate(as_file(all_priors()), seconds=30).accepted  # the limit is over


def greedy(size: int) -> CheckResult:
    try:
        return CheckResult("accepted", str(len(bytearray(size))))
    except MemoryError:
        return CheckResult("unknown", "memory")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is one of Linux")
def test_memory():
    worker = Worker(greedy, memory=1 << 31)
    assert worker.ask(60, 1000).accepted
    assert worker.ask(60, 1 << 32).reason == "memory"
    worker.close()


def die(how: str) -> CheckResult:
    os._exit(7)


def test_a_process_that_dies_is_no_answer():
    worker = Worker(die)
    result = worker.ask(60, "at once")
    assert (result.status, result.accepted) == ("unknown", False)
    assert "came to an end" in result.reason
    worker.close()


def test_what_is_within_the_limits_is_accepted():
    for build in (all_priors, every_property, split_family):
        assert check_certificate(build()).accepted


def test_a_long_search_for_a_theorem_costs_no_certificate_its_word(tmp_path, monkeypatch):
    path = tmp_path / "c.json"
    path.write_bytes(as_file(all_priors()))
    assert examine(path, False, None, 60.0).theorem

    def endless(_: object) -> str:
        while True:
            tick()

    monkeypatch.setattr("ppdm_formal.certify.theorem.library_of", endless)
    result = examine(path, False, None, 1.0)
    assert (result.status, result.theorem) == ("accepted", "")
