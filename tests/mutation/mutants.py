"""Mutants: plausible one-place mistakes in a source file, found in its syntax tree.

Comparisons swapped or off by one, conditions dropped, and for or, + for -, min for max, a removed
not, a number moved by one, a flag turned round. Messages, annotations and limits are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_COMPARISONS = {
    ast.Lt: ["<="],
    ast.LtE: ["<"],
    ast.Gt: [">="],
    ast.GtE: [">"],
    ast.Eq: ["!="],
    ast.NotEq: ["=="],
    ast.In: ["not in"],
    ast.NotIn: ["in"],
    ast.Is: ["is not"],
    ast.IsNot: ["is"],
}
_ARITHMETIC = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Mod: "//"}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}


@dataclass(frozen=True)
class Mutant:
    """Text from start to end of a file (in characters) replaced by another one."""

    file: str
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str

    @property
    def name(self) -> str:
        """What was changed where; the same as long as the line stays where it is."""
        return f"{self.file}:{self.line}: {self.kind}: {self.before!r} -> {self.after!r}"

    def applied(self, source: str) -> str:
        """The file's text with the mistake in it."""
        assert source[self.start : self.end] == self.before
        return source[: self.start] + self.after + source[self.end :]

    def compiles(self, source: str) -> bool:
        """Whether the mistake leaves a program at all."""
        try:
            ast.parse(self.applied(source))
        except SyntaxError:
            return False
        return True


def mutants(path: Path, root: Path) -> list[Mutant]:
    """All mutants of a file."""
    return _Finder(str(path.relative_to(root)), path.read_text(encoding="utf-8")).found()


class _Finder:
    def __init__(self, file: str, source: str) -> None:
        self.file = file
        self.source = source
        self.starts = [0]
        for line in source.encode().split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.raw = source.encode()
        self.ascii = source.isascii()

    def found(self) -> list[Mutant]:
        return list(self._visit(ast.parse(self.source)))

    def _visit(self, node: ast.AST) -> Iterator[Mutant]:
        yield from self._here(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases", "keywords_of_class"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not self._skipped(child):
                    yield from self._visit(child)

    @staticmethod
    def _skipped(node: ast.AST) -> bool:
        """Messages, assertions, imports, and the limits at the top of a file."""
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
            return True
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id.strip("_").isupper()
        return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)

    def _here(self, node: ast.AST) -> Iterator[Mutant]:
        match node:
            case ast.Compare():
                operands = [node.left, *node.comparators]
                for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
                    for after in _COMPARISONS[type(op)]:
                        yield from self._between("comparison", left, right, after)
            case ast.BinOp() if type(node.op) in _ARITHMETIC:
                yield from self._between(
                    "arithmetic", node.left, node.right, _ARITHMETIC[type(node.op)]
                )
            case ast.BoolOp():
                other = "or" if isinstance(node.op, ast.And) else "and"
                for left, right in zip(node.values, node.values[1:], strict=False):
                    yield from self._between("connective", left, right, other)
                neutral = "True" if isinstance(node.op, ast.And) else "False"
                for value in node.values:
                    yield self._replaced("dropped condition", value, neutral)
            case ast.UnaryOp(op=ast.Not()):
                yield self._replaced("removed not", node, f"({ast.unparse(node.operand)})")
            case ast.UnaryOp(op=ast.USub()):
                yield self._replaced("removed minus", node, f"({ast.unparse(node.operand)})")
            case ast.Constant(value=bool()):
                yield self._replaced("flag", node, str(not node.value))
            case ast.Constant(value=int()):
                yield self._replaced("number", node, str(node.value + 1))
            case ast.Call(func=ast.Name() as called) if called.id in _CALLS:
                yield self._replaced("call", called, _CALLS[called.id])
            case ast.Call(func=ast.Attribute() as called) if called.attr in _CALLS:
                owner = ast.get_source_segment(self.source, called.value)
                yield self._replaced("call", called, f"{owner}.{_CALLS[called.attr]}")
            case ast.If(orelse=[]) if not isinstance(node.test, ast.BoolOp):
                yield self._replaced("never", node.test, "False")
            case ast.IfExp():
                yield self._replaced("never", node.test, "False")
            case ast.Continue():
                yield self._replaced("statement", node, "break")

    def _at(self, line: int, column: int) -> int:
        """A place as characters from the start."""
        start = self.starts[line - 1]
        if self.ascii:
            return start + column
        return len(self.raw[: start + column].decode())

    def _ends(self, node: ast.AST) -> tuple[int, int]:
        return (
            self._at(node.lineno, node.col_offset),  # type: ignore[attr-defined]
            self._at(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        )

    def _replaced(self, kind: str, node: ast.AST, after: str) -> Mutant:
        start, end = self._ends(node)
        line = node.lineno  # type: ignore[attr-defined]
        return Mutant(self.file, line, kind, start, end, self.source[start:end], after)

    def _between(self, kind: str, left: ast.expr, right: ast.expr, after: str) -> Iterator[Mutant]:
        """The operator between two operands, brackets around them kept."""
        start, end = self._ends(left)[1], self._ends(right)[0]
        gap = self.source[start:end]
        bare = gap.strip("()\n ")
        if "\n" in bare or not bare:
            return
        start += gap.index(bare)
        yield Mutant(self.file, left.end_lineno or 0, kind, start, start + len(bare), bare, after)
