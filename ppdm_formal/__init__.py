"""ppdm_formal: exact audits and breach certificates for randomized data collection.

Names are imported when first used, so that `import ppdm_formal` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Domain": "operator.domain",
    "Operator": "operator.operator",
    "View": "operator.view",
    "InputClass": "operator.view",
    "Parameter": "numbers.parameter",
    "Prior": "operator.prior",
    "Property": "operator.prior",
    "PriorFamily": "operator.prior",
    "Constraint": "operator.prior",
    "audit": "audit",
    "certify": "certify",
    "compare": "comparison",
    "BreachClaim": "claim",
    "BoundClaim": "claim",
    "randomize": "run.randomize",
    "load": "language.compiler",
    "compile_text": "language.compiler",
    "ModelError": "language.errors",
    "Model": "language.model",
    "Certificate": "certify.certificate",
    "Verdict": "certify.finding",
    "estimate": "run.estimate.collected",
    "utility": "measures.utility",
    "mine_plain": "run.mine.plain",
    "mine_release": "run.mine.randomized",
}

__all__ = [*_HOME, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ppdm_formal' has no attribute {name!r}")
    home = import_module(f"ppdm_formal.{_HOME[name]}")
    return home if _HOME[name] == name else getattr(home, name)  # audit, certify: see namesake.py


def __dir__() -> list[str]:
    return sorted(__all__)
