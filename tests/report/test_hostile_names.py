"""Hostile names in every text field appear as text: in HTML, Markdown, terminal and notebook."""

import io
import re
import unicodedata
from fractions import Fraction
from itertools import product
from pathlib import PurePath

import pytest
from hostile_names import PAYLOADS, PLACES, build
from page_reader import Page, assert_harmless
from rich.console import Console

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.audit.comparison import Comparison
from ppdm_formal.declare.language.compiler import load
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.markdown import document_markdown
from ppdm_formal.report.formats.terminal import print_document
from ppdm_formal.report.words.visible import clean, visible

CASES = list(product(PLACES, PAYLOADS))


def invisible(text):
    """Characters that must not reach a reader: controls, formats, separators, surrogates."""
    return {
        ch
        for ch in set(text)
        if ch != "\n" and unicodedata.category(ch) in {"Cc", "Cf", "Zl", "Zp"}
    }


def test_there_are_enough_cases():
    assert len(CASES) >= 100


@pytest.mark.parametrize(("place", "payload"), CASES, ids=lambda part: part)
def test_hostile_text_appears_as_text(place, payload, hostile_report):
    hostile = PAYLOADS[payload]
    result, document = hostile_report(place, hostile)
    source = document_html(document)
    page = assert_harmless(source)
    assert not invisible(source)
    shown = visible(hostile if place != "file" else PurePath(hostile).name)
    if place in ("input", "output"):  # a label that would mislead is shown in quotes
        shown = visible(show_value(hostile))
    if place != "source":
        assert shown[:12] in page.text
    else:  # a newline in a comment is one in the program, too
        assert visible(hostile.split("\n")[0])[:12] in page.text
    assert len(source) < 300_000
    markdown = document_markdown(document)
    assert not invisible(markdown)
    outside = re.sub(r"^(`{3,})$.*?^\1$|`[^`\n]+`", "", markdown, flags=re.S | re.M)
    assert not re.search(r"<(?!!-- -->)", outside)
    assert "\n# top" not in outside
    stream = io.StringIO()
    print_document(
        result.document(brief=True), Console(file=stream, width=120, force_terminal=False)
    )
    assert not invisible(stream.getvalue())


@pytest.mark.parametrize("payload", PAYLOADS)
def test_notebooks_and_comparisons(payload):
    hostile = PAYLOADS[payload]
    for place in ("operator", "input"):
        result = audit(build(place, hostile))
        found = result.operators[0]
        assert_harmless(document_html(Comparison((result, result)).document()))
        for piece in (
            found.operator._repr_html_(),
            result._repr_html_(),
            *(certificate._repr_html_() for certificate in found.certificates),
        ):
            assert not invisible(piece)
            page = Page(piece)
            assert "script" not in page.tags
            assert not any(name.startswith("on") for _, name, _ in page.attributes)


@pytest.mark.parametrize("payload", ["script", "single", "svg", "template", "latex"])
def test_labels_of_a_model_file_and_of_a_csv_file(payload, tmp_path):
    hostile = PAYLOADS[payload].replace('"', "'").replace("\\", "/").replace(",", ";")
    (tmp_path / "t.csv").write_text(f",{hostile},no\n{hostile},2/3,1/3\nno,1/3,2/3\n", "utf-8")
    model = tmp_path / "m.ppdm"
    model.write_text(
        f'operator T(x: {{"{hostile}", no}}) -> {{"{hostile}", no}} = csv("t.csv")\n'
        f'prior P on {{"{hostile}", no}} = uniform\n'
        f'audit T {{ prior P\n given "{hostile}"\n forbid breach 1/3 -> 1/2 }}\n',
        "utf-8",
    )
    source = document_html(audit(load(model, {})).document())
    page = assert_harmless(source)
    assert visible(hostile)[:12] in page.text
    assert not invisible(source)


def test_visible_and_clean():
    assert visible("\u202e\x1b\n\U000e0001") == "\\u202e\\x1b\\n\\U000e0001"
    assert clean("x" * 10_000, 20) == "x" * 17 + "..."
    assert len(clean("\x00" * 10_000, 20)) == 20


def test_a_huge_number_is_cut_short(audited):
    model = build("input", "a")
    operator = model.audits[0].operator
    tiny = Fraction(1, 3**3000)
    rows = [[1 - tiny, tiny], [tiny, 1 - tiny]]
    wide = type(operator).from_matrix(rows, name="Wide")
    source = document_html(audit(type(model)("m.ppdm", "0" * 64, {"Wide": wide})).document())
    assert_harmless(source)
    assert len(source) < 200_000
