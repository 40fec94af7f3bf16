"""Every family, found by its place, against its own matrix written out.

Nothing here names a family: a new file in families/ is tested as it stands.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from family_cases import FREE, build, cases, exponential, rational

from ppdm_formal.declare.arithmetic.exact import substitute
from ppdm_formal.declare.families import overlap
from ppdm_formal.declare.families.by_place import family_function
from ppdm_formal.declare.families.randomized_response import KeepOrReplace
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.families import model_families
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.measures.matrix_errors import matrix_errors
from ppdm_formal.derive.measures.utility import utility

F = Fraction
POINTS = (F(0), F(1, 2), F(1))
NAMES = model_families()


def written(operator):
    """The same operator from its matrix alone; its rows are checked to sum to 1."""
    return Operator.from_codes(operator.inputs, operator.outputs, operator.matrix())


def proportional(view, exact):
    """Whether a relative view has the likelihoods of a column, up to one factor."""
    pairs = {(part.likelihood, exact[part.example]) for part in view.classes}
    factors = {b / a for a, b in pairs if a != 0}
    return all((a == 0) == (b == 0) for a, b in pairs) and len(factors) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_enough_of_the_family_is_tested(name):
    assert len(rational(name)) >= 4
    ends = [op for args, op in cases(name) if not op.parameters and {F(0), F(1)} & set(probs(args))]
    assert ends, "no case at a closed end"
    assert any(operator.parameters for _, operator in cases(name)), "no case with a parameter"


def probs(arguments):
    return [value for value in arguments.values() if isinstance(value, Fraction)]


@pytest.mark.parametrize("name", NAMES)
def test_views_entries_and_mass_equal_the_matrix(name):
    for operator in rational(name):
        plain = written(operator)
        assert operator == plain
        assert operator.views() == plain.views()
        assert operator.law.mass() == 1
        for y in plain.outputs:
            assert operator.view_of(y) == plain.view_of(y)
        x = plain.inputs[-1]
        assert [operator.probability(x, y) for y in plain.outputs] == [
            plain.probability(x, y) for y in plain.outputs
        ]


@pytest.mark.parametrize("name", NAMES)
def test_exponentials_are_numbers_like_others(name):
    for operator in exponential(name)[:12]:
        plain = written(operator)
        check_relative(operator, plain, operator.views())
        first, last = 0, operator.inputs.size - 1
        assert set(operator.law.pair(first, last)) == set(plain.law.pair(first, last))


@pytest.mark.parametrize("name", NAMES)
def test_priors_and_properties_refine_the_views(name):
    for operator in rational(name):
        plain = written(operator)
        property = Property.of(plain.inputs, list(plain.inputs)[::2], "even places")
        size = plain.inputs.size
        masses = {x: F(2 * (k + 1), size * (size + 1)) for k, x in enumerate(plain.inputs)}
        prior = Prior.of(plain.inputs, masses)
        shown = operator.views(prior, [property])
        expected = plain.views(prior, [property])
        assert Counter(map(histogram, shown)) == Counter(map(histogram, expected))


def histogram(view):
    parts = frozenset((c.likelihood, c.count, c.prior, c.member) for c in view.classes)
    return parts, view.outputs


@pytest.mark.parametrize("name", NAMES)
def test_pairs_of_inputs_equal_the_matrix(name):
    for operator in rational(name):
        plain = written(operator)
        last = plain.inputs.size - 1
        for first, second in itertools.product(range(plain.inputs.size), {0, last}):
            counted = Counter(
                (plain.matrix().entry(first, y), plain.matrix().entry(second, y))
                for y in range(plain.outputs.size)
            )
            for law in (operator.law, plain.law):
                found = law.pair(first, second)
                assert {(part.first, part.second): part.outputs for part in found} == counted
                assert len(found) == len(counted)


@pytest.mark.parametrize("name", NAMES)
def test_utility_is_that_of_the_matrix(name):
    """Ratios from the law against those from the matrix; a published decoder is never better."""
    for operator in rational(name):
        support = operator.law.support()
        if support is not None and support.sets is not None:
            continue
        if operator.inputs.size == 1:
            assert utility(operator).best.errors.factor == 1
            continue
        found = utility(operator)
        whole = matrix_errors(operator, None)
        assert found.rank == whole.rank
        assert found.best.errors == whole.errors
        terms = operator.law.ratios(lambda value: value)
        if terms is not None:
            assert sum(part.chance for part in terms) == 1
        for one in found.decoders[1:]:
            assert one.errors.total >= found.best.errors.total


@pytest.mark.parametrize("name", NAMES)
def test_unlike_pairs_stand_for_all(name):
    for operator in rational(name):
        law = operator.law
        shown = {frozenset(law.pair(*pair)) for pair in law.unlike_pairs()}
        shown |= {frozenset(law.pair(b, a)) for a, b in law.unlike_pairs()}
        for pair in itertools.permutations(range(operator.inputs.size), 2):
            assert frozenset(law.pair(*pair)) in shown


@pytest.mark.parametrize("name", NAMES)
def test_relative_views_are_the_absolute_ones_up_to_a_factor(name, monkeypatch):
    """As if the items were too many: every output's view in the ratios of its column."""
    monkeypatch.setattr(overlap, "EXACT_ITEMS", 0)
    for operator in rational(name):
        plain = written(operator)
        check_relative(operator, plain, operator.views())
        for y in plain.outputs:
            alone = operator.view_of(y)
            assert alone.inputs == plain.inputs.size
            column = {x: plain.probability(x, y) for x in plain.inputs}
            assert proportional(alone, column)
            if not alone.relative:
                assert alone == plain.view_of(y)


def check_relative(operator, plain, views):
    """Each view against the column of its output, and every column against some view."""
    assert sum(view.outputs for view in views) == plain.outputs.size
    shown = Counter()
    for view in views:
        column = {x: plain.probability(x, view.output) for x in plain.inputs}
        assert proportional(view, column)
        assert view.inputs == plain.inputs.size
        shown[ratios(view)] += view.outputs
    assert shown == Counter(
        pattern for view in plain.views() for pattern in [ratios(view)] * view.outputs
    )


def ratios(view: View):
    """The likelihoods of a view over its greatest: all that a relative view promises."""
    values = [part.likelihood for part in view.classes]
    return frozenset(value / max(values) for value in values) if max(values) else frozenset()


@pytest.mark.parametrize("name", NAMES)
def test_views_with_a_parameter_hold_at_its_closed_ends(name):
    """Putting a value into the views, or into the operator, gives what the family gives at it."""
    function = family_function(name)
    tried = 0
    for arguments, operator in cases(name):
        if not operator.parameters:
            continue
        for point in POINTS:
            at = {key: point if value == FREE else value for key, value in arguments.items()}
            fixed = build(function, at)
            assert fixed is not None
            assert operator.substitute({"r": point}) == fixed
            assert operator.substitute({"r": point}).law == fixed.law
            put = [at_point(view, point) for view in operator.views()]
            check_relative(operator, written(fixed), put)
            tried += 1
    assert tried >= 6


def at_point(view, point):
    classes = tuple(
        type(part)(substitute(part.likelihood, {"r": point}), part.count, part.example)
        for part in view.classes
    )
    return View(classes, view.outputs, view.output, kind=view.kind)


def test_a_view_up_to_a_factor_says_so(monkeypatch):
    """Without the mark, measures would take ratios for probabilities."""
    monkeypatch.setattr(overlap, "EXACT_ITEMS", 0)
    marked = [
        operator
        for name in NAMES
        for operator in rational(name)
        if isinstance(operator.law, overlap.OverlapLaw) and operator.law.relative
    ]
    assert marked
    for operator in marked:
        assert all(view.relative for view in operator.views())
        assert all(operator.view_of(y).relative for y in operator.outputs)


@pytest.mark.parametrize(
    ("name", "here", "there"),
    [("keep_or_resample", F(5, 8), F(1, 8)), ("neighbours", F(1, 2), F(1, 4))],
)
def test_the_examples_in_contributing_are_families(name, here, there, contributed):
    """A file put beside the others is found by models and by the tests of this file."""
    contributed(name)
    assert name in model_families()
    model = compile_text(f"operator R = {name}(values: 4, keep: 1/2)")
    assert model.operators["R"].probability(0, 0) == here
    assert model.operators["R"].probability(0, 3) == there
    for test in (
        test_enough_of_the_family_is_tested,
        test_views_entries_and_mass_equal_the_matrix,
        test_exponentials_are_numbers_like_others,
        test_priors_and_properties_refine_the_views,
        test_pairs_of_inputs_equal_the_matrix,
        test_unlike_pairs_stand_for_all,
        test_utility_is_that_of_the_matrix,
        test_views_with_a_parameter_hold_at_its_closed_ends,
    ):
        test(name)


def test_a_wrong_view_or_mass_is_refused():
    @dataclass(frozen=True)
    class Doubled(KeepOrReplace):
        def views(self, inputs, outputs, labels):
            return [
                replace(view, outputs=2 * view.outputs)
                for view in super().views(inputs, outputs, labels)
            ]

    domain = Domain(range(3))
    wrong = Operator(domain, domain, Doubled(3, F(1, 2), F(1, 4)))
    with pytest.raises(ValueError, match="the views of 3 inputs hold probabilities that sum to 6"):
        wrong.views()
    with pytest.raises(ValueError, match="the rows of R sum to 3/2, not to 1"):
        Operator(domain, domain, KeepOrReplace(3, F(1, 2), F(1, 2)), "R")
