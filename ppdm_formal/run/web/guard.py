"""Guard: what a server on loopback refuses before its own code runs, and the headers of answers.

Any web page can send requests to loopback, and a name that somebody else owns can be made to mean
127.0.0.1. So the Host must be this server's own, an Origin must be its own or one that was named,
and what is not for everybody wants a token that no page knows. Bodies are read whole, within a
limit and a time, before the application sees them.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ppdm_formal.run.web.refused import Refused, busy

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

_ORIGIN = re.compile(
    r"https?://[a-z0-9.\-]+(?::[0-9]{1,5})?|https?://\[[0-9a-f:]+\](?::[0-9]{1,5})?"
)
_LOOPBACK = ("127.0.0.1", "localhost")


@dataclass(frozen=True)
class Limits:
    """How much a client may take: bytes of a body and of all together, seconds, connections."""

    body: int = 1 << 20
    bodies: int = 1 << 26
    seconds: float = 10.0
    connections: int = 256
    discarded: int = 1 << 24
    """So much of a body that is too long is read and thrown away, so that its sender hears why."""


@dataclass(frozen=True)
class Door:
    """Who may come in: the port of the server, its token, and what is for everybody.

    everybody: (method, path) of what needs no token. origins: web pages that may use these.
    """

    port: int
    token: str
    everybody: frozenset[tuple[str, str]]
    origins: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)

    @property
    def hosts(self) -> frozenset[str]:
        """What the Host of a request may be."""
        bare = _LOOPBACK if self.port == 80 else ()
        return frozenset({*(f"{name}:{self.port}" for name in _LOOPBACK), *bare})

    @property
    def own(self) -> frozenset[str]:
        """The origins of this server's own pages."""
        return frozenset(f"http://{host}" for host in self.hosts)


def checked_origin(origin: str) -> str:
    """An origin as browsers write it, such as https://survey.example.

    >>> checked_origin("https://Survey.Example/")
    'https://survey.example'
    """
    found = origin.lower().removesuffix("/")
    if not _ORIGIN.fullmatch(found):
        raise ValueError(f"{origin!r} is no origin: a scheme and a host, https://survey.example")
    return found


class Guard:
    """An ASGI application that lets through to another one what the door lets in."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app, self._door = app, door
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the application's life."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        answer = _Answer(send)
        held = 0
        try:
            origin = self._let_in(scope)
            answer.origin = origin
            if scope["method"] == "OPTIONS":
                await answer.preflight(self._methods(scope["path"]))
                return
            held = self._room(scope)
            self._held += held
            body = await self._body(receive)
            await self._app(scope, _whole(body, receive), answer.send)
        except Refused as problem:
            await answer.refuse(problem)
        except Exception as problem:
            print(f"ppdm: {type(problem).__name__} in an answer", file=sys.stderr, flush=True)
            await answer.refuse(Refused(500, "an internal error", "tell who runs this server"))
        finally:
            self._held -= held

    def _let_in(self, scope: Scope) -> str | None:
        """The origin of another site that may be here, if that is where the request is from."""
        door, headers = self._door, _Headers(scope["headers"])
        if headers.only("host") not in door.hosts:
            raise Refused(
                421,
                "the Host of the request is not this server's",
                f"use http://127.0.0.1:{door.port} as the address",
            )
        origin = headers.only("origin")
        asked = (headers.only("access-control-request-method") or "").upper()
        method = asked if scope["method"] == "OPTIONS" else scope["method"]
        open_to_all = (method, scope["path"]) in door.everybody
        foreign = origin is not None and origin not in door.own
        if foreign and not (open_to_all and origin in door.origins):
            raise Refused(
                403,
                "this web page may not use this server (its Origin is another)",
                "start the server with --origin and the page's origin, if it is to send reports",
            )
        if not open_to_all and scope["method"] != "OPTIONS":
            given = (headers.only("authorization") or "").removeprefix("Bearer ")
            if not hmac.compare_digest(given.encode("latin-1"), door.token.encode()):
                raise Refused(
                    401,
                    "this needs the token of the server",
                    "open the whole address that was printed at the start, with what follows #",
                )
        return origin if foreign else None

    def _methods(self, path: str) -> str:
        return ", ".join(sorted(method for method, there in self._door.everybody if there == path))

    def _room(self, scope: Scope) -> int:
        """How many bytes a body may take, set aside; a body that says it is longer is refused."""
        headers, limits = _Headers(scope["headers"]), self._door.limits
        if headers.only("content-encoding") not in (None, "identity"):
            raise Refused(415, "the body is compressed", "send it as it is")
        said = headers.only("content-length")
        if said is None and headers.only("transfer-encoding") is None:
            return 0
        if said is not None and not (said.isascii() and said.isdigit() and len(said) < 20):
            raise Refused(400, "the length of the body is no number", "send its Content-Length")
        most = limits.body if said is None else int(said)
        if most > limits.body + limits.discarded:
            raise self._too_long()
        most = min(most, limits.body)
        if self._held + most > limits.bodies:
            raise busy("too many bodies are being read at once")
        return most

    async def _body(self, receive: Receive) -> bytes:
        limits, parts, size = self._door.limits, list[bytes](), 0
        try:
            async with asyncio.timeout(limits.seconds):
                while True:
                    message: Message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Refused(400, "the body ended early", "send all of it")
                    part = message.get("body", b"")
                    size += len(part)
                    if size <= limits.body:
                        parts.append(part)
                    elif size > limits.body + limits.discarded:
                        raise self._too_long()
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            raise Refused(
                408, f"the body took longer than {limits.seconds:g} s", "send less at once"
            ) from None
        if size > limits.body:
            raise self._too_long()
        return b"".join(parts)

    def _too_long(self) -> Refused:
        most = self._door.limits.body
        return Refused(413, f"the body is longer than {most:,} bytes", "send less at once")


class _Headers:
    """The headers of a request; one that comes twice counts as none that is known."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._found: dict[bytes, list[bytes]] = {}
        for name, value in raw:
            self._found.setdefault(name.lower(), []).append(value)

    def only(self, name: str) -> str | None:
        """Its value; no value at all where it is missing, and none that fits where it is twice."""
        values = self._found.get(name.encode())
        if values is None:
            return None
        return values[0].decode("latin-1") if len(values) == 1 else "twice"


class _Answer:
    """The answer to one request, with the headers that all have."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun = False
        self.origin: str | None = None

    async def send(self, message: Message) -> None:
        """A message of the application."""
        if message["type"] == "http.response.start":
            self._begun = True
            known = {name.lower() for name, _ in message.get("headers", ())}
            more = {k: v for k, v in self._headers().items() if k.encode() not in known}
            message = {**message, "headers": [*message.get("headers", ()), *_encoded(more)]}
        await self._send(message)

    def _headers(self) -> dict[str, str]:
        if self.origin is None:
            return HEADERS
        return {**HEADERS, "access-control-allow-origin": self.origin, "vary": "origin"}

    async def refuse(self, problem: Refused) -> None:
        """Say why, unless an answer has begun."""
        if not self._begun:
            kind = {"content-type": "application/json", **problem.headers}
            await self._whole(problem.status, kind, problem.body)

    async def preflight(self, methods: str) -> None:
        """What pages of another origin may send."""
        allowed = {
            "access-control-allow-methods": methods,
            "access-control-allow-headers": "content-type",
            "access-control-allow-private-network": "true",
            "access-control-max-age": "600",
        }
        await self._whole(204, allowed if self.origin else {}, b"")

    async def _whole(self, status: int, headers: dict[str, str], body: bytes) -> None:
        size = {} if status == 204 else {"content-length": str(len(body))}
        start = {"type": "http.response.start", "status": status}
        await self.send({**start, "headers": _encoded({**headers, **size})})
        await self.send({"type": "http.response.body", "body": body})


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]


def _whole(body: bytes, receive: Receive) -> Receive:
    """The body as one message; then whatever comes."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def once() -> Message:
        return waiting.pop() if waiting else await receive()

    return once
