"""What a source distribution must hold: all that the README and the Makefile name."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_source_distribution_holds_what_the_readme_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    held = set(project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])
    readme = (ROOT / "README.md").read_text()
    linked = {link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", readme)}
    named = {"Makefile", "LICENSE"} | set(re.findall(r"[\w/]+\.(?:txt|md|png)\b", readme))
    named |= {link for link in linked if "://" not in link}
    named |= set(re.findall(r"(?:tests|models|proofs)/[\w/.]+", (ROOT / "Makefile").read_text()))
    there = {name for name in named if (ROOT / name).exists()}
    assert {"constraints.txt", "CONTRIBUTING.md", "docs/images/report-answers.png"} <= there
    assert linked - there == {link for link in linked if "://" in link}
    assert {name.partition("/")[0] for name in there} <= held


def test_lowest_versions_are_declared_so_that_they_can_be_tried():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [one for asked in project["optional-dependencies"].values() for one in asked]
    for one in [*project["dependencies"], *extras]:
        assert re.fullmatch(r"[\w-]+>=[\d.]+", one), one


def test_types_of_options_work_with_every_declared_version_of_click():
    """click.ParamType takes a type argument from 8.4 on only; _param_type's always does."""
    for file in (ROOT / "ppdm_formal").rglob("*.py"):
        assert "click.ParamType[" not in file.read_text(), file
