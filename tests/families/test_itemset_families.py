"""Itemset operators against their full matrices, entry by entry, and on a million items."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import itemset_oracle as oracle
import pytest

from ppdm_formal.declare.arithmetic.exact import simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families import subsets
from ppdm_formal.declare.families.cut_and_paste import cut_and_paste
from ppdm_formal.declare.families.flip import flip
from ppdm_formal.declare.families.replace_items import replace_items
from ppdm_formal.declare.families.select_a_size import SelectASize, select_a_size
from ppdm_formal.declare.families.subsets import Subsets
from ppdm_formal.declare.operators.domain import ALL_BUT, Domain
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator

F = Fraction
KEEPS = {1: [F(1, 3), F(2, 3)], 2: [F(1, 2), F(1, 6), F(1, 3)], 3: [F(1, 10), 0, F(2, 5), F(1, 2)]}
SHAPES = [(n, m) for m in (1, 2, 3) for n in range(m, 9)]


def full(n, m, rows_of):
    inputs = [frozenset(t) for t in itertools.combinations(range(n), m)]
    rows = {t: rows_of(t) for t in inputs}
    outputs = sorted(oracle.subsets(range(n)), key=lambda t: sum(1 << i for i in t))
    return Operator.from_function(inputs, outputs, lambda t, y: rows[t][y]), rows


def families_amplification(operator):
    worst = F(1)
    for view in operator.views():
        values = [part.likelihood for part in view.classes]
        if max(values) > 0:
            if min(values) == 0:
                return None
            worst = max(worst, max(values) / min(values))
    return worst


def kinds(n, m):
    keep = KEEPS[m]
    yield (
        select_a_size(n, m, "2/7", keep=keep),
        lambda t: oracle.select_a_size_row(t, n, F(2, 7), keep),
    )
    for cutoff in range(m):
        op = select_a_size(n, m, "1/2", cutoff=cutoff, gamma=19)
        p = [math.comb(m, j) * (19 if j > cutoff else 1) for j in range(m + 1)]
        p = [F(w, sum(p)) for w in p]
        yield op, lambda t, p=p: oracle.select_a_size_row(t, n, F(1, 2), p)
    for cutoff in (1, m + 2):
        yield (
            cut_and_paste(n, m, cutoff, "1/10"),
            lambda t, cutoff=cutoff: oracle.cut_and_paste_row(t, n, F(1, 10), cutoff),
        )
    yield flip(n, m, "4/5"), lambda t: oracle.flip_row(t, n, F(4, 5))


@pytest.mark.parametrize(("n", "m"), SHAPES)
def test_views_entries_and_amplification_equal_the_full_matrix(n, m):
    for operator, rows_of in kinds(n, m):
        written, rows = full(n, m, rows_of)
        assert operator == written
        assert operator.matrix() == written.matrix()
        assert operator.views() == written.views()
        expected = oracle.amplification(rows.values(), list(oracle.subsets(range(n))))
        assert families_amplification(operator) == expected


@pytest.mark.parametrize(("n", "m"), [(n, m) for n, m in SHAPES if n >= 2 * m])
def test_replacement_equals_the_full_matrix(n, m):
    operator = replace_items(n, m, "1/5")
    inputs = [frozenset(t) for t in itertools.combinations(range(n), m)]
    rows = {t: oracle.replace_row(t, n, F(1, 5)) for t in inputs}
    written = Operator.from_function(inputs, inputs, lambda t, y: rows[t][y])
    assert operator == written
    assert operator.views() == written.views()
    assert operator.view_of(inputs[-1]) == written.view_of(inputs[-1])


@pytest.mark.parametrize(("n", "m"), SHAPES)
def test_flip_is_the_select_a_size_of_evf02(n, m):
    keep = [math.comb(m, j) * F(4, 5) ** j * F(1, 5) ** (m - j) for j in range(m + 1)]
    assert flip(n, m, "4/5") == select_a_size(n, m, "1/5", keep=keep)


def test_a_single_outputs_view_and_probability_match_the_matrix():
    operator = select_a_size(6, 2, "1/3", keep=KEEPS[2])
    written, _ = full(6, 2, lambda t: oracle.select_a_size_row(t, 6, F(1, 3), KEEPS[2]))
    for y in written.outputs:
        assert operator.view_of(y) == written.view_of(y)
        for t in written.inputs:
            assert operator.probability(t, y) == written.probability(t, y)


def test_priors_and_properties_refine_small_views():
    operator = select_a_size(5, 2, "1/3", keep=KEEPS[2])
    written, _ = full(5, 2, lambda t: oracle.select_a_size_row(t, 5, F(1, 3), KEEPS[2]))
    domain = written.inputs
    holds = Property.where(domain, lambda t: 0 in t, "has item 0")
    prior = Prior.uniform(domain)
    assert operator.views(prior, [holds]) == written.views(prior, [holds])


@pytest.mark.parametrize("n", [65, 100, 1000])
def test_relative_views_have_the_exact_ratios_and_count_every_output(n):
    m, rho = 3, F(3, 7)
    operator = select_a_size(n, m, rho, keep=["1/8", "1/8", "1/4", "1/2"])
    views = operator.views()
    assert len(views) == 2 * m + 1
    assert sum(view.outputs for view in views) == 2**n
    for view in views:
        assert view.relative
        assert view.inputs == math.comb(n, m)
        first = view.classes[0]
        reference = operator.probability(first.example, view.output)
        for part in view.classes:
            p = operator.probability(part.example, view.output)
            assert p / reference == part.likelihood / first.likelihood


def test_a_million_items():
    operator = select_a_size(10**6, 10, "131/256", cutoff=9, gamma=19)
    views = operator.views()
    assert sum(view.outputs for view in views) == 2**1_000_000
    assert {c.likelihood for v in views for c in v.classes} == {F(1), F(19)}
    assert families_amplification(operator) == 19
    assert repr(operator) == "<Operator ?: about 2^178 inputs, 2^1000000 outputs>"
    full_edge = views[-1].output
    assert full_edge == (ALL_BUT, frozenset())
    assert full_edge in operator.outputs
    assert operator.outputs.index(full_edge) == 2**1_000_000 - 1
    for asks in (operator.matrix, lambda: list(operator.inputs)):
        with pytest.raises(TooLarge):
            asks()
    with pytest.raises(TooLarge):
        operator.probability(frozenset(range(10)), frozenset())


def test_symbolic_parameters():
    rho = Parameter("rho", F(0), F(1))
    gamma = Parameter("gamma", F(1), F(100))
    free = select_a_size(1000, 5, rho.symbol, cutoff=4, gamma=gamma.symbol, parameters=[rho, gamma])
    assert [number_text(c.likelihood) for c in free.views()[5].classes] == ["gamma", "1"]
    fixed = free.substitute({"rho": "51/100", "gamma": 19})
    assert fixed.law == select_a_size(1000, 5, "51/100", cutoff=4, gamma=19).law
    small = select_a_size(4, 2, rho.symbol, keep=["1/2", "1/4", "1/4"], parameters=[rho])
    assert small.substitute({"rho": "1/3"}) == select_a_size(
        4, 2, "1/3", keep=["1/2", "1/4", "1/4"]
    )
    stay = Parameter("stay", F(1, 2), F(1))
    mask = flip(1000, 1, stay.symbol, parameters=[stay])
    odds = stay.symbol / (1 - stay.symbol)
    assert simplify(mask.views()[1].classes[0].likelihood - odds**2) == 0


def test_parameters_are_declared_and_stay_inside():
    closed = Parameter("rho", F(0), F(1), includes_lower=True)
    free = select_a_size(9, 2, closed.symbol, keep=["1/2", "1/4", "1/4"], parameters=[closed])
    at_end = free.substitute({"rho": 0})
    assert at_end == select_a_size(9, 2, 0, keep=["1/2", "1/4", "1/4"])
    assert at_end.law == select_a_size(9, 2, 0, keep=["1/2", "1/4", "1/4"]).law
    gamma = Parameter("gamma", F(1, 2), F(3))
    with pytest.raises(ValueError, match="at least 1"):
        select_a_size(9, 2, "1/2", cutoff=1, gamma=gamma.symbol, parameters=[gamma])
    with pytest.raises(ValueError, match="gamma has undeclared parameters: gamma"):
        select_a_size(9, 2, "1/2", cutoff=1, gamma=gamma.symbol)
    with pytest.raises(ValueError, match="undeclared parameters: rho"):
        select_a_size(9, 2, closed.symbol, cutoff=1, gamma=19)


def test_statement_2_form_has_ratio_gamma_at_the_cutoff():
    law = select_a_size(100, 4, "1/3", cutoff=1, gamma="5/2").law
    default = [math.comb(4, j) * F(1, 3) ** j * F(2, 3) ** (4 - j) for j in range(5)]
    b = [p / d for p, d in zip(law.keep, default, strict=True)]
    assert sum(law.keep) == 1
    assert b[0] == b[1]
    assert b[2] == b[3] == b[4] == F(5, 2) * b[0]


BAD = [
    (lambda: select_a_size(10, 2, "3/2", keep=[1, 0, 0]), "not between 0 and 1"),
    (lambda: select_a_size(10, 2, "1/2", keep=["1/2", "1/4", "1/8"]), "sum to 7/8, not to 1"),
    (lambda: select_a_size(10, 2, "1/2", keep=["3/2", "-1/2", 0]), r"p\[0\] = 3/2"),
    (lambda: select_a_size(10, 2, "1/2", keep=[1]), r"need p\[0\.\.2\], not 1 numbers"),
    (lambda: select_a_size(2, 3, "1/2", cutoff=1, gamma=19), r"must be in 1\.\.2"),
    (lambda: select_a_size(10, 2, "1/2", cutoff=2, gamma=19), r"one of 0\.\.1"),
    (lambda: select_a_size(10, 2, "1/2", cutoff=1, gamma="1/2"), "below 1"),
    (lambda: select_a_size(10, 2, "1/2", cutoff=1), "either cutoff and gamma, or keep"),
    (lambda: flip(10, 2, "5/4"), "stay = 5/4"),
    (lambda: SelectASize(20, 2, F(1, 2), (F(2), F(2), F(2)), (F(8), F(4), F(8))), "p\\[0\\] = 2"),
    (lambda: SelectASize(20, 2, F(1, 2), (F(1, 2),) * 3, (F(2), F(1), F(2))), "sum to 3/2"),
    (lambda: SelectASize(20, 2, F(1, 2), (F(1, 2), F(0), F(1, 2)), (F(2), F(0), F(1))), "b.j."),
    (lambda: SelectASize(20, 2, F(1), (F(1, 2), F(0), F(1, 2)), (F(1), F(1), F(1))), "b.j."),
    (lambda: SelectASize(2, 3, F(1, 2), (F(1), F(0), F(0), F(0))), r"must be in 1\.\.2"),
    (lambda: cut_and_paste(10, 2, -1, "1/2"), "at least 0"),
    (lambda: replace_items(3, 2, "1/5"), "needs at least 4 items"),
    (lambda: replace_items(10, 2, "6/5"), "not between 0 and 1"),
]


@pytest.mark.parametrize(("build", "says"), BAD)
def test_bad_parameters_are_refused_in_a_sentence(build, says):
    with pytest.raises(ValueError, match=says):
        build()


@pytest.mark.parametrize(("items", "members"), [(5, None), (6, 3), (4, 0), (3, 3)])
def test_subsets_rank_and_list_alike(items, members):
    domain = Subsets(items, members)
    listed = list(domain)
    assert domain.size == len(listed) == len(set(listed))
    assert [domain.index(t) for t in listed] == list(range(domain.size))
    assert [domain[i] for i in range(domain.size)] == listed
    assert domain[-1] == listed[-1]
    assert domain == Domain(listed)
    assert Domain(listed) == domain
    assert domain.same_members(Domain(reversed(listed)))
    assert hash(domain) == hash(Domain(listed))
    assert domain != Subsets(items + 1, members)


@pytest.mark.parametrize(("items", "members"), [(6, 3), (7, 1), (5, 5), (8, 6), (4, 0)])
def test_many_members_are_ranked_item_by_item(items, members, monkeypatch):
    monkeypatch.setattr(subsets, "_MANY", -1)
    domain = Subsets(items, members)
    listed = list(domain)
    assert [domain[i] for i in range(domain.size)] == listed
    assert [domain.index(t) for t in listed] == list(range(domain.size))


def test_sets_of_thousands_are_ranked():
    domain = Subsets(10_000, 2500)
    for place in (0, 1, domain.size // 3, domain.size - 2, domain.size - 1):
        assert domain.index(domain[place]) == place


def test_subsets_know_what_is_not_a_member():
    pairs = Subsets(4, 2)
    for stranger in (frozenset({1}), frozenset({1, 4}), frozenset({"a", 1}), 3, (1, 2)):
        assert stranger not in pairs
        with pytest.raises(ValueError, match="is not in the 2-item subsets of 4 items"):
            pairs.index(stranger)
    with pytest.raises(IndexError):
        pairs[6]
    assert (ALL_BUT, frozenset({0, 3})) in pairs
    assert pairs.index((ALL_BUT, frozenset({0, 3}))) == pairs.index(frozenset({1, 2}))
