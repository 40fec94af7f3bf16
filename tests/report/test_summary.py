"""Page one, folded details, what a report says of itself, and the folder of certificates."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from page_reader import assert_harmless

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.cli import run
from ppdm_formal.declare.language.compiler import compile_text, load
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.machine.files import example_path
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.markdown import document_markdown
from ppdm_formal.report.parts.document import FOLDED

OPERATOR = "operator R(x: {a, b}) -> {a, b} { [x -> y] = 3/4 if y == x | 1/4 otherwise }\n"
HEAD = """report { title: "Survey <2026>", owner: "An office",
  purpose: "Health"
  date: 2026-11-16 }
"""


def test_a_model_says_what_its_report_is():
    model = compile_text(OPERATOR + HEAD + "audit R { forbid breach 1/10 -> 1/2 }\n")
    assert (model.head.owner, model.head.date) == ("An office", "2026-11-16")
    result = audit(model)
    page = assert_harmless(document_html(result.document()))
    for words in ("Survey <2026>", "An office", "Health", "2026-11-16", "Privacy audit of model"):
        assert words in page.text
    assert document_markdown(result.document()).startswith("# Survey &lt;2026&gt;")
    assert '@top-left { content: "Survey\\20 \\3c 2026\\3e ";' in document_html(result.document())


@pytest.mark.parametrize(
    ("items", "why"),
    [
        ("date: 2026-02-30", "2026-02-30 is no date"),
        ("date: 5", "expected a date"),
        ('name: "x"', "name is nothing that a report says"),
        ('title: "x"; title: "y"', "title is said twice"),
        (f'owner: "{"x" * 501}"', "more than 500 characters"),
    ],
)
def test_what_it_cannot_say(items, why):
    with pytest.raises(ModelError, match=re.escape(why)):
        compile_text(f"{OPERATOR}report {{ {items} }}\n")
    with pytest.raises(ModelError, match="a second report block"):
        compile_text(OPERATOR + HEAD + HEAD)


def test_report_stays_free_as_a_name():
    model = compile_text(
        "domain D = {report, date}\nproperty report on D = x == date\n"
        "operator given(x: D) -> D { return x }\n"
    )
    assert model.head.title == ""


def test_page_one_comes_first_and_details_are_folded():
    document = audit(load(example_path("example1"), {})).document()
    summary = document.sections[0]
    assert (summary.title, summary.anchor) == ("Summary", "summary")
    kinds = [block.kind for block in summary.blocks]
    assert kinds == ["table", "text", "gallery", "facts", "signatures"]
    assert [term for term, _ in summary.blocks[3].pairs] == [
        "What it costs",
        "Whose beliefs",
        "What was assumed",
        "Who can check this",
    ]
    table = summary.blocks[0]
    assert [row[0] for row in table.rows] == [f"Claim {n}" for n in range(1, 10)]
    assert table.shades[1] == ["breached"] * 6 + ["certified"] * 3
    page = document_html(document)
    folded = re.findall(r"<details><summary><h\d>([^<]*)<", page)
    assert {"Operator R1", "Operator R2", "Operator R3", "Exact values", "Words used"} <= set(
        folded
    )
    assert not {"Verdicts", "Questions and answers", "Assumptions"} & set(folded)


def test_full_folds_nothing_and_says_the_same(tmp_path, capsys):
    short, full = tmp_path / "short.html", tmp_path / "full.html"
    for target, options in ((short, []), (full, ["--full"])):
        run(["audit", "--example", "warner", "--html", str(target), *options])
    pages = [assert_harmless(path.read_text()) for path in (short, full)]
    assert "details" in pages[0].tags
    assert "details" not in pages[1].tags
    missing = set(pages[0].text.split()) - set(pages[1].text.split())
    assert missing <= set(f"{FOLDED} Details".split())


def test_the_folder_checks_itself(tmp_path, capsys):
    folder = tmp_path / "certificates"
    options = ["--owner", "An office", "--html", str(tmp_path / "r.html")]
    assert run(["audit", "--example", "example2", "--certificates", str(folder), *options]) == 1
    names = sorted(path.name for path in folder.glob("*.json"))
    listed = (tmp_path / "r.html").read_text()
    for number in range(1, len(names) + 1):  # numbered as the claims of the report
        [name] = [name for name in names if name.endswith(f"-{number}.json")]
        assert f"<td>{number}</td><td>{name}</td>" in listed
    readme = (folder / "README.txt").read_text()
    command = next(line for line in readme.splitlines() if "check.py ." in line)
    assert command.strip() == "python3 -I check.py ."
    found = subprocess.run(
        [sys.executable, "-I", "check.py", "."], cwd=folder, capture_output=True, text=True
    )
    assert found.returncode == 1
    assert found.stdout.count("accepted") == len(names)
    capsys.readouterr()
    assert run(["check", str(folder), "--model", str(example_path("example2"))]) == 1
    assert capsys.readouterr().out.count("accepted") == len(names)


def test_what_is_no_certificate_is_explained(tmp_path, capsys):
    (tmp_path / "report.html").write_text("<html></html>")
    assert run(["check", str(tmp_path / "report.html")]) == 2
    assert "is a report for people, not a certificate" in capsys.readouterr().err
    assert run(["check", str(tmp_path)]) == 2
    assert "a folder without certificates" in capsys.readouterr().err
    assert run(["audit", "--example", "warner", "--date", "16.11.2026"]) == 2
    assert "is no date such as" in capsys.readouterr().err
