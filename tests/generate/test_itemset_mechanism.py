"""The exponential itemset mechanism: its law against all itemsets listed, as closed forms."""

import itertools
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.operators.cut import cut_of
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.run.basket_files import Items
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.tables.generate.drawn_itemsets import declared_rows, draw_itemsets
from ppdm_formal.tables.generate.itemset_mechanism import ItemsetMechanism


def subsets(n):
    return [set(some) for k in range(n + 1) for some in itertools.combinations(range(n), k)]


def random_rows(seed, n, most=7):
    random.seed(seed)
    return [
        sorted(random.sample(range(n), random.randint(0, min(n, 6))))
        for _ in range(random.randint(1, most))
    ]


@pytest.mark.parametrize(("seed", "n"), [*((s, s % 6 + 1) for s in range(12)), (99, 12)])
def test_what_is_taken_has_the_laws_weight_exactly(seed, n):
    """All proposals of an itemset sum up to e^(epsilon/4 min(theta, s)), as closed forms."""
    rows = random_rows(seed, n)
    epsilon, theta = Fraction(random.randint(1, 9), 3), random.randint(1, len(rows))
    for cutoff in {None, 1, theta, random.randint(1, len(rows) + 1)}:
        mechanism = ItemsetMechanism.of(Rows.of(rows, n), epsilon, theta, cutoff)
        assert mechanism.subsets == sum(2 ** len(row) for row in rows)
        known = Counter()
        for support, nodes in mechanism.listed.classes:
            for node in nodes.tolist():
                known[mechanism.listed.itemset(node)] += mechanism.weight(support) - 1
        for itemset in subsets(n):
            holding = [row for row in rows if itemset <= set(row)]
            assert mechanism.support(sorted(itemset)) == len(holding)
            taken = Fraction(1)  # the uniform proposal: 2^n times 2^-n
            taken += known.pop(tuple(sorted(itemset)), Fraction(0))
            for row in holding:
                proposed = mechanism.spread() * 2 ** len(row) * Fraction(1, 2 ** len(row))
                chance = mechanism.accepted(len(holding))
                assert 0 <= chance <= 1
                taken += proposed * chance
            assert taken == exp_of(epsilon * min(theta, len(holding)) / 4)
        assert not known


class Branching(Bits):
    """One way through the draws, and how likely it is: choices are prescribed, then the first."""

    width = 64

    def __init__(self, choices, items):
        self.choices, self.items = list(choices), items
        self.made, self.options, self.chance = [], [], Fraction(1)

    def _choose(self, chances):
        pick = self.choices[len(self.made)] if len(self.made) < len(self.choices) else 0
        self.made.append(pick)
        self.options.append(len(chances))
        self.chance *= chances[pick]
        return pick

    def _cuts(self, steps):
        cuts = [Fraction(steps.cut(k).floor(400), 1 << 400) for k in range(len(steps.floors))]
        ends = [Fraction(0), *cuts, Fraction(1)]
        return [b - a for a, b in itertools.pairwise(ends)]

    def coins(self, steps, count):
        chances = self._cuts(steps) if len(steps.floors) else [Fraction(1)]
        return np.array([self._choose(chances) == 0 for _ in range(count)], dtype=bool)

    def choose(self, steps, count):
        return np.array([self._choose(self._cuts(steps)) for _ in range(count)], dtype=np.int64)

    def below(self, limits):
        return np.array([self._choose([Fraction(1, int(n))] * int(n)) for n in limits])

    def words(self, count):
        few = [Fraction(1, 1 << self.items)] * (1 << self.items)
        return np.array([self._choose(few) for _ in range(count)], dtype=np.uint64)


def all_ways(mechanism, items):
    """Every way through one proposal: its chance, and the itemset taken or None."""
    waiting = [()]
    while waiting:
        bits = Branching(waiting.pop(), items)
        taken = mechanism.proposals(1, bits)
        fixed = len(bits.choices)
        for place in range(fixed, len(bits.made)):
            waiting += [(*bits.made[:place], other) for other in range(1, bits.options[place])]
        yield bits.chance, taken[0] if taken else None


@pytest.mark.parametrize("rows", [[[0, 1], [1], [1, 2]], [[0, 1], [0, 1], [], [0]]])
@pytest.mark.parametrize("cutoff", [None, 1, 2, 3, 9])
def test_every_way_through_a_proposal(rows, cutoff):
    """The draws themselves, all branches listed: the law to 2^-300 of its closed form."""
    theta, epsilon = 2, Fraction(3)
    mechanism = ItemsetMechanism.of(Rows.of(rows, 3), epsilon, theta, cutoff)
    law, whole = Counter(), Fraction(0)
    for chance, taken in all_ways(mechanism, 3):
        whole += chance
        if taken is not None:
            law[taken] += chance
    assert whole == 1
    total = 8 + mechanism.spread() * mechanism.subsets
    for support, nodes in mechanism.listed.classes:
        total += len(nodes) * (mechanism.weight(support) - 1)
    for itemset in subsets(3):
        support = sum(itemset <= set(row) for row in rows)
        wanted = exp_of(epsilon * min(theta, support) / 4) / total
        assert abs(law[tuple(sorted(itemset))] - wanted) < Fraction(1, 1 << 300)


def test_cuts_are_those_of_the_closed_forms():
    rows = Rows.of([[0, 1], [1], [1, 2], [3]], 4)
    mechanism = ItemsetMechanism.of(rows, Fraction(1, 2), 3, 5)
    total = 16 + mechanism.spread() * mechanism.subsets
    for bits in (1, 8, 64, 500):
        assert mechanism._kinds(64).cut(0).floor(bits) == cut_of(16 / total).floor(bits)
        for support in (1, 2):
            mine = mechanism._acceptance(support, 64).cut(0)
            assert mine.floor(bits) == cut_of(mechanism.accepted(support)).floor(bits)
            assert not mine.exact(bits)


def test_long_rows_are_drawn_from_what_is_listed():
    """One row of 40 items: of 2^40 subsets hardly any would be taken, were it not for the list."""
    rows = [list(range(40)), *([[0, 1], [1, 2]] * 100)]
    mechanism = ItemsetMechanism.of(Rows.of(rows, 40), Fraction(4), 90)
    assert 1 < mechanism.listed.cutoff <= 90
    drawn = mechanism.draw(300, Simulation(2))
    assert {(), (0,), (1,), (2,), (0, 1), (1, 2)} == set(drawn)


@pytest.mark.parametrize("cutoff", [2, 6])
def test_drawn_itemsets_follow_the_law(cutoff):
    rows = [[0, 1, 2], [0, 1], [1, 2], [1], [3]]
    mechanism = ItemsetMechanism.of(Rows.of(rows, 4), Fraction(5, 2), 3, cutoff)
    many = 10_000
    counted = Counter(mechanism.draw(many, Simulation(1)))
    weights = {
        tuple(sorted(one)): float(mechanism.weight(sum(one <= set(row) for row in rows)))
        for one in subsets(4)
    }
    total = sum(weights.values())
    square = sum(
        (counted[one] - many * w / total) ** 2 / (many * w / total) for one, w in weights.items()
    )
    assert square < 40  # 15 degrees of freedom: 1 in 2,000 would be more
    wrong = sum((counted[one] - many / 16) ** 2 / (many / 16) for one in weights)
    assert wrong > 250


def test_large_weights_and_many_items():
    """Weights far beyond doubles, and items in several words."""
    rows = [[0, 70], [0, 70], [0, 129], [5]]
    mechanism = ItemsetMechanism.of(Rows.of(rows, 130), Fraction(4000), 2)
    drawn = set(mechanism.draw(200, Simulation(4)))
    assert drawn == {(), (0,), (70,), (0, 70)}  # those of support 2, e^4000 times as likely
    few = ItemsetMechanism.of(Rows.of(rows, 130), Fraction(1), 2).draw(50, Simulation(4))
    assert 40 < sum(map(len, few)) / 50 < 90  # nearly uniform over 2^130 itemsets


@pytest.mark.parametrize(
    ("epsilon", "theta", "says"),
    [("0", 1, "above 0"), ("-1", 1, "above 0"), ("1", 0, "from 1 to 2"), ("1", 3, "from 1 to 2"),
     ("10000000", 2, "above 4,000,000")],
)  # fmt: skip
def test_what_is_refused(epsilon, theta, says):
    with pytest.raises(ValueError, match=says):
        ItemsetMechanism.of(Rows.of([[0], [1]], 2), Fraction(epsilon), theta)
    with pytest.raises(ValueError, match="no transactions"):
        ItemsetMechanism.of(Rows.of([], 2), Fraction(1), 1)


def test_declared_items():
    data = PlainData.of([["milk", "bread"], ["milk"]])
    rows, labels = declared_rows(data, Items(3, ["bread", "beer", "milk"]))
    assert labels == ("bread", "beer", "milk")
    assert rows.items.tolist() == [0, 2, 2]
    with pytest.raises(DataError, match="1 of the 2 items"):
        declared_rows(data, Items(2, ["milk", "beer"]))
    numbers, labels = declared_rows(PlainData.of([[3, 1]]), Items(5))
    assert (numbers.count, numbers.items.tolist(), labels) == (5, [1, 3], tuple("01234"))


def test_costs_add_up():
    data = PlainData.of([["a", "b"], ["a"], ["b"]])
    drawn = (data, Fraction(1, 3), Threshold.of("2"), 6, Simulation(0))
    found = draw_itemsets(*drawn, items=Items(3, ["a", "b", "c"]), seed=0)
    assert found.cost == 1
    assert found.to_json()["cost"]["added"] == {"each": "1/12", "all": "1/2"}
    assert {one["status"] for one in found.to_json()["cost"]["shown"]} == {"public"}
    with pytest.raises(ValueError, match="has to be declared"):
        draw_itemsets(*drawn)
    bare = draw_itemsets(*drawn, unprotected_domain=True).to_json()["cost"]["shown"]
    assert [one["status"] for one in bare] == ["public", "not protected"]


def test_the_cost_of_a_row_on_all_small_databases():
    """Replacing one of two rows over two items: the largest ratio is below e^(epsilon/2)."""
    sets = [sorted(one) for one in subsets(2)]
    epsilon = Fraction(4)

    def law(first, second):
        mechanism = ItemsetMechanism.of(Rows.of([first, second], 2), epsilon, 2)
        weights = [mechanism.weight(mechanism.support(one)) for one in sets]
        return [w / sum(weights, Fraction(0)) for w in weights]

    laws = {(i, j): law(a, b) for i, a in enumerate(sets) for j, b in enumerate(sets)}
    worst = max(
        p / q
        for i, j, k in itertools.product(range(4), repeat=3)
        for p, q in zip(laws[i, j], laws[k, j], strict=True)
    )
    assert exp_of(epsilon / 4) < worst < exp_of(epsilon / 2)
