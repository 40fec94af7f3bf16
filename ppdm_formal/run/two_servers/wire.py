"""What is said between clients and servers: a line of JSON there, a line back; loopback only."""

from __future__ import annotations

import json
import socket
from typing import Any

HOST = "127.0.0.1"

MAX_LINE = 1 << 24
"""Bytes of the longest line: the numbers of some hundred thousand reports."""


class PeerGone(OSError):
    """Whoever was asked is not there, or went away before it answered."""


def ask(port: int, request: dict[str, Any], seconds: float = 30.0) -> dict[str, Any]:
    """Ask once, and wait for the answer."""
    try:
        with socket.create_connection((HOST, port), seconds) as line, line.makefile("rb") as back:
            line.sendall(written(request))
            answer = back.readline(MAX_LINE)
    except OSError as problem:
        raise PeerGone(problem.errno, problem.strerror or "no answer", f"port {port}") from None
    if not answer.endswith(b"\n"):
        raise PeerGone(0, "cut off", f"port {port}")
    return read(answer)


def written(message: dict[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message).encode() + b"\n"


def read(line: bytes) -> dict[str, Any]:
    """The message of a line; one that is none is empty."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
