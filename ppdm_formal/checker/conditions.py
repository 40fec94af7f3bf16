"""Free parameters: what breaks the claim, as polynomials that would have to be positive."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from .canonical import canonical
from .claim import BoundClaim, BreachClaim, Claim
from .closed_form import Quotient, Terms, combined, evaluate
from .limits import MAX_CHOICES, MAX_DEGREE, ONE, ZERO
from .reading import read_count
from .result import need
from .view import Described, View

Point = Mapping[str, Fraction]
Condition = tuple[Quotient, bool]  # above 0 if the flag is set, otherwise at least 0


@dataclass(frozen=True)
class FormClass:
    """A class of a view, its numbers closed forms; the texts of prior and knowledge tell kinds."""

    likelihood: Quotient
    prior: Quotient
    knowledge: Quotient
    count: int
    member: tuple[bool, ...]
    texts: tuple[Any, ...]


def symbols_of(described: Described) -> dict[str, Quotient]:
    """Each parameter as a polynomial."""
    names = list(described.parameters)
    units = [tuple(int(i == j) for j in range(len(names))) for i in range(len(names))]
    nothing = {(0,) * len(names): ONE}
    return {name: Quotient({unit: ONE}, nothing) for name, unit in zip(names, units, strict=True)}


def read_forms(described: Described, claim: Claim) -> list[list[FormClass]]:
    """The views with closed forms as quotients, whose sums must be right as closed forms."""
    family = isinstance(claim, BreachClaim) and claim.family is not None
    need(not family, "a family of priors is not decided with free parameters")
    symbols = symbols_of(described)
    known: dict[str, Quotient] = {}

    def form(text: str) -> Quotient:
        if text not in known:
            known[text] = next(iter(symbols.values())).lifted(evaluate(text, symbols))
        return known[text]

    views = [
        [
            FormClass(
                form(part["likelihood"]),
                form(part.get("prior", "1")),
                form(part.get("knowledge", "1")),
                read_count(part["count"]),
                tuple(part.get("member", ())),
                (part.get("prior"), part.get("knowledge")),
            )
            for part in raw["classes"]
        ]
        for raw in described.raw["views"]
    ]
    if isinstance(claim, BoundClaim) and claim.factor is not None:
        check_pair_sums(described, views)
    else:
        check_sums(described, claim, views)
    return views


def with_symbols(claim: Claim, described: Described) -> Claim:
    """The claim with closed forms in place of an epsilon that is a parameter's."""
    return claim.given(symbols_of(described))


def raised(form: Quotient, reports: int) -> Quotient:
    """The likelihood of so many reports of one output."""
    degree = max(sum(powers) for part in (form.top, form.bottom) for powers in (*part, (0,)))
    need(reports == 1 or degree * reports <= MAX_DEGREE, "likelihoods of too many reports")
    found = form
    for _ in range(reports - 1):
        found = found * form
    return found


def check_sums(described: Described, claim: Claim, views: list[list[FormClass]]) -> None:
    """What read_views asks of sums of numbers, of sums of closed forms: for all parameters."""
    groups: dict[bytes, list[tuple[int, list[FormClass]]]] = {}
    for raw, view in zip(described.raw["views"], views, strict=True):
        known = canonical(raw.get("known"))
        groups.setdefault(known, []).append((read_count(raw["outputs"]), view))

    def sums(rows: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key, value in rows:
            found[key] = found[key] + value if key in found else value
        return found

    def counts(view: list[FormClass], kind: Callable[[FormClass], Any]) -> dict[Any, int]:
        return sums((kind(part), part.count) for part in view)

    def kind(part: FormClass) -> Any:
        return part.member, part.texts

    def before(part: FormClass) -> Any:
        return part.member, part.texts[0]

    for group in groups.values():
        kinds = counts(group[0][1], kind)
        good = all(counts(view, kind) == kinds for _, view in group)
        need(good, "kinds of inputs not as elsewhere, as closed forms")
        mass = sums(
            (kind(part), outputs * part.count * part.likelihood)
            for outputs, view in group
            for part in view
        )
        good = described.relative or all(equals(mass[key], n) for key, n in kinds.items())
        need(good, "likelihoods do not sum to 1 for all parameters")
        if claim.prior is not None:
            whole = sums((None, part.count * part.prior) for part in group[0][1])
            need(equals(whole[None], 1), "the prior does not sum to 1 for all parameters")
    firsts = [group[0][1] for group in groups.values()]
    told = sums((before(part), part.count * part.knowledge) for view in firsts for part in view)
    good = all(equals(told[key], n) for view in firsts for key, n in counts(view, before).items())
    need(claim.knowing is None or good, "what is known does not sum to 1 for all parameters")


def check_pair_sums(described: Described, views: list[list[FormClass]]) -> None:
    """Of each pair: both inputs' likelihoods sum to 1 for all parameters."""
    groups: dict[bytes, list[tuple[int, list[FormClass]]]] = {}
    for raw, view in zip(described.raw["views"], views, strict=True):
        groups.setdefault(canonical(raw["known"]), []).append((read_count(raw["outputs"]), view))
    for group in groups.values():
        need(all(len(view) == 2 for _, view in group), "not the views of one pair")
        for place in (0, 1):
            first, *others = [outputs * view[place].likelihood for outputs, view in group]
            good = equals(sum(others, first), 1)
            need(good, "likelihoods of an input of a pair do not sum to 1 for all parameters")


def exceeding(
    forms: list[list[FormClass]], views: list[View], claim: BoundClaim, at: BoundClaim
) -> tuple[list[list[Condition]], list[Quotient]]:
    """When a pair breaks a bound on delta, and what keeps its sign as long as the same outputs do.

    The outputs at which one input exceeds the other are those on views of numbers, `at` which the
    claim is one of numbers too.
    """
    cases, order = [], []
    groups: dict[bytes, list[int]] = {}
    for place, view in enumerate(views):
        groups.setdefault(view.known, []).append(place)
    for places, likely in product(groups.values(), (0, 1)):
        total = forms[places[0]][0].likelihood.lifted(0)
        for place in places:
            one, two = (forms[place][k].likelihood for k in (likely, 1 - likely))
            more, less = (views[place].classes[k].likelihood for k in (likely, 1 - likely))
            order.append(one - two * claim.factor)
            if more > at.factor * less:
                total = total + views[place].outputs * order[-1]
        cases.append([(total - claim.bound, claim.relation == "<=")])
    return cases, order


def equals(form: Quotient, number: int) -> bool:
    """Whether a closed form is a number, whatever the parameters."""
    return not combined(1, form.top, -number, form.bottom)


def value_at(polynomial: Terms, point: Point) -> Fraction:
    """The value of a polynomial."""
    total = ZERO
    for powers, c in polynomial.items():
        total += c * math.prod(x**power for x, power in zip(point.values(), powers, strict=True))
    return total


def probabilities(views: list[list[FormClass]], relative: bool) -> Iterator[Quotient]:
    """What must be at least 0 for all parameters."""
    for part in (part for view in views for part in view):
        for number in (part.likelihood, part.prior, part.knowledge):
            yield number
            if not (relative and number is part.likelihood):
                yield 1 - number


def sides(view: list[FormClass], claim: Claim) -> Iterator[tuple[list[int], list[int]]]:
    """Which classes may be likely (inside the property) and which unlikely (outside it)."""
    places = [place for place, part in enumerate(view) if part.knowledge.top]
    if isinstance(claim, BoundClaim) or claim.about is None:
        yield places, places
        return
    for direction in claim.directions:
        upward = direction == "upward"
        inside = [place for place in places if view[place].member[claim.about] == upward]
        yield inside, [place for place in places if place not in inside]


def broken_if(likely: FormClass, unlikely: FormClass, claim: Claim) -> list[Condition]:
    """When two inputs break a claim under all priors, or on amplification: if all this holds."""
    most, least = (raised(part.likelihood, claim.reports) for part in (likely, unlikely))
    if isinstance(claim, BoundClaim):
        beyond = most - least * claim.limit
        return [(likely.likelihood, True), (beyond, claim.relation == "<=")]
    more, less = claim.rho1 * (1 - claim.rho2), claim.rho2 * (1 - claim.rho1)
    return [(likely.likelihood, True), (most.combined(more, least, -less), False)]


def shifts_of_prior(view: list[FormClass], claim: BreachClaim) -> Iterator[list[Condition]]:
    """When a property breaks a claim under one prior: the output is seen, and beliefs move."""
    held = [part.prior * part.knowledge for part in view]
    seen = [mass * part.likelihood for mass, part in zip(held, view, strict=True)]
    counts = [part.count for part in view]
    choices: Iterable[Sequence[int]] = product(*(range(n + 1) for n in counts))
    if claim.about is not None:
        choices = [[n * part.member[claim.about] for n, part in zip(counts, view, strict=True)]]
    else:
        need(math.prod(n + 1 for n in counts) <= MAX_CHOICES, "too many properties to try")

    def total(chosen: Sequence[int], masses: list[Quotient]) -> Quotient:
        parts = [n * mass for n, mass in zip(chosen, masses, strict=True) if n]
        return sum(parts, masses[0].lifted(0))

    everything, output = total(counts, held), total(counts, seen)
    for chosen in choices:
        before, after = total(chosen, held), total(chosen, seen)
        for direction in claim.directions:
            low, high, of_low, of_high = before, after, everything, output
            if direction == "downward":
                low, high, of_low, of_high = after, before, output, everything
            yield [
                (output, True),
                (of_low.combined(claim.rho1, low, -1), False),
                (high.combined(1, of_high, -claim.rho2), False),
            ]


def by_polynomials(claim: Claim, free: int) -> bool:
    """Whether signs of polynomials decide a claim with so many free parameters."""
    if claim.of_ratio or isinstance(claim, BreachClaim):
        return True
    return claim.factor is not None and free == 1 and claim.reports == 1
