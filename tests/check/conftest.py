"""Let the tests of this folder import their builder and oracle by name; leave no solver running."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session", autouse=True)
def _end_solvers():
    yield
    solver = sys.modules.get("ppdm_formal.certify.solver.solver")
    if solver is not None:
        solver.close_all()
