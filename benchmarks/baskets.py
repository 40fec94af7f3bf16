"""What do plans find in real baskets? 20 simulated collections of msnbc, groceries and retail.

Plans come from ppdm design at 5% to 50%, for itemsets up to pairs; reports are simulated from
the plan file alone (run/simulated_supports.py). An itemset is reported where its estimate is at
least the threshold and four standard errors; pairs are asked about where both items are reported.
Needs PPDM_DATA, the folder with the data. PPDM_PLANS may name a folder that keeps plans between
runs, PPDM_BASKETS the data and forms to run ("retail:lifted,two-phase_hidden msnbc"). Prints
the rows of the table in docs/baskets.md as it goes.
"""

from __future__ import annotations

import csv
import lzma
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.result import Result
from ppdm_formal.cli import run
from ppdm_formal.design.plan import Plan
from ppdm_formal.design.plan_file import read_plan
from ppdm_formal.design.planning import continue_for
from ppdm_formal.run.baskets import Baskets, Integers
from ppdm_formal.run.estimated_supports import Supports
from ppdm_formal.run.group_reports import Policy, projected
from ppdm_formal.run.release import Release
from ppdm_formal.run.simulated_supports import Collection
from ppdm_formal.run.supports import supports

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]

REPETITIONS = int(os.environ.get("PPDM_COLLECTIONS", "20"))
SIGMAS = 4
POLICY = Policy("error", "sample", "drop")
FORMS = {
    "paper": ["--form", "paper"],
    "best": ["--form", "best"],
    "lifted": ["--form", "lifted"],
    "two-phase": ["--form", "two-phase"],
    "two-phase hidden": ["--form", "two-phase", "--hide-sizes", "cut"],
}
FILES = {("groceries", "paper"), ("groceries", "lifted"), ("retail", "two-phase")}
"""What is also run through files: the others' are too large, or need seeds."""

HEADER = (
    "data", "plan", "items found", "missed", "invented", "LDS", "4 sigma", "covered",
    "pairs found", "missed", "invented", "LDS", "4 sigma", "covered",
)  # fmt: skip


@dataclass(frozen=True)
class Data:
    """Baskets as sets of item numbers, and from which support on itemsets are wanted.

    longest: plans for whole baskets use a random part of so many items of longer ones.
    """

    name: str
    baskets: Baskets
    items: int
    threshold: float
    longest: int | None = None

    def write(self, path: Path) -> None:
        """As a FIMI file."""
        rows = self.baskets.lists()
        path.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))


def read(name: str, folder: Path) -> Data:
    """One of the data sets, without empty baskets."""
    if name == "retail":
        with lzma.open(folder / "retail.dat.xz", "rt") as lines:
            rows = [[int(item) for item in line.split()] for line in lines]
        return Data(name, _sets(rows), 16470, 0.02, 20)
    if name == "msnbc":
        with lzma.open(folder / "msnbc990928.seq.xz", "rt") as lines:
            text = lines.read().split("% Sequences:")[1].splitlines()
        return Data(
            name, _sets([int(page) - 1 for page in line.split()] for line in text), 17, 0.01
        )
    with lzma.open(folder / "groceries.csv.xz", "rt", newline="") as lines:
        named = list(csv.reader(lines))
    numbers = {item: place for place, item in enumerate(sorted({a for row in named for a in row}))}
    sets = _sets([numbers[item] for item in row] for row in named)
    return Data(name, sets, len(numbers), 0.05, 10)


def _sets(rows: Iterable[Sequence[int]]) -> Baskets:
    return Baskets.of(row for row in rows if row).distinct()


def true_supports(
    baskets: Baskets, items: int, sets: Integers, longest: int | None = None
) -> Floats:
    """The share of baskets that hold each set: of what is left, on average, of those cut."""
    asked = np.unique(sets)
    column = np.full(items, -1, dtype=np.int64)
    column[asked] = np.arange(len(asked))
    places = column[baskets.items]
    held = np.zeros((len(asked), len(baskets)), dtype=bool)
    held[places[places >= 0], baskets.owners()[places >= 0]] = True
    remains = np.ones(len(baskets))
    for k in range(sets.shape[1] if longest is not None else 0):
        long = baskets.sizes > (longest or 0)
        remains[long] *= ((longest or 0) - k) / (baskets.sizes[long] - k)
    found = [remains[held[itemset].all(axis=0)].sum() for itemset in column[sets]]
    return np.array(found) / len(baskets)


@dataclass
class Scores:
    """What was measured of itemsets of one size, over all collections."""

    threshold: float
    found: list[int] = field(default_factory=list)
    missed: list[int] = field(default_factory=list)
    invented: list[int] = field(default_factory=list)
    errors: list[Floats] = field(default_factory=list)
    promised: list[float] = field(default_factory=list)
    """The lowest discoverable supports that the plans forecast."""
    inside: list[Truths] = field(default_factory=list)

    def compare(self, supports: Supports, target: Floats) -> None:
        """How far estimates are from what they estimate, and whether intervals hold it."""
        low, high = supports.intervals(about="clients").T
        rare = target < self.threshold
        self.errors.append((supports.estimates - target)[rare])
        self.inside.append((low <= target) & (target <= high))

    def judge(self, supports: Supports, asked: Truths, true: Floats) -> Truths:
        """Which sets are reported, of those that are asked about, against the true supports."""
        reported = np.zeros(len(true), dtype=bool)
        least = np.maximum(self.threshold, SIGMAS * supports.clients)
        reported[asked] = supports.estimates >= least
        wanted = true >= self.threshold
        self.found.append(int((reported & wanted).sum()))
        self.missed.append(int((wanted & ~reported).sum()))
        self.invented.append(int((reported & ~wanted).sum()))
        return reported

    @property
    def four_sigma(self) -> float:
        """Four times the root mean square error, of sets below the threshold."""
        return SIGMAS * float(np.sqrt(np.mean(np.concatenate(self.errors) ** 2)))

    @property
    def shown(self) -> list[str]:
        """Means of found, missed and invented, the plan's LDS, four sigma, what intervals cover."""
        means = [f"{np.mean(part):.1f}" for part in (self.found, self.missed, self.invented)]
        shares = [np.mean(self.promised), self.four_sigma]
        covered = np.concatenate(self.inside).mean()
        return [*means, *(f"{100 * share:.2f}%" for share in shares), f"{100 * covered:.1f}%"]


def promised(plan: Plan, itemset: int) -> float:
    """The lowest discoverable support of sets of k items that a plan forecasts."""
    pools = [pool for pool in plan.pooled or () if pool.itemset == itemset]
    return min(float(pool.lds) for pool in pools if pool.lds is not None)


class Experiment:
    """One data set: all items, and pairs of those items that come near the threshold.

    A pair of other items could only be asked about where an item with less than a third of the
    threshold is reported; such items are counted as invented, their pairs are not followed.
    """

    def __init__(self, data: Data, folder: Path) -> None:
        self.data = data
        self.folder = folder
        self.file = folder / f"{data.name}.dat"
        self.items = np.arange(data.items)[:, None]
        self.true_items = np.bincount(data.baskets.items, minlength=data.items) / len(data.baskets)
        near = np.flatnonzero(self.true_items >= data.threshold / 3)
        self.pairs = np.array(list(combinations(near.tolist(), 2)))
        self.true_pairs = true_supports(data.baskets, data.items, self.pairs)

    def planned(self, form: str) -> Plan:
        """The plan of a form, as ppdm design writes it; kept where it is there already."""
        path = self.folder / f"{self.data.name}, {form}.json"
        if not path.exists():
            if not self.file.exists():
                self.data.write(self.file)
            public = self.data.longest is not None and "--hide-sizes" not in FORMS[form]
            cut = ["--longest", str(self.data.longest)] if public else []
            self._designed(["--data", str(self.file), *FORMS[form], *cut], path)
        return read_plan(path.read_text())

    def _designed(self, asked: Sequence[str], path: Path) -> None:
        levels = ["--rho1", "5%", "--rho2", "50%", "--itemsets", "2"]
        items = ["--items", str(self.data.items), "--timeout", "3600"]
        if run(["design", *asked, *levels, *items, "-o", str(path)]) != 0:
            raise RuntimeError(f"no plan for {path.name}")

    def measured(self, form: str) -> tuple[Scores, Scores]:
        """Items and pairs, over all collections."""
        plan = self.planned(form)
        scores = Scores(self.data.threshold), Scores(self.data.threshold)
        two_phases = any(group.phase == 2 for group in plan.groups)
        longest = max(group.sizes[-1].size for group in plan.groups if group.phase == 1)
        targets = [
            true_supports(self.data.baskets, self.data.items, sets, longest)
            for sets in ((self.items, self.pairs) if self.data.items < 1000 else (self.pairs,))
        ]
        if len(targets) == 1:
            targets = [self._items_cut(longest), *targets]
        for seed in range(REPETITIONS):
            collection = Collection(self.data.baskets, self.data.items, seed, POLICY)
            if two_phases:
                (items,) = collection.supports(plan, 1, [self.items])
                later, chosen = self._continued(plan, items)
                scores[1].promised.append(promised(later, 2))
                pairs, asked, cut = self._second(later, chosen, collection)
            else:
                scores[1].promised.append(promised(plan, 2))
                items, pairs = collection.supports(plan, None, [self.items, self.pairs])
                asked, cut = np.ones(len(self.pairs), dtype=bool), targets[1]
            scores[0].promised.append(promised(plan, 1))
            scores[0].compare(items, targets[0])
            scores[1].compare(pairs, cut)
            every = np.ones(len(items), dtype=bool)
            reported = scores[0].judge(items, every, self.true_items)
            if not two_phases:
                follow = reported[self.pairs].all(axis=1)
                pairs, asked = pairs.take(np.flatnonzero(follow)), follow
            scores[1].judge(pairs, asked, self.true_pairs)
        return scores

    def _continued(self, plan: Plan, items: Supports) -> tuple[Plan, Integers]:
        """The plan as ppdm design --continue makes it of the items that phase one found."""
        assert plan.two_phase is not None, "a plan of two phases"
        least = plan.two_phase.threshold
        chosen = np.flatnonzero(items.estimates >= least)
        return continue_for(plan, chosen.tolist(), None, None), chosen

    def _second(
        self, plan: Plan, chosen: Integers, collection: Collection
    ) -> tuple[Supports, Truths, Floats]:
        """Phase two: pairs of the chosen items, which of all pairs these are, and their targets."""
        asked = np.isin(self.pairs, chosen).all(axis=1)
        pairs = self.pairs[asked]
        (found,) = collection.supports(plan, 2, [pairs])
        longest = max(group.sizes[-1].size for group in plan.groups if group.phase == 2)
        small = projected(self.data.baskets, chosen.tolist(), self.data.items)
        places = np.searchsorted(chosen, pairs)
        return found, asked, true_supports(small, len(chosen), places, longest)

    def _items_cut(self, longest: int) -> Floats:
        """Supports of all items after long baskets were cut, on average."""
        sizes = self.data.baskets.sizes
        remains = np.repeat(np.minimum(1, longest / sizes), sizes)
        weighed = np.bincount(self.data.baskets.items, remains, minlength=self.data.items)
        return weighed / len(sizes)

    def through_files(self, form: str) -> Floats:
        """One collection through ppdm randomize and its files: errors in standard errors.

        Items and pairs near the threshold; of a plan of two phases the items of the first.
        """
        plan = self.planned(form)
        if not self.file.exists():
            self.data.write(self.file)
        path = self.folder / f"{self.data.name}, {form}.json"
        longest = max(group.sizes[-1].size for group in plan.groups if group.phase == 1)
        if not any(group.phase == 2 for group in plan.groups):
            release = self._randomized(path, [])
            sets = (self.items, self.pairs)
        else:
            release = self._randomized(path, ["--phase", "1", "--group-by", "place"])
            sets = (self.items,)
        found = []
        for asked in sets:
            some = asked[self.true_items[asked].max(axis=1) >= self.data.threshold / 3]
            target = true_supports(self.data.baskets, self.data.items, some, longest)
            supported = supports(release, some.tolist())
            deviations = np.sqrt(supported.variance.at(target, "clients"))
            found.append((supported.estimates - target) / deviations)
        return np.concatenate(found)

    def _randomized(self, plan: Path, phase: Sequence[str]) -> Release:
        target = self.folder / f"{self.data.name}.released.parquet"
        asked = ["randomize", str(self.file), "-o", str(target), "--plan", str(plan)]
        if run([*asked, "--simulate", "1", "--longer", "sample", *phase]) != 0:
            raise RuntimeError(f"{plan.name} is not run")
        return Release.read(target)


def chosen_runs() -> Iterator[tuple[str, list[str]]]:
    """Which data, and which forms of each, are run."""
    asked = os.environ.get("PPDM_BASKETS", "msnbc groceries retail")
    for part in asked.split():
        name, _, forms = part.partition(":")
        yield name, [form.replace("_", " ") for form in forms.split(",") if form] or list(FORMS)


def measure() -> Iterator[Result]:
    """A row of the table for each plan; intervals must cover between 94% and 96%."""
    if "PPDM_DATA" not in os.environ:
        print("baskets: PPDM_DATA does not name the folder with the data", file=sys.stderr)
        return
    print("| " + " | ".join(HEADER) + " |", flush=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(os.environ.get("PPDM_PLANS", made))
        for name, forms in chosen_runs():
            experiment = Experiment(read(name, Path(os.environ["PPDM_DATA"])), folder)
            for form in forms:
                items, pairs = experiment.measured(form)
                inside = np.concatenate([*items.inside, *pairs.inside]).mean()
                row = [name, form, *items.shown, *pairs.shown]
                print("| " + " | ".join(row) + " |", flush=True)
                if (name, form) in FILES:
                    errors = experiment.through_files(form)
                    yield Result(
                        f"{name}, {form} through files: {len(errors)} errors over standard errors",
                        f"{np.sqrt(np.mean(errors**2)):.2f}, mean {errors.mean():.2f}",
                        "1.0, mean 0.0, within five of their own deviations",
                        bool(
                            abs(np.mean(errors**2) - 1) < 5 * (2 / len(errors)) ** 0.5
                            and abs(errors.mean()) < 5 / len(errors) ** 0.5
                        ),
                    )
                yield Result(
                    f"95% intervals for {name}, {form}",
                    f"{100 * inside:.2f}%",
                    "94% to 96%",
                    bool(0.94 <= inside <= 0.96),
                )
