"""Parts declarations: which operator each part of a record goes through, and what is claimed."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from ppdm_formal.declare.arithmetic.logarithm import Exponent, e_to
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.evaluate import Evaluator
from ppdm_formal.declare.operators.parts import Parts, PartsClaim, SanitizedPart

MAX_PARTS = 1000


def build_parts(node: s.PartsDeclaration, evaluator: Evaluator) -> Parts:
    """A record's parts, with every name resolved."""
    parts: dict[str, SanitizedPart] = {}
    among: Exponent | None = None
    for item in node.items:
        match item:
            case s.SanitizedBy():
                if item.name in parts:
                    raise ModelError(f"a second part {item.name}", item.at)
                operators = evaluator.scope.operators
                operator = operators.get(item.operator.text)
                if operator is None:
                    raise ModelError(
                        f"unknown operator {item.operator.text}",
                        item.operator.at,
                        _hint(item.operator.text, operators, "declared"),
                    )
                parts[item.name] = SanitizedPart(item.name, operator)
            case s.Among():
                if item.word.text != "dependence" or item.relation != "<=":
                    raise ModelError(
                        "what is said of the parts themselves is their dependence",
                        item.at,
                        "such as dependence <= 1/10",
                    )
                if among is not None:
                    raise ModelError("a second dependence among the parts", item.at)
                among = _epsilon(item.bound, evaluator)
    if not parts:
        raise ModelError(f"{node.name} has no parts", node.at, "such as age: OPERATOR")
    if len(parts) > MAX_PARTS:
        raise ModelError(f"more than {MAX_PARTS:,} parts", node.at)
    claims = tuple(
        _claim(item, parts, evaluator) for item in node.items if isinstance(item, s.PartsRequire)
    )
    return Parts(node.name, tuple(parts.values()), among, claims)


def _claim(
    node: s.PartsRequire, parts: Mapping[str, SanitizedPart], evaluator: Evaluator
) -> PartsClaim:
    word, part = node.measure.text, node.part
    if word == "record" and part is None:
        return PartsClaim("record", None, node.relation, _epsilon(node.bound, evaluator))
    if word != "dependence":
        raise ModelError(
            f"{word} is nothing that parts are asked",
            node.measure.at,
            "require record <= 3, require dependence(PART) <= 1 or require dependence <= 1",
        )
    if node.relation != "<=":
        raise ModelError("dependence for all priors is bounded by <=", node.measure.at)
    if part is not None and part.text not in parts:
        raise ModelError(
            f"unknown part {part.text}", part.at, _hint(part.text, parts, "declared here")
        )
    named = None if part is None else part.text
    return PartsClaim("dependence", named, node.relation, _epsilon(node.bound, evaluator))


def _epsilon(node: s.Expr, evaluator: Evaluator) -> Exponent:
    """A rational or a logarithm, not below 0."""
    value = evaluator.constant_exponent(node)
    if e_to(value) < 1:
        raise ModelError("an epsilon is not below 0", node.at)
    return value


def _hint(name: str, known: Mapping[str, object], listed: str) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else f"{listed}: {', '.join(known) or 'none'}"
