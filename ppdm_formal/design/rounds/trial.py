"""Trial: what each way of asking would find on baskets at hand, by drawing the counts it gives.

Counts are drawn from their exact mean and variance, as normal numbers, one value at a time: what
is cut is counted in the baskets themselves. What is found is compared with the truth: of the
`top` most frequent items and pairs, and of the 20 strongest links (support less the product of
the items') among the 200 most frequent pairs. For the terminal of who holds the baskets; no plan
that is published says any of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.design.rounds.guess import Integers, in_doubt, products, promising, shrunk
from ppdm_formal.design.rounds.lengths import Cut, Floats, Lengths
from ppdm_formal.design.rounds.noise import Noise
from ppdm_formal.design.rounds.outline import OF_ITEMS, OF_PAIRS, Outline

Booleans = npt.NDArray[np.bool_]

POOL = 200
"""The truth about pairs is counted among so many of the most frequent items."""

LINKS = 20
REPEATS = 8


@dataclass(frozen=True)
class Found:
    """Means over repetitions: of the top items and pairs, and of the strongest links.

    error: of the top pairs, what is not found being 0; measured: whether pairs were asked about.
    """

    way: str
    measured: bool
    items: float
    pairs: float
    links: float
    error: float
    each: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class Estimated:
    """Items' estimates with their errors, pairs and their estimates."""

    items: Floats
    pairs: Integers
    supports: Floats


class Trial:
    """Baskets at hand, and the truth about them."""

    def __init__(self, data: AtHand, top: int) -> None:
        self.data, self.top = data, top
        self.clients = len(data)
        self.supports = data.item_counts() / self.clients
        order = np.argsort(-self.supports, kind="stable")
        self.best_items = order[: min(top, int((self.supports > 0).sum()))]
        self.pool = np.sort(order[: min(POOL, data.items)])
        self.place = np.full(data.items, -1, dtype=np.int64)
        self.place[self.pool] = np.arange(len(self.pool))

    @cached_property
    def held(self) -> Booleans:
        """Which baskets hold the items of the pool, a row each."""
        owners = np.repeat(np.arange(self.clients), self.data.sizes)
        places = self.place[self.data.members]
        found = np.zeros((self.clients, len(self.pool)), dtype=bool)
        found[owners[places >= 0], places[places >= 0]] = True
        return found

    @cached_property
    def together(self) -> Floats:
        """Supports of all pairs of the pool."""
        return _products(self.held, None) / self.clients

    @cached_property
    def _ranked(self) -> tuple[Integers, Floats]:
        first, second = np.triu_indices(len(self.pool), 1)
        own = self.together[first, second]
        best = np.argsort(-own, kind="stable")[: max(200, self.top)]
        best = best[own[best] > 0]
        return np.stack([self.pool[first[best]], self.pool[second[best]]], axis=1), own[best]

    @cached_property
    def best_pairs(self) -> dict[tuple[int, ...], float]:
        """The most frequent, with their supports."""
        pairs, own = self._ranked
        every = zip(pairs[: self.top].tolist(), own.tolist(), strict=False)
        return {tuple(pair): float(s) for pair, s in every}

    @cached_property
    def best_links(self) -> set[tuple[int, ...]]:
        """Those most above what independence gives, of the 200 most frequent pairs."""
        pairs, own = (part[:200] for part in self._ranked)
        lever = own - self.supports[pairs[:, 0]] * self.supports[pairs[:, 1]]
        return set(map(tuple, pairs[np.argsort(-lever, kind="stable")[:LINKS]].tolist()))

    @property
    def pair_aim(self) -> float:
        """The support of the last of the top pairs."""
        return min(self.best_pairs.values(), default=0.0)

    def run(
        self, name: str, measured: bool, way: Callable[[np.random.Generator], Estimated]
    ) -> Found:
        """What a way finds, over several repetitions; the same draws for all ways."""
        each, errors = [], []
        for number in range(REPEATS):
            found = way(np.random.default_rng([number, 7]))
            items, pairs, links, error = self._judged(found)
            each.append((items, pairs, links))
            errors.append(error)
        items, pairs, links = np.mean(each, axis=0).tolist()
        error = float(np.mean(errors)) ** 0.5
        return Found(name, measured, items, pairs, links, error, tuple(each))

    def _judged(self, found: Estimated) -> tuple[float, float, float, float]:
        items = set(np.argsort(-found.items, kind="stable")[: len(self.best_items)].tolist())
        order = np.argsort(-found.supports, kind="stable")
        seen = set(map(tuple, found.pairs[order[: self.top]].tolist()))
        own = np.clip(found.items, 0, 1)
        link = found.supports - own[found.pairs[:, 0]] * own[found.pairs[:, 1]]
        best = found.pairs[np.argsort(-link, kind="stable")[:LINKS]]
        known = dict(zip(map(tuple, found.pairs.tolist()), found.supports.tolist(), strict=True))
        wrong = [(max(known.get(p, 0), 0) - s) ** 2 for p, s in self.best_pairs.items()]
        return (
            len(items & set(self.best_items.tolist())),
            len(seen & set(self.best_pairs)),
            len(set(map(tuple, best.tolist())) & self.best_links),
            float(np.mean(wrong)) if wrong else 0.0,
        )

    # -- ways ---------------------------------------------------------------------------------

    def items_asked(
        self, size: int, noise: Noise, clients: float, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Estimates of all items, and their errors, from so many clients."""
        weights = np.minimum(1, size / np.maximum(self.data.sizes, 1))
        kept = np.bincount(
            self.data.members, np.repeat(weights, self.data.sizes), minlength=self.data.items
        )
        cut = Lengths.of(self.data.histogram).cut(size)
        return _drawn(kept / self.clients, cut, noise, clients, rng)

    def pairs_asked(
        self, pairs: Integers, outline: Outline, clients: float, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """The same of some pairs, in the best way for them."""
        places = self.place[pairs]
        inside = (places >= 0).all(axis=1)
        used = np.unique(places[inside])
        first, second = np.searchsorted(used, places[inside]).T
        graph = np.zeros((len(used), len(used)), dtype=np.float32)
        graph[first, second] = 1
        held = self.held[:, used]
        counts = np.concatenate(
            [
                np.rint(((part @ graph) * part).sum(axis=1)).astype(np.int64)
                for part in _blocks(held)
            ]
        )
        lengths = Lengths.of(dict(enumerate((np.bincount(counts) + 1e-9).tolist())))
        way = outline.way_again(lengths, len(pairs), clients)
        left = _products(held, np.minimum(1, way.size / np.maximum(counts, 1)))
        kept = np.zeros(len(pairs))
        kept[inside] = left[first, second] / self.clients
        return _drawn(kept, lengths.cut(way.size), way.noise, clients, rng)

    def guessed(
        self, size: int, noise: Noise, outline: Outline, rng: np.random.Generator
    ) -> Estimated:
        """All clients about items; pairs are guessed."""
        clients = self.clients * float(1 - OF_ITEMS)
        items, errors = self.items_asked(size, noise, clients, rng)
        request = outline.request
        pairs = promising(items, errors, request.asked_items, request.asked_pairs)
        return Estimated(items, pairs, products(items, pairs))

    def in_rounds(self, outline: Outline, rng: np.random.Generator) -> Estimated:
        """Items, pairs guessed from them, and pairs in doubt."""
        request, way = outline.request, outline.items
        first, second, third = (float(s) * self.clients for s in outline.shares)
        asked = first * float(1 - OF_ITEMS)
        items, errors = self.items_asked(way.size, way.noise, asked, rng)
        pairs = promising(items, errors, request.asked_items, request.asked_pairs)
        guess = products(items, pairs)
        some = float(1 - OF_PAIRS)
        found, spread = self.pairs_asked(pairs, outline, second * some, rng)
        variance = spread**2
        after, left = shrunk(found, variance, guess)
        doubt = in_doubt(after, left, self.top, rng)
        if len(doubt) > 1:
            more, spread = self.pairs_asked(pairs[doubt], outline, third * some, rng)
            weight = 1 / variance[doubt] + 1 / spread**2
            found[doubt] = (found[doubt] / variance[doubt] + more / spread**2) / weight
            variance[doubt] = 1 / weight
            after, _ = shrunk(found, variance, guess)
        return Estimated(items, pairs, after)

    def whole_baskets(
        self, noise: float, factor: float, outline: Outline, rng: np.random.Generator
    ) -> Estimated:
        """Pairs from reports of whole baskets: every pair of the pool, with this standard error."""
        way = outline.items
        items, _ = self.items_asked(way.size, way.noise, self.clients, rng)
        best = np.argsort(-items[self.pool], kind="stable")[: outline.request.asked_items]
        first, second = np.triu_indices(len(best), 1)
        own = self.together[best[first], best[second]] * factor
        drawn = own + noise * rng.standard_normal(len(own))
        pairs = np.sort(np.stack([self.pool[best[first]], self.pool[best[second]]], axis=1), axis=1)
        return Estimated(items, pairs, drawn / max(factor, 1e-9))


def _blocks(held: Booleans) -> Sequence[npt.NDArray[np.float32]]:
    step = 1 << 15
    return [held[start : start + step].astype(np.float32) for start in range(0, len(held), step)]


def _products(held: Booleans, weights: Floats | None) -> Floats:
    """How many rows hold both of two columns, each row as often as its weight says."""
    found = np.zeros((held.shape[1], held.shape[1]))
    done = 0
    for part in _blocks(held):
        if weights is None:
            found += part.T @ part
        else:
            own = weights[done : done + len(part)].astype(np.float32)
            found += (part * own[:, None]).T @ part
        done += len(part)
    return found


def _drawn(
    kept: Floats, cut: Cut, noise: Noise, clients: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Estimates before cutting, and their errors."""
    a, b = noise.held, noise.other
    spread = (kept * a * (1 - a) + (1 - kept) * b * (1 - b)) / (a - b) ** 2
    found = kept + np.sqrt(spread / clients) * rng.standard_normal(len(kept))
    slope = np.array([cut.slope(max(s, 1e-6)) for s in (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)])
    whole = cut.whole(found)
    places = np.digitize(np.maximum(whole, 0), (0.002, 0.006, 0.02, 0.06, 0.2))
    level = np.maximum(found, float(np.sqrt(spread.min() / clients)))
    at = (level * a * (1 - a) + (1 - level) * b * (1 - b)) / (a - b) ** 2
    return whole, np.sqrt(np.maximum(at, 0) / clients) * slope[places]
