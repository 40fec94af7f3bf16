"""What it costs, as reports say it: terminal, JSON, pages, comparisons, and the page of docs/."""

from __future__ import annotations

import importlib.util
import json
import math
import re
from fractions import Fraction
from pathlib import Path

import pytest

import ppdm_formal
from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.audit.comparison import Comparison
from ppdm_formal.cli import run
from ppdm_formal.derive.measures.utility import people
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.pictures.cost import best_known, changes_at
from ppdm_formal.report.words.utility_words import about, times

ROOT = Path(__file__).parents[2]

MODEL = """
domain V = 0..3
param p in (1/4, 1)
prior X on V { 0 : 7/10; 1..3 : 1/10 each }
operator Keep = randomized_response(values: 4, keep: 1/2)
operator Free = randomized_response(values: 4, keep: p)
operator Half(x: V) -> {low, high} { return low if x < 2 else high }
operator Select = subset_selection(values: 4, gamma: 3, chosen: 2)
audit Keep, Half, Select, Free { prior X }
"""


@pytest.fixture(scope="module")
def result():
    return audit(ppdm_formal.compile_text(MODEL), confirm=False)


def test_json(result):
    keep, half, select, free = result.to_json()["operators"]
    found = keep["utility"]
    # Keep: p = 1/2, q = 1/6; e of a share of 10% by the published formula.
    p, q, f = Fraction(1, 2), Fraction(1, 6), Fraction(1, 10)
    error = q * (1 - q) / (p - q) ** 2 + f * (1 - p - q) / (p - q) + f * (1 - f)
    only = found["decoders"]["only"]
    assert Fraction(only["share_of_10_percent"]) == error
    assert int(only["people_for_one_point"]) == math.ceil(error * Fraction("3.841459") * 10**4)
    assert found["rank"] == found["cells"] == "4"
    assert half["utility"]["rank"] == "2"
    assert half["utility"]["decoders"]["only"]["factor"] == "infinity"
    assert "published_of_least_variance" in select["utility"]["decoders"]
    assert free["utility"]["decoders"]["only"]["factor"] == "9/(1 - 4*p)^2"
    under = keep["information"][0]["utility_under"]["decoders"]["only"]
    plain = 1 - Fraction(49 + 3, 100)
    assert Fraction(under["total_without_randomization"]) == plain
    assert Fraction(under["factor"]) == Fraction(under["total"]) / plain
    json.dumps(result.to_json())


def test_page(result):
    page = document_html(result.document())
    assert "What it costs" in page
    sentence = "to know a share of 10% within one point, 95 times in 100, you need about"
    assert sentence in page
    assert "3,460 without randomization" in page
    assert "0 and 1, for example, send the same reports" in page
    assert "Privacy against accuracy" in page


def test_comparison_has_the_cheapest_first(tmp_path, capsys):
    names = ["k_ary", "subset_selection", "unary_encoding"]
    run(["compare", *(part for name in names for part in ("--example", name))])
    lines = capsys.readouterr().out.splitlines()
    start = next(k for k, line in enumerate(lines) if "the cheapest first" in line)
    order = [line.split()[0] for line in lines[start:] if line.split()[2:3] == ["1"]]
    assert order == ["Select", "Optimized", "Symmetric", "Response"]


def test_equal_epsilon_is_exact(result):
    page = document_html(Comparison((result,)).document())
    assert "of the cheapest" in page


def test_the_optimum_is_the_best_of_all_sets():
    for k, t in ((4, 3.0), (10, 2.0), (10, 6.5), (100, 20.0)):
        every = [(k - 1) * (t * d + k - d) ** 2 / (d * (k - d) * (t - 1) ** 2) for d in range(1, k)]
        assert best_known(k, math.log(t)) == pytest.approx(min(every))
        single = min(every) == every[0]
        assert single == (math.log(t) >= changes_at(k))


def test_numbers_in_words():
    assert about(3458) == "3,460"
    assert times(Fraction(1, 3)) == "0.333"
    assert people(Fraction(9, 100)) == 3458


def test_the_table_of_the_page_is_what_the_script_computes():
    """A few cells of docs/utility.md; all of them by python docs/make_utility.py."""
    place = ROOT / "docs/make_utility.py"
    spec = importlib.util.spec_from_file_location("make_utility", place)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    rows = {}
    for line in (ROOT / "docs/utility.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 10:
            rows[cells[0]] = cells[1:]
    assert set(script.MECHANISMS) <= set(rows)
    head = [re.findall(r"[\d,]+", cell) for cell in rows["mechanism"]]
    columns = [(int(eps.strip(",")), int(k.replace(",", ""))) for eps, k in head]
    for name in script.MECHANISMS:
        assert rows[name][0] == script.cell(name, *columns[0]), name
    for name, column in (
        ("k-ary response", 8),
        ("optimized unary encoding", 4),
        ("subset selection", 7),
        ("RAPPOR (a): a bit of 128", 5),
        ("one-bit mean (c)", 2),
    ):
        assert rows[name][column] == script.cell(name, *columns[column]), name
