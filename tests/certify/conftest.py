"""Let the tests of this folder import its oracle and cases by name; leave no solver running."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session", autouse=True)
def _end_solvers():
    yield
    from ppdm_formal.certify.solver.solver import close_all

    close_all()
