"""The page of an estimate: harmless whatever things are called, and true to its numbers."""

import io
from fractions import Fraction
from html import unescape
from math import inf
from xml.etree import ElementTree

import numpy as np
import pytest
from hostile_names import PAYLOADS
from page_reader import assert_harmless
from rich.console import Console

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.estimate_json import estimate_csv
from ppdm_formal.infer.tables.result import Estimate, ReleaseSource
from ppdm_formal.infer.tables.tables import RandomizedColumn, table
from ppdm_formal.infer.undoing.counts import Counts
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.terminal import print_document
from ppdm_formal.report.parts.estimate import direction_words
from ppdm_formal.report.pictures.bars import Bar, BarRow, MarkLine, bar_picture
from ppdm_formal.report.pictures.interval_bars import Whisker, interval_bars, interval_curve
from ppdm_formal.report.words.visible import visible


def estimate_of(column, value, prior, file, method):
    """Everything that has a name, and something that is lost."""
    domain = Domain(["a", value, "c"])
    rows = [["3/4", "1/4"], ["1/4", "3/4"], ["1/4", "3/4"]]
    operator = Operator.from_matrix(rows, inputs=domain, outputs=["y", value], name=prior)
    known = Prior.uniform(domain, prior)
    found = table(
        [RandomizedColumn(column, operator, known)], Counts.of_array([60, 40]), method, LEVEL
    )
    return Estimate(100, method, LEVEL, (found,), ReleaseSource(file, "0" * 64), True)


LEVEL = Fraction(95, 100)


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("method", ["unbiased", "mle"])
def test_hostile_names_appear_as_text(payload, method):
    hostile = PAYLOADS[payload]
    found = estimate_of(hostile, hostile, hostile, hostile, method)
    page = assert_harmless(document_html(found.document()))
    assert visible(hostile)[:12] in page.text
    shown = io.StringIO()
    print_document(found.document(brief=True), Console(file=shown, width=200))
    assert "\x1b" not in shown.getvalue()
    assert "\x9b" not in shown.getvalue()
    assert estimate_csv(found).count("0.") > 3


def test_the_table_of_a_page_holds_the_cells():
    operator = Operator.from_matrix(
        [["3/4", "1/8", "1/8"], ["1/8", "3/4", "1/8"], ["1/8", "1/8", "3/4"]], inputs=[1, 2, 3]
    )
    found = table(
        [RandomizedColumn("n", operator)], Counts.of_array([600, 300, 100]), "unbiased", LEVEL
    )
    page = assert_harmless(
        document_html(Estimate(1000, "unbiased", LEVEL, (found,), None, False).document())
    )
    for cell in found.estimated:
        (row,) = [row for row in page.cells if row[0] == str(cell.value[0])]
        wanted = [cell.estimate, cell.se, cell.se_coins, cell.low, cell.high]
        assert [float(entry) for entry in row[1:6]] == pytest.approx(wanted, abs=6e-4)


def bars_of(svg):
    """Left and right ends of the bars, in the picture's coordinates."""
    root = ElementTree.fromstring(str(svg))
    found = [e for e in root if e.tag == "rect" and e.get("class") == "bar c0"]
    return [(float(e.get("x")), float(e.get("x")) + float(e.get("width"))) for e in found]


def test_bars_are_as_long_as_their_estimates_and_may_point_left():
    rows = [
        Whisker("a", 0.4, 0.3, 0.5, "40%", 0.25),
        Whisker("b", 0.2, 0.1, 0.3, "20%", 0.25),
        Whisker("c", -0.1, -0.2, 0.0, "-10%", 0.25),
    ]
    svg = interval_bars(rows, "95%", "P", "title")
    (zero, long), (start, short), (left, end) = bars_of(svg)
    assert start == pytest.approx(zero, abs=0.11)
    assert (long - zero) / (short - start) == pytest.approx(2, abs=0.02)
    assert end == pytest.approx(zero, abs=0.11)
    assert (end - left) / (short - start) == pytest.approx(0.5, abs=0.02)


def test_measures_bars_end_where_a_line_of_their_value_is():
    """One scale for bars and lines, from the axis on; what is endless ends where no other does."""
    rows = [
        BarRow("a", (Bar(4.0, "4"),)),
        BarRow("b", (Bar(1.0, "1"),)),
        BarRow("c", (Bar(inf, "inf"),)),
    ]
    svg = bar_picture(
        rows, ["amplification"], [MarkLine(1.0, "one"), MarkLine(4.0, "four")], "title"
    )
    root = ElementTree.fromstring(str(svg))
    lines = {e.get("class"): e for e in root if e.tag == "line" and e.get("y1") == "2"}
    axis, one, four = (float(lines[name].get("x1")) for name in ("axis", "line l0", "line l1"))
    starts = [float(e.get("x")) for e in root if (e.get("class") or "").startswith("bar c0")]
    assert starts == [axis] * 3
    widths = [float(e.get("width")) for e in root if (e.get("class") or "").startswith("bar c0")]
    assert (four - axis) / (one - axis) == pytest.approx(4, abs=0.02)
    assert widths[:2] == pytest.approx([four - axis, one - axis], abs=0.11)
    assert widths[2] > widths[0]
    assert axis + widths[2] < float(root.get("viewBox").split()[2])


def test_curves_of_many_values_keep_within_the_frame():
    draw = np.random.default_rng(2)
    points = [
        (float(x), Whisker(str(x), e, e - 0.1, e + 0.1, "", 0.01))
        for x, e in enumerate(draw.normal(0, 0.05, 300))
    ]
    root = ElementTree.fromstring(str(interval_curve(points, "x", "95%", "P", "title")))
    _, _, width, height = map(float, root.get("viewBox").split())
    (band,) = [e for e in root if e.tag == "path" and e.get("class") == "h2"]
    places = [tuple(map(float, p.split())) for p in band.get("d")[1:-1].split("L")]
    assert len(places) == 600
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places)
    assert len([e for e in root if e.tag == "polyline"]) == 2


def test_equal_estimates_of_zero_still_make_a_picture():
    rows = [Whisker("a", 0.0, 0.0, 0.0, "0%")]
    assert len(bars_of(interval_bars(rows, "95%", "", "title"))) == 1


@pytest.mark.parametrize("method", ["unbiased", "mle"])
def test_what_is_lost_is_said_on_the_page(method):
    """Values b and c give the same answers: their difference is lost, and only that."""
    page = document_html(estimate_of("v", "b", "P", "r.csv", method).document())
    (direction,) = estimate_of("v", "b", "P", "r.csv", method).tables[0].lost
    assert direction_words(direction) in unescape(page)
    operator = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    whole = table([RandomizedColumn("v", operator)], Counts.of_array([60, 40]), method, LEVEL)
    assert whole.lost == ()
    said = document_html(Estimate(100, method, LEVEL, (whole,), None, False).document())
    assert direction_words(direction) not in unescape(said)
