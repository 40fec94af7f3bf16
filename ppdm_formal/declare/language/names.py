"""Names and paths of a body, checked before it runs: also where no input ever gets to.

Every name must be known, every variable must have its value on every path to its use,
distributions stand after ~ and return only, and every path returns.
"""

from __future__ import annotations

from collections.abc import Iterable

from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError, Place
from ppdm_formal.declare.language.evaluate import Evaluator
from ppdm_formal.declare.language.scope import DISTRIBUTIONS, FUNCTIONS, Scope


class NameCheck:
    """Checks expressions and statements against a scope."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.scope = evaluator.scope
        self._assigned: set[str] = set()

    def expressions(self, nodes: Iterable[s.Expr], variables: set[str]) -> None:
        """Every name in the expressions must stand for something."""
        stack = [(node, variables) for node in nodes]
        while stack:
            node, known = stack.pop()
            match node:
                case s.Name():
                    self._name(node, known)
                case s.Label() if node.text not in self.scope.labels:
                    raise self.evaluator.unknown_label(node)
                case s.Call() if node.name not in FUNCTIONS:
                    raise self.evaluator.unknown_call(node, known)
                case s.Choose():
                    raise self.evaluator.misplaced(node)
                case s.Subsets() if node.name == "level":
                    stack.append((node.size, known))  # the rest names a file
                    continue
                case s.ForEach():
                    self.evaluator.check_index(node, known)
                    stack += [(node.over, known), (node.element, known | {node.index})]
                    continue
            stack.extend((part, known) for part in s.parts(node))

    def _name(self, node: s.Name, variables: set[str]) -> None:
        name, scope = node.text, self.scope
        if name in variables or name in scope.values or name in scope.domains:
            return
        if name in self._assigned and name not in scope.labels:
            raise ModelError(
                f"{name} has no value on some paths to this place",
                node.at,
                f"give {name} a value in every branch, or before them",
            )
        if name not in scope.labels:
            raise self.evaluator.unknown(node, variables)

    def program(self, program: s.Program, variable: str) -> None:
        """A whole body of statements."""
        if self._block(program.statements, {variable}) is not None:
            last = program.statements[-1]
            word = "a branch" if isinstance(last, s.Branch) else "this"
            raise ModelError(
                f"{word} does not return: every path must end in a return", last.at, _hint(last)
            )

    def _block(self, block: s.Block, variables: set[str]) -> set[str] | None:
        """The variables that have a value after the block; None where it has returned."""
        known: set[str] | None = variables
        for statement in block:
            if known is None:
                raise ModelError("this is never reached: what is before it returns", statement.at)
            known = self._statement(statement, known)
        return known

    def _statement(self, statement: s.Statement, variables: set[str]) -> set[str] | None:
        match statement:
            case s.Let():
                self.expressions([statement.value], variables)
                return self._assign(statement.name, statement.at, variables)
            case s.Draw():
                if not self._distribution(statement.distribution, variables):
                    self.expressions([statement.distribution], variables)
                    raise ModelError(
                        "expected a distribution after ~",
                        statement.distribution.at,
                        f"such as uniform(SET); a value is given with {statement.name} = ...",
                    )
                return self._assign(statement.name, statement.at, variables)
            case s.Return():
                if not self._distribution(statement.value, variables):
                    self.expressions([statement.value], variables)
                return None
            case s.Branch():
                after = []
                for arm in statement.arms:
                    self.expressions([arm.test], variables)
                    after.append(self._block(arm.then, variables))
                after.append(self._block(statement.otherwise or (), variables))
                going_on = [known for known in after if known is not None]
                return set.intersection(*going_on) if going_on else None

    def _distribution(self, node: s.Expr, variables: set[str]) -> bool:
        """Whether the expression is a distribution; if so, its parts are checked."""
        if not is_distribution(node, self.scope):
            return False
        match node:
            case s.Choose():
                self.expressions(
                    [part for mass in node.masses for part in (mass.values, mass.probability)],
                    variables,
                )
            case s.Call():
                self.expressions(node.arguments, variables)
            case s.Conditional():
                self.expressions([node.condition], variables)
                for side in (node.then, node.otherwise):
                    if not self._distribution(side, variables):
                        self.expressions([side], variables)
            case s.ForEach():
                self.evaluator.check_index(node, variables)
                self.expressions([node.over], variables)
                self._distribution(node.element, variables | {node.index})
        return True

    def _assign(self, name: str, at: Place, variables: set[str]) -> set[str]:
        self.scope.check_new(name, at)
        self._assigned.add(name)
        return variables | {name}


def is_distribution(node: s.Expr, scope: Scope) -> bool:
    """Whether an expression after ~ or return is drawn: it, a side of it or its elements are."""
    match node:
        case s.Choose():
            return True
        case s.Call():
            return node.name in DISTRIBUTIONS or node.name in scope.operators
        case s.Conditional():
            return is_distribution(node.then, scope) or is_distribution(node.otherwise, scope)
        case s.ForEach():
            return not node.is_set and is_distribution(node.element, scope)
        case _:
            return False


def _hint(last: s.Statement) -> str:
    if isinstance(last, s.Branch) and last.otherwise is None:
        return "add an else, or a return after it"
    return "add a return"
