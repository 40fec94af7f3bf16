"""Refused: why a request is not served, as JSON with the remedy; never a value of what was sent."""

from __future__ import annotations

import json


class Refused(ValueError):
    """A request that is not served: status, what is wrong, and what to do about it.

    >>> Refused(413, "the body is too long", "send fewer reports at once").body
    b'{"error": "the body is too long", "remedy": "send fewer reports at once"}'
    """

    def __init__(self, status: int, error: str, remedy: str, **headers: str) -> None:
        super().__init__(f"{error}: {remedy}")
        self.status, self.error, self.remedy = status, error, remedy
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    @property
    def body(self) -> bytes:
        """What is answered."""
        return json.dumps({"error": self.error, "remedy": self.remedy}).encode()


def busy(error: str) -> Refused:
    """Too much at once: the same request may be sent again."""
    return Refused(503, error, "wait a second, then send the same again", retry_after="1")
