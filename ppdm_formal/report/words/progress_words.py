"""What an audit is doing, in one line for a terminal."""

from __future__ import annotations

from ppdm_formal.certify.audit.audited import (
    ClaimDecided,
    ClaimStarted,
    Event,
    MeasureTaken,
    OperatorStarted,
)
from ppdm_formal.report.words.visible import clean


def progress_words(event: Event) -> str:
    """One line for an event of an audit."""
    match event:
        case OperatorStarted():
            count = f" ({event.position} of {event.operators})" if event.operators > 1 else ""
            return f"{clean(event.operator.name)}{count}: measuring"
        case MeasureTaken():
            under = "" if event.found.prior is None else f" under {clean(event.found.prior.name)}"
            done = f"{event.found.measure.title}{under}"
            return f"{clean(event.operator.name)}: measuring, {done} is done"
        case ClaimStarted():
            return f"{clean(event.operator.name)}: {clean(str(event.claim), 100)}"
        case ClaimDecided():
            return f"{clean(event.operator.name)}: {event.certificate.verdict.value}"
        case _:
            return f"{clean(event.found.operator.name)}: done"
