"""Claims about records in parts: against whole records listed and laws of the parts tried."""

import itertools
import random
from fractions import Fraction

import pytest

from ppdm_formal.certify import certify
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.logarithm import Ln, ln
from ppdm_formal.declare.operators.parts import Parts, PartsClaim, SanitizedPart
from ppdm_formal.declare.operators.randomization import Operator

COIN = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]


def record(matrices, among=None):
    parts = [
        SanitizedPart(f"p{i}", Operator.from_matrix(m, name=f"R{i}"))
        for i, m in enumerate(matrices)
    ]
    return Parts("D", tuple(parts), among)


def random_matrix(rng):
    width = rng.randint(2, 3)
    rows = [[rng.randint(1, 5) for _ in range(width)] for _ in range(rng.randint(1, 3))]
    return [[Fraction(w, sum(row)) for w in row] for row in rows]


def ratio_of(matrix):
    columns = list(zip(*matrix, strict=True))
    return max(max(column) / min(column) for column in columns)


@pytest.mark.parametrize("seed", range(40))
def test_the_whole_record(seed):
    """At the product of the greatest ratios exactly, and two listed records above it."""
    rng = random.Random(seed)
    matrices = [random_matrix(rng) for _ in range(rng.randint(1, 3))]
    rows = list(itertools.product(*matrices))
    greatest = Fraction(1)
    for outputs in itertools.product(*(range(len(m[0])) for m in matrices)):
        column = [product(row[y] for row, y in zip(rows_, outputs, strict=True)) for rows_ in rows]
        greatest = max(greatest, max(column) / min(column))
    parts = record(matrices, rng.choice([None, Fraction(1)]))
    for relation, holds in (("<=", True), ("<", False)):
        claim = PartsClaim("record", None, relation, ln(greatest))
        assert certify(parts, claim).verdict.value == ("certified" if holds else "breached")
    below = max(greatest * Fraction(99, 100), Fraction(1))
    if below < greatest:
        found = certify(parts, PartsClaim("record", None, "<=", ln(below)))
        assert (found.verdict.value, found.witness_json()["value"]) == ("breached", str(greatest))
        places = found.finding.broken.extremes
        likely, unlikely = Fraction(1), Fraction(1)
        for views, place in zip(found.finding.in_parts.values(), places, strict=True):
            likely *= views[place.view].classes[place.likely].likelihood
            unlikely *= views[place.view].classes[place.unlikely].likelihood
        assert likely / unlikely == greatest


def product(numbers):
    total = Fraction(1)
    for number in numbers:
        total *= number
    return total


def among(law):
    """e^ of the dependence of rows and columns, from Definition 1."""
    rows = [sum(row) for row in law]
    columns = [sum(column) for column in zip(*law, strict=True)]
    ratios = [p / (rows[a] * columns[b]) for a, row in enumerate(law) for b, p in enumerate(row)]
    return max(max(ratios), 1 / min(ratios))


def told(law, matrix):
    """The greatest P[x1 | x2, y1] / P[x1] or its inverse: X_1 against outputs and the other part.

    Given x2 its output tells nothing more of x1.
    """
    before = [sum(row) for row in law]
    worst = Fraction(1)
    for b, y in itertools.product(range(len(law[0])), range(len(matrix[0]))):
        joint = [law[a][b] * matrix[a][y] for a in range(len(law))]
        for a, chance in enumerate(joint):
            if sum(joint):
                after = chance / sum(joint)
                worst = max(worst, after / before[a], before[a] / after if after else 10**9)
    return worst


@pytest.mark.parametrize("seed", range(60))
def test_a_part_beside_another(seed):
    """No law that is allowed goes beyond a bound that is certified; the witness's law does."""
    rng = random.Random(seed)
    first, second = random_matrix(rng), random_matrix(rng)
    shared = Fraction(rng.randint(20, 60), 20)
    least = ratio_of(first) * (shared if len(first) > 1 and len(second) > 1 else 1)
    parts = record([first, second], ln(shared))
    claim = PartsClaim("dependence", "p0", "<=", ln(least))
    assert certify(parts, claim).verdict.value == "certified"
    for _ in range(20):
        weights = [[rng.randint(1, 6) for _ in second] for _ in first]
        whole = sum(map(sum, weights))
        law = [[Fraction(w, whole) for w in row] for row in weights]
        if among(law) <= shared:
            assert told(law, first) <= least
    below = max(Fraction(1), least * Fraction(rng.randint(60, 99), 100))
    if below == least:
        return
    found = certify(parts, PartsClaim("dependence", "p0", "<=", ln(below)))
    assert found.verdict.value == "breached"
    law = found.finding.broken.law
    assert sum(map(sum, law)) == 1
    assert len(law[0]) == 1 or among(law) <= shared
    view = found.finding.in_parts[0][found.finding.broken.extreme.view]
    two = [
        view.classes[i].likelihood
        for i in (found.finding.broken.extreme.likely, found.finding.broken.extreme.unlikely)
    ]
    assert told(law, [[p] for p in two]) > below


def test_bounds_with_exponentials_and_equality():
    claims = {
        PartsClaim("record", None, "<=", Ln(Fraction(9))): "certified",
        PartsClaim("record", None, "<", Ln(Fraction(9))): "breached",
        PartsClaim("record", None, "<=", Fraction(2)): "breached",
        PartsClaim("dependence", "p0", "<=", Ln(3 * exp_of(Fraction(1, 10)))): "certified",
        PartsClaim("dependence", None, "<=", Fraction(6, 5)): "certified",
        PartsClaim("dependence", None, "<=", Fraction(11, 10)): "breached",
        PartsClaim("dependence", None, "<=", Fraction(119, 100)): "breached",
        PartsClaim("dependence", None, "<=", Fraction(1)): "breached",
    }
    parts = record([COIN, COIN], Fraction(1, 10))
    assert {claim: certify(parts, claim).verdict.value for claim in claims} == claims
    near = PartsClaim(
        "dependence", "p1", "<=", ln(3 * exp_of(Fraction(1, 10)) - Fraction(1, 10**12))
    )
    found = certify(parts, near)
    assert found.verdict.value == "breached"
    assert found.finding.broken.after / found.finding.broken.before > near.bound.of


def test_infinite_ratios_and_what_is_refused():
    same = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    parts = record([COIN, same])
    assert (
        certify(parts, PartsClaim("record", None, "<=", Fraction(900))).witness_json()["value"]
        == "infinity"
    )
    found = certify(parts, PartsClaim("dependence", "p1", "<=", Fraction(900)))
    assert (found.finding.broken.after, found.finding.broken.other) == (1, None)
    assert found.finding.broken.before < 1 / exp_of(Fraction(900))
    assert (
        certify(parts, PartsClaim("dependence", "p0", "<=", ln(Fraction(3)))).verdict.value
        == "certified"
    )
    with pytest.raises(ValueError, match="has no part p7"):
        certify(parts, PartsClaim("dependence", "p7", "<=", Fraction(1)))
    with pytest.raises(ValueError, match="bounded by <="):
        PartsClaim("dependence", "p0", "<", Fraction(1))
