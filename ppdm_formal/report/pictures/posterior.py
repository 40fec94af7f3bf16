"""Posterior against prior for one property: how far its likeliest and unlikeliest outputs move it.

The prior within the property and outside it stays as declared, only the mass t of the
property varies: after = t a / (t a + (1 - t) b) with a = P[y | Q], b = P[y | not Q].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.certify.finding import BreachWitness
from ppdm_formal.declare.arithmetic.exact import ZERO, is_number
from ppdm_formal.declare.arithmetic.people import moved, percent
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import Enough
from ppdm_formal.derive.measures.posterior import joint_mass
from ppdm_formal.report.pictures.axes import Plot, line_sign, mark, percent_label
from ppdm_formal.report.pictures.claim_points import claim_label, example_point
from ppdm_formal.report.pictures.svg import Picture, element, path
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.standing import shade
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.witness_words import is_worst

_PARTS = 40


@dataclass(frozen=True)
class Seen:
    """A posterior to mark: where it stands, and its words in the legend."""

    before: Fraction
    after: Fraction
    words: str
    verdict: str | None = None


def belief_pictures(found: OperatorAudit, prior: Prior, claims: Sequence[Decided]) -> list[Picture]:
    """One for each property that the audit asks about."""
    shown = []
    rows = [row for row in found.posteriors if row.prior == prior]
    for property in dict.fromkeys(row.property for row in rows):
        seen: dict[tuple[object, object], Seen] = {}
        for row in rows:
            before, after = row.before, row.after
            if row.property != property or not is_number(after):
                continue
            assert is_number(before)
            output = clean(show_value(row.given), 16)
            words = f"output {output}: {percent(before)} to {moved(before, after)}"
            if row.worst:
                words = f"{row.worst}, {words}"
            seen.setdefault((row.given, after), Seen(before, after, words))
        marks = list(seen.values())
        for decided in claims:
            claim, certificate = decided.claim, decided.certificate
            if isinstance(claim, BreachClaim) and claim.about == property and claim.under == prior:
                words = claim_label(decided, claim)
                marks.append(Seen(claim.rho1, claim.rho2, words, shade(certificate)))
                example, witness = example_point(certificate), certificate.witness
                if isinstance(witness, BreachWitness) and example and not is_worst(certificate):
                    marks.append(Seen(witness.before, witness.after, example[2]))
        try:
            factors = odds_factors(found.operator, prior, property)
        except TooLarge:
            continue
        name = clean(property.name, 20)
        title = f"Belief in {name}, prior {clean(prior.name, 16)}"
        caption = (
            f"Belief in {name} after the outputs that move it most, if its mass in the prior "
            "varied (across) and all else stayed; dots are the declared prior."
        )
        shown.append(Picture(title, posterior_picture(factors, marks, title), caption))
    return shown


def odds_factors(
    operator: Operator, prior: Prior, property: Property
) -> tuple[Fraction | None, Fraction | None] | None:
    """The largest and the smallest a / b over the outputs (None: infinite).

    None where one of the two sides has no mass: then nothing can be learned.
    """
    inside = prior.mass(property)
    if inside in (0, 1):
        return None
    factors: list[tuple[Fraction, Fraction]] = []
    for view in operator.views(prior, [property], enough=Enough.FIRST_PROPERTY):
        a = joint_mass(part for part in view.classes if part.member[0]) / inside
        b = joint_mass(part for part in view.classes if not part.member[0]) / (1 - inside)
        if a or b:
            factors.append((a, b))
    finite = [a / b for a, b in factors if b]
    largest = None if any(not b for _, b in factors) else max(finite)
    return largest, min(finite, default=None)


def posterior_picture(
    factors: tuple[Fraction | None, Fraction | None] | None, seen: Sequence[Seen], title: str
) -> Markup:
    """Both curves, the diagonal, and the declared points."""
    plot = Plot(
        (0, 1),
        (0, 1),
        "belief in the property before",
        "belief after",
        percent_label,
        percent_label,
    )
    plot.parts.append(path([plot.at(0, 0), plot.at(1, 1)], "line faint"))
    if factors is not None:
        for factor, class_, words in zip(
            factors,
            ("line c0", "line c1"),
            ("after the output that raises it most", "after the output that lowers it most"),
            strict=True,
        ):
            plot.parts.append(path([plot.at(x, y) for x, y in _curve(factor)], class_))
            plot.note(line_sign(class_), words)
    plot.note(line_sign("line faint"), "nothing learned: before = after")
    for number, point in enumerate(seen):
        where = plot.at(float(point.before), float(point.after))
        if point.verdict is not None:
            plot.parts.append(mark(*where, point.verdict))
            plot.note(mark(10, 0, point.verdict), point.words)
            continue
        class_ = f"dot c{(number + 2) % 6}"
        plot.parts.append(element("circle", cx=where[0], cy=where[1], r=4, class_=class_))
        plot.note(element("circle", cx=10, cy=0, r=4, class_=class_), point.words)
    return plot.drawn(title)


def _curve(factor: Fraction | None) -> list[tuple[float, float]]:
    if factor is None:
        return [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
    if factor == ZERO:
        return [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    even = [Fraction(k, _PARTS) for k in range(_PARTS + 1)]
    back = [y / (y + factor * (1 - y)) for y in even]
    return [(float(t), float(factor * t / (1 - t + factor * t))) for t in sorted({*even, *back})]
