"""Design: choose rho = a/2^b and p[j] for each transaction size so that the largest LDS is least.

gamma = rho2 (1 - rho1) / (rho1 (1 - rho2)) is the bound of EGS03 Statement 1, which must not
be reached: with equality an exact rho1-to-rho2 breach exists. A plan therefore uses
gamma (1 - 10^-6), or, for the paper's figures (`paper`), gamma itself.

Where most items would be sent, the complement of a report is (`mirrored`). With y'_a = 1 - y_a for
every item, y'_a - (1 - rho) = -(y_a - rho): the complement of a report of (rho, b[j]) is a report
of (1 - rho, b[m - j]), lambda_k changes its sign at most, and amplification and noise stay as they
are. Of the two the one with rho <= 1/2 sends fewer items.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from ppdm_formal.declare.arithmetic.exact import exact, is_symbolic
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.select_a_size import Randomization, cutoff_ratios, from_balance
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.design import optimum
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.lds import (
    LowestSupport,
    lowest_discoverable_support,
    lowest_support_of,
    worst,
)
from ppdm_formal.design.optimum import best_form, best_found
from ppdm_formal.design.paper_form import MAX_BITS, Dyadic, best_paper_form, discoverable_itemsets
from ppdm_formal.design.plan import Plan, SizePlan, everyone, gamma_bound
from ppdm_formal.design.plan_facts import (
    BestFacts,
    CheaperForm,
    FormFacts,
    OtherForm,
    RealForm,
    SizeFacts,
    Supports,
)
from ppdm_formal.design.plan_notes import search_notes
from ppdm_formal.design.recovery import Recovery
from ppdm_formal.design.seed_size import compressed_bits

MARGIN = Fraction(1, 10**6)
"""How far below gamma a plan stays, so that it certifies."""

Form: TypeAlias = Literal["best", "paper"]
"""All of select-a-size, or Statement 2's form."""

MAX_SIZE = 1000
"""The largest transaction that is designed for."""

MAX_ITEMSET = 20
"""The largest itemset that is designed for."""


@dataclass(frozen=True)
class FoundForm:
    """What a search chose for one size: rho, b[j] up to a factor, and what is said of it."""

    insert: Fraction
    ratios: tuple[Fraction, ...]
    cutoff: int | None
    best_real: RealForm
    cheaper: tuple[CheaperForm, ...]
    best: BestFacts | None = None


def paper_choice(
    size: int, gamma: Fraction, itemsets: Sequence[int], transactions: int, bits: int | None
) -> FoundForm:
    """The best of Statement 2's form, with cheaper choices and the best real rho."""
    found = best_paper_form(size, gamma, itemsets, transactions, bits)
    ratios = tuple(map(exact, cutoff_ratios(size, found.chosen.cutoff, gamma)))
    real = RealForm(found.real.insert, found.real.lds)
    cheaper = _with_fewer_bits(found.cheaper)
    return FoundForm(found.chosen.insert, ratios, found.chosen.cutoff, real, cheaper)


def _with_fewer_bits(found: Iterable[Dyadic | optimum.Choice]) -> tuple[CheaperForm, ...]:
    """What a plan says of the choices that take fewer bits."""
    return tuple(CheaperForm(each.bits, each.insert, each.cutoff, each.lds) for each in found)


def best_choice(
    size: int,
    gamma: Fraction,
    itemsets: Sequence[int],
    transactions: int,
    bits: int | None,
    deadline: Deadline,
) -> FoundForm:
    """The best of all select-a-size, how good it is, and the paper's form for comparison."""
    found = best_form(size, gamma, itemsets, transactions, bits, deadline)
    paper = best_paper_form(size, gamma, itemsets, transactions, bits).chosen
    real = RealForm(found.real.x / (1 + found.real.x), found.real.support)
    other = OtherForm(paper.insert, paper.cutoff, paper.lds)
    facts = BestFacts(found.lds, found.lower_bound, found.gap, found.evidence, other)
    cheaper = _with_fewer_bits(found.cheaper)
    return FoundForm(found.insert, found.ratios, found.cutoff, real, cheaper, facts)


def design(
    sizes: Iterable[int],
    transactions: int | Mapping[int, int],
    rho1: object,
    rho2: object,
    itemsets: int,
    items: int | None = None,
    bits: int | None = None,
    paper: bool = False,
    form: Form = "best",
    deadline: Deadline = NEVER,
) -> Plan:
    """The plan with rho, j* and p[j] for each transaction size, and their LDS.

    `transactions` counts those of each size (one number: as many for every size).
    Itemsets of 1 to `itemsets` items are mined; a smaller transaction uses its own size.
    Where no parameters make the larger ones discoverable, the plan is the best for the smaller.
    `form`: the best of all p[j], with what is known of the optimum (sought until the deadline),
    or the paper's, Statement 2's.

    >>> (part,) = design([5], 5_000_000, "5%", "50%", 3, paper=True, form="paper").only.sizes
    >>> part.facts.cutoff, str(part.randomization.insert), str(part.facts.lds[3])[:8]
    (4, '131/256', '0.004955')
    """
    low, high = _rational(rho1, "rho1"), _rational(rho2, "rho2")
    gamma = gamma_bound(low, high)
    used = gamma if paper else gamma * (1 - MARGIN)
    wanted = sorted(set(sizes))
    _check(wanted, transactions, itemsets, items, bits, used)
    counts = {m: transactions if isinstance(transactions, int) else transactions[m] for m in wanted}
    parts = [
        _sized(
            m, used, itemsets, counts[m], items, bits, form, deadline.part(1 / (len(wanted) - i))
        )
        for i, m in enumerate(wanted)
    ]
    plan = Plan(
        low,
        high,
        items,
        itemsets,
        (everyone(tuple(parts)),),
        form=form,
        gamma_used=used,
        paper=paper,
        transactions=transactions if isinstance(transactions, int) else sum(counts.values()),
    )
    return replace(plan, notes=tuple(search_notes(plan)))


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
    if sizes[-1] > MAX_SIZE:
        raise ValueError(f"transactions of {sizes[-1]} items: sizes go up to {MAX_SIZE}")
    if itemsets > MAX_ITEMSET:
        raise ValueError(f"itemsets of {itemsets} items: they go up to {MAX_ITEMSET}")
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


def _sized(
    size: int,
    gamma: Fraction,
    itemsets: int,
    count: int,
    items: int | None,
    bits: int | None,
    form: Form,
    deadline: Deadline,
) -> SizePlan:
    mined = range(1, min(itemsets, size) + 1)
    found = discoverable_itemsets(size, gamma, mined, count)
    while (
        form == "best"
        and found < len(mined)
        and best_found(size, gamma, mined[: found + 1], count) <= 1
    ):
        found += 1
    aimed, enough = mined[: max(found, 1)], count
    while not found:  # designed as for more transactions: the LDS itself says nothing above 1
        enough *= 10
        found = discoverable_itemsets(size, gamma, aimed, enough)
    if form == "best":
        chosen = best_choice(size, gamma, aimed, enough, bits, deadline)
    else:
        chosen = paper_choice(size, gamma, aimed, enough, bits)
    law = Randomization(size, chosen.insert, from_balance(chosen.ratios, chosen.insert))
    part = replace(SizePlan.spelled(size, law), transactions=count)
    lds, lds_worst = lowest_supports(law, mined, count)
    facts = SizeFacts(
        amplification_of(chosen.ratios, items),
        lds,
        chosen.cutoff,
        None if items is None else law.expected_size(items),
        None if items is None else compressed_bits(items, part.bits, size, len(mined)),
        FormFacts(len(aimed), form, lds_worst, chosen.best_real, chosen.cheaper, chosen.best),
    )
    return replace(part, facts=facts)


def lowest_supports(
    randomization: Randomization, mined: Sequence[int], count: int
) -> tuple[Supports, Supports]:
    """The LDS of each itemset size: by the paper's assumption, and at the worst.

    The latter is the four-deviation support where all other transactions hold whatever number of
    the itemset's items makes most noise: above it nothing is falsely seen by chance. None where
    supports cannot be recovered, or none at all is discoverable.
    """
    found = moments(randomization, max(mined))
    noise = {k: found.noise(k) for k in mined if found.recoverable(k)}
    alone = {k: lowest_support_of(v, count).shown for k, v in noise.items()}
    most = {k: lowest_support_of(v, count, worst(k)).shown for k, v in noise.items()}
    return {k: alone.get(k) for k in mined}, {k: most.get(k) for k in mined}


def lowest_support(randomization: Randomization, itemset: int, count: int) -> LowestSupport:
    """The exact LDS of a randomization, under the paper's assumption."""
    return lowest_discoverable_support(Recovery.of(randomization, itemset), count)


def amplification_of(ratios: Sequence[Fraction], items: int | None = None) -> Fraction:
    """The amplification of b[0..m]; without a number of items, for any that is large enough.

    A randomized transaction of m' items overlaps the others in j = m' - (n - m) to m' items.

    >>> str(amplification_of([Fraction(2), Fraction(3), Fraction(5)], 3))
    '5/3'
    """
    size = len(ratios) - 1
    if items is None or items >= 2 * size:
        return max(ratios) / min(ratios)
    others = items - size
    windows = (ratios[max(0, top - others) : top + 1] for top in range(size + others + 1))
    return max(max(window) / min(window) for window in windows)


def mirrored(randomization: Randomization) -> Randomization:
    """What sends the complement.

    >>> third = Fraction(1, 3)
    >>> found = mirrored(Randomization(2, 2 * third, (Fraction(0), third, 2 * third)))
    >>> str(found.insert), [str(p) for p in found.keep]
    ('1/3', ['2/3', '1/3', '0'])
    """
    return Randomization(
        randomization.size, 1 - randomization.insert, tuple(reversed(randomization.keep))
    )


def sends_most(randomization: Randomization) -> bool:
    """Whether more than half of the items that a client does not hold are sent."""
    return bool(randomization.insert > Fraction(1, 2))
