"""certify: decide a claim about an operator into a certificate; names are imported when used."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.certify.subject import Asked, Sent

_HOME = {
    "EXACTLY": "finding",
    "Certificate": "certificate",
    "InconsistentConstraints": "finding",
    "NoCase": "finding",
    "Region": "region",
    "SolverMissing": "solver.by_solver",
    "Thresholds": "finding",
    "Trust": "finding",
    "Verdict": "finding",
}

__all__ = [
    "EXACTLY",
    "Certificate",
    "InconsistentConstraints",
    "NoCase",
    "Region",
    "SolverMissing",
    "Thresholds",
    "Trust",
    "Verdict",
    "certify",
]


def certify(
    operator: Sent,
    claim: Asked,
    *,
    timeout: float = 60,
    cross_check: bool = False,
    provenance: Mapping[str, Any] | None = None,
) -> Certificate[Sent, Asked]:
    """Decide a claim: certified, breached (with a replayed witness) or unknown (with the reason).

    operator: on a finite set, noise on real numbers, or a record in parts. timeout: seconds for
    the search and for the solvers, each; the checker, to which every certificate is put, has
    thirty at most. cross_check: ask z3 and cvc5 as well. provenance: the certificate's "model"
    block, where the operator came from.

    >>> from fractions import Fraction
    >>> from ppdm_formal import BreachClaim, Operator
    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> certify(coin, BreachClaim(Fraction(1, 10), Fraction(1, 2))).verdict
    <Verdict.CERTIFIED: 'certified'>
    """
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.certify.recheck import rechecked
    from ppdm_formal.certify.subject import decided, subject_of

    finding = decided(subject_of(operator, claim), timeout, cross_check)
    return rechecked(Certificate(operator, claim, finding, provenance), timeout)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ppdm_formal.certify' has no attribute {name!r}")
    return getattr(import_module(f"ppdm_formal.certify.{_HOME[name]}"), name)


class _Namesake(ModuleType):
    """This module, called as its function: `from ppdm_formal import certify` gives either."""

    def __call__(self, *arguments: Any, **named: Any) -> Certificate[Any, Any]:
        return certify(*arguments, **named)


sys.modules[__name__].__class__ = _Namesake
