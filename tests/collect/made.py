"""Collectors for tests: one in this process behind Starlette's test client, and its requests."""

from __future__ import annotations

import secrets
from contextlib import contextmanager

from starlette.testclient import TestClient

from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.run.collect.accepted import Accepted, SoFar
from ppdm_formal.run.collect.app import EVERYBODY, ToldToClients, application
from ppdm_formal.run.collect.collecting import Collecting
from ppdm_formal.run.collect.windows import Windows
from ppdm_formal.run.release import Origin, ReleasedColumn
from ppdm_formal.run.web.guard import Door, Limits

PORT, TOKEN = 8080, "the-token"
ADDRESS = f"http://127.0.0.1:{PORT}"
SURVEY = "https://survey.example"


def accepted(folder, operator=None):
    operator = operator or randomized_response(5, "1/2", name="Q")
    return Accepted(ReleasedColumn("answer", operator, Origin("m.ppdm", "0" * 64)), folder)


@contextmanager
def collector(folder, operator=None, limits=None, seconds=None, full=None):
    """A collector in `folder`: a client of it, the digest of its operator, and what collects."""
    what = accepted(folder, operator)
    so_far = SoFar(what)
    windows = Windows(folder, what.digest, what.release, so_far.add, full)
    collecting = Collecting(windows, what.digest, what.packed, so_far.add, seconds)
    door = Door(PORT, TOKEN, EVERYBODY, frozenset({SURVEY}), limits or Limits())
    told = ToldToClients({"name": "Q", "operator": what.digest}, lambda: {"rows": so_far.now()[0]})
    try:
        with TestClient(
            application(collecting, told, door), ADDRESS, raise_server_exceptions=False
        ) as client:
            client.digest, client.collecting = what.digest, collecting
            yield client
    finally:
        collecting.end()


def batch(client, reports, window=1, identifier=None):
    """A batch as clients send it."""
    return {
        "format": "ppdm-batch/1",
        "operator": client.digest,
        "window": window,
        "batch": identifier or secrets.token_hex(16),
        "reports": reports,
    }
