"""Evidence "capacity": what an output tells of one person's value at most, whatever the prior.

The views are those of channels, row by row. For any law q of the outputs and any prior r

    sum over x of r[x] KL(p[x -> .] || mean)  <=  capacity  <=  max over x of KL(p[x -> .] || q)

so that a law q for each channel shows that none passes the bound, and one prior that one does.
"""

from __future__ import annotations

from typing import Any

from .certificate import Certificate, Evidence
from .claim import BoundClaim, Claim
from .decision import Decision
from .formula import Formula, product_of, sum_of
from .formula_tree import Range
from .limits import MAX_FORMULA_BITS, ZERO
from .reading import Fields, read_list, read_number, read_position
from .result import Rejected, need
from .view import View
from .views import by_known


def capacity(
    views: list[View], claim: BoundClaim, evidence: Any, witness: dict[str, Any] | None
) -> Decision:
    """Every channel is within the bound by its law, or the witness's is beyond it by its prior."""
    channels = by_known(views)
    if witness is None:
        laws = Fields(evidence, "evidence", "kind laws").list("laws", len(channels))
        for shown, law in zip(channels.values(), laws, strict=True):
            near = read_shares(law, shown, [view.outputs for view in shown])
            for place in range(len(shown[0].classes)):
                within_bound(shown, place, near, claim)
        return Decision(False)
    raw = Fields(evidence, "evidence", "kind prior").list("prior")
    view = views[read_position(witness.get("view"), len(views))]
    shown = channels[view.known]
    prior = read_shares(raw, shown[0].classes, [1] * len(shown[0].classes))
    mean = [
        sum((r * c.likelihood for r, c in zip(prior, v.classes, strict=True)), ZERO) for v in shown
    ]
    for bits in doubled():
        told = sum_of(
            product_of([(r, r), divergence(shown, place, mean, claim, bits)])
            for place, r in enumerate(prior)
            if r != 0
        )
        if not claim.allows(told[0], claim.bound):
            return Decision(True)
        need(not claim.allows(told[1], claim.bound), "the witness's prior keeps the bound")
    raise Rejected(f"{MAX_FORMULA_BITS} bits do not decide what the witness's prior tells")


def read_shares(raw: Any, of: Any, times: list[int]) -> list[Any]:
    """Numbers that are not negative and, so many times each, sum to 1."""
    found = [read_number(text) for text in read_list(raw, len(of))]
    whole = sum((n * share for n, share in zip(times, found, strict=True)), ZERO)
    need(all(share >= 0 for share in found) and whole == 1, "shares that do not sum to 1")
    return found


def doubled() -> Any:
    """How many bits are tried."""
    bits = 128
    while bits <= MAX_FORMULA_BITS:
        yield bits
        bits *= 2


def within_bound(shown: list[View], place: int, law: list[Any], claim: BoundClaim) -> None:
    """Reject unless an input's row is as near to the law as the bound asks."""
    for bits in doubled():
        low, high = divergence(shown, place, law, claim, bits)
        if claim.allows(high, claim.bound):
            return
        need(claim.allows(low, claim.bound), "an input's row is too far from the evidence's law")
    raise Rejected(f"{MAX_FORMULA_BITS} bits do not decide how far a row is from the law")


def divergence(
    shown: list[View], place: int, law: list[Any], claim: BoundClaim, bits: int
) -> Range:
    """KL(p[x -> .] || law) of one input, in the claim's unit."""
    logarithms = Formula(shown[0], claim, bits)
    parts = []
    for view, q in zip(shown, law, strict=True):
        p = view.classes[place].likelihood
        if p != 0:
            need(q > 0, "an output that the law leaves out")
            weight = view.outputs * p
            parts.append(product_of([(weight, weight), logarithms.log_of(p / q)]))
    return sum_of(parts)


class ByCapacity(Evidence):
    """A law of the outputs for every channel, or a prior for one."""

    kind, of = "capacity", ("finite",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """What one person's value tells at most, without free parameters."""
        return isinstance(claim, BoundClaim) and claim.each == "channel" and not subject.free

    def decide(self, certificate: Certificate) -> Decision:
        """Of all channels, or of the witness's."""
        views, claim = certificate.subject.views, certificate.claim
        return capacity(views, claim, certificate.evidence, certificate.witness)
