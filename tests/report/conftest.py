"""Let the tests of this folder import their helpers by name; reports that several tests read."""

import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ppdm_formal.audit import audit
from ppdm_formal.files import example_path
from ppdm_formal.language.compiler import load


@cache
def _audited(name):
    return audit(load(example_path(name), {}))


@pytest.fixture(scope="session")
def audited():
    """The audit of a model that comes with the package, by name."""
    return _audited
