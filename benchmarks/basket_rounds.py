"""Ours, simulated: rounds of fixed-size reports, analysed by ppdm_formal/infer/baskets.

No benchmark of its own. Simulated are groups, cuts, reports of lengths, and the exact marginal law
of every count. What a client reports is decided by what earlier rounds' reports told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.basket_data import Floats, Integers, Owned
from benchmarks.basket_forms import Form, fixed_size, hashing, sampled_kary
from ppdm_formal.infer.baskets.lengths import UNEVEN, Lengths, Uncut
from ppdm_formal.infer.baskets.rounds import Measured
from ppdm_formal.infer.baskets.rounds import measured as measured_of
from ppdm_formal.infer.baskets.shrunken import BETA, shrunken

EDGES = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 19, 24, 31, 41, 56, 76, 111, 211])
CUTS = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40)
ASK_LENGTHS = 0.06
WORTH_ASKING = 1.3
"""Pairs are asked about where the predicted error is less than this share of the aim."""

MakeForm = Callable[[int, int, float], Form]


def binomials(held: Integers, people: int, form: Form, rng: np.random.Generator) -> Integers:
    """How many reports count for each value."""
    return np.asarray(rng.binomial(held, form[0]) + rng.binomial(people - held, form[1]))


def cut_to(
    owner: Integers, value: Integers, L: int, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """Each client keeps at most L of its values, at random."""
    order = np.lexsort((rng.random(len(owner)), owner))
    owner, value = owner[order], value[order]
    if not len(owner):
        return owner, value
    start = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
    rank = np.arange(len(owner)) - np.repeat(start, np.diff(np.r_[start, len(owner)]))
    return owner[rank < L], value[rank < L]


def told_lengths(sizes: Integers, gamma: float, rng: np.random.Generator) -> Lengths:
    """The law of lengths, from reports of 19 classes."""
    classes = len(EDGES) - 1
    place = np.minimum(np.searchsorted(EDGES, sizes, side="right") - 1, classes - 1)
    form = min(sampled_kary(classes - 1, 1, gamma), hashing(1, gamma), key=Form.variance)
    counts = binomials(np.bincount(place, minlength=classes), len(sizes), form, rng)
    return Lengths.told(counts, len(sizes), form[0], form[1], EDGES)


def blended(told: Lengths, imagined: Floats, people: int, gamma: float) -> Lengths:
    """A law told by few clients, with one imagined from what is known already."""
    variance = sampled_kary(len(imagined) - 1, 1, gamma).variance() / people
    own = 1 / (variance + told.shares / people)
    other = 1 / (0.4 * imagined + 0.003) ** 2
    shares = (own * told.shares + other * imagined) / (own + other)
    return Lengths(told.middles, shares / shares.sum())


def best_cut(
    lengths: Lengths, d: int, gamma: float, form: MakeForm, aim: float, people: int
) -> int:
    """The cut with the least predicted squared error of a value of support `aim`."""
    if (lengths.shares * lengths.middles).sum() <= 0:
        return 1
    return min(CUTS, key=lambda L: predicted(lengths, L, form(d, L, gamma), aim, people))


def predicted(lengths: Lengths, L: int, form: Form, aim: float, people: int) -> float:
    """Squared error of a value of support `aim`: of the noise, and of undoing the cut."""
    undo = Uncut.of(lengths, L)
    kept = undo.remains(np.array([aim]))
    noise = form.variance(float(kept[0])) / people * float(undo.slope(kept)[0]) ** 2
    return noise + (UNEVEN * (aim - float(kept[0]))) ** 2


@dataclass(frozen=True)
class Asked:
    """What a round told: supports with the cut undone, and standard errors."""

    estimates: Floats
    errors: Floats
    lengths: Lengths
    cut: int
    kept: Measured
    uncut: Uncut


def ask(
    held: tuple[Integers, Integers],
    clients: Integers,
    everybody: int,
    d: int,
    gamma: float,
    rng: np.random.Generator,
    *,
    form: MakeForm = fixed_size,
    aim: float | None = None,
    imagined: Floats | None = None,
    share: float = ASK_LENGTHS,
) -> Asked:
    """One round: a few of the clients tell lengths, the others report values."""
    owner, value = held
    clients = rng.permutation(clients)
    some = clients[: int(share * len(clients))]
    others = clients[len(some) :]
    lengths = told_lengths(np.bincount(owner, minlength=everybody)[some], gamma, rng)
    if imagined is not None:
        lengths = blended(lengths, imagined, len(some), gamma)
    if aim is None:  # of items: their mean support, as lengths tell it
        aim = max(0.01, float((lengths.shares * lengths.middles).sum()) / d)
    L = best_cut(lengths, d, gamma, form, aim, len(others))
    asked = np.zeros(everybody, dtype=bool)
    asked[others] = True
    _, kept = cut_to(owner[asked[owner]], value[asked[owner]], L, rng)
    chosen = form(d, L, gamma)
    counts = binomials(np.bincount(kept, minlength=d), len(others), chosen, rng)
    found = measured_of(counts, len(others), *chosen, everybody)
    undo = Uncut.of(lengths, L)
    return Asked(
        undo.support(found.estimates),
        errors_of(found, undo, aim),
        lengths,
        L,
        found,
        undo,
    )


def errors_of(found: Measured, undo: Uncut, aim: float) -> Floats:
    """Standard errors of supports whose cut is undone (of the noise alone), at no less than aim."""
    at = np.maximum(found.estimates, undo.remains(np.array([aim]))[0])
    return found.deviations(at) * undo.slope(at)


def combine(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Least variance, of two estimates and their standard errors."""
    (x, a), (y, b) = first, second
    return (x * b**2 + y * a**2) / (a**2 + b**2), a * b / np.sqrt(a**2 + b**2)


def items_alone(b: Owned, gamma: float, rng: np.random.Generator) -> Asked:
    """Everybody about all items."""
    return ask((b.owner, b.item), np.arange(b.n), b.n, b.d, gamma, rng)


def items_in_rounds(b: Owned, gamma: float, rng: np.random.Generator) -> Floats:
    """All items; then the first thousand, then the first 300; all answers combined.

    Where there are no more items than that, everybody is asked about all of them.
    """
    if b.d <= 1000:
        return items_alone(b, gamma, rng).estimates
    everybody = rng.permutation(b.n)
    n1, n2 = int(0.7 * b.n), int(0.85 * b.n)
    one = ask((b.owner, b.item), everybody[:n1], b.n, b.d, gamma, rng)
    found, errors = one.estimates.copy(), one.errors.copy()
    for most, some in ((1000, everybody[n1:n2]), (300, everybody[n2:])):
        keep = np.sort(np.argsort(-found, kind="stable")[:most])
        two = ask(b.of_values(keep), some, b.n, len(keep), gamma, rng)
        found[keep], errors[keep] = combine(
            (found[keep], errors[keep]), (two.estimates, two.errors)
        )
    return found


def guessed_pairs(items: Integers, f: Floats, most: int) -> Integers:
    """The pairs of these items with the largest products."""
    i, j = np.triu_indices(len(items), 1)
    best = np.argsort(-f[items[i]] * f[items[j]], kind="stable")[:most]
    return np.sort(np.stack([items[i[best]], items[j[best]]], axis=1), axis=1)


def with_guesses(
    f: Floats, pairs: Integers, estimates: Floats, links: Floats
) -> tuple[Integers, Floats, Floats]:
    """Further pairs of the first items, as guesses from items alone, and after all others."""
    items = np.argsort(-f, kind="stable")[: min(150, len(f))]
    clipped = np.clip(f, 1e-5, 1)
    others = guessed_pairs(items, clipped, len(items) * (len(items) - 1) // 2)
    code = pairs[:, 0] * len(f) + pairs[:, 1]
    others = others[~np.isin(others[:, 0] * len(f) + others[:, 1], code)]
    product = clipped[others].prod(axis=1)
    guess = np.minimum(BETA * product, clipped[others].min(axis=1))
    least = np.full(len(others), -1.0)
    return (
        np.concatenate([pairs, others]),
        np.concatenate([estimates, guess]),
        np.concatenate([links, least]),
    )


def imagined_lengths(
    lengths: Lengths, f: Floats, pairs: Integers, rng: np.random.Generator, draws: int = 6000
) -> Floats:
    """How many of the pairs baskets would hold whose items are drawn one by one."""
    items = np.unique(pairs)
    rates = np.geomspace(1e-6, 60, 400)
    hold = 1 - np.exp(-np.outer(rates, lengths.middles))
    rate = np.interp(np.clip(f[items], 1e-5, 0.98), hold @ lengths.shares, rates)
    sizes = rng.choice(lengths.middles, draws, p=lengths.shares)
    drawn = (rng.random((draws, len(items))) < 1 - np.exp(-np.outer(sizes, rate))).astype(float)
    graph = np.zeros((len(items), len(items)))
    graph[np.searchsorted(items, pairs[:, 0]), np.searchsorted(items, pairs[:, 1])] = 1
    count = ((drawn @ graph) * drawn).sum(axis=1).astype(int)
    place = np.minimum(np.searchsorted(EDGES, count, side="right") - 1, len(EDGES) - 2)
    return np.bincount(place, minlength=len(EDGES) - 1) / draws


def in_doubt(estimates: Floats, errors: Floats, top: int, rng: np.random.Generator) -> Integers:
    """Values whose place among the first is uncertain."""
    drawn = estimates + rng.normal(size=(300, len(estimates))) * errors
    last = min(top, len(estimates) - 1)
    line = -np.partition(-drawn, last, axis=1)[:, last]
    p = (drawn > line[:, None]).mean(axis=0)
    return np.flatnonzero((p > 0.03) & (p < 0.97))


def deflated(estimates: Floats, errors: Floats) -> Floats:
    """The estimates drawn in so that their law is as wide as that of the supports, in order.

    The largest of many noisy estimates are too high: each is moved towards the others by the
    share of the squares that noise explains, above it in the list.
    """
    order = np.argsort(-estimates, kind="stable")
    squares = np.cumsum(estimates[order] ** 2)
    noise = np.cumsum(errors[order] ** 2)
    share = np.clip(1 - noise / np.maximum(squares, 1e-300), 0, 1)
    found = estimates.copy()
    found[order] = np.minimum.accumulate(estimates[order] * np.minimum.accumulate(share))
    return found


@dataclass(frozen=True)
class Pairs:
    """Estimated items and pairs; asked: whether any report was about pairs."""

    items: Floats
    pairs: Integers
    estimates: Floats
    links: Floats
    asked: bool
    aim: float
    errors: Floats | None = None
    raw: Floats | None = None


def pairs_in_rounds(
    b: Owned,
    gamma: float,
    rng: np.random.Generator,
    top: int = 50,
    items: int = 60,
    kappa: float = WORTH_ASKING,
    always: bool = False,
) -> Pairs:
    """Items; then pairs guessed from them, where reports would tell more than the guess."""
    one_share, two_share, most = (0.6, 0.2, 200) if gamma < 50 else (0.5, 0.25, 400)
    everybody = rng.permutation(b.n)
    n1, n2 = int(one_share * b.n), int((one_share + two_share) * b.n)
    held = b.owner, b.item
    one = ask(held, everybody[:n1], b.n, b.d, gamma, rng)

    def guess(f: Floats, errors: Floats) -> tuple[Integers, Floats]:
        best = np.argsort(-f, kind="stable")[: min(items, b.d)]
        sure = f[best] > 2 * errors[best]
        best = best[sure] if sure.sum() >= 12 else best[:12]
        clipped = np.clip(f, 1e-5, 1)
        pairs = guessed_pairs(best, clipped, most)
        return pairs, clipped[pairs]

    f = one.estimates
    pairs, sides = guess(f, one.errors)
    product = sides.prod(axis=1)
    honest = np.clip(deflated(f, one.errors), 1e-5, 1)[pairs].prod(axis=1)
    aim = float(-np.sort(-BETA * honest)[min(top, len(pairs)) - 1])
    imagined = imagined_lengths(one.lengths, f, pairs, rng)
    law = Lengths(one.lengths.middles, imagined)
    L = best_cut(law, len(pairs), gamma, fixed_size, aim, b.n - n1)
    error = predicted(law, L, fixed_size(len(pairs), L, gamma), aim, b.n - n1) ** 0.5
    if not always and error >= kappa * aim:
        two = ask(held, everybody[n1:], b.n, b.d, gamma, rng)
        f, errors = combine((f, one.errors), (two.estimates, two.errors))
        pairs, sides = guess(f, errors)
        best = np.minimum(BETA * sides.prod(axis=1), sides.min(axis=1))
        links = best - sides.prod(axis=1)
        return Pairs(f, *with_guesses(f, pairs, best, links), False, aim)

    two = ask(
        b.of_values(pairs, 2), everybody[n1:n2], b.n, len(pairs), gamma, rng,
        aim=aim, imagined=imagined, share=0.08,
    )  # fmt: skip
    x, se = two.estimates.copy(), two.errors.copy()
    post = shrunken(x, se, product)
    doubt = np.union1d(
        in_doubt(post.estimates, post.deviations, top, rng),
        in_doubt(post.estimates - product, post.deviations, 20, rng),
    )
    if len(doubt) > 1:
        again = imagined_lengths(one.lengths, f, pairs[doubt], rng)
        three = ask(
            b.of_values(pairs[doubt], 2), everybody[n2:], b.n, len(doubt), gamma, rng,
            aim=aim, imagined=again, share=0.08,
        )  # fmt: skip
        x[doubt], se[doubt] = combine((x[doubt], se[doubt]), (three.estimates, three.errors))
        post = shrunken(x, se, product)
    estimates = np.minimum(post.estimates, sides.min(axis=1) + post.deviations)
    links = estimates - product
    return Pairs(f, *with_guesses(f, pairs, estimates, links), True, aim, se, x)
