"""The pictures of an operator with one free parameter: where claims hold, and the trade-off."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.report.pictures.region import Track, region_picture
from ppdm_formal.report.pictures.svg import Picture
from ppdm_formal.report.pictures.tradeoff import tradeoff, tradeoff_picture
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.visible import clean


def parameter_pictures(found: OperatorAudit, claims: Sequence[Decided]) -> list[Picture]:
    """Where each claim holds, and the trade-off."""
    parameter = found.operator.parameters[0]
    name = clean(parameter.name, 20)
    shown = []
    tracks = [
        Track(f"Claim {decided.number}: {decided.words}", decided.certificate.region)
        for decided in claims
        if decided.certificate.region is not None
    ]
    if tracks:
        title = f"Where each claim holds, along {name}"
        caption = (
            f"Solid: the values of {name} for which the claim holds; thin: those for which it "
            "fails. A filled end belongs to the region, a hollow one does not."
        )
        shown.append(Picture(title, region_picture(parameter, tracks, title), caption))
    if found.amplification is None:
        return shown
    curve = tradeoff(found.operator.name, found.amplification, parameter)
    if len(curve.points) > 1:
        title = f"Trade-off along {name}"
        caption = (
            f"Epsilon, the logarithm of the amplification, against {name}: "
            "lower is safer. Near an end where it grows without bound it leaves the picture."
        )
        shown.append(Picture(title, tradeoff_picture(parameter, [curve], title), caption))
    return shown
