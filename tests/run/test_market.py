"""Made-up markets: sizes as drawn, patterns that show, the same baskets from the same seed."""

import numpy as np
import pytest

from ppdm_formal.infer.baskets.plain import mine_plain
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.run import market as markets
from ppdm_formal.run.market import Market


def test_sizes_are_bounded_and_exact():
    baskets = Market(5000, 100, mean_size=5, smallest=3, largest=8, patterns=30, seed=1).all()
    assert len(baskets) == 5000
    assert baskets.sizes.min() == 3
    assert baskets.sizes.max() == 8
    assert set(baskets.sizes.tolist()) == set(range(3, 9))
    assert (baskets.distinct().items == baskets.items).all()
    assert baskets.items.min() >= 0
    assert baskets.items.max() < 100


def test_sizes_are_poisson_without_bounds():
    sizes = Market(30_000, 500, mean_size=6, smallest=0, seed=2).all().sizes
    assert abs(sizes.mean() - 6) < 0.06  # four standard errors
    assert abs(sizes.var() - 6) < 0.25


def test_patterns_show():
    """Pairs within patterns are many times more frequent than chance would have them."""
    found = mine_plain(Market(20_000, 300, patterns=40, seed=3).all().lists(), "1%", "50%", 3)
    lifts = [float(rule.lift) for rule in found.rules()]
    assert len(lifts) > 50
    assert np.median(lifts) > 3


def test_without_corruption_patterns_stay_whole():
    """Every basket of one pattern's items is that pattern, cut or filled up with another."""
    market = Market(500, 60, mean_size=12, pattern_size=3, patterns=5, corruption=0, seed=4)
    made = markets._Patterns.drawn(market, np.random.default_rng(4))
    level = made.corruption.copy()
    whole = markets._Patterns(made.table, made.sizes, made.cumulated, 0 * level)
    chosen = whole.chosen(200, np.random.default_rng(5))
    known = {tuple(sorted(row[row >= 0].tolist())) for row in made.table}
    assert {tuple(sorted(row)) for row in chosen.lists()} <= known
    gone = markets._Patterns(made.table, made.sizes, made.cumulated, 0 * level + 1)
    assert gone.chosen(200, np.random.default_rng(5)).sizes.max() == 0


def test_corruption_drops_a_geometric_number_of_items():
    sizes = np.array([50])
    made = markets._Patterns(np.arange(50)[None, :], sizes, np.array([1.0]), np.array([0.5]))
    dropped = 50 - made.chosen(20_000, np.random.default_rng(6)).sizes
    for number in range(5):
        share = 0.5 ** (number + 1)
        assert abs((dropped == number).mean() - share) < 4 * (share / 20_000) ** 0.5


def test_baskets_are_filled_though_patterns_run_out():
    baskets = Market(300, 20, mean_size=15, pattern_size=1, patterns=1, seed=5).all()
    assert baskets.sizes.max() > 12
    assert Market(0, 5).all().lists() == []


def test_the_seed_decides():
    first = Market(3000, 80, seed=1).all()
    assert first.lists() == Market(3000, 80, seed=1).all().lists()
    assert first.lists() != Market(3000, 80, seed=2).all().lists()


@pytest.mark.parametrize("name", ["m.dat", "m.csv.gz", "m.parquet"])
def test_files_hold_the_same_baskets(name, tmp_path):
    market = Market(3000, 40, mean_size=4, patterns=20, smallest=0, seed=6)
    market.write(tmp_path / name)
    data = PlainData.read(tmp_path / name)
    numbers = np.array([int(label) for label in data.labels])
    assert (numbers[data.rows.items] == market.all().items).all()
    assert (np.diff(data.rows.offsets) == market.all().sizes).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"items": 0},
        {"transactions": -1},
        {"patterns": 0},
        {"smallest": 9, "largest": 3},
        {"largest": 11},
        {"smallest": -1},
        {"mean_size": -1.0},
        {"mean_size": float("nan")},
        {"pattern_size": 0.0},
        {"correlation": 1.5},
        {"corruption": -0.1},
    ],
)
def test_impossible_markets(wrong):
    with pytest.raises(ValueError, match=r"\w"):
        Market(**{"transactions": 10, "items": 10, **wrong})
