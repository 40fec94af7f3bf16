"""Every example of docs/language.md compiles, or is refused as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ppdm_formal.declare.language import (
    columns,
    compiler,
    csv_matrix,
    distributions,
    families,
    finite_set,
    for_each,
    form_size,
    hierarchy,
    line_ends,
    parser,
    scope,
)
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.syntax_errors import RESERVED
from ppdm_formal.declare.operators.crowd import MAX_CLIENTS
from ppdm_formal.declare.operators.matrix import MAX_CELLS

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(ppdm(?:-error)?) ?(.*?)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
GOOD = [text for kind, _, text in BLOCKS if kind == "ppdm"]
BAD = [(said, text) for kind, said, text in BLOCKS if kind == "ppdm-error"]


@pytest.mark.parametrize("text", GOOD)
def test_example(text):
    compile_text(text)


@pytest.mark.parametrize(("said", "text"), BAD)
def test_refused_example(said, text):
    with pytest.raises(ModelError) as caught:
        compile_text(text)
    assert said
    assert said in str(caught.value)


def test_every_fence_is_known():
    assert PAGE.count("```") == 2 * len(BLOCKS)
    assert len(GOOD) >= 15
    assert len(BAD) >= 12


def test_reserved_words_are_listed():
    listed = re.search(r"Reserved are\n\n(.*?)\n\nand nothing else", PAGE, re.DOTALL)
    assert set(listed[1].split()) == RESERVED


def test_the_error_shown_is_the_error():
    text = "\n\n\n\noperator R(x: {high}) -> {a, b} {\n    matrix {\n        high : 1/4 2/3\n}}"
    with pytest.raises(ModelError) as caught:
        compile_text(text, "survey.ppdm")
    shown = "\n".join("    " + line for line in str(caught.value).splitlines())
    assert shown in PAGE


LIMITS = {
    "model file": [compiler.MAX_BYTES, parser.MAX_WORDS],
    "CSV file": [csv_matrix.MAX_BYTES, csv_matrix.MAX_ENTRIES],
    "hierarchy": [finite_set.MAX_MEMBERS, hierarchy.MAX_HEIGHT],
    "nested brackets; nested operations and blocks": [line_ends.MAX_NESTING, parser.MAX_DEPTH],
    "a number as computed": [scope.MAX_BITS],
    "exponent": [scope.MAX_EXPONENT],
    "closed form in free parameters": [form_size.MAX_DEGREE, form_size.MAX_TERMS],
    "members of a set": [finite_set.MAX_MEMBERS],
    "elements of a list": [for_each.MAX_LENGTH, columns.MAX_WORLDS],
    "tuples or subsets, with their parts counted": [finite_set.MAX_PARTS],
    "matrix": [MAX_CELLS],
    "combinations of random choices": [columns.MAX_WORLDS],
    "binomial": [distributions.MAX_TRIALS],
    "clients of a crowd": [MAX_CLIENTS],
    "integers in ready-made operators": [families.MAX_NUMBER, families.MAX_SIZE],
}


@pytest.mark.parametrize("what", LIMITS)
def test_limits_are_those_of_the_code(what):
    (row,) = re.findall(rf"^\| {re.escape(what)} \| (.*) \|$", PAGE, re.MULTILINE)
    for number in LIMITS[what]:
        assert f"{number:,}" in row
