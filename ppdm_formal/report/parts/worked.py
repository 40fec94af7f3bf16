"""The witness of a breach as a worked example that a pocket calculator can follow.

Bayes' rule by groups of inputs: weight = mass before * chance to send the output, and
after = the weights inside the property / all weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BoundWitness, BreachWitness
from ppdm_formal.claim import BoundClaim
from ppdm_formal.measures.posterior import joint_mass
from ppdm_formal.numbers.enclosure import log_of
from ppdm_formal.numbers.exact import ZERO
from ppdm_formal.numbers.people import (
    exact_within,
    fraction_words,
    moved,
    percent,
    rounded,
    share,
    show_count,
)
from ppdm_formal.operator.domain import show_value
from ppdm_formal.operator.view import InputClass, View
from ppdm_formal.report.parts.blocks import Block, Points, Table, Text
from ppdm_formal.report.words.visible import clean

_ROWS = 10


def worked(certificate: Certificate) -> list[Block]:
    """Text and a table for the certificate's witness; empty where there is none."""
    witness = certificate.witness
    if witness is None:
        return []
    view = certificate.instance or certificate.views[witness.view]
    blocks: list[Block] = []
    if witness.parameters:
        values = ", ".join(f"{clean(n)} = {v}" for n, v in witness.parameters.items())
        blocks.append(Text(f"Take {values}."))
    if isinstance(witness, BreachWitness):
        return blocks + _breach(view, witness)
    claim = certificate.claim
    assert isinstance(claim, BoundClaim)
    if claim.measure == "amplification":
        return blocks + _amplification(view, witness)
    return blocks + (_dependence(view) if claim.measure == "dependence" else _information(view))


@dataclass(frozen=True)
class _Line:
    """A group of inputs: inside the property or not, mass before, chance, weight."""

    inputs: str
    inside: bool
    mass: Fraction
    chance: Fraction


def _lines(view: View, witness: BreachWitness) -> list[_Line]:
    parts = {part.index: part for part in witness.parts}
    lines = []
    for index, group in enumerate(view.classes):
        part = parts.get(index)
        count = part.inside if part is not None else 0
        if group.prior is not None:
            masses = (count * group.prior, (group.count - count) * group.prior)
        elif part is not None:
            masses = (part.mass_inside or ZERO, part.mass_outside or ZERO)
        else:
            masses = (ZERO, ZERO)
        known = Fraction(1) if group.knowledge is None else group.knowledge
        for inside, mass, many in (
            (True, masses[0], count),
            (False, masses[1], group.count - count),
        ):
            if mass * known:
                who = _who(group, many, inside, count) if group.prior is not None else _one(group)
                lines.append(_Line(who, inside, mass * known, group.likelihood))
    return sorted(lines, key=lambda line: not line.inside)


def _who(group: InputClass, many: int, inside: bool, count: int) -> str:
    example = clean(show_value(group.example), 28)
    if group.count == 1:
        return example
    if many == group.count:
        return f"{show_count(many)} inputs alike, such as {example}"
    these = f"{show_count(many)} of {show_count(group.count)} inputs alike, such as {example}"
    return these if inside else f"the other {these}"


def _one(group: InputClass) -> str:
    """Where the prior is free, its mass may lie on any one input of the group."""
    example = clean(show_value(group.example), 28)
    return example if group.count == 1 else f"{example}, or one of {show_count(group.count)} alike"


def _breach(view: View, witness: BreachWitness) -> list[Block]:
    lines = _lines(view, witness)
    scale = sum((line.mass for line in lines), ZERO)
    inside = sum((line.mass * line.chance for line in lines if line.inside), ZERO)
    everything = sum((line.mass * line.chance for line in lines), ZERO)
    output = clean(show_value(view.output))
    rows = [
        [
            line.inputs,
            "yes" if line.inside else "no",
            rounded(line.mass),
            rounded(line.chance),
            rounded(line.mass * line.chance),
        ]
        for line in lines[:_ROWS]
    ]
    if len(lines) > _ROWS:
        rest = lines[_ROWS:]
        mass = sum((line.mass for line in rest), ZERO)
        weight = sum((line.mass * line.chance for line in rest), ZERO)
        rows.append(
            [f"{len(rest)} further groups", "no or yes", rounded(mass), "", rounded(weight)]
        )
    rows.append(["all together", "", rounded(scale), "", rounded(everything)])
    head = ["true value x", "in the property", "belief before", f"chance of {output}", "product"]
    steps = []
    if view.known is not None:
        steps.append(
            f"The observer also knows {clean(show_value(view.known))}; the beliefs before are "
            "those times the chance of that knowledge."
        )
    held = sum((line.mass for line in lines if line.inside), ZERO)
    of = "" if scale == 1 else f" / {rounded(scale)}"
    steps.append(
        f"Belief in the property before: add the lines with yes: {rounded(held)}{of}, "
        f"exactly {_exact(witness.before)}."
    )
    steps.append(
        f"Belief after output {output}: products with yes / all products = {rounded(inside)} / "
        f"{rounded(everything)} = {rounded(witness.after)}, "
        f"exactly {_exact(witness.after, moved(witness.before, witness.after))}."
    )
    if view.relative:
        steps.append("Chances are given up to a common factor, which cancels.")
    elif scale == 1:
        steps.append(
            f"Under this prior the output {output} occurs with probability "
            f"{share(everything)}{_one_in(everything)}."
        )
    return [Table(head, rows, "Bayes' rule, line by line", (2, 3, 4)), Points(steps)]


def _exact(value: Fraction, about: str = "") -> str:
    shown = exact_within(value, 40)
    return percent(value, 6) if shown is None else f"{shown} ({about or percent(value)})"


def _one_in(value: Fraction) -> str:
    return f", about one report in {round(1 / value)}" if value <= Fraction(1, 2) else ""


def witness_chance(certificate: Certificate) -> Fraction | None:
    """How likely the output of a breach is under the prior of that breach."""
    witness = certificate.witness
    if not isinstance(witness, BreachWitness):
        return None
    view = certificate.instance or certificate.views[witness.view]
    lines = _lines(view, witness)
    if view.relative or sum((line.mass for line in lines), ZERO) != 1:
        return None
    return sum((line.mass * line.chance for line in lines), ZERO)


def _amplification(view: View, witness: BoundWitness) -> list[Block]:
    assert witness.likely is not None
    assert witness.unlikely is not None
    likely, unlikely = view.classes[witness.likely], view.classes[witness.unlikely]
    output = clean(show_value(view.output))
    rows = [
        [clean(show_value(part.example)), fraction_words(part.likelihood)]
        for part in (likely, unlikely)
    ]
    if witness.value is None:
        ratio = f"The second can never send {output}: the ratio is infinite."
    else:
        ratio = f"The ratio of the two chances is {fraction_words(witness.value)}."
    if view.relative:
        ratio += " The chances are given up to a common factor, which cancels."
    return [Table(["true value x", f"chance of output {output}"], rows, "", (1,)), Text(ratio)]


def _ratios(view: View) -> tuple[Fraction, list[tuple[InputClass, Fraction]]]:
    possible = [part for part in view.classes if part.prior]
    mass = joint_mass(possible)
    return mass, [(part, part.likelihood / mass) for part in possible]


def _dependence(view: View) -> list[Block]:
    mass, ratios = _ratios(view)
    part, ratio = max(ratios, key=lambda pair: _spread(pair[1]))
    output = clean(show_value(view.output))
    value = "infinite" if not ratio else f"|ln {rounded(ratio)}| = {log_of(_spread(ratio))}"
    return [
        Points(
            [
                f"The output {output} has probability {fraction_words(mass)} overall, and "
                f"{fraction_words(part.likelihood)} if x is {clean(show_value(part.example))}.",
                f"The ratio is {fraction_words(ratio)}, so that the dependence is {value} nat.",
            ]
        )
    ]


def _spread(ratio: Fraction) -> Fraction:
    """max(r, 1/r); beyond everything for 0."""
    return max(ratio, 1 / ratio) if ratio else Fraction(10) ** 1000


def _information(view: View) -> list[Block]:
    mass, ratios = _ratios(view)
    rows: list[Sequence[str]] = []
    for part, ratio in ratios[:_ROWS]:
        before = part.count * (part.prior or ZERO)
        after = before * ratio
        log = str(log_of(ratio, "bit", 8)) if ratio else ""
        rows.append([_who(part, part.count, True, 0), rounded(before), rounded(after), log])
    if len(ratios) > _ROWS:
        rows.append([f"{len(ratios) - _ROWS} further groups", "", "", ""])
    output = clean(show_value(view.output))
    head = ["true value x", "belief before", f"belief after {output}", "log2(after / before)"]
    return [
        Table(head, rows, "What the output adds", (1, 2, 3)),
        Text(
            "The information of this output is the sum of (belief after) times log2(after / "
            f"before). The output has probability {fraction_words(mass)}{_one_in(mass)}."
        ),
    ]
