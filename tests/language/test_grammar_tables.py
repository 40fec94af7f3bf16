"""The parser's tables in the file are those of the grammar, and parse as tables computed anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark, UnexpectedInput

from ppdm_formal.declare.language import grammar_tables
from ppdm_formal.declare.language.line_ends import LineEnds
from ppdm_formal.declare.language.tree_builder import TreeBuilder

MODELS = sorted((Path(__file__).parents[2] / "models").glob("*.ppdm"))
WRONG = ("operator R(x: {0, 1} -> {0, 1}", "audit R { forbid }", "domain D = 0..", "p = 1 @ 2")


@pytest.fixture(scope="module")
def fresh() -> Lark:
    """Computed from the grammar."""
    grammar = (Path(grammar_tables.__file__).parent / "grammar.lark").read_text("utf-8")
    return grammar_tables._built(grammar, LineEnds(), TreeBuilder())


@pytest.fixture(scope="module")
def stored() -> Lark:
    """As the package reads it."""
    return grammar_tables.parser(LineEnds(), TreeBuilder())


def test_the_file_holds_the_tables_of_the_grammar():
    grammar = (Path(grammar_tables.__file__).parent / "grammar.lark").read_text("utf-8")
    assert grammar_tables._stored(grammar) is not None, (
        "the grammar or lark changed: python -m ppdm_formal.declare.language.grammar_tables"
    )


def test_stored_tables_parse_every_model_as_fresh_ones(fresh, stored):
    assert MODELS
    for path in MODELS:
        text = path.read_text("utf-8")
        assert stored.parse(text) == fresh.parse(text), path.name


@pytest.mark.parametrize("text", WRONG)
def test_stored_tables_expect_what_fresh_ones_expect(fresh, stored, text):
    def refused(parser: Lark) -> tuple[object, ...]:
        with pytest.raises(UnexpectedInput) as problem:
            parser.parse(text)
        found = problem.value
        expected = getattr(found, "expected", None) or getattr(found, "allowed", None)
        return type(found), found.line, found.column, frozenset(expected or ())

    assert refused(stored) == refused(fresh)


def test_tables_of_another_grammar_are_not_used():
    assert grammar_tables._stored("start: /a/") is None
