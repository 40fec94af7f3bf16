"""A collector that is killed at random moments while many clients send: what its files hold.

Every report of a batch is a number that no other batch has. Clients send a batch until they hear
an answer, some hang up before they hear it, and some send it twice at once. In the end each report
of a batch that was acknowledged must be in the files once, and every other one at most once.

    python tests/collect/killed.py --kills 30 --clients 50    # by hand
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

SIZE = 1_000_000
MODEL = f"""operator R = randomized_response(values: {SIZE}, keep: 1/2)
audit R {{ require epsilon <= 14 }}
"""
COLLECT = """import signal

signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background of a shell
from ppdm_formal.cli import main

main()
"""


@dataclass
class Collector:
    """A process on one port, which is started again where it was killed."""

    folder: Path
    window: str = "1h"
    port: int = 0
    told: list[str] = field(default_factory=list)

    def start(self) -> None:
        model = self.folder / "model.ppdm"
        model.write_text(MODEL)
        command = [sys.executable, "-c", COLLECT, "collect", str(model), "--operator", "R"]
        command += ["--out", str(self.folder / "out"), "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--window", self.window],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,  # no preexec_fn: it would run what other tests have hooked to forks
        )
        for line in self.process.stderr:
            self.told.append(line)
            found = re.search(r"127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                self.listening = threading.Thread(target=self.listen, args=[self.process.stderr])
                self.listening.start()
                return
        raise AssertionError("".join(self.told))

    def listen(self, lines) -> None:
        with lines:
            self.told.extend(lines)

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        self.listening.join()

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        code = self.process.wait(60)
        self.listening.join()
        return code

    def files(self) -> list[Path]:
        return sorted((self.folder / "out").glob("window-*.parquet"))


@dataclass
class Clients:
    """Many threads that send batches until they are told to stop."""

    port: int
    size: int
    seed: int
    acknowledged: list[range] = field(default_factory=list)
    sent: list[range] = field(default_factory=list)
    answers: Counter = field(default_factory=Counter)
    stopped: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_batch(self) -> range | None:
        with self.lock:
            start = len(self.sent) * self.size
            if start + self.size > SIZE:
                return None
            self.sent.append(range(start, start + self.size))
            return self.sent[-1]

    def ask(self, method: str, path: str, body: bytes | None = None, hear: bool = True):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            if not hear:
                return None
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def patiently(self, *what):
        """Ask until there is an answer: the collector may be dead just now."""
        while not self.stopped.is_set():
            try:
                return self.ask(*what)
            except (OSError, http.client.HTTPException):
                self.answers["none"] += 1
                time.sleep(0.02)
        return None

    def run(self, number: int) -> None:
        draw = random.Random(self.seed * 1000 + number)
        while not self.stopped.is_set():
            said = self.patiently("GET", "/collection")
            reports = self.next_batch()
            if said is None or reports is None:
                return
            about = said[1]
            batch = {
                "format": "ppdm-batch/1",
                "operator": about["operator"],
                "window": about["window"],
                "batch": secrets.token_hex(16),
                "reports": list(reports),
            }
            self.deliver(json.dumps(batch).encode(), reports, draw)

    def deliver(self, body: bytes, reports: range, draw: random.Random) -> None:
        way = draw.random()
        if way < 0.1:
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.ask("POST", "/reports", body, False)  # hangs up before it hears
        other = None
        if way > 0.9:
            other = threading.Thread(target=self.patiently, args=["POST", "/reports", body])
            other.start()
        while (found := self.patiently("POST", "/reports", body)) is not None:
            status, said = found
            with self.lock:
                self.answers[status, said.get("already")] += 1
                if status == 200:
                    self.acknowledged.append(reports)
            if status in (200, 410):
                break
            time.sleep(0.05)
        if other is not None:
            other.join()


def campaign(
    folder: Path, kills: int, clients: int, seed: int, size: int, window: str = "1h", longest=0.5
):
    """Kill a collector so often at random moments; what clients heard, and what the files hold."""
    draw = random.Random(seed)
    collector = Collector(folder, window)
    collector.start()
    senders = Clients(collector.port, size, seed)
    threads = [threading.Thread(target=senders.run, args=[k]) for k in range(clients)]
    for thread in threads:
        thread.start()
    for _ in range(kills):
        time.sleep(draw.uniform(0.02, longest))
        collector.kill()
        collector.start()
    time.sleep(0.3)
    senders.stopped.set()
    for thread in threads:
        thread.join()
    assert collector.end() == 0
    found = stored(collector.files())
    return senders, found, collector


def stored(files: list[Path]) -> Counter:
    """How often each number is in the files."""
    from ppdm_formal.run.release import Release

    found: Counter = Counter()
    for path in files:
        for (positions,) in Release.read(path).blocks(["R"]):
            found.update(positions.tolist())
    return found


def check(senders: Clients, found: Counter) -> None:
    """Each acknowledged report once, none twice, none that nobody sent."""
    acknowledged = {number for reports in senders.acknowledged for number in reports}
    lost = [number for number in acknowledged if found[number] != 1]
    assert not lost, f"{len(lost)} acknowledged reports are not there once"
    twice = [number for number, times in found.items() if times > 1]
    assert not twice, f"{len(twice)} reports are there twice"
    assert set(found) <= {number for reports in senders.sent for number in reports}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--window", default="0.2s")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        senders, found, collector = campaign(
            Path(place), given.kills, given.clients, given.seed, 20, given.window, 1.5
        )
        check(senders, found)
        print(f"{given.kills} kills, {len(collector.files())} windows, {dict(senders.answers)}")
        print(f"{20 * len(senders.acknowledged):,} reports acknowledged, {len(found):,} stored")
        print("".join(line for line in collector.told if "cut off" in line), end="")
