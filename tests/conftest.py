"""Hypothesis everywhere: the same examples on every run, and no limit of time for one.

Where CI asks for Coq, every certificate of the tests is put to the second checker too. What was
imported and collected stays until the end: the garbage collector is not to visit it again.
"""

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.pop("COLUMNS", None)  # a width that whoever runs the tests has set is not theirs

sys.path.insert(0, str(Path(__file__).parent))  # how_many, one_checker

settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")


def pytest_configure(config):
    if os.environ.get("PPDM_REQUIRE_COQ") == "1":
        sys.path.insert(0, str(Path(__file__).parent / "theorems"))
        from every_certificate import EveryCertificate

        config.pluginmanager.register(EveryCertificate())


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Half a million objects: each full collection among them takes half a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


@pytest.fixture(scope="session")
def _warm():
    from one_checker import OneChecker

    yield OneChecker
    OneChecker.shared.close()


@pytest.fixture
def one_checker(_warm, monkeypatch):
    """Commands check in one process that stays: for tests of what is checked, not of processes."""
    monkeypatch.setattr("ppdm_formal.commands.check.Worker", _warm)


@pytest.fixture
def signals_as_usual():
    """Ctrl-C and a closed terminal end what is started here, also where tests run under nohup.

    Programs that run in the background ignore them, and so do all that they start.
    """
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL}
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
