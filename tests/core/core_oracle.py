"""Brute force in Fractions, written without the package: views, products, closed forms."""

from __future__ import annotations

import ast
import operator as python
from collections import Counter
from fractions import Fraction

_ARITHMETIC = {
    ast.Add: python.add,
    ast.Sub: python.sub,
    ast.Mult: python.mul,
    ast.Div: python.truediv,
}


def evaluate(form: str, values: dict[str, Fraction]) -> Fraction:
    """The value of a closed form in text, such as (1 - p)/(9*p^2), by walking its syntax tree."""

    def value(node):
        match node:
            case ast.Expression(body):
                return value(body)
            case ast.Constant(int(number)):
                return Fraction(number)
            case ast.Name(name):
                return values[name]
            case ast.UnaryOp(ast.USub(), inner):
                return -value(inner)
            case ast.BinOp(left, ast.Pow(), ast.Constant(int(power))):
                return value(left) ** power
            case ast.BinOp(left, sign, right):
                return _ARITHMETIC[type(sign)](value(left), value(right))
        raise AssertionError(ast.dump(node))

    return value(ast.parse(form.replace("^", "**"), mode="eval"))


def multiply(first, second):
    """The matrix product."""
    return [
        [
            sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0))
            for column in zip(*second, strict=True)
        ]
        for row in first
    ]


def tensor(first, second):
    """The Kronecker product: rows and columns are pairs, the first member slowest."""
    return [[a * b for a in row for b in other] for row in first for other in second]


def naive_view(column, labels):
    """How many inputs show each (likelihood, *label), and the first of them."""
    kinds = [(likelihood, *label) for likelihood, label in zip(column, labels, strict=True)]
    return Counter(kinds), {kind: kinds.index(kind) for kind in kinds}


def naive_views(rows, labels):
    """The distinct views: how many columns show each, and the first of them."""
    seen = Counter()
    first = {}
    for y, column in enumerate(zip(*rows, strict=True)):
        key = frozenset(naive_view(column, labels)[0].items())
        seen[key] += 1
        first.setdefault(key, y)
    return seen, first


def shown(view):
    """What a View of the package shows, in the same form."""
    return frozenset(
        ((part.likelihood, part.prior, part.member, part.knowledge), part.count)
        for part in view.classes
    )
