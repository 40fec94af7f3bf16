"""The families' samplers, which write out no matrix, induce exactly the families' laws."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from draw_oracle import Given, induced

from ppdm_formal.families.cut_and_paste import cut_and_paste
from ppdm_formal.families.flip import flip
from ppdm_formal.families.randomized_response import randomized_response
from ppdm_formal.families.replace_items import replace_items
from ppdm_formal.families.select_a_size import select_a_size

F = Fraction
FAMILIES = [
    randomized_response(1, 1),
    randomized_response(2, "1/3"),
    randomized_response(5, "3/7"),
    randomized_response(4, 0),
    select_a_size(4, 2, "1/3", cutoff=1, gamma=19),
    select_a_size(5, 3, "1/2", keep=["1/10", 0, "2/5", "1/2"]),
    select_a_size(3, 3, "2/7", keep=["1/4", "1/4", "1/4", "1/4"]),
    cut_and_paste(4, 2, 1, "1/10"),
    flip(4, 2, "9/10"),
    replace_items(6, 2, "1/5"),
    replace_items(6, 3, "3/4"),
    replace_items(4, 2, 0),
]


@pytest.mark.parametrize("operator", FAMILIES)
def test_the_sampler_is_the_operator(operator):
    matrix = operator.matrix()
    for row in {0, operator.inputs.size // 2, operator.inputs.size - 1}:
        law = induced(lambda bits, row=row: int(operator.law.draw(np.array([row]), bits)[0]))
        exact = {y: matrix.entry(row, y) for y in range(operator.outputs.size)}
        assert law == {y: p for y, p in exact.items() if p}


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
