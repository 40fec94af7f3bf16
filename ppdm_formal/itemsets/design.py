"""Design: choose rho = a/2^b and j* for each transaction size so that the largest LDS is least.

gamma = rho2 (1 - rho1) / (rho1 (1 - rho2)) is the bound of EGS03 Statement 1, which must not
be reached: with equality an exact rho1-to-rho2 breach exists. A plan therefore uses
gamma (1 - 10^-6), or, for the paper's figures (`paper`), gamma itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from ppdm_formal.families.select_a_size import Randomization, from_balance, select_a_size
from ppdm_formal.itemsets.lds import LowestSupport, lowest_discoverable_support
from ppdm_formal.itemsets.lds_scan import lds_grid
from ppdm_formal.itemsets.optimum import Point, best_cutoff, best_of_forms, vertex_forms
from ppdm_formal.itemsets.plan import FORMAT, law_json
from ppdm_formal.itemsets.recovery import Recovery
from ppdm_formal.itemsets.seed_size import compressed_bits
from ppdm_formal.numbers.exact import Exact, exact, is_symbolic
from ppdm_formal.numbers.spelling import number_text

MARGIN = Fraction(1, 10**6)
"""How far below gamma a plan stays, so that it certifies."""

TOLERANCE = 1e-4
"""Bits of rho are added until the LDS is within this fraction of the best real rho's."""

Search: TypeAlias = Literal["cutoff", "vertices"]

MAX_BITS = 30
_ALL_BITS = 10  # up to here every a/2^b is tried


def gamma_bound(rho1: Fraction, rho2: Fraction) -> Fraction:
    """The amplification at which rho1-to-rho2 breaches become possible (Statement 1).

    >>> str(gamma_bound(Fraction(1, 20), Fraction(1, 2)))
    '19'
    """
    if not 0 < rho1 < rho2 < 1:
        raise ValueError(f"a plan needs 0 < rho1 < rho2 < 1, not rho1 = {rho1}, rho2 = {rho2}")
    return rho2 * (1 - rho1) / (rho1 * (1 - rho2))


@dataclass(frozen=True)
class Dyadic:
    """A choice rho = a/2^b: which j have b[j] = gamma, and the largest LDS (floating point)."""

    bits: int
    insert: Fraction
    high: tuple[bool, ...]
    lds: float

    def ratios(self, gamma: Fraction) -> tuple[Fraction, ...]:
        """b[j] up to a factor."""
        return tuple(gamma if high else Fraction(1) for high in self.high)

    @property
    def cutoff(self) -> int | None:
        """j*, where the choice has Statement 2's form."""
        first = self.high.index(True)
        return first - 1 if all(self.high[first:]) else None


def best_dyadic(
    points: Sequence[Point], itemsets: Sequence[int], transactions: int, bits: int
) -> Dyadic:
    """The best rho of the form a/2^b among the forms of b that the points have."""
    whole = 1 << bits
    if bits <= _ALL_BITS:
        tops = np.broadcast_to(np.arange(1, whole), (len(points), whole - 1))
    else:
        near = [[int(p.insert * whole) + step for step in (-1, 0, 1, 2)] for p in points]
        tops = np.clip(np.array(near), 1, whole - 1)
    forms = np.array([point.ratios for point in points])[:, None, :]
    values = lds_grid(forms, tops / whole, itemsets, transactions)
    row, column = np.unravel_index(int(values.argmin()), values.shape)
    ratios = points[int(row)].ratios
    insert = Fraction(int(tops[row, column]), whole)
    high = tuple(b > min(ratios) for b in ratios)
    return Dyadic(bits, insert, high, float(values.min()))


def candidates(
    size: int, gamma: float, itemsets: Sequence[int], transactions: int, search: Search
) -> list[Point]:
    """The best real rho for each cutoff, or for the most promising vertices as well.

    Of two mirrored choices (rho, b[j]) and (1 - rho, b[m - j]) the one with fewer insertions.
    """
    points = best_cutoff(size, gamma, itemsets, transactions)
    if search == "vertices":
        others = best_of_forms(vertex_forms(size, gamma), itemsets, transactions, 399)
        points += [p if p.insert <= 0.5 else p.mirrored() for p in others[:8]]
        points.sort(key=lambda point: point.lds)
    return points


def best_randomization(
    size: int,
    gamma: Fraction,
    itemsets: Sequence[int],
    transactions: int,
    bits: int | None = None,
    search: Search = "cutoff",
) -> tuple[Dyadic, list[Dyadic], Point]:
    """The choice for one size, the cheaper choices with fewer bits, and the best real rho."""
    real = candidates(size, float(gamma), itemsets, transactions, search)
    tried: list[Dyadic] = []
    for count in [bits] if bits is not None else range(1, MAX_BITS + 1):
        found = best_dyadic(real, itemsets, transactions, count)
        if math.isfinite(found.lds) and (not tried or found.lds < tried[-1].lds):
            tried.append(found)
        if tried and tried[-1].lds <= real[0].lds * (1 + TOLERANCE):
            break
    if not tried:
        raise ValueError(
            f"no rho with {bits} bits lets supports be recovered from transactions of {size} items"
        )
    return tried[-1], tried[:-1], real[0]


def design(
    sizes: Iterable[int],
    transactions: int | Mapping[int, int],
    rho1: object,
    rho2: object,
    itemsets: int,
    items: int | None = None,
    bits: int | None = None,
    paper: bool = False,
    search: Search = "cutoff",
) -> dict[str, Any]:
    """The plan (ppdm-plan/1): rho, j* and p[j] for each transaction size, with their LDS.

    `transactions` counts those of each size (one number: as many for every size).
    Itemsets of 1 to `itemsets` items are mined; a smaller transaction uses its own size.
    `search` is over Statement 2's form, or over all vertices b[j] in {1, gamma} (cutoff null
    where the best has no j*).

    >>> plan = design([5], 5_000_000, "5%", "50%", 3, paper=True)
    >>> plan["sizes"][0]["cutoff"], plan["sizes"][0]["insert"], plan["sizes"][0]["lds"]["3"][:8]
    (4, '131/256', '0.004955')
    """
    low, high = _rational(rho1, "rho1"), _rational(rho2, "rho2")
    gamma = gamma_bound(low, high)
    used = gamma if paper else gamma * (1 - MARGIN)
    wanted = sorted(set(sizes))
    _check(wanted, transactions, itemsets, items, bits, used)
    counts = {m: transactions if isinstance(transactions, int) else transactions[m] for m in wanted}
    plan: dict[str, Any] = {
        "format": FORMAT,
        "rho1": number_text(low),
        "rho2": number_text(high),
        "gamma": number_text(gamma),
        "gamma_used": number_text(used),
        "paper": paper,
        "transactions": transactions if isinstance(transactions, int) else sum(counts.values()),
        "items": items,
        "itemsets": itemsets,
        "deviations": 4,
        "assumption": "s_k = s, s_0 = 1 - s; all transactions of one size",
        "sizes": [_entry(m, used, itemsets, counts[m], items, bits, search) for m in wanted],
    }
    plan["notes"] = _notes(plan)
    return plan


def _rational(value: object, what: str) -> Fraction:
    number = exact(value)
    if is_symbolic(number):
        raise ValueError(f"{what} needs a value")
    return number


def _check(
    sizes: Sequence[int],
    transactions: int | Mapping[int, int],
    itemsets: int,
    items: int | None,
    bits: int | None,
    gamma: Fraction,
) -> None:
    if not sizes or sizes[0] < 1:
        raise ValueError("a plan needs transaction sizes of at least 1")
    if itemsets < 1:
        raise ValueError(f"itemsets of {itemsets} items: at least 1 is needed")
    if itemsets > sizes[-1]:
        raise ValueError(
            f"itemsets of {itemsets} items fit in no transaction: the largest size is {sizes[-1]}"
        )
    if items is not None and items < sizes[-1]:
        raise ValueError(f"transactions of {sizes[-1]} items need more than {items} items")
    if bits is not None and not 1 <= bits <= MAX_BITS:
        raise ValueError(f"rho = a/2^b needs 1 to {MAX_BITS} bits, not {bits}")
    if not isinstance(transactions, int):
        missing = [m for m in sizes if m not in transactions]
        if missing:
            raise ValueError(f"how many transactions have {missing[0]} items is not given")
    least = transactions if isinstance(transactions, int) else min(transactions[m] for m in sizes)
    if least < 1:
        raise ValueError(f"{least} transactions: at least one of each size is needed")
    if gamma <= 1:
        raise ValueError(
            f"an amplification of {number_text(gamma)} leaves nothing to learn: "
            "rho1 and rho2 are too close"
        )


def _entry(
    size: int,
    gamma: Fraction,
    itemsets: int,
    count: int,
    items: int | None,
    bits: int | None,
    search: Search,
) -> dict[str, Any]:
    mined = range(1, min(itemsets, size) + 1)
    chosen, cheaper, real = best_randomization(size, gamma, mined, count, bits, search)
    keep = from_balance(chosen.ratios(gamma), chosen.insert)
    randomization = Randomization(size, chosen.insert, keep)
    found = {k: lowest_support(randomization, k, count) for k in mined}
    # Fewer bits may remain after cancelling: 128/256 costs as much as 1/2.
    spent = chosen.insert.denominator.bit_length() - 1
    return {
        "size": size,
        "transactions": count,
        "insert": number_text(chosen.insert),
        "bits": spent,
        "cutoff": chosen.cutoff,
        **law_json(randomization),
        "amplification": number_text(_amplification(randomization, items)),
        "lds": {str(k): s.decimal() if s.discoverable else None for k, s in found.items()},
        "best_real": {"insert": repr(real.insert), "lds": repr(real.lds)},
        "cheaper": [
            {
                "bits": d.bits,
                "insert": number_text(d.insert),
                "cutoff": d.cutoff,
                "lds": repr(d.lds),
            }
            for d in cheaper
        ],
        "expected_size": None if items is None else number_text(randomization.expected_size(items)),
        "compressed_bits": (
            None if items is None else compressed_bits(items, spent, size, len(mined))
        ),
    }


def lowest_support(randomization: Randomization, itemset: int, count: int) -> LowestSupport:
    """The exact LDS of a randomization, under the paper's assumption."""
    return lowest_discoverable_support(Recovery.of(randomization, itemset), count)


def _amplification(randomization: Randomization, items: int | None) -> Exact:
    """The exact amplification; without a number of items, for any that is large enough."""
    size = randomization.size
    many = 2 * size if items is None else items
    operator = select_a_size(many, size, randomization.insert, keep=randomization.keep)
    shown = [[part.likelihood for part in view.classes] for view in operator.views()]
    return max(max(values) / min(values) for values in shown)


def _notes(plan: Mapping[str, Any]) -> list[str]:
    notes = []
    if plan["paper"]:
        notes.append(
            f"gamma = {plan['gamma']} is reached with equality, as in the paper's figures: "
            f"an exact {plan['rho1']}-to-{plan['rho2']} breach exists (a two-point prior)."
        )
    for entry in plan["sizes"]:
        lost = [k for k, s in entry["lds"].items() if s is None]
        if lost:
            notes.append(
                f"{entry['transactions']} transactions of {entry['size']} items are too few: no "
                f"support of itemsets of {', '.join(lost)} items is discoverable."
            )
    return notes
