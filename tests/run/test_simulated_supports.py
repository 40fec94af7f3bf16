"""Simulated supports: the law of the columns that are drawn, and agreement with files."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations

import numpy as np
import plan_cases
import pytest
from draw_oracle import induced
from plan_cases import group, plan, write

from ppdm_formal.cli import run
from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.group_reports import Policy
from ppdm_formal.run.release import Release
from ppdm_formal.run.simulated_supports import Collection, simulated_counts
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.run.supports import supports

POLICY = Policy("error", "sample", "drop")


@pytest.mark.parametrize("asked", [[[0, 1]], [[0, 3], [1, 2]], [[2, 3]], [[0, 1, 3]]])
def test_columns_of_some_items_have_the_law_of_the_whole_report(asked):
    """All draws enumerated: overlaps with the sets, jointly, as Definition 4 says."""
    (made,) = plan_of(plan(group("all", "1", (2,), cutoff=1), items=4)).groups
    law = made.operator(2, 4).law
    sets, held = np.array(asked), (1, 3)
    found = induced(
        lambda bits: tuple(
            int(np.argmax(row))
            for row in simulated_counts(law, np.array([held]), [sets], bits)[0].tolist()
        )
    )
    expected = defaultdict(Fraction)
    for report, mass in plan_cases.law(made, 2, held, 4).items():
        expected[tuple(len(set(report) & set(one)) for one in asked)] += mass
    assert found == dict(expected)


def test_numbers_by_themselves_have_the_right_mean_and_variance():
    """4,000 seeded draws of counts over 30 clients, five sigma; the kept ones never vary alone."""
    (made,) = plan_of(plan(group("pairs", "1", (3,), 2, insert="1/8"), items=5)).groups
    law = made.operator(3, 5).law
    members = np.tile(np.array([[0, 1, 3], [0, 2, 4]]), (15, 1))
    sets = np.array([[9], [0], [1]])
    bits, times = Simulation(1), 4000
    counts = np.array([simulated_counts(law, members, [sets], bits)[0][:, 1] for _ in range(times)])
    stays = sum(j * p for j, p in enumerate(law.keep)) / 3
    rho = law.insert
    for column, chances in enumerate([[rho] * 30, [stays] * 30, [stays] * 15 + [rho] * 15]):
        mean = float(sum(chances))
        variance = float(sum(p * (1 - p) for p in chances))
        assert abs(counts[:, column].mean() - mean) < 5 * (variance / times) ** 0.5
        assert counts[:, column].var() == pytest.approx(variance, rel=0.12)


RNG = np.random.Generator(np.random.PCG64(2))
SHOP = [
    sorted({*([0, 1] if RNG.random() < 0.3 else []), *RNG.integers(0, 8, 1 + k % 4).tolist()})[:4]
    for k in range(2000)
]
BASKETS = Baskets.of(SHOP)
ITEMS, PAIRS = np.arange(8)[:, None], np.array(list(combinations(range(8), 2)))
PLANS = {
    "items": plan(group("all", "1", (1, 2, 3, 4), cutoff=3), items=8),
    "lifted": plan(
        group("items", "1/2", (1, 2, 3, 4)), group("pairs", "1/2", (2, 3, 4), 2), items=8
    ),
    "hidden": plan(group("all", "1", (4,), hidden="pad", cutoff=3), items=8),
}
LATER = plan(
    group("items", "1/2", (1, 2, 3, 4)),
    group("later", "1/2", (2, 3), 2, 2, [0, 1, 3, 5]),
    items=8,
)


def true_supports(sets):
    held = [set(row) for row in SHOP]
    return np.array([sum(set(one) <= row for row in held) / len(SHOP) for one in sets.tolist()])


ASKED = [(ITEMS, true_supports(ITEMS)), (PAIRS, true_supports(PAIRS))]


def errors_of(collection, made, about):
    """How far estimates are from the truth, in standard errors, and whether intervals hold it."""
    for (_, true), found in zip(
        ASKED, collection.supports(made, None, [ITEMS, PAIRS]), strict=True
    ):
        low, high = found.intervals(about=about).T
        scale = found.clients if about == "clients" else found.population
        yield (found.estimates - true) / scale, (low <= true) & (true <= high)


@pytest.mark.parametrize("name", PLANS)
def test_intervals_for_these_clients_cover(name):
    """60 collections of all items and pairs: 94% to 96% of the intervals hold the truth.

    36 sets in each are nearly independent, so that the share varies by less than 0.5%.
    """
    made = plan_of(PLANS[name])
    found = [
        part
        for seed in range(60)
        for part in errors_of(Collection(BASKETS, 8, seed, POLICY), made, "clients")
    ]
    errors, inside = (np.concatenate(part) for part in zip(*found, strict=True))
    assert 0.935 < inside.mean() < 0.965
    assert abs(errors.mean()) < 5 / 2160**0.5
    assert 0.9 < errors.std() < 1.1


def test_intervals_for_a_population_cover():
    """Fresh clients each time, drawn from the shop's baskets."""
    made, inside = plan_of(PLANS["lifted"]), []
    for seed in range(60):
        fresh = np.random.Generator(np.random.PCG64(seed)).integers(0, len(SHOP), 1000)
        collection = Collection(BASKETS.take(fresh), 8, seed, POLICY)
        inside += [held for _, held in errors_of(collection, made, "population")]
    assert 0.93 < np.concatenate(inside).mean() < 0.97


@pytest.mark.parametrize("name", [*PLANS, "later"])
def test_files_say_the_same(tmp_path, name):
    """One run through ppdm randomize: errors of the same size, and estimates within them."""
    content = PLANS.get(name, LATER)
    (tmp_path / "shop.dat").write_text("".join(" ".join(map(str, row)) + "\n" for row in SHOP))
    path = write(tmp_path, content)
    phase = ["--phase", "2", "--group-by", "place"] if name == "later" else []
    asked = ["randomize", str(tmp_path / "shop.dat"), "-o", str(tmp_path / "out.dat")]
    assert run([*asked, "--plan", str(path), "--simulate", "5", "--longer", "sample", *phase]) == 0
    sets = PAIRS if name != "later" else np.array([[0, 1], [1, 3], [0, 5]])
    released = supports(Release.read(tmp_path / "out.dat"), sets.tolist())
    collection = Collection(BASKETS, 8, 5, POLICY)
    (simulated,) = collection.supports(plan_of(content), 2 if phase else None, [sets])
    assert released.clients == pytest.approx(simulated.clients, rel=0.2)
    apart = released.estimates - simulated.estimates
    assert (np.abs(apart) < 5 * np.hypot(released.clients, simulated.clients)).all()
    assert released.groups == simulated.groups


def test_a_client_is_in_one_group_in_both_phases():
    collection = Collection(BASKETS, 8, 3, POLICY)
    one = collection._assigned([Fraction(1, 2), Fraction(1, 2)])
    two = collection._assigned([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
    assert ((one == 0) == (two == 0)).all()
    assert abs(one.mean() - 0.5) < 0.06
