"""The collector's application: what it answers to whom (docs/collect.md has the requests)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ppdm_formal.run.collect.batch import FORMAT, MAX_REPORTS
from ppdm_formal.run.collect.collecting import Collecting
from ppdm_formal.run.web.guard import Door, Guard
from ppdm_formal.run.web.refused import Refused

EVERYBODY = frozenset(
    {
        ("GET", "/"),
        ("GET", "/page.js"),
        ("GET", "/page.css"),
        ("GET", "/collection"),
        ("POST", "/reports"),
    }
)
"""What needs no token."""

_KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_FRESH = 1.0
"""Seconds for which an estimate is told again rather than computed anew."""


@dataclass
class ToldToClients:
    """What the collector tells of itself.

    about: of the operator and its reports. estimate: the page's numbers, computed in a thread.
    """

    about: dict[str, Any]
    estimate: Callable[[], dict[str, Any]]
    _at: float = field(default=-_FRESH, init=False)
    _last: dict[str, Any] = field(default_factory=dict, init=False)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def now(self) -> dict[str, Any]:
        """The estimate, at most a second old."""
        async with self._lock:
            if monotonic() - self._at >= _FRESH:
                self._last = await asyncio.to_thread(self.estimate)
                self._at = monotonic()
            return self._last


def application(collecting: Collecting, told: ToldToClients, door: Door) -> Guard:
    """The whole of it, behind its guard."""

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        writing = asyncio.create_task(collecting.run())
        try:
            yield
        finally:
            writing.cancel()
            with suppress(asyncio.CancelledError):
                await writing

    async def collection(_: Request) -> Response:
        return JSONResponse({**told.about, **collecting.state(), "batch": _BATCH})

    async def reports(request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Refused(415, "a batch is application/json", "send that Content-Type")
        return JSONResponse(await collecting.take(await request.body()))

    async def estimate(_: Request) -> Response:
        return JSONResponse({**await told.now(), **collecting.state()})

    async def close(_: Request) -> Response:
        collecting.close_window()
        return JSONResponse({"closing": collecting.state()["window"]})

    routes = [
        Route("/collection", collection, methods=["GET"]),
        Route("/reports", reports, methods=["POST"]),
        Route("/estimate", estimate, methods=["GET"]),
        Route("/close", close, methods=["POST"]),
        *(Route(place, partial(_page, name)) for place, name in _PAGES.items()),
    ]
    handlers = {HTTPException: _http, Refused: _refused}
    app = Starlette(routes=routes, lifespan=life, exception_handlers=handlers)
    return Guard(app, door)


_BATCH = {
    "format": FORMAT,
    "operator": "the digest above",
    "window": "the number above",
    "batch": "16 random bytes, as 32 hexadecimal digits",
    "reports": f"1 to {MAX_REPORTS:,} reports",
}
_PAGES = {"/": "page.html", "/page.js": "page.js", "/page.css": "page.css"}


async def _page(name: str, _: Request) -> Response:
    place = Path(__file__).with_name(name)
    return Response(place.read_bytes(), media_type=_KINDS[place.suffix])


async def _http(_: Request, problem: Exception) -> Response:
    """What Starlette itself refuses, said as everything else is."""
    assert isinstance(problem, HTTPException)
    what = {404: "there is nothing here", 405: "this is not how it is asked for"}
    error = what.get(problem.status_code, problem.detail)
    said = Refused(problem.status_code, error, "GET /collection says what is accepted")
    return Response(said.body, said.status, problem.headers, "application/json")


async def _refused(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, Refused)
    return Response(problem.body, problem.status, problem.headers, "application/json")
