"""The views of an operator: that they are whole, sum to 1, and name each input and output once."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

from .claim import LOG_RATIO, BoundClaim, BreachClaim, Claim
from .exponential import total_of
from .formula_tree import scale_free
from .limits import MAX_COMMON
from .reading import read_number
from .reports import check_counted, to_power
from .result import need
from .view import Described, Reader, View, read_view


def read_rows(described: Described, claim: BoundClaim, form: Reader) -> list[View]:
    """Views that follow inputs: those of a pair, a channel or a person, or all, row by row.

    Each input is a class of its own, and its likelihoods sum to 1 over all outputs.
    """
    rows, each = described.raw["views"], claim.each
    views = [read_view(raw, f"views[{i}]", claim, form) for i, raw in enumerate(rows)]
    need(not described.relative, f"relative likelihoods of a {each}")
    need(views or (each == "pair" and described.inputs == 1), f"no {each}")
    bound_denominators(views)
    groups = by_known(views)
    need(each != "input" or len(groups) == 1, "the inputs more than once")
    for shown in groups.values():
        inputs = {tuple((part.example, part.prior) for part in view.classes) for view in shown}
        many = len(shown[0].classes)
        alike = len(inputs) == 1 and (each != "pair" or many == 2)
        need(alike and len({v.output for v in shown}) == len(shown), f"not the views of one {each}")
        need(each != "input" or many == described.inputs, "not every input is there")
        need(all(c.count == 1 for v in shown for c in v.classes), f"an input of a {each} twice")
        if described.summed:
            # Outputs with one ratio of likelihoods, added up: for differences of the two alone.
            need(each == "pair", "likelihoods that are added up: for pairs only")
            need(all(v.outputs == 1 for v in shown), "outputs that are added up count once")
        else:
            need(sum(v.outputs for v in shown) == described.outputs, f"a {each} misses outputs")
        if claim.prior is not None:
            need(shown[0].mass_of(lambda part: part.prior) == 1, "the prior does not sum to 1")
        for place in range(many):
            mass = sum(v.outputs * v.classes[place].likelihood for v in shown)
            need(mass == 1, f"likelihoods of an input of a {each} do not sum to 1")
    return views


def by_known(views: list[View]) -> dict[bytes, list[View]]:
    """The views of each pair, channel or person."""
    found: dict[bytes, list[View]] = {}
    for view in views:
        found.setdefault(view.known, []).append(view)
    return found


def read_views(described: Described, claim: Claim, form: Reader = read_number) -> list[View]:
    """The views, which must be able to belong to an operator."""
    if isinstance(claim, BoundClaim) and claim.each:
        return read_rows(described, claim, form)
    need(not described.summed, "likelihoods that are added up: for pairs only")
    # A relative view stands for outputs with other counts, too: only for what no count decides.
    by_count = claim.prior is not None or claim.knowing is not None or bool(claim.properties)
    if isinstance(claim, BreachClaim):
        by_count = by_count or claim.family is not None
    elif claim.formula is not None:
        by_count = by_count or not scale_free(claim.formula)
    need(not (described.relative and by_count), "relative likelihoods: all priors only")
    rows = described.raw["views"]
    if described.extreme:
        # What is said of all outputs follows from the greatest ratio, of two inputs.
        ratio = isinstance(claim, BreachClaim) or claim.of_ratio or claim.formula == LOG_RATIO
        need(ratio, "an extreme view: for the greatest ratio only")
        need(len(rows) == 1, "an extreme view is the only one")
    views = [read_view(raw, f"views[{i}]", claim, form) for i, raw in enumerate(rows)]
    need(views, "no views")
    places = {(view.output, view.known) for view in views}
    need(len(places) == len(views), "an output twice")
    bound_denominators(views)
    for i, view in enumerate(views):
        total = sum(part.count for part in view.classes)
        good = total == described.inputs
        if described.extreme:
            good = len(view.classes) <= 2 and total <= described.inputs
        need(good, f"views[{i}]: counts do not sum to the inputs")
        if claim.prior is not None:
            good = view.mass_of(lambda part: part.prior) == 1
            need(good, f"views[{i}]: the prior does not sum to 1")
        if not described.relative:
            good = all(part.likelihood <= 1 for part in view.classes)
            need(good, f"views[{i}]: a likelihood above 1")
    need(any(c.likelihood for view in views for c in view.classes), "no output is ever seen")
    groups = by_known(views)
    for group in groups.values():
        need(
            sum(v.outputs for v in group) == described.outputs,
            "outputs do not sum to the operator's",
        )
        kinds = kinds_of(group[0])
        need(all(kinds_of(view) == kinds for view in group), "kinds of inputs not as elsewhere")
        # The likelihoods of each input sum to 1, so those of a kind's inputs sum to their number.
        masses: dict[Any, list[Any]] = {}
        for view in [] if described.relative else group:
            for part in view.classes:
                mass = view.outputs * part.count * part.likelihood
                masses.setdefault(part.kind, []).append(mass)
        good = described.relative or {k: total_of(found) for k, found in masses.items()} == kinds
        need(good, "likelihoods do not sum to 1 for inputs of a kind")
    check_known([kinds_of(group[0]) for group in groups.values()])
    need(("one_report" in described.raw) == claim.by_counts, "one_report is there or not by claim")
    if claim.by_counts:
        check_counted(described, claim, groups, form)
        return views
    return views if claim.reports == 1 else [to_power(view, claim.reports) for view in views]


def check_known(of_groups: list[Counter[Any]]) -> None:
    """Over all that may be known, the probabilities of knowing it sum to 1 for inputs of a kind."""
    known_mass: Counter[Any] = Counter()
    for kinds in of_groups:
        for (member, prior, knowledge), n in kinds.items():
            known_mass[member, prior] += n * knowledge
    for kinds in of_groups:
        numbers: Counter[Any] = Counter()
        for (member, prior, _), n in kinds.items():
            numbers[member, prior] += n
        need(numbers == known_mass, "probabilities of what is known do not sum to 1")


def kinds_of(view: View) -> Counter[Any]:
    """How many inputs there are of each kind."""
    found: Counter[Any] = Counter()
    for part in view.classes:
        found[part.kind] += part.count
    return found


def bound_denominators(views: list[View]) -> None:
    """Refuse numbers whose sums would grow without end."""
    common, met = 1, set()
    for part in (part for view in views for part in view.classes):
        for number in (part.likelihood, part.prior, part.knowledge):
            if type(number) is Fraction and number.denominator not in met:
                met.add(number.denominator)
                common = math.lcm(common, number.denominator)
                need(
                    common.bit_length() <= MAX_COMMON, "the views' common denominator is too large"
                )
