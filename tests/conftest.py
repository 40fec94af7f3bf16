"""Hypothesis everywhere: the same examples on every run, and no limit of time for one.

Where CI asks for Coq, every certificate of the tests is put to the second checker too.
"""

import os
import sys
from pathlib import Path

from hypothesis import settings

settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")


def pytest_configure(config):
    if os.environ.get("PPDM_REQUIRE_COQ") == "1":
        sys.path.insert(0, str(Path(__file__).parent / "theorems"))
        from every_certificate import EveryCertificate

        config.pluginmanager.register(EveryCertificate())
