"""Dependence event by event: how far any output moves each property, and every property at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.people import short
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.report.parts.blocks import Section, Table, Text
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.words.visible import clean

_ALL = "all priors"


def _rows(found: OperatorAudit) -> list[Sequence[str]]:
    if not found.events:
        return []
    name = clean(found.operator.name)
    rows: list[Sequence[str]] = []
    for one in found.events:
        prior = _ALL if one.prior is None else clean(one.prior.name)
        seen = "" if one.output is None else clean(show_value(one.output), 30)
        event = clean(one.event.name)
        rows.append([name, prior, event, _shown(one.ratio), str(one.epsilon), seen])
    if found.local_dp is not None:
        gain = found.local_dp.amplification.value
        rows.append([name, _ALL, "any", _shown(gain), found.local_dp.text, ""])
    for part in found.priors:
        total = part.dependence
        if total is not None:
            rows.append([name, clean(part.prior.name), "any", _shown(total.ratio), total.text, ""])
    return rows


def _shown(ratio: Any) -> str:
    return str(ratio) if isinstance(ratio, Infinity | Enclosure) else short(ratio)


def _sections(material: Material) -> list[Section]:
    rows = [row for found in material.result.operators for row in _rows(found)]
    if not rows:
        return []
    head = ["operator", "prior", "event", "e^epsilon", "epsilon (nat)", "output"]
    lead = Text(
        "An event and the output are epsilon-dependent (Dor18 Definition 1) if no output makes the "
        "event more or less likely by a factor above e^epsilon. For all priors, any event: the "
        "logarithm of the amplification."
    )
    table = Table(head, rows, "", (3, 4))
    return [Section("Dependence, event by event", [table, lead], 2, "events", folded=True)]


PART: Part[Material] = Part(31, _sections)
