"""TreeBuilder: the nodes of syntax.py, built while the parser reduces, without recursion."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from lark import Token, Transformer

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError, Place


def _place(token: Token) -> Place:
    return Place(token.line or 1, token.column or 1)


def _name(token: Token) -> s.Name:
    return s.Name(_place(token), str(token))


def _present(parts: list[Any]) -> tuple[Any, ...]:
    """The parts without optional ones that were left out."""
    return tuple(part for part in parts if part is not None)


def _nodes(parts: list[Any]) -> tuple[Any, ...]:
    """The parts that are no keywords or signs."""
    return tuple(part for part in parts if part is not None and not isinstance(part, Token))


def _steps(parts: list[Any]) -> tuple[tuple[str, Place, s.Expr], ...]:
    """Operators and operands of a chain, without its first operand."""
    return tuple(
        (op, at, operand) for (op, at), operand in zip(parts[1::2], parts[2::2], strict=True)
    )


def _each_once(clauses: list[Any]) -> dict[str, Any]:
    """What the clauses of a claim say, by their words."""
    said: dict[str, Any] = {}
    for word, at, value in clauses:
        if word in said:
            unlike = isinstance(value, s.Crowd) != isinstance(said[word], s.Crowd)
            hint = "among a crowd every client sends one report" if unlike else ""
            raise ModelError(f"a second '{word}' in one claim", at, hint)
        said[word] = value
    return said


def _after(said: dict[str, Any]) -> tuple[s.Expr | None, s.Crowd | None]:
    """After how many reports, or among which crowd."""
    after = said.get("after")
    return (None, after) if isinstance(after, s.Crowd) else (after, None)


def _span(parts: list[Any]) -> tuple[int, int]:
    """From the first token to the last."""
    return parts[0].start_pos, parts[-1].end_pos


def _unquoted(token: Token) -> str:
    text = re.sub(r"\\(.)", r"\1", str(token)[1:-1])
    if not text.isprintable():
        raise ModelError("a label with a control character in it", _place(token))
    return text


class _Expressions(Transformer[Token, Any]):
    """Numbers, names, operations, sets."""

    def number(self, parts: list[Any]) -> s.Number:
        try:
            return s.Number(_place(parts[0]), parse_number(parts[0]))
        except ValueError as problem:
            raise ModelError(str(problem), _place(parts[0])) from None

    def label(self, parts: list[Any]) -> s.Label:
        return s.Label(_place(parts[0]), _unquoted(parts[0]))

    def name(self, parts: list[Any]) -> s.Name:
        return _name(parts[0])

    def chain(self, parts: list[Any]) -> s.Chain:
        return s.Chain(parts[0].at, parts[0], _steps(parts))

    def comparison(self, parts: list[Any]) -> s.Comparison:
        return s.Comparison(parts[0].at, parts[0], _steps(parts))

    def _operation(self, parts: list[Any]) -> tuple[str, Place]:
        return " ".join(map(str, parts)), _place(parts[0])

    sum_op = term_op = compare_op = _operation

    def power(self, parts: list[Any]) -> s.Power:
        return s.Power(parts[0].at, parts[0], parts[1])

    def negative(self, parts: list[Any]) -> s.Negative:
        return s.Negative(_place(parts[0]), parts[1])

    negative_power = negative

    def negated(self, parts: list[Any]) -> s.Not:
        return s.Not(_place(parts[0]), parts[1])

    def all_of(self, parts: list[Any]) -> s.Connective:
        return s.Connective(parts[0].at, "and", tuple(parts))

    def any_of(self, parts: list[Any]) -> s.Connective:
        return s.Connective(parts[0].at, "or", tuple(parts))

    def union(self, parts: list[Any]) -> s.Union:
        return s.Union(parts[0].at, tuple(parts))

    def difference(self, parts: list[Any]) -> s.Difference:
        return s.Difference(parts[0].at, tuple(parts))

    def range_of(self, parts: list[Any]) -> s.Range:
        return s.Range(parts[0].at, parts[0], parts[1])

    def part(self, parts: list[Any]) -> s.PartOf:
        index = str(parts[1])[1:]
        if len(index) > 6:
            raise ModelError("a tuple has no such part", _place(parts[1]))
        return s.PartOf(parts[0].at, parts[0], int(index))

    def call(self, parts: list[Any]) -> s.Call:
        return s.Call(_place(parts[0]), str(parts[0]), _present(parts[1:]))

    def subsets(self, parts: list[Any]) -> s.Subsets:
        return s.Subsets(_place(parts[0]), str(parts[0]), parts[1], parts[2])

    def paren(self, parts: list[Any]) -> Any:
        return replace(parts[1], at=_place(parts[0]))

    def tuple_of(self, parts: list[Any]) -> s.TupleOf:
        return s.TupleOf(_place(parts[0]), _nodes(parts))

    def set_of(self, parts: list[Any]) -> s.SetOf:
        return s.SetOf(_place(parts[0]), _nodes(parts))

    def conditional(self, parts: list[Any]) -> s.Conditional:
        return s.Conditional(parts[0].at, *parts)

    def list_for(self, parts: list[Any]) -> s.ForEach:
        opened, element, _, index, _, over, _ = parts
        return s.ForEach(_place(opened), str(opened) == "{", element, str(index), over)

    set_for = list_for

    def mass(self, parts: list[Any]) -> s.Mass:
        return s.Mass(parts[0].at, parts[0], parts[1], parts[2] is not None)

    def choose(self, parts: list[Any]) -> s.Choose:
        return s.Choose(_place(parts[0]), _nodes(parts))


class _Bodies(_Expressions):
    """Statements, cases and rows."""

    def draw(self, parts: list[Any]) -> s.Draw:
        return s.Draw(_place(parts[0]), str(parts[0]), parts[1])

    def let(self, parts: list[Any]) -> s.Let:
        return s.Let(_place(parts[0]), str(parts[0]), parts[1])

    def return_(self, parts: list[Any]) -> s.Return:
        return s.Return(_place(parts[0]), parts[1], tuple(parts[2:]))

    def output(self, parts: list[Any]) -> s.Output:
        return s.Output(_place(parts[0]), str(parts[0]), _nodes(parts))

    def block(self, parts: list[Any]) -> s.Block:
        return _present(parts)

    def arm(self, parts: list[Any]) -> s.Arm:
        word, test, then = parts
        return s.Arm(_place(word), str(word) == "with", test, then)

    def branch(self, parts: list[Any]) -> s.Branch:
        *arms, otherwise = parts
        return s.Branch(arms[0].at, tuple(arms), otherwise)

    def block_body(self, parts: list[Any]) -> s.Program:
        statements = _present(parts)
        return s.Program(statements[0].at, statements)

    def case_plain(self, parts: list[Any]) -> s.Case:
        return s.Case(parts[0].at, parts[0], None)

    def case_if(self, parts: list[Any]) -> s.Case:
        return s.Case(parts[0].at, parts[0], parts[1])

    def rule(self, parts: list[Any]) -> s.Rule:
        return s.Rule(_place(parts[0]), str(parts[1]), str(parts[3]), _nodes(parts))

    def row(self, parts: list[Any]) -> s.Row:
        return s.Row(parts[0].at, parts[0], tuple(parts[1:]))

    def matrix(self, parts: list[Any]) -> s.Matrix:
        return s.Matrix(_place(parts[0]), _nodes(parts))


class TreeBuilder(_Bodies):
    """Declarations and audits."""

    def start(self, parts: list[Any]) -> tuple[s.Declaration, ...]:
        """The whole file."""
        return tuple(parts)

    def domain(self, parts: list[Any]) -> s.DomainDeclaration:
        """The declaration of a named set."""
        return s.DomainDeclaration(_place(parts[0]), str(parts[0]), parts[1])

    def domain_reals(self, parts: list[Any]) -> s.RealsDeclaration:
        """The declaration of an interval of real numbers."""
        name, word, low, high = parts
        if low is None:
            raise ModelError(
                "reals without ends",
                _place(word),
                "on an unbounded domain no noise bounds what a report tells: write reals 0..100",
            )
        return s.RealsDeclaration(_place(name), str(name), low, high)

    def interval_open(self, parts: list[Any]) -> bool:
        """Whether the lower end belongs."""
        return str(parts[0]) == "["

    def interval_close(self, parts: list[Any]) -> bool:
        """Whether the upper end belongs."""
        return str(parts[0]) == "]"

    def param(self, parts: list[Any]) -> s.ParamDeclaration:
        """The declaration of a parameter."""
        name, opened, low, high, closed, default = parts
        return s.ParamDeclaration(_place(name), str(name), low, high, opened, closed, default)

    def prior_table(self, parts: list[Any]) -> s.PriorDeclaration:
        """A prior with its masses."""
        name, on, *masses = parts
        return s.PriorDeclaration(_place(name), str(name), on, _present(masses))

    def prior_named(self, parts: list[Any]) -> s.PriorDeclaration:
        """A prior by its kind: uniform."""
        name, on, kind = parts
        if kind != "uniform":
            raise ModelError(
                f"unknown kind of prior {kind}",
                _place(kind),
                "write = uniform, or list the probabilities in braces",
            )
        return s.PriorDeclaration(_place(name), str(name), on, None)

    def property(self, parts: list[Any]) -> s.PropertyDeclaration:
        """The declaration of a property."""
        return s.PropertyDeclaration(_place(parts[0]), str(parts[0]), parts[1], parts[2])

    def operator_block(self, parts: list[Any]) -> s.OperatorDeclaration:
        """An operator with a body in braces."""
        name, variable = parts[1], parts[3]
        inputs, outputs, body = _nodes(parts)
        return s.OperatorDeclaration(
            _place(name), _span(parts), str(name), str(variable), inputs, outputs, body
        )

    def operator_file(self, parts: list[Any]) -> s.OperatorDeclaration:
        """An operator with its matrix, or a hierarchy, in a file."""
        name, variable = parts[1], parts[3]
        kind, _, path, *rest = parts[parts.index("=") + 1 :]
        options: dict[str, Token] = {}
        for option in (part for part in rest if isinstance(part, tuple)):
            word, value = option
            if str(word) in options:
                raise ModelError(f"a second '{word}' for one file", _place(word))
            options[str(word)] = value
        if kind not in ("csv", "hierarchy"):
            raise ModelError(
                f"unknown way to read a matrix: {kind}",
                _place(kind),
                'write csv("file.csv") or hierarchy("file.csv")',
            )
        inputs, outputs = _nodes([part for part in parts if not isinstance(part, tuple)])
        said = tuple((word, str(value), _place(value)) for word, value in options.items())
        body: s.Body = s.CsvFile(_place(path), _unquoted(path), said)
        if kind == "hierarchy":
            if said:
                word, _, at = said[0]
                raise ModelError(f"a hierarchy has no {word}", at)
            body = s.HierarchyFile(_place(path), _unquoted(path))
        return s.OperatorDeclaration(
            _place(name), _span(parts), str(name), str(variable), inputs, outputs, body
        )

    def file_option(self, parts: list[Any]) -> tuple[Token, Token]:
        """How a file is to be read: a word and its value."""
        return parts[0], parts[1]

    def operator_family(self, parts: list[Any]) -> s.FamilyDeclaration:
        """A ready-made operator."""
        return s.FamilyDeclaration(
            _place(parts[1]), _span(parts), str(parts[1]), _name(parts[3]), _nodes(parts)
        )

    def named_argument(self, parts: list[Any]) -> s.Argument:
        """One argument of a ready-made operator."""
        name, value = parts
        values = value if isinstance(value, tuple) else (value,)
        is_list = isinstance(value, (tuple, s.ForEach))
        return s.Argument(_place(name), str(name), values, is_list)

    def listed(self, parts: list[Any]) -> tuple[s.Expr, ...]:
        """The numbers of a list."""
        return _present(parts)

    def parts(self, parts: list[Any]) -> s.PartsDeclaration:
        """The parts of a record."""
        return s.PartsDeclaration(_place(parts[0]), str(parts[0]), _nodes(parts))

    def sanitized_by(self, parts: list[Any]) -> s.SanitizedBy:
        """A part and its operator."""
        return s.SanitizedBy(_place(parts[0]), str(parts[0]), _name(parts[1]))

    def among(self, parts: list[Any]) -> s.Among:
        """What is known of the parts together."""
        word, relation, bound = parts
        return s.Among(_place(word), _name(word), str(relation), bound)

    def parts_require(self, parts: list[Any]) -> s.PartsRequire:
        """A claim about parts."""
        measure, part, relation, bound, after = parts
        if after is not None:
            raise ModelError(
                "claims about the parts of a record are about one report of each",
                after[1],
                "of an operator on a finite set, audit OPERATOR { ... } may claim it",
            )
        within: Any = str(relation)
        named = None if part is None else _name(part)
        return s.PartsRequire(_place(measure), _name(measure), named, within, bound)

    def audit(self, parts: list[Any]) -> s.AuditDeclaration:
        """An audit block."""
        operators = tuple(_name(part) for part in parts if isinstance(part, Token))
        return s.AuditDeclaration(operators[0].at, operators, _nodes(parts))

    def report(self, parts: list[Any]) -> s.ReportDeclaration:
        """What a report says of itself; the place is that of its first item."""
        items = _present(parts)
        return s.ReportDeclaration(items[0][0] if items else Place(1, 1), items)

    def report_item(self, parts: list[Any]) -> tuple[Place, str, str]:
        """A part of it: where it stands, its name and what it says."""
        name, value = parts
        text = _unquoted(value) if value.type == "STRING" else str(value)
        return _place(name), str(name), text

    def ask_prior(self, parts: list[Any]) -> s.Listing:
        """Priors to report on."""
        return s.Listing(_place(parts[0]), "prior", tuple(map(_name, parts)))

    def ask_property(self, parts: list[Any]) -> s.Listing:
        """Properties to report on."""
        return s.Listing(_place(parts[0]), "property", tuple(map(_name, parts)))

    def ask_given(self, parts: list[Any]) -> s.Given:
        """Outputs to report on."""
        return s.Given(parts[0].at, tuple(parts))

    def under_prior(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """Under one prior."""
        return "under", _place(parts[0]), _name(parts[0])

    def under_family(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """Under every prior with the constraints."""
        return "under", parts[0].at, _present(parts)

    def for_property(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """For one property."""
        return "for", _place(parts[0]), _name(parts[0])

    def knowing(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """With background knowledge."""
        return "knowing", _place(parts[0]), _name(parts[0])

    def after(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """After several reports."""
        return "after", parts[0].at, parts[0]

    def after_named(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """After as many reports as a parameter says that is called shuffling or summing."""
        return self.after([_name(parts[0])])

    def after_hidden(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """Among the reports of a crowd."""
        word, clients, *clauses = parts
        said = _each_once(clauses)
        how: Any = str(word)
        return "after", _place(word), s.Crowd(_place(word), how, clients, **said)

    def colluding(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """Clients that tell the server what they sent."""
        return "colluding", parts[0].at, parts[0]

    def missing(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """Reports that may be lost."""
        return "missing", parts[0].at, parts[0]

    def others(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """What the values of the other clients are drawn from."""
        return "others", _place(parts[0]), _name(parts[0])

    def others_family(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """That each of them is drawn from a prior with the constraints."""
        return "others", parts[0].at, _present(parts)

    def exception(self, parts: list[Any]) -> tuple[str, Place, Any]:
        """How probable a breach may be."""
        return "except", parts[0].at, parts[0]

    def forbid(self, parts: list[Any]) -> s.Forbid:
        """A claim that no breach occurs."""
        word, direction, _, first, _, second, *clauses = parts
        said = _each_once(clauses)
        reports, crowd = _after(said)
        return s.Forbid(
            _place(word),
            None if direction is None else str(direction),
            first,
            second,
            said.get("under"),
            said.get("for"),
            said.get("knowing"),
            reports,
            crowd,
            said.get("except"),
        )

    def require(self, parts: list[Any]) -> s.Require:
        """A claim that a measure keeps within a bound."""
        measure, argument, relation, bound, unit, *clauses = parts
        said = _each_once(clauses)
        if "except" in said:
            raise ModelError(
                "except with probability is for breaches",
                said["except"].at,
                "such as forbid breach 1/20 -> 1/2 except with probability 1e-6 after shuffling "
                "1000; of delta the bound says it",
            )
        reports, crowd = _after(said)
        return s.Require(
            _place(measure),
            _name(measure),
            argument,
            str(relation),
            bound,
            None if unit is None else _name(unit),
            reports,
            crowd,
        )
