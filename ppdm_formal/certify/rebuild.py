"""Claims read back from certificates: names looked up anew among what a model declares."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Constraint, Prior, PriorFamily, Property


class NotInModel(ValueError):
    """The certificate names something that the model does not declare."""


def rebuilt_claim(
    document: Mapping[str, Any],
    priors: Mapping[str, Prior],
    properties: Mapping[str, Property],
    operators: Mapping[str, Operator],
) -> Claim:
    """The claim of a certificate's "claim" block, about the model's own priors and properties."""
    if document["kind"] == "bound":
        return BoundClaim(
            document["measure"],
            document["relation"],
            Fraction(document["bound"]),
            None if document["prior"] is None else _known(priors, document["prior"], "prior"),
            document["unit"],
        )
    named = [_known(properties, name, "property") for name in document["properties"]]
    under: Prior | PriorFamily | None = None
    if document["under"] != "all priors":
        if "prior" in document["under"]:
            under = _known(priors, document["under"]["prior"], "prior")
        else:
            under = PriorFamily(
                tuple(
                    Constraint(
                        tuple((Fraction(factor), named[i]) for factor, i in part["terms"]),
                        part["relation"],
                        Fraction(part["bound"]),
                    )
                    for part in document["under"]["constraints"]
                )
            )
    knowing = document["knowing"]
    return BreachClaim(
        Fraction(document["rho1"]),
        Fraction(document["rho2"]),
        document["direction"],
        under,
        None if document["for"] is None else named[document["for"]],
        None if knowing is None else _known(operators, knowing, "operator"),
    )


def _known(table: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in table:
        raise NotInModel(f"the model declares no {what} {name}")
    return table[name]
