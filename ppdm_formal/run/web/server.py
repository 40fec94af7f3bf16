"""Server: an application on loopback, until Ctrl-C or a request to end; then it ends in order.

The socket listens before anybody is told the address. Connections are limited in number, and in
the time that they may take for the head of a request: uvicorn by itself waits for ever.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ppdm_formal.run.web.guard import Limits
from ppdm_formal.run.web.refused import busy

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HEAD = 1 << 14
"""Bytes of the longest head of a request."""

BACKLOG = 512

_ENDS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


def listening(port: int) -> socket.socket:
    """A socket on loopback; port 0: any that is free."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(("127.0.0.1", port))
        found.listen(BACKLOG)
    except OSError:
        found.close()
        raise
    return found


def serve(
    app: ASGIApp,
    opened: socket.socket,
    limits: Limits,
    announce: Callable[[], None],
    lasts: float | None = None,
) -> None:
    """Serve until the process is asked to end, or for so many seconds; begun requests end.

    announce: says where; from then on a request to end is one to end in order.
    """
    config = uvicorn.Config(
        app,
        http=_limited(limits),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=int(limits.seconds),
        timeout_graceful_shutdown=int(limits.seconds),
        h11_max_incomplete_event_size=HEAD,
        backlog=BACKLOG,
    )
    _Server(config, announce, lasts).run([opened])


class _Server(uvicorn.Server):
    """uvicorn's, but requests to end are done with when it has ended: what follows is ours."""

    def __init__(
        self, config: uvicorn.Config, announce: Callable[[], None], lasts: float | None
    ) -> None:
        super().__init__(config)
        self._announce = announce
        self._end = None if lasts is None else monotonic() + lasts

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()

    async def on_tick(self, counter: int) -> bool:
        over = self._end is not None and monotonic() >= self._end
        return await super().on_tick(counter) or over

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._asked) for number in _ENDS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _asked(self, number: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit and number == signal.SIGINT
        self.should_exit = True


def _limited(limits: Limits) -> type[H11Protocol]:
    class Connection(H11Protocol):
        """A connection that must say what it wants in time, and is refused where there are many."""

        _waiting: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > limits.connections:
                refused = busy("too many connections")
                transport.write(
                    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n"
                    b"retry-after: 1\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%b"
                    % (len(refused.body), refused.body)
                )
                transport.close()
            else:
                self._wait()

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            super().data_received(data)
            at_work = self.cycle is not None and not self.cycle.response_complete
            if at_work:
                self._no_longer()
            elif self._waiting is None:
                self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._no_longer()
            super().connection_lost(exc)

        def _wait(self) -> None:
            self._waiting = self.loop.call_later(limits.seconds, self.transport.close)

        def _no_longer(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

    return Connection
