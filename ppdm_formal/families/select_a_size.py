"""Select-a-size (EGS03 Definition 4): keep j items of t with probability p[j], insert others.

j is drawn with probability p[j]; j items of t, chosen uniformly, stay, and each item
outside t is inserted with probability rho. With m = |t|, m' = |t'|, j = |t ∩ t'|:

    p[t -> t'] = p[j] / C(m, j) * rho^(m' - j) (1 - rho)^(n - m - m' + j)

Up to a factor of t' alone this is b[j] = p[j] / p_def[j] (formula 4), where p_def[j] is
C(m, j) rho^j (1 - rho)^(m - j); the amplification is the largest ratio of two b[j] (5).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_formal.families.overlap import Integers, OverlapLaw
from ppdm_formal.numbers.exact import ONE, ZERO, Exact, exact, is_symbolic, simplify, total
from ppdm_formal.numbers.parameter import Parameter, not_probability, sign_over
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.operator.cut import Steps, weights
from ppdm_formal.operator.draw import Bits
from ppdm_formal.operator.operator import Operator


def default_probabilities(size: int, insert: Exact) -> tuple[Exact, ...]:
    """p_def[j] = C(m, j) rho^j (1 - rho)^(m - j): items of t treated like all others.

    >>> from fractions import Fraction
    >>> [str(p) for p in default_probabilities(2, Fraction(1, 3))]
    ['4/9', '4/9', '1/9']
    """
    return tuple(
        simplify(math.comb(size, j) * insert**j * (1 - insert) ** (size - j))
        for j in range(size + 1)
    )


def balance(keep: Sequence[Exact], insert: Exact) -> tuple[Exact, ...]:
    """b[j] = p[j] / p_def[j] (formula 4)."""
    default = default_probabilities(len(keep) - 1, insert)
    return tuple(simplify(p / d) for p, d in zip(keep, default, strict=True))


def from_balance(ratios: Sequence[Exact], insert: Exact) -> tuple[Exact, ...]:
    """The p[j] whose b[j] stand in the given ratios: p[j] = b[j] p_def[j] / sum."""
    default = default_probabilities(len(ratios) - 1, insert)
    weights = [simplify(b * d) for b, d in zip(ratios, default, strict=True)]
    whole = total((1, weight) for weight in weights)
    return tuple(simplify(weight / whole) for weight in weights)


def cutoff_ratios(size: int, cutoff: int, gamma: Exact) -> tuple[Exact, ...]:
    """b[0] = ... = b[j*] = 1, b[j* + 1] = ... = b[m] = gamma: Statement 2's form (6)."""
    if not 0 <= cutoff < size:
        raise ValueError(f"the cutoff j* must be one of 0..{size - 1}, not {cutoff}")
    return tuple(gamma if j > cutoff else ONE for j in range(size + 1))


def optimal_keep(size: int, insert: Exact, cutoff: int, gamma: Exact) -> tuple[Exact, ...]:
    """The p[j] of Statement 2 for a cutoff j* and a bound gamma on amplification."""
    return from_balance(cutoff_ratios(size, cutoff, gamma), insert)


@dataclass(frozen=True)
class SelectASize(OverlapLaw):
    """The law; `b` are the balanced probabilities up to a common factor."""

    insert: Exact
    keep: tuple[Exact, ...]
    b: tuple[Exact, ...]

    @property
    def output_sizes(self) -> range:
        """Randomized transactions have any size."""
        return range(self.items + 1)

    def likelihood(self, width: int, overlap: int) -> Exact:
        """p[j] / C(m, j) * rho^(m' - j) (1 - rho)^(n - m - m' + j)."""
        absent = self.items - self.size - width + overlap
        inserted = self.insert ** (width - overlap) * (1 - self.insert) ** absent
        return simplify(self.keep[overlap] / math.comb(self.size, overlap) * inserted)

    def ratios(self) -> Sequence[Exact]:
        """The balanced b[j]."""
        return self.b

    def values(self) -> Sequence[Exact]:
        """rho, p[j] and b[j]."""
        return (self.insert, *self.keep, *self.b)

    def draw_members(self, members: Integers, bits: Bits) -> tuple[Integers, Integers]:
        """A coin for every item; those of t are then replaced by the choice of j among them."""
        count = len(members)
        lanes = bits.lanes(8)
        tossed = lanes.coins(Steps.heads(self.insert, lanes.width), count * self.items)
        held = tossed.reshape(count, self.items)
        left = bits.choose(Steps.of_weights(*weights(self.keep), bits.width), count)
        for place in range(self.size):  # selection sampling: each j-subset is equally likely
            stays = bits.below(np.full(count, self.size - place, dtype=np.int64)) < left
            held[np.arange(count), members[:, place]] = stays
            left -= stays
        ends = np.concatenate([[0], np.cumsum(held.sum(axis=1))]).astype(np.int64)
        return np.nonzero(held)[1].astype(np.int64), ends

    def map(self, change: Callable[[Exact], Exact]) -> SelectASize:
        """The same law with parameters given values."""
        insert = change(self.insert)
        if not is_symbolic(insert):
            check_insert(insert)  # a closed end of rho's interval would divide by zero below
        return SelectASize(
            self.items,
            self.size,
            insert,
            tuple(map(change, self.keep)),
            tuple(map(change, self.b)),
        )


def check_sizes(items: int, size: int) -> None:
    """Refuse a transaction size that is not in 1..n."""
    if not 1 <= size <= items:
        raise ValueError(
            f"transactions of {size} items among {items}: the size must be in 1..{items}"
        )


def check_insert(insert: Exact, parameters: Sequence[Parameter] = ()) -> None:
    """Refuse a randomization level outside the open interval (0, 1)."""
    wrong = not_probability(insert, parameters)
    if not wrong and insert in (ZERO, ONE):
        wrong = "is not strictly between 0 and 1"
    if wrong:
        raise ValueError(f"insert = {number_text(insert)} {wrong}")


def select_a_size(
    items: int,
    size: int,
    insert: object,
    cutoff: int | None = None,
    gamma: object = None,
    keep: Sequence[object] | None = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Select-a-size on all transactions of `size` of `items` items.

    Give either `cutoff` and `gamma` (Statement 2's form) or `keep` = [p[0], ..., p[m]].

    >>> basket = select_a_size(1000, 5, "51/100", cutoff=4, gamma=19)
    >>> [str(part.likelihood) for part in basket.views()[5].classes]
    ['19', '1']
    """
    check_sizes(items, size)
    rho = exact(insert)
    check_insert(rho, parameters)
    if keep is not None and cutoff is None and gamma is None:
        chosen = tuple(exact(p) for p in keep)
        _check_keep(chosen, size, parameters)
        ratios = balance(chosen, rho)
    elif keep is None and cutoff is not None and gamma is not None:
        bound = exact(gamma)
        _check_gamma(bound, parameters)
        ratios = cutoff_ratios(size, cutoff, bound)
        chosen = from_balance(ratios, rho)
    else:
        raise ValueError("select-a-size takes either cutoff and gamma, or keep")
    law = SelectASize(items, size, rho, chosen, ratios)
    return Operator(law.inputs(), law.outputs(), law, name, parameters)


def _check_gamma(gamma: Exact, parameters: Sequence[Parameter]) -> None:
    if is_symbolic(gamma):
        undeclared = {s.name for s in gamma.free_symbols} - {p.name for p in parameters}
        if undeclared:
            raise ValueError(f"gamma has undeclared parameters: {', '.join(sorted(undeclared))}")
        if sign_over(simplify(gamma - 1), parameters) not in (0, 1):
            raise ValueError(f"gamma = {number_text(gamma)} could not be shown to be at least 1")
    elif gamma < 1:
        raise ValueError(
            f"gamma = {number_text(gamma)} is below 1, the least amplification there is"
        )


def _check_keep(keep: Sequence[Exact], size: int, parameters: Sequence[Parameter]) -> None:
    if len(keep) != size + 1:
        raise ValueError(f"keep needs the {size + 1} numbers p[0..{size}], not {len(keep)}")
    for j, p in enumerate(keep):
        wrong = not_probability(p, parameters)
        if wrong:
            raise ValueError(f"p[{j}] = {number_text(p)} {wrong}")
    whole = total((1, p) for p in keep)
    if whole != ONE:
        raise ValueError(f"the probabilities p[j] sum to {number_text(whole)}, not to 1")
