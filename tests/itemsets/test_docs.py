"""The examples of docs/itemsets.md give what the page says."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_documented_examples():
    page = Path(__file__).parents[2] / "docs" / "itemsets.md"
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.attempted > 30
    assert found.failed == 0
