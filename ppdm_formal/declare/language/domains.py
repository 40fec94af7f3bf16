"""Domains, input sets and output sets: they introduce labels, and hold integers and labels."""

from __future__ import annotations

from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.evaluate import Evaluator
from ppdm_formal.declare.language.finite_set import FiniteSet
from ppdm_formal.declare.language.scope import describe
from ppdm_formal.declare.operators.domain import Domain, Value

_LARGEST = 10**100
"""Integers in domains stay readable."""


def declared_set(node: s.Expr, evaluator: Evaluator, variable: str | None = None) -> FiniteSet:
    """A set whose names in braces become labels; `variable` is a name that they must not be."""
    _introduce(node, evaluator, variable)
    members = evaluator.constant_set(node)
    if not len(members):
        raise ModelError("an empty set", node.at, "expected at least one value")
    if not isinstance(members.values, range):
        for value in members:
            _check(value, node)
    return members


def declared_domain(node: s.Expr, evaluator: Evaluator, variable: str | None = None) -> Domain:
    """The same as a Domain, which has the name it is called by."""
    members = declared_set(node, evaluator, variable)
    return Domain(members.values, node.text if isinstance(node, s.Name) else "")


def _check(value: Value, node: s.Expr) -> None:
    """Integers, labels, and tuples and sets of them."""
    if isinstance(value, (tuple, frozenset)):
        for part in value:
            _check(part, node)
    elif not isinstance(value, str) and (type(value) is not int or abs(value) > _LARGEST):
        raise ModelError(
            f"{describe(value)} in a domain",
            node.at,
            "expected integers (up to 10^100) and labels; a number in quotes is a label",
        )


def _introduce(node: s.Expr, evaluator: Evaluator, variable: str | None) -> None:
    scope = evaluator.scope
    stack: list[tuple[s.Expr, bool]] = [(node, False)]
    while stack:
        part, in_braces = stack.pop()
        match part:
            case s.Label():
                scope.labels.add(part.text)
            case s.Name() if in_braces:
                meaning = scope.meaning(part.text)
                if part.text == variable:
                    meaning = "the input's name"
                if meaning not in (None, "an operator"):
                    raise ModelError(
                        f"the label {part.text} is also {meaning}",
                        part.at,
                        f'quote the label: "{part.text}"',
                    )
                scope.labels.add(part.text)
                scope.bare_labels.add(part.text)
            case s.SetOf():
                stack.extend((child, True) for child in part.parts)
            case s.TupleOf():
                stack.extend((child, in_braces) for child in part.parts)
            case s.Union() | s.Difference():
                stack.extend((child, False) for child in part.parts)
            case s.Chain():
                stack.append((part.first, False))
                stack.extend((operand, False) for _, _, operand in part.rest)
            case s.Subsets() if part.name != "level":
                stack.append((part.of, False))
            case s.Power():
                stack.append((part.base, False))
            case s.Conditional():
                stack.extend((child, in_braces) for child in (part.then, part.otherwise))
