"""Randomizing transactions: each through the operator of its group and size, in blocks.

Who is in which group is public, and so, unless hidden, are original sizes; estimates need both.
So reports stand in the order of groups and sizes (within a size in the order of the input, or,
where they are shuffled, in a random one). What is randomized waits for that in a nameless
temporary file.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar

import numpy as np

from ppdm_formal.declare.machine.files import written_together
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.run.assignment import Assignment
from ppdm_formal.run.basket_files import (
    BasketBlock,
    BasketFile,
    BasketReader,
    Items,
    create_baskets,
    open_baskets,
)
from ppdm_formal.run.baskets import Baskets, Integers
from ppdm_formal.run.cells import EMPTY, NAN, REASONS
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.foretold import Foretold, silent
from ppdm_formal.run.group_reports import Clients, Policy, Reporter
from ppdm_formal.run.release import (
    SUFFIX,
    DataFile,
    Origin,
    Override,
    Release,
    ReleasedGroup,
    ReleasedSize,
    Transactions,
    report_items,
)
from ppdm_formal.run.shuffle import Shuffle
from ppdm_formal.run.table_release import described
from ppdm_formal.run.tally import Tally

DRAWN_ITEMS = 1 << 22
"""Items that a block of randomized transactions may have at most, if all were drawn."""


Reports = TypeVar("Reports")
"""Randomized reports of some clients: lists of items, or seeds."""


Written = TypeVar("Written", contravariant=True)


class ReportWriter(Protocol[Written]):
    """A file of reports being written."""

    def write(self, group: str, size: int, reports: Written) -> None:
        """Append reports of clients of a group, whose baskets had `size` items."""

    def finish(self, metadata: Mapping[str, str]) -> None:
        """Write what is left; metadata goes into formats that can hold it."""


class ReportKind(Protocol[Reports]):
    """What clients send: how it is drawn, written, and kept meanwhile."""

    def draw(self, number: int, size: int, members: Integers, bits: Bits) -> Iterator[Reports]:
        """Randomized reports of clients of a group, in parts; members: see Reporter."""

    def writer(
        self, target: BasketFile, raw: IO[bytes]
    ) -> AbstractContextManager[ReportWriter[Reports]]:
        """A file that holds them."""

    def save(self, reports: Reports, file: IO[bytes]) -> tuple[int, ...]:
        """Append reports to a file; how many there are, and whatever else `load` needs."""

    def load(self, place: tuple[int, ...], file: IO[bytes]) -> Reports:
        """The reports that follow in a file."""


@dataclass
class ItemReports:
    """Reports written out: sets of numbers of the group's universe."""

    job: BasketJob

    def draw(self, number: int, size: int, members: Integers, bits: Bits) -> Iterator[Baskets]:
        """See ReportKind."""
        operator = self.job.part(number, size).operator
        assert operator is not None
        law, (items, _) = operator.law, operator.inputs.subsets or (1, None)
        step = max(1, DRAWN_ITEMS // items)
        for start in range(0, len(members), step):
            some = members[start : start + step]
            offsets = np.arange(len(some) + 1) * members.shape[1]
            yield Baskets(*law.draw_sets(some.ravel(), offsets, bits))

    def writer(
        self, target: BasketFile, raw: IO[bytes]
    ) -> AbstractContextManager[ReportWriter[Baskets]]:
        """See ReportKind."""
        return create_baskets(target, raw, report_items(self.job.transactions(self.job.groups)))

    def save(self, reports: Baskets, file: IO[bytes]) -> tuple[int, ...]:
        """See ReportKind."""
        file.write(reports.sizes.astype(np.int32).tobytes())
        file.write(reports.items.astype(np.int32).tobytes())
        return len(reports), len(reports.items)

    def load(self, place: tuple[int, ...], file: IO[bytes]) -> Baskets:
        """See ReportKind."""
        transactions, items = place
        sizes = np.frombuffer(file.read(4 * transactions), dtype=np.int32)
        found = np.frombuffer(file.read(4 * items), dtype=np.int32)
        return Baskets.joined(found.astype(np.int64), sizes.astype(np.int64))


@dataclass
class Spool:
    """Randomized reports by group and size, waiting in a temporary file."""

    file: IO[bytes]
    kind: ReportKind[Any]
    rows: Counter[tuple[int, int]] = field(default_factory=Counter)
    _places: dict[tuple[int, int], list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)

    def add(self, group: int, size: int, reports: Any) -> None:
        """Append reports of clients of a group, whose baskets had that size."""
        start = self.file.tell()
        place = self.kind.save(reports, self.file)
        self._places.setdefault((group, size), []).append((start, place))
        self.rows[group, size] += place[0]

    def drain(self) -> Iterator[tuple[int, int, int, Any]]:
        """All reports, by group and rising size: both, how many, and they themselves."""
        for group, size in sorted(self._places):
            for start, place in self._places[group, size]:
                self.file.seek(start)
                yield group, size, place[0], self.kind.load(place, self.file)

    def shuffled(self, bits: Bits, folder: Path) -> Iterator[tuple[int, int, int, Any]]:
        """The same, each group and size in an order that is uniformly random.

        Where one block ends and the next begins does not tell how clients came either.
        """
        for (group, size), parts in groupby(self.drain(), key=lambda part: part[:2]):
            with Shuffle(bits, folder) as mixed:
                for *_, reports in parts:
                    mixed.add((reports,))
                for [reports] in mixed.drain():
                    yield group, size, len(reports), reports


@dataclass(frozen=True)
class BasketJob:
    """What is done to transactions: the plan's groups that take part, and who is in which.

    assignment: over all groups of the plan in its order, those of this run and those of the
    other phase; None where there is one group. taking_part: for each of them its place among
    `groups`, or None.
    """

    items: Items
    plan: Origin
    groups: tuple[ReleasedGroup, ...]
    policy: Policy
    assignment: Assignment | None = None
    taking_part: tuple[int | None, ...] = (0,)
    phase: int | None = None
    at_least: Mapping[str, int] = field(default_factory=dict)
    """Of groups whose claims count on a crowd: of how many reports."""

    @property
    def compressed(self) -> bool:
        """Whether clients send seeds."""
        return any(part.generator is not None for group in self.groups for part in group.sizes)

    def part(self, number: int, size: int) -> ReleasedSize:
        """What is applied to baskets of one size of a group."""
        return next(part for part in self.groups[number].sizes if part.size == size)

    def transactions(self, groups: tuple[ReleasedGroup, ...]) -> Transactions:
        """What the release says, with these counts."""
        by = None if self.assignment is None else self.assignment.by
        key = None if self.assignment is None or by == "coin" else self.assignment.key
        return Transactions(
            self.items.count, self.items.names, self.plan, groups, self.phase, by, key
        )


def release_baskets(
    source: BasketFile,
    target: BasketFile,
    job: BasketJob,
    bits: Bits,
    *,
    column: str | None = None,
    identifier: str | None = None,
    overrides: Sequence[Override] = (),
    seed: int | None = None,
    shuffle: bool = False,
    say: Callable[[float], None] = lambda _: None,
    announce: Callable[[str], None] = silent,
) -> Release:
    """Randomize transactions into a file and its release description; both appear, or neither.

    column, identifier: of a Parquet file, the lists, and what clients are assigned by. shuffle:
    reports of a group and size come in an order that is uniformly random. announce: is told of
    a file that will be large.
    """
    kind = _kind(job)
    remedy = "" if job.compressed else "; --compress sends seeds, which are short"
    foretold = Foretold(target.path, source.path, announce, remedy)
    folder = target.path.resolve().parent if shuffle else None
    runner = BasketRandomizer(job, kind, bits, source.path, folder)
    beside = Path(f"{target.path}{SUFFIX}")
    with (
        open_baskets(source, job.items, column, identifier) as reader,
        written_together(target.path, beside) as [data, description],
        tempfile.TemporaryFile(dir=target.path.parent) as waiting,
    ):
        spool = Spool(waiting, kind)
        with kind.writer(target, data) as writer:
            share = _written_share(job, target)

            def seen(rows: int, total: float) -> None:
                waiting = spool.file.tell()
                foretold.look(rows, waiting * share, total, waiting)

            runner.run(reader, writer, spool, say, seen)
            runner.tally.check_any(source.path, "transactions")
            _check_crowds(job, runner.counted(spool))
            release = Release(
                DataFile(target.path.name, target.format, target.compression),
                runner.tally,
                transactions=job.transactions(runner.counted(spool)),
                overrides=tuple(overrides),
                seed=seed,
                shuffled=shuffle,
            )
            writer.finish(release.metadata)
        return described(release, data, description)


def _check_crowds(job: BasketJob, groups: Sequence[ReleasedGroup]) -> None:
    """Refuse fewer reports than are claimed to hide each other."""
    for group in groups:
        least = job.at_least.get(group.name, 0)
        if group.rows < least:
            raise DataError(
                f"group {group.name} has {group.rows:,} reports, and what is claimed of them is "
                f"claimed among {least:,}: design the plan for fewer baskets"
            )


def _written_share(job: BasketJob, target: BasketFile) -> float:
    """About how many bytes of the file a byte of the spool becomes: there items have four each."""
    if job.compressed:
        return 1.0
    most = report_items(job.transactions(job.groups)).count
    if target.format == "parquet":
        return most.bit_length() / 32
    return (len(str(most)) + 1) / 4 * (1.0 if target.compression is None else 0.4)


def _kind(job: BasketJob) -> ReportKind[Any]:
    if not job.compressed:
        return ItemReports(job)
    from ppdm_formal.run.compress.seed_reports import SeedReports

    return SeedReports(job.transactions(job.groups))


class BasketRandomizer:
    """Reads transactions, draws what their clients report, and writes the reports in order.

    shuffled_in: where reports are to be shuffled, the folder of temporary files.
    """

    def __init__(
        self,
        job: BasketJob,
        kind: ReportKind[Any],
        bits: Bits,
        source: Path,
        shuffled_in: Path | None = None,
    ) -> None:
        self.job = job
        self.kind = kind
        self.bits = bits
        self.source = source
        self.shuffled_in = shuffled_in
        self.tally = Tally()
        self.reporters = [
            Reporter(group, job.items.count, job.policy, self.tally) for group in job.groups
        ]

    def run(
        self,
        reader: BasketReader,
        writer: ReportWriter[Any],
        spool: Spool,
        say: Callable[[float], None] = lambda _: None,
        seen: Callable[[int, float], None] = lambda *_: None,
    ) -> None:
        """Read all transactions, and write the reports.

        seen: is told how many reports have been drawn, and of about how many.
        """
        for block in reader.blocks():
            self.tally.rows_in += len(block.baskets)
            good = self._inside(block.baskets, block.places, reader.place)
            where = f"{self.source}, {reader.place}"
            clients = Clients(block.baskets.distinct(), block.places, where)
            for number, which in self._by_group(block, good):
                for size, members in self.reporters[number].reports(clients.take(which), self.bits):
                    for reports in self.kind.draw(number, size, members, self.bits):
                        spool.add(number, size, reports)
                        drawn = sum(spool.rows.values())
                        seen(drawn, self.tally.rows_in / (reader.share() or 1))
                    self.tally.rows_out += len(members)
            say(reader.share() / 2)
        done = 0
        mixed = self.shuffled_in
        ordered = spool.drain() if mixed is None else spool.shuffled(self.bits, mixed)
        for group, size, rows, reports in ordered:
            writer.write(self.job.groups[group].name, size, reports)
            done += rows
            say(0.5 + done / max(1, self.tally.rows_out) / 2)

    def counted(self, spool: Spool) -> tuple[ReleasedGroup, ...]:
        """The groups with their counts; sizes that sent nothing else are among them."""
        found = []
        for number, (group, reporter) in enumerate(
            zip(self.job.groups, self.reporters, strict=True)
        ):
            quiet = [ReleasedSize(m, rows, None) for m, rows in sorted(reporter.silent.items())]
            sent = [replace(part, rows=spool.rows[number, part.size]) for part in group.sizes]
            found.append(replace(group, sizes=(*quiet, *sent)))
        return tuple(found)

    def _by_group(self, block: BasketBlock, good: Integers) -> Iterator[tuple[int, Integers]]:
        """The transactions of the clients of each group that takes part."""
        split = self.job.assignment
        if split is None:
            yield 0, good
            return
        if split.by == "coin":
            assigned = split.drawn(len(good), self.bits)
        else:
            named = block.places if split.by == "place" else block.identifiers
            assert named is not None
            assigned = split.of_identifiers(named[row] for row in good.tolist())
        for group, number in enumerate(self.job.taking_part):
            which = good[assigned == group]
            if number is None:
                self.tally.dropped[None, "phase"] += len(which)
            else:
                yield number, which

    def _inside(self, baskets: Baskets, places: Sequence[int], place: str) -> Integers:
        """The transactions all of whose items are known."""
        wrong = np.flatnonzero(baskets.items < 0)
        owners = baskets.owners()[wrong]
        bad, first = np.unique(owners, return_index=True)
        if bad.size and self.job.policy.outside == "error":
            owner, item = int(owners[0]), int(wrong[0])
            raise DataError(
                f"{self.source}, {place} {places[owner]}, "
                f"item {item - int(baskets.offsets[owner]) + 1}: {_why(int(baskets.items[item]))} "
                "(--outside drop leaves such transactions out and counts them)"
            )
        for code in baskets.items[wrong[first]].tolist():
            self.tally.dropped[None, REASONS[code]] += 1
        return np.setdiff1d(np.arange(len(baskets)), bad)


def _why(code: int) -> str:
    return {EMPTY: "empty", NAN: "NaN"}.get(code, "not among the items")
