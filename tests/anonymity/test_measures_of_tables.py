"""k-anonymity, l-diversity and t-closeness against their definitions, row by row in Fractions."""

import math
import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.tables.anonymity.classes import CodedColumn, CodedTable
from ppdm_formal.tables.anonymity.closeness import ordered_distance
from ppdm_formal.tables.anonymity.finding import Required, anonymity

KEEP = Fraction(2, 3)


def table_of(rows, names):
    columns = {}
    for place, name in enumerate(names):
        texts = list(dict.fromkeys(row[place] for row in rows))
        columns[name] = CodedColumn(
            np.array([texts.index(row[place]) for row in rows]), tuple(texts)
        )
    return CodedTable(columns, np.arange(2, len(rows) + 2), "line")


def shares(values):
    return {v: Fraction(c, len(values)) for v, c in Counter(values).items()}


def moved_by_permutations(p, q, values, distance):
    """The earth mover's distance as the best matching of equally many grains of both laws."""
    grains = math.lcm(*(f.denominator for f in [*p.values(), *q.values()]))
    have = [v for v in values for _ in range(int(p.get(v, 0) * grains))]
    want = [v for v in values for _ in range(int(q.get(v, 0) * grains))]
    return min(
        sum((distance(a, b) for a, b in zip(have, order, strict=True)), Fraction(0)) / grains
        for order in set(permutations(want))
    )


def definitions(rows, quasi, sensitive):
    """Everything from the definitions: rows are tuples, quasi and sensitive are places."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[i] for i in quasi)].append(row[sensitive])
    whole = shares([row[sensitive] for row in rows])
    ordered = sorted(whole, key=Fraction)
    found = {
        "k": min(map(len, groups.values())),
        "l": min(len(set(g)) for g in groups.values()),
        "entropy": min(
            -sum(float(s) * math.log(s) for s in shares(g).values()) for g in groups.values()
        ),
        "equal": max(
            sum(abs(shares(g).get(v, 0) - whole[v]) for v in whole) / 2 for g in groups.values()
        ),
        "ordered": max(
            sum(
                abs(sum(shares(g).get(v, 0) - whole[v] for v in ordered[: i + 1]))
                for i in range(len(ordered))
            )
            / max(1, len(ordered) - 1)
            for g in groups.values()
        ),
        "ratio": max(
            (max(shares(g)[v] / whole[v], whole[v] / shares(g)[v]) if v in g else math.inf)
            for g in groups.values()
            for v in whole
        ),
        "groups": list(groups.values()),
    }
    ratios = {}
    for ell in range(2, found["l"] + 1):
        ranked = [sorted(Counter(g).values(), reverse=True) for g in groups.values()]
        ratios[ell] = max(Fraction(r[0], sum(r[ell - 1 :])) for r in ranked)
    found["ratios"] = ratios
    return found


@pytest.mark.parametrize("seed", range(40))
def test_random_tables(seed):
    random.seed(seed)
    rows = [
        (str(random.randrange(2)), str(random.randrange(2)), str(random.randrange(1 + seed % 4)))
        for _ in range(random.randint(1, 30))
    ]
    table = table_of(rows, "abs")
    wanted = definitions(rows, (0, 1), 2)
    found = anonymity(table, ["a", "b"], ["s"])
    one = found.sensitive[0]
    assert (found.k, one.diversity.distinct) == (wanted["k"], wanted["l"])
    assert found.classes == len(wanted["groups"])
    assert one.diversity.entropy.lo - 1e-9 <= wanted["entropy"] <= one.diversity.entropy.hi + 1e-9
    ell = one.diversity.entropy_l
    for group in wanted["groups"]:  # n^n >= l^n times the product of c^c: H >= ln(l), in integers
        n = len(group)
        held = math.prod(c**c for c in Counter(group).values())
        assert n**n >= ell**n * held
    assert any(
        len(g) ** len(g) < (ell + 1) ** len(g) * math.prod(c**c for c in Counter(g).values())
        for g in wanted["groups"]
    )
    assert {size: ratio for size, ratio, _ in one.diversity.ratios} == wanted["ratios"]
    assert one.closeness.distance == wanted["equal"]
    assert str(one.ratio.distance) == str(wanted["ratio"]).replace("inf", "infinity")
    by_order = anonymity(table, ["a", "b"], ["s"], ordered=["s"]).sensitive[0]
    assert by_order.closeness.distance == wanted["ordered"]
    keep = [[KEEP if x == y else (1 - KEEP) / 3 for y in range(4)] for x in range(4)]
    operator = Operator.from_matrix(keep, inputs=Domain(range(4)), outputs=Domain(range(4)))
    after = anonymity(table, ["a", "b"], ["s"], operator=operator).sensitive[0].stochastic
    whole = shares([row[2] for row in rows])
    mixed = [
        [sum(law[v] * keep[int(v)][y] for v in law) for y in range(4)]
        for law in [whole, *map(shares, wanted["groups"])]
    ]
    assert after.distance == max(
        max(a / b, b / a) for law in mixed[1:] for a, b in zip(law, mixed[0], strict=True)
    )
    assert after.distance <= KEEP / ((1 - KEEP) / 3)


def test_where_no_class_is_farther_than_the_table_the_first_is_named():
    table = table_of([("x", "0"), ("x", "1"), ("x", "1")], ["a", "s"])
    coin = [["3/4", "1/4"], ["1/4", "3/4"]]
    operator = Operator.from_matrix(coin, inputs=Domain(range(2)), outputs=Domain(range(2)))
    (found,) = anonymity(table, ["a"], ["s"], operator=operator).sensitive
    for one in (found.closeness, found.ratio, found.stochastic):
        assert one.at == 0
    assert (found.stochastic.distance, found.ratio.distance) == (1, 1)


def test_distances_are_those_of_an_earth_mover():
    rows = [("x", "1"), ("x", "2"), ("y", "2"), ("y", "4")]
    table = table_of(rows, "qs")
    whole = shares([row[1] for row in rows])
    values = sorted(whole, key=int)
    classes = [shares([s for q, s in rows if q == name]) for name in "xy"]
    equal = max(
        moved_by_permutations(c, whole, values, lambda a, b: Fraction(a != b)) for c in classes
    )
    steps = max(
        moved_by_permutations(
            c, whole, values, lambda a, b: Fraction(abs(values.index(a) - values.index(b)), 2)
        )
        for c in classes
    )
    assert anonymity(table, ["q"], ["s"]).sensitive[0].closeness.distance == equal
    found = anonymity(table, ["q"], ["s"], ordered=["s"]).sensitive[0]
    assert found.closeness.distance == steps


def test_the_salaries_of_the_t_closeness_paper():
    """Li, Li, Venkatasubramanian: Q = 3k..11k, {3, 4, 5}k is 0.375 away, {6, 8, 11}k 0.167."""
    salaries = {"476": (3, 4, 5), "4790": (6, 8, 11), "47602": (7, 9, 10)}
    rows = [(zipcode, str(1000 * s)) for zipcode, some in salaries.items() for s in some]
    far = anonymity(table_of(rows, "zs"), ["z"], ["s"], ordered=["s"]).sensitive[0].closeness
    assert far.distance == Fraction(3, 8)
    split = [("far" if zipcode != "4790" else "near", s) for zipcode, s in rows]
    near = table_of(split, "zs")
    counts = near.classes(["z"]).sensitive(near.columns["s"])
    assert Fraction(1, 6) <= Fraction(167, 1000)

    found = ordered_distance(
        counts, sorted(range(9), key=lambda v: int(near.columns["s"].texts[v]))
    )
    assert found.distance == Fraction(1, 6)


def test_others_known():
    """With the other sensitive column known, classes are finer."""
    rows = [("q", "a", "1"), ("q", "a", "1"), ("q", "b", "2"), ("q", "b", "1")]
    table = table_of(rows, "qst")
    plain = anonymity(table, ["q"], ["s", "t"])
    assert [one.diversity.distinct for one in plain.sensitive] == [2, 2]
    known = anonymity(table, ["q"], ["s", "t"], others_known=True)
    assert [one.diversity.distinct for one in known.sensitive] == [1, 1]
    assert known.k == plain.k == 4
    assert (
        anonymity(table, ["q", "s"], ["t"]).sensitive[0].closeness == known.sensitive[1].closeness
    )


def test_what_is_required():
    rows = [("q", "a"), ("q", "a"), ("q", "b"), ("r", "a"), ("r", "b")]
    table = table_of(rows, "qs")

    def failed(**asked):
        return anonymity(table, ["q"], ["s"], asked=Required(**asked)).failed

    assert failed(k=2, ell=2, t=Fraction(1, 10)) == ()
    assert failed(k=3, ell=3, t=Fraction(1, 11)) == ("k", "l:s", "t:s")
