"""Whole outputs of a generator: all coins and all small databases, columns and header included."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.tables.generate import generator
from ppdm_formal.tables.generate.budget import Budget
from ppdm_formal.tables.generate.generator import GenerationRequest, generate
from ppdm_formal.tables.generate.record_files import read_records, records_text
from ppdm_formal.tables.generate.records import RecordColumn, Records
from ppdm_formal.tables.generate.sanitized import sanitize

COLUMNS = (RecordColumn("a", ("x", "y")), RecordColumn("b", ("", "z")))
EPSILON = Fraction(1, 2)


class GivenCoins(Bits):
    """Coins that fall as they are told to; nothing else is drawn."""

    def __init__(self, coins):
        self.left = list(coins)

    def words(self, count):
        raise AssertionError("only coins are drawn")

    def coins(self, steps, count):
        taken, self.left = self.left[:count], self.left[count:]
        return np.array(taken, dtype=bool)


def bits_of(row):
    """The items of a row, there or not, from the definition: x, y, z."""
    return (row[0] == "x", row[0] == "y", row[1] == "z")


def test_two_databases_that_differ_in_one_record_have_outputs_as_epsilon_says(
    tmp_path, monkeypatch
):
    """Outputs are a function of the flipped items alone, whose law is known exactly.

    A flip costs epsilon in likelihood, so the law of what is flipped differs by e^(epsilon d)
    where d items differ; the output, its first line among it, must not depend on anything else.
    """
    rows = list(product(*(column.values for column in COLUMNS)))
    request = GenerationRequest("code-tree", EPSILON, "cell", seed=0, least=Fraction(1, 4))
    stated = Budget.of(COLUMNS, EPSILON, "cell").record
    outputs: dict[tuple[bool, ...], str] = {}
    for first, second in product(rows, repeat=2):
        text = "a,b\n" + "".join(",".join(row) + "\n" for row in (first, second))
        file = tmp_path / "in.csv"
        file.write_text(text)
        records = read_records(file, COLUMNS)
        for flips in product([False, True], repeat=6):
            bits = GivenCoins(flips)
            monkeypatch.setattr(generator, "Simulation", lambda _, bits=bits: bits)
            made = "".join(records_text(generate(records, request).records))
            assert not bits.left  # as many coins as items, and none for a missing one
            # coins of the first column come first: two a record, then one a record
            order = [0, 1, 4, 2, 3, 5]
            truth = (*bits_of(first), *bits_of(second))
            seen = tuple(t ^ flips[k] for t, k in zip(truth, order, strict=True))
            assert outputs.setdefault(seen, made) == made
    worst = max(
        sum(s != t for s, t in zip(bits_of(one), bits_of(other), strict=True))
        for one, other in product(rows, repeat=2)
    )
    assert worst * EPSILON == stated == Fraction(3, 2)
    assert {made.splitlines()[0] for made in outputs.values()} == {"a,b"}


@pytest.mark.parametrize("unit", ["cell", "attribute"])
def test_a_missing_value_is_no_report_of_its_own(unit):
    """What is kept of a record is as many bits as it has items, whichever way it is randomized."""
    codes = np.array([[0, 0], [1, 1]], dtype=np.int32)
    records = Records(COLUMNS, codes, "table", declared=True)
    budget = Budget.of(COLUMNS, Fraction(400), unit)
    coins = GivenCoins([False] * 6) if unit == "cell" else generator.Simulation(1)
    found = sanitize(records, budget, coins)
    whole = np.concatenate(found.held, axis=1)
    assert whole.tolist() == [[True, False, False], [False, True, True]]
    if unit == "cell":
        differ = int((whole[0] != whole[1]).sum())
        assert differ * EPSILON == Budget.of(COLUMNS, EPSILON, "cell").record
    assert found.features[1].tolist() == pytest.approx(np.array([[1, 0], [0, 1]]), abs=1e-9)


def test_columns_of_the_records_themselves_are_refused_unless_it_is_said():
    codes = np.array([[0, 0], [1, 1]], dtype=np.int32)
    taken = Records(COLUMNS, codes, "table")
    with pytest.raises(ValueError, match="declare them"):
        generate(taken, GenerationRequest("code-tree", EPSILON))
    made = generate(taken, GenerationRequest("code-tree", EPSILON, unprotected_domain=True))
    assert [one.public for one in made.shown] == [True, False]
