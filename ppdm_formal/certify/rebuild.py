"""The claim of a certificate, made anew of what the model declares under the names in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ppdm_formal.certify.subject import named
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.reading import read_exponent, read_real
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.operators.crowd import Crowd
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty


def rebuilt_claim(
    document: Mapping[str, Any],
    priors: Mapping[str, Prior] | Mapping[str, Density],
    properties: Mapping[str, Property] | Mapping[str, RealProperty],
    operators: Mapping[str, Operator],
    exponentials: Sequence[Parameter] = (),
) -> Claim:
    """The claim of a certificate's "claim" block, about the model's own priors and properties.

    exponentials: parameters t = exp(eps) that the model uses, in its operators or beside them.
    """
    if document["kind"] == "bound":
        held = (p for o in operators.values() for p in o.parameters if p.of is not None)
        free = (*exponentials, *held)
        text = document["bound"]
        epsilon = document["measure"] == "epsilon"
        bound = read_exponent(text, free) if epsilon else _number(text)
        return BoundClaim(
            document["measure"],
            document["relation"],
            bound,
            None if document["prior"] is None else named(priors, document["prior"], "prior"),
            document["unit"],
            document.get("reports", 1),
            read_exponent(document["at"], free) if "at" in document else None,
            _crowd(document, priors, properties),
        )
    listed = [named(properties, name, "property") for name in document["properties"]]
    under: Any = None
    if document["under"] != "all priors":
        if "prior" in document["under"]:
            under = named(priors, document["under"]["prior"], "prior")
        else:
            under = _family(document["under"]["constraints"], listed)
    knowing = document["knowing"]
    return BreachClaim(
        _number(document["rho1"]),
        _number(document["rho2"]),
        document["direction"],
        under,
        None if document["for"] is None else listed[document["for"]],
        None if knowing is None else named(operators, knowing, "operator"),
        document.get("reports", 1),
        _crowd(document, priors, properties),
        _number(document["except"]) if "except" in document else None,
    )


def _family(constraints: Sequence[Any], named: Sequence[Any]) -> PriorFamily:
    return PriorFamily(
        tuple(
            Constraint(
                tuple((_number(factor), named[i]) for factor, i in part["terms"]),
                part["relation"],
                _number(part["bound"]),
            )
            for part in constraints
        )
    )


def _crowd(
    document: Mapping[str, Any], priors: Mapping[str, Any], properties: Mapping[str, Any]
) -> Crowd | None:
    """Among how many reports that of a client is hidden."""
    if "crowd" not in document:
        return None
    said = document["crowd"]
    others = said["others"]
    if isinstance(others, dict):
        listed = [named(properties, name, "property") for name in others["properties"]]
        others = _family(others["constraints"], listed)
    elif others is not None:
        others = named(priors, others, "prior")
    return Crowd(said["clients"], said["how"], said["colluding"], said["missing"], others)


def _number(text: str) -> Any:
    """A number of a claim."""
    return read_real(text)


def bound_of(text: str) -> Any:
    """A bound: a number, or the logarithm of one."""
    return read_exponent(text) if text.startswith("ln(") else _number(text)
