"""The typed syntax tree of a model: what was written, and where.

Every node knows its place. Sums, products, comparisons and connectives are flat chains, so
that a sum of ten thousand terms is no deeper than a sum of two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ppdm_formal.declare.language.errors import Place


@dataclass(frozen=True)
class Number:
    """3, 0.05 or 1%."""

    at: Place
    value: Fraction


@dataclass(frozen=True)
class Name:
    """A variable, parameter, domain or label."""

    at: Place
    text: str


@dataclass(frozen=True)
class Label:
    """A label in quotes."""

    at: Place
    text: str


@dataclass(frozen=True)
class Chain:
    """first op operand op operand ...: + and -, or * / // mod, from left to right."""

    at: Place
    first: Expr
    rest: tuple[tuple[str, Place, Expr], ...]


@dataclass(frozen=True)
class Power:
    """base ^ exponent."""

    at: Place
    base: Expr
    exponent: Expr


@dataclass(frozen=True)
class Negative:
    """-operand."""

    at: Place
    operand: Expr


@dataclass(frozen=True)
class Comparison:
    """a < b <= c: every neighbouring pair must compare; == != < <= > >= in, not in."""

    at: Place
    first: Expr
    rest: tuple[tuple[str, Place, Expr], ...]


@dataclass(frozen=True)
class Connective:
    """All of (and) or any of (or) the parts, from left to right until it is settled."""

    at: Place
    kind: str
    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Not:
    """not operand."""

    at: Place
    operand: Expr


@dataclass(frozen=True)
class TupleOf:
    """(a, b, c)."""

    at: Place
    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class PartOf:
    """t.1: a part of a tuple, counted from 1."""

    at: Place
    whole: Expr
    index: int


@dataclass(frozen=True)
class Range:
    """a..b, both ends included."""

    at: Place
    low: Expr
    high: Expr


@dataclass(frozen=True)
class SetOf:
    """{a, b, c}."""

    at: Place
    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Union:
    """A | B."""

    at: Place
    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Difference:
    """Set difference, from left to right."""

    at: Place
    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Subsets:
    """subsets(k of A)."""

    at: Place
    name: str
    size: Expr
    of: Expr


@dataclass(frozen=True)
class Call:
    """abs(x), uniform(A), R2(x): functions, distributions and operators."""

    at: Place
    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True)
class Conditional:
    """then if condition else otherwise."""

    at: Place
    then: Expr
    condition: Expr
    otherwise: Expr


@dataclass(frozen=True)
class ForEach:
    """[element for index in SET], a tuple; {element for index in SET}, a set."""

    at: Place
    is_set: bool
    element: Expr
    index: str
    over: Expr


@dataclass(frozen=True)
class Mass:
    """VALUE : PROB or SET : PROB each."""

    at: Place
    values: Expr
    probability: Expr
    each: bool


@dataclass(frozen=True)
class Choose:
    """choose { v1 : p1; v2 : p2 }."""

    at: Place
    masses: tuple[Mass, ...]


Expr: TypeAlias = (
    Number
    | Name
    | Label
    | Chain
    | Power
    | Negative
    | Comparison
    | Connective
    | Not
    | TupleOf
    | PartOf
    | Range
    | SetOf
    | Union
    | Difference
    | Subsets
    | Call
    | Conditional
    | ForEach
    | Choose
)


@dataclass(frozen=True)
class Draw:
    """NAME ~ DIST."""

    at: Place
    name: str
    distribution: Expr


@dataclass(frozen=True)
class Let:
    """NAME = EXPR."""

    at: Place
    name: str
    value: Expr


@dataclass(frozen=True)
class Output:
    """What is done to a real output: clamped or truncated to an interval, or rounded to steps."""

    at: Place
    kind: str
    ends: tuple[Expr, ...]


@dataclass(frozen=True)
class Return:
    """return EXPR-or-DIST."""

    at: Place
    value: Expr
    output: tuple[Output, ...] = ()


@dataclass(frozen=True)
class Arm:
    """if COND { ... } or with PROB { ... }."""

    at: Place
    is_coin: bool
    test: Expr
    then: Block


@dataclass(frozen=True)
class Branch:
    """One arm, or several with else between them, and perhaps a last else: a flat chain."""

    at: Place
    arms: tuple[Arm, ...]
    otherwise: Block | None


Statement: TypeAlias = Draw | Let | Return | Branch
Block: TypeAlias = tuple[Statement, ...]


@dataclass(frozen=True)
class Program:
    """An operator's body as statements."""

    at: Place
    statements: Block


@dataclass(frozen=True)
class Case:
    """value if condition (condition None: always)."""

    at: Place
    value: Expr
    condition: Expr | None


@dataclass(frozen=True)
class Rule:
    """[x -> y] = case | case."""

    at: Place
    source: str
    target: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Row:
    """input : entry entry entry."""

    at: Place
    value: Expr
    entries: tuple[Expr, ...]


@dataclass(frozen=True)
class Matrix:
    """matrix { row row }."""

    at: Place
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class CsvFile:
    """csv("file beside the model"), with how it is to be read: words, values and their places."""

    at: Place
    path: str
    options: tuple[tuple[str, str, Place], ...] = ()


@dataclass(frozen=True)
class HierarchyFile:
    """hierarchy("file beside the model"): each input to its nearest ancestor among the outputs."""

    at: Place
    path: str


Body: TypeAlias = Program | Rule | Matrix | CsvFile | HierarchyFile


@dataclass(frozen=True)
class RealsDeclaration:
    """domain NAME = reals LOW..HIGH."""

    at: Place
    name: str
    low: Expr
    high: Expr


@dataclass(frozen=True)
class DomainDeclaration:
    """domain NAME = SET."""

    at: Place
    name: str
    values: Expr


@dataclass(frozen=True)
class ParamDeclaration:
    """param NAME in (low, high) = default."""

    at: Place
    name: str
    low: Expr
    high: Expr
    includes_low: bool
    includes_high: bool
    default: Expr | None


@dataclass(frozen=True)
class PriorDeclaration:
    """prior NAME on SET { masses }; masses None: uniform."""

    at: Place
    name: str
    on: Expr
    masses: tuple[Mass, ...] | None


@dataclass(frozen=True)
class PropertyDeclaration:
    """property NAME on SET = CONDITION in x."""

    at: Place
    name: str
    on: Expr
    condition: Expr


@dataclass(frozen=True)
class OperatorDeclaration:
    """operator NAME(x: SET) -> SET with a body; span is where its text starts and ends."""

    at: Place
    span: tuple[int, int]
    name: str
    variable: str
    inputs: Expr
    outputs: Expr
    body: Body


@dataclass(frozen=True)
class Argument:
    """name: value, or name: [values]."""

    at: Place
    name: str
    values: tuple[Expr, ...]
    is_list: bool


@dataclass(frozen=True)
class FamilyDeclaration:
    """operator NAME = family(arguments)."""

    at: Place
    span: tuple[int, int]
    name: str
    family: Name
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Listing:
    """prior X, Y; property a, b: names to report on."""

    at: Place
    kind: str
    names: tuple[Name, ...]


@dataclass(frozen=True)
class Given:
    """given y, z: outputs to report on."""

    at: Place
    outputs: tuple[Expr, ...]


@dataclass(frozen=True)
class Crowd:
    """after shuffling clients (or summing), with its clauses."""

    at: Place
    how: Literal["shuffling", "summing"]
    clients: Expr
    colluding: Expr | None = None
    missing: Expr | None = None
    others: Name | tuple[Expr, ...] | None = None


@dataclass(frozen=True)
class Forbid:
    """forbid [direction] breach first -> second, with its clauses."""

    at: Place
    direction: str | None
    first: Expr
    second: Expr
    under: Name | tuple[Expr, ...] | None
    about: Name | None
    knowing: Name | None
    reports: Expr | None = None
    crowd: Crowd | None = None
    exception: Expr | None = None


@dataclass(frozen=True)
class Require:
    """require measure(prior or epsilon) relation bound unit after reports, or among a crowd."""

    at: Place
    measure: Name
    argument: Expr | None
    relation: str
    bound: Expr
    unit: Name | None
    reports: Expr | None = None
    crowd: Crowd | None = None


Request: TypeAlias = Listing | Given | Forbid | Require


@dataclass(frozen=True)
class AuditDeclaration:
    """audit R1, R2 { requests }."""

    at: Place
    operators: tuple[Name, ...]
    requests: tuple[Request, ...]


@dataclass(frozen=True)
class SanitizedBy:
    """PART: OPERATOR."""

    at: Place
    name: str
    operator: Name


@dataclass(frozen=True)
class Among:
    """dependence <= BOUND: how dependent the parts are on each other."""

    at: Place
    word: Name
    relation: str
    bound: Expr


@dataclass(frozen=True)
class PartsRequire:
    """require record <= BOUND, require dependence(PART) <= BOUND."""

    at: Place
    measure: Name
    part: Name | None
    relation: Literal["<", "<="]
    bound: Expr


@dataclass(frozen=True)
class PartsDeclaration:
    """parts NAME { items }."""

    at: Place
    name: str
    items: tuple[SanitizedBy | Among | PartsRequire, ...]


@dataclass(frozen=True)
class ReportDeclaration:
    """report { title: "...", date: 2026-11-16 }: what a report says of itself."""

    at: Place
    items: tuple[tuple[Place, str, str], ...]


Declaration: TypeAlias = (
    DomainDeclaration
    | RealsDeclaration
    | ParamDeclaration
    | PriorDeclaration
    | PropertyDeclaration
    | OperatorDeclaration
    | FamilyDeclaration
    | PartsDeclaration
    | AuditDeclaration
    | ReportDeclaration
)


def parts(node: Any) -> Iterator[Any]:
    """The nodes directly below a node."""
    values = [getattr(node, field.name) for field in fields(node)]
    while values:
        value = values.pop()
        if isinstance(value, tuple):
            values.extend(value)
        elif is_dataclass(value) and not isinstance(value, Place):
            yield value
