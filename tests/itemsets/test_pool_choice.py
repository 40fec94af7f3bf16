"""Sizes that choose their randomization for the pool."""

from __future__ import annotations

import itertools
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from written_plans import written_plan

from ppdm_formal.design.forecast import OTHERS, SizeOptions, best_for_pool, pool_goal
from ppdm_formal.design.request import Request

NOISE = st.dictionaries(
    st.integers(1, 3),
    st.tuples(st.floats(0.1, 1e4), st.floats(0.1, 1e4)),
    min_size=3,
    max_size=3,
)
SIZES = st.lists(
    st.builds(SizeOptions, st.integers(1, 1000), st.lists(NOISE, min_size=2, max_size=2)),
    min_size=1,
    max_size=4,
)


@given(SIZES)
def test_no_single_change_nor_all_alike_is_better(options):
    clients = sum(part.baskets for part in options)
    chosen = best_for_pool(options, clients)
    best = pool_goal(options, chosen, clients)
    others = [[option] * len(options) for option in (0, 1)]
    for place in range(len(options)):
        others.append([*chosen[:place], 1 - chosen[place], *chosen[place + 1 :]])
    assert all(best <= pool_goal(options, other, clients) for other in others)
    if len(options) <= 2:
        every = itertools.product((0, 1), repeat=len(options))
        least = min(pool_goal(options, other, clients) for other in every)
        assert best <= 2 * least


def test_the_best_plan_of_a_pool_is_not_worse_than_the_papers():
    level = {"rho1": Fraction(1, 20), "rho2": Fraction(1, 2)}
    request = {"histogram": {2: 1600, 6: 900}, "itemsets": 2, **level}
    goal = {}
    for form in ("best", "paper"):
        content = written_plan(Request(**request, form=form))
        found = [part["lds"] for part in content["pooled"]]
        assert len(found) == 2
        seen = [1.0 if lds is None else float(lds) for lds in found]
        goal[form] = max(seen) + OTHERS * sum(seen)
    assert goal["best"] <= goal["paper"] * (1 + 1e-9)
