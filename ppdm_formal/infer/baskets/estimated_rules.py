"""Rules from estimated supports: confidence and lift, with standard errors by the delta method.

With W = A and B together, c = s_W / s_A and lift = s_W / (s_A s_B). The three estimates are means
over the same reports, so that their covariances count. In a report of items, where y_a says
whether it holds item a,

    x_A = product over a in A of (y_a - rho) / lambda_|A|,    E[x_A] = 1 where the client holds A
    x_W x_A = product over A of (rho^2 + (1 - 2 rho) y_a) * product over B of (y_b - rho) / ...

because y_a^2 = y_a. Sums of such products over all reports are sums over the subsets S of W of a
coefficient times the number of reports that hold S. The coins' covariance of the sums of x_W and
x_A is then estimated without bias by the sum of x_W x_A - x_W, that of x_A and x_B by the sum of
x_A x_B - x_W. Where clients are in several groups, who is in which adds its part, as in
run/supports.py; covariances within groups that report sets of several items are left out.

Confidence and lift are of consistent supports (consistent.py): of raw ones a confidence may be
above 100%, and that of a set whose antecedent is mostly noise says nothing. Rules stand by what is
surely above independence: their leverage (associations.py) less two standard errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ppdm_formal.design.closed_form import moments
from ppdm_formal.infer.baskets.associations import Leverages, Sides, leverages
from ppdm_formal.infer.baskets.chunks import ChunkPart
from ppdm_formal.infer.baskets.levels import Levels
from ppdm_formal.infer.baskets.rules import MAX_RULES, MAX_SUBSETS
from ppdm_formal.infer.baskets.trie import Nodes
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.estimated_supports import Floats
from ppdm_formal.run.supports import law_of

AT_ONCE = 1 << 20

MOST_LINKS = 1 << 16
"""Pairs whose links are looked at."""

LEAST = 1e-12
"""In place of a consistent support of 0, which has no ratios."""


@dataclass(frozen=True)
class Estimates:
    """For each node of a trie: estimated support, standard errors, interval, weights of groups.

    consistent: the nearest supports that are in 0..1 and fall from sets to larger ones.
    """

    support: Floats
    clients: Floats
    population: Floats
    ends: Floats
    shares: Floats
    consistent: Floats


@dataclass(frozen=True)
class RuleEstimates:
    """Rules as nodes; confidence, lift, leverage and their standard errors for these clients."""

    whole: Nodes
    antecedent: Nodes
    consequent: Nodes
    confidence: Floats
    confidence_se: Floats
    lift: Floats
    lift_se: Floats
    leverage: Floats
    leverage_se: Floats

    def __len__(self) -> int:
        return len(self.whole)


def rules_of(
    levels: Levels, found: Estimates, wholes: npt.NDArray[np.bool_], least: Fraction
) -> RuleEstimates:
    """Rules within the sets marked, of at least that estimated confidence.

    The surest come first: by their leverage less two standard errors.
    """
    trie = levels.trie
    sizes = range(2, trie.size + 1)
    if sum(int(wholes[_span(levels, size)].sum()) << size for size in sizes) > MAX_SUBSETS:
        raise DataError("too many itemsets to make rules of: limit their size")
    parts: list[Floats] = [np.zeros((9, 0))]
    held = 0
    for size in sizes:
        nodes = trie.starts[size] + np.flatnonzero(wholes[_span(levels, size)])
        step = max(1, AT_ONCE >> size)
        for at in range(0, len(nodes), step):
            parts += _some(levels, found, size, nodes[at : at + step], least)
            held = sum(part.shape[1] for part in parts)
            if held > MAX_RULES:
                raise DataError(f"more than {MAX_RULES:,} rules: raise the least confidence")
    table = np.concatenate(parts, axis=1)
    table = table[:, np.lexsort((table[1], table[0], 2 * table[8] - table[7]))]
    whole, first, second = table[:3].astype(np.int64)
    return RuleEstimates(whole, first, second, *table[3:])


def _span(levels: Levels, size: int) -> slice:
    return slice(*levels.trie.starts[size : size + 2])


def _some(
    levels: Levels, found: Estimates, size: int, nodes: Nodes, least: Fraction
) -> list[Floats]:
    subsets = levels.trie.subsets(size, nodes)
    every = (1 << size) - 1
    made = []
    for mask in range(1, every):
        first, second = subsets[:, mask], subsets[:, every & ~mask]
        confidence = found.consistent[nodes] / np.maximum(found.consistent[first], LEAST)
        sure = confidence >= float(least)
        if not sure.any():
            continue
        sides = nodes[sure], first[sure], second[sure]
        errors, above = _errors(levels, found, subsets[sure], mask, sides)
        lift = confidence[sure] / np.maximum(found.consistent[sides[2]], LEAST)
        columns = (confidence[sure], errors[0], lift, errors[1], above.leverage, above.se)
        made.append(np.stack([*sides, *columns]))
    return made


def _errors(
    levels: Levels, found: Estimates, subsets: Nodes, mask: int, sides: tuple[Nodes, Nodes, Nodes]
) -> tuple[tuple[Floats, Floats], Leverages]:
    """Standard errors of confidence and lift, and the leverage."""
    known = sides_of(levels, found, subsets, mask, sides)
    with_first, with_second, apart = known.whole_first, known.whole_second, known.first_second
    w, a, b = (np.maximum(found.consistent[side], LEAST) for side in sides)
    variances = known.variances
    c = w / a
    confidence = (variances[0] + c**2 * variances[1] - 2 * c * with_first) / a**2
    relative = (
        variances[0] / w**2
        + variances[1] / a**2
        + variances[2] / b**2
        - 2 * with_first / (w * a)
        - 2 * with_second / (w * b)
        + 2 * apart / (a * b)
    )
    lift = w / (a * b)
    errors = np.sqrt(np.maximum(confidence, 0)), lift * np.sqrt(np.maximum(relative, 0))
    return errors, leverages(known)


def sides_of(
    levels: Levels, found: Estimates, subsets: Nodes, mask: int, sides: tuple[Nodes, Nodes, Nodes]
) -> Sides:
    """Raw estimates of W, of its part A at `mask` and of the rest B, and how they vary together."""
    whole, first, second = sides
    w, a, b = (found.support[side] for side in sides)
    one, two, three = (found.clients[side] ** 2 for side in sides)
    other = (subsets.shape[1] - 1) & ~mask
    return Sides(
        w,
        a,
        b,
        (one, two, three),
        covariance(levels, found, subsets, mask, (whole, first), w * (1 - a)),
        covariance(levels, found, subsets, other, (whole, second), w * (1 - b)),
        covariance(levels, found, subsets, mask, (first, second), w - a * b),
    )


@dataclass(frozen=True)
class LinkEstimates:
    """Pairs as nodes, with what they are above independence; the surest first."""

    nodes: Nodes
    of: Leverages
    sure: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.nodes)


def links_of(levels: Levels, found: Estimates, rate: float) -> LinkEstimates:
    """Of all pairs of the trie, the first of them by support where there are very many."""
    trie = levels.trie
    nodes = np.asarray(trie.nodes(2) if trie.size > 1 else range(0), dtype=np.int64)
    nodes = nodes[np.argsort(-found.support[nodes], kind="stable")][:MOST_LINKS]
    subsets = trie.subsets(2, nodes) if len(nodes) else np.zeros((0, 4), dtype=np.int64)
    sides = nodes, subsets[:, 1], subsets[:, 2]
    above = leverages(sides_of(levels, found, subsets, 1, sides))
    order = above.order()
    return LinkEstimates(nodes[order], above.take(order), above.sure(rate)[order])


def covariance(
    levels: Levels,
    found: Estimates,
    subsets: Nodes,
    mask: int,
    pair: tuple[Nodes, Nodes],
    spread: Floats,
) -> Floats:
    """Of two estimates: of W and the part A of it at `mask`, or of A and the rest of W.

    spread: the covariance of holding one and holding the other, among clients.
    """
    nested = bool((pair[0] == subsets[:, -1]).all())
    left, right = found.shares[pair[0]], found.shares[pair[1]]
    coins, together = np.zeros((2, len(subsets)))
    for number, (release, group) in enumerate(levels.groups):
        shared = left[:, number] * right[:, number]
        together += shared / max(1, group.rows)
        if group.lifted > 1 or not shared.any():
            continue
        for at, part in enumerate(levels.counter.parts):
            if part.release == release and part.group.name == group.name:
                products = levels.counts[at][subsets] @ coefficients(part, mask, subsets, nested)
                coins += shared * products / group.rows**2
    return coins + (together - 1 / levels.clients) * spread


def coefficients(part: ChunkPart, mask: int, subsets: Nodes, nested: bool) -> Floats:
    """Of the counts of the subsets of W, such that they add up to the sum of products less x_W."""
    all_items = subsets.shape[1] - 1
    size, inside = all_items.bit_count(), mask.bit_count()
    most = size if nested else max(inside, size - inside)
    known = moments(law_of(part.size), min(size, part.size.size))
    if part.size.size < most:
        return np.zeros(all_items + 1)  # one of the two is 0 in every report
    rho = float(known.insert)
    lambdas = [float(value) for value in known.lambdas]
    found = np.empty(all_items + 1)
    alone = np.zeros(all_items + 1)
    for some in range(all_items + 1):
        missing = size - some.bit_count()
        if part.size.size >= size:
            alone[some] = (-rho) ** missing / lambdas[size]
        if nested:
            squared = (some & mask).bit_count()
            found[some] = (
                (1 - 2 * rho) ** squared
                * rho ** (2 * (inside - squared))
                * (-rho) ** (all_items & ~mask & ~some).bit_count()
                / (lambdas[size] * lambdas[inside])
            )
        else:
            found[some] = (-rho) ** missing / (lambdas[inside] * lambdas[size - inside])
    return found - alone
