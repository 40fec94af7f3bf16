"""Mining a release: Apriori over estimated supports, with candidate thresholds lowered.

An estimate of a frequent set may fall below the least support, and with it all larger sets would
be lost. So sets are pursued from the least support less `lowered` standard errors on (Evf02,
section 3). Sets whose estimate is not `credible` standard errors above zero are not: among so many
candidates, noise alone reaches that far.

Listed are those that surely reach the least support: of a list for one size, on average at most a
stated share does not (discovered.py). To list what is estimated to reach it would list mostly what
noise brought there, where few sets are near the least support and many are below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.result import Result
from ppdm_formal.design.lds import DEVIATIONS
from ppdm_formal.infer.baskets.consistent import consistent
from ppdm_formal.infer.baskets.discovered import RATE, chances, discovered
from ppdm_formal.infer.baskets.estimated_rules import (
    Estimates,
    LinkEstimates,
    RuleEstimates,
    links_of,
    rules_of,
)
from ppdm_formal.infer.baskets.frequent import MAX_ITEMSETS, Say
from ppdm_formal.infer.baskets.kernels import Numbers
from ppdm_formal.infer.baskets.ledger import Ledger
from ppdm_formal.infer.baskets.levels import Level, Levels
from ppdm_formal.infer.baskets.packed import MEMORY
from ppdm_formal.infer.baskets.plain import confidence_of
from ppdm_formal.infer.baskets.release_counts import MakeEngine, ReleaseCounts, Share
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.infer.baskets.trie import Nodes
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.estimated_supports import Floats
from ppdm_formal.run.release import Release

if TYPE_CHECKING:
    from ppdm_formal.infer.baskets.compare import AgainstOriginal

LEAST_CREDIBLE = 2.0
"""Standard errors above zero that a set needs to be pursued or listed, however few there are."""

Items = tuple[str, ...]


@dataclass(frozen=True)
class EstimatedItemset:
    """Items, their estimated support and its standard errors; significant as LDS has it."""

    items: Items
    support: float
    se: float
    """For the baskets collected: of the coins, and of who is in which group."""
    se_population: float
    """For a larger population that the baskets are a sample of."""
    low: float
    high: float
    """The 95% interval for the baskets collected."""
    consistent: float
    """The support nearest to all estimates that is in 0..1, and no more than any subset's."""

    @property
    def significant(self) -> bool:
        """At least four standard errors above zero."""
        return self.support >= DEVIATIONS * self.se


@dataclass(frozen=True)
class EstimatedRule:
    """A rule between two itemsets; standard errors are for the baskets collected.

    Confidence and lift are of consistent supports, so that no confidence is above 100%; leverage is
    of raw ones (associations.py).
    """

    antecedent: EstimatedItemset
    consequent: EstimatedItemset
    whole: EstimatedItemset
    confidence: float
    confidence_se: float
    lift: float
    lift_se: float
    leverage: float
    leverage_se: float


@dataclass(frozen=True)
class EstimatedLink:
    """How much more often two items are held together than if they were independent.

    low, high: the 95% interval of the leverage. chance: of a leverage as large if they were. sure:
    on the list of links with the stated false-discovery rate.
    """

    items: Items
    leverage: float
    se: float
    low: float
    high: float
    lift: float
    lift_low: float
    lift_high: float
    chance: float
    sure: bool


@dataclass(frozen=True)
class SeenOfSize:
    """What could be seen of itemsets of one size.

    candidates: how many were estimated. visible: the support that is four standard errors from
    zero, for the median candidate; None where there was none. unclear: candidates whose estimate
    reaches the least support, and who are not listed: it may be noise.
    """

    size: int
    candidates: int
    pursued: int
    listed: int
    credible: float
    visible: float | None
    unclear: int
    skewness: float = 0.0
    """Of the noise, for which z and the list allow."""


@dataclass(frozen=True)
class MinedRelease(Result):
    """What was found in randomized transactions; every number is an estimate.

    transactions: all clients, of whom supports are shares. reports: what was mined; fewer, where
    only one phase of a plan of two was.
    """

    shown_in: ClassVar[str] = "mined_release"

    transactions: int
    reports: int
    labels: Items
    levels: Levels
    estimates: Estimates
    listed: npt.NDArray[np.bool_]
    """Which nodes of the trie surely reach the least support."""
    seen: tuple[SeenOfSize, ...]
    min_support: Threshold
    lowered: float
    max_size: int | None
    min_confidence: Fraction | None
    rule_estimates: RuleEstimates | None
    link_estimates: LinkEstimates
    """Of all pairs that were pursued, by what is surely above independence."""
    false_discoveries: float
    """The share of a list that is, on average at most, below the least support."""
    simulated: bool
    left_out: int
    """Transactions that were collected and not released: supports are of the others alone."""
    cut: bool
    """Whether some transactions were too long, and only a random part of each was randomized."""
    beyond: int | None
    """The size of sets that were candidates, and of which the release says nothing; and larger."""
    files: tuple[str, ...] = ()
    """The names of the files that were mined."""
    truth: AgainstOriginal | None = None
    """The same in the original transactions, where they are at hand."""

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-mine/1."""
        from ppdm_formal.infer.baskets.mine_files import mined_json

        return mined_json(self)

    def json_text(self) -> Iterator[str]:
        """Piece by piece: there may be millions of itemsets."""
        from ppdm_formal.infer.baskets.mine_files import mined_text

        return mined_text(self)

    def __len__(self) -> int:
        return int(self.listed.sum())

    def itemsets(self) -> Iterator[EstimatedItemset]:
        """All itemsets listed, by size, in the order of their items."""
        known = self._known(np.flatnonzero(self.listed))
        yield from known.values()

    def reaching(self) -> Iterator[EstimatedItemset]:
        """Items whose estimates reach the least support, sure or not.

        A second phase asks about pairs of these: its plan says how many it misses of them.
        """
        if not self.levels.trie.size:
            return
        nodes = np.asarray(self.levels.trie.nodes(1), dtype=np.int64)
        least = float(self.min_support.share(self.transactions))
        yield from self._known(nodes[self.estimates.support[nodes] >= least]).values()

    def most_frequent(self, most: int) -> list[EstimatedItemset]:
        """Those of two or more items with the largest estimates; items if there are none."""
        nodes = np.flatnonzero(self.listed)
        starts = self.levels.trie.starts
        larger = nodes[nodes >= starts[2]] if len(starts) > 2 else nodes[:0]
        some = larger if len(larger) else nodes
        order = some[np.argsort(-self.estimates.support[some], kind="stable")][:most]
        known = self._known(np.sort(order))
        return [known[node] for node in order.tolist()]

    def rules(self, most: int | None = None) -> Iterator[EstimatedRule]:
        """All rules, the surest first, or the first of them."""
        if self.rule_estimates is None:
            return
        found, some = self.rule_estimates, slice(most)
        sides = [s[some] for s in (found.antecedent, found.consequent, found.whole)]
        known = self._known(np.unique(np.concatenate(sides)))
        numbers = (
            found.confidence, found.confidence_se, found.lift, found.lift_se,
            found.leverage, found.leverage_se,
        )  # fmt: skip
        rows = zip(*sides, *(column[some] for column in numbers), strict=True)
        for first, second, whole, *rest in rows:
            yield EstimatedRule(
                known[int(first)], known[int(second)], known[int(whole)], *map(float, rest)
            )

    def links(self, most: int | None = None) -> Iterator[EstimatedLink]:
        """All pairs pursued, or the first, by what is surely above independence."""
        found = self.link_estimates
        members = self.levels.trie.members(2, found.nodes[:most]).tolist()
        numbers: list[list[float]] = np.column_stack([
            found.of.leverage, found.of.se, found.of.ends, found.of.lift, found.of.lift_ends,
            found.of.chance,
        ])[:most].tolist()  # fmt: skip
        for row, one, sure in zip(members, numbers, found.sure[:most].tolist(), strict=True):
            low, high, lift, lift_low, lift_high, chance = one[2:]
            yield EstimatedLink(
                tuple(self.labels[item] for item in row),
                one[0], one[1], low, high, lift, lift_low, lift_high, chance, sure,
            )  # fmt: skip

    def to_pandas(self) -> Any:
        """Itemsets as a frame with mlxtend's columns, support and itemsets, and their errors."""
        import pandas as pd

        sets = list(self.itemsets())
        return pd.DataFrame(
            {
                "support": [one.support for one in sets],
                "itemsets": pd.Series([frozenset(one.items) for one in sets], dtype=object),
                "consistent": [one.consistent for one in sets],
                "se": [one.se for one in sets],
                "se_population": [one.se_population for one in sets],
                "significant": [one.significant for one in sets],
            }
        )

    def rules_to_pandas(self) -> Any:
        """Rules as a frame with mlxtend's columns, and the errors of confidence and lift."""
        import pandas as pd

        rules = list(self.rules())
        first, second = [r.antecedent for r in rules], [r.consequent for r in rules]
        return pd.DataFrame(
            {
                "antecedents": pd.Series([frozenset(a.items) for a in first], dtype=object),
                "consequents": pd.Series([frozenset(b.items) for b in second], dtype=object),
                "antecedent support": [one.support for one in first],
                "consequent support": [one.support for one in second],
                "support": [rule.whole.support for rule in rules],
                "confidence": [rule.confidence for rule in rules],
                "lift": [rule.lift for rule in rules],
                "confidence se": [rule.confidence_se for rule in rules],
                "lift se": [rule.lift_se for rule in rules],
                "leverage": [rule.leverage for rule in rules],
                "leverage se": [rule.leverage_se for rule in rules],
            }
        )

    def _known(self, nodes: Nodes) -> dict[int, EstimatedItemset]:
        found: dict[int, EstimatedItemset] = {}
        trie, have = self.levels.trie, self.estimates
        for size in range(1, trie.size + 1):
            own = trie.nodes(size)
            some = nodes[(nodes >= own.start) & (nodes < own.stop)]
            rows = trie.members(size, some).tolist()
            for node, row in zip(some.tolist(), rows, strict=True):
                low, high = have.ends[node].tolist()
                found[node] = EstimatedItemset(
                    tuple(self.labels[item] for item in row),
                    float(have.support[node]),
                    float(have.clients[node]),
                    float(have.population[node]),
                    low,
                    high,
                    float(have.consistent[node]),
                )
        return found


def mine_release(
    releases: Release | Sequence[Release],
    min_support: str | int | Fraction | Threshold,
    min_confidence: str | int | Fraction | None = None,
    max_size: int | None = None,
    *,
    lowered: float = 1.0,
    false_discoveries: float = RATE,
    memory: int = MEMORY,
    engine: MakeEngine | None = None,
    ledger: Ledger | None = None,
    say: Say = str,
    share: Share = float,
) -> MinedRelease:
    """Itemsets whose support surely reaches the least, and rules between them.

    false_discoveries: the share of a list that may be below the least support, on average.
    releases: one, or several of one plan, those of both phases included. memory: bytes for columns
    of bits. engine: who counts, where not this process; ledger: where counts are kept.
    """
    every = [releases] if isinstance(releases, Release) else list(releases)
    least = Threshold.of(min_support)
    sure = None if min_confidence is None else confidence_of(min_confidence)
    if not 0 <= lowered < float("inf"):
        raise ValueError("thresholds are lowered by no fewer than 0 standard errors")
    if max_size is not None and max_size < 1:
        raise ValueError("itemsets have at least one item")
    if not 0 < false_discoveries < 1:
        raise ValueError("a false-discovery rate is between 0 and 1")
    counter = ReleaseCounts(every, memory, engine, ledger, share)
    try:
        levels = Levels(counter)
        found = mine_levels(
            levels, float(least.share(levels.clients)), lowered, max_size, say, false_discoveries
        )
    finally:
        counter.close()
    links = links_of(levels, found.estimates, false_discoveries)
    rules = None
    if sure is not None:
        say("rules")
        rules = rules_of(levels, found.estimates, found.listed, sure)
    names = counter.phases[0].transactions.names
    labels = [str(item) if names is None else names[item] for item in levels.columns.tolist()]
    tallies = [phase.tally for phase in counter.phases]
    return MinedRelease(
        levels.clients,
        sum(one.rows_out for one in tallies),
        tuple(labels),
        levels,
        found.estimates,
        found.listed,
        found.seen,
        least,
        lowered,
        max_size,
        sure,
        rules,
        links,
        false_discoveries,
        any(release.simulated for release in every),
        max(one.rows_in - one.rows_out - one.dropped[None, "phase"] for one in tallies),
        any(one.sampled for one in tallies)
        or any(group.hidden == "cut" for _, group in levels.groups),
        found.beyond,
    )


@dataclass(frozen=True)
class MinedLevels:
    """Estimates by node of the levels' trie, which nodes are listed, and what could be seen."""

    estimates: Estimates
    listed: npt.NDArray[np.bool_]
    seen: tuple[SeenOfSize, ...]
    beyond: int | None


def mine_levels(
    levels: Levels,
    least: float,
    lowered: float,
    max_size: int | None = None,
    say: Say = str,
    rate: float = RATE,
) -> MinedLevels:
    """Level by level, until there are no candidates."""
    say("items")
    first = levels.items()
    if not len(first):
        raise ReleaseError(
            "no group of the release says anything about single items, with which mining begins; "
            "of a plan of two phases, give both releases"
        )
    pursued, surely, seen = _choice(first, least, lowered, 1, rate)
    kept, known, listed = [first.kept(pursued)], [seen], [np.zeros(1, dtype=bool), surely[pursued]]
    levels.start(kept[0])
    beyond = None
    while len(kept[-1]) and (max_size is None or levels.trie.size < max_size):
        parents, last = _all_candidates(levels)
        if not len(parents):
            break
        say(f"itemsets of {levels.trie.size + 1} items: {len(parents):,} candidates")
        level = levels.candidates(parents, last)
        if not len(level):
            beyond = levels.trie.size + 1  # no group says anything of sets of this size
            break
        pursued, surely, seen = _choice(level, least, lowered, levels.trie.size + 1, rate)
        kept.append(level.kept(pursued))
        known.append(seen)
        listed.append(surely[pursued])
        if len(kept[-1]):
            levels.keep(parents[kept[-1].which], last[kept[-1].which], kept[-1])
    return MinedLevels(_estimates(levels, kept), np.concatenate(listed), tuple(known), beyond)


def _all_candidates(levels: Levels) -> tuple[Nodes, Numbers]:
    parents, last = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int32)]
    held = 0
    for some, items in levels.trie.candidates():
        parents.append(some)
        last.append(items)
        held += len(some)
        if held > MAX_ITEMSETS:
            raise DataError(
                f"more than {MAX_ITEMSETS:,} candidate itemsets of {levels.trie.size + 1} items: "
                "raise the least support, or limit their size"
            )
    return np.concatenate(parents), np.concatenate(last)


def _choice(
    level: Level, wanted: float, lowered: float, size: int, rate: float
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], SeenOfSize]:
    """Which sets are pursued, which surely reach the least support, and what could be seen."""
    needed = credible(len(level), level.skewness)
    clear = level.estimates >= needed * level.clients
    enough = level.estimates >= wanted
    pursued = clear & (level.estimates >= wanted - lowered * level.clients)
    there = np.sqrt(level.variance.at(np.full(len(level), wanted), "clients"))
    surely = pursued & discovered(chances(level.estimates, wanted, there, level.skewness), rate)
    visible = float(DEVIATIONS * np.median(level.clients)) if len(level) else None
    seen = SeenOfSize(
        size,
        len(level),
        int(pursued.sum()),
        int(surely.sum()),
        needed,
        visible,
        int((enough & ~surely).sum()),
        level.skewness,
    )
    return pursued, surely, seen


def credible(candidates: int, skewness: float = 0.0) -> float:
    """Standard errors that about one of so many estimates of zero passes.

    2 at least and 4 at most under a normal law; more where the noise is skewed (Cornish-Fisher).

    >>> [round(credible(many), 2) for many in (1, 20, 1000, 10**7)], credible(1, 0.2)
    ([2.0, 2.0, 3.09, 4.0], 2.1)
    """
    reached = NormalDist().inv_cdf(1 - 1 / candidates) if candidates > 1 else 0.0
    normal = min(max(reached, LEAST_CREDIBLE), float(DEVIATIONS))
    return normal + skewness * (normal**2 - 1) / 6


def _estimates(levels: Levels, kept: Sequence[Level]) -> Estimates:
    """By node of the trie; the empty set is in every transaction."""

    def joined(name: str, root: float) -> Floats:
        return np.concatenate([[root], *(getattr(level, name) for level in kept)])

    shares = np.concatenate([np.zeros((1, len(levels.groups))), *(one.shares for one in kept)])
    ends = np.concatenate([np.ones((1, 2)), *(one.ends for one in kept)])
    support, clients = joined("estimates", 1.0), joined("clients", 0.0)
    return Estimates(
        support,
        clients,
        joined("population", 0.0),
        ends,
        shares,
        consistent(support, clients**2, _subsets(levels)),
    )


def _subsets(levels: Levels) -> npt.NDArray[np.int64]:
    """Rows (subset without one item, set) of nodes, for all sets of the trie."""
    trie = levels.trie
    rows = [np.zeros((0, 2), dtype=np.int64)]
    for size in range(1, trie.size + 1):
        nodes = np.asarray(trie.nodes(size), dtype=np.int64)
        subsets = trie.subsets(size, nodes)
        every = (1 << size) - 1
        rows += [np.column_stack([subsets[:, every & ~(1 << item)], nodes]) for item in range(size)]
    return np.concatenate(rows)
