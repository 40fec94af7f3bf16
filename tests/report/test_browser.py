"""Reports in a real browser: no console error, no request, nothing clipped, at two widths."""

import base64
import os
import re
from fractions import Fraction

import chromium
import pytest
from hostile_names import PAYLOADS, PLACES
from how_many import MANY

from ppdm_formal.certify.audit.comparison import Comparison
from ppdm_formal.certify.audit.plan_audit import audit_plan
from ppdm_formal.certify.audit.plan_model import model_of
from ppdm_formal.declare.machine.files import example_names
from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.design.planning import plan_for
from ppdm_formal.design.request import Request
from ppdm_formal.report.formats.html_page import document_html

SIZES = [(1280, 900), (390, 844)]
SCHEMES = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 29)"}
SHOWN = [
    (size, scheme)
    for k, size in enumerate(SIZES)
    for m, scheme in enumerate(SCHEMES)
    if MANY or k == m
]
"""At hand each size in one scheme: colours move nothing."""

OVERFLOW = """(() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const scrolls = e => { for (; e; e = e.parentElement)
    if (e.matches('.scroll, pre')) return true; return false; };
  const edge = document.documentElement.clientWidth + 1;
  const out = [...document.querySelectorAll('body *')].filter(e =>
    !scrolls(e) && !e.closest('svg') && e.getBoundingClientRect().right > edge);
  return {wide, out: out.slice(0, 5).map(e => e.outerHTML.slice(0, 120))};
})()"""
"""Whether the page scrolls sideways, and which elements outside scrolling boxes stick out."""

UNFOLD = "document.querySelectorAll('details').forEach(d => d.open = true)"
"""What is folded has no size: it is opened before anything is measured."""

LETTERS = """(() => [...document.querySelectorAll('th, td:not(.exact), dt, .badge')].filter(e => {
  const words = e.textContent.trim().split(/[\\s\\/-]+/);
  const range = document.createRange();
  range.selectNodeContents(e);
  const lines = new Set([...range.getClientRects()].map(r => Math.round(r.top))).size;
  return Math.max(...words.map(w => w.length)) <= 12 && lines > words.length + 1;
}).slice(0, 5).map(e => e.textContent))()"""
"""Cells and labels that take far more lines than they have words: wrapped letter by letter."""

PICTURES = """(() => {
  const bad = [];
  for (const svg of document.querySelectorAll('svg.picture')) {
    const edge = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text')].map(t => [t, t.getBoundingClientRect()]);
    for (const [t, b] of boxes)
      if (b.left < edge.left - 1 || b.right > edge.right + 1 || b.top < edge.top - 1 ||
          b.bottom > edge.bottom + 1) bad.push('clipped: ' + t.textContent);
    const hit = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++)
      if (hit(boxes[i][1], boxes[j][1]))
        bad.push('overlap: ' + boxes[i][0].textContent + ' / ' + boxes[j][0].textContent);
  }
  return bad.slice(0, 10);
})()"""
"""Text of pictures that leaves the picture or lies on other text."""


@pytest.fixture(scope="module")
def browser():
    path = chromium.find()
    if path is None:
        reason = "no Chromium on PATH"
        if os.environ.get("PPDM_REQUIRE_BROWSER") == "1":
            pytest.fail(f"{reason}, and PPDM_REQUIRE_BROWSER=1 asks for one")
        pytest.skip(reason)
    found = chromium.Browser(path)
    yield found
    found.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory, audited, page_of):
    """The reports of all models, a comparison, and the report of a plan, as files."""
    folder = tmp_path_factory.mktemp("reports")
    results = {name: audited(name) for name in example_names()}
    for name in results:
        (folder / f"{name}.html").write_text(page_of(name), "utf-8")
    compared = Comparison(
        tuple(results[name] for name in ("example1", "k_ary", "warner"))
    ).document()
    (folder / "comparison.html").write_text(document_html(compared), "utf-8")
    (folder / "plan.html").write_text(document_html(planned()), "utf-8")
    return folder


def planned():
    """The report of a plan, with all its pictures."""
    data = AtHand.of(300, [range(k % 3, k % 3 + 1 + k % 7) for k in range(2000)])
    request = Request(
        Fraction(1, 20), Fraction(1, 2), data.histogram, 3, 300, longest=6, data=data, form="paper"
    )
    plan = plan_for(request)
    model = model_of(plan, "plan.json", "0" * 64)
    return audit_plan(plan, model, data=data, around=True).document()


@pytest.mark.parametrize(
    ("size", "scheme"),
    SHOWN,
    ids=lambda value: str(value[0]) if isinstance(value, tuple) else value,
)
@pytest.mark.parametrize("name", [*example_names(), "comparison", "plan"])
def test_report_opens_cleanly(name, size, scheme, browser, pages):
    url = (pages / f"{name}.html").as_uri()
    browser.open(url, *size, scheme)
    assert browser.evaluate("innerWidth") == size[0]
    background = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == SCHEMES[scheme]
    browser.evaluate(UNFOLD)
    assert browser.evaluate(OVERFLOW) == {"wide": 0, "out": []}
    assert browser.evaluate(LETTERS) == []
    assert browser.evaluate(PICTURES) == []
    requested = [
        event["params"]["request"]["url"]
        for event in browser.events
        if event.get("method") == "Network.requestWillBeSent"
    ]
    assert requested == [url]
    wrong = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
    assert [event for event in browser.events if event.get("method") in wrong] == []


@pytest.mark.parametrize("place", PLACES)
def test_hostile_names_run_nothing(place, browser, tmp_path, hostile_report):
    for number, hostile in enumerate(PAYLOADS.values()):
        if not MANY and (number + list(PLACES).index(place)) % 4:
            continue  # at hand each text is met in every fourth place, or third
        page = tmp_path / f"{number}.html"
        _, document = hostile_report(place, hostile)
        page.write_text(document_html(document), "utf-8")
        browser.open(page.as_uri(), 390, 844, "light")
        browser.evaluate(UNFOLD)
        assert browser.evaluate(OVERFLOW) == {"wide": 0, "out": []}
        assert browser.evaluate(PICTURES) == []
        assert browser.evaluate("document.scripts.length") == 0
        methods = [event.get("method") for event in browser.events]
        assert methods.count("Network.requestWillBeSent") == 1
        assert "Page.javascriptDialogOpening" not in methods
        assert "Log.entryAdded" not in methods


def test_the_checks_can_fail(browser, tmp_path):
    """A page with every fault is found out."""
    page = tmp_path / "bad.html"
    page.write_text(
        "<!DOCTYPE html><meta name=viewport content='width=device-width'>"
        "<body><p style='width:3000px'>wide</p><img src='http://example.invalid/x.png'>"
        "<svg class=picture viewBox='0 0 100 20'><text x=90 y=10>too long a text</text>"
        "<text x=92 y=11>another</text></svg><table><td style='width:1px;word-break:break-all'>"
        "<div style='width:1px'>operators</div></table><script>console.error('x')</script>",
        "utf-8",
    )
    browser.open(page.as_uri(), 390, 844, "light")
    assert browser.evaluate(OVERFLOW)["wide"] > 0
    assert browser.evaluate(LETTERS) == ["operators"]
    found = browser.evaluate(PICTURES)
    assert any("clipped" in line for line in found)
    assert any("overlap" in line for line in found)
    methods = {event.get("method") for event in browser.events}
    assert "Runtime.consoleAPICalled" in methods
    requests = [e for e in browser.events if e.get("method") == "Network.requestWillBeSent"]
    assert len(requests) == 2


@pytest.mark.parametrize("name", ["example1", "age"])
def test_printing_on_a4_cuts_no_table(name, browser, pages):
    """At the width of an A4 page in print, no table or picture is wider than the page."""
    url = (pages / f"{name}.html").as_uri()
    browser.open(url, 680, 960, "light")
    browser.evaluate(UNFOLD)
    browser.call("Emulation.setEmulatedMedia", media="print")
    widest = browser.evaluate(
        "Math.max(...[...document.querySelectorAll('table, svg, pre, dl')]"
        ".map(e => e.getBoundingClientRect().right))"
    )
    assert widest <= 681
    browser.call("Emulation.setEmulatedMedia", media="")


def test_example_1_prints_on_ten_pages_and_page_one_stands_alone(browser, pages):
    browser.open((pages / "example1.html").as_uri(), 1280, 900, "light")
    printed = base64.b64decode(browser.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) <= 10
    browser.evaluate(UNFOLD)
    whole = base64.b64decode(browser.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    assert len(re.findall(rb"/Type\s*/Page[^s]", whole)) > 15
    browser.open((pages / "example1.html").as_uri(), 680, 980, "light")
    browser.call("Emulation.setEmulatedMedia", media="print")
    # A4 without its margins is 263 mm high, at 96 dots an inch 994; what follows begins a new page.
    assert (
        browser.evaluate("document.querySelector('#summary').getBoundingClientRect().bottom") < 994
    )
    assert (
        browser.evaluate("getComputedStyle(document.querySelector('.signatures')).display")
        == "grid"
    )
    browser.call("Emulation.setEmulatedMedia", media="")
