"""Randomizing transactions: each through its size's operator of a plan, in blocks.

The size of an original transaction is public and needed to estimate supports, so released
transactions stand in the order of their original sizes (within a size in the order of the
input). What is randomized waits for that in a nameless temporary file.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Literal

import numpy as np

from ppdm_formal.families.overlap import OverlapLaw
from ppdm_formal.files import written_together
from ppdm_formal.operator.draw import Bits
from ppdm_formal.operator.operator import Operator
from ppdm_formal.run.basket_files import (
    BasketFile,
    BasketReader,
    BasketWriter,
    Items,
    create_baskets,
    open_baskets,
)
from ppdm_formal.run.baskets import Baskets, Integers, sampled
from ppdm_formal.run.cells import EMPTY, NAN, REASONS
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.release import (
    SUFFIX,
    DataFile,
    Origin,
    Override,
    Release,
    ReleasedSize,
    Transactions,
)
from ppdm_formal.run.table_release import Outside, described
from ppdm_formal.run.tally import Tally

DRAWN_ITEMS = 1 << 22
"""Items that a block of randomized transactions may have at most, if all were drawn."""


@dataclass(frozen=True)
class Policy:
    """What happens to transactions that the plan does not cover; None: they are refused.

    A size between two of the plan's is longer than the smaller one.
    """

    outside: Outside
    longer: Literal["drop", "sample"] | None = None
    shorter: Literal["drop"] | None = None


@dataclass
class Spool:
    """Randomized transactions by size, waiting in a temporary file."""

    file: IO[bytes]
    rows: Counter[int] = field(default_factory=Counter)
    _places: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)

    def add(self, size: int, baskets: Baskets) -> None:
        """Append transactions whose originals had that size."""
        place = (self.file.tell(), len(baskets), len(baskets.items))
        self.file.write(baskets.sizes.astype(np.int32).tobytes())
        self.file.write(baskets.items.astype(np.int32).tobytes())
        self._places.setdefault(size, []).append(place)
        self.rows[size] += len(baskets)

    def drain(self) -> Iterator[tuple[int, Baskets]]:
        """All transactions, by rising size."""
        for size in sorted(self._places):
            for start, transactions, items in self._places[size]:
                self.file.seek(start)
                sizes = np.frombuffer(self.file.read(4 * transactions), dtype=np.int32)
                found = np.frombuffer(self.file.read(4 * items), dtype=np.int32)
                yield size, Baskets.joined(found.astype(np.int64), sizes.astype(np.int64))


def release_baskets(
    source: BasketFile,
    target: BasketFile,
    items: Items,
    plan: Origin,
    sizes: Sequence[ReleasedSize],
    bits: Bits,
    policy: Policy,
    *,
    column: str | None = None,
    overrides: Sequence[Override] = (),
    seed: int | None = None,
    say: Callable[[float], None] = lambda _: None,
) -> Release:
    """Randomize transactions into a file and its release description; both appear, or neither.

    sizes: what is applied to transactions of each size (their rows are counted here).
    """
    operators = {part.size: part.operator for part in sizes}
    runner = BasketRandomizer(operators, bits, policy, source.path)
    beside = target.path.with_name(target.path.name + SUFFIX)
    with (
        open_baskets(source, items, column) as reader,
        written_together(target.path, beside) as [data, description],
        tempfile.TemporaryFile(dir=target.path.parent) as waiting,
    ):
        spool = Spool(waiting)
        with create_baskets(target, data, items) as writer:
            runner.run(reader, writer, spool, say)
            runner.tally.check_any(source.path, "transactions")
            counted = [replace(part, rows=spool.rows[part.size]) for part in sizes]
            release = Release(
                DataFile(target.path.name, target.format, target.compression),
                runner.tally,
                transactions=Transactions(items.count, items.names, plan, tuple(counted)),
                overrides=tuple(overrides),
                seed=seed,
            )
            writer.finish(release.metadata)
        return described(release, data, description)


@dataclass
class BasketRandomizer:
    """The operators of a plan by size, and what to do with transactions that they do not take."""

    operators: Mapping[int, Operator]
    bits: Bits
    policy: Policy
    source: Path
    tally: Tally = field(default_factory=Tally)

    def run(
        self,
        reader: BasketReader,
        writer: BasketWriter,
        spool: Spool,
        say: Callable[[float], None] = lambda _: None,
    ) -> None:
        """Read all transactions, and write them randomized."""
        for block in reader.blocks():
            sets = block.baskets.distinct()
            self.tally.rows_in += len(sets)
            good = self._inside(block.baskets, block.places, reader.place)
            for size, part in self._by_size(sets, good, block.places, reader.place):
                self._draw(size, part, spool)
            say(reader.share() / 2)
        done = 0
        for size, part in spool.drain():
            writer.write(size, part)
            done += len(part)
            say(0.5 + done / max(1, self.tally.rows_out) / 2)

    def _draw(self, size: int, part: Baskets, spool: Spool) -> None:
        law = self.operators[size].law
        assert isinstance(law, OverlapLaw)
        step = max(1, DRAWN_ITEMS // law.items)
        for start in range(0, len(part), step):
            some = part.take(np.arange(start, min(start + step, len(part))))
            spool.add(size, Baskets(*law.draw_sets(some.items, some.offsets, self.bits)))
        self.tally.rows_out += len(part)

    def _inside(self, baskets: Baskets, places: Sequence[int], place: str) -> Integers:
        """The transactions all of whose items are known."""
        wrong = np.flatnonzero(baskets.items < 0)
        owners = baskets.owners()[wrong]
        bad, first = np.unique(owners, return_index=True)
        if bad.size and self.policy.outside == "error":
            owner, item = int(owners[0]), int(wrong[0])
            raise DataError(
                f"{self.source}, {place} {places[owner]}, "
                f"item {item - int(baskets.offsets[owner]) + 1}: {_why(int(baskets.items[item]))} "
                "(--outside drop leaves such transactions out and counts them)"
            )
        for code in baskets.items[wrong[first]].tolist():
            self.tally.dropped[None, REASONS[code]] += 1
        return np.setdiff1d(np.arange(len(baskets)), bad)

    def _by_size(
        self, sets: Baskets, good: Integers, places: Sequence[int], place: str
    ) -> Iterator[tuple[int, Baskets]]:
        """The transactions of each size of the plan, longer ones cut down where that is wanted."""
        sizes = sets.sizes
        known = np.array(sorted(self.operators))
        below = np.searchsorted(known, sizes, side="right") - 1
        covered = np.where(below >= 0, known[below], -1)
        for kind, policy, mask in (
            ("longer", self.policy.longer, (covered >= 0) & (covered < sizes)),
            ("shorter", self.policy.shorter, covered < 0),
        ):
            affected = good[mask[good]]
            if affected.size and policy is None:
                raise DataError(
                    f"{self.source}, {place} {places[int(affected[0])]}: "
                    f"a transaction {kind} than the plan has; state --{kind} drop"
                    + (" or sample" if kind == "longer" else "")
                )
            if policy == "drop":
                self.tally.dropped[None, kind] += affected.size
                good = good[~mask[good]]
            else:
                self.tally.sampled += affected.size
        for size in np.unique(covered[good]).tolist():
            part = sets.take(good[covered[good] == size])
            long = np.flatnonzero(part.sizes > size)
            if long.size:
                part = _replaced(part, long, sampled(part.take(long), size, self.bits))
            yield size, part


def _replaced(baskets: Baskets, which: Integers, others: Baskets) -> Baskets:
    """The transactions with some of them replaced."""
    source = np.arange(len(baskets))
    source[which] = len(baskets) + np.arange(len(which))
    both = Baskets.joined(
        np.concatenate([baskets.items, others.items]),
        np.concatenate([baskets.sizes, others.sizes]),
    )
    return both.take(source)


def _why(code: int) -> str:
    return {EMPTY: "empty", NAN: "NaN"}.get(code, "not among the items")
