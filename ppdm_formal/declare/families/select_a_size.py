"""Select-a-size (EGS03 Definition 4): keep j items of t with probability p[j], insert others.

j is drawn with probability p[j]; j items of t, chosen uniformly, stay, and each item
outside t is inserted with probability rho. With m = |t|, m' = |t'|, j = |t ∩ t'|:

    p[t -> t'] = p[j] / C(m, j) * rho^(m' - j) (1 - rho)^(n - m - m' + j)

Up to a factor of t' alone this is b[j] = p[j] / p_def[j] (formula 4), where p_def[j] is
C(m, j) rho^j (1 - rho)^(m - j); the amplification is the largest ratio of two b[j] (5).
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import (
    MAX_DIGITS,
    ONE,
    ZERO,
    Exact,
    exact,
    is_rational,
    is_symbolic,
    simplify,
    substitute,
    total,
)
from ppdm_formal.declare.arithmetic.line import zeros
from ppdm_formal.declare.arithmetic.parameter import Parameter, free_parameters
from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.arithmetic.signs import not_probability, sign_over
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.crowd_overlap import (
    certain_pairs,
    counted_pairs,
    weighed_pairs,
)
from ppdm_formal.declare.families.overlap import MAX_ENTRY_ITEMS, OverlapLaw, single_json
from ppdm_formal.declare.operators.alike import Support, Take
from ppdm_formal.declare.operators.cut import Steps, drawable
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Spelled
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.pair import CrowdColumns, CrowdPair
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Batch
from ppdm_formal.declare.operators.report_bits import set_bits
from ppdm_formal.declare.operators.shipped import listed_json, odds_json
from ppdm_formal.declare.operators.tosses import toss, toss_packed

MAX_FORM_ITEMS = 8
"""The same for closed forms in free parameters."""

LARGE = 64
"""Transactions of more items show one view for each set of b[j], not for each range of j."""

FEW = 16
"""Up to so many different b[j]."""

Runs: TypeAlias = Sequence[tuple[Any, int]]
"""Numbers as (value, how many in a row)."""

Members: TypeAlias = npt.NDArray[np.bool_]
"""Row i, column a: whether transaction i holds item a (in `stays`: keeps its a-th item)."""


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
    if not (is_rational(insert) and all(map(is_rational, ratios))):
        default = default_probabilities(len(ratios) - 1, insert)
        weights = [simplify(b * d) for b, d in zip(ratios, default, strict=True)]
        whole = total((1, weight) for weight in weights)
        return tuple(simplify(weight / whole) for weight in weights)
    # For thousands of items: integers over one denominator, each fraction reduced once.
    size, yes, no = len(ratios) - 1, insert.numerator, insert.denominator - insert.numerator
    common = math.lcm(*{b.denominator for b in ratios})
    powers = list(itertools.accumulate(itertools.repeat(no, size), operator.mul, initial=1))
    parts, ways, inserted = [], 1, 1
    for j, b in enumerate(ratios):
        parts.append(b.numerator * (common // b.denominator) * ways * inserted * powers[size - j])
        ways, inserted = ways * (size - j) // (j + 1), inserted * yes
    everything = sum(parts)
    return tuple(Fraction(part, everything) for part in parts)


def cutoff_ratios(size: int, cutoff: int, gamma: Exact) -> tuple[Exact, ...]:
    """b[0] = ... = b[j*] = 1, b[j* + 1] = ... = b[m] = gamma: Statement 2's form (6)."""
    if not 0 <= cutoff < size:
        raise ValueError(f"the cutoff j* must be one of 0..{size - 1}, not {cutoff}")
    return tuple(gamma if j > cutoff else ONE for j in range(size + 1))


def optimal_keep(size: int, insert: Exact, cutoff: int, gamma: Exact) -> tuple[Exact, ...]:
    """The p[j] of Statement 2 for a cutoff j* and a bound gamma on amplification."""
    return from_balance(cutoff_ratios(size, cutoff, gamma), insert)


def _check_distribution(size: int, insert: Exact, keep: Sequence[Exact], whole: Exact) -> None:
    """Refuse p[0..m] that are not a distribution, and a rho that is no probability."""
    if size < 1 or len(keep) != size + 1:
        raise ValueError(f"transactions of {size} items need p[0..{size}], not {len(keep)} numbers")
    if not is_symbolic(insert) and not 0 <= insert <= 1:
        raise ValueError(f"insert = {said(insert)} is not between 0 and 1")
    for j, p in enumerate(keep):
        if not is_symbolic(p) and not 0 <= p <= 1:
            raise ValueError(f"p[{j}] = {said(p)} is not between 0 and 1")
    if whole != ONE:
        raise ValueError(f"the probabilities p[j] sum to {said(whole)}, not to 1")


@dataclass(frozen=True)
class Randomization:
    """Select-a-size on however many items: m, rho and p[0..m].

    >>> Randomization(2, Fraction(1, 2), (Fraction(0), Fraction(0), Fraction(1))).kept_together(2)
    Fraction(1, 1)
    """

    size: int
    insert: Exact
    keep: tuple[Exact, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "insert", exact(self.insert))
        object.__setattr__(self, "keep", tuple(exact(p) for p in self.keep))
        _check_distribution(self.size, self.insert, self.keep, total((1, p) for p in self.keep))

    def kept_together(self, count: int) -> Exact:
        """F_a = E C(j, a) / C(m, a): the chance that `count` given items of t all stay."""
        return total(
            (math.comb(j, count), simplify(p / math.comb(self.size, count)))
            for j, p in enumerate(self.keep)
        )

    @property
    def expected_kept(self) -> Exact:
        """nu(p) = sum of j p[j]."""
        return total(enumerate(self.keep))

    def expected_size(self, items: int) -> Exact:
        """The mean size of a randomized transaction, nu + (n - m) rho."""
        return simplify(self.expected_kept + (items - self.size) * self.insert)


@dataclass(frozen=True)
class SelectASize(OverlapLaw):
    """The law; `b` are the balanced probabilities up to a common factor.

    `ends` says that rho may be 0 or 1 in the ranges of its parameters. Outputs become impossible
    there, which ratios that stand for rho in between must show; see `ratio`.
    """

    insert: Exact
    keep: tuple[Exact, ...]
    b: tuple[Exact, ...] | None = field(default=None, compare=False)  # follows from the others
    ends: bool = False

    def __post_init__(self) -> None:
        check_sizes(self.items, self.size)
        _check_distribution(self.size, self.insert, self.keep, self._whole)
        if not is_symbolic(self.insert):
            object.__setattr__(self, "ends", self.insert in (ZERO, ONE))
        if self.b is not None:
            _check_balance(self.b, self.keep, self.insert)
        elif is_symbolic(self.insert) or not self.ends:
            object.__setattr__(self, "b", balance(self.keep, self.insert))

    def spelled(self) -> Spelled:
        """rho, and p[j]; or b[j] up to a factor, by runs, where p[j] are long."""
        return Spelled("select_a_size", {"insert": self.insert, **spelled_keep(self)})

    def spelled_alone(self) -> Spelled:
        """Bits that are kept, and bits that are flipped on."""
        return Spelled("unary_encoding", {"keep": self.keep[1], "flip": self.insert})

    @property
    def coin(self) -> Exact:
        """Rho."""
        return self.insert

    @property
    def impossible(self) -> bool:
        """Where rho may be 0 or 1."""
        return self.ends

    @property
    def output_sizes(self) -> range:
        """Randomized transactions have any size."""
        return range(self.items + 1)

    def likelihood(self, width: int, overlap: int) -> Exact:
        """p[j] / C(m, j) * rho^(m' - j) (1 - rho)^(n - m - m' + j)."""
        return self._chance(overlap, width - overlap, self.items - self.size - width + overlap)

    def _chance(self, overlap: int, inserted: int, absent: int) -> Exact:
        coins = self.insert**inserted * (1 - self.insert) ** absent
        return simplify(self.keep[overlap] / math.comb(self.size, overlap) * coins)

    def ratio(self, width: int, overlap: int) -> Exact:
        """The balanced b[j]; where rho may be 0 or 1, with factors that are zero there.

        If b[j] does not depend on rho, p[t -> t'] is b[j] rho^m' (1 - rho)^(n - m'). If it does,
        b[j] may have a pole at the end, and powers that the overlaps of t' share are left out,
        all but one.
        """
        if not self.ends:
            assert self.b is not None
            return self.b[overlap]
        some_inserted, some_absent = self._coins(width)
        if self._steady:
            assert self.b is not None
            coins = self.insert**some_inserted * (1 - self.insert) ** some_absent
            return simplify(self.b[overlap] * coins)
        overlaps = self.overlaps(width)
        return self._chance(
            overlap, overlaps[-1] - overlap + some_inserted, overlap - overlaps[0] + some_absent
        )

    def shape(self, width: int) -> Hashable:
        """The overlaps, and whether rho = 0 and rho = 1 make the output impossible.

        Large transactions with few different b[j] have few sets of them that outputs show.
        """
        overlaps = self.overlaps(width)
        if self.size > LARGE and not self.ends and len(self._reached) <= FEW:
            return tuple(
                bool(up_to[overlaps.stop] - up_to[overlaps.start]) for up_to in self._reached
            )
        return (overlaps, self._coins(width) if self.ends else ())

    @cached_property
    def _reached(self) -> list[list[int]]:
        """For each of the different b[j], how many j below 0, 1, ..., m + 1 have it."""
        assert self.b is not None
        return [
            list(itertools.accumulate((b == value for b in self.b), initial=0))
            for value in dict.fromkeys(self.b)
        ]

    def _coins(self, width: int) -> tuple[int, int]:
        """Whether every t needs an item inserted to give t', and whether one left out."""
        if self._steady:
            return int(width > 0), int(width < self.items)
        overlaps = self.overlaps(width)
        absent = self.items - self.size - width + overlaps[0]
        return int(width > overlaps[-1]), int(absent > 0)

    @cached_property
    def _steady(self) -> bool:
        """Whether b[j] does not depend on rho."""
        if self.b is None:
            return False
        free = set() if not is_symbolic(self.insert) else self.insert.free_symbols
        return not any(is_symbolic(b) and b.free_symbols & free for b in self.b)

    def support(self) -> Support:
        """An item of t is among the j that stay, another one is inserted."""
        stay = total((j, p) for j, p in enumerate(self.keep))
        return Support(simplify(stay / self.size), self.insert, (self.items, self.size))

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """By b[j] and coins; where all transactions share items, by counting: b[0] is never met.

        On twice as many items as t has, or more, what pairs show does not depend on how many.
        """
        if any(map(is_symbolic, self.values())):
            return None
        if self.insert in (ZERO, ONE):
            shown = self.keep if self.insert == ZERO else self.keep[::-1]
            return certain_pairs(self.items, self.size, shown)
        assert self.b is not None
        found = counted_pairs(self) if self.items < 2 * self.size else None
        if found is None:
            found = weighed_pairs(self.items, self.size, self.insert, self.b)
        return found

    def crowd_columns(self) -> CrowdColumns | None:
        """Where items of t stay independently, as all others come in: flips, unary encodings."""
        apart = min(self.size, self.items - self.size)
        if any(map(is_symbolic, self.values())) or apart < 1:
            return None
        stay = self.support().own
        if self.keep != default_probabilities(self.size, stay):
            return None
        inputs, end = self.inputs(), apart + self.size
        second = inputs.index(frozenset(range(apart, end)))
        third = None
        if end + self.size <= self.items:
            third = inputs.index(frozenset(range(end, end + self.size)))
        return CrowdColumns(stay, self.insert, apart, apart, 0, second, third)

    def told_apart(self) -> tuple[Exact, Exact]:
        """Bits are independent."""
        lost, kept = self.keep
        return simplify(kept * (1 - self.insert)), simplify(self.insert * lost)

    def by_size(self, take: Take) -> list[tuple[int, Any, Any]]:
        """The other items that come in are binomially many, whatever happens to the one."""
        free = any(map(is_symbolic, (self.insert, *self.keep)))
        if self.items > (MAX_FORM_ITEMS if free else MAX_ENTRY_ITEMS):
            raise TooLarge(f"{self.items:,} values: sizes of reports are too many to add up")
        lost, kept = map(take, self.keep)
        come, none, others = take(self.insert), take(ZERO), self.items - 1
        if self.insert in (ZERO, ONE):
            many = others if self.insert == ONE else 0
            return [(many, none, lost), (many + 1, kept, none)]
        chances = [(1 - come) ** others]
        for count in range(others):
            chances.append(chances[-1] * (others - count) * come / ((count + 1) * (1 - come)))
        inside, outside = [none, *chances], [*chances, none]
        return [(w, kept * inside[w], lost * outside[w]) for w in range(self.items + 1)]

    def mass(self) -> Exact:
        """(p[0] + ... + p[m]) (rho + (1 - rho))^(n - m)."""
        coins = (self.insert + (1 - self.insert)) ** (self.items - self.size)
        return simplify(self._whole * coins)

    @cached_property
    def _whole(self) -> Exact:
        return total((1, p) for p in self.keep)

    def values(self) -> Sequence[Exact]:
        """rho, p[j] and b[j]."""
        return (self.insert, *self.keep, *(self.b or ()))

    def draw_members(self, members: Integers, bits: Bits) -> tuple[Integers, Integers]:
        """See OverlapLaw."""
        held = self.held(members, bits)
        sizes = np.count_nonzero(held, axis=1)
        items = np.flatnonzero(held)  # counted through all rows
        items -= np.repeat(np.arange(len(held)) * self.items, sizes)
        return items, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def held(self, members: Integers, bits: Bits) -> Members:
        """Randomized transactions as a table; in, each row lists the items of one.

        A coin for every item; those of t are then replaced by the choice of j among them.
        """
        count = len(members)
        held = toss(drawable(self.insert), count * self.items, bits).reshape(count, self.items)
        held[np.arange(count)[:, None], members] = self.stays(count, bits)
        return held

    def draw_packed(self, members: Integers, bits: Bits) -> Batch:
        """Eight coins a byte, then the bits of t one by one."""
        found = toss_packed(drawable(self.insert), len(members), self.items, bits)
        stays, rows = self.stays(len(members), bits), np.arange(len(members))
        for item, stay in zip(members.T, stays.T, strict=True):
            set_bits(found, rows, item, stay)
        return found

    @property
    def sizes_given(self) -> tuple[int, int]:
        """All, but where rho is 0 or 1: then j items, or j and all others."""
        if is_symbolic(self.insert) or self.insert not in (ZERO, ONE):
            return 0, self.items
        kept = [j for j, p in enumerate(self.keep) if p != ZERO]
        others = self.items - self.size if self.insert == ONE else 0
        return others + kept[0], others + kept[-1]

    def stays(self, count: int, bits: Bits) -> Members:
        """Steps 1 and 2 alone: which of the m items of each of so many transactions stay.

        j is drawn with probability p[j], and each j of the m are equally likely.
        """
        left = bits.choose(Steps.distribution(self.keep, bits.width), count)
        found = np.empty((count, self.size), dtype=bool)
        for place in range(self.size):  # selection sampling
            found[:, place] = bits.below(np.full(count, self.size - place, dtype=np.int64)) < left
            left -= found[:, place]
        return found

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """Of transactions of one size; a plan's client has several (run/client)."""
        sizes = {str(self.size): self.shipped()}
        return {"kind": "sizes", "items": self.items, "sizes": sizes}

    def client_alone(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """The same, of one item."""
        return single_json(inputs, self.client(inputs, outputs))

    def shipped(self) -> dict[str, Any]:
        """What a client draws with: p[j] and rho."""
        return {"keep": listed_json(self.keep), "insert": odds_json(self.insert)}

    def map(self, change: Callable[[Exact], Exact]) -> SelectASize:
        """The same law with parameters given values."""
        insert = change(self.insert)
        keep = tuple(map(change, self.keep))
        pole = insert in (ZERO, ONE) and not self._steady
        b = None if pole or self.b is None else tuple(map(change, self.b))
        return SelectASize(self.items, self.size, insert, keep, b, self.ends)


def select_a_size_law(operator: Operator) -> SelectASize | None:
    """The law of an operator that is a select-a-size, with all that plans do with it; or None."""
    return operator.law if isinstance(operator.law, SelectASize) else None


def spelled_keep(law: Randomization | SelectASize) -> dict[str, Any]:
    """p[j] as `keep`, or where those are long, b[j] up to a factor as `balance`.

    >>> spelled_keep(Randomization(1, Fraction(1, 4), (Fraction(1, 3), Fraction(2, 3))))
    {'keep': (Fraction(1, 3), Fraction(2, 3))}
    """
    if not all(map(is_rational, (law.insert, *law.keep))):
        return {"keep": law.keep}
    if max(len(number_text(p)) for p in law.keep) <= MAX_DIGITS:
        return {"keep": law.keep}
    ratios = balance(law.keep, law.insert)
    least = min(ratios)
    return {"balance": by_runs([b / least for b in ratios])}


def by_runs(ratios: Sequence[Exact]) -> Runs:
    """b[0], ..., b[m] as (value, how many in a row): short however large m is."""
    return tuple((b, len(list(run))) for b, run in itertools.groupby(ratios))


def check_sizes(items: int, size: int) -> None:
    """Refuse a transaction size that is not in 1..n."""
    if not 1 <= size <= items:
        raise ValueError(
            f"transactions of {size} items among {items}: the size must be in 1..{items}"
        )


def check_insert(insert: Exact, parameters: Sequence[Parameter] = ()) -> None:
    """Refuse a randomization level outside [0, 1]."""
    wrong = not_probability(insert, parameters)
    if wrong:
        raise ValueError(f"insert = {said(insert)} {wrong}")


def reaches_end(insert: Exact, parameters: Sequence[Parameter]) -> bool:
    """Whether rho may be 0 or 1 in the parameters' ranges; True where that is not decided."""
    free = free_parameters([insert], parameters)
    if not free:
        return insert in (ZERO, ONE)
    if len(free) > 1:
        return True
    (only,) = free
    closed = [end for end in (only.lower, only.upper) if end in only]
    return any(substitute(insert, {only.name: end}) in (ZERO, ONE) for end in closed) or any(
        zeros(simplify(value), only) for value in (insert, 1 - insert)
    )


def _check_balance(b: Sequence[Exact], keep: Sequence[Exact], insert: Exact) -> None:
    """Refuse b[j] that are not in the ratios of p[j] / p_def[j].

    Closed forms are compared at one point, which tells different ones apart but for bad luck.
    """
    names = sorted({s.name for v in (insert, *keep, *b) if is_symbolic(v) for s in v.free_symbols})
    point = {name: Fraction(31 + k, 97) for k, name in enumerate(names)}
    rho, *rest = (substitute(value, point) for value in (insert, *keep, *b))
    default = default_probabilities(len(keep) - 1, rho)
    p, ratios = rest[: len(keep)], rest[len(keep) :]
    shares = [share * d for share, d in zip(ratios, default, strict=True)]
    known = next(j for j, chance in enumerate(p) if chance != ZERO)
    if shares[known] == ZERO or any(
        share * p[known] != chance * shares[known] for share, chance in zip(shares, p, strict=True)
    ):
        raise ValueError("the balanced probabilities b[j] are not those of p[j]")


def select_a_size(
    items: int,
    size: int,
    insert: object,
    cutoff: int | None = None,
    gamma: object = None,
    keep: Sequence[object] | None = None,
    balance: Runs | None = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Select-a-size on all transactions of `size` of `items` items.

    Give either `cutoff` and `gamma` (Statement 2's form) or `keep` = [p[0], ..., p[m]]; releases
    also give `balance`, b[0], ..., b[m] up to a factor as (value, how many in a row).

    >>> basket = select_a_size(1000, 5, "51/100", cutoff=4, gamma=19)
    >>> [str(part.likelihood) for part in basket.views()[5].classes]
    ['19', '1']
    """
    check_sizes(items, size)
    rho = exact(insert)
    check_insert(rho, parameters)
    if balance is not None and keep is None and cutoff is None and gamma is None:
        chosen, ratios = _of_balance(balance, size, rho), None
    elif keep is not None and balance is None and cutoff is None and gamma is None:
        chosen = tuple(exact(p) for p in keep)
        _check_keep(chosen, parameters)
        ratios = None
    elif keep is None and balance is None and cutoff is not None and gamma is not None:
        bound = exact(gamma)
        _check_gamma(bound, parameters)
        ratios = cutoff_ratios(size, cutoff, bound)
        chosen = from_balance(ratios, rho)
    else:
        raise ValueError("select-a-size takes either cutoff and gamma, or keep")
    law = SelectASize(items, size, rho, chosen, ratios, reaches_end(rho, parameters))
    return Operator(law.inputs(), law.outputs(), law, name, parameters)


def _of_balance(runs: Runs, size: int, insert: Exact) -> tuple[Exact, ...]:
    """p[0..m] from the runs of b[0..m]."""
    ratios = [exact(b) for b, many in runs if 0 <= many <= size + 1 for _ in range(many)]
    known = not any(map(is_symbolic, (insert, *ratios)))
    if not known or not 0 < insert < 1 or len(ratios) != size + 1 or min(ratios) <= 0:
        raise ValueError(f"select_a_size: balance does not have {size + 1} values above 0")
    return from_balance(ratios, insert)


def _check_gamma(gamma: Exact, parameters: Sequence[Parameter]) -> None:
    if is_symbolic(gamma):
        undeclared = {s.name for s in gamma.free_symbols} - {p.name for p in parameters}
        if undeclared:
            raise ValueError(f"gamma has undeclared parameters: {', '.join(sorted(undeclared))}")
        if sign_over(simplify(gamma - 1), parameters) not in (0, 1):
            raise ValueError(f"gamma = {said(gamma)} could not be shown to be at least 1")
    elif gamma < 1:
        raise ValueError(f"gamma = {said(gamma)} is below 1, the least amplification there is")


def _check_keep(keep: Sequence[Exact], parameters: Sequence[Parameter]) -> None:
    for j, p in enumerate(keep):
        wrong = not_probability(p, parameters)
        if wrong:
            raise ValueError(f"p[{j}] = {said(p)} {wrong}")
