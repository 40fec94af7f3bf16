"""k, l and t of random tables against pycanon's, which make_pycanon.py wrote down."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from make_pycanon import SEEDS, rows_of

from ppdm_formal.tables.anonymity.classes import CodedColumn, CodedTable
from ppdm_formal.tables.anonymity.finding import anonymity

GOLDEN = json.loads((Path(__file__).parent / "pycanon.json").read_text())


def table_of(rows):
    columns = {}
    for name, cells in zip(("age", "zip", "ill"), zip(*rows, strict=True), strict=True):
        texts = sorted(set(cells))
        columns[name] = CodedColumn(np.array([texts.index(cell) for cell in cells]), tuple(texts))
    return CodedTable(columns, np.arange(2, len(rows) + 2), "line")


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_are_pycanons(seed):
    table, expected = table_of(rows_of(seed)), GOLDEN[seed]
    found = anonymity(table, ["age", "zip"], ["ill"])
    ordered = anonymity(table, ["age", "zip"], ["ill"], ordered=["ill"]).sensitive[0]
    (one,) = found.sensitive
    assert (found.k, one.diversity.distinct) == (expected["k"], expected["l"])
    assert one.diversity.entropy_l == expected["entropy l"]
    assert math.isclose(one.closeness.distance, expected["t"], abs_tol=1e-9)
    assert math.isclose(ordered.closeness.distance, expected["ordered t"], abs_tol=1e-9)
