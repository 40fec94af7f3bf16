"""The value of private information as blocks: shares by Shapley, the core, and its evidence."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.declare.arithmetic.people import brief, percent
from ppdm_formal.declare.arithmetic.with_error import sampled
from ppdm_formal.report.parts.blocks import Block, Document, Section, Table, Text
from ppdm_formal.report.words.visible import visible
from ppdm_formal.tables.coalition.answers import Worth
from ppdm_formal.tables.coalition.valuation import SampledValuation, Valuation


def worth_words(worth: Worth) -> str:
    """How many answers each step of the worth takes."""
    steps = "; ".join(
        f"{brief(value)} from {max(1, least):,} answers (standard error {percent(error)})"
        for (least, value), error in zip(worth.steps, worth.errors, strict=True)
    )
    variance = brief(worth.variance)
    return f"Variance of one answer, for the share estimated worst: {variance}. Worth {steps}."


def document(found: Valuation | SampledValuation, **_: object) -> Document:
    """What `ppdm value` shows: how the payoffs came about, shares and core."""
    blocks: list[Block] = [] if found.worth is None else [Text(worth_words(found.worth))]
    blocks += _exact(found) if isinstance(found, Valuation) else _sampled(found)
    title = f"{len(found.shares) if isinstance(found, Valuation) else len(found.players)} players"
    return Document(
        f"{title} earn {brief(found.everything)} together", "", "", "", [Section("", blocks)], ""
    )


def _exact(found: Valuation) -> list[Block]:
    game, decided = found.game, found.core
    paid = "in the core" if not decided.empty else "least that keeps all"
    rows = [
        [visible(name), brief(game.payoff(1 << i)), brief(share), brief(point)]
        for i, (name, share, point) in enumerate(
            zip(game.players, found.shares, decided.point, strict=True)
        )
    ]
    total = ["in all", "", brief(found.everything), brief(decided.least)]
    table = Table(["player", "alone", "Shapley value", paid], [*rows, total], numbers=range(1, 4))
    return [table, *_about_core(found), Text(_about_shapley(found))]


def _about_core(found: Valuation) -> list[Block]:
    game, decided = found.game, found.core
    if not decided.empty:
        return [
            Text(
                "The core is not empty: the shares in the last column leave no coalition with "
                "less than it earns by itself (all coalitions re-checked exactly)."
            )
        ]
    evidence = Table(
        ["coalition", "weight", "earns by itself"],
        [
            [_named(game.named(s)), brief(weight), brief(game.payoff(s))]
            for s, weight in decided.collection
        ],
        numbers=(1, 2),
    )
    words = (
        "The core is empty: however the payoff is divided, some coalition earns more by itself. "
        "Evidence, re-checked exactly: the weights below add up to 1 for every player, and the "
        f"weighted payoffs to {brief(decided.least)}, more than the {brief(found.everything)} that "
        f"everybody earns. {brief(decided.least - found.everything)} more would keep all together."
    )
    return [Text(words), evidence]


def _about_shapley(found: Valuation) -> str:
    if found.objection is None:
        return "The Shapley value is in the core: nobody has a reason to leave."
    game = found.game
    got = sum((s for i, s in enumerate(found.shares) if found.objection >> i & 1), Fraction(0))
    return (
        f"By the Shapley value {_named(game.named(found.objection))} would get {brief(got)} in "
        f"all, less than the {brief(game.payoff(found.objection))} earned without the others."
    )


def _sampled(found: SampledValuation) -> list[Block]:
    point = found.point or ()
    rows = [
        [visible(name), sampled(share, error), sampled(error, error), *map(brief, point[i : i + 1])]
        for i, (name, share, error) in enumerate(
            zip(found.players, found.sampled.shares, found.sampled.errors, strict=True)
        )
    ]
    head = ["player", "Shapley value", "standard error", *(["in the core"] if point else [])]
    return [
        Table(head, rows, numbers=range(1, len(head))),
        Text(f"Shapley values are sampled, from {found.sampled.orders:,} orders of arrival."),
        Text(_sampled_core(found)),
    ]


def _sampled_core(found: SampledValuation) -> str:
    if found.point is not None:
        return (
            "The core is not empty: shares by people (last column) leave no coalition with less "
            "than it earns by itself (re-checked exactly)."
        )
    if found.apart is not None:
        parts = "; ".join(_named(tuple(found.players[i] for i in some)) for some in found.apart)
        return (
            f"The core is empty: apart from each other, {parts} earn {brief(found.apart_payoff)}, "
            f"more than the {brief(found.everything)} of everybody (re-checked exactly)."
        )
    return (
        "Whether the core is empty is left undecided: shares by people are not in it, no disjoint "
        "coalitions that earn more were found, and there are too many coalitions to list."
    )


def _named(names: tuple[str, ...]) -> str:
    return " + ".join(map(visible, names))
