"""Room: what a piece of work will need in memory or on disk, said before it begins."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NO_MATTER = 1 << 26
"""Bytes for which nobody is asked."""

FREE_SHARE = 0.9
"""Of the memory that a process may still have, what one piece of work may take."""


class MemoryNeeded(MemoryError):
    """Work that was not begun, since it would need more memory than there is."""


def need_memory(size: int, what: str) -> None:
    """MemoryNeeded where work would need more memory than the process can have."""
    if size <= NO_MATTER:
        return
    free = free_memory()
    if free is not None and size > FREE_SHARE * free:
        needed, there = shown_size(size), shown_size(free)
        raise MemoryNeeded(f"{what} needs about {needed} of memory, and there are {there}")


def free_memory() -> int | None:
    """Bytes that this process may still ask for: by the bound set for it, and of the machine."""
    found: list[int] = []
    try:
        import resource

        bound = resource.getrlimit(resource.RLIMIT_DATA)[0]
        if bound != resource.RLIM_INFINITY:
            found.append(max(0, bound - _data()))
    except (ImportError, OSError):
        pass
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(line for line in lines if line.startswith("MemAvailable:"))
        found.append(int(free.split()[1]) * 1024)
    except (OSError, StopIteration, ValueError, IndexError):
        pass
    return min(found, default=None)


def _data() -> int:
    """Bytes of data that the process has asked for."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def free_disk(folder: Path) -> int | None:
    """Bytes that are free in a folder; None where that is not known."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def shown_size(size: float) -> str:
    """A size for people.

    >>> shown_size(512), shown_size(2_100_000_000)
    ('512 bytes', '2.1 GB')
    """
    for unit, bytes_of in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= bytes_of:
            return f"{size / bytes_of:.3g} {unit}"
    return f"{size:.0f} bytes"
