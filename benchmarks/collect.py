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
from pathlib import Path

MODEL = (
    "operator R = randomized_response(values: 100, keep: 1/2)\naudit R { require epsilon <= 5 }\n"
)
START = "from ppdm_formal.cli import main; main()"


async def one(port: int, number: int, given: argparse.Namespace, begin: float, took: list[float]):
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


async def clients(port: int, given: argparse.Namespace) -> tuple[list[float], float]:
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


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, value in (("rate", 5000), ("seconds", 60), ("connections", 50), ("batch", 100)):
        parser.add_argument(f"--{name}", type=int, default=value)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "m.ppdm").write_text(MODEL)
        command = [
            sys.executable,
            "-c",
            START,
            "collect",
            str(folder / "m.ppdm"),
            "--operator",
            "R",
        ]
        collector = subprocess.Popen(
            [*command, "--out", str(folder / "out")], stderr=subprocess.PIPE, text=True
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
    sent = len(took) * given.batch
    took.sort()
    print(
        f"{sent:,} reports in {lasted:.1f} s: {sent / lasted:,.0f} a second; {rows:,} in the file"
    )
    for share in (0.5, 0.95, 0.99, 1):
        at = took[min(len(took) - 1, int(share * len(took)))]
        print(f"  {share:.0%} of {len(took):,} answers within {1000 * at:.0f} ms")
    print(f"  collector: {after - before:.1f} processor seconds, {memory:.0f} MiB at most")


if __name__ == "__main__":
    main()
