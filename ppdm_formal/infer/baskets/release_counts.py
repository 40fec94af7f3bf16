"""Counts in a collection: how many reports of each group and size hold given sets of items.

An engine counts chunk by chunk; what was counted is noted in a ledger, so that a run that was
interrupted need not count it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ppdm_formal.infer.baskets.chunks import ChunkPart, Layout
from ppdm_formal.infer.baskets.counting import Candidates
from ppdm_formal.infer.baskets.engine import Engine, LocalEngine, PartCounts
from ppdm_formal.infer.baskets.kernels import Counts
from ppdm_formal.infer.baskets.ledger import Ledger, question_digest
from ppdm_formal.infer.baskets.packed import MEMORY
from ppdm_formal.infer.baskets.pooled import Pooled, pooled
from ppdm_formal.run.release import Release

MakeEngine = Callable[[Layout], Engine]
Share = Callable[[float], object]


class ReleaseCounts:
    """Counts of sets in the reports of releases: of one plan, or of both phases of one.

    engine: what makes an engine for the chunks; this process, where none is given. share: is told
    which share of the chunks has been counted.
    """

    def __init__(
        self,
        releases: Sequence[Release],
        memory: int = MEMORY,
        engine: MakeEngine | None = None,
        ledger: Ledger | None = None,
        share: Share = float,
    ) -> None:
        self.phases: Sequence[Pooled] = pooled(releases)
        self.items = self.phases[0].transactions.items
        self.parts = [
            ChunkPart(number, group, size)
            for number, phase in enumerate(self.phases)
            for group, size in phase.transactions.parts()
        ]
        self.layout = Layout.of(self.phases, self.parts)
        self._ledger = Ledger() if ledger is None else ledger
        self._ledger.open(self.layout.digest, len(self.layout.chunks))
        self._share = share
        self._columns = np.arange(0)
        self._engine = LocalEngine(self.layout, memory) if engine is None else engine(self.layout)

    def close(self) -> None:
        """Let go of the engine."""
        self._engine.close()

    def _numbers(self, part: ChunkPart, items: Counts) -> Counts:
        """What items are in the reports of a part; -1 where it has no such item."""
        chosen = part.group.chosen
        if chosen is None:
            return items
        place = np.full(self.items, -1, dtype=np.int64)
        place[list(chosen)] = np.arange(len(chosen))
        return np.asarray(place[items])

    def singles(self) -> list[Counts]:
        """How many reports of each part hold each item; of parts that report larger sets, none."""
        every = np.arange(self.items)
        return self._held(1, [self._numbers(part, every) for part in self.parts])

    def lifted(self, size: int, numbers: dict[tuple[int, str], Counts]) -> list[Counts]:
        """For parts that report sets of that size: how many reports hold each number asked for.

        numbers: by the phase and the name of the group.
        """
        none = np.zeros(0, dtype=np.int64)
        asked = [numbers.get((part.release, part.group.name), none) for part in self.parts]
        return self._held(size, asked) if numbers else asked

    def _held(self, lifted: int, asked: Sequence[Counts]) -> list[Counts]:
        return self._summed(
            question_digest("held", lifted, *asked),
            [len(numbers) for numbers in asked],
            lambda chunks: self._engine.held(lifted, asked, chunks),
        )

    def choose(self, columns: Counts) -> None:
        """From now on sets are of these items, numbered 0, 1, ..."""
        self._columns = columns
        self._engine.choose([self._numbers(part, columns) for part in self.parts])

    def count(self, candidates: Candidates) -> list[Counts]:
        """How many reports of each part hold each candidate; none of parts with larger sets."""
        asked = (self._columns, candidates.prefixes, candidates.starts, candidates.last)
        return self._summed(
            question_digest("sets", *asked),
            [len(candidates)] * len(self.parts),
            lambda chunks: self._engine.count(candidates, chunks),
        )

    def _summed(
        self,
        question: str,
        lengths: Sequence[int],
        counted: Callable[[Sequence[int]], Iterator[tuple[int, PartCounts]]],
    ) -> list[Counts]:
        """The counts of all chunks, those that the ledger has not yet being counted now."""
        step = self._ledger.step(question, lengths)
        missing = step.missing()
        done, every = len(step.done) - len(missing), max(1, len(step.done))
        self._share(done / every)
        for chunk, found in counted(missing) if missing else ():
            step.add(chunk, found)
            self._ledger.save_if_due()
            done += 1
            self._share(done / every)
        return step.counts
