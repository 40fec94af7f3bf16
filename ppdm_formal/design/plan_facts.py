"""What a plan says besides what runs: how forms were found, and what is forecast, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from ppdm_formal.design.cut import Around, Remains

Supports: TypeAlias = Mapping[int, Decimal | None]
"""The LDS by size of itemsets, in decimal; None where no support at all is discoverable."""

Likely: TypeAlias = Mapping[int, float | None]
"""The same in floating point."""


@dataclass(frozen=True)
class RealForm:
    """The best that was found for any real rho (floating point)."""

    insert: float
    lds: float


@dataclass(frozen=True)
class CheaperForm:
    """A choice that takes fewer bits: rho = a/2^b, j* where it has one, and its largest LDS."""

    bits: int
    insert: Fraction
    cutoff: int | None
    lds: float


@dataclass(frozen=True)
class OtherForm:
    """The paper's form for comparison, with its largest LDS."""

    insert: Fraction
    cutoff: int
    largest: float


@dataclass(frozen=True)
class Complemented:
    """The form whose complement is sent."""

    insert: Fraction
    cutoff: int | None


@dataclass(frozen=True)
class BestFacts:
    """How good the best form is: its largest LDS, and the bound that no other gets below.

    The bound says something only where the evidence is "proved"; gap: by which share it is lower.
    """

    largest: float
    lower_bound: float
    gap: float
    evidence: Literal["proved", "best found"]
    paper_form: OtherForm


@dataclass(frozen=True)
class FormFacts:
    """What the search for a form found.

    itemsets: up to how many items it was designed for, where larger itemsets cannot be seen.
    searched_with: how many transactions the search assumed, where those that there are see little.
    """

    itemsets: int
    form: Literal["best", "paper"]
    lds_worst: Supports
    best_real: RealForm
    cheaper: tuple[CheaperForm, ...]
    best: BestFacts | None = None
    complement_of: Complemented | None = None
    searched_with: int | None = None


@dataclass(frozen=True)
class ItemFacts:
    """What was found of cut-and-paste: its cutoff K, and an item's worst posteriors, rounded up.

    item_posteriors: by size of the itemset that is seen; item_posterior_any_size: of any.
    """

    itemsets: int
    lds_worst: Supports
    cut_and_paste: int
    item_posteriors: Mapping[int, Fraction]
    item_posterior_any_size: Fraction


@dataclass(frozen=True)
class SizeFacts:
    """What was found for baskets of one size; nothing that runs depends on it.

    expected_size: of a report, exact, or rounded where clients report in groups.
    """

    amplification: Fraction
    lds: Supports
    cutoff: int | None
    expected_size: Fraction | Decimal | None
    compressed_bits: int | None
    searched: FormFacts | ItemFacts | None = None


@dataclass(frozen=True)
class Certified:
    """What was decided of the operator of one size, and by whom it was confirmed."""

    claim: str
    verdict: str
    trust: str


@dataclass(frozen=True)
class Way:
    """Sizes public, padded or cut, each with the paper's form: what the pooled estimates see.

    size: the one size, None where sizes are public. lds: by k, of the supports that remain; needed:
    of those before cutting, if itemsets are spread evenly over sizes. None: nothing is seen.
    """

    sizes: Literal["public", "pad", "cut"]
    size: int | None
    lds: Likely
    needed: Likely

    @property
    def worst(self) -> float:
        """The largest support that is needed; infinite where nothing is seen of some k."""
        return max(float("inf") if s is None else s for s in self.needed.values())


@dataclass(frozen=True)
class PooledForecast:
    """What the reports of one group will say of k-itemsets: see forecast.Pool.

    deviation: of the estimate at support 0. remains: of supports, where baskets are cut.
    """

    group: str
    itemset: int
    clients: Fraction
    deviation: float
    lds: Decimal | None
    remains: Remains | None


@dataclass(frozen=True)
class FormSeen:
    """The largest LDS of a form, of one size or of all; None with a reason, where there is one."""

    size: int | None
    form: str
    largest: float | None
    why: str | None = None


@dataclass(frozen=True)
class MissedItem:
    """With which chance phase one misses an item of a support.

    Where baskets are cut: between which chances, and what remains of supports like this one.
    """

    support: float
    chance: float
    between: tuple[float, float] | None = None
    remains: Around | None = None

    @property
    def possible(self) -> bool:
        """Whether there are such supports."""
        return self.support <= 1


@dataclass(frozen=True)
class ProjectedForecast:
    """Phase two with projected sizes public, or hidden: its share, and what it sees, by k.

    most: longer projected baskets are cut to this size. largest: also of what phase one finds.
    """

    hidden: bool
    most: int
    share: Fraction
    largest: float
    reports: Literal["items", "sets"]
    lds: Likely
    remains: Mapping[int, float]


@dataclass(frozen=True)
class Continued:
    """How many items phase one found, and the projected sizes that are then expected."""

    items: int
    sizes: Mapping[int, int]


@dataclass(frozen=True)
class TwoPhaseForecast:
    """What is predicted of two phases: from which estimate on items are chosen, and what follows.

    let_in: the chance of an item of support 0. chosen: how many are expected to be. sizes: the
    projected sizes. projected: as planned first, then the other way, where there is one.
    """

    threshold: float
    strictness: float
    let_in: float
    chosen: float | None
    missed: tuple[MissedItem, ...]
    items_lds: Decimal
    sizes: Mapping[int, int]
    projected: tuple[ProjectedForecast, ...]
    continued: Continued | None = None
