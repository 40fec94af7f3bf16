"""One document for all formats: what the terminal shows is in the pages, and fits its width."""

import io

import pytest
from rich.console import Console

from ppdm_formal.declare.machine.files import example_names
from ppdm_formal.report.formats.grid import grid
from ppdm_formal.report.formats.terminal import print_document
from ppdm_formal.report.parts.blocks import Section, Table, VerdictBlock
from ppdm_formal.report.parts.part import parts


def blocks(sections):
    for block in sections:
        yield block
        if isinstance(block, Section):
            yield from blocks(block.blocks)


def words(block):
    return (block.badge, block.claim, block.finding)


@pytest.mark.parametrize("name", example_names())
def test_the_brief_document_is_part_of_the_whole(name, audited, document_of):
    whole, brief = document_of(name), audited(name).document(brief=True)
    assert (whole.title, whole.outcome_words) == (brief.title, brief.outcome_words)
    tables = [block for block in blocks(whole.sections) if isinstance(block, Table)]
    verdicts = [words(block) for block in blocks(whole.sections) if isinstance(block, VerdictBlock)]
    for block in blocks(brief.sections):
        if isinstance(block, Table):
            assert block in tables
        if isinstance(block, VerdictBlock):
            assert words(block) in verdicts
    assert any(isinstance(block, Table) for block in blocks(brief.sections))


def printed(block, width):
    stream = io.StringIO()
    Console(file=stream, width=width, force_terminal=False).print(grid(block, width))
    return stream.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", example_names())
def test_no_word_is_broken_on_a_terminal(name, width, audited):
    for block in blocks(audited(name).document(brief=True).sections):
        if not isinstance(block, Table):
            continue
        shown = printed(block, width)
        assert max(map(len, shown.splitlines())) <= width
        found = {word.removesuffix(":") for word in shown.split()}
        for cell in (*block.head, *(cell for row in block.rows for cell in row)):
            assert {word for word in cell.split() if len(word) <= 24} <= found


def test_the_outcome_comes_first_on_a_terminal(audited):
    stream = io.StringIO()
    print_document(
        audited("example1").document(brief=True),
        Console(file=stream, width=100, force_terminal=False),
    )
    lines = stream.getvalue().splitlines()
    assert lines[:2] == [
        "Privacy audit of example1.ppdm",
        "R1 and R2: not safe, every claim fails. R3: every claim holds.",
    ]


def test_sections_are_found_by_their_place():
    found = parts()
    assert len(found) >= 7
    assert len({part.order for part in found}) == len(found)
    assert sum(part.brief_order is not None for part in found) == 8
