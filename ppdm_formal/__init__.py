"""ppdm_formal: exact audits and breach certificates for randomized data collection.

Names are imported when first used, so that `import ppdm_formal` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ppdm_formal.declare.result import shown_by

if TYPE_CHECKING:  # the same names, for editors and type checkers
    from ppdm_formal.certify import certify as certify
    from ppdm_formal.certify.audit.audit import audit as audit
    from ppdm_formal.certify.audit.comparison import compare as compare
    from ppdm_formal.certify.certificate import Certificate as Certificate
    from ppdm_formal.certify.finding import Verdict as Verdict
    from ppdm_formal.declare.arithmetic.parameter import Parameter as Parameter
    from ppdm_formal.declare.claim import BoundClaim as BoundClaim
    from ppdm_formal.declare.claim import BreachClaim as BreachClaim
    from ppdm_formal.declare.language.compiler import compile_text as compile_text
    from ppdm_formal.declare.language.compiler import load as load
    from ppdm_formal.declare.language.errors import ModelError as ModelError
    from ppdm_formal.declare.language.model import Model as Model
    from ppdm_formal.declare.operators.crowd import Crowd as Crowd
    from ppdm_formal.declare.operators.domain import Domain as Domain
    from ppdm_formal.declare.operators.prior import Constraint as Constraint
    from ppdm_formal.declare.operators.prior import Prior as Prior
    from ppdm_formal.declare.operators.prior import PriorFamily as PriorFamily
    from ppdm_formal.declare.operators.prior import Property as Property
    from ppdm_formal.declare.operators.randomization import Operator as Operator
    from ppdm_formal.declare.operators.view import InputClass as InputClass
    from ppdm_formal.declare.operators.view import View as View
    from ppdm_formal.derive.measures.utility import utility as utility
    from ppdm_formal.infer.baskets.plain import mine_plain as mine_plain
    from ppdm_formal.infer.baskets.randomized import mine_release as mine_release
    from ppdm_formal.infer.tables.collected import estimate as estimate
    from ppdm_formal.run.randomize import randomize as randomize

__version__ = "0.2.0"

shown_by("ppdm_formal.report.formats.notebook")  # loaded when something is shown

_HOME = {
    "Domain": "declare.operators.domain",
    "Operator": "declare.operators.randomization",
    "View": "declare.operators.view",
    "InputClass": "declare.operators.view",
    "Parameter": "declare.arithmetic.parameter",
    "Prior": "declare.operators.prior",
    "Property": "declare.operators.prior",
    "PriorFamily": "declare.operators.prior",
    "Constraint": "declare.operators.prior",
    "audit": "certify.audit.audit",
    "certify": "certify",
    "compare": "certify.audit.comparison",
    "BreachClaim": "declare.claim",
    "BoundClaim": "declare.claim",
    "Crowd": "declare.operators.crowd",
    "randomize": "run.randomize",
    "load": "declare.language.compiler",
    "compile_text": "declare.language.compiler",
    "ModelError": "declare.language.errors",
    "Model": "declare.language.model",
    "Certificate": "certify.certificate",
    "Verdict": "certify.finding",
    "estimate": "infer.tables.collected",
    "utility": "derive.measures.utility",
    "mine_plain": "infer.baskets.plain",
    "mine_release": "infer.baskets.randomized",
}

__all__ = [*_HOME, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ppdm_formal' has no attribute {name!r}")
    home = import_module(f"ppdm_formal.{_HOME[name]}")
    return home if _HOME[name] == name else getattr(home, name)  # certify can be called


def __dir__() -> list[str]:
    return sorted(__all__)
