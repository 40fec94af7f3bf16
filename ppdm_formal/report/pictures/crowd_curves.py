"""Delta against epsilon: one report alone, and shuffled among the clients of a claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from markupsafe import Markup

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.report.pictures.axes import Plot, line_sign, mark
from ppdm_formal.report.pictures.svg import Picture, path
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.standing import badge, shade
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.crowd_table import CrowdTable

Curve = list[tuple[float, float]]

_LOWEST = 1e-10
_PLACES, _FINE = 14, 60
_WIDEST = 8.0
_CLAIMS = 4
_SECONDS = 20


def crowd_picture(
    found: OperatorAudit, table: CrowdTable, claims: Sequence[Decided]
) -> Picture | None:
    """The curves of the largest crowd that claims name; None where the time was over."""
    many = table.crowd.clients
    if many == 1 or not table.rows:
        return None
    try:
        alone, most, least = _curves(found, table)
    except DeadlinePassed:
        return None
    name = clean(found.operator.name, 20)
    title = f"Delta against epsilon, {name} after {table.crowd.how} {many:,}"
    if table.crowd.others is not None:
        title += f", others under {clean(table.crowd.others.name, 20)}"
    done = "shuffled" if table.crowd.how == "shuffling" else "added up"
    caption = (
        f"Delta (up, logarithmic) against epsilon (across): of one report alone, and {done} among "
        f"{many:,} clients that count. Further to the left and lower is safer. Computed in "
        "floating point."
    )
    if least:
        caption += " Between the two lower lines lies the truth."
    lines = [
        ("line c0", "one report alone", alone),
        ("line c2", f"{done} among {many:,}: at most", most),
        ("line c1", f"{done} among {many:,}: at least, attained by an event", least),
    ]
    points = [
        (math.log(float(e_to(decided.claim.at))), decided)
        for decided in claims
        if isinstance(decided.claim, BoundClaim)
        and decided.claim.crowd is not None
        and decided.claim.at is not None
        and decided.claim.crowd.counted == many
        and (decided.claim.crowd.how, decided.claim.crowd.others)
        == (table.crowd.how, table.crowd.others)
    ]
    return Picture(title, _drawn(lines, points[:_CLAIMS], title), caption)


def _curves(found: OperatorAudit, table: CrowdTable) -> tuple[Curve, Curve, Curve]:
    """Of one report; from above; from below, where events were searched."""
    from ppdm_formal.certify.crowd_table import DELTA, CrowdShown

    claim = BoundClaim("delta", "<=", DELTA, at=Fraction(0), crowd=table.crowd)
    shown = CrowdShown.of(found.operator, claim, Deadline.after(_SECONDS))
    many, top = table.crowd.clients, min(shown.epsilon, _WIDEST)
    alone = [(x, shown.local(math.exp(x))) for k in range(_FINE + 1) if (x := top * k / _FINE) >= 0]
    end = shown.epsilon_most(many, _LOWEST)
    most: Curve = []
    least: Curve = []
    for k in range(_PLACES + 1):
        x = min(end, top) * k / _PLACES
        most.append((x, shown.delta_most(many, math.exp(x))))
        attained = shown.delta_least(many, math.exp(x), every=many <= 1000 or k % 4 == 0)
        if attained is not None:
            least.append((x, attained))
    # Delta falls: what is attained at some epsilon is at every smaller one.
    for k in reversed(range(len(least) - 1)):
        least[k] = (least[k][0], max(least[k][1], least[k + 1][1]))
    return alone, most, least


def _drawn(
    lines: Sequence[tuple[str, str, Curve]], points: Sequence[tuple[float, Decided]], title: str
) -> Markup:
    low = math.log10(_LOWEST)
    widest = max(x for _, _, curve in lines for x, _ in curve)
    widest = max([widest, *(x for x, _ in points)]) or 1.0
    plot = Plot(
        (0, widest),
        (low, 0),
        "epsilon",
        "delta",
        y_label=lambda y: "1" if y == 0 else f"1e{round(y)}",
        y_ticks=[low + 2 * k for k in range(6)],
    )
    for class_, words, curve in lines:
        inside = [(x, math.log10(y)) for x, y in curve if y >= _LOWEST]
        if len(inside) > 1:
            plot.parts.append(path([plot.at(x, min(0.0, y)) for x, y in inside], class_))
            plot.note(line_sign(class_), words)
    for x, decided in points:
        assert isinstance(decided.claim, BoundClaim)
        bound = float(decided.claim.bound)
        if bound < _LOWEST:
            continue
        verdict = shade(decided.certificate)
        plot.parts.append(mark(*plot.at(x, min(0.0, math.log10(bound))), verdict))
        words = f"claim {decided.number}: {badge(decided.certificate).lower()}"
        plot.note(mark(10, 0, verdict), words)
    return plot.drawn(title)
