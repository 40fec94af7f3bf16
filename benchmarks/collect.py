"""By hand: how fast a collector takes reports, with many connections, for a bounded time.

    python -m benchmarks.collect [--rate 5000] [--seconds 60] [--connections 50] [--batch 100]

A collector and its clients run on this machine. Clients send at the rate asked for; what is told is
the rate that was reached, how long answers took, and the processor time of the collector. At the
end all reports are counted in its file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, fields
from pathlib import Path

from benchmarks.result import Result

MODEL = (
    "operator R = randomized_response(values: 100, keep: 1/2)\naudit R { require epsilon <= 5 }\n"
)
START = "from ppdm_formal.cli import main; main()"


async def one(port: int, number: int, given: Load, begin: float, took: list[float]):
    """One connection, which keeps to its share of the rate."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    step = given.connections * given.batch / given.rate
    sent, operator = 0, (await asked(reader, writer, port, "GET", "/collection"))["operator"]
    while (due := begin + step * (sent + number / given.connections)) < begin + given.seconds:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        body = {
            "format": "ppdm-batch/1",
            "operator": operator,
            "window": 1,
            "batch": secrets.token_hex(16),
            "reports": [(sent + k) % 100 for k in range(given.batch)],
        }
        start = time.monotonic()
        answer = await asked(reader, writer, port, "POST", "/reports", json.dumps(body).encode())
        took.append(time.monotonic() - start)
        assert answer["taken"] == given.batch, answer
        sent += 1
    writer.close()


async def asked(reader, writer, port: int, method: str, path: str, body: bytes = b""):
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n"
    writer.write(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", answer)[1])
    return json.loads(await reader.readexactly(length))


async def clients(port: int, given: Load) -> tuple[list[float], float]:
    took: list[float] = []
    begin = time.monotonic() + 0.5
    await asyncio.gather(*(one(port, k, given, begin, took) for k in range(given.connections)))
    return took, time.monotonic() - begin


def used(process: int) -> tuple[float, float]:
    """Processor seconds of a process so far, and the most memory it had, in MiB."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return (int(fields[11]) + int(fields[12])) / ticks, int(peak[1]) / 1024


@dataclass(frozen=True)
class Load:
    """What is sent: reports a second, for how long, over how many connections, in what batches."""

    rate: int = 5000
    seconds: int = 60
    connections: int = 50
    batch: int = 100


@dataclass(frozen=True)
class Found:
    """Reports sent and stored, seconds, how long answers took, and what the collector needed."""

    sent: int
    stored: int
    lasted: float
    took: list[float]
    processor: float
    memory: float


def loaded(given: Load) -> Found:
    """A collector under a load, from its start to the end of its window."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        model = folder / "m.ppdm"
        model.write_text(MODEL)
        command = [sys.executable, "-c", START, "collect", str(model), "--operator", "R"]
        collector = subprocess.Popen(
            [*command, "--out", str(folder / "out")],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        try:
            port = int(re.search(r":(\d+)", collector.stderr.readline())[1])
            while not collector.stderr.readline().startswith("Ctrl-C"):
                pass
            before, _ = used(collector.pid)
            took, lasted = asyncio.run(clients(port, given))
            after, memory = used(collector.pid)
        finally:
            collector.terminate()
        collector.communicate()
        from ppdm_formal.run.release import Release

        rows = Release.read(folder / "out" / "window-000001.parquet").tally.rows_out
    return Found(len(took) * given.batch, rows, lasted, sorted(took), after - before, memory)


def measure() -> list[Result]:
    """Ten seconds of it."""
    found = loaded(Load(seconds=10))
    return [
        Result(
            "reports a second that a collector takes, of 5,000 offered over 50 connections",
            f"{found.sent / found.lasted:,.0f}, in {found.processor:.1f} processor seconds",
            "at least 4,900, all of them stored",
            found.sent / found.lasted >= 4900 and found.sent == found.stored,
        )
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    for one in fields(Load):
        parser.add_argument(f"--{one.name}", type=int, default=one.default)
    found = loaded(Load(**vars(parser.parse_args())))
    rate = found.sent / found.lasted
    print(f"{found.sent:,} reports in {found.lasted:.1f} s: {rate:,.0f} a second")
    print(f"  {found.stored:,} in the file")
    for share in (0.5, 0.95, 0.99, 1):
        at = found.took[min(len(found.took) - 1, int(share * len(found.took)))]
        print(f"  {share:.0%} of {len(found.took):,} answers within {1000 * at:.0f} ms")
    print(f"  collector: {found.processor:.1f} processor seconds, {found.memory:.0f} MiB at most")


if __name__ == "__main__":
    main()
