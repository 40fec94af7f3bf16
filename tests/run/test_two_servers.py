"""Two servers: sums of shares are exactly sums of reports, whoever drops out or dies."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from ppdm_formal.cli import run
from ppdm_formal.commands._two_servers import MODEL, NAMES
from ppdm_formal.run.two_servers import collection, shares
from ppdm_formal.run.two_servers.collection import (
    Client,
    CollectionError,
    ServerProcess,
    collect,
    published,
    two_servers,
)
from ppdm_formal.run.two_servers.kept import ServerState, VectorRefused
from ppdm_formal.run.two_servers.wire import ask


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    """Clients as ppdm client writes them, for both operators."""
    folder = tmp_path_factory.mktemp("clients")
    (folder / "model.ppdm").write_text(MODEL)
    for name in NAMES:
        asked = ["client", str(folder / "model.ppdm"), "--operator", name]
        assert run([*asked, "--language", "python", "-o", str(folder / f"{name}.py")]) == 0
    return folder


def made_up(count, seed):
    draw = random.Random(seed)
    return [
        Client(draw.randrange(10), draw.choices(["ab", "a", "b", ""], [80, 7, 7, 6])[0])
        for _ in range(count)
    ]


# Shares.


@pytest.mark.parametrize("report", list(itertools.product(range(4), repeat=2)))
def test_each_share_alone_is_uniform_whatever_the_report(monkeypatch, report):
    """All coins enumerated, modulo 4."""
    monkeypatch.setattr(shares, "MODULUS", 4)
    first, second = Counter(), Counter()
    for coins in itertools.product(range(4), repeat=2):
        drawn = iter(coins)
        monkeypatch.setattr(shares.secrets, "randbits", lambda _, drawn=drawn: next(drawn))
        one, two = shares.split(report)
        assert [(a + b) % 4 for a, b in zip(one, two, strict=True)] == list(report)
        first[tuple(one)] += 1
        second[tuple(two)] += 1
    every = Counter(itertools.product(range(4), repeat=2))
    assert first == second == every


@pytest.mark.parametrize(
    "wrong", [None, [1, 2], [1, 2, 3, 4], [0, 0, -1], [0, 0, 1 << 64], [0, True, 0], [0, 1.0, 0]]
)
def test_what_has_not_the_form_of_a_share(wrong):
    assert shares.is_share([0, 1, (1 << 64) - 1], 3)
    assert not shares.is_share(wrong, 3)


# What a server keeps.


def test_a_share_is_kept_once_and_never_changed(tmp_path):
    kept = ServerState(tmp_path / "s", 2, 1)
    assert kept.add([("a", [1, 2]), ("b", [3, 4])]) == ["kept", "kept"]
    assert kept.add([("a", [1, 2])]) == ["kept"]
    assert kept.add([("a", [9, 9])]) == ["another share has this number"]
    assert kept.end() == 2
    assert kept.add([("c", [0, 0]), ("a", [1, 2])]) == ["the collection is closed", "kept"]
    kept.agree(["a", "b", "c"])
    assert kept.sum() == [4, 6]
    kept.close()


def test_what_was_agreed_stays_also_for_the_next_process(tmp_path):
    """Another set of reports would show the reports that it differs in."""
    kept = ServerState(tmp_path / "s", 1, 1)
    kept.add([("a", [1]), ("b", [2]), ("c", [4])])
    for refused in (kept.numbers, kept.agreed, kept.sum):
        with pytest.raises(VectorRefused):
            refused()
    kept.end()
    kept.agree(["a", "c", "other"])
    before = kept.agreed()
    kept.agree(["a", "b", "c"])
    assert (kept.sum(), kept.agreed()) == ([5], before)
    kept.close()
    again = ServerState(tmp_path / "s", 1, 1)
    again.agree(["b"])
    assert (again.stage, again.sum(), again.agreed()) == ("agreed", [5], before)
    again.close()


def test_too_few_are_not_added_up(tmp_path):
    kept = ServerState(tmp_path / "s", 1, 3)
    kept.add([("a", [1]), ("b", [2]), ("c", [4])])
    kept.end()
    with pytest.raises(VectorRefused, match="only 2 reports are whole"):
        kept.agree(["a", "b"])
    assert kept.stage == "closed"
    kept.close()


# Processes.


@pytest.mark.parametrize("name", NAMES)
def test_five_hundred_clients_some_gone_and_a_server_killed(code, name):
    clients = made_up(500, name)
    found = collect(code / f"{name}.py", 10, clients, 300, kill=True)
    reached = Counter(client.reaches for client in clients)
    assert found.counted == reached["ab"]
    assert found.kept == (reached["ab"] + reached["a"], reached["ab"] + reached["b"])
    assert found.published == found.expected
    assert found.exact
    assert (found.clients, found.killed) == (500, 1)
    assert (sum(found.published) == found.counted) == (name == "Respond")


@pytest.mark.parametrize("moment", ["closed", "half agreed", "agreed"])
def test_servers_go_on_wherever_they_were_killed(code, moment):
    clients = made_up(40, moment)
    with two_servers(10, 10) as (first, second):
        sent = collection._wave(code / "Respond.py", 10, clients, (first, second))
        kept = tuple(server.ask("close")["count"] for server in (first, second))
        if moment != "closed":
            first.ask("agree", port=second.port)
        if moment == "agreed":
            second.ask("agree", port=first.port)
        for server in (first, second):
            server.kill()
        for server in (first, second):
            server.start()
            assert server.ask("count")["stage"] in ("closed", "agreed")
        found = published((first, second), sent, kept, 10, 2)
    assert found.exact
    assert found.counted == sum(client.reaches == "ab" for client in clients)


def test_a_malformed_report_counts_a_thousand_times(code):
    clients = [Client(9, sends=(*[0] * 9, 1000)), *(Client(3) for _ in range(20))]
    found = collect(code / "Encode.py", 10, clients, 21)
    assert found.counted == 21
    assert not found.exact
    assert found.published[:9] != ()
    assert found.published[9] - found.expected[9] in (999, 1000)
    assert all(abs(a - b) <= 1 for a, b in zip(found.published[:9], found.expected, strict=False))


def test_too_few_reports_are_an_error(code):
    clients = [Client(1, "a"), Client(2, "b"), Client(3)]
    with pytest.raises(CollectionError, match="a server refuses: only 1 reports are whole"):
        collect(code / "Respond.py", 10, clients, 2)


NUMBER = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"do": "add", "number": NUMBER, "share": [0] * 9}, "a share has 10 numbers"),
        ({"do": "add", "number": NUMBER, "share": [0.5] * 10}, "a share has 10 numbers"),
        ({"do": "add", "number": "x", "share": [0] * 10}, "32 hexadecimal digits"),
        ({"do": "add"}, "32 hexadecimal digits"),
        ({"do": "numbers"}, "still open"),
        ({"do": "sum"}, "not agreed upon"),
        ({"do": "agree", "port": "1"}, "the other server has a port"),
        ({"do": "stop"}, "not a request"),
        ({}, "not a request"),
    ],
)
def test_wrong_requests_are_refused_and_the_server_stays(servers, request_, why):
    assert why in ask(servers[0].port, request_)["no"]
    assert ask(servers[0].port, {"do": "count"}) == {"count": 0, "stage": "open"}


@pytest.fixture(scope="module")
def servers():
    with two_servers(10, 1) as pair:
        yield pair


def test_lines_that_are_no_requests(servers):
    import socket

    for content in (b"\xff\xfe\n", b"[1]\n", b"[" * 100_000 + b"\n", b"no end"):
        with socket.create_connection(("127.0.0.1", servers[0].port)) as line:
            line.sendall(content)
            line.shutdown(socket.SHUT_WR)
            line.recv(1000)
    assert ask(servers[0].port, {"do": "count"})["count"] == 0


def test_servers_that_count_different_reports_publish_nothing():
    class Liar(ServerProcess):
        def __init__(self, digest):
            self.port, self.digest = 0, digest

        def ask(self, do, **more):
            return {"counted": 2, "digest": self.digest, "sum": [1, 1]}

    with pytest.raises(CollectionError, match="different reports"):
        published((Liar("x"), Liar("y")), [], (2, 2), 2, 0)


# Ends.

RUNNING = """
import sys, tempfile
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
tempfile.tempdir = sys.argv[2]
from pathlib import Path
from ppdm_formal.declare.machine.interrupts import ended_cleanly
from ppdm_formal.run.two_servers import collection

wave = collection._wave

def announced(*given, **more):
    print("running", flush=True)
    return wave(*given, **more)

collection._wave = announced
clients = [collection.Client(1) for _ in range(100_000)]
with ended_cleanly():
    collection.collect(Path(sys.argv[1]), 10, clients, 1)
"""


def children(parent):
    """Processes that were started by it."""
    found = []
    for one in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = one.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(one.parent.name))
    return found


def alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left(code, tmp_path, number):
    """Where nobody could end them, servers see that they are alone, and clients after them."""
    command = [sys.executable, "-c", RUNNING, str(code / "Respond.py"), str(tmp_path)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout.readline() == b"running\n"
        end = time.monotonic() + 60
        while len(started := children(process.pid)) < 4 and time.monotonic() < end:
            time.sleep(0.05)
        assert len(started) == 4  # two servers, and two processes of clients
        process.send_signal(number)
        process.wait(60)
    while any(map(alive, started)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(alive, started))
    if number != signal.SIGKILL:
        assert list(tmp_path.iterdir()) == []
