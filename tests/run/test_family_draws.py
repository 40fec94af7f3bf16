"""The families' samplers, which write out no matrix, induce exactly the families' laws."""

from __future__ import annotations

import numpy as np
import pytest
from draw_oracle import Given, induced
from family_cases import rational

from ppdm_formal.families.replace_items import replace_items
from ppdm_formal.families.select_a_size import select_a_size
from ppdm_formal.language.families import family_names

NAMES = family_names()
LARGER = [
    select_a_size(5, 3, "1/2", keep=["1/10", 0, "2/5", "1/2"]),
    replace_items(6, 3, "3/4"),
]


def check_sampler(operator, rows):
    matrix = operator.matrix()
    for row in rows:
        law = induced(lambda bits, row=row: int(operator.law.draw(np.array([row]), bits)[0]))
        exact = {y: matrix.entry(row, y) for y in range(operator.outputs.size)}
        assert law == {y: p for y, p in exact.items() if p}


@pytest.mark.parametrize("name", NAMES)
def test_the_sampler_is_the_operator(name):
    """Closed ends among them, where some outputs are never drawn."""
    found = rational(name)
    tested = [operator for operator in found if operator.outputs.size <= 8][::2]
    tested += [operator for operator in found if operator.outputs.size == 16][::11]
    assert len(tested) >= 4
    for operator in tested:
        check_sampler(operator, [operator.inputs.size - 1])


@pytest.mark.parametrize("operator", LARGER)
def test_larger_choices(operator):
    check_sampler(operator, [operator.inputs.size // 2])


def test_transactions_that_are_not_inputs_are_refused_without_naming_items():
    law = select_a_size(6, 2, "1/3", cutoff=1, gamma=19).law
    for items, offsets, says in [
        ([0, 1, 2], [0, 2, 3], "transaction 1 does not have 2 items"),
        ([0, 1, 3, 6], [0, 2, 4], r"transaction 1 is not a set of items among 0\.\.5"),
        ([-1, 1], [0, 2], "transaction 0 is not a set"),
        ([4, 4], [0, 2], "transaction 0 is not a set"),
    ]:
        with pytest.raises(ValueError, match=says):
            law.draw_sets(np.array(items), np.array(offsets), Given([], 64))
