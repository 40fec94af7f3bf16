"""The documents: examples run, links lead somewhere, the guide lists every file."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_examples_run(path):
    if ">>>" not in path.read_text():
        return
    found = doctest.testfile(str(path), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text()):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_the_guide_has_one_line_for_each_file():
    listed = re.findall(r"^- `([^`]+)`:", (ROOT / "docs/GUIDE.md").read_text(), re.MULTILINE)
    assert len(listed) == len(set(listed))
    files = {
        str(path.relative_to(ROOT))
        for folder in ("ppdm_formal", "models", "proofs", "benchmarks")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".lark", ".ppdm", ".html", ".css")
        and path.name != "__init__.py"
        and "__pycache__" not in path.parts
    }
    assert files - set(listed) == set(), "not in docs/GUIDE.md"
    assert {name for name in listed if not (ROOT / name).exists()} == set(), "no such file"
