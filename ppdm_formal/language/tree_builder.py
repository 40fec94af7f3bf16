"""The tree builder: from the parser's tree to the nodes of syntax.py, without recursion."""

from __future__ import annotations

import re
from typing import Any

from lark import Token, v_args
from lark.exceptions import VisitError
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from ppdm_formal.exact import parse_number
from ppdm_formal.language import syntax as s
from ppdm_formal.language.errors import ModelError, Place


def _place(meta: Meta) -> Place:
    return Place(getattr(meta, "line", 1), getattr(meta, "column", 1))


def _span(meta: Meta) -> tuple[int, int]:
    return meta.start_pos, meta.end_pos


def _token_place(token: Token) -> Place:
    return Place(token.line or 1, token.column or 1)


def _name(token: Token) -> s.Name:
    return s.Name(_token_place(token), str(token))


def _present(parts: list[Any]) -> tuple[Any, ...]:
    return tuple(part for part in parts if part is not None)


def _steps(parts: list[Any]) -> tuple[tuple[str, Place, s.Expr], ...]:
    """Operators and operands of a chain, without its first operand."""
    return tuple(
        (op, at, operand) for (op, at), operand in zip(parts[1::2], parts[2::2], strict=True)
    )


def build(tree: Any) -> tuple[s.Declaration, ...]:
    """The declarations of a parsed file."""
    try:
        return tuple(_TreeBuilder().transform(tree))
    except VisitError as problem:
        if isinstance(problem.orig_exc, ModelError):
            raise problem.orig_exc from None
        raise


@v_args(meta=True)
class _TreeBuilder(Transformer_NonRecursive[Token, Any]):
    """Builds the nodes of syntax.py, bottom up, without recursion."""

    def start(self, meta: Meta, parts: list[Any]) -> list[Any]:
        return parts

    # -- expressions --------------------------------------------------------------------

    def number(self, meta: Meta, parts: list[Any]) -> s.Number:
        try:
            return s.Number(_place(meta), parse_number(parts[0]))
        except ValueError as problem:
            raise ModelError(str(problem), _place(meta)) from None

    def label(self, meta: Meta, parts: list[Any]) -> s.Label:
        return s.Label(_place(meta), _unquoted(parts[0]))

    def name(self, meta: Meta, parts: list[Any]) -> s.Name:
        return _name(parts[0])

    def chain(self, meta: Meta, parts: list[Any]) -> s.Chain:
        return s.Chain(_place(meta), parts[0], _steps(parts))

    def comparison(self, meta: Meta, parts: list[Any]) -> s.Comparison:
        return s.Comparison(_place(meta), parts[0], _steps(parts))

    def _operation(self, meta: Meta, parts: list[Any]) -> tuple[str, Place]:
        return " ".join(map(str, parts)), _place(meta)

    sum_op = term_op = compare_op = _operation

    def power(self, meta: Meta, parts: list[Any]) -> s.Power:
        return s.Power(_place(meta), parts[0], parts[1])

    def negative(self, meta: Meta, parts: list[Any]) -> s.Negative:
        return s.Negative(_place(meta), parts[0])

    def negation(self, meta: Meta, parts: list[Any]) -> s.Not:
        return s.Not(_place(meta), parts[0])

    def all_of(self, meta: Meta, parts: list[Any]) -> s.Connective:
        return s.Connective(_place(meta), "and", tuple(parts))

    def any_of(self, meta: Meta, parts: list[Any]) -> s.Connective:
        return s.Connective(_place(meta), "or", tuple(parts))

    def union(self, meta: Meta, parts: list[Any]) -> s.Union:
        return s.Union(_place(meta), tuple(parts))

    def difference(self, meta: Meta, parts: list[Any]) -> s.Difference:
        return s.Difference(_place(meta), tuple(parts))

    def range_of(self, meta: Meta, parts: list[Any]) -> s.Range:
        return s.Range(_place(meta), parts[0], parts[1])

    def part(self, meta: Meta, parts: list[Any]) -> s.PartOf:
        index = str(parts[1])[1:]
        if len(index) > 6:
            raise ModelError("a tuple has no such part", _token_place(parts[1]))
        return s.PartOf(_place(meta), parts[0], int(index))

    def call(self, meta: Meta, parts: list[Any]) -> s.Call:
        return s.Call(_place(meta), str(parts[0]), _present(parts[1:]))

    def subsets(self, meta: Meta, parts: list[Any]) -> s.Subsets:
        return s.Subsets(_place(meta), str(parts[0]), parts[1], parts[2])

    def tuple_of(self, meta: Meta, parts: list[Any]) -> s.TupleOf:
        return s.TupleOf(_place(meta), _present(parts))

    def set_of(self, meta: Meta, parts: list[Any]) -> s.SetOf:
        return s.SetOf(_place(meta), _present(parts))

    def mass(self, meta: Meta, parts: list[Any]) -> s.Mass:
        return s.Mass(_place(meta), parts[0], parts[1], parts[2] is not None)

    def choose(self, meta: Meta, parts: list[Any]) -> s.Choose:
        return s.Choose(_place(meta), _present(parts))

    # -- statements and bodies ------------------------------------------------------------

    def draw(self, meta: Meta, parts: list[Any]) -> s.Draw:
        return s.Draw(_place(meta), str(parts[0]), parts[1])

    def let(self, meta: Meta, parts: list[Any]) -> s.Let:
        return s.Let(_place(meta), str(parts[0]), parts[1])

    def return_(self, meta: Meta, parts: list[Any]) -> s.Return:
        return s.Return(_place(meta), parts[0])

    def block(self, meta: Meta, parts: list[Any]) -> s.Block:
        return _present(parts)

    def arm(self, meta: Meta, parts: list[Any]) -> s.Arm:
        word, test, then = parts
        return s.Arm(_place(meta), str(word) == "with", test, then)

    def branch(self, meta: Meta, parts: list[Any]) -> s.Branch:
        *arms, otherwise = parts
        return s.Branch(_place(meta), tuple(arms), otherwise)

    def block_body(self, meta: Meta, parts: list[Any]) -> s.Program:
        return s.Program(_place(meta), _present(parts))

    def case_plain(self, meta: Meta, parts: list[Any]) -> s.Case:
        return s.Case(_place(meta), parts[0], None)

    def case_if(self, meta: Meta, parts: list[Any]) -> s.Case:
        return s.Case(_place(meta), parts[0], parts[1])

    def rule(self, meta: Meta, parts: list[Any]) -> s.Rule:
        source, target, *cases = _present(parts)
        return s.Rule(_place(meta), str(source), str(target), tuple(cases))

    def row(self, meta: Meta, parts: list[Any]) -> s.Row:
        return s.Row(_place(meta), parts[0], tuple(parts[1:]))

    def matrix(self, meta: Meta, parts: list[Any]) -> s.Matrix:
        return s.Matrix(_place(meta), _present(parts))

    # -- declarations -----------------------------------------------------------------------

    def domain(self, meta: Meta, parts: list[Any]) -> s.DomainDeclaration:
        return s.DomainDeclaration(_token_place(parts[0]), str(parts[0]), parts[1])

    def interval_open(self, meta: Meta, parts: list[Any]) -> bool:
        return str(parts[0]) == "["

    def interval_close(self, meta: Meta, parts: list[Any]) -> bool:
        return str(parts[0]) == "]"

    def param(self, meta: Meta, parts: list[Any]) -> s.ParamDeclaration:
        name, opened, low, high, closed, default = parts
        return s.ParamDeclaration(_token_place(name), str(name), low, high, opened, closed, default)

    def prior_table(self, meta: Meta, parts: list[Any]) -> s.PriorDeclaration:
        name, on, *masses = parts
        return s.PriorDeclaration(_token_place(name), str(name), on, _present(masses))

    def prior_named(self, meta: Meta, parts: list[Any]) -> s.PriorDeclaration:
        name, on, kind = parts
        if kind != "uniform":
            raise ModelError(
                f"unknown kind of prior {kind}",
                _token_place(kind),
                "write = uniform, or list the probabilities in braces",
            )
        return s.PriorDeclaration(_token_place(name), str(name), on, None)

    def property(self, meta: Meta, parts: list[Any]) -> s.PropertyDeclaration:
        return s.PropertyDeclaration(_token_place(parts[0]), str(parts[0]), parts[1], parts[2])

    def operator_block(self, meta: Meta, parts: list[Any]) -> s.OperatorDeclaration:
        name, variable, inputs, outputs, body = parts
        return s.OperatorDeclaration(
            _token_place(name), _span(meta), str(name), str(variable), inputs, outputs, body
        )

    def operator_file(self, meta: Meta, parts: list[Any]) -> s.OperatorDeclaration:
        name, variable, inputs, outputs, kind, path = parts
        if kind != "csv":
            raise ModelError(
                f"unknown way to read a matrix: {kind}", _token_place(kind), 'write csv("file.csv")'
            )
        body = s.CsvFile(_token_place(path), _unquoted(path))
        return s.OperatorDeclaration(
            _token_place(name), _span(meta), str(name), str(variable), inputs, outputs, body
        )

    def named_argument(self, meta: Meta, parts: list[Any]) -> s.Argument:
        values = parts[1] if isinstance(parts[1], tuple) else (parts[1],)
        return s.Argument(
            _token_place(parts[0]), str(parts[0]), values, isinstance(parts[1], tuple)
        )

    def listed(self, meta: Meta, parts: list[Any]) -> tuple[s.Expr, ...]:
        return _present(parts)

    def operator_family(self, meta: Meta, parts: list[Any]) -> s.FamilyDeclaration:
        name, family, *arguments = parts
        return s.FamilyDeclaration(
            _token_place(name), _span(meta), str(name), str(family), _present(arguments)
        )

    # -- audits -----------------------------------------------------------------------------

    def audit(self, meta: Meta, parts: list[Any]) -> s.AuditDeclaration:
        operators = tuple(_name(part) for part in parts if isinstance(part, Token))
        requests = tuple(part for part in parts if part is not None and not isinstance(part, Token))
        return s.AuditDeclaration(_place(meta), operators, requests)

    def ask_prior(self, meta: Meta, parts: list[Any]) -> s.Listing:
        return s.Listing(_place(meta), "prior", tuple(map(_name, parts)))

    def ask_property(self, meta: Meta, parts: list[Any]) -> s.Listing:
        return s.Listing(_place(meta), "property", tuple(map(_name, parts)))

    def ask_given(self, meta: Meta, parts: list[Any]) -> s.Given:
        return s.Given(_place(meta), tuple(parts))

    def under_prior(self, meta: Meta, parts: list[Any]) -> tuple[str, Place, Any]:
        return "under", _place(meta), _name(parts[0])

    def under_family(self, meta: Meta, parts: list[Any]) -> tuple[str, Place, Any]:
        return "under", _place(meta), _present(parts)

    def for_property(self, meta: Meta, parts: list[Any]) -> tuple[str, Place, Any]:
        return "for", _place(meta), _name(parts[0])

    def knowing(self, meta: Meta, parts: list[Any]) -> tuple[str, Place, Any]:
        return "knowing", _place(meta), _name(parts[0])

    def forbid(self, meta: Meta, parts: list[Any]) -> s.Forbid:
        direction, first, second, *clauses = parts
        said: dict[str, Any] = {}
        for kind, at, value in clauses:
            if kind in said:
                raise ModelError(f"a second {kind!r} in one claim", at)
            said[kind] = value
        return s.Forbid(
            _place(meta),
            None if direction is None else str(direction),
            first,
            second,
            said.get("under"),
            said.get("for"),
            said.get("knowing"),
        )

    def require(self, meta: Meta, parts: list[Any]) -> s.Require:
        measure, prior, relation, bound, unit = parts
        return s.Require(
            _place(meta),
            _name(measure),
            None if prior is None else _name(prior),
            str(relation),
            bound,
            None if unit is None else _name(unit),
        )


def _unquoted(token: Token) -> str:
    text = re.sub(r"\\(.)", r"\1", str(token)[1:-1])
    if not text.isprintable():
        raise ModelError("a label with a control character in it", _token_place(token))
    return text
