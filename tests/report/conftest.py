"""Let the tests of this folder import their helpers by name; reports that several tests read."""

import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from hostile_names import build

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.declare.language.compiler import load
from ppdm_formal.declare.machine.files import example_path
from ppdm_formal.report.formats.html_page import document_html


@cache
def _audited(name):
    return audit(load(example_path(name), {}))


@pytest.fixture(scope="session")
def audited():
    """The audit of a model that comes with the package, by name."""
    return _audited


@cache
def _document(name):
    return _audited(name).document()


@pytest.fixture(scope="session")
def document_of():
    """The whole report of such a model, as blocks."""
    return _document


@cache
def _page(name):
    return document_html(_document(name))


@pytest.fixture(scope="session")
def page_of():
    """The same as a page; `audit_html` makes it from the same blocks."""
    return _page


@cache
def _hostile(place, text):
    result = audit(build(place, text))
    return result, result.document()


@pytest.fixture(scope="session")
def hostile_report():
    """The audit of a model with a hostile text in some place, and its report."""
    return _hostile
