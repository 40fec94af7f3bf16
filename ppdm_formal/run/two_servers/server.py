"""One of the two servers: keeps shares, agrees with the other which count, and says their sum.

    python -m ppdm_formal.run.two_servers.server STATE PORT WIDTH LEAST

It says on standard output which port it listens at. A share is acknowledged once it is on disk.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

from ppdm_formal.run.two_servers.kept import ServerState, VectorRefused
from ppdm_formal.run.two_servers.parent import end_with_parent
from ppdm_formal.run.two_servers.shares import is_share
from ppdm_formal.run.two_servers.wire import HOST, MAX_LINE, read, written

_NUMBER = re.compile(r"[0-9a-f]{32}", re.ASCII)

Waiting = tuple[str, list[int], "asyncio.Future[str]"]


class Server:
    """Answers requests; shares that come while others are being written are written together."""

    def __init__(self, kept: ServerState, width: int) -> None:
        self._kept, self._width = kept, width
        self._waiting: asyncio.Queue[Waiting] = asyncio.Queue()

    async def write_shares(self) -> None:
        """Bring shares to the disk, as many at once as there are."""
        while True:
            batch = [await self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            answers = self._kept.add((number, share) for number, share, _ in batch)
            for (*_, future), answer in zip(batch, answers, strict=True):
                if not future.done():
                    future.set_result(answer)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The requests of one connection, one after another."""
        try:
            while line := await reader.readline():
                writer.write(written(await self._answer(read(line))))
                await writer.drain()
        except (OSError, ValueError):  # gone, or a line that is too long
            pass
        finally:
            writer.close()

    async def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return await self._done(request)
        except VectorRefused as why:
            return {"no": str(why)}
        except OSError as problem:
            return {"no": f"the other server does not answer: {problem.strerror}"}

    async def _done(self, request: dict[str, Any]) -> dict[str, Any]:
        asked = request.get("do")
        if asked == "add":
            return {"did": await self._add(request)}
        if asked == "count":
            return {"count": self._kept.count(), "stage": self._kept.stage}
        if asked == "close":
            return {"count": self._kept.end()}
        if asked == "numbers":
            return {"numbers": self._kept.numbers()}
        if asked == "agree":
            self._kept.agree(await _numbers_of(request.get("port")))
        if asked in ("agree", "sum"):
            counted, digest = self._kept.agreed()
            found = {"counted": counted, "digest": digest}
            return found if asked == "agree" else {**found, "sum": self._kept.sum()}
        raise VectorRefused("not a request that is known here")

    async def _add(self, request: dict[str, Any]) -> str:
        number, share = request.get("number"), request.get("share")
        if not isinstance(number, str) or not _NUMBER.fullmatch(number):
            raise VectorRefused("a report has a number of 32 hexadecimal digits")
        if not is_share(share, self._width):
            raise VectorRefused(f"a share has {self._width} numbers below 2^64")
        assert isinstance(share, list)
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        await self._waiting.put((number, share, future))
        answer = await future
        if answer != "kept":
            raise VectorRefused(answer)
        return answer


async def _numbers_of(port: object) -> list[str]:
    """The numbers of the reports that the other server has."""
    if type(port) is not int:
        raise VectorRefused("the other server has a port")
    reader, writer = await asyncio.open_connection(HOST, port, limit=MAX_LINE)
    try:
        writer.write(written({"do": "numbers"}))
        answer = read(await reader.readline())
    finally:
        writer.close()
    numbers = answer.get("numbers")
    if not isinstance(numbers, list) or not all(isinstance(one, str) for one in numbers):
        raise VectorRefused(f"the other server does not say its numbers: {answer.get('no', '')}")
    return numbers


async def _run(state: Path, port: int, width: int, least: int) -> None:
    end_with_parent()
    server = Server(ServerState(state, width, least), width)
    listening = await asyncio.start_server(server.serve, HOST, port, limit=MAX_LINE)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await server.write_shares()  # a disk that fails ends the server


if __name__ == "__main__":
    asyncio.run(_run(Path(sys.argv[1]), *map(int, sys.argv[2:5])))
