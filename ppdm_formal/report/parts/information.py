"""Information as blocks: knowledge gain, leakage about each person, and rate-distortion."""

from __future__ import annotations

from typing import Any

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.people import brief
from ppdm_formal.declare.arithmetic.value import value_text
from ppdm_formal.derive.information.knowledge import shown
from ppdm_formal.derive.information.leakage import Leakage
from ppdm_formal.derive.information.rate_distortion import Rate
from ppdm_formal.report.parts.blocks import Block, Document, Facts, Section, Table, Text
from ppdm_formal.report.words.visible import visible


def document(found: Leakage | Rate, **_: object) -> Document:
    """What `ppdm leakage` and `ppdm rate` show."""
    return _leakage(found) if isinstance(found, Leakage) else _rate(found)


def _leakage(found: Leakage) -> Document:
    gains, people, epsilon = found.gains, found.people, found.epsilon
    said = "the uniform prior" if found.prior is None else f"the prior {found.prior}"
    title = f"What outputs of {found.operator} tell, under {said}"
    rows = [
        [name, _number(shown(gain.before)), _number(shown(gain.after)), _number(gain.gain)]
        for name, gain in gains.items()
    ]
    gained = Table(
        ["uncertainty", "before", "after, on average", "knowledge gain"], rows, numbers=(1, 2, 3)
    )
    leaked = Table(
        ["person", "I(U; Y) under the prior", "at most, for any prior"],
        [
            [str(one.person), str(one.under_prior), "too many others" if one.for_all is None
             else str(one.for_all)]
            for one in people
        ],
        numbers=(1, 2),
    )  # fmt: skip
    worst = max(people, key=lambda one: one.under_prior.hi)
    blocks: list[Block] = [
        gained,
        leaked,
        Text(
            f"In nats. The event-based leakage of the database is that of person {worst.person}. "
            "At most, for any prior and knowing all others: epsilon of mutual-information "
            "differential privacy, by rigorous bounds on channel capacities."
        ),
        Facts([("free-lunch privacy", f"epsilon {_number(epsilon)}: all inputs as neighbours")]),
    ]
    return Document(visible(title), "", "", "", [Section("", blocks)], "")


def _rate(rate: Rate) -> Document:
    found, allowed, gain = rate.found, rate.max_loss, rate.amplification
    facts = Facts(
        [
            ("least information", f"{found.nats} nat, between proven bounds"),
            ("gap of the bounds", f"at most {float(found.nats.width):.1e} nat"),
            ("expected loss", f"{_number(found.loss)}, allowed is {brief(allowed)}"),
            ("slope", f"about {float(found.slope):.4g} nat for each unit of loss"),
            ("amplification", f"{_number(gain)} (the mechanism's, for all priors)"),
        ]
    )
    title = f"Rate-distortion: {len(found.rows)} inputs, {len(found.rows[0])} outputs"
    return Document(title, "", "", "", [Section("", [facts])], "")


def _number(value: Any) -> str:
    return value_text(value) if isinstance(value, Enclosure) else _short(value)


def _short(value: Any) -> str:
    from ppdm_formal.declare.arithmetic.value import Infinity

    return str(value) if isinstance(value, Infinity) else brief(value)
