"""The tally on a cluster: parts counted by the workers of dask.distributed, a task a part.

A task is a pure function of a file and of some text, so that what a worker had when it died is
counted again by another; whole numbers come back, and no part of them twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from ppdm_formal.declare.machine.threads import one_thread
from ppdm_formal.infer.tables.tally import (
    PartCounts,
    TallySource,
    counted_part,
    source_of,
    task_json,
)
from ppdm_formal.run.cluster import results


class DaskTally:
    """See TallyEngine (tally.py)."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def counted(
        self, tasks: Sequence[tuple[int, TallySource, tuple[int, ...] | None]]
    ) -> Iterator[tuple[int, PartCounts]]:
        """As they end."""
        told: dict[int, str] = {}
        running = {}
        for place, (number, source, groups) in enumerate(tasks):
            if number not in told:
                told[number] = task_json(source)
            key = f"ppdm-tally-{id(self):x}-{place}"
            task = self._client.submit(on_worker, told[number], groups, key=key, pure=False)
            running[task] = number
        yield from results(running)


@lru_cache(maxsize=4)
def _source(text: str) -> TallySource:
    return source_of(text)


def on_worker(text: str, groups: tuple[int, ...] | None) -> PartCounts:
    """On a worker: see counted_part."""
    with one_thread():
        return counted_part(_source(text), groups)
