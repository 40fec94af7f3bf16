"""What pictures and sentences compute for themselves, against brute force in Fractions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_oracle import breaching, lowered, raised, ratio_breaching, shares

from ppdm_formal.certify import certify
from ppdm_formal.certify.frontier import all_priors, one_prior, worst_posterior_for
from ppdm_formal.certify.occurrence import occurrence
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.report.parts.blocks import Points, Table
from ppdm_formal.report.parts.worked import worked
from ppdm_formal.report.pictures.axes import Scale, ticks
from ppdm_formal.report.pictures.heat_map import heat

F = Fraction


@st.composite
def distributions(draw, size, least=0):
    weights = draw(
        st.lists(st.integers(least, 6), min_size=size, max_size=size).filter(lambda w: sum(w) > 0)
    )
    return [Fraction(weight, sum(weights)) for weight in weights]


@st.composite
def cases(draw):
    inputs, outputs = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    rows = [draw(distributions(outputs)) for _ in range(inputs)]
    return rows, draw(distributions(inputs, least=1))


def built(rows, prior):
    operator = Operator.from_matrix(rows, name="R")
    return operator, Prior.of(operator.inputs, dict(enumerate(prior)), "P")


@settings(derandomize=True, deadline=None, max_examples=60)
@given(cases(), st.fractions(0, 1, max_denominator=12))
def test_the_frontier_of_a_prior(case, at):
    rows, prior = case
    operator, known = built(rows, prior)
    up, down = one_prior(operator, known, [at])
    for place, value in up.points:
        assert value == raised(rows, prior, place)
    for place, value in down.points:
        assert value == lowered(rows, prior, place)
    if up.whole:
        assert max((v for p, v in up.points if p <= at), default=0) == raised(rows, prior, at)


def test_a_likely_input_is_a_step_of_the_frontier_where_it_is(audited):
    """R1 of Example 1 under X: below 1/100 the input 0 cannot be in the property yet."""
    result = audited("example1")
    steps, _ = one_prior(result.operators[0].operator, result.model.priors["X"])
    below, at = (value for place, value in steps.points if place in (F(999, 10**5), F(1, 100)))
    other = F(99, 100_000)
    one = F(1, 100) * F(1, 1250) + other / 5 + 999 * other / 1250
    assert below == (other / 5 + 9 * other / 1250) / one  # output 1: input 1 and nine others
    assert at == F(250, 349)


@pytest.mark.parametrize(("size", "drawn"), [(20, True), (75, False)])
def test_operators_with_very_many_classes_have_no_frontier_under_a_prior(size, drawn):
    rows = [
        [F(1 + x * y, size + x * size * (size - 1) // 2) for y in range(size)] for x in range(size)
    ]
    operator = Operator.from_matrix(rows)
    assert (one_prior(operator, Prior.uniform(operator.inputs)) is not None) == drawn


def test_the_frontier_of_all_priors():
    assert all_priors(Fraction(1))[0] == (0, 0)
    for before, after in all_priors(Fraction(1202, 201)):
        assert after / max(1 - after, Fraction(1, 10**9)) <= Fraction(1202, 201) * before / max(
            1 - before, Fraction(1, 10**9)
        ) + Fraction(1, 10**6)
        assert after == worst_posterior_for(before, Fraction(1202, 201))


@settings(derandomize=True, deadline=None, max_examples=80)
@given(cases(), st.sampled_from([("1/7", "1/2"), ("1/3", "2/3"), ("1/10", "1/5")]), st.booleans())
def test_how_often_an_output_breaches(case, limits, one):
    rows, prior = case
    rho1, rho2 = map(Fraction, limits)
    operator, known = built(rows, prior)
    only = tuple(int(x == 0) for x in range(len(prior))) if one else None
    about = Property.of(operator.inputs, [0], "first") if one else None
    certificate = certify(operator, BreachClaim(rho1, rho2, under=known, about=about))
    columns = breaching(rows, prior, rho1, rho2, only)
    found = occurrence(certificate, [known])
    if not columns:
        assert found is None
        return
    under, most = shares(rows, prior, columns)
    assert [(s.prior, s.least, s.most) for s in found.under] == [("P", under, under)]
    assert (found.over_inputs, found.exact) == (most, True)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(cases())
def test_how_often_under_all_priors(case):
    rows, prior = case
    operator, known = built(rows, prior)
    certificate = certify(operator, BreachClaim(Fraction(1, 4), Fraction(1, 2)))
    columns = ratio_breaching(rows, Fraction(1, 4), Fraction(1, 2))
    found = occurrence(certificate, [known])
    if not columns:
        assert found is None
        return
    under, most = shares(rows, prior, columns)
    assert (found.under[0].least, found.over_inputs) == (under, most)
    assert found.exact


@pytest.mark.parametrize("size", [3, 32, 33, 101])
def test_heat_map_blocks_hold_the_extremes_of_their_entries(size):
    rows = [[Fraction((i * j) % 7 + 1) for j in range(size)] for i in range(size)]
    rows = [[entry / sum(row) for entry in row] for row in rows]
    found = heat(Operator.from_matrix(rows))
    assert len(found.rows) <= 40
    assert sorted(k for span in found.rows for k in span) == list(range(size))
    for cell in found.cells:
        entries = [rows[i][j] for i in found.rows[cell.row] for j in found.columns[cell.column]]
        assert (cell.least, cell.most) == (min(entries), max(entries))
    assert found.whole == (size <= 32)


def test_a_worked_example_can_be_followed(audited):
    """Recompute before and after from the numbers as they are printed."""
    checked = 0
    for name in ("example1", "example2", "age", "hadamard"):
        for found in audited(name).operators:
            for certificate in found.certificates:
                blocks = worked(certificate)
                table = next((b for b in blocks if isinstance(b, Table)), None)
                if table is None or table.head[1] != "in the property":
                    continue
                numbers = [[float(c.lstrip("~") or 0) for c in row[2:]] for row in table.rows[:-1]]
                inside = [row[1] == "yes" for row in table.rows[:-1]]
                for mass, chance, product in numbers:
                    assert mass * chance == pytest.approx(product, rel=1e-4, abs=1e-12)
                total = sum(row[2] for row in numbers)
                kept = [row for row, yes in zip(numbers, inside, strict=True) if yes]
                before, after = sum(row[0] for row in kept), sum(row[2] for row in kept) / total
                assert before == pytest.approx(float(certificate.witness.before), rel=1e-4)
                assert after == pytest.approx(float(certificate.witness.after), rel=1e-4)
                steps = next(b for b in blocks if isinstance(b, Points)).items
                assert any(f"exactly {certificate.witness.after}" in step for step in steps)
                checked += 1
    assert checked >= 8


def test_scales_and_ticks():
    assert Scale(0, 2, 100, 0)(1) == 50
    assert Scale(0, 2, 100, 0)(5) == 0
    assert ticks(0.5, 1) == [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert len(ticks(0, 12345)) <= 8
