"""Batch: reports that a client sends together, read from hostile JSON, format ppdm-batch/1.

A batch has a random identifier, so that it can be sent again when no answer was heard, and names
the window that was open when it was made. The identifier is of the batch alone: nothing in it is
about who sent it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ppdm_formal.run.web.refused import Refused

FORMAT = "ppdm-batch/1"
KEYS = ("format", "operator", "window", "batch", "reports")

MAX_REPORTS = 10_000
"""Most reports of one batch."""

MAX_WINDOW = 1 << 40

_IDENTIFIER = re.compile(r"[0-9a-f]{32}")
_SEE = "GET /collection shows what is expected"


@dataclass(frozen=True)
class Batch:
    """A batch as it was sent; its reports are not yet compared with the operator."""

    window: int
    identifier: bytes
    reports: Sequence[Any]


def read_batch(body: bytes, operator: str) -> Batch:
    """The batch that a body holds, for the operator of this digest; otherwise Refused."""
    sent = _parsed(body)
    if not isinstance(sent, dict) or set(sent) != set(KEYS):
        raise Refused(400, f"a batch is an object with the keys {', '.join(KEYS)}", _SEE)
    if sent["format"] != FORMAT:
        raise Refused(400, f"the format is not {FORMAT}", _SEE)
    if sent["operator"] != operator:
        raise Refused(
            409,
            "the reports are of another operator than this collection's",
            f"write the clients anew from the model of this collection; {_SEE}",
        )
    window, identifier, reports = sent["window"], sent["batch"], sent["reports"]
    if type(window) is not int or not 0 < window < MAX_WINDOW:
        raise Refused(400, "the window is no whole number from 1 on", _SEE)
    if not isinstance(identifier, str) or not _IDENTIFIER.fullmatch(identifier):
        raise Refused(
            400,
            "the batch's identifier is not 32 hexadecimal digits",
            "draw 16 random bytes for each batch, and the same again only to send it again",
        )
    if not isinstance(reports, list) or not reports:
        raise Refused(400, "a batch has a list of at least one report", _SEE)
    if len(reports) > MAX_REPORTS:
        raise Refused(413, f"a batch has at most {MAX_REPORTS:,} reports", "send several batches")
    return Batch(window, bytes.fromhex(identifier), reports)


def _parsed(body: bytes) -> Any:
    """JSON, strictly: UTF-8, whole numbers only, no key twice, of bounded depth."""
    try:
        text = body.decode("utf-8")
        return json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_no_number
        )
    except Refused:
        raise
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON in UTF-8", _SEE) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Refused(400, "a key occurs twice in the body", "send each key once")
    return found


def _no_number(_: str) -> NoReturn:
    raise Refused(400, "a number in the body is not whole", "send reports as the client draws them")
