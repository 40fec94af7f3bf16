"""All pictures of one operator, in the order of a report."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.report.pictures.heat_map import heat_map
from ppdm_formal.report.pictures.measure_bars import amplification_bars, information_bars
from ppdm_formal.report.pictures.operator_frontiers import frontier_pictures
from ppdm_formal.report.pictures.parameter_pictures import parameter_pictures
from ppdm_formal.report.pictures.posterior import belief_pictures
from ppdm_formal.report.pictures.svg import Picture
from ppdm_formal.report.words.decided import Decided


def pictures(found: OperatorAudit, claims: Sequence[Decided], unit: str) -> list[Picture]:
    """All pictures that the operator allows."""
    free = found.operator.parameters
    known = [part for part in found.priors if not free and not part.prior.parameters]
    shown: list[Picture | None] = []
    if len(free) == 1:
        shown += parameter_pictures(found, claims)
    # The other pictures are of one report, and so are the claims that stand in them.
    claims = [decided for decided in claims if decided.of_one_report]
    shown += frontier_pictures(found, claims)
    for part in known:
        shown += belief_pictures(found, part.prior, claims)
    if not free and found.views is not None:
        shown.append(amplification_bars(found, claims))
    shown += [information_bars(found.operator, part, unit) for part in known]
    if found.views is not None:  # what is too large to be listed is not drawn either
        shown.append(heat_map(found.operator, claims))
    return [picture for picture in shown if picture is not None]
