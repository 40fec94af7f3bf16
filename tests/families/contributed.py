"""The families that CONTRIBUTING.md shows, put beside the others for the time of a test."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from family_cases import cases

from ppdm_formal.declare import families

DOCUMENT = Path(__file__).parents[2] / "CONTRIBUTING.md"


@pytest.fixture
def contributed(tmp_path, monkeypatch):
    """A function that writes the file of a family, as CONTRIBUTING.md has it."""
    added = []

    def add(name):
        (code,) = re.findall(
            rf"families/{name}\.py would be:\n\n```python\n(.*?)```",
            DOCUMENT.read_text(encoding="utf-8"),
            re.DOTALL,
        )
        folder = tmp_path / "families"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
        monkeypatch.setattr(families, "__path__", [*families.__path__, str(folder)])
        added.append(f"ppdm_formal.declare.families.{name}")

    yield add
    for module in added:
        sys.modules.pop(module, None)
    cases.cache_clear()  # the next test that adds the family has other classes of the same names
