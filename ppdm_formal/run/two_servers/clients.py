"""Clients: each randomizes its value with certified code, splits the report and sends the shares.

    python -m ppdm_formal.run.two_servers.clients TOLD CODE WIDTH PORT PORT

CODE is a file that `ppdm client` wrote. A line of the file TOLD is a client: its value, the
servers that it reaches before it is gone ("ab", "a", "b" or ""), and null, or, where it is not
honest, the vector that it sends in place of a report. A line of standard output says what an
honest one would have sent, which in truth nobody ever learns: the demonstration compares.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ppdm_formal.run.two_servers.parent import end_with_parent
from ppdm_formal.run.two_servers.shares import MODULUS, split, vector_of
from ppdm_formal.run.two_servers.wire import HOST, read, written

AT_ONCE = 16
PATIENCE = 60.0
"""Seconds that a client goes on trying to reach a server that is not there."""

PAUSE = 0.05


async def delivered(port: int, number: str, share: Sequence[int]) -> None:
    """Send a share until the server says that it has it: the same share, under the same number."""
    message = written({"do": "add", "number": number, "share": list(share)})
    end = asyncio.get_running_loop().time() + PATIENCE
    while True:
        try:
            reader, writer = await asyncio.open_connection(HOST, port)
            try:
                writer.write(message)
                answer = read(await reader.readline())
            finally:
                writer.close()
        except OSError:
            answer = {}
        if answer.get("did") == "kept":
            return
        if "no" in answer:
            raise SystemExit(f"refused: {answer['no']}")
        if asyncio.get_running_loop().time() > end:
            raise SystemExit(f"the server at port {port} does not answer")
        await asyncio.sleep(PAUSE)


async def take_part(
    told: dict[str, Any], draw: Callable[[int], Any], width: int, ports: Sequence[int]
) -> dict[str, Any]:
    """What one client does; a value leaves it in no other form than as two shares of a report."""
    report = vector_of(draw(told["value"]), width)
    sent = report if told["sends"] is None else [part % MODULUS for part in told["sends"]]
    number = secrets.token_hex(16)
    for place, share in zip("ab", split(sent), strict=True):
        if place in told["reaches"]:
            await delivered(ports["ab".index(place)], number, share)
    return {"number": number, "report": report, "reaches": told["reaches"]}


async def _run(told: Path, code: str, width: int, ports: Sequence[int]) -> None:
    end_with_parent()
    spec = importlib.util.spec_from_file_location("certified_client", code)
    assert spec is not None
    assert spec.loader is not None
    certified = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(certified)
    room = asyncio.Semaphore(AT_ONCE)

    async def one(line: str) -> None:
        async with room:
            done = await take_part(json.loads(line), certified.randomize, width, ports)
            print(json.dumps(done), flush=True)

    await asyncio.gather(*(one(line) for line in told.read_text().splitlines()))


if __name__ == "__main__":
    given = sys.argv[3:6]
    asyncio.run(_run(Path(sys.argv[1]), sys.argv[2], int(given[0]), [*map(int, given[1:])]))
