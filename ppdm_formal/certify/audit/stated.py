"""The claims that a model's audit states, in the order and with the numbers of its report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ppdm_formal.certify.audit.audit import asked_of, continuous_requests, gathered
from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.language.model import Model


@dataclass(frozen=True)
class StatedClaim:
    """A claim about an operator (or a record in parts), by its name and number."""

    number: int
    operator: str
    text: str

    @property
    def stem(self) -> str:
        """The name of its certificate's file, without the suffix."""
        return certificate_stem(self.operator, self.number)


def certificate_stem(operator: str, number: int) -> str:
    """OPERATOR-NUMBER; operators of plans are called GROUP, size 5."""
    return f"{operator.replace(', ', '-').replace(' ', '-')}-{number}"


def stated_claims(
    model: Model, further: Sequence[Claim] = (), operators: Collection[str] | None = None
) -> list[StatedClaim]:
    """All claims, and further ones, which are asked of every audited operator.

    operators: only claims about these, numbered as among all; one that the model does not audit
    has the further claims alone, numbered after all others.
    """
    found: list[tuple[str, str]] = []
    for request in gathered(model):
        name = request.operator.name
        asked = asked_of(model, name, further)
        found += [(name, str(c)) for c in (*request.claims, *asked)]
    for real in continuous_requests(model):
        found += [(real.operator.name, str(c)) for c in (*real.claims, *further)]
    for record in model.parts.values():
        found += [(record.name, str(claim)) for claim in record.claims]
    audited = {name for name, _ in found}
    audited |= {request.operator.name for request in gathered(model)}
    for name in operators or ():
        if name not in audited:
            found += [(name, str(claim)) for claim in further]
    listed = [StatedClaim(number, *one) for number, one in enumerate(found, start=1)]
    return [one for one in listed if operators is None or one.operator in operators]
