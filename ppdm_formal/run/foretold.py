"""Foretold: how large a file will be, said as soon as its first part tells; a full disk too."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

from ppdm_formal.declare.machine.room import free_disk, shown_size

LARGE = 200_000_000
"""Bytes from which on a file is announced."""

TIMES = 10
"""And that many times what it is made of."""

ROWS = 256
"""Rows from which on an estimate is ventured, or all there are."""


class Foretold:
    """Says once how large a file will be, from the bytes of its first rows."""

    def __init__(
        self, target: Path, source: Path, announce: Callable[[str], None], remedy: str = ""
    ) -> None:
        self.target, self.remedy = target, remedy
        self._announce = announce
        self._said = False
        try:
            self._given = source.stat().st_size
        except OSError:
            self._given = 0

    def look(self, done: int, size: float, total: float, waiting: float = 0.0) -> None:
        """So many rows took `size` bytes, of `total` rows; waiting: bytes beside them meanwhile.

        OSError where the disk cannot hold what is still to come.
        """
        if self._said or done < min(ROWS, total):
            return
        whole, beside = size * total / done, waiting * total / done
        if whole < LARGE or whole < TIMES * self._given:
            return
        self._said = True
        self._announce(
            f"{self.target} will have about {shown_size(whole)}, made of "
            f"{shown_size(self._given)}{self.remedy}"
        )
        free = free_disk(self.target.parent)
        if free is not None and whole + beside - waiting > free:
            raise OSError(
                errno.ENOSPC,
                f"it would need about {shown_size(whole + beside)}, and {shown_size(free)} are "
                f"free there{self.remedy}",
                str(self.target),
            )


def silent(_: str) -> None:
    """Nothing is announced."""
