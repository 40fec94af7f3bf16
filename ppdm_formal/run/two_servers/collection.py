"""A collection by two servers: processes on loopback, clients that drop out, a server that dies.

Whoever runs this is no party of the protocol: it starts the processes, and knows the truth that
it compares the published sum with.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppdm_formal.run.errors import DataError
from ppdm_formal.run.two_servers.shares import total
from ppdm_formal.run.two_servers.wire import PeerGone, ask

PROCESSES = 2
"""Processes that play the clients of a wave."""

LIMIT = 120.0
"""Seconds within which processes begin to answer, and clients are done."""

ROOM = "ppdm_formal.run.two_servers"


class CollectionError(DataError):
    """Why a collection came to no sum."""


@dataclass(frozen=True)
class Client:
    """A client that plays its part: its value, and the servers that it reaches.

    sends: where it is not honest, the vector that it sends in place of a report.
    """

    value: int
    reaches: str = "ab"
    sends: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Collected:
    """What came of a collection, and what the demonstration knows besides.

    expected: the sum of the reports of clients both of whose shares arrived, were all honest.
    """

    clients: int
    kept: tuple[int, int]
    counted: int
    published: tuple[int, ...]
    expected: tuple[int, ...]
    killed: int

    @property
    def exact(self) -> bool:
        """Whether what was published is the sum of the reports that count."""
        return self.published == self.expected


class ServerProcess:
    """One of the servers, as a process that can be killed and started again."""

    def __init__(self, state: Path, width: int, least: int) -> None:
        self._state, self._width, self._least = state, width, least
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def start(self) -> None:
        """Begin, or go on where the last one was, at the same port."""
        given = [str(self._state), str(self.port), str(self._width), str(self._least)]
        self._process = _started("server", given)
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said.strip().isdigit():
            raise CollectionError("a server does not start")
        self.port = int(said)

    def kill(self) -> None:
        """End it at once, as a crash does."""
        if self._process is not None:
            _ended(self._process)
            self._process = None

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Ask, and refuse an answer that says no."""
        try:
            answer = ask(self.port, {"do": do, **more}, LIMIT)
        except PeerGone as problem:
            raise CollectionError(f"a server does not answer: {problem.strerror}") from None
        if "no" in answer:
            raise CollectionError(f"a server refuses: {answer['no']}")
        return answer


@contextmanager
def two_servers(width: int, least: int) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Both servers; in the end, whatever happens, they are gone and so is what they kept."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        pair = []
        for name in "ab":
            Path(folder, name).mkdir()  # two machines, in truth
            server = ServerProcess(Path(folder, name, "shares.sqlite"), width, least)
            running.callback(server.kill)
            server.start()
            pair.append(server)
        yield pair[0], pair[1]


def collect(
    code: Path, width: int, clients: Sequence[Client], least: int, kill: bool = False
) -> Collected:
    """Clients that run `code` (of ppdm client) report to two servers; what these publish.

    kill: while the second half of the clients report, the second server dies, and comes back.
    """
    with two_servers(width, least) as (first, second):
        middle = len(clients) // 2 if kill else len(clients)
        sent = _wave(code, width, clients[:middle], (first, second))
        if kill:
            sent += _wave(code, width, clients[middle:], (first, second), dies=second)
        kept = tuple(int(server.ask("close")["count"]) for server in (first, second))
        return published((first, second), sent, (kept[0], kept[1]), width, int(kill))


def published(
    servers: tuple[ServerProcess, ServerProcess],
    sent: Sequence[dict[str, Any]],
    kept: tuple[int, int],
    width: int,
    killed: int,
) -> Collected:
    """The servers agree which reports count, and publish their sums, which are added."""
    first, second = servers
    for one, other in ((first, second), (second, first)):
        one.ask("agree", port=other.port)
    sums = [server.ask("sum") for server in servers]
    if len({(found["counted"], found["digest"]) for found in sums}) > 1:
        raise CollectionError("the servers count different reports")
    whole = [one["report"] for one in sent if one["reaches"] == "ab"]
    return Collected(
        len(sent),
        kept,
        int(sums[0]["counted"]),
        tuple(total([found["sum"] for found in sums], width)),
        tuple(total(whole, width)),
        killed,
    )


def _wave(
    code: Path,
    width: int,
    clients: Sequence[Client],
    servers: tuple[ServerProcess, ServerProcess],
    dies: ServerProcess | None = None,
) -> list[dict[str, Any]]:
    """Clients report at the same time, from several processes; what they sent."""
    before = 0 if dies is None else int(dies.ask("count")["count"])
    given = [str(code), str(width), *(str(server.port) for server in servers)]
    with ExitStack() as running, tempfile.TemporaryDirectory() as folder:
        processes, files = [], []
        for number in range(PROCESSES):
            told = Path(folder, str(number))
            told.write_text("".join(_told(client) for client in clients[number::PROCESSES]))
            out = running.enter_context(Path(folder, f"{number}.sent").open("w+b"))
            process = _started("clients", [str(told), *given], out)
            running.callback(_ended, process)
            processes.append(process)
            files.append(out)
        if dies is not None:
            _die(dies, before, processes)
        end = time.monotonic() + LIMIT
        for process in processes:
            try:
                failed = process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise CollectionError("clients do not come to an end") from None
            if failed:
                raise CollectionError("a client could not send its shares")
        found = []
        for out in files:
            out.seek(0)
            found += [json.loads(line) for line in out]
    return found


def _die(server: ServerProcess, before: int, clients: Sequence[subprocess.Popen[bytes]]) -> None:
    """Kill a server as soon as it has some of the shares of this wave, and start it again."""
    end = time.monotonic() + LIMIT
    while int(server.ask("count")["count"]) <= before and time.monotonic() < end:
        if all(process.poll() is not None for process in clients):
            break
        time.sleep(0.002)
    server.kill()
    time.sleep(0.2)
    server.start()


def _told(client: Client) -> str:
    return json.dumps(vars(client)) + "\n"


def _started(
    module: str, given: Sequence[str], out: Any = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """A process in a session of its own: Ctrl-C is for this one, which ends it in order.

    Its standard input is a pipe that ends when this process does, and it with it.
    """
    command = [sys.executable, "-m", f"{ROOM}.{module}", *given]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, start_new_session=True)


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
