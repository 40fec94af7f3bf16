"""Known numbers of public data: itemsets and rules that other miners find in them as well."""

import os
from pathlib import Path

import pytest

from ppdm_formal.infer.baskets.plain import mine_plain

DATA = os.environ.get("PPDM_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="PPDM_DATA names no folder with real data")


def file(name):
    path = Path(str(DATA), name)
    if not path.exists():
        pytest.skip(f"{name} is not in PPDM_DATA")
    return path


def test_the_quest_data():
    """1,073 frequent itemsets at 0.5%, as apriori, eclat, fpgrowth, relim and sam of pyfim say."""
    found = mine_plain(file("T10I4D100K.dat.xz"), "0.5%")
    assert (found.transactions, found.sizes()) == (100_000, [569, 342, 110, 43, 9])
    assert len(found) == 1073


def test_groceries():
    """333 itemsets and 15 rules at 1% and 50%, as arules and mlxtend say."""
    found = mine_plain(file("groceries.csv.xz"), "1%", "50%")
    assert (found.transactions, len(found), len(list(found.rules()))) == (9835, 333, 15)
    best = found.most_frequent(1)[0]
    assert (best.items, best.count) == (("other vegetables", "whole milk"), 736)


def test_retail():
    found = mine_plain(file("retail.dat.xz"), "1%")
    assert (found.transactions, len(found)) == (88_162, 159)
