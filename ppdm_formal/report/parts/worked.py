"""The witness of a breach as a worked example that a pocket calculator can follow.

Bayes' rule by groups of inputs: weight = mass before * chance to send the output, and
after = the weights inside the property / all weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BoundWitness, BreachWitness
from ppdm_formal.certify.parametric import view_at
from ppdm_formal.declare.arithmetic.enclosure import log_of
from ppdm_formal.declare.arithmetic.exact import ZERO
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.arithmetic.people import (
    exact_within,
    fraction_words,
    moved,
    percent,
    rounded,
    share,
    show_count,
)
from ppdm_formal.declare.claim import BoundClaim, Claim
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.view import InputClass, View
from ppdm_formal.derive.measures.delta import by_pair
from ppdm_formal.derive.measures.discovery import measure_named
from ppdm_formal.derive.measures.posterior import joint_mass
from ppdm_formal.report.parts.blocks import Block, Points, Table, Text
from ppdm_formal.report.words.several import seen_words
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.weighed import (
    WeighedInputs,
    mass_of,
    weighed,
    weight_of,
    witness_view,
)
from ppdm_formal.report.words.witness_words import at_witness

_ROWS = 10


def worked(certificate: Certificate) -> list[Block]:
    """Text and a table for the certificate's witness; empty where there is none."""
    witness = certificate.witness
    if witness is None:
        return []
    view = witness_view(certificate)
    claim = certificate.claim.given(witness.parameters or {})
    blocks: list[Block] = []
    if witness.parameters:
        blocks.append(Text(f"Take {at_witness(certificate)}."))
    if isinstance(witness, BreachWitness):
        return blocks + _breach(view, witness, claim)
    assert isinstance(claim, BoundClaim)
    if claim.at is not None:
        return blocks + _delta(certificate, witness, claim)
    if witness.likely is not None:
        return blocks + _amplification(view, witness, claim)
    if claim.measure == "dependence":
        return blocks + _dependence(view, claim)
    if claim.measure == "worst_case_information":
        return blocks + _information(view, claim)
    return blocks + _formula(view, claim)


def _who(group: WeighedInputs) -> str:
    """Which inputs; where the prior is free, its mass may lie on any one of the group."""
    count, example = group.of.count, clean(show_value(group.of.example), 28)
    if count == 1:
        return example
    if group.of.prior is None:
        return f"{example}, or one of {show_count(count)} alike"
    if group.many == count:
        return _all(group.of)
    these = f"{show_count(group.many)} of {show_count(count)} inputs alike, such as {example}"
    return these if group.inside else f"the other {these}"


def _all(of: InputClass) -> str:
    example = clean(show_value(of.example), 28)
    return example if of.count == 1 else f"{show_count(of.count)} inputs alike, such as {example}"


def _breach(view: View, witness: BreachWitness, claim: Claim) -> list[Block]:
    groups = weighed(view, witness)
    inside = [group for group in groups if group.inside]
    scale, everything = mass_of(groups), weight_of(groups)
    output = seen_words(view, claim)
    rows = [
        [
            _who(group),
            "yes" if group.inside else "no",
            rounded(group.mass),
            rounded(group.chance),
            rounded(group.weight),
        ]
        for group in groups[:_ROWS]
    ]
    rest = groups[_ROWS:]
    if rest:
        mass, weight = rounded(mass_of(rest)), rounded(weight_of(rest))
        rows.append([f"{len(rest)} further groups", "no or yes", mass, "", weight])
    rows.append(["all together", "", rounded(scale), "", rounded(everything)])
    head = ["true value x", "in the property", "belief before", f"chance of {output}", "product"]
    steps = []
    if view.known is not None:
        steps.append(
            f"The observer also knows {clean(show_value(view.known))}; the beliefs before are "
            "those times the chance of that knowledge."
        )
    of = "" if scale == 1 else f" / {rounded(scale)}"
    steps.append(
        f"Belief in the property before: add the lines with yes: {rounded(mass_of(inside))}{of}, "
        f"exactly {_exact(witness.before)}."
    )
    steps.append(
        f"Belief after output {output}: products with yes / all products = "
        f"{rounded(weight_of(inside))} / {rounded(everything)} = {rounded(witness.after)}, "
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
    return f"{shown} ({about or percent(value)})" if shown else percent(value, 6)


def _one_in(value: Fraction) -> str:
    many = round(1 / value)
    if value > Fraction(1, 2):
        return ""
    shown = show_count(many)
    return f", about one report in {shown}" if many <= 10**15 else f", one report in {shown}"


def _amplification(view: View, witness: BoundWitness, claim: Claim) -> list[Block]:
    assert witness.likely is not None
    assert witness.unlikely is not None
    likely, unlikely = view.classes[witness.likely], view.classes[witness.unlikely]
    output = seen_words(view, claim)
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


def _delta(certificate: Certificate, witness: BoundWitness, claim: BoundClaim) -> list[Block]:
    assert claim.at is not None
    assert witness.likely is not None
    assert witness.unlikely is not None
    pair = by_pair(certificate.views)[certificate.views[witness.view].known or 0]
    shown = [view_at(view, witness.parameters or {}) for view in pair]
    names = [clean(show_value(part.example)) for part in shown[0].classes]
    likely, unlikely = names[witness.likely], names[witness.unlikely]
    factor = e_to(claim.at)
    rows = []
    for view in shown[:_ROWS]:
        one, other = (view.classes[k].likelihood for k in (witness.likely, witness.unlikely))
        gap = one - factor * other
        counted = fraction_words(view.outputs * gap) if gap > 0 else "nothing"
        rows.append([f"{view.outputs:,}", fraction_words(one), fraction_words(other), counted])
    head = ["outputs alike", f"chance from {likely}", f"chance from {unlikely}", "excess together"]
    assert witness.value is not None
    total = f"Together: {fraction_words(witness.value)}."
    if len(shown) > _ROWS:
        total = f"And {len(shown) - _ROWS:,} further kinds of outputs. {total}"
    return [Table(head, rows, "", (0, 1, 2, 3)), Text(total)]


def _ratios(view: View) -> tuple[Fraction, list[tuple[InputClass, Fraction]]]:
    possible = [part for part in view.classes if part.prior]
    mass = joint_mass(possible)
    return mass, [(part, part.likelihood / mass) for part in possible]


def _dependence(view: View, claim: Claim) -> list[Block]:
    mass, ratios = _ratios(view)
    part, ratio = max(ratios, key=lambda pair: _spread(pair[1]))
    output = seen_words(view, claim)
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


def _information(view: View, claim: Claim) -> list[Block]:
    mass, ratios = _ratios(view)
    rows: list[Sequence[str]] = []
    for part, ratio in ratios[:_ROWS]:
        before = part.count * (part.prior or ZERO)
        after = before * ratio
        log = str(log_of(ratio, "bit", 8)) if ratio else ""
        rows.append([_all(part), rounded(before), rounded(after), log])
    if len(ratios) > _ROWS:
        rows.append([f"{len(ratios) - _ROWS} further groups", "", "", ""])
    output = seen_words(view, claim)
    head = ["true value x", "belief before", f"belief after {output}", "log2(after / before)"]
    return [
        Table(head, rows, "What the output adds", (1, 2, 3)),
        Text(
            "The information of this output is the sum of (belief after) times log2(after / "
            f"before). The output has probability {fraction_words(mass)}{_one_in(mass)}."
        ),
    ]


def _formula(view: View, claim: BoundClaim) -> list[Block]:
    """The classes of the view, from which anyone can compute the measure by its formula."""
    measure = measure_named(claim.measure)
    rows = [
        [
            clean(show_value(part.example), 28)
            + ("" if part.count == 1 else f", one of {show_count(part.count)} alike"),
            "" if part.prior is None else rounded(part.prior),
            rounded(part.likelihood),
        ]
        for part in view.classes[:_ROWS]
    ]
    if len(view.classes) > _ROWS:
        rows.append([f"{len(view.classes) - _ROWS} further groups", "", ""])
    output = seen_words(view, claim)
    said = f"The {measure.title} is {measure.formula}."
    if measure.certified == "capacity":
        said += " The certificate has a prior under which all outputs together tell more."
    elif measure.tree is not None and measure.tree.over == "sum":
        said += f" It is a sum over outputs, to which {output} adds most."
    return [
        Table(
            ["true value x", "belief in it before", f"chance of {output}"],
            rows,
            "What the output shows",
            (1, 2),
        ),
        Text(said),
    ]
